/*
 * A chain: a DAG that is redrawn, block by block, from its posterior (docs/posterior.md).
 *
 * A move takes 1 to 4 nodes and draws all their parents anew, jointly and exactly given those of
 * all other nodes: a Gibbs sampler. The start is a random order, which annealed moves of single
 * nodes bring to where the weight is, and a DAG drawn given that order.
 */
#ifndef DPC_SAMPLE_CHAIN_H
#define DPC_SAMPLE_CHAIN_H

#include "random.h"
#include "space.h"

typedef struct dpc_chain dpc_chain;

/* A chain with random numbers of its own; the empty graph, or the required edges alone. The space
 * must outlive it. DPC_OK or no memory. Free with dpc_chain_free. */
dpc_status dpc_chain_new(const dpc_space *space, uint64_t seed, uint64_t stream, dpc_chain **out);
void dpc_chain_free(dpc_chain *chain);

/* Asked now and then within long work; true: it is to end. */
typedef bool dpc_chain_stop(void *context);

/*
 * From a random order, `sweeps` sweeps of annealed order moves, then a DAG drawn given the order.
 * False: it was ended before, and the DAG is that of the order so far.
 */
bool dpc_chain_anneal(dpc_chain *chain, int sweeps, dpc_chain_stop *stop, void *context);

/* n block moves. */
void dpc_chain_sweep(dpc_chain *chain);

/* n moves of single nodes in the order, and a DAG given it: for the prior by orders. */
void dpc_chain_order_sweep(dpc_chain *chain);
void dpc_chain_draw_given_order(dpc_chain *chain);

/* The present DAG: of each node its parents, as bits of its candidates. */
const uint32_t *dpc_chain_parents(const dpc_chain *chain);
double dpc_chain_score(const dpc_chain *chain);

/* Puts a DAG in its place; its parents must be candidates and its sets have weight. */
void dpc_chain_set(dpc_chain *chain, const uint32_t *parents);

/*
 * Adds to sum[place of the candidate sets] the probability of each candidate parent given the
 * parents of all other nodes (Rao and Blackwell); by_order: given the order, for that prior.
 */
void dpc_chain_add_probabilities(dpc_chain *chain, bool by_order, double *sum);

typedef struct dpc_chain_counts {
    int64_t moves, log_moves; /* made; of these, in logarithms */
} dpc_chain_counts;

dpc_chain_counts dpc_chain_count(const dpc_chain *chain);

#endif
