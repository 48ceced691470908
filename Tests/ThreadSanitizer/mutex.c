// Tells the thread sanitizer about contended locks of Swift's `Mutex`; `make tsan` links this file
// into everything that it runs.
//
// `Mutex` takes and releases a free lock in code that is inlined into the caller, where the
// sanitizer sees its atomic operations. For a lock that another thread holds or waits for it calls
// the two functions below in libswiftSynchronization, which is built without the sanitizer. The
// sanitizer then misses that one thread's release comes before the other's acquisition, and reports
// a race between any two accesses under the same contended mutex (Swift 6.3: four threads that
// append to one array in `withLock` give some ten reports). These functions take the place of the
// library's, call it, and report what it did; they hide no race outside a mutex.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self

void __tsan_acquire(void *address);
void __tsan_release(void *address);

SWIFT void lock_slow(uint32_t thread, SELF) __asm__(LOCK_SLOW);
SWIFT void unlock_slow(SELF) __asm__(UNLOCK_SLOW);

SWIFT void lock_slow(uint32_t thread, SELF) {
  SWIFT void (*library)(uint32_t, SELF) = dlsym(RTLD_NEXT, LOCK_SLOW);
  library(thread, self);
  __tsan_acquire(self);
}

SWIFT void unlock_slow(SELF) {
  SWIFT void (*library)(SELF) = dlsym(RTLD_NEXT, UNLOCK_SLOW);
  __tsan_release(self);
  library(self);
}
