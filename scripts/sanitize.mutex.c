// What ThreadSanitizer has to be told of Swift's Mutex (scripts/sanitize links it into what is tested).
//
// `Synchronization.Mutex` takes a free lock by an atomic that is compiled into its user, where the sanitizer sees it.
// One that is held is waited for in libswiftSynchronization, which is not compiled with the sanitizer: that the lock
// was taken there, after the one who had it let go, is not seen, and all that it guards looks like a race. This stands
// in front of that one function and says so: the address is that of the atomic which is released.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

void __tsan_acquire(void *address);

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
typedef __attribute__((swiftcall)) void (*LockSlow)(uint32_t, __attribute__((swift_context)) void *);

__attribute__((swiftcall)) void zt_lock_slow(uint32_t thread, __attribute__((swift_context)) void *handle) __asm__(LOCK_SLOW);

__attribute__((swiftcall)) void zt_lock_slow(uint32_t thread, __attribute__((swift_context)) void *handle) {
    static LockSlow original;
    LockSlow function = __atomic_load_n(&original, __ATOMIC_ACQUIRE);
    if (!function) {
        function = (LockSlow)dlsym(RTLD_NEXT, LOCK_SLOW);
        if (!function) abort();
        __atomic_store_n(&original, function, __ATOMIC_RELEASE);
    }
    function(thread, handle);
    __tsan_acquire(handle);
}
