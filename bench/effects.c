/*
 * What follows from a graph, timed in memory on as many threads as are asked for.
 *
 *     effects distances GUESS TRUTH RUNS     counts and the best seconds of each distance
 *     effects ida local|optimal N_NODES PARENTS THREADS RUNS
 *
 * The second draws a DAG and 5 n observations, learns a CPDAG by dual PC, and asks for the effects
 * of all pairs. Prints the edges, the number of effects and the best seconds.
 */
#include "dualpc_io.h"
#include "platform.h"
#include "simulate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(dpc_status status, const dpc_error *err)
{
    if (status == DPC_OK)
        return;
    fprintf(stderr, "effects: %s\n", err->message);
    exit(1);
}

static dpc_causal *read_causal(const char *path)
{
    dpc_named_graph *graph = NULL;
    dpc_causal *causal = NULL;
    dpc_error err = {0};
    must(dpc_graph_read(path, &graph, &err), &err);
    must(dpc_causal_new(&graph->graph, NULL, false, &causal, &err), &err);
    dpc_named_graph_free(graph);
    return causal;
}

static dpc_settings on_threads(int threads)
{
    dpc_settings settings;
    dpc_settings_default(&settings);
    settings.threads = threads;
    return settings;
}

static void time_distances(char **argv)
{
    static const char *const NAMES[] = {"parent", "ancestor", "oset"};
    dpc_causal *guess = read_causal(argv[2]), *truth = read_causal(argv[3]);
    dpc_settings settings = on_threads(1);
    dpc_error err = {0};
    for (int which = 0; which < 3; which++) {
        double best = INFINITY;
        dpc_aid seen = {0};
        for (int i = 0; i < atoi(argv[4]); i++) {
            double start = dpc_seconds();
            must(dpc_distances(guess, truth, 1u << which, &settings, &seen, &err), &err);
            best = fmin(best, dpc_seconds() - start);
        }
        int64_t counts[] = {seen.parent, seen.ancestor, seen.oset};
        printf("%s %lld %.6f\n", NAMES[which], (long long)counts[which], best);
    }
    dpc_causal_free(guess);
    dpc_causal_free(truth);
}

static void time_effects(char **argv)
{
    dpc_simulation how;
    dpc_dag *dag = NULL;
    dpc_table *table = NULL;
    dpc_correlation *c = NULL;
    dpc_result *result = NULL;
    dpc_causal *causal = NULL;
    dpc_error err = {0};
    dpc_settings settings = on_threads(atoi(argv[5]));
    dpc_effect_query query = {.ida =
                                  strcmp(argv[2], "local") == 0 ? DPC_IDA_LOCAL : DPC_IDA_OPTIMAL};
    dpc_simulation_default(&how);
    how.model.n = atoi(argv[3]);
    how.model.parents = atof(argv[4]);
    how.n_obs = 5 * (int64_t)how.model.n;
    must(dpc_simulate(&how, &dag, &table, &err), &err);
    must(dpc_correlate(table, &settings, NULL, &c, &err), &err);
    must(dpc_learn(c, &settings, &result, &err), &err);
    double best = INFINITY;
    int64_t effects = 0;
    for (int i = 0; i < atoi(argv[6]); i++) {
        dpc_effect_table *seen = NULL;
        double start = dpc_seconds();
        must(dpc_causal_new(dpc_result_graph(result), NULL, false, &causal, &err), &err);
        must(dpc_effects(c, causal, &query, &settings, &seen, &err), &err);
        best = fmin(best, dpc_seconds() - start);
        effects = 0;
        for (int64_t k = 0; k < dpc_effect_table_about(seen)->n_pairs; k++)
            effects += dpc_effect_table_pair(seen, k).count;
        dpc_effect_table_free(seen);
        dpc_causal_free(causal);
    }
    printf("edges %lld effects %lld seconds %.6f\n", (long long)dpc_result_graph(result)->n_edges,
           (long long)effects, best);
    dpc_result_free(result);
    dpc_correlation_free(c);
    dpc_table_free(table);
    dpc_dag_free(dag);
}

int main(int argc, char **argv)
{
    if (argc == 5 && strcmp(argv[1], "distances") == 0)
        time_distances(argv);
    else if (argc == 7 && strcmp(argv[1], "ida") == 0)
        time_effects(argv);
    else
        return 1;
    return 0;
}
