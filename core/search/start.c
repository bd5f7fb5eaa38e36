/*
 * The DAG that refinement starts from: see start.h.
 *
 * Where the graph is no CPDAG it is taken apart by the cheapest sinks (extension.h): 1000 for each
 * arrow out of a node, and 1 for each pair of its neighbours that would become a v-structure.
 */
#include "start.h"

#include "alloc.h"
#include "extension.h"
#include "status.h"

/* An order of the DAG that the graph stands for, or of one that is near; `when` is scratch. */
static dpc_status find_order(const dpc_graph *graph, dpc_families *dag, int32_t *when,
                             int32_t *order, dpc_error *err)
{
    dpc_graph *member = NULL;
    dpc_status status = dpc_class_member(graph, &member, err);
    if (status != DPC_OK && status != DPC_BAD_INPUT)
        return status;
    if (status == DPC_BAD_INPUT) {
        status = dpc_extension(graph, NULL, DPC_SINK_CHEAPEST, when, NULL);
        for (int v = 0; v < graph->n_nodes && status == DPC_OK; v++)
            order[graph->n_nodes - 1 - when[v]] = v;
    } else {
        status = dpc_families_read(dag, member);
        dpc_families_order(dag, order);
        dpc_families_empty(dag);
    }
    dpc_graph_free(member);
    return status == DPC_OK ? DPC_OK : dpc_fail_memory(err, "the DAG to start from");
}

static bool may_be(const dpc_constraints *known, int from, int to)
{
    return !dpc_forced(known, to, from);
}

/* The edges of the graph along the order, and those that must be. */
static dpc_status fill(const dpc_graph *graph, const dpc_precedence *p, const int32_t *place,
                       dpc_families *dag)
{
    dpc_status status = DPC_OK;
    for (int64_t i = 0; status == DPC_OK && i < graph->n_edges; i++) {
        int a = graph->edges[i].a, b = graph->edges[i].b;
        int from = place[a] < place[b] ? a : b, to = from == a ? b : a;
        if (may_be(p->known, from, to))
            status = dpc_families_add(dag, from, to);
    }
    for (int v = 0; v < dag->n; v++)
        for (int64_t i = 0; status == DPC_OK && i < p->required.pa[v].count; i++)
            if (!dpc_families_joined(dag, p->required.pa[v].node[i], v))
                status = dpc_families_add(dag, p->required.pa[v].node[i], v);
    return status;
}

dpc_status dpc_start_from(const dpc_graph *graph, dpc_precedence *precedence, dpc_families *dag,
                          dpc_error *err)
{
    int n = graph->n_nodes;
    int32_t *order = dpc_alloc(n, sizeof *order), *place = dpc_alloc(n, sizeof *place);
    dpc_status status = order != NULL && place != NULL ? find_order(graph, dag, place, order, err)
                                                       : dpc_fail_memory(err, "an order");
    if (status == DPC_OK) {
        dpc_precedence_obey(precedence, order);
        for (int i = 0; i < n; i++)
            place[order[i]] = i;
        if (fill(graph, precedence, place, dag) != DPC_OK)
            status = dpc_fail_memory(err, "the DAG to start from");
    }
    free(order);
    free(place);
    return status;
}
