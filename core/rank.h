/* Normal scores of the ranks of a column. */
#ifndef DPC_RANK_H
#define DPC_RANK_H

#include <stdint.h>

/* A value as an unsigned number of the same order, and where it stood. */
typedef struct dpc_ranked {
    uint64_t key;
    int32_t row;
} dpc_ranked;

/* Φ⁻¹(i / (n+1)) for i = 1 … n at [i-1]; NULL: no memory. Freed by the caller. */
double *dpc_score_table(int64_t n);

/*
 * The normal scores of x, ties sharing their mean rank, into `out`. No NaN in x. `table` is
 * dpc_score_table(n); `scratch` has room for 2 n entries.
 */
void dpc_normal_scores(const double *x, int64_t n, const double *table, dpc_ranked *scratch,
                       double *out);

#endif
