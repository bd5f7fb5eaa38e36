/*
 * Refinement: from the graph that a PC algorithm has found to one that scores higher, by a search
 * over DAGs and orders. Dual PC is the start; the score (score.h) decides.
 *
 *     graph → DAG (start.h) → hill climbing (climb.h) → order search (order_search.h) → backward
 *     equivalence search (backward.h) → local optimum (local_optimum.h) → CPDAG
 *
 * An exact search (exact.h) goes on from there, of few variables: its DAG is the best of all.
 *
 * Nodes are labels, and whatever is drawn at random is drawn over labels: so rearranging the
 * columns rearranges the result. Threads change nothing.
 */
#ifndef DPC_REFINE_H
#define DPC_REFINE_H

#include "constraints.h"
#include "crew.h"
#include "dualpc_explain.h"
#include "view.h"

typedef struct dpc_refine_plan {
    dpc_refinement how;
    int restarts;          /* of the full search; DPC_AUTO_RESTARTS: until nothing better comes */
    double price;          /* of an edge, in units of log-likelihood; 0: found from the data */
    uint64_t seed;         /* of the orders in which nodes are moved, and of the restarts */
    double memory;         /* bytes for what the search keeps to be faster; INFINITY: any */
    dpc_time_limit *limit; /* of the search; NULL: none */
    const dpc_correlation *correlation; /* that of the view: its halves tell what rows are worth */
} dpc_refine_plan;

/*
 * Refines `start`, in the labels of the view. `known`, in labels too, may be NULL. *graph is a
 * CPDAG then, with the arrows by knowledge more. The callback of the settings may ask to stop, and
 * then the best graph so far is the result, as at the end of the time. End with dpc_refined_clear
 * and dpc_graph_clear.
 */
dpc_status dpc_refine(const dpc_view *view, const dpc_constraints *known,
                      const dpc_settings *settings, const dpc_refine_plan *plan,
                      const dpc_graph *start, dpc_graph *graph, dpc_refined *out, dpc_error *err);

void dpc_refined_clear(dpc_refined *refined);

/* Turns the labels of the changes back into column numbers. */
void dpc_refined_undo(const dpc_labels *labels, dpc_refined *refined);

#endif
