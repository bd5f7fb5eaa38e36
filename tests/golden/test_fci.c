/*
 * Golden PAGs with the population correlations of the DAGs they come from: FCI finds each of them,
 * those that need Possible-D-SEP with that. All of them are valid, and nothing is left for the
 * rules to do. The folder beside this file has a few PAGs; where ../shared/golden/pag is there, all
 * of that are tried, and the correlations, which are there alone.
 */
#include "dualpc_io.h"
#include "graphs.h"
#include "pag.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#ifndef GOLDEN_DIR
#define GOLDEN_DIR "tests/golden"
#endif

enum { OBSERVATIONS = 100000000, NEED_PDSEP = 3 }; /* the first ones */

static dpc_named_graph *read_pag(const char *folder, int i)
{
    char path[512];
    dpc_named_graph *graph = NULL;
    dpc_error err = {0};
    snprintf(path, sizeof path, "%s/pag/%03d-pag.csv", folder, i);
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return NULL;
    fclose(file);
    if (dpc_graph_read_as(path, DPC_FORMAT_PAG, &graph, &err) != DPC_OK)
        fail_msg("%s", err.message);
    return graph;
}

/* The PAG that FCI finds. */
static dpc_result *learn(const char *folder, int i, int pdsep, int threads)
{
    char path[512];
    dpc_error err = {0};
    dpc_settings settings;
    dpc_table *table = NULL;
    dpc_correlation *correlation = NULL;
    dpc_result *result = NULL;
    dpc_audit audit = {0};
    snprintf(path, sizeof path, "%s/pag/%03d-cor.csv", folder, i);
    dpc_settings_default(&settings);
    settings.latent = DPC_HIDDEN_FCI;
    settings.pdsep = pdsep;
    settings.threads = threads;
    if (dpc_table_read(path, DPC_MISSING_ERROR, &settings, &audit, &table, &err) != DPC_OK ||
        dpc_correlation_from_matrix(table, OBSERVATIONS, &settings, &audit, &correlation, &err) !=
            DPC_OK ||
        dpc_learn(correlation, &settings, &result, &err) != DPC_OK)
        fail_msg("%s: %s", path, err.message);
    dpc_audit_clear(&audit);
    dpc_table_free(table);
    dpc_correlation_free(correlation);
    return result;
}

static bool finds(const char *folder, int i, int pdsep, const dpc_graph *truth)
{
    dpc_result *result = learn(folder, i, pdsep, 1 + i % 2);
    dpc_pag_metrics metrics;
    assert_int_equal(dpc_compare_pags(dpc_result_graph(result), truth, &metrics, NULL), DPC_OK);
    const dpc_info *info = dpc_result_info(result);
    assert_string_equal(info->type, "PAG");
    assert_int_equal(info->pdsep_given_up, 0);
    assert_true(metrics.exact || !info->repaired || pdsep == 0);
    dpc_result_free(result);
    return metrics.exact;
}

static void test_fci(void **state)
{
    (void)state;
    static const char FOLDER[] = "../shared/golden";
    int found = 0;
    for (int i = 0; i < 100; i++) {
        dpc_named_graph *truth = read_pag(FOLDER, i);
        if (truth == NULL)
            continue;
        if (!finds(FOLDER, i, DPC_ALL_PDSEP, &truth->graph))
            fail_msg("%03d is another PAG", i);
        assert_int_equal(finds(FOLDER, i, 0, &truth->graph), i >= NEED_PDSEP);
        dpc_named_graph_free(truth);
        found++;
    }
    assert_true(found == 0 || found == 40);
}

/* A judge who says nothing new: the colliders are those that the marks say. */
static dpc_triple_status by_marks(const void *context, int d, int a, int b, int c)
{
    const dpc_mixed *pag = context;
    (void)d;
    uint8_t left = pag->end[dpc_slot(pag->graph, a, b)];
    uint8_t right = pag->end[dpc_slot(pag->graph, c, b)];
    return left == DPC_END_ARROW && right == DPC_END_ARROW ? DPC_STATUS_COLLIDER
                                                           : DPC_STATUS_NONCOLLIDER;
}

static void try_folder(const char *folder, int *found)
{
    for (int i = 0; i < 100; i++) {
        dpc_named_graph *truth = read_pag(folder, i);
        bool valid = false, repaired = true;
        dpc_graph same = {0}, after = {0};
        dpc_mixed mixed, judge;
        if (truth == NULL)
            continue;
        assert_int_equal(dpc_pag_is_valid(&truth->graph, false, &valid), DPC_OK);
        assert_true(valid);
        assert_int_equal(dpc_pag_repair(&truth->graph, false, &same, &repaired), DPC_OK);
        assert_false(repaired);
        assert_int_equal(dpc_mixed_of(&truth->graph, NULL, &mixed), DPC_OK);
        assert_int_equal(dpc_mixed_of(&truth->graph, NULL, &judge), DPC_OK);
        const dpc_pag_rules rules = {.judge = by_marks, .context = &judge};
        assert_int_equal(dpc_pag_colliders(&rules, &mixed), DPC_OK);
        assert_int_equal(dpc_pag_close(&rules, &mixed), DPC_OK);
        assert_int_equal(dpc_mixed_graph(&mixed, &after), DPC_OK);
        for (int64_t e = 0; e < after.n_edges; e++)
            assert_int_equal(after.edges[e].mark, truth->graph.edges[e].mark);
        dpc_mixed_clear(&mixed);
        dpc_mixed_clear(&judge);
        dpc_graph_clear(&same);
        dpc_graph_clear(&after);
        dpc_named_graph_free(truth);
        ++*found;
    }
}

static void test_fixpoints(void **state)
{
    (void)state;
    int here = 0, there = 0;
    try_folder(GOLDEN_DIR, &here);
    try_folder("../shared/golden", &there);
    assert_int_equal(here, 6);
    assert_true(there == 0 || there == 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fci),
                                       cmocka_unit_test(test_fixpoints)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
