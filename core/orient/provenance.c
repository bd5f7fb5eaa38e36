/*
 * What each arrow of a finished graph rests on, and how much that bears.
 *
 * An arrow has reasons: it is known beforehand, it belongs to a v-structure, or it follows by one
 * of Meek's rules from arrows that have reasons themselves. Such a chain is as strong as its
 * weakest link. The links are triples, and what each bears is the evidence for what the chain takes
 * it for: w of a v-structure, -w of a triple that is no collider; what is known bears everything.
 * The evidence e of an arrow is that of its strongest chain:
 *
 *     known beforehand                                         ∞
 *     v-structure  a → b ← c                                   w(a, b, c)
 *     rule 1   c → a,  a no collider between c and b           min( e(c → a), -w(c, a, b) )
 *     rule 2   a → c → b                                       min( e(a → c), e(c → b) )
 *     rule 3   c → b ← d,  a no collider between c and d       min( e(c → b), e(d → b), -w(c, a, d)
 * ) rule 4   c → d → b,  a no collider between c and b       min( e(c → d), e(d → b), -w(c, a, b) )
 *
 * e is the largest of these for a → b. No chain is stronger than an arrow that it goes through, so
 * the arrows are settled one after the other, the strongest first, as in Dijkstra's algorithm
 * (Knuth, A generalization of Dijkstra's algorithm, 1977): what follows from an arrow is looked at
 * when it is settled, from it and others settled before. Of chains that bear the same the one with
 * fewer rounds is taken.
 */
#include "provenance.h"

#include "arena.h"
#include "best.h"
#include "bits.h"
#include "crew.h"
#include "status.h"

typedef struct tracing {
    const dpc_triples *triples;
    const dpc_constraints *known; /* or NULL */
    bool rules;                   /* Meek's rules are used */
    bool overwriting;             /* v-structures were: the paper's rule */
    dpc_mixed arrows;
    dpc_arena memory;     /* of the arrays below, where nothing else is said */
    int32_t *number;      /* by slot: that of its arrow, ascending; -1: it is none */
    int64_t *slot;        /* by arrow */
    dpc_provenance *step; /* by arrow; owned until it is the answer */
    int32_t *round;       /* by arrow: steps that came before; -1: it has no reason yet */
    bool *settled;        /* by slot */
    dpc_best next;        /* by arrow, of those that have reasons and are not settled */
    int32_t *most;        /* by slot of y: the largest link of a triple that it is in */
    uint64_t *near;       /* rows of bits: adjacent, where the graph is dense; or NULL; owned */
    uint64_t *into;       /* rows of bits, as `near`: settled arrows, by where they end */
    int64_t words;        /* of a row */
    int32_t count;        /* of the arrows */
} tracing;

/* ---- Questions ---- */

static bool settled_in(const tracing *g, int64_t slot)
{
    return g->settled[dpc_back(&g->arrows, slot)];
}

/* May the arrow at a slot still get a stronger reason? */
static bool waits(const tracing *g, int64_t slot)
{
    return dpc_arrow_out(&g->arrows, slot) && !g->settled[slot];
}

static const dpc_provenance *step_at(const tracing *g, int64_t slot)
{
    return &g->step[g->number[slot]];
}

static int32_t round_of(const tracing *g, const dpc_provenance *step)
{
    return g->round[step - g->step];
}

/* Is y, with its neighbours in two slots, no collider? Then what that bears. */
static bool barred(const tracing *g, int y, int64_t first, int64_t second, int32_t *link)
{
    int64_t entry = dpc_triple_of(g->triples, y, first, second);
    *link = -g->triples->weight[entry];
    return (g->triples->mark[entry] & DPC_BARS_COLLIDER) != 0;
}

static int32_t smaller(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

/* ---- Stronger reasons ---- */

/* Stronger first, then those with fewer rounds; then the first arrow. */
static int64_t key_of(int32_t weight, int32_t round)
{
    return (int64_t)weight * ((int64_t)1 << 31) + (INT32_MAX - round);
}

/* Offers a reason for the arrow at a slot; weight, link, kind and other are filled. */
static void offer(tracing *g, int64_t slot, const dpc_provenance *offered, int32_t round)
{
    int32_t number = g->number[slot];
    dpc_provenance *step = &g->step[number];
    int64_t key = key_of(offered->weight, round);
    if (g->round[number] >= 0 && key_of(step->weight, g->round[number]) >= key)
        return;
    g->round[number] = round;
    step->weight = offered->weight;
    step->link = offered->link;
    step->kind = offered->kind;
    step->other[0] = offered->other[0];
    step->other[1] = offered->other[1];
    dpc_best_set(&g->next, number, key);
}

/* By a rule from one or two arrows and, where link is not DPC_NO_LINK, a triple. */
static void offer_rule(tracing *g, int64_t slot, dpc_reason_kind kind, const dpc_provenance *first,
                       const dpc_provenance *second, int32_t link, int c, int d)
{
    dpc_provenance offered = {
        .weight = smaller(first->weight, second->weight),
        .link = link,
        .kind = kind,
        .other = {c, d},
    };
    if (link != DPC_NO_LINK)
        offered.weight = smaller(offered.weight, link);
    offer(g, slot, &offered, larger(round_of(g, first), round_of(g, second)) + 1);
}

/* ---- What is given ---- */

/* Of a v-structure at y the arrow from z is missing: which other node wants y → z ← node? */
static int find_rival(const tracing *g, int y, int z)
{
    const dpc_adjacency *graph = g->triples->graph;
    int64_t zy = dpc_slot(graph, z, y);
    int found = -1;
    for (int64_t e = graph->start[z]; e < graph->start[z + 1]; e++) {
        if (e == zy || !(g->triples->mark[dpc_triple_of(g->triples, z, zy, e)] & DPC_GIVES_ARROWS))
            continue;
        if (dpc_arrow_in(&g->arrows, e))
            return graph->node[e];
        found = found < 0 ? graph->node[e] : found;
    }
    return found;
}

/* x → y by x — y — z, slots of y. */
static void give(tracing *g, int64_t entry, int64_t ex, int64_t ez)
{
    const int32_t *node = g->triples->graph->node;
    int64_t slot = dpc_back(&g->arrows, ex);
    if (!dpc_arrow_out(&g->arrows, slot))
        return;
    bool both = dpc_arrow_in(&g->arrows, ez);
    dpc_provenance offered = {
        .weight = g->triples->weight[entry],
        .link = g->triples->weight[entry],
        .kind = both             ? DPC_REASON_V_STRUCTURE
                : g->overwriting ? DPC_REASON_OVERWRITTEN
                                 : DPC_REASON_CONTESTED,
        .other = {node[ez], -1},
    };
    if (!both)
        offered.other[1] = find_rival(g, node[slot], node[ez]);
    offer(g, slot, &offered, 0);
}

/* The v-structure x — y — z gives both arrows. */
static void give_both(void *context, int64_t entry, int64_t ex, int64_t ez)
{
    give(context, entry, ex, ez);
    give(context, entry, ez, ex);
}

static void raise_most(void *context, int64_t entry, int64_t ex, int64_t ez)
{
    const tracing *g = context;
    g->most[ex] = larger(g->most[ex], -g->triples->weight[entry]);
    g->most[ez] = larger(g->most[ez], -g->triples->weight[entry]);
}

static void give_all(tracing *g)
{
    static const dpc_provenance KNOWN = {
        .weight = DPC_SURE, .link = DPC_NO_LINK, .kind = DPC_REASON_KNOWLEDGE, .other = {-1, -1}};
    const dpc_adjacency *graph = g->triples->graph;
    for (int a = 0; g->known != NULL && a < graph->n; a++)
        for (int64_t e = graph->start[a]; e < graph->start[a + 1]; e++)
            if (dpc_arrow_out(&g->arrows, e) && dpc_forced(g->known, a, graph->node[e]))
                offer(g, e, &KNOWN, 0);
    dpc_triples_each(g->triples, DPC_GIVES_ARROWS, give_both, g);
    for (int64_t e = 0; e < dpc_slots(graph); e++)
        g->most[e] = DPC_NO_LINK;
    dpc_triples_each(g->triples, DPC_BARS_COLLIDER, raise_most, g);
}

/* ---- What follows from an arrow a → b that has been settled ---- */

static void follow_1(tracing *g, int64_t slot)
{
    const dpc_adjacency *graph = g->triples->graph;
    const dpc_provenance *arrow = step_at(g, slot);
    int b = arrow->to;
    int64_t ba = dpc_back(&g->arrows, slot);
    int32_t link;
    for (int64_t bc = graph->start[b]; bc < graph->start[b + 1]; bc++)
        if (waits(g, bc) && barred(g, b, ba, bc, &link))
            offer_rule(g, bc, DPC_REASON_RULE_1, arrow, arrow, link, arrow->from, -1);
}

/* Rule 3 for p → b with the arrow a → b and p — a: the best partner so far. */
typedef struct partner {
    int64_t pa; /* slot of p */
    int p, b;
    int32_t link;
    int node; /* -1: none */
} partner;

/* Is d, at slot pd of p, with d → b settled, a better one? */
static void try_partner(const tracing *g, int64_t pd, partner *best)
{
    int32_t link;
    if (pd == best->pa || !barred(g, best->p, best->pa, pd, &link))
        return;
    if (best->node < 0 || link > best->link) {
        best->link = link;
        best->node = g->triples->graph->node[pd];
    }
}

static void find_partner(const tracing *g, int a, int32_t enough, partner *best)
{
    const dpc_adjacency *graph = g->triples->graph;
    int p = best->p, b = best->b;
    int64_t pd = graph->start[p], bd = graph->start[b];
    for (; g->near == NULL && best->link < enough && dpc_next_common(graph, p, b, &pd, &bd);
         pd++, bd++)
        if (settled_in(g, bd))
            try_partner(g, pd, best);
    for (int64_t w = 0; g->near != NULL && w < g->words && best->link < enough; w++) {
        uint64_t left = g->into[b * g->words + w] & g->near[p * g->words + w] &
                        ~g->near[a * g->words + w]; /* 64 candidates at a glance */
        for (; left != 0 && best->link < enough; left &= left - 1)
            try_partner(g, dpc_slot(graph, p, (int)(64 * w) + __builtin_ctzll(left)), best);
    }
}

static void follow_3(tracing *g, int64_t pb, int64_t pa, const dpc_provenance *arrow)
{
    const dpc_adjacency *graph = g->triples->graph;
    int a = arrow->from, b = arrow->to;
    partner best = {pa, dpc_slot_node(&g->arrows, pb), b, DPC_NO_LINK, -1};
    find_partner(g, a, smaller(arrow->weight, g->most[pa]), &best);
    if (best.node >= 0)
        offer_rule(g, pb, DPC_REASON_RULE_3, arrow, step_at(g, dpc_slot(graph, best.node, b)),
                   best.link, smaller(a, best.node), larger(a, best.node));
}

/* Rules 2 and 3, for all common neighbours c. */
static void follow_2_3(tracing *g, int64_t slot)
{
    const dpc_adjacency *graph = g->triples->graph;
    const dpc_provenance *arrow = step_at(g, slot);
    int a = arrow->from, b = arrow->to;
    int64_t ac = graph->start[a], bc = graph->start[b];
    for (; dpc_next_common(graph, a, b, &ac, &bc); ac++, bc++) {
        int64_t ca = dpc_back(&g->arrows, ac), cb = dpc_back(&g->arrows, bc);
        if (waits(g, ac) && g->settled[bc]) /* a → b → c */
            offer_rule(g, ac, DPC_REASON_RULE_2, arrow, step_at(g, bc), DPC_NO_LINK, b, -1);
        if (!waits(g, cb))
            continue;
        if (g->settled[ca]) /* c → a → b */
            offer_rule(g, cb, DPC_REASON_RULE_2, step_at(g, ca), arrow, DPC_NO_LINK, a, -1);
        if (step_at(g, cb)->weight < smaller(arrow->weight, g->most[ca]))
            follow_3(g, cb, ca, arrow);
    }
}

/* Rule 4 for a → b by c → d → b: all that can be a. */
static void offer_4(tracing *g, const dpc_provenance *cd, const dpc_provenance *db)
{
    const dpc_adjacency *graph = g->triples->graph;
    int c = cd->from, d = cd->to, b = db->to;
    int64_t ca = graph->start[c], ba = graph->start[b];
    int32_t link;
    for (; dpc_next_common(graph, c, b, &ca, &ba); ca++, ba++) {
        int64_t ac = dpc_back(&g->arrows, ca), ab = dpc_back(&g->arrows, ba);
        int a = graph->node[ca];
        if (waits(g, ab) && dpc_slot(graph, a, d) >= 0 && barred(g, a, ac, ab, &link))
            offer_rule(g, ab, DPC_REASON_RULE_4, cd, db, link, c, d);
    }
}

static void follow_4(tracing *g, int64_t slot)
{
    const dpc_adjacency *graph = g->triples->graph;
    const dpc_provenance *arrow = step_at(g, slot);
    for (int64_t e = graph->start[arrow->to]; e < graph->start[arrow->to + 1]; e++)
        if (g->settled[e])
            offer_4(g, arrow, step_at(g, e));
    for (int64_t e = graph->start[arrow->from]; e < graph->start[arrow->from + 1]; e++)
        if (settled_in(g, e))
            offer_4(g, step_at(g, dpc_back(&g->arrows, e)), arrow);
}

/* ---- All of it ---- */

static void settle(tracing *g, int number, int32_t turn)
{
    dpc_provenance *step = &g->step[number];
    step->turn = turn;
    g->settled[g->slot[number]] = true;
    if (g->into != NULL)
        dpc_set_bit(g->into, g->words, step->to, step->from);
}

static dpc_status settle_all(tracing *g, const dpc_settings *settings, dpc_error *err)
{
    enum { BETWEEN_LOOKS = 256 };
    dpc_crew crew;
    int number;
    dpc_crew_init(&crew, settings, DPC_STAGE_ORIENT);
    give_all(g);
    for (int32_t turn = 0; (number = dpc_best_node(&g->next)) >= 0; turn++) {
        int64_t slot = g->slot[number];
        settle(g, number, turn);
        dpc_best_set(&g->next, number, DPC_NO_KEY);
        if (g->rules) {
            follow_1(g, slot);
            follow_2_3(g, slot);
        }
        if (g->rules && g->known != NULL)
            follow_4(g, slot);
        if (turn % BETWEEN_LOOKS == 0 && dpc_crew_stopped(&crew, 0))
            return dpc_fail(err, DPC_INTERRUPTED, "interrupted");
    }
    return DPC_OK;
}

static dpc_status bits_init(tracing *g)
{
    g->words = dpc_bit_words(g->triples->graph->n);
    g->into = dpc_arena_zalloc(&g->memory, g->triples->graph->n * g->words, sizeof *g->into);
    return g->into != NULL ? dpc_adjacency_bits(g->triples->graph, &g->near) : DPC_NO_MEMORY;
}

/* One entry for each arrow of the graph. */
static void list_arrows(tracing *g)
{
    const dpc_adjacency *skeleton = g->triples->graph;
    for (int a = 0; a < skeleton->n; a++)
        for (int64_t e = skeleton->start[a]; e < skeleton->start[a + 1]; e++) {
            g->number[e] = dpc_arrow_out(&g->arrows, e) ? g->count : -1;
            if (!dpc_arrow_out(&g->arrows, e))
                continue;
            g->slot[g->count] = e;
            g->round[g->count] = -1;
            g->step[g->count++] = (dpc_provenance){.from = a,
                                                   .to = skeleton->node[e],
                                                   .other = {-1, -1},
                                                   .weight = DPC_NO_LINK,
                                                   .link = DPC_NO_LINK,
                                                   .turn = -1,
                                                   .kind = DPC_REASON_CONFLICT};
        }
}

static dpc_status tracing_init(tracing *g, const dpc_graph *graph)
{
    const dpc_adjacency *skeleton = g->triples->graph;
    int64_t slots = dpc_slots(skeleton);
    bool dense = 128 * slots >= (int64_t)skeleton->n * skeleton->n;
    g->number = dpc_arena_alloc(&g->memory, slots, sizeof *g->number);
    g->slot = dpc_arena_alloc(&g->memory, slots / 2, sizeof *g->slot);
    g->round = dpc_arena_alloc(&g->memory, slots / 2, sizeof *g->round);
    g->most = dpc_arena_alloc(&g->memory, slots, sizeof *g->most);
    g->settled = dpc_arena_zalloc(&g->memory, slots, sizeof *g->settled);
    g->step = dpc_alloc(slots / 2, sizeof *g->step);
    if (dpc_arena_failed(&g->memory) || g->step == NULL)
        return DPC_NO_MEMORY;
    DPC_CHECK(dpc_mixed_init(skeleton, &g->arrows));
    dpc_mixed_copy(&g->arrows, graph, NULL);
    list_arrows(g);
    DPC_CHECK(dpc_best_init(g->count, &g->next));
    return g->rules && dense ? bits_init(g) : DPC_OK;
}

dpc_status dpc_trace_provenance(const dpc_unoriented *task, const dpc_triples *triples,
                                const dpc_graph *graph, dpc_provenance **out, int64_t *count,
                                dpc_error *err)
{
    tracing g = {
        .triples = triples,
        .known = task->known,
        .rules = task->settings->graph == DPC_CPDAG,
        .overwriting = task->settings->orient == DPC_RELAXED,
    };
    dpc_status status = tracing_init(&g, graph) == DPC_OK
                            ? settle_all(&g, task->settings, err)
                            : dpc_fail_memory(err, "the provenance of the arrows");
    if (status == DPC_OK) {
        *out = g.step;
        *count = g.count;
    } else {
        free(g.step);
    }
    dpc_best_clear(&g.next);
    dpc_mixed_clear(&g.arrows);
    free(g.near);
    dpc_arena_clear(&g.memory);
    return status;
}

typedef struct decided {
    const dpc_mixed *arrows;
    uint8_t *mark;
} decided;

static void mark_decided(void *context, int64_t entry, int64_t ex, int64_t ez)
{
    const decided *d = context;
    bool collider = dpc_arrow_in(d->arrows, ex) && dpc_arrow_in(d->arrows, ez);
    d->mark[entry] = collider ? DPC_GIVES_ARROWS : DPC_BARS_COLLIDER;
}

void dpc_mark_decided(const dpc_mixed *arrows, dpc_triples *t)
{
    dpc_triples_each(t, DPC_ALL_TRIPLES, mark_decided, &(decided){arrows, t->mark});
}
