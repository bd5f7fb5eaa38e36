/* Critical values and p-values: they agree with each other, at the extremes too. */
#include "test.h"
#include "settings.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static const double ALPHAS[] = {1e-300, 1e-100, 1e-20, 5e-5, 0.01, 0.05, 0.5, 0.99};
static const int64_t SIZES[] = {4, 5, 30, 1000, 1000000, INT64_C(1000000000000000)};

/* p(c(k)) = alpha, unless c is held below 1 because the sample is too small for such an alpha. */
static void check_level(dpc_test test, double alpha, int64_t n_obs)
{
    dpc_settings settings;
    dpc_critical critical;
    dpc_settings_default(&settings);
    settings.test = test;
    settings.alpha = settings.alpha_dual = alpha;
    assert_int_equal(dpc_critical_init(&settings, n_obs, 40, &critical, NULL), DPC_OK);
    assert_ptr_equal(critical.primal, critical.dual);
    for (int k = 0; k <= 40; k++) {
        double c = critical.primal[k];
        assert_int_equal(isnan(c) != 0, n_obs - k - 3 < 1);
        if (isnan(c))
            continue;
        assert_true(c > 0 && c < 1);
        double p = dpc_p_value(test, n_obs, k, c);
        if (c < 1 - 1e-6 && !(fabs(p / alpha - 1) < 1e-6))
            fail_msg("test %d, alpha %g, N %lld, k %d: c = %.17g, p = %.17g", (int)test, alpha,
                     (long long)n_obs, k, c, p);
        if (c >= 1 - 1e-6) /* so close to 1 the rounding of c shows in p */
            assert_true(fabs(log(p) / log(alpha) - 1) < 1e-3 || p > alpha);
    }
    dpc_critical_clear(&critical);
}

static void test_levels(void **state)
{
    (void)state;
    for (int test = 0; test < 2; test++)
        for (size_t i = 0; i < sizeof ALPHAS / sizeof *ALPHAS; i++)
            for (size_t j = 0; j < sizeof SIZES / sizeof *SIZES; j++)
                check_level((dpc_test)test, ALPHAS[i], SIZES[j]);
}

/* Published values: z(0.975) = 1.959964, t(0.975, 10) = 2.228139. */
static void test_known(void **state)
{
    (void)state;
    dpc_settings settings;
    dpc_critical critical;
    dpc_settings_default(&settings);
    dpc_settings_resolve(&settings);
    assert_int_equal(dpc_critical_init(&settings, 103, 0, &critical, NULL), DPC_OK);
    assert_true(fabs(critical.primal[0] - tanh(0.1959963985)) < 1e-9);
    dpc_critical_clear(&critical);
    settings.test = DPC_EXACT_T;
    settings.alpha_dual = 0.01; /* t(0.995, 10) = 3.169273 */
    assert_int_equal(dpc_critical_init(&settings, 12, 0, &critical, NULL), DPC_OK);
    assert_true(fabs(critical.primal[0] - 2.228138852 / sqrt(10 + 2.228138852 * 2.228138852)) <
                1e-9);
    assert_true(fabs(critical.dual[0] - 3.169272673 / sqrt(10 + 3.169272673 * 3.169272673)) < 1e-9);
    dpc_critical_clear(&critical);
}

static void test_p_values(void **state)
{
    (void)state;
    assert_true(dpc_p_value(DPC_FISHER_Z, 100, 0, 1) == 0);
    assert_true(dpc_p_value(DPC_EXACT_T, 100, 0, -1) == 0);
    assert_true(fabs(dpc_p_value(DPC_EXACT_T, 100, 3, 0) - 1) < 1e-12);
    assert_true(isnan(dpc_p_value(DPC_FISHER_Z, 5, 2, 0.5)));
    assert_true(isnan(dpc_p_value(DPC_FISHER_Z, 5, 0, NAN)));
    assert_true(dpc_p_value(DPC_FISHER_Z, 50, 4, -0.4) == dpc_p_value(DPC_FISHER_Z, 50, 4, 0.4));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_levels),
        cmocka_unit_test(test_known),
        cmocka_unit_test(test_p_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
