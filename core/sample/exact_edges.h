/*
 * The probabilities of all edges, of few nodes: exact, from the weights of exact_draws.h.
 *
 * A draw goes from pair to pair of layers (A, R), and each of them is met with a probability Q,
 * which is that of all ways to it:
 *
 *     Q(∅, ∅) = 1,   Q(A ∪ T, T) = Σ_R Q(A, R) p(T | A, R),
 *     p(T | A, R) = V(A ∪ T, T) Π_{v ∈ T} [Z_v(A) - Z_v(A \ R)] / V(A, R).
 *
 * With G(A, R, v) the sum of Q p over the layers T that v is in, and Y = Z_v(A) - Z_v(A \ u) the
 * sum over all sets with u,
 *
 *     P(u → v) = Σ_{A, R} G(A, R, v) [Y(A) - Y(A \ R)] / [Z_v(A) - Z_v(A \ R)].
 *
 * All of these are probabilities, so that no logarithms are needed. Differences lose digits where
 * Z_v(A \ R) is nearly all of Z_v(A); but G is at most the share that is left, as v might have
 * parents within A \ R instead. So what is lost is rounding of a probability. A pair that is hardly
 * ever met is passed over: where data say much, that is most of them.
 */
#ifndef DPC_SAMPLE_EXACT_EDGES_H
#define DPC_SAMPLE_EXACT_EDGES_H

#include "exact_draws.h"

/*
 * The probability of each candidate parent, by the places of the candidate sets. The same for any
 * number of threads. DPC_OK, no memory or interrupted: then it is not whole.
 */
dpc_status dpc_exact_edges(const dpc_exact_draws *draws, dpc_crew *crew, double *probability,
                           dpc_error *err);

#endif
