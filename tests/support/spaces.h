/* What the tests of sampling share: a space over a correlation matrix, and all DAGs of a few nodes.
 */
#ifndef SPACES_H
#define SPACES_H

#include "chain.h"

struct space_scene {
    int n;
    double n_obs;
    const double *r; /* not owned */
    dpc_correlation correlation;
    dpc_labels labels;
    dpc_view view;
    dpc_stats stats;
    dpc_marginal marginal;
    dpc_crew crew;
    dpc_candidate_sets sets;
    dpc_space *space;
    dpc_arena memory;
};

/* What there is to say about a space; zeros: fbf, fair, all others are candidates. */
struct space_model {
    dpc_marginal_score score;
    dpc_graph_prior prior;
    double edge_probability;
    int most; /* candidates of a node, those with the largest |r|; 0: all others */
    const dpc_constraints *known;
    const dpc_candidate_sets *sets; /* instead of `most`; NULL: none */
};

/* Aborts where memory ends; all of `r`, n × n, must outlive it. */
struct space_scene *open_space(int n, double n_obs, const double *r,
                               const struct space_model *model);
void close_space(struct space_scene *s);

/* Correlations of a random sample from a random DAG, weights up to `strength`; free with free. */
double *draw_r(uint64_t seed, int n, int64_t n_obs, double strength);

/* Is it free of circles? */
bool is_dag(const dpc_candidate_sets *sets, const uint32_t *parents);

enum { ENUMERATED = 5 };

/* Goes through all DAGs of up to ENUMERATED nodes; returns how many. */
typedef void visit_dag(void *context, const uint32_t *parents);
int64_t for_all_dags(const dpc_candidate_sets *sets, visit_dag *visit, void *context);

/*
 * The exact posterior, by all DAGs: the probability of each candidate, by the places of the
 * candidate sets. `by_orders`: a DAG counts for each order that it fits. Returns log Z.
 */
double exact_posterior(const dpc_space *space, bool by_orders, double *probability);

/* Sweeps, and the share of these in which each candidate is a parent; into `share`. Fails where a
 * DAG has a circle or no weight. */
void run_chain(dpc_chain *chain, const dpc_space *space, int sweeps, bool by_orders, double *share);

#endif
