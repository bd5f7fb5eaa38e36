/*
 * Graphs of other shapes: see structure.h.
 *
 *     scale-free   Barabási and Albert (1999): nodes arrive one after the other, and each is joined
 *                  to d of those that are there, chosen in proportion to their degrees
 *     small-world  Watts and Strogatz (1998): each node is joined to the d next ones on a ring, and
 *                  an edge keeps its first end and takes a random other one with probability 0.2
 *     bipartite    each pair of a cause (a third of the nodes) and an effect with one probability
 *     hubs         four nodes are joined to a quarter of the others each; every other pair with one
 *                  probability
 *     chain        each node causes the next one
 *
 * The expected number of edges is n d wherever the shape allows it. Where d is no whole number, a
 * node of the first two has ⌊d⌋ or ⌈d⌉ edges of its own, d on the mean.
 */
#include "structure.h"

#include "arena.h"
#include "status.h"

#include <math.h>

static const double REWIRED = 0.2;
enum { HUBS = 4, HUB_SHARE = 4 }; /* a hub is joined to one in HUB_SHARE of the others */

const char *const dpc_structure_words[] = {
    "er", "scale-free-in", "scale-free-out", "small-world", "bipartite", "hubs", "chain", NULL};

/* A third of the nodes, rounded. */
static int causes_of(int n)
{
    return (int)(((int64_t)n + 1) / 3);
}

double dpc_most_parents(dpc_structure structure, int n)
{
    double causes = causes_of(n);
    switch (structure) {
    case DPC_BIPARTITE:
        return causes * (n - causes) / n;
    case DPC_CHAIN: /* which has no choice */
        return INFINITY;
    default:
        return (n - 1) / 2.0;
    }
}

static bool append(dpc_arrow_list *edges, int a, int b)
{
    dpc_arrow *larger =
        dpc_make_room(edges->edge, &edges->capacity, edges->count + 1, sizeof *larger);
    if (larger == NULL)
        return false;
    edges->edge = larger;
    edges->edge[edges->count++] = a < b ? (dpc_arrow){b, a} : (dpc_arrow){a, b};
    return true;
}

static bool happens(const dpc_dice *dice, double probability)
{
    return dice->uniform(dice->state) < probability;
}

/* ⌊d⌋ or ⌈d⌉. */
static int own_edges(double d, const dpc_dice *dice)
{
    return (int)floor(d) + happens(dice, d - floor(d));
}

/* ---- Scale-free ---- */

/* The nodes in the order of their arrival. */
typedef struct arrivals {
    int32_t *ends; /* both ends of every edge so far: a node as often as its degree */
    int64_t count, capacity;
    int32_t *joined; /* by node: the last one that was joined to it */
    dpc_arrow_list *edges;
    bool reversed; /* those that come later are the causes */
    int n;
} arrivals;

static bool join(arrivals *a, int old, int new)
{
    int32_t *larger = dpc_make_room(a->ends, &a->capacity, a->count + 2, sizeof *larger);
    if (larger == NULL)
        return false;
    a->ends = larger;
    a->ends[a->count++] = old;
    a->ends[a->count++] = new;
    a->joined[old] = new;
    return a->reversed ? append(a->edges, a->n - 1 - new, a->n - 1 - old)
                       : append(a->edges, old, new);
}

/* Node number `new` comes; it may be joined to all that are there. */
static bool arrive(arrivals *a, int new, int count, const dpc_dice *dice)
{
    int64_t before = a->count;
    for (int old = 0; old < new &&count >= new; old++)
        if (!join(a, old, new))
            return false;
    for (int made = 0; made < count && count < new;) {
        int old = before > 0 ? a->ends[dice->below(dice->state, (uint64_t)before)]
                             : (int)dice->below(dice->state, (uint64_t) new);
        if (a->joined[old] == new)
            continue;
        if (!join(a, old, new))
            return false;
        made++;
    }
    return true;
}

static bool draw_scale_free(const dpc_dag_model *model, const dpc_dice *dice, dpc_arena *arena,
                            dpc_arrow_list *edges)
{
    int n = model->n;
    arrivals a = {.n = n, .edges = edges, .reversed = model->structure == DPC_SCALE_FREE_IN};
    a.joined = dpc_arena_zalloc(arena, n, sizeof *a.joined);
    bool fine = !dpc_arena_failed(arena);
    for (int new = 1; new < n &&fine; new ++)
        fine = arrive(&a, new, own_edges(model->parents, dice), dice);
    free(a.ends);
    return fine;
}

/* ---- Small world ---- */

/* A ring of places; each node has edges of its own, of which it is the first end. */
typedef struct ring {
    int n, room;     /* `room`: the most edges of its own that a node can have */
    int32_t *other;  /* n × room: their other ends */
    int32_t *own;    /* n: how many */
    int32_t *degree; /* n */
} ring;

static bool has(const ring *r, int first, int other)
{
    for (int i = 0; i < r->own[first]; i++)
        if (r->other[(int64_t)first * r->room + i] == other)
            return true;
    return false;
}

static bool adjacent(const ring *r, int a, int b)
{
    return has(r, a, b) || has(r, b, a);
}

/* Joins v to those that follow it; two that face each other on the ring are joined once. */
static void join_next(ring *r, int v, int count)
{
    for (int i = 1; i <= count; i++) {
        int other = (int)(((int64_t)v + i) % r->n);
        if (adjacent(r, v, other))
            continue;
        r->other[(int64_t)v * r->room + r->own[v]++] = other;
        r->degree[v]++;
        r->degree[other]++;
    }
}

/* An edge of v takes another end; one that is adjacent to all keeps it. */
static void rewire(ring *r, int v, int edge, const dpc_dice *dice)
{
    int32_t *place = &r->other[(int64_t)v * r->room + edge];
    int other = v;
    if (r->degree[v] >= r->n - 1)
        return;
    while (other == v || adjacent(r, v, other))
        other = (int)dice->below(dice->state, (uint64_t)r->n);
    r->degree[*place]--;
    r->degree[other]++;
    *place = other;
}

static bool draw_small_world(const dpc_dag_model *model, const dpc_dice *dice, dpc_arena *arena,
                             dpc_arrow_list *edges)
{
    int n = model->n;
    ring r = {.n = n, .room = (int)ceil(model->parents)};
    int32_t *place = dpc_arena_alloc(arena, n, sizeof *place);
    r.other = dpc_arena_alloc(arena, (int64_t)n * r.room, sizeof *r.other);
    r.own = dpc_arena_zalloc(arena, n, sizeof *r.own);
    r.degree = dpc_arena_zalloc(arena, n, sizeof *r.degree);
    if (dpc_arena_failed(arena))
        return false;
    dpc_dice_shuffle(place, n, dice);
    for (int v = 0; v < n; v++)
        join_next(&r, v, own_edges(model->parents, dice));
    for (int v = 0; v < n; v++)
        for (int i = 0; i < r.own[v]; i++)
            if (happens(dice, REWIRED))
                rewire(&r, v, i, dice);
    for (int v = 0; v < n; v++)
        for (int i = 0; i < r.own[v]; i++)
            if (!append(edges, place[v], place[r.other[(int64_t)v * r.room + i]]))
                return false;
    return true;
}

/* ---- Causes and effects, hubs, a chain ---- */

static bool draw_bipartite(const dpc_dag_model *model, const dpc_dice *dice, dpc_arena *arena,
                           dpc_arrow_list *edges)
{
    (void)arena;
    int n = model->n, causes = causes_of(n);
    double probability = n * model->parents / ((double)causes * (n - causes));
    for (int cause = 0; cause < causes; cause++)
        for (int effect = causes; effect < n; effect++)
            if (happens(dice, probability) && !append(edges, cause, effect))
                return false;
    return true;
}

/* Row h of `joined` says which places hub number h is joined to; returns how many pairs are. */
static int64_t draw_hubs_of(int n, const int32_t *hubs, int count, int32_t *others, bool *joined,
                            const dpc_dice *dice)
{
    int64_t pairs = 0;
    for (int h = 0; h < count; h++) {
        int wanted = (int)lround((n - 1.0) / HUB_SHARE);
        dpc_dice_shuffle(others, n, dice);
        for (int i = 0; i < n && wanted > 0; i++) {
            if (others[i] == hubs[h])
                continue;
            joined[(int64_t)h * n + others[i]] = true;
            wanted--;
        }
        for (int other = 0; other < n; other++)
            pairs += joined[(int64_t)h * n + other];
        for (int g = 0; g < h; g++) /* two hubs may have chosen each other */
            pairs -= joined[(int64_t)h * n + hubs[g]] && joined[(int64_t)g * n + hubs[h]];
    }
    return pairs;
}

static bool draw_hubs(const dpc_dag_model *model, const dpc_dice *dice, dpc_arena *arena,
                      dpc_arrow_list *edges)
{
    int n = model->n, count = n < HUBS ? n : HUBS;
    int32_t *hubs = dpc_arena_alloc(arena, n, sizeof *hubs);
    int32_t *others = dpc_arena_alloc(arena, n, sizeof *others);
    int32_t *number = dpc_arena_zalloc(arena, n, sizeof *number); /* of a hub, from 1 */
    bool *joined = dpc_arena_zalloc(arena, (int64_t)count * n, sizeof *joined);
    if (dpc_arena_failed(arena))
        return false;
    dpc_dice_shuffle(hubs, n, dice);
    for (int h = 0; h < count; h++)
        number[hubs[h]] = h + 1;
    double theirs = (double)draw_hubs_of(n, hubs, count, others, joined, dice);
    double pairs = 0.5 * n * (n - 1.0);
    double probability = pairs > theirs ? (n * model->parents - theirs) / (pairs - theirs) : 0;
    for (int a = 0; a < n; a++)
        for (int b = a + 1; b < n; b++) {
            bool by_hub = (number[a] > 0 && joined[(int64_t)(number[a] - 1) * n + b]) ||
                          (number[b] > 0 && joined[(int64_t)(number[b] - 1) * n + a]);
            if ((by_hub || happens(dice, probability)) && !append(edges, a, b))
                return false;
        }
    return true;
}

static bool draw_chain(const dpc_dag_model *model, const dpc_dice *dice, dpc_arena *arena,
                       dpc_arrow_list *edges)
{
    (void)dice, (void)arena;
    for (int v = 0; v + 1 < model->n; v++)
        if (!append(edges, v, v + 1))
            return false;
    return true;
}

dpc_status dpc_structure_draw(const dpc_dag_model *model, const dpc_dice *dice,
                              dpc_arrow_list *edges, dpc_error *err)
{
    static bool (*const DRAW[])(const dpc_dag_model *, const dpc_dice *, dpc_arena *,
                                dpc_arrow_list *) = {
        [DPC_SCALE_FREE_IN] = draw_scale_free,
        [DPC_SCALE_FREE_OUT] = draw_scale_free,
        [DPC_SMALL_WORLD] = draw_small_world,
        [DPC_BIPARTITE] = draw_bipartite,
        [DPC_HUBS] = draw_hubs,
        [DPC_CHAIN] = draw_chain,
    };
    dpc_arena arena = {0};
    bool fine = DRAW[model->structure](model, dice, &arena, edges);
    dpc_arena_clear(&arena);
    return fine ? DPC_OK : dpc_fail_memory(err, "a random DAG");
}
