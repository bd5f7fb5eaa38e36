/* An undirected graph as compressed rows: see adjacency.h. */
#include "adjacency.h"

#include "memory.h"

dpc_adjacency *dpc_adjacency_new(int n, const int32_t *degree)
{
    dpc_adjacency *graph = dpc_zalloc(1, sizeof *graph);
    if (graph == NULL)
        return NULL;
    graph->n = n;
    graph->start = dpc_alloc((int64_t)n + 1, sizeof *graph->start);
    if (graph->start == NULL)
        goto no_memory;
    graph->start[0] = 0;
    for (int x = 0; x < n; x++)
        graph->start[x + 1] = graph->start[x] + degree[x];
    graph->node = dpc_alloc(graph->start[n], sizeof *graph->node);
    if (graph->node == NULL)
        goto no_memory;
    return graph;

no_memory:
    dpc_adjacency_free(graph);
    return NULL;
}

void dpc_adjacency_free(dpc_adjacency *graph)
{
    if (graph == NULL)
        return;
    free(graph->start);
    free(graph->node);
    free(graph);
}

int dpc_max_degree(const dpc_adjacency *graph)
{
    int most = 0;
    for (int x = 0; x < graph->n; x++)
        if (dpc_degree(graph, x) > most)
            most = dpc_degree(graph, x);
    return most;
}

int64_t dpc_slot(const dpc_adjacency *graph, int a, int b)
{
    int64_t low = graph->start[a], high = graph->start[a + 1];
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (graph->node[middle] < b)
            low = middle + 1;
        else
            high = middle;
    }
    return low < graph->start[a + 1] && graph->node[low] == b ? low : -1;
}

int32_t *dpc_reverse_places(const dpc_adjacency *graph)
{
    int32_t *places = dpc_alloc(dpc_slots(graph), sizeof *places);
    int32_t *next = dpc_zalloc(graph->n, sizeof *next);
    if (places == NULL || next == NULL) {
        free(places);
        free(next);
        return NULL;
    }
    /* Rows are ascending: walking x upwards meets the slots of every other row in order. */
    for (int64_t e = 0; e < dpc_slots(graph); e++)
        places[e] = next[graph->node[e]]++;
    free(next);
    return places;
}
