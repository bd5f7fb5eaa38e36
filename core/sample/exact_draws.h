/*
 * Draws from the posterior itself, of few nodes: independent of one another, and without a start.
 *
 * The nodes of a DAG fall into layers: the first has those without parents, and each later one
 * those that have a parent in the layer before and none beyond it (Kuipers and Moffa 2017). With A
 * the nodes of all layers so far and R ⊆ A the last of them, the weight of all that may follow is
 *
 *     V(A, R) = Σ_T V(A ∪ T, T) Π_{v ∈ T} [Z_v(A) - Z_v(A \ R)],
 *
 * T being the next layer, any nonempty set of the nodes left, and Z_v the sum over all sets of
 * parents within one. Nothing is counted twice, for every DAG has one sequence of layers. There are
 * 3^n pairs and 4^n terms. A DAG is drawn layer by layer, and in each layer the parents of its
 * nodes, among those within A that meet R.
 *
 * Sums are logarithms. Where Z_v(A \ R) is nearly all of Z_v(A) the difference loses its digits: it
 * is nothing then, for a DAG with fewer edges is a DAG, too, and has nearly all of the weight.
 */
#ifndef DPC_SAMPLE_EXACT_DRAWS_H
#define DPC_SAMPLE_EXACT_DRAWS_H

#include "random.h"
#include "space.h"

enum { DPC_MOST_LAYERED = 13 }; /* nodes: 13 MB, and 67 million terms */

typedef struct dpc_exact_draws dpc_exact_draws;

/*
 * The weights of all pairs, for a space of at most DPC_MOST_LAYERED nodes, which must outlive them.
 * DPC_OK, no memory or interrupted. Free with dpc_exact_draws_free.
 */
dpc_status dpc_exact_draws_new(const dpc_space *space, dpc_crew *crew, dpc_exact_draws **out,
                               dpc_error *err);
void dpc_exact_draws_free(dpc_exact_draws *draws);

/* A DAG: of each node its parents, as bits of its candidates. Several threads may draw. */
void dpc_exact_draw(const dpc_exact_draws *draws, dpc_random *random, uint32_t *parents);

/* The log of the sum of the weights of all DAGs. */
double dpc_exact_total(const dpc_exact_draws *draws);

#endif
