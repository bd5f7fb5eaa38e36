/* Explanations from inside: what explain.c takes from its neighbours. */
#ifndef DPC_EXPLAIN_H
#define DPC_EXPLAIN_H

#include "result.h"

/* explain_score.c: `test` and `gain` of a pair of a graph that GES has found. */
dpc_status dpc_explain_score(const dpc_result *result, dpc_explanation *explanation,
                             dpc_error *err);

/* r given a set of k columns, NaN: there is none; and N. DPC_NO_MEMORY is the only failure. */
dpc_status dpc_explain_partial(const dpc_correlation *correlation, int a, int b, const int32_t *set,
                               int k, double *r, int64_t *n_obs, dpc_error *err);

/* The same with its 95 % confidence interval by Fisher's z. */
typedef struct dpc_interval {
    double r, low, high;
} dpc_interval;
dpc_status dpc_explain_strength(const dpc_correlation *correlation, int a, int b,
                                const int32_t *set, int k, dpc_interval *out, dpc_error *err);

#endif
