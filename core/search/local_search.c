/* The search over orders near a DAG: see order_search.h. */
#include "order_search.h"

#include "alloc.h"
#include "candidate_parents.h"
#include "lookahead.h"
#include "sorted.h"

#include <math.h>
#include <string.h>

typedef struct near {
    dpc_searching *searching;
    int n;
    dpc_relatives *candidates; /* per node; owned */
    dpc_trees trees;
    dpc_lookahead lookahead;
    int worker;             /* that searches, … */
    dpc_walker *walker;     /* … and what belongs to it; not owned */
    dpc_ordering *ordering; /* not owned */
    dpc_families dag;       /* of the order */
    int32_t *best;          /* the best order; owned */
    double best_score;
    dpc_random random;
    dpc_families *result; /* not owned */
    dpc_status status;
} near;

/* u and v are candidates for each other. */
static dpc_status join(near *s, int u, int v)
{
    if (dpc_forbidden(s->searching->workers->scoring->known, u, v))
        return DPC_OK;
    DPC_CHECK(dpc_relatives_add(&s->candidates[v], u));
    return dpc_relatives_add(&s->candidates[u], v);
}

/* Parents and children, and parents of the same child. */
static dpc_status take_moral_graph(near *s, const dpc_families *dag)
{
    for (int v = 0; v < s->n; v++) {
        const dpc_relatives *pa = &dag->pa[v];
        for (int64_t i = 0; i < pa->count; i++) {
            DPC_CHECK(join(s, pa->node[i], v));
            for (int64_t j = 0; j < i; j++)
                DPC_CHECK(join(s, pa->node[j], pa->node[i]));
        }
    }
    return DPC_OK;
}

/* Those before v that are no candidates and would be a gain: makes them candidates. */
static dpc_status widen_at(near *s, int v, bool *wider)
{
    dpc_scorer *h = s->walker->scorer;
    const dpc_relatives *pa = &s->dag.pa[v];
    if (pa->count >= h->scoring->most_parents)
        return DPC_OK;
    DPC_CHECK(dpc_candidate_parents(h, v, pa, &s->dag.ch[v]));
    int count = dpc_scorer_candidates(h);
    for (int i = 0; i < count; i++) {
        int u = h->candidates[i].node;
        const dpc_relatives *known = &s->candidates[v];
        if (s->ordering->place[u] > s->ordering->place[v] ||
            dpc_place_of(known->node, known->count, u) >= 0 ||
            dpc_likelihood_of(h->scoring, h->candidates[i].square) <=
                h->scoring->price + h->scoring->slack)
            continue;
        DPC_CHECK(join(s, u, v));
        dpc_trees_forget_one(&s->trees, u);
        dpc_trees_forget_one(&s->trees, v);
        *wider = true;
    }
    return DPC_OK;
}

static dpc_status widen(near *s, bool *wider)
{
    *wider = false;
    for (int v = 0; v < s->n; v++)
        DPC_CHECK(widen_at(s, v, wider));
    dpc_walker_rest(s->walker);
    return DPC_OK;
}

/* The order settles on its trees. */
static dpc_status settle_near(near *s)
{
    if (dpc_trees_full(&s->trees))
        dpc_trees_forget(&s->trees);
    dpc_ordering_take(s->ordering, s->walker, s->ordering->order);
    dpc_lookahead_settle(&s->lookahead, s->worker, &s->random, (dpc_settling){0});
    dpc_lookahead_gather(&s->lookahead);
    return s->walker->status;
}

enum { MOST_ROUNDS = 20 };

/* Widens and settles until there is nothing to be added; s->dag is that of the order then. */
static dpc_status widen_and_settle(near *s)
{
    bool wider = true;
    for (int round = 0; wider && round < MOST_ROUNDS; round++) {
        wider = false;
        dpc_families_empty(&s->dag);
        DPC_CHECK(dpc_ordering_dag(s->ordering, s->walker, &s->dag));
        if (!dpc_workers_halted(s->searching->workers, s->worker))
            DPC_CHECK(widen(s, &wider));
        if (wider)
            DPC_CHECK(settle_near(s));
    }
    return DPC_OK;
}

/* If the order is better than the best one, or the first, it becomes that, and its DAG the result.
 */
static dpc_status keep_if_better(near *s, dpc_families *dag)
{
    double slack = s->searching->workers->scoring->slack;
    if (!(dpc_ordering_score(s->ordering) > s->best_score + slack))
        return DPC_OK;
    DPC_CHECK(widen_and_settle(s));
    if (!(dpc_ordering_score(s->ordering) > s->best_score + slack))
        return DPC_OK;
    s->best_score = dpc_ordering_score(s->ordering);
    memcpy(s->best, s->ordering->order, (size_t)s->n * sizeof *s->best);
    return dpc_families_copy(dag, &s->dag);
}

static dpc_status search(near *s, dpc_families *dag)
{
    dpc_searching *searching = s->searching;
    dpc_random_start(&s->random, searching->seed, 0);
    s->best_score = -INFINITY;
    dpc_families_order(dag, s->ordering->order);
    dpc_precedence_obey(searching->precedence, s->ordering->order);
    for (int i = 0; i <= dpc_restarts_for(searching, s->n); i++) {
        if (i > 0 && dpc_workers_halted(searching->workers, s->worker))
            break;
        if (i > 0) {
            memcpy(s->ordering->order, s->best, (size_t)s->n * sizeof *s->best);
            dpc_disturb(searching, &s->random, s->ordering->order, s->n);
        }
        DPC_CHECK(settle_near(s));
        DPC_CHECK(keep_if_better(s, dag));
        searching->restarts_done = i;
    }
    return DPC_OK;
}

/* The one task there is; the other workers look ahead. */
static void search_near(void *context, int64_t index, int worker)
{
    near *s = context;
    (void)index;
    s->worker = worker;
    s->walker = &s->lookahead.walkers[worker];
    s->ordering = &s->lookahead.orderings[worker];
    s->status = search(s, s->result);
}

/* A rough number of operations: whether it is worth more than one thread. */
static double work_of(const near *s)
{
    double work = 0;
    for (int v = 0; v < s->n; v++)
        work += 50. * (double)s->candidates[v].count * (double)s->candidates[v].count;
    return work;
}

static dpc_status run(near *s, const dpc_families *dag)
{
    dpc_searching *searching = s->searching;
    DPC_CHECK(take_moral_graph(s, dag));
    DPC_CHECK(dpc_trees_init(&s->trees, searching->workers->scoring, searching->precedence,
                             s->candidates, searching->budget));
    DPC_CHECK(dpc_lookahead_init(&s->lookahead, searching->workers, &s->trees));
    DPC_CHECK(dpc_families_init(&s->dag, s->n));
    dpc_lookahead_run(&s->lookahead, 1, work_of(s), search_near, s);
    return dpc_lookahead_failed(&s->lookahead) ? DPC_NO_MEMORY : s->status;
}

dpc_status dpc_search_near(dpc_searching *searching, dpc_families *dag)
{
    near s = {.searching = searching, .n = dag->n, .result = dag};
    s.candidates = dpc_zalloc(s.n, sizeof *s.candidates);
    s.best = dpc_alloc(s.n, sizeof *s.best);
    dpc_status status = s.candidates != NULL && s.best != NULL ? run(&s, dag) : DPC_NO_MEMORY;
    dpc_families_clear(&s.dag);
    dpc_lookahead_clear(&s.lookahead);
    dpc_trees_clear(&s.trees);
    for (int v = 0; s.candidates != NULL && v < s.n; v++)
        free(s.candidates[v].node);
    free(s.candidates);
    free(s.best);
    return status;
}
