/*
 * R²-sortability (Reisach et al. 2023): how far the causal order of simulated data can be read off
 * the variances that the other variables explain. Of the pairs with a directed path from a to b,
 * the share where R²(a | all others) < R²(b | all others); 1/2 is chance.
 */
#ifndef DPC_SORTABILITY_H
#define DPC_SORTABILITY_H

#include "dag.h"

/* More variables are not looked at: the time grows with their cube. */
enum { DPC_SORTABLE = 2000 };

/*
 * For columns that are standardised with the divisor N - 1, or all 0, as dpc_simulate makes them.
 * NaN where variables are nominal or ordered, where there are no such pairs, where the correlation
 * matrix has no inverse (N ≤ n, say), or where there are more than DPC_SORTABLE variables. Fails
 * only for lack of memory.
 */
dpc_status dpc_sortability(const dpc_dag *dag, const dpc_table *table, double *out, dpc_error *err);

#endif
