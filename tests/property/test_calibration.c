/*
 * What a frequency is worth: over many simulated data sets, an edge that more resamples have is
 * more often an edge of the truth. Pairs are put into bins by the frequency of their edge, and the
 * share of true edges in a bin must rise from bin to bin; so must that of right directions among
 * the arrows of the true edges. Bins with few pairs are joined with the next. The table is printed.
 */
#include "simulate.h"
#include "tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { N_SETS = 60, NODES = 30, ROWS = 300, RESAMPLES = 100, BINS = 10, FEW = 250 };

typedef struct bin {
    int64_t pairs, right;
} bin;

typedef struct counts {
    bin edges[BINS];  /* by the frequency of the edge: is it in the true skeleton? */
    bin arrows[BINS]; /* by the frequency of one direction of a true edge: is it in the CPDAG? */
} counts;

/* 0 … 0.1, 0.1 … 0.2, and so on; the upper end belongs to the bin. */
static void put(bin *bins, int count, bool right)
{
    int at = count > 0 ? (count * BINS - 1) / RESAMPLES : 0;
    bins[at].pairs++;
    bins[at].right += right;
}

static void add_pairs(counts *c, const dpc_frequencies *f, const dpc_graph *truth)
{
    for (int a = 0; a < NODES; a++)
        for (int b = a + 1; b < NODES; b++) {
            dpc_frequency pair = dpc_frequency_of(f, a, b);
            dpc_mark mark = dpc_graph_mark(truth, a, b);
            put(c->edges, pair.edge, mark != DPC_NONE);
            if (mark != DPC_NONE && pair.forward > 0)
                put(c->arrows, pair.forward, mark == DPC_FORWARD);
            if (mark != DPC_NONE && pair.backward > 0)
                put(c->arrows, pair.backward, mark == DPC_BACKWARD);
        }
}

static void add_data_set(counts *c, uint64_t seed)
{
    dpc_simulation simulation;
    dpc_dag *dag = NULL;
    dpc_table *table = NULL;
    dpc_graph truth = {0};
    dpc_settings settings = plain_settings();
    dpc_error err;
    dpc_simulation_default(&simulation);
    simulation.model.n = NODES;
    simulation.n_obs = ROWS;
    simulation.seed = seed;
    if (dpc_simulate(&simulation, &dag, &table, &err) != DPC_OK ||
        dpc_dag_graph(dag, DPC_CPDAG, &truth, &err) != DPC_OK)
        fail_msg("%s", err.message);
    dpc_frequencies *f =
        bootstrap(table, &settings, (dpc_resampling){.resamples = RESAMPLES, .seed = seed});
    add_pairs(c, f, &truth);
    dpc_frequencies_free(f);
    dpc_graph_clear(&truth);
    dpc_table_free(table);
    dpc_dag_free(dag);
}

static void check_rising(const char *name, const bin *bins)
{
    bin joined = {0};
    double last = -1;
    int shown = 0;
    for (int i = 0; i < BINS; i++) {
        joined.pairs += bins[i].pairs;
        joined.right += bins[i].right;
        if (joined.pairs < FEW)
            continue;
        double share = (double)joined.right / (double)joined.pairs;
        print_message("  %-6s up to %.1f: %5lld pairs, %.3f right\n", name, 0.1 * (i + 1),
                      (long long)joined.pairs, share);
        if (share < last)
            fail_msg("%s: the share of right ones falls to %.3f", name, share);
        last = share;
        joined = (bin){0};
        shown++;
    }
    assert_true(shown >= 5);
    assert_true(last > 0.9); /* and what all resamples have is nearly sure */
}

static void test_calibration(void **state)
{
    (void)state;
    counts c = {0};
    for (uint64_t seed = 1; seed <= N_SETS; seed++)
        add_data_set(&c, seed);
    check_rising("edge", c.edges);
    check_rising("arrow", c.arrows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_calibration)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
