/*
 * R-hat, effective draws and Monte Carlo errors: series whose values are known, and a slow twin
 * that writes the definitions down.
 */
#include "diagnostics.h"
#include "variates.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CHAINS = 4, DRAWS = 1000, MOST = 8000 };

/* An autoregression of variance 1, each chain from its stationary distribution. */
static void draw_series(double *x, int chains, int draws, double rho, uint64_t seed)
{
    dpc_ziggurat ziggurat;
    dpc_random random;
    dpc_ziggurat_init(&ziggurat);
    dpc_random_start(&random, seed, 0);
    for (int c = 0; c < chains; c++) {
        double now = dpc_draw_normal(&random, &ziggurat);
        for (int i = 0; i < draws; i++) {
            x[c * draws + i] = now;
            now = rho * now + sqrt(1 - rho * rho) * dpc_draw_normal(&random, &ziggurat);
        }
    }
}

/* ---- The twin: halves copied, every lag ---- */

static double twin_covariance(const double *x, int l, int lag)
{
    double mean = 0, sum = 0;
    for (int i = 0; i < l; i++)
        mean += x[i] / l;
    for (int i = 0; i + lag < l; i++)
        sum += (x[i] - mean) * (x[i + lag] - mean);
    return sum / l;
}

static dpc_mixing twin(const double *x, int chains, int draws)
{
    static double half[2 * CHAINS][MOST], mean[2 * CHAINS], rho[MOST];
    int l = draws / 2, m = 2 * chains;
    double within = 0, grand = 0, between = 0, tau = -1, before = INFINITY;
    for (int h = 0; h < m; h++) {
        const double *from = x + (h / 2) * draws + (h % 2) * (draws - l);
        memcpy(half[h], from, (size_t)l * sizeof *from);
        mean[h] = 0;
        for (int i = 0; i < l; i++)
            mean[h] += half[h][i] / l;
        grand += mean[h] / m;
        within += twin_covariance(half[h], l, 0) * l / (l - 1) / m;
    }
    for (int h = 0; h < m; h++)
        between += (mean[h] - grand) * (mean[h] - grand) / (m - 1);
    double all = within * (l - 1) / l + between;
    for (int t = 0; t < l; t++) {
        double covariance = 0;
        for (int h = 0; h < m; h++)
            covariance += twin_covariance(half[h], l, t) / m;
        rho[t] = t == 0 ? 1 : 1 - (within - covariance) / all;
    }
    for (int k = 0; 2 * k + 1 < l && rho[2 * k] + rho[2 * k + 1] > 0; k++) {
        before = fmin(before, rho[2 * k] + rho[2 * k + 1]);
        tau += 2 * before;
    }
    double total = (double)m * l;
    return (dpc_mixing){sqrt(all / within), total / fmax(tau, 1 / log10(total))};
}

static void test_twin(void **state)
{
    (void)state;
    static double x[CHAINS * 301];
    const double rhos[] = {-0.5, 0, 0.5, 0.95};
    for (int k = 0; k < 4; k++)
        for (int draws = 300; draws <= 301; draws++) {
            draw_series(x, CHAINS, draws, rhos[k], 7);
            dpc_mixing fast = dpc_mixing_of(x, CHAINS, draws), slow = twin(x, CHAINS, draws);
            assert_true(fabs(fast.rhat - slow.rhat) < 1e-12);
            assert_true(fabs(fast.ess / slow.ess - 1) < 1e-9);
        }
}

/* ---- Known values ---- */

/* Of an autoregression, (1 - ρ) / (1 + ρ) of the draws are effective. */
static void test_autoregression(void **state)
{
    (void)state;
    static double x[CHAINS * MOST];
    const double rhos[] = {0, 0.5, 0.9};
    for (int k = 0; k < 3; k++) {
        draw_series(x, CHAINS, MOST, rhos[k], 11);
        dpc_mixing m = dpc_mixing_of(x, CHAINS, MOST);
        double expected = CHAINS * MOST * (1 - rhos[k]) / (1 + rhos[k]);
        assert_true(m.ess > 0.85 * expected && m.ess < 1.15 * expected);
        assert_true(m.rhat < 1.005 && m.rhat > 0.999);
    }
}

static void test_separated_chains(void **state)
{
    (void)state;
    static double x[CHAINS * DRAWS];
    draw_series(x, CHAINS, DRAWS, 0, 3);
    for (int i = 0; i < DRAWS; i++)
        x[i] += 3; /* one chain is elsewhere */
    dpc_mixing m = dpc_mixing_of(x, CHAINS, DRAWS);
    assert_true(m.rhat > 1.5);
    assert_true(m.ess < 40);
    draw_series(x, CHAINS, DRAWS, 0, 3);
    for (int c = 0; c < CHAINS; c++) /* all chains drift: the halves differ */
        for (int i = 0; i < DRAWS; i++)
            x[c * DRAWS + i] += 3.0 * i / DRAWS;
    assert_true(dpc_mixing_of(x, CHAINS, DRAWS).rhat > 1.2);
}

static void test_degenerate(void **state)
{
    (void)state;
    double x[CHAINS * 10] = {0};
    assert_true(isnan(dpc_mixing_of(x, CHAINS, 10).rhat));
    assert_true(isnan(dpc_mixing_of(x, CHAINS, 10).ess));
    for (int i = 0; i < CHAINS * 10; i++)
        x[i] = -123.4; /* whose mean is rounded */
    assert_true(isnan(dpc_mixing_of(x, CHAINS, 10).rhat));
    for (int i = 0; i < 10; i++)
        x[i] = 1;
    assert_true(isinf(dpc_mixing_of(x, CHAINS, 10).rhat));
    assert_true(isnan(dpc_mixing_of(x, CHAINS, 3).rhat));
    assert_true(isnan(dpc_mixing_of(x, 1, 1).ess));
}

/* Means of batches: the error of their mean is what it is over many repetitions. */
static void test_error(void **state)
{
    (void)state;
    enum { BATCHES = 10, TIMES = 400 };
    double x[CHAINS * BATCHES], told = 0, squares = 0;
    for (int i = 0; i < TIMES; i++) {
        draw_series(x, 1, CHAINS * BATCHES, 0, 1000 + (uint64_t)i);
        double mean = 0;
        for (int k = 0; k < CHAINS * BATCHES; k++)
            mean += x[k] / (CHAINS * BATCHES);
        squares += mean * mean / TIMES;
        told += dpc_monte_carlo_error(x, CHAINS, BATCHES) / TIMES;
    }
    assert_true(told > 0.95 * sqrt(squares) && told < 1.35 * sqrt(squares)); /* the larger of two */
    assert_true(isnan(dpc_monte_carlo_error(x, 1, 1)));
    for (int k = 0; k < CHAINS * BATCHES; k++)
        x[k] = k / BATCHES; /* chains that differ, and do not vary */
    assert_true(fabs(dpc_monte_carlo_error(x, CHAINS, BATCHES) - sqrt(5.0 / 3 / CHAINS)) < 1e-12);
}

/* ---- Variates ---- */

static void test_chi_square(void **state)
{
    (void)state;
    enum { TIMES = 200000 };
    const double degrees[] = {0.5, 1, 2, 7.5, 500};
    dpc_ziggurat ziggurat;
    dpc_random random;
    dpc_ziggurat_init(&ziggurat);
    dpc_random_start(&random, 5, 0);
    for (int k = 0; k < 5; k++) {
        double sum = 0, squares = 0, df = degrees[k];
        for (int i = 0; i < TIMES; i++) {
            double x = dpc_draw_chi_square(&random, &ziggurat, df);
            assert_true(x >= 0);
            sum += x / TIMES;
            squares += (x - df) * (x - df) / TIMES;
        }
        assert_true(fabs(sum - df) < 5 * sqrt(2 * df / TIMES));
        assert_true(fabs(squares / (2 * df) - 1) < 0.05 + 0.1 / df);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_twin),
        cmocka_unit_test(test_autoregression),
        cmocka_unit_test(test_separated_chains),
        cmocka_unit_test(test_degenerate),
        cmocka_unit_test(test_error),
        cmocka_unit_test(test_chi_square),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
