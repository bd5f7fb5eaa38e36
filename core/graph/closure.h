/*
 * Arrows and all that follows from them by Meek's four rules, with the way back: for graphs that
 * stand for a class of DAGs, in which every v-structure is directed already.
 */
#ifndef DPC_CLOSURE_H
#define DPC_CLOSURE_H

#include "graph.h"
#include "meek.h"

typedef struct dpc_closure {
    const dpc_adjacency *graph; /* of `arrows` */
    dpc_mixed arrows;           /* of the graph that was given, and those since */
    int64_t *since;             /* the slots of the arrows since, in their order; owned */
    int64_t n_since, n_followed;
    int64_t *loose; /* one slot of each edge that was undirected at first; owned */
    int64_t n_loose;
} dpc_closure;

/* The arrows of the graph. End with dpc_closure_clear, also after a failure: no memory. */
dpc_status dpc_closure_init(const dpc_graph *graph, dpc_closure *out);
void dpc_closure_clear(dpc_closure *closure);

/* Directs an edge as its slot says; false: it has the other direction. */
bool dpc_closure_direct(dpc_closure *closure, int64_t slot);

/* All that follows; false: something would have to have both directions. */
bool dpc_closure_run(dpc_closure *closure);

/* Takes back all arrows since. */
void dpc_closure_undo(dpc_closure *closure);

/* An undirected edge, slot a→b, that a rule directs; its number, and the nodes of its premises as
 * dpc_meek_rule has them. 0: there is none. */
int dpc_closure_lacks(const dpc_closure *closure, int64_t *slot, int32_t other[2]);

#endif
