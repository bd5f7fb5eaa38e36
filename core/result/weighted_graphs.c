/*
 * Graphs with weights: see weighted_graphs.h. To weigh the pairs the graphs are walked side by
 * side, one node a after the other, with a sum for every other end b of its edges.
 */
#include "weighted_graphs.h"

#include "alloc.h"
#include "arena.h"
#include "sorted.h"

#include <string.h>

/* ---- The graphs ---- */

dpc_status dpc_pack_graph(const dpc_graph *graph, double weight, dpc_weighted_graph *out)
{
    uint64_t *edges = dpc_alloc(graph->n_edges, sizeof *edges);
    if (edges == NULL)
        return DPC_NO_MEMORY;
    for (int64_t e = 0; e < graph->n_edges; e++)
        edges[e] = dpc_pack_pair(graph->edges[e].a, graph->edges[e].b) | graph->edges[e].mark;
    *out = (dpc_weighted_graph){weight, graph->n_edges, edges};
    return DPC_OK;
}

dpc_status dpc_weighted_graphs_add(dpc_weighted_graphs *all, int64_t place,
                                   dpc_weighted_graph *graph)
{
    int64_t before = all->places;
    dpc_weighted_graph *larger =
        dpc_make_room(all->graphs, &all->places, place + 1, sizeof *all->graphs);
    if (larger == NULL)
        return DPC_NO_MEMORY;
    memset(larger + before, 0, (size_t)(all->places - before) * sizeof *larger);
    all->graphs = larger;
    all->graphs[place] = *graph;
    *graph = (dpc_weighted_graph){0};
    return DPC_OK;
}

void dpc_weighted_graphs_remove(dpc_weighted_graphs *all, int64_t place)
{
    free(all->graphs[place].edges);
    all->graphs[place] = (dpc_weighted_graph){0};
}

void dpc_weighted_graphs_clear(dpc_weighted_graphs *all)
{
    for (int64_t i = 0; i < all->places; i++)
        free(all->graphs[i].edges);
    free(all->graphs);
    *all = (dpc_weighted_graphs){0};
}

dpc_status dpc_weighted_graphs_at(const dpc_weighted_graphs *all, int64_t place, dpc_graph *out)
{
    const dpc_weighted_graph *graph = &all->graphs[place];
    dpc_edge *edges = dpc_alloc(graph->n_edges, sizeof *edges);
    if (edges == NULL)
        return DPC_NO_MEMORY;
    for (int64_t e = 0; e < graph->n_edges; e++)
        edges[e] = dpc_unpack_edge(graph->edges[e]);
    *out = (dpc_graph){all->n_nodes, graph->n_edges, edges};
    return DPC_OK;
}

bool dpc_packed_adjacent(const dpc_weighted_graph *graph, int a, int b)
{
    uint64_t pair = a < b ? dpc_pack_pair(a, b) : dpc_pack_pair(b, a);
    int64_t low = 0, high = graph->n_edges;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (graph->edges[middle] < pair)
            low = middle + 1;
        else
            high = middle;
    }
    return low < graph->n_edges && graph->edges[low] >> DPC_MARK_BITS == pair >> DPC_MARK_BITS;
}

/* ---- What they say of the pairs ---- */

typedef struct weighing {
    const dpc_weighted_graphs *all;
    int64_t *next;     /* by place: the first edge that has not been added */
    dpc_frequency *of; /* by node b: the sums of the present a and b */
    int32_t *ends;     /* the nodes b that have some */
    int n_ends;
    dpc_frequency *pairs; /* the result; NULL: they are only counted */
    int64_t count;
} weighing;

static void add_edge(weighing *w, dpc_edge edge, double weight)
{
    dpc_frequency *of = &w->of[edge.b];
    if (of->edge == 0)
        w->ends[w->n_ends++] = edge.b;
    of->edge += weight;
    of->forward += edge.mark == DPC_FORWARD ? weight : 0;
    of->backward += edge.mark == DPC_BACKWARD ? weight : 0;
    of->undirected += edge.mark == DPC_UNDIRECTED ? weight : 0;
}

/* All pairs a, b with b > a. */
static void weigh_node(weighing *w, int a)
{
    uint64_t end = dpc_pack_pair(a + 1, 0);
    w->n_ends = 0;
    for (int64_t i = 0; i < w->all->places; i++) {
        const dpc_weighted_graph *graph = &w->all->graphs[i];
        for (; w->next[i] < graph->n_edges && graph->edges[w->next[i]] < end; w->next[i]++)
            add_edge(w, dpc_unpack_edge(graph->edges[w->next[i]]), graph->weight);
    }
    if (w->pairs != NULL)
        dpc_sort_numbers(w->ends, w->n_ends);
    for (int k = 0; k < w->n_ends; k++) {
        dpc_frequency *of = &w->of[w->ends[k]];
        of->a = a;
        of->b = w->ends[k];
        if (w->pairs != NULL)
            w->pairs[w->count] = *of;
        w->count++;
        *of = (dpc_frequency){0};
    }
}

static void weigh_all(weighing *w)
{
    w->count = 0;
    memset(w->next, 0, (size_t)w->all->places * sizeof *w->next);
    for (int a = 0; a < w->all->n_nodes; a++)
        weigh_node(w, a);
}

dpc_status dpc_weigh_pairs(const dpc_weighted_graphs *all, dpc_frequency **pairs, int64_t *count,
                           double *total)
{
    dpc_arena arena = {0};
    weighing w = {
        .all = all,
        .next = dpc_arena_alloc(&arena, all->places, sizeof *w.next),
        .of = dpc_arena_zalloc(&arena, all->n_nodes, sizeof *w.of),
        .ends = dpc_arena_alloc(&arena, all->n_nodes, sizeof *w.ends),
    };
    if (!dpc_arena_failed(&arena)) {
        weigh_all(&w); /* how many */
        w.pairs = dpc_alloc(w.count, sizeof *w.pairs);
    }
    if (w.pairs != NULL) {
        weigh_all(&w);
        *pairs = w.pairs;
        *count = w.count;
        *total = 0;
        for (int64_t i = 0; i < all->places; i++)
            *total += all->graphs[i].weight;
    }
    dpc_arena_clear(&arena);
    return w.pairs != NULL ? DPC_OK : DPC_NO_MEMORY;
}
