/*
 * An undirected graph as compressed rows: the neighbours of each node, ascending, one after
 * the other. An edge a — b has two slots, one in the row of a and one in the row of b. (While the
 * AND rule prunes, each row is the list of its own node, and a slot may have no counterpart.)
 */
#ifndef DPC_ADJACENCY_H
#define DPC_ADJACENCY_H

#include "graph.h"
#include "labels.h"

typedef struct dpc_adjacency {
    int n;
    int64_t *start; /* row x is node[start[x]] … node[start[x+1]-1] */
    int32_t *node;
} dpc_adjacency;

/* What makes one says DPC_OK or DPC_NO_MEMORY, and leaves *out as it was on failure. */

/* A graph with rows of the given lengths, to be filled by the caller. */
dpc_status dpc_adjacency_new(int n, const int32_t *degree, dpc_adjacency **out);
void dpc_adjacency_free(dpc_adjacency *graph);

/* Who is adjacent in a graph, as labels; NULL: its own numbers. */
dpc_status dpc_adjacency_of(const dpc_graph *graph, const dpc_labels *labels, dpc_adjacency **out);

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

/* Sets the entries of x and of its neighbours in an array over all nodes. */
void dpc_set_near(const dpc_adjacency *graph, int x, bool value, bool *near);

/* The slot of b in the row of a, or -1. */
int64_t dpc_slot(const dpc_adjacency *graph, int a, int b);

/*
 * Slots a→c and b→c of the next common neighbour c of a and b, from the given ones on; start from
 * start[a] and start[b], go on by adding 1 to both. False: there is none.
 */
static inline bool dpc_next_common(const dpc_adjacency *graph, int a, int b, int64_t *ac,
                                   int64_t *bc)
{
    while (*ac < graph->start[a + 1] && *bc < graph->start[b + 1]) {
        int difference = graph->node[*ac] - graph->node[*bc];
        if (difference == 0)
            return true;
        *ac += difference < 0;
        *bc += difference > 0;
    }
    return false;
}

/*
 * For each slot a→b, where a stands in the row of b; -1 where b does not list a. By one walk over
 * the graph. The caller frees *out. dpc_reverse gives the slot b→a, where there is one.
 */
dpc_status dpc_reverse_places(const dpc_adjacency *graph, int32_t **out);

static inline int64_t dpc_reverse(const dpc_adjacency *graph, const int32_t *places, int64_t slot)
{
    return graph->start[graph->node[slot]] + places[slot];
}

/* Who is adjacent as rows of dpc_bit_words(n) words, for graphs that are dense enough to be worth
 * that. The caller frees *out. */
dpc_status dpc_adjacency_bits(const dpc_adjacency *graph, uint64_t **out);

dpc_status dpc_adjacency_copy(const dpc_adjacency *lists, dpc_adjacency **out);

/* Row b of the transpose holds every a that lists b. */
dpc_status dpc_adjacency_transposed(const dpc_adjacency *lists, dpc_adjacency **out);

/* The undirected graph with an edge where at least one end lists the other. */
dpc_status dpc_adjacency_joined(const dpc_adjacency *lists, dpc_adjacency **out);

#endif
