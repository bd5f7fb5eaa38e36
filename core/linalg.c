/*
 * The few dense kernels.
 *
 * Direct partial correlation: order the variables as (set, x, y) and factor U = L Lᵀ row by row.
 * The rows of x and y hold what the set explains of them, so that the Schur complement is
 *
 *     B = U[xy,xy] - Lx·Ly ,   r = Bxy / sqrt(Bxx Byy)        (paper, eq. peqn and peqn.simple)
 */
#include "linalg.h"

#include <math.h>

void dpc_mirror(double *a, int n)
{
    enum { TILE = 32 };
    for (int jb = 0; jb < n; jb += TILE)
        for (int ib = 0; ib <= jb; ib += TILE)
            for (int j = jb; j < n && j < jb + TILE; j++)
                for (int i = ib; i < j && i < ib + TILE; i++)
                    a[(int64_t)i * n + j] = a[(int64_t)j * n + i];
}

static void scale_to_unit_diagonal(double *a, int n)
{
    for (int i = 0; i < n; i++) /* the diagonal holds the scales until the end */
        a[(int64_t)i * n + i] = 1 / sqrt(a[(int64_t)i * n + i]);
    for (int i = 0; i < n; i++) {
        double *row = a + (int64_t)i * n, si = row[i];
        for (int j = 0; j < n; j++)
            if (j != i)
                row[j] *= si * a[(int64_t)j * n + j];
    }
    for (int i = 0; i < n; i++)
        a[(int64_t)i * n + i] = 1;
}

bool dpc_scaled_inverse(double *a, int n, double *least)
{
    int info;
    *least = 0;
    dpotrf_("U", &n, a, &n, &info);
    if (info != 0)
        return false;
    /* A pivot is a conditional variance given only those before: never the smaller one. */
    for (int i = 0; i < n; i++)
        if (!(a[(int64_t)i * n + i] * a[(int64_t)i * n + i] >= DPC_SINGULAR))
            return false;
    dpotri_("U", &n, a, &n, &info);
    if (info != 0)
        return false;
    double largest = 0;
    for (int i = 0; i < n; i++)
        largest = fmax(largest, a[(int64_t)i * n + i]);
    if (!(1 / largest >= DPC_SINGULAR) || !isfinite(largest))
        return false;
    *least = 1 / largest;
    dpc_mirror(a, n);
    scale_to_unit_diagonal(a, n);
    return true;
}

/* One row of the factor: solves for l[0 … columns-1], returns what is left of the diagonal. */
static double factor_row(const double *m, int64_t ld, int variable, const int32_t *set, int columns,
                         const double *factor, int stride, double *l)
{
    const double *row = m + variable * ld;
    double left = row[variable];
    for (int j = 0; j < columns; j++) {
        const double *lj = factor + (int64_t)j * stride;
        double v = row[set[j]];
        for (int i = 0; i < j; i++)
            v -= l[i] * lj[i];
        v *= lj[j]; /* the reciprocal of the pivot's root */
        l[j] = v;
        left -= v * v;
    }
    return left;
}

double dpc_partial_correlation(const double *m, int64_t ld, int x, int y, const int32_t *set, int k,
                               double tolerance, double *scratch)
{
    int stride = k + 1;
    for (int i = 0; i < k; i++) {
        double *l = scratch + (int64_t)i * stride;
        double left = factor_row(m, ld, set[i], set, i, scratch, stride, l);
        if (!(left >= tolerance))
            return NAN;
        l[i] = 1 / sqrt(left);
    }
    double *lx = scratch + (int64_t)k * stride, *ly = lx + stride;
    double vx = factor_row(m, ld, x, set, k, scratch, stride, lx);
    double vy = factor_row(m, ld, y, set, k, scratch, stride, ly);
    if (!(vx >= tolerance) || !(vy >= tolerance))
        return NAN;
    double bxy = m[x * ld + y];
    for (int i = 0; i < k; i++)
        bxy -= lx[i] * ly[i];
    return fmax(-1, fmin(1, bxy / sqrt(vx) / sqrt(vy)));
}
