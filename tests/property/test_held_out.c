/*
 * Rows that were held out: the likelihood against regressions by another library on rows that are
 * cut by hand, and what must not matter.
 */
#include "cases.h"
#include "held_out.h"
#include "repeat.h"
#include "tables.h"

#include <gsl/gsl_multifit.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N_TWINS = 30, N_OTHERS = 20 };

static dpc_held_out compare(const dpc_table *table, const dpc_settings *a, const dpc_settings *b)
{
    dpc_held_out out;
    dpc_error err;
    if (dpc_compare_held_out(table, a, b, &out, &err) != DPC_OK)
        fail_msg("%s", err.message);
    return out;
}

/* A table of some rows of another. */
static dpc_table *rows_of(const dpc_table *table, const bool *wanted)
{
    int64_t count = 0;
    dpc_table *out = NULL;
    for (int64_t i = 0; i < table->n_obs; i++)
        count += wanted[i];
    assert_int_equal(dpc_table_new(count, table->n_vars, NULL, &out, NULL), DPC_OK);
    double *to = out->values;
    for (int j = 0; j < table->n_vars; j++)
        for (int64_t i = 0; i < table->n_obs; i++)
            if (wanted[i])
                *to++ = table->values[j * table->n_obs + i];
    return out;
}

/* Is the row held out in this fold? 20 blocks, dealt out to 5 folds. */
static bool held(int64_t row, int64_t rows, int fold)
{
    int block = 0;
    while (rows * (block + 1) / 20 <= row)
        block++;
    return block % 5 == fold;
}

/* Standardises columns by means and deviations of others. */
static void standardise(dpc_table *table, const dpc_table *by)
{
    for (int j = 0; j < by->n_vars; j++) {
        const double *x = by->values + j * by->n_obs;
        double mean = 0, squares = 0, n = (double)by->n_obs;
        for (int64_t i = 0; i < by->n_obs; i++)
            mean += x[i] / n;
        for (int64_t i = 0; i < by->n_obs; i++)
            squares += (x[i] - mean) * (x[i] - mean) / n;
        for (int64_t i = 0; i < table->n_obs; i++) {
            double *cell = &table->values[j * table->n_obs + i];
            *cell = (*cell - mean) / sqrt(squares);
        }
    }
}

/* The log-likelihood of one variable in the test rows, its parents given. */
static double node_likelihood(const dpc_table *training, const dpc_table *test,
                              const dpc_graph *dag, int v)
{
    size_t rows = (size_t)training->n_obs, k = 1;
    int parent[64];
    for (int u = 0; u < dag->n_nodes; u++)
        if (u != v && dpc_graph_mark(dag, u, v) == DPC_FORWARD)
            parent[k++] = u;
    gsl_matrix *x = gsl_matrix_alloc(rows, k), *covariance = gsl_matrix_alloc(k, k);
    gsl_vector *y = gsl_vector_alloc(rows), *b = gsl_vector_alloc(k);
    gsl_multifit_linear_workspace *work = gsl_multifit_linear_alloc(rows, k);
    for (size_t i = 0; i < rows; i++) {
        gsl_vector_set(y, i, training->values[v * training->n_obs + (int64_t)i]);
        gsl_matrix_set(x, i, 0, 1);
        for (size_t p = 1; p < k; p++)
            gsl_matrix_set(x, i, p, training->values[parent[p] * training->n_obs + (int64_t)i]);
    }
    double squares = 0, sum = 0;
    gsl_multifit_linear(x, y, b, covariance, &squares, work);
    double variance = squares / (double)(rows - k);
    for (int64_t i = 0; i < test->n_obs; i++) {
        double left = test->values[v * test->n_obs + i] - gsl_vector_get(b, 0);
        for (size_t p = 1; p < k; p++)
            left -= gsl_vector_get(b, p) * test->values[parent[p] * test->n_obs + i];
        sum -= (log(2 * M_PI * variance) + left * left / variance) / 2;
    }
    gsl_matrix_free(x);
    gsl_matrix_free(covariance);
    gsl_vector_free(y);
    gsl_vector_free(b);
    gsl_multifit_linear_free(work);
    return sum;
}

static double slow_likelihood(const dpc_table *table, const dpc_settings *settings)
{
    double sum = 0;
    bool *wanted = malloc((size_t)table->n_obs * sizeof *wanted);
    for (int fold = 0; fold < 5; fold++) {
        dpc_result *result = NULL;
        dpc_graph *dag = NULL;
        for (int64_t i = 0; i < table->n_obs; i++)
            wanted[i] = !held(i, table->n_obs, fold);
        dpc_table *training = rows_of(table, wanted);
        for (int64_t i = 0; i < table->n_obs; i++)
            wanted[i] = !wanted[i];
        dpc_table *test = rows_of(table, wanted);
        standardise(test, training);
        standardise(training, training);
        assert_int_equal(dpc_learn_table(training, settings, NULL, &result, NULL), DPC_OK);
        assert_int_equal(dpc_class_member(dpc_result_graph(result), &dag, NULL), DPC_OK);
        for (int v = 0; v < table->n_vars; v++)
            sum += node_likelihood(training, test, dag, v);
        dpc_graph_free(dag);
        dpc_result_free(result);
        dpc_table_free(training);
        dpc_table_free(test);
    }
    free(wanted);
    return sum / (double)table->n_obs;
}

static void test_twin(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(611);
    for (int i = 0; i < repeats(N_TWINS); i++) {
        int n = draw_int(rng, 2, 15);
        dpc_table *table = simulated_table(n, 20 * draw_int(rng, 3, 30), (uint64_t)i + 1);
        dpc_settings plain = plain_settings(), refined = plain;
        refined.refine = DPC_REFINE_FAST;
        dpc_held_out h = compare(table, &plain, &refined);
        double first = slow_likelihood(table, &plain), second = slow_likelihood(table, &refined);
        if (!(fabs(h.first - first) < 1e-6 * n) || !(fabs(h.second - second) < 1e-6 * n) ||
            !(fabs(h.gain - (second - first)) < 2e-6 * n))
            fail_msg("case %d: %.9f and %.9f, expected %.9f and %.9f", i, h.first, h.second, first,
                     second);
        dpc_table_free(table);
    }
    gsl_rng_free(rng);
}

/* Threads change no bit; the same settings differ by nothing; order and scale do not matter. */
static void test_what_must_not_matter(void **state)
{
    (void)state;
    for (int i = 0; i < repeats(N_OTHERS); i++) {
        dpc_table *table = simulated_table(12, 300 + 7 * i, (uint64_t)i + 100);
        dpc_settings plain = plain_settings(), refined = plain, crew = plain;
        refined.refine = DPC_REFINE_FAST;
        crew.threads = 3;
        dpc_held_out one = compare(table, &plain, &refined),
                     three = compare(table, &crew, &refined);
        assert_memory_equal(&one, &three, sizeof one);
        dpc_held_out same = compare(table, &plain, &plain);
        assert_true(same.gain == 0 && same.se == 0);
        for (int64_t k = 0; k < table->n_obs; k++)
            table->values[k] = 1e6 + 1e3 * table->values[k];
        dpc_held_out scaled = compare(table, &plain, &refined);
        assert_true(fabs(scaled.gain - one.gain) < 1e-6 && fabs(scaled.se - one.se) < 1e-6);
        dpc_table_free(table);
    }
}

/* A row with a missing cell is as good as none. */
static void test_incomplete_rows(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(612);
    for (int i = 0; i < repeats(N_OTHERS); i++) {
        dpc_table *table = simulated_table(8, 200, (uint64_t)i + 200);
        bool *wanted = malloc((size_t)table->n_obs * sizeof *wanted);
        dpc_settings plain = plain_settings(), strict = plain;
        strict.alpha = 1e-4;
        for (int64_t k = 0; k < table->n_obs; k++) {
            wanted[k] = draw_int(rng, 0, 4) > 0;
            if (!wanted[k])
                table->values[draw_int(rng, 0, 7) * table->n_obs + k] = NAN;
        }
        dpc_table *complete = rows_of(table, wanted);
        assert_int_equal(dpc_table_set_missing(table, DPC_MISSING_EM, NULL), DPC_OK);
        dpc_held_out with = compare(table, &plain, &strict);
        dpc_held_out without = compare(complete, &plain, &strict);
        assert_memory_equal(&with, &without, sizeof with);
        assert_int_equal(with.rows, complete->n_obs);
        dpc_table_free(complete);
        dpc_table_free(table);
        free(wanted);
    }
    gsl_rng_free(rng);
}

/* Edges that are there predict; their standard error knows it. */
static void test_direction(void **state)
{
    (void)state;
    dpc_table *table = simulated_table(10, 500, 7);
    dpc_settings none = plain_settings(), some = none;
    none.alpha = 1e-300;
    dpc_held_out h = compare(table, &none, &some);
    assert_true(h.gain > 5 * h.se && h.se > 0);
    dpc_table_free(table);
}

static void test_refusals(void **state)
{
    (void)state;
    dpc_held_out out;
    dpc_error err;
    dpc_settings plain = plain_settings(), copula = plain;
    copula.normalize = DPC_NORMALIZE_COPULA;
    dpc_table *few = simulated_table(4, 39, 1), *enough = simulated_table(4, 40, 1);
    assert_int_equal(dpc_compare_held_out(few, &plain, &plain, &out, &err), DPC_USAGE);
    assert_non_null(strstr(err.message, "39 complete rows"));
    assert_int_equal(dpc_compare_held_out(enough, &plain, &plain, &out, &err), DPC_OK);
    assert_int_equal(dpc_compare_held_out(enough, &copula, &copula, &out, &err), DPC_OK);
    assert_int_equal(dpc_compare_held_out(enough, &plain, &copula, &out, &err), DPC_USAGE);
    dpc_table_drop_values(enough);
    assert_int_equal(dpc_compare_held_out(enough, &plain, &plain, &out, &err), DPC_USAGE);
    dpc_table_free(few);
    dpc_table_free(enough);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_twin),
        cmocka_unit_test(test_what_must_not_matter),
        cmocka_unit_test(test_incomplete_rows),
        cmocka_unit_test(test_direction),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
