/* Sampling a posterior, with every allocation failing in turn. */
#include "dualpc_sample.h"
#include "failing.h"
#include "table.h"
#include "tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* What a run asks for. */
struct asked {
    const dpc_table *table;
    int candidates;
    bool matrix;
    const dpc_knowledge *knowledge;
};

static dpc_status sample(const struct asked *asked, double *score, dpc_error *err)
{
    const int32_t cause[] = {0};
    dpc_settings settings;
    dpc_sampling s;
    dpc_correlation *c = NULL;
    dpc_posterior *p = NULL;
    dpc_graph *graph = NULL, *draw = NULL;
    dpc_settings_default(&settings);
    settings.threads = 1;
    settings.knowledge = asked->knowledge;
    dpc_sampling_default(&s);
    s.candidates = asked->candidates;
    s.resamples = 1;
    s.chains = 2;
    s.draws = 2;
    s.n_causes = 1;
    s.causes = cause;
    dpc_status status = DPC_OK;
    if (asked->matrix)
        status = dpc_correlate(asked->table, &settings, NULL, &c, err);
    if (status == DPC_OK)
        status = asked->matrix ? dpc_sample_correlation(c, &settings, &s, &p, err)
                               : dpc_sample(asked->table, &settings, &s, NULL, &p, err);
    assert_int_equal(p != NULL, status == DPC_OK);
    if (status == DPC_OK)
        status = dpc_posterior_draw(p, 1, 1, &draw, err);
    if (status == DPC_OK)
        status = dpc_posterior_graph(p, 0.5, &graph, err);
    assert_int_equal(graph != NULL, status == DPC_OK);
    if (status == DPC_OK)
        *score = p->scores[3];
    dpc_graph_free(draw);
    dpc_graph_free(graph);
    dpc_posterior_free(p);
    dpc_correlation_free(c);
    return status;
}

static void try_all(const struct asked *asked)
{
    dpc_error err = {0};
    double wanted = 1, score = 1;
    counts->calls = live = 0;
    fail_at = 0;
    repeatedly = false;
    if (sample(asked, &wanted, &err) != DPC_OK)
        fail_msg("%s", err.message);
    assert_int_equal(live, 0);
    long all = counts->calls;
    assert_true(all > 20);
    for (long at = 1; at <= all; at++) {
        counts->calls = live = 0;
        fail_at = at;
        dpc_status status = sample(asked, &score, &err);
        fail_at = 0;
        assert_int_equal(live, 0);
        if (status == DPC_OK)
            assert_true(score == wanted);
        else
            assert_int_equal(status, DPC_NO_MEMORY);
    }
}

static void test_small(void **state)
{
    (void)state;
    dpc_table *table = simulated_table(4, 40, 3);
    dpc_knowledge *knowledge = NULL;
    dpc_error err;
    try_all(&(struct asked){.table = table, .candidates = 3});
    assert_int_equal(dpc_knowledge_new(4, &knowledge, &err), DPC_OK);
    assert_int_equal(dpc_knowledge_require(knowledge, 0, 1, &err), DPC_OK);
    try_all(&(struct asked){.table = table, .candidates = 3, .knowledge = knowledge});
    dpc_knowledge_free(knowledge);
    dpc_table_free(table);
}

static void test_chosen(void **state)
{
    (void)state;
    dpc_table *table = simulated_table(6, 40, 3);
    try_all(&(struct asked){.table = table, .candidates = 2});
    try_all(&(struct asked){.table = table, .candidates = 2, .matrix = true});
    dpc_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small),
        cmocka_unit_test(test_chosen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
