/*
 * The edges of a graph with what is known of each: how strong, how close it came to being deleted,
 * how sure its direction, how often it was found in resamples.
 *
 * The edges are shared among the threads. The tests that an edge has survived are made again by the
 * replay that explanations use; all edges together get as much work as a long explanation, each the
 * same part of it, so that the answer does not depend on the threads.
 */
#include "arena.h"
#include "replay.h"
#include "status.h"
#include "strength.h"

#include <math.h>

static const double ALL_WORK = 3e10;  /* operations, for all edges, … */
static const double LEAST_WORK = 1e6; /* … and at least for each */

/* One per worker. */
typedef struct worker_state {
    dpc_replay replay; /* where there are tests */
    int32_t *set;      /* room for the neighbours of both ends */
    dpc_status status;
    dpc_error err;
} worker_state;

typedef struct edge_job {
    const dpc_result *result;
    const dpc_graph *graph;
    const dpc_frequencies *frequencies; /* or NULL */
    dpc_adjacency *joined;
    atomic_uchar *inverses;
    dpc_crew crew;
    worker_state *workers;
    int n_workers;
    dpc_edge_row *rows; /* the result */
    dpc_arena arena;    /* of the arrays above but the result */
} edge_job;

void dpc_edge_table_free(dpc_edge_table *table)
{
    if (table == NULL)
        return;
    free(table->rows);
    free(table);
}

/* ---- One edge ---- */

static void set_strength(const edge_job *job, worker_state *t, dpc_edge_row *row)
{
    dpc_interval strength = {NAN, NAN, NAN};
    int size = dpc_neighbours_of_either(job->joined, row->from, row->to, t->set);
    t->status = dpc_explain_strength(job->result->correlation, row->from, row->to, t->set, size,
                                     &strength, &t->err);
    row->r = strength.r;
    row->low = strength.low;
    row->high = strength.high;
}

/* The largest p of all tests that the edge of the result has survived. */
static void set_p(const edge_job *job, worker_state *t, dpc_edge_row *row)
{
    dpc_replay *replay = &t->replay;
    const dpc_result *result = job->result;
    if (t->status != DPC_OK || result->sepsets == NULL ||
        dpc_graph_mark(dpc_result_tested(result), row->from, row->to) == DPC_NONE)
        return;
    dpc_replay_reset(replay);
    dpc_replay_survived(replay, row->from, row->to);
    t->status = dpc_replay_status(replay, &t->err);
    row->p = replay->weakest.what.p; /* NaN: there is none */
    row->all_tests = !replay->exhausted;
}

static void set_frequencies(const dpc_frequencies *f, dpc_edge_row *row)
{
    if (f == NULL)
        return;
    dpc_frequency pair = dpc_frequency_of(f, row->from, row->to);
    bool turned = row->from > row->to;
    row->edge = pair.edge / f->total;
    row->forward = (turned ? pair.backward : pair.forward) / f->total;
    row->backward = (turned ? pair.forward : pair.backward) / f->total;
    row->undirected = pair.undirected / f->total;
}

static void fill_row(void *context, int64_t index, int worker)
{
    const edge_job *job = context;
    const dpc_edge *edge = &job->graph->edges[index];
    dpc_edge_row *row = &job->rows[index];
    worker_state *t = &job->workers[worker];
    if (t->status != DPC_OK)
        return;
    *row = (dpc_edge_row){
        .from = dpc_edge_from(edge),
        .to = dpc_edge_to(edge),
        .mark = dpc_edge_mark(edge),
        .p = NAN,
        .all_tests = true,
        .edge = NAN,
        .forward = NAN,
        .backward = NAN,
        .undirected = NAN,
        .association = !dpc_pair_has_sign(job->result->correlation, edge->a, edge->b),
    };
    set_strength(job, t, row);
    set_p(job, t, row);
    row->evidence = dpc_evidence(job->result, row->from, row->to);
    set_frequencies(job->frequencies, row);
}

/* ---- All of them ---- */

static dpc_status worker_init(worker_state *t, edge_job *job, const dpc_settings *settings,
                              int worker, dpc_error *err)
{
    int n = job->graph->n_nodes;
    double work = ALL_WORK / ((double)job->graph->n_edges + 1);
    t->set = dpc_arena_alloc(&job->arena, 2 * (int64_t)n, sizeof *t->set);
    if (t->set == NULL)
        return dpc_fail_memory(err, "the table of edges");
    if (job->result->sepsets == NULL)
        return DPC_OK;
    dpc_status status = dpc_replay_init(job->result, settings, &job->crew, worker, &t->replay, err);
    t->replay.most_work = fmin(t->replay.most_work, fmax(work, LEAST_WORK));
    t->replay.inverses = job->inverses;
    return status;
}

static dpc_status job_init(edge_job *job, const dpc_settings *settings, dpc_error *err)
{
    int64_t n = job->graph->n_nodes;
    dpc_crew_init(&job->crew, settings, DPC_STAGE_ORIENT);
    job->crew.from = 1; /* that stage is done */
    job->inverses =
        dpc_arena_zalloc(&job->arena, n * job->result->info.n_levels, sizeof *job->inverses);
    job->workers = dpc_arena_zalloc(&job->arena, job->crew.threads, sizeof *job->workers);
    if (dpc_arena_failed(&job->arena) || dpc_adjacency_of(job->graph, NULL, &job->joined) != DPC_OK)
        return dpc_fail_memory(err, "the table of edges");
    dpc_status status = DPC_OK;
    for (int i = 0; i < job->crew.threads && status == DPC_OK; i++, job->n_workers++)
        status = worker_init(&job->workers[i], job, settings, i, err);
    return status;
}

static void job_clear(edge_job *job)
{
    for (int i = 0; i < job->n_workers && job->result->sepsets != NULL; i++)
        dpc_replay_clear(&job->workers[i].replay);
    dpc_adjacency_free(job->joined);
    dpc_arena_clear(&job->arena);
}

static dpc_status fill_all(edge_job *job, dpc_error *err)
{
    int64_t count = job->graph->n_edges;
    bool done = dpc_crew_run(&job->crew, count, 3e3 * (double)count, fill_row, job);
    for (int i = 0; i < job->n_workers; i++)
        if (job->workers[i].status != DPC_OK) {
            if (err != NULL)
                *err = job->workers[i].err;
            return job->workers[i].status;
        }
    return done ? DPC_OK : dpc_fail(err, DPC_INTERRUPTED, "interrupted");
}

static dpc_status check_input(const edge_job *job, dpc_error *err)
{
    int n = job->result->correlation->n_vars;
    bool own = job->graph == &job->result->found.graph; /* which may be a PAG */
    if (!own)
        DPC_CHECK(dpc_result_check_graph(job->result, job->graph, err));
    if (job->frequencies != NULL && job->frequencies->n_vars != n)
        return dpc_fail(err, DPC_USAGE,
                        "the frequencies are about %d variables, and the result about %d",
                        job->frequencies->n_vars, n);
    return DPC_OK;
}

/* A table without values yet; NULL: no memory. */
static dpc_edge_table *table_new(int n_vars, int64_t n_rows)
{
    dpc_edge_table *table = dpc_alloc(1, sizeof *table);
    if (table == NULL)
        return NULL;
    *table = (dpc_edge_table){n_vars, n_rows, dpc_alloc(n_rows, sizeof *table->rows)};
    if (table->rows != NULL)
        return table;
    free(table);
    return NULL;
}

dpc_status dpc_tabulate_edges(const dpc_result *result, const dpc_graph *graph,
                              const dpc_frequencies *frequencies, dpc_progress_fn progress,
                              void *progress_user, dpc_edge_table **out, dpc_error *err)
{
    edge_job job = {.result = result,
                    .graph = graph != NULL ? graph : &result->found.graph,
                    .frequencies = frequencies};
    dpc_settings settings = result->settings;
    settings.progress = progress;
    settings.progress_user = progress_user;
    DPC_CHECK(check_input(&job, err));
    dpc_edge_table *table = table_new(result->correlation->n_vars, job.graph->n_edges);
    if (table == NULL)
        return dpc_fail_memory(err, "the table of edges");
    job.rows = table->rows;
    dpc_status status = job_init(&job, &settings, err);
    if (status == DPC_OK)
        status = fill_all(&job, err);
    job_clear(&job);
    if (status == DPC_OK)
        *out = table;
    else
        dpc_edge_table_free(table);
    return status;
}
