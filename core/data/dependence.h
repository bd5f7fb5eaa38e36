/*
 * Columns that are exact linear combinations of the columns before them.
 *
 * A Cholesky factor of R, grown in the order of the columns, shows at column j what the columns
 * before it leave of its variance. Where that is nothing column j stays out of the factor, and
 * back-substitution tells which combination it is. The columns that are in it are a basis.
 */
#ifndef DPC_DEPENDENCE_H
#define DPC_DEPENDENCE_H

#include "correlation.h"

/* A column that is not in the basis. */
typedef struct dpc_dependent {
    int column;
    double
        left; /* of its variance: rounding, or clearly negative where R is no correlation matrix */
    int rank; /* columns of the basis before it */
    const int32_t *basis;
    const double *factor; /* of R over the basis: U with R = UᵀU, by columns `ld` apart */
    double *solved;       /* U⁻ᵀ times its correlations with the basis */
    int ld;
} dpc_dependent;

/* The weights of the basis in the combination, in place of dependent->solved: done once. */
const double *dpc_dependent_weights(const dpc_dependent *dependent);

/* What is done about one; anything but DPC_OK ends the search, and is its result. */
typedef dpc_status (*dpc_on_dependent)(void *context, const dpc_dependent *dependent);

/*
 * Calls for every dependent column, in their order; columns with skip[j] are left out. Besides what
 * the call returns: DPC_OK, no memory or interrupted.
 */
dpc_status dpc_find_dependents(const dpc_correlation *correlation, const bool *skip,
                               const dpc_settings *settings, dpc_on_dependent call, void *context);

#endif
