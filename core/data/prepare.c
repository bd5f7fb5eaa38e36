/*
 * From a table to columns that are ready to be multiplied.
 *
 * One pass over a column finds its mean and its range, and so whether it is constant or has a value
 * that is no number; where there is an audit, also what is odd about it (data_warnings.h). For a
 * Gaussian copula model the column is then replaced by its normal scores (paper, section 5).
 */
#include "prepare.h"

#include "arena.h"
#include "audit.h"
#include "crew.h"
#include "data_warnings.h"
#include "latent.h"
#include "rank.h"
#include "status.h"
#include "table.h"

#include <limits.h>
#include <math.h>
#include <string.h>

typedef struct prepare_job {
    const dpc_table *table;
    dpc_columns *columns;
    double *score_table;   /* NULL: no normal scores */
    dpc_ranked *scratch;   /* 2 N per worker */
    int32_t *order;        /* N per worker; NULL: scores are those of the ranks alone */
    bool *failed;          /* per column: no memory; NULL likewise */
    bool *suspect;         /* per column: it may have a NaN or an infinity */
    dpc_data_warning *odd; /* per column; NULL: there is no audit */
} prepare_job;

typedef struct range {
    double low, high, sum;
} range;

/* A NaN or an infinity anywhere shows in the sum. */
static range look_over(const double *restrict x, int64_t n, double scale)
{
    double low = x[0], high = x[0], sum = 0;
#pragma omp simd reduction(min : low) reduction(max : high) reduction(+ : sum)
    for (int64_t i = 0; i < n; i++) {
        low = x[i] < low ? x[i] : low;
        high = x[i] > high ? x[i] : high;
        sum += x[i] * scale;
    }
    return (range){low, high, sum};
}

double dpc_scale_for(double largest)
{
    enum { MOST = 1022 }; /* both 2^MOST and its inverse are doubles; of 2^-1074 it makes 2^-52 */
    if (!(largest > 1e100 || (largest < 1e-100 && largest > 0)))
        return 1;
    int power = -ilogb(largest);
    return ldexp(1, power > MOST ? MOST : power < -MOST ? -MOST : power);
}

/* Is the mean so far from all values that its rounding shows in their variance? */
static bool is_far(double mean, double low, double high)
{
    const double far = 100;
    return fabs(mean) > far * (high - low);
}

static double mean_of_centred(const double *restrict x, int64_t n, double scale, double mean)
{
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int64_t i = 0; i < n; i++)
        sum += x[i] * scale - mean;
    return sum / (double)n;
}

/* The scores of a column. */
static void score(const prepare_job *job, int64_t j, const double *x, int worker)
{
    int64_t n = job->table->n_obs;
    double *scores = job->columns->scores + j * n;
    dpc_ranked *scratch = job->scratch + 2 * n * worker;
    if (job->order == NULL) {
        dpc_normal_scores(x, n, job->score_table, scratch, scores);
        return;
    }
    int32_t *order = job->order + n * worker;
    dpc_sort_rows(x, n, scratch, order);
    dpc_latent_kind kind = dpc_latent_kind_of(job->table, (int)j, order);
    job->failed[j] =
        !dpc_latent_column_make(kind, order, n, job->score_table, scores, &job->columns->latent[j]);
}

static void prepare_column(void *context, int64_t j, const double *x, int worker)
{
    const prepare_job *job = context;
    dpc_columns *c = job->columns;
    int64_t n = job->table->n_obs;
    range r = look_over(x, n, 1);
    double largest = fmax(fabs(r.low), fabs(r.high)), scale = dpc_scale_for(largest);
    if (scale != 1)
        r = look_over(x, n, scale);
    job->suspect[j] = !isfinite(r.sum) || !isfinite(largest);
    c->constant[j] = dpc_is_constant(r.low, r.high);
    if (c->constant[j]) { /* mean and scale stay 0; scores are multiplied by that all the same */
        if (job->score_table != NULL)
            memset(c->scores + j * n, 0, (size_t)n * sizeof *c->scores);
        return;
    }
    c->scale[j] = scale;
    c->mean[j] = r.sum / (double)n;
    if (job->score_table == NULL && is_far(c->mean[j], r.low * scale, r.high * scale))
        c->left[j] = mean_of_centred(x, n, scale, c->mean[j]);
    bool codes = dpc_kind_of(job->table, (int)j) == DPC_NOMINAL; /* numbers that mean nothing */
    if (job->odd != NULL && !job->suspect[j] && !codes)
        job->odd[j] = dpc_look_for_warnings(x, n, r.low, r.high, c->mean[j], scale);
    if (job->score_table != NULL && !job->suspect[j]) {
        double *scores = c->scores + j * n;
        score(job, j, x, worker);
        c->scale[j] = 1;
        c->mean[j] = look_over(scores, n, 1).sum / (double)n;
    }
}

bool dpc_columns_make(int n_vars, int64_t scored_rows, dpc_columns *out)
{
    *out = (dpc_columns){
        .scores = scored_rows > 0 ? dpc_alloc_aligned(scored_rows * n_vars) : NULL,
        .mean = dpc_zalloc(n_vars, sizeof(double)),
        .scale = dpc_zalloc(n_vars, sizeof(double)),
        .left = dpc_zalloc(n_vars, sizeof(double)),
        .constant = dpc_zalloc(n_vars, sizeof(bool)),
    };
    return out->mean && out->scale && out->left && out->constant &&
           (scored_rows == 0 || out->scores);
}

void dpc_columns_clear(dpc_columns *columns)
{
    free(columns->scores);
    free(columns->buffer);
    free(columns->mean);
    free(columns->scale);
    free(columns->left);
    free(columns->constant);
    for (int j = 0; j < columns->n_latent; j++)
        dpc_latent_column_clear(&columns->latent[j]);
    free(columns->latent);
    *columns = (dpc_columns){0};
}

static void centre_drawn(const double *restrict x, const int32_t *restrict row,
                         const double *restrict root, int64_t rows, double mean, double scale,
                         double *restrict to)
{
#pragma omp simd
    for (int64_t i = 0; i < rows; i++)
        to[i] = (x[row[i]] * scale - mean) * root[i];
}

void dpc_columns_centre(const dpc_columns *c, int first, int count, int64_t from, int64_t rows,
                        double *to)
{
    const int32_t *row = c->row != NULL ? c->row + from : NULL;
    const double *root = c->root != NULL ? c->root + from : NULL;
    bool plain = dpc_plain_column(&c->cells, 0) != NULL;
    if (!plain) { /* the rows come to where their centred values go */
        dpc_cells_gather(&c->cells, first, count, row, from, rows, to);
        row = NULL;
    }
    for (int j = first; j < first + count; j++, to += rows) {
        const double *x = plain ? dpc_plain_column(&c->cells, j) + (row == NULL ? from : 0) : to;
        double mean = c->mean[j], scale = c->scale[j];
        if (row != NULL)
            centre_drawn(x, row, root, rows, mean, scale, to);
        else if (root != NULL)
            for (int64_t i = 0; i < rows; i++)
                to[i] = (x[i] * scale - mean) * root[i];
        else
            for (int64_t i = 0; i < rows; i++)
                to[i] = x[i] * scale - mean;
    }
}

static dpc_status prepare(const dpc_table *table, const dpc_settings *settings, dpc_audit *audit,
                          dpc_arena *arena, dpc_columns *columns, dpc_error *err)
{
    bool latent = settings->normalize == DPC_NORMALIZE_LATENT;
    bool copula = settings->normalize == DPC_NORMALIZE_COPULA || latent;
    int64_t n = table->n_obs;
    int n_vars = table->n_vars;
    dpc_crew crew;
    dpc_crew_init(&crew, settings, DPC_STAGE_PREPARE);
    prepare_job job = {
        .table = table,
        .columns = columns,
        .suspect = dpc_arena_zalloc(arena, n_vars, sizeof(bool)),
        .odd = audit != NULL ? dpc_arena_zalloc(arena, n_vars, sizeof(dpc_data_warning)) : NULL,
    };
    if (copula) {
        job.score_table = dpc_arena_alloc(arena, n, sizeof(double));
        job.scratch = dpc_arena_alloc(arena, 2 * n * crew.threads, sizeof(dpc_ranked));
    }
    bool room = dpc_columns_make(n_vars, copula ? n : 0, columns);
    if (latent) {
        job.order = dpc_arena_alloc(arena, n * crew.threads, sizeof(int32_t));
        job.failed = dpc_arena_zalloc(arena, n_vars, sizeof(bool));
        columns->latent = dpc_zalloc(n_vars, sizeof *columns->latent);
        columns->n_latent = columns->latent != NULL ? n_vars : 0;
        room = room && columns->latent != NULL;
    }
    if (!room || dpc_arena_failed(arena))
        return dpc_fail_memory(err, "the prepared columns");
    if (copula)
        dpc_score_table(n, job.score_table);
    columns->cells =
        copula ? (dpc_cells){columns->scores, DPC_DOUBLE, 1, n} : dpc_table_cells(table);
    columns->n_rows = n;
    DPC_CHECK(dpc_for_columns(table, &crew, prepare_column, &job, err));
    for (int j = 0; j < n_vars; j++)
        if (job.suspect[j])
            return dpc_audit_values(table, audit, err);
    for (int j = 0; j < n_vars && latent; j++) {
        if (job.failed[j])
            return dpc_fail_memory(err, "the prepared columns");
        if (job.odd != NULL && columns->latent[j].kind == DPC_LATENT_LEVELS)
            job.odd[j].values = 0; /* which are levels, and not taken as Gaussian */
    }
    return dpc_audit_columns(table, columns->constant, job.odd, audit, err);
}

dpc_status dpc_prepare(const dpc_table *table, const dpc_settings *settings, dpc_audit *audit,
                       dpc_columns *out, dpc_error *err)
{
    dpc_arena arena = {0};
    dpc_columns columns = {0};
    dpc_status status = prepare(table, settings, audit, &arena, &columns, err);
    dpc_arena_clear(&arena);
    if (status == DPC_OK)
        *out = columns;
    else
        dpc_columns_clear(&columns);
    return status;
}
