/*
 * Orientation by weighed triples: always the CPDAG of a DAG.
 *
 * Each triple gets its weight, by the data (evidence.c) or by whoever asks; the strongest are
 * decided first (decide.c), the other edges directed so that a DAG results (complete.c), and that
 * is climbed (climb_arrows.c). The result is what all DAGs that are equivalent to this one have in
 * common, so it has an extension whatever the weights are. Triples that the graph decides against
 * the sign of their weights are listed as conflicts.
 *
 * With background knowledge the DAG respects it, and the result is what all equivalent DAGs that
 * respect it have in common (apply_knowledge.h).
 */
#include "consistent.h"

#include "apply_knowledge.h"
#include "climb_arrows.h"
#include "complete.h"
#include "decide.h"
#include "evidence.h"
#include "provenance.h"
#include "status.h"

typedef struct weighed {
    const dpc_triples *triples;
    const dpc_mixed *arrows;
} weighed;

static bool is_conflict(const void *context, int64_t entry, int64_t ex, int64_t ez,
                        dpc_triple *triple)
{
    const weighed *w = context;
    int32_t weight = w->triples->weight[entry];
    triple->collider = dpc_arrow_in(w->arrows, ex) && dpc_arrow_in(w->arrows, ez);
    triple->evidence = (double)weight / DPC_WEIGHT_ONE;
    return triple->collider ? weight < 0 : weight > 0;
}

/* From weights to a DAG. */
static dpc_status direct(const dpc_unoriented *task, dpc_triples *triples, dpc_acyclic *acyclic,
                         dpc_error *err)
{
    DPC_CHECK(dpc_decide(task, triples, acyclic, err));
    DPC_CHECK(dpc_complete(task, triples, acyclic, err));
    return dpc_climb_arrows(task, triples, acyclic, err);
}

/* The conflicts, and what the arrows rest on. */
static dpc_status look_back(const dpc_unoriented *task, dpc_triples *triples,
                            const dpc_mixed *arrows, dpc_oriented *result, dpc_error *err)
{
    weighed found = {triples, arrows};
    DPC_CHECK(dpc_triples_list(triples, task->settings, is_conflict, &found, &result->conflicts,
                               &result->n_conflicts, err));
    dpc_mark_decided(arrows, triples);
    return dpc_trace_provenance(task, triples, &result->graph, &result->provenance,
                                &result->n_provenance, err);
}

/* The steps one after the other; the caller clears what they have made. */
static dpc_status run(const dpc_unoriented *task, dpc_weigher *weigh, const void *context,
                      dpc_triples *triples, dpc_acyclic *acyclic, dpc_oriented *made,
                      dpc_error *err)
{
    dpc_target target = task->settings->graph;
    if (dpc_triples_init(task->skeleton, task->known, triples) != DPC_OK ||
        dpc_acyclic_init(task->skeleton, acyclic) != DPC_OK)
        return dpc_fail_memory(err, "the triples of the graph");
    DPC_CHECK(weigh(context, task, triples, err));
    DPC_CHECK(direct(task, triples, acyclic, err));
    DPC_CHECK(dpc_acyclic_class(acyclic, target, &made->graph, err));
    if (task->known != NULL && target != DPC_SKELETON)
        DPC_CHECK(dpc_apply_knowledge(task->known, target == DPC_CPDAG, &made->graph, err));
    return !task->graph_only ? look_back(task, triples, &acyclic->arrows, made, err) : DPC_OK;
}

dpc_status dpc_orient_weighed(const dpc_unoriented *task, dpc_weigher *weigh, const void *context,
                              dpc_oriented *result, dpc_error *err)
{
    dpc_triples triples = {0};
    dpc_acyclic acyclic = {0};
    dpc_oriented made = {0};
    dpc_status status = run(task, weigh, context, &triples, &acyclic, &made, err);
    if (status == DPC_OK)
        *result = made;
    else
        dpc_oriented_clear(&made);
    dpc_acyclic_clear(&acyclic);
    dpc_triples_clear(&triples);
    return status;
}

static dpc_status weigh_evidence(const void *context, const dpc_unoriented *task,
                                 dpc_triples *triples, dpc_error *err)
{
    (void)context;
    return dpc_weigh_evidence(task, triples, err);
}

dpc_status dpc_orient_consistent(const dpc_unoriented *task, dpc_oriented *result, dpc_error *err)
{
    return dpc_orient_weighed(task, weigh_evidence, NULL, result, err);
}
