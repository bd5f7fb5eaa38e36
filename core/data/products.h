/*
 * Correlations made when they are asked for, where R as a whole would be too large: the centred
 * columns, one after the other, whose inner products they are. Memory O(n N).
 *
 * An inner product is summed in the blocks of rows in which R would be, so that a correlation has
 * the bits it has there, with every BLAS that sums an entry in the order of the rows.
 */
#ifndef DPC_PRODUCTS_H
#define DPC_PRODUCTS_H

#include "crew.h"
#include "prepare.h"

typedef struct dpc_products {
    int n_vars;
    int64_t n_rows;
    double *z;     /* column after column, centred; owned */
    double *scale; /* per column, to length 1; 0: it is constant; owned */
    int chunks;    /* of the rows: see dpc_row_chunks */
} dpc_products;

/*
 * DPC_OK, DPC_NO_MEMORY or DPC_INTERRUPTED. `sd`, by column, receives sqrt(zᵀz / N). Free with
 * dpc_products_free.
 */
dpc_status dpc_products_new(const dpc_columns *columns, int n_vars, const dpc_settings *settings,
                            double *sd, dpc_products **out);
void dpc_products_free(dpc_products *products);

/* The correlation of two columns. */
double dpc_product(const dpc_products *products, int a, int b);

/* The correlations of a column with `count` others; `columns` NULL: with the first ones. */
void dpc_product_row(const dpc_products *products, int a, const int32_t *columns, int count,
                     double *to);

/* R over `count` columns, both triangles. `room` has dpc_product_room(count) doubles. */
int64_t dpc_product_room(int64_t count);
void dpc_product_square(const dpc_products *products, const int32_t *columns, int count,
                        double *room, double *to);

/* The same of many columns, by all workers: DPC_OK, DPC_NO_MEMORY or DPC_INTERRUPTED. */
dpc_status dpc_product_matrix(const dpc_products *products, const int32_t *columns, int count,
                              dpc_crew *crew, double *to);

/*
 * The correlations of two lists of at most DPC_TILE columns each: entry (i, j) at
 * to[j * DPC_TILE + i], which is that many rows and columns. `room` has dpc_tile_room() doubles.
 */
int64_t dpc_tile_room(void);
void dpc_product_tile(const dpc_products *products, const int32_t *left, int height,
                      const int32_t *right, int width, double *room, double *to);

#endif
