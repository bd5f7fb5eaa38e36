/*
 * The parts that do without R, each against a slow twin: inner products, squares and patches of
 * them, tiles that are screened, columns in steps, keys of columns, copies.
 */
#include "canonical.h"
#include "cases.h"
#include "copies.h"
#include "linalg.h"
#include "patch.h"
#include "quantised.h"
#include "repeat.h"
#include "row_norms.h"
#include "screen.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N_CASES = 60, MOST_COLUMNS = 1100 };

static const dpc_labels IN_ORDER = {0};

/* A table of noise with common parts, some constant columns and some copies. */
static dpc_table *draw_table(gsl_rng *rng, int n, int64_t rows)
{
    dpc_table *table = NULL;
    assert_int_equal(dpc_table_new(rows, n, NULL, &table, NULL), DPC_OK);
    double *values = table->values;
    for (int j = 0; j < n; j++) {
        int from = j > 0 ? draw_int(rng, 0, j - 1) : 0, kind = draw_int(rng, 0, 30);
        double share = gsl_rng_uniform(rng);
        for (int64_t i = 0; i < rows; i++) {
            double noise = gsl_ran_gaussian(rng, 1), other = j > 0 ? values[from * rows + i] : 0;
            values[j * rows + i] = kind == 0   ? 3
                                   : kind == 1 ? 2 - 5 * other
                                   : kind < 15 ? share * other + noise
                                               : noise;
        }
    }
    return table;
}

static dpc_correlation *correlated(const dpc_table *table, bool whole)
{
    dpc_settings s;
    dpc_correlation *c = NULL;
    dpc_settings_default(&s);
    s.min_ess = INFINITY;
    s.memory = whole ? 1e6 : 1e-9;
    s.threads = 2;
    assert_int_equal(dpc_correlate(table, &s, NULL, &c, NULL), DPC_OK);
    return c;
}

static void check_products(gsl_rng *rng, const dpc_correlation *whole, const dpc_products *p)
{
    int n = whole->n_vars, count = draw_int(rng, 1, n < 90 ? n : 90);
    int32_t columns[90], called[90];
    dpc_patch patch = {0};
    dpc_correlation bare = {.n_vars = n, .n_obs = whole->n_obs, .products = (dpc_products *)p};
    dpc_view view = dpc_view_of(&bare, &IN_ORDER);
    for (int i = 0; i < count; i++)
        called[i] = columns[i] = draw_int(rng, 0, n - 1);
    assert_int_equal(dpc_patch_reserve(&patch, &view, count), DPC_OK);
    dpc_view local = dpc_patch_over(&patch, &view, called, count);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++) {
            double r = whole->r[(int64_t)columns[i] * n + columns[j]];
            assert_true(fabs(dpc_product(p, columns[i], columns[j]) - r) < 1e-13);
            assert_true(fabs(dpc_r_at(&local, called[i], called[j]) - r) < 1e-13);
        }
    dpc_patch_clear(&patch);
}

static void check_screen(gsl_rng *rng, const dpc_products *p, dpc_crew *crew)
{
    int n = p->n_vars;
    int64_t expected = 0;
    double c = draw_log(rng, 0.01, 0.9);
    if (n > 1 && draw_int(rng, 0, 1)) /* as close as can be */
        c = fmin(fmax(fabs(dpc_product(p, 0, 1)), 0.001), 0.999);
    dpc_pairs pairs = {0};
    int64_t tiles = dpc_screen_tiles(n), half = tiles / 2;
    assert_int_equal(dpc_screen(p, c, 0, half, crew, &pairs), DPC_OK);
    assert_int_equal(dpc_screen(p, c, half, tiles, crew, &pairs), DPC_OK);
    for (int b = 0; b < n; b++)
        for (int a = 0; a < b; a++)
            expected += fabs(dpc_product(p, a, b)) > c;
    assert_int_equal(pairs.count, expected);
    for (int64_t i = 0; i < pairs.count; i++) {
        assert_true(pairs.pair[i].a < pairs.pair[i].b);
        assert_true(fabs(dpc_product(p, pairs.pair[i].a, pairs.pair[i].b)) > c);
    }
    dpc_pairs_clear(&pairs);
}

/* No column is missed that has more than the limit in common with e, and few others are found. */
static void check_coarse(gsl_rng *rng, const dpc_products *p, dpc_crew *crew)
{
    int n = p->n_vars;
    int64_t rows = p->n_rows;
    dpc_quantised *coarse = NULL;
    double *e = malloc((size_t)rows * sizeof *e), length = 0, limit;
    int16_t *room = malloc((size_t)rows * sizeof *room);
    int32_t found[MOST_COLUMNS];
    assert_int_equal(dpc_quantised_new(p, crew, &coarse), DPC_OK);
    for (int64_t i = 0; i < rows; i++) {
        e[i] = p->z[draw_int(rng, 0, n - 1) * rows + i] + 0.1 * gsl_ran_cauchy(rng, 1);
        length += e[i] * e[i];
    }
    length = sqrt(length);
    limit = length * draw_log(rng, 1e-3, 0.9);
    int count = dpc_quantised_find(coarse, e, limit, room, found), at = 0;
    for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int64_t i = 0; i < rows; i++)
            sum += e[i] * p->z[j * rows + i] * p->scale[j];
        bool is_found = at < count && found[at] == j;
        assert_true(is_found || fabs(sum) <= limit);
        assert_true(!is_found || fabs(sum) > limit - 0.05 * length);
        at += is_found;
    }
    assert_int_equal(at, count);
    free(e);
    free(room);
    dpc_quantised_free(coarse);
}

static void check_squares(gsl_rng *rng, const dpc_correlation *whole, const dpc_products *p,
                          dpc_crew *crew)
{
    int n = whole->n_vars, count = draw_int(rng, 0, 1) ? n : draw_int(rng, 0, n < 5 ? n : 5);
    int32_t columns[MOST_COLUMNS];
    double weight[MOST_COLUMNS], sums[MOST_COLUMNS];
    for (int j = 0; j < n; j++) {
        weight[j] = 1 + gsl_rng_uniform(rng);
        columns[j] = draw_int(rng, 0, n - 1);
    }
    assert_int_equal(dpc_weigh_squares(p, columns, count, weight, crew, sums), DPC_OK);
    for (int i = 0; i < count; i++) {
        double sum = 0;
        for (int64_t j = 0; j < n; j++)
            sum += weight[j] * whole->r[columns[i] * (int64_t)n + j] *
                   whole->r[columns[i] * (int64_t)n + j];
        assert_true(fabs(sums[i] - sum) <= 1e-11 * sum);
    }
}

static void check_copies(const dpc_correlation *whole, const dpc_correlation *columns)
{
    int32_t first[MOST_COLUMNS], second[MOST_COLUMNS];
    const dpc_labels columns_alone = {0};
    const double left[] = {DPC_SINGULAR, DPC_SHAKY};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(dpc_find_copies(whole, &columns_alone, left[i], NULL, first), DPC_OK);
        assert_int_equal(dpc_find_copies(columns, &columns_alone, left[i], NULL, second), DPC_OK);
        assert_memory_equal(first, second, (size_t)whole->n_vars * sizeof *first);
    }
}

static void test_parts(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(1611);
    dpc_settings s;
    dpc_settings_default(&s);
    s.threads = 2;
    for (int number = 0; number < repeats(N_CASES); number++) {
        dpc_crew crew;
        int n = number % 3 == 0 ? draw_int(rng, 500, MOST_COLUMNS) : draw_int(rng, 1, 60);
        dpc_table *table = draw_table(rng, n, (int64_t)draw_log(rng, 4, 700));
        dpc_correlation *whole = correlated(table, true), *columns = correlated(table, false);
        dpc_crew_init(&crew, &s, DPC_STAGE_SKELETON);
        check_products(rng, whole, columns->products);
        check_screen(rng, columns->products, &crew);
        check_coarse(rng, columns->products, &crew);
        check_squares(rng, whole, columns->products, &crew);
        check_copies(whole, columns);
        dpc_correlation_free(whole);
        dpc_correlation_free(columns);
        dpc_table_free(table);
    }
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_parts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
