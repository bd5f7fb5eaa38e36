/*
 * The score of a family in a posterior over DAGs: see marginal.h.
 *
 * The sums of fbf cancel but for one term: with l = s + 1,
 *
 *     g(l) - g(l-1) = lnΓ((l+N)/2) - lnΓ(l/2) - (2l-1+N)/2 log N.
 *
 * Of bge, with a = α_w - n + l = s + 3,
 *
 *     c(s) = -N/2 log π + ½ log(α_μ / (α_μ+N)) + lnΓ((a+N)/2) - lnΓ(a/2) + (a+s)/2 log t,
 *     h(s) = (a+N) / 2,  d = ½.
 */
#include "marginal.h"

#include <math.h>

static double log_gamma(double x)
{
    int sign; /* lgamma would write a global variable */
    return lgamma_r(x, &sign);
}

/* log C(n, k). */
static double log_choose(int n, int k)
{
    return log_gamma(n + 1) - log_gamma(k + 1) - log_gamma(n - k + 1);
}

static void fill_fbf(dpc_marginal *m, int n, double n_obs)
{
    m->scale = 1;
    for (int s = 0; s < n; s++) {
        m->constant[s] = log_gamma((s + 1 + n_obs) / 2) - log_gamma((s + 1) / 2.0) -
                         (2 * s + 1 + n_obs) / 2 * log(n_obs);
        m->power[s] = n_obs / 2;
    }
}

static void fill_bge(dpc_marginal *m, int n, double n_obs)
{
    const double alpha_mu = 1, t = 0.5;
    m->scale = n_obs - 1;
    m->ridge = t;
    m->determinant = 0.5;
    for (int s = 0; s < n; s++) {
        double a = s + 3;
        m->constant[s] = -n_obs / 2 * log(M_PI) + log(alpha_mu / (alpha_mu + n_obs)) / 2 +
                         log_gamma((a + n_obs) / 2) - log_gamma(a / 2) + (a + s) / 2 * log(t);
        m->power[s] = (a + n_obs) / 2;
    }
}

static void fill_bic(dpc_marginal *m, int n, double n_obs)
{
    m->scale = 1;
    for (int s = 0; s < n; s++) {
        m->constant[s] = -s * log(n_obs) / 2;
        m->power[s] = n_obs / 2;
    }
}

static double log_prior(dpc_graph_prior prior, double edge_probability, int n, int size)
{
    switch (prior) {
    case DPC_PRIOR_FAIR:
    case DPC_PRIOR_ORDER:
        return -log_choose(n - 1, size);
    case DPC_PRIOR_EDGE:
        return size * (log(edge_probability) - log1p(-edge_probability));
    default: /* DPC_PRIOR_UNIFORM */
        return 0;
    }
}

double dpc_marginal_most(dpc_marginal_score score, double n_obs)
{
    return score == DPC_SCORE_BGE ? INFINITY : floor((n_obs - 1) / 2);
}

dpc_status dpc_marginal_init(dpc_marginal *marginal, dpc_arena *arena, dpc_marginal_score score,
                             dpc_graph_prior prior, double edge_probability, int n, double n_obs)
{
    dpc_marginal m = {.constant = dpc_arena_alloc(arena, n, sizeof *m.constant),
                      .power = dpc_arena_alloc(arena, n, sizeof *m.power)};
    if (dpc_arena_failed(arena))
        return DPC_NO_MEMORY;
    if (score == DPC_SCORE_FBF)
        fill_fbf(&m, n, n_obs);
    else if (score == DPC_SCORE_BGE)
        fill_bge(&m, n, n_obs);
    else
        fill_bic(&m, n, n_obs);
    for (int s = 0; s < n; s++)
        m.constant[s] += s <= dpc_marginal_most(score, n_obs)
                             ? log_prior(prior, edge_probability, n, s)
                             : -INFINITY;
    *marginal = m;
    return DPC_OK;
}

double dpc_marginal_of(const dpc_marginal *marginal, int size, double variance, double log_det)
{
    return marginal->constant[size] - marginal->power[size] * log(variance) -
           marginal->determinant * log_det;
}
