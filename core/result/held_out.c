/* The likelihood of rows that were not learned from: see held_out.h. */
#include "held_out.h"

#include "arena.h"
#include "crew.h"
#include "expand.h"
#include "extension.h"
#include "kinds.h"
#include "learn.h"
#include "linalg.h"
#include "mixed_lists.h"
#include "settings.h"
#include "status.h"
#include "table.h"

#include <math.h>
#include <string.h>

enum { LEAST_ROWS = 2 * DPC_HELD_OUT_BLOCKS };

/* ---- Counted work ---- */

typedef struct counting {
    const dpc_settings *settings; /* whose caller is asked */
    int64_t most;
    bool beyond; /* more were made */
} counting;

static int count(const dpc_progress *progress, void *user)
{
    counting *c = user;
    c->beyond = c->beyond || progress->tests > c->most || progress->scores > c->most;
    return c->beyond || (c->settings->progress != NULL &&
                         c->settings->progress(progress, c->settings->progress_user) != 0);
}

dpc_status dpc_learn_within(const dpc_correlation *correlation, const dpc_settings *settings,
                            int64_t most, dpc_graph *graph, bool *within, dpc_error *err)
{
    counting c = {.settings = settings, .most = most};
    dpc_settings counted = *settings;
    bool complete = true;
    int64_t steps = 0;
    counted.progress = count;
    counted.progress_user = &c;
    dpc_status status = dpc_learn_graph(correlation, &counted, 0, graph, &complete, &steps, err);
    *within = !c.beyond && (status != DPC_OK || steps <= most);
    if (status == DPC_OK && *within && !complete)
        return dpc_fail_interrupted(err);
    if (status == DPC_OK && !*within)
        dpc_graph_clear(graph);
    return !*within && status == DPC_INTERRUPTED ? DPC_OK : status;
}

/* ---- The rows ---- */

typedef struct row_block {
    int64_t first, end;
} row_block;

static row_block block_at(int64_t rows, int block)
{
    return (row_block){rows * block / DPC_HELD_OUT_BLOCKS,
                       rows * (block + 1) / DPC_HELD_OUT_BLOCKS};
}

static bool held_out(int block, int fold)
{
    return block % DPC_HELD_OUT_FOLDS == fold;
}

/* A table of the rows without a missing cell. */
static dpc_status complete_rows(const dpc_table *table, dpc_table **out, dpc_error *err)
{
    const dpc_cells cells = dpc_table_cells(table);
    int32_t *row = dpc_alloc(table->n_obs, sizeof *row);
    int64_t count = 0;
    if (row == NULL)
        return dpc_fail_memory(err, "the complete rows");
    for (int64_t i = 0; i < table->n_obs; i++) {
        int j = 0;
        while (j < table->n_vars && !dpc_is_missing(table, &cells, i, j))
            j++;
        row[count] = (int32_t)i;
        count += j == table->n_vars;
    }
    dpc_status status =
        dpc_table_make(count, table->n_vars, (const char *const *)table->names, out, err);
    if (status == DPC_OK)
        dpc_cells_gather(&cells, 0, table->n_vars, row, 0, count, (*out)->values);
    if (status == DPC_OK)
        status = dpc_kinds_copy(table, *out, err);
    if (status == DPC_OK)
        dpc_kinds_gather(table, row, count, NULL, *out);
    if (status != DPC_OK) {
        dpc_table_free(*out);
        *out = NULL;
    }
    free(row);
    return status;
}

/* Centred values of complete rows, or their normal scores: each fold scales them by its own rows.
 */
static dpc_status centred_rows(const dpc_table *table, const dpc_settings *settings,
                               dpc_table **out, dpc_error *err)
{
    dpc_columns columns = {0};
    dpc_table *complete = NULL;
    DPC_CHECK(complete_rows(table, &complete, err));
    dpc_status status = DPC_OK;
    if (complete->n_obs < LEAST_ROWS)
        status = dpc_fail(err, DPC_USAGE,
                          "%lld complete rows are too few to hold some of them out; it takes %d",
                          (long long)complete->n_obs, LEAST_ROWS);
    if (status == DPC_OK)
        status = dpc_prepare(complete, settings, NULL, &columns, err);
    if (status == DPC_OK)
        status = dpc_table_make(complete->n_obs, complete->n_vars,
                                (const char *const *)complete->names, out, err);
    if (status == DPC_OK)
        dpc_columns_centre(&columns, 0, complete->n_vars, 0, complete->n_obs, (*out)->values);
    dpc_columns_clear(&columns);
    dpc_table_free(complete);
    return status;
}

/* ---- One fold ---- */

typedef struct job {
    const dpc_table *rows; /* centred */
    const dpc_settings *settings;
    int count;
    int64_t most; /* tests for each graph */
    dpc_block_scores *out;
    dpc_crew crew;
    bool within[DPC_HELD_OUT_FOLDS];
    dpc_status status[DPC_HELD_OUT_FOLDS];
    dpc_error err[DPC_HELD_OUT_FOLDS];
} job;

typedef struct fold {
    job *job;
    int number, worker;
    dpc_correlation *training; /* owned */
    double *mean, *per_sd;     /* by column, of the training rows; 0: constant there */
    dpc_arena arena;
} fold;

static int ask_to_stop(const dpc_progress *progress, void *user)
{
    (void)progress;
    fold *f = user;
    return dpc_crew_stopped(&f->job->crew, f->worker);
}

/* The rows of the other folds. */
static dpc_status training_rows(const fold *f, dpc_table **out, dpc_error *err)
{
    const dpc_table *rows = f->job->rows;
    int64_t count = 0;
    for (int b = 0; b < DPC_HELD_OUT_BLOCKS; b++) {
        row_block block = block_at(rows->n_obs, b);
        count += held_out(b, f->number) ? 0 : block.end - block.first;
    }
    DPC_CHECK(dpc_table_make(count, rows->n_vars, (const char *const *)rows->names, out, err));
    double *to = (*out)->values;
    for (int j = 0; j < rows->n_vars; j++)
        for (int b = 0; b < DPC_HELD_OUT_BLOCKS; b++) {
            row_block block = block_at(rows->n_obs, b);
            int64_t size = held_out(b, f->number) ? 0 : block.end - block.first;
            memcpy(to, rows->values + j * rows->n_obs + block.first, (size_t)size * sizeof *to);
            to += size;
        }
    return DPC_OK;
}

static dpc_status summarise_training(fold *f, const dpc_settings *settings, dpc_error *err)
{
    dpc_table *training = NULL;
    int n = f->job->rows->n_vars;
    f->mean = dpc_arena_zalloc(&f->arena, n, sizeof *f->mean);
    f->per_sd = dpc_arena_zalloc(&f->arena, n, sizeof *f->per_sd);
    if (dpc_arena_failed(&f->arena))
        return dpc_fail_memory(err, "the rows that are held out");
    DPC_CHECK(training_rows(f, &training, err));
    dpc_status status = dpc_correlate(training, settings, NULL, &f->training, err);
    for (int j = 0; j < n && status == DPC_OK; j++) {
        double sd = f->training->sd[j];
        for (int64_t i = 0; i < training->n_obs; i++)
            f->mean[j] += training->values[j * training->n_obs + i] / (double)training->n_obs;
        f->per_sd[j] = sd > 0 ? 1 / sd : 0;
    }
    dpc_table_free(training);
    return status;
}

/* ---- The regressions of a DAG ---- */

typedef struct regression {
    double *factor, *coefficient; /* room for all others */
    double variance;              /* of what the parents leave, of variance 1 */
} regression;

/*
 * The coefficients of v on its parents in the training rows. A ridge as large as what counts as
 * rounding keeps collinear parents from sharing a coefficient without bound. The variance is an
 * unbiased estimate, so that a parent that explains nothing costs what it costs to estimate it.
 */
static void regress(const fold *f, int v, dpc_node_row parents, regression *out)
{
    int k = (int)parents.count, one = 1, info = 0;
    int64_t n = f->training->n_vars;
    const double *r = f->training->r;
    double explained = 0, rows = (double)f->training->n_obs;
    for (int a = 0; a < k; a++) {
        const double *row = r + parents.node[a] * n;
        for (int b = 0; b < k; b++)
            out->factor[(int64_t)a * k + b] = row[parents.node[b]];
        out->factor[(int64_t)a * k + a] += DPC_SINGULAR;
        out->coefficient[a] = row[v];
    }
    if (k > 0)
        dpotrf_("L", &k, out->factor, &k, &info);
    if (k > 0 && info == 0) {
        dtrsv_("L", "N", "N", &k, out->factor, &k, out->coefficient, &one);
        dtrsv_("L", "T", "N", &k, out->factor, &k, out->coefficient, &one);
    }
    for (int a = 0; a < k; a++) {
        out->coefficient[a] = info == 0 ? out->coefficient[a] : 0;
        explained += out->coefficient[a] * r[parents.node[a] * n + v];
    }
    double left = rows - k - 1;
    out->variance = fmax(1 - explained, DPC_SINGULAR) * rows / (left > 1 ? left : 1);
}

static double standardised(const fold *f, int column, int64_t row)
{
    const dpc_table *rows = f->job->rows;
    return (rows->values[column * rows->n_obs + row] - f->mean[column]) * f->per_sd[column];
}

/* Adds the log-likelihood of v in the rows that are held out to the means of their blocks. */
static void score_node(const fold *f, int v, dpc_node_row parents, const regression *fit,
                       dpc_block_scores *out)
{
    const double log_two_pi = 1.8378770664093454836;
    int64_t n_obs = f->job->rows->n_obs;
    for (int b = f->number; b < DPC_HELD_OUT_BLOCKS; b += DPC_HELD_OUT_FOLDS) {
        row_block block = block_at(n_obs, b);
        double squares = 0;
        for (int64_t i = block.first; i < block.end; i++) {
            double left = standardised(f, v, i);
            for (int64_t p = 0; p < parents.count; p++)
                left -= fit->coefficient[p] * standardised(f, parents.node[p], i);
            squares += left * left;
        }
        out->mean[b] -= (log_two_pi + log(fit->variance) +
                         squares / fit->variance / (double)(block.end - block.first)) /
                        2;
    }
}

static dpc_status score_dag(fold *f, const dpc_graph *dag, dpc_block_scores *out)
{
    dpc_mixed_lists lists = {0};
    int64_t n = dag->n_nodes;
    regression fit = {.factor = dpc_arena_alloc(&f->arena, n * n, sizeof(double)),
                      .coefficient = dpc_arena_alloc(&f->arena, n, sizeof(double))};
    dpc_status status =
        dpc_arena_failed(&f->arena) ? DPC_NO_MEMORY : dpc_mixed_lists_init(dag, NULL, &lists);
    for (int v = 0; v < n && status == DPC_OK; v++) {
        if (f->per_sd[v] == 0) /* it has no variance that could be predicted */
            continue;
        dpc_node_row parents = dpc_mixed_lists_row(&lists, 3 * (int64_t)v);
        regress(f, v, parents, &fit);
        score_node(f, v, parents, &fit, out);
    }
    dpc_mixed_lists_clear(&lists);
    return status;
}

/* ---- All of it ---- */

/* One DAG of the class that these settings find in the training rows. */
static dpc_status learn_dag(fold *f, const dpc_settings *settings, dpc_graph *out, dpc_error *err)
{
    bool *within = &f->job->within[f->number];
    DPC_CHECK(dpc_learn_within(f->training, settings, f->job->most, out, within, err));
    if (!*within)
        return DPC_OK;
    int32_t *when = dpc_arena_alloc(&f->arena, out->n_nodes, sizeof *when);
    if (when == NULL || dpc_extension(out, NULL, DPC_SINK_NEAREST, when, NULL) != DPC_OK)
        return dpc_fail_memory(err, "a DAG of the class");
    dpc_point_by_turns(out, when);
    return DPC_OK;
}

/* A way of learning a class of DAGs, inside a task. */
static dpc_settings inside(fold *f, const dpc_settings *given)
{
    dpc_settings settings = *given;
    settings.normalize = DPC_NORMALIZE_NONE; /* what is in the rows has been normalised */
    settings.graph = DPC_CPDAG;
    settings.min_evidence = DPC_NO_MIN_EVIDENCE;
    settings.keep_separating_sets = false;
    settings.timeout = DPC_NO_TIMEOUT;
    settings.threads = 1;
    settings.ranks = NULL;
    settings.progress = ask_to_stop;
    settings.progress_user = f;
    return settings;
}

/* A search by score wants more of the training rows than tests do: settings of one, if any. */
static const dpc_settings *by_score_if_any(const job *job)
{
    for (int s = 0; s < job->count; s++)
        if (dpc_by_score(&job->settings[s]))
            return &job->settings[s];
    return &job->settings[0];
}

static dpc_status score_fold(fold *f, dpc_error *err)
{
    job *job = f->job;
    dpc_settings training = inside(f, by_score_if_any(job));
    DPC_CHECK(summarise_training(f, &training, err));
    job->within[f->number] = true;
    for (int s = 0; s < job->count && job->within[f->number]; s++) {
        dpc_settings settings = inside(f, &job->settings[s]);
        dpc_graph dag = {0};
        dpc_status status = learn_dag(f, &settings, &dag, err);
        if (status == DPC_OK && job->within[f->number])
            status = dpc_fail_as(err, score_dag(f, &dag, &job->out[s]), "the held-out rows");
        dpc_graph_clear(&dag);
        if (status != DPC_OK)
            return status;
    }
    return DPC_OK;
}

static void fold_task(void *context, int64_t index, int worker)
{
    job *job = context;
    fold f = {.job = job, .number = (int)index, .worker = worker};
    job->status[index] = score_fold(&f, &job->err[index]);
    dpc_correlation_free(f.training);
    dpc_arena_clear(&f.arena);
}

dpc_status dpc_score_held_out(const dpc_table *table, const dpc_settings *settings, int count,
                              int64_t most, dpc_block_scores *out, bool *within, dpc_error *err)
{
    dpc_table *rows = NULL;
    job job = {.settings = settings, .count = count, .most = most, .out = out};
    DPC_CHECK(dpc_table_check(table, err));
    for (int s = 0; s < count; s++)
        if (dpc_has_blocks(table, &settings[s]))
            return dpc_fail(err, DPC_USAGE,
                            "held-out rows are predicted for columns of numbers with straight "
                            "relations; variables of several columns (nominal ones, blocks, "
                            "relations curved) cannot be compared in this way");
    dpc_status status = centred_rows(table, &settings[0], &rows, err);
    for (int s = 0; s < count && status == DPC_OK; s++)
        out[s] = (dpc_block_scores){.rows = rows->n_obs};
    if (status == DPC_OK) {
        double work = (double)rows->n_obs * rows->n_vars * rows->n_vars * DPC_HELD_OUT_FOLDS;
        job.rows = rows;
        dpc_crew_init(&job.crew, &settings[0], DPC_STAGE_EXPLAIN);
        if (!dpc_crew_run(&job.crew, DPC_HELD_OUT_FOLDS, work, fold_task, &job))
            status = dpc_fail_interrupted(err);
    }
    *within = true;
    for (int f = 0; f < DPC_HELD_OUT_FOLDS && status == DPC_OK; f++) {
        if (job.status[f] != DPC_OK)
            status = dpc_fail(err, job.status[f], "%s", job.err[f].message);
        else
            *within = *within && job.within[f];
    }
    dpc_table_free(rows);
    return status;
}

dpc_held_out dpc_held_out_difference(const dpc_block_scores *first, const dpc_block_scores *second)
{
    dpc_held_out out = {.rows = first->rows};
    double squares = 0;
    for (int b = 0; b < DPC_HELD_OUT_BLOCKS; b++) {
        out.first += first->mean[b] / DPC_HELD_OUT_BLOCKS;
        out.second += second->mean[b] / DPC_HELD_OUT_BLOCKS;
    }
    out.gain = out.second - out.first;
    for (int b = 0; b < DPC_HELD_OUT_BLOCKS; b++) {
        double from_mean = second->mean[b] - first->mean[b] - out.gain;
        squares += from_mean * from_mean;
    }
    out.se = sqrt(squares / (DPC_HELD_OUT_BLOCKS * (DPC_HELD_OUT_BLOCKS - 1.0)));
    return out;
}

dpc_status dpc_compare_held_out(const dpc_table *table, const dpc_settings *first,
                                const dpc_settings *second, dpc_held_out *out, dpc_error *err)
{
    dpc_settings settings[2];
    dpc_block_scores scores[2];
    bool within;
    DPC_CHECK(dpc_settings_or_default(first, &settings[0], err));
    DPC_CHECK(dpc_settings_or_default(second, &settings[1], err));
    if (settings[0].normalize != settings[1].normalize)
        return dpc_fail(err, DPC_USAGE,
                        "held-out rows of different scales cannot be compared; give both settings "
                        "the same normalize");
    DPC_CHECK(dpc_score_held_out(table, settings, 2, INT64_MAX, scores, &within, err));
    *out = dpc_held_out_difference(&scores[0], &scores[1]);
    return DPC_OK;
}
