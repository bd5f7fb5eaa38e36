/*
 * Parent sets that were found by other means than growing: for each node a few, best first.
 *
 * Growing from the empty set cannot reach every good set of parents, in whatever order the
 * variables are. A set that was found otherwise (by editing, by backward search) is kept here, and
 * an order may use it wherever all its members stand before the node (order.h).
 */
#ifndef DPC_POOL_H
#define DPC_POOL_H

#include "dualpc.h"

typedef struct dpc_pooled {
    double score;  /* s(v, S) */
    int64_t first; /* the place of its members, ascending */
    int32_t count;
    int32_t next; /* of the same node, the next best; -1: none */
} dpc_pooled;

typedef struct dpc_pool {
    int n;
    int32_t *best;   /* per node: its best set; -1: none; owned */
    dpc_pooled *set; /* owned */
    int32_t *member; /* of all sets; owned */
    int64_t sets, members, set_capacity, member_capacity;
} dpc_pool;

/* Empty. DPC_OK or no memory, as below; to be cleared in either case. */
dpc_status dpc_pool_init(dpc_pool *pool, int n);
void dpc_pool_clear(dpc_pool *pool);

void dpc_pool_empty(dpc_pool *pool);
dpc_status dpc_pool_copy(dpc_pool *to, const dpc_pool *from);

/* One set more, its members ascending, unless it is there, or many that are better. */
dpc_status dpc_pool_add(dpc_pool *pool, int v, const int32_t *members, int count, double score);

static inline const int32_t *dpc_pooled_members(const dpc_pool *pool, const dpc_pooled *set)
{
    return pool->member + set->first;
}

#endif
