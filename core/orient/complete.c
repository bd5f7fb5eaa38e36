/*
 * The consistent rule, second step: from some arrows to a DAG, by the cheapest sinks (extension.h).
 *
 * A node costs 1000 for each arrow that leaves it, and 1 + max(0, -w) for each collider that it
 * makes and that was none before. A node with an arrow out that background knowledge demands has to
 * wait; these arrows make no circle, so there is always one that need not.
 */
#include "complete.h"

#include "alloc.h"
#include "crew.h"
#include "extension.h"
#include "status.h"

typedef struct weighed {
    const dpc_triples *triples;
    const dpc_constraints *known; /* or NULL */
} weighed;

static int64_t collider_cost(const void *context, int y, int64_t ex, int64_t ez)
{
    const dpc_triples *t = ((const weighed *)context)->triples;
    int64_t entry = dpc_triple_of(t, y, ex, ez);
    int32_t w = t->weight[entry];
    return t->mark[entry] == DPC_SHIELDED ? 0 : DPC_WEIGHT_ONE + (w < 0 ? -(int64_t)w : 0);
}

static bool waits(const void *context, int v, int w)
{
    return dpc_forced(((const weighed *)context)->known, v, w);
}

/* All edges point to the end that went first. */
static void direct_all(dpc_acyclic *a, const int32_t *when)
{
    const dpc_adjacency *g = a->arrows.graph;
    for (int v = 0; v < g->n; v++) {
        a->place[v] = g->n - 1 - when[v];
        a->node[a->place[v]] = v;
        for (int64_t e = g->start[v]; e < g->start[v + 1]; e++)
            dpc_set_arrow(&a->arrows, e, when[g->node[e]] < when[v]);
    }
}

dpc_status dpc_complete(const dpc_unoriented *task, const dpc_triples *triples,
                        dpc_acyclic *acyclic, dpc_error *err)
{
    weighed w = {triples, task->known};
    dpc_sink_cost cost = {(int64_t)1000 * DPC_WEIGHT_ONE, collider_cost,
                          task->known != NULL ? waits : NULL, &w};
    dpc_crew crew;
    int32_t *when = dpc_alloc(triples->graph->n, sizeof *when);
    dpc_crew_init(&crew, task->settings, DPC_STAGE_ORIENT);
    dpc_status status =
        when != NULL ? dpc_extend(&acyclic->arrows, DPC_SINK_CHEAPEST, &cost, &crew, when, NULL)
                     : DPC_NO_MEMORY;
    if (status == DPC_OK)
        direct_all(acyclic, when);
    free(when);
    if (status == DPC_INTERRUPTED)
        return dpc_fail(err, DPC_INTERRUPTED, "interrupted");
    return status == DPC_OK ? DPC_OK : dpc_fail_memory(err, "the directions of all edges");
}
