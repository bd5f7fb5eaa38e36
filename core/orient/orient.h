/* From a skeleton and its separating sets to directed edges. */
#ifndef DPC_ORIENT_H
#define DPC_ORIENT_H

#include "adjacency.h"
#include "crew.h"
#include "graph.h"
#include "oriented.h"
#include "sepset.h"
#include "view.h"

/* What the rules start from. Nodes are labels. */
typedef struct dpc_unoriented {
    const dpc_view *view;
    const dpc_adjacency *skeleton;
    const dpc_sepsets *sepsets;
    const dpc_settings *settings;
    const dpc_constraints *known; /* NULL: nothing is known beforehand */
    dpc_time_limit *limit;        /* NULL: none */
    bool graph_only;              /* nobody asks for the reasons of the arrows nor for triples */
} dpc_unoriented;

/*
 * Directs the edges as far as settings->graph asks, by the rule of settings->orient. Fills the
 * graph of the result and, unless only the graph is wanted, the provenance of its arrows and those
 * lists of triples that the rule makes; all in labels. settings->min_evidence needs the provenance.
 *
 * When the time of the limit is over, weighing, voting, deciding and climbing end where they are.
 * What has not been weighed counts nothing, what has not been voted on is ambiguous, and the rest
 * of the way is gone as ever: so the graph keeps all that its rule promises.
 */
dpc_status dpc_orient(const dpc_unoriented *task, dpc_oriented *result, dpc_error *err);

#endif
