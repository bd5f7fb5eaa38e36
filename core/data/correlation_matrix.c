/*
 * Correlations from a matrix: a covariance or correlation matrix that was read, which is checked,
 * scaled and copied; or the caller's own correlations, which are checked and borrowed.
 */
#include "alloc.h"
#include "audit.h"
#include "correlation.h"
#include "crew.h"
#include "settings.h"
#include "status.h"
#include "table.h"
#include "text.h"
#include "tiles.h"

#include <math.h>

/* Entries that differ this little, relative to the standard deviations, were printed rounded. */
static const double ROUNDED = 1e-6;

/* Correlations that differ no more than this were computed in another order. */
static const double UNEVEN = 1e-12;

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
        for (int i = 0; i < j; i++)
            DPC_CHECK(scale_entry(m, i, j, &c->r[(int64_t)j * c->n_vars + i], err));
    for (int j = 0; j < c->n_vars; j++)
        c->r[(int64_t)j * (c->n_vars + 1)] = 1;
    return DPC_OK;
}

/* What the matrix must be before anything is made of it. */
static dpc_status check_matrix(const dpc_table *matrix, int64_t n_obs, const dpc_settings *settings,
                               dpc_audit *audit, dpc_error *err)
{
    if (matrix->n_obs != matrix->n_vars)
        return dpc_fail(err, DPC_BAD_INPUT, "the matrix has %lld rows and %d columns",
                        (long long)matrix->n_obs, matrix->n_vars);
    if (settings->normalize != DPC_NORMALIZE_NONE)
        return dpc_fail(err, DPC_USAGE, "normal scores need the table, not its correlations");
    DPC_CHECK(dpc_table_check(matrix, err));
    DPC_CHECK(dpc_audit_shape(matrix->names, matrix->n_vars, n_obs, audit, err));
    return dpc_audit_values(matrix, audit, err);
}

static dpc_status fill(const dpc_table *matrix, const dpc_settings *settings, dpc_audit *audit,
                       bool *constant, dpc_correlation *c, dpc_error *err)
{
    dpc_crew crew;
    dpc_crew_init(&crew, settings, DPC_STAGE_CORRELATION);
    DPC_CHECK(check_diagonal(matrix, constant, err));
    DPC_CHECK(scale_matrix(matrix, c, err));
    DPC_CHECK(dpc_fail_as(err, dpc_correlation_scale(c, &crew), "the correlations"));
    DPC_CHECK(keep_units(matrix, c, err));
    DPC_CHECK(dpc_fail_as(err, dpc_audit_constant(matrix->names, constant, matrix->n_vars, audit),
                          "the audit of the correlations"));
    return dpc_audit_correlations(matrix->names, c, settings, audit, err);
}

dpc_status dpc_correlation_from_matrix(const dpc_table *matrix, int64_t n_obs,
                                       const dpc_settings *given, dpc_audit *audit,
                                       dpc_correlation **out, dpc_error *err)
{
    dpc_settings settings;
    dpc_correlation *c = NULL;
    DPC_CHECK(dpc_settings_or_default(given, &settings, err));
    DPC_CHECK(check_matrix(matrix, n_obs, &settings, audit, err));
    DPC_CHECK(dpc_correlation_new(matrix->n_vars, n_obs, &c, err));
    bool *constant = dpc_zalloc(matrix->n_vars, sizeof *constant);
    dpc_status status = constant == NULL ? dpc_fail_memory(err, "the audit of the matrix")
                                         : fill(matrix, &settings, audit, constant, c, err);
    free(constant);
    if (status == DPC_OK)
        *out = c;
    else
        dpc_correlation_free(c);
    return status;
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

/* By tiles, because one of the two entries of a pair lies far from its neighbours. */
static dpc_status check_tile(const double *r, int64_t n, dpc_tile t, dpc_error *err)
{
    for (int64_t j = t.left; j < t.left + t.width; j++)
        for (int64_t i = t.top; i < j && i < t.top + t.height; i++)
            DPC_CHECK(check_pair(r, n, i, j, err));
    return DPC_OK;
}

dpc_status dpc_correlation_view(const double *r, int n_vars, int64_t n_obs, dpc_correlation **out,
                                dpc_error *err)
{
    int64_t n = n_vars;
    if (r == NULL || n_vars < 1 || n_obs < 1)
        return dpc_fail(err, DPC_USAGE,
                        "there is no correlation matrix of %d variables and %lld observations",
                        n_vars, (long long)n_obs);
    for (int64_t j = 0; j < n; j++)
        if (!(fabs(r[j * (n + 1)] - 1) <= UNEVEN))
            return dpc_fail(err, DPC_BAD_INPUT,
                            "the correlation of variable %d with itself is %g, not 1", (int)j,
                            r[j * (n + 1)]);
    for (int64_t tile = 0; tile < dpc_tiles_of(n_vars, DPC_SCALE_TILE); tile++)
        DPC_CHECK(check_tile(r, n, dpc_tile_of(tile, n_vars, DPC_SCALE_TILE), err));
    DPC_CHECK(dpc_correlation_new_without_matrix(n_vars, n_obs, out, err));
    (*out)->r = (double *)r; /* only read: it is borrowed */
    (*out)->borrowed = true;
    return DPC_OK;
}
