/* The search over orders: see order_search.h. */
#include "order_search.h"

#include "memory.h"
#include "sorted.h"

#include <math.h>
#include <string.h>

/* ---- Near the DAG ---- */

typedef struct near {
    dpc_searching *searching;
    int n;
    dpc_kin *candidates; /* per node; owned */
    dpc_trees trees;
    dpc_walker walker;
    dpc_ordering ordering;
    dpc_families dag; /* of the order */
    int32_t *best;    /* the best order; owned */
    double best_score;
    dpc_random random;
} near;

/* Few variables cost next to nothing, and are searched well in any case. */
enum { FEW = 20, AT_LEAST = 140 };

static int restarts_for(const dpc_searching *searching, int n)
{
    return searching->restarts + (n <= FEW ? AT_LEAST / n : 0);
}

/* round(log n) times two nodes swap their places. */
static void disturb(const dpc_searching *searching, dpc_random *random, int32_t *order, int n)
{
    int swaps = (int)lround(log(n));
    for (int i = 0; i < swaps; i++) {
        int a = (int)dpc_random_below(random, (uint64_t)n);
        int b = (int)dpc_random_below(random, (uint64_t)n);
        int32_t swap = order[a];
        order[a] = order[b];
        order[b] = swap;
    }
    dpc_precedence_obey(searching->precedence, order);
}

static dpc_status add_candidate(dpc_kin *kin, int u)
{
    int64_t place = dpc_place_for(kin->node, kin->count, u);
    if (place < kin->count && kin->node[place] == u)
        return DPC_OK;
    if (kin->count == kin->capacity) {
        int64_t larger = kin->count + kin->count / 2 + 8;
        int32_t *node = dpc_regrow(kin->node, larger, sizeof *node);
        if (node == NULL)
            return DPC_NO_MEMORY;
        kin->node = node;
        kin->capacity = larger;
    }
    memmove(kin->node + place + 1, kin->node + place,
            (size_t)(kin->count - place) * sizeof *kin->node);
    kin->node[place] = u;
    kin->count++;
    return DPC_OK;
}

/* u and v are candidates for each other. */
static dpc_status join(near *s, int u, int v)
{
    if (dpc_never(s->searching->staff->scoring->known, u, v))
        return DPC_OK;
    dpc_status status = add_candidate(&s->candidates[v], u);
    return status == DPC_OK ? add_candidate(&s->candidates[u], v) : status;
}

/* Parents and children, and parents of the same child. */
static dpc_status take_moral_graph(near *s, const dpc_families *dag)
{
    dpc_status status = DPC_OK;
    for (int v = 0; v < s->n; v++) {
        const dpc_kin *pa = &dag->pa[v];
        for (int64_t i = 0; i < pa->count; i++) {
            if (status == DPC_OK)
                status = join(s, pa->node[i], v);
            for (int64_t j = 0; status == DPC_OK && j < i; j++)
                status = join(s, pa->node[j], pa->node[i]);
        }
    }
    return status;
}

/* Those before v that are no candidates and would be a gain: makes them candidates. */
static dpc_status widen_at(near *s, int v, bool *wider)
{
    dpc_hand *h = s->walker.hand;
    const dpc_kin *pa = &s->dag.pa[v];
    if (pa->count >= h->scoring->most_parents)
        return DPC_OK;
    dpc_status status = dpc_hand_family(h, v, pa->node, (int)pa->count, true);
    int count = status == DPC_OK ? dpc_hand_picks(h) : 0;
    for (int i = 0; status == DPC_OK && i < count; i++) {
        int u = h->picks[i].who;
        const dpc_kin *known = &s->candidates[v];
        if (s->ordering.place[u] > s->ordering.place[v] ||
            dpc_place_of(known->node, known->count, u) >= 0 ||
            dpc_likelihood_of(h->scoring, h->picks[i].square) <=
                h->scoring->price + h->scoring->slack)
            continue;
        status = join(s, u, v);
        dpc_trees_forget_one(&s->trees, u);
        dpc_trees_forget_one(&s->trees, v);
        *wider = true;
    }
    return status;
}

static dpc_status widen(near *s, bool *wider)
{
    dpc_status status = DPC_OK;
    *wider = false;
    for (int v = 0; status == DPC_OK && v < s->n; v++)
        status = widen_at(s, v, wider);
    dpc_walker_rest(&s->walker);
    return status;
}

/* The order settles on its trees. */
static dpc_status settle_near(near *s)
{
    if (dpc_trees_full(&s->trees))
        dpc_trees_forget(&s->trees);
    dpc_ordering_take(&s->ordering, &s->walker, s->ordering.order);
    dpc_ordering_settle(&s->ordering, &s->walker, &s->random, s->searching->staff, 0);
    return s->walker.status;
}

enum { MOST_ROUNDS = 20 };

/* Widens and settles until there is nothing to be added; s->dag is that of the order then. */
static dpc_status widen_and_settle(near *s)
{
    dpc_status status = DPC_OK;
    bool wider = true;
    for (int round = 0; status == DPC_OK && wider && round < MOST_ROUNDS; round++) {
        wider = false;
        dpc_families_empty(&s->dag);
        status = dpc_ordering_dag(&s->ordering, &s->walker, &s->dag);
        if (status == DPC_OK && !dpc_staff_halted(s->searching->staff, 0))
            status = widen(s, &wider);
        if (status == DPC_OK && wider)
            status = settle_near(s);
    }
    return status;
}

/* If the order is better than the best one, or the first, it becomes that, and its DAG the result.
 */
static dpc_status keep_if_better(near *s, dpc_families *dag)
{
    double slack = s->searching->staff->scoring->slack;
    if (!(dpc_ordering_score(&s->ordering) > s->best_score + slack))
        return DPC_OK;
    dpc_status status = widen_and_settle(s);
    if (status != DPC_OK || !(dpc_ordering_score(&s->ordering) > s->best_score + slack))
        return status;
    s->best_score = dpc_ordering_score(&s->ordering);
    memcpy(s->best, s->ordering.order, (size_t)s->n * sizeof *s->best);
    return dpc_families_copy(dag, &s->dag);
}

static dpc_status search_near(near *s, dpc_families *dag)
{
    dpc_searching *searching = s->searching;
    dpc_random_start(&s->random, searching->seed, 0);
    s->best_score = -INFINITY;
    dpc_status status = take_moral_graph(s, dag);
    dpc_families_order(dag, s->ordering.order);
    dpc_precedence_obey(searching->precedence, s->ordering.order);
    for (int i = 0; status == DPC_OK && i <= restarts_for(searching, s->n); i++) {
        if (i > 0 && dpc_staff_halted(searching->staff, 0))
            break;
        if (i > 0) {
            memcpy(s->ordering.order, s->best, (size_t)s->n * sizeof *s->best);
            disturb(searching, &s->random, s->ordering.order, s->n);
        }
        status = settle_near(s);
        if (status == DPC_OK)
            status = keep_if_better(s, dag);
        searching->restarts_done = i;
    }
    return status;
}

dpc_status dpc_search_near(dpc_searching *searching, dpc_families *dag)
{
    dpc_staff *staff = searching->staff;
    near s = {.searching = searching, .n = dag->n};
    s.candidates = dpc_zalloc(s.n, sizeof *s.candidates);
    s.best = dpc_alloc(s.n, sizeof *s.best);
    dpc_status status = s.candidates != NULL && s.best != NULL ? DPC_OK : DPC_NO_MEMORY;
    if (status == DPC_OK)
        status = dpc_trees_init(&s.trees, staff->scoring, searching->precedence, s.candidates,
                                searching->budget);
    if (status == DPC_OK)
        status = dpc_walker_init(&s.walker, &s.trees, &staff->hands[0]);
    if (status == DPC_OK)
        status = dpc_ordering_init(&s.ordering, s.n);
    if (status == DPC_OK)
        status = dpc_families_init(&s.dag, s.n);
    if (status == DPC_OK)
        status = search_near(&s, dag);
    dpc_families_clear(&s.dag);
    dpc_ordering_clear(&s.ordering);
    dpc_walker_clear(&s.walker);
    dpc_trees_clear(&s.trees);
    for (int v = 0; s.candidates != NULL && v < s.n; v++)
        free(s.candidates[v].node);
    free(s.candidates);
    free(s.best);
    return status;
}

/* ---- Over all variables ---- */

typedef struct wide {
    dpc_searching *searching;
    int n, workers;
    dpc_trees trees;
    dpc_walker *walkers;     /* one per worker; owned */
    dpc_ordering *orderings; /* one per worker; owned */
    int32_t *best;           /* the best order; owned */
    int32_t *tried;          /* per worker: an order; owned */
    double *score;           /* per worker: of that order once it has settled; owned */
    int first;               /* the number of the restart that worker 0's order is */
} wide;

static bool wide_failed(const wide *s)
{
    for (int w = 0; w < s->workers; w++)
        if (s->walkers[w].status != DPC_OK)
            return true;
    return false;
}

/* One order settles; its index says which. The worker takes its own ordering. */
static void try_order(void *context, int64_t index, int worker)
{
    wide *s = context;
    dpc_random random;
    int32_t *order = s->tried + index * s->n;
    dpc_ordering *ordering = &s->orderings[worker];
    dpc_random_start(&random, s->searching->seed, (uint64_t)(s->first + index) * 2 + 2);
    dpc_ordering_take(ordering, &s->walkers[worker], order);
    dpc_ordering_settle(ordering, &s->walkers[worker], &random, s->searching->staff, worker);
    memcpy(order, ordering->order, (size_t)s->n * sizeof *order);
    s->score[index] = dpc_ordering_score(ordering);
}

/* The best order, disturbed; drawn from the number of the restart alone. */
static void draw_order(const wide *s, int restart, int32_t *order)
{
    dpc_random random;
    dpc_random_start(&random, s->searching->seed, (uint64_t)restart * 2 + 1);
    memcpy(order, s->best, (size_t)s->n * sizeof *order);
    disturb(s->searching, &random, order, s->n);
}

static bool run(wide *s, int count)
{
    double work = 1e5 * s->n * count;
    if (dpc_trees_full(&s->trees))
        dpc_trees_forget(&s->trees);
    return dpc_crew_run(s->searching->staff->crew, count, work, try_order, s);
}

/* For the progress: restarts from `next` on, `count` of them, of all. */
static void tell(dpc_crew *crew, int next, int count, int all, double score)
{
    enum { BEFORE = 2 }; /* as much as so many restarts is done before them */
    crew->progress.level = next - 1;
    crew->progress.score = score;
    crew->from = (double)(next - 1 + BEFORE) / (all + BEFORE);
    crew->to = (double)(next - 1 + BEFORE + count) / (all + BEFORE);
}

/* The first of the orders that were tried that is better than the best becomes that. Returns how
 * many count: those after it do not. */
static int take_better(wide *s, int count, double *best)
{
    double slack = s->searching->staff->scoring->slack;
    for (int i = 0; i < count; i++) {
        if (!(s->score[i] > *best + slack))
            continue;
        *best = s->score[i];
        memcpy(s->best, s->tried + (int64_t)i * s->n, (size_t)s->n * sizeof *s->best);
        return i + 1;
    }
    return count;
}

static void restart(wide *s, double best)
{
    dpc_searching *searching = s->searching;
    int next = 1, last = restarts_for(searching, s->n);
    while (next <= last && !dpc_staff_halted(searching->staff, 0) && !wide_failed(s)) {
        int count = last - next + 1 < s->workers ? last - next + 1 : s->workers;
        tell(searching->staff->crew, next, count, last, best);
        s->first = next;
        for (int i = 0; i < count; i++)
            draw_order(s, next + i, s->tried + (int64_t)i * s->n);
        if (!run(s, count))
            return;
        next += take_better(s, count, &best);
        searching->restarts_done = next - 1;
    }
}

/*
 * Before the first order settles, on all threads: every node walks down its tree for all its
 * places.
 */
static void warm_up(void *context, int64_t v, int worker)
{
    wide *s = context;
    dpc_walker *walker = &s->walkers[worker];
    const int32_t *place = s->orderings[0].place;
    dpc_walk(walker, (int)v, (dpc_before){place, 0, -1, false});
    for (int i = 0; i < s->n && walker->status == DPC_OK; i++)
        if (s->best[i] != v && dpc_bit(walker->passed, 0, 0, s->best[i]))
            dpc_walk(walker, (int)v, (dpc_before){place, i + 1, (int)v, false});
}

static dpc_status search_all(wide *s, dpc_families *dag)
{
    dpc_families_order(dag, s->best);
    dpc_precedence_obey(s->searching->precedence, s->best);
    for (int i = 0; i < s->n; i++)
        s->orderings[0].place[s->best[i]] = i;
    if (s->workers > 1 && !dpc_crew_run(s->searching->staff->crew, s->n, 1e4 * s->n, warm_up, s))
        return DPC_OK;
    memcpy(s->tried, s->best, (size_t)s->n * sizeof *s->best);
    run(s, 1);
    if (wide_failed(s))
        return DPC_NO_MEMORY;
    memcpy(s->best, s->tried, (size_t)s->n * sizeof *s->best);
    restart(s, s->score[0]);
    if (wide_failed(s))
        return DPC_NO_MEMORY;
    for (int i = 0; i < s->n; i++)
        s->orderings[0].place[s->best[i]] = i;
    dpc_families_empty(dag);
    return dpc_ordering_dag(&s->orderings[0], &s->walkers[0], dag);
}

static dpc_status wide_init(wide *s)
{
    dpc_staff *staff = s->searching->staff;
    int64_t workers = s->workers;
    s->walkers = dpc_zalloc(workers, sizeof *s->walkers);
    s->orderings = dpc_zalloc(workers, sizeof *s->orderings);
    s->best = dpc_alloc(s->n, sizeof *s->best);
    s->tried = dpc_alloc(workers * s->n, sizeof *s->tried);
    s->score = dpc_alloc(workers, sizeof *s->score);
    if (!s->walkers || !s->orderings || !s->best || !s->tried || !s->score)
        return DPC_NO_MEMORY;
    dpc_status status = dpc_trees_init(&s->trees, staff->scoring, s->searching->precedence, NULL,
                                       s->searching->budget);
    for (int w = 0; status == DPC_OK && w < s->workers; w++) {
        status = dpc_walker_init(&s->walkers[w], &s->trees, &staff->hands[w]);
        if (status == DPC_OK)
            status = dpc_ordering_init(&s->orderings[w], s->n);
    }
    return status;
}

dpc_status dpc_search_all(dpc_searching *searching, dpc_families *dag)
{
    wide s = {.searching = searching, .n = dag->n, .workers = searching->staff->crew->threads};
    dpc_status status = wide_init(&s);
    if (status == DPC_OK)
        status = search_all(&s, dag);
    for (int w = 0; w < s.workers; w++) {
        if (s.walkers != NULL)
            dpc_walker_clear(&s.walkers[w]);
        if (s.orderings != NULL)
            dpc_ordering_clear(&s.orderings[w]);
    }
    dpc_trees_clear(&s.trees);
    free(s.walkers);
    free(s.orderings);
    free(s.best);
    free(s.tried);
    free(s.score);
    return status;
}
