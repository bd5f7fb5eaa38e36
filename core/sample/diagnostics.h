/*
 * How well chains have mixed: split R-hat and the number of effective draws of a series.
 *
 * Both are asked of the halves of the chains. With m halves of l draws, W the mean of their
 * variances and B/l the variance of their means,
 *
 *     V = (l - 1)/l W + B/l,    R-hat = √(V / W),
 *
 * the classic split R-hat (Gelman et al., Bayesian Data Analysis, 2013). An indicator of 0 and 1
 * has the same ranks as values, so that ranks would change nothing for edges.
 *
 * Effective draws are m l / τ with τ = -1 + 2 Σ (ρ_2k + ρ_2k+1), ρ_t = 1 - (W - mean of the
 * autocovariances at lag t) / V, summed while these pairs are positive, and each at most as large
 * as the one before it (Geyer's initial monotone sequence, over all chains as in Stan). τ is at
 * least 1 / log10 (m l).
 */
#ifndef DPC_SAMPLE_DIAGNOSTICS_H
#define DPC_SAMPLE_DIAGNOSTICS_H

#include "dualpc.h"

typedef struct dpc_mixing {
    double rhat; /* INFINITY: the halves are constant and differ. NaN: it does not vary, … */
    double ess;  /* … or chains have fewer than 4 draws */
} dpc_mixing;

/* Of a series: chain c has the draws x[c * draws] … */
dpc_mixing dpc_mixing_of(const double *x, int chains, int draws);

/* The Monte Carlo error of a mean, from means of as many batches of each chain: the larger of what
 * the batches and what the chains say; NaN: there are fewer than two batches. */
double dpc_monte_carlo_error(const double *batch_means, int chains, int batches);

#endif
