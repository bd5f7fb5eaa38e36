/*
 * Allocation with checked sizes.
 *
 * The size of an array is given as count × size, and a product that overflows is a failed
 * allocation like any other. Nothing here aborts: the caller checks for NULL.
 */
#ifndef DPC_ALLOC_H
#define DPC_ALLOC_H

#include "platform.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Uninitialised array; never NULL for a count of 0. */
static inline void *dpc_alloc(int64_t count, size_t size)
{
    size_t bytes;
    if (count < 0 || __builtin_mul_overflow((size_t)count, size, &bytes))
        return NULL;
    return malloc(bytes > 0 ? bytes : 1);
}

/* Zeroed array; never NULL for a count of 0. For small ones the C library is faster this way. */
static inline void *dpc_zalloc(int64_t count, size_t size)
{
    enum { SMALL = 1024 };
    size_t bytes;
    if (count < 0 || __builtin_mul_overflow((size_t)count, size, &bytes))
        return NULL;
    if (bytes == 0 || bytes > SMALL)
        return calloc(bytes > 0 ? bytes : 1, 1);
    void *p = malloc(bytes);
    __asm__("" : "+r"(p)); /* or the compiler makes a calloc of the two */
    return p != NULL ? memset(p, 0, bytes) : NULL;
}

/* Threads that write to the same cache line slow each other down. So this many bytes of padding end
 * a struct of which each worker has one, and its small arrays. */
enum { DPC_APART = 128 };

/* Like realloc, for count × size bytes. */
static inline void *dpc_regrow(void *old, int64_t count, size_t size)
{
    size_t bytes;
    if (count < 0 || __builtin_mul_overflow((size_t)count, size, &bytes))
        return NULL;
    return realloc(old, bytes > 0 ? bytes : 1);
}

/*
 * The array with room for `wanted` items or more, growing by half so that adding one after the
 * other stays cheap. NULL: no memory, and the array is as it was.
 */
static inline void *dpc_make_room(void *items, int64_t *capacity, int64_t wanted, size_t size)
{
    if (items != NULL && wanted <= *capacity)
        return items;
    int64_t larger = *capacity + *capacity / 2;
    larger = larger > wanted ? larger : wanted;
    larger = larger > 64 ? larger : 64;
    void *grown = dpc_regrow(items, larger, size);
    if (grown != NULL)
        *capacity = larger;
    return grown;
}

/* The same for lists that are many, and mostly short. */
static inline void *dpc_make_little_room(void *items, int64_t *capacity, int64_t wanted,
                                         size_t size)
{
    if (items != NULL && wanted <= *capacity)
        return items;
    int64_t larger = wanted + wanted / 2 + 2;
    void *grown = dpc_regrow(items, larger, size);
    if (grown != NULL)
        *capacity = larger;
    return grown;
}

/*
 * Uninitialised array of doubles that starts a cache line. Large ones start a huge page and ask
 * for such pages, as far as they fill whole ones: a matrix that is read here and there would miss
 * the address cache all the time, and a last page that is mostly empty would cost memory.
 */
static inline double *dpc_alloc_aligned(int64_t count)
{
    const size_t huge = (size_t)1 << 21, large = 2 * huge;
    size_t bytes;
    void *p = NULL;
    if (count < 0 || __builtin_mul_overflow((size_t)count, sizeof(double), &bytes))
        return NULL;
    if (posix_memalign(&p, bytes >= large ? huge : 64, bytes > 0 ? bytes : 64) != 0)
        return NULL;
    if (bytes >= large)
        dpc_advise_huge(p, bytes - bytes % huge);
    return p;
}

#endif
