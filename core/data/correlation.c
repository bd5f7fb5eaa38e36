/*
 * The correlation matrix, from a table or from a matrix.
 *
 * R = ZᵀZ, scaled to unit diagonal. The product is cut into tasks of a fixed size, square tiles of
 * R times chunks of rows, each a series of single-threaded BLAS calls on a block of rows that is
 * centred into the cache first; chunks are summed in their order. So Z is never made as a whole,
 * and the bytes of the result do not depend on the number of threads.
 */
#include "correlation.h"

#include "alloc.h"
#include "audit.h"
#include "blas.h"
#include "clock.h"
#include "crew.h"
#include "incomplete.h"
#include "linalg.h"
#include "memory_plan.h"
#include "platform.h"
#include "settings.h"
#include "shared_tiles.h"
#include "status.h"
#include "table.h"
#include "test.h"
#include "text.h"
#include "tiles.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum {
    TILE = DPC_TILE,
    BLOCK = DPC_ROW_BLOCK,
    FINISH = 128, /* columns of a tile of the finish */
};

/* Entries that differ this little, relative to the standard deviations, were printed rounded. */
static const double ROUNDED = 1e-6;

/* Correlations that differ no more than this were computed in another order. */
static const double UNEVEN = 1e-12;

dpc_status dpc_correlation_new(int n_vars, int64_t n_obs, dpc_correlation **out, dpc_error *err)
{
    double bytes = (double)n_vars * n_vars * sizeof(double);
    dpc_memory_offer offer = dpc_memory_offered();
    if (bytes > offer.bytes)
        return dpc_fail(err, DPC_NO_MEMORY,
                        "the correlation matrix of %d variables needs %.1f GB of memory, and "
                        "%s %.1f GB; select fewer variables",
                        n_vars, bytes * 1e-9, offer.who, offer.bytes * 1e-9);
    dpc_correlation *c = dpc_zalloc(1, sizeof *c);
    if (c != NULL)
        c->r = dpc_alloc_aligned((int64_t)n_vars * n_vars);
    if (c == NULL || c->r == NULL) {
        dpc_correlation_free(c);
        return dpc_fail(err, DPC_NO_MEMORY,
                        "out of memory for the correlation matrix of %d variables (%.1f GB)",
                        n_vars, bytes * 1e-9);
    }
    c->n_vars = n_vars;
    c->n_obs = n_obs;
    *out = c;
    return DPC_OK;
}

void dpc_correlation_free(dpc_correlation *correlation)
{
    if (correlation == NULL || atomic_fetch_sub(&correlation->shares, 1) > 0)
        return;
    if (!correlation->borrowed)
        free(correlation->r);
    dpc_products_free(correlation->products);
    free(correlation->sd);
    free(correlation->rows);
    free(correlation);
}

const double *dpc_correlation_units(const dpc_correlation *correlation)
{
    return correlation->scored ? NULL : correlation->sd;
}

dpc_correlation *dpc_correlation_share(const dpc_correlation *correlation)
{
    dpc_correlation *shared = (dpc_correlation *)correlation; /* never made const */
    atomic_fetch_add(&shared->shares, 1);
    return shared;
}

int dpc_correlation_n_vars(const dpc_correlation *correlation)
{
    return correlation->n_vars;
}

int64_t dpc_correlation_n_obs(const dpc_correlation *correlation)
{
    return correlation->n_obs;
}

const int32_t *dpc_correlation_rows(const dpc_correlation *correlation)
{
    return correlation->rows;
}

bool dpc_correlation_mean_rows(const dpc_correlation *correlation)
{
    return correlation->mean_rows;
}

dpc_status dpc_correlation_set_rows(dpc_correlation *c, const int32_t *rows, bool mean,
                                    dpc_error *err)
{
    int64_t n = c->n_vars;
    for (int64_t i = 0; i < n * n; i++)
        if (rows[i] < 4 || rows[i] != rows[i % n * n + i / n])
            return dpc_fail(err, DPC_USAGE,
                            "observations that two variables have in common must be the same both "
                            "ways, and 4 at least");
    int32_t *copy = dpc_alloc(n * n, sizeof *copy);
    if (copy == NULL)
        return dpc_fail_memory(err, "the observations of each pair");
    memcpy(copy, rows, (size_t)(n * n) * sizeof *copy);
    free(c->rows);
    c->rows = copy;
    c->mean_rows = mean;
    return DPC_OK;
}

const double *dpc_correlation_values(const dpc_correlation *correlation)
{
    return correlation->r;
}

/* ---- From a table ---- */

/* One without R, to be made from its columns. */
static dpc_status new_without_matrix(const dpc_table *table, const dpc_settings *settings,
                                     dpc_correlation **out, dpc_error *err)
{
    dpc_status status = dpc_plan_without_matrix(table, settings, err);
    if (status != DPC_OK)
        return status;
    dpc_correlation *c = dpc_zalloc(1, sizeof *c);
    if (c == NULL)
        return dpc_fail_memory(err, "the correlations");
    c->n_vars = table->n_vars;
    c->n_obs = table->n_obs;
    *out = c;
    return DPC_OK;
}

typedef struct product_job {
    const dpc_columns *columns;
    int n_vars;
    int chunks;      /* of the rows */
    double *partial; /* R of the chunks after the first, one after the other */
    double *buffer;  /* two blocks per worker */
    bool *mine;      /* by task: made here, and not by another rank */
    dpc_correlation *correlation;
} product_job;

/* One tile over one chunk of rows. */
static void multiply_tile(void *context, int64_t index, int worker)
{
    const product_job *job = context;
    int chunk = (int)(index % job->chunks), row, column, n = job->n_vars;
    dpc_tile_of(index / job->chunks, &row, &column);
    int i = row * TILE, j = column * TILE;
    int height = n - i < TILE ? n - i : TILE, width = n - j < TILE ? n - j : TILE;
    double *r = chunk == 0 ? job->correlation->r : job->partial + (int64_t)(chunk - 1) * n * n;
    r += (int64_t)j * n + i;
    double *zi = job->buffer + (int64_t)worker * 2 * BLOCK * TILE, *zj = zi + BLOCK * TILE;
    int64_t all = job->columns->n_rows;
    int64_t from = all * chunk / job->chunks, end = all * (chunk + 1) / job->chunks;
    double one = 1, beta = 0; /* the first block overwrites */
    for (; from < end || beta == 0; from += BLOCK, beta = 1) {
        int rows = end - from < BLOCK ? (int)(end - from) : BLOCK, ld = rows > 0 ? rows : 1;
        dpc_columns_centre(job->columns, j, width, from, rows, zj);
        if (row == column) {
            dsyrk_("U", "T", &width, &rows, &one, zj, &ld, &beta, r, &n);
        } else {
            dpc_columns_centre(job->columns, i, height, from, rows, zi);
            dgemm_("T", "N", &height, &width, &rows, &one, zi, &ld, zj, &ld, &beta, r, &n);
        }
    }
    job->mine[index] = true;
}

/* All tiles, by all ranks of the ranks if there is one. */
static dpc_status multiply(product_job *job, int64_t tasks, dpc_crew *crew)
{
    int n = job->n_vars;
    const dpc_list list = {
        .count = tasks,
        .singles = tasks,
        .work = (double)n * n * (double)job->columns->n_rows,
        .task = multiply_tile,
        .context = job,
    };
    const dpc_shared_tiles tiles = {n,         TILE, job->chunks, job->correlation->r, job->partial,
                                    job->mine, tasks};
    bool done = dpc_crew_run_shared(crew, &list);
    if (dpc_crew_shares(crew, list.work))
        return dpc_exchange_tiles(&tiles, done, crew);
    return done ? DPC_OK : DPC_INTERRUPTED;
}

static void add_chunks(const product_job *job)
{
    int64_t n = job->n_vars;
    for (int chunk = 1; chunk < job->chunks; chunk++) {
        const double *part = job->partial + (chunk - 1) * n * n;
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = 0; i <= j; i++)
                job->correlation->r[j * n + i] += part[j * n + i];
    }
}

/* The means that rounding has left in the columns, out of their products. */
static void take_out_means(const product_job *job)
{
    int64_t n = job->n_vars;
    const double *left = job->columns->left;
    double n_obs = (double)job->correlation->n_obs;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; left[j] != 0 && i <= j; i++)
            job->correlation->r[j * n + i] -= n_obs * left[i] * left[j];
}

/* ---- To unit diagonal, both triangles ---- */

typedef struct finish_job {
    dpc_correlation *correlation;
    const double *scale; /* per variable; 0: constant */
} finish_job;

/* Rounding may leave a correlation a little outside [-1, 1]. */
static void finish_tile(void *context, int64_t index, int worker)
{
    (void)worker;
    const finish_job *job = context;
    int64_t n = job->correlation->n_vars;
    double *r = job->correlation->r;
    int row, column;
    dpc_tile_of(index, &row, &column);
    for (int64_t j = (int64_t)column * FINISH; j < n && j < (int64_t)(column + 1) * FINISH; j++)
        for (int64_t i = (int64_t)row * FINISH; i < j && i < (int64_t)(row + 1) * FINISH; i++) {
            double v = r[j * n + i] * job->scale[i] * job->scale[j];
            v = v > 1 ? 1 : v < -1 ? -1 : v;
            r[j * n + i] = r[i * n + j] = v;
        }
    for (int64_t j = (int64_t)column * FINISH;
         row == column && j < n && j < (int64_t)(column + 1) * FINISH; j++)
        r[j * n + j] = 1;
}

/* From the upper triangle of a matrix of inner products; DPC_OK, memory or interrupted. */
static dpc_status finish(dpc_correlation *c, dpc_crew *crew)
{
    int n = c->n_vars;
    double *scale = dpc_alloc(n, sizeof *scale);
    if (scale == NULL)
        return DPC_NO_MEMORY;
    for (int64_t j = 0; j < n; j++) {
        double square = c->r[j * n + j];
        scale[j] = square > 0 ? 1 / sqrt(square) : 0;
        if (c->sd != NULL)
            c->sd[j] = sqrt(square / (double)c->n_obs);
    }
    finish_job job = {c, scale};
    bool done = dpc_crew_run(crew, dpc_tiles_of(n, FINISH), (double)n * n, finish_tile, &job);
    free(scale);
    return done ? DPC_OK : DPC_INTERRUPTED;
}

dpc_status dpc_correlate_columns(const dpc_columns *columns, const dpc_settings *settings,
                                 dpc_correlation *c)
{
    dpc_crew crew;
    dpc_crew_init(&crew, settings, DPC_STAGE_CORRELATION);
    int64_t n = c->n_vars;
    bool weighed = columns->row != NULL || columns->root != NULL;
    int chunks = weighed ? 1 : dpc_row_chunks(c->n_vars);
    int64_t tasks = dpc_tiles_of(c->n_vars, TILE) * chunks;
    product_job job = {
        .columns = columns,
        .n_vars = c->n_vars,
        .chunks = chunks,
        .mine = dpc_zalloc(tasks, sizeof(bool)),
        .partial = dpc_alloc((chunks - 1) * n * n, sizeof(double)),
        .buffer = dpc_alloc_aligned((int64_t)crew.threads * 2 * BLOCK * TILE),
        .correlation = c,
    };
    dpc_status status = DPC_NO_MEMORY;
    if (job.partial != NULL && job.buffer != NULL && job.mine != NULL)
        status = multiply(&job, tasks, &crew);
    if (status == DPC_OK) {
        add_chunks(&job);
        take_out_means(&job);
        status = finish(c, &crew);
    }
    free(job.partial);
    free(job.buffer);
    free(job.mine);
    return status;
}

static dpc_status fail_audit(dpc_error *err, dpc_status status)
{
    return status == DPC_INTERRUPTED ? dpc_fail(err, status, "interrupted")
                                     : dpc_fail_memory(err, "the audit of the correlations");
}

/* Of a table without missing cells. */
static dpc_status correlate_complete(const dpc_table *table, const dpc_settings *settings,
                                     dpc_audit *audit, dpc_correlation *c, dpc_error *err)
{
    dpc_columns columns = {0};
    double start = dpc_seconds();
    dpc_status status = dpc_prepare(table, settings, audit, &columns, err);
    if (status != DPC_OK)
        return status;
    c->seconds_prepare = dpc_seconds() - start;
    status = c->r != NULL ? dpc_correlate_columns(&columns, settings, c)
                          : dpc_products_new(&columns, c->n_vars, settings, c->sd, &c->products);
    if (status != DPC_OK)
        dpc_fail(err, status,
                 status == DPC_INTERRUPTED ? "interrupted" : "out of memory for the correlations");
    for (int j = 0; j < table->n_vars && status == DPC_OK; j++) /* before they were scaled */
        c->sd[j] = columns.scale[j] > 0 ? c->sd[j] / columns.scale[j] : 0;
    dpc_columns_clear(&columns);
    return status;
}

dpc_status dpc_correlate(const dpc_table *table, const dpc_settings *given, dpc_audit *audit,
                         dpc_correlation **out, dpc_error *err)
{
    dpc_settings settings;
    dpc_correlation *c = NULL;
    double start = dpc_seconds();
    dpc_status status = dpc_settings_or_default(given, &settings, err);
    if (status == DPC_OK)
        status = dpc_blas_ready(&settings, err);
    if (status == DPC_OK)
        status = dpc_audit_shape(table->names, table->n_vars, table->n_obs, audit, err);
    if (status == DPC_OK && table->n_obs > INT_MAX)
        status = dpc_fail(err, DPC_BAD_INPUT, "more than %d rows cannot be used", INT_MAX);
    if (status == DPC_OK)
        status = dpc_table_check(table, err);
    bool whole = false;
    if (status == DPC_OK)
        status = dpc_matrix_fits(table->n_vars, &settings, &whole, err);
    if (status == DPC_OK)
        status = dpc_is_incomplete(table) || whole
                     ? dpc_correlation_new(table->n_vars, table->n_obs, &c, err)
                     : new_without_matrix(table, &settings, &c, err);
    if (status == DPC_OK && (c->sd = dpc_alloc(table->n_vars, sizeof *c->sd)) == NULL)
        status = dpc_fail_memory(err, "the standard deviations");
    if (status == DPC_OK)
        status = dpc_is_incomplete(table)
                     ? dpc_correlate_incomplete(table, &settings, true, audit, c, err)
                     : correlate_complete(table, &settings, audit, c, err);
    if (status != DPC_OK)
        goto done;
    c->scored = settings.normalize != DPC_NORMALIZE_NONE;
    c->seconds_product = dpc_seconds() - start - c->seconds_prepare;
    double multiplied = dpc_seconds();
    status = dpc_audit_dependence(table->names, c, &settings, audit);
    if (status != DPC_OK) {
        fail_audit(err, status);
        goto done;
    }
    c->seconds_prepare += dpc_seconds() - multiplied; /* the rest of the audit */
    *out = c;
    c = NULL;

done:
    dpc_correlation_free(c);
    return status;
}

/* ---- From a matrix ---- */

static dpc_status check_diagonal(const dpc_table *m, bool *constant, dpc_error *err)
{
    char name[DPC_CLIP_SIZE];
    const dpc_cells cells = dpc_table_cells(m);
    for (int j = 0; j < m->n_vars; j++) {
        double v = dpc_value_at(&cells, j, j);
        if (v < 0)
            return dpc_fail(err, DPC_BAD_INPUT, "the variance of '%s' is negative: %g",
                            dpc_clip_name(m->names[j], name), v);
        constant[j] = v == 0;
    }
    return DPC_OK;
}

static dpc_status scale_entry(const dpc_table *m, int i, int j, double *r, dpc_error *err)
{
    const dpc_cells cells = dpc_table_cells(m);
    double upper = dpc_value_at(&cells, i, j), lower = dpc_value_at(&cells, j, i);
    double si = sqrt(dpc_value_at(&cells, i, i)), sj = sqrt(dpc_value_at(&cells, j, j));
    char a[DPC_CLIP_SIZE], b[DPC_CLIP_SIZE];
    dpc_clip_name(m->names[i], a);
    dpc_clip_name(m->names[j], b);
    if (si == 0 || sj == 0) {
        *r = 0;
        if (upper == 0 && lower == 0)
            return DPC_OK;
        return dpc_fail(err, DPC_BAD_INPUT,
                        "'%s' has a variance of 0 and yet a covariance of %g with '%s'",
                        si == 0 ? a : b, upper != 0 ? upper : lower, si == 0 ? b : a);
    }
    if (fabs(upper - lower) / si / sj > ROUNDED)
        return dpc_fail(err, DPC_BAD_INPUT,
                        "the matrix is not symmetric: '%s' with '%s' is %g in one triangle and "
                        "%g in the other",
                        a, b, upper, lower);
    *r = upper / si / sj / 2 + lower / si / sj / 2; /* half of a tiny number may be nothing */
    if (!(fabs(*r) <= 1 + ROUNDED))
        return dpc_fail(err, DPC_BAD_INPUT,
                        "'%s' and '%s' have a correlation of %g, and none can be above 1", a, b,
                        *r);
    return DPC_OK;
}

/* Those of a covariance matrix; with a diagonal of 1 it is a correlation matrix, and has none. */
static dpc_status keep_units(const dpc_table *m, dpc_correlation *c, dpc_error *err)
{
    const dpc_cells cells = dpc_table_cells(m);
    bool units = false;
    for (int j = 0; j < m->n_vars; j++)
        units = units || dpc_value_at(&cells, j, j) != 1;
    if (!units)
        return DPC_OK;
    c->sd = dpc_alloc(m->n_vars, sizeof *c->sd);
    for (int j = 0; c->sd != NULL && j < m->n_vars; j++)
        c->sd[j] = sqrt(dpc_value_at(&cells, j, j));
    return c->sd != NULL ? DPC_OK : dpc_fail_memory(err, "the standard deviations");
}

static dpc_status scale_matrix(const dpc_table *m, dpc_correlation *c, dpc_error *err)
{
    for (int j = 0; j < c->n_vars; j++)
        for (int i = 0; i < j; i++) {
            dpc_status status = scale_entry(m, i, j, &c->r[(int64_t)j * c->n_vars + i], err);
            if (status != DPC_OK)
                return status;
        }
    for (int j = 0; j < c->n_vars; j++)
        c->r[(int64_t)j * (c->n_vars + 1)] = 1;
    return DPC_OK;
}

dpc_status dpc_correlation_from_matrix(const dpc_table *matrix, int64_t n_obs,
                                       const dpc_settings *given, dpc_audit *audit,
                                       dpc_correlation **out, dpc_error *err)
{
    dpc_settings settings;
    dpc_correlation *c = NULL;
    bool *constant = NULL;
    dpc_status status = dpc_settings_or_default(given, &settings, err);
    if (status == DPC_OK)
        status = dpc_blas_ready(&settings, err);
    if (status == DPC_OK && matrix->n_obs != matrix->n_vars)
        status = dpc_fail(err, DPC_BAD_INPUT, "the matrix has %lld rows and %d columns",
                          (long long)matrix->n_obs, matrix->n_vars);
    if (status == DPC_OK && settings.normalize != DPC_NORMALIZE_NONE)
        status = dpc_fail(err, DPC_USAGE, "normal scores need the table, not its correlations");
    if (status == DPC_OK)
        status = dpc_table_check(matrix, err);
    if (status == DPC_OK)
        status = dpc_audit_shape(matrix->names, matrix->n_vars, n_obs, audit, err);
    if (status == DPC_OK)
        status = dpc_audit_values(matrix, audit, err);
    if (status == DPC_OK)
        status = dpc_correlation_new(matrix->n_vars, n_obs, &c, err);
    if (status != DPC_OK)
        return status;
    constant = dpc_zalloc(matrix->n_vars, sizeof *constant);
    status = constant == NULL ? dpc_fail_memory(err, "the audit of the matrix")
                              : check_diagonal(matrix, constant, err);
    if (status == DPC_OK)
        status = scale_matrix(matrix, c, err);
    if (status == DPC_OK) {
        dpc_crew crew;
        dpc_crew_init(&crew, &settings, DPC_STAGE_CORRELATION);
        status = finish(c, &crew);
        if (status != DPC_OK)
            dpc_fail(err, status, status == DPC_INTERRUPTED ? "interrupted" : "out of memory");
    }
    if (status == DPC_OK)
        status = keep_units(matrix, c, err);
    if (status == DPC_OK) {
        status = dpc_audit_constant(matrix->names, constant, matrix->n_vars, audit);
        if (status == DPC_OK)
            status = dpc_audit_dependence(matrix->names, c, &settings, audit);
        if (status != DPC_OK)
            fail_audit(err, status);
    }
    free(constant);
    if (status != DPC_OK) {
        dpc_correlation_free(c);
        return status;
    }
    *out = c;
    return DPC_OK;
}

/* ---- The caller's own ---- */

/* Entries (i, j) and (j, i). */
static dpc_status check_pair(const double *r, int64_t n, int64_t i, int64_t j, dpc_error *err)
{
    double upper = r[i * n + j], lower = r[j * n + i];
    if (isnan(upper) || isnan(lower))
        return dpc_fail(err, DPC_BAD_INPUT, "the correlation of variables %d and %d is no number",
                        (int)i, (int)j);
    if (fabs(upper) > 1 || fabs(lower) > 1)
        return dpc_fail(err, DPC_BAD_INPUT,
                        "variables %d and %d have a correlation of %g, and none can be above 1",
                        (int)i, (int)j, fabs(upper) > 1 ? upper : lower);
    if (fabs(upper - lower) > UNEVEN)
        return dpc_fail(err, DPC_BAD_INPUT,
                        "the matrix is not symmetric: the correlation of variables %d and %d is "
                        "%.17g in one triangle and %.17g in the other",
                        (int)i, (int)j, upper, lower);
    return DPC_OK;
}

/* By tiles, for one of each two entries lies far from its neighbours. */
static dpc_status check_tile(const double *r, int64_t n, int row, int column, dpc_error *err)
{
    int64_t top = (int64_t)row * FINISH, left = (int64_t)column * FINISH;
    dpc_status status = DPC_OK;
    for (int64_t j = left; j < n && j < left + FINISH && status == DPC_OK; j++)
        for (int64_t i = top; i < j && i < top + FINISH && status == DPC_OK; i++)
            status = check_pair(r, n, i, j, err);
    return status;
}

dpc_status dpc_correlation_view(const double *r, int n_vars, int64_t n_obs, dpc_correlation **out,
                                dpc_error *err)
{
    int row, column;
    int64_t n = n_vars;
    dpc_status status = DPC_OK;
    if (r == NULL || n_vars < 1 || n_obs < 1)
        return dpc_fail(err, DPC_USAGE,
                        "there is no correlation matrix of %d variables and %lld observations",
                        n_vars, (long long)n_obs);
    for (int64_t j = 0; j < n; j++)
        if (!(fabs(r[j * (n + 1)] - 1) <= UNEVEN))
            return dpc_fail(err, DPC_BAD_INPUT,
                            "the correlation of variable %d with itself is %g, not 1", (int)j,
                            r[j * (n + 1)]);
    for (int64_t tile = 0; tile < dpc_tiles_of(n_vars, FINISH) && status == DPC_OK; tile++) {
        dpc_tile_of(tile, &row, &column);
        status = check_tile(r, n, row, column, err);
    }
    if (status != DPC_OK)
        return status;
    dpc_correlation *c = dpc_zalloc(1, sizeof *c);
    if (c == NULL)
        return dpc_fail_memory(err, "a correlation matrix");
    c->n_vars = n_vars;
    c->n_obs = n_obs;
    c->r = (double *)r; /* only read: it is borrowed */
    c->borrowed = true;
    *out = c;
    return DPC_OK;
}
