/* Numbers that are probably not what they are taken for: each kind, and what is no such thing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "dualpc.h"
#include "random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 400, COLUMNS = 4 };

/* The sum of twelve uniform numbers is as good as Gaussian here. */
static double *noise(uint64_t seed)
{
    dpc_random random;
    dpc_random_start(&random, seed, 0);
    double *x = malloc(N * COLUMNS * sizeof *x);
    for (int i = 0; i < N * COLUMNS; i++) {
        x[i] = -6;
        for (int k = 0; k < 12; k++)
            x[i] += (double)(dpc_random_next(&random) >> 11) * 0x1p-53;
    }
    return x;
}

/*
 * Does the audit of these values say `part`? The same of a view by rows, and of floats: the checks
 * are about numbers, wherever they lie.
 */
static bool is_told(const double *x, int64_t n, int columns, const char *part)
{
    bool said[3];
    double *rows = malloc((size_t)(n * columns) * sizeof *rows);
    float *floats = malloc((size_t)(n * columns) * sizeof *floats);
    for (int64_t i = 0; i < n; i++)
        for (int j = 0; j < columns; j++) {
            rows[i * columns + j] = x[j * n + i];
            floats[j * n + i] = (float)x[j * n + i];
        }
    const struct {
        const void *data;
        dpc_cell_type type;
        int64_t row, column;
    } views[] = {{x, DPC_DOUBLE, 1, n}, {rows, DPC_DOUBLE, columns, 1}, {floats, DPC_FLOAT, 1, n}};
    for (int v = 0; v < 3; v++) {
        dpc_table *table = NULL;
        dpc_audit audit = {0};
        dpc_correlation *c = NULL;
        assert_int_equal(dpc_table_view(views[v].data, views[v].type, n, columns, views[v].row,
                                        views[v].column, NULL, &table, NULL),
                         DPC_OK);
        assert_int_equal(dpc_correlate(table, NULL, &audit, &c, NULL), DPC_OK);
        int times = 0;
        for (int i = 0; i < audit.count; i++)
            times += strstr(audit.items[i].text, part) != NULL;
        assert_true(times < 2);
        said[v] = times > 0;
        dpc_audit_clear(&audit);
        dpc_correlation_free(c);
        dpc_table_free(table);
    }
    free(rows);
    free(floats);
    assert_int_equal(said[0], said[1]);
    assert_int_equal(said[0], said[2]);
    return said[0];
}

static void test_plain_noise_is_not_odd(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        double *x = noise(seed);
        if (is_told(x, N, COLUMNS, ""))
            fail_msg("seed %d has a finding", (int)seed);
        free(x);
    }
}

static void test_few_values(void **state)
{
    (void)state;
    double *x = noise(1);
    for (int values = 2; values <= 7; values++) {
        for (int i = 0; i < N; i++)
            x[i] = i % values;
        assert_int_equal(is_told(x, N, COLUMNS, "two to five different values: 'V1'"), values < 6);
    }
    /* in a few rows few values are no wonder */
    assert_false(is_told(x, 12, 1 + 2, "different values"));
    free(x);
}

/* `value` in some rows of a column that is `shift` + `scale` × noise. */
static bool has_code(double value, int times, double shift, double scale)
{
    double *x = noise(2);
    for (int i = 0; i < N; i++)
        x[N + i] = shift + scale * x[N + i];
    for (int i = 0; i < times; i++)
        x[N + 17 * i + 3] = value;
    bool told = is_told(x, N, COLUMNS, "an extreme number is repeated, far from the others: 'V2' ");
    free(x);
    return told;
}

static void test_codes_for_missing_values(void **state)
{
    (void)state;
    assert_true(has_code(-9999, 5, 0, 1));
    assert_true(has_code(-9999, 2, 500, 100));
    assert_true(has_code(99, 8, 3, 1));
    assert_true(has_code(-99.9, 3, 10, 5));
    assert_true(has_code(999, 3, 40, 20));
    assert_true(has_code(-9, 3, 40, 5)); /* the only negative number */
    assert_true(has_code(32767, 3, 0, 100));
    assert_true(has_code(12345, 4, 0, 1));  /* no known code, but very far */
    assert_false(has_code(-9999, 1, 0, 1)); /* an outlier */
    assert_false(has_code(99, 5, 60, 20));  /* a value like others */
    assert_false(has_code(-9, 5, 0, 5));
    assert_false(has_code(50, 5, 0, 4)); /* far, but no code that is known */
}

static void test_two_values_are_no_code(void **state)
{
    (void)state;
    double *x = noise(3);
    for (int i = 0; i < N; i++) {
        x[i] = i % 3 == 0 ? 99 : 1;
        x[N + i] = i % 5 == 0 ? -9999 : 7;
    }
    assert_false(is_told(x, N, COLUMNS, "extreme"));
    free(x);
}

/* AR(1) with this coefficient in the first `columns` columns. */
static double *series(double a, int columns)
{
    double *x = noise(4);
    for (int j = 0; j < columns; j++)
        for (int i = 1; i < N; i++)
            x[j * N + i] += a * x[j * N + i - 1];
    return x;
}

static void test_order_of_time(void **state)
{
    (void)state;
    double *x = series(0.9, COLUMNS);
    assert_true(is_told(x, N, COLUMNS, "consecutive rows are similar in 4 of 4 columns"));
    /* N (1 - .81) / (1 + .81) = 42 */
    const char *const near[] = {"as 3", "as 4", "as 5", "as 6"};
    bool told = false;
    for (int i = 0; i < 4; i++)
        told = told || is_told(x, N, COLUMNS, near[i]);
    assert_true(told);
    free(x);
    x = series(0.9, 1); /* one of four may be anything */
    assert_false(is_told(x, N, COLUMNS, "consecutive"));
    free(x);
    x = series(0.3, COLUMNS);
    assert_false(is_told(x, N, COLUMNS, "consecutive"));
    assert_false(is_told(x, 20, COLUMNS, "consecutive"));
    free(x);
}

static void test_row_numbers(void **state)
{
    (void)state;
    double *x = noise(5);
    for (int first = 0; first < 3; first++) {
        for (int i = 0; i < N; i++)
            x[2 * N + i] = first + i;
        assert_int_equal(is_told(x, N, COLUMNS, "column 'V3' only counts the rows"), first < 2);
    }
    x[2 * N + 7] = 0;
    assert_false(is_told(x, N, COLUMNS, "counts"));
    free(x);
}

static void test_symmetric_matrix(void **state)
{
    (void)state;
    enum { SIDE = 12 };
    double *x = noise(6);
    assert_false(is_told(x, SIDE, SIDE, "symmetric"));
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i <= j; i++)
            x[i * SIDE + j] = x[j * SIDE + i];
    assert_true(is_told(x, SIDE, SIDE, "the table is a symmetric matrix"));
    x[SIDE] += 0.001;
    assert_false(is_told(x, SIDE, SIDE, "symmetric"));
    for (int i = 0; i < SIDE * SIDE; i++)
        x[i] = 3;
    assert_false(is_told(x, SIDE, SIDE, "symmetric"));
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain_noise_is_not_odd),
        cmocka_unit_test(test_few_values),
        cmocka_unit_test(test_codes_for_missing_values),
        cmocka_unit_test(test_two_values_are_no_code),
        cmocka_unit_test(test_order_of_time),
        cmocka_unit_test(test_row_numbers),
        cmocka_unit_test(test_symmetric_matrix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
