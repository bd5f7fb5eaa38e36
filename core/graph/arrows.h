/*
 * Arrows on the edges of an undirected graph: each edge a — b may be directed as a → b, as b → a,
 * or not at all.
 */
#ifndef DPC_ARROWS_H
#define DPC_ARROWS_H

#include "adjacency.h"

typedef struct dpc_arrows {
    const dpc_adjacency *graph;
    int32_t *places; /* see dpc_reverse_places; owned */
    bool *out;       /* by slot a→b: a → b; owned */
} dpc_arrows;

/* No arrows yet. End with dpc_arrows_clear, also after a failure. */
dpc_status dpc_arrows_init(const dpc_adjacency *graph, dpc_arrows *out);
void dpc_arrows_clear(dpc_arrows *arrows);

/* The slot of the same edge at its other end. */
static inline int64_t dpc_back(const dpc_arrows *arrows, int64_t slot)
{
    return dpc_reverse(arrows->graph, arrows->places, slot);
}

/* For a slot a→b: does b → a hold; does neither? */
static inline bool dpc_arrow_in(const dpc_arrows *arrows, int64_t slot)
{
    return arrows->out[dpc_back(arrows, slot)];
}

static inline bool dpc_undirected(const dpc_arrows *arrows, int64_t slot)
{
    return !arrows->out[slot] && !dpc_arrow_in(arrows, slot);
}

/* The node that a slot belongs to, the a of a→b. */
static inline int dpc_tail(const dpc_arrows *arrows, int64_t slot)
{
    return arrows->graph->node[dpc_back(arrows, slot)];
}

/* The arrows of a graph, all of whose edges are edges here, as labels; NULL: its own numbers. */
void dpc_arrows_copy(dpc_arrows *arrows, const dpc_graph *from, const dpc_labels *labels);

/* As a list of edges; the caller frees out->edges. */
dpc_status dpc_arrows_graph(const dpc_arrows *arrows, dpc_graph *out);

#endif
