/*
 * A refined graph is a local optimum: no edge more, fewer or turned, and no parent replaced, in any
 * DAG of its class, raises the score. By the slow twin of steps (support/step_twin.h).
 */
#include "local_optimum.h"

#include "explained.h"
#include "graph.h"
#include "knowing.h"
#include "repeat.h"
#include "same.h"
#include "scene.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N_OPTIMA = 300, N_KNOWING = 200, N_RUNS = 300, N_MEMBERS = 5 };

static const double SLACK = 1e-6;

/* ---- What must hold ---- */

/* Of one DAG: no step within the rules, which may be NULL, is a gain. */
static void check_dag(const struct score_twin *twin, const struct rules *rules,
                      const uint64_t *parents, const char *words, int number)
{
    struct twin_step best = twin_best_step(twin, rules, TWIN_ALL, parents);
    if (best.gain > SLACK)
        fail_msg("case %d, %s: %s", number, words, twin_words(&best));
}

/* A directed graph by its parents. */
static void read_bits(const dpc_graph *dag, uint64_t *parents)
{
    memset(parents, 0, TWIN_NODES * sizeof *parents);
    for (int64_t e = 0; e < dag->n_edges; e++)
        parents[dpc_edge_to(&dag->edges[e])] |= UINT64_C(1) << dpc_edge_from(&dag->edges[e]);
}

/* Does any of its families determine a variable, but for rounding? Then the DAGs of its class do
 * not score the same. */
static bool is_firm(const struct score_twin *twin, const uint64_t *parents)
{
    for (int v = 0; v < twin->n; v++)
        if (!twin_is_firm(twin, v, parents[v]))
            return false;
    return true;
}

/* Of the DAG that somebody gets who extends the graph, and of others of its class. */
static bool check_members(gsl_rng *rng, const struct score_twin *twin, const dpc_graph *graph,
                          int number)
{
    dpc_graph *member = NULL;
    uint64_t parents[TWIN_NODES];
    assert_int_equal(dpc_class_member(graph, &member, NULL), DPC_OK);
    read_bits(member, parents);
    bool firm = is_firm(twin, parents);
    for (int i = 0; i < N_MEMBERS && firm; i++) {
        check_dag(twin, NULL, parents, i == 0 ? "the member" : "another member", number);
        twin_wander(rng, twin->n, parents, draw_int(rng, 1, 20));
    }
    dpc_graph_free(member);
    return firm;
}

/* ---- From any DAG ---- */

static void test_from_any_dag(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20261301);
    int improved = 0;
    for (int number = 0; number < repeats(N_OPTIMA); number++) {
        int n = draw_int(rng, 2, number % 4 == 0 ? 25 : 12);
        struct scene *s = open_scene(rng, n, draw_int(rng, 20, 1000), 3);
        dpc_families dag;
        dpc_graph class = {0};
        uint64_t parents[TWIN_NODES];
        bool reached = false;
        draw_dag(rng, n, draw_int(rng, 0, 40), &dag);
        if (number % 3 == 0)
            assert_int_equal(dpc_local_optimum(&s->workers, &dag, &reached), DPC_OK);
        double before = score_of(s, &dag);
        assert_int_equal(dpc_local_optimum(&s->workers, &dag, &reached), DPC_OK);
        assert_true(reached);
        improved += score_of(s, &dag) > before;
        assert_true(score_of(s, &dag) >= before);
        assert_true(number % 3 != 0 || score_of(s, &dag) == before);
        to_bits(&dag, parents);
        check_dag(&s->twin, NULL, parents, "the DAG", number);
        assert_int_equal(dpc_families_class(&dag, &class, NULL), DPC_OK);
        assert_true(check_members(rng, &s->twin, &class, number));
        dpc_graph_clear(&class);
        dpc_families_clear(&dag);
        close_scene(s);
    }
    assert_true(improved >= share(N_OPTIMA / 2));
    gsl_rng_free(rng);
}

/* With knowledge: of every DAG of the class, no step to a class that has a DAG within it. */
struct looking {
    const struct score_twin *twin;
    const struct rules *rules;
    struct twin_step best;
};

static void look_at_member(void *context, const uint64_t *parents)
{
    struct looking *l = context;
    struct twin_step best = twin_best_class_step(l->twin, l->rules, TWIN_ALL, parents);
    if (best.gain > l->best.gain)
        l->best = best;
}

static void test_with_knowledge(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20261302);
    for (int number = 0; number < repeats(N_KNOWING); number++) {
        bool few = number % 2 == 0;
        int n = few ? draw_int(rng, 2, 6) : draw_int(rng, 7, 15);
        struct scene *s = open_scene(rng, n, draw_int(rng, 20, 1000), 3);
        struct rules rules;
        dpc_families dag;
        uint64_t parents[TWIN_NODES];
        bool reached = false;
        draw_dag(rng, n, draw_int(rng, 0, 60), &dag);
        know_about(rng, s, &dag, &rules);
        double before = score_of(s, &dag);
        assert_int_equal(dpc_local_optimum(&s->workers, &dag, &reached), DPC_OK);
        assert_true(reached && score_of(s, &dag) >= before);
        to_bits(&dag, parents);
        assert_true(within_rules(&rules, n, parents));
        check_dag(&s->twin, &rules, parents, "the DAG", number);
        struct looking looking = {&s->twin, &rules, {.gain = -INFINITY}};
        if (few)
            twin_members(n, parents, 1000, look_at_member, &looking);
        if (looking.best.gain > SLACK)
            fail_msg("case %d, the class: %s", number, twin_words(&looking.best));
        dpc_families_clear(&dag);
        close_scene(s);
    }
    gsl_rng_free(rng);
}

/* ---- Whole runs ---- */

static dpc_settings draw_settings(gsl_rng *rng, int number)
{
    dpc_settings settings;
    dpc_settings_default(&settings);
    settings.refine = number % 2 == 0 ? DPC_REFINE_FAST : DPC_REFINE_FULL;
    settings.penalty = number % 3 == 0 ? 0 : draw_log(rng, 0.3, 3);
    settings.seed = (uint64_t)number;
    settings.threads = 1 + number % 2;
    return settings;
}

static struct sample draw_sample(gsl_rng *rng, int number)
{
    struct sample_model model = {.n = draw_int(rng, 3, 25),
                                 .n_obs = (int64_t)draw_log(rng, 20, 2000),
                                 .parents = draw_int(rng, 1, 6) / 2.0,
                                 .flaw = (enum flaw)(number % 5 == 0 ? draw_int(rng, 1, 3) : 0)};
    model.parents = fmin(model.parents, (model.n - 1) / 2.0);
    struct sample sample = sample_draw(&model, rng);
    if (number % 7 == 0 && model.flaw == FLAW_NONE)
        sample.correlation.n_obs = draw_int(rng, 8, model.n + 8); /* fewer than they come from */
    return sample;
}

/* The twin of a result. */
static struct score_twin twin_of(const dpc_correlation *c, const dpc_result *result)
{
    return (struct score_twin){c->r, c->n_vars, (double)c->n_obs, dpc_result_refined(result)->price,
                               dpc_parent_limit(c->n_vars, c->n_obs)};
}

static void test_runs(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20261303);
    int firm = 0;
    for (int number = 0; number < repeats(N_RUNS); number++) {
        struct sample sample = draw_sample(rng, number);
        dpc_settings settings = draw_settings(rng, number);
        dpc_result *result = learned(&sample.correlation, &settings);
        struct score_twin twin = twin_of(&sample.correlation, result);
        assert_int_not_equal(dpc_result_refined(result)->optimality, DPC_OPTIMUM_UNKNOWN);
        firm += check_members(rng, &twin, dpc_result_graph(result), number);
        dpc_result_free(result);
        sample_free(&sample);
    }
    assert_true(firm >= share(2 * N_RUNS / 3));
    gsl_rng_free(rng);
}

static void test_runs_with_knowledge(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20261304);
    for (int number = 0; number < repeats(N_RUNS); number++) {
        struct sample sample = draw_sample(rng, number);
        int n = sample.correlation.n_vars;
        dpc_settings settings = draw_settings(rng, number);
        dpc_knowledge *knowledge = draw_any_knowledge(n, rng);
        dpc_graph *member = NULL;
        struct rules rules;
        uint64_t parents[TWIN_NODES];
        settings.knowledge = knowledge;
        rules_of(knowledge, n, &rules);
        dpc_result *result = learned(&sample.correlation, &settings);
        struct score_twin twin = twin_of(&sample.correlation, result);
        assert_int_equal(dpc_class_member(dpc_result_graph(result), &member, NULL), DPC_OK);
        read_bits(member, parents);
        if (is_firm(&twin, parents))
            check_dag(&twin, &rules, parents, "the member", number);
        dpc_graph_free(member);
        dpc_result_free(result);
        dpc_knowledge_free(knowledge);
        sample_free(&sample);
    }
    gsl_rng_free(rng);
}

/* ---- What is said about it ---- */

/* An edge that is not there would not raise the score; one that is adds to it.
 */
static void check_explained(const struct studied *run, int number)
{
    int n = run->c->n_vars;
    for (int a = 0; a < n; a++)
        for (int b = a + 1; b < n; b++) {
            dpc_explanation *e = explain(run, a, b);
            if (e->mark == DPC_NONE && e->gain > SLACK)
                fail_msg("case %d: %d -> %d would add %g", number, e->test.what.from,
                         a + b - e->test.what.from, e->gain);
            if (e->mark != DPC_NONE && e->gain < -SLACK && run->settings->knowledge == NULL)
                fail_msg("case %d: the edge of %d and %d adds %g", number, a, b, e->gain);
            dpc_explanation_free(e);
        }
}

static void test_explained(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20261305);
    for (int number = 0; number < repeats(N_RUNS); number++) {
        struct sample sample = draw_sample(rng, number % 2 == 0 ? 1 : 7); /* nothing determined */
        int n = sample.correlation.n_vars;
        dpc_settings settings = draw_settings(rng, number);
        dpc_knowledge *knowledge = number % 3 == 0 ? draw_any_knowledge(n, rng) : NULL;
        settings.knowledge = knowledge;
        struct studied run = {.c = &sample.correlation, .settings = &settings};
        run.result = learn(run.c, &settings);
        check_explained(&run, number);
        dpc_result_free(run.result);
        dpc_knowledge_free(knowledge);
        sample_free(&sample);
    }
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_from_any_dag), cmocka_unit_test(test_with_knowledge),
        cmocka_unit_test(test_runs),         cmocka_unit_test(test_runs_with_knowledge),
        cmocka_unit_test(test_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
