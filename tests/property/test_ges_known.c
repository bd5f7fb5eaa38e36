/*
 * The greedy equivalence search with background knowledge: against its slow twin, and what must
 * hold for any result: a DAG of its class respects the knowledge, and neither the places of the
 * columns nor the threads matter.
 */
#include "cases.h"
#include "ges.h"
#include "ges_twin.h"
#include "knowing.h"
#include "repeat.h"
#include "same.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N_TWINS = 800, N_VALID = 60, N_PERMUTED = 100, N_POPULATIONS = 400, MOST = 60 };

static dpc_settings greedy_settings(double penalty, const dpc_knowledge *knowledge)
{
    dpc_settings settings;
    dpc_settings_default(&settings);
    settings.method = DPC_GES;
    settings.penalty = penalty;
    settings.threads = 1;
    settings.knowledge = knowledge;
    return settings;
}

/* ---- The twin ---------------------------------------------------------- */

static void test_twin(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20251001);
    int64_t steps[DPC_N_PHASES] = {0};
    int different = 0;
    for (int number = 0; number < repeats(N_TWINS); number++) {
        bool dense = number % 3 > 0;
        struct sample_model model = {.n = draw_int(rng, dense ? 4 : 2, GREEDY_MAX),
                                     .n_obs = (int64_t)draw_log(rng, dense ? 100 : 12, 2000),
                                     .parents = dense ? 1.8 : 2.5 * gsl_rng_uniform(rng)};
        struct sample sample = sample_draw(&model, rng);
        dpc_knowledge *knowledge = draw_any_knowledge(model.n, rng);
        dpc_settings settings = greedy_settings(number % 2 ? 0.5 : 1, knowledge);
        struct greedy_twin twin, free_twin;
        greedy_search(&sample.correlation, settings.penalty, knowledge, &twin);
        greedy_search(&sample.correlation, settings.penalty, NULL, &free_twin);
        dpc_result *result = learned(&sample.correlation, &settings);
        greedy_twin_check(number, result, &twin);
        different += memcmp(twin.mark, free_twin.mark, sizeof twin.mark) != 0;
        for (int phase = 0; phase < DPC_N_PHASES; phase++)
            steps[phase] += twin.steps[phase];
        dpc_result_free(result);
        dpc_knowledge_free(knowledge);
        sample_free(&sample);
    }
    print_message("%lld insertions, %lld deletions, %lld turns; knowledge matters %d times\n",
                  (long long)steps[0], (long long)steps[1], (long long)steps[2], different);
    assert_true(steps[DPC_INSERT] > share(800) && steps[DPC_DELETE] > share(10));
    assert_true(steps[DPC_TURN] > share(5) && different > share(300));
    gsl_rng_free(rng);
}

/*
 * With exact correlations and true knowledge: what all DAGs of the class that respect it share.
 * Nearly always: the classes on the only good way up may all be against the knowledge.
 */
static void test_population(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20251002);
    int missed = 0;
    for (int number = 0; number < repeats(N_POPULATIONS); number++) {
        double r[MPDAG_MAX * MPDAG_MAX];
        dpc_mark mark[MPDAG_MAX][MPDAG_MAX];
        dpc_dag *dag = draw_posed_dag(rng, r);
        dpc_knowledge *knowledge = draw_true_knowledge(dag, rng);
        dpc_correlation c = {.n_vars = dag->n, .n_obs = INT64_C(100000000000000), .r = r};
        dpc_settings settings = greedy_settings(0.5, knowledge);
        dpc_result *result = learned(&c, &settings);
        bool same = true;
        slow_mpdag(dag, knowledge, mark);
        for (int a = 0; a < dag->n; a++)
            for (int b = 0; b < dag->n; b++)
                same = same &&
                       (a == b || dpc_graph_mark(dpc_result_graph(result), a, b) == mark[a][b]);
        missed += !same;
        dpc_result_free(result);
        dpc_knowledge_free(knowledge);
        dpc_dag_free(dag);
    }
    print_message("%d of %d missed\n", missed, repeats(N_POPULATIONS));
    assert_true(50 * missed <= repeats(N_POPULATIONS));
    gsl_rng_free(rng);
}

/* ---- Any result -------------------------------------------------------- */

static void check_valid(int number, const dpc_result *result, const dpc_knowledge *knowledge)
{
    dpc_graph *dag = NULL;
    dpc_error err;
    if (violates(dpc_result_graph(result), knowledge, true))
        fail_msg("case %d: the graph is against the knowledge", number);
    if (dpc_class_member(dpc_result_graph(result), &dag, &err) != DPC_OK)
        fail_msg("case %d: %s", number, err.message);
    if (violates(dag, knowledge, true))
        fail_msg("case %d: the DAG is against the knowledge", number);
    assert_false(rules_apply(dpc_result_graph(result)));
    dpc_graph_free(dag);
}

/* What is kept from step to step is as good as what is made afresh. */
static void check_afresh(int number, const dpc_correlation *c, const dpc_settings *settings)
{
    const dpc_labels columns = {0};
    dpc_constraints *known = NULL;
    dpc_graph graph[2];
    dpc_info info[2] = {{0}, {0}};
    assert_int_equal(dpc_constraints_new(settings->knowledge, &columns, &known, NULL), DPC_OK);
    assert_int_equal(dpc_ges(c, known, settings, NULL, &graph[0], &info[0], NULL), DPC_OK);
    assert_int_equal(dpc_ges_afresh(c, known, settings, &graph[1], &info[1], NULL), DPC_OK);
    dpc_constraints_free(known);
    check_same_graph(&graph[0], &graph[1], "case", number);
    assert_memory_equal(info[0].steps, info[1].steps, sizeof info[0].steps);
    dpc_graph_clear(&graph[0]);
    dpc_graph_clear(&graph[1]);
}

static void test_valid(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20251003);
    for (int number = 0; number < repeats(N_VALID); number++) {
        struct sample_model model = {.n = draw_int(rng, 8, number % 8 == 0 ? MOST : 25),
                                     .n_obs = (int64_t)draw_log(rng, 15, 2000),
                                     .parents = 0.5 + 2 * gsl_rng_uniform(rng),
                                     .flaw = number % 5 == 0 ? FLAW_COPY : FLAW_NONE};
        struct sample sample = sample_draw(&model, rng);
        dpc_knowledge *knowledge = draw_any_knowledge(model.n, rng);
        dpc_settings settings = greedy_settings(number % 2 ? 0.5 : 1, knowledge);
        dpc_result *result = learned(&sample.correlation, &settings);
        check_valid(number, result, knowledge);
        if (model.flaw == FLAW_NONE)
            check_afresh(number, &sample.correlation, &settings);
        settings.threads = 3;
        dpc_result *again = learned(&sample.correlation, &settings);
        check_same_graph(dpc_result_graph(result), dpc_result_graph(again), "case", number);
        dpc_result_free(again);
        dpc_result_free(result);
        dpc_knowledge_free(knowledge);
        sample_free(&sample);
    }
    gsl_rng_free(rng);
}

static void test_places(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20251004);
    for (int number = 0; number < repeats(N_PERMUTED); number++) {
        struct sample_model model = {.n = draw_int(rng, 3, 20),
                                     .n_obs = (int64_t)draw_log(rng, 30, 1000),
                                     .parents = 2 * gsl_rng_uniform(rng)};
        struct sample sample = sample_draw(&model, rng);
        int n = model.n;
        int32_t place[MOST];
        double r[MOST * MOST];
        for (int i = 0; i < n; i++)
            place[i] = i;
        gsl_ran_shuffle(rng, place, (size_t)n, sizeof *place);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                r[place[i] * n + place[j]] = sample.correlation.r[i * n + j];
        dpc_correlation other = {.n_vars = n, .n_obs = model.n_obs, .r = r};
        dpc_knowledge *knowledge = draw_any_knowledge(n, rng);
        dpc_knowledge *moved = move_knowledge(knowledge, n, place);
        dpc_settings settings = greedy_settings(1, knowledge);
        dpc_result *first = learned(&sample.correlation, &settings);
        settings.knowledge = moved;
        dpc_result *second = learned(&other, &settings);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                if (i != j && dpc_graph_mark(dpc_result_graph(second), place[i], place[j]) !=
                                  dpc_graph_mark(dpc_result_graph(first), i, j))
                    fail_msg("case %d: the edge %d, %d depends on the order", number, i, j);
        dpc_result_free(first);
        dpc_result_free(second);
        dpc_knowledge_free(knowledge);
        dpc_knowledge_free(moved);
        sample_free(&sample);
    }
    gsl_rng_free(rng);
}

/* Five variables and one required edge, which elsewhere has hung a search; all targets. */
static void test_few(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20251005);
    for (int number = 0; number < 60; number++) {
        struct sample_model model = {.n = 5, .n_obs = 100, .parents = 2};
        struct sample sample = sample_draw(&model, rng);
        dpc_knowledge *knowledge = NULL;
        assert_int_equal(dpc_knowledge_new(5, &knowledge, NULL), DPC_OK);
        assert_int_equal(dpc_knowledge_require(knowledge, 3, 1, NULL), DPC_OK);
        dpc_settings settings = greedy_settings(0.5, knowledge);
        for (int target = 0; target <= DPC_SKELETON; target++) {
            settings.graph = (dpc_target)target;
            dpc_result *result = learned(&sample.correlation, &settings);
            assert_int_equal(dpc_graph_mark(dpc_result_graph(result), 3, 1),
                             target == DPC_SKELETON ? DPC_UNDIRECTED : DPC_FORWARD);
            dpc_result_free(result);
        }
        dpc_knowledge_free(knowledge);
        sample_free(&sample);
    }
    gsl_rng_free(rng);
}

/* The arrows of the knowledge say where they come from, and so does the pair. */
static void test_explained(void **state)
{
    (void)state;
    double r[] = {1, 0.5, 0.25, 0.5, 1, 0.5, 0.25, 0.5, 1};
    dpc_correlation c = {.n_vars = 3, .n_obs = 500, .r = r};
    dpc_knowledge *knowledge = NULL;
    assert_int_equal(dpc_knowledge_new(3, &knowledge, NULL), DPC_OK);
    assert_int_equal(dpc_knowledge_forbid(knowledge, 1, 0, NULL), DPC_OK);
    dpc_settings settings = greedy_settings(1, knowledge);
    dpc_result *result = learned(&c, &settings);
    dpc_explanation *e = NULL;
    assert_int_equal(dpc_explain(result, 0, 1, NULL, NULL, &e, NULL), DPC_OK);
    assert_int_equal(e->mark, DPC_FORWARD);
    assert_int_equal(e->known, DPC_KNOWN_NOTHING);
    assert_int_equal(e->n_reasons, 1);
    assert_int_equal(e->reasons[0].kind, DPC_REASON_KNOWLEDGE);
    assert_int_equal(e->reasons[0].known, DPC_KNOWN_FORBIDDEN);
    dpc_explanation_free(e);
    assert_int_equal(dpc_explain(result, 1, 2, NULL, NULL, &e, NULL), DPC_OK);
    assert_int_equal(e->mark, DPC_FORWARD);
    assert_int_equal(e->reasons[e->n_reasons - 1].kind, DPC_REASON_RULE_1);
    dpc_explanation_free(e);
    dpc_result_free(result);
    assert_int_equal(dpc_knowledge_require(knowledge, 0, 2, NULL), DPC_OK);
    result = learned(&c, &settings);
    assert_int_equal(dpc_explain(result, 2, 0, NULL, NULL, &e, NULL), DPC_OK);
    assert_int_equal(e->known, DPC_KNOWN_REQUIRED);
    dpc_explanation_free(e);
    dpc_result_free(result);
    dpc_knowledge_free(knowledge);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_twin),  cmocka_unit_test(test_population),
        cmocka_unit_test(test_valid), cmocka_unit_test(test_places),
        cmocka_unit_test(test_few),   cmocka_unit_test(test_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
