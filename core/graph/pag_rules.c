/*
 * The rules of PAGs: what follows from triples and triangles, and the order of all rules; see
 * pag_rules.h. The names a, b, c, d of the nodes are those of Zhang (2008), there α, β, γ, θ.
 */
#include "pag_rules.h"

#include "pag_state.h"
#include "status.h"

#include <string.h>

/* ---- Finding and writing ---- */

void dpc_pag_find(dpc_pag_state *s, int64_t slot, dpc_end mark, uint8_t rule, int o0, int o1,
                  int o2, int o3)
{
    if (s->graph->end[slot] != DPC_END_CIRCLE || s->found[slot] == mark ||
        s->found[slot] == DPC_END_ARROW)
        return;
    if (s->found[slot] == DPC_END_NONE)
        s->found_slot[s->n_found++] = slot;
    s->found[slot] = (uint8_t)mark;
    if (s->rules->reasons != NULL)
        s->rules->reasons[slot] = (dpc_mark_reason){{o0, o1, o2, o3}, rule};
}

static void stir(dpc_pag_state *s, int v)
{
    s->stirred[v] = s->stirred_next[v] = true;
}

/* Writes what a rule has found; true: something. */
static bool write_found(dpc_pag_state *s)
{
    bool any = s->n_found > 0;
    for (int64_t i = 0; i < s->n_found; i++) {
        int64_t slot = s->found_slot[i];
        s->graph->end[slot] = s->found[slot];
        s->found[slot] = DPC_END_NONE;
        stir(s, s->graph->graph->node[slot]);
        stir(s, dpc_slot_node(s->graph, slot));
    }
    s->n_found = 0;
    return any;
}

/* ---- Triples at b ---- */

/* R0: a *-> b <-* c where b is a collider. Where an end at b is known to be a tail, b is none, and
 * the other end is as open as it was. */
static void rule_0(dpc_pag_state *s)
{
    const dpc_adjacency *g = s->graph->graph;
    for (int b = 0; b < g->n; b++)
        for (int64_t e = g->start[b]; e < g->start[b + 1]; e++)
            for (int64_t f = e + 1; f < g->start[b + 1]; f++) {
                int a = g->node[e], c = g->node[f];
                if (dpc_mark_before(s, e) == DPC_END_TAIL ||
                    dpc_mark_before(s, f) == DPC_END_TAIL || dpc_slot(g, a, c) >= 0 ||
                    s->rules->judge(s->rules->context, a, a, b, c) != DPC_STATUS_COLLIDER)
                    continue;
                dpc_pag_find(s, dpc_back(s->graph, e), DPC_END_ARROW, 0, c, -1, -1, -1);
                dpc_pag_find(s, dpc_back(s->graph, f), DPC_END_ARROW, 0, a, -1, -1, -1);
            }
}

/*
 * b o-* c, unshielded with a. R1: a *-> b gives b → c. R6: a — b gives a tail at b, shielded or
 * not. R7: a —o b gives a tail at b.
 */
static void use_third(dpc_pag_state *s, int b, int64_t bc, int64_t ba, bool tails)
{
    const dpc_adjacency *g = s->graph->graph;
    int a = g->node[ba], c = g->node[bc];
    uint8_t at_a = dpc_mark_at(s, ba), at_b = dpc_mark_before(s, ba);
    int64_t cb = dpc_back(s->graph, bc);
    if (tails && at_a == DPC_END_TAIL && at_b == DPC_END_TAIL)
        dpc_pag_find(s, cb, DPC_END_TAIL, 6, a, -1, -1, -1);
    if (tails && at_a == DPC_END_TAIL && at_b == DPC_END_CIRCLE && dpc_pag_uncovered(s, a, b, c))
        dpc_pag_find(s, cb, DPC_END_TAIL, 7, a, -1, -1, -1);
    if (!tails && at_b == DPC_END_ARROW && dpc_pag_uncovered(s, a, b, c)) {
        dpc_pag_find(s, cb, DPC_END_TAIL, 1, a, -1, -1, -1);
        dpc_pag_find(s, bc, DPC_END_ARROW, 1, a, -1, -1, -1);
    }
}

/* R1, or R6 and R7. */
static void rules_of_triples(dpc_pag_state *s, bool tails)
{
    const dpc_adjacency *g = s->graph->graph;
    for (int b = 0; b < g->n; b++)
        for (int64_t bc = g->start[b]; s->stirred[b] && bc < g->start[b + 1]; bc++)
            for (int64_t ba = g->start[b];
                 dpc_mark_before(s, bc) == DPC_END_CIRCLE && ba < g->start[b + 1]; ba++)
                if (ba != bc)
                    use_third(s, b, bc, ba, tails);
}

/* ---- Triangles ---- */

static bool is_arrow(const dpc_pag_state *s, int64_t slot)
{
    return dpc_mark_at(s, slot) == DPC_END_ARROW && dpc_mark_before(s, slot) == DPC_END_TAIL;
}

/* R2: a → b *-> c or a *-> b → c makes an arrowhead at c of a *-o c. */
static void rule_2(dpc_pag_state *s, int a, int64_t ac)
{
    const dpc_adjacency *g = s->graph->graph;
    int c = g->node[ac];
    int64_t ab = g->start[a], cb = g->start[c];
    for (; dpc_next_common(g, a, c, &ab, &cb); ab++, cb++) {
        int64_t bc = dpc_back(s->graph, cb);
        if (dpc_mark_at(s, ab) == DPC_END_ARROW && dpc_mark_at(s, bc) == DPC_END_ARROW &&
            (is_arrow(s, ab) || is_arrow(s, bc)))
            dpc_pag_find(s, ac, DPC_END_ARROW, 2, g->node[ab], -1, -1, -1);
    }
}

/* R3: a *-> b <-* c, unshielded, with a *-o d o-* c makes an arrowhead at b of d *-o b. */
static void rule_3(dpc_pag_state *s, int d, int64_t db)
{
    const dpc_adjacency *g = s->graph->graph;
    int b = g->node[db], count = 0;
    int64_t da = g->start[d], ba = g->start[b];
    for (; dpc_next_common(g, d, b, &da, &ba); da++, ba++)
        if (dpc_mark_before(s, da) == DPC_END_CIRCLE && dpc_mark_before(s, ba) == DPC_END_ARROW)
            s->some[count++] = g->node[da];
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count; j++)
            if (dpc_pag_uncovered(s, s->some[i], d, s->some[j]))
                dpc_pag_find(s, db, DPC_END_ARROW, 3, s->some[i], s->some[j], -1, -1);
}

/* R8: a → b → c or a —o b → c makes a tail at a of a o-> c. */
static void rule_8(dpc_pag_state *s, int a, int64_t ac)
{
    const dpc_adjacency *g = s->graph->graph;
    int c = g->node[ac];
    int64_t ab = g->start[a], cb = g->start[c];
    if (dpc_mark_before(s, ac) != DPC_END_CIRCLE)
        return;
    for (; dpc_next_common(g, a, c, &ab, &cb); ab++, cb++)
        if (is_arrow(s, dpc_back(s->graph, cb)) && dpc_mark_before(s, ab) == DPC_END_TAIL &&
            dpc_mark_at(s, ab) != DPC_END_TAIL)
            dpc_pag_find(s, dpc_back(s->graph, ac), DPC_END_TAIL, 8, g->node[ab], -1, -1, -1);
}

/* One of them, for all edges with this mark at the end. */
static void rule_of_triangles(dpc_pag_state *s, dpc_end mark,
                              void rule(dpc_pag_state *, int, int64_t))
{
    const dpc_adjacency *g = s->graph->graph;
    for (int a = 0; a < g->n; a++)
        for (int64_t e = g->start[a]; e < g->start[a + 1]; e++)
            if ((s->stirred[a] || s->stirred[g->node[e]]) && dpc_mark_at(s, e) == mark)
                rule(s, a, e);
}

/* ---- Their order ---- */

enum { ARROWS, SELECTED, TAILS }; /* R1 – R4; R6 and R7 too; R8 – R10 too */

/* All edges are new to the rules. */
static void stir_all(dpc_pag_state *s)
{
    memset(s->stirred_next, true, (size_t)s->graph->graph->n);
}

/* The rules of triples and triangles until nothing changes. Their premises are edges at an end of
 * the edge that changes, so only edges with a stirred end are looked at. */
static void close_locally(dpc_pag_state *s, int stage)
{
    size_t n = (size_t)s->graph->graph->n;
    bool any = true;
    while (any) {
        memcpy(s->stirred, s->stirred_next, n);
        memset(s->stirred_next, false, n);
        rules_of_triples(s, false);
        any = write_found(s);
        rule_of_triangles(s, DPC_END_CIRCLE, rule_2);
        any = write_found(s) || any;
        rule_of_triangles(s, DPC_END_CIRCLE, rule_3);
        any = write_found(s) || any;
        if (stage >= SELECTED && s->rules->selection) {
            rules_of_triples(s, true);
            any = write_found(s) || any;
        }
        if (stage == TAILS) {
            rule_of_triangles(s, DPC_END_ARROW, rule_8);
            any = write_found(s) || any;
        }
    }
}

static void close_stage(dpc_pag_state *s, int stage)
{
    stir_all(s);
    do {
        close_locally(s, stage);
        dpc_pag_rule_4(s);
    } while (write_found(s));
}

static void close_all(dpc_pag_state *s)
{
    close_stage(s, ARROWS);
    if (s->rules->selection) {
        dpc_pag_rule_5(s);
        write_found(s);
        close_stage(s, SELECTED);
    }
    do {
        close_stage(s, TAILS);
        dpc_pag_rules_9_10(s);
    } while (write_found(s));
}

/* ---- Doors ---- */

static dpc_status make_state(const dpc_pag_rules *rules, dpc_mixed *graph, dpc_arena *arena,
                             dpc_pag_state *s)
{
    int64_t n = graph->graph->n, slots = dpc_slots(graph->graph);
    int64_t degree = dpc_max_degree(graph->graph);
    *s = (dpc_pag_state){.rules = rules, .graph = graph};
    s->found = dpc_arena_zalloc(arena, slots, sizeof *s->found);
    s->found_slot = dpc_arena_alloc(arena, slots, sizeof *s->found_slot);
    s->stirred = dpc_arena_zalloc(arena, n, sizeof *s->stirred);
    s->stirred_next = dpc_arena_zalloc(arena, n, sizeof *s->stirred_next);
    s->some = dpc_arena_alloc(arena, n, sizeof *s->some);
    s->seen = dpc_arena_zalloc(arena, slots, sizeof *s->seen);
    s->queue = dpc_arena_alloc(arena, slots, sizeof *s->queue);
    s->from = dpc_arena_alloc(arena, slots, sizeof *s->from);
    s->on_path = dpc_arena_zalloc(arena, n, sizeof *s->on_path);
    s->stack = dpc_arena_alloc(arena, n, sizeof *s->stack);
    s->level = dpc_arena_alloc(arena, n, sizeof *s->level);
    s->reach = dpc_arena_alloc(arena, n * degree, sizeof *s->reach);
    return dpc_arena_failed(arena) ? DPC_NO_MEMORY : DPC_OK;
}

static dpc_status work(const dpc_pag_rules *rules, dpc_mixed *graph, void todo(dpc_pag_state *))
{
    dpc_arena arena = {0};
    dpc_pag_state state;
    dpc_status status = make_state(rules, graph, &arena, &state);
    if (status == DPC_OK) {
        todo(&state);
        write_found(&state);
    }
    dpc_arena_clear(&arena);
    return status;
}

void dpc_pag_start(const dpc_pag_rules *rules, dpc_mixed *graph)
{
    int64_t slots = dpc_slots(graph->graph);
    memset(graph->end, DPC_END_CIRCLE, (size_t)slots * sizeof *graph->end);
    for (int64_t i = 0; rules->reasons != NULL && i < slots; i++)
        rules->reasons[i] = (dpc_mark_reason){{-1, -1, -1, -1}, DPC_RULE_OF_NOTHING};
}

dpc_status dpc_pag_colliders(const dpc_pag_rules *rules, dpc_mixed *graph)
{
    return work(rules, graph, rule_0);
}

dpc_status dpc_pag_close(const dpc_pag_rules *rules, dpc_mixed *graph)
{
    return work(rules, graph, close_all);
}

dpc_status dpc_pag_apply(const dpc_pag_rules *rules, dpc_mixed *graph)
{
    DPC_CHECK(dpc_pag_colliders(rules, graph));
    return dpc_pag_close(rules, graph);
}
