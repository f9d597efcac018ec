// uchardet: which encoding a text is in.
#ifndef ZOETROPE_CUCHARDET_SHIM_H
#define ZOETROPE_CUCHARDET_SHIM_H
#include <uchardet/uchardet.h>
#endif
