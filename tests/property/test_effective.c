/*
 * What the rows of a table are worth: the number against a slow twin, N for independent rows
 * however they are sorted, and searches by score that end with a graph the data can carry where
 * rows are repeated or columns nearly determine each other.
 */
#include "dualpc_explain.h"

#include "effective.h"
#include "groups.h"
#include "repeat.h"
#include "tables.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N_TWINS = 60, N_SORTED = 60, N_GROUPS = 200, MOST = 24 };

/* ---- Tables ---- */

static dpc_table *new_table(int64_t n_obs, int n)
{
    dpc_table *table = NULL;
    dpc_error err;
    if (dpc_table_new(n_obs, n, NULL, &table, &err) != DPC_OK)
        fail_msg("%s", err.message);
    return table;
}

/* Row i of the new one is row from[i] of the old one, which is freed. */
static dpc_table *rearranged(dpc_table *old, const int32_t *from, int64_t rows)
{
    dpc_table *table = new_table(rows, old->n_vars);
    for (int j = 0; j < old->n_vars; j++)
        for (int64_t i = 0; i < rows; i++)
            table->values[j * rows + i] = old->values[j * old->n_obs + from[i]];
    dpc_table_free(old);
    return table;
}

/* Every row `times` times: one after the other, or at random. */
static dpc_table *repeated(dpc_table *old, int times, gsl_rng *rng)
{
    int64_t rows = old->n_obs * times;
    int32_t *from = calloc((size_t)rows, sizeof *from);
    for (int64_t i = 0; i < rows; i++)
        from[i] = (int32_t)(i / times);
    if (rng != NULL)
        gsl_ran_shuffle(rng, from, (size_t)rows, sizeof *from);
    dpc_table *table = rearranged(old, from, rows);
    free(from);
    return table;
}

static const double *sort_key;

static int by_key(const void *a, const void *b)
{
    double x = sort_key[*(const int32_t *)a], y = sort_key[*(const int32_t *)b];
    return x < y ? -1 : x > y;
}

static dpc_table *sorted_by(dpc_table *old, int column)
{
    int64_t rows = old->n_obs;
    int32_t *from = calloc((size_t)rows, sizeof *from);
    for (int64_t i = 0; i < rows; i++)
        from[i] = (int32_t)i;
    sort_key = old->values + column * rows;
    qsort(from, (size_t)rows, sizeof *from, by_key);
    dpc_table *table = rearranged(old, from, rows);
    free(from);
    return table;
}

static dpc_settings score_settings(bool greedy)
{
    dpc_settings settings = plain_settings();
    settings.method = greedy ? DPC_GES : DPC_DUAL;
    settings.refine = greedy ? DPC_REFINE_NONE : DPC_REFINE_FAST;
    return settings;
}

/* Learns, frees the table where `keep` is false, and says how many edges there are. */
static int64_t edges_of(const dpc_table *table, const dpc_settings *settings, double *rows)
{
    dpc_result *result = NULL;
    dpc_error err;
    if (dpc_learn_table(table, settings, NULL, &result, &err) != DPC_OK)
        fail_msg("%s", err.message);
    const dpc_info *info = dpc_result_info(result);
    if (rows != NULL)
        *rows = info->effective_rows;
    assert_int_equal(info->warning != NULL, info->effective_rows < (double)info->n_obs);
    int64_t edges = dpc_result_graph(result)->n_edges;
    dpc_result_free(result);
    return edges;
}

/* ---- The twin ---- */

/* Second moments about the means of all rows, over those of one half. */
static int64_t slow_moments(const dpc_table *t, int times, int half, long double *m)
{
    int n = t->n_vars;
    int64_t rows = t->n_obs, used = 0;
    long double mean[MOST] = {0};
    for (int j = 0; j < n; j++)
        for (int64_t i = 0; i < rows; i++)
            mean[j] += (long double)t->values[j * rows + i] / (long double)rows;
    memset(m, 0, sizeof *m * (size_t)(n * n));
    for (int64_t i = 0; i < rows; i++) {
        int64_t first = i / times * times; /* the first row of its group */
        if (first * 10 / rows % 2 != half)
            continue;
        used++;
        for (int a = 0; a < n; a++)
            for (int b = 0; b < n; b++)
                m[a * n + b] +=
                    (t->values[a * rows + i] - mean[a]) * (t->values[b * rows + i] - mean[b]);
    }
    return used;
}

/* Fisher's z of a and b given a set: what elimination of the set leaves. */
static long double slow_z(const long double *moments, int n, int a, int b, const int32_t *set,
                          int64_t k)
{
    long double m[MOST * MOST];
    memcpy(m, moments, sizeof *m * (size_t)(n * n));
    for (int64_t s = 0; s < k; s++) {
        int c = set[s];
        long double row[MOST], pivot = m[c * n + c];
        for (int j = 0; j < n; j++)
            row[j] = m[c * n + j];
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                m[i * n + j] -= row[i] * row[j] / pivot;
    }
    return atanhl(m[a * n + b] / sqrtl(m[a * n + a] * m[b * n + b]));
}

static double slow_rows(const dpc_table *t, int times, dpc_families *dag)
{
    int n = t->n_vars;
    int64_t used[2], pairs = 0;
    long double m[2][MOST * MOST], sum = 0;
    int32_t order[MOST];
    dpc_families_order(dag, order);
    for (int h = 0; h < 2; h++)
        used[h] = slow_moments(t, times, h, m[h]);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            int v = order[i], u = order[j];
            const dpc_relatives *pa = &dag->pa[v];
            if (dpc_families_joined(dag, u, v))
                continue;
            long double d = slow_z(m[0], n, u, v, pa->node, pa->count) -
                            slow_z(m[1], n, u, v, pa->node, pa->count);
            long double k = (long double)pa->count + 3;
            sum +=
                fabsl(d) / sqrtl(1 / ((long double)used[0] - k) + 1 / ((long double)used[1] - k));
            pairs++;
        }
    long double mean = sum / (long double)pairs;
    return (double)((long double)t->n_obs / (acosl(-1) / 2 * mean * mean));
}

/* Of rows that are repeated four times each: about a quarter, and as the twin has it. */
static void check_twin(int number, gsl_rng *rng)
{
    int n = draw_int(rng, 12, MOST), times = 4;
    dpc_table *table =
        repeated(simulated_table(n, draw_int(rng, 30, 120), (uint64_t)number + 1), times, NULL);
    dpc_settings settings = score_settings(true);
    dpc_correlation *c = NULL;
    dpc_families dag;
    dpc_error err;
    const dpc_labels columns = {0};
    double rows;
    assert_int_equal(dpc_correlate(table, &settings, NULL, &c, &err), DPC_OK);
    assert_int_equal(dpc_families_init(&dag, n), DPC_OK);
    for (int v = 1; v < n; v++)
        for (int u = 0; u < v; u++)
            if (gsl_rng_uniform(rng) < 1.5 / n)
                assert_int_equal(dpc_families_add(&dag, u, v), DPC_OK);
    assert_int_equal(dpc_effective_rows(c, &columns, &dag, &rows), DPC_OK);
    double slow = slow_rows(table, times, &dag);
    if (rows < (double)table->n_obs && !(fabs(rows - slow) <= 1e-6 * slow))
        fail_msg("table %d: worth %.17g rows, by the twin %.17g", number, rows, slow);
    if (rows == (double)table->n_obs && slow < (double)table->n_obs / 3)
        fail_msg("table %d: %g rows by the twin were not noticed", number, slow);
    dpc_families_clear(&dag);
    dpc_correlation_free(c);
    dpc_table_free(table);
}

static void test_twin(void **state)
{
    gsl_rng *rng = *state;
    for (int i = 0; i < repeats(N_TWINS); i++)
        check_twin(i, rng);
}

/* ---- Groups ---- */

/* Do two columns divide the rows in the same way? */
static bool same_division(const dpc_table *t, int a, int b)
{
    const double *x = t->values + a * t->n_obs, *y = t->values + b * t->n_obs;
    for (int64_t i = 0; i < t->n_obs; i++)
        for (int64_t j = 0; j < i; j++)
            if ((x[i] == x[j]) != (y[i] == y[j]))
                return false;
    return true;
}

static int64_t values_of(const dpc_table *t, int column)
{
    const double *x = t->values + column * t->n_obs;
    int64_t count = 0;
    for (int64_t i = 0; i < t->n_obs; i++) {
        bool seen = false;
        for (int64_t j = 0; j < i && !seen; j++)
            seen = x[i] == x[j];
        count += !seen;
    }
    return count;
}

/* The groups by the first of the columns whose division the most share; the rows, if there is none.
 */
static int64_t slow_groups(const dpc_table *t)
{
    int64_t best = t->n_obs;
    int most = 1;
    for (int a = 0; a < t->n_vars; a++) {
        int64_t values = values_of(t, a);
        int shared = 0;
        for (int b = 0; b < t->n_vars; b++)
            shared += same_division(t, a, b);
        if (values < DPC_LEAST_GROUPS || values > t->n_obs / 2 || shared < 2 || shared < most)
            continue;
        best = shared > most || values > best ? values : best;
        most = shared;
    }
    return best;
}

/* Columns that are functions of a few keys, one to one or not. */
static void test_groups(void **state)
{
    gsl_rng *rng = *state;
    for (int number = 0; number < repeats(N_GROUPS); number++) {
        int n = draw_int(rng, 2, 7), rows = draw_int(rng, 20, 90);
        dpc_table *table = new_table(rows, n);
        dpc_columns columns = {.cells = dpc_table_cells(table), .n_rows = rows};
        int32_t *group = calloc((size_t)rows, sizeof *group);
        int64_t count;
        int keys = draw_int(rng, 5, rows / 2 + 5);
        for (int j = 0; j < n; j++) {
            int how = draw_int(rng, 0, 3), own = draw_int(rng, 2, rows);
            for (int i = 0; i < rows; i++) {
                int key = (i * 7919 + number) % keys;
                double x[] = {gsl_rng_uniform(rng), draw_int(rng, 1, own), key * 0.5 - 3, -key};
                table->values[j * (int64_t)rows + i] = x[how];
            }
        }
        assert_int_equal(dpc_find_groups(&columns, n, group, &count), DPC_OK);
        assert_int_equal(count, slow_groups(table));
        for (int i = 1; i < rows; i++)
            assert_true(group[i] >= 0 && group[i] < count);
        assert_int_equal(group[0], 0);
        free(group);
        dpc_table_free(table);
    }
}

/* ---- Independent rows ---- */

/* They are worth what they are, in whatever order they come. */
static void test_independent(void **state)
{
    gsl_rng *rng = *state;
    int lower = 0, all = repeats(N_SORTED);
    for (int i = 0; i < all; i++) {
        int n = draw_int(rng, 10, 40);
        dpc_table *table = simulated_table(n, draw_int(rng, 60, 800), (uint64_t)i + 1);
        if (i % 2 == 0)
            table = sorted_by(table, draw_int(rng, 0, n - 1));
        dpc_settings settings = score_settings(i % 4 < 2);
        double rows;
        edges_of(table, &settings, &rows);
        lower += rows < (double)table->n_obs;
        dpc_table_free(table);
    }
    assert_true(lower <= all / 20);
}

/* ---- Searches that end ---- */

/* Repeated rows, in any order, are worth as much as they are once; a search finds no more in them.
 */
static void test_repeated(void **state)
{
    gsl_rng *rng = *state;
    for (int greedy = 0; greedy < 2; greedy++) {
        dpc_settings settings = score_settings(greedy);
        double rows, penalty = 1;
        dpc_table *table = simulated_table(40, 80, 5);
        int64_t once = edges_of(table, &settings, NULL);
        table = repeated(table, 8, rng);
        int64_t edges = edges_of(table, &settings, &rows);
        settings.penalty = penalty;
        int64_t unaware = edges_of(table, &settings, NULL);
        assert_true(rows > 25 && rows < 160);
        assert_true(edges < 2 * once && unaware > 3 * once);
        dpc_table_free(table);
    }
}

/*
 * Series that nearly determine each other, with five lags of each as columns, and for each row a
 * quarter that others have, too: how tables of prices beside buildings look.
 */
static dpc_table *lagged_table(int series, int quarters, int64_t rows, gsl_rng *rng)
{
    enum { LAGS = 5 };
    int n = series * LAGS;
    double *x = calloc((size_t)(series * (quarters + LAGS)), sizeof *x);
    dpc_table *table = new_table(rows, n);
    for (int t = 0; t < quarters + LAGS; t++) {
        double *now = x + (int64_t)t * series, trend = 0.2 * t;
        for (int s = 0; s < series; s++) {
            double before = t > 0 ? now[s - series] : 0, next = s > 0 ? now[s - 1] : 0;
            now[s] = 0.7 * before + 0.3 * next + 0.1 * trend + 0.1 * gsl_ran_ugaussian(rng);
        }
    }
    for (int64_t i = 0; i < rows; i++) {
        int quarter = draw_int(rng, LAGS, quarters + LAGS - 1);
        for (int j = 0; j < n; j++)
            table->values[j * rows + i] = x[(int64_t)(quarter - j % LAGS) * series + j / LAGS];
    }
    free(x);
    return table;
}

/* No more edges than the quarters can carry; counted as independent rows there is no end. */
static void test_lagged(void **state)
{
    gsl_rng *rng = *state;
    for (int greedy = 0; greedy < 2; greedy++) {
        dpc_settings settings = score_settings(greedy);
        double rows;
        dpc_table *table = lagged_table(10, 60, 360, rng);
        int64_t edges = edges_of(table, &settings, &rows);
        settings.penalty = 1;
        int64_t unaware = edges_of(table, &settings, NULL);
        assert_true(rows < 120);
        assert_true(edges < 5 * table->n_vars && unaware > 2 * edges);
        dpc_table_free(table);
    }
}

/* Resamples are learned at the price of the table. */
static void test_resamples(void **state)
{
    gsl_rng *rng = *state;
    dpc_table *table = repeated(simulated_table(20, 60, 9), 6, rng);
    dpc_settings settings = score_settings(true);
    dpc_frequencies *f = bootstrap(table, &settings, (dpc_resampling){.resamples = 3, .seed = 1});
    settings.penalty = 1;
    dpc_frequencies *unaware =
        bootstrap(table, &settings, (dpc_resampling){.resamples = 3, .seed = 1});
    assert_true(f->n_pairs < unaware->n_pairs);
    dpc_frequencies_free(f);
    dpc_frequencies_free(unaware);
    dpc_table_free(table);
}

static int set_up(void **state)
{
    *state = gsl_rng_alloc(gsl_rng_mt19937);
    return 0;
}

static int tear_down(void **state)
{
    gsl_rng_free(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_twin, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_groups, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_independent, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_repeated, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_lagged, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_resamples, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
