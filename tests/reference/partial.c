/*
 * One partial correlation, computed alone, from a direct inverse P of the matrix of {x, y} ∪ K:
 * r = -P_xy / sqrt(P_xx P_yy), by Gauss-Jordan elimination in long double. Nothing is shared,
 * cached or skipped, so nothing that core/ shares, caches or skips can be wrong in the same way
 * here.
 *
 * What is singular (section 4, "never deletes an edge"), with ε = 1e-10:
 *  - a test given K is not made where a pivot of K, or the variance of x or of y given K, is
 *    below ε in a Cholesky factor (pivots are conditional variances, given what came before);
 *  - an inverse T is refused where a pivot of such a factor of the whole, or some 1 / T_ii, the
 *    variance of i given all others, is below ε.
 */
#include "run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const real EPSILON = 1e-10L;

/*
 * Notes on which side of ε a variance lies, given variables of which one has `pivot` left, the
 * least. By it the errors of doubles grow.
 */
static bool vanishes(struct run *run, real variance, real pivot)
{
    struct reference *out = run->out;
    double doubt = 1e-15 / (double)pivot;
    if (variance < EPSILON) {
        out->largest_refused = fmax(out->largest_refused, (double)fabsl(variance) + doubt);
        return true;
    }
    out->least_variance = fmin(out->least_variance, (double)variance - doubt);
    out->least_product = fmin(out->least_product, (double)(variance * pivot));
    return false;
}

/* The matrix of R over `index`, into run->matrix. */
static void gather(struct run *run, const int32_t *index, int size)
{
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++)
            run->matrix[i * size + j] = run->r[(size_t)index[i] * run->n + index[j]];
}

static void swap(real *left, real *right)
{
    real kept = *left;
    *left = *right;
    *right = kept;
}

/*
 * The columns from `first` of the inverse of run->matrix, into those of run->inverse, by
 * Gauss-Jordan elimination with row pivoting; run->matrix is spoilt. False where a column has no
 * pivot left.
 */
static bool invert(struct run *run, int size, int first)
{
    real *a = run->matrix, *b = run->inverse;
    for (int i = 0; i < size * size; i++)
        b[i] = i / size == i % size;
    for (int c = 0; c < size; c++) {
        int pivot = c;
        for (int i = c + 1; i < size; i++)
            if (fabsl(a[i * size + c]) > fabsl(a[pivot * size + c]))
                pivot = i;
        real scale = a[pivot * size + c];
        if (scale == 0)
            return false;
        for (int j = 0; j < size; j++) {
            swap(&a[c * size + j], &a[pivot * size + j]);
            swap(&b[c * size + j], &b[pivot * size + j]);
            a[c * size + j] /= scale;
            b[c * size + j] /= scale;
        }
        for (int i = 0; i < size; i++) {
            real factor = i == c ? 0 : a[i * size + c];
            for (int j = c; j < size; j++)
                a[i * size + j] -= factor * a[c * size + j];
            for (int j = first; j < size; j++)
                b[i * size + j] -= factor * b[c * size + j];
        }
    }
    return true;
}

real ref_partial_from_inverse(const struct run *run, int size, int x, int y)
{
    const real *p = run->inverse;
    return -p[x * size + y] / sqrtl(p[x * size + x] * p[y * size + y]);
}

/*
 * Cholesky's steps for the first `count` variables of run->matrix (L in its lower triangle, and
 * what they leave of the others): false where one vanishes, given those before it. *least is the
 * least of their pivots.
 */
static bool eliminate(struct run *run, int size, int count, real *least)
{
    real *a = run->matrix;
    *least = 1;
    for (int j = 0; j < count; j++) {
        if (vanishes(run, a[j * size + j], *least))
            return false;
        *least = fminl(*least, a[j * size + j]);
        real root = sqrtl(a[j * size + j]);
        for (int i = j; i < size; i++)
            a[i * size + j] /= root;
        for (int k = j + 1; k < size; k++)
            for (int i = k; i < size; i++)
                a[i * size + k] -= a[i * size + j] * a[k * size + j];
    }
    return true;
}

/*
 * Are there residuals of x and y, the last two variables of run->matrix, given the others, K? Not
 * where K or a variance given K vanishes. *r is the partial correlation by this route, *apart what
 * x leaves of the variance of y.
 */
static bool residuals_exist(struct run *run, int size, real *r, real *apart)
{
    const real *a = run->matrix;
    int x = size - 2, y = size - 1;
    real least;
    if (!eliminate(run, size, x, &least))
        return false;
    if (vanishes(run, a[x * size + x], least) || vanishes(run, a[y * size + y], least))
        return false;
    *r = a[y * size + x] / sqrtl(a[x * size + x] * a[y * size + y]);
    *apart = a[y * size + y] * (1 - *r * *r);
    return true;
}

bool ref_partial_correlation(struct run *run, int x, int y, const int32_t *set, int k, real *r)
{
    int size = k + 2;
    int32_t index[size];
    memcpy(index, set, (size_t)k * sizeof *index);
    index[k] = x;
    index[k + 1] = y;
    real apart;
    gather(run, index, size);
    if (!residuals_exist(run, size, r, &apart)) {
        run->out->refused_tests++;
        return false;
    }
    /* Where x and y are copies given K, |r| = 1 exists although the inverse does not. */
    if (apart < EPSILON)
        return true;
    gather(run, index, size);
    if (!invert(run, size, k))
        abort();
    *r = ref_partial_from_inverse(run, size, k, k + 1);
    return true;
}

/* By rounding a matrix can be indefinite, and its inverse look harmless: hence the factor first. */
bool ref_inverse_exists(struct run *run, const int32_t *index, int size)
{
    real least;
    gather(run, index, size);
    bool exists = eliminate(run, size, size, &least);
    gather(run, index, size);
    if (exists && !invert(run, size, 0))
        abort();
    for (int i = 0; exists && i < size; i++)
        if (vanishes(run, 1 / run->inverse[i * size + i], least))
            exists = false;
    run->out->refused_inverses += !exists;
    return exists;
}

real reference_partial(const double *r, int n, int x, int y, const int32_t *set, int size)
{
    real found, room[2][(size + 2) * (size + 2)];
    struct reference unread = {0};
    struct run run = {.n = n, .r = r, .out = &unread, .matrix = room[0], .inverse = room[1]};
    return ref_partial_correlation(&run, x, y, set, size, &found) ? found : NAN;
}
