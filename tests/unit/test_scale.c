/*
 * Columns of extreme sizes: their correlations are those of the same column brought to an ordinary
 * size by a power of 2, to the last bit, wherever double can tell.
 */
#include "audit.h"
#include "cases.h"
#include "tables.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N = 8, N_OBS = 300, COLUMNS = N * N_OBS };

static dpc_correlation *correlate(const dpc_table *table, dpc_normalize how, dpc_audit *audit)
{
    dpc_settings settings = plain_settings();
    dpc_correlation *c = NULL;
    dpc_error err;
    settings.normalize = how;
    if (dpc_correlate(table, &settings, audit, &c, &err) != DPC_OK)
        fail_msg("%s", err.message);
    return c;
}

/* A table of whole numbers below 2^20: they survive every scale that is tried. */
static dpc_table *whole_numbers(uint64_t seed)
{
    dpc_table *table = simulated_table(N, N_OBS, seed);
    for (int i = 0; i < COLUMNS; i++)
        table->values[i] = round(table->values[i] * 4096);
    return table;
}

static void check_power(const int *power, uint64_t seed)
{
    dpc_table *table = whole_numbers(seed);
    for (int how = 0; how < 2; how++) {
        dpc_table *scaled = whole_numbers(seed);
        for (int i = 0; i < COLUMNS; i++)
            scaled->values[i] = ldexp(table->values[i], power[i / N_OBS]);
        dpc_correlation *expected = correlate(table, (dpc_normalize)how, NULL);
        dpc_correlation *seen = correlate(scaled, (dpc_normalize)how, NULL);
        for (int i = 0; i < N * N; i++)
            if (memcmp(&seen->r[i], &expected->r[i], sizeof(double)) != 0)
                fail_msg("columns times 2^%d and 2^%d: %.17g, and should be %.17g", power[i / N],
                         power[i % N], seen->r[i], expected->r[i]);
        dpc_correlation_free(expected);
        dpc_correlation_free(seen);
        dpc_table_free(scaled);
    }
    dpc_table_free(table);
}

/* 2^-1074 is the smallest number of all; 2^-1030 times 4096 is 1e-307, 2^1000 is 1e301. */
static void test_powers(void **state)
{
    (void)state;
    static const int powers[] = {-1074, -1073, -1050, -1035, -1022, -1000, -400,
                                 -200,  0,     200,   400,   900,   1000,  1003};
    enum { COUNT = sizeof powers / sizeof *powers };
    int all[N];
    for (int i = 0; i < COUNT; i++) {
        for (int j = 0; j < N; j++)
            all[j] = powers[i];
        check_power(all, 1);
    }
    for (int first = 0; first < COUNT; first++) {
        for (int j = 0; j < N; j++)
            all[j] = powers[(first + 5 * j) % COUNT];
        check_power(all, 2);
    }
}

/* Where the smallest numbers have lost their bits, what is left is a column like any other. */
static void test_few_values(void **state)
{
    (void)state;
    dpc_table *table = simulated_table(N, N_OBS, 3), *plain = simulated_table(N, N_OBS, 3);
    for (int i = 0; i < COLUMNS; i++) {
        table->values[i] *= DBL_TRUE_MIN * (i / N_OBS < N / 2 ? 1 : 20);
        plain->values[i] = ldexp(table->values[i], 1074);
    }
    dpc_correlation *seen = correlate(table, DPC_NORMALIZE_NONE, NULL);
    dpc_correlation *expected = correlate(plain, DPC_NORMALIZE_NONE, NULL);
    assert_memory_equal(seen->r, expected->r, N * N * sizeof(double));
    for (int i = 0; i < N * N; i++)
        assert_true(fabs(seen->r[i]) <= 1);
    dpc_correlation_free(seen);
    dpc_correlation_free(expected);
    dpc_table_free(table);
    dpc_table_free(plain);
}

/* A column of 0 and the smallest number has two values; only one of the same number is constant. */
static void test_constant(void **state)
{
    (void)state;
    dpc_table *table = simulated_table(3, N_OBS, 4);
    dpc_audit audit = {0};
    for (int i = 0; i < N_OBS; i++) {
        table->values[N_OBS + i] = table->values[i] > 0 ? DBL_TRUE_MIN : 0;
        table->values[2 * N_OBS + i] = 7 * DBL_TRUE_MIN;
    }
    dpc_correlation *c = correlate(table, DPC_NORMALIZE_NONE, &audit);
    assert_int_equal(audit.count, 2);
    assert_non_null(strstr(audit.items[0].text, "'V3' is constant"));
    assert_non_null(strstr(audit.items[1].text, "'V2'"));
    assert_true(c->r[1] > 0.5 && c->r[1] < 1);
    assert_true(c->r[2] == 0 && c->r[5] == 0);
    assert_false(dpc_is_constant(-DBL_TRUE_MIN, 0));
    assert_false(dpc_is_constant(DBL_TRUE_MIN, 2 * DBL_TRUE_MIN));
    assert_true(dpc_is_constant(DBL_MAX, DBL_MAX));
    assert_false(dpc_is_constant(-DBL_MAX, DBL_MAX));
    assert_true(dpc_is_constant(1, 1 + DBL_EPSILON));
    dpc_audit_clear(&audit);
    dpc_correlation_free(c);
    dpc_table_free(table);
}

/* No size of the columns invents an edge. */
static void test_no_edges(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20250101);
    dpc_table *table = simulated_table(N, N_OBS, 5);
    dpc_settings settings = plain_settings();
    for (int i = 0; i < COLUMNS; i++) /* independent columns */
        table->values[i] = (gsl_rng_uniform(rng) - 0.5) * (i / N_OBS % 2 == 0 ? 1e-310 : 1e305);
    for (int method = 0; method < 2; method++) {
        dpc_result *result = NULL;
        dpc_error err;
        settings.method = method == 0 ? DPC_GES : DPC_DUAL;
        settings.penalty = 5;
        settings.alpha = 1e-6;
        if (dpc_learn_table(table, &settings, NULL, &result, &err) != DPC_OK)
            fail_msg("%s", err.message);
        assert_int_equal(dpc_result_graph(result)->n_edges, 0);
        dpc_result_free(result);
    }
    dpc_table_free(table);
    gsl_rng_free(rng);
}

/* Variances may be as small as numbers get. */
static void test_matrix(void **state)
{
    (void)state;
    dpc_table *m = NULL;
    dpc_correlation *c = NULL;
    dpc_error err;
    assert_int_equal(dpc_table_new(3, 3, NULL, &m, &err), DPC_OK);
    static const double covariances[] = {4, 1, -2, 1, 4, 1, -2, 1, 4};
    for (int i = 0; i < 9; i++)
        m->values[i] = covariances[i] * DBL_TRUE_MIN;
    if (dpc_correlation_from_matrix(m, 100, NULL, NULL, &c, &err) != DPC_OK)
        fail_msg("%s", err.message);
    for (int i = 0; i < 9; i++)
        assert_true(fabs(c->r[i] - covariances[i] / 4) < 1e-15);
    dpc_correlation_free(c);
    dpc_table_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_powers),   cmocka_unit_test(test_few_values),
        cmocka_unit_test(test_constant), cmocka_unit_test(test_no_edges),
        cmocka_unit_test(test_matrix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
