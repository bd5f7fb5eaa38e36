/* What background knowledge adds to the graph of an equivalence class: see apply_knowledge.h. */
#include "apply_knowledge.h"

#include "meek_passes.h"
#include "status.h"

static void direct_given(dpc_meek_passes *p, const dpc_graph *graph)
{
    for (int64_t i = 0; i < graph->n_edges; i++) {
        const dpc_edge *edge = &graph->edges[i];
        if (edge->mark != DPC_UNDIRECTED)
            dpc_meek_passes_direct(
                p, dpc_slot(p->arrows.graph, dpc_edge_from(edge), dpc_edge_to(edge)));
    }
}

dpc_status dpc_apply_knowledge(const dpc_constraints *known, bool rules, dpc_graph *graph,
                               dpc_error *err)
{
    dpc_meek_passes p = {0};
    dpc_adjacency *skeleton = NULL;
    dpc_graph further = {0};
    dpc_status status = dpc_adjacency_of(graph, NULL, &skeleton);
    if (status == DPC_OK)
        status = dpc_meek_passes_init(skeleton, known, true, &p);
    if (status == DPC_OK) {
        direct_given(&p, graph);
        dpc_meek_passes_direct_known(&p);
        if (rules)
            dpc_meek_passes_run(&p, NULL);
        status = dpc_mixed_graph(&p.arrows, &further);
    }
    dpc_meek_passes_clear(&p);
    dpc_adjacency_free(skeleton);
    if (status != DPC_OK)
        return dpc_fail_memory(err, "the arrows of the background knowledge");
    dpc_graph_clear(graph);
    *graph = further;
    return DPC_OK;
}
