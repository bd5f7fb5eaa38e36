/* One test: its critical value and its p-value. */
#ifndef DPC_TEST_H
#define DPC_TEST_H

#include "dualpc.h"

/*
 * c(k) for k = 0 … max_size: independence given a set of k variables is rejected
 * iff |r| > c(k). NaN where the test cannot be made (N - k - 3 < 1).
 */
typedef struct dpc_critical {
    int max_size;
    double *primal; /* at alpha */
    double *dual;   /* at alpha_dual; the same array where the levels are equal */
    /* what they are of */
    dpc_test test;
    double alpha, alpha_dual;
    int64_t n_obs;
} dpc_critical;

dpc_status dpc_critical_init(const dpc_settings *settings, int64_t n_obs, int max_size,
                             dpc_critical *out, dpc_error *err);
void dpc_critical_clear(dpc_critical *critical);

/* c(k), k ≤ max_size, of a test with n_obs observations. */
double dpc_critical_at(const dpc_critical *critical, bool dual, int64_t n_obs, int k);

/* Can a test given k variables be made, and may a dual one (effective sample size)? */
bool dpc_testable(int64_t n_obs, int64_t k);
bool dpc_dual_allowed(const dpc_settings *settings, int64_t n_obs, int64_t k);

/* Two-sided p-value of a partial correlation r given k variables. */
double dpc_p_value(dpc_test test, int64_t n_obs, int64_t k, double r);

#endif
