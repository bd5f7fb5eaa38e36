/*
 * The correlation matrix, from a table or from a matrix.
 *
 * R = ZᵀZ in square tiles, one single-threaded BLAS call each: the bytes of the result do not
 * depend on the number of threads, and the work can be called off between tiles.
 */
#include "check.h"
#include "clock.h"
#include "crew.h"
#include "error.h"
#include "linalg.h"
#include "memory.h"
#include "prepare.h"
#include "settings.h"

#include <limits.h>
#include <math.h>
#include <unistd.h>

enum { TILE = 256 };

/* Entries that differ this little, relative to the standard deviations, were printed rounded. */
static const double ROUNDED = 1e-6;

static dpc_status correlation_new(int n_vars, int64_t n_obs, dpc_correlation **out, dpc_error *err)
{
    double bytes = (double)n_vars * n_vars * sizeof(double);
    double memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    if (memory > 0 && bytes > memory)
        return dpc_fail(err, DPC_NO_MEMORY,
                        "the correlation matrix of %d variables needs %.1f GB of memory, and "
                        "this machine has %.1f GB; select fewer variables",
                        n_vars, bytes * 1e-9, memory * 1e-9);
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
    if (correlation == NULL)
        return;
    free(correlation->r);
    free(correlation);
}

/* ---- From a table ---- */

typedef struct product_job {
    const double *z;
    int n_obs, n_vars, tiles; /* tiles: per side */
    double *r;
} product_job;

/* Tile number `index` of the upper triangle in Fortran's sense, counted column by column. */
static void product_tile(void *context, int64_t index, int worker)
{
    (void)worker;
    const product_job *job = context;
    int column = (int)((sqrt(8 * (double)index + 1) - 1) / 2);
    while ((int64_t)column * (column + 1) / 2 > index)
        column--;
    while ((int64_t)(column + 1) * (column + 2) / 2 <= index)
        column++;
    int row = (int)(index - (int64_t)column * (column + 1) / 2);
    int i = row * TILE, j = column * TILE, n = job->n_vars, k = job->n_obs;
    int rows = n - i < TILE ? n - i : TILE, columns = n - j < TILE ? n - j : TILE;
    const double one = 1, zero = 0;
    double *r = job->r + (int64_t)j * n + i;
    const double *zi = job->z + (int64_t)i * k, *zj = job->z + (int64_t)j * k;
    if (row == column)
        dsyrk_("U", "T", &columns, &k, &one, zj, &k, &zero, r, &n);
    else
        dgemm_("T", "N", &rows, &columns, &k, &one, zi, &k, zj, &k, &zero, r, &n);
}

/* Inner products of unit vectors, rounded: correlations lie in [-1, 1], the diagonal is 1. */
static void finish(dpc_correlation *c)
{
    int n = c->n_vars;
    for (int j = 0; j < n; j++) {
        double *column = c->r + (int64_t)j * n;
        for (int i = 0; i < j; i++)
            column[i] = fmax(-1, fmin(1, column[i]));
        column[j] = 1;
    }
    dpc_mirror_upper(c->r, n);
}

static dpc_status multiply(const double *z, const dpc_settings *settings, dpc_correlation *c)
{
    int tiles = (c->n_vars + TILE - 1) / TILE;
    product_job job = {z, (int)c->n_obs, c->n_vars, tiles, c->r};
    dpc_crew crew;
    dpc_crew_init(&crew, settings, DPC_STAGE_CORRELATION);
    double work = (double)c->n_vars * c->n_vars * (double)c->n_obs;
    if (!dpc_crew_run(&crew, (int64_t)tiles * (tiles + 1) / 2, work, product_tile, &job))
        return DPC_INTERRUPTED;
    finish(c);
    return DPC_OK;
}

dpc_status dpc_correlate(const dpc_table *table, const dpc_settings *given, dpc_audit *audit,
                         dpc_correlation **out, dpc_error *err)
{
    dpc_settings settings;
    dpc_correlation *c = NULL;
    double *z = NULL, start = dpc_seconds();
    dpc_status status = dpc_settings_or_default(given, &settings, err);
    if (status == DPC_OK)
        status = dpc_check_table(table, table->n_obs, audit, err);
    if (status == DPC_OK && table->n_obs > INT_MAX)
        status = dpc_fail(err, DPC_BAD_INPUT, "more than %d rows cannot be used", INT_MAX);
    if (status == DPC_OK)
        status = correlation_new(table->n_vars, table->n_obs, &c, err);
    if (status == DPC_OK)
        status = dpc_prepare(table, &settings, audit, &z, err);
    double prepared = dpc_seconds();
    if (status != DPC_OK)
        goto done;
    if ((status = multiply(z, &settings, c)) != DPC_OK) {
        dpc_fail(err, status, "interrupted");
        goto done;
    }
    c->seconds_prepare = prepared - start;
    c->seconds_product = dpc_seconds() - prepared;
    if ((status = dpc_check_dependence(table->names, c, audit)) != DPC_OK) {
        dpc_fail_memory(err, "the audit of the correlations");
        goto done;
    }
    *out = c;
    c = NULL;

done:
    free(z);
    dpc_correlation_free(c);
    return status;
}

/* ---- From a matrix ---- */

static dpc_status check_diagonal(const dpc_table *m, bool *constant, dpc_error *err)
{
    for (int j = 0; j < m->n_vars; j++) {
        double v = m->values[(int64_t)j * (m->n_obs + 1)];
        if (v < 0)
            return dpc_fail(err, DPC_BAD_INPUT, "the variance of '%s' is negative: %g", m->names[j],
                            v);
        constant[j] = v == 0;
    }
    return DPC_OK;
}

static dpc_status scale_entry(const dpc_table *m, int i, int j, double *r, dpc_error *err)
{
    int64_t n = m->n_vars;
    double upper = m->values[j * n + i], lower = m->values[i * n + j];
    double si = sqrt(m->values[i * (n + 1)]), sj = sqrt(m->values[j * (n + 1)]);
    if (si == 0 || sj == 0) {
        *r = 0;
        return DPC_OK;
    }
    if (fabs(upper - lower) / si / sj > ROUNDED)
        return dpc_fail(err, DPC_BAD_INPUT,
                        "the matrix is not symmetric: '%s' with '%s' is %g in one triangle and "
                        "%g in the other",
                        m->names[i], m->names[j], upper, lower);
    *r = (upper / 2 + lower / 2) / si / sj;
    if (!(fabs(*r) <= 1 + ROUNDED))
        return dpc_fail(err, DPC_BAD_INPUT,
                        "'%s' and '%s' have a correlation of %g, and none can be above 1",
                        m->names[i], m->names[j], *r);
    return DPC_OK;
}

static dpc_status scale_matrix(const dpc_table *m, dpc_correlation *c, dpc_error *err)
{
    for (int j = 0; j < c->n_vars; j++)
        for (int i = 0; i < j; i++) {
            dpc_status status = scale_entry(m, i, j, &c->r[(int64_t)j * c->n_vars + i], err);
            if (status != DPC_OK)
                return status;
        }
    finish(c);
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
    if (status == DPC_OK && matrix->n_obs != matrix->n_vars)
        status = dpc_fail(err, DPC_BAD_INPUT, "the matrix has %lld rows and %d columns",
                          (long long)matrix->n_obs, matrix->n_vars);
    if (status == DPC_OK && settings.normalize != DPC_NORMALIZE_NONE)
        status = dpc_fail(err, DPC_USAGE, "normal scores need the table, not its correlations");
    if (status == DPC_OK)
        status = dpc_check_table(matrix, n_obs, audit, err);
    if (status == DPC_OK)
        status = correlation_new(matrix->n_vars, n_obs, &c, err);
    if (status != DPC_OK)
        return status;
    constant = dpc_zalloc(matrix->n_vars, sizeof *constant);
    status = constant == NULL ? dpc_fail_memory(err, "the audit of the matrix")
                              : check_diagonal(matrix, constant, err);
    if (status == DPC_OK)
        status = scale_matrix(matrix, c, err);
    if (status == DPC_OK) {
        status = dpc_check_constant(matrix->names, constant, matrix->n_vars, audit);
        if (status == DPC_OK)
            status = dpc_check_dependence(matrix->names, c, audit);
        if (status != DPC_OK)
            dpc_fail_memory(err, "the audit of the matrix");
    }
    free(constant);
    if (status != DPC_OK) {
        dpc_correlation_free(c);
        return status;
    }
    *out = c;
    return DPC_OK;
}
