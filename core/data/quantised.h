/*
 * The columns in whole steps, to find those that a vector has much in common with, where there is
 * no R: a quarter of the memory of the columns, and a tenth of the time of a row of R.
 *
 * With û the column u, of length 1, rounded to steps of its own, ê a vector e rounded likewise, and
 * ‖·‖ the length,
 *
 *     |eᵀu - êᵀû| ≤ ‖e‖ ‖u - û‖ + ‖e - ê‖ ‖û‖
 *
 * by Cauchy and Schwarz. The product of the steps is exact, and the lengths are known. So products
 * that cannot be large are excluded for certain, and the caller computes the others.
 */
#ifndef DPC_QUANTISED_H
#define DPC_QUANTISED_H

#include "products.h"

typedef struct dpc_quantised {
    int n_vars;
    int64_t n_rows;
    int16_t *steps; /* column after column; owned */
    double *step;   /* per column: the size of a step; 0: it is constant; owned */
    double *error;  /* per column: ‖u - û‖; owned */
} dpc_quantised;

/* DPC_OK, DPC_NO_MEMORY or DPC_INTERRUPTED. Free with dpc_quantised_free. */
dpc_status dpc_quantised_new(const dpc_products *products, dpc_crew *crew, dpc_quantised **out);
void dpc_quantised_free(dpc_quantised *quantised);

/*
 * The columns with |eᵀu| > limit, and perhaps some others, ascending, into `columns`, which has
 * room for all; returns how many. `room` is for n_rows steps.
 */
int dpc_quantised_find(const dpc_quantised *quantised, const double *e, double limit, int16_t *room,
                       int32_t *columns);

#endif
