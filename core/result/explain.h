/* Explanations from inside: what explain.c takes from its neighbours. */
#ifndef DPC_EXPLAIN_H
#define DPC_EXPLAIN_H

#include "result.h"

/* explain_score.c: `test` and `gain` of a pair of a graph that GES has found. */
dpc_status dpc_explain_score(const dpc_result *result, dpc_explanation *explanation,
                             dpc_error *err);

/* explain_pag.c: `end_a` and `end_b` of a pair of a PAG, and `lost`. */
dpc_status dpc_explain_pag(const dpc_result *result, const dpc_settings *settings,
                           dpc_explanation *explanation, dpc_error *err);

/* What joins two variables given a set of k others. */
typedef struct dpc_joint {
    double r, p;   /* NaN: there is no test */
    int64_t n_obs; /* N */
    int64_t ess;   /* the effective sample size */
    bool has_sign; /* r is a correlation; otherwise an association, of blocks of columns */
} dpc_joint;

/* DPC_NO_MEMORY is the only failure. */
dpc_status dpc_explain_partial(const dpc_correlation *correlation, dpc_test test, int a, int b,
                               const int32_t *set, int k, dpc_joint *out, dpc_error *err);

/* r with its 95 % confidence interval by Fisher's z; NaN where r has no sign. */
typedef struct dpc_interval {
    double r, low, high;
} dpc_interval;
dpc_status dpc_explain_strength(const dpc_correlation *correlation, int a, int b,
                                const int32_t *set, int k, dpc_interval *out, dpc_error *err);

#endif
