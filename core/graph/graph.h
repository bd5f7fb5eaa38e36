/*
 * Graphs from inside: their checks, their life in place, and the orders in which edges and triples
 * are listed.
 */
#ifndef DPC_GRAPH_H
#define DPC_GRAPH_H

#include "dualpc_graph.h"

/* ---- Edges ---- */

/* The same edge seen from its other end. */
static inline dpc_mark dpc_turned(dpc_mark mark)
{
    return (dpc_mark)DPC_MARK(dpc_end_b(mark), dpc_end_a(mark));
}

/* "-->", "o->", …: the mark as edge lists write it, seen from a; "none" where there is no edge. */
const char *dpc_mark_text(dpc_mark mark);

/* The edge between two different nodes, in any order; the mark is seen from the first. */
static inline dpc_edge dpc_edge_of(int32_t from, int32_t to, dpc_mark mark)
{
    return from < to ? (dpc_edge){from, to, mark} : (dpc_edge){to, from, dpc_turned(mark)};
}

/*
 * An edge is written with its arrowhead, or else its circle, at the end: is that the way from b to
 * a? Where it begins and ends then, and its mark on that way.
 */
static inline bool dpc_edge_is_backward(const dpc_edge *edge)
{
    return edge->mark == DPC_BACKWARD || edge->mark == DPC_ARROW_CIRCLE ||
           edge->mark == DPC_CIRCLE_TAIL;
}

static inline int32_t dpc_edge_from(const dpc_edge *edge)
{
    return dpc_edge_is_backward(edge) ? edge->b : edge->a;
}

static inline int32_t dpc_edge_to(const dpc_edge *edge)
{
    return dpc_edge_is_backward(edge) ? edge->a : edge->b;
}

static inline dpc_mark dpc_edge_mark(const dpc_edge *edge)
{
    return dpc_edge_is_backward(edge) ? dpc_turned(edge->mark) : edge->mark;
}

/* ---- Triples: by y, then x, then z ---- */

/* Sorts triples of n nodes, all different. */
dpc_status dpc_sort_triples(dpc_triple *triples, int64_t count, int n);

/* ---- Graphs in place: start from {0}; what makes one frees what it made on failure ---- */

void dpc_graph_clear(dpc_graph *graph);

/* Moves a graph to the heap; it is empty afterwards, and cleared on failure. */
dpc_status dpc_graph_release(dpc_graph *graph, dpc_graph **out, dpc_error *err);

/* A copy of the edges; DPC_OK or no memory. */
dpc_status dpc_graph_duplicate(const dpc_graph *graph, dpc_graph *out);

/* Has every edge a direction? */
bool dpc_all_directed(const dpc_graph *graph);

/*
 * Are all ends in range, all marks marks, and the edges sorted without repetition? Callers make
 * graphs too. `which` completes "edge 3 of the …".
 */
dpc_status dpc_graph_check(const dpc_graph *graph, const char *which, dpc_error *err);

/*
 * The same for what cannot take a PAG: such a graph is DPC_BAD_INPUT. `what` begins "… needs a DAG
 * or CPDAG".
 */
dpc_status dpc_graph_check_directed(const dpc_graph *graph, const char *which, const char *what,
                                    dpc_error *err);

#endif
