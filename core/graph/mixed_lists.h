/*
 * A partly directed graph as lists: the parents, the siblings (by undirected edges) and the
 * children of each node, all ascending.
 */
#ifndef DPC_MIXED_LISTS_H
#define DPC_MIXED_LISTS_H

#include "graph.h"
#include "topological.h"

typedef struct dpc_mixed_lists {
    int n;
    int64_t *start; /* 3 n + 2: list `i` is node[start[i]] … node[start[i + 1] - 1]; the parents of
                     * v are list 3 v, its siblings 3 v + 1, its children 3 v + 2; owned */
    int32_t *node;  /* owned */
} dpc_mixed_lists;

/* Room for so many edges. End with dpc_mixed_lists_clear, also after a failure: no memory. */
dpc_status dpc_mixed_lists_make(int n, int64_t edges, dpc_mixed_lists *out);
void dpc_mixed_lists_clear(dpc_mixed_lists *lists);

/*
 * The lists of a graph that is no PAG, whose node v is called number[v]; NULL: as it is called. And
 * the same again in its memory, for a graph with as many nodes and edges.
 */
dpc_status dpc_mixed_lists_init(const dpc_graph *graph, const int32_t *number,
                                dpc_mixed_lists *out);
void dpc_mixed_lists_fill(const dpc_graph *graph, const int32_t *number, dpc_mixed_lists *lists);

/*
 * Filled by hand: begin, count every edge, sum, put every edge; its ends may be in any order, and
 * its mark is one of partly directed graphs. Nodes are listed in the order in which they are put.
 */
void dpc_mixed_lists_begin(dpc_mixed_lists *lists);
void dpc_mixed_lists_sum(dpc_mixed_lists *lists);

/* The list of its end a that the other end of an edge stands in. */
static inline int64_t dpc_mixed_list(int a, dpc_mark mark)
{
    return 3 * (int64_t)a + (mark == DPC_BACKWARD ? 0 : mark == DPC_UNDIRECTED ? 1 : 2);
}

static inline void dpc_mixed_lists_count(dpc_mixed_lists *lists, dpc_edge e)
{
    lists->start[dpc_mixed_list(e.a, e.mark) + 2]++;
    lists->start[dpc_mixed_list(e.b, dpc_turned(e.mark)) + 2]++;
}

/* Putting moves the start of every list to the next one. */
static inline void dpc_mixed_lists_put(dpc_mixed_lists *lists, dpc_edge e)
{
    lists->node[lists->start[dpc_mixed_list(e.a, e.mark) + 1]++] = e.b;
    lists->node[lists->start[dpc_mixed_list(e.b, dpc_turned(e.mark)) + 1]++] = e.a;
}

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

/* The children of a node of such lists, for dpc_topological_order. */
dpc_node_row dpc_children_after(const void *lists, int v);

/* How a is joined to b, seen from a. */
dpc_mark dpc_mixed_lists_mark(const dpc_mixed_lists *lists, int a, int b);

#endif
