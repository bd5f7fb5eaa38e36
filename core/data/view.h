/*
 * A view of a correlation matrix: its entries by the labels of a search. What reads R reads it
 * through here, so that no file has to know where a label's column is, nor whether there is an R:
 * where it would be too large, its entries are made from the columns of the data (products.h). Who
 * asks for many entries over the same few columns makes a patch of them first (patch.h).
 */
#ifndef DPC_VIEW_H
#define DPC_VIEW_H

#include "correlation.h"
#include "labels.h"

#include <string.h>

typedef struct dpc_view {
    const double *r;              /* n × n, by columns; NULL: there is none … */
    const dpc_products *products; /* … and its entries come from these */
    int n;
    int64_t n_obs;            /* N */
    const int32_t *rows;      /* n × n, by columns; NULL: N, everywhere. See rows.h … */
    bool mean_rows;           /* … for what this says */
    const dpc_labels *labels; /* never NULL */
    const dpc_blocks *blocks; /* by columns, as r is; NULL: every variable is one column */
} dpc_view;

static inline dpc_view dpc_view_of(const dpc_correlation *correlation, const dpc_labels *labels)
{
    return (dpc_view){.r = correlation->r,
                      .products = correlation->products,
                      .n = correlation->n_vars,
                      .n_obs = correlation->n_obs,
                      .rows = correlation->rows,
                      .mean_rows = correlation->mean_rows,
                      .labels = labels,
                      .blocks = correlation->blocks};
}

/* The nodes of a search: labels, which can be fewer than the columns (labels.h). */
static inline int dpc_nodes(const dpc_view *view)
{
    return view->labels->count > 0 ? view->labels->count : view->n;
}

/* The correlation of two columns. */
static inline double dpc_r_at(const dpc_view *view, int a, int b)
{
    return view->r != NULL ? view->r[(int64_t)a * view->n + b] : dpc_product(view->products, a, b);
}

/* The correlation of two labels. */
static inline double dpc_r(const dpc_view *view, int a, int b)
{
    return dpc_r_at(view, dpc_column_of(view->labels, a), dpc_column_of(view->labels, b));
}

/* The row of a column of R, by columns, where there is an R. */
static inline const double *dpc_column_row(const dpc_view *view, int column)
{
    return view->r + (int64_t)column * view->n;
}

/* The correlations of a column with `count` others; `columns` NULL: with all. */
static inline void dpc_row(const dpc_view *view, int column, const int32_t *columns, int count,
                           double *to)
{
    if (view->r == NULL)
        dpc_product_row(view->products, column, columns, count, to);
    else if (columns == NULL)
        memcpy(to, dpc_column_row(view, column), (size_t)count * sizeof *to);
    else
        for (int i = 0; i < count; i++)
            to[i] = dpc_column_row(view, column)[columns[i]];
}

/* The columns of `count` labels. */
static inline void dpc_columns_of(const dpc_view *view, const int32_t *labels, int count,
                                  int32_t *columns)
{
    for (int i = 0; i < count; i++)
        columns[i] = dpc_column_of(view->labels, labels[i]);
}

/*
 * R over `count` columns, into a matrix of that order: the lower triangle in Fortran's sense, as
 * dpc_inverse_factor reads it (entry i ≥ j at to[j * count + i]).
 */
static inline void dpc_gather(const dpc_view *view, const int32_t *columns, int64_t count,
                              double *to)
{
    for (int64_t j = 0; j < count; j++)
        dpc_row(view, columns[j], columns + j, (int)(count - j), to + j * count + j);
}

#endif
