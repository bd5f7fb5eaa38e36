/* An undirected graph as compressed rows: see adjacency.h. */
#include "adjacency.h"

#include "memory.h"
#include "sorted.h"

#include <string.h>

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
    int64_t place = dpc_place_of(dpc_neighbours(graph, a), dpc_degree(graph, a), b);
    return place >= 0 ? graph->start[a] + place : -1;
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
    for (int x = 0; x < graph->n; x++)
        for (int64_t e = graph->start[x]; e < graph->start[x + 1]; e++) {
            int y = graph->node[e], degree = dpc_degree(graph, y);
            const int32_t *row = dpc_neighbours(graph, y);
            while (next[y] < degree && row[next[y]] < x)
                next[y]++; /* y lists one that does not list y */
            bool listed = next[y] < degree && row[next[y]] == x;
            places[e] = listed ? next[y] : -1;
        }
    free(next);
    return places;
}

dpc_adjacency *dpc_adjacency_copy(const dpc_adjacency *lists)
{
    int32_t *degree = dpc_alloc(lists->n, sizeof *degree);
    dpc_adjacency *copy = NULL;
    for (int x = 0; degree != NULL && x < lists->n; x++)
        degree[x] = dpc_degree(lists, x);
    if (degree != NULL)
        copy = dpc_adjacency_new(lists->n, degree);
    if (copy != NULL)
        memcpy(copy->node, lists->node, (size_t)dpc_slots(lists) * sizeof *copy->node);
    free(degree);
    return copy;
}

dpc_adjacency *dpc_adjacency_transposed(const dpc_adjacency *lists)
{
    int n = lists->n;
    dpc_adjacency *transposed = NULL;
    int32_t *count = dpc_zalloc(n, sizeof *count);
    for (int64_t e = 0; count != NULL && e < dpc_slots(lists); e++)
        count[lists->node[e]]++;
    if (count != NULL)
        transposed = dpc_adjacency_new(n, count);
    /* Filled from their ends: walking x downwards leaves the rows ascending. */
    for (int x = n - 1; transposed != NULL && x >= 0; x--)
        for (int64_t e = lists->start[x]; e < lists->start[x + 1]; e++) {
            int y = lists->node[e];
            transposed->node[transposed->start[y] + --count[y]] = x;
        }
    free(count);
    return transposed;
}

static int join_row(const dpc_adjacency *p, const dpc_adjacency *q, int x, int32_t *to)
{
    return dpc_unite(dpc_neighbours(p, x), dpc_degree(p, x), dpc_neighbours(q, x), dpc_degree(q, x),
                     to);
}

dpc_adjacency *dpc_adjacency_joined(const dpc_adjacency *lists)
{
    int n = lists->n;
    dpc_adjacency *joined = NULL, *transposed = dpc_adjacency_transposed(lists);
    int32_t *degree = dpc_zalloc(n, sizeof *degree);
    if (transposed != NULL && degree != NULL) {
        for (int x = 0; x < n; x++)
            degree[x] = join_row(lists, transposed, x, NULL);
        joined = dpc_adjacency_new(n, degree);
    }
    for (int x = 0; joined != NULL && x < n; x++)
        join_row(lists, transposed, x, joined->node + joined->start[x]);
    dpc_adjacency_free(transposed);
    free(degree);
    return joined;
}
