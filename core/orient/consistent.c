/*
 * Orientation by evidence: always the CPDAG of a DAG.
 *
 * The evidence for each triple (evidence.c), the strongest decided first (greedy.c), the other
 * edges directed so that a DAG results, and that polished (extend.c). The result is what all DAGs
 * that are equivalent to this one have in common, so it has an extension whatever the data are.
 * Triples that the graph decides against the sign of their evidence are listed as conflicts.
 *
 * With background knowledge the DAG respects it, and the result is what all equivalent DAGs that
 * respect it have in common: the class, with the arrows that the knowledge demands, closed under
 * Meek's four rules (Meek, 1995).
 */
#include "acyclic.h"
#include "error.h"

static bool is_conflict(const void *context, int64_t entry, int64_t ex, int64_t ez,
                        dpc_triple *triple)
{
    const dpc_arrows *arrows = context;
    int32_t weight = arrows->triples->weight[entry];
    triple->collider = dpc_arrow_in(arrows, ex) && dpc_arrow_in(arrows, ez);
    triple->evidence = (double)weight / DPC_WEIGHT_ONE;
    return triple->collider ? weight < 0 : weight > 0;
}

dpc_status dpc_orient_consistent(const dpc_unoriented *task, dpc_oriented *result, dpc_error *err)
{
    dpc_triples triples = {0};
    dpc_arrows arrows = {0};
    dpc_status status = DPC_OK;
    if (!dpc_triples_make(task->skeleton, &triples) || !dpc_arrows_make(&triples, &arrows))
        status = dpc_fail_memory(err, "the triples of the graph");
    if (status == DPC_OK)
        status = dpc_weigh_evidence(task, &triples, err);
    if (status == DPC_OK)
        status = dpc_direct_greedily(task, &triples, &arrows, err);
    if (status == DPC_OK)
        status = dpc_extend(task, &triples, &arrows, err);
    if (status == DPC_OK)
        status = dpc_polish(task, &triples, &arrows, err);
    if (status == DPC_OK &&
        !dpc_triples_list(&triples, is_conflict, &arrows, &result->conflicts, &result->n_conflicts))
        status = dpc_fail_memory(err, "the list of conflicts");
    if (status == DPC_OK)
        status = dpc_arrows_class(&arrows, task->settings->graph, &result->graph, err);
    if (status == DPC_OK && task->known != NULL)
        status = dpc_orient_further(task, &result->graph, err);
    dpc_arrows_clear(&arrows);
    dpc_triples_clear(&triples);
    return status;
}
