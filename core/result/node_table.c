/*
 * The nodes of a graph with what is known of each: its neighbours, and how much of its variance
 * they explain.
 *
 * R² = 1 - σ²(v | S) / σ²(v), S the neighbours of v in the graph, or its parents. The nodes are
 * shared among the threads. Of a block of p columns it is 1 - (det Σ(v | S))^(1/p), of leading
 * columns alone where relations are curved. In a large dense graph the nodes with the most
 * neighbours have no R²: which ones depends on counted work.
 */
#include "arena.h"
#include "family.h"
#include "graph.h"
#include "result.h"
#include "status.h"
#include "strength.h"
#include "wilks.h"

#include <math.h>

/* One per worker. */
typedef struct worker_state {
    dpc_family family;
    dpc_direct direct; /* of blocks */
    int32_t *parents;  /* room for the neighbours of any node */
    dpc_status status;
} worker_state;

typedef struct node_job {
    const dpc_graph *graph;
    dpc_adjacency *joined;
    dpc_crew crew;
    worker_state *workers;
    int n_workers;
    int most;            /* neighbours: a node with more has no R² */
    dpc_node_info *rows; /* the result */
    dpc_arena arena;     /* of the arrays above but the result */
} node_job;

void dpc_node_table_free(dpc_node_table *table)
{
    if (table == NULL)
        return;
    free(table->rows);
    free(table);
}

/* ---- One node ---- */

/* The same of blocks of columns. */
static double explained_of_block(worker_state *t, int v, const int32_t *set, int size)
{
    const dpc_blocks *blocks = t->direct.view->blocks;
    double log_det = 0;
    t->status = dpc_direct_left(&t->direct, v, set, size, true, &log_det);
    int p = dpc_lead_of(blocks, v);
    if (t->status != DPC_OK || p == 0 || size == 0)
        return 0;
    return isnan(log_det) ? 1 : -expm1(log_det / p);
}

/* What a set explains of v; all of it where the set determines v. */
static double explained(worker_state *t, int v, const int32_t *set, int size)
{
    if (t->direct.view->blocks != NULL)
        return explained_of_block(t, v, set, size);
    t->status = dpc_family_of(&t->family, v, set, size);
    if (t->status != DPC_OK || size == 0)
        return 0;
    return dpc_family_determines(&t->family, v) ? 1 : 1 - dpc_family_variance(&t->family, v);
}

static void fill_row(void *context, int64_t index, int worker)
{
    const node_job *job = context;
    int v = (int)index;
    worker_state *t = &job->workers[worker];
    const int32_t *near = dpc_neighbours(job->joined, v);
    dpc_node_info row = {.neighbours = dpc_degree(job->joined, v), .r2_parents = NAN};
    if (t->status != DPC_OK)
        return;
    for (int i = 0; i < row.neighbours; i++) {
        dpc_mark mark = dpc_graph_mark(job->graph, near[i], v);
        if (mark == DPC_FORWARD)
            t->parents[row.parents++] = near[i];
        row.children += mark == DPC_BACKWARD;
    }
    bool few = row.neighbours <= job->most;
    row.r2 = few ? explained(t, v, near, row.neighbours) : NAN;
    if (few && t->status == DPC_OK && row.parents + row.children == row.neighbours)
        row.r2_parents = explained(t, v, t->parents, row.parents);
    job->rows[v] = row;
}

/* ---- All of them ---- */

static dpc_status job_init(node_job *job, const dpc_stats *stats, const dpc_settings *settings,
                           dpc_error *err)
{
    dpc_crew_init(&job->crew, settings, DPC_STAGE_ORIENT);
    job->crew.from = 1; /* that stage is done */
    job->workers = dpc_arena_zalloc(&job->arena, job->crew.threads, sizeof *job->workers);
    if (job->workers == NULL || dpc_adjacency_of(job->graph, NULL, &job->joined) != DPC_OK)
        return dpc_fail_memory(err, "the table of nodes");
    for (int most = dpc_max_degree(job->joined); job->n_workers < job->crew.threads;) {
        worker_state *t = &job->workers[job->n_workers++];
        t->parents = dpc_arena_alloc(&job->arena, most, sizeof *t->parents);
        t->direct.view = &stats->view;
        if (dpc_family_init(&t->family, stats, DPC_NOISE_CAREFUL) != DPC_OK || t->parents == NULL)
            return dpc_fail_memory(err, "the table of nodes");
    }
    return DPC_OK;
}

static void job_clear(node_job *job)
{
    for (int i = 0; i < job->n_workers; i++) {
        dpc_family_clear(&job->workers[i].family);
        dpc_direct_clear(&job->workers[i].direct);
    }
    dpc_adjacency_free(job->joined);
    dpc_arena_clear(&job->arena);
}

/* Multiplications of all regressions on at most `most` neighbours, two for each node. */
static double work_of(const node_job *job, int most)
{
    double n = job->graph->n_nodes, work = 1e3 * n;
    for (int v = 0; v < job->graph->n_nodes; v++) {
        double degree = dpc_degree(job->joined, v);
        work += degree <= most ? 2 * degree * degree * n : 0;
    }
    return work;
}

static dpc_status fill_all(node_job *job, dpc_error *err)
{
    const double bound = 2e9;
    int64_t n = job->graph->n_nodes;
    for (job->most = dpc_max_degree(job->joined); work_of(job, job->most) > bound;)
        job->most = job->most * 3 / 4;
    double work = work_of(job, job->most);
    bool done = dpc_crew_run(&job->crew, n, work, fill_row, job);
    for (int i = 0; i < job->n_workers; i++)
        if (job->workers[i].status != DPC_OK)
            return dpc_fail_memory(err, "the table of nodes");
    return done ? DPC_OK : dpc_fail(err, DPC_INTERRUPTED, "interrupted");
}

dpc_status dpc_tabulate_nodes(const dpc_result *result, const dpc_graph *graph,
                              dpc_progress_fn progress, void *progress_user, dpc_node_table **out,
                              dpc_error *err)
{
    node_job job = {.graph = graph != NULL ? graph : &result->found.graph};
    dpc_settings settings = result->settings;
    const dpc_labels columns = {0};
    const dpc_view view = dpc_view_of(result->correlation, &columns);
    const dpc_stats stats = dpc_stats_of(&view);
    settings.progress = progress;
    settings.progress_user = progress_user;
    DPC_CHECK(dpc_result_check_graph(result, job.graph, err));
    dpc_node_table *table = dpc_alloc(1, sizeof *table);
    if (table == NULL)
        return dpc_fail_memory(err, "the table of nodes");
    *table = (dpc_node_table){view.n, dpc_zalloc(view.n, sizeof *table->rows)};
    job.rows = table->rows;
    dpc_status status = table->rows != NULL ? DPC_OK : dpc_fail_memory(err, "the table of nodes");
    if (status == DPC_OK)
        status = job_init(&job, &stats, &settings, err);
    if (status == DPC_OK)
        status = fill_all(&job, err);
    job_clear(&job);
    if (status == DPC_OK)
        *out = table;
    else
        dpc_node_table_free(table);
    return status;
}
