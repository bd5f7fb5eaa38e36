/*
 * Numbers that tell two columns apart whose squared correlations are alike: for the canonical order
 * of the columns (canonical.h). They depend neither on the order of columns or rows nor on the
 * units and the signs of columns. With w a weight of each column:
 *
 *     by the signs of R    Σⱼₖ wⱼ wₖ Rᵢⱼ Rⱼₖ Rₖᵢ
 *     by third moments     1 + N Σⱼₖ wⱼ wₖ (Σ zᵢ zⱼ zₖ)²    over the rows, z of length 1
 *
 * Both are above 0.
 */
#ifndef DPC_TIES_H
#define DPC_TIES_H

#include "correlation.h"

/* `room` has dpc_tie_room numbers; the columns are NULL where there is only R. */
static inline int64_t dpc_tie_room(int n_vars, const dpc_products *columns)
{
    return n_vars + (columns != NULL ? 2 * columns->n_rows : 0);
}

double dpc_tie_by_signs(const dpc_correlation *correlation, int column, const double *weight,
                        double *room);
double dpc_tie_by_moments(const dpc_products *columns, int column, const double *weight,
                          double *room);

/* How many numbers that takes, for one column. */
static inline double dpc_tie_work_by_signs(const dpc_correlation *c)
{
    double n = c->n_vars;
    return n * (c->r != NULL ? n : 2 * (double)c->n_obs);
}
static inline double dpc_tie_work_by_moments(const dpc_correlation *c)
{
    double n = c->n_vars;
    return n * n / 2 * (double)c->n_obs;
}

#endif
