/*
 * What many PAGs say of pairs: see pag_frequency.h.
 *
 * In each graph a walk from every node goes along arrows: all that it meets are effects. A second
 * one goes along edges without an arrowhead at the near end or a tail at the far end: of what it
 * does not meet the node is no cause.
 */
#include "pag_frequency.h"

#include "alloc.h"
#include "arena.h"
#include "bits.h"
#include "mixed.h"

#include <string.h>

typedef struct weighing {
    const dpc_frequency *pairs;
    int64_t count;
    dpc_pag_frequency *of;
    int n;
    int64_t words;
    uint64_t *effects, *possible; /* rows: what a node is a cause of, and what it may be one of */
    int32_t *queue;
} weighing;

/* Can a walk take the slot a→b? */
static bool may_go(const dpc_mixed *pag, int64_t slot, bool surely)
{
    dpc_end there = (dpc_end)pag->end[slot], here = (dpc_end)pag->end[dpc_back(pag, slot)];
    return surely ? here == DPC_END_TAIL && there == DPC_END_ARROW
                  : here != DPC_END_ARROW && there != DPC_END_TAIL;
}

static void walk(weighing *w, const dpc_mixed *pag, int from, bool surely, uint64_t *rows)
{
    const dpc_adjacency *g = pag->graph;
    int count = 0;
    dpc_set_bit(rows, w->words, from, from);
    w->queue[count++] = from;
    for (int i = 0; i < count; i++)
        for (int64_t e = g->start[w->queue[i]]; e < g->start[w->queue[i] + 1]; e++)
            if (!dpc_bit(rows, w->words, from, g->node[e]) && may_go(pag, e, surely)) {
                dpc_set_bit(rows, w->words, from, g->node[e]);
                w->queue[count++] = g->node[e];
            }
}

static void add(weighing *w, const dpc_graph *graph, double weight)
{
    for (int64_t i = 0; i < w->count; i++) {
        int a = w->pairs[i].a, b = w->pairs[i].b;
        dpc_pag_frequency *of = &w->of[i];
        of->mark[dpc_graph_mark(graph, a, b)] += weight;
        of->a_is_cause += dpc_bit(w->effects, w->words, a, b) ? weight : 0;
        of->b_is_cause += dpc_bit(w->effects, w->words, b, a) ? weight : 0;
        of->a_is_no_cause += dpc_bit(w->possible, w->words, a, b) ? 0 : weight;
        of->b_is_no_cause += dpc_bit(w->possible, w->words, b, a) ? 0 : weight;
    }
}

static dpc_status weigh_one(weighing *w, const dpc_weighted_graphs *all, int64_t place)
{
    dpc_graph graph = {0};
    dpc_mixed pag = {0};
    size_t bytes = (size_t)(w->n * w->words) * sizeof *w->effects;
    dpc_status status = dpc_weighted_graphs_at(all, place, &graph);
    if (status == DPC_OK)
        status = dpc_mixed_of(&graph, NULL, &pag);
    memset(w->effects, 0, bytes);
    memset(w->possible, 0, bytes);
    for (int v = 0; status == DPC_OK && v < w->n; v++) {
        walk(w, &pag, v, true, w->effects);
        walk(w, &pag, v, false, w->possible);
    }
    if (status == DPC_OK)
        add(w, &graph, all->graphs[place].weight);
    dpc_mixed_clear(&pag);
    dpc_graph_clear(&graph);
    return status;
}

dpc_status dpc_weigh_pags(const dpc_weighted_graphs *all, const dpc_frequency *pairs, int64_t count,
                          dpc_pag_frequency **out)
{
    dpc_arena arena = {0};
    int64_t words = dpc_bit_words(all->n_nodes), bits = all->n_nodes * words;
    weighing w = {
        .pairs = pairs,
        .count = count,
        .of = dpc_zalloc(count, sizeof *w.of),
        .n = all->n_nodes,
        .words = words,
        .effects = dpc_arena_alloc(&arena, bits, sizeof *w.effects),
        .possible = dpc_arena_alloc(&arena, bits, sizeof *w.possible),
        .queue = dpc_arena_alloc(&arena, all->n_nodes, sizeof *w.queue),
    };
    dpc_status status = w.of == NULL || dpc_arena_failed(&arena) ? DPC_NO_MEMORY : DPC_OK;
    for (int64_t i = 0; status == DPC_OK && i < all->places; i++)
        if (dpc_has_graph(all, i))
            status = weigh_one(&w, all, i);
    if (status == DPC_OK)
        *out = w.of;
    else
        free(w.of);
    dpc_arena_clear(&arena);
    return status;
}
