/* How the study judges probabilities: known values, and slow twins. */
#include "cases.h"
#include "judge.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void test_known_values(void **state)
{
    (void)state;
    study_statement list[] = {{0.2, false}, {0.9, true}, {0.6, false}, {0.5, true}, {0, true}};
    study_judged j = study_judge(list, 5);
    assert_true(j.truths == 3);
    assert_true(fabs(j.log_loss + log(0.8) + log(0.9) + log(0.4) + log(0.5) + log(0.0025)) < 1e-12);
    assert_true(fabs(j.brier - (0.04 + 0.01 + 0.36 + 0.25 + 1)) < 1e-12);
    /* true ones at the places 1, 3 and 5 */
    assert_true(fabs(j.average_precision - (1 + 2.0 / 3 + 3.0 / 5) / 3) < 1e-12);
    assert_true(list[0].given == 0.9 && list[4].given == 0);
}

/* A certain answer costs the same little whether it is 0 or 1, and the ends belong to bins. */
static void test_ends(void **state)
{
    (void)state;
    study_statement list[] = {{1, true}, {0, false}, {0.02, false}, {0.98, true}};
    study_judged j = study_judge(list, 2);
    assert_true(fabs(j.log_loss + 2 * log(1 - 0.0025)) < 1e-12 && j.brier == 0);
    assert_true(j.average_precision == 1);
    j = study_judge(list + 2, 2);
    assert_true(j.bins[0].count == 0 && j.bins[1].count == 1 && j.bins[1].given == 0.02);
    assert_true(j.bins[STUDY_BINS - 1].count == 1 && j.bins[STUDY_BINS - 1].truths == 1);
    assert_true(isnan(study_judge(list, 0).average_precision));
}

/* The precision at each true statement, all with its probability or more counted. */
static double slow_precision(const study_statement *list, int count)
{
    double sum = 0, truths = 0;
    for (int i = 0; i < count; i++) {
        double above = 0, found = 0;
        for (int k = 0; k < count; k++) {
            above += list[k].given >= list[i].given;
            found += list[k].given >= list[i].given && list[k].is;
        }
        sum += list[i].is ? found / above : 0;
        truths += list[i].is;
    }
    return sum / truths;
}

static void test_against_slow_twins(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(5);
    enum { COUNT = 60 };
    for (int round = 0; round < 100; round++) {
        study_statement list[COUNT], shuffled[COUNT];
        int values = draw_int(rng, 1, 40); /* so that many are equal */
        for (int i = 0; i < COUNT; i++)
            list[i] = (study_statement){draw_int(rng, 0, values) / (double)values,
                                        i == 0 || draw_int(rng, 0, 2) == 0};
        double expected = slow_precision(list, COUNT), count = 0, given = 0, truths = 0;
        for (int i = 0; i < COUNT; i++)
            shuffled[(i * 7) % COUNT] = list[i];
        study_judged j = study_judge(list, COUNT), k = study_judge(shuffled, COUNT);
        assert_true(fabs(j.average_precision - expected) < 1e-12);
        assert_true(k.average_precision == j.average_precision);
        for (int b = 0; b < STUDY_BINS; b++) {
            double mean = j.bins[b].given / j.bins[b].count;
            assert_true(j.bins[b].count == 0 ||
                        (mean > study_bin[b] - 1e-12 && mean < study_bin[b + 1] + 1e-12));
            count += j.bins[b].count;
            given += j.bins[b].given;
            truths += j.bins[b].truths;
        }
        assert_true(count == COUNT && truths == j.truths);
        for (int i = 0; i < COUNT; i++)
            given -= list[i].given;
        assert_true(fabs(given) < 1e-9);
    }
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_values),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_against_slow_twins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
