// cairo and pango: drawing and text into memory, without GTK.
#ifndef ZOETROPE_CDRAWING_SHIM_H
#define ZOETROPE_CDRAWING_SHIM_H
#include <pango/pangocairo.h>
#endif
