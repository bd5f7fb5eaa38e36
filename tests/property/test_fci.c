/*
 * PAGs from samples with hidden variables: they are always valid, rearranged columns rearrange
 * them, threads change nothing, and what is known licenses just the marks that it says.
 */
#include "mags.h"
#include "pag.h"
#include "repeat.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <gsl/gsl_randist.h>

enum { MOST = MOST_SEEN };

/* The graph of the table whose column to[j] is column j of the values; its nodes are those of the
 * values. */
static dpc_graph learn(const double *values, int n, int rows, const int32_t *to,
                       const dpc_settings *settings, bool *repaired)
{
    dpc_table *table = NULL;
    dpc_result *result = NULL;
    dpc_graph graph = {0};
    dpc_error err = {0};
    dpc_audit audit = {0};
    int32_t back[MOST];
    assert_int_equal(dpc_table_new(rows, n, NULL, &table, &err), DPC_OK);
    for (int j = 0; j < n; j++) {
        memcpy(dpc_table_about(table).values + (int64_t)to[j] * rows, values + (int64_t)j * rows,
               (size_t)rows * sizeof *values);
        back[to[j]] = j;
    }
    if (dpc_learn_table(table, settings, &audit, &result, &err) != DPC_OK)
        fail_msg("%s", err.message);
    assert_int_equal(dpc_graph_duplicate(dpc_result_graph(result), &graph), DPC_OK);
    for (int64_t e = 0; e < graph.n_edges; e++)
        graph.edges[e] =
            dpc_edge_of(back[graph.edges[e].a], back[graph.edges[e].b], graph.edges[e].mark);
    *repaired = dpc_result_info(result)->repaired;
    dpc_audit_clear(&audit);
    dpc_result_free(result);
    dpc_table_free(table);
    return graph;
}

/* The same edges, in any order. */
static void must_be_same(const dpc_graph *p, dpc_graph *q)
{
    dpc_graph *sorted = NULL;
    assert_int_equal(p->n_edges, q->n_edges);
    assert_int_equal(dpc_graph_new(q->n_nodes, q->edges, q->n_edges, &sorted, NULL), DPC_OK);
    for (int64_t e = 0; e < p->n_edges; e++)
        assert_int_equal(dpc_graph_mark(sorted, p->edges[e].a, p->edges[e].b), p->edges[e].mark);
    dpc_graph_free(sorted);
}

static void draw_settings(gsl_rng *rng, int number, dpc_settings *s)
{
    static const int PDSEP[] = {0, 1, DPC_ALL_PDSEP};
    dpc_settings_default(s);
    s->latent = number % 8 == 7   ? DPC_HIDDEN_SEARCH
                : number % 4 == 3 ? DPC_HIDDEN_DAG
                                  : DPC_HIDDEN_FCI;
    s->alpha = number % 2 == 0 ? 0.05 : 0.01;
    s->method = number % 5 == 0 ? DPC_CLASSIC : DPC_DUAL;
    s->selection = number % 7 == 0 && s->latent != DPC_HIDDEN_SEARCH;
    if (s->latent == DPC_HIDDEN_FCI)
        s->pdsep = PDSEP[draw_int(rng, 0, 2)];
    s->threads = 1;
}

static void test_samples(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20240914);
    int repairs = 0;
    for (int number = 0; number < repeats(120); number++) {
        int n = draw_int(rng, 4, 12), rows = draw_int(rng, 60, 800);
        double *values = draw_hidden_data(rng, n, draw_int(rng, 0, 4), rows);
        int32_t same[MOST], to[MOST];
        dpc_settings settings;
        bool repaired, again, valid = false;
        draw_settings(rng, number, &settings);
        if (number % 11 == 0 && n > 4) /* a copy of a column */
            memcpy(values + rows, values, (size_t)rows * sizeof *values);
        for (int j = 0; j < n; j++)
            same[j] = j;
        shuffle_nodes(rng, to, n);
        dpc_graph plain = learn(values, n, rows, same, &settings, &repaired);
        settings.threads = 3;
        dpc_graph turned = learn(values, n, rows, to, &settings, &again);
        if (number % 11 != 0) /* which of two copies is which nobody can tell */
            must_be_same(&plain, &turned);
        assert_int_equal(dpc_pag_is_valid(&plain, settings.selection, &valid), DPC_OK);
        assert_true(valid);
        assert_true(number % 11 == 0 || repaired == again);
        repairs += repaired;
        dpc_graph_clear(&plain);
        dpc_graph_clear(&turned);
        free(values);
    }
    assert_true(repairs >= share(2));
    gsl_rng_free(rng);
}

/* ---- Knowledge ---- */

/* That one variable is no cause of another gives an arrowhead there, and a required edge both
 * marks; nothing else has a tail at a known end. */
static void test_knowledge(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20240915);
    int used = 0;
    for (int number = 0; number < repeats(80); number++) {
        int n = draw_int(rng, 4, 9), rows = 500, from = draw_int(rng, 0, n - 2), to = from + 1;
        double *values = draw_hidden_data(rng, n, draw_int(rng, 0, 3), rows);
        int32_t same[MOST];
        dpc_settings settings;
        dpc_knowledge *known = NULL;
        bool repaired, required = number % 2 == 0;
        draw_settings(rng, number - number % 4, &settings); /* by tests */
        for (int j = 0; j < n; j++)
            same[j] = j;
        assert_int_equal(dpc_knowledge_new(n, &known, NULL), DPC_OK);
        assert_int_equal(
            (required ? dpc_knowledge_require : dpc_knowledge_forbid)(known, from, to, NULL),
            DPC_OK);
        settings.knowledge = known;
        settings.selection = false;
        dpc_graph graph = learn(values, n, rows, same, &settings, &repaired);
        dpc_mark mark = dpc_graph_mark(&graph, from, to);
        if (required)
            assert_true(mark != DPC_NONE);
        if (!repaired && mark != DPC_NONE) {
            if (required)
                assert_int_equal(mark, DPC_FORWARD);
            else
                assert_int_equal(dpc_end_a(mark), DPC_END_ARROW);
            used++;
        }
        dpc_graph_clear(&graph);
        dpc_knowledge_free(known);
        free(values);
    }
    assert_true(used >= share(20));
    gsl_rng_free(rng);
}

/* An edge alone: a forbidden direction says nothing of the other end, tiers the same. */
static void test_one_edge(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20240916);
    enum { ROWS = 300 };
    double values[2 * ROWS];
    const int32_t same[] = {0, 1};
    dpc_settings settings;
    bool repaired;
    for (int i = 0; i < ROWS; i++) {
        values[i] = gsl_ran_gaussian(rng, 1);
        values[ROWS + i] = values[i] + gsl_ran_gaussian(rng, 1);
    }
    for (int way = 0; way < 3; way++) {
        dpc_knowledge *known = NULL;
        dpc_settings_default(&settings);
        settings.latent = DPC_HIDDEN_FCI;
        assert_int_equal(dpc_knowledge_new(2, &known, NULL), DPC_OK);
        if (way == 1)
            assert_int_equal(dpc_knowledge_forbid(known, 0, 1, NULL), DPC_OK);
        for (int v = 0; way == 2 && v < 2; v++)
            assert_int_equal(dpc_knowledge_tier(known, v, 1 - v, NULL), DPC_OK);
        settings.knowledge = known;
        dpc_graph graph = learn(values, 2, ROWS, same, &settings, &repaired);
        assert_int_equal(dpc_graph_mark(&graph, 0, 1), way == 0 ? DPC_CIRCLES : DPC_ARROW_CIRCLE);
        assert_false(repaired);
        dpc_graph_clear(&graph);
        dpc_knowledge_free(known);
    }
    gsl_rng_free(rng);
}

/* ---- Settings ---- */

static void test_settings(void **state)
{
    (void)state;
    dpc_settings settings;
    dpc_error err = {0};
    double values[] = {1, 2, 3, 4, 5, 7, 2, 1, 5, 3, 8, 9};
    dpc_table *table = NULL;
    dpc_result *result = NULL;
    const char *const WRONG[][4] = {
        {"latent", "fci", "refine", "fast"}, {"latent", "fci", "method", "ges"},
        {"latent", "dag", "pdsep", "all"},   {"latent", "fci", "graph", "skeleton"},
        {"latent", "none", "pdsep", "2"},    {"latent", "none", "selection", "yes"},
        {"latent", "search", "pdsep", "1"},  {"latent", "search", "selection", "yes"}};
    assert_int_equal(dpc_table_view(values, DPC_DOUBLE, 6, 2, 1, 6, NULL, &table, &err), DPC_OK);
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        dpc_audit audit = {0};
        dpc_settings_default(&settings);
        assert_int_equal(dpc_settings_set(&settings, WRONG[i][0], WRONG[i][1], &err), DPC_OK);
        assert_int_equal(dpc_settings_set(&settings, WRONG[i][2], WRONG[i][3], &err), DPC_OK);
        assert_int_equal(dpc_learn_table(table, &settings, &audit, &result, &err), DPC_USAGE);
        assert_non_null(strstr(err.message, WRONG[i][2]));
        dpc_audit_clear(&audit);
    }
    dpc_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples), cmocka_unit_test(test_knowledge),
        cmocka_unit_test(test_one_edge), cmocka_unit_test(test_settings)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
