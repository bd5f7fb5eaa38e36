/* The reasons in a report: which edges are explained depends on counted work alone. */
#include "report.h"
#include "tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* The work of each edge, as report.h has it. */
static int64_t work_of(const dpc_result *result, const dpc_edge *edge)
{
    const dpc_graph *graph = dpc_result_graph(result);
    dpc_explanation *why = NULL;
    assert_int_equal(dpc_explain(result, edge->a, edge->b, NULL, NULL, &why, NULL), DPC_OK);
    int64_t work = why->tests + (graph->n_nodes + graph->n_edges) / 10;
    dpc_explanation_free(why);
    return work;
}

/* The first texts are there, and no others. */
static void check_texts(const dpc_report *report, int64_t most, int64_t expected)
{
    char **texts = NULL;
    int64_t n_edges = dpc_result_graph(report->result)->n_edges;
    assert_int_equal(dpc_report_explain(report, most, &texts, NULL), DPC_OK);
    for (int64_t e = 0; e < n_edges; e++) {
        assert_int_equal(texts[e] != NULL, e < expected);
        assert_true(texts[e] == NULL || strlen(texts[e]) > 20);
    }
    dpc_report_explain_free(texts, n_edges);
}

static void test_bound(void **state)
{
    (void)state;
    dpc_table *table = simulated_table(30, 200, 5);
    for (int method = DPC_DUAL; method <= DPC_GES; method += DPC_GES) {
        dpc_settings settings = plain_settings();
        dpc_result *result = NULL;
        settings.method = (dpc_method)method;
        assert_int_equal(dpc_learn_table(table, &settings, NULL, &result, NULL), DPC_OK);
        const dpc_graph *graph = dpc_result_graph(result);
        const dpc_report report = {.size = sizeof report,
                                   .names = dpc_table_about(table).names,
                                   .result = result,
                                   .graph = graph};
        int64_t work = 0;
        assert_true(graph->n_edges > 5);
        check_texts(&report, 0, 0);
        for (int64_t e = 0; e < graph->n_edges; e++) {
            work += work_of(result, &graph->edges[e]);
            check_texts(&report, work, e + 1);
        }
        check_texts(&report, DPC_REPORT_WORK, graph->n_edges);
        dpc_result_free(result);
    }
    dpc_table_free(table);
}

/* Of a graph alone nothing can be told. */
static void test_no_result(void **state)
{
    (void)state;
    static const char *const names[] = {"a", "b"};
    const dpc_edge edge = {0, 1, DPC_FORWARD};
    dpc_graph *graph = NULL;
    assert_int_equal(dpc_graph_new(2, &edge, 1, &graph, NULL), DPC_OK);
    const dpc_report report = {.size = sizeof report, .names = names, .graph = graph};
    char **texts = (char **)&graph;
    assert_int_equal(dpc_report_explain(&report, 1000, &texts, NULL), DPC_OK);
    assert_null(texts);
    dpc_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bound),
        cmocka_unit_test(test_no_result),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
