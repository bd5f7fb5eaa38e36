/* The twin in quad precision: see quad.h. */
#include "quad.h"

#include <math.h>
#include <stdlib.h>

/* Two steps of Newton from the root in double, which has half of the bits. */
static quad root(quad x)
{
    quad y = sqrt((double)x);
    if (!(x > 0))
        return 0;
    y = (y + x / y) / 2;
    return (y + x / y) / 2;
}

static quad *need(size_t count)
{
    quad *memory = calloc(count, sizeof *memory);
    if (memory == NULL)
        abort();
    return memory;
}

/* Mean 0 and length 1; of a column that does not vary, all 0. */
static void standardise(const double *x, int64_t rows, quad *to)
{
    double largest = 0;
    quad mean = 0, square = 0;
    for (int64_t i = 0; i < rows; i++)
        largest = fmax(largest, fabs(x[i]));
    for (int64_t i = 0; i < rows; i++) {
        to[i] = largest > 0 ? (quad)x[i] / largest : 0;
        mean += to[i] / rows;
    }
    for (int64_t i = 0; i < rows; i++) {
        to[i] -= mean;
        square += to[i] * to[i];
    }
    quad length = root(square);
    for (int64_t i = 0; i < rows; i++)
        to[i] = length > 0 ? to[i] / length : 0;
}

quad *quad_correlate(const dpc_table *table)
{
    int64_t n = table->n_vars, rows = table->n_obs;
    quad *z = need((size_t)(n * rows)), *r = need((size_t)(n * n));
    for (int64_t j = 0; j < n; j++)
        standardise(table->values + j * rows, rows, z + j * rows);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i <= j; i++) {
            quad sum = 0;
            for (int64_t k = 0; k < rows; k++)
                sum += z[i * rows + k] * z[j * rows + k];
            r[j * n + i] = r[i * n + j] = i == j ? 1 : sum;
        }
    free(z);
    return r;
}

/* (1 + |b|)² of a variable on the first `count`: its coefficients are in its column. */
static double growth(int all, quad a[all][all], int variable, int count)
{
    double sum = 1;
    for (int i = 0; i < count; i++)
        sum += fabs((double)a[i][variable]);
    return sum * sum;
}

/* Gauss-Jordan over the set: what is left of x and y, and their coefficients above it. */
struct quad_partial quad_partial(const quad *r, int n, int x, int y, const int32_t *set, int size)
{
    int all = size + 2;
    quad a[all][all];
    struct quad_partial found = {.least = 1, .growth = 1};
    for (int i = 0; i < all; i++)
        for (int j = 0; j < all; j++) {
            int p = i < size    ? set[i]
                    : i == size ? x
                                : y,
                q = j < size    ? set[j]
                    : j == size ? x
                                : y;
            a[i][j] = r[p * n + q];
        }
    for (int k = 0; k < size; k++) {
        found.least = a[k][k] < found.least ? a[k][k] : found.least;
        found.growth = fmax(found.growth, growth(all, a, k, k));
        if (!(a[k][k] > 0))
            return found;
        for (int j = k + 1; j < all; j++)
            a[k][j] /= a[k][k];
        for (int i = 0; i < all; i++)
            for (int j = k + 1; j < all && i != k; j++)
                a[i][j] -= a[i][k] * a[k][j];
    }
    for (int end = 0; end < 2; end++)
        found.growth = fmax(found.growth, growth(all, a, size + end, size));
    quad vx = a[size][size], vy = a[size + 1][size + 1];
    found.least = vx < found.least ? vx : found.least;
    found.least = vy < found.least ? vy : found.least;
    if (found.least > 0)
        found.r = a[size][size + 1] / root(vx) / root(vy);
    return found;
}
