/* What follows from a graph, with every allocation failing in turn. */
#include "dualpc_io.h"
#include "failing.h"
#include "inputs.h"
#include "table.h"
#include "tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Graphs of all kinds, their questions, distances and effects, in memory and in files. */
static dpc_status ask_graphs(const dpc_table *table, const dpc_graph *graph, bool extend,
                             bool files, dpc_error *err)
{
    dpc_settings settings;
    dpc_resampling how = {2, 1, 0};
    dpc_causal *causal = NULL;
    dpc_correlation *c = NULL;
    dpc_effect_table *effects = NULL;
    dpc_effect_resamples *resamples = NULL;
    dpc_frequencies *frequencies = NULL;
    dpc_aid aid;
    dpc_settings_default(&settings);
    settings.threads = 1;
    dpc_status status = dpc_causal_new(graph, VARIABLES, extend, &causal, err);
    assert_int_equal(causal != NULL, status == DPC_OK);
    if (status == DPC_OK)
        status = dpc_distances(causal, causal, DPC_AID_ALL, &settings, &aid, err);
    if (status == DPC_OK)
        status = dpc_correlate(table, &settings, NULL, &c, err);
    for (dpc_ida ida = DPC_IDA_LOCAL; ida <= DPC_IDA_PCALG && status == DPC_OK; ida++) {
        dpc_effect_query query = {.ida = ida};
        if (ida == DPC_IDA_LOCAL)
            status = dpc_bootstrap_effects(table, &settings, &how, &query, &frequencies, &resamples,
                                           err);
        assert_int_equal(resamples != NULL, ida != DPC_IDA_LOCAL || status == DPC_OK);
        query.resamples = ida == DPC_IDA_LOCAL ? resamples : NULL;
        query.top = ida == DPC_IDA_LOCAL ? 2 : 0;
        if (status == DPC_OK)
            status = dpc_effects(c, causal, &query, &settings, &effects, err);
        assert_int_equal(effects != NULL, status == DPC_OK);
        if (status == DPC_OK && files) {
            const dpc_output outputs[] = {{.path = "effects.csv", .what = DPC_CONTENT_EFFECTS},
                                          {.path = "effects.json", .what = DPC_CONTENT_EFFECTS},
                                          {.path = "effects.txt", .what = DPC_CONTENT_EFFECTS}};
            const dpc_report report = {.size = sizeof report,
                                       .names = VARIABLES,
                                       .graph = graph,
                                       .effects = effects,
                                       .table = table};
            status = dpc_write(&report, outputs, 3, err);
        }
        dpc_effect_table_free(effects);
        effects = NULL;
    }
    if (status == DPC_OK && files) {
        const dpc_report report = {.size = sizeof report,
                                   .names = VARIABLES,
                                   .graph = graph,
                                   .truth = dpc_causal_about(causal).graph};
        const dpc_output output = {.path = "differences.csv", .what = DPC_CONTENT_DIFFERENCES};
        status = dpc_write(&report, &output, 1, err);
    }
    dpc_effect_resamples_free(resamples);
    dpc_frequencies_free(frequencies);
    dpc_correlation_free(c);
    dpc_causal_free(causal);
    return status;
}

/* Two of the columns cut into three levels and two. */
static void cut_columns(dpc_table *table)
{
    dpc_error err = {0};
    for (int v = 1; v < 3; v++) {
        double *x = table->values + v * table->n_obs;
        for (int64_t i = 0; i < table->n_obs; i++)
            x[i] = v == 1 ? (x[i] > -0.5) + (x[i] > 0.5) : x[i] > 0;
        assert_int_equal(dpc_table_set_kind(table, v, DPC_NOMINAL, 4 - v, NULL, &err), DPC_OK);
    }
}

static void fail_effects(bool categories)
{
    static const struct {
        dpc_edge edges[6];
        int count;
        bool extend;
    } graphs[] = {
        {{{0, 1, DPC_UNDIRECTED},
          {1, 2, DPC_UNDIRECTED},
          {1, 3, DPC_UNDIRECTED},
          {4, 5, DPC_FORWARD},
          {6, 5, DPC_FORWARD}},
         5,
         false},
        {{{0, 1, DPC_FORWARD}, {0, 2, DPC_UNDIRECTED}, {1, 2, DPC_UNDIRECTED}}, 3, false},
        {{{0, 1, DPC_FORWARD}, {1, 2, DPC_UNDIRECTED}}, 2, true},
        {{{0, 1, DPC_UNDIRECTED},
          {1, 2, DPC_UNDIRECTED},
          {2, 3, DPC_UNDIRECTED},
          {0, 3, DPC_UNDIRECTED},
          {3, 4, DPC_FORWARD}},
         5,
         true},
        {{{0, 1, DPC_FORWARD}, {1, 2, DPC_FORWARD}, {2, 0, DPC_FORWARD}}, 3, true},
    };
    dpc_table *table = simulated_table(12, 40, 3);
    if (categories)
        cut_columns(table);
    int before = entries();
    for (size_t i = 0; i < sizeof graphs / sizeof *graphs; i++) {
        dpc_graph *graph = NULL;
        dpc_error err = {0};
        fail_at = 0;
        assert_int_equal(dpc_graph_new(12, graphs[i].edges, graphs[i].count, &graph, &err), DPC_OK);
        counts->calls = live = 0;
        if (ask_graphs(table, graph, graphs[i].extend, i == 1, &err) != DPC_OK)
            fail_msg("graph %zu: %s", i, err.message);
        assert_int_equal(live, 0);
        long all = counts->calls, failures = 0;
        for (long k = 1; k <= all; k++) {
            counts->calls = live = 0;
            fail_at = k;
            repeatedly = k % 2 == 0;
            dpc_status status = ask_graphs(table, graph, graphs[i].extend, i == 1, &err);
            fail_at = 0;
            if ((status != DPC_NO_MEMORY && status != DPC_OK) || live != 0)
                fail_msg("graph %zu, allocation %ld: status %d, %ld blocks leaked", i, k,
                         (int)status, live);
            failures += status != DPC_OK;
        }
        assert_true(failures > all * 9 / 10); /* few can be done without */
        dpc_graph_free(graph);
    }
    remove("effects.csv");
    remove("effects.json");
    remove("effects.txt");
    remove("differences.csv");
    assert_int_equal(entries(), before);
    dpc_table_free(table);
}

static void test_fault_effects(void **state)
{
    (void)state;
    fail_effects(false);
}

static void test_fault_effects_of_categories(void **state)
{
    (void)state;
    fail_effects(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fault_effects),
        cmocka_unit_test(test_fault_effects_of_categories),
    };
    return cmocka_run_group_tests(tests, inputs_enter, inputs_leave);
}
