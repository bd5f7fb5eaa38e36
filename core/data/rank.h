/* Normal scores of the ranks of a column. */
#ifndef DPC_RANK_H
#define DPC_RANK_H

#include <stdint.h>

/* A value as an unsigned number of the same order, and where it stood. */
typedef struct dpc_ranked {
    uint64_t key;
    int32_t row;
} dpc_ranked;

/* Φ⁻¹(i / (n+1)) for i = 1 … n, into score[i-1]. */
void dpc_score_table(int64_t n, double *score);

/*
 * The normal scores of x, ties sharing their mean rank, into `out`. No NaN in x. `table` is that of
 * dpc_score_table; `scratch` has room for 2 n entries.
 */
void dpc_normal_scores(const double *x, int64_t n, const double *table, dpc_ranked *scratch,
                       double *out);

/* ---- Resamples ---- */

/* The rows in ascending order of x; one that ties with the row before it is there as ~row. */
void dpc_sort_rows(const double *x, int64_t n, dpc_ranked *scratch, int32_t *out);

/* Φ⁻¹(h / 2 / (n+1)) for h = 2 … 2 n at [h]; NULL: no memory. Freed by the caller. */
double *dpc_half_score_table(int64_t n);

/*
 * The normal scores of a resample of a column: `order` comes from dpc_sort_rows, row i was drawn
 * count[i] times, and its score goes to out[place[i]] where that is not 0. `table` is
 * dpc_half_score_table of the number of draws.
 */
void dpc_resample_scores(const int32_t *order, int64_t n, const int32_t *count,
                         const int32_t *place, const double *table, double *out);

#endif
