/* The weights of triples with every allocation failing in turn. */
#include "cases.h"
#include "evidence.h"
#include "failing.h"
#include "settings.h"
#include "skeleton.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Has the set of the pair x, z been found in a list that y was not in any more? */
static bool unlisted(const dpc_sepsets *sets, int x, int y, int z)
{
    dpc_separation found = dpc_sepsets_find(sets, x, z);
    return found.record != NULL && dpc_record_is_complement(found.record, found.batch) &&
           dpc_slot(found.batch->graph, dpc_record_from(found.record), y) < 0;
}

static bool any_unlisted(const dpc_unoriented *task)
{
    const dpc_adjacency *g = task->skeleton;
    for (int y = 0; y < g->n; y++)
        for (int64_t ex = g->start[y]; ex < g->start[y + 1]; ex++)
            for (int64_t ez = ex + 1; ez < g->start[y + 1]; ez++)
                if (dpc_slot(g, g->node[ex], g->node[ez]) < 0 &&
                    unlisted(task->sepsets, g->node[ex], y, g->node[ez]))
                    return true;
    return false;
}

/* With every allocation failing in turn, the weights are right or there are none. */
static void try_evidence(const dpc_unoriented *task)
{
    dpc_triples right, tried;
    dpc_error err = {0};
    assert_int_equal(dpc_triples_init(task->skeleton, NULL, &right), DPC_OK);
    counts->calls = 0;
    assert_int_equal(dpc_weigh_evidence(task, &right, &err), DPC_OK);
    long all = counts->calls;
    for (long k = 1; k <= all; k++) {
        assert_int_equal(dpc_triples_init(task->skeleton, NULL, &tried), DPC_OK);
        long before = live;
        counts->calls = 0;
        fail_at = k;
        dpc_status status = dpc_weigh_evidence(task, &tried, &err);
        fail_at = 0;
        assert_int_equal(live, before);
        if (status != DPC_NO_MEMORY)
            fail_msg("allocation %ld of %ld failed, and the status is %d", k, all, (int)status);
        dpc_triples_clear(&tried);
    }
    dpc_triples_clear(&right);
}

/* The AND rule makes sets that cannot be changed by the short way, which takes memory of its own.
 */
static void test_fault_evidence(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20240607);
    int tried = 0;
    repeatedly = false;
    for (int number = 0; number < 60; number++) {
        struct sample_model model = {.n = 20, .n_obs = 500, .parents = 4};
        struct sample sample = sample_draw(&model, rng);
        const dpc_labels given = {0};
        dpc_view view = dpc_view_of(&sample.correlation, &given);
        dpc_adjacency *skeleton = NULL;
        dpc_sepsets *sepsets = NULL;
        dpc_info info = {0};
        dpc_settings settings;
        dpc_settings_default(&settings);
        settings.threads = 1;
        settings.rule = DPC_RULE_AND;
        settings.alpha = 0.4;
        dpc_settings_resolve(&settings);
        assert_int_equal(
            dpc_skeleton(&view, NULL, NULL, &settings, NULL, &skeleton, &sepsets, &info, NULL),
            DPC_OK);
        dpc_unoriented task = {
            .view = &view, .skeleton = skeleton, .sepsets = sepsets, .settings = &settings};
        if (any_unlisted(&task)) {
            try_evidence(&task);
            tried++;
        }
        free(info.levels);
        dpc_sepsets_free(sepsets);
        dpc_adjacency_free(skeleton);
        sample_free(&sample);
    }
    gsl_rng_free(rng);
    assert_true(tried >= 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fault_evidence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
