/*
 * dualpc: a posterior over graphs. Draws DAGs from their posterior distribution given the data, and
 * says how probable each edge, each direction and each total effect is (docs/posterior.md); the
 * rules of the house are in dualpc.h.
 *
 *     dpc_sample              → dpc_posterior: probabilities, diagnostics, the best DAG
 *     dpc_posterior_draw      → one of the DAGs that were drawn
 *     dpc_posterior_graph     → the graph of the probable edges
 */
#ifndef DUALPC_SAMPLE_H
#define DUALPC_SAMPLE_H

#include "dualpc_explain.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a family, a variable with its parents, scores. */
typedef enum dpc_marginal_score {
    DPC_SCORE_FBF, /* the marginal likelihood with a prior scaled by the data: invariant to units */
    DPC_SCORE_BGE, /* that of Geiger and Heckerman, with a prior matrix of half the identity */
    DPC_SCORE_BIC, /* the likelihood minus half log N for each edge */
} dpc_marginal_score;

/* How probable a graph is before the data. */
typedef enum dpc_graph_prior {
    DPC_PRIOR_FAIR,    /* every number of parents of a variable is equally probable */
    DPC_PRIOR_UNIFORM, /* every DAG is */
    DPC_PRIOR_ORDER,   /* fair, and a DAG counts once for each order of the variables it fits */
    DPC_PRIOR_EDGE,    /* every edge is there with a given probability */
} dpc_graph_prior;

#define DPC_MOST_CANDIDATES 20

/*
 * How to sample. New members come at the end, as in dpc_settings; a value of 0 is the default that
 * its comment says.
 */
typedef struct dpc_sampling {
    size_t size; /* of the struct as the caller knows it: dpc_sampling_default sets it */
    dpc_marginal_score score;
    dpc_graph_prior prior;
    double edge_probability; /* DPC_PRIOR_EDGE: above 0 and below 1; otherwise 0 */
    int candidates;          /* possible parents of a variable, 1 to DPC_MOST_CANDIDATES; 0: 12 */
    int resamples;           /* of the data, by which these are found; 0: 50 */
    int chains;              /* 1 to 256; 0: 4 */
    int draws;               /* of each chain; 0: 1000 */
    int thin; /* sweeps over all variables between two draws; 0: 3, and where the chains mix slowly
                 9 or 27 */
    /* Total effects: of these causes on these outcomes, by number; not owned. A list without
     * entries stands for all variables where the other has some; where neither has, no effects are
     * sampled. */
    int n_causes, n_outcomes;
    const int32_t *causes, *outcomes;
} dpc_sampling;

/* Fills a struct of `size` bytes with the defaults; DPC_USAGE where no version has that size. */
DPC_API dpc_status dpc_sampling_init(dpc_sampling *sampling, size_t size);

/* The same as the caller's compiler sees it. A dpc_sampling must begin here. */
static inline void dpc_sampling_default(dpc_sampling *sampling)
{
    (void)dpc_sampling_init(sampling, sizeof *sampling);
}

/* What is probable of a pair a < b. */
typedef struct dpc_probability {
    int32_t a, b;
    double forward, backward; /* of a → b and of a ← b; their sum is that of an edge */
    double ancestor;          /* a is an ancestor of b: there is a directed path */
    double descendant;        /* b is an ancestor of a */
    double se; /* the Monte Carlo error of the probability of an edge, from the chains; 0 where that
                  probability is exact, as where the draws are: see `exact` */
    double rhat; /* split R-hat of a → b or a ← b, the larger; NaN: they do not vary */
    double ess;  /* effective draws of these, the fewer; NaN likewise */
} dpc_probability;

/* The posterior of a total effect: what one unit more of the cause, set from outside, adds to the
 * outcome; in the units of the data, or standardised where there are none. */
typedef struct dpc_posterior_effect {
    int32_t cause, outcome;
    double mean, sd;
    double low, high; /* the middle 95 % of the draws */
    double nonzero;   /* the probability that the cause is an ancestor of the outcome */
} dpc_posterior_effect;

struct dpc_sampled; /* the draws; opaque */

/* What was sampled; to be read. Free with dpc_posterior_free. */
typedef struct dpc_posterior {
    int n_vars;
    int64_t n_obs;
    dpc_sampling sampling; /* as it was done, defaults filled in; without causes, outcomes */
    uint64_t seed;         /* of the settings */
    int chains, draws;     /* done: draws of each chain, fewer than asked for where it has ended */
    bool complete;         /* false: `timeout` or the caller has ended it before */
    int64_t n_pairs;
    dpc_probability *pairs; /* those with an edge or a path in any draw, and where probabilities are
                               exact those with an edge of at least 1e-6; by a, then b; owned */
    /*
     * The CPDAGs of the draws as weighted graphs: counts of edges, arrows that the data fix and
     * edges that they do not, for dpc_consensus and whatever reads a bootstrap. The weight of an
     * edge is its probability above times the draws. Owned.
     */
    dpc_frequencies *frequencies;
    dpc_graph *best;   /* the DAG with the highest score that the chains have met; owned */
    double best_score; /* log of its marginal likelihood and prior, up to a constant */
    double *scores;    /* of the draws: chain after chain; owned */
    int32_t *n_edges;  /* of the draws, likewise; owned */
    int64_t n_effects;
    dpc_posterior_effect *effects; /* by cause, then outcome; owned */
    double *effect_draws; /* of each effect the values of all draws, in the order of the scores;
                             owned; NULL: none were asked for */
    /* Diagnostics. */
    double rhat, ess;             /* the worst of all edges with a probability from .02 to .98 */
    double score_rhat, score_ess; /* of the score */
    double worst_chain;   /* how far the lowest mean score of a chain is below the highest */
    double refined_score; /* of the refined DAG that the candidates were taken from, like
                             best_score; NaN: none was needed */
    double outside; /* the largest probability of a parent that is no candidate, estimated from
                       single families of some draws, … */
    int32_t outside_parent, outside_child; /* … that parent, and its child; -1: there is none */
    double
        least_variance; /* the least that any set of parents leaves of a variable, 1 the whole … */
    int32_t least_variable;   /* … and which */
    int64_t moves, log_moves; /* made; of these, with sums that only logarithms could hold */
    int annealed;             /* chains that had to be started again */
    bool exact; /* the draws are independent and from the posterior itself, as of up to 13
                   variables: not made by moves, whose number is 0 */
    double seconds;
    double seconds_candidates, seconds_tables, seconds_start, seconds_draws;
    struct dpc_sampled *sampled; /* owned */
} dpc_posterior;

/*
 * Samples DAGs given a table, as dpc_correlate reads it. Of the settings it uses knowledge, seed,
 * threads, timeout, memory, normalize, progress and what refines the resamples. The same seed gives
 * the same bytes for any number of threads; rearranged columns rearrange the draws, and all numbers
 * up to the rounding of the correlations. `settings`, `sampling` and `audit` may be NULL.
 * DPC_BAD_INPUT where a variable has several columns.
 *
 * As in a bootstrap, a call that is called off returns DPC_INTERRUPTED, and *out is what there is
 * where every chain has a draw; with settings->timeout the same is DPC_OK, and each chain always
 * has one. See `complete`.
 */
DPC_API dpc_status dpc_sample(const dpc_table *table, const dpc_settings *settings,
                              const dpc_sampling *sampling, dpc_audit *audit, dpc_posterior **out,
                              dpc_error *err);

/* The same given a correlation matrix; resamples are drawn from the normal distribution with it. */
DPC_API dpc_status dpc_sample_correlation(const dpc_correlation *correlation,
                                          const dpc_settings *settings,
                                          const dpc_sampling *sampling, dpc_posterior **out,
                                          dpc_error *err);
DPC_API void dpc_posterior_free(dpc_posterior *posterior);

/* Draw number `draw` of a chain, a DAG; DPC_USAGE where there is none. Free with dpc_graph_free. */
DPC_API dpc_status dpc_posterior_draw(const dpc_posterior *posterior, int chain, int draw,
                                      dpc_graph **out, dpc_error *err);

/*
 * The graph of the edges with at least this probability, 0 < min_probability <= 1: the consensus of
 * the draws (dpc_consensus), a CPDAG. Free with dpc_graph_free.
 */
DPC_API dpc_status dpc_posterior_graph(const dpc_posterior *posterior, double min_probability,
                                       dpc_graph **out, dpc_error *err);

/* What is probable of the pair a, b (any order of the two), seen from a < b; zeros: nothing. */
DPC_API dpc_probability dpc_probability_of(const dpc_posterior *posterior, int a, int b);

#ifdef __cplusplus
}
#endif
#endif
