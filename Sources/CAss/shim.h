// libass, which renders subtitles in the ASS format.
#ifndef ZOETROPE_CASS_SHIM_H
#define ZOETROPE_CASS_SHIM_H
#include <ass/ass.h>
#endif
