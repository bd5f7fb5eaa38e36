/* The scores of families against those of whole sets, by their determinants in long doubles. */
#include "marginal.h"
#include "spaces.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { N = 6 };

/* log det of T over a set. */
static long double log_det(const double *r, double scale, double ridge, unsigned set)
{
    long double a[N][N], sum = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = (set >> i & set >> j & 1) != 0 ? scale * r[i * N + j] + (i == j ? ridge : 0)
                                                     : i == j;
    for (int k = 0; k < N; k++) {
        sum += logl(a[k][k]);
        for (int i = k + 1; i < N; i++)
            for (int j = k + 1; j < N; j++)
                a[i][j] -= a[i][k] * a[k][j] / a[k][k];
    }
    return sum;
}

/* The log marginal likelihood of the variables of a set: Σ_i of gamma functions, with a = aw-n+l.
 */
static long double gammas(int l, long double a, long double n_obs)
{
    long double sum = 0;
    for (int i = 1; i <= l; i++)
        sum += lgammal((a + n_obs + 1 - i) / 2) - lgammal((a + 1 - i) / 2);
    return sum;
}

static long double whole(dpc_marginal_score score, const double *r, long double n_obs, unsigned set)
{
    int l = __builtin_popcount(set);
    if (score == DPC_SCORE_FBF)
        return gammas(l, l, n_obs) - l * (l + n_obs) / 2 * logl(n_obs) -
               n_obs / 2 * log_det(r, 1, 0, set);
    if (score == DPC_SCORE_BGE)
        return gammas(l, l + 2, n_obs) - l * n_obs / 2 * logl(M_PIl) +
               l / 2.0L * logl(1 / (1 + n_obs)) + (l + 2) * l / 2.0L * logl(0.5L) -
               (n_obs + l + 2) / 2 * log_det(r, (double)n_obs - 1, 0.5, set);
    return -n_obs / 2 * log_det(r, 1, 0, set) - l * (l - 1) / 4.0L * logl(n_obs);
}

static void test_families(void **state)
{
    (void)state;
    static const double ROWS[] = {8, 100, 20000};
    for (int i = 0; i < 3; i++)
        for (int score = DPC_SCORE_FBF; score <= DPC_SCORE_BIC; score++) {
            double *r = draw_r((uint64_t)i, N, 50, 1);
            dpc_arena memory = {0};
            dpc_marginal m;
            assert_int_equal(
                dpc_marginal_init(&m, &memory, score, DPC_PRIOR_UNIFORM, 0, N, ROWS[i]), DPC_OK);
            for (unsigned set = 0; set < 1U << N; set++)
                for (int v = 0; v < N; v++) {
                    if ((set >> v & 1) != 0)
                        continue;
                    if (__builtin_popcount(set) > dpc_marginal_most(score, ROWS[i])) {
                        assert_true(m.constant[__builtin_popcount(set)] == -INFINITY);
                        continue;
                    }
                    long double det = log_det(r, m.scale, m.ridge, set);
                    long double both = log_det(r, m.scale, m.ridge, set | 1U << v);
                    long double wanted =
                        whole(score, r, ROWS[i], set | 1U << v) - whole(score, r, ROWS[i], set);
                    double seen = dpc_marginal_of(&m, __builtin_popcount(set),
                                                  (double)expl(both - det), (double)det);
                    assert_true(fabsl(seen - wanted) <= 1e-11L * (1 + fabsl(wanted)));
                }
            dpc_arena_clear(&memory);
            free(r);
        }
}

/* What the prior adds to a set of a size. */
static double prior_of(dpc_graph_prior prior, double p, int size)
{
    dpc_arena memory = {0};
    dpc_marginal with, without;
    assert_int_equal(dpc_marginal_init(&with, &memory, DPC_SCORE_BIC, prior, p, N, 100), DPC_OK);
    assert_int_equal(
        dpc_marginal_init(&without, &memory, DPC_SCORE_BIC, DPC_PRIOR_UNIFORM, 0, N, 100), DPC_OK);
    double added = with.constant[size] - without.constant[size];
    dpc_arena_clear(&memory);
    return added;
}

static void test_priors(void **state)
{
    (void)state;
    static const double CHOOSE[N] = {1, 5, 10, 10, 5, 1};
    for (int s = 0; s < N; s++) {
        assert_true(fabs(prior_of(DPC_PRIOR_FAIR, 0, s) + log(CHOOSE[s])) < 1e-13);
        assert_true(fabs(prior_of(DPC_PRIOR_ORDER, 0, s) + log(CHOOSE[s])) < 1e-13);
        assert_true(fabs(prior_of(DPC_PRIOR_EDGE, 0.2, s) - s * log(0.25)) < 1e-13);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_families),
                                       cmocka_unit_test(test_priors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
