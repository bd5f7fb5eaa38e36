/*
 * A partly directed graph as lists: the parents, the siblings (by undirected edges) and the
 * children of each node, all ascending.
 */
#ifndef DPC_MIXED_LISTS_H
#define DPC_MIXED_LISTS_H

#include "dualpc_graph.h"
#include "topological.h"

typedef struct dpc_mixed_lists {
    int n;
    int64_t
        *start;    /* 3 n + 1: the lists of v begin at start[3 v], start[3 v + 1], start[3 v + 2] */
    int32_t *node; /* owned, as start is */
} dpc_mixed_lists;

/*
 * The lists of a graph whose node v is called number[v]; NULL: as it is called. End with
 * dpc_mixed_lists_clear, also after a failure, which is one of memory.
 */
dpc_status dpc_mixed_lists_init(const dpc_graph *graph, const int32_t *number,
                                dpc_mixed_lists *out);
void dpc_mixed_lists_clear(dpc_mixed_lists *lists);

/* The same again in its memory, for a graph with as many nodes and edges; `next`: 3 n places. */
void dpc_mixed_lists_fill(const dpc_graph *graph, const int32_t *number, int64_t *next,
                          dpc_mixed_lists *lists);

static inline dpc_node_row dpc_mixed_lists_row(const dpc_mixed_lists *lists, int64_t which)
{
    return (dpc_node_row){lists->node + lists->start[which],
                          lists->start[which + 1] - lists->start[which]};
}

static inline dpc_node_row dpc_parents_of(const dpc_mixed_lists *lists, int v)
{
    return dpc_mixed_lists_row(lists, 3 * (int64_t)v);
}

static inline dpc_node_row dpc_siblings_of(const dpc_mixed_lists *lists, int v)
{
    return dpc_mixed_lists_row(lists, 3 * (int64_t)v + 1);
}

static inline dpc_node_row dpc_children_of(const dpc_mixed_lists *lists, int v)
{
    return dpc_mixed_lists_row(lists, 3 * (int64_t)v + 2);
}

/* How a is joined to b, seen from a. */
dpc_mark dpc_mixed_lists_mark(const dpc_mixed_lists *lists, int a, int b);

#endif
