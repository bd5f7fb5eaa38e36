/*
 * The N of a test of latent variables by the delta rule.
 *
 * The search counts with the mean of the effective rows over the pairs of a test (data/latent.h,
 * data/rows.h), which is quick, and keeps power. The variance of a partial correlation follows from
 * those of the correlations that it is made of: with a, b the residuals of x and y given Z as
 * weights of the variables, M the correlations of the scores, R the latent ones and E the effective
 * rows of each pair,
 *
 *     Q_ij = (a_i b_j + a_j b_i) / 2 h_ij,   h_ij = (1 - M_ij²) √(E_ij / N) / (1 - R_ij²),
 *     Q_ii = -Σ M_ij Q_ij,                   V = 2 tr(Q M Q M),
 *
 * and V₀ the same with R for M and h = 1, which is the variance were all variables visible. The
 * test then counts with N min(1, V₀ / V), and its p-value keeps its level. Explanations report it.
 */
#ifndef DPC_DELTA_H
#define DPC_DELTA_H

#include "correlation.h"

/*
 * N of the test of columns x and y given a set; `otherwise` where there are no latent variables, or
 * the set is singular. DPC_OK or DPC_NO_MEMORY.
 */
dpc_status dpc_delta_rows(const dpc_correlation *c, int x, int y, const int32_t *set, int size,
                          int64_t otherwise, int64_t *rows);

#endif
