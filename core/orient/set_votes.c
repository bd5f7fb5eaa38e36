/*
 * The votes on each unshielded triple x — y — z: all sets that separate x and z.
 *
 * The sets are the subsets of the neighbours of x, and those of the neighbours of z, up to
 * max_order members; each is tested at α as in section 2 of docs/algorithm.md. A set with y in it
 * votes against a collider, one without y for it. One that lies among the neighbours of both, such
 * as the empty set, has two votes, as in pcalg.
 *
 * Subsets are enumerated by recursion: one member more at each depth (dpc_partial in linalg.h), so
 * that a test given k variables costs about k² operations. A set with a singular subset cannot be
 * tested, so no set that begins with such a subset is.
 */
#include "set_votes.h"

#include "alloc.h"
#include "arena.h"
#include "crew.h"
#include "linalg.h"
#include "patch.h"
#include "rows.h"
#include "status.h"
#include "test.h"
#include "two_away.h"
#include "wilks.h"

#include <math.h>

typedef struct vote_job vote_job;

/* What one worker needs. */
typedef struct worker_state {
    vote_job *job;
    int worker;
    dpc_two_away away;
    int64_t *with; /* per node: separating sets with it */
    int64_t total; /* separating sets */
    int64_t budget;
    bool stopped, failed;
    dpc_direct direct; /* where variables are blocks */
    /* the pair, and the neighbours that sets are taken from */
    int x, z;
    const int32_t *pool;
    int32_t *allowed; /* see dpc_part_of */
    dpc_view view;    /* of R, or of a patch of it over the pool and the pair … */
    int32_t *called;  /* … and what it calls each node; n */
    dpc_patch patch;
    int32_t *columns; /* of the pool and the pair */
    dpc_arena memory; /* of the arrays here */
    int pool_size;
    int32_t *set;        /* members so far, labels */
    int32_t *members;    /* the same, as the view calls them */
    double *factor;      /* memory of … */
    dpc_partial partial; /* … what they leave of x and z */
} worker_state;

struct vote_job {
    const dpc_unoriented *task;
    dpc_triples *triples;
    dpc_critical critical;
    worker_state *workers;
    dpc_crew crew;
    bool majority;
    int most; /* members of a set */
};

/* By the N of the pair and the set. Where each test has its own, there is an R: `called` are its
 * columns. */
static double critical_of(const worker_state *t, int size)
{
    const dpc_view *view = t->job->task->view;
    int64_t rows = dpc_test_rows(view, t->called[t->x], t->called[t->z], t->members, size);
    return dpc_critical_at(&t->job->critical, false, rows, size);
}

static void count_set(worker_state *t, const dpc_left *left, int size)
{
    double c = critical_of(t, size);
    if (!(fabs(left->xy) <= c * sqrt(left->x * left->y)))
        return;
    t->total++;
    for (int i = 0; i < size; i++)
        t->with[t->set[i]]++;
}

/* The next member of the set. False: it cannot be tested, nor can any set that begins with it. */
static bool add_member(worker_state *t, int v)
{
    dpc_partial *p = &t->partial;
    t->set[p->k] = v;
    t->members[p->k] = t->called[v];
    return dpc_partial_push(p) && p->left.x >= DPC_SINGULAR && p->left.y >= DPC_SINGULAR;
}

/* All sets that begin with the members so far and go on from place `first` of the pool. */
static void enumerate(worker_state *t, int first)
{
    dpc_partial *p = &t->partial;
    const dpc_left before = p->left;
    int size = p->k;
    count_set(t, &before, size);
    if (size == t->job->most)
        return;
    for (int i = first; i < t->pool_size && !t->stopped; i++) {
        t->budget -= (int64_t)size * size + 8;
        if (t->budget < 0) {
            t->budget = 1 << 20;
            t->stopped = dpc_crew_stopped(&t->job->crew, t->worker);
        }
        if (add_member(t, t->pool[i]))
            enumerate(t, i + 1);
        dpc_partial_back(p, size, before);
    }
}

/* R over the pool and the pair, or all of it where it is there; and what that calls the nodes. */
static void open_view(worker_state *t)
{
    const dpc_view *view = t->job->task->view;
    int size = t->pool_size;
    dpc_columns_of(view, t->pool, size, t->columns);
    t->columns[size] = dpc_column_of(view->labels, t->x);
    t->columns[size + 1] = dpc_column_of(view->labels, t->z);
    t->view = dpc_patch_over(&t->patch, view, t->columns, size + 2);
    for (int i = 0; i < size; i++)
        t->called[t->pool[i]] = t->columns[i];
    t->called[t->x] = t->columns[size];
    t->called[t->z] = t->columns[size + 1];
}

/* The same where variables are blocks: each set by the direct way. */
static void enumerate_blocks(worker_state *t, int size, int first)
{
    const dpc_unoriented *task = t->job->task;
    dpc_block_answer answer;
    for (int i = 0; i < size; i++)
        t->members[i] = dpc_column_of(task->view->labels, t->set[i]);
    t->failed = t->failed || dpc_direct_primal(&t->direct, dpc_column_of(task->view->labels, t->x),
                                               dpc_column_of(task->view->labels, t->z), t->members,
                                               size, &answer) != DPC_OK;
    t->stopped = t->stopped || t->failed || dpc_crew_stopped(&t->job->crew, t->worker);
    if (!t->failed && answer.p > task->settings->alpha) {
        t->total++;
        for (int i = 0; i < size; i++)
            t->with[t->set[i]]++;
    }
    for (int i = first; i < t->pool_size && size < t->job->most && !t->stopped; i++) {
        t->set[size] = t->pool[i];
        enumerate_blocks(t, size + 1, i + 1);
    }
}

/* The sets of x and z among the neighbours of a node. */
static void count_from(worker_state *t, int node)
{
    const dpc_adjacency *g = t->job->task->skeleton;
    const dpc_constraints *known = t->job->task->known;
    dpc_part pool = dpc_part_of(known, dpc_limit(known, t->x, t->z), dpc_neighbours(g, node),
                                dpc_degree(g, node), t->allowed);
    t->pool = pool.node;
    t->pool_size = pool.size;
    if (t->job->task->view->blocks != NULL) {
        enumerate_blocks(t, 0, 0);
        return;
    }
    open_view(t);
    t->partial = dpc_partial_start(t->view.r, t->view.n, t->called[t->x], t->called[t->z],
                                   t->members, t->job->most, DPC_SINGULAR, t->factor);
    enumerate(t, 0);
}

/* The verdict on one triple. */
static void conclude(const worker_state *t, const dpc_between *between)
{
    dpc_triples *triples = t->job->triples;
    int64_t with = t->with[between->y], total = t->total;
    uint8_t mark = DPC_OPEN;
    if (total > 0 && (t->job->majority ? 2 * with < total : with == 0))
        mark = DPC_COLLIDER;
    else if (total > 0 && (t->job->majority ? 2 * with > total : with == total))
        mark = DPC_NO_COLLIDER;
    triples->mark[between->entry] = mark;
    triples->weight[between->entry] =
        total > 0 ? (int32_t)lrint((double)with / (double)total * DPC_WEIGHT_ONE) : -1;
}

static void clear_counts(worker_state *t, int node)
{
    const dpc_adjacency *g = t->job->task->skeleton;
    for (int64_t e = g->start[node]; e < g->start[node + 1]; e++)
        t->with[g->node[e]] = 0;
}

/* The triples of all pairs of x with a larger node two edges away. */
static void vote_from(void *context, int64_t x, int worker)
{
    vote_job *job = context;
    worker_state *t = &job->workers[worker];
    dpc_two_away_from(&t->away, job->triples, (int)x);
    for (int i = 0; i < t->away.n_ends && !t->stopped; i++) {
        t->x = (int)x;
        t->z = t->away.ends[i];
        t->total = 0;
        clear_counts(t, t->x);
        clear_counts(t, t->z);
        if (!dpc_forbidden(job->task->known, t->x, t->z)) {
            count_from(t, t->x);
            count_from(t, t->z);
        }
        if (t->stopped)
            t->total = 0; /* some of the votes are none */
        for (int32_t k = t->away.first[t->z]; k >= 0; k = t->away.between[k].next)
            conclude(t, &t->away.between[k]);
    }
}

/* The largest set that can be tested. */
static int largest_set(const dpc_unoriented *task)
{
    int most = dpc_max_degree(task->skeleton);
    if (most > task->settings->max_order)
        most = task->settings->max_order;
    int64_t rows = dpc_rows_among(task->view, 0, NULL, dpc_nodes(task->view)).most;
    while (most > 0 && !dpc_testable(rows, most))
        most--;
    return most;
}

static dpc_status worker_init(vote_job *job, int worker, worker_state *t)
{
    const dpc_view *view = job->task->view;
    int64_t degree = dpc_max_degree(job->task->skeleton), most = job->most;
    *t = (worker_state){.job = job, .worker = worker, .direct = {.view = view}};
    t->called = dpc_arena_alloc(&t->memory, view->n, sizeof *t->called);
    t->columns = dpc_arena_alloc(&t->memory, degree + 2, sizeof *t->columns);
    t->with = dpc_arena_zalloc(&t->memory, job->task->skeleton->n, sizeof *t->with);
    t->set = dpc_arena_alloc(&t->memory, most, sizeof *t->set);
    t->members = dpc_arena_alloc(&t->memory, most, sizeof *t->members);
    t->factor = dpc_arena_alloc(&t->memory, (most + 2) * (most + 1), sizeof *t->factor);
    t->allowed = dpc_arena_alloc(&t->memory, 2 * degree, sizeof *t->allowed);
    if (dpc_arena_failed(&t->memory))
        return DPC_NO_MEMORY;
    DPC_CHECK(dpc_patch_reserve(&t->patch, view, degree + 2));
    return dpc_two_away_init(job->task->skeleton, &t->away);
}

static void worker_clear(worker_state *t)
{
    dpc_two_away_clear(&t->away);
    dpc_patch_clear(&t->patch);
    dpc_direct_clear(&t->direct);
    dpc_arena_clear(&t->memory);
}

static dpc_status init_workers(vote_job *job)
{
    job->workers = dpc_zalloc(job->crew.threads, sizeof *job->workers);
    dpc_status status = job->workers != NULL ? DPC_OK : DPC_NO_MEMORY;
    for (int i = 0; status == DPC_OK && i < job->crew.threads; i++)
        status = worker_init(job, i, &job->workers[i]);
    return status;
}

/* What the time does not reach has no sets, as far as anybody knows. */
static void nobody_votes(dpc_triples *triples)
{
    for (int64_t entry = 0; entry < dpc_triples_end(triples); entry++)
        triples->weight[entry] = -1;
}

dpc_status dpc_count_set_votes(const dpc_unoriented *task, dpc_triples *triples, dpc_error *err)
{
    vote_job job = {
        .task = task,
        .triples = triples,
        .majority = task->settings->orient == DPC_MAJORITY,
        .most = largest_set(task),
    };
    double work = 1000 * (double)dpc_triples_end(triples);
    dpc_crew_init(&job.crew, task->settings, DPC_STAGE_ORIENT);
    job.crew.limit = task->limit;
    dpc_status status =
        dpc_critical_init(task->settings, task->view->n_obs, job.most, &job.critical, err);
    if (status == DPC_OK && init_workers(&job) != DPC_OK)
        status = dpc_fail_memory(err, "the votes on the directions");
    if (status == DPC_OK && task->limit != NULL)
        nobody_votes(triples);
    if (status == DPC_OK && !dpc_crew_run(&job.crew, task->skeleton->n, work, vote_from, &job) &&
        !job.crew.late)
        status = dpc_fail(err, DPC_INTERRUPTED, "interrupted");
    for (int i = 0; job.workers != NULL && i < job.crew.threads; i++) {
        if (job.workers[i].failed && status == DPC_OK)
            status = dpc_fail_memory(err, "the votes on the directions");
        worker_clear(&job.workers[i]);
    }
    free(job.workers);
    dpc_critical_clear(&job.critical);
    return status;
}
