/*
 * What the tests assume about the data, checked: dpc_check_assumptions of dualpc_explain.h.
 *
 * Columns: the moments of Gaussian variables, and zeros that look like missing cells. Such zeros
 * are at least three, below all other values; they are more than twice as many as each of the next
 * five values, and lie further below these than twice the distance between any of them. So the
 * zeros of a count, or of a measurement that can be small, are not meant.
 *
 * Edges: both ends become normal scores x and y, so that one outlier, or a transformation of a
 * column, does not count as a curve. The linear model misses what y shares with x² beyond x: the
 * partial correlation of y and x² given x, from the moments of the rows that have both.
 */
#include "arena.h"
#include "audit.h"
#include "crew.h"
#include "data_warnings.h"
#include "dualpc_explain.h"
#include "prepare.h"
#include "rank.h"
#include "settings.h"
#include "status.h"
#include "table.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>

static const double MOST_SKEWNESS = 2, MOST_KURTOSIS = 7;
static const double LEAST_CURVE = 0.2, CURVE_LEVEL = 0.001;
enum { LEAST_ZEROS = 3, NEXT_VALUES = 5, LEAST_CELLS = 20 };

typedef struct job {
    const dpc_table *table;
    const dpc_graph *graph;
    int64_t n_edges; /* of it, that are looked at */
    dpc_assumptions *out;
    dpc_data_warning *odd; /* by column; zeros where cells are missing */
    double *scores;        /* normal scores by column, NaN where missing */
    double *cells;         /* 3 N for each worker */
    dpc_ranked *scratch;   /* 2 N for each worker */
    dpc_curve *curve;      /* by edge */
} job;

/* ---- One column ---- */

static void find_moments(const double *x, int64_t n, double mean, double scale,
                         dpc_column_check *out)
{
    double second = 0, third = 0, fourth = 0, count = (double)n;
    for (int64_t i = 0; i < n; i++) {
        double d = x[i] * scale - mean, square = d * d;
        second += square / count;
        third += square * d / count;
        fourth += square * square / count;
    }
    out->skewness = third / (second * sqrt(second));
    out->kurtosis = fourth / (second * second) - 3;
    out->skewed = fabs(out->skewness) > MOST_SKEWNESS;
    out->heavy = out->kurtosis > MOST_KURTOSIS;
}

static int by_value(const void *left, const void *right)
{
    const double *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* Are there zeros that look like missing cells? `x` is sorted here, and its least value is 0. */
static void find_zeros(double *x, int64_t n, dpc_column_check *out)
{
    int64_t zeros = 0, most = 0;
    double widest = 0;
    qsort(x, (size_t)n, sizeof *x, by_value);
    while (zeros < n && x[zeros] == 0)
        zeros++;
    if (zeros < LEAST_ZEROS)
        return;
    int64_t i = zeros;
    for (int value = 0; value < NEXT_VALUES; value++) {
        int64_t first = i;
        while (i < n && x[i] == x[first])
            i++;
        if (i == n)
            return;
        most = i - first > most ? i - first : most;
        if (value + 1 < NEXT_VALUES)
            widest = fmax(widest, x[i] - x[first]);
    }
    if (zeros <= 2 * most || x[zeros] <= 2 * widest)
        return;
    out->zeros = zeros;
    out->above = x[zeros];
}

/* The normal scores of the cells that are there, each in its row. */
static void place_scores(const double *x, int64_t n, const double *scores, double *out)
{
    int64_t next = 0;
    for (int64_t i = 0; i < n; i++)
        out[i] = isnan(x[i]) ? NAN : scores[next++];
}

static int64_t take_cells(const double *x, int64_t n, double *cells)
{
    int64_t count = 0;
    for (int64_t i = 0; i < n; i++)
        if (!isnan(x[i]))
            cells[count++] = x[i];
    return count;
}

/* Codes of categories, and one of several columns, are not what Gaussian variables are. */
static bool has_numbers(const dpc_table *table, int variable)
{
    dpc_variable_kind kind = dpc_kind_of(table, variable);
    return kind == DPC_NUMBER || kind == DPC_ZERO;
}

static void check_column(void *context, int64_t j, const double *x, int worker)
{
    job *job = context;
    dpc_column_check *check = &job->out->columns[j];
    int64_t n = job->table->n_obs;
    double *cells = job->cells + 3 * n * worker, *table = cells + n, *scores = table + n;
    int64_t count = take_cells(x, n, cells);
    double low = INFINITY, high = -INFINITY, sum = 0;
    for (int64_t i = 0; i < count; i++) {
        low = fmin(low, cells[i]);
        high = fmax(high, cells[i]);
    }
    *check = (dpc_column_check){.skewness = NAN, .kurtosis = NAN, .lag = NAN};
    for (int64_t i = 0; i < n; i++)
        job->scores[j * n + i] = NAN;
    if (!has_numbers(job->table, (int)j) || count < LEAST_CELLS || dpc_is_constant(low, high) ||
        !isfinite(high - low))
        return;
    double scale = dpc_scale_for(fmax(fabs(low), fabs(high)));
    for (int64_t i = 0; i < count; i++)
        sum += cells[i] * scale;
    double mean = sum / (double)count;
    job->odd[j] = dpc_look_for_warnings(cells, count, low, high, mean, scale);
    check->lag = count == n ? job->odd[j].lag : NAN;
    dpc_score_table(count, table);
    dpc_normal_scores(cells, count, table, job->scratch + 2 * n * worker, scores);
    place_scores(x, n, scores, job->scores + j * n);
    if (job->odd[j].values > 0) /* moments of a few values say nothing about tails */
        return;
    find_moments(cells, count, mean, scale, check);
    if (low == 0)
        find_zeros(cells, count, check);
}

/* ---- One edge ---- */

/* The correlations of x, its square and y, over the rows that have both. */
typedef struct moments {
    double x_y, x_square, square_y;
    int64_t rows;
} moments;

static moments moments_of(const double *x, const double *y, int64_t n)
{
    double mean_x = 0, mean_y = 0, mean_s = 0, count = 0;
    for (int64_t i = 0; i < n; i++) {
        if (isnan(x[i]) || isnan(y[i]))
            continue;
        mean_x += x[i];
        mean_y += y[i];
        mean_s += x[i] * x[i];
        count++;
    }
    double xx = 0, yy = 0, ss = 0, xy = 0, xs = 0, sy = 0;
    for (int64_t i = 0; i < n; i++) {
        if (isnan(x[i]) || isnan(y[i]))
            continue;
        double a = x[i] - mean_x / count, b = y[i] - mean_y / count;
        double s = x[i] * x[i] - mean_s / count;
        xx += a * a;
        yy += b * b;
        ss += s * s;
        xy += a * b;
        xs += a * s;
        sy += s * b;
    }
    return (moments){xy / sqrt(xx * yy), xs / sqrt(xx * ss), sy / sqrt(ss * yy), (int64_t)count};
}

/* How `to` bends along `from`; an r of 0 where that cannot be told. */
static dpc_curve curve_along(const job *job, int32_t from, int32_t to)
{
    const double least_left = 1e-6;
    int64_t n = job->table->n_obs;
    moments m = moments_of(job->scores + from * n, job->scores + to * n, n);
    double left_s = 1 - m.x_square * m.x_square, left_y = 1 - m.x_y * m.x_y;
    dpc_curve c = {.from = from, .to = to, .p = 1};
    if (m.rows < LEAST_CELLS || !(left_s > least_left) || !(left_y > least_left))
        return c;
    c.r = (m.square_y - m.x_square * m.x_y) / sqrt(left_s * left_y);
    c.p = dpc_p_value(DPC_EXACT_T, m.rows, 1, c.r);
    return c;
}

static void check_edge(void *context, int64_t e, int worker)
{
    (void)worker;
    job *job = context;
    const dpc_edge *edge = &job->graph->edges[e];
    dpc_curve one = curve_along(job, edge->a, edge->b), other = curve_along(job, edge->b, edge->a);
    job->curve[e] = fabs(other.r) > fabs(one.r) ? other : one;
}

static int by_strength(const void *left, const void *right)
{
    const dpc_curve *p = left, *q = right;
    double a = fabs(p->r), b = fabs(q->r);
    if (a != b)
        return a > b ? -1 : 1;
    return p->from != q->from ? (p->from > q->from) - (p->from < q->from)
                              : (p->to > q->to) - (p->to < q->to);
}

static dpc_status keep_curves(const job *job, int64_t edges)
{
    dpc_assumptions *out = job->out;
    for (int64_t e = 0; e < edges; e++)
        if (fabs(job->curve[e].r) >= LEAST_CURVE &&
            job->curve[e].p < CURVE_LEVEL / (2 * (double)edges))
            job->curve[out->n_curves++] = job->curve[e];
    qsort(job->curve, (size_t)out->n_curves, sizeof *job->curve, by_strength);
    out->curves = dpc_alloc(out->n_curves, sizeof *out->curves);
    for (int64_t i = 0; i < out->n_curves && out->curves != NULL; i++)
        out->curves[i] = job->curve[i];
    return out->curves != NULL ? DPC_OK : DPC_NO_MEMORY;
}

/* ---- All of it ---- */

static void count_columns(const job *job)
{
    dpc_assumptions *out = job->out;
    int known = 0, similar = 0;
    for (int j = 0; j < out->n_vars; j++) {
        const dpc_column_check *c = &out->columns[j];
        out->skewed += c->skewed;
        out->heavy += c->heavy;
        out->zeros += c->zeros > 0;
        known += !isnan(c->lag) && !job->odd[j].counts;
        similar += !isnan(c->lag) && dpc_rows_are_similar(&job->odd[j], job->table->n_obs);
    }
    if (dpc_similar_enough(similar, known)) {
        out->similar = similar;
        out->rows_of = known;
    }
}

static dpc_status check_all(job *job, dpc_crew *crew, dpc_arena *arena, dpc_error *err)
{
    int64_t n = job->table->n_obs, n_vars = job->table->n_vars;
    int64_t edges = crew->settings->relations == DPC_CURVED ? 0 : job->n_edges;
    job->odd = dpc_arena_zalloc(arena, n_vars, sizeof *job->odd);
    job->scores = dpc_arena_alloc(arena, n * n_vars, sizeof *job->scores);
    job->cells = dpc_arena_alloc(arena, 3 * n * crew->threads, sizeof *job->cells);
    job->scratch = dpc_arena_alloc(arena, 2 * n * crew->threads, sizeof *job->scratch);
    job->curve = dpc_arena_alloc(arena, edges, sizeof *job->curve);
    job->out->columns = dpc_zalloc(n_vars, sizeof *job->out->columns);
    if (dpc_arena_failed(arena) || job->out->columns == NULL)
        return dpc_fail_memory(err, "the assumptions");
    DPC_CHECK(dpc_for_columns(job->table, crew, check_column, job, err));
    count_columns(job);
    if (!dpc_crew_run(crew, edges, 40 * (double)n * (double)edges, check_edge, job))
        return dpc_fail_interrupted(err);
    return dpc_fail_as(err, keep_curves(job, edges), "the assumptions");
}

void dpc_assumptions_free(dpc_assumptions *assumptions)
{
    if (assumptions == NULL)
        return;
    free(assumptions->columns);
    free(assumptions->curves);
    free(assumptions);
}

dpc_status dpc_check_assumptions(const dpc_table *table, const dpc_graph *graph,
                                 const dpc_settings *given, dpc_assumptions **out, dpc_error *err)
{
    dpc_settings settings;
    dpc_crew crew;
    dpc_arena arena = {0};
    DPC_CHECK(dpc_settings_or_default(given, &settings, err));
    DPC_CHECK(dpc_table_check(table, err));
    if (graph->n_nodes != table->n_vars)
        return dpc_fail(err, DPC_USAGE, "the graph has %d nodes, and the table %d columns",
                        graph->n_nodes, table->n_vars);
    bool latent = settings.normalize == DPC_NORMALIZE_LATENT; /* scores of levels are no lines */
    job job = {.table = table,
               .graph = graph,
               .n_edges = latent ? 0 : graph->n_edges,
               .out = dpc_zalloc(1, sizeof **out)};
    if (job.out == NULL)
        return dpc_fail_memory(err, "the assumptions");
    job.out->n_vars = table->n_vars;
    settings.ranks = NULL;
    dpc_crew_init(&crew, &settings, DPC_STAGE_EXPLAIN);
    dpc_status status = check_all(&job, &crew, &arena, err);
    dpc_arena_clear(&arena);
    if (status == DPC_OK)
        *out = job.out;
    else
        dpc_assumptions_free(job.out);
    return status;
}
