/*
 * Refinement as a whole, through dpc_learn: what must hold of every result, and what must not
 * matter for it.
 */
#include "cases.h"
#include "compare.h"
#include "knowing.h"
#include "repeat.h"
#include "same.h"
#include "score_twin.h"
#include "valid.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    N_VALID = 60,
    N_FLAWED = 80,
    N_PERMUTED = 40,
    N_KNOWING = 120,
    N_TRUE_KNOWLEDGE = 60,
    N_STOPPED = 20,
    N_RESTARTS = 60,
    N_EXACT = 20,
    N_THREADS = 400
};

static dpc_settings refine_settings(dpc_refinement refine)
{
    dpc_settings settings;
    dpc_settings_default(&settings);
    settings.refine = refine;
    settings.threads = 1;
    return settings;
}

static struct sample draw_sample(gsl_rng *rng, int most, enum flaw flaw)
{
    struct sample_model model = {
        .n = draw_int(rng, 2, most), .n_obs = (int64_t)draw_log(rng, 20, 2000), .flaw = flaw};
    model.parents = fmin(3 * gsl_rng_uniform(rng), (model.n - 1) / 2.0);
    return sample_draw(&model, rng);
}

/* The searches that there are for so many variables. */
static dpc_refinement last_for(int n)
{
    return n <= DPC_MOST_EXACT ? DPC_REFINE_EXACT : DPC_REFINE_FULL;
}

static dpc_refinement draw_search(gsl_rng *rng, int n)
{
    return (dpc_refinement)draw_int(rng, DPC_REFINE_FAST, (int)last_for(n));
}

/* ---- What holds of every result ---- */

/* No DAG scores higher: of an exact search, and of a full one over few variables. */
static void check_certificate(int n, dpc_refinement how, const dpc_refined *refined)
{
    bool exact = how == DPC_REFINE_EXACT || n <= (how == DPC_REFINE_FULL ? 14 : 10);
    assert_int_equal(refined->optimality, exact ? DPC_OPTIMUM_GLOBAL : DPC_OPTIMUM_LOCAL);
    if (exact)
        assert_int_equal(refined->restarts, 0);
}

/* The changes are those between the graph of the tests and the result. */
static void check_changes(const dpc_correlation *c, const dpc_settings *settings,
                          const dpc_result *result)
{
    dpc_settings plain = *dpc_result_settings(result); /* with the level and the rule it took */
    plain.refine = DPC_REFINE_NONE;
    dpc_result *before = learned(c, &plain);
    const dpc_refined *refined = dpc_result_info(result)->refined;
    int64_t i = 0;
    for (int a = 0; a < c->n_vars; a++)
        for (int b = a + 1; b < c->n_vars; b++) {
            dpc_mark was = dpc_graph_mark(dpc_result_graph(before), a, b);
            dpc_mark is = dpc_graph_mark(dpc_result_graph(result), a, b);
            if (was == is)
                continue;
            assert_true(i < refined->n_changes);
            const dpc_change *change = &refined->changes[i++];
            assert_true(change->a == a && change->b == b);
            assert_true(change->before == was && change->after == is);
            assert_int_equal(change->kind, was == DPC_NONE  ? DPC_EDGE_ADDED
                                           : is == DPC_NONE ? DPC_EDGE_REMOVED
                                                            : DPC_EDGE_TURNED);
            assert_true(isfinite(change->gain));
            if (change->kind != DPC_EDGE_REMOVED && settings->knowledge == NULL)
                assert_true(change->gain > -1e-6); /* or backward search would have removed it */
        }
    assert_int_equal(i, refined->n_changes);
    dpc_result_free(before);
}

/* The score that is told is that of any DAG of the class. */
static void check_score(const dpc_correlation *c, const dpc_result *result)
{
    const dpc_refined *refined = dpc_result_info(result)->refined;
    struct score_twin twin = {c->r, c->n_vars, (double)c->n_obs, refined->price, c->n_vars};
    uint64_t parents[TWIN_NODES] = {0};
    dpc_graph *dag = NULL;
    assert_int_equal(dpc_class_member(dpc_result_graph(result), &dag, NULL), DPC_OK);
    for (int64_t e = 0; e < dag->n_edges; e++) {
        bool forward = dag->edges[e].mark == DPC_FORWARD;
        int from = forward ? dag->edges[e].a : dag->edges[e].b;
        parents[dag->edges[e].a + dag->edges[e].b - from] |= UINT64_C(1) << from;
    }
    double wanted = twin_score(&twin, parents);
    if (!(fabs(wanted - refined->score_after) <= 1e-6 * (1 + fabs(wanted))))
        fail_msg("the score is %.9g, not %.9g", wanted, refined->score_after);
    dpc_graph_free(dag);
}

static void test_results(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20261201);
    for (int number = 0; number < repeats(N_VALID); number++) {
        struct sample sample = draw_sample(rng, number % 10 == 0 ? 60 : 20, FLAW_NONE);
        const dpc_correlation *c = &sample.correlation;
        double score[4] = {0};
        dpc_settings settings = refine_settings(DPC_REFINE_FAST);
        settings.penalty = number % 2 == 0 ? 0 : draw_log(rng, 0.3, 3);
        settings.seed = (uint64_t)number;
        for (dpc_refinement how = DPC_REFINE_FAST; how <= last_for(c->n_vars); how++) {
            settings.refine = how;
            dpc_result *result = learned(c, &settings);
            const dpc_refined *refined = dpc_result_info(result)->refined;
            assert_true(is_cpdag(dpc_result_graph(result)));
            assert_true(refined->complete);
            check_certificate(c->n_vars, how, refined);
            assert_true(refined->score_after >= refined->score_before - 1e-6);
            if (c->n_obs > 4 * c->n_vars)
                check_score(c, result);
            check_changes(c, &settings, result);
            score[how] = refined->score_after;
            if (settings.penalty > 0) /* another price is another score */
                assert_true(how == DPC_REFINE_FAST || score[how] >= score[how - 1] - 1e-6);
            dpc_result_free(result);
        }
        sample_free(&sample);
    }
    gsl_rng_free(rng);
}

/* Copies, sums, noise of 1e-9, and fewer observations than variables. */
static void test_flaws(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20261202);
    for (int number = 0; number < repeats(N_FLAWED); number++) {
        struct sample sample = draw_sample(rng, 20, (enum flaw)(number % FLAW_N_FLAWS));
        if (number % 3 == 0)
            sample.correlation.n_obs = draw_int(rng, 4, 12); /* fewer than they come from */
        dpc_settings settings = refine_settings(draw_search(rng, sample.correlation.n_vars));
        dpc_result *result = learned(&sample.correlation, &settings);
        const dpc_refined *refined = dpc_result_info(result)->refined;
        if (!is_cpdag(dpc_result_graph(result)))
            fail_msg("case %d: no CPDAG", number);
        assert_true(isfinite(refined->score_after) && isfinite(refined->score_before));
        assert_true(refined->score_after >= refined->score_before - 1e-6);
        dpc_result_free(result);
        sample_free(&sample);
    }
    gsl_rng_free(rng);
}

static void test_targets(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20261203);
    struct sample sample = draw_sample(rng, 20, FLAW_NONE);
    dpc_settings settings = refine_settings(DPC_REFINE_FULL);
    dpc_result *whole = learned(&sample.correlation, &settings);
    for (dpc_target target = DPC_PATTERN; target <= DPC_SKELETON; target++) {
        dpc_graph wanted = {0};
        settings.graph = target;
        dpc_result *part = learned(&sample.correlation, &settings);
        assert_int_equal(dpc_graph_reduce(dpc_result_graph(whole), target, &wanted, NULL), DPC_OK);
        check_same_graph(&wanted, dpc_result_graph(part), target_name(target), 0);
        dpc_graph_clear(&wanted);
        dpc_result_free(part);
    }
    dpc_result_free(whole);
    sample_free(&sample);
    gsl_rng_free(rng);
}

/* ---- What must not matter ---- */

static void check_permuted(gsl_rng *rng, const dpc_correlation *c, const dpc_settings *settings)
{
    int n = c->n_vars, order[n];
    dpc_correlation other = {.n_vars = n, .n_obs = c->n_obs};
    other.r = malloc((size_t)n * (size_t)n * sizeof *other.r);
    assert_non_null(other.r);
    for (int i = 0; i < n; i++)
        order[i] = i;
    gsl_ran_shuffle(rng, order, (size_t)n, sizeof *order);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            other.r[i * n + j] = c->r[order[i] * n + order[j]];
    dpc_result *first = learned(c, settings), *second = learned(&other, settings);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (i != j && dpc_graph_mark(dpc_result_graph(second), i, j) !=
                              dpc_graph_mark(dpc_result_graph(first), order[i], order[j]))
                fail_msg("the edge %d, %d depends on the order of %d columns", order[i], order[j],
                         n);
    dpc_result_free(first);
    dpc_result_free(second);
    free(other.r);
}

static void test_columns(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20261204);
    for (int number = 0; number < repeats(N_PERMUTED); number++) {
        struct sample sample = draw_sample(rng, number % 10 == 0 ? 50 : 15, FLAW_NONE);
        dpc_settings settings = refine_settings(draw_search(rng, sample.correlation.n_vars));
        check_permuted(rng, &sample.correlation, &settings);
        sample_free(&sample);
    }
    gsl_rng_free(rng);
}

/* Neither threads nor the memory that is allowed change the graph; another seed may. */
static void test_threads(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20261205);
    for (int number = 0; number < repeats(N_VALID) / 4 + 1; number++) {
        struct sample sample = draw_sample(rng, 60, FLAW_NONE);
        for (dpc_refinement how = DPC_REFINE_FAST; how <= DPC_REFINE_FULL; how++) {
            dpc_settings settings = refine_settings(how);
            dpc_result *one = learned(&sample.correlation, &settings);
            for (int way = 0; way < 4; way++) {
                settings.threads = way < 3 ? way + 2 : 1;
                settings.memory = way < 2 ? 1000 : 0.001;
                dpc_result *other = learned(&sample.correlation, &settings);
                check_same_graph(dpc_result_graph(one), dpc_result_graph(other), "threads", 0);
                assert_true(dpc_result_info(one)->refined->score_after ==
                            dpc_result_info(other)->refined->score_after);
                dpc_result_free(other);
            }
            dpc_result_free(one);
        }
        sample_free(&sample);
    }
    gsl_rng_free(rng);
}

/* The same of the exact search, but for its memory, which it needs: whoever has less is told. */
static void test_exact(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20261210);
    for (int number = 0; number < repeats(N_EXACT); number++) {
        struct sample_model model = {.n = draw_int(rng, 2, 17), .n_obs = 300};
        model.parents = fmin(2, (model.n - 1) / 2.0);
        struct sample sample = sample_draw(&model, rng);
        dpc_settings settings = refine_settings(DPC_REFINE_EXACT);
        settings.penalty = number % 2; /* 0: a search that has a seed finds it */
        dpc_result *one = learned(&sample.correlation, &settings), *four = NULL;
        settings.threads = 4;
        settings.memory = 1000;
        settings.seed = settings.penalty > 0 ? 2 + (uint64_t)number : settings.seed;
        four = learned(&sample.correlation, &settings);
        check_same_graph(dpc_result_graph(one), dpc_result_graph(four), "threads", number);
        assert_true(dpc_result_refined(one)->score_after == dpc_result_refined(four)->score_after);
        dpc_result_free(four);
        dpc_result_free(one);
        check_permuted(rng, &sample.correlation, &settings);
        sample_free(&sample);
    }
    gsl_rng_free(rng);
}

static void check_refused(int n, double memory, dpc_status status, const char *words)
{
    gsl_rng *rng = seeded(20261211);
    struct sample_model model = {.n = n, .n_obs = 300, .parents = 1};
    struct sample sample = sample_draw(&model, rng);
    dpc_settings settings = refine_settings(DPC_REFINE_EXACT);
    dpc_result *result = NULL;
    dpc_error err = {0};
    settings.memory = memory;
    assert_int_equal(dpc_learn(&sample.correlation, &settings, &result, &err), status);
    assert_null(result);
    assert_string_equal(err.message, words);
    sample_free(&sample);
    gsl_rng_free(rng);
}

static void test_refusals(void **state)
{
    (void)state;
    check_refused(34, 0, DPC_USAGE,
                  "refine exact searches all DAGs, of at most 20 variables; the data have 34. Use "
                  "refine full");
    check_refused(20, 50, DPC_NO_MEMORY,
                  "refine exact of 20 variables needs 93 MB, and memory allows 50 MB");
}

/* ---- More work never scores lower ---- */

/* Fast, then full with more and more restarts: one price, and scores that do not fall. */
static void test_more_restarts(void **state)
{
    (void)state;
    static const int RESTARTS[] = {0, 1, 5, 20, 33, 100};
    gsl_rng *rng = seeded(20261118);
    for (int number = 0; number < repeats(N_RESTARTS); number++) {
        struct sample_model model = {.n = draw_int(rng, 15, 40), .n_obs = draw_int(rng, 60, 1000)};
        model.parents = 1 + number % 4;
        struct sample sample = sample_draw(&model, rng);
        dpc_settings settings = refine_settings(DPC_REFINE_FAST);
        settings.penalty = number % 3 == 0 ? 1 : 0;
        settings.seed = (uint64_t)number;
        dpc_result *result = learned(&sample.correlation, &settings);
        double price = dpc_result_refined(result)->price;
        double score = dpc_result_refined(result)->score_after;
        dpc_result_free(result);
        settings.refine = DPC_REFINE_FULL;
        for (size_t i = 0; i < sizeof RESTARTS / sizeof *RESTARTS; i++) {
            settings.restarts = RESTARTS[i];
            settings.threads = 1 + (int)i % 2;
            result = learned(&sample.correlation, &settings);
            const dpc_refined *refined = dpc_result_refined(result);
            assert_true(refined->price == price);
            assert_int_equal(refined->restarts, RESTARTS[i]);
            if (refined->score_after < score - 1e-7 * fabs(score))
                fail_msg("case %d: %.9g with %d restarts, and %.9g with fewer", number,
                         refined->score_after, RESTARTS[i], score);
            score = refined->score_after;
            dpc_result_free(result);
        }
        sample_free(&sample);
    }
    gsl_rng_free(rng);
}

/* ---- Knowledge ---- */

static void check_knowing(const dpc_result *result, const dpc_knowledge *knowledge, int number)
{
    const dpc_graph *graph = dpc_result_graph(result);
    dpc_graph *dag = NULL;
    if (violates(graph, knowledge, true))
        fail_msg("case %d: the knowledge is not respected", number);
    if (has_circle(graph))
        fail_msg("case %d: there is a directed circle", number);
    if (rules_apply(graph))
        fail_msg("case %d: not all that follows is directed", number);
    if (dpc_class_member(graph, &dag, NULL) != DPC_OK)
        fail_msg("case %d: there is no extension", number);
    if (!is_extension(dag, graph) || violates(dag, knowledge, true))
        fail_msg("case %d: the extension does not respect the knowledge", number);
    dpc_graph_free(dag);
}

static void test_knowledge(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20261206);
    for (int number = 0; number < repeats(N_KNOWING); number++) {
        struct sample sample = draw_sample(rng, 15, number % 5 == 0 ? FLAW_SUM : FLAW_NONE);
        dpc_knowledge *knowledge = draw_any_knowledge(sample.correlation.n_vars, rng);
        dpc_settings settings = refine_settings(draw_search(rng, sample.correlation.n_vars));
        settings.knowledge = knowledge;
        dpc_result *result = learned(&sample.correlation, &settings);
        check_knowing(result, knowledge, number);
        check_changes(&sample.correlation, &settings, result);
        dpc_result_free(result);
        dpc_knowledge_free(knowledge);
        sample_free(&sample);
    }
    gsl_rng_free(rng);
}

/* Threads that draw orders at the same time keep to the knowledge, each to its own order. */
static void test_threads_and_knowledge(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20261209);
    for (int number = 0; number < repeats(N_THREADS); number++) {
        struct sample sample = draw_sample(rng, 22, FLAW_NONE); /* up to 14 the search is exact */
        dpc_knowledge *knowledge = draw_any_knowledge(sample.correlation.n_vars, rng);
        dpc_settings settings = refine_settings(DPC_REFINE_FULL);
        settings.knowledge = knowledge;
        settings.penalty = 0.5;
        dpc_result *one = learned(&sample.correlation, &settings);
        settings.threads = 4;
        dpc_result *four = learned(&sample.correlation, &settings);
        check_same_graph(dpc_result_graph(one), dpc_result_graph(four), "threads", number);
        assert_true(dpc_result_refined(one)->score_after == dpc_result_refined(four)->score_after);
        dpc_result_free(one);
        dpc_result_free(four);
        dpc_knowledge_free(knowledge);
        sample_free(&sample);
    }
    gsl_rng_free(rng);
}

/* With exact correlations and what is true of the DAG: all that the two tell, and no more. */
static void test_true_knowledge(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20261207);
    int wrong = 0, all = repeats(N_TRUE_KNOWLEDGE);
    for (int number = 0; number < all; number++) {
        double r[MPDAG_MAX * MPDAG_MAX];
        dpc_mark wanted[MPDAG_MAX][MPDAG_MAX];
        dpc_dag *dag = draw_posed_dag(rng, r);
        dpc_knowledge *knowledge = draw_true_knowledge(dag, rng);
        dpc_correlation c = {.n_vars = dag->n, .n_obs = 1000000, .r = r};
        dpc_settings settings = refine_settings(DPC_REFINE_FULL);
        settings.knowledge = knowledge;
        slow_mpdag(dag, knowledge, wanted);
        dpc_result *result = learned(&c, &settings);
        bool same = true;
        for (int a = 0; a < dag->n; a++)
            for (int b = 0; b < dag->n; b++)
                same = same &&
                       (a == b || dpc_graph_mark(dpc_result_graph(result), a, b) == wanted[a][b]);
        wrong += !same;
        dpc_result_free(result);
        dpc_knowledge_free(knowledge);
        dpc_dag_free(dag);
    }
    if (wrong > 0)
        fail_msg("%d of %d graphs are not the true ones", wrong, all);
    gsl_rng_free(rng);
}

/* ---- Stopping ---- */

struct stopping {
    int looks, last; /* questions so far, and when the answer is to stop */
};

static int stop_after(const dpc_progress *progress, void *user)
{
    struct stopping *s = user;
    if (progress->stage != DPC_STAGE_REFINE)
        return 0;
    assert_true(progress->fraction >= 0 && progress->fraction <= 1);
    return s->looks++ >= s->last;
}

/* Whenever it is stopped, there is a graph, and it is no worse than the first. */
static void test_stopping(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20261208);
    int cut = 0;
    for (int number = 0; number < repeats(N_STOPPED); number++) {
        struct sample sample = draw_sample(rng, 40, FLAW_NONE);
        dpc_settings settings = refine_settings(draw_search(rng, sample.correlation.n_vars));
        struct stopping stopping = {0, number % 4 == 0 ? 0 : draw_int(rng, 0, 400)};
        settings.progress = stop_after;
        settings.progress_user = &stopping;
        settings.threads = 1 + number % 3;
        dpc_result *result = learned(&sample.correlation, &settings);
        const dpc_refined *refined = dpc_result_info(result)->refined;
        assert_true(is_cpdag(dpc_result_graph(result)));
        assert_true(refined->score_after >= refined->score_before - 1e-6);
        assert_true(refined->complete || stopping.looks > stopping.last);
        assert_true(refined->complete || refined->optimality != DPC_OPTIMUM_GLOBAL);
        cut += !refined->complete;
        dpc_result_free(result);
        sample_free(&sample);
    }
    assert_true(cut >= share(N_STOPPED / 2));
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_results),   cmocka_unit_test(test_flaws),
        cmocka_unit_test(test_targets),   cmocka_unit_test(test_columns),
        cmocka_unit_test(test_threads),   cmocka_unit_test(test_threads_and_knowledge),
        cmocka_unit_test(test_knowledge), cmocka_unit_test(test_true_knowledge),
        cmocka_unit_test(test_stopping),  cmocka_unit_test(test_exact),
        cmocka_unit_test(test_refusals),  cmocka_unit_test(test_more_restarts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
