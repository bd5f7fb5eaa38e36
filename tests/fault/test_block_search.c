/* Searches by the score of blocks of columns, with every allocation failing in turn. */
#include "block_scene.h"
#include "failing.h"
#include "refine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { GES = DPC_REFINE_NONE };

/* GES and what it says of a pair; or a refinement from no edges. */
static dpc_status search(const dpc_correlation *c, int how, int64_t *edges, dpc_error *err)
{
    dpc_settings settings;
    dpc_graph graph = {0};
    dpc_refined refined = {0};
    dpc_result *result = NULL;
    dpc_explanation *explanation = NULL;
    dpc_settings_default(&settings);
    settings.threads = 1;
    settings.method = DPC_GES;
    if (how == GES) {
        dpc_status status = dpc_learn(c, &settings, &result, err);
        if (status == DPC_OK)
            status = dpc_explain(result, 0, 1, NULL, NULL, &explanation, err);
        if (status == DPC_OK)
            *edges = dpc_result_graph(result)->n_edges;
        dpc_explanation_free(explanation);
        dpc_result_free(result);
        return status;
    }
    const dpc_labels labels = {0};
    const dpc_view view = dpc_view_of(c, &labels);
    dpc_graph start = {.n_nodes = c->n_vars};
    dpc_refine_plan plan = {
        .how = (dpc_refinement)how, .restarts = 2, .seed = 1, .memory = 1e9, .correlation = c};
    dpc_status status = dpc_refine(&view, NULL, &settings, &plan, &start, &graph, &refined, err);
    if (status == DPC_OK)
        *edges = graph.n_edges;
    dpc_refined_clear(&refined);
    dpc_graph_clear(&graph);
    return status;
}

static void try_search(const dpc_correlation *c, int how)
{
    dpc_error err = {0};
    int64_t edges = -1, wanted = -1;
    counts->calls = live = 0;
    repeatedly = false;
    if (search(c, how, &wanted, &err) != DPC_OK)
        fail_msg("%s", err.message);
    assert_true(wanted > 0);
    assert_int_equal(live, 0);
    long all = counts->calls;
    assert_true(all > 40);
    for (fail_at = 1; fail_at <= all; fail_at += 1 + all / 700) {
        counts->calls = live = 0;
        edges = -7;
        dpc_status status = search(c, how, &edges, &err);
        bool fine = status == DPC_OK ? edges == wanted : status == DPC_NO_MEMORY && edges == -7;
        if (!fine || live != 0)
            fail_msg("search %d, allocation %ld: status %d, %ld blocks leaked", how, fail_at,
                     (int)status, live);
        assert_true(status == DPC_OK || strstr(err.message, "memory") != NULL);
    }
    fail_at = 0;
}

static void test_fault_blocks(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20280201);
    for (int few = 0; few < 2; few++) {
        struct block_model model = {
            .n = few ? 5 : 16, .n_obs = 400, .parents = 1.5, .widest = 3, .nominal = true};
        struct block_sample sample = block_sample_draw(&model, rng);
        for (int how = GES; how <= (few ? DPC_REFINE_EXACT : DPC_REFINE_FULL); how++)
            try_search(&sample.correlation, how);
        block_sample_free(&sample);
    }
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fault_blocks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
