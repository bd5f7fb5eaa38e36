/*
 * Exact search: of all DAGs over a few variables, one with the highest score (score.h).
 *
 * The best parents of every node within every set of others, by going through all sets; then the
 * best DAG over every set of nodes, one of which comes last (Koivisto and Sood 2004; Silander and
 * Myllymäki 2006). Knowledge holds: what is forbidden is no parent, what is required always is.
 */
#ifndef DPC_SEARCH_EXACT_H
#define DPC_SEARCH_EXACT_H

#include "families.h"
#include "scorer.h"

/* The bytes that it takes for n variables. */
double dpc_exact_memory(int n);

/*
 * A DAG of at most DPC_MOST_EXACT nodes takes the place of `dag`: none has a higher score, but for
 * the slack of the scoring. Of DAGs that are equal within it the labels decide. *done is false, and
 * `dag` as it was, where the search was halted. DPC_OK or no memory.
 */
dpc_status dpc_search_exact(dpc_workers *workers, dpc_families *dag, bool *done);

#endif
