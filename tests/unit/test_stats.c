/*
 * The door between data and searches: blocks of columns against determinants, blocks of one column
 * against scalars, the two noise rules, the readings of a deviance, and the direct way.
 */
#include "block_scene.h"
#include "family.h"
#include "linalg.h"
#include "test.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_COLUMNS = 24, TRIALS = 300 };

static const dpc_labels NUMBERS = {0};

/* ---- Blocks ---- */

/* Cuts the columns into blocks of 1 … widest; returns how many. */
static int draw_blocks(gsl_rng *rng, int columns, int widest, int32_t *first)
{
    int count = 0;
    for (first[0] = 0; first[count] < columns; count++) {
        int end = first[count] + draw_int(rng, 1, widest);
        first[count + 1] = end < columns ? end : columns;
    }
    return count;
}

/* -N (ln det Σ(v|S,u) - ln det Σ(v|S)). */
static double slow_deviance(const struct block_sample *s, int v, int u, uint64_t set)
{
    return -(double)s->correlation.n_obs *
           (block_twin_log_det(s, v, set | UINT64_C(1) << u) - block_twin_log_det(s, v, set));
}

/* The family of node[0] grows by the others, one after the other; and shrinks again. */
static void check_blocks(const struct block_sample *sample, dpc_family *f, const int32_t *node)
{
    const dpc_stats *s = &f->stats;
    double kept[MOST_COLUMNS];
    bool pushed;
    int count = s->n, v = node[0];
    uint64_t set = 0;
    assert_int_equal(dpc_family_start(f, v, NULL, 0), DPC_OK);
    for (int size = 0; size + 1 < count; size++) {
        int u = node[size + 1], last = node[count - 1];
        dpc_deviance found = dpc_family_gain(f, u);
        double wanted = slow_deviance(sample, v, u, set);
        assert_true(fabs(found.d - wanted) <= 1e-8 * fmax(1, fabs(wanted)));
        assert_true(found.df == dpc_variable_of(s, v).count * dpc_variable_of(s, u).count);
        assert_true(found.n == (double)s->view.n_obs);
        kept[size] = dpc_family_gain(f, last).d;
        assert_int_equal(dpc_family_push(f, u, &pushed), DPC_OK);
        assert_true(pushed);
        set |= UINT64_C(1) << u;
    }
    for (int size = count - 2; size >= 0; size--) {
        dpc_family_pop(f);
        assert_true(dpc_family_gain(f, node[count - 1]).d == kept[size]);
    }
}

static void test_blocks(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(2101);
    int widest = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        struct sample_model model = {
            .n = draw_int(rng, 4, 14), .n_obs = draw_int(rng, 60, 400), .parents = 1.5};
        struct sample sample = sample_draw(&model, rng);
        int32_t node[MOST_COLUMNS], first[MOST_COLUMNS + 1];
        int n = draw_blocks(rng, model.n, 3, first);
        struct block_sample blocks = block_sample_of(sample.correlation.r, first, n, model.n_obs);
        dpc_view view = dpc_view_of(&blocks.correlation, &NUMBERS);
        dpc_stats stats = dpc_stats_of(&view);
        dpc_family f;
        for (int i = 0; i < n; i++) {
            node[i] = i;
            widest += first[i + 1] - first[i] == 3;
        }
        gsl_ran_shuffle(rng, node, (size_t)n, sizeof *node);
        assert_int_equal(dpc_family_init(&f, &stats, DPC_NOISE_CAREFUL), DPC_OK);
        if (n > 1)
            check_blocks(&blocks, &f, node);
        dpc_family_clear(&f);
        block_sample_free(&blocks);
        sample_free(&sample);
    }
    assert_true(widest > TRIALS);
    gsl_rng_free(rng);
}

/* Blocks of one column each, scalars by either rule, and the direct way say the same. */
static void test_scalars(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(2102);
    for (int trial = 0; trial < TRIALS; trial++) {
        struct sample_model model = {
            .n = draw_int(rng, 3, 14), .n_obs = draw_int(rng, 60, 400), .parents = 1.5};
        struct sample sample = sample_draw(&model, rng);
        int n = model.n, size = draw_int(rng, 0, n - 2);
        int32_t node[MOST_COLUMNS], first[MOST_COLUMNS + 1];
        draw_blocks(rng, n, 1, first);
        struct block_sample blocks = block_sample_of(sample.correlation.r, first, n, model.n_obs);
        dpc_view view = dpc_view_of(&sample.correlation, &NUMBERS);
        dpc_view of_blocks = dpc_view_of(&blocks.correlation, &NUMBERS);
        dpc_stats ways[3] = {dpc_stats_of(&view), dpc_stats_of(&view), dpc_stats_of(&of_blocks)};
        dpc_direct direct = {.view = &view};
        double r;
        for (int i = 0; i < n; i++)
            node[i] = i;
        gsl_ran_shuffle(rng, node, (size_t)n, sizeof *node);
        assert_int_equal(dpc_direct_r(&direct, node[n - 1], node[n - 2], node, size, &r), DPC_OK);
        double wanted = dpc_deviance_of_square(r * r, (double)view.n_obs).d;
        for (int way = 0; way < 3; way++) {
            dpc_family f;
            dpc_noise_rule rule = way == 1 ? DPC_NOISE_EXACT : DPC_NOISE_CAREFUL;
            assert_int_equal(dpc_family_init(&f, &ways[way], rule), DPC_OK);
            assert_int_equal(dpc_family_start(&f, node[n - 1], NULL, 0), DPC_OK);
            assert_int_equal(dpc_family_push_all(&f, node, size), DPC_OK);
            assert_int_equal(f.depth, size);
            dpc_deviance found = dpc_family_gain(&f, node[n - 2]);
            assert_true(fabs(found.d - wanted) <= 1e-8 * fmax(1, wanted));
            assert_true(found.df == 1);
            dpc_family_clear(&f);
        }
        dpc_direct_clear(&direct);
        block_sample_free(&blocks);
        sample_free(&sample);
    }
    gsl_rng_free(rng);
}

/* Columns 0, 1, 2, and 3 = (0 + 1) / √2. */
static const double WITH_SUM[16] = {1, 0, 0, M_SQRT1_2, 0,         1,         0, M_SQRT1_2,
                                    0, 0, 1, 0,         M_SQRT1_2, M_SQRT1_2, 0, 1};

/* What S determines is not pushed, and explains nothing that could be said. */
static void test_determined(void **state)
{
    (void)state;
    const int32_t first[4] = {0, 2, 3, 4};
    struct block_sample blocks = block_sample_of(WITH_SUM, first, 3, 100);
    dpc_view view = {.r = WITH_SUM, .n = 4, .n_obs = 100, .labels = &NUMBERS};
    dpc_view block_view = dpc_view_of(&blocks.correlation, &NUMBERS);
    dpc_stats of_blocks = dpc_stats_of(&block_view), of_scalars = dpc_stats_of(&view);
    dpc_noise_rule rules[2] = {DPC_NOISE_CAREFUL, DPC_NOISE_EXACT};
    dpc_family f;
    bool pushed;
    assert_int_equal(dpc_family_init(&f, &of_blocks, DPC_NOISE_CAREFUL), DPC_OK);
    assert_int_equal(dpc_family_start(&f, 1, NULL, 0), DPC_OK);
    assert_int_equal(dpc_family_push(&f, 0, &pushed), DPC_OK);
    assert_true(pushed);
    assert_true(isnan(dpc_family_gain(&f, 2).d));
    assert_int_equal(dpc_family_push(&f, 2, &pushed), DPC_OK);
    assert_false(pushed);
    assert_int_equal(f.depth, 1);
    dpc_family_clear(&f);
    block_sample_free(&blocks);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(dpc_family_init(&f, &of_scalars, rules[i]), DPC_OK);
        assert_int_equal(dpc_family_start(&f, 2, NULL, 0), DPC_OK);
        assert_int_equal(dpc_family_push_all(&f, (int32_t[]){0, 1, 3}, 3), DPC_OK);
        assert_int_equal(f.depth, 2);
        assert_true(isnan(dpc_family_gain(&f, 3).d));
        dpc_family_clear(&f);
    }
}

/* ---- Noise rules ---- */

/* A variance of 1e-11 is rounding by the careful rule, and is none by the exact one. */
static void test_noise_rules(void **state)
{
    (void)state;
    double r = sqrt(1 - 1e-11);
    const double near[9] = {1, r, 0, r, 1, 0, 0, 0, 1};
    dpc_view view = {.r = near, .n = 3, .n_obs = 100, .labels = &NUMBERS};
    dpc_stats stats = dpc_stats_of(&view);
    for (int rule = 0; rule < 2; rule++) {
        dpc_family f;
        assert_int_equal(dpc_family_init(&f, &stats, (dpc_noise_rule)rule), DPC_OK);
        assert_int_equal(dpc_family_start(&f, 2, NULL, 0), DPC_OK);
        assert_int_equal(dpc_family_push_all(&f, (int32_t[]){0, 1}, 2), DPC_OK);
        assert_int_equal(f.depth, rule == DPC_NOISE_EXACT ? 2 : 1);
        dpc_family_clear(&f);
    }
}

/* ---- Readings ---- */

static void test_readings(void **state)
{
    (void)state;
    for (double r = 0; r < 0.995; r += 0.03)
        for (int k = 0; k < 20; k += 3) {
            dpc_deviance v = dpc_deviance_of_square(r * r, 150);
            dpc_deviance same = dpc_deviance_of_left(1 - r * r, 1, 150);
            assert_true(fabs(v.d - same.d) <= 1e-11 * (1 + v.d));
            assert_true(dpc_score_of(v, 2.5) == -150. / 2 * log1p(-r * r) - 2.5);
            for (int test = 0; test < 2; test++) {
                double wanted = dpc_p_value((dpc_test)test, 150, k, r);
                assert_true(fabs(dpc_p_value_of(v, (dpc_test)test, k) - wanted) <= 1e-9 * wanted);
            }
        }
    for (int df = 2; df <= 9; df++)
        for (double d = 0.01; d < 200; d *= 1.7) {
            double wanted = gsl_cdf_chisq_Q(d, df);
            double found = dpc_p_value_of((dpc_deviance){d, df, 100}, DPC_FISHER_Z, 0);
            assert_true(fabs(found - wanted) <= 1e-9 * wanted);
        }
    assert_true(dpc_p_value_of((dpc_deviance){0, 4, 100}, DPC_FISHER_Z, 0) == 1);
    assert_true(isnan(dpc_p_value_of((dpc_deviance){NAN, 4, 100}, DPC_FISHER_Z, 0)));
}

static void test_capabilities(void **state)
{
    (void)state;
    int32_t rows[16] = {0};
    dpc_blocks blocks = {.n = 4};
    dpc_view view = {.r = WITH_SUM, .n = 4, .n_obs = 100, .labels = &NUMBERS};
    dpc_stats stats = dpc_stats_of(&view);
    assert_true(dpc_stats_can(&stats, DPC_CAN_READ_R) && dpc_stats_can(&stats, DPC_ALL_SCALAR));
    assert_true(dpc_stats_can(&stats, DPC_ONE_N) && dpc_stats_can(&stats, DPC_CAN_INVERT));
    assert_false(dpc_stats_can(&stats, DPC_CAN_SCREEN));
    stats.view.r = NULL;
    assert_true(dpc_stats_can(&stats, DPC_CAN_SCREEN));
    stats.view.rows = rows;
    assert_false(dpc_stats_can(&stats, DPC_ONE_N));
    stats.view.blocks = &blocks;
    assert_false(dpc_stats_can(&stats, DPC_ALL_SCALAR) || dpc_stats_can(&stats, DPC_CAN_INVERT));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocks),     cmocka_unit_test(test_scalars),
        cmocka_unit_test(test_determined), cmocka_unit_test(test_noise_rules),
        cmocka_unit_test(test_readings),   cmocka_unit_test(test_capabilities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
