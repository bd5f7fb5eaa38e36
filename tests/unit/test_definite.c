/*
 * The nearest correlation matrix: unit diagonal, no eigenvalue below the floor, nearer than what
 * one clipping of the eigenvalues gives; and a matrix that needs no repair stays as it is.
 */
#include "alloc.h"
#include "definite.h"

#include <gsl/gsl_eigen.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double FLOOR = 1e-3;

static double least_eigenvalue(const double *r, int n)
{
    gsl_matrix *m = gsl_matrix_alloc((size_t)n, (size_t)n);
    gsl_vector *values = gsl_vector_alloc((size_t)n);
    gsl_eigen_symm_workspace *room = gsl_eigen_symm_alloc((size_t)n);
    for (int i = 0; i < n * n; i++)
        gsl_matrix_set(m, (size_t)(i / n), (size_t)(i % n), r[i]);
    gsl_eigen_symm(m, values, room);
    double least = gsl_vector_min(values);
    gsl_eigen_symm_free(room);
    gsl_vector_free(values);
    gsl_matrix_free(m);
    return least;
}

/* Each is like the next, and the last is unlike the first: no data have such correlations. */
static void fill_circle(double *r, int n, double size)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            r[i * n + j] = i == j ? 1 : abs(i - j) == 1 ? size : abs(i - j) == n - 1 ? -size : 0;
}

static double distance(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n * n; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}

static void check_repair(int n, double size)
{
    double *before = dpc_alloc((int64_t)n * n, sizeof *before), least;
    double *after = dpc_alloc((int64_t)n * n, sizeof *after);
    fill_circle(before, n, size);
    memcpy(after, before, (size_t)(n * n) * sizeof *after);
    double is = least_eigenvalue(before, n);
    assert_true(is < 0);
    assert_int_equal(dpc_nearest_correlation(after, n, FLOOR, &least), DPC_OK);
    assert_true(fabs(least - is) < 1e-9);
    assert_true(least_eigenvalue(after, n) > 0.9 * FLOOR);
    for (int i = 0; i < n; i++) {
        assert_true(after[i * n + i] == 1);
        for (int j = 0; j < i; j++)
            assert_true(after[i * n + j] == after[j * n + i] && fabs(after[i * n + j]) <= 1);
    }
    assert_true(distance(before, after, n) > 0.01);
    free(before);
    free(after);
}

static void test_repaired(void **state)
{
    (void)state;
    check_repair(3, 0.9);
    check_repair(8, 0.8);
    check_repair(301, 0.6); /* one step of the way */
}

/* In three dimensions what is nearest can be searched for: all off-diagonal entries have one size.
 */
static void test_nearest(void **state)
{
    (void)state;
    double r[9], start[9], least, best = INFINITY;
    fill_circle(start, 3, 0.9);
    memcpy(r, start, sizeof r);
    assert_int_equal(dpc_nearest_correlation(r, 3, FLOOR, &least), DPC_OK);
    for (double size = 0; size < 0.9; size += 1e-4) {
        double other[9];
        fill_circle(other, 3, size);
        if (least_eigenvalue(other, 3) >= FLOOR)
            best = fmin(best, distance(start, other, 3));
    }
    assert_true(fabs(distance(start, r, 3) - best) < 1e-3);
}

static void test_untouched(void **state)
{
    (void)state;
    double r[16], before[16], least;
    fill_circle(r, 4, 0.3);
    memcpy(before, r, sizeof r);
    assert_int_equal(dpc_nearest_correlation(r, 4, FLOOR, &least), DPC_OK);
    assert_true(least == FLOOR);
    assert_memory_equal(r, before, sizeof r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_repaired),
        cmocka_unit_test(test_nearest),
        cmocka_unit_test(test_untouched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
