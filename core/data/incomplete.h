/*
 * Tables with missing cells: their columns, ready for the estimates of pairwise.h and em.h, and the
 * one function that chooses between these.
 */
#ifndef DPC_INCOMPLETE_H
#define DPC_INCOMPLETE_H

#include "correlation.h"

/* Columns with mean 0 and variance 1 over the cells that are there. */
typedef struct dpc_incomplete {
    int64_t n_obs;
    int n_vars;
    double *x;      /* column j at x + j * n_obs; NaN is missing; owned */
    double *sd;     /* of the cells that are there, with their number as divisor; owned */
    bool *constant; /* per column: its x are 0, its sd too; owned */
} dpc_incomplete;

/*
 * Infinite cells are errors of the audit, and so are, where it is `strict`, columns without any
 * cells, which are constant otherwise; constant columns are warnings. Free with
 * dpc_incomplete_clear.
 */
dpc_status dpc_incomplete_init(const dpc_table *table, const dpc_settings *settings, bool strict,
                               dpc_audit *audit, dpc_incomplete *out, dpc_error *err);
void dpc_incomplete_clear(dpc_incomplete *incomplete);

/* Is there a missing cell, and does the table say that it is to be estimated around? */
bool dpc_is_incomplete(const dpc_table *table);

/*
 * The correlations of such a table, by the method that it names, into c->r, c->sd and c->n_obs: the
 * N that scores count with. What was done is a warning of the audit. `strict`: what can hardly be
 * estimated is an error; otherwise, as in a resample, it is taken for independent.
 */
dpc_status dpc_correlate_incomplete(const dpc_table *table, const dpc_settings *settings,
                                    bool strict, dpc_audit *audit, dpc_correlation *c,
                                    dpc_error *err);

#endif
