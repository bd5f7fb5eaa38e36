/* A posterior from inside: what it is assembled from. */
#ifndef DPC_SAMPLE_POSTERIOR_H
#define DPC_SAMPLE_POSTERIOR_H

#include "candidates.h"
#include "draws.h"
#include "family_score.h"
#include "run.h"

/* What a posterior is made from. */
typedef struct dpc_posterior_parts {
    const dpc_candidate_plan *plan;
    const dpc_candidates *candidates;
    const dpc_score_matrix *matrix;
    const dpc_marginal *marginal;
    const dpc_space *space;
    const dpc_sampling *sampling; /* whole */
    /* Columns, ascending, all different. */
    int n_causes, n_outcomes;
    const int32_t *causes, *outcomes;
    dpc_run *run; /* what it has goes over to the posterior */
} dpc_posterior_parts;

/* Fills all but the seconds of the whole, of candidates and of tables, and refined_score. Free with
 * dpc_posterior_free. */
dpc_status dpc_posterior_new(const dpc_posterior_parts *parts, dpc_posterior **out, dpc_error *err);

#endif
