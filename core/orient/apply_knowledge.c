/* What background knowledge adds to the graph of an equivalence class: see by_knowledge.h. */
#include "apply_knowledge.h"

#include "alloc.h"
#include "meek_passes.h"
#include "status.h"

static void direct_given(dpc_meek_passes *p, const dpc_graph *graph)
{
    for (int64_t i = 0; i < graph->n_edges; i++) {
        const dpc_edge *edge = &graph->edges[i];
        if (edge->mark == DPC_FORWARD)
            dpc_meek_passes_direct(p, dpc_slot(p->arrows.graph, edge->a, edge->b));
        else if (edge->mark == DPC_BACKWARD)
            dpc_meek_passes_direct(p, dpc_slot(p->arrows.graph, edge->b, edge->a));
    }
}

dpc_status dpc_orient_by_knowledge(const dpc_unoriented *task, dpc_graph *graph, dpc_error *err)
{
    dpc_meek_passes p;
    dpc_graph further = {0};
    dpc_status status = dpc_meek_passes_init(task->skeleton, task->known, true, &p);
    if (status != DPC_OK) {
        status = dpc_fail_memory(err, "the orientation of the edges");
    } else {
        direct_given(&p, graph);
        dpc_meek_passes_direct_known(&p);
        if (task->settings->graph == DPC_CPDAG)
            status = dpc_meek_passes_run(&p, task->settings, err);
    }
    if (status == DPC_OK && dpc_arrows_graph(&p.arrows, &further) != DPC_OK)
        status = dpc_fail_memory(err, "the list of edges");
    if (status == DPC_OK) {
        dpc_graph_clear(graph);
        *graph = further;
    }
    dpc_meek_passes_clear(&p);
    return status;
}
