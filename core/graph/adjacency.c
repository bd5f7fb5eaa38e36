/* An undirected graph as compressed rows: see adjacency.h. */
#include "adjacency.h"

#include "alloc.h"
#include "bits.h"
#include "sorted.h"

#include <string.h>

dpc_status dpc_adjacency_new(int n, const int32_t *degree, dpc_adjacency **out)
{
    dpc_adjacency *graph = dpc_zalloc(1, sizeof *graph);
    if (graph == NULL)
        return DPC_NO_MEMORY;
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
    *out = graph;
    return DPC_OK;

no_memory:
    dpc_adjacency_free(graph);
    return DPC_NO_MEMORY;
}

void dpc_adjacency_free(dpc_adjacency *graph)
{
    if (graph == NULL)
        return;
    free(graph->start);
    free(graph->node);
    free(graph);
}

static int label_of(const dpc_labels *labels, int node)
{
    return labels != NULL ? dpc_label_of(labels, node) : node;
}

dpc_status dpc_adjacency_of(const dpc_graph *graph, const dpc_labels *labels, dpc_adjacency **out)
{
    int n = graph->n_nodes;
    dpc_adjacency *g = NULL;
    int32_t *degree = dpc_zalloc(n, sizeof *degree);
    if (degree == NULL)
        return DPC_NO_MEMORY;
    for (int64_t e = 0; e < graph->n_edges; e++) {
        degree[label_of(labels, graph->edges[e].a)]++;
        degree[label_of(labels, graph->edges[e].b)]++;
    }
    dpc_status status = dpc_adjacency_new(n, degree, &g);
    for (int64_t e = 0; status == DPC_OK && e < graph->n_edges; e++) {
        int a = label_of(labels, graph->edges[e].a), b = label_of(labels, graph->edges[e].b);
        g->node[g->start[a] + --degree[a]] = b;
        g->node[g->start[b] + --degree[b]] = a;
    }
    free(degree);
    if (status != DPC_OK)
        return status;
    for (int x = 0; x < n; x++)
        dpc_sort_numbers(g->node + g->start[x], dpc_degree(g, x));
    *out = g;
    return DPC_OK;
}

int dpc_max_degree(const dpc_adjacency *graph)
{
    int most = 0;
    for (int x = 0; x < graph->n; x++)
        if (dpc_degree(graph, x) > most)
            most = dpc_degree(graph, x);
    return most;
}

void dpc_set_near(const dpc_adjacency *graph, int x, bool value, bool *near)
{
    near[x] = value;
    for (int64_t e = graph->start[x]; e < graph->start[x + 1]; e++)
        near[graph->node[e]] = value;
}

int64_t dpc_slot(const dpc_adjacency *graph, int a, int b)
{
    int64_t place = dpc_place_of(dpc_neighbours(graph, a), dpc_degree(graph, a), b);
    return place >= 0 ? graph->start[a] + place : -1;
}

dpc_status dpc_reverse_places(const dpc_adjacency *graph, int32_t **out)
{
    int32_t *places = dpc_alloc(dpc_slots(graph), sizeof *places);
    int32_t *next = dpc_zalloc(graph->n, sizeof *next);
    if (places == NULL || next == NULL) {
        free(places);
        free(next);
        return DPC_NO_MEMORY;
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
    *out = places;
    return DPC_OK;
}

dpc_status dpc_adjacency_bits(const dpc_adjacency *graph, uint64_t **out)
{
    int64_t words = dpc_bit_words(graph->n);
    uint64_t *bits = dpc_zalloc(words * graph->n, sizeof *bits);
    if (bits == NULL)
        return DPC_NO_MEMORY;
    for (int a = 0; a < graph->n; a++)
        for (int64_t e = graph->start[a]; e < graph->start[a + 1]; e++)
            dpc_set_bit(bits, words, a, graph->node[e]);
    *out = bits;
    return DPC_OK;
}

dpc_status dpc_adjacency_copy(const dpc_adjacency *lists, dpc_adjacency **out)
{
    int32_t *degree = dpc_alloc(lists->n, sizeof *degree);
    dpc_adjacency *copy = NULL;
    if (degree == NULL)
        return DPC_NO_MEMORY;
    for (int x = 0; x < lists->n; x++)
        degree[x] = dpc_degree(lists, x);
    dpc_status status = dpc_adjacency_new(lists->n, degree, &copy);
    free(degree);
    if (status != DPC_OK)
        return status;
    memcpy(copy->node, lists->node, (size_t)dpc_slots(lists) * sizeof *copy->node);
    *out = copy;
    return DPC_OK;
}

dpc_status dpc_adjacency_transposed(const dpc_adjacency *lists, dpc_adjacency **out)
{
    int n = lists->n;
    dpc_adjacency *transposed = NULL;
    int32_t *count = dpc_zalloc(n, sizeof *count);
    if (count == NULL)
        return DPC_NO_MEMORY;
    for (int64_t e = 0; e < dpc_slots(lists); e++)
        count[lists->node[e]]++;
    dpc_status status = dpc_adjacency_new(n, count, &transposed);
    /* Filled from their ends: walking x downwards leaves the rows ascending. */
    for (int x = n - 1; status == DPC_OK && x >= 0; x--)
        for (int64_t e = lists->start[x]; e < lists->start[x + 1]; e++) {
            int y = lists->node[e];
            transposed->node[transposed->start[y] + --count[y]] = x;
        }
    free(count);
    if (status == DPC_OK)
        *out = transposed;
    return status;
}

static int join_row(const dpc_adjacency *p, const dpc_adjacency *q, int x, int32_t *to)
{
    return dpc_unite(dpc_neighbours(p, x), dpc_degree(p, x), dpc_neighbours(q, x), dpc_degree(q, x),
                     to);
}

dpc_status dpc_adjacency_joined(const dpc_adjacency *lists, dpc_adjacency **out)
{
    int n = lists->n;
    dpc_adjacency *joined = NULL, *transposed = NULL;
    int32_t *degree = dpc_zalloc(n, sizeof *degree);
    dpc_status status =
        degree != NULL ? dpc_adjacency_transposed(lists, &transposed) : DPC_NO_MEMORY;
    if (status == DPC_OK) {
        for (int x = 0; x < n; x++)
            degree[x] = join_row(lists, transposed, x, NULL);
        status = dpc_adjacency_new(n, degree, &joined);
    }
    for (int x = 0; status == DPC_OK && x < n; x++)
        join_row(lists, transposed, x, joined->node + joined->start[x]);
    if (status == DPC_OK)
        *out = joined;
    dpc_adjacency_free(transposed);
    free(degree);
    return status;
}
