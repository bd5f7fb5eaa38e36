/* The mixed graph in memory: see mixed.h. */
#include "mixed.h"

#include "alloc.h"
#include "status.h"

#include <string.h>

dpc_status dpc_mixed_init(const dpc_adjacency *graph, dpc_mixed *out)
{
    int64_t slots = dpc_slots(graph);
    *out = (dpc_mixed){.graph = graph, .end = dpc_alloc(slots, sizeof *out->end)};
    if (out->end == NULL)
        return DPC_NO_MEMORY;
    memset(out->end, DPC_END_TAIL, (size_t)slots * sizeof *out->end);
    return dpc_reverse_places(graph, &out->places);
}

dpc_status dpc_mixed_of(const dpc_graph *graph, const dpc_labels *labels, dpc_mixed *out)
{
    dpc_adjacency *own = NULL;
    *out = (dpc_mixed){0};
    DPC_CHECK(dpc_adjacency_of(graph, labels, &own));
    dpc_status status = dpc_mixed_init(own, out);
    out->own = own;
    if (status == DPC_OK)
        dpc_mixed_copy(out, graph, labels);
    return status;
}

void dpc_mixed_clear(dpc_mixed *mixed)
{
    free(mixed->places);
    free(mixed->end);
    dpc_adjacency_free(mixed->own);
    *mixed = (dpc_mixed){0};
}

void dpc_mixed_copy(dpc_mixed *mixed, const dpc_graph *from, const dpc_labels *labels)
{
    for (int64_t i = 0; i < from->n_edges; i++) {
        const dpc_edge *edge = &from->edges[i];
        int a = labels != NULL ? dpc_label_of(labels, edge->a) : edge->a;
        int b = labels != NULL ? dpc_label_of(labels, edge->b) : edge->b;
        int64_t slot = dpc_slot(mixed->graph, a, b);
        mixed->end[slot] = (uint8_t)dpc_end_b(edge->mark);
        mixed->end[dpc_back(mixed, slot)] = (uint8_t)dpc_end_a(edge->mark);
    }
}

dpc_status dpc_mixed_graph(const dpc_mixed *mixed, dpc_graph *out)
{
    const dpc_adjacency *g = mixed->graph;
    dpc_edge *edges = dpc_alloc(dpc_slots(g) / 2, sizeof *edges), *to = edges;
    if (edges == NULL)
        return DPC_NO_MEMORY;
    for (int a = 0; a < g->n; a++)
        for (int64_t e = g->start[a]; e < g->start[a + 1]; e++)
            if (g->node[e] > a)
                *to++ =
                    (dpc_edge){a, g->node[e],
                               (dpc_mark)DPC_MARK(mixed->end[dpc_back(mixed, e)], mixed->end[e])};
    *out = (dpc_graph){g->n, dpc_slots(g) / 2, edges};
    return DPC_OK;
}
