/*
 * Allocations that fail on demand. The linker sends the project's own calls
 * through the __wrap functions of failing.c; the libraries allocate as usual.
 */
#ifndef DPC_TESTS_FAILING_H
#define DPC_TESTS_FAILING_H

#include <stdatomic.h>
#include <stdbool.h>

extern atomic_long calls, live; /* allocations asked for, and not yet freed */
extern long fail_at;            /* which one fails; 0: none */
extern bool repeatedly;         /* every fail_at-th one, rather than one */

#endif
