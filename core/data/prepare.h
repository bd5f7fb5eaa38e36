/* From a table to columns that are ready to be multiplied. */
#ifndef DPC_PREPARE_H
#define DPC_PREPARE_H

#include "cells.h"
#include "latent_column.h"

/*
 * What to make of each column x: z = scale x - mean, to be scaled to unit length after the
 * product. The values are those of the table, or normal scores made from them.
 *
 * A mean that is large beside the range of the values has an error that is not small beside it. The
 * mean of such a z is kept as well, and taken out of the product.
 */
typedef struct dpc_columns {
    dpc_cells cells;      /* the values */
    int64_t n_rows;       /* to go over */
    const int32_t *row;   /* which they are, in the cells; NULL: the first ones */
    const double *root;   /* of the weight of each; NULL: all 1, and no `row` */
    double *scores;       /* owned; NULL: the values are the table's */
    double *mean, *scale; /* per column; a power of 2 that keeps squares in range; owned */
    double *left;         /* per column: the mean of z, where it may matter; else 0; owned */
    double *buffer;       /* for a product by one thread: see dpc_product_block; owned; or NULL */
    bool *constant;       /* per column: x does not vary, its mean and scale are 0; owned */
    dpc_latent_column *latent; /* how each is cut from a normal variable; owned; or NULL */
    int n_latent;
} dpc_columns;

/*
 * Reads every value once. Missing or infinite values are errors of the audit, constant columns are
 * warnings. Free with dpc_columns_clear.
 */
dpc_status dpc_prepare(const dpc_table *table, const dpc_settings *settings, dpc_audit *audit,
                       dpc_columns *out, dpc_error *err);
void dpc_columns_clear(dpc_columns *columns);

/*
 * Columns to be prepared by the caller: means and scales are 0, and there is room for normal scores
 * of `scored_rows` rows; 0: none are wanted. To be cleared also where it is false, no memory.
 */
bool dpc_columns_make(int n_vars, int64_t scored_rows, dpc_columns *out);

/* Rows from … from+rows-1 of some columns, as z, into a block with that many rows. */
void dpc_columns_centre(const dpc_columns *columns, int first, int count, int64_t from,
                        int64_t rows, double *to);

/*
 * The power of 2 that keeps the squares of a column in range, its largest absolute value given: 1
 * in all but extreme cases. Multiplying by it is exact, but for values that are nothing beside the
 * largest.
 */
double dpc_scale_for(double largest);

#endif
