/* Effects in resamples: what is kept of each, and what all of them say. */
#ifndef DPC_RESAMPLED_H
#define DPC_RESAMPLED_H

#include "dualpc_explain.h"
#include "terms.h"

struct dpc_effect_resamples {
    dpc_ida ida;
    bool standardised;
    int n_causes, n_outcomes; /* terms */
    dpc_terms causes, outcomes;
    int count;    /* of resamples that were done */
    float *least; /* by resample, cause, outcome: the effect that is smallest in absolute value; NaN
                     where there is none; owned */
};

/* dpc_effects by settings that have been checked. */
dpc_status dpc_effects_checked(const dpc_correlation *correlation, const dpc_causal *graph,
                               const dpc_effect_query *query, const dpc_settings *checked,
                               dpc_effect_table **out, dpc_error *err);

/* Are they about the same question? DPC_USAGE where not. */
dpc_status dpc_resampled_check(const dpc_effect_resamples *resamples, const dpc_effect_query *query,
                               const dpc_terms *causes, const dpc_terms *outcomes, dpc_error *err);

/* Which of its causes and outcomes, terms of the query, a pair of a table is of. */
void dpc_effect_table_place(const dpc_effect_table *table, int64_t pair, int *cause, int *outcome);

/* What they say, by cause, then by outcome. DPC_OK or no memory. */
dpc_status dpc_resampled_spread(const dpc_effect_resamples *resamples, dpc_effect_spread *out);

#endif
