// libass. Only what Swift cannot import is here: macros and variadic functions.
#ifndef ZOETROPE_CASS_SHIM_H
#define ZOETROPE_CASS_SHIM_H
#include <ass/ass.h>
#endif
