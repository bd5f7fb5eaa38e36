/*
 * Graphs from inside: their checks, their life in place, and the orders in which edges and triples
 * are listed.
 */
#ifndef DPC_GRAPH_H
#define DPC_GRAPH_H

#include "dualpc.h"

/* ---- Edges ---- */

/* The same edge seen from its other end. */
static inline dpc_mark dpc_turned(dpc_mark mark)
{
    return mark == DPC_FORWARD ? DPC_BACKWARD : mark == DPC_BACKWARD ? DPC_FORWARD : mark;
}

/* The edge between two different nodes, in any order; the mark is seen from the first. */
static inline dpc_edge dpc_edge_of(int32_t from, int32_t to, dpc_mark mark)
{
    return from < to ? (dpc_edge){from, to, mark} : (dpc_edge){to, from, dpc_turned(mark)};
}

/* ---- Triples: by y, then x, then z ---- */

/* For bsearch. */
int dpc_by_nodes(const void *left, const void *right);

/* Sorts triples of n nodes, all different. */
dpc_status dpc_sort_triples(dpc_triple *triples, int64_t count, int n);

/* ---- Graphs in place: start from {0}; what makes one frees what it made on failure ---- */

void dpc_graph_clear(dpc_graph *graph);

/* Moves a graph to the heap; it is empty afterwards, and cleared on failure. */
dpc_status dpc_graph_release(dpc_graph *graph, dpc_graph **out, dpc_error *err);

/*
 * Are all ends in range, all marks marks, and the edges sorted without repetition? Callers make
 * graphs too. `which` completes "edge 3 of the …".
 */
dpc_status dpc_graph_check(const dpc_graph *graph, const char *which, dpc_error *err);

/* ---- What an orientation makes ---- */

typedef struct dpc_oriented {
    dpc_graph graph;
    /* As dpc_result_conflicts and dpc_result_ambiguous have them; NULL: no such list; owned. */
    dpc_triple *conflicts, *ambiguous;
    int64_t n_conflicts, n_ambiguous;
} dpc_oriented;

void dpc_oriented_clear(dpc_oriented *oriented);

#endif
