/* The nodes two edges away from a node: see two_away.h. */
#include "two_away.h"

#include <string.h>

/* The most triples with one end at the same node. */
static int64_t most_between(const dpc_adjacency *graph)
{
    int64_t most = 0;
    for (int x = 0; x < graph->n; x++) {
        int64_t ways = 0;
        for (int64_t e = graph->start[x]; e < graph->start[x + 1]; e++)
            ways += dpc_degree(graph, graph->node[e]) - 1;
        most = ways > most ? ways : most;
    }
    return most;
}

dpc_status dpc_two_away_init(const dpc_adjacency *graph, dpc_two_away *out)
{
    int n = graph->n;
    *out = (dpc_two_away){0};
    out->whose = dpc_arena_zalloc(&out->memory, n, sizeof *out->whose);
    out->first = dpc_arena_alloc(&out->memory, n, sizeof *out->first);
    out->ends = dpc_arena_alloc(&out->memory, n, sizeof *out->ends);
    out->between = dpc_arena_alloc(&out->memory, most_between(graph), sizeof *out->between);
    out->near = dpc_arena_zalloc(&out->memory, n, sizeof *out->near);
    if (dpc_arena_failed(&out->memory))
        return DPC_NO_MEMORY;
    memset(out->first, -1, (size_t)n * sizeof *out->first);
    return DPC_OK;
}

void dpc_two_away_clear(dpc_two_away *away)
{
    dpc_arena_clear(&away->memory);
    *away = (dpc_two_away){0};
}

void dpc_two_away_from(dpc_two_away *away, const dpc_triples *t, int x)
{
    const dpc_adjacency *g = t->graph;
    int32_t used = 0;
    for (int i = 0; i < away->n_ends; i++)
        away->first[away->ends[i]] = -1;
    away->n_ends = 0;
    dpc_set_near(g, x, true, away->near);
    for (int64_t e = g->start[x]; e < g->start[x + 1]; e++) {
        int y = g->node[e], p = t->places[e], d = dpc_degree(g, y);
        const int32_t *row = dpc_neighbours(g, y);
        for (int q = 0; q < d; q++) {
            int z = row[q];
            if (away->near[z] ||
                (z < x ? away->whose[z] != DPC_OF_X : away->whose[z] == DPC_OF_OTHER))
                continue;
            if (away->first[z] < 0)
                away->ends[away->n_ends++] = z;
            away->between[used] = (dpc_between){y, away->first[z], dpc_triple_at(t, y, p, q)};
            away->first[z] = used++;
        }
    }
    dpc_set_near(g, x, false, away->near);
}
