/*
 * Blocks of columns: see stats.h. Every question makes its own Cholesky factor, so that nothing is
 * kept from one to the next. The pivots of the columns of u, given all columns before them, have
 * the determinant for their product.
 */
#include "linalg.h"
#include "stats.h"

#include <math.h>

/* The columns of a node behind `count` others; returns how many there are then. */
static int add_columns(const dpc_stats *s, int node, double *columns, int count)
{
    dpc_variable variable = dpc_variable_of(s, node);
    for (int i = 0; i < variable.count; i++)
        columns[count++] = variable.first + i;
    return count;
}

/* The correlation of two columns. */
static double r_at(const dpc_stats *s, int a, int b)
{
    const dpc_blocks *blocks = s->view.blocks;
    return blocks != NULL ? blocks->r[(int64_t)a * blocks->m + b] : dpc_r_at(&s->view, a, b);
}

/* What the columns before column j leave of it; its row of the factor goes into `a`. */
static double pivot_of(const dpc_stats *s, const double *columns, int j, int64_t ld, double *a)
{
    double *row = a + j * ld, left = 1;
    for (int i = 0; i < j; i++) {
        const double *above = a + i * ld;
        double sum = r_at(s, (int)columns[i], (int)columns[j]);
        for (int k = 0; k < i; k++)
            sum -= row[k] * above[k];
        row[i] = sum / above[i];
        left -= row[i] * row[i];
    }
    row[j] = sqrt(fmax(left, DPC_SINGULAR));
    return left;
}

/* The columns of a set, of another node (below 0: none) and of u, into `columns`; returns how many
 * stand before those of u. */
static int list_columns(const dpc_stats *s, int u, const int32_t *set, int size, int other,
                        double *columns, int *count)
{
    int before = 0;
    for (int i = 0; i < size; i++)
        before = add_columns(s, set[i], columns, before);
    if (other >= 0)
        before = add_columns(s, other, columns, before);
    *count = add_columns(s, u, columns, before);
    return before;
}

/* log det Σ of u given a set and another node; *least is the smallest pivot of u. */
static double log_determinant(const dpc_stats *s, int u, const int32_t *set, int size, int other,
                              double *room, double *least)
{
    double *columns = room; /* their numbers */
    int count, before = list_columns(s, u, set, size, other, columns, &count);
    double *a = room + count, sum = 0;
    *least = 1;
    for (int j = 0; j < count; j++) {
        double pivot = pivot_of(s, columns, j, count, a);
        *least = j >= before ? fmin(*least, pivot) : *least;
        sum += j >= before ? log(fmax(pivot, DPC_SINGULAR)) : 0;
    }
    return sum;
}

bool dpc_block_determines(const dpc_stats *s, int u, const int32_t *set, int size, double *room)
{
    double least;
    log_determinant(s, u, set, size, -1, room, &least);
    return !(least >= DPC_SINGULAR);
}

dpc_deviance dpc_block_deviance(const dpc_stats *s, int v, int u, const int32_t *set, int size,
                                double *room)
{
    double n = (double)s->view.n_obs, least, given_v;
    dpc_deviance out = {NAN, (double)dpc_variable_of(s, u).count * dpc_variable_of(s, v).count, n};
    double before = log_determinant(s, u, set, size, -1, room, &least);
    if (!(least >= DPC_SINGULAR) || dpc_block_determines(s, v, set, size, room))
        return out;
    out.d = n * (before - log_determinant(s, u, set, size, v, room, &given_v));
    return out;
}
