// Functions that Swift's Glibc module lacks, such as malloc's settings and statx, and Swift's records of a program's
// types.
#ifndef ZOETROPE_CSYSTEM_SHIM_H
#define ZOETROPE_CSYSTEM_SHIM_H
#include <malloc.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
static inline void zt_malloc_trim(void) { malloc_trim(0); }
static inline void zt_malloc_arenas(int n) { mallopt(M_ARENA_MAX, n); }

// A function of libswiftCore for ELF programs. Calls `body` with the record sections of the program and each library.
extern void swift_enumerateAllMetadataSections(bool (*body)(const void *sections, void *context), void *context);

// Returns a type's metadata from the accessor in its descriptor. The type must not be generic.
static inline const void *zt_swift_metadata(const void *accessor) {
    struct response { const void *metadata; size_t state; };
    typedef struct response (*access)(size_t request) __attribute__((swiftcall));
    return ((access)accessor)(0).metadata;
}

// Creates an object of a class with its allocating initializer without arguments, from the class's method table.
static inline void *zt_swift_object(const void *initializer, const void *type) {
    typedef void *(*initialize)(const void *type __attribute__((swift_context))) __attribute__((swiftcall));
    return ((initialize)initializer)(type);
}

// Starts writing a file's changes to disk, without waiting. Declared here because the header requires GNU's extensions.
extern int zt_libc_sync_file_range(int file, int64_t offset, int64_t count, unsigned flags) __asm__("sync_file_range");
static inline void zt_begin_sync(int file) { zt_libc_sync_file_range(file, 0, 0, 2); }

// Gets the identity and the creation time of the file at a path, following links. The time is in nanoseconds since
// 1970, or 0 if the file system has none. Returns 0, or -1 on failure (`errno`). Declared here because the header
// requires GNU's extensions; the kernel's structure never changes.
struct zt_file { uint64_t device, inode; int64_t birth; };
extern int zt_libc_statx(int folder, const char *path, int flags, unsigned mask, void *out) __asm__("statx");
static inline int zt_find_file(const char *path, struct zt_file *file) {
    struct moment { int64_t seconds; uint32_t nanoseconds; int32_t spare; };
    struct {
        uint32_t mask, block; uint64_t attributes; uint32_t links, user, group; uint16_t mode, spare0;
        uint64_t inode, size, blocks, attributes_mask; struct moment access, birth, change, modification;
        uint32_t rdev_major, rdev_minor, dev_major, dev_minor; uint64_t spare[14];
    } s;
    const unsigned inode = 0x100, birth = 0x800;
    const int from_here = -100;
    if (zt_libc_statx(from_here, path, 0, inode | birth, &s) != 0) return -1;
    file->device = (uint64_t)s.dev_major << 32 | s.dev_minor;
    file->inode = s.inode;
    file->birth = (s.mask & birth) && s.birth.seconds > -8000000000 && s.birth.seconds < 8000000000 ? s.birth.seconds * 1000000000 + s.birth.nanoseconds : 0;
    return 0;
}
#endif
