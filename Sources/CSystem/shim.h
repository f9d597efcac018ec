// malloc's knobs, which Swift's Glibc module leaves out, and the Swift runtime's own records of what a program consists of.
#ifndef ZOETROPE_CSYSTEM_SHIM_H
#define ZOETROPE_CSYSTEM_SHIM_H
#include <malloc.h>
#include <stdbool.h>
#include <stddef.h>
static inline void zt_malloc_trim(void) { malloc_trim(0); }
static inline void zt_malloc_arenas(int n) { mallopt(M_ARENA_MAX, n); }

// libswiftCore's, for programs on ELF: calls `body` with the record sections of the program and each of its libraries.
extern void swift_enumerateAllMetadataSections(bool (*body)(const void *sections, void *context), void *context);

// A type's metadata, from the accessor in its descriptor; the type must not be generic.
static inline const void *zt_swift_metadata(const void *accessor) {
    struct response { const void *metadata; size_t state; };
    typedef struct response (*access)(size_t request) __attribute__((swiftcall));
    return ((access)accessor)(0).metadata;
}
#endif
