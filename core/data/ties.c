/* Numbers that tell columns apart: see ties.h. */
#include "ties.h"

#include <string.h>

/* to += f × the column, of length 1. */
static void add_column(const dpc_products *p, int64_t column, double f, double *to)
{
    const double *z = p->z + column * p->n_rows;
    f *= p->scale[column];
    for (int64_t r = 0; r < p->n_rows; r++)
        to[r] += f * z[r];
}

static double inner(const double *a, const double *b, int64_t count)
{
    double sum = 0;
    for (int64_t r = 0; r < count; r++)
        sum += a[r] * b[r];
    return sum;
}

/* Without R the same is the square of the length of Σⱼ wⱼ Rᵢⱼ zⱼ. */
double dpc_tie_by_signs(const dpc_correlation *c, int column, const double *weight, double *room)
{
    int64_t n = c->n_vars;
    double *row = room, *sum = room + n, key = 0;
    if (c->r == NULL) {
        const dpc_products *p = c->products;
        dpc_product_row(p, column, NULL, (int)n, row);
        memset(sum, 0, (size_t)p->n_rows * sizeof *sum);
        for (int64_t j = 0; j < n; j++)
            add_column(p, j, weight[j] * row[j], sum);
        return inner(sum, sum, p->n_rows);
    }
    for (int64_t j = 0; j < n; j++)
        row[j] = weight[j] * c->r[column * n + j];
    for (int64_t j = 0; j < n; j++)
        key += row[j] * inner(c->r + j * n, row, n);
    return key;
}

double dpc_tie_by_moments(const dpc_products *p, int column, const double *weight, double *room)
{
    int64_t n = p->n_vars, rows = p->n_rows;
    double *own = room, *product = room + rows, sum = 0;
    memset(own, 0, (size_t)rows * sizeof *own);
    add_column(p, column, 1, own);
    for (int64_t j = 0; j < n; j++) {
        const double *z = p->z + j * rows;
        for (int64_t r = 0; r < rows; r++)
            product[r] = own[r] * z[r] * p->scale[j];
        for (int64_t k = 0; k <= j; k++) {
            double moment = p->scale[k] * inner(product, p->z + k * rows, rows);
            sum += (k < j ? 2 : 1) * weight[j] * weight[k] * moment * moment;
        }
    }
    return 1 + (double)rows * sum;
}
