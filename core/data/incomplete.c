/*
 * Tables with missing cells: see incomplete.h.
 *
 * A column is prepared as that of a complete table (prepare.c), from the cells that it has: its
 * mean, its range, what is odd about it, its normal scores where they are wanted.
 *
 * Each test counts with the fewest rows that two of its columns have in common (rows.h), so that it
 * does not claim more than its data. An EM estimate also learns from other columns: with the mean
 * over a test's pairs atanh r spreads as it should (docs/data.md). What has one N for all columns,
 * such as a score, counts with the mean over all pairs.
 */
#include "incomplete.h"

#include "alloc.h"
#include "audit.h"
#include "crew.h"
#include "data_warnings.h"
#include "definite.h"
#include "em.h"
#include "findings.h"
#include "pairwise.h"
#include "rank.h"
#include "status.h"
#include "table.h"
#include "text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

/* So many rows a correlation needs, as a table does. */
enum { LEAST_ROWS = 4 };

bool dpc_is_incomplete(const dpc_table *table)
{
    if (table->how_missing != DPC_MISSING_PAIRWISE && table->how_missing != DPC_MISSING_EM)
        return false;
    const dpc_cells cells = dpc_table_cells(table);
    for (int64_t j = 0; j < table->n_vars; j++)
        for (int64_t i = 0; i < table->n_obs; i++)
            if (isnan(dpc_value_at(&cells, i, j)))
                return true;
    return false;
}

/* ---- Columns ---- */

typedef struct column_job {
    const dpc_table *table;
    dpc_incomplete *out;
    bool copula, strict;
    double *room;          /* 2 N per worker: the cells that are there, and their scores */
    dpc_ranked *scratch;   /* 2 N per worker; NULL: no scores */
    int64_t *seen;         /* per column: cells that are there */
    bool *infinite;        /* per column: one of them is */
    dpc_data_warning *odd; /* per column; NULL: nobody asks */
    bool *failed;          /* per column: no memory */
} column_job;

/* The cells that are there, one after the other; returns how many. */
static int64_t collect(const dpc_table *table, int64_t j, double *to)
{
    const dpc_cells cells = dpc_table_cells(table);
    int64_t seen = 0;
    for (int64_t i = 0; i < table->n_obs; i++) {
        double x = dpc_value_at(&cells, i, j);
        if (!isnan(x))
            to[seen++] = x;
    }
    return seen;
}

/* Mean 0 and variance 1, in place; returns the standard deviation that was. */
static double standardise(double *x, int64_t n, double scale, double *mean)
{
    double sum = 0, squares = 0;
    for (int64_t i = 0; i < n; i++)
        sum += x[i] * scale;
    *mean = sum / (double)n;
    for (int64_t i = 0; i < n; i++) {
        x[i] = x[i] * scale - *mean;
        squares += x[i] * x[i];
    }
    double sd = sqrt(squares / (double)n);
    for (int64_t i = 0; i < n; i++)
        x[i] /= sd;
    return sd / scale;
}

/* The values of a column that varies, in place; NULL for `odd`: nobody asks. */
static bool prepare_values(const column_job *job, int64_t j, int worker, double *x, double low,
                           double high)
{
    int64_t n = job->seen[j], all = job->table->n_obs;
    double mean, scale = dpc_scale_for(fmax(fabs(low), fabs(high))), sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += x[i] * scale;
    if (job->odd != NULL)
        job->odd[j] = dpc_look_for_warnings(x, n, low, high, sum / (double)n, scale);
    if (job->copula) {
        double *table = dpc_score_table(n), *scores = x + all;
        if (table == NULL)
            return false;
        dpc_normal_scores(x, n, table, job->scratch + 2 * all * worker, scores);
        free(table);
        for (int64_t i = 0; i < n; i++)
            x[i] = scores[i];
        scale = 1;
    }
    job->out->sd[j] = standardise(x, n, scale, &mean);
    return true;
}

static void prepare_column(void *context, int64_t j, int worker)
{
    const column_job *job = context;
    dpc_incomplete *out = job->out;
    int64_t all = job->table->n_obs;
    double *x = job->room + 2 * all * worker, low = INFINITY, high = -INFINITY;
    job->seen[j] = collect(job->table, j, x);
    for (int64_t i = 0; i < job->seen[j]; i++) {
        low = fmin(low, x[i]);
        high = fmax(high, x[i]);
    }
    job->infinite[j] = job->seen[j] > 0 && (isinf(low) || isinf(high));
    if (job->infinite[j])
        return;
    out->constant[j] = job->seen[j] == 0 || dpc_is_constant(low, high);
    if (!out->constant[j])
        job->failed[j] = !prepare_values(job, j, worker, x, low, high);
    const dpc_cells cells = dpc_table_cells(job->table);
    double *to = out->x + j * all;
    for (int64_t i = 0; i < all; i++)
        to[i] = isnan(dpc_value_at(&cells, i, j)) ? NAN : out->constant[j] ? 0 : *x++;
}

/* A sentence that is an error of the audit, and of the call. */
__attribute__((format(printf, 3, 4))) static dpc_status refuse(dpc_audit *audit, dpc_error *err,
                                                               const char *format, ...)
{
    char text[DPC_MESSAGE_SIZE];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (dpc_findings_add(audit, DPC_ERROR, "%s", text) != DPC_OK)
        return dpc_fail_memory(err, "the audit of the data");
    return dpc_fail(err, DPC_BAD_INPUT, "%s", text);
}

/* Columns without numbers, infinite ones, constant ones, odd ones. */
static dpc_status audit_columns(const column_job *job, dpc_audit *audit, dpc_error *err)
{
    const dpc_table *table = job->table;
    char name[DPC_CLIP_SIZE];
    for (int j = 0; j < table->n_vars; j++) {
        if (job->failed[j])
            return dpc_fail_memory(err, "the prepared columns");
        if (job->infinite[j])
            return dpc_audit_values(table, audit, err);
        if (job->seen[j] == 0 && job->strict)
            return refuse(audit, err,
                          "column '%s' has no numbers, every cell is missing; leave it out",
                          dpc_clip_name(table->names[j], name));
    }
    dpc_status status = dpc_audit_constant(table->names, job->out->constant, table->n_vars, audit);
    if (status == DPC_OK && job->odd != NULL)
        status = dpc_audit_warnings(table, job->odd, audit);
    return status == DPC_OK ? DPC_OK : dpc_fail_memory(err, "the audit of the data");
}

void dpc_incomplete_clear(dpc_incomplete *incomplete)
{
    free(incomplete->x);
    free(incomplete->sd);
    free(incomplete->constant);
    *incomplete = (dpc_incomplete){0};
}

dpc_status dpc_incomplete_init(const dpc_table *table, const dpc_settings *settings, bool strict,
                               dpc_audit *audit, dpc_incomplete *out, dpc_error *err)
{
    int64_t rows = table->n_obs, n = table->n_vars;
    dpc_crew crew;
    dpc_crew_init(&crew, settings, DPC_STAGE_PREPARE);
    bool copula = settings->normalize == DPC_NORMALIZE_COPULA;
    dpc_incomplete in = {.n_obs = rows,
                         .n_vars = table->n_vars,
                         .x = dpc_alloc_aligned(rows * n),
                         .sd = dpc_zalloc(n, sizeof *in.sd),
                         .constant = dpc_zalloc(n, sizeof *in.constant)};
    column_job job = {
        .table = table,
        .out = &in,
        .copula = copula,
        .strict = strict,
        .room = dpc_alloc_aligned(2 * rows * crew.threads),
        .scratch = dpc_alloc(copula ? 2 * rows * crew.threads : 0, sizeof *job.scratch),
        .seen = dpc_zalloc(n, sizeof *job.seen),
        .infinite = dpc_zalloc(n, sizeof *job.infinite),
        .odd = audit != NULL ? dpc_zalloc(n, sizeof *job.odd) : NULL,
        .failed = dpc_zalloc(n, sizeof *job.failed),
    };
    dpc_status status = DPC_OK;
    if (!in.x || !in.sd || !in.constant || !job.room || !job.scratch || !job.seen ||
        !job.infinite || !job.failed || (audit != NULL && !job.odd))
        status = dpc_fail_memory(err, "the prepared columns");
    else if (!dpc_crew_run(&crew, n, (double)rows * (double)n, prepare_column, &job))
        status = dpc_fail(err, DPC_INTERRUPTED, "interrupted");
    else
        status = audit_columns(&job, audit, err);
    free(job.room);
    free(job.scratch);
    free(job.seen);
    free(job.infinite);
    free(job.odd);
    free(job.failed);
    if (status == DPC_OK)
        *out = in;
    else
        dpc_incomplete_clear(&in);
    return status;
}

/* ---- The estimates ---- */

/* What the estimate of a table is made of, and what is to be told about it. */
typedef struct estimate {
    const dpc_table *table;
    const dpc_settings *settings;
    dpc_incomplete in;
    dpc_pairs pairs;
    double least; /* the negative eigenvalue that was repaired; 0: none was */
    dpc_em_course course;
} estimate;

static void names_of_least(const estimate *e, char a[DPC_CLIP_SIZE], char b[DPC_CLIP_SIZE])
{
    dpc_clip_name(e->table->names[e->pairs.least_of[0]], a);
    dpc_clip_name(e->table->names[e->pairs.least_of[1]], b);
}

/* Can what is asked for be estimated from this? */
static dpc_status check(const estimate *e, dpc_audit *audit, dpc_error *err)
{
    char a[DPC_CLIP_SIZE], b[DPC_CLIP_SIZE];
    bool em = e->table->how_missing == DPC_MISSING_EM;
    if (em && e->table->n_obs <= e->table->n_vars)
        return refuse(audit, err,
                      "EM needs more rows than columns, and there are %lld and %d; use missing = "
                      "pairwise (--missing pairwise), or select fewer columns",
                      (long long)e->table->n_obs, e->table->n_vars);
    if (em || e->pairs.count == 0 || e->pairs.least >= LEAST_ROWS)
        return DPC_OK;
    names_of_least(e, a, b);
    return refuse(audit, err,
                  "the columns '%s' and '%s' have %lld row%s in common, and a correlation needs at "
                  "least %d; leave out one of them (--drop), or use missing = em (--missing em)",
                  a, b, (long long)e->pairs.least, dpc_plural(e->pairs.least), LEAST_ROWS);
}

/* The N that tests may have, and the one of all else. */
static const char *say_range(const estimate *e, const dpc_correlation *c,
                             char text[DPC_MESSAGE_SIZE])
{
    char a[DPC_CLIP_SIZE], b[DPC_CLIP_SIZE];
    names_of_least(e, a, b);
    snprintf(text, DPC_MESSAGE_SIZE,
             "each test counts with the %s rows of its pairs, %lld (columns '%s' and '%s') to "
             "%lld of %lld, on average %lld",
             c->mean_rows ? "mean" : "fewest", (long long)e->pairs.least, a, b,
             (long long)e->pairs.most, (long long)e->table->n_obs, (long long)c->n_obs);
    return text;
}

static dpc_status tell_pairwise(const estimate *e, const dpc_correlation *c, dpc_audit *audit)
{
    char range[DPC_MESSAGE_SIZE];
    dpc_status status = DPC_OK;
    if (e->pairs.count > 0)
        status = dpc_findings_add(audit, DPC_WARNING,
                                  "each correlation is that of the rows which have both cells; %s",
                                  say_range(e, c, range));
    if (status == DPC_OK && e->least < 0)
        status = dpc_findings_add(audit, DPC_WARNING,
                                  "the pairwise correlations contradict each other (their smallest "
                                  "eigenvalue is %.3g); they were replaced by a positive definite "
                                  "matrix near to them",
                                  e->least);
    return status;
}

static dpc_status tell_em(const estimate *e, const dpc_correlation *c, dpc_audit *audit)
{
    char a[DPC_CLIP_SIZE], b[DPC_CLIP_SIZE], range[DPC_MESSAGE_SIZE];
    dpc_status status = DPC_OK;
    if (e->pairs.count > 0)
        status =
            dpc_findings_add(audit, DPC_WARNING,
                             "the covariances of the incomplete rows were estimated by EM in "
                             "%d step%s; %s",
                             e->course.steps, dpc_plural(e->course.steps), say_range(e, c, range));
    if (status == DPC_OK && !e->course.settled)
        status = dpc_findings_add(audit, DPC_WARNING,
                                  "EM has not come to an end: its last step still changed a "
                                  "covariance by %.2g standard deviations; the data hardly "
                                  "determine some of them",
                                  e->course.change);
    if (status == DPC_OK && e->pairs.count > 0 && e->pairs.least < LEAST_ROWS) {
        names_of_least(e, a, b);
        status = dpc_findings_add(audit, DPC_WARNING,
                                  "the columns '%s' and '%s' have %lld row%s in common: their "
                                  "correlation is known by way of other columns only",
                                  a, b, (long long)e->pairs.least, dpc_plural(e->pairs.least));
    }
    return status;
}

/* DPC_OK, no memory or interrupted. */
static dpc_status solve(estimate *e, dpc_correlation *c)
{
    bool em = c->mean_rows = e->table->how_missing == DPC_MISSING_EM;
    int n = c->n_vars;
    double mean = e->pairs.count == 0 ? (double)e->table->n_obs
                                      : floor(e->pairs.sum / (double)e->pairs.count);
    c->n_obs = mean < LEAST_ROWS ? LEAST_ROWS : (int64_t)mean;
    for (int64_t i = 0; i < (int64_t)n * n; i++) /* a pair without rows is not claimed as an edge */
        c->rows[i] = c->rows[i] < LEAST_ROWS ? LEAST_ROWS : c->rows[i];
    dpc_status status = dpc_make_definite(c->r, n, &e->least);
    for (int j = 0; j < n; j++)
        c->sd[j] = 1;
    if (status == DPC_OK && em)
        status = dpc_em(&e->in, e->settings, c->r, c->sd, &e->course);
    for (int j = 0; j < n; j++)
        c->sd[j] *= e->in.sd[j];
    return status;
}

dpc_status dpc_correlate_incomplete(const dpc_table *table, const dpc_settings *settings,
                                    bool strict, dpc_audit *audit, dpc_correlation *c,
                                    dpc_error *err)
{
    estimate e = {.table = table, .settings = settings};
    dpc_status status = dpc_incomplete_init(table, settings, strict, audit, &e.in, err);
    if (status != DPC_OK)
        return status;
    dpc_status done = DPC_NO_MEMORY;
    if (c->rows == NULL)
        c->rows = dpc_alloc((int64_t)c->n_vars * c->n_vars, sizeof *c->rows);
    if (c->rows != NULL)
        done = dpc_correlate_pairwise(&e.in, settings, c->r, c->rows, &e.pairs);
    if (done == DPC_OK && strict)
        status = check(&e, audit, err);
    if (status == DPC_OK && done == DPC_OK)
        done = solve(&e, c);
    if (status == DPC_OK && done == DPC_OK)
        done = table->how_missing == DPC_MISSING_EM ? tell_em(&e, c, audit)
                                                    : tell_pairwise(&e, c, audit);
    dpc_incomplete_clear(&e.in);
    if (done != DPC_OK)
        status = dpc_fail(err, done,
                          done == DPC_INTERRUPTED ? "interrupted"
                                                  : "out of memory for the correlations");
    return status;
}
