/* The search over orders: see order_search.h. */
#include "order_search.h"

#include "alloc.h"
#include "candidate_parents.h"
#include "deep_edit.h"
#include "gains.h"
#include "local_optimum.h"
#include "sorted.h"

#include <math.h>
#include <string.h>

enum { BATCH = 32, MOST_ROUNDS = 5, FEW = 20 };

struct dpc_order_search {
    dpc_workers *workers;       /* not owned */
    dpc_precedence *precedence; /* not owned */
    int n;
    uint64_t seed;
    double budget;
    dpc_relatives *candidates; /* per node; owned */
    dpc_trees trees[DPC_N_SCOPES];
    dpc_pool pool;
    dpc_trier *triers; /* one per worker; owned */
    dpc_tried tries[BATCH];
    dpc_deep_edit deep;
    atomic_bool failed; /* a try has run out of memory */
    dpc_families best;
    double score;
    bool local;   /* it is a local optimum */
    double *seen; /* the scores at which tries have ended; owned */
    int64_t n_seen, seen_capacity;
    int restarts;      /* so far, … */
    int successes;     /* … and those that have found something better */
    atomic_int better; /* of a batch: the first try that succeeds; those after it are void */
};

/* ---- Beginning and ending ---- */

static dpc_status make_deep_edit(dpc_order_search *s)
{
    int threads = s->workers->crew->threads;
    dpc_editor **editors = dpc_alloc(threads, sizeof *editors);
    for (int i = 0; editors != NULL && i < threads; i++)
        editors[i] = &s->triers[i].editor;
    return dpc_deep_edit_init(&s->deep, s->workers, editors);
}

static dpc_status make_parts(dpc_order_search *s)
{
    const dpc_scoring *scoring = s->workers->scoring;
    int n = s->n, threads = s->workers->crew->threads;
    double square = (double)n * n * sizeof(double);
    double budget[] = {fmin(s->budget, fmax(4e6, square / 4)), s->budget};
    s->candidates = dpc_zalloc(n, sizeof *s->candidates);
    s->triers = dpc_zalloc(threads, sizeof *s->triers);
    if (s->candidates == NULL || s->triers == NULL)
        return DPC_NO_MEMORY;
    for (int i = 0; i < DPC_N_SCOPES; i++)
        DPC_CHECK(dpc_trees_init(&s->trees[i], scoring, s->precedence,
                                 i == DPC_SCOPE_NEAR ? s->candidates : NULL, budget[i]));
    for (int i = 0; i < threads; i++)
        DPC_CHECK(dpc_trier_init(&s->triers[i], s->workers, i, s->precedence, s->trees));
    for (int i = 0; i < BATCH; i++)
        DPC_CHECK(dpc_tried_init(&s->tries[i], n));
    DPC_CHECK(make_deep_edit(s));
    DPC_CHECK(dpc_pool_init(&s->pool, n));
    return dpc_families_init(&s->best, n);
}

dpc_status dpc_order_search_new(dpc_workers *workers, dpc_precedence *precedence, uint64_t seed,
                                double budget, dpc_order_search **out)
{
    dpc_order_search *s = dpc_zalloc(1, sizeof *s);
    if (s == NULL)
        return DPC_NO_MEMORY;
    s->workers = workers;
    s->precedence = precedence;
    s->n = workers->scoring->stats.n;
    s->seed = seed;
    s->budget = budget;
    dpc_status status = make_parts(s);
    if (status == DPC_OK)
        *out = s;
    else
        dpc_order_search_free(s);
    return status;
}

void dpc_order_search_free(dpc_order_search *s)
{
    if (s == NULL)
        return;
    for (int v = 0; s->candidates != NULL && v < s->n; v++)
        free(s->candidates[v].node);
    for (int i = 0; s->triers != NULL && i < s->workers->crew->threads; i++)
        dpc_trier_clear(&s->triers[i]);
    for (int i = 0; i < BATCH; i++)
        dpc_tried_clear(&s->tries[i]);
    for (int i = 0; i < DPC_N_SCOPES; i++)
        dpc_trees_clear(&s->trees[i]);
    dpc_deep_edit_clear(&s->deep);
    dpc_pool_clear(&s->pool);
    dpc_families_clear(&s->best);
    free(s->candidates);
    free(s->triers);
    free(s->seen);
    free(s);
}

const dpc_families *dpc_order_search_best(const dpc_order_search *s, double *score)
{
    *score = s->score;
    return &s->best;
}

bool dpc_order_search_is_local(const dpc_order_search *s)
{
    return s->local;
}

int dpc_order_search_restarts(const dpc_order_search *s)
{
    return s->restarts;
}

int dpc_order_search_successes(const dpc_order_search *s)
{
    return s->successes;
}

/* ---- Candidates ---- */

/* u and v are candidates for each other. */
static dpc_status join(dpc_order_search *s, int u, int v)
{
    int64_t before = s->candidates[v].count;
    if (dpc_forbidden(s->workers->scoring->known, u, v))
        return DPC_OK;
    DPC_CHECK(dpc_relatives_add(&s->candidates[v], u));
    if (s->candidates[v].count == before)
        return DPC_OK;
    dpc_trees_forget_one(&s->trees[DPC_SCOPE_NEAR], u);
    dpc_trees_forget_one(&s->trees[DPC_SCOPE_NEAR], v);
    return dpc_relatives_add(&s->candidates[u], v);
}

/* Parents and children, and parents of the same child. */
static dpc_status take_moral_graph(dpc_order_search *s)
{
    for (int v = 0; v < s->n; v++) {
        const dpc_relatives *pa = &s->best.pa[v];
        for (int64_t i = 0; i < pa->count; i++) {
            DPC_CHECK(join(s, pa->node[i], v));
            for (int64_t j = 0; j < i; j++)
                DPC_CHECK(join(s, pa->node[j], pa->node[i]));
        }
    }
    return DPC_OK;
}

/* What a try has found; the members of pooled sets are candidates. */
static dpc_status take_found(dpc_order_search *s, const dpc_pool *found)
{
    for (int v = 0; v < s->n; v++)
        for (int32_t i = found->best[v]; i >= 0; i = found->set[i].next) {
            const dpc_pooled *set = &found->set[i];
            const int32_t *member = dpc_pooled_members(found, set);
            for (int j = 0; j < set->count; j++)
                DPC_CHECK(join(s, member[j], v));
            DPC_CHECK(dpc_pool_add(&s->pool, v, member, set->count, set->score));
        }
    return DPC_OK;
}

/* Those before v that are no candidates and would be a gain: makes them candidates. */
static dpc_status widen_at(dpc_order_search *s, dpc_trier *t, int v, bool *wider)
{
    dpc_scorer *h = t->alone.each;
    const dpc_scoring *scoring = h->scoring;
    const dpc_relatives *pa = &t->dag.pa[v], *known = &s->candidates[v];
    if (pa->count >= scoring->most_parents)
        return DPC_OK;
    DPC_CHECK(dpc_candidate_parents(h, v, pa, &t->dag.ch[v]));
    int count = dpc_scorer_candidates(h);
    for (int i = 0; i < count; i++) {
        int u = h->candidates[i].node;
        if (t->ordering.place[u] > t->ordering.place[v] ||
            dpc_place_of(known->node, known->count, u) >= 0 ||
            !(dpc_gain_of(scoring, h->candidates[i].square) > scoring->slack))
            continue;
        DPC_CHECK(join(s, u, v));
        *wider = true;
    }
    return DPC_OK;
}

/* ---- What is better than what there was ---- */

static dpc_status note_score(dpc_order_search *s, double score)
{
    double *seen = dpc_make_room(s->seen, &s->seen_capacity, s->n_seen + 1, sizeof *seen);
    if (seen == NULL)
        return DPC_NO_MEMORY;
    s->seen = seen;
    seen[s->n_seen++] = score;
    return DPC_OK;
}

static bool was_seen(const dpc_order_search *s, double score)
{
    for (int64_t i = 0; i < s->n_seen; i++)
        if (fabs(s->seen[i] - score) <= s->workers->scoring->slack)
            return true;
    return false;
}

static dpc_status take_best(dpc_order_search *s, const dpc_families *dag, double score)
{
    s->score = score;
    s->local = false;
    s->workers->crew->progress.score = score;
    s->workers->crew->progress.edges = dpc_families_edges(dag);
    DPC_CHECK(note_score(s, score));
    return dpc_families_copy(&s->best, dag);
}

dpc_status dpc_order_search_begin(dpc_order_search *s, const dpc_families *dag)
{
    double score;
    for (int i = 0; i < DPC_N_SCOPES; i++)
        dpc_trees_forget(&s->trees[i]);
    for (int v = 0; v < s->n; v++)
        s->candidates[v].count = 0;
    dpc_pool_empty(&s->pool);
    s->n_seen = 0;
    s->restarts = s->successes = 0;
    DPC_CHECK(dpc_dag_score(&s->workers->each[0], dag, &score));
    DPC_CHECK(take_best(s, dag, score));
    return take_moral_graph(s);
}

/* ---- The try from the best DAG ---- */

static bool is_halted(void *context, const dpc_ordering *ordering)
{
    const dpc_order_search *s = context;
    (void)ordering;
    return dpc_workers_halted(s->workers, 0);
}

/* Near: edits, and if there are none wider candidates. */
static dpc_status edit_near(void *context, dpc_trier *t, dpc_tried *tried, bool *came)
{
    dpc_order_search *s = context;
    DPC_CHECK(dpc_edit_order(NULL, t, tried, came));
    if (*came)
        return DPC_OK;
    dpc_families_empty(&t->dag);
    dpc_walker_rest(t->walker);
    DPC_CHECK(dpc_ordering_dag(&t->ordering, t->walker, &t->dag));
    for (int v = 0; v < s->n && !dpc_workers_halted(s->workers, 0); v++)
        DPC_CHECK(widen_at(s, t, v, came));
    return DPC_OK;
}

/* All: the deep edit of all nodes. */
static dpc_status edit_all(void *context, dpc_trier *t, dpc_tried *tried, bool *came)
{
    dpc_order_search *s = context;
    dpc_edited *edited = s->deep.edited;
    bool finished;
    for (int v = 0; v < s->n; v++) {
        int count = dpc_ordering_parents(&t->ordering, t->walker, v, t->list);
        DPC_CHECK(t->walker->status);
        DPC_CHECK(dpc_relatives_set(&edited[v].set, t->list, count));
    }
    DPC_CHECK(dpc_deep_edit_run(&s->deep, t->ordering.order, t->ordering.place, s->candidates,
                                &finished));
    for (int v = 0; finished && v < s->n; v++)
        DPC_CHECK(dpc_trier_pool(t, tried, v, edited[v].set.node, (int)edited[v].set.count,
                                 edited[v].score, came));
    return DPC_OK;
}

/* The order of the best DAG, whose sets the pool has where they are better than grown ones. */
static dpc_status begin_from_best(dpc_order_search *s, dpc_scope scope, dpc_tried *tried)
{
    dpc_trier *t = &s->triers[0];
    tried->scope = scope;
    dpc_families_order(&s->best, tried->order);
    dpc_precedence_obey(s->precedence, tried->order);
    DPC_CHECK(dpc_trier_begin(t, &s->pool, tried));
    DPC_CHECK(dpc_families_copy(&t->dag, &s->best));
    DPC_CHECK(dpc_trier_pool_dag(t, tried));
    return take_found(s, &tried->found);
}

/* The nearest local optimum of the best DAG; *better: it scores higher. */
static dpc_status climb_best(dpc_order_search *s, bool *better)
{
    dpc_families *dag = &s->triers[0].dag;
    double score;
    bool reached;
    DPC_CHECK(dpc_families_copy(dag, &s->best));
    DPC_CHECK(dpc_local_optimum(s->workers, dag, &reached));
    DPC_CHECK(dpc_dag_score(&s->workers->each[0], dag, &score));
    *better = score > s->score + s->workers->scoring->slack;
    if (*better)
        DPC_CHECK(take_best(s, dag, score));
    s->local = reached;
    return DPC_OK;
}

/* The try from the order of the best DAG. */
static dpc_status try_best(dpc_order_search *s, dpc_scope scope)
{
    dpc_tried *tried = &s->tries[0];
    dpc_try_plan plan = {.pool = &s->pool,
                         .seed = s->seed,
                         .number = (uint64_t)s->restarts,
                         .over = is_halted,
                         .context = s,
                         .edit = scope == DPC_SCOPE_ALL ? edit_all : edit_near};
    DPC_CHECK(begin_from_best(s, scope, tried));
    DPC_CHECK(dpc_try_order(&s->triers[0], &plan, tried));
    DPC_CHECK(take_found(s, &tried->found));
    if (tried->score > s->score + s->workers->scoring->slack)
        DPC_CHECK(take_best(s, &tried->dag, tried->score));
    return take_moral_graph(s);
}

dpc_status dpc_order_search_settle(dpc_order_search *s, dpc_scope scope)
{
    bool better = true;
    for (int i = 0; !dpc_workers_halted(s->workers, 0); i++) {
        DPC_CHECK(climb_best(s, &better));
        if (!better || i == MOST_ROUNDS)
            break;
        DPC_CHECK(try_best(s, scope));
    }
    return DPC_OK;
}

dpc_status dpc_order_search_improve(dpc_order_search *s, dpc_scope scope)
{
    if (scope == DPC_SCOPE_NEAR)
        return try_best(s, scope);
    DPC_CHECK(try_best(s, scope));
    return dpc_order_search_settle(s, scope);
}

/* ---- Restarts ---- */

/* How restarts are made. */
typedef struct manner {
    int swaps, patience; /* so many that fail in a row are the end */
    int all_every;       /* so manieth goes over all variables; 0: none */
} manner;

/* By the graph that the first try has found: the dearer a restart, the fewer. */
static manner find_manner(const dpc_order_search *s, dpc_scope scope)
{
    double n = s->n, work = 1; /* of a sweep over candidates, per node */
    for (int v = 0; v < s->n; v++)
        work += (double)s->candidates[v].count * (double)s->candidates[v].count / n;
    int swaps = (int)lround(log(n)), patience = (int)fmin(6000 / work, 120);
    if (scope == DPC_SCOPE_NEAR)
        return (manner){swaps, 5, 0};
    if (dpc_families_edges(&s->best) > 3 * (int64_t)s->n && work > 300)
        return (manner){1, patience > 20 ? patience : 20, 0}; /* dense */
    int least = s->n <= FEW ? 150 : 40;
    patience = patience > least ? patience : least;
    return (manner){swaps, patience, n * n < 4 * work ? 2 : work < 80 ? 8 : work < 300 ? 10 : 16};
}

/* The order of the best DAG with some places swapped, drawn from the number of the try alone. */
static void draw_order(dpc_order_search *s, const manner *m, int number, int32_t *order)
{
    dpc_random random;
    dpc_families_order(&s->best, order);
    dpc_random_start(&random, s->seed, 2 * (uint64_t)number + 1);
    for (int i = 0; i < m->swaps; i++) {
        int a = (int)dpc_random_below(&random, (uint64_t)s->n);
        int b = (int)dpc_random_below(&random, (uint64_t)s->n);
        int32_t swap = order[a];
        order[a] = order[b];
        order[b] = swap;
    }
    dpc_precedence_obey(s->precedence, order);
}

/* A try of a batch. */
typedef struct batch_try {
    dpc_order_search *search;
    int index, worker;
} batch_try;

static bool is_void(void *context, const dpc_ordering *ordering)
{
    const batch_try *b = context;
    (void)ordering;
    return b->index > atomic_load(&b->search->better) ||
           dpc_workers_halted(b->search->workers, b->worker);
}

static bool is_new(void *context, const dpc_trier *t)
{
    const batch_try *b = context;
    return !was_seen(b->search, dpc_ordering_score(&t->ordering));
}

static void try_task(void *context, int64_t index, int worker)
{
    dpc_order_search *s = context;
    dpc_tried *tried = &s->tries[index];
    batch_try b = {s, (int)index, worker};
    dpc_try_plan plan = {.pool = &s->pool,
                         .seed = s->seed,
                         .number = (uint64_t)s->restarts + 1 + (uint64_t)index,
                         .over = is_void,
                         .context = &b,
                         .goes_on = is_new};
    if (is_void(&b, NULL))
        return;
    if (dpc_try_order(&s->triers[worker], &plan, tried) != DPC_OK) {
        atomic_store(&s->failed, true);
        return;
    }
    int old = atomic_load(&s->better);
    while (tried->score > s->score + s->workers->scoring->slack && (int)index < old &&
           !atomic_compare_exchange_weak(&s->better, &old, (int)index))
        ;
}

/* What the tries have found that count. */
static dpc_status close_batch(dpc_order_search *s, int made)
{
    for (int i = 0; i < made; i++) {
        const dpc_tried *tried = &s->tries[i];
        DPC_CHECK(take_found(s, &tried->found));
        DPC_CHECK(note_score(s, tried->settled));
        if (tried->score > -INFINITY)
            DPC_CHECK(note_score(s, tried->score));
    }
    return DPC_OK;
}

/* So many tries, or until one succeeds: see order_search.h. How many were made, and whether the
 * last of them did. */
static dpc_status run_batch(dpc_order_search *s, const manner *m, int count, int *made,
                            bool *succeeded)
{
    for (int i = 0; i < DPC_N_SCOPES; i++)
        if (dpc_trees_full(&s->trees[i]))
            dpc_trees_forget(&s->trees[i]);
    atomic_store(&s->better, count);
    for (int i = 0; i < count; i++) { /* here, for the memory of the precedence is shared */
        int number = s->restarts + 1 + i;
        dpc_tried *tried = &s->tries[i];
        draw_order(s, m, number, tried->order);
        tried->scope =
            m->all_every > 0 && number % m->all_every == 0 ? DPC_SCOPE_ALL : DPC_SCOPE_NEAR;
        tried->score = -INFINITY;
    }
    bool finished = dpc_crew_run(s->workers->crew, count, 1e5 * s->n * count, try_task, s);
    int better = atomic_load(&s->better);
    *succeeded = finished && better < count;
    *made = *succeeded ? better + 1 : finished ? count : 0;
    if (atomic_load(&s->failed))
        return DPC_NO_MEMORY;
    return close_batch(s, *made);
}

dpc_status dpc_order_search_restart(dpc_order_search *s, dpc_scope scope, int restarts)
{
    manner m = find_manner(s, scope);
    int failures = 0, patience = restarts == DPC_AUTO_RESTARTS ? m.patience : INT32_MAX;
    int most = restarts == DPC_AUTO_RESTARTS ? INT32_MAX : s->restarts + restarts, made = 1;
    while (made > 0 && failures < patience && s->restarts < most) {
        int left = most - s->restarts, count = patience - failures;
        bool succeeded;
        count = count < left ? count : left;
        count = count < BATCH ? count : BATCH;
        DPC_CHECK(run_batch(s, &m, count, &made, &succeeded));
        if (succeeded)
            DPC_CHECK(take_best(s, &s->tries[made - 1].dag, s->tries[made - 1].score));
        s->restarts += made;
        s->successes += succeeded;
        s->workers->crew->progress.restarts = s->restarts;
        failures = succeeded ? 0 : failures + made;
        if (succeeded)
            DPC_CHECK(dpc_order_search_improve(s, scope));
    }
    return DPC_OK;
}
