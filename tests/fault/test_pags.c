/* PAGs learned, mended and asked, with every allocation failing in turn. */
#include "dualpc_io.h"
#include "failing.h"
#include "inputs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* By one of the ways, with a required edge or not. */
typedef struct setup {
    dpc_settings settings;
    bool known;
} setup;

/* Why the pair is joined, or not; and how often, in resamples. */
static dpc_status ask_result(const dpc_table *table, const dpc_settings *settings,
                             const dpc_result *result, dpc_error *err)
{
    dpc_explanation *why = NULL;
    dpc_edge_table *edges = NULL;
    dpc_frequencies *often = NULL;
    char *text = NULL;
    const dpc_resampling two = {.resamples = 2, .seed = 1};
    dpc_status status = dpc_explain(result, 0, 2, NULL, NULL, &why, err);
    if (status == DPC_OK)
        status = dpc_explanation_string(result, VARIABLES, why, &text, NULL, err);
    if (status == DPC_OK)
        status = dpc_tabulate_edges(result, NULL, NULL, NULL, NULL, &edges, err);
    if (status == DPC_OK)
        status = dpc_bootstrap(table, settings, &two, &often, err);
    assert_int_equal(often != NULL, status == DPC_OK);
    free(text);
    dpc_frequencies_free(often);
    dpc_edge_table_free(edges);
    dpc_explanation_free(why);
    return status;
}

static dpc_status learn(const setup *s, int *edges, dpc_error *err)
{
    enum { N_OBS = 60, N_VARS = 7 };
    static double rows[N_OBS][N_VARS];
    dpc_settings settings = s->settings;
    dpc_table *table = NULL;
    dpc_result *result = NULL;
    dpc_knowledge *known = NULL;
    for (int i = 0; i < N_OBS; i++)
        for (int j = 0; j < N_VARS; j++)
            rows[i][j] =
                (double)((i * (3 + j) * (7 + j)) % 31) + (j > 1 ? 0.8 * rows[i][j - 2] : 0);
    dpc_status status =
        dpc_table_view(rows, DPC_DOUBLE, N_OBS, N_VARS, N_VARS, 1, VARIABLES, &table, err);
    if (status == DPC_OK && s->known)
        status = dpc_knowledge_new(N_VARS, &known, err);
    if (status == DPC_OK && s->known)
        status = dpc_knowledge_require(known, 0, 5, err);
    settings.knowledge = known;
    if (status == DPC_OK)
        status = dpc_learn_table(table, &settings, NULL, &result, err);
    if (status == DPC_OK)
        *edges = (int)dpc_result_graph(result)->n_edges;
    if (status == DPC_OK)
        status = ask_result(table, &settings, result, err);
    dpc_result_free(result);
    dpc_knowledge_free(known);
    dpc_table_free(table);
    return status;
}

static void test_learning(void **state)
{
    (void)state;
    for (int i = 0; i < 6; i++) {
        setup s = {.known = i % 2 == 1};
        dpc_error err = {0};
        int edges = 0;
        dpc_settings_default(&s.settings);
        s.settings.threads = 1;
        s.settings.latent = i < 3 ? DPC_HIDDEN_FCI : i == 3 ? DPC_HIDDEN_DAG : DPC_HIDDEN_SEARCH;
        s.settings.pdsep = i < 2 ? DPC_ALL_PDSEP : 0;
        s.settings.selection = i == 2;
        counts->calls = live = 0;
        if (learn(&s, &edges, &err) != DPC_OK)
            fail_msg("%s", err.message);
        assert_true(edges > 2);
        assert_int_equal(live, 0);
        long all = counts->calls;
        for (fail_at = 1; fail_at <= all; fail_at++) {
            counts->calls = live = 0;
            repeatedly = false;
            dpc_status status = learn(&s, &edges, &err);
            if ((status != DPC_NO_MEMORY && status != DPC_OK) || live != 0)
                fail_msg("%d, allocation %ld: status %d, %ld blocks leaked", i, fail_at,
                         (int)status, live);
        }
        fail_at = 0;
    }
}

/* A PAG, or what is none and is mended. */
static dpc_status ask(const dpc_graph *graph, dpc_error *err)
{
    dpc_causal *causal = NULL;
    bool separated;
    dpc_status status = dpc_causal_new(graph, NULL, true, &causal, err);
    assert_int_equal(causal != NULL, status == DPC_OK);
    if (status == DPC_OK)
        status = dpc_separated(causal, 0, 1, NULL, 0, &separated, NULL, NULL, err);
    dpc_causal_free(causal);
    return status;
}

static void test_asking(void **state)
{
    (void)state;
    dpc_edge edges[][4] = {{{0, 2, DPC_CIRCLE_ARROW},
                            {1, 2, DPC_CIRCLE_ARROW},
                            {2, 3, DPC_FORWARD},
                            {3, 4, DPC_FORWARD}},
                           {{0, 1, DPC_BIDIRECTED},
                            {0, 2, DPC_FORWARD},
                            {1, 3, DPC_CIRCLES},
                            {3, 4, DPC_TAIL_CIRCLE}}};
    for (int i = 0; i < 2; i++) {
        dpc_graph graph = {5, 4, edges[i]};
        dpc_error err = {0};
        counts->calls = live = 0;
        if (ask(&graph, &err) != DPC_OK)
            fail_msg("%s", err.message);
        assert_int_equal(live, 0);
        long all = counts->calls;
        assert_true(all > 20);
        for (fail_at = 1; fail_at <= all; fail_at++) {
            counts->calls = live = 0;
            repeatedly = false;
            dpc_status status = ask(&graph, &err);
            if (status != DPC_NO_MEMORY || live != 0)
                fail_msg("%d, allocation %ld: status %d, %ld blocks leaked", i, fail_at,
                         (int)status, live);
            assert_non_null(strstr(err.message, "memory"));
        }
        fail_at = 0;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_learning),
                                       cmocka_unit_test(test_asking)};
    return cmocka_run_group_tests(tests, inputs_enter, inputs_leave);
}
