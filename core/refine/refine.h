/*
 * Refinement: from the graph that a PC algorithm has found to one that scores higher, by a search
 * over DAGs and orders. Dual PC is the start; the score (score.h) decides.
 *
 *     graph → DAG (start.h) → hill climbing (climb.h) → order search (order_search.h) → backward
 *     equivalence search (backward.h) → CPDAG
 *
 * Nodes are labels, and whatever is drawn at random is drawn over labels: so rearranging the
 * columns rearranges the result. Threads change nothing.
 */
#ifndef DPC_REFINE_H
#define DPC_REFINE_H

#include "constraints.h"
#include "view.h"

typedef struct dpc_refine_plan {
    bool full;       /* all variables are candidates; otherwise those near the climber's DAG */
    int restarts;    /* of the full search */
    double price;    /* of an edge, in units of log-likelihood; 0: found from the data */
    uint64_t seed;   /* of the orders in which nodes are moved, and of the restarts */
    double memory;   /* bytes for what the search keeps to be faster; INFINITY: any */
    double deadline; /* in dpc_seconds(): the best graph until then; INFINITY: none */
} dpc_refine_plan;

typedef enum dpc_change_kind {
    DPC_EDGE_ADDED,
    DPC_EDGE_REMOVED,
    DPC_EDGE_TURNED, /* it is in both graphs, with another direction or with none */
} dpc_change_kind;

/* What refinement has changed at a pair. */
typedef struct dpc_change {
    int32_t a, b; /* a < b */
    dpc_change_kind kind;
    dpc_mark before, after; /* seen from a */
    /* What the edge adds to the score of a DAG of the result; of one that was removed: would add.
     */
    double gain;
} dpc_change;

typedef struct dpc_refined {
    dpc_graph graph; /* a CPDAG, with arrows by knowledge more; owned */
    double price;
    double score_before, score_after; /* of DAGs of the two graphs, by that price */
    bool complete;                    /* false: it ended before it was done */
    int restarts;                     /* done */
    dpc_change *changes;              /* by a, then b; owned */
    int64_t n_changes;
} dpc_refined;

/*
 * Refines `start`, in the labels of the view. `known`, in labels too, may be NULL. The callback of
 * the settings may ask to stop, and then the best graph so far is the result, as at the deadline.
 * End with dpc_refined_clear.
 */
dpc_status dpc_refine(const dpc_view *view, const dpc_constraints *known,
                      const dpc_settings *settings, const dpc_refine_plan *plan,
                      const dpc_graph *start, dpc_refined *out, dpc_error *err);

void dpc_refined_clear(dpc_refined *refined);

#endif
