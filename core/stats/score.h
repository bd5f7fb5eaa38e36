/*
 * The score that refinement climbs: a Gaussian log-likelihood, from the correlations, minus a price
 * per edge.
 *
 * A DAG scores Σ_v s(v, pa(v)), with  s(v, S) = -N/2 log σ²(v|S) - price |S|,  σ²(v|S) being the
 * variance of v given S, 1 without any. One parent u more gains  -N/2 log(1 - r²) - price,  r the
 * partial correlation of u and v given S. So all DAGs of a Markov equivalence class score the same,
 * up to rounding.
 *
 * The usual price is that of the extended BIC (Chen and Chen 2008), ½ log N + log n: the second
 * part pays for the choice among n variables.
 *
 * Of blocks of columns a parameter costs at most ½ log N, and what an edge between scalars costs
 * beyond that is paid once for each edge: with p and q columns, a p q + b where scalars cost a + b.
 * What a family of blocks answers is read as if it were of scalars (block_family.h).
 */
#ifndef DPC_SCORE_H
#define DPC_SCORE_H

#include "constraints.h"
#include "stats.h"

/* A variance of v below this is rounding, and counts as this: 1 is the whole. */
#define DPC_LEAST_LEFT 1e-14

typedef struct dpc_scoring {
    dpc_stats stats;              /* nodes are labels */
    const dpc_constraints *known; /* in labels; NULL: nothing is known */
    double n_obs;                 /* N */
    double weight;                /* what stands for N where a gain is read from an r² */
    double price;                 /* of an edge */
    double least;                 /* the r² that is worth it just so */
    double slack;                 /* scores that differ by less are the same, but for rounding */
    int most_parents;             /* of a node */
} dpc_scoring;

void dpc_scoring_init(dpc_scoring *scoring, const dpc_stats *stats, const dpc_constraints *known,
                      double price);

/* What a parameter costs, where an edge between scalars costs a price. */
double dpc_parameter_price(double price, double n_obs);

/*
 * Can a one-equation score be used: are there basis columns of numbers alone? It counts, of v, the
 * first column only. It is another score for other DAGs of a class: a search over DAGs may use it,
 * a search over classes may not. `blocks` may be NULL.
 */
bool dpc_can_use_one_equation(const dpc_blocks *blocks);

/* W of block_family.h; N where all variables are scalars. */
double dpc_score_weight(const dpc_stats *stats);

/*
 * How many parents a node may have: with more than half as many as there are rows hardly anything
 * is left of any variable, whatever the data, and gains go to infinity. Where there are fewer rows
 * than variables to choose from, that begins earlier.
 */
int dpc_parent_limit(int n, int64_t n_obs);

/* What a partial correlation adds to the log-likelihood; and to the score, its price taken off. */
static inline double dpc_likelihood_of(const dpc_scoring *scoring, double square)
{
    return dpc_deviance_of_square(square, scoring->weight).d / 2;
}

static inline double dpc_gain_of(const dpc_scoring *scoring, double square)
{
    return dpc_score_of(dpc_deviance_of_square(square, scoring->weight), scoring->price);
}

/* May there be an edge u → v; must there be one? */
static inline bool dpc_may_be_parent(const dpc_scoring *scoring, int u, int v)
{
    return !dpc_forced(scoring->known, v, u);
}

static inline bool dpc_required_parent(const dpc_scoring *scoring, int u, int v)
{
    const dpc_constraints *known = scoring->known;
    return known != NULL && dpc_bit(known->required, known->words, u, v);
}

/* A parent to be had. */
typedef struct dpc_candidate {
    double square; /* r² */
    int32_t node;
} dpc_candidate;

/* Best first; those whose r² differ by at most a share of 1 - r², or by `noise`, by their numbers.
 * `room`: twice as many. */
void dpc_sort_candidates(dpc_candidate *candidates, int count, double noise, dpc_candidate *room);

#endif
