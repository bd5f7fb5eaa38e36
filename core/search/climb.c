/*
 * Hill climbing: see climb.h.
 *
 * What the steps at v gain depends on the parents of v alone: adding u, L(u,v|pa) - price; deleting
 * u, price - L(u,v|pa\u); and the two together turn an edge. So every node keeps its own: the
 * parents that would be a gain (they are few, and found by one sweep over all variables), the loss
 * of each parent, and what each child would be worth as a parent. A step makes those of a
 * node whose parents it changes afresh; the other end only has a child more, or less. Whether an
 * edge would close a circle is asked only of a step that would be the best, and a node is passed
 * over that has no step as good as that.
 *
 * A swap, u for w as a parent of v, gains L(w,v|pa\u) - L(u,v|pa\u), which takes a sweep for each
 * parent. So swaps are looked for only where no single step is a gain. They depend on the parents
 * of v alone, too, and a node whose parents are the same still has the same swaps.
 */
#include "climb.h"

#include "alloc.h"
#include "candidate_parents.h"
#include "sorted.h"

#include <math.h>

typedef enum step_kind { ADD, DELETE, TURN, SWAP } step_kind;

typedef struct step {
    double gain;
    int32_t from, to; /* the edge as it is, or will be, before it is turned */
    step_kind kind;
    int32_t out; /* SWAP: the parent in whose place `from` comes */
} step;

typedef struct offer {
    double gain;
    int32_t node;
    int32_t blocked; /* the edge closes a circle as long as this is the climber's `removals` */
} offer;

typedef struct swap {
    offer in;
    int32_t out;
} swap;

/* What can be done at a node. */
typedef struct options {
    offer *adds; /* owned */
    int64_t n_adds, capacity;
    double *lose; /* by parent: what deleting it gains; owned */
    double *turn; /* by child: what it gains as a parent; owned */
    int64_t lose_capacity, turn_capacity;
    double most; /* no single step at the node gains more, if it may be taken at all */
    swap *swaps; /* those that are a gain; owned */
    int64_t n_swaps, swap_capacity;
    bool swaps_known; /* with the parents as they are */
} options;

typedef struct climber {
    const dpc_scoring *scoring;
    dpc_workers *workers;
    dpc_families *dag;
    options *options; /* per node; owned */
    int32_t removals; /* steps that have taken an edge away, or turned it; from 1 on */
    int32_t *nodes;   /* those whose swaps are to be found; owned; NULL: there are no swaps */
    atomic_bool failed;
} climber;

/* ---- What can be done at a node ---- */

static dpc_status reserve(options *o, int64_t adds, int64_t parents, int64_t children)
{
    offer *a = dpc_make_little_room(o->adds, &o->capacity, adds, sizeof *a);
    o->adds = a != NULL ? a : o->adds;
    double *lose = dpc_make_little_room(o->lose, &o->lose_capacity, parents, sizeof *lose);
    o->lose = lose != NULL ? lose : o->lose;
    double *turn = dpc_make_little_room(o->turn, &o->turn_capacity, children, sizeof *turn);
    o->turn = turn != NULL ? turn : o->turn;
    return a != NULL && lose != NULL && turn != NULL ? DPC_OK : DPC_NO_MEMORY;
}

/* Deleting a parent; one that the others determine costs nothing but its price. */
static dpc_status find_losses(const climber *c, dpc_scorer *h, int v)
{
    const dpc_scoring *s = c->scoring;
    const dpc_relatives *pa = &c->dag->pa[v];
    double *lose = c->options[v].lose;
    DPC_CHECK(dpc_scorer_losses(h, pa->node, (int)pa->count, lose));
    for (int64_t i = 0; i < pa->count; i++)
        lose[i] = dpc_required_parent(s, pa->node[i], v) ? -INFINITY : s->price - lose[i];
    return DPC_OK;
}

/* What u gains as a parent of v, which it is not. */
static double gain_of(const climber *c, const dpc_scorer *h, int v, int u)
{
    double square = dpc_family_square(&h->family, u);
    bool cannot = isnan(square) || !dpc_may_be_parent(c->scoring, u, v);
    return cannot ? -INFINITY : dpc_gain_of(c->scoring, square);
}

static void find_turns(const climber *c, const dpc_scorer *h, int v)
{
    const dpc_relatives *ch = &c->dag->ch[v];
    for (int64_t i = 0; i < ch->count; i++)
        c->options[v].turn[i] = gain_of(c, h, v, ch->node[i]);
}

static void find_adds(const climber *c, dpc_scorer *h, int v, int count)
{
    options *o = &c->options[v];
    const dpc_relatives *pa = &c->dag->pa[v], *ch = &c->dag->ch[v];
    o->n_adds = 0;
    for (int i = 0; i < count; i++) {
        int u = h->candidates[i].node;
        double gain = dpc_gain_of(c->scoring, h->candidates[i].square);
        if (gain > c->scoring->slack && dpc_place_of(ch->node, ch->count, u) < 0 &&
            dpc_place_of(pa->node, pa->count, u) < 0)
            o->adds[o->n_adds++] = (offer){gain, u, 0};
    }
}

static dpc_status renew(const climber *c, dpc_scorer *h, int v)
{
    const dpc_relatives *pa = &c->dag->pa[v], *ch = &c->dag->ch[v];
    DPC_CHECK(dpc_candidate_parents(h, v, pa, ch));
    int count = pa->count < c->scoring->most_parents ? dpc_scorer_candidates(h) : 0;
    DPC_CHECK(reserve(&c->options[v], count, pa->count, ch->count));
    c->options[v].swaps_known = false;
    find_adds(c, h, v, count);
    find_turns(c, h, v);
    return find_losses(c, h, v);
}

/* The offer of u, to be a parent of v, is made or withdrawn. */
static void renew_add(const climber *c, const dpc_scorer *h, int v, int u)
{
    options *o = &c->options[v];
    const dpc_relatives *pa = &c->dag->pa[v];
    int64_t kept = 0;
    for (int64_t i = 0; i < o->n_adds; i++)
        if (o->adds[i].node != u)
            o->adds[kept++] = o->adds[i];
    o->n_adds = kept;
    double gain = gain_of(c, h, v, u);
    if (gain > c->scoring->slack && pa->count < c->scoring->most_parents &&
        !dpc_families_joined(c->dag, v, u))
        o->adds[o->n_adds++] = (offer){gain, u, 0};
}

/* The same where v has its parents still, and u has become its child or is none any more. */
static dpc_status renew_child(const climber *c, dpc_scorer *h, int v, int u)
{
    const dpc_relatives *pa = &c->dag->pa[v], *ch = &c->dag->ch[v];
    int count = dpc_unite(pa->node, (int)pa->count, ch->node, (int)ch->count, h->list);
    if (dpc_place_of(ch->node, ch->count, u) < 0)
        h->list[count++] = u;
    DPC_CHECK(dpc_family_start(&h->family, v, h->list, count));
    DPC_CHECK(dpc_family_push_all(&h->family, pa->node, (int)pa->count));
    DPC_CHECK(reserve(&c->options[v], c->options[v].n_adds + 1, pa->count, ch->count));
    find_turns(c, h, v);
    renew_add(c, h, v, u);
    return DPC_OK;
}

static void renew_task(void *context, int64_t v, int worker)
{
    climber *c = context;
    if (renew(c, &c->workers->each[worker], (int)v) != DPC_OK)
        atomic_store(&c->failed, true);
}

/* ---- Swaps ---- */

typedef struct swapping {
    const climber *climber;
    const dpc_scorer *scorer;
    int v;
} swapping;

/* All that are a gain with `out` as the parent that goes. */
static dpc_status add_swaps(void *context, int out, double own, int count)
{
    const swapping *at = context;
    const dpc_scoring *s = at->climber->scoring;
    const dpc_candidate *in = at->scorer->candidates;
    options *o = &at->climber->options[at->v];
    if (count == 0 || dpc_required_parent(s, out, at->v))
        return DPC_OK;
    swap *swaps =
        dpc_make_little_room(o->swaps, &o->swap_capacity, o->n_swaps + count, sizeof *swaps);
    if (swaps == NULL)
        return DPC_NO_MEMORY;
    o->swaps = swaps;
    for (int i = 0; i < count; i++) {
        double gain = dpc_likelihood_of(s, in[i].square) - dpc_likelihood_of(s, own);
        if (gain > s->slack && dpc_may_be_parent(s, in[i].node, at->v))
            swaps[o->n_swaps++] = (swap){{gain, in[i].node, 0}, out};
    }
    return DPC_OK;
}

static void swaps_task(void *context, int64_t index, int worker)
{
    climber *c = context;
    dpc_scorer *scorer = &c->workers->each[worker];
    swapping at = {c, scorer, c->nodes[index]};
    c->options[at.v].n_swaps = 0;
    if (dpc_better_parents(scorer, at.v, &c->dag->pa[at.v], add_swaps, &at) != DPC_OK)
        atomic_store(&c->failed, true);
}

/* Those of all nodes; *finished: it was not halted. */
static dpc_status find_swaps(climber *c, bool *finished)
{
    int count = 0;
    for (int v = 0; v < c->dag->n; v++)
        if (!c->options[v].swaps_known)
            c->nodes[count++] = v;
    *finished = dpc_crew_run(c->workers->crew, count, 40.0 * count * c->dag->n, swaps_task, c);
    for (int i = 0; i < count && *finished; i++)
        c->options[c->nodes[i]].swaps_known = true;
    return atomic_load(&c->failed) ? DPC_NO_MEMORY : DPC_OK;
}

/* ---- The best step ---- */

/* Better, or as good and first by its labels. */
static bool is_better(const climber *c, const step *s, const step *best)
{
    if (!(fabs(s->gain - best->gain) <= c->scoring->slack))
        return s->gain > best->gain;
    if (s->to != best->to)
        return s->to < best->to;
    if (s->from != best->from)
        return s->from < best->from;
    return s->kind != best->kind ? s->kind < best->kind : s->out < best->out;
}

/* Is it out of the question because of a circle? */
static bool consider(const climber *c, step s, step *best)
{
    bool circle = false;
    if (!(s.gain > c->scoring->slack) || !is_better(c, &s, best))
        return false;
    if (s.kind == ADD)
        circle = dpc_families_leads(c->dag, s.to, s.from);
    else if (s.kind == TURN)
        circle = dpc_families_leads(c->dag, s.from, s.to);
    else if (s.kind == SWAP)
        circle =
            dpc_families_joined(c->dag, s.to, s.from) || dpc_families_leads(c->dag, s.to, s.from);
    if (!circle)
        *best = s;
    return circle;
}

/* What u gains as the child that becomes a parent: v → u turned. */
static double turn_of(const climber *c, int v, int u)
{
    const dpc_relatives *ch = &c->dag->ch[v];
    return c->options[v].turn[dpc_place_for(ch->node, ch->count, u)];
}

/* All steps into v. A circle stays one until an edge is taken away. */
static void consider_node(const climber *c, int v, step *best)
{
    const options *o = &c->options[v];
    const dpc_relatives *pa = &c->dag->pa[v];
    for (int64_t i = 0; i < o->n_adds; i++)
        if (o->adds[i].blocked != c->removals &&
            consider(c, (step){o->adds[i].gain, o->adds[i].node, v, ADD, -1}, best))
            o->adds[i].blocked = c->removals;
    for (int64_t i = 0; i < pa->count; i++) {
        int u = pa->node[i];
        consider(c, (step){o->lose[i], u, v, DELETE, -1}, best);
        if (c->dag->pa[u].count < c->scoring->most_parents)
            consider(c, (step){o->lose[i] + turn_of(c, u, v), u, v, TURN, -1}, best);
    }
}

static bool find_best(const climber *c, step *best)
{
    *best = (step){.gain = -INFINITY};
    for (int v = 0; v < c->dag->n; v++)
        if (!(c->options[v].most < best->gain - c->scoring->slack))
            consider_node(c, v, best);
    return best->gain > 0;
}

static void consider_swaps(const climber *c, int v, step *best)
{
    const options *o = &c->options[v];
    for (int64_t i = 0; i < o->n_swaps; i++) {
        offer *in = &o->swaps[i].in;
        if (in->blocked != c->removals &&
            consider(c, (step){in->gain, in->node, v, SWAP, o->swaps[i].out}, best))
            in->blocked = c->removals;
    }
}

/* The best swap, where swaps are wanted. */
static dpc_status find_best_swap(climber *c, step *best, bool *found)
{
    bool finished = false;
    *best = (step){.gain = -INFINITY};
    if (c->nodes != NULL)
        DPC_CHECK(find_swaps(c, &finished));
    for (int v = 0; v < c->dag->n && finished; v++)
        consider_swaps(c, v, best);
    *found = best->gain > 0;
    return DPC_OK;
}

/* ---- The most that there is to be gained at a node ---- */

static void find_most(const climber *c, int v)
{
    options *o = &c->options[v];
    const dpc_relatives *pa = &c->dag->pa[v];
    o->most = -INFINITY;
    for (int64_t i = 0; i < o->n_adds; i++)
        o->most = fmax(o->most, o->adds[i].gain);
    for (int64_t i = 0; i < pa->count; i++)
        o->most = fmax(o->most, o->lose[i] + fmax(turn_of(c, pa->node[i], v), 0));
}

/* The steps at v have changed: its own, and how its children could be turned. */
static void find_most_near(const climber *c, int v)
{
    find_most(c, v);
    for (int64_t i = 0; i < c->dag->ch[v].count; i++)
        find_most(c, c->dag->ch[v].node[i]);
}

/* ---- Climbing ---- */

static dpc_status take(climber *c, const step *s)
{
    dpc_scorer *scorer = &c->workers->each[0];
    if (s->kind != ADD) {
        dpc_families_remove(c->dag, s->kind == SWAP ? s->out : s->from, s->to);
        c->removals++;
    }
    if (s->kind == ADD || s->kind == SWAP)
        DPC_CHECK(dpc_families_add(c->dag, s->from, s->to));
    if (s->kind == TURN)
        DPC_CHECK(dpc_families_add(c->dag, s->to, s->from));
    DPC_CHECK(renew(c, scorer, s->to));
    DPC_CHECK(s->kind == TURN ? renew(c, scorer, s->from) : renew_child(c, scorer, s->from, s->to));
    if (s->kind == SWAP)
        DPC_CHECK(renew_child(c, scorer, s->out, s->to));
    find_most_near(c, s->to);
    find_most_near(c, s->from);
    if (s->kind == SWAP)
        find_most_near(c, s->out);
    return DPC_OK;
}

static dpc_status climb(climber *c)
{
    int n = c->dag->n;
    step best;
    double work = 20.0 * n * n;
    bool finished = dpc_crew_run(c->workers->crew, n, work, renew_task, c);
    dpc_status status = atomic_load(&c->failed) ? DPC_NO_MEMORY : DPC_OK;
    for (int v = 0; finished && status == DPC_OK && v < n; v++)
        find_most(c, v);
    /* every step is a gain; but rounding could make a circle of gains that are none */
    int64_t most = 100 + 20 * (int64_t)n + 4 * dpc_families_edges(c->dag);
    for (int64_t i = 0; finished && status == DPC_OK && i < most; i++) {
        if (dpc_workers_halted(c->workers, 0))
            break;
        bool found = find_best(c, &best);
        if (!found)
            DPC_CHECK(find_best_swap(c, &best, &found));
        if (!found)
            break;
        status = take(c, &best);
        c->workers->crew->progress.edges = dpc_families_edges(c->dag);
    }
    return status;
}

static dpc_status climb_from(dpc_workers *workers, dpc_families *dag, bool swaps)
{
    int n = dag->n;
    climber c = {.scoring = workers->scoring, .workers = workers, .dag = dag, .removals = 1};
    atomic_init(&c.failed, false);
    c.options = dpc_zalloc(n, sizeof *c.options);
    c.nodes = swaps ? dpc_alloc(n, sizeof *c.nodes) : NULL;
    bool fine = c.options != NULL && (c.nodes != NULL || !swaps);
    dpc_status status = fine ? climb(&c) : DPC_NO_MEMORY;
    for (int v = 0; c.options != NULL && v < n; v++) {
        free(c.options[v].adds);
        free(c.options[v].lose);
        free(c.options[v].turn);
        free(c.options[v].swaps);
    }
    free(c.options);
    free(c.nodes);
    return status;
}

dpc_status dpc_climb(dpc_workers *workers, dpc_families *dag)
{
    return climb_from(workers, dag, false);
}

dpc_status dpc_climb_with_swaps(dpc_workers *workers, dpc_families *dag)
{
    return climb_from(workers, dag, true);
}
