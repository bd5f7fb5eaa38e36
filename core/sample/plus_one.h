/*
 * What the candidates leave out: how probable it is that a variable which is no candidate is a
 * parent.
 *
 * In a draw, v has the parents S. With u one that is no candidate of v and no descendant of it, the
 * families S and S without one of its members are compared with the same ones and u:
 *
 *     p(u) = Σ e^L(S', u) / Σ (e^L(S') + e^L(S', u)),   S' = S, or S without a member.
 *
 * So a member that stands for u may give way to it. The mean over some draws, spread over all
 * chains, is what is reported: no probability of the posterior with u as a candidate, but large
 * where u would have become one.
 */
#ifndef DPC_SAMPLE_PLUS_ONE_H
#define DPC_SAMPLE_PLUS_ONE_H

#include "candidates.h"
#include "draws.h"
#include "family_score.h"

typedef struct dpc_outside {
    double probability;    /* the largest; 0: there is none outside */
    int32_t parent, child; /* labels; -1 */
} dpc_outside;

/* `all`, where it is not NULL, has n × n zeros, and receives p(u) at [child * n + parent]. DPC_OK,
 * no memory or interrupted. */
dpc_status dpc_find_outside(const dpc_candidate_plan *plan, const dpc_sampled *sampled,
                            const dpc_score_matrix *matrix, const dpc_marginal *marginal,
                            dpc_crew *crew, double *all, dpc_outside *out, dpc_error *err);

#endif
