/* Rows of nodes, and the one topological order of the library. */
#ifndef DPC_TOPOLOGICAL_H
#define DPC_TOPOLOGICAL_H

#include "dualpc.h"

/* Some nodes of a list. */
typedef struct dpc_node_row {
    const int32_t *node;
    int64_t count;
} dpc_node_row;

/* The nodes that come after v: its children, for instance. */
typedef dpc_node_row dpc_after(const void *context, int v);

/*
 * Puts every node before those that come after it (Kahn 1962); where there is a choice, by a queue
 * that begins with the nodes in the order of their numbers. `left` is scratch of n entries, and all
 * 0 afterwards where all nodes were placed. Returns how many were: fewer than n where there is a
 * circle, and then the others lie in circles or behind one.
 */
int dpc_topological_order(int n, dpc_after *after, const void *context, int32_t *left,
                          int32_t *order);

#endif
