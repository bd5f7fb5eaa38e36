/*
 * The few dense kernels.
 *
 * Direct partial correlation: order the variables as (set, x, y) and factor U = L Lᵀ row by row.
 * The rows of x and y hold what the set explains of them, so that the Schur complement is
 *
 *     B = U[xy,xy] - Lx·Ly ,   r = Bxy / sqrt(Bxx Byy)        (paper, eq. peqn and peqn.simple)
 */
#include "linalg.h"

#include "triangular.h"

#include <float.h>
#include <math.h>

/* Copies the lower triangle in Fortran's sense, a[j*n + i] with i > j, to the upper one. */
static void mirror(double *a, int n)
{
    enum { TILE = 32 };
    for (int jb = 0; jb < n; jb += TILE)
        for (int ib = 0; ib <= jb; ib += TILE)
            for (int j = jb; j < n && j < jb + TILE; j++)
                for (int i = ib; i < j && i < ib + TILE; i++)
                    a[(int64_t)j * n + i] = a[(int64_t)i * n + j];
}

/* Scales the columns to unit length; returns the largest of their squares before. */
static double scale_columns(double *f, int n)
{
    double largest = 0;
    for (int j = 0; j < n; j++) {
        double *column = f + (int64_t)j * n, squares = 0;
        for (int i = j; i < n; i++)
            squares += column[i] * column[i];
        double scale = 1 / sqrt(squares);
        for (int i = j; i < n; i++)
            column[i] *= scale;
        largest = fmax(largest, squares);
    }
    return largest;
}

static bool make_factor(double *a, int n, double *least, dpc_shared_work *by)
{
    *least = 0;
    if (!dpc_blocks_factor(a, n, by))
        return false;
    /* A pivot is a conditional variance given only those before: never the smaller one. */
    for (int i = 0; i < n; i++)
        if (!(a[(int64_t)i * n + i] * a[(int64_t)i * n + i] >= DPC_SINGULAR))
            return false;
    if (!dpc_blocks_invert(a, n, by))
        return false;
    double largest = scale_columns(a, n);
    if (!isfinite(largest) || !(1 / largest >= DPC_SINGULAR))
        return false;
    *least = 1 / largest;
    return true;
}

bool dpc_inverse_factor(double *a, int n, double *least, dpc_crew *crew, int worker)
{
    dpc_shared_work by = {.crew = crew, .worker = worker, .all = 2. / 3 * n * n * n};
    return make_factor(a, n, least, &by);
}

bool dpc_scaled_inverse(double *a, int n, double *least, dpc_crew *crew, int worker)
{
    dpc_shared_work by = {.crew = crew, .worker = worker, .all = (double)n * n * n};
    if (!make_factor(a, n, least, &by) || !dpc_blocks_square(a, n, &by))
        return false;
    mirror(a, n);
    return true;
}

bool dpc_small_inverse(double *a, int n, double *room, double *least)
{
    int ld = dpc_whole_vectors(n);
    for (int i = n; i < ld; i++) /* a padding that changes nothing: ones on the diagonal */
        for (int j = 0; j <= i; j++)
            a[(int64_t)j * ld + i] = i == j;
    *least = dpc_vector_best()->invert(ld, a, room, DPC_SAFE);
    return *least >= DPC_SAFE;
}

/* What rounding leaves outside. */
static double within_one(double r)
{
    return r > 1 ? 1 : r < -1 ? -1 : r;
}

/* One row of the factor: solves for l[0 … columns-1], returns what is left of the diagonal. */
static double factor_row(const double *m, int64_t ld, int variable, const int32_t *set, int columns,
                         const double *factor, int stride, double *l)
{
    double left = 1;
    for (int j = 0; j < columns; j++) {
        const double *lj = factor + (int64_t)j * stride;
        double v = m[set[j] * ld + variable]; /* rows of the set are likely to be in the cache */
        for (int i = 0; i < j; i++)
            v -= l[i] * lj[i];
        v *= lj[j]; /* the reciprocal of the pivot's root */
        l[j] = v;
        left -= v * v;
    }
    return left;
}

dpc_partial dpc_partial_start(const double *m, int64_t ld, int x, int y, const int32_t *set,
                              int most, double tolerance, double *scratch)
{
    return (dpc_partial){.m = m,
                         .ld = ld,
                         .x = x,
                         .y = y,
                         .set = set,
                         .most = most,
                         .tolerance = tolerance,
                         .factor = scratch,
                         .left = {1, 1, m[x * ld + y]}};
}

/* The entry of an end in the column of the last member, whose row of the factor is given. */
static double next_entry(const double *l, const double *row, int k, double v)
{
    for (int i = 0; i < k; i++)
        v -= l[i] * row[i];
    return v * row[k];
}

/*
 * The row of one member more, behind those there are, and the entries of x and y in its column,
 * from their correlations with it. False: the others determine it. Inlined: orientation asks this
 * for every triple.
 */
static inline __attribute__((always_inline)) bool add_row(const dpc_partial *p, int member,
                                                          double *x, double *y)
{
    int k = p->k, stride = p->most + 1;
    double *row = p->factor + (int64_t)k * stride;
    const double *lx = p->factor + (int64_t)p->most * stride, *ly = lx + stride;
    double left = factor_row(p->m, p->ld, member, p->set, k, p->factor, stride, row);
    if (!(left >= p->tolerance))
        return false;
    row[k] = 1 / sqrt(left);
    *x = next_entry(lx, row, k, *x);
    *y = next_entry(ly, row, k, *y);
    return true;
}

static dpc_left less(dpc_left left, double x, double y)
{
    return (dpc_left){left.x - x * x, left.y - y * y, left.xy - x * y};
}

static double correlation(dpc_left left, double tolerance)
{
    if (!(left.x >= tolerance) || !(left.y >= tolerance))
        return NAN;
    return within_one(left.xy / sqrt(left.x * left.y));
}

bool dpc_partial_push(dpc_partial *p)
{
    double *lx = p->factor + (int64_t)p->most * (p->most + 1), *ly = lx + p->most + 1;
    const double *of_member = p->m + p->set[p->k] * p->ld; /* likely to be in the cache */
    double x = of_member[p->x], y = of_member[p->y];
    if (!add_row(p, p->set[p->k], &x, &y))
        return false;
    p->left = less(p->left, x, y);
    lx[p->k] = x;
    ly[p->k] = y;
    p->k++;
    return true;
}

bool dpc_partial_push_all(dpc_partial *p, int count)
{
    bool fine = true;
    for (int i = 0; i < count && fine; i++)
        fine = dpc_partial_push(p);
    return fine;
}

double dpc_partial_r(const dpc_partial *p)
{
    return correlation(p->left, p->tolerance);
}

double dpc_partial_r_with(const dpc_partial *p, int member)
{
    /* here the rows of x and y are: this is asked for many members */
    double x = p->m[p->x * p->ld + member], y = p->m[p->y * p->ld + member];
    return add_row(p, member, &x, &y) ? correlation(less(p->left, x, y), p->tolerance) : NAN;
}

double dpc_partial_correlation(const double *m, int64_t ld, int x, int y, const int32_t *set, int k,
                               double tolerance, double *scratch)
{
    if (k == 1) { /* the most frequent question, in closed form */
        const double *row = m + set[0] * ld;
        double xs = row[x], ys = row[y], vx = 1 - xs * xs, vy = 1 - ys * ys;
        if (!(vx >= tolerance) || !(vy >= tolerance))
            return NAN;
        return within_one((m[x * ld + y] - xs * ys) / sqrt(vx * vy));
    }
    dpc_partial p = dpc_partial_start(m, ld, x, y, set, k, tolerance, scratch);
    return dpc_partial_push_all(&p, k) ? dpc_partial_r(&p) : NAN;
}

/* (1 + |b|)² / v of one end, from its row l of the factor. */
static double growth(const double *factor, int stride, int k, double *l)
{
    double left = 1, sum = 1;
    for (int i = 0; i < k; i++)
        left -= l[i] * l[i];
    for (int i = k - 1; i >= 0; i--) { /* b solves Lᵀ b = l */
        const double *row = factor + (int64_t)i * stride;
        double b = l[i] * row[i];
        for (int j = 0; j < i; j++)
            l[j] -= b * row[j];
        sum += fabs(b);
    }
    return sum * sum / left;
}

double dpc_partial_doubt(const double *m, int64_t ld, int x, int y, const int32_t *set, int k,
                         double *scratch)
{
    const double unit = 4 * DBL_EPSILON;
    if (k == 1) {
        const double *row = m + set[0] * ld;
        double xs = fabs(row[x]), ys = fabs(row[y]);
        return unit * ((1 + xs) / (1 - xs) + (1 + ys) / (1 - ys));
    }
    double *lx = scratch + (int64_t)k * (k + 1), *ly = lx + k + 1;
    return unit * (growth(scratch, k + 1, k, lx) + growth(scratch, k + 1, k, ly));
}
