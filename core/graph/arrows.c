/* Arrows on the edges of an undirected graph: see arrows.h. */
#include "arrows.h"

#include "alloc.h"

dpc_status dpc_arrows_init(const dpc_adjacency *graph, dpc_arrows *out)
{
    *out = (dpc_arrows){
        .graph = graph,
        .out = dpc_zalloc(dpc_slots(graph), sizeof *out->out),
    };
    return out->out != NULL ? dpc_reverse_places(graph, &out->places) : DPC_NO_MEMORY;
}

void dpc_arrows_clear(dpc_arrows *arrows)
{
    free(arrows->places);
    free(arrows->out);
    *arrows = (dpc_arrows){0};
}

void dpc_arrows_copy(dpc_arrows *arrows, const dpc_graph *from, const dpc_labels *labels)
{
    for (int64_t i = 0; i < from->n_edges; i++) {
        const dpc_edge *edge = &from->edges[i];
        int a = labels != NULL ? dpc_label_of(labels, edge->a) : edge->a;
        int b = labels != NULL ? dpc_label_of(labels, edge->b) : edge->b;
        int64_t slot = dpc_slot(arrows->graph, a, b);
        arrows->out[slot] = edge->mark == DPC_FORWARD;
        arrows->out[dpc_back(arrows, slot)] = edge->mark == DPC_BACKWARD;
    }
}

dpc_status dpc_arrows_graph(const dpc_arrows *arrows, dpc_graph *out)
{
    const dpc_adjacency *g = arrows->graph;
    dpc_edge *edges = dpc_alloc(dpc_slots(g) / 2, sizeof *edges), *to = edges;
    if (edges == NULL)
        return DPC_NO_MEMORY;
    for (int a = 0; a < g->n; a++)
        for (int64_t e = g->start[a]; e < g->start[a + 1]; e++)
            if (g->node[e] > a)
                *to++ = (dpc_edge){a, g->node[e],
                                   arrows->out[e]            ? DPC_FORWARD
                                   : dpc_arrow_in(arrows, e) ? DPC_BACKWARD
                                                             : DPC_UNDIRECTED};
    *out = (dpc_graph){g->n, dpc_slots(g) / 2, edges};
    return DPC_OK;
}
