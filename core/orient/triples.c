/* The unshielded triples of a skeleton: see triples.h. */
#include "triples.h"

#include "memory.h"

#include <string.h>

bool dpc_triples_make(const dpc_adjacency *graph, dpc_triples *out)
{
    int64_t total = 0;
    *out = (dpc_triples){
        .graph = graph,
        .places = dpc_reverse_places(graph),
        .start = dpc_alloc((int64_t)graph->n + 1, sizeof *out->start),
    };
    if (out->places == NULL || out->start == NULL)
        return false;
    for (int y = 0; y <= graph->n; y++) {
        int64_t d = y < graph->n ? dpc_degree(graph, y) : 0;
        out->start[y] = total;
        total += d * (d - 1) / 2;
    }
    out->weight = dpc_zalloc(total, sizeof *out->weight);
    out->mark = dpc_zalloc(total, sizeof *out->mark);
    return out->weight != NULL && out->mark != NULL;
}

void dpc_triples_clear(dpc_triples *triples)
{
    free(triples->places);
    free(triples->start);
    free(triples->weight);
    free(triples->mark);
    *triples = (dpc_triples){0};
}

/* Fills `to`, or only counts where it is NULL. */
static int64_t list(const dpc_triples *t, dpc_triple_choice *choose, const void *context,
                    dpc_triple *to)
{
    const dpc_adjacency *g = t->graph;
    int64_t entry = 0, count = 0;
    for (int y = 0; y < g->n; y++)
        for (int64_t ex = g->start[y]; ex < g->start[y + 1]; ex++)
            for (int64_t ez = ex + 1; ez < g->start[y + 1]; ez++, entry++) {
                dpc_triple triple = {.x = g->node[ex], .y = y, .z = g->node[ez]};
                if (t->mark[entry] == DPC_SHIELDED || !choose(context, entry, ex, ez, &triple))
                    continue;
                if (to != NULL)
                    to[count] = triple;
                count++;
            }
    return count;
}

bool dpc_triples_list(const dpc_triples *t, dpc_triple_choice *choose, const void *context,
                      dpc_triple **out, int64_t *count)
{
    int64_t wanted = list(t, choose, context, NULL);
    dpc_triple *triples = dpc_alloc(wanted, sizeof *triples);
    if (triples == NULL)
        return false;
    *count = list(t, choose, context, triples);
    *out = triples;
    return true;
}

/* ---- Two edges away ---- */

bool dpc_walk_make(const dpc_adjacency *graph, dpc_walk *out)
{
    int64_t most = 0;
    for (int x = 0; x < graph->n; x++) {
        int64_t ways = 0;
        for (int64_t e = graph->start[x]; e < graph->start[x + 1]; e++)
            ways += dpc_degree(graph, graph->node[e]) - 1;
        most = ways > most ? ways : most;
    }
    *out = (dpc_walk){
        .near = dpc_zalloc(graph->n, sizeof *out->near),
        .first = dpc_alloc(graph->n, sizeof *out->first),
        .ends = dpc_alloc(graph->n, sizeof *out->ends),
        .common = dpc_alloc(most, sizeof *out->common),
    };
    if (!out->near || !out->first || !out->ends || !out->common)
        return false;
    memset(out->first, -1, (size_t)graph->n * sizeof *out->first);
    return true;
}

void dpc_walk_clear(dpc_walk *walk)
{
    free(walk->near);
    free(walk->first);
    free(walk->ends);
    free(walk->common);
    *walk = (dpc_walk){0};
}

static void set_near(const dpc_adjacency *g, int x, bool value, dpc_walk *walk)
{
    walk->near[x] = value;
    for (int64_t e = g->start[x]; e < g->start[x + 1]; e++)
        walk->near[g->node[e]] = value;
}

void dpc_walk_from(const dpc_triples *t, int x, dpc_walk *walk)
{
    const dpc_adjacency *g = t->graph;
    int32_t used = 0;
    for (int i = 0; i < walk->n_ends; i++)
        walk->first[walk->ends[i]] = -1;
    walk->n_ends = 0;
    set_near(g, x, true, walk);
    for (int64_t e = g->start[x]; e < g->start[x + 1]; e++) {
        int y = g->node[e], p = t->places[e];
        for (int q = 0; q < dpc_degree(g, y); q++) {
            int z = dpc_neighbours(g, y)[q];
            if (walk->near[z])
                continue;
            if (walk->first[z] < 0)
                walk->ends[walk->n_ends++] = z;
            walk->common[used] = (dpc_common){y, walk->first[z], dpc_triple_at(t, y, p, q)};
            walk->first[z] = used++;
        }
    }
    set_near(g, x, false, walk);
}
