#ifndef CCOUNT_H
#define CCOUNT_H
#include <stdint.h>

/// Calls of malloc, calloc and realloc since the program began, in all threads.
uint64_t ccount_allocations(void);

#endif
