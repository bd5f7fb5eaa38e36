/*
 * An undirected graph as compressed rows: the neighbours of each node, ascending, one after
 * the other. An edge a — b has two slots, one in the row of a and one in the row of b. (While the
 * AND rule prunes, each row is the list of its own node, and a slot may have no counterpart.)
 */
#ifndef DPC_ADJACENCY_H
#define DPC_ADJACENCY_H

#include "dualpc.h"

typedef struct dpc_adjacency {
    int n;
    int64_t *start; /* row x is node[start[x]] … node[start[x+1]-1] */
    int32_t *node;
} dpc_adjacency;

/* A graph with rows of the given lengths, to be filled by the caller; NULL: no memory. */
dpc_adjacency *dpc_adjacency_new(int n, const int32_t *degree);
void dpc_adjacency_free(dpc_adjacency *graph);

static inline int64_t dpc_slots(const dpc_adjacency *graph)
{
    return graph->start[graph->n];
}

static inline int dpc_degree(const dpc_adjacency *graph, int x)
{
    return (int)(graph->start[x + 1] - graph->start[x]);
}

static inline const int32_t *dpc_neighbours(const dpc_adjacency *graph, int x)
{
    return graph->node + graph->start[x];
}

int dpc_max_degree(const dpc_adjacency *graph);

/* The slot of b in the row of a, or -1. */
int64_t dpc_slot(const dpc_adjacency *graph, int a, int b);

/*
 * For each slot a→b, where a stands in the row of b; -1 where b does not list a. By one walk over
 * the graph. NULL: no memory. dpc_reverse gives the slot b→a, where there is one.
 */
int32_t *dpc_reverse_places(const dpc_adjacency *graph);

static inline int64_t dpc_reverse(const dpc_adjacency *graph, const int32_t *places, int64_t slot)
{
    return graph->start[graph->node[slot]] + places[slot];
}

/* NULL: no memory. */
dpc_adjacency *dpc_adjacency_copy(const dpc_adjacency *lists);

/* Row b of the transpose holds every a that lists b. NULL: no memory. */
dpc_adjacency *dpc_adjacency_transposed(const dpc_adjacency *lists);

/* The undirected graph with an edge where at least one end lists the other. NULL: no memory. */
dpc_adjacency *dpc_adjacency_joined(const dpc_adjacency *lists);

#endif
