/* From a skeleton to directed edges: which rule does it, and which arrows are too weak to stay. */
#include "orient.h"

#include "consistent.h"
#include "majority.h"
#include "relaxed.h"
#include "status.h"

static dpc_status direct(const dpc_unoriented *task, dpc_oriented *result, dpc_error *err)
{
    const dpc_settings *settings = task->settings;
    if (settings->orient == DPC_RELAXED || settings->graph == DPC_SKELETON)
        return dpc_orient_relaxed(task, result, err);
    if (settings->orient == DPC_CONSISTENT)
        return dpc_orient_consistent(task, result, err);
    return dpc_orient_majority(task, result, err);
}

/*
 * Leaves arrows undirected whose evidence is below settings->min_evidence; the graph as it was
 * stays beside it. What rests on such an arrow is no stronger, so it goes too.
 */
static dpc_status leave_out(const dpc_settings *settings, dpc_oriented *result, dpc_error *err)
{
    dpc_graph *graph = &result->graph;
    if (settings->min_evidence == DPC_NO_MIN_EVIDENCE)
        return DPC_OK;
    if (dpc_graph_duplicate(graph, &result->whole) != DPC_OK)
        return dpc_fail_memory(err, "the graph without its weak arrows");
    for (int64_t e = 0; e < graph->n_edges; e++) {
        dpc_edge *edge = &graph->edges[e];
        const dpc_provenance *step = dpc_find_provenance(result->provenance, result->n_provenance,
                                                         dpc_edge_from(edge), dpc_edge_to(edge));
        if (!(dpc_evidence_of(step) >= settings->min_evidence))
            edge->mark = DPC_UNDIRECTED;
    }
    return DPC_OK;
}

dpc_status dpc_orient(const dpc_unoriented *task, dpc_oriented *result, dpc_error *err)
{
    DPC_CHECK(direct(task, result, err));
    return leave_out(task->settings, result, err);
}
