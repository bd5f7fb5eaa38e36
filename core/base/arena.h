/*
 * An arena: arrays that live as long as one call, and are freed together.
 *
 * The function that starts a piece of work has an arena on the stack, {0}, passes it down, and
 * clears it once, however the work has ended. What comes from an arena needs no free and no
 * clean-up path. A failed allocation is NULL, as everywhere; after several of them,
 * dpc_arena_failed says whether one has failed. An arena belongs to one thread at a time.
 */
#ifndef DPC_ARENA_H
#define DPC_ARENA_H

#include "alloc.h"

#include <stdbool.h>

typedef struct dpc_arena {
    struct dpc_arena_block *blocks; /* the newest first; owned */
    bool failed;                    /* an allocation has failed */
} dpc_arena;

/* An array, uninitialised or zeroed; never NULL for a count of 0. */
void *dpc_arena_alloc(dpc_arena *arena, int64_t count, size_t size);
void *dpc_arena_zalloc(dpc_arena *arena, int64_t count, size_t size);
/* The same, aligned like that of dpc_alloc_aligned. */
double *dpc_arena_aligned(dpc_arena *arena, int64_t count);

/* Frees all of it. The arena can be used again. */
void dpc_arena_clear(dpc_arena *arena);

static inline bool dpc_arena_failed(const dpc_arena *arena)
{
    return arena->failed;
}

#endif
