/*
 * What is asked of PAGs from samples with hidden variables: every mark has a rule whose premises
 * hold in the graph, other marks lose score, and resamples are counted as a slow twin counts them.
 */
#include "dualpc_io.h"
#include "frequency.h"
#include "mags.h"
#include "repeat.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const dpc_hidden WAYS[] = {DPC_HIDDEN_SEARCH, DPC_HIDDEN_FCI, DPC_HIDDEN_DAG};

static dpc_table *draw_table(gsl_rng *rng, int n, int rows)
{
    double *values = draw_hidden_data(rng, n, draw_int(rng, 1, 4), rows);
    dpc_table *table = NULL;
    assert_int_equal(dpc_table_new(rows, n, NULL, &table, NULL), DPC_OK);
    memcpy(dpc_table_about(table).values, values, (size_t)n * (size_t)rows * sizeof *values);
    free(values);
    return table;
}

static dpc_result *learn(const dpc_table *table, const dpc_settings *settings)
{
    dpc_result *result = NULL;
    dpc_error err = {0};
    if (dpc_learn_table(table, settings, NULL, &result, &err) != DPC_OK)
        fail_msg("%s", err.message);
    return result;
}

/* ---- Marks ---- */

static dpc_end end_at(const dpc_graph *g, int from, int to)
{
    return dpc_end_b(dpc_graph_mark(g, from, to));
}

static bool is_arrow(const dpc_graph *g, int from, int to)
{
    return dpc_graph_mark(g, from, to) == DPC_FORWARD;
}

/* The premises of the end at y of x *-* y. */
static void must_hold(const dpc_graph *g, int x, int y, const dpc_end_reason *why)
{
    const int32_t *o = why->other;
    bool tail = why->end == DPC_END_TAIL;
    int middle = tail ? y : x, last = tail ? x : y; /* of R1 */
    switch (why->rule) {
    case 0:
        assert_int_equal(dpc_graph_mark(g, x, o[0]), DPC_NONE);
        assert_int_equal(end_at(g, o[0], y), DPC_END_ARROW);
        break;
    case 1:
        assert_int_equal(dpc_graph_mark(g, o[0], last), DPC_NONE);
        assert_int_equal(end_at(g, o[0], middle), DPC_END_ARROW);
        break;
    case 2:
        assert_int_equal(end_at(g, x, o[0]), DPC_END_ARROW);
        assert_int_equal(end_at(g, o[0], y), DPC_END_ARROW);
        assert_true(is_arrow(g, x, o[0]) || is_arrow(g, o[0], y));
        break;
    case 3:
        assert_int_equal(dpc_graph_mark(g, o[0], o[1]), DPC_NONE);
        assert_int_equal(end_at(g, o[0], y), DPC_END_ARROW);
        assert_int_equal(end_at(g, o[1], y), DPC_END_ARROW);
        break;
    case 4:
        assert_int_equal(dpc_graph_mark(g, o[0], o[3]), DPC_NONE);
        assert_true(dpc_graph_mark(g, o[1], o[2]) != DPC_NONE && is_arrow(g, o[1], o[3]));
        assert_true(dpc_graph_mark(g, o[2], o[3]) != DPC_NONE);
        break;
    case 8:
        assert_true(is_arrow(g, o[0], x));
        assert_int_equal(end_at(g, o[0], y), DPC_END_TAIL);
        break;
    case 9:
    case 10:
        assert_true(tail);
        break;
    default: /* R5 to R7 are for selected samples, and nothing is known here */
        fail_msg("rule %d", why->rule);
    }
}

static void check_end(const dpc_graph *g, int x, int y, const dpc_end_reason *why)
{
    assert_int_equal(why->end, end_at(g, x, y));
    assert_int_equal(why->rule == DPC_RULE_NONE, why->end == DPC_END_CIRCLE);
    if (why->rule != DPC_RULE_NONE)
        must_hold(g, x, y, why);
}

/* What another mark loses; false: the MAG could be better, which a search may miss. */
static bool check_lost(const dpc_result *result, const dpc_explanation *e)
{
    const dpc_score_lost *lost = &e->lost;
    const double values[] = {lost->none, lost->forward, lost->backward, lost->both};
    const dpc_mark marks[] = {DPC_NONE, DPC_FORWARD, DPC_BACKWARD, DPC_BIDIRECTED};
    dpc_mark now = dpc_graph_mark(dpc_result_info(result)->hidden->mag, e->a, e->b);
    bool best = true;
    assert_int_equal(now == DPC_NONE, e->mark == DPC_NONE);
    for (int i = 0; i < 4; i++) {
        if (marks[i] == now)
            assert_true(values[i] == 0);
        best = best && !(values[i] < -1e-3);
    }
    return best;
}

static void test_every_mark_has_its_rule(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20240921);
    int rules[11] = {0}, pairs = 0, best = 0, repaired = 0;
    for (int number = 0; number < repeats(60); number++) {
        int n = draw_int(rng, 4, 9);
        dpc_table *table = draw_table(rng, n, draw_int(rng, 200, 1500));
        dpc_settings settings;
        dpc_settings_default(&settings);
        settings.latent = WAYS[number % 3];
        settings.pdsep = settings.latent == DPC_HIDDEN_FCI && number % 2 == 0 ? DPC_ALL_PDSEP : 0;
        settings.threads = 1;
        dpc_result *result = learn(table, &settings);
        const dpc_graph *g = dpc_result_graph(result);
        repaired += dpc_result_info(result)->repaired;
        for (int a = 0; a < n; a++)
            for (int b = a + 1; b < n; b++) {
                dpc_explanation *e = NULL;
                char *text = NULL;
                const char *const *names = dpc_table_about(table).names;
                assert_int_equal(dpc_explain(result, a, b, NULL, NULL, &e, NULL), DPC_OK);
                assert_int_equal(e->mark, dpc_graph_mark(g, a, b));
                if (e->mark != DPC_NONE) {
                    check_end(g, b, a, &e->end_a);
                    check_end(g, a, b, &e->end_b);
                    rules[e->end_a.rule < 0 ? 0 : e->end_a.rule]++;
                }
                if (settings.latent == DPC_HIDDEN_SEARCH) {
                    best += check_lost(result, e);
                    pairs++;
                }
                if (settings.latent == DPC_HIDDEN_FCI && e->tested == DPC_NONE)
                    assert_true(e->test.what.kind != DPC_SEP_NONE);
                assert_true(e->tested == DPC_NONE || e->mark != DPC_NONE);
                assert_int_equal(dpc_explanation_string(result, names, e, &text, NULL, NULL),
                                 DPC_OK);
                assert_true(strncmp(text, "why ", 4) == 0);
                free(text);
                dpc_explanation_free(e);
            }
        dpc_result_free(result);
        dpc_table_free(table);
    }
    assert_true(rules[1] > share(5) && rules[2] > 0);
    assert_true(repaired >= share(1));
    assert_true(best >= 0.95 * pairs);
    gsl_rng_free(rng);
}

/* ---- Knowledge of a search ---- */

static void test_search_keeps_to_the_knowledge(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20240922);
    int used = 0;
    for (int number = 0; number < repeats(40); number++) {
        int n = draw_int(rng, 4, 8), from = draw_int(rng, 0, n - 2), to = from + 1;
        dpc_table *table = draw_table(rng, n, 600);
        dpc_settings settings;
        dpc_knowledge *known = NULL;
        bool required = number % 2 == 0;
        dpc_settings_default(&settings);
        assert_int_equal(dpc_knowledge_new(n, &known, NULL), DPC_OK);
        assert_int_equal(
            (required ? dpc_knowledge_require : dpc_knowledge_forbid)(known, from, to, NULL),
            DPC_OK);
        settings.knowledge = known;
        settings.latent = DPC_HIDDEN_SEARCH;
        settings.threads = 1;
        dpc_result *result = learn(table, &settings);
        dpc_mark mark = dpc_graph_mark(dpc_result_graph(result), from, to);
        if (required)
            assert_int_equal(mark, DPC_FORWARD);
        else
            assert_true(mark == DPC_NONE || dpc_end_a(mark) == DPC_END_ARROW);
        used += mark != DPC_NONE;
        dpc_result_free(result);
        dpc_knowledge_free(known);
        dpc_table_free(table);
    }
    assert_true(used >= share(20));
    gsl_rng_free(rng);
}

/* ---- Resamples ---- */

/* Does a path lead from a to b? Tried one after the other. */
static bool leads(const dpc_graph *g, int a, int b, bool surely, bool *on_path)
{
    bool found = a == b;
    on_path[a] = true;
    for (int v = 0; v < g->n_nodes && !found; v++) {
        dpc_end here = end_at(g, v, a), there = end_at(g, a, v);
        bool go = surely ? here == DPC_END_TAIL && there == DPC_END_ARROW
                         : here != DPC_END_ARROW && there != DPC_END_TAIL;
        if (!on_path[v] && here != DPC_END_NONE && go)
            found = leads(g, v, b, surely, on_path);
    }
    on_path[a] = false;
    return found;
}

static void test_resamples_are_counted(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20240923);
    for (int number = 0; number < repeats(12); number++) {
        int n = draw_int(rng, 4, 7);
        dpc_table *table = draw_table(rng, n, 300);
        dpc_settings settings;
        dpc_resampling how = {.resamples = 6, .seed = (uint64_t)number};
        dpc_frequencies *f = NULL;
        dpc_error err = {0};
        dpc_settings_default(&settings);
        settings.latent = WAYS[number % 3];
        if (dpc_bootstrap(table, &settings, &how, &f, &err) != DPC_OK)
            fail_msg("%s", err.message);
        assert_int_equal(f->resamples, 6);
        for (int64_t i = 0; i < f->n_pairs; i++) {
            dpc_pag_frequency twin = {.a_is_cause = 0};
            int a = f->pairs[i].a, b = f->pairs[i].b;
            for (int k = 0; k < 6; k++) {
                dpc_graph g = {0};
                bool on_path[MOST_SEEN] = {false};
                assert_int_equal(dpc_weighted_graphs_at(&f->graphs->graphs, k, &g), DPC_OK);
                twin.mark[dpc_graph_mark(&g, a, b)]++;
                twin.a_is_cause += leads(&g, a, b, true, on_path);
                twin.b_is_cause += leads(&g, b, a, true, on_path);
                twin.a_is_no_cause += !leads(&g, a, b, false, on_path);
                twin.b_is_no_cause += !leads(&g, b, a, false, on_path);
                dpc_graph_clear(&g);
            }
            assert_memory_equal(&twin, &f->pags[i], sizeof twin);
            assert_true(twin.mark[DPC_NONE] + f->pairs[i].edge == 6);
        }
        dpc_graph *consensus = NULL;
        assert_int_equal(dpc_consensus(f, 0.5, NULL, NULL, &consensus, &err), DPC_USAGE);
        assert_non_null(strstr(err.message, "PAGs"));
        dpc_frequencies_free(f);
        dpc_table_free(table);
    }
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_mark_has_its_rule),
                                       cmocka_unit_test(test_search_keeps_to_the_knowledge),
                                       cmocka_unit_test(test_resamples_are_counted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
