// Marks a loop over pixels that is compiled twice: for the vector instructions that every x86-64 processor has, and for
// those of newer processors (x86-64-v3). The variant is chosen when the program is loaded.
//
// Disabled under a sanitizer, because the choice runs before the sanitizer is initialized.
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
