/* The whole way of the library, with faults: see way.h. */
#include "way.h"

#include "failing.h"
#include "inputs.h"
#include "save.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char *const OUTPUTS[] = {"out.txt", "out.csv", "out.dot", "out.json"};
static const dpc_saved_files SAVED = {
    .data = "data.csv.gz",
    .dag = "dag.json",
    .cpdag = "cpdag.csv",
    .pattern = "pattern.txt",
    .skeleton = "skeleton.dot",
    .fd = -1,
};

static dpc_status read_and_learn(const setup *s, dpc_audit *audit, dpc_table **table,
                                 dpc_correlation **c, dpc_result **result, dpc_error *err)
{
    const dpc_read_options how = {.size = sizeof how, .missing = s->missing, .matrix = s->matrix};
    dpc_status status = dpc_data_read(s->data, &how, &s->settings, audit, table, NULL, err);
    if (status == DPC_OK)
        status = s->matrix ? dpc_correlation_from_matrix(*table, 500, &s->settings, audit, c, err)
                           : dpc_correlate(*table, &s->settings, audit, c, err);
    if (status == DPC_OK)
        status = dpc_learn(*c, &s->settings, result, err);
    return status;
}

enum { N_PAIRS = 3 };

/* A few pairs, with an edge and without. */
static dpc_status explain_some(const dpc_result *result, dpc_explanation **out, dpc_error *err)
{
    dpc_status status = DPC_OK;
    for (int i = 0; i < N_PAIRS && status == DPC_OK; i++) {
        const dpc_graph *g = dpc_result_graph(result);
        bool edge = i < 2 && g->n_edges > i;
        const dpc_edge *e = edge ? &g->edges[i * (g->n_edges - 1)] : NULL;
        status = dpc_explain(result, edge ? e->a : 0, edge ? e->b : 6, NULL, NULL, &out[i], err);
        assert_int_equal(out[i] != NULL, status == DPC_OK);
        char *sentences = NULL;
        if (status == DPC_OK)
            status = dpc_explanation_string(result, VARIABLES, out[i], &sentences, NULL, err);
        assert_int_equal(sentences != NULL, status == DPC_OK);
        dpc_string_free(sentences);
    }
    return status;
}

static dpc_status simulate_and_save(const setup *s, dpc_error *err)
{
    dpc_dag *dag = NULL;
    dpc_table *table = NULL;
    dpc_status status = dpc_save_check(&SAVED, err);
    if (status == DPC_OK)
        status = dpc_simulate(s->simulation, &dag, &table, err);
    assert_int_equal(dag != NULL, status == DPC_OK);
    assert_int_equal(table != NULL, status == DPC_OK);
    if (status == DPC_OK)
        status = dpc_save(dag, table, NULL, &SAVED, &s->settings, err);
    dpc_dag_free(dag);
    dpc_table_free(table);
    return status;
}

/* The frequencies, and their consensus. */
static dpc_status resample(const setup *s, const dpc_table *table, dpc_frequencies **out,
                           dpc_graph **graph, dpc_error *err)
{
    dpc_status status = dpc_bootstrap(table, &s->settings, &s->resampling, out, err);
    assert_int_equal(*out != NULL, status == DPC_OK);
    if (status == DPC_OK)
        status = dpc_consensus(*out, 0.3, NULL, NULL, graph, err);
    assert_int_equal(*graph != NULL, status == DPC_OK);
    return status;
}

/* A view of rows of floats, its graph as a matrix and back, and a text. */
static dpc_status stay_in_memory(const setup *s, dpc_error *err)
{
    enum { N_OBS = 40, N_VARS = 6 };
    static float rows[N_OBS][N_VARS];
    uint8_t matrix[N_VARS * N_VARS];
    dpc_table *table = NULL;
    dpc_result *result = NULL;
    dpc_frequencies *frequencies = NULL;
    dpc_graph *graph = NULL;
    char *text = NULL;
    for (int i = 0; i < N_OBS; i++)
        for (int j = 0; j < N_VARS; j++)
            rows[i][j] = (float)((i * (3 + j) * (7 + j)) % 31) + (j > 0 ? rows[i][j - 1] : 0);
    dpc_status status =
        dpc_table_view(rows, DPC_FLOAT, N_OBS, N_VARS, N_VARS, 1, VARIABLES, &table, err);
    assert_int_equal(table != NULL, status == DPC_OK);
    if (status == DPC_OK)
        status = dpc_learn_table(table, &s->settings, NULL, &result, err);
    if (status == DPC_OK)
        status = dpc_bootstrap(table, &s->settings, &s->resampling, &frequencies, err);
    if (status == DPC_OK)
        status = dpc_graph_adjacency(dpc_result_graph(result), matrix, err);
    if (status == DPC_OK)
        status = dpc_graph_from_adjacency(matrix, N_VARS, &graph, err);
    assert_int_equal(graph != NULL, status == DPC_OK);
    if (status == DPC_OK) {
        dpc_report report = {.size = sizeof report,
                             .names = VARIABLES,
                             .result = result,
                             .graph = graph,
                             .frequencies = frequencies};
        status = dpc_write_string(&report, DPC_CONTENT_GRAPH, DPC_FORMAT_JSON, &text, NULL, err);
    }
    assert_int_equal(text != NULL, status == DPC_OK);
    dpc_string_free(text);
    dpc_graph_free(graph);
    dpc_frequencies_free(frequencies);
    dpc_result_free(result);
    dpc_table_free(table);
    return status;
}

/* What the verdict is made of, into the report. */
static dpc_status look_at_rows(const setup *s, const dpc_table *table, dpc_report *report,
                               dpc_error *err)
{
    dpc_assumptions *assumptions = NULL;
    dpc_advice *advice = NULL;
    char *text = NULL;
    dpc_status status = dpc_check_assumptions(table, dpc_result_graph(report->result), &s->settings,
                                              &assumptions, err);
    assert_int_equal(assumptions != NULL, status == DPC_OK);
    if (status == DPC_OK)
        status = dpc_advise(table, report->result, &s->settings, true, &advice, err);
    report->assumptions = assumptions;
    report->advice = advice;
    if (status == DPC_OK)
        status = dpc_write_string(report, DPC_CONTENT_VERDICT, DPC_FORMAT_AUTO, &text, NULL, err);
    assert_int_equal(text != NULL, status == DPC_OK);
    dpc_string_free(text);
    return status;
}

static dpc_status whole_way(const setup *s, dpc_error *err)
{
    if (s->simulation != NULL)
        return simulate_and_save(s, err);
    if (s->in_memory)
        return stay_in_memory(s, err);
    dpc_audit audit = {0};
    dpc_table *table = NULL;
    dpc_correlation *c = NULL;
    dpc_result *result = NULL;
    dpc_frequencies *frequencies = NULL;
    dpc_graph *consensus = NULL, *dag = NULL;
    dpc_knowledge *knowledge = NULL;
    setup with = *s;
    dpc_status status = DPC_OK;
    if (s->knowledge != NULL)
        status = dpc_knowledge_read(s->knowledge, VARIABLES, 12, &knowledge, err);
    assert_int_equal(knowledge != NULL, s->knowledge != NULL && status == DPC_OK);
    with.settings.knowledge = knowledge;
    if (status == DPC_OK)
        status = read_and_learn(&with, &audit, &table, &c, &result, err);
    if (status != DPC_OK)
        assert_null(result);
    dpc_explanation *explanations[N_PAIRS] = {NULL};
    if (status == DPC_OK)
        status = explain_some(result, explanations, err);
    if (status == DPC_OK && s->resampling.resamples > 0)
        status = resample(&with, table, &frequencies, &consensus, err);
    if (status == DPC_OK && s->settings.orient == DPC_CONSISTENT)
        status = dpc_class_member(
            consensus != NULL ? consensus : dpc_result_info(result)->class_graph, &dag, err);
    dpc_goodness *fit = NULL;
    dpc_edge_table *edges = NULL;
    if (status == DPC_OK && s->settings.graph != DPC_SKELETON)
        status = dpc_fit(result, consensus, NULL, NULL, &fit, err);
    if (status == DPC_OK)
        status = dpc_tabulate_edges(result, consensus, frequencies, NULL, NULL, &edges, err);
    assert_int_equal(edges != NULL, status == DPC_OK);
    if (status == DPC_OK) {
        dpc_report report = {.size = sizeof report,
                             .names = dpc_table_about(table).names,
                             .result = result,
                             .graph = consensus,
                             .separating_sets = with.settings.keep_separating_sets,
                             .audit = &audit,
                             .dag = dag,
                             .explanations = explanations,
                             .n_explanations = N_PAIRS,
                             .frequencies = frequencies,
                             .progress = with.settings.progress,
                             .progress_user = with.settings.progress_user,
                             .fit = fit,
                             .edge_table = edges};
        dpc_output outputs[7] = {{.path = "edges.csv", .what = DPC_CONTENT_EDGE_TABLE}};
        int count = 1;
        for (int i = 0; i < 4; i++)
            outputs[count++].path = OUTPUTS[i];
        if (dag != NULL)
            outputs[count++] = (dpc_output){.path = "dag.csv", .what = DPC_CONTENT_DAG};
        if (frequencies != NULL)
            outputs[count++] =
                (dpc_output){.path = "frequencies.csv", .what = DPC_CONTENT_FREQUENCIES};
        if (s->advise)
            status = look_at_rows(&with, table, &report, err);
        if (status == DPC_OK)
            status = dpc_write(&report, outputs, count, err);
        dpc_assumptions_free((dpc_assumptions *)(uintptr_t)report.assumptions);
        dpc_advice_free((dpc_advice *)(uintptr_t)report.advice);
    }
    for (int i = 0; i < N_PAIRS; i++)
        dpc_explanation_free(explanations[i]);
    dpc_goodness_free(fit);
    dpc_edge_table_free(edges);
    dpc_graph_free(consensus);
    dpc_graph_free(dag);
    dpc_frequencies_free(frequencies);
    dpc_result_free(result);
    dpc_correlation_free(c);
    dpc_table_free(table);
    dpc_audit_clear(&audit);
    dpc_knowledge_free(knowledge);
    return status;
}

static void remove_outputs(void)
{
    const char *const others[] = {"dag.csv", "frequencies.csv", "edges.csv",   SAVED.data,
                                  SAVED.dag, SAVED.cpdag,       SAVED.pattern, SAVED.skeleton};
    for (int i = 0; i < 4; i++)
        unlink(OUTPUTS[i]);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        unlink(others[i]);
}

static bool fresh; /* the outputs are not there yet; otherwise they are replaced */

/* True: it did run out of memory. */
static bool run_with_failures(const setup *s, long k, bool again)
{
    dpc_error err = {0};
    if (fresh)
        remove_outputs();
    int before = entries();
    counts->calls = live = 0;
    fail_at = k;
    repeatedly = again;
    dpc_status status = whole_way(s, &err);
    fail_at = 0;
    if (status != DPC_OK && status != DPC_NO_MEMORY)
        fail_msg("%s, allocation %ld: status %d, %s", s->data, k, (int)status, err.message);
    if (status == DPC_NO_MEMORY)
        assert_non_null(strstr(err.message, "memory"));
    if (live != 0)
        fail_msg("%s, allocation %ld: %ld blocks leaked", s->data, k, live);
    if (status != DPC_OK && entries() != before)
        fail_msg("%s, allocation %ld: files were left behind", s->data, k);
    return status == DPC_NO_MEMORY;
}

void try_all(const setup *s)
{
    static int turn;
    dpc_error err = {0};
    fresh = turn++ % 2 == 1;
    long all = 0;
    for (int i = 0; i < 2; i++) { /* when it is counted the outputs are there, or they are not */
        if (fresh)
            remove_outputs();
        counts->calls = 0;
        if (whole_way(s, &err) != DPC_OK)
            fail_msg("%s: %s", s->data, err.message);
        all = counts->calls;
    }
    assert_true(all > 50);
    long failed = 0;
    for (long k = 1; k <= all; k++)
        failed += run_with_failures(s, k, false);
    assert_true(failed >= all - 1); /* giving memory back may fail without harm */
    for (long k = 1; k <= all; k = k < 20 ? k + 1 : k * 3 / 2)
        run_with_failures(s, k, true);
}

int way_leave(void **state)
{
    remove_outputs();
    return inputs_leave(state);
}
