// For loops over pixels: compiled twice, for the vectors that every x86-64 has and for those of most, and chosen when the program is loaded.
//
// Not under a sanitizer: it would be called while the program is loaded, before it has begun itself.
#ifndef ZT_WIDEST_H
#define ZT_WIDEST_H
#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define ZT_SANITIZED 1
#endif
#endif
#if defined(__x86_64__) && defined(__linux__) && !defined(ZT_SANITIZED)
#define WIDEST __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define WIDEST
#endif
#endif
