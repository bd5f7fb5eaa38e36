/*
 * Background knowledge in the search. From population correlations and true knowledge the result is
 * what all DAGs have in common that are equivalent to the truth and respect the knowledge, found by
 * going through all of them. From samples, and with any knowledge that does not contradict itself:
 * the skeleton and the sets of the slow twin; the knowledge is respected by every rule; the
 * consistent rule ends in a graph that is closed under Meek's rules and has an extension that
 * respects the knowledge; neither the places of the columns nor threads matter.
 */
#include "knowing.h"
#include "repeat.h"
#include "same.h"
#include "twin.h"
#include "valid.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N_TRUE = 1200, N_TWIN = 900, N_ANY = 1200, N_LARGE = 24, MAX_NODES = 120 };

/* ---- The population ---------------------------------------------------- */

static void check_population(int number, const dpc_dag *dag, double *r, const dpc_knowledge *known,
                             const dpc_mark wanted[MPDAG_MAX][MPDAG_MAX])
{
    dpc_correlation correlation = {.n_vars = dag->n, .n_obs = 10000000000000, .r = r};
    dpc_settings settings;
    dpc_settings_default(&settings);
    settings.alpha = 0.975;
    settings.threads = 1;
    settings.knowledge = known;
    for (int i = 0; i < 24; i++) {
        char words[200];
        settings.method = (dpc_method)(i % 3);
        settings.variant = (dpc_variant)(i / 3 % 2);
        settings.orient = (dpc_orientation)(i / 6);
        settings.order = (dpc_order)(number % 2);
        describe_settings(&settings, words, sizeof words);
        dpc_result *result = learned(&correlation, &settings);
        for (int a = 0; a < dag->n; a++)
            for (int b = 0; b < dag->n; b++)
                if (a != b && dpc_graph_mark(dpc_result_graph(result), a, b) != wanted[a][b])
                    fail_msg("DAG %d, %d nodes, %s: the mark of %d, %d is %d, not %d", number,
                             dag->n, words, a, b,
                             (int)dpc_graph_mark(dpc_result_graph(result), a, b),
                             (int)wanted[a][b]);
        assert_false(violates(dpc_result_graph(result), known, true));
        dpc_result_free(result);
    }
}

static void test_population(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20240701);
    int64_t directed = 0, by_knowledge = 0;
    for (int number = 0; number < repeats(N_TRUE); number++) {
        double r[MPDAG_MAX * MPDAG_MAX];
        dpc_mark wanted[MPDAG_MAX][MPDAG_MAX], without[MPDAG_MAX][MPDAG_MAX];
        dpc_dag *dag = draw_posed_dag(rng, r);
        dpc_knowledge *nothing = NULL, *known = draw_true_knowledge(dag, rng);
        assert_int_equal(dpc_knowledge_new(dag->n, &nothing, NULL), DPC_OK);
        slow_mpdag(dag, known, wanted);
        slow_mpdag(dag, nothing, without);
        check_population(number, dag, r, known, wanted);
        for (int a = 0; a < dag->n; a++)
            for (int b = 0; b < dag->n; b++) {
                directed += wanted[a][b] == DPC_FORWARD;
                by_knowledge += wanted[a][b] == DPC_FORWARD && without[a][b] == DPC_UNDIRECTED &&
                                !dpc_knowledge_forbids(known, b, a);
            }
        dpc_knowledge_free(nothing);
        dpc_knowledge_free(known);
        dpc_dag_free(dag);
    }
    gsl_rng_free(rng);
    print_message("%lld arrows, %lld of them follow from the knowledge by Meek's rules\n",
                  (long long)directed, (long long)by_knowledge);
    assert_true(by_knowledge > share(N_TRUE) / 8);
}

/* Meek's fourth rule by itself: no other one directs A → D. */
static void test_rule_4(void **state)
{
    (void)state;
    enum { A, B, C, D };
    double weight[] = {0.7, 0.6, 0.5, 0.8, 0.9};
    /* A → B, A → C, A → D, B → C, C → D: B and D are apart, C is between them, A before all */
    int64_t starts[] = {0, 0, 1, 3, 5};
    int32_t parents[] = {A, A, B, A, C}, orders[] = {A, B, C, D};
    dpc_dag dag = {.n = 4, .order = orders, .start = starts, .parent = parents, .weight = weight};
    double r[16];
    dpc_mark wanted[MPDAG_MAX][MPDAG_MAX];
    dpc_knowledge *known = NULL;
    assert_int_equal(dpc_dag_correlation(&dag, r, NULL, NULL), DPC_OK);
    assert_int_equal(dpc_knowledge_new(4, &known, NULL), DPC_OK);
    assert_int_equal(dpc_knowledge_require(known, B, C, NULL), DPC_OK);
    assert_int_equal(dpc_knowledge_require(known, C, D, NULL), DPC_OK);
    slow_mpdag(&dag, known, wanted);
    assert_int_equal(wanted[A][D], DPC_FORWARD);
    assert_int_equal(wanted[A][B], DPC_UNDIRECTED);
    check_population(0, &dag, r, known, wanted);
    check_population(1, &dag, r, known, wanted);
    dpc_knowledge_free(known);
}

/* ---- The slow twin ----------------------------------------------------- */

static dpc_settings draw_settings(int number, gsl_rng *rng)
{
    dpc_settings settings;
    dpc_settings_default(&settings);
    settings.alpha = draw_log(rng, 0.001, 0.4);
    if (draw_int(rng, 0, 3) == 0)
        settings.alpha_dual = draw_log(rng, 0.001, 0.3);
    if (draw_int(rng, 0, 3) == 0)
        settings.max_order = draw_int(rng, 0, 3);
    settings.min_ess = draw_int(rng, 1, 30);
    settings.threads = draw_int(rng, 1, 2);
    settings.keep_separating_sets = true;
    settings.method = (dpc_method)(number % 3);
    settings.variant = (dpc_variant)(number / 3 % 2);
    settings.rule = (dpc_rule)(number / 6 % 2);
    settings.orient = (dpc_orientation)(number / 12 % 4);
    settings.graph = (dpc_target)(draw_int(rng, 0, 5) % 4 % 3);
    settings.order = (dpc_order)draw_int(rng, 0, 1);
    return settings;
}

static bool impossible(const dpc_knowledge *known, int a, int b)
{
    return dpc_knowledge_forbids(known, a, b) && dpc_knowledge_forbids(known, b, a);
}

/* Pairs that went because the knowledge left only a circle for them. */
static int circles_broken(const dpc_result *result, const dpc_settings *settings)
{
    int broken = 0;
    for (int a = 0; a < dpc_result_info(result)->n_vars; a++)
        for (int b = 0; b < a; b++) {
            dpc_sepset set;
            separated(result, a, b, &set, NULL);
            broken += set.kind == DPC_SEP_FORBIDDEN && !impossible(settings->knowledge, a, b);
        }
    return broken;
}

static void check_twin_set(const struct reference *twin, const dpc_result *result, int a, int b,
                           const char *words)
{
    dpc_sepset found;
    int32_t members[MAX_NODES];
    const struct reference_sepset *wanted = &twin->sepsets[a * twin->n + b];
    separated(result, a, b, &found, members);
    if (found.kind != wanted->kind || found.level != wanted->level || found.from != wanted->from ||
        found.size != wanted->size ||
        memcmp(members, wanted->members, (size_t)found.size * sizeof *members) != 0)
        if (wanted->kind != DPC_SEP_NONE || found.kind != DPC_SEP_NONE)
            fail_msg("%s: %d, %d: kind %d, level %d, size %d, not kind %d, level %d, size %d",
                     words, a, b, (int)found.kind, found.level, found.size, (int)wanted->kind,
                     wanted->level, wanted->size);
    if (found.kind != DPC_SEP_NONE && found.kind != DPC_SEP_FORBIDDEN &&
        !(fabs(found.r - wanted->r) <= 1e-9))
        fail_msg("%s: r of %d, %d is %.17g, not %.17g", words, a, b, found.r, wanted->r);
}

/* True: they were compared. */
static bool check_twin(const dpc_correlation *c, const dpc_settings *settings, const char *words)
{
    struct reference *twin = twin_learn(c, settings);
    dpc_result *result = learned(c, settings);
    bool exact = twin->least_margin > 1e-12 && twin->least_variance > 1e-8 &&
                 twin->largest_refused < 1e-12 && circles_broken(result, settings) == 0;
    for (int a = 0; exact && a < c->n_vars; a++)
        for (int b = 0; b < c->n_vars; b++) {
            if (a == b)
                continue;
            check_twin_set(twin, result, a, b, words);
            if (dpc_graph_mark(dpc_result_graph(result), a, b) != reference_mark(twin, a, b))
                fail_msg("%s: the mark of %d, %d is %d, not %d", words, a, b,
                         (int)dpc_graph_mark(dpc_result_graph(result), a, b),
                         (int)reference_mark(twin, a, b));
        }
    /* With tiers, some tests are made again when other neighbours have gone. */
    bool tiers = has_tiers(settings->knowledge, c->n_vars);
    int64_t tests = dpc_result_info(result)->tests;
    if (exact &&
        (tests < twin->distinct || tests > twin->tests || (!tiers && tests != twin->distinct)))
        fail_msg("%s: %lld tests, not %lld (%lld with those that are known)", words,
                 (long long)tests, (long long)twin->distinct, (long long)twin->tests);
    dpc_result_free(result);
    reference_free(twin);
    return exact;
}

static void test_twin(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20240702);
    int exact = 0;
    for (int number = 0; number < repeats(N_TWIN); number++) {
        struct sample_model model = {.n = draw_int(rng, 2, 11),
                                     .n_obs = (int64_t)draw_log(rng, 20, 400)};
        model.parents = gsl_rng_uniform(rng) * 0.5 * model.n;
        if (draw_int(rng, 0, 2) == 0)
            model.flaw = (enum flaw)draw_int(rng, FLAW_COPY, FLAW_SUM);
        model.holes = number % 3 == 1;
        struct sample sample = sample_draw(&model, rng);
        dpc_knowledge *known = draw_any_knowledge(model.n, rng);
        dpc_settings settings = draw_settings(number, rng);
        settings.orient = DPC_RELAXED;
        settings.order = DPC_ORDER_GIVEN;
        settings.knowledge = known;
        char words[256], text[200];
        describe_settings(&settings, text, sizeof text);
        snprintf(words, sizeof words, "sample %d (%d), %s", number, model.n, text);
        exact += check_twin(&sample.correlation, &settings, words);
        dpc_knowledge_free(known);
        sample_free(&sample);
    }
    gsl_rng_free(rng);
    print_message("%d of %d compared exactly\n", exact, repeats(N_TWIN));
    assert_true(exact > repeats(N_TWIN) * 9 / 10);
}

/* ---- Any knowledge ----------------------------------------------------- */

static void check_sets(const dpc_result *result, const dpc_correlation *c,
                       const dpc_settings *settings, const char *words)
{
    const dpc_knowledge *k = settings->knowledge;
    for (int a = 0; a < c->n_vars; a++)
        for (int b = 0; b < a; b++) {
            dpc_sepset set;
            int32_t members[MAX_NODES];
            separated(result, a, b, &set, members);
            bool adjacent = dpc_graph_mark(dpc_result_graph(result), a, b) != DPC_NONE;
            if ((set.kind == DPC_SEP_NONE) != adjacent)
                fail_msg("%s: %d, %d: kind %d", words, a, b, (int)set.kind);
            if (impossible(k, a, b))
                assert_int_equal(set.kind, DPC_SEP_FORBIDDEN);
            if (set.kind == DPC_SEP_FORBIDDEN)
                assert_true(set.size == 0 && isnan(set.r) && isnan(set.p));
            int ta = dpc_knowledge_tier_of(k, a), tb = dpc_knowledge_tier_of(k, b);
            for (int i = 0; ta >= 0 && tb >= 0 && i < set.size; i++) {
                int t = dpc_knowledge_tier_of(k, members[i]);
                if (t > ta && t > tb)
                    fail_msg("%s: %d is later than %d and %d, and in their set", words, members[i],
                             a, b);
            }
        }
}

static void check_directions(const dpc_result *result, const dpc_settings *settings,
                             const char *words)
{
    const dpc_graph *graph = dpc_result_graph(result);
    dpc_graph *dag = NULL;
    if (violates(graph, settings->knowledge, settings->graph != DPC_SKELETON))
        fail_msg("%s: the knowledge is not respected", words);
    if (settings->graph == DPC_SKELETON)
        return;
    if (settings->orient != DPC_RELAXED && has_circle(graph))
        fail_msg("%s: there is a directed circle", words);
    if (settings->orient != DPC_CONSISTENT)
        return;
    if (settings->graph == DPC_CPDAG && rules_apply(graph))
        fail_msg("%s: not all that follows is directed", words);
    if (dpc_class_member(graph, &dag, NULL) != DPC_OK)
        fail_msg("%s: there is no extension", words);
    if (!is_extension(dag, graph) || violates(dag, settings->knowledge, true))
        fail_msg("%s: the extension is none that respects the knowledge", words);
    dpc_graph_free(dag);
}

static bool adjacent(const dpc_graph *graph, int a, int b)
{
    return dpc_graph_mark(graph, a, b) != DPC_NONE;
}

/*
 * Majority and conservative: triples whose ends cannot be adjacent are listed, without a vote; the
 * votes of the others are those of all sets that keep to the tiers. Returns how many were checked.
 */
static int check_votes(const dpc_result *result, const dpc_correlation *c,
                       const dpc_settings *settings, const char *words)
{
    const dpc_graph *graph = dpc_result_graph(result);
    int64_t mute = 0;
    int checked = 0;
    if (settings->orient < DPC_MAJORITY || settings->graph == DPC_SKELETON)
        return 0;
    for (int y = 0; y < c->n_vars; y++)
        for (int x = 0; x < c->n_vars; x++)
            for (int z = 0; z < x; z++)
                mute += x != y && z != y && adjacent(graph, x, y) && adjacent(graph, z, y) &&
                        !adjacent(graph, x, z) && impossible(settings->knowledge, x, z);
    for (int64_t i = 0; i < result->found.n_ambiguous; i++) {
        const dpc_triple *t = &result->found.ambiguous[i];
        if (impossible(settings->knowledge, t->x, t->z)) {
            assert_true(isnan(t->evidence));
            mute--;
        } else if (c->n_vars <= SHARE_MAX) {
            double share = slow_share(graph, c, settings, t->x, t->y, t->z);
            if (isnan(share) != isnan(t->evidence) || fabs(share - t->evidence) > 1e-6)
                fail_msg("%s: the share of sets with %d is %g, not %g", words, t->y, t->evidence,
                         share);
            checked++;
        }
    }
    assert_int_equal(mute, 0);
    return checked;
}

/* The columns in another order, and the knowledge with them: the same graph. */
static void check_moved(const dpc_result *result, const dpc_correlation *c, dpc_settings settings,
                        gsl_rng *rng, const char *words)
{
    int n = c->n_vars;
    int32_t place[MAX_NODES];
    double *r = malloc((size_t)n * (size_t)n * sizeof *r);
    assert_non_null(r);
    for (int i = 0; i < n; i++)
        place[i] = i;
    gsl_ran_shuffle(rng, place, (size_t)n, sizeof *place);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            r[place[i] * n + place[j]] = c->r[i * n + j];
    dpc_correlation moved = {.n_vars = n, .n_obs = c->n_obs, .r = r};
    dpc_knowledge *known = move_knowledge(settings.knowledge, n, place);
    settings.knowledge = known;
    dpc_result *other = learned(&moved, &settings);
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
            if (a != b && dpc_graph_mark(dpc_result_graph(result), a, b) !=
                              dpc_graph_mark(dpc_result_graph(other), place[a], place[b]))
                fail_msg("%s: the mark of %d, %d depends on the places of the columns", words, a,
                         b);
    dpc_result_free(other);
    dpc_knowledge_free(known);
    free(r);
}

static void test_samples(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20240703);
    int broken = 0;
    int votes = 0;
    for (int number = 0; number < repeats(N_ANY); number++) {
        struct sample_model model = {.n = draw_int(rng, 2, 14),
                                     .n_obs = (int64_t)draw_log(rng, 30, 2000)};
        model.parents = gsl_rng_uniform(rng) * 0.4 * model.n;
        struct sample sample = sample_draw(&model, rng);
        const dpc_correlation *c = &sample.correlation;
        dpc_knowledge *known = draw_any_knowledge(model.n, rng);
        dpc_settings settings = draw_settings(number, rng);
        settings.knowledge = known;
        char words[256], text[200];
        describe_settings(&settings, text, sizeof text);
        snprintf(words, sizeof words, "sample %d (%d), %s", number, model.n, text);
        dpc_result *result = learned(c, &settings);
        check_sets(result, c, &settings, words);
        check_directions(result, &settings, words);
        broken += circles_broken(result, &settings) > 0;
        votes +=
            circles_broken(result, &settings) == 0 ? check_votes(result, c, &settings, words) : 0;
        if (settings.order == DPC_ORDER_CANONICAL)
            check_moved(result, c, settings, rng, words);
        dpc_result_free(result);
        dpc_knowledge_free(known);
        sample_free(&sample);
    }
    gsl_rng_free(rng);
    print_message("in %d of %d samples the knowledge left a circle\n", broken, repeats(N_ANY));
    assert_true(broken >= share(1));
    assert_true(votes > share(N_ANY) / 10);
}

/* ---- Larger ones ------------------------------------------------------- */

static void test_threads(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20240704);
    for (int number = 0; number < repeats(N_LARGE); number++) {
        struct sample_model model = {.n = draw_int(rng, 60, MAX_NODES), .n_obs = 300, .parents = 2};
        struct sample sample = sample_draw(&model, rng);
        dpc_knowledge *known = draw_any_knowledge(model.n, rng);
        dpc_settings settings = draw_settings(number * 6, rng);
        settings.max_order = 3;
        settings.knowledge = known;
        settings.threads = 1;
        dpc_result *first = learned(&sample.correlation, &settings);
        check_sets(first, &sample.correlation, &settings, "large");
        check_directions(first, &settings, "large");
        settings.threads = 3;
        dpc_result *second = learned(&sample.correlation, &settings);
        check_same(first, second, "threads");
        dpc_result_free(first);
        dpc_result_free(second);
        dpc_knowledge_free(known);
        sample_free(&sample);
    }
    gsl_rng_free(rng);
}

/* Nothing is left to be tested, in two ways; and then but one pair. */
static void test_counts(void **state)
{
    (void)state;
    enum { N = 7 };
    gsl_rng *rng = seeded(20240705);
    struct sample_model model = {.n = N, .n_obs = 200, .parents = 1};
    struct sample sample = sample_draw(&model, rng);
    for (int i = 0; i < 36; i++) {
        dpc_settings settings = draw_settings(i, rng);
        dpc_knowledge *known = NULL;
        int pairs = 0;
        settings.max_order = DPC_NO_MAX_ORDER;
        settings.min_ess = 1;
        assert_int_equal(dpc_knowledge_new(N, &known, NULL), DPC_OK);
        for (int a = 0; a < N; a++)
            for (int b = 0; b < a; b++) {
                if (i >= 24 && a == N - 1 && b == 0)
                    continue;
                assert_int_equal(dpc_knowledge_forbid(known, a, b, NULL), DPC_OK);
                assert_int_equal(i % 2 ? dpc_knowledge_require(known, b, a, NULL)
                                       : dpc_knowledge_forbid(known, b, a, NULL),
                                 DPC_OK);
                pairs++;
            }
        settings.knowledge = known;
        dpc_result *result = learned(&sample.correlation, &settings);
        if (i < 24) {
            assert_int_equal(dpc_result_info(result)->tests, 0);
            assert_int_equal(dpc_result_graph(result)->n_edges, i % 2 ? pairs : 0);
        } else {
            bool full = settings.method != DPC_CLASSIC;
            assert_int_equal(dpc_result_info(result)->levels[0].tests, 1 + full);
            assert_true(dpc_result_graph(result)->n_edges >= (i % 2 ? pairs : 0));
        }
        dpc_result_free(result);
        dpc_knowledge_free(known);
    }
    sample_free(&sample);
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_population), cmocka_unit_test(test_rule_4),
        cmocka_unit_test(test_twin),       cmocka_unit_test(test_samples),
        cmocka_unit_test(test_threads),    cmocka_unit_test(test_counts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
