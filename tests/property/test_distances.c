/*
 * Distances between graphs: on small ones the counts of the definition, in all DAGs of the truth;
 * on large ones those of one question after the other about single pairs, which test_adjustment.c
 * holds against the definitions; for any number of threads.
 */
#include "classes.h"
#include "repeat.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N_SMALL = 4000, N_LARGE = 12, MAX_NODES = 150 };

static void ok(dpc_status status, const dpc_error *err)
{
    if (status != DPC_OK)
        fail_msg("%s", err->message);
}

static dpc_causal *causal_of(const dpc_graph *graph)
{
    dpc_causal *causal = NULL;
    dpc_error err = {0};
    ok(dpc_causal_new(graph, NULL, false, &causal, &err), &err);
    return causal;
}

static dpc_aid distances(const dpc_causal *estimate, const dpc_causal *truth, int threads)
{
    dpc_aid seen;
    dpc_settings settings;
    dpc_error err = {0};
    dpc_settings_default(&settings);
    settings.threads = threads;
    ok(dpc_distances(estimate, truth, DPC_AID_ALL, &settings, &seen, &err), &err);
    return seen;
}

static void same_counts(int number, const dpc_aid *seen, const dpc_aid *wanted)
{
    if (seen->pairs != wanted->pairs || seen->parent != wanted->parent ||
        seen->ancestor != wanted->ancestor || seen->oset != wanted->oset)
        fail_msg("pair %d: %lld, %lld, %lld and not %lld, %lld, %lld", number,
                 (long long)seen->parent, (long long)seen->ancestor, (long long)seen->oset,
                 (long long)wanted->parent, (long long)wanted->ancestor, (long long)wanted->oset);
}

static void test_by_definition(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(21);
    int zeros = 0;
    for (int number = 0; number < repeats(N_SMALL); number++) {
        dpc_graph e = {0}, t = {0};
        int n = draw_int(rng, 2, 6), kinds[2] = {number % 3, number / 3 % 3};
        draw_kind(rng, n, (dpc_graph_kind)kinds[0], &e);
        draw_kind(rng, n, (dpc_graph_kind)kinds[1], &t);
        dpc_causal *estimate = causal_of(&e), *truth = causal_of(&t);
        dpc_aid seen = distances(estimate, truth, 1), wanted;
        slow_distances(&e, &t, &wanted);
        same_counts(number, &seen, &wanted);
        bool dags = dpc_causal_about(estimate).kind == DPC_GRAPH_DAG &&
                    dpc_causal_about(truth).kind == DPC_GRAPH_DAG;
        assert_int_equal(seen.sid, dags ? seen.parent : -1);
        seen = distances(truth, truth, 1);
        zeros += seen.parent == 0 && seen.ancestor == 0 && seen.oset == 0;
        dpc_causal_free(estimate);
        dpc_causal_free(truth);
        dpc_graph_clear(&e);
        dpc_graph_clear(&t);
    }
    assert_int_equal(zeros, repeats(N_SMALL)); /* no graph is wrong about itself */
    gsl_rng_free(rng);
}

/* ---- One pair after the other ---- */

static int64_t is_wrong(dpc_causal *estimate, dpc_causal *truth, int x, int y, int which)
{
    int32_t set[MAX_NODES];
    int size = 0;
    dpc_error err = {0};
    dpc_identification guess = {0}, real = {0};
    dpc_set_check check = {0};
    const dpc_graph *g = dpc_causal_about(estimate).graph;
    ok(dpc_identify(estimate, x, y, &guess, &err), &err);
    ok(dpc_identify(truth, x, y, &real, &err), &err);
    if (which == 0 ? dpc_graph_mark(g, y, x) == DPC_FORWARD : !guess.possible)
        return real.possible;
    if (guess.identified != real.identified || !guess.identified)
        return guess.identified != real.identified;
    if (which == 2) {
        ok(dpc_adjustment(estimate, x, y, DPC_ADJUST_OPTIMAL, set, &size, &err), &err);
        assert_true(size >= 0);
    }
    for (int v = 0; v < g->n_nodes && which == 0; v++)
        if (v != x && dpc_graph_mark(g, v, x) == DPC_FORWARD)
            set[size++] = v;
    ok(dpc_check_adjustment(truth, x, y, set, size, &check, &err), &err);
    return check.verdict != DPC_SET_VALID;
}

static void draw_class(gsl_rng *rng, int n, bool dag_itself, dpc_graph *out)
{
    dpc_dag *dag = NULL;
    dpc_dag_model model = {n, 0.5 + 3 * gsl_rng_uniform(rng), 0.4, 2, DPC_ER};
    if (dpc_dag_random(&model, rng, &dag, NULL) != DPC_OK ||
        (dag_itself ? dpc_dag_edges(dag, out, NULL) : dpc_dag_graph(dag, DPC_CPDAG, out, NULL)) !=
            DPC_OK)
        abort();
    dpc_dag_free(dag);
}

static void test_by_single_pairs(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(22);
    for (int number = 0; number < repeats(N_LARGE); number++) {
        dpc_graph e = {0}, t = {0};
        int n = draw_int(rng, 60, MAX_NODES);
        int64_t wrong[3] = {0};
        draw_class(rng, n, number % 4 == 1, &e);
        draw_class(rng, n, number % 4 == 2, &t);
        dpc_causal *estimate = causal_of(&e), *truth = causal_of(&t);
        dpc_aid seen = distances(estimate, truth, 1), again = distances(estimate, truth, 3);
        assert_memory_equal(&seen, &again, sizeof seen);
        for (int x = 0; x < n; x++)
            for (int y = 0; y < n; y++)
                for (int which = 0; which < 3 && x != y; which += 2)
                    wrong[which] += is_wrong(estimate, truth, x, y, which);
        assert_int_equal(seen.parent, wrong[0]);
        assert_int_equal(seen.oset, wrong[2]);
        dpc_causal_free(estimate);
        dpc_causal_free(truth);
        dpc_graph_clear(&e);
        dpc_graph_clear(&t);
    }
    gsl_rng_free(rng);
}

static int stop(const dpc_progress *progress, void *user)
{
    (void)progress;
    (void)user;
    return 1;
}

static void test_ends(void **state)
{
    (void)state;
    dpc_graph *none = NULL, *two = NULL;
    dpc_error err = {0};
    dpc_settings settings;
    dpc_settings_default(&settings);
    ok(dpc_graph_new(1, NULL, 0, &none, &err), &err);
    ok(dpc_graph_new(2, (dpc_edge[]){{0, 1, DPC_FORWARD}}, 1, &two, &err), &err);
    dpc_causal *p = causal_of(none), *q = causal_of(two);
    dpc_aid seen = distances(p, p, 1);
    assert_int_equal(seen.pairs, 0);
    assert_int_equal(seen.sid, 0);
    assert_int_equal(dpc_distances(p, q, DPC_AID_ALL, NULL, &seen, &err), DPC_USAGE);
    ok(dpc_distances(q, q, DPC_AID_ANCESTOR, &settings, &seen, &err), &err);
    assert_true(seen.parent == -1 && seen.ancestor == 0 && seen.oset == -1 && seen.sid == -1);
    settings.progress = stop;
    assert_int_equal(dpc_distances(q, q, DPC_AID_ALL, &settings, &seen, &err), DPC_INTERRUPTED);
    dpc_causal_free(p);
    dpc_causal_free(q);
    dpc_graph_free(none);
    dpc_graph_free(two);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_definition),
        cmocka_unit_test(test_by_single_pairs),
        cmocka_unit_test(test_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
