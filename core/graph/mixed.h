/*
 * The mixed graph in memory: neighbour lists with a mark at each end. An undirected graph
 * (adjacency.h) says who is adjacent; the slot a→b of an edge has the mark at b, and the slot b→a
 * the mark at a. So every graph of dualpc_graph.h has this form, and marks can be changed in place.
 *
 * Most of the library deals with partly directed graphs, whose edges have an arrowhead at one end
 * at most and no circles. Of these dpc_arrow_out, dpc_arrow_in and dpc_undirected tell everything.
 */
#ifndef DPC_MIXED_H
#define DPC_MIXED_H

#include "adjacency.h"

typedef struct dpc_mixed {
    const dpc_adjacency *graph;
    int32_t *places;    /* see dpc_reverse_places; owned */
    uint8_t *end;       /* by slot a→b: the dpc_end at b; owned */
    dpc_adjacency *own; /* `graph`, where dpc_mixed_of has made it; owned */
} dpc_mixed;

/* With the edges of a graph that outlives it, all undirected; or a whole graph, by labels (NULL:
 * its own numbers). DPC_OK or no memory. End with dpc_mixed_clear, also after a failure. */
dpc_status dpc_mixed_init(const dpc_adjacency *graph, dpc_mixed *out);
dpc_status dpc_mixed_of(const dpc_graph *graph, const dpc_labels *labels, dpc_mixed *out);
void dpc_mixed_clear(dpc_mixed *mixed);

/* The marks of a graph, all of whose edges are edges here, as labels; NULL: its own numbers. */
void dpc_mixed_copy(dpc_mixed *mixed, const dpc_graph *from, const dpc_labels *labels);

/* As a list of edges; the caller frees out->edges. DPC_OK or no memory. */
dpc_status dpc_mixed_graph(const dpc_mixed *mixed, dpc_graph *out);

/* The slot of the same edge at its other end. */
static inline int64_t dpc_back(const dpc_mixed *mixed, int64_t slot)
{
    return dpc_reverse(mixed->graph, mixed->places, slot);
}

/* The node that a slot belongs to, the a of a→b. */
static inline int dpc_slot_node(const dpc_mixed *mixed, int64_t slot)
{
    return mixed->graph->node[dpc_back(mixed, slot)];
}

/* For a slot a→b of a partly directed graph: is it a → b, is it b → a, or a — b? */
static inline bool dpc_arrow_out(const dpc_mixed *mixed, int64_t slot)
{
    return mixed->end[slot] == DPC_END_ARROW;
}

static inline bool dpc_arrow_in(const dpc_mixed *mixed, int64_t slot)
{
    return dpc_arrow_out(mixed, dpc_back(mixed, slot));
}

static inline bool dpc_undirected(const dpc_mixed *mixed, int64_t slot)
{
    return !dpc_arrow_out(mixed, slot) && !dpc_arrow_in(mixed, slot);
}

/* An arrowhead at b, or a tail; the end at a stays as it is. */
static inline void dpc_set_arrow(dpc_mixed *mixed, int64_t slot, bool arrow)
{
    mixed->end[slot] = arrow ? DPC_END_ARROW : DPC_END_TAIL;
}

#endif
