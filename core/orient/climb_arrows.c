/*
 * The consistent rule, third step: from a DAG to a better one. The reversal of one edge that adds
 * most to Σ w over all colliders, as long as one adds anything, closes no circle and is not
 * forbidden.
 *
 * With S(y, x) = Σ w over the triples of y and x with the other parents of y, the reversal of a → b
 * adds S(a, b) - S(b, a). It closes a circle where there is another way from a to b. One that was
 * refused for that is tried again when all others are done; most often the way that was found then
 * is still there.
 */
#include "climb_arrows.h"

#include "arena.h"
#include "best.h"
#include "crew.h"
#include "status.h"

#include <string.h>

/* A way from a to b beside a → b: the slots of its arrows. */
enum { LONGEST_DETOUR = 7 };
typedef struct detour {
    int64_t length; /* 0: none is known */
    int64_t slot[LONGEST_DETOUR];
} detour;

typedef struct climbing {
    const dpc_triples *triples;
    dpc_acyclic *acyclic;
    dpc_mixed *arrows;            /* of `acyclic` */
    const dpc_constraints *known; /* or NULL */
    int64_t *gain;   /* by slot a→b: what the reversal of a → b adds; else DPC_NO_KEY */
    bool *refused;   /* by slot: its reversal would close a circle */
    detour *detours; /* by slot */
    int64_t *choice; /* per node: its slot with the largest gain; -1: none adds anything */
    dpc_best best;   /* of the choices */
    dpc_crew crew;
} climbing;

/* ---- The best reversal ---- */

static bool can_gain(const climbing *p, int a, int64_t e)
{
    return p->gain[e] > 1 && !p->refused[e] && !dpc_forced(p->known, a, p->triples->graph->node[e]);
}

static void set_choice(climbing *p, int a, int64_t e)
{
    p->choice[a] = e;
    dpc_best_set(&p->best, a, e >= 0 ? p->gain[e] : DPC_NO_KEY);
}

/* The best slot of a row, the first of equal ones. */
static void choose(climbing *p, int a)
{
    const dpc_adjacency *g = p->triples->graph;
    int64_t best = -1, most = 1;
    for (int64_t e = g->start[a]; e < g->start[a + 1]; e++)
        if (p->gain[e] > most && can_gain(p, a, e)) {
            best = e;
            most = p->gain[e];
        }
    set_choice(p, a, best);
}

/* After the gain of one slot of a has changed. */
static void choose_again(climbing *p, int a, int64_t e)
{
    int64_t best = p->choice[a];
    bool can = can_gain(p, a, e);
    if (e == best && (!can || p->gain[e] < p->best.key[a]))
        choose(p, a);
    else if (can && (best < 0 || p->gain[e] > p->best.key[a] ||
                     (p->gain[e] == p->best.key[a] && e < best)))
        set_choice(p, a, e);
}

/* ---- Gains ---- */

/*
 * S of all neighbours of y, by slot: the triangle of y row by row, each weight for both of its
 * neighbours where the other one is a parent. Entries that are no triples have the weight 0.
 */
static void sum_at(const climbing *p, int y, int64_t *sum)
{
    const dpc_adjacency *g = p->triples->graph;
    int64_t first = g->start[y], end = g->start[y + 1];
    const int32_t *weight = p->triples->weight + p->triples->start[y];
    for (int64_t ex = first; ex < end; ex++) { /* two loops: the compiler makes vectors of each */
        int64_t others = end - ex - 1, sum_x = 0;
        for (int64_t i = 0; i < others; i++)
            sum_x += !dpc_arrow_out(p->arrows, ex + 1 + i) ? weight[i] : 0;
        sum[ex] += sum_x;
        bool parent = !dpc_arrow_out(p->arrows, ex); /* every edge has a direction */
        for (int64_t i = 0; parent && i < others; i++)
            sum[ex + 1 + i] += weight[i];
        weight += others;
    }
}

static void sum_task(void *context, int64_t y, int worker)
{
    (void)worker;
    const climbing *p = context;
    sum_at(p, (int)y, p->gain);
}

/* False: called off. */
static bool set_gains(climbing *p)
{
    const dpc_adjacency *g = p->triples->graph;
    double work = (double)dpc_triples_end(p->triples);
    if (!dpc_crew_run(&p->crew, g->n, work, sum_task, p))
        return false;
    for (int64_t e = 0; e < dpc_slots(g); e++)
        if (dpc_arrow_out(p->arrows, e)) {
            int64_t back = dpc_back(p->arrows, e);
            p->gain[e] -= p->gain[back];
            p->gain[back] = DPC_NO_KEY;
        }
    return true;
}

/*
 * The neighbour of v in `slot` has become a parent of v (sign 1), or is none any more (-1): the
 * gains of the other edges at v, and the choices of their other ends.
 */
static void shift(climbing *p, int v, int64_t slot, int sign)
{
    const dpc_adjacency *g = p->triples->graph;
    for (int64_t e = g->start[v]; e < g->start[v + 1]; e++) {
        int64_t weight = e != slot ? p->triples->weight[dpc_triple_of(p->triples, v, e, slot)] : 0;
        if (weight == 0)
            continue;
        if (dpc_arrow_out(p->arrows, e)) {
            p->gain[e] += sign * weight;
        } else {
            int64_t back = dpc_back(p->arrows, e);
            p->gain[back] -= sign * weight;
            choose_again(p, g->node[e], back);
        }
    }
}

/* After the arrow at slot e, a → b, has become b → a. Neither sum of the edge itself changes. */
static void refresh(climbing *p, int a, int b, int64_t e)
{
    int64_t back = dpc_back(p->arrows, e);
    p->gain[back] = -p->gain[e];
    p->gain[e] = DPC_NO_KEY;
    shift(p, b, back, -1);
    shift(p, a, e, 1);
    choose(p, a);
    choose(p, b);
}

/* ---- Circles ---- */

/* Is the way there still? */
static bool stands(const climbing *p, const detour *d)
{
    bool all = d->length > 0;
    for (int i = 0; i < d->length && all; i++)
        all = dpc_arrow_out(p->arrows, d->slot[i]);
    return all;
}

/* Turns the arrow a → b at slot e round; false: there is another way from a to b. */
static bool reverse(climbing *p, int64_t e)
{
    detour *d = &p->detours[e];
    int64_t back = dpc_back(p->arrows, e);
    if (stands(p, d))
        return false;
    dpc_set_arrow(p->arrows, e, false);
    if (dpc_acyclic_add(p->acyclic, back))
        return true;
    dpc_set_arrow(p->arrows, e, true);
    d->length = dpc_acyclic_way(p->acyclic, back, d->slot, LONGEST_DETOUR);
    if (d->length > LONGEST_DETOUR)
        d->length = 0;
    return false;
}

/* ---- All of it ---- */

/* Forgets what was refused: the ways there were may be gone. */
static void forget_refused(climbing *p)
{
    const dpc_adjacency *g = p->triples->graph;
    memset(p->refused, false, (size_t)dpc_slots(g) * sizeof *p->refused);
    for (int v = 0; v < g->n; v++)
        choose(p, v);
}

/* A DAG that is not climbed is one all the same: where it is the time that is up, it stays. */
static dpc_status called_off(const climbing *p, dpc_error *err)
{
    return p->crew.late ? DPC_OK : dpc_fail(err, DPC_INTERRUPTED, "interrupted");
}

/* Reverses until nothing can be gained; what was refused is tried again once the others are done.
 */
static dpc_status improve(climbing *p, dpc_error *err)
{
    enum { BETWEEN_LOOKS = 64 };
    const dpc_adjacency *g = p->triples->graph;
    bool reversed = true;
    int64_t tries = 0;
    while (reversed) {
        reversed = false;
        forget_refused(p);
        for (int a; (a = dpc_best_node(&p->best)) >= 0;) {
            int64_t e = p->choice[a];
            int b = g->node[e];
            if (tries++ % BETWEEN_LOOKS == 0 && dpc_crew_stopped(&p->crew, 0))
                return called_off(p, err);
            if (reverse(p, e)) {
                reversed = true;
                refresh(p, a, b, e);
            } else {
                p->refused[e] = true;
                choose(p, a);
            }
        }
    }
    return DPC_OK;
}

dpc_status dpc_climb_arrows(const dpc_unoriented *task, const dpc_triples *triples,
                            dpc_acyclic *acyclic, dpc_error *err)
{
    const dpc_adjacency *g = triples->graph;
    dpc_arena arena = {0};
    climbing p = {
        .triples = triples,
        .acyclic = acyclic,
        .arrows = &acyclic->arrows,
        .known = task->known,
        .gain = dpc_arena_zalloc(&arena, dpc_slots(g), sizeof *p.gain),
        .refused = dpc_arena_alloc(&arena, dpc_slots(g), sizeof *p.refused),
        .detours = dpc_arena_zalloc(&arena, dpc_slots(g), sizeof *p.detours),
        .choice = dpc_arena_alloc(&arena, g->n, sizeof *p.choice),
    };
    dpc_status status = dpc_best_init(g->n, &p.best);
    dpc_crew_init(&p.crew, task->settings, DPC_STAGE_ORIENT);
    p.crew.limit = task->limit;
    if (status != DPC_OK || dpc_arena_failed(&arena))
        status = dpc_fail_memory(err, "the climb of the graph");
    else
        status = set_gains(&p) ? improve(&p, err) : called_off(&p, err);
    dpc_best_clear(&p.best);
    dpc_arena_clear(&arena);
    return status;
}
