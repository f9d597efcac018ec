// malloc's knobs, which Swift's Glibc module leaves out.
#ifndef ZOETROPE_CSYSTEM_SHIM_H
#define ZOETROPE_CSYSTEM_SHIM_H
#include <malloc.h>
static inline void zt_malloc_trim(void) { malloc_trim(0); }
static inline void zt_malloc_arenas(int n) { mallopt(M_ARENA_MAX, n); }
#endif
