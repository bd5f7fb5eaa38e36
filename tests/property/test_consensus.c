/*
 * The consensus of a bootstrap: a CPDAG of the edges that are frequent enough, at every frequency,
 * that does not depend on the places of the columns. It respects background knowledge.
 */
#include "frequency.h"
#include "knowing.h"
#include "repeat.h"
#include "tables.h"
#include "valid.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N_PERMUTED = 40, N_CONSENSUS = 60, N_KNOWING = 150 };

/* ---- Columns ---- */

/* The columns of a table in another order: column j is column order[j] of it. */
static dpc_table *permuted(const dpc_table *from, const int *order)
{
    dpc_table *to = NULL;
    dpc_error err;
    if (dpc_table_new(from->n_obs, from->n_vars, NULL, &to, &err) != DPC_OK)
        fail_msg("%s", err.message);
    for (int j = 0; j < from->n_vars; j++)
        memcpy(to->values + j * from->n_obs, from->values + order[j] * from->n_obs,
               (size_t)from->n_obs * sizeof(double));
    return to;
}

static dpc_graph *consensus(const dpc_frequencies *f, double least)
{
    dpc_graph *graph = NULL;
    dpc_error err;
    if (dpc_consensus(f, least, NULL, NULL, &graph, &err) != DPC_OK)
        fail_msg("%s", err.message);
    return graph;
}

static void check_permuted(int number)
{
    gsl_rng *rng = seeded((uint64_t)number + 40);
    dpc_settings settings = plain_settings();
    dpc_table *table = simulated_table(15, 150, (uint64_t)number + 300);
    dpc_resampling how = {.resamples = 15, .seed = 8};
    int order[15];
    for (int j = 0; j < 15; j++) {
        int k = draw_int(rng, 0, j);
        order[j] = order[k];
        order[k] = j;
    }
    dpc_table *other = permuted(table, order);
    dpc_frequencies *f = bootstrap(table, &settings, how), *g = bootstrap(other, &settings, how);
    dpc_graph *p = consensus(f, 0.3), *q = consensus(g, 0.3);
    assert_int_equal(f->n_pairs, g->n_pairs);
    for (int a = 0; a < 15; a++)
        for (int b = a + 1; b < 15; b++) {
            dpc_frequency here = dpc_frequency_of(g, a, b);
            dpc_frequency there = dpc_frequency_of(f, order[a], order[b]);
            bool turned = order[a] > order[b];
            assert_int_equal(here.edge, there.edge);
            assert_int_equal(here.forward, turned ? there.backward : there.forward);
            assert_int_equal(here.undirected, there.undirected);
            assert_int_equal(dpc_graph_mark(q, a, b), dpc_graph_mark(p, order[a], order[b]));
        }
    dpc_graph_free(p);
    dpc_graph_free(q);
    dpc_frequencies_free(f);
    dpc_frequencies_free(g);
    dpc_table_free(table);
    dpc_table_free(other);
    gsl_rng_free(rng);
}

static void test_permuted(void **state)
{
    (void)state;
    for (int number = 0; number < repeats(N_PERMUTED); number++)
        check_permuted(number);
}

/* ---- Frequencies ---- */

/* The kept edges are those that enough resamples have; true: some are directed. */
static bool check_consensus(const dpc_frequencies *f, double least, const dpc_settings *settings)
{
    dpc_graph *graph = consensus(f, least);
    int64_t kept = 0;
    bool directed = false;
    for (int64_t i = 0; i < f->n_pairs; i++)
        kept += f->pairs[i].edge / f->total >= least;
    assert_int_equal(kept, graph->n_edges);
    for (int64_t e = 0; e < graph->n_edges; e++) {
        dpc_frequency pair = dpc_frequency_of(f, graph->edges[e].a, graph->edges[e].b);
        assert_true((double)pair.edge / f->resamples >= least);
        directed = directed || graph->edges[e].mark != DPC_UNDIRECTED;
        assert_true(e == 0 || graph->edges[e - 1].a < graph->edges[e].a ||
                    graph->edges[e - 1].b < graph->edges[e].b);
    }
    if (settings->graph == DPC_CPDAG)
        assert_true(is_cpdag(graph));
    else
        assert_true(!has_circle(graph));
    if (settings->graph == DPC_SKELETON)
        assert_false(directed);
    dpc_graph_free(graph);
    return directed;
}

static void test_consensus(void **state)
{
    (void)state;
    const double frequencies[] = {1e-9, 0.05, 0.1, 0.2, 0.3, 0.5, 0.6, 0.75, 0.9, 1};
    int directed = 0;
    for (int number = 0; number < repeats(N_CONSENSUS); number++) {
        gsl_rng *rng = seeded((uint64_t)number + 90);
        dpc_settings settings = plain_settings();
        dpc_table *table =
            simulated_table(draw_int(rng, 2, 25), draw_int(rng, 30, 300), (uint64_t)number + 100);
        settings.orient = (dpc_orientation)(number % 4);
        settings.order = (dpc_order)(number / 4 % 2);
        settings.graph = (dpc_target)(number % 5 == 0 ? number / 5 % 3 : 0);
        settings.method = number % 7 == 0 ? DPC_GES : DPC_DUAL;
        settings.alpha = draw_log(rng, 0.01, 0.3);
        if (number % 2)
            spoil_columns(table, rng);
        dpc_frequencies *f = bootstrap(table, &settings, (dpc_resampling){.resamples = 20});
        for (size_t i = 0; i < sizeof frequencies / sizeof *frequencies; i++)
            directed += check_consensus(f, frequencies[i], &settings);
        dpc_frequencies_free(f);
        dpc_table_free(table);
        gsl_rng_free(rng);
    }
    assert_true(directed > share(N_CONSENSUS) * 4);
}

/* ---- Background knowledge ---- */

/* Is the pair kept, taken away or added as it should be? *lost counts those taken away. */
static void check_pair(const dpc_frequencies *f, double least, const dpc_graph *graph,
                       const dpc_knowledge *k, int a, int b, int *lost)
{
    bool joined = dpc_graph_mark(graph, a, b) != DPC_NONE;
    bool frequent = dpc_frequency_of(f, a, b).edge / f->total >= least;
    bool required = dpc_knowledge_requires(k, a, b) || dpc_knowledge_requires(k, b, a);
    bool ab = dpc_knowledge_forbids(k, a, b), ba = dpc_knowledge_forbids(k, b, a);
    if (required || !frequent || (ab && ba))
        assert_int_equal(joined, required);
    else if (!joined) {
        assert_true(ab || ba); /* in a circle */
        ++*lost;
    }
}

static void check_knowing(const dpc_frequencies *f, double least, const dpc_settings *settings,
                          int *lost)
{
    const dpc_knowledge *k = settings->knowledge;
    dpc_graph *graph = consensus(f, least), *dag = NULL;
    dpc_error err;
    for (int a = 0; a < f->n_vars; a++)
        for (int b = a + 1; b < f->n_vars; b++)
            check_pair(f, least, graph, k, a, b, lost);
    assert_false(violates(graph, k, settings->graph != DPC_SKELETON));
    if (settings->graph == DPC_CPDAG) {
        assert_false(rules_apply(graph));
        if (dpc_class_member(graph, &dag, &err) != DPC_OK)
            fail_msg("%s", err.message);
        assert_true(is_extension(dag, graph));
        assert_false(violates(dag, k, true));
    }
    dpc_graph_free(dag);
    dpc_graph_free(graph);
}

static void know_afterwards(dpc_frequencies *f, const dpc_knowledge *known)
{
    dpc_knowledge *copy = NULL;
    assert_int_equal(dpc_knowledge_copy(known, &copy, NULL), DPC_OK);
    f->graphs->settings.knowledge = copy;
}

/* Also with resamples that knew nothing: the consensus alone must respect the knowledge then. */
static void test_knowledge(void **state)
{
    (void)state;
    const double frequencies[] = {0.01, 0.2, 0.5, 0.9, 1};
    int lost = 0;
    for (int number = 0; number < repeats(N_KNOWING); number++) {
        gsl_rng *rng = seeded((uint64_t)number + 700);
        dpc_settings settings = plain_settings();
        int n = draw_int(rng, 2, 16);
        dpc_table *table = simulated_table(n, draw_int(rng, 30, 300), (uint64_t)number + 800);
        dpc_knowledge *known = draw_any_knowledge(n, rng);
        settings.orient = (dpc_orientation)(number % 4);
        settings.graph = (dpc_target)(number % 5 == 0 ? number / 5 % 3 : 0);
        settings.alpha = draw_log(rng, 0.01, 0.3);
        settings.knowledge = number % 3 == 0 ? NULL : known;
        dpc_frequencies *f = bootstrap(table, &settings, (dpc_resampling){.resamples = 10});
        settings.knowledge = known;
        if (number % 3 == 0)
            know_afterwards(f, known);
        for (size_t i = 0; i < sizeof frequencies / sizeof *frequencies; i++)
            check_knowing(f, frequencies[i], &settings, &lost);
        for (int i = 0; number % 3 != 0 && i < 10; i++) {
            dpc_graph graph = resample_graph(f, i);
            assert_false(violates(&graph, known, settings.graph != DPC_SKELETON));
            dpc_graph_clear(&graph);
        }
        dpc_frequencies_free(f);
        dpc_table_free(table);
        dpc_knowledge_free(known);
        gsl_rng_free(rng);
    }
    print_message("%d frequent edges were in circles\n", lost);
    assert_true(lost >= share(1));
}

static void test_other_knowledge(void **state)
{
    (void)state;
    dpc_settings settings = plain_settings();
    dpc_table *table = simulated_table(5, 60, 3);
    const dpc_resampling how = {.resamples = 2};
    dpc_frequencies *f = NULL;
    dpc_knowledge *known = NULL;
    dpc_error err;
    assert_int_equal(dpc_knowledge_new(4, &known, &err), DPC_OK);
    settings.knowledge = known;
    assert_int_equal(dpc_bootstrap(table, &settings, &how, &f, &err), DPC_USAGE);
    assert_null(f);
    dpc_knowledge_free(known);
    dpc_table_free(table);
}

/* Where all resamples have the same CPDAG that is the consensus. */
static void test_unanimous(void **state)
{
    (void)state;
    int agreed = 0;
    for (int number = 0; number < repeats(30); number++) {
        dpc_settings settings = plain_settings();
        settings.alpha = 1e-6;
        dpc_table *table = simulated_table(8, 20000, (uint64_t)number + 500);
        dpc_frequencies *f = bootstrap(table, &settings, (dpc_resampling){.resamples = 5});
        bool same = true;
        for (int i = 1; i < 5; i++)
            same = same && same_resamples(f, 0, f, i);
        dpc_graph *graph = consensus(f, 1);
        if (same)
            assert_true(same_as_resample(graph, f, 0));
        agreed += same && graph->n_edges > 0;
        dpc_graph_free(graph);
        dpc_frequencies_free(f);
        dpc_table_free(table);
    }
    assert_true(agreed > share(8));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_permuted),  cmocka_unit_test(test_consensus),
        cmocka_unit_test(test_knowledge), cmocka_unit_test(test_other_knowledge),
        cmocka_unit_test(test_unanimous),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
