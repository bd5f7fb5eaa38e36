/*
 * Picks: a number from 0 to count - 1 by given weights, in constant time (Walker's alias method).
 * Each number keeps a share of its place and leaves the rest of it to one other.
 */
#ifndef DPC_SAMPLE_PICKS_H
#define DPC_SAMPLE_PICKS_H

#include "arena.h"
#include "random.h"
#include "status.h"

typedef struct dpc_pick {
    uint32_t keep; /* of 2^32 */
    int32_t other;
} dpc_pick;

typedef struct dpc_picks {
    int32_t count;
    dpc_pick *pick; /* from an arena */
} dpc_picks;

/* Room for so many; DPC_OK or no memory. */
dpc_status dpc_picks_init(dpc_picks *picks, dpc_arena *arena, int32_t count);

/* By weights above 0, which are spoilt; `room` has as many entries. */
void dpc_picks_fill(dpc_picks *picks, double *weight, int32_t *room);

/* There is at least one. */
static inline int32_t dpc_picks_draw(const dpc_picks *picks, dpc_random *random)
{
    uint64_t bits = dpc_random_next(random);
    int32_t i = (int32_t)((bits >> 32) * (uint64_t)picks->count >> 32);
    return (uint32_t)bits < picks->pick[i].keep ? i : picks->pick[i].other;
}

#endif
