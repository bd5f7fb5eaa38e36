/*
 * The evidence for colliders (docs/algorithm.md, section 14) against a slow twin: every partial
 * correlation there is an elimination of its own, in long double.
 */
#include "cases.h"
#include "evidence.h"
#include "oriented.h"
#include "repeat.h"
#include "settings.h"
#include "skeleton.h"
#include "twin.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MAX_NODES = 60, N_WEIGHED = 150, N_AND = 100 };

static void ok_or_fail(dpc_status status, const dpc_error *err)
{
    if (status != DPC_OK)
        fail_msg("%s", err->message);
}

static dpc_settings draw_settings(gsl_rng *rng)
{
    dpc_settings s;
    dpc_settings_default(&s);
    s.alpha = draw_log(rng, 0.001, 0.2);
    s.min_ess = draw_int(rng, 0, 1) ? 30 : 3;
    s.method = (dpc_method)draw_int(rng, 0, 2);
    s.variant = (dpc_variant)draw_int(rng, 0, 1);
    s.order = DPC_ORDER_GIVEN;
    s.threads = draw_int(rng, 1, 2);
    dpc_settings_resolve(&s);
    return s;
}

/* L given the set, with y added (1), taken away (-1), or left as it is (0). */
static long double slow_loudness(const dpc_correlation *c, int x, int z, const int32_t *set,
                                 int size, int y, int change)
{
    int32_t given[MAX_NODES], middle[] = {y};
    int64_t n_obs = slow_rows(c, x, z, middle, 1);
    int count = 0;
    for (int i = 0; i < size; i++)
        if (change == 0 || set[i] != y)
            given[count++] = set[i];
    if (change > 0)
        given[count++] = y;
    long double r = slow_partial(c, x, z, given, count);
    if (n_obs - count - 3 < 1)
        return NAN;
    return log1pl(sqrtl((long double)(n_obs - count - 3)) * atanhl(fabsl(r)));
}

/* 0 where one of the two tests cannot be made. */
static long double bracket(long double with, long double without)
{
    return isnan(with - without) ? 0 : with - without;
}

static long double slow_weight(const dpc_correlation *c, const dpc_settings *settings,
                               const dpc_sepset *set, const int32_t *members, int x, int y, int z)
{
    int32_t rest[MAX_NODES];
    int others = 0;
    double q = atanh(fabs(c->r[(int64_t)x * c->n_vars + z])) *
               sqrt((double)(slow_rows(c, x, z, NULL, 0) - 3));
    bool marginal = erfc(q / sqrt(2)) >= settings->alpha, inside = false;
    long double w = 0;
    for (int v = 0; v < c->n_vars; v++)
        if (v != x && v != z)
            rest[others++] = v;
    for (int i = 0; i < set->size; i++)
        inside = inside || members[i] == y;
    if (set->kind == DPC_SEP_MARGINAL)
        w = 2;
    else if (set->kind == DPC_SEP_FULL_ORDER)
        w = marginal ? 1 : -1.5L;
    else
        w = (inside ? 0 : 0.75L) + bracket(slow_loudness(c, x, z, members, set->size, y, 1),
                                           slow_loudness(c, x, z, members, set->size, y, -1)) /
                                       3;
    w += bracket(slow_loudness(c, x, z, NULL, 0, y, 1), slow_loudness(c, x, z, NULL, 0, y, 0));
    if (settings->method != DPC_CLASSIC &&
        (double)(slow_rows(c, x, z, rest, others) - (c->n_vars - 2) - 3) >= settings->min_ess)
        w += bracket(slow_loudness(c, x, z, rest, others, y, 0),
                     slow_loudness(c, x, z, rest, others, y, -1)) /
             2;
    return w;
}

/* What was compared. */
struct tally {
    int64_t triples, kinds[DPC_SEP_DUAL + 1];
    int64_t unlisted; /* y was not among the neighbours whose complement the set is */
};

/* Is the set a complement in the neighbours of an end that did not list y any more? */
static bool unlisted(const dpc_sepsets *sets, int x, int y, int z)
{
    dpc_separation found = dpc_sepsets_find(sets, x, z);
    return found.record != NULL && dpc_record_is_complement(found.record, found.batch) &&
           dpc_slot(found.batch->graph, dpc_record_from(found.record), y) < 0;
}

/* Compares all weights of a skeleton. */
static void check_weights(const dpc_unoriented *task, const dpc_correlation *c, struct tally *tally)
{
    dpc_triples triples;
    dpc_error err = {0};
    int64_t entry = 0;
    const dpc_adjacency *g = task->skeleton;
    assert_int_equal(dpc_triples_init(g, task->known, &triples), DPC_OK);
    ok_or_fail(dpc_weigh_evidence(task, &triples, &err), &err);
    for (int y = 0; y < g->n; y++)
        for (int64_t ex = g->start[y]; ex < g->start[y + 1]; ex++)
            for (int64_t ez = ex + 1; ez < g->start[y + 1]; ez++, entry++) {
                int x = g->node[ex], z = g->node[ez];
                int32_t members[MAX_NODES];
                dpc_sepset set;
                assert_int_equal(triples.mark[entry] == DPC_SHIELDED, dpc_slot(g, x, z) >= 0);
                if (triples.mark[entry] == DPC_SHIELDED)
                    continue;
                dpc_sepsets_tell(task->sepsets, task->view, task->settings->test, x, z, &set,
                                 members);
                long double slow = slow_weight(c, task->settings, &set, members, x, y, z);
                double fast = (double)triples.weight[entry] / DPC_WEIGHT_ONE;
                if (!(fabsl(slow - fast) <= 2e-6L))
                    fail_msg("the evidence for %d, %d, %d, separated by kind %d, is %.9g, not %.9g",
                             x, y, z, (int)set.kind, fast, (double)slow);
                tally->kinds[set.kind]++;
                tally->triples++;
                tally->unlisted += unlisted(task->sepsets, x, y, z);
            }
    dpc_triples_clear(&triples);
}

static struct tally weigh_samples(int samples, dpc_rule rule, uint64_t seed)
{
    gsl_rng *rng = seeded(seed);
    struct tally tally = {0};
    for (int number = 0; number < samples; number++) {
        struct sample_model model = {.n = draw_int(rng, 3, 40),
                                     .n_obs = (int64_t)draw_log(rng, 60, 2000),
                                     .parents = 3 * gsl_rng_uniform(rng)};
        dpc_settings settings = draw_settings(rng);
        settings.rule = rule;
        if (rule == DPC_RULE_AND) { /* denser, for lists that differ */
            model.parents += 2;
            model.n_obs = draw_int(rng, 200, 1000);
            settings.alpha = draw_log(rng, 0.2, 0.6);
            settings.method = DPC_DUAL;
            settings.variant = (dpc_variant)(number % 4 == 0);
        }
        model.holes = number % 3 == 1;
        struct sample sample = sample_draw(&model, rng);
        dpc_adjacency *skeleton = NULL;
        dpc_sepsets *sepsets = NULL;
        dpc_info info = {0};
        dpc_error err = {0};
        const dpc_labels given = {0};
        dpc_view view = dpc_view_of(&sample.correlation, &given);
        ok_or_fail(
            dpc_skeleton(&view, NULL, NULL, &settings, NULL, &skeleton, &sepsets, &info, &err),
            &err);
        dpc_unoriented task = {
            .view = &view, .skeleton = skeleton, .sepsets = sepsets, .settings = &settings};
        check_weights(&task, &sample.correlation, &tally);
        free(info.levels);
        dpc_sepsets_free(sepsets);
        dpc_adjacency_free(skeleton);
        sample_free(&sample);
    }
    gsl_rng_free(rng);
    print_message("%lld triples: %lld marginal, %lld full order, %lld full S, %lld primal, %lld "
                  "dual; in %lld the middle was no longer listed\n",
                  (long long)tally.triples, (long long)tally.kinds[DPC_SEP_MARGINAL],
                  (long long)tally.kinds[DPC_SEP_FULL_ORDER],
                  (long long)tally.kinds[DPC_SEP_FULL_S], (long long)tally.kinds[DPC_SEP_PRIMAL],
                  (long long)tally.kinds[DPC_SEP_DUAL], (long long)tally.unlisted);
    for (int kind = DPC_SEP_MARGINAL; kind <= DPC_SEP_DUAL; kind++)
        assert_true(tally.kinds[kind] >= share(20));
    return tally;
}

static void test_evidence(void **state)
{
    (void)state;
    struct tally tally = weigh_samples(repeats(N_WEIGHED), DPC_RULE_OR, 20240603);
    assert_int_equal(tally.unlisted, 0);
}

/* With the AND rule a node may have dropped y from its own list, and the edge is still there. */
static void test_evidence_and(void **state)
{
    (void)state;
    struct tally tally = weigh_samples(repeats(N_AND), DPC_RULE_AND, 20240616);
    assert_true(tally.unlisted >= share(15));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_evidence),
                                       cmocka_unit_test(test_evidence_and)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
