/*
 * The edges of a graph with what is known of each: how strong, how close it came to being deleted,
 * how sure its direction, how often it was found in resamples.
 *
 * The edges are shared among the threads. The tests that an edge has survived are made again by the
 * replay that explanations use; all edges together get as much work as a long explanation, each the
 * same part of it, so that the answer does not depend on the threads.
 */
#include "alloc.h"
#include "blas.h"
#include "replay.h"
#include "status.h"
#include "strength.h"

#include <math.h>

static const double ALL_WORK = 3e10;  /* operations, for all edges, … */
static const double LEAST_WORK = 1e6; /* … and at least for each */

/* One per worker. */
typedef struct worker_state {
    dpc_replay replay; /* where there are tests */
    int32_t *set;      /* n; owned */
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
    dpc_edge_row *rows;
} edge_job;

void dpc_edge_table_free(dpc_edge_table *table)
{
    if (table == NULL)
        return;
    free(table->rows);
    free(table);
}

/* ---- One edge ---- */

static void tell_strength(const edge_job *job, worker_state *t, dpc_edge_row *row)
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
static void tell_tests(const edge_job *job, worker_state *t, dpc_edge_row *row)
{
    dpc_replay *replay = &t->replay;
    const dpc_result *result = job->result;
    if (t->status != DPC_OK || result->sepsets == NULL ||
        dpc_graph_mark(&result->found.graph, row->from, row->to) == DPC_NONE)
        return;
    dpc_replay_reset(replay);
    dpc_replay_survived(replay, dpc_label_of(&result->sepsets->labels, row->from),
                        dpc_label_of(&result->sepsets->labels, row->to));
    t->status = dpc_replay_status(replay, &t->err);
    row->p = replay->weakest.what.p; /* NaN: there is none */
    row->all_tests = !replay->exhausted;
}

static void tell_frequencies(const dpc_frequencies *f, dpc_edge_row *row)
{
    if (f == NULL)
        return;
    dpc_frequency pair = dpc_frequency_of(f, row->from, row->to);
    bool turned = row->from > row->to;
    double all = f->resamples;
    row->edge = pair.edge / all;
    row->forward = (turned ? pair.backward : pair.forward) / all;
    row->backward = (turned ? pair.forward : pair.backward) / all;
    row->undirected = pair.undirected / all;
}

static void tell_edge(void *context, int64_t index, int worker)
{
    const edge_job *job = context;
    const dpc_edge *edge = &job->graph->edges[index];
    bool turned = edge->mark == DPC_BACKWARD;
    dpc_edge_row *row = &job->rows[index];
    worker_state *t = &job->workers[worker];
    if (t->status != DPC_OK)
        return;
    *row = (dpc_edge_row){
        .from = turned ? edge->b : edge->a,
        .to = turned ? edge->a : edge->b,
        .mark = edge->mark == DPC_UNDIRECTED ? DPC_UNDIRECTED : DPC_FORWARD,
        .p = NAN,
        .all_tests = true,
        .edge = NAN,
        .forward = NAN,
        .backward = NAN,
        .undirected = NAN,
    };
    tell_strength(job, t, row);
    tell_tests(job, t, row);
    row->evidence = dpc_evidence(job->result, row->from, row->to);
    tell_frequencies(job->frequencies, row);
}

/* ---- All of them ---- */

static dpc_status worker_init(worker_state *t, edge_job *job, const dpc_settings *settings,
                              int worker, dpc_error *err)
{
    int n = job->graph->n_nodes;
    double work = ALL_WORK / ((double)job->graph->n_edges + 1);
    t->set = dpc_alloc(2 * (int64_t)n, sizeof *t->set);
    if (t->set == NULL)
        return dpc_fail_memory(err, "the table of edges");
    if (job->result->sepsets == NULL)
        return DPC_OK;
    dpc_status status = dpc_replay_init(job->result, settings, &job->crew, worker, &t->replay, err);
    t->replay.most_work = fmin(t->replay.most_work, fmax(work, LEAST_WORK));
    t->replay.inverses = job->inverses;
    return status;
}

static dpc_status telling_init(edge_job *job, const dpc_settings *settings, dpc_error *err)
{
    int64_t n = job->graph->n_nodes;
    dpc_crew_init(&job->crew, settings, DPC_STAGE_ORIENT);
    job->crew.from = 1; /* that stage is done */
    job->rows = dpc_alloc(job->graph->n_edges, sizeof *job->rows);
    job->inverses = dpc_zalloc(n * job->result->info.n_levels, sizeof *job->inverses);
    job->workers = dpc_zalloc(job->crew.threads, sizeof *job->workers);
    if (job->rows == NULL || job->inverses == NULL || job->workers == NULL ||
        dpc_adjacency_of(job->graph, NULL, &job->joined) != DPC_OK)
        return dpc_fail_memory(err, "the table of edges");
    dpc_status status = DPC_OK;
    for (int i = 0; i < job->crew.threads && status == DPC_OK; i++, job->n_workers++)
        status = worker_init(&job->workers[i], job, settings, i, err);
    return status;
}

static void telling_clear(edge_job *job)
{
    for (int i = 0; i < job->n_workers; i++) {
        if (job->result->sepsets != NULL)
            dpc_replay_clear(&job->workers[i].replay);
        free(job->workers[i].set);
    }
    dpc_adjacency_free(job->joined);
    free(job->inverses);
    free(job->workers);
    free(job->rows);
}

static dpc_status tell_all(edge_job *job, dpc_error *err)
{
    int64_t count = job->graph->n_edges;
    bool done = dpc_crew_run(&job->crew, count, 3e3 * (double)count, tell_edge, job);
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
    dpc_status status = dpc_result_check_graph(job->result, job->graph, err);
    if (status == DPC_OK && job->frequencies != NULL && job->frequencies->n_vars != n)
        status = dpc_fail(err, DPC_USAGE,
                          "the frequencies are about %d variables, and the result about %d",
                          job->frequencies->n_vars, n);
    return status;
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
    dpc_status status = check_input(&job, err);
    if (status == DPC_OK)
        status = dpc_blas_ready(&settings, err);
    if (status != DPC_OK)
        return status;
    dpc_edge_table *table = dpc_zalloc(1, sizeof *table);
    status = table != NULL ? telling_init(&job, &settings, err)
                           : dpc_fail_memory(err, "the table of edges");
    if (status == DPC_OK)
        status = tell_all(&job, err);
    if (status == DPC_OK) {
        *table = (dpc_edge_table){result->correlation->n_vars, job.graph->n_edges, job.rows};
        *out = table;
        table = NULL;
        job.rows = NULL;
    }
    telling_clear(&job);
    dpc_edge_table_free(table);
    return status;
}
