// What ThreadSanitizer has to be told of Swift's Mutex (scripts/sanitize links it into what is tested).
//
// `Synchronization.Mutex` takes a free lock, and lets one go that nobody waits for, by an atomic that is compiled into
// its user, where the sanitizer sees it. One that is waited for is taken and handed on by the kernel, called in
// libswiftSynchronization, which is not compiled with the sanitizer: what the next one does looks as if nobody had
// let go. These two stand in front of the library's and say so; the handle's address is the atomic's.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

void __tsan_acquire(void *address);
void __tsan_release(void *address);

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))
#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
typedef SWIFT void (*LockSlow)(uint32_t, SELF void *);
typedef SWIFT void (*UnlockSlow)(SELF void *);

SWIFT void zt_lock_slow(uint32_t thread, SELF void *handle) __asm__(LOCK_SLOW);
SWIFT void zt_unlock_slow(SELF void *handle) __asm__(UNLOCK_SLOW);

/// The library's own.
static void *original(void **kept, const char *name) {
    void *function = __atomic_load_n(kept, __ATOMIC_ACQUIRE);
    if (function) return function;
    function = dlsym(RTLD_NEXT, name);
    if (!function) abort();
    __atomic_store_n(kept, function, __ATOMIC_RELEASE);
    return function;
}

SWIFT void zt_lock_slow(uint32_t thread, SELF void *handle) {
    static void *kept;
    ((LockSlow)original(&kept, LOCK_SLOW))(thread, handle);
    __tsan_acquire(handle);
}

SWIFT void zt_unlock_slow(SELF void *handle) {
    static void *kept;
    UnlockSlow function = (UnlockSlow)original(&kept, UNLOCK_SLOW);
    __tsan_release(handle);
    function(handle);
}
