/*
 * How far two graphs are from each other, in steps, for those who compare many: what a graph is
 * as a CPDAG, pattern or skeleton (equivalence.h), and the metrics of two graphs that are both in
 * that form. dpc_compare of dualpc_graph.h does all of it.
 */
#ifndef DPC_COMPARE_H
#define DPC_COMPARE_H

#include "equivalence.h"

/*
 * Two graphs in the form in which they are compared. As CPDAGs: a truth that is a DAG (all edges
 * directed, no cycle) becomes the CPDAG of its class, and so does an estimate that is a DAG where
 * the truth is one. A CPDAG with all edges directed is its own. Anything else stays as it is. On
 * failure too the caller clears both.
 */
dpc_status dpc_graphs_reduce(const dpc_graph *estimate, const dpc_graph *truth, dpc_target as,
                             dpc_graph *ours, dpc_graph *theirs, dpc_error *err);

/* The metrics of two graphs over the same nodes, as they are. */
void dpc_measure(const dpc_graph *estimate, const dpc_graph *truth, dpc_metrics *out);

/* dpc_compare of two graphs with names, matched as dpc_match_graphs does. */
dpc_status dpc_compare_named(const dpc_named_graph *estimate, const dpc_named_graph *truth,
                             dpc_target as, dpc_metrics *out, dpc_error *err);

#endif
