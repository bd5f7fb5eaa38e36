/*
 * A node with hundreds of neighbours: its visit is shared among the workers, which changes nothing,
 * neither the sets nor the counts nor a bit of r; it is told of by name; and it can be called off
 * within a second.
 */
#include "cases.h"
#include "platform.h"
#include "repeat.h"
#include "same.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* What hangs together with the hub, which is column 0 of `n`. */
typedef enum shape {
    STAR, /* the hub is the cause of all others */
    SINK, /* all others are causes of the hub */
    COPY, /* a star in which two of the others are the same */
} shape;

static dpc_table *draw(shape kind, int n, int64_t n_obs, double weight, gsl_rng *rng)
{
    dpc_table *table = NULL;
    assert_int_equal(dpc_table_new(n_obs, n, NULL, &table, NULL), DPC_OK);
    double *x = dpc_table_about(table).values;
    for (int64_t i = 0; i < n_obs; i++) {
        x[i] = gsl_ran_ugaussian(rng);
        for (int j = 1; j < n; j++) {
            double *cell = &x[j * n_obs + i];
            *cell = gsl_ran_ugaussian(rng) + (kind == SINK ? 0 : weight * x[i]);
            if (kind == COPY && j == n / 2)
                *cell = x[(n / 3) * n_obs + i];
        }
        for (int j = 1; j < n && kind == SINK; j++)
            x[i] += weight * x[j * n_obs + i];
    }
    return table;
}

static dpc_correlation *correlate(dpc_table *table)
{
    dpc_correlation *correlation = NULL;
    dpc_error err;
    if (dpc_correlate(table, NULL, NULL, &correlation, &err) != DPC_OK)
        fail_msg("%s", err.message);
    dpc_table_free(table);
    return correlation;
}

static int degree_of_hub(const dpc_result *result)
{
    const dpc_graph *graph = dpc_result_graph(result);
    int degree = 0;
    for (int64_t e = 0; e < graph->n_edges; e++)
        degree += graph->edges[e].a == 0;
    return degree;
}

static void check_threads(const dpc_correlation *correlation, dpc_settings settings, int degree)
{
    dpc_result *first = NULL;
    settings.threads = 1;
    settings.graph = DPC_SKELETON;
    settings.keep_separating_sets = true;
    assert_int_equal(dpc_learn(correlation, &settings, &first, NULL), DPC_OK);
    if (degree_of_hub(first) < degree)
        fail_msg("the hub has %d neighbours", degree_of_hub(first));
    for (int threads = 2; threads <= 5; threads += threads) {
        dpc_result *second = NULL;
        char words[200];
        settings.threads = threads;
        describe_settings(&settings, words, sizeof words);
        assert_int_equal(dpc_learn(correlation, &settings, &second, NULL), DPC_OK);
        check_same(first, second, words);
        dpc_result_free(second);
    }
    dpc_result_free(first);
}

/* ---- The same for any number of threads ---- */

static void check_hub(shape kind, int n, int64_t n_obs, double weight, int degree, int max_order)
{
    gsl_rng *rng = seeded(11);
    dpc_correlation *correlation = correlate(draw(kind, n, n_obs, weight, rng));
    for (int i = 0; i < 6; i++) {
        if ((i + (int)kind) % 6 >= repeats(6)) /* a short run has others for each shape */
            continue;
        dpc_settings settings;
        dpc_settings_default(&settings);
        settings.max_order = max_order;
        settings.method = (dpc_method)(i % 3);
        settings.rule = (dpc_rule)(i / 3);
        check_threads(correlation, settings, degree);
    }
    dpc_correlation_free(correlation);
    gsl_rng_free(rng);
}

static void test_star(void **state)
{
    (void)state;
    check_hub(STAR, 190, 4000, 1, 170, 2);
}

static void test_sink(void **state)
{
    (void)state;
    check_hub(SINK, 190, 4000, 0.3, 170, 2);
}

/* No inverse: shares of a visit that is refused. */
static void test_singular_star(void **state)
{
    (void)state;
    check_hub(COPY, 190, 4000, 1, 150, 2);
    check_hub(STAR, 190, 170, 6, 120, 2);
}

/* So many neighbours that the inverse is made by blocks. */
static void test_large_star(void **state)
{
    (void)state;
    check_hub(STAR, 560, 9000, 1, 520, 1);
}

/* ---- Progress ---- */

enum { ENOUGH = 20 }; /* calls that name the hub, after which it asks to stop */

typedef struct watcher {
    int named;       /* calls that named the hub */
    double fraction; /* of it, as last told */
    bool backward;   /* it was less than before */
    bool astray;     /* something else was named, or more than all was done */
    int late;        /* calls after it had asked to stop */
    int64_t tests;   /* told at the first call that named the hub … */
    int64_t more;    /* … and by how many there were more at the last */
} watcher;

static int watch(const dpc_progress *progress, void *user)
{
    watcher *w = user;
    w->late += w->named == ENOUGH;
    if (progress->node < 0)
        return 0;
    w->astray = w->astray || progress->node != 0 || !(progress->node_fraction <= 1);
    w->backward = w->backward || progress->node_fraction < w->fraction;
    w->fraction = progress->node_fraction;
    w->tests = w->named == 0 ? progress->tests : w->tests;
    w->more = progress->tests - w->tests;
    return ++w->named == ENOUGH;
}

static void check_watched(const dpc_correlation *correlation, int threads)
{
    watcher w = {0};
    dpc_result *result = NULL;
    dpc_settings settings;
    dpc_settings_default(&settings);
    settings.method = DPC_CLASSIC;
    settings.threads = threads;
    settings.progress = watch;
    settings.progress_user = &w;
    assert_int_equal(dpc_learn(correlation, &settings, &result, NULL), DPC_INTERRUPTED);
    assert_null(result);
    assert_int_equal(w.late, 0);
    assert_true(w.more > 0); /* counted within the level, not at its end */
    assert_false(w.astray);
    assert_false(w.backward);
    assert_true(w.fraction > 0 && w.fraction < 1);
}

/* Level 3 would take minutes. */
static void test_long_visit(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(12);
    dpc_correlation *correlation = correlate(draw(STAR, 600, 9000, 1, rng));
    for (int threads = 1; threads <= 3; threads++)
        check_watched(correlation, threads);
    dpc_correlation_free(correlation);
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_star),          cmocka_unit_test(test_sink),
        cmocka_unit_test(test_singular_star), cmocka_unit_test(test_large_star),
        cmocka_unit_test(test_long_visit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
