/*
 * What all chains share: for each node its candidate parents, and tables over all sets of these.
 *
 * The tables of a node with k candidates, by the bits of a set of them: the score L of the set; the
 * sum of e^L over all sets within it; and what draws need. They are filled by one sweep of
 * eliminations over all sets. Nodes are labels.
 */
#ifndef DPC_SAMPLE_SPACE_H
#define DPC_SAMPLE_SPACE_H

#include "constraints.h"
#include "crew.h"
#include "marginal.h"
#include "stats.h"

/* The candidate parents of each node: those of v are node[start[v]] … node[start[v+1] - 1],
 * ascending; at most DPC_MOST_CANDIDATES each. */
typedef struct dpc_candidate_sets {
    int n;
    int32_t *start; /* n + 1; owned */
    int32_t *node;  /* owned */
} dpc_candidate_sets;

void dpc_candidate_sets_clear(dpc_candidate_sets *sets);

typedef struct dpc_space dpc_space; /* of space.c, set_table.h */

/* The bytes that the tables of a node with k candidates take. */
double dpc_space_memory(int k);

/*
 * Makes the tables, shared among the threads of the crew; `sets` is copied. A set that lacks a
 * required parent has no weight; forbidden parents are not to be among the candidates. DPC_OK, no
 * memory or interrupted. Free with dpc_space_free.
 */
dpc_status dpc_space_new(const dpc_stats *stats, const dpc_constraints *known,
                         const dpc_marginal *marginal, const dpc_candidate_sets *sets,
                         dpc_crew *crew, dpc_space **out, dpc_error *err);
void dpc_space_free(dpc_space *space);

const dpc_candidate_sets *dpc_space_candidates(const dpc_space *space);

/* L of a set of candidates of v, by bits; -INFINITY: it has no weight. */
double dpc_space_score(const dpc_space *space, int v, uint32_t set);
/* The log of the sum of e^L over all sets within one. */
double dpc_space_sum(const dpc_space *space, int v, uint32_t set);

/* The least variance that any set with weight leaves of any node, 1 the whole; *v: of which. */
double dpc_space_least_variance(const dpc_space *space, int *v);

/*
 * Which nodes the blocks of a move are likely to join: from the probability of each candidate
 * parent, by the places of the candidate sets, or NULL for no preference. The chains must not
 * depend on what they have drawn while they are recorded: so this is called between the start and
 * the draws, for all chains together.
 */
dpc_status dpc_space_prefer(dpc_space *space, const double *probability);

#endif
