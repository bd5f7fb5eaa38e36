/*
 * The slow twin of core/refine: scores by elimination in long doubles, parents by growing and
 * shrinking afresh, the best of all orders by trying them all. It shares no code with core/.
 */
#ifndef SCORE_TWIN_H
#define SCORE_TWIN_H

#include <gsl/gsl_rng.h>
#include <stdbool.h>
#include <stdint.h>

enum { TWIN_NODES = 64, TWIN_BRUTE = 7, TWIN_EXACT = 10 };

struct score_twin {
    const double *r; /* n × n */
    int n;
    double n_obs, price;
    int most_parents;
};

/* -N/2 log σ²(v|S) - price |S|; `set` as bits. */
double twin_family(const struct score_twin *twin, int v, uint64_t set);

/* The least that is left of a member of S given those before it, or of v given S: where that is
 * next to nothing, what is left is rounding. */
double twin_least_left(const struct score_twin *twin, int v, uint64_t set);

/* The parents of v among `before` (bits) by growing and shrinking. */
uint64_t twin_grow_shrink(const struct score_twin *twin, int v, uint64_t before);

/* The score of a DAG: parents as bits. */
double twin_score(const struct score_twin *twin, const uint64_t *parents);

/* The best score of all orders of up to TWIN_BRUTE nodes, with parents by twin_grow_shrink. */
double twin_best_order(const struct score_twin *twin);

/* The score of v with a set of parents, by whatever means. */
typedef double twin_local(void *context, int v, uint64_t set);

/*
 * The best score of all DAGs in which v has the parents required[v], none of banned[v] and at most
 * `most` others than required ones: by trying all parents of all nodes, of up to 5; and by the last
 * node of every set, up to TWIN_EXACT.
 */
struct twin_dags {
    int n, most;
    const uint64_t *required, *banned;
    twin_local *local;
    void *context;
};
double twin_best_of_all(const struct twin_dags *dags);
double twin_best_by_sets(const struct twin_dags *dags);

/* Is there a way from → … → to? */
bool twin_leads(const uint64_t *parents, int from, int to);

/*
 * All DAGs equivalent to this one, by turning covered edges; `visit` is called for each. Up to 8
 * nodes, and at most `most` DAGs. Returns how many.
 */
typedef void twin_visit(void *context, const uint64_t *parents);
int twin_members(int n, const uint64_t *parents, int most, twin_visit *visit, void *context);

/* Another of them, of any number of nodes: so many times a covered edge is drawn and turned. */
void twin_wander(gsl_rng *rng, int n, uint64_t *parents, int times);

#endif
