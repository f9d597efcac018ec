// cairo and Pango, for drawing and text in memory, without GTK.
#ifndef ZOETROPE_CDRAWING_SHIM_H
#define ZOETROPE_CDRAWING_SHIM_H
#include <pango/pangocairo.h>
#endif
