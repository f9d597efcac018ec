// Describes Swift's Mutex to ThreadSanitizer. scripts/sanitize links this file into the tests.
//
// Without contention, `Synchronization.Mutex` locks and unlocks by an atomic operation. It is inlined into the code that
// uses the mutex, so the sanitizer sees it. With contention, two functions of libswiftSynchronization call the kernel.
// The library is not compiled with the sanitizer, which therefore does not see that the unlocking happens before the next
// locking. The functions here replace the library's, call them, and report the order. The address of the handle is that
// of the atomic.
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

/// Returns the library's function `name`, which these functions replace.
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
