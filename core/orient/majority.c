/*
 * The majority and the conservative rule: triples are colliders, no colliders, or ambiguous, as the
 * votes of all separating sets have it (Ramsey, Spirtes and Zhang, Adjacency-faithfulness and
 * conservative causal inference, 2006; Colombo and Maathuis, 2014).
 *
 * Everything is done to all edges at once, so that no order matters. An edge that one collider
 * wants this way and another that way, and one that would be an arrow in a circle, gets no arrow
 * from colliders; the other arrow of such a collider is there all the same. A collider that is left
 * with no arrow is ambiguous. Meek's rules, 1 and 3 only through triples that are no colliders, are
 * applied in rounds: an edge that a round wants both ways, an arrow that would make a collider of a
 * triple that is none, or one that would lie in a circle, is not directed, then or later. So there
 * is never a circle of arrows; a consistent extension there may not be.
 *
 * What background knowledge directs is directed before everything else; colliders against it become
 * ambiguous, and so are triples whose ends cannot be adjacent, for no set was asked for them.
 */
#include "majority.h"

#include "arena.h"
#include "crew.h"
#include "cycles.h"
#include "evidence.h"
#include "meek.h"
#include "provenance.h"
#include "set_votes.h"
#include "status.h"

#include <math.h>
#include <string.h>

typedef struct rounds {
    dpc_triples *triples;
    const dpc_constraints *known; /* or NULL */
    dpc_mixed arrows;
    uint8_t *wanted;   /* by slot: the end that this round would give it */
    bool *frozen;      /* by slot, both of an edge: nothing more directs it now */
    dpc_cycles cycles; /* of wanted arrows */
} rounds;

/* At a slot of y: does y want to point to its neighbour; does that want to point to y? */
static bool wants_out(const rounds *r, int64_t slot)
{
    return r->wanted[slot] == DPC_END_ARROW;
}

static bool wants_in(const rounds *r, int64_t slot)
{
    return wants_out(r, dpc_back(&r->arrows, slot));
}

static void want(rounds *r, int64_t slot, bool arrow)
{
    r->wanted[slot] = arrow ? DPC_END_ARROW : DPC_END_TAIL;
}

static void for_all_triples(rounds *r, dpc_triple_visit *visit)
{
    dpc_triples_each(r->triples, DPC_ALL_TRIPLES, visit, r);
}

/* ---- V-structures ---- */

static void freeze(rounds *r, int64_t slot)
{
    int64_t back = dpc_back(&r->arrows, slot);
    r->frozen[slot] = r->frozen[back] = true;
}

static bool must_be(const rounds *r, int a, int64_t slot)
{
    return dpc_forced(r->known, a, r->triples->graph->node[slot]);
}

/* A collider with an edge that background knowledge directs the other way; slots of y. */
static void open_if_known(void *context, int64_t entry, int64_t ex, int64_t ez)
{
    rounds *r = context;
    int y = dpc_slot_node(&r->arrows, ex);
    if (r->triples->mark[entry] == DPC_COLLIDER && (must_be(r, y, ex) || must_be(r, y, ez)))
        r->triples->mark[entry] = DPC_OPEN;
}

static void want_collider(void *context, int64_t entry, int64_t ex, int64_t ez)
{
    rounds *r = context;
    if (r->triples->mark[entry] != DPC_COLLIDER)
        return;
    want(r, dpc_back(&r->arrows, ex), true);
    want(r, dpc_back(&r->arrows, ez), true);
}

static void drop_frozen(rounds *r)
{
    for (int64_t e = 0; e < dpc_slots(r->triples->graph); e++)
        want(r, e, wants_out(r, e) && !r->frozen[e]);
}

/* Edges that are wanted both ways. */
static void freeze_contested(rounds *r)
{
    for (int64_t e = 0; e < dpc_slots(r->triples->graph); e++)
        if (wants_out(r, e) && wants_in(r, e))
            freeze(r, e);
    drop_frozen(r);
}

/* Edges that would be new arrows in a circle. Those that there are have none. */
static void freeze_circles(rounds *r)
{
    const dpc_adjacency *g = r->triples->graph;
    dpc_cycles_find(&r->cycles, &r->arrows, r->wanted);
    for (int a = 0; a < g->n; a++)
        for (int64_t e = g->start[a]; e < g->start[a + 1] && !r->cycles.safe[a]; e++)
            if (wants_out(r, e) && !dpc_arrow_out(&r->arrows, e) && !r->cycles.safe[g->node[e]])
                freeze(r, e);
    drop_frozen(r);
}

/* A collider that has lost both arrows. */
static void open_if_lost(void *context, int64_t entry, int64_t ex, int64_t ez)
{
    rounds *r = context;
    if (r->triples->mark[entry] == DPC_COLLIDER && !wants_in(r, ex) && !wants_in(r, ez))
        r->triples->mark[entry] = DPC_OPEN;
}

static void take_wanted(rounds *r)
{
    memcpy(r->arrows.end, r->wanted, (size_t)dpc_slots(r->triples->graph) * sizeof *r->arrows.end);
}

static void direct_colliders(rounds *r)
{
    const dpc_adjacency *g = r->triples->graph;
    for (int a = 0; a < g->n; a++)
        for (int64_t e = g->start[a]; e < g->start[a + 1]; e++)
            want(r, e, must_be(r, a, e));
    take_wanted(r);
    for_all_triples(r, open_if_known);
    for_all_triples(r, want_collider);
    freeze_contested(r);
    freeze_circles(r);
    for_all_triples(r, open_if_lost);
    take_wanted(r);
    memset(r->frozen, 0, (size_t)dpc_slots(g) * sizeof *r->frozen); /* the rules may direct them */
}

/* ---- Meek's rules ---- */

/* Two arrows into y, at least one of them new, at a triple that is no collider. */
static void freeze_if_collider(void *context, int64_t entry, int64_t ex, int64_t ez)
{
    rounds *r = context;
    if (r->triples->mark[entry] != DPC_NO_COLLIDER || !wants_in(r, ex) || !wants_in(r, ez))
        return;
    if (dpc_undirected(&r->arrows, ex))
        freeze(r, ex);
    if (dpc_undirected(&r->arrows, ez))
        freeze(r, ez);
}

/* What the rules want, beside the arrows there are. */
static void want_rules(rounds *r)
{
    const dpc_adjacency *g = r->triples->graph;
    int last = r->known != NULL ? DPC_MEEK_RULES : 3;
    int32_t other[2];
    dpc_meek meek = {
        .arrows = &r->arrows,
        .premise = r->arrows.end,
        .noncollider = dpc_triple_is_noncollider,
        .context = r->triples,
        .all_undirected = true,
    };
    memcpy(r->wanted, r->arrows.end, (size_t)dpc_slots(g) * sizeof *r->wanted);
    for (int a = 0; a < g->n; a++)
        for (int64_t e = g->start[a]; e < g->start[a + 1]; e++)
            if (!r->frozen[e] && dpc_undirected(&r->arrows, e))
                want(r, e, dpc_meek_find(&meek, last, a, e, other) > 0);
}

/* One round; false: it changed nothing. */
static bool apply_rules(rounds *r)
{
    bool changed = false;
    want_rules(r);
    for_all_triples(r,
                    freeze_if_collider); /* before edges wanted both ways are not wanted at all */
    freeze_contested(r);
    freeze_circles(r);
    for (int64_t e = 0; e < dpc_slots(r->triples->graph); e++)
        changed = changed || r->wanted[e] != r->arrows.end[e];
    take_wanted(r);
    return changed;
}

/* ---- The result ---- */

static bool is_ambiguous(const void *context, int64_t entry, int64_t ex, int64_t ez,
                         dpc_triple *triple)
{
    const rounds *r = context;
    int32_t share = r->triples->weight[entry];
    triple->collider = dpc_arrow_in(&r->arrows, ex) && dpc_arrow_in(&r->arrows, ez);
    triple->evidence = share >= 0 ? (double)share / DPC_WEIGHT_ONE : NAN;
    return r->triples->mark[entry] == DPC_OPEN;
}

/* What a triple says in the finished graph; two colliders may have made a third of one that is
 * none.
 */
static void mark_said(void *context, int64_t entry, int64_t ex, int64_t ez)
{
    rounds *r = context;
    uint8_t *mark = &r->triples->mark[entry];
    bool both = dpc_arrow_in(&r->arrows, ex) && dpc_arrow_in(&r->arrows, ez);
    *mark = *mark == DPC_COLLIDER               ? DPC_GIVES_ARROWS
            : *mark == DPC_NO_COLLIDER && !both ? DPC_BARS_COLLIDER
                                                : DPC_SAYS_NOTHING;
}

/* So that a share of votes is no evidence where the time does not reach to weigh any. */
static void forget_votes(void *context, int64_t entry, int64_t ex, int64_t ez)
{
    rounds *r = context;
    (void)ex;
    (void)ez;
    if (r->triples->weight[entry] > 0)
        r->triples->weight[entry] = 0;
}

/* What the arrows rest on; the votes are not needed any more. */
static dpc_status trace_provenance(const dpc_unoriented *task, rounds *r, dpc_oriented *result,
                                   dpc_error *err)
{
    for_all_triples(r, mark_said);
    if (task->limit != NULL)
        for_all_triples(r, forget_votes);
    DPC_CHECK(dpc_weigh_evidence(task, r->triples, err));
    return dpc_trace_provenance(task, r->triples, &result->graph, &result->provenance,
                                &result->n_provenance, err);
}

static dpc_status direct(const dpc_unoriented *task, rounds *r, dpc_error *err)
{
    dpc_crew crew;
    dpc_crew_init(&crew, task->settings, DPC_STAGE_ORIENT);
    direct_colliders(r);
    bool changed = task->settings->graph == DPC_CPDAG;
    while (changed) {
        changed = apply_rules(r);
        if (dpc_crew_stopped(&crew, 0))
            return dpc_fail(err, DPC_INTERRUPTED, "interrupted");
    }
    return DPC_OK;
}

static dpc_status rounds_init(const dpc_unoriented *task, dpc_triples *triples, dpc_arena *arena,
                              rounds *r)
{
    int64_t slots = dpc_slots(task->skeleton);
    *r = (rounds){
        .triples = triples,
        .known = task->known,
        .wanted = dpc_arena_alloc(arena, slots, sizeof *r->wanted),
        .frozen = dpc_arena_zalloc(arena, slots, sizeof *r->frozen),
    };
    DPC_CHECK(dpc_cycles_init(task->skeleton->n, arena, &r->cycles));
    return dpc_mixed_init(task->skeleton, &r->arrows);
}

/* The rule itself, once all is there that it needs. */
static dpc_status run(const dpc_unoriented *task, rounds *r, dpc_oriented *result, dpc_error *err)
{
    DPC_CHECK(dpc_count_set_votes(task, r->triples, err));
    DPC_CHECK(direct(task, r, err));
    if (dpc_mixed_graph(&r->arrows, &result->graph) != DPC_OK)
        return dpc_fail_memory(err, "the directed graph");
    if (task->graph_only)
        return DPC_OK;
    DPC_CHECK(dpc_triples_list(r->triples, task->settings, is_ambiguous, r, &result->ambiguous,
                               &result->n_ambiguous, err));
    return trace_provenance(task, r, result, err);
}

dpc_status dpc_orient_majority(const dpc_unoriented *task, dpc_oriented *result, dpc_error *err)
{
    dpc_arena arena = {0};
    dpc_triples triples = {0};
    rounds r = {0};
    dpc_status status = dpc_triples_init(task->skeleton, NULL, &triples);
    if (status == DPC_OK)
        status = rounds_init(task, &triples, &arena, &r);
    status = status == DPC_OK ? run(task, &r, result, err)
                              : dpc_fail_memory(err, "the triples of the graph");
    dpc_mixed_clear(&r.arrows);
    dpc_triples_clear(&triples);
    dpc_arena_clear(&arena);
    return status;
}
