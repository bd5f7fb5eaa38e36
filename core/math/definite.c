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
static void compose(double *v, int n, double *values, double *r)
{
    const double one = 1, none = 0;
    for (int64_t k = 0; k < n; k++) {
        double root = sqrt(fmax(values[k], FLOOR));
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
            compose(v, n, values, r);
        }
    }
    free(v);
    free(values);
    return status;
}
