/* How much the columns have in common with all others: Σⱼ R²ᵢⱼ wⱼ, without R. */
#ifndef DPC_ROW_NORMS_H
#define DPC_ROW_NORMS_H

#include "products.h"

/*
 * For `count` columns i; the weights, by column, are positive. DPC_OK, DPC_NO_MEMORY or
 * DPC_INTERRUPTED.
 */
dpc_status dpc_weigh_squares(const dpc_products *products, const int32_t *columns, int count,
                             const double *weight, dpc_crew *crew, double *sums);

#endif
