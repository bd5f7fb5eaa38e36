/*
 * The table of edges: every row against the explanation of that edge and the counts of the
 * bootstrap; the table of nodes against the correlations; what must not matter; awkward input.
 */
#include "cases.h"
#include "dualpc_io.h"
#include "repeat.h"
#include "tables.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N_TABLES = 150 };

static dpc_settings draw_settings(gsl_rng *rng)
{
    dpc_settings settings;
    dpc_settings_default(&settings);
    settings.method = (dpc_method)draw_int(rng, DPC_DUAL, DPC_GES);
    settings.variant = (dpc_variant)draw_int(rng, 0, 1);
    settings.test = (dpc_test)draw_int(rng, 0, 1);
    settings.orient = (dpc_orientation)draw_int(rng, DPC_CONSISTENT, DPC_CONSERVATIVE);
    settings.graph = (dpc_target)draw_int(rng, DPC_CPDAG, DPC_SKELETON);
    settings.alpha = draw_log(rng, 0.001, 0.3);
    settings.threads = 1;
    if (settings.method != DPC_GES) {
        settings.rule = (dpc_rule)draw_int(rng, 0, 1);
        settings.keep_separating_sets = draw_int(rng, 0, 1) == 0;
    }
    return settings;
}

static dpc_edge_table *tabulate(const dpc_result *result, const dpc_graph *graph,
                                const dpc_frequencies *frequencies)
{
    dpc_edge_table *table = NULL;
    dpc_error err;
    if (dpc_tabulate_edges(result, graph, frequencies, NULL, NULL, &table, &err) != DPC_OK)
        fail_msg("%s", err.message);
    return table;
}

/* To the bit; two NaN are the same. */
static bool same(double a, double b)
{
    return (isnan(a) && isnan(b)) || a == b;
}

static void check_row(int number, const dpc_result *result, const dpc_edge_row *row)
{
    dpc_explanation *e = NULL;
    dpc_error err;
    if (dpc_explain(result, row->from, row->to, NULL, NULL, &e, &err) != DPC_OK)
        fail_msg("%s", err.message);
    assert_int_equal(row->mark, e->mark);
    assert_true(row->mark == DPC_FORWARD || (row->mark == DPC_UNDIRECTED && row->from < row->to));
    if (!same(row->r, e->r) || !same(row->low, e->low) || !same(row->high, e->high))
        fail_msg("case %d: r is %g (%g, %g), the explanation has %g (%g, %g)", number, row->r,
                 row->low, row->high, e->r, e->low, e->high);
    double p = dpc_result_settings(result)->method == DPC_GES ? NAN : e->test.what.p;
    if (!same(row->p, p) || row->all_tests != e->all_tests)
        fail_msg("case %d: p is %.17g, the explanation has %.17g", number, row->p, p);
    assert_true(isnan(row->edge) && isnan(row->forward) && isnan(row->backward));
    dpc_explanation_free(e);
}

static void check_same_table(const dpc_edge_table *a, const dpc_edge_table *b)
{
    assert_int_equal(a->n_rows, b->n_rows);
    for (int64_t i = 0; i < a->n_rows; i++) {
        const dpc_edge_row *p = &a->rows[i], *q = &b->rows[i];
        assert_true(p->from == q->from && p->to == q->to && p->mark == q->mark);
        assert_true(same(p->r, q->r) && same(p->low, q->low) && same(p->high, q->high));
        assert_true(same(p->p, q->p) && same(p->evidence, q->evidence));
    }
}

static void test_explained(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20250901);
    int64_t rows = 0, without_p = 0, tests = 0;
    for (int number = 0; number < repeats(N_TABLES); number++) {
        struct sample_model model = {.n = draw_int(rng, 2, 16),
                                     .n_obs = (int64_t)draw_log(rng, 8, 1000),
                                     .parents = 3 * gsl_rng_uniform(rng),
                                     .flaw = number % 4 == 0 ? FLAW_COPY : FLAW_NONE};
        struct sample sample = sample_draw(&model, rng);
        dpc_settings settings = draw_settings(rng);
        dpc_result *result = NULL;
        dpc_error err;
        if (dpc_learn(&sample.correlation, &settings, &result, &err) != DPC_OK)
            fail_msg("%s", err.message);
        dpc_edge_table *table = tabulate(result, NULL, NULL);
        assert_int_equal(table->n_vars, model.n);
        assert_int_equal(table->n_rows, dpc_result_graph(result)->n_edges);
        for (int64_t i = 0; i < table->n_rows; i++) {
            check_row(number, result, &table->rows[i]);
            without_p += isnan(table->rows[i].p);
            tests += !isnan(table->rows[i].p);
        }
        rows += table->n_rows;
        dpc_edge_table_free(table);
        dpc_result_free(result);
        sample_free(&sample);
    }
    assert_true(tests > share(500) && without_p > share(100));
    print_message("%lld rows\n", (long long)rows);
    gsl_rng_free(rng);
}

/* On more nodes than one thread gets, and where neighbourhoods are large. */
static void test_threads(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20250902);
    struct sample_model model = {.n = 120, .n_obs = 400, .parents = 2};
    struct sample sample = sample_draw(&model, rng);
    dpc_edge_table *table[2];
    for (int i = 0; i < 2; i++) {
        dpc_settings settings;
        dpc_result *result = NULL;
        dpc_settings_default(&settings);
        settings.threads = i == 0 ? 1 : 3;
        settings.keep_separating_sets = true;
        assert_int_equal(dpc_learn(&sample.correlation, &settings, &result, NULL), DPC_OK);
        table[i] = tabulate(result, NULL, NULL);
        dpc_result_free(result);
    }
    check_same_table(table[0], table[1]);
    assert_true(table[0]->n_rows > 100);
    dpc_edge_table_free(table[0]);
    dpc_edge_table_free(table[1]);
    sample_free(&sample);
    gsl_rng_free(rng);
}

/* Frequencies are seen along the arrow; edges that only the consensus has survived no tests. */
static void test_frequencies(void **state)
{
    (void)state;
    dpc_table *data = simulated_table(10, 60, 3);
    dpc_settings settings;
    dpc_settings_default(&settings);
    dpc_resampling resampling = {.resamples = 20, .seed = 4};
    dpc_frequencies *f = NULL;
    dpc_result *result = NULL;
    dpc_graph *consensus = NULL;
    assert_int_equal(dpc_learn_table(data, &settings, NULL, &result, NULL), DPC_OK);
    assert_int_equal(dpc_bootstrap(data, &settings, &resampling, &f, NULL), DPC_OK);
    assert_int_equal(dpc_consensus(f, 0.15, NULL, NULL, &consensus, NULL), DPC_OK);
    dpc_edge_table *table = tabulate(result, consensus, f);
    int turned = 0, untested = 0;
    for (int64_t i = 0; i < table->n_rows; i++) {
        const dpc_edge_row *row = &table->rows[i];
        dpc_frequency pair = dpc_frequency_of(f, row->from, row->to);
        bool turn = row->from > row->to;
        bool learned = dpc_graph_mark(dpc_result_graph(result), row->from, row->to) != DPC_NONE;
        assert_true(row->edge == pair.edge / 20.);
        assert_true(row->forward == (turn ? pair.backward : pair.forward) / 20.);
        assert_true(row->backward == (turn ? pair.forward : pair.backward) / 20.);
        assert_true(row->undirected == pair.undirected / 20.);
        assert_true(isnan(row->p) == !learned);
        turned += turn;
        untested += !learned;
    }
    assert_true(turned > 0 && untested > 0);
    dpc_edge_table_free(table);
    dpc_graph_free(consensus);
    dpc_frequencies_free(f);
    dpc_result_free(result);
    dpc_table_free(data);
}

static int stop_later(const dpc_progress *progress, void *user)
{
    int *left = user;
    assert_true(progress->fraction >= 0 && progress->fraction <= 1);
    return --*left < 0;
}

static dpc_node_table *tabulate_nodes(const dpc_result *result, const dpc_graph *graph)
{
    dpc_node_table *table = NULL;
    dpc_error err;
    if (dpc_tabulate_nodes(result, graph, NULL, NULL, &table, &err) != DPC_OK)
        fail_msg("%s", err.message);
    return table;
}

/* R² by 1 - det R(v, S) / det R(S), from the correlations. */
static double r_squared(const dpc_correlation *c, int v, const int *set, int size)
{
    double det[2] = {1, 1};
    double m[40][40];
    for (int with = 0; with < 2; with++) {
        int order = size + with, list[40];
        memcpy(list, set, (size_t)size * sizeof *set);
        list[size] = v;
        assert_true(order < 40);
        for (int i = 0; i < order; i++)
            for (int j = 0; j < order; j++)
                m[i][j] = list[i] == list[j] ? 1 : c->r[(int64_t)list[i] * c->n_vars + list[j]];
        for (int k = 0; k < order; k++) {
            det[with] *= m[k][k];
            for (int i = k + 1; i < order; i++)
                for (int j = order - 1; j >= k; j--)
                    m[i][j] -= m[i][k] / m[k][k] * m[k][j];
        }
    }
    return 1 - det[1] / det[0];
}

static void check_nodes(const dpc_result *result, const dpc_correlation *c,
                        const dpc_node_table *table)
{
    const dpc_graph *graph = dpc_result_graph(result);
    for (int v = 0; v < graph->n_nodes; v++) {
        const dpc_node_info *row = &table->rows[v];
        int near[40], parents[40], n_near = 0, n_parents = 0, lines = 0;
        for (int u = 0; u < graph->n_nodes; u++) {
            dpc_mark mark = dpc_graph_mark(graph, u, v);
            if (mark != DPC_NONE)
                near[n_near++] = u;
            if (mark == DPC_FORWARD)
                parents[n_parents++] = u;
            lines += mark == DPC_UNDIRECTED;
        }
        assert_int_equal(row->neighbours, n_near);
        assert_int_equal(row->parents, n_parents);
        assert_int_equal(row->children, n_near - n_parents - lines);
        assert_true(fabs(row->r2 - r_squared(c, v, near, n_near)) < 1e-8);
        assert_int_equal(isnan(row->r2_parents), lines > 0);
        if (lines == 0)
            assert_true(fabs(row->r2_parents - r_squared(c, v, parents, n_parents)) < 1e-8);
    }
}

static void test_nodes(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20261118);
    for (int number = 0; number < repeats(N_TABLES); number++) {
        struct sample_model model = {
            .n = draw_int(rng, 2, 25), .n_obs = draw_int(rng, 60, 400), .parents = 2};
        struct sample sample = sample_draw(&model, rng);
        dpc_settings settings = draw_settings(rng);
        dpc_node_table *table[2];
        dpc_result *result = NULL;
        for (int i = 0; i < 2; i++) {
            settings.threads = 1 + 2 * i;
            assert_int_equal(dpc_learn(&sample.correlation, &settings, &result, NULL), DPC_OK);
            table[i] = tabulate_nodes(result, NULL);
            check_nodes(result, &sample.correlation, table[i]);
            dpc_result_free(result);
        }
        for (int v = 0; v < model.n; v++) {
            assert_true(same(table[0]->rows[v].r2, table[1]->rows[v].r2));
            assert_true(same(table[0]->rows[v].r2_parents, table[1]->rows[v].r2_parents));
        }
        dpc_node_table_free(table[0]);
        dpc_node_table_free(table[1]);
        sample_free(&sample);
    }
    gsl_rng_free(rng);
}

static void test_refusals(void **state)
{
    (void)state;
    dpc_table *data = simulated_table(30, 200, 3);
    dpc_settings settings;
    dpc_settings_default(&settings);
    dpc_result *result = NULL;
    dpc_edge_table *table = NULL;
    dpc_graph *small = NULL;
    dpc_error err;
    int left = 0;
    assert_int_equal(dpc_learn_table(data, &settings, NULL, &result, NULL), DPC_OK);
    assert_int_equal(dpc_graph_new(3, NULL, 0, &small, NULL), DPC_OK);
    assert_int_equal(dpc_tabulate_edges(result, small, NULL, NULL, NULL, &table, &err), DPC_USAGE);
    dpc_frequencies other = {.n_vars = 4, .resamples = 1};
    assert_int_equal(dpc_tabulate_edges(result, NULL, &other, NULL, NULL, &table, &err), DPC_USAGE);
    assert_non_null(strstr(err.message, "4 variables"));
    assert_int_equal(dpc_tabulate_edges(result, NULL, NULL, stop_later, &left, &table, &err),
                     DPC_INTERRUPTED);
    assert_null(table);
    dpc_edge_table_free(NULL);
    /* a table without rows is one too */
    dpc_graph *empty = NULL;
    assert_int_equal(dpc_graph_new(30, NULL, 0, &empty, NULL), DPC_OK);
    table = tabulate(result, empty, NULL);
    assert_int_equal(table->n_rows, 0);
    dpc_edge_table_free(table);
    dpc_node_table *nodes = NULL;
    assert_int_equal(dpc_tabulate_nodes(result, small, NULL, NULL, &nodes, &err), DPC_USAGE);
    left = 0;
    assert_int_equal(dpc_tabulate_nodes(result, NULL, stop_later, &left, &nodes, &err),
                     DPC_INTERRUPTED);
    assert_null(nodes);
    dpc_node_table_free(NULL);
    nodes = tabulate_nodes(result, empty);
    assert_true(nodes->n_vars == 30 && nodes->rows[7].r2 == 0 && nodes->rows[7].r2_parents == 0);
    dpc_node_table_free(nodes);
    char *text = NULL;
    const char *const names[] = {"a", "b", "c"};
    dpc_report report = {.size = sizeof report, .names = names, .graph = small};
    assert_int_equal(dpc_methods_string(&report, &text, NULL, &err), DPC_USAGE);
    assert_non_null(strstr(err.message, "not learned"));
    dpc_graph_free(empty);
    dpc_graph_free(small);
    dpc_result_free(result);
    dpc_table_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_explained),   cmocka_unit_test(test_threads),
        cmocka_unit_test(test_frequencies), cmocka_unit_test(test_nodes),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
