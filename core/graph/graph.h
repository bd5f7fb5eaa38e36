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

/* Where an edge begins and ends when it is written: an arrow with its tail, a line with a. */
static inline int32_t dpc_edge_from(const dpc_edge *edge)
{
    return edge->mark == DPC_BACKWARD ? edge->b : edge->a;
}

static inline int32_t dpc_edge_to(const dpc_edge *edge)
{
    return edge->mark == DPC_BACKWARD ? edge->a : edge->b;
}

/* ---- Triples: by y, then x, then z ---- */

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

/* What an arrow rests on: the last step of its strongest chain of reasons. */
typedef struct dpc_ground {
    int32_t from, to;
    int32_t other[2]; /* see dpc_reason_kind; -1: not used */
    int32_t weight;   /* the evidence of the arrow, in millionths; DPC_SURE; DPC_NO_LINK: none */
    int32_t link;     /* that of the triple in this step; DPC_NO_LINK: there is none in it */
    int32_t turn;     /* arrows settled before this one, such as its premises; -1: never settled */
    dpc_reason_kind kind;
} dpc_ground;

#define DPC_WEIGHT_ONE 1000000 /* a weight of 1: evidence is in whole millionths */
#define DPC_SURE       INT32_MAX
#define DPC_NO_LINK    INT32_MIN

/* The ground of an arrow in a list that is sorted by from, then to; NULL: it is not in it. */
const dpc_ground *dpc_find_ground(const dpc_ground *grounds, int64_t count, int from, int to);

/* The evidence of an arrow: infinite where it is known beforehand, NaN where there is no ground. */
double dpc_evidence_of(const dpc_ground *ground);

/* For qsort: by from, then to. */
int dpc_by_arrow(const void *left, const void *right);

typedef struct dpc_oriented {
    dpc_graph graph;
    /* As dpc_result_conflicts and dpc_result_ambiguous have them; NULL: no such list; owned. */
    dpc_triple *conflicts, *ambiguous;
    int64_t n_conflicts, n_ambiguous;
    dpc_ground *grounds; /* of all arrows that were found; NULL: nothing was weighed; owned */
    int64_t n_grounds;
    dpc_graph whole; /* the graph with the arrows that min_evidence has left out; or no edges */
} dpc_oriented;

void dpc_oriented_clear(dpc_oriented *oriented);

#endif
