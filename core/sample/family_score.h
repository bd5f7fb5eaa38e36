/*
 * The score of any family, candidates or not, one at a time: of graphs that come from elsewhere,
 * and of parents that are no candidates. And the matrix that scores and coefficients are read from.
 *
 * The tables (space.h) have the scores of candidates. What they have is L of marginal.h, from
 * T = a R + b I. With unit diagonal, T is (a + b) R', where R' is R with all correlations times
 * a / (a + b): so variances and determinants of T are those of R' times powers of a + b.
 */
#ifndef DPC_SAMPLE_FAMILY_SCORE_H
#define DPC_SAMPLE_FAMILY_SCORE_H

#include "family.h"
#include "marginal.h"
#include "mixed_lists.h"

/* R' as a view, by labels; `shrunk` is owned, and NULL where R' is R. */
typedef struct dpc_score_matrix {
    dpc_view view;
    double *shrunk;
} dpc_score_matrix;

/* Of a view with an R, which outlives it. DPC_OK or no memory. */
dpc_status dpc_score_matrix_init(dpc_score_matrix *matrix, const dpc_view *view,
                                 const dpc_marginal *marginal);
void dpc_score_matrix_clear(dpc_score_matrix *matrix);

/* Belongs to one worker. */
typedef struct dpc_family_scorer {
    const dpc_marginal *marginal;
    dpc_family family; /* over R' */
} dpc_family_scorer;

/* The matrix and the marginal must outlive it. DPC_OK or no memory; to be cleared in either case.
 */
dpc_status dpc_family_scorer_init(dpc_family_scorer *scorer, const dpc_score_matrix *matrix,
                                  const dpc_marginal *marginal);
void dpc_family_scorer_clear(dpc_family_scorer *scorer);

/* The score of v with the parents that the family has, and with u more; -INFINITY: these determine
 * u. */
double dpc_family_score(const dpc_family_scorer *scorer);
double dpc_family_score_with(const dpc_family_scorer *scorer, int u);

/* Log of the marginal likelihood and the prior of a DAG, in labels; -INFINITY where parents
 * determine one another. DPC_OK or no memory. */
dpc_status dpc_family_score_dag(dpc_family_scorer *scorer, const dpc_mixed_lists *dag,
                                double *score);

#endif
