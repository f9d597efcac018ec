// uchardet, which detects the encoding of a text.
#ifndef ZOETROPE_CUCHARDET_SHIM_H
#define ZOETROPE_CUCHARDET_SHIM_H
#include <uchardet/uchardet.h>
#endif
