/*
 * Correlation matrices that no data can have: see definite.h.
 *
 * R = V diag(λ) Vᵀ becomes D V diag(max(λ, floor)) Vᵀ D, with the diagonal D that makes its
 * diagonal 1. A matrix that is singular but for rounding stays: so are those of complete data with
 * copies of columns.
 */
#include "definite.h"

#include "alloc.h"
#include "linalg.h"

#include <math.h>
#include <string.h>

/* Eigenvalues below it, seen from 0, are more than rounding. */
static const double NEGATIVE = -1e-8;

/* What they become: small, and far from what is called singular. */
static const double FLOOR = 1e-4;

void dsyev_(const char *jobz, const char *uplo, const int *n, double *a, const int *lda, double *w,
            double *work, const int *lwork, int *info);

/* The eigenvectors into `v`, which holds the matrix, and the eigenvalues in ascending order. */
static dpc_status decompose(double *v, int n, double *values)
{
    int ask = -1, info = 0;
    double wanted = 0;
    dsyev_("V", "U", &n, v, &n, values, &wanted, &ask, &info);
    int room = wanted > 3.0 * n ? (int)wanted : 3 * n;
    double *work = dpc_alloc(room, sizeof *work);
    if (work == NULL)
        return DPC_NO_MEMORY;
    dsyev_("V", "U", &n, v, &n, values, work, &room, &info);
    free(work);
    return DPC_OK;
}

/* V diag(max(λ, floor)) Vᵀ, scaled to unit diagonal, into both triangles of r. */
static void compose(double *v, int n, double *values, double floor, double *r)
{
    const double one = 1, none = 0;
    for (int64_t k = 0; k < n; k++) {
        double root = sqrt(fmax(values[k], floor));
        for (int64_t i = 0; i < n; i++)
            v[k * n + i] *= root;
    }
    dsyrk_("U", "N", &n, &n, &one, v, &n, &none, r, &n);
    for (int64_t j = 0; j < n; j++)
        values[j] = 1 / sqrt(r[j * n + j]);
    for (int64_t j = 0; j < n; j++) {
        for (int64_t i = 0; i < j; i++) {
            double x = r[j * n + i] * values[i] * values[j];
            r[j * n + i] = r[i * n + j] = fmax(-1, fmin(1, x));
        }
        r[j * n + j] = 1;
    }
}

dpc_status dpc_make_definite(double *r, int n, double *least)
{
    int64_t cells = (int64_t)n * n;
    int info = 0;
    double *v = dpc_alloc_aligned(cells), *values = dpc_alloc(n, sizeof *values);
    dpc_status status = v != NULL && values != NULL ? DPC_OK : DPC_NO_MEMORY;
    if (least != NULL)
        *least = 0;
    if (status == DPC_OK) {
        memcpy(v, r, (size_t)cells * sizeof *v);
        dpotrf_("U", &n, v, &n, &info);
    }
    if (status == DPC_OK && info != 0) {
        memcpy(v, r, (size_t)cells * sizeof *v);
        status = decompose(v, n, values);
        if (status == DPC_OK && values[0] < NEGATIVE) {
            if (least != NULL)
                *least = values[0];
            compose(v, n, values, FLOOR, r);
        }
    }
    free(v);
    free(values);
    return status;
}

/* ---- The nearest ---- */

enum { MANY = 300, MOST_STEPS = 200 };

/* Are all eigenvalues above the floor? `v` is spoilt. */
static bool is_above(const double *r, int n, double floor, double *v)
{
    int info = 0;
    memcpy(v, r, (size_t)n * (size_t)n * sizeof *v);
    for (int64_t j = 0; j < n; j++)
        v[j * n + j] -= floor;
    dpotrf_("U", &n, v, &n, &info);
    return info == 0;
}

/* V diag(max(λ, floor)) Vᵀ, both triangles; `v` is spoilt. */
static void clip(double *v, int n, const double *values, double floor, double *to)
{
    const double one = 1, none = 0;
    for (int64_t k = 0; k < n; k++) {
        double root = sqrt(fmax(values[k], floor));
        for (int64_t i = 0; i < n; i++)
            v[k * n + i] *= root;
    }
    dsyrk_("U", "N", &n, &n, &one, v, &n, &none, to, &n);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < j; i++)
            to[i * n + j] = to[j * n + i];
}

/*
 * Dykstra's projections, in turns: to matrices with eigenvalues above the floor, with what the last
 * such step has changed taken back first, and to unit diagonals.
 */
static dpc_status project(double *r, int n, double floor, double *v, double *x, double *change)
{
    int64_t cells = (int64_t)n * n;
    double *values = dpc_alloc(n, sizeof *values), off = 1;
    dpc_status status = values != NULL ? DPC_OK : DPC_NO_MEMORY;
    memset(change, 0, (size_t)cells * sizeof *change);
    for (int step = 0; status == DPC_OK && step < MOST_STEPS && off > 1e-9; step++) {
        for (int64_t i = 0; i < cells; i++)
            v[i] = change[i] = r[i] - change[i];
        status = decompose(v, n, values);
        if (status != DPC_OK)
            break;
        clip(v, n, values, floor, x);
        for (int64_t i = 0; i < cells; i++)
            change[i] = x[i] - change[i];
        off = 0;
        for (int64_t j = 0; j < n; j++) {
            off = fmax(off, fabs(x[j * n + j] - 1));
            x[j * n + j] = 1;
        }
        memcpy(r, x, (size_t)cells * sizeof *r);
    }
    free(values);
    return status;
}

/* Eigenvalues clipped once, and scaled: what is left to do, or all that is done for a large one. */
static dpc_status clip_once(double *r, int n, double floor, double *v, double *least)
{
    double *values = dpc_alloc(n, sizeof *values);
    dpc_status status = values != NULL ? DPC_OK : DPC_NO_MEMORY;
    memcpy(v, r, (size_t)n * (size_t)n * sizeof *v);
    if (status == DPC_OK)
        status = decompose(v, n, values);
    if (status == DPC_OK) {
        *least = values[0];
        if (values[0] < floor)
            compose(v, n, values, floor, r);
    }
    free(values);
    return status;
}

dpc_status dpc_nearest_correlation(double *r, int n, double floor, double *least)
{
    int64_t cells = (int64_t)n * n;
    double *v = dpc_alloc_aligned(cells), *x = NULL, *change = NULL, *kept = NULL, unused;
    dpc_status status = v != NULL ? DPC_OK : DPC_NO_MEMORY;
    *least = floor;
    if (status == DPC_OK && !is_above(r, n, floor, v)) {
        kept = dpc_alloc_aligned(cells);
        x = dpc_alloc_aligned(cells);
        change = dpc_alloc_aligned(cells);
        status = kept && x && change ? DPC_OK : DPC_NO_MEMORY;
        if (status == DPC_OK) {
            memcpy(kept, r, (size_t)cells * sizeof *kept);
            status = clip_once(r, n, floor, v, least);
        }
        if (status == DPC_OK && n <= MANY) {
            memcpy(r, kept, (size_t)cells * sizeof *r);
            status = project(r, n, floor, v, x, change);
            if (status == DPC_OK)
                status = clip_once(r, n, floor, v, &unused);
        }
    }
    free(v);
    free(x);
    free(change);
    free(kept);
    return status;
}
