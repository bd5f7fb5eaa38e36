/* Meek's rules in passes over all edges: see meek_passes.h. */
#include "meek_passes.h"

#include "alloc.h"
#include "meek.h"

#include <string.h>

/* In a dense graph a bit per pair is worth its memory. */
static dpc_status fill_bits(dpc_meek_passes *p)
{
    const dpc_adjacency *g = p->arrows.graph;
    if (dpc_slots(g) < 64 * (int64_t)g->n)
        return DPC_OK;
    p->words = dpc_bit_words(g->n);
    p->bits = dpc_zalloc(p->words * g->n, sizeof *p->bits);
    if (p->bits == NULL)
        return DPC_NO_MEMORY;
    for (int a = 0; a < g->n; a++)
        for (int64_t e = g->start[a]; e < g->start[a + 1]; e++)
            dpc_set_bit(p->bits, p->words, a, g->node[e]);
    return DPC_OK;
}

dpc_status dpc_meek_passes_init(const dpc_adjacency *graph, const dpc_constraints *known,
                                bool all_tell, dpc_meek_passes *out)
{
    *out = (dpc_meek_passes){
        .n_in = dpc_zalloc(graph->n, sizeof *out->n_in),
        .n_out = dpc_zalloc(graph->n, sizeof *out->n_out),
        .before = dpc_alloc(dpc_slots(graph), sizeof *out->before),
        .known = known,
        .all_tell = all_tell,
    };
    dpc_status status = dpc_mixed_init(graph, &out->arrows);
    if (out->n_in == NULL || out->n_out == NULL || out->before == NULL)
        status = DPC_NO_MEMORY;
    return status == DPC_OK ? fill_bits(out) : status;
}

void dpc_meek_passes_clear(dpc_meek_passes *p)
{
    dpc_mixed_clear(&p->arrows);
    free(p->n_in);
    free(p->n_out);
    free(p->before);
    free(p->bits);
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
