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

#include "arena.h"
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
#include <string.h>

/* So many rows a correlation needs, as a table does. */
enum { LEAST_ROWS = 4 };

/* Of the time that there is, the part that EM may take: the search needs some of it. */
static const double SHARE = 0.5;

bool dpc_is_incomplete(const dpc_table *table)
{
    if (table->how_missing != DPC_MISSING_PAIRWISE && table->how_missing != DPC_MISSING_EM)
        return false;
    const dpc_cells cells = dpc_table_cells(table);
    for (int j = 0; j < table->n_vars; j++)
        for (int64_t i = 0; i < table->n_obs; i++)
            if (dpc_is_missing(table, &cells, i, j))
                return true;
    return false;
}

/* ---- Columns ---- */

typedef struct column_job {
    const dpc_table *table;
    dpc_incomplete *out;
    bool strict;
    double *room;          /* 3 N per worker: the cells that are there, their scores, a table */
    dpc_ranked *scratch;   /* 2 N per worker; NULL: no scores */
    int64_t *seen;         /* per column: cells that are there */
    bool *infinite;        /* per column: one of them is */
    dpc_data_warning *odd; /* per column; NULL: there is no audit */
} column_job;

static double mean_of(const double *x, int64_t n, double scale)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += x[i] * scale;
    return sum / (double)n;
}

/* Mean 0 and variance 1, in place; returns the standard deviation that was. */
static double standardise(double *x, int64_t n, double scale)
{
    double mean = mean_of(x, n, scale), squares = 0;
    for (int64_t i = 0; i < n; i++) {
        x[i] = x[i] * scale - mean;
        squares += x[i] * x[i];
    }
    double sd = sqrt(squares / (double)n);
    for (int64_t i = 0; i < n; i++)
        x[i] /= sd;
    return sd / scale;
}

/* The values of a column that varies, in place. */
static void prepare_values(const column_job *job, int64_t j, int worker, double *x, double low,
                           double high)
{
    int64_t n = job->seen[j], all = job->table->n_obs;
    double scale = dpc_scale_for(fmax(fabs(low), fabs(high)));
    if (job->odd != NULL)
        job->odd[j] = dpc_look_for_warnings(x, n, low, high, mean_of(x, n, scale), scale);
    if (job->scratch != NULL) {
        double *scores = x + all, *table = scores + all;
        dpc_score_table(n, table);
        dpc_normal_scores(x, n, table, job->scratch + 2 * all * worker, scores);
        memcpy(x, scores, (size_t)n * sizeof *x);
        scale = 1;
    }
    job->out->sd[j] = standardise(x, n, scale);
}

static void prepare_column(void *context, int64_t j, const double *cells, int worker)
{
    const column_job *job = context;
    dpc_incomplete *out = job->out;
    int64_t all = job->table->n_obs, seen = 0;
    double *x = job->room + 3 * all * worker, low = INFINITY, high = -INFINITY;
    for (int64_t i = 0; i < all; i++)
        if (!isnan(cells[i])) {
            x[seen++] = cells[i];
            low = fmin(low, cells[i]);
            high = fmax(high, cells[i]);
        }
    job->seen[j] = seen;
    job->infinite[j] = seen > 0 && (isinf(low) || isinf(high));
    if (job->infinite[j])
        return;
    out->constant[j] = seen == 0 || dpc_is_constant(low, high);
    if (!out->constant[j])
        prepare_values(job, j, worker, x, low, high);
    for (int64_t i = 0; i < all; i++)
        out->x[j * all + i] = isnan(cells[i]) ? NAN : out->constant[j] ? 0 : *x++;
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
        if (job->infinite[j])
            return dpc_audit_values(table, audit, err);
        if (job->seen[j] == 0 && job->strict)
            return refuse(audit, err,
                          "column '%s' has no numbers, every cell is missing; leave it out",
                          dpc_clip_name(table->names[j], name));
    }
    return dpc_audit_columns(table, job->out->constant, job->odd, audit, err);
}

void dpc_incomplete_clear(dpc_incomplete *incomplete)
{
    free(incomplete->x);
    free(incomplete->sd);
    free(incomplete->constant);
    *incomplete = (dpc_incomplete){0};
}

static dpc_status prepare(const dpc_table *table, const dpc_settings *settings, bool strict,
                          dpc_audit *audit, dpc_arena *arena, dpc_incomplete *in, dpc_error *err)
{
    int64_t rows = table->n_obs, n = table->n_vars;
    bool copula = settings->normalize == DPC_NORMALIZE_COPULA;
    dpc_crew crew;
    dpc_crew_init(&crew, settings, DPC_STAGE_PREPARE);
    column_job job = {
        .table = table,
        .out = in,
        .strict = strict,
        .room = dpc_arena_aligned(arena, 3 * rows * crew.threads),
        .seen = dpc_arena_zalloc(arena, n, sizeof *job.seen),
        .infinite = dpc_arena_zalloc(arena, n, sizeof *job.infinite),
        .odd = audit != NULL ? dpc_arena_zalloc(arena, n, sizeof *job.odd) : NULL,
    };
    if (copula)
        job.scratch = dpc_arena_alloc(arena, 2 * rows * crew.threads, sizeof *job.scratch);
    if (!in->x || !in->sd || !in->constant || dpc_arena_failed(arena))
        return dpc_fail_memory(err, "the prepared columns");
    DPC_CHECK(dpc_for_columns(table, &crew, prepare_column, &job, err));
    return audit_columns(&job, audit, err);
}

dpc_status dpc_incomplete_init(const dpc_table *table, const dpc_settings *settings, bool strict,
                               dpc_audit *audit, dpc_incomplete *out, dpc_error *err)
{
    dpc_arena arena = {0};
    dpc_incomplete in = {.n_obs = table->n_obs,
                         .n_vars = table->n_vars,
                         .x = dpc_alloc_aligned(table->n_obs * table->n_vars),
                         .sd = dpc_zalloc(table->n_vars, sizeof *in.sd),
                         .constant = dpc_zalloc(table->n_vars, sizeof *in.constant)};
    dpc_status status = prepare(table, settings, strict, audit, &arena, &in, err);
    dpc_arena_clear(&arena);
    if (status == DPC_OK)
        *out = in;
    else
        dpc_incomplete_clear(&in);
    return status;
}

/* ---- The estimates ---- */

/* What the estimate of a table is made of, and what the audit says about it. */
typedef struct estimate {
    const dpc_table *table;
    const dpc_settings *settings;
    dpc_incomplete in;
    dpc_pair_rows pairs;
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

static dpc_status report_pairwise(const estimate *e, const dpc_correlation *c, dpc_audit *audit)
{
    char range[DPC_MESSAGE_SIZE];
    if (e->pairs.count > 0)
        DPC_CHECK(dpc_findings_add(audit, DPC_WARNING,
                                   "each correlation is that of the rows which have both cells; %s",
                                   say_range(e, c, range)));
    if (!(e->least < 0))
        return DPC_OK;
    return dpc_findings_add(audit, DPC_WARNING,
                            "the pairwise correlations contradict each other (their smallest "
                            "eigenvalue is %.3g); they were replaced by a positive definite "
                            "matrix near to them",
                            e->least);
}

/* The column with the fewest cells, where these are so few that the others determine it. */
static int sparsest(const estimate *e, int64_t *cells)
{
    int found = -1;
    for (int j = 0; j < e->in.n_vars; j++) {
        int64_t seen = 0;
        for (int64_t i = 0; i < e->in.n_obs; i++)
            seen += !isnan(e->in.x[j * e->in.n_obs + i]);
        if (!e->in.constant[j] && seen <= e->in.n_vars && (found < 0 || seen < *cells)) {
            *cells = seen;
            found = j;
        }
    }
    return found;
}

/* Where EM has not come to an end, why. */
static dpc_status report_course(const estimate *e, dpc_audit *audit)
{
    if (e->course.late && e->course.steps == 0)
        return dpc_findings_add(audit, DPC_WARNING,
                                "time limit reached before the first step of EM: the correlations "
                                "are those of the rows that each pair has in common");
    if (e->course.late)
        return dpc_findings_add(audit, DPC_WARNING,
                                "time limit reached after %d step%s of EM: its last step still "
                                "changed a covariance by %.2g standard deviations",
                                e->course.steps, dpc_plural(e->course.steps), e->course.change);
    if (e->course.settled)
        return DPC_OK;
    return dpc_findings_add(audit, DPC_WARNING,
                            "EM has not come to an end: its last step still changed a "
                            "covariance by %.2g standard deviations; the data hardly "
                            "determine some of them",
                            e->course.change);
}

/* A column with so few cells that the others determine it. */
static dpc_status report_sparsest(const estimate *e, dpc_audit *audit)
{
    char name[DPC_CLIP_SIZE];
    int64_t cells = 0;
    int j = sparsest(e, &cells);
    if (j < 0)
        return DPC_OK;
    return dpc_findings_add(audit, DPC_WARNING,
                            "column '%s' has %lld cell%s, not more than there are columns, so its "
                            "relations to the others cannot be estimated; exclude it with drop "
                            "(--drop)",
                            dpc_clip_name(e->table->names[j], name), (long long)cells,
                            dpc_plural(cells));
}

static dpc_status report_em(const estimate *e, const dpc_correlation *c, dpc_audit *audit)
{
    char a[DPC_CLIP_SIZE], b[DPC_CLIP_SIZE], range[DPC_MESSAGE_SIZE];
    if (e->pairs.count > 0 && e->course.steps > 0)
        DPC_CHECK(dpc_findings_add(
            audit, DPC_WARNING,
            "the covariances of the incomplete rows were estimated by EM in %d step%s; %s",
            e->course.steps, dpc_plural(e->course.steps), say_range(e, c, range)));
    DPC_CHECK(report_course(e, audit));
    DPC_CHECK(report_sparsest(e, audit));
    if (e->pairs.count == 0 || e->pairs.least >= LEAST_ROWS)
        return DPC_OK;
    names_of_least(e, a, b);
    return dpc_findings_add(audit, DPC_WARNING,
                            "the columns '%s' and '%s' have %lld row%s in common: their "
                            "correlation is known by way of other columns only",
                            a, b, (long long)e->pairs.least, dpc_plural(e->pairs.least));
}

/* DPC_OK, no memory or interrupted. A resample is done whole or not at all: it has no time limit.
 */
static dpc_status solve(estimate *e, bool strict, dpc_correlation *c)
{
    bool em = c->mean_rows = e->table->how_missing == DPC_MISSING_EM;
    int n = c->n_vars;
    dpc_time_limit limit = {.end = strict ? dpc_end_of_time(SHARE * e->settings->timeout) : 0};
    double mean = e->pairs.count == 0 ? (double)e->table->n_obs
                                      : floor(e->pairs.sum / (double)e->pairs.count);
    c->n_obs = mean < LEAST_ROWS ? LEAST_ROWS : (int64_t)mean;
    for (int64_t i = 0; i < (int64_t)n * n; i++) /* a pair without rows is not claimed as an edge */
        c->rows[i] = c->rows[i] < LEAST_ROWS ? LEAST_ROWS : c->rows[i];
    dpc_status status = dpc_make_definite(c->r, n, &e->least);
    for (int j = 0; j < n; j++)
        c->sd[j] = 1;
    if (status == DPC_OK && em)
        status = dpc_em(&e->in, e->settings, &limit, c->r, c->sd, &e->course);
    c->unfinished = e->course.late;
    for (int j = 0; j < n; j++)
        c->sd[j] *= e->in.sd[j];
    return status;
}

/* DPC_OK, DPC_NO_MEMORY or DPC_INTERRUPTED; `err` has a sentence where it is another failure. */
static dpc_status estimate_from(estimate *e, bool strict, dpc_audit *audit, dpc_correlation *c,
                                dpc_error *err)
{
    if (c->rows == NULL)
        c->rows = dpc_alloc((int64_t)c->n_vars * c->n_vars, sizeof *c->rows);
    if (c->rows == NULL)
        return DPC_NO_MEMORY;
    DPC_CHECK(dpc_correlate_pairwise(&e->in, e->settings, c->r, c->rows, &e->pairs));
    if (strict)
        DPC_CHECK(check(e, audit, err));
    DPC_CHECK(solve(e, strict, c));
    return e->table->how_missing == DPC_MISSING_EM ? report_em(e, c, audit)
                                                   : report_pairwise(e, c, audit);
}

dpc_status dpc_correlate_incomplete(const dpc_table *table, const dpc_settings *settings,
                                    bool strict, dpc_audit *audit, dpc_correlation *c,
                                    dpc_error *err)
{
    estimate e = {.table = table, .settings = settings};
    DPC_CHECK(dpc_incomplete_init(table, settings, strict, audit, &e.in, err));
    dpc_status status = estimate_from(&e, strict, audit, c, err);
    dpc_incomplete_clear(&e.in);
    if (status == DPC_NO_MEMORY || status == DPC_INTERRUPTED)
        dpc_fail_as(err, status, "the correlations");
    return status;
}
