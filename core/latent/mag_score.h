/*
 * The score of a MAG: the sum over its districts of their log-likelihoods, minus a price per edge,
 * minus a price more per double arrow.
 *
 * Most districts need no iteration. Let a be a node of one whose spouses are all spouses of each
 * other, and have all parents that a has. Then
 *
 *     f(D | pa) = f(a | pa(a)) · f(D \ a | a, pa),
 *
 * and the second factor is that of a MAG in which a is a parent of those that were its spouses:
 * their residuals given that of a are free coefficients of a, and of the parents of a, which they
 * have anyway; the covariances of these residuals change only between spouses of a, where they are
 * free. So a is a regression, and what is left may fall into smaller districts. Only what cannot be
 * taken apart so goes to RICF (ricf.h). The regressions are asked from the door (stats/family.h).
 *
 * What was found for a district is kept by a key of its nodes, their parents and spouses. All
 * answers are functions of the district alone, so what is kept, or forgotten, changes no result.
 */
#ifndef DPC_MAG_SCORE_H
#define DPC_MAG_SCORE_H

#include "mag_state.h"
#include "ricf.h"
#include "scorer.h"

/* How well a score is known: not below it, by any means (district_bound.h); hardly below it (by a
 * few sweeps, ricf.h); exactly. */
typedef enum dpc_precision { DPC_BOUND, DPC_ROUGH, DPC_EXACT } dpc_precision;

typedef struct dpc_known_score {
    dpc_key key;     /* all 0: the place is free */
    double score[3]; /* by how well it is known; NaN: not yet */
} dpc_known_score;

typedef struct dpc_mag_scorer {
    dpc_scorer regression;
    dpc_ricf ricf;
    double hidden_price; /* of a double arrow, beyond that of an edge */
    dpc_known_score *known;
    int64_t places, used, most; /* of `known`: a power of 2; how many are taken; may be taken */
    int32_t *parents;           /* for one district, n + DPC_LARGEST_DISTRICT each */
    uint64_t *row, *other_row;  /* of a graph */
    int64_t scores;             /* asked for */
    bool failed;                /* there was no memory: scores are none since */
    dpc_arena memory;
    char apart[DPC_APART];
} dpc_mag_scorer;

/* At most `memory` bytes are used for what is kept. DPC_OK or no memory; to be cleared in either
 * case. */
dpc_status dpc_mag_scorer_init(dpc_mag_scorer *scorer, const dpc_scoring *scoring,
                               double hidden_price, double memory);
void dpc_mag_scorer_clear(dpc_mag_scorer *scorer);

/* The log-likelihood of the district of v, which goes into `row`; -INFINITY where it is too large,
 * or a node has too many parents. */
double dpc_mag_score_district(dpc_mag_scorer *scorer, const dpc_mag_state *state, int v,
                              dpc_precision precision, uint64_t *row);

/* The same without what is kept. */
double dpc_mag_fit_district(dpc_mag_scorer *scorer, const dpc_mag_state *state,
                            const uint64_t *district, dpc_precision precision);

/* The score of the whole. */
double dpc_mag_score(dpc_mag_scorer *scorer, const dpc_mag_state *state);

/* What it would gain by another edge between a and b, whether that were a MAG or not; what there is
 * then is scored so precisely. */
double dpc_mag_gain(dpc_mag_scorer *scorer, dpc_mag_state *state, dpc_edge change,
                    dpc_precision precision);

#endif
