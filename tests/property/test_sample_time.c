/*
 * Sampling that ends before it is done: when the time is up, and when the caller asks to stop, at
 * any moment. The clock is that of hasty.c: a second passes between any two looks at it.
 */
#include "dualpc_sample.h"
#include "repeat.h"
#include "tables.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Has every chain as many draws, and does all that is said of them fit? */
static void check_whole(const dpc_posterior *p)
{
    dpc_error err;
    assert_true(p->draws >= 1 && p->chains == 4);
    for (int c = 0; c < p->chains; c++)
        for (int d = 0; d < p->draws; d++) {
            dpc_graph *graph = NULL;
            assert_true(isfinite(p->scores[c * p->draws + d]));
            assert_int_equal(dpc_posterior_draw(p, c, d, &graph, &err), DPC_OK);
            assert_int_equal(graph->n_edges, p->n_edges[c * p->draws + d]);
            dpc_graph_free(graph);
        }
    assert_int_equal(p->frequencies->resamples, p->chains * p->draws);
    assert_int_equal(p->frequencies->complete, p->complete);
    for (int64_t i = 0; i < p->n_pairs; i++)
        assert_true(p->pairs[i].forward + p->pairs[i].backward <= 1 + 1e-12);
}

static dpc_sampling sampling_for(int candidates)
{
    dpc_sampling s;
    dpc_sampling_default(&s);
    s.candidates = candidates;
    s.resamples = 4;
    s.draws = 60;
    return s;
}

static void test_timeout(void **state)
{
    (void)state;
    dpc_table *table = simulated_table(9, 60, 8);
    int cut = 0, whole = 0;
    double timeouts[] = {1e-9, 20, 300, 3000, 10000, 30000, 100000, 300000, 1e7};
    for (int i = 0; i < 9; i++)
        for (int threads = 1; threads <= 2; threads++) {
            dpc_settings settings = plain_settings();
            dpc_sampling s = sampling_for(threads == 1 ? 4 : 12);
            dpc_posterior *p = NULL;
            dpc_error err;
            settings.timeout = timeouts[i];
            settings.threads = threads;
            assert_int_equal(dpc_sample(table, &settings, &s, NULL, &p, &err), DPC_OK);
            check_whole(p);
            assert_true(p->complete || timeouts[i] < 1e7);
            assert_true(!p->complete || p->draws == 60);
            cut += p->draws < 60;
            whole += p->complete;
            dpc_posterior_free(p);
        }
    assert_true(cut >= 4 && whole >= 2);
    dpc_table_free(table);
}

struct caller {
    int64_t looks, last;
    int sampling; /* looks at the stage of sampling */
    double fraction;
};

static int call_off(const dpc_progress *progress, void *user)
{
    struct caller *c = user;
    assert_true(progress->fraction >= 0 && progress->fraction <= 1);
    if (progress->stage == DPC_STAGE_SAMPLE) {
        assert_true(progress->fraction >= c->fraction);
        assert_true(progress->draws_done <= progress->draws);
        c->fraction = progress->fraction;
        c->sampling++;
    }
    return c->looks++ >= c->last;
}

static void test_called_off(void **state)
{
    (void)state;
    dpc_table *table = simulated_table(15, 60, 8);
    int with = 0, without = 0;
    dpc_settings settings = plain_settings();
    dpc_sampling s = sampling_for(4);
    s.draws = 200;
    struct caller all = {.last = INT64_MAX};
    dpc_posterior *p = NULL;
    dpc_error err;
    settings.progress = call_off;
    settings.progress_user = &all;
    assert_int_equal(dpc_sample(table, &settings, &s, NULL, &p, &err), DPC_OK);
    assert_true(p->complete && all.sampling > 100);
    dpc_posterior_free(p);
    int moments = repeats(40);
    for (int i = 0; i < moments; i++) {
        struct caller c = {.last = all.looks * i / moments};
        settings.progress_user = &c;
        settings.threads = 1 + i % 2;
        p = NULL;
        dpc_status status = dpc_sample(table, &settings, &s, NULL, &p, &err);
        assert_true(status == DPC_INTERRUPTED || (settings.threads == 2 && status == DPC_OK));
        if (p != NULL) {
            check_whole(p);
            assert_int_equal(p->complete, status == DPC_OK);
        }
        with += p != NULL;
        without += p == NULL;
        dpc_posterior_free(p);
    }
    assert_true(with >= share(8) && without >= share(4));
    dpc_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_timeout),
        cmocka_unit_test(test_called_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
