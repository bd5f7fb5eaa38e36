/*
 * Graphs with weights: what is added comes out again, whatever the order; the weights of the pairs
 * are the sums over the graphs; a weight of k counts as k graphs of weight 1.
 */
#include "cases.h"
#include "graph.h"
#include "weighted_graphs.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { NODES = 9, PLACES = 150 };

/* A graph with some edges, of all kinds of marks. */
static dpc_graph draw_graph(gsl_rng *rng)
{
    const dpc_mark marks[] = {DPC_UNDIRECTED, DPC_FORWARD, DPC_BACKWARD, DPC_BIDIRECTED};
    dpc_graph graph = {NODES, 0, malloc(NODES * NODES * sizeof *graph.edges)};
    for (int a = 0; a < NODES; a++)
        for (int b = a + 1; b < NODES; b++)
            if (gsl_rng_uniform(rng) < 0.3)
                graph.edges[graph.n_edges++] = (dpc_edge){a, b, marks[gsl_rng_uniform_int(rng, 4)]};
    return graph;
}

static void add(dpc_weighted_graphs *all, int64_t place, const dpc_graph *graph, double weight)
{
    dpc_weighted_graph packed = {0};
    assert_int_equal(dpc_pack_graph(graph, weight, &packed), DPC_OK);
    assert_int_equal(dpc_weighted_graphs_add(all, place, &packed), DPC_OK);
    assert_null(packed.edges);
}

static void check_graph(const dpc_weighted_graphs *all, int64_t place, const dpc_graph *graph)
{
    dpc_graph out;
    assert_true(dpc_has_graph(all, place));
    assert_int_equal(dpc_weighted_graphs_at(all, place, &out), DPC_OK);
    assert_int_equal(out.n_nodes, graph->n_nodes);
    assert_int_equal(out.n_edges, graph->n_edges);
    for (int64_t e = 0; e < graph->n_edges; e++)
        assert_memory_equal(&out.edges[e], &graph->edges[e], sizeof *graph->edges);
    for (int a = 0; a < NODES; a++)
        for (int b = 0; b < NODES; b++)
            if (a != b)
                assert_int_equal(dpc_packed_adjacent(&all->graphs[place], a, b),
                                 dpc_graph_mark(graph, a, b) != DPC_NONE);
    dpc_graph_clear(&out);
}

/* The sums of a pair, by asking every graph. */
static dpc_frequency slow_weight(const dpc_graph *graph, const double *weight, int a, int b)
{
    dpc_frequency w = {.a = a, .b = b};
    for (int i = 0; i < PLACES; i++) {
        dpc_mark mark = weight[i] > 0 ? dpc_graph_mark(&graph[i], a, b) : DPC_NONE;
        w.edge += mark != DPC_NONE ? weight[i] : 0;
        w.forward += mark == DPC_FORWARD ? weight[i] : 0;
        w.backward += mark == DPC_BACKWARD ? weight[i] : 0;
        w.undirected += mark == DPC_UNDIRECTED ? weight[i] : 0;
    }
    return w;
}

static void check_pairs(const dpc_weighted_graphs *all, const dpc_graph *graph,
                        const double *weight)
{
    dpc_frequency *pairs;
    int64_t count;
    double sum;
    int64_t found = 0;
    double total = 0;
    assert_int_equal(dpc_weigh_pairs(all, &pairs, &count, &sum), DPC_OK);
    for (int i = 0; i < PLACES; i++)
        total += weight[i];
    assert_true(fabs(sum - total) < 1e-9);
    for (int a = 0; a < NODES; a++)
        for (int b = a + 1; b < NODES; b++) {
            dpc_frequency slow = slow_weight(graph, weight, a, b);
            if (slow.edge == 0)
                continue;
            const dpc_frequency *fast = &pairs[found++];
            assert_int_equal(fast->a, a);
            assert_int_equal(fast->b, b);
            assert_true(fabs(fast->edge - slow.edge) < 1e-9);
            assert_true(fabs(fast->forward - slow.forward) < 1e-9);
            assert_true(fabs(fast->backward - slow.backward) < 1e-9);
            assert_true(fabs(fast->undirected - slow.undirected) < 1e-9);
        }
    assert_int_equal(found, count);
    free(pairs);
}

/* Added from the last place to the first, some places left out and one taken away again. */
static void test_graphs(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(5);
    dpc_weighted_graphs all = {.n_nodes = NODES};
    dpc_graph graph[PLACES];
    double weight[PLACES];
    for (int i = PLACES - 1; i >= 0; i--) {
        graph[i] = draw_graph(rng);
        weight[i] = i % 7 == 3 ? 0 : 0.25 + gsl_rng_uniform(rng);
        if (weight[i] > 0)
            add(&all, i, &graph[i], weight[i]);
    }
    dpc_weighted_graphs_remove(&all, 10); /* 10 % 7 is 3: an empty place may be emptied */
    dpc_weighted_graphs_remove(&all, 11);
    weight[11] = 0;
    for (int i = 0; i < PLACES; i++)
        if (weight[i] > 0)
            check_graph(&all, i, &graph[i]);
        else
            assert_false(dpc_has_graph(&all, i));
    assert_false(dpc_has_graph(&all, 1000000));
    check_pairs(&all, graph, weight);
    for (int i = 0; i < PLACES; i++)
        dpc_graph_clear(&graph[i]);
    dpc_weighted_graphs_clear(&all);
    dpc_weighted_graphs_clear(&all); /* again: nothing to do */
    gsl_rng_free(rng);
}

static void test_none(void **state)
{
    (void)state;
    dpc_weighted_graphs all = {.n_nodes = NODES};
    dpc_frequency *pairs;
    int64_t count;
    double sum;
    assert_int_equal(dpc_weigh_pairs(&all, &pairs, &count, &sum), DPC_OK);
    assert_int_equal(count, 0);
    assert_true(sum == 0);
    free(pairs);
    dpc_weighted_graphs_clear(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_graphs),
        cmocka_unit_test(test_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
