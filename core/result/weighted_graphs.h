/*
 * Graphs over the same nodes, each with a weight: the resamples of a bootstrap, the draws of a
 * posterior, or a single graph. Frequencies and consensus are read from these.
 *
 * Every graph has a place, so that workers can add theirs in any order; a place without a graph has
 * the weight 0. Memory grows with the graphs that are there. An edge takes one number, in which a
 * comes first, then b, then the mark: so the edges of a graph, which are sorted, ascend.
 */
#ifndef DPC_WEIGHTED_GRAPHS_H
#define DPC_WEIGHTED_GRAPHS_H

#include "dualpc_explain.h"

typedef struct dpc_weighted_graph {
    double weight; /* 0: there is no graph here */
    int64_t n_edges;
    uint64_t *edges; /* ascending; owned */
} dpc_weighted_graph;

typedef struct dpc_weighted_graphs {
    int n_nodes;
    int64_t places;             /* that there is memory for */
    dpc_weighted_graph *graphs; /* by place; owned */
} dpc_weighted_graphs;

enum { DPC_NODE_BITS = 28, DPC_MARK_BITS = 8 };

static inline uint64_t dpc_pack_pair(int a, int b)
{
    return (uint64_t)a << (DPC_NODE_BITS + DPC_MARK_BITS) | (uint64_t)b << DPC_MARK_BITS;
}

static inline dpc_edge dpc_unpack_edge(uint64_t edge)
{
    const uint64_t node = (1u << DPC_NODE_BITS) - 1, mark = (1u << DPC_MARK_BITS) - 1;
    return (dpc_edge){(int32_t)(edge >> (DPC_NODE_BITS + DPC_MARK_BITS)),
                      (int32_t)(edge >> DPC_MARK_BITS & node), (dpc_mark)(edge & mark)};
}

static inline bool dpc_has_graph(const dpc_weighted_graphs *all, int64_t place)
{
    return place < all->places && all->graphs[place].weight > 0;
}

/* A packed copy of a graph, which the caller frees (`edges`) or adds. */
dpc_status dpc_pack_graph(const dpc_graph *graph, double weight, dpc_weighted_graph *out);

/* Takes over the edges of a packed graph. DPC_OK, or no memory: then they stay with the caller. */
dpc_status dpc_weighted_graphs_add(dpc_weighted_graphs *all, int64_t place,
                                   dpc_weighted_graph *graph);
void dpc_weighted_graphs_remove(dpc_weighted_graphs *all, int64_t place);
void dpc_weighted_graphs_clear(dpc_weighted_graphs *all);

/* The graph at a place. Free with dpc_graph_clear. */
dpc_status dpc_weighted_graphs_at(const dpc_weighted_graphs *all, int64_t place, dpc_graph *out);

/* Are a and b adjacent in a graph? Any order of the two. */
bool dpc_packed_adjacent(const dpc_weighted_graph *graph, int a, int b);

/*
 * The weights of the pairs that are joined at least once, by a, then b (free with free), how many
 * there are, and the weight of all graphs. DPC_OK or no memory.
 */
dpc_status dpc_weigh_pairs(const dpc_weighted_graphs *all, dpc_frequency **pairs, int64_t *count,
                           double *total);

#endif
