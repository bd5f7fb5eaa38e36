/* Meek's rules in passes over all edges: see meek_passes.h. */
#include "meek_passes.h"

#include "meek.h"
#include "status.h"

#include <string.h>

dpc_status dpc_meek_passes_init(const dpc_adjacency *graph, const dpc_constraints *known,
                                bool all_tell, dpc_meek_passes *out)
{
    *out = (dpc_meek_passes){.known = known, .all_tell = all_tell};
    out->n_in = dpc_arena_zalloc(&out->memory, graph->n, sizeof *out->n_in);
    out->n_out = dpc_arena_zalloc(&out->memory, graph->n, sizeof *out->n_out);
    out->before = dpc_arena_alloc(&out->memory, dpc_slots(graph), sizeof *out->before);
    out->words = dpc_bit_words(graph->n);
    if (dpc_arena_failed(&out->memory))
        return DPC_NO_MEMORY;
    DPC_CHECK(dpc_mixed_init(graph, &out->arrows));
    bool dense = dpc_slots(graph) >= 64 * (int64_t)graph->n;
    return dense ? dpc_adjacency_bits(graph, &out->bits) : DPC_OK;
}

void dpc_meek_passes_clear(dpc_meek_passes *p)
{
    dpc_mixed_clear(&p->arrows);
    free(p->bits);
    dpc_arena_clear(&p->memory);
    *p = (dpc_meek_passes){0};
}

void dpc_meek_passes_direct(dpc_meek_passes *p, int64_t slot)
{
    int64_t back = dpc_back(&p->arrows, slot);
    int a = p->arrows.graph->node[back], b = p->arrows.graph->node[slot];
    bool turned = dpc_arrow_out(&p->arrows, back);
    if (dpc_arrow_out(&p->arrows, slot))
        return;
    p->n_out[b] -= turned;
    p->n_in[a] -= turned;
    p->n_out[a]++;
    p->n_in[b]++;
    dpc_set_arrow(&p->arrows, slot, true);
    dpc_set_arrow(&p->arrows, back, false);
}

void dpc_meek_passes_direct_known(dpc_meek_passes *p)
{
    const dpc_adjacency *g = p->arrows.graph;
    for (int a = 0; p->known != NULL && a < g->n; a++)
        for (int64_t e = g->start[a]; e < g->start[a + 1]; e++)
            if (dpc_forced(p->known, a, g->node[e]))
                dpc_meek_passes_direct(p, e);
}

bool dpc_meek_passes_adjacent(const dpc_meek_passes *p, int a, int b)
{
    return p->bits != NULL ? dpc_bit(p->bits, p->words, a, b)
                           : dpc_slot(p->arrows.graph, a, b) >= 0;
}

/* Not adjacent, and that says something; that there is no collider yet is seen by the arrows. */
static bool is_noncollider(const void *context, int a, int64_t first, int64_t second)
{
    (void)a;
    const dpc_meek_passes *p = context;
    int c = p->arrows.graph->node[first], d = p->arrows.graph->node[second];
    return !dpc_meek_passes_adjacent(p, c, d) && (p->all_tell || !dpc_forbidden(p->known, c, d));
}

/* Rule 1: all edges at the node b that leave it. */
static bool pass_from(dpc_meek_passes *p, const dpc_meek *meek, int b)
{
    const dpc_adjacency *g = p->arrows.graph;
    int32_t other[2];
    bool changed = false;
    if (p->n_in[b] == 0)
        return false;
    for (int64_t e = g->start[b]; e < g->start[b + 1]; e++)
        if (dpc_undirected(&p->arrows, e) && dpc_meek_rule(meek, 1, b, e, other)) {
            dpc_meek_passes_direct(p, e);
            changed = true;
        }
    return changed;
}

/* The other rules: all edges at the node b that enter it. */
static bool pass_into(dpc_meek_passes *p, const dpc_meek *meek, int rule, int b)
{
    const dpc_adjacency *g = p->arrows.graph;
    int32_t other[2];
    bool changed = false;
    for (int64_t e = g->start[b]; e < g->start[b + 1] && p->n_in[b] > 0; e++)
        if (dpc_undirected(&p->arrows, e) &&
            dpc_meek_rule(meek, rule, g->node[e], dpc_back(&p->arrows, e), other)) {
            dpc_meek_passes_direct(p, dpc_back(&p->arrows, e));
            changed = true;
        }
    return changed;
}

static bool pass(dpc_meek_passes *p, int rule)
{
    const dpc_adjacency *g = p->arrows.graph;
    bool changed = false;
    dpc_meek meek = {
        .arrows = &p->arrows,
        .premise = rule == 1 ? p->before : p->arrows.end,
        .noncollider = is_noncollider,
        .context = p,
        .n_in = p->n_in,
        .n_out = p->n_out,
    };
    if (rule == 1)
        memcpy(p->before, p->arrows.end, (size_t)dpc_slots(g) * sizeof *p->before);
    for (int b = 0; b < g->n; b++)
        changed |= rule == 1 ? pass_from(p, &meek, b) : pass_into(p, &meek, rule, b);
    return changed;
}

bool dpc_meek_passes_run(dpc_meek_passes *p, dpc_crew *crew)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (int rule = 1; rule <= (p->known != NULL ? DPC_MEEK_RULES : 3); rule++)
            changed |= pass(p, rule);
        if (crew != NULL && dpc_crew_stopped(crew, 0))
            return false;
    }
    return true;
}
