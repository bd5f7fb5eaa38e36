/*
 * The slow twin of the search over MAGs: likelihoods by a general optimiser over all parameters of
 * the graph at once, without districts; random MAGs by drawing marks until they are one. It shares
 * no code with core/.
 */
#ifndef MAG_TWIN_H
#define MAG_TWIN_H

#include "mags.h"

#include <gsl/gsl_rng.h>

/* A random MAG over n nodes; of every 100 pairs about `chance` are joined, a share of them by
 * double arrows. */
struct marks draw_mixed_mag(gsl_rng *rng, int n, int chance, double doubled);

/* The largest log-likelihood of a MAG, N/2 times -(log det Σ + tr(Σ⁻¹ R) - n), Σ being what its
 * parameters imply; by quasi-Newton steps with differences for derivatives. It can get stuck:
 * then it begins elsewhere, until `enough` is reached, or many times. */
double twin_likelihood(const struct marks *mag, const double *r, double n_obs, double enough);

/* The correlations of a sample of so many rows from a MAG with random parameters, n × n. */
void draw_mag_sample(gsl_rng *rng, const struct marks *mag, int n_obs, double *r);

/* -N/2 log det R, which no graph can pass. */
double twin_saturated(const double *r, int n, double n_obs);

#endif
