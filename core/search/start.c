/*
 * The DAG that refinement starts from: see start.h.
 *
 * Where the graph is no CPDAG it is taken apart as by Dor and Tarsi (class_member.c), but the node
 * that goes next is the one that costs least: 1000 for each arrow out of it, and 1 for each pair of
 * its neighbours that would become a v-structure.
 */
#include "start.h"

#include "alloc.h"
#include "arrows.h"
#include "graph.h"
#include "status.h"

typedef struct taking {
    dpc_adjacency *graph;
    dpc_arrows arrows;
    int64_t *cost; /* per node; -1: it is gone */
} taking;

enum { AGAINST_ARROW = 1000 };

static int64_t cost_of(const taking *t, int v)
{
    const dpc_adjacency *g = t->graph;
    int64_t cost = 0;
    for (int64_t e = g->start[v]; e < g->start[v + 1]; e++) {
        if (t->cost[g->node[e]] < 0)
            continue;
        cost += t->arrows.out[e] ? AGAINST_ARROW : 0;
        for (int64_t f = e + 1; f < g->start[v + 1]; f++)
            cost += t->cost[g->node[f]] >= 0 &&
                    !(dpc_arrow_in(&t->arrows, e) && dpc_arrow_in(&t->arrows, f)) &&
                    dpc_slot(g, g->node[e], g->node[f]) < 0;
    }
    return cost;
}

/* The nodes go from the end of the order. */
static void take_away_all(taking *t, int32_t *order)
{
    const dpc_adjacency *g = t->graph;
    for (int v = 0; v < g->n; v++)
        t->cost[v] = cost_of(t, v);
    for (int place = g->n - 1; place >= 0; place--) {
        int sink = -1;
        for (int v = 0; v < g->n; v++)
            if (t->cost[v] >= 0 && (sink < 0 || t->cost[v] < t->cost[sink]))
                sink = v;
        order[place] = sink;
        t->cost[sink] = -1;
        for (int64_t e = g->start[sink]; e < g->start[sink + 1]; e++)
            if (t->cost[g->node[e]] >= 0)
                t->cost[g->node[e]] = cost_of(t, g->node[e]);
    }
}

static dpc_status forced_order(const dpc_graph *graph, int32_t *order)
{
    taking t = {.cost = dpc_zalloc(graph->n_nodes, sizeof *t.cost)};
    dpc_status status = t.cost != NULL ? dpc_adjacency_of(graph, NULL, &t.graph) : DPC_NO_MEMORY;
    if (status == DPC_OK)
        status = dpc_arrows_init(t.graph, &t.arrows);
    if (status == DPC_OK) {
        dpc_arrows_copy(&t.arrows, graph, NULL);
        take_away_all(&t, order);
    }
    dpc_arrows_clear(&t.arrows);
    dpc_adjacency_free(t.graph);
    free(t.cost);
    return status;
}

/* An order of the DAG that the graph stands for, or of one that is near. */
static dpc_status find_order(const dpc_graph *graph, dpc_families *dag, int32_t *order,
                             dpc_error *err)
{
    dpc_graph *member = NULL;
    dpc_status status = dpc_class_member(graph, &member, err);
    if (status != DPC_OK && status != DPC_BAD_INPUT)
        return status;
    if (status == DPC_BAD_INPUT) {
        status = forced_order(graph, order);
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

dpc_status dpc_start_from(const dpc_graph *graph, const dpc_precedence *precedence,
                          dpc_families *dag, dpc_error *err)
{
    int n = graph->n_nodes;
    int32_t *order = dpc_alloc(n, sizeof *order), *place = dpc_alloc(n, sizeof *place);
    dpc_status status = order != NULL && place != NULL ? find_order(graph, dag, order, err)
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
