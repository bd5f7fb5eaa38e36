/*
 * The score of a family in a posterior over DAGs: the log of its marginal likelihood, and of its
 * part of the prior.
 *
 * Every score here is, with T a multiple of R plus a multiple of the identity, and σ² the variance
 * of v given S in T,
 *
 *     L(v, S) = c(|S|) - h(|S|) log σ²(v|S) - d log det T_SS.
 *
 *   fbf  T = R, h = N/2, d = 0, c(s) = g(s+1) - g(s) with
 *        g(l) = Σ_{i=1..l} [lnΓ((l+N+1-i)/2) - lnΓ((l+1-i)/2)] - l(l+N)/2 log N
 *        (the BGe score whose prior matrix is R itself: Consonni and La Rocca 2012)
 *   bge  T = t I + (N-1) R, the score of Geiger and Heckerman 2002 as Kuipers, Moffa and Heckerman
 *        2014 have corrected it, with α_μ = 1, α_w = n + 2 and t = ½
 *   bic  T = R, h = N/2, d = 0, c(s) = -s/2 log N
 *
 * fbf and bic judge a family by the rows alone, so they have no weight where these leave it little
 * freedom: where it has more than (N - 1) / 2 parents. bge has a prior that does not depend on the
 * rows.
 *
 * The prior adds -log C(n-1, s) (fair, order), nothing (uniform), or s log (p / (1-p)) (edge).
 */
#ifndef DPC_MARGINAL_H
#define DPC_MARGINAL_H

#include "arena.h"
#include "dualpc_sample.h"

typedef struct dpc_marginal {
    double scale, ridge; /* T = scale R + ridge I */
    double *constant;    /* c, by |S|, 0 … n-1; the prior included */
    double *power;       /* h, by |S| */
    double determinant;  /* d */
} dpc_marginal;

/* The most parents of a family that has weight. */
double dpc_marginal_most(dpc_marginal_score score, double n_obs);

/* Arrays come from the arena; DPC_OK or no memory. */
dpc_status dpc_marginal_init(dpc_marginal *marginal, dpc_arena *arena, dpc_marginal_score score,
                             dpc_graph_prior prior, double edge_probability, int n, double n_obs);

/* L, from what S leaves of v and from log det T_SS. */
double dpc_marginal_of(const dpc_marginal *marginal, int size, double variance, double log_det);

#endif
