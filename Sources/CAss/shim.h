// libass. Only macros and varargs stand here.
#ifndef ZOETROPE_CASS_SHIM_H
#define ZOETROPE_CASS_SHIM_H
#include <ass/ass.h>
#endif
