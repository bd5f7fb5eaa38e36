/*
 * Distributions: tails and quantiles undo each other, agree with what is published, and no argument
 * whatever reaches the error handler of GSL, which would end the host.
 */
#include "distribution.h"

#include <float.h>
#include <gsl/gsl_errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static int errors;

static void count_error(const char *reason, const char *file, int line, int code)
{
    (void)reason;
    (void)file;
    (void)line;
    (void)code;
    errors++;
}

static const double PROBABILITIES[] = {
    -INFINITY, -1,  -DBL_MIN, 0,   4.9e-324, DBL_MIN,         1e-300, 1e-100, 1e-16,    1e-5,
    0.05,      0.3, 0.5,      0.7, 0.999,    1 - DBL_EPSILON, 1,      1.5,    INFINITY, NAN};
static const double POINTS[] = {-INFINITY, -DBL_MAX, -1e200, -1e10, -40, -3,      -1,  -1e-10,
                                -4.9e-324, 0,        1e-300, 0.5,   2,   38,      1e3, 1e77,
                                1e154,     1e160,    1e300,  1e308, NAN, INFINITY};
static const double DEGREES[] = {
    -INFINITY, -1,  0,   4.9e-324, 0.5, 1,    1.5,  2,    3,    7,     29,      30,       31, 33,
    100,       1e4, 1e5, 2.1e5,    1e9, 1e12, 1e15, 1e18, 1e19, 1e100, DBL_MAX, INFINITY, NAN};
#define LENGTH(array) (sizeof(array) / sizeof *(array))

static void check_probability(double p)
{
    if (!isnan(p) && !(p >= 0 && p <= 1))
        fail_msg("a probability of %g", p);
}

/* From here on errors of GSL are counted; a first one shows that they are. */
static void listen(void)
{
    errors = 0;
    gsl_set_error_handler(count_error);
    gsl_error("to be heard", __FILE__, __LINE__, GSL_EFAILED);
    assert_int_equal(errors, 1);
    errors = 0;
}

static void test_nothing_fails(void **state)
{
    (void)state;
    listen();
    for (size_t i = 0; i < LENGTH(PROBABILITIES); i++) {
        double p = PROBABILITIES[i];
        assert_int_equal(isnan(dpc_normal_from_tail(p)) != 0, !(p >= 0 && p <= 1));
        assert_int_equal(isnan(dpc_normal_quantile(p)) != 0, !(p >= 0 && p <= 1));
        for (size_t j = 0; j < LENGTH(DEGREES); j++)
            assert_int_equal(isnan(dpc_student_from_tail(p, DEGREES[j])) != 0,
                             !(p >= 0 && p <= 1) || !(DEGREES[j] >= 1));
    }
    for (size_t i = 0; i < LENGTH(POINTS); i++) {
        check_probability(dpc_normal_tail(POINTS[i]));
        for (size_t j = 0; j < LENGTH(DEGREES); j++) {
            double p = dpc_student_tail(POINTS[i], DEGREES[j]);
            double q = dpc_chi_square_tail(POINTS[i], DEGREES[j]);
            assert_true(isnan(q) || (q >= 0 && q <= 1));
            check_probability(p);
            assert_int_equal(isnan(p) != 0, isnan(POINTS[i]) || !(DEGREES[j] >= 1));
        }
    }
    assert_int_equal(errors, 0);
}

/* All degrees that a test of a few thousand observations can have, and all levels. */
static void test_nothing_fails_in_use(void **state)
{
    (void)state;
    listen();
    for (double p = 0.5; p > 0; p *= 0.03)
        for (int df = 2; df < 3000; df += 1 + df / 30)
            check_probability(dpc_student_tail(dpc_student_from_tail(p, df), df));
    assert_int_equal(errors, 0);
}

static void check_close(double seen, double expected, double tolerance)
{
    if (!(fabs(seen / expected - 1) <= tolerance))
        fail_msg("expected %.17g, saw %.17g", expected, seen);
}

static void test_round_trips(void **state)
{
    (void)state;
    for (double p = 0.49; p > 1e-300; p *= 0.1) {
        check_close(dpc_normal_tail(dpc_normal_from_tail(p)), p, 1e-9);
        assert_true(dpc_normal_quantile(p) == -dpc_normal_from_tail(p));
        for (double df = 2; df < 1e16; df *= 7)
            check_close(dpc_student_tail(dpc_student_from_tail(p, df), df), p, 1e-6);
    }
}

static void test_published(void **state)
{
    (void)state;
    check_close(dpc_normal_from_tail(0.025), 1.959963984540054, 1e-14);
    check_close(dpc_normal_quantile(0.975), 1.959963984540054, 1e-14);
    check_close(dpc_normal_tail(3), 1.349898031630095e-3, 1e-13);
    check_close(dpc_student_from_tail(0.025, 10), 2.228138851964939, 1e-9);
    check_close(dpc_student_tail(2.228138851964939, 10), 0.025, 1e-9);
    check_close(dpc_student_tail(1, 1), 0.25, 1e-12);
    check_close(dpc_chi_square_tail(3.841458820694124, 1), 0.05, 1e-9);
    check_close(dpc_chi_square_tail(18.307038053275146, 10), 0.05, 1e-9);
    check_close(dpc_chi_square_tail(2, 2), exp(-1), 1e-12);
    assert_true(dpc_chi_square_tail(-1, 3) == 1 && dpc_chi_square_tail(INFINITY, 3) == 0);
}

/* Student's t grows into the normal distribution, and nothing jumps on the way. */
static void test_many_degrees(void **state)
{
    (void)state;
    for (double df = 1e13; df < 1e20; df *= 1.7)
        for (double p = 0.4; p > 1e-300; p *= 0.1) {
            check_close(dpc_student_from_tail(p, df), dpc_normal_from_tail(p), 1e-9);
            check_close(dpc_student_tail(dpc_normal_from_tail(p), df), p, 1e-7);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_fails), cmocka_unit_test(test_nothing_fails_in_use),
        cmocka_unit_test(test_round_trips),   cmocka_unit_test(test_published),
        cmocka_unit_test(test_many_degrees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
