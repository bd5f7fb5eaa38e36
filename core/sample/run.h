/*
 * The schedule of the chains: start, burn-in, draws.
 *
 * Each chain starts from a random order of its own, which is annealed, or at a given DAG. Then come
 * sweeps that are not recorded. From them each chain has a mean score, and a chain that is far
 * below the best starts again; and from them come the probabilities by which nodes are joined to
 * blocks, the same for all chains from then on. Then they are recorded.
 *
 * Of few nodes the draws are exact instead (exact_draws.h): then there is no start, and a chain is
 * a series of draws that are independent of one another.
 *
 * A chain is a task of the crew, with random numbers of its own. Draws are made in rounds, so that
 * all chains have about as many of them when the time is up or the caller asks to stop.
 */
#ifndef DPC_SAMPLE_RUN_H
#define DPC_SAMPLE_RUN_H

#include "draws.h"
#include "space.h"

enum { DPC_BATCHES = 10 }; /* of the draws of a chain, for Monte Carlo errors */

typedef struct dpc_run_plan {
    dpc_space *space;
    const dpc_settings *settings; /* checked and whole */
    int chains, draws, thin;
    bool may_slow;                /* more than `thin` sweeps between draws, where it takes them */
    bool by_order;                /* the prior counts orders */
    const uint32_t *const *start; /* by chain: a DAG to start at, by masks; NULL: there is none */
    double end;                   /* of the time, by dpc_seconds_roughly; 0: there is none */
    double from, to;              /* the part of the progress that it is */
} dpc_run_plan;

typedef struct dpc_run {
    dpc_sampled *sampled; /* owned, as all below */
    double *scores;       /* by place */
    int32_t *n_edges;     /* by place */
    double *batch;  /* by chain, batch, place of the candidate sets: sums of probabilities … */
    int32_t *drawn; /* … of so many draws, by chain, batch */
    uint32_t *best; /* the DAG with the highest score of all that were met, by masks … */
    double best_score;
    double worst_chain;
    int64_t moves, log_moves;
    int annealed;
    int thin; /* sweeps between draws */
    bool complete;
    bool exact;   /* the draws are independent */
    double *edge; /* the probability of each candidate parent, by the places of the candidate sets,
                     where it is exact; NULL: it is not */
    double seconds_start, seconds_draws;
} dpc_run;

/*
 * DPC_OK, no memory, or interrupted: then run->sampled is NULL, unless every chain has a draw. End
 * with dpc_run_clear, also after a failure.
 */
dpc_status dpc_run_chains(const dpc_run_plan *plan, dpc_run *run, dpc_error *err);
void dpc_run_clear(dpc_run *run);

/* The probability of each candidate parent, by the places of the candidate sets; `sampled` is that
 * of the run. */
void dpc_run_means(const dpc_run *run, const dpc_sampled *sampled, double *mean);

#endif
