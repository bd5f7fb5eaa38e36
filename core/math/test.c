/*
 * One test: its critical value and its p-value (paper, section 2.1).
 *
 * Independence of x and y given k variables is rejected iff |r| > c(k):
 *
 *   Fisher z   c(k) = tanh(q / sqrt(N-k-3)),  q the upper α/2 quantile of N(0,1)
 *   exact t    c(k) = t / sqrt(df + t²),      t the upper α/2 quantile of t, df = N-k-2
 *
 * Quantiles come from the upper tail, so that α = 1e-300 is as exact as α = 0.05. c depends on
 * k alone: it is tabulated once, and a test is one comparison.
 */
#include "test.h"

#include "alloc.h"
#include "distribution.h"
#include "settings.h"
#include "status.h"

#include <math.h>

/*
 * Two variables with |r| above this are functions of each other. They stay dependent at any α,
 * also where c(k) itself rounds to 1 (α = 1e-300 with a handful of observations).
 */
static const double LARGEST_CRITICAL = 1 - 1e-10;

bool dpc_testable(int64_t n_obs, int64_t k)
{
    return n_obs - k - 3 >= 1;
}

bool dpc_dual_allowed(const dpc_settings *settings, int64_t n_obs, int64_t k)
{
    return dpc_testable(n_obs, k) && (double)(n_obs - k - 3) >= settings->min_ess;
}

static double critical_value(dpc_test test, double alpha, double q, int64_t n_obs, int64_t k)
{
    if (!dpc_testable(n_obs, k))
        return NAN;
    double c;
    if (test == DPC_FISHER_Z) {
        c = tanh(q / sqrt((double)(n_obs - k - 3)));
    } else {
        double df = (double)(n_obs - k - 2);
        double t = dpc_student_from_tail(alpha / 2, df);
        c = 1 / sqrt(1 + df / t / t); /* in this form t = ∞ gives 1 */
    }
    return fmin(c, LARGEST_CRITICAL);
}

static double *tabulate(dpc_test test, double alpha, int64_t n_obs, int max_size)
{
    double *c = dpc_alloc((int64_t)max_size + 1, sizeof *c);
    double q = dpc_normal_from_tail(alpha / 2);
    for (int k = 0; c != NULL && k <= max_size; k++)
        c[k] = critical_value(test, alpha, q, n_obs, k);
    return c;
}

dpc_status dpc_critical_init(const dpc_settings *settings, int64_t n_obs, int max_size,
                             dpc_critical *out, dpc_error *err)
{
    dpc_critical c = {.max_size = max_size,
                      .test = settings->test,
                      .alpha = settings->alpha,
                      .alpha_dual = settings->alpha_dual,
                      .n_obs = n_obs};
    c.primal = tabulate(settings->test, settings->alpha, n_obs, max_size);
    c.dual = settings->alpha_dual == settings->alpha
                 ? c.primal
                 : tabulate(settings->test, settings->alpha_dual, n_obs, max_size);
    if (c.primal == NULL || c.dual == NULL) {
        dpc_critical_clear(&c);
        return dpc_fail_memory(err, "the table of critical values");
    }
    *out = c;
    return DPC_OK;
}

double dpc_critical_at(const dpc_critical *c, bool dual, int64_t n_obs, int k)
{
    if (n_obs == c->n_obs)
        return (dual ? c->dual : c->primal)[k];
    double alpha = dual ? c->alpha_dual : c->alpha;
    return critical_value(c->test, alpha, dpc_normal_from_tail(alpha / 2), n_obs, k);
}

void dpc_critical_clear(dpc_critical *critical)
{
    if (critical->dual != critical->primal)
        free(critical->dual);
    free(critical->primal);
    *critical = (dpc_critical){0};
}

double dpc_p_value(dpc_test test, int64_t n_obs, int64_t k, double r)
{
    double a = fabs(r);
    if (isnan(r) || !dpc_testable(n_obs, k))
        return NAN;
    if (a >= 1)
        return 0;
    if (test == DPC_FISHER_Z)
        return 2 * dpc_normal_tail(atanh(a) * sqrt((double)(n_obs - k - 3)));
    double df = (double)(n_obs - k - 2);
    return 2 * dpc_student_tail(a * sqrt(df / (1 - a * a)), df);
}
