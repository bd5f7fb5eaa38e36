/*
 * The node with the largest key, while keys change: a tree of winners over all nodes. Of equal keys
 * that of the smallest node wins.
 */
#ifndef DPC_BEST_H
#define DPC_BEST_H

#include "dualpc.h"

typedef struct dpc_best {
    int64_t *key;    /* per node; change it by dpc_best_set; owned */
    int32_t *winner; /* winner[i] is the better of winner[2i] and winner[2i + 1]; owned */
    int32_t leaves;  /* where the nodes themselves begin */
} dpc_best;

/* All keys are DPC_NO_KEY. End with dpc_best_clear, also after a failure. */
dpc_status dpc_best_init(int n, dpc_best *out);
void dpc_best_clear(dpc_best *best);

#define DPC_NO_KEY INT64_MIN

void dpc_best_set(dpc_best *best, int node, int64_t key);

/* The winner; -1: all keys are DPC_NO_KEY. */
static inline int dpc_best_node(const dpc_best *best)
{
    int node = best->winner[1];
    return best->key[node] != DPC_NO_KEY ? node : -1;
}

#endif
