/*
 * The most that the log-likelihood of a district can be, without a fit (ricf.h).
 *
 * Let the nodes of a district D be ordered along its arrows. With D_i the part of D up to node i
 * that double arrows join with i, node i depends on the nodes before it and on the parents of D
 * through
 *
 *     mb(i) = (D_i \ i) ∪ pa(D_i)
 *
 * alone (Richardson 2003), so the density of D is a product of normal regressions of i on mb(i).
 * A district binds the coefficients of these to each other. Each by itself is free to be larger:
 *
 *     ℓ(D) ≤ Σ_i -N/2 log left(i | mb(i)),
 *
 * for any order. Those are tried that take nodes with few others in mb(i) last.
 */
#ifndef DPC_DISTRICT_BOUND_H
#define DPC_DISTRICT_BOUND_H

#include "ricf.h"

/* At least dpc_ricf_likelihood; INFINITY where that is all that can be said. */
double dpc_district_bound(const dpc_view *view, double n_obs, const dpc_district *district);

#endif
