// Counts allocations by standing in front of glibc's: a malloc of the executable's own is the one that all its
// libraries call, the Swift runtime included. Aligned allocations are not counted; Swift makes none for ordinary types.
// With another C library none are counted.
#include "CCount.h"
#include <stdatomic.h>
#include <stddef.h>

static _Atomic uint64_t count;

#ifdef __GLIBC__

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);

static void counted(void) { atomic_fetch_add_explicit(&count, 1, memory_order_relaxed); }

void *malloc(size_t size) {
  counted();
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  counted();
  return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
  counted();
  return __libc_realloc(old, size);
}

#endif

uint64_t ccount_allocations(void) { return atomic_load_explicit(&count, memory_order_relaxed); }
