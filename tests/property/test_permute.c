/*
 * What must not matter does not: permuting the columns permutes the stable skeleton, and the
 * number of threads changes nothing at all.
 *
 * The stable variant takes every neighbourhood of a level from the graph at its start, and a pair
 * goes if either end finds a separating set, or both ends do; all that is free of the order. Which
 * set is found first is not, so only skeletons are compared there. Threads change neither sets nor
 * counts, so with them everything is compared, partial correlations to the last bit.
 *
 * The two rules start level 1 with the same lists. So the skeletons at level 0 are the same, and
 * those at level 1 are nested in the stable variant; above that nothing is promised.
 */
#include "cases.h"
#include "repeat.h"
#include "same.h"

#include <gsl/gsl_randist.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N_PERMUTED = 2000, N_NESTED = 300, N_THREADED = 80, MAX_NODES = 120 };

static dpc_settings draw_settings(gsl_rng *rng)
{
    dpc_settings settings;
    dpc_settings_default(&settings);
    settings.alpha = draw_log(rng, 0.001, 0.2);
    settings.min_ess = draw_int(rng, 1, 30);
    settings.test = (dpc_test)draw_int(rng, 0, 1);
    settings.threads = 1;
    settings.keep_separating_sets = true;
    return settings;
}

/*
 * A few strong common causes: nearly all pairs are dependent, and the neighbourhoods of level 1 are
 * large enough to be shared among threads. Orders are limited, for there are 2^60 of them.
 */
static struct sample draw_crowded(gsl_rng *rng, dpc_settings *settings)
{
    struct sample_model model = {.n = draw_int(rng, 40, 80),
                                 .n_obs = draw_int(rng, 50, 150),
                                 .flaw = (enum flaw)draw_int(rng, FLAW_NONE, FLAW_SUM),
                                 .roots = 5};
    model.parents = model.n;
    settings->alpha_dual = 0.95;
    settings->max_order = 2;
    return sample_draw(&model, rng);
}

/* ---- Columns ----------------------------------------------------------- */

static dpc_correlation permuted(const dpc_correlation *from, const int *order)
{
    int n = from->n_vars;
    dpc_correlation to = {
        .n_vars = n, .n_obs = from->n_obs, .r = malloc((size_t)n * n * sizeof(double))};
    assert_non_null(to.r);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            to.r[i * n + j] = from->r[order[i] * n + order[j]];
    return to;
}

static void check_permuted(int number, const dpc_correlation *correlation,
                           const dpc_settings *settings, const int *order)
{
    int n = correlation->n_vars;
    dpc_correlation other = permuted(correlation, order);
    dpc_result *first = learned(correlation, settings), *second = learned(&other, settings);
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            if (dpc_graph_mark(dpc_result_graph(second), i, j) !=
                dpc_graph_mark(dpc_result_graph(first), order[i], order[j]))
                fail_msg(
                    "sample %d, %s, rule %d: the edge %d, %d depends on the order of %d columns",
                    number, method_name(settings->method), (int)settings->rule, order[i], order[j],
                    n);
    assert_int_equal(dpc_result_graph(first)->n_edges, dpc_result_graph(second)->n_edges);
    dpc_result_free(first);
    dpc_result_free(second);
    free(other.r);
}

static bool crowded(int number)
{
    return number % 100 == 1;
}

static struct sample draw_for_columns(int number, gsl_rng *rng, dpc_settings *settings)
{
    if (crowded(number))
        return draw_crowded(rng, settings);
    struct sample_model model = {.n = draw_int(rng, 2, number % 8 == 0 ? 60 : 15),
                                 .n_obs = (int64_t)draw_log(rng, 10, 400),
                                 .parents = 2 * gsl_rng_uniform(rng)};
    if (number % 5 == 0)
        model.flaw = (enum flaw)draw_int(rng, FLAW_COPY, FLAW_SUM);
    return sample_draw(&model, rng);
}

static void test_columns(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20240503);
    for (int number = 0; number < repeats(N_PERMUTED); number++) {
        dpc_settings settings = draw_settings(rng);
        struct sample sample = draw_for_columns(number, rng, &settings);
        int n = sample.correlation.n_vars, order[n];
        for (int i = 0; i < n; i++)
            order[i] = i;
        gsl_ran_shuffle(rng, order, (size_t)n, sizeof *order);
        for (int i = 0; i < 6; i++) {
            settings.method = (dpc_method)(i % 3);
            settings.rule = (dpc_rule)(number / 2 % 2);
            if (i < 3) { /* the stable skeleton does not depend on the order in any case */
                settings.graph = DPC_SKELETON;
                settings.variant = DPC_STABLE;
                settings.order = (dpc_order)(number % 2);
            } else { /* and nothing does with the canonical one */
                settings.graph = DPC_CPDAG;
                settings.variant = (dpc_variant)(number % 2);
                settings.order = DPC_ORDER_CANONICAL;
                settings.orient = crowded(number) ? DPC_CONSISTENT : (dpc_orientation)(number % 4);
            }
            check_permuted(number, &sample.correlation, &settings, order);
        }
        sample_free(&sample);
    }
    gsl_rng_free(rng);
}

/* ---- Rules ------------------------------------------------------------- */

/* Returns how many edges AND has that OR has not. */
static int64_t check_nested(int number, const dpc_correlation *correlation, dpc_settings settings)
{
    settings.rule = DPC_RULE_OR;
    dpc_result *either = learned(correlation, &settings);
    settings.rule = DPC_RULE_AND;
    dpc_result *both = learned(correlation, &settings);
    int64_t more = dpc_result_graph(both)->n_edges - dpc_result_graph(either)->n_edges;
    for (int64_t e = 0; e < dpc_result_graph(either)->n_edges; e++) {
        const dpc_edge *edge = &dpc_result_graph(either)->edges[e];
        if (dpc_graph_mark(dpc_result_graph(both), edge->a, edge->b) == DPC_NONE)
            fail_msg("sample %d, %s: AND removes the edge %d, %d at level %d, OR does not", number,
                     method_name(settings.method), edge->a, edge->b, settings.max_order);
    }
    if (settings.max_order == 0)
        assert_int_equal(more, 0);
    /* The first level has the same lists, and each makes all of its tests. */
    assert_int_equal(dpc_result_info(either)->tests, dpc_result_info(both)->tests);
    dpc_result_free(either);
    dpc_result_free(both);
    return more;
}

static void test_rules(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20240508);
    int64_t more = 0;
    for (int number = 0; number < repeats(N_NESTED); number++) {
        dpc_settings settings = draw_settings(rng);
        struct sample sample = draw_for_columns(number, rng, &settings);
        settings.graph = DPC_SKELETON;
        for (int i = 0; i < 6; i++) {
            settings.method = (dpc_method)(i % 3);
            settings.max_order = i / 3;
            more += check_nested(number, &sample.correlation, settings);
        }
        sample_free(&sample);
    }
    gsl_rng_free(rng);
    print_message("%lld edges at level 1 by the AND rule alone\n", (long long)more);
    assert_true(more > repeats(N_NESTED));
}

/* ---- Threads ----------------------------------------------------------- */

static void check_threads(int number, const dpc_correlation *correlation, dpc_settings settings)
{
    settings.threads = 1;
    dpc_result *first = learned(correlation, &settings);
    for (int threads = 2; threads <= 3; threads++) {
        char words[256], text[200];
        settings.threads = threads;
        describe_settings(&settings, text, sizeof text);
        snprintf(words, sizeof words, "sample %d, %s", number, text);
        dpc_result *second = learned(correlation, &settings);
        check_same(first, second, words);
        dpc_result_free(second);
    }
    dpc_result_free(first);
}

static struct sample draw_for_threads(int number, gsl_rng *rng, dpc_settings *settings)
{
    if (number % 5 == 1)
        return draw_crowded(rng, settings);
    bool dense = number % 3 == 0;
    struct sample_model model = {.n = dense ? draw_int(rng, 12, 24) : draw_int(rng, 2, MAX_NODES),
                                 .n_obs = (int64_t)draw_log(rng, 30, 600),
                                 .parents = (dense ? 4 : 1.5) * gsl_rng_uniform(rng)};
    if (number % 4 == 0)
        model.flaw = (enum flaw)draw_int(rng, FLAW_COPY, FLAW_NOISE);
    return sample_draw(&model, rng);
}

static void test_threads(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20240504);
    for (int number = 0; number < repeats(N_THREADED); number++) {
        dpc_settings settings = draw_settings(rng);
        struct sample sample = draw_for_threads(number, rng, &settings);
        for (int i = 0; i < 12; i++) {
            settings.method = (dpc_method)(i % 3);
            settings.variant = (dpc_variant)(i / 3 % 2);
            settings.rule = (dpc_rule)(i / 6);
            settings.graph = (dpc_target)draw_int(rng, 0, 2);
            settings.orient = (dpc_orientation)draw_int(rng, 0, 3);
            settings.order = (dpc_order)draw_int(rng, 0, 1);
            check_threads(number, &sample.correlation, settings);
        }
        sample_free(&sample);
    }
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_rules),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
