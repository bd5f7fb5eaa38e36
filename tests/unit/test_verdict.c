/*
 * The verdict: assumptions found in data that break them and not in data that keep them, advice
 * that is judged by held-out rows, doubtful arrows, and what the lines and JSON say of all that.
 */
#include "dualpc_io.h"
#include "tables.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- Making ---- */

static dpc_table *gaussian(int n, int64_t n_obs, uint64_t seed)
{
    dpc_table *table = NULL;
    gsl_rng *rng = seeded(seed);
    assert_int_equal(dpc_table_new(n_obs, n, NULL, &table, NULL), DPC_OK);
    for (int64_t i = 0; i < n * n_obs; i++)
        table->values[i] = gsl_ran_gaussian(rng, 1);
    gsl_rng_free(rng);
    return table;
}

static dpc_graph *complete_graph(int n)
{
    dpc_graph *graph = NULL;
    uint8_t *matrix = malloc((size_t)n * (size_t)n);
    memset(matrix, 1, (size_t)n * (size_t)n);
    for (int i = 0; i < n; i++)
        matrix[i * n + i] = 0;
    assert_int_equal(dpc_graph_from_adjacency(matrix, n, &graph, NULL), DPC_OK);
    free(matrix);
    return graph;
}

static dpc_assumptions *look_at(const dpc_table *table, const dpc_graph *graph)
{
    dpc_assumptions *a = NULL;
    dpc_error err;
    if (dpc_check_assumptions(table, graph, NULL, &a, &err) != DPC_OK)
        fail_msg("%s", err.message);
    return a;
}

static dpc_result *learned(const dpc_table *table, const dpc_settings *settings)
{
    dpc_result *result = NULL;
    dpc_error err;
    if (dpc_learn_table(table, settings, NULL, &result, &err) != DPC_OK)
        fail_msg("%s", err.message);
    return result;
}

static dpc_advice *advised(const dpc_table *table, const dpc_result *result,
                           const dpc_settings *settings, bool always)
{
    dpc_advice *advice = NULL;
    dpc_error err;
    if (dpc_advise(table, result, settings, always, &advice, &err) != DPC_OK)
        fail_msg("%s", err.message);
    return advice;
}

/* ---- Assumptions ---- */

/* Independent Gaussian columns break none of them, whatever the number of edges. */
static void test_gaussian_data_are_fine(void **state)
{
    (void)state;
    dpc_graph *graph = complete_graph(15);
    for (uint64_t seed = 1; seed <= 40; seed++) {
        dpc_table *table = gaussian(15, 60 + 40 * (int64_t)seed, seed);
        dpc_assumptions *a = look_at(table, graph);
        assert_int_equal(a->skewed + a->heavy + a->zeros + a->similar, 0);
        assert_int_equal(a->n_curves, 0);
        dpc_assumptions_free(a);
        dpc_table_free(table);
    }
    dpc_graph_free(graph);
}

static void test_columns_that_are_not(void **state)
{
    (void)state;
    enum { N = 400 };
    dpc_table *table = gaussian(6, N, 3);
    dpc_graph *graph = complete_graph(6);
    double *x = table->values;
    for (int64_t i = 0; i < N; i++) {
        x[i] = exp(1.5 * x[i]);                                  /* skewed */
        x[N + i] = x[N + i] * x[N + i] * x[N + i] * 10;          /* heavy tails */
        x[2 * N + i] = i % 9 == 0 ? 0 : 40 + 5 * x[2 * N + i];   /* zeros for missing cells */
        x[3 * N + i] = fmax(0, round(3 + 2 * x[3 * N + i]));     /* a count: its zeros are fine */
        x[4 * N + i] = i % 9 == 0 ? NAN : 40 + 5 * x[4 * N + i]; /* missing cells */
        x[5 * N + i] = 7;                                        /* constant */
    }
    assert_int_equal(dpc_table_set_missing(table, DPC_MISSING_EM, NULL), DPC_OK);
    dpc_assumptions *a = look_at(table, graph);
    assert_true(a->columns[0].skewed && a->columns[0].skewness > 2);
    assert_true(a->columns[1].heavy && a->columns[1].kurtosis > 7);
    assert_int_equal(a->columns[2].zeros, 45);
    assert_true(a->columns[2].above > 20);
    assert_int_equal(a->zeros, 1);
    for (int j = 3; j < 6; j++)
        assert_false(a->columns[j].skewed || a->columns[j].heavy || a->columns[j].zeros > 0);
    assert_true(isnan(a->columns[4].lag) && isnan(a->columns[5].skewness));
    dpc_assumptions_free(a);
    dpc_graph_free(graph);
    dpc_table_free(table);
}

/* Moments as their definitions have them. */
static void test_moments(void **state)
{
    (void)state;
    enum { N = 25 };
    dpc_table *table = NULL;
    dpc_graph *graph = complete_graph(2);
    assert_int_equal(dpc_table_new(N, 2, NULL, &table, NULL), DPC_OK);
    for (int64_t i = 0; i < N; i++) {
        table->values[i] = (double)(i * i);
        table->values[N + i] = 1e300 * (double)(i * i);
    }
    dpc_assumptions *a = look_at(table, graph);
    double mean = 0, m2 = 0, m3 = 0, m4 = 0;
    for (int64_t i = 0; i < N; i++)
        mean += (double)(i * i) / N;
    for (int64_t i = 0; i < N; i++) {
        double d = (double)(i * i) - mean;
        m2 += d * d / N;
        m3 += d * d * d / N;
        m4 += d * d * d * d / N;
    }
    for (int j = 0; j < 2; j++) {
        assert_true(fabs(a->columns[j].skewness - m3 / pow(m2, 1.5)) < 1e-9);
        assert_true(fabs(a->columns[j].kurtosis - (m4 / (m2 * m2) - 3)) < 1e-9);
    }
    dpc_assumptions_free(a);
    dpc_graph_free(graph);
    dpc_table_free(table);
}

/* A parabola is curved; a monotone change of either end of a line is not; nor is noise. */
static void test_curves(void **state)
{
    (void)state;
    enum { N = 500 };
    dpc_table *table = gaussian(5, N, 8);
    dpc_graph *graph = complete_graph(5);
    double *x = table->values;
    for (int64_t i = 0; i < N; i++) {
        x[N + i] = x[i] * x[i] + 0.5 * x[N + i];
        x[3 * N + i] = exp(x[2 * N + i] + 0.5 * x[3 * N + i]);
    }
    dpc_assumptions *a = look_at(table, graph);
    assert_int_equal(a->n_curves, 1);
    assert_int_equal(a->curves[0].from, 0);
    assert_int_equal(a->curves[0].to, 1);
    assert_true(fabs(a->curves[0].r) > 0.5 && a->curves[0].p < 1e-20);
    dpc_assumptions_free(a);
    dpc_graph_free(graph);
    dpc_table_free(table);
}

static void test_similar_rows(void **state)
{
    (void)state;
    enum { N = 300 };
    dpc_table *table = gaussian(4, N, 5);
    dpc_graph *graph = complete_graph(4);
    for (int j = 0; j < 3; j++) /* groups of 30 rows */
        for (int64_t i = 0; i < N; i++)
            table->values[j * N + i] =
                table->values[j * N + i] + 3 * sin(5.0 * j + (double)(i / 30));
    dpc_assumptions *a = look_at(table, graph);
    assert_int_equal(a->similar, 3);
    assert_int_equal(a->rows_of, 4);
    dpc_assumptions_free(a);
    dpc_graph_free(graph);
    dpc_table_free(table);
}

/* ---- Advice ---- */

/* What is measured is what the other settings find, and what held-out rows say of them. */
static void test_advice_is_what_the_settings_do(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        dpc_table *table = simulated_table(15, 300, seed);
        dpc_settings plain = plain_settings(), refine = plain, strict = plain;
        plain.min_evidence = seed % 2 == 0 ? 2 : DPC_NO_MIN_EVIDENCE;
        refine.refine = DPC_REFINE_FAST;
        strict.rule = DPC_RULE_AND;
        strict.alpha = 0.01;
        dpc_result *result = learned(table, &plain);
        dpc_advice *advice = advised(table, result, &plain, false);
        assert_int_equal(advice->count, 2);
        assert_int_equal(advice->limit, DPC_ADVICE_WHOLE);
        const dpc_settings *others[] = {[DPC_TRY_STRICT] = &strict, [DPC_TRY_REFINE] = &refine};
        for (int i = 0; i < advice->count; i++) {
            const dpc_alternative *a = &advice->items[i];
            dpc_result *other = learned(table, others[a->kind]);
            dpc_goodness *fit = NULL;
            dpc_held_out h;
            assert_int_equal(a->edges, dpc_result_graph(other)->n_edges);
            assert_int_equal(a->added - a->removed, a->edges - dpc_result_graph(result)->n_edges);
            assert_int_equal(dpc_fit(result, dpc_result_graph(other), NULL, NULL, &fit, NULL),
                             DPC_OK);
            assert_int_equal(a->exceed, fit->exceed);
            assert_int_equal(dpc_compare_held_out(table, &plain, others[a->kind], &h, NULL),
                             DPC_OK);
            assert_memory_equal(&h, &a->held_out, sizeof h);
            if (advice->best >= 0)
                assert_true(a->held_out.gain <= advice->items[advice->best].held_out.gain ||
                            a->held_out.gain <= 2 * a->held_out.se);
            else
                assert_true(a->held_out.gain <= 2 * a->held_out.se);
            dpc_goodness_free(fit);
            dpc_result_free(other);
        }
        dpc_advice_free(advice);
        dpc_result_free(result);
        dpc_table_free(table);
    }
}

/* Noise has no better graph than none: nothing is advised that only fits the rows it was made of.
 */
static void test_noise_has_no_advice(void **state)
{
    (void)state;
    int bad = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        dpc_table *table = gaussian(12, 80, seed + 50);
        dpc_settings settings = plain_settings();
        settings.rule = DPC_RULE_AND;
        settings.alpha = 0.01; /* nearly no edges */
        dpc_result *result = learned(table, &settings);
        dpc_advice *advice = advised(table, result, &settings, false);
        assert_int_equal(advice->count, 1);
        bad += advice->best >= 0;
        dpc_advice_free(advice);
        dpc_result_free(result);
        dpc_table_free(table);
    }
    assert_true(bad <= 3); /* of 20: twice the standard error is exceeded now and then */
}

static void test_limits_of_advice(void **state)
{
    (void)state;
    dpc_settings plain = plain_settings(), refined = plain, skeleton = plain, greedy = plain;
    refined.refine = DPC_REFINE_FAST;
    skeleton.graph = DPC_SKELETON;
    greedy.method = DPC_GES;
    dpc_table *few = simulated_table(5, 30, 1), *some = simulated_table(5, 100, 1);
    dpc_table *wide = gaussian(201, 60, 2), *near = gaussian(24, 100, 3);
    for (int64_t i = 0; i < 24 * 100; i++) /* the first column, and a little noise */
        near->values[i] = near->values[i % 100] + 0.01 * near->values[i];
    const struct {
        dpc_table *table;
        const dpc_settings *settings;
        bool always;
        dpc_advice_limit limit;
        int count;
        dpc_alternative_kind last;
    } cases[] = {
        {few, &plain, false, DPC_ADVICE_FEW_ROWS, 0, DPC_TRY_STRICT},
        {some, &skeleton, false, DPC_ADVICE_SKELETON, 0, DPC_TRY_STRICT},
        {wide, &plain, false, DPC_ADVICE_WORK, 0, DPC_TRY_STRICT},
        {wide, &plain, true, DPC_ADVICE_WHOLE, 2, DPC_TRY_REFINE},
        {near, &plain, false, DPC_ADVICE_WHOLE, 2, DPC_TRY_REFINE},
        {some, &refined, false, DPC_ADVICE_WHOLE, 1, DPC_TRY_WITHOUT},
        {some, &greedy, false, DPC_ADVICE_WHOLE, 1, DPC_TRY_REFINE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dpc_result *result = learned(cases[i].table, cases[i].settings);
        dpc_advice *advice = advised(cases[i].table, result, cases[i].settings, cases[i].always);
        if (advice->limit != cases[i].limit || advice->count != cases[i].count)
            fail_msg("case %zu: limit %d, %d alternatives", i, advice->limit, advice->count);
        if (advice->count > 0)
            assert_int_equal(advice->items[advice->count - 1].kind, cases[i].last);
        dpc_advice_free(advice);
        dpc_result_free(result);
    }
    dpc_table_free(few);
    dpc_table_free(some);
    dpc_table_free(wide);
    dpc_table_free(near);
}

/* The advice tells of the graph that the advised command finds, on repeated rows too. */
static void test_advice_is_what_follows(void **state)
{
    (void)state;
    dpc_settings plain = plain_settings(), refined = plain;
    dpc_table *table = simulated_table(8, 400, 5);
    for (int64_t j = 0; j < 8; j++) /* each of 40 rows ten times */
        for (int64_t i = 0; i < 400; i++)
            table->values[j * 400 + i] = table->values[j * 400 + i / 10 * 10];
    refined.refine = DPC_REFINE_FAST;
    dpc_result *result = learned(table, &plain), *after = learned(table, &refined);
    dpc_advice *advice = advised(table, result, &plain, false);
    assert_true(dpc_result_info(after)->effective_rows < 300);
    assert_int_equal(advice->items[1].kind, DPC_TRY_REFINE);
    assert_int_equal(advice->items[1].edges, dpc_result_graph(after)->n_edges);
    dpc_advice_free(advice);
    dpc_result_free(after);
    dpc_result_free(result);
    dpc_table_free(table);
}

/* ---- Doubtful arrows ---- */

static void test_doubtful_arrows(void **state)
{
    (void)state;
    dpc_frequency pair = {.a = 1, .b = 3, .edge = 10, .forward = 3, .backward = 6, .undirected = 1};
    dpc_frequencies f = {.n_vars = 4, .resamples = 10, .n_pairs = 1, .pairs = &pair};
    assert_true(dpc_is_doubtful(&f, 1, 3, DPC_FORWARD));
    assert_true(dpc_is_doubtful(&f, 3, 1, DPC_BACKWARD));
    assert_false(dpc_is_doubtful(&f, 1, 3, DPC_BACKWARD));
    assert_false(dpc_is_doubtful(&f, 3, 1, DPC_FORWARD));
    assert_false(dpc_is_doubtful(&f, 1, 3, DPC_UNDIRECTED));
    assert_false(dpc_is_doubtful(&f, 0, 3, DPC_FORWARD)); /* no resample has it */
    pair.backward = 3;                                    /* as often the one way as the other */
    assert_false(dpc_is_doubtful(&f, 1, 3, DPC_FORWARD));
}

/* ---- A hint at hidden causes ---- */

/* x, a, b, y in the places that `place` says: x → a, y → b, and a and b joined by a hidden cause,
 * or by a → b. */
static dpc_table *chain_of_four(const int *place, bool hidden, uint64_t seed)
{
    enum { N_OBS = 2000 };
    dpc_table *table = NULL;
    gsl_rng *rng = seeded(seed);
    assert_int_equal(dpc_table_new(N_OBS, 4, NULL, &table, NULL), DPC_OK);
    for (int64_t i = 0; i < N_OBS; i++) {
        double x = gsl_ran_gaussian(rng, 1), y = gsl_ran_gaussian(rng, 1);
        double cause = gsl_ran_gaussian(rng, 1);
        double a = 0.7 * x + cause + gsl_ran_gaussian(rng, 1);
        double b = 0.7 * y + (hidden ? cause : 0.6 * a) + gsl_ran_gaussian(rng, 1);
        const double row[] = {x, a, b, y};
        for (int v = 0; v < 4; v++)
            table->values[place[v] * (int64_t)N_OBS + i] = row[v];
    }
    gsl_rng_free(rng);
    return table;
}

/* The two are named where they have a hidden cause, wherever they stand, and not where one is the
 * cause of the other; the score that an arrow loses is what the search says. */
static void test_hint_at_a_hidden_cause(void **state)
{
    static const int PLACES[][4] = {{0, 1, 2, 3}, {3, 1, 0, 2}, {2, 3, 1, 0}};
    (void)state;
    for (size_t p = 0; p < sizeof PLACES / sizeof *PLACES; p++)
        for (int hidden = 0; hidden < 2; hidden++) {
            const int *place = PLACES[p];
            dpc_table *table = chain_of_four(place, hidden == 1, 7);
            dpc_settings plain = plain_settings(), search = plain;
            search.latent = DPC_HIDDEN_SEARCH;
            dpc_result *result = learned(table, &plain), *found = learned(table, &search);
            dpc_advice *advice = advised(table, result, &plain, false);
            const dpc_hidden_hint *hint = &advice->hidden;
            int a = place[1] < place[2] ? place[1] : place[2], b = place[1] + place[2] - a;
            assert_int_equal(hint->a, hidden ? a : -1);
            assert_int_equal(hint->b, hidden ? b : -1);
            assert_true(isnan(hint->lost) == !hidden);
            if (hidden) {
                const dpc_hidden_search *h = dpc_result_info(found)->hidden;
                dpc_explanation *e = NULL;
                assert_int_equal(dpc_explain(found, a, b, NULL, NULL, &e, NULL), DPC_OK);
                assert_float_equal(hint->gain, h->score_after - h->score_before, 1e-4);
                assert_float_equal(hint->lost, fmin(e->lost.forward, e->lost.backward), 1e-4);
                dpc_explanation_free(e);
            }
            dpc_advice_free(advice);
            dpc_result_free(result);
            dpc_result_free(found);
            dpc_table_free(table);
        }
}

/* Nothing is hidden there. */
static void test_few_hints_where_nothing_is_hidden(void **state)
{
    (void)state;
    int hints = 0;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        dpc_table *table = simulated_table(12, 500, 100 + seed);
        dpc_settings plain = plain_settings();
        dpc_result *result = learned(table, &plain);
        dpc_advice *advice = advised(table, result, &plain, false);
        assert_false(isnan(advice->hidden.gain)); /* it was looked for */
        hints += advice->hidden.a >= 0;
        dpc_advice_free(advice);
        dpc_result_free(result);
        dpc_table_free(table);
    }
    assert_true(hints <= 2);
}

/* ---- Lines ---- */

static void test_lines(void **state)
{
    (void)state;
    dpc_table *table = simulated_table(10, 300, 4);
    dpc_settings plain = plain_settings();
    dpc_result *result = learned(table, &plain);
    dpc_goodness *fit = NULL;
    char *text = NULL, *json = NULL;
    assert_int_equal(dpc_fit(result, NULL, NULL, NULL, &fit, NULL), DPC_OK);
    dpc_report report = {
        .size = sizeof report, .names = dpc_table_about(table).names, .result = result, .fit = fit};
    report.advice = advised(table, result, &plain, false);
    report.assumptions = look_at(table, dpc_result_graph(result));
    assert_int_equal(
        dpc_write_string(&report, DPC_CONTENT_VERDICT, DPC_FORMAT_AUTO, &text, NULL, NULL), DPC_OK);
    assert_true(strncmp(text, "Found: ", 7) == 0);
    assert_non_null(strstr(text, "\nFit: "));
    assert_non_null(strstr(text, "\nDirections: "));
    assert_non_null(strstr(text, "--refine fast: "));
    assert_non_null(strstr(text, "held-out rows"));
    assert_int_equal(
        dpc_write_string(&report, DPC_CONTENT_GRAPH, DPC_FORMAT_JSON, &json, NULL, NULL), DPC_OK);
    assert_non_null(strstr(json, "\"verdict\": {"));
    assert_non_null(strstr(json, "\"assumptions\": {"));
    assert_non_null(strstr(json, "\"options\": \"--refine fast\""));
    dpc_string_free(text);
    dpc_string_free(json);
    dpc_advice_free((dpc_advice *)(uintptr_t)report.advice);
    dpc_assumptions_free((dpc_assumptions *)(uintptr_t)report.assumptions);
    dpc_goodness_free(fit);
    dpc_result_free(result);
    dpc_table_free(table);
}

/* The verdict, or the methods paragraph. */
static void check_text(const dpc_report *report, bool verdict, const char *words, bool there)
{
    char *text = NULL;
    assert_int_equal(
        verdict ? dpc_write_string(report, DPC_CONTENT_VERDICT, DPC_FORMAT_AUTO, &text, NULL, NULL)
                : dpc_methods_string(report, &text, NULL, NULL),
        DPC_OK);
    if ((strstr(text, words) != NULL) != there)
        fail_msg("%s%s", there ? "" : "unexpected: ", words);
    dpc_string_free(text);
}

/* What is certain about the score, if the graph is the one that was scored. */
static void test_lines_of_optimality(void **state)
{
    (void)state;
    const char *best = "\nNo DAG scores higher: the search was exact.\n";
    const char *local = "\nLocally optimal: no single addition, deletion, reversal or swap of an "
                        "edge improves it.\n";
    dpc_table *table = simulated_table(8, 300, 4);
    dpc_settings settings = plain_settings();
    for (dpc_refinement how = DPC_REFINE_FULL; how <= DPC_REFINE_EXACT; how++) {
        settings.refine = how;
        dpc_result *result = learned(table, &settings);
        dpc_report report = {
            .size = sizeof report, .names = dpc_table_about(table).names, .result = result};
        check_text(&report, true, best, true);
        check_text(&report, false, "(Silander and Myllymäki, 2006)", true);
        report.min_frequency = 0.5;
        check_text(&report, true, best, false);
        report.min_frequency = 0;
        result->refined.optimality = DPC_OPTIMUM_LOCAL;
        check_text(&report, true, local, true);
        check_text(&report, false, "Silander", false);
        result->refined.optimality = DPC_OPTIMUM_UNKNOWN;
        check_text(&report, true, best, false);
        check_text(&report, true, local, false);
        dpc_result_free(result);
    }
    dpc_table_free(table);
}

/* Each thing that the data are not has its line, with the name of a column. */
static void test_lines_of_assumptions(void **state)
{
    (void)state;
    enum { N = 600 };
    dpc_table *table = gaussian(6, N, 7);
    double *x = table->values;
    for (int64_t i = 0; i < N; i++) {
        for (int j = 3; j < 6 && i > 0; j++) /* rows like their neighbours */
            x[j * N + i] = 0.9 * x[j * N + i - 1] + 0.4 * x[j * N + i];
        x[N + i] = x[i] * x[i] + x[i] + 0.3 * x[N + i]; /* a bend, and skewed */
        x[2 * N + i] = i % 9 == 0 ? 0 : 40 + 5 * x[2 * N + i];
        x[i] = exp(1.5 * x[i]);
    }
    dpc_settings plain = plain_settings();
    dpc_result *result = learned(table, &plain);
    char *text = NULL, *json = NULL;
    dpc_report report = {
        .size = sizeof report, .names = dpc_table_about(table).names, .result = result};
    report.assumptions = look_at(table, dpc_result_graph(result));
    assert_int_equal(
        dpc_write_string(&report, DPC_CONTENT_VERDICT, DPC_FORMAT_AUTO, &text, NULL, NULL), DPC_OK);
    assert_non_null(strstr(text, "skewed"));
    assert_non_null(strstr(text, "missing cell"));
    assert_non_null(strstr(text, "--relations curved"));
    assert_non_null(strstr(text, "--normalize copula"));
    assert_int_equal(
        dpc_write_string(&report, DPC_CONTENT_GRAPH, DPC_FORMAT_JSON, &json, NULL, NULL), DPC_OK);
    assert_non_null(strstr(json, "\"suspicious_zeros\": 67"));
    dpc_string_free(text);
    dpc_string_free(json);
    dpc_assumptions_free((dpc_assumptions *)(uintptr_t)report.assumptions);
    dpc_result_free(result);
    dpc_table_free(table);
}

/* Each variable is noise and a share of those before it that `joined` names. */
static dpc_table *woven(int n, int64_t n_obs, uint64_t seed, bool (*joined)(int v, int u))
{
    dpc_table *table = gaussian(n, n_obs, seed);
    for (int v = 1; v < n; v++)
        for (int u = 0; u < v; u++)
            for (int64_t i = 0; joined(v, u) && i < n_obs; i++)
                table->values[v * n_obs + i] += 0.6 * table->values[u * n_obs + i];
    return table;
}

static bool in_a_chain(int v, int u)
{
    return u == v - 1;
}

static bool around_a_hub(int v, int u)
{
    (void)v;
    return u == 0;
}

static bool nearly_all(int v, int u)
{
    return (7 * v + 3 * u) % 5 != 0;
}

/* Where the fast search may have missed something, the lines say why; JSON has a word for it. */
static void test_lines_of_doubt(void **state)
{
    (void)state;
    const struct {
        int n;
        int64_t n_obs;
        bool (*joined)(int v, int u);
        dpc_doubt doubt;
        const char *wanted;
    } cases[] = {
        {40, 25, in_a_chain, DPC_DOUBT_ROWS, "with fewer rows than variables"},
        {20, 400, around_a_hub, DPC_DOUBT_HUB, "(V1 has "},
        {14, 3000, nearly_all, DPC_DOUBT_DENSE, "more than three edges for each variable"},
        {12, 400, in_a_chain, DPC_DOUBT_NONE, NULL},
    };
    dpc_settings settings = plain_settings();
    settings.refine = DPC_REFINE_FAST;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dpc_table *table = woven(cases[i].n, cases[i].n_obs, 11, cases[i].joined);
        dpc_result *result = learned(table, &settings);
        dpc_report report = {.size = sizeof report,
                             .names = dpc_table_about(table).names,
                             .result = result,
                             .graph = dpc_result_graph(result)};
        char *text = NULL;
        assert_int_equal(dpc_result_info(result)->refined->doubt, cases[i].doubt);
        assert_int_equal(
            dpc_write_string(&report, DPC_CONTENT_VERDICT, DPC_FORMAT_AUTO, &text, NULL, NULL),
            DPC_OK);
        assert_int_equal(strstr(text, "Try --refine full") != NULL, cases[i].wanted != NULL);
        assert_true(cases[i].wanted == NULL || strstr(text, cases[i].wanted) != NULL);
        dpc_string_free(text);
        dpc_result_free(result);
        dpc_table_free(table);
    }
}

/* ---- Tables and sentences beside the verdict ---- */

static void test_nodes_as_text(void **state)
{
    (void)state;
    dpc_table *table = simulated_table(8, 300, 4);
    dpc_settings plain = plain_settings();
    dpc_result *result = learned(table, &plain);
    dpc_node_table *nodes = NULL;
    char *csv = NULL, *json = NULL, wanted[64];
    assert_int_equal(dpc_tabulate_nodes(result, NULL, NULL, NULL, &nodes, NULL), DPC_OK);
    dpc_report report = {.size = sizeof report,
                         .names = dpc_table_about(table).names,
                         .result = result,
                         .node_table = nodes};
    assert_int_equal(
        dpc_write_string(&report, DPC_CONTENT_NODE_TABLE, DPC_FORMAT_AUTO, &csv, NULL, NULL),
        DPC_OK);
    assert_true(strncmp(csv, "name,neighbours,parents,children,r2,r2_parents\n", 47) == 0);
    snprintf(wanted, sizeof wanted, "\nV3,%d,%d,%d,", nodes->rows[2].neighbours,
             nodes->rows[2].parents, nodes->rows[2].children);
    assert_non_null(strstr(csv, wanted));
    assert_int_equal(
        dpc_write_string(&report, DPC_CONTENT_GRAPH, DPC_FORMAT_JSON, &json, NULL, NULL), DPC_OK);
    assert_non_null(strstr(json, "\"node_table\": ["));
    report.node_table = NULL;
    assert_int_equal(
        dpc_write_string(&report, DPC_CONTENT_NODE_TABLE, DPC_FORMAT_AUTO, &csv, NULL, NULL),
        DPC_USAGE);
    dpc_string_free(csv);
    dpc_string_free(json);
    dpc_node_table_free(nodes);
    dpc_result_free(result);
    dpc_table_free(table);
}

/* What may affect an outcome, what a cause may affect, and all pairs. */
static void test_effects_as_text(void **state)
{
    (void)state;
    dpc_table *table = simulated_table(6, 300, 4);
    dpc_settings plain = plain_settings();
    dpc_result *result = learned(table, &plain);
    dpc_causal *causal = NULL;
    assert_int_equal(dpc_causal_new(dpc_result_graph(result), NULL, false, &causal, NULL), DPC_OK);
    for (int which = 0; which < 3; which++) {
        const int32_t one = 5;
        dpc_effect_query query = {.causes = which == 1 ? &one : NULL,
                                  .n_causes = which == 1,
                                  .outcomes = which == 0 ? &one : NULL,
                                  .n_outcomes = which == 0};
        dpc_effect_table *effects = NULL;
        char *text = NULL;
        assert_int_equal(
            dpc_effects(dpc_result_info(result)->correlation, causal, &query, NULL, &effects, NULL),
            DPC_OK);
        dpc_report report = {.size = sizeof report,
                             .names = dpc_table_about(table).names,
                             .result = result,
                             .effects = effects};
        assert_int_equal(
            dpc_write_string(&report, DPC_CONTENT_EFFECTS, DPC_FORMAT_EDGES, &text, NULL, NULL),
            DPC_OK);
        assert_true((strstr(text, "What may affect V6") != NULL) == (which == 0));
        assert_true((strstr(text, "What V6 may affect") != NULL) == (which == 1));
        assert_non_null(strstr(text, "adjusted for"));
        dpc_string_free(text);
        dpc_effect_table_free(effects);
    }
    dpc_causal_free(causal);
    dpc_result_free(result);
    dpc_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gaussian_data_are_fine),
        cmocka_unit_test(test_columns_that_are_not),
        cmocka_unit_test(test_moments),
        cmocka_unit_test(test_curves),
        cmocka_unit_test(test_similar_rows),
        cmocka_unit_test(test_advice_is_what_the_settings_do),
        cmocka_unit_test(test_noise_has_no_advice),
        cmocka_unit_test(test_limits_of_advice),
        cmocka_unit_test(test_advice_is_what_follows),
        cmocka_unit_test(test_hint_at_a_hidden_cause),
        cmocka_unit_test(test_few_hints_where_nothing_is_hidden),
        cmocka_unit_test(test_doubtful_arrows),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_lines_of_optimality),
        cmocka_unit_test(test_lines_of_doubt),
        cmocka_unit_test(test_lines_of_assumptions),
        cmocka_unit_test(test_nodes_as_text),
        cmocka_unit_test(test_effects_as_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
