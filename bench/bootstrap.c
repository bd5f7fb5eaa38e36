/*
 * Times the bootstrap against learning once, correlations included in both.
 *
 *     bootstrap [-n nodes] [-N samples] [-B resamples] [-c] [-r runs]
 *
 * Data are simulated, with two parents expected; -c is --normalize copula. Prints the best times
 * of the runs: one graph on one thread, B resamples on one and on two threads, what a resample
 * costs in graphs, and how much faster two threads are. The runs of the three take turns, so that
 * a busy moment of the machine meets all of them.
 */
#include "dualpc_explain.h"
#include "platform.h"
#include "simulate.h"
#include "table.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* As the command line program does: the threads are ours. */
__attribute__((weak)) void openblas_set_num_threads(int threads);

static void check(dpc_status status, const dpc_error *err)
{
    if (status == DPC_OK)
        return;
    fprintf(stderr, "%s\n", err->message);
    exit(1);
}

/* Several times in a row, for once is too short to be measured; seconds of one. */
static double time_learn(const dpc_table *table, dpc_settings settings, int times)
{
    dpc_error err;
    settings.threads = 1;
    double start = dpc_seconds();
    for (int i = 0; i < times; i++) {
        dpc_result *result = NULL;
        check(dpc_learn_table(table, &settings, NULL, &result, &err), &err);
        dpc_result_free(result);
    }
    return (dpc_seconds() - start) / times;
}

static double time_bootstrap(const dpc_table *table, dpc_settings settings, int resamples,
                             int threads)
{
    dpc_error err;
    dpc_frequencies *frequencies = NULL;
    dpc_resampling how = {.resamples = resamples, .seed = 1};
    settings.threads = threads;
    double start = dpc_seconds();
    check(dpc_bootstrap(table, &settings, &how, &frequencies, &err), &err);
    double seconds = dpc_seconds() - start;
    dpc_frequencies_free(frequencies);
    return seconds;
}

static void keep_best(double *best, double seconds)
{
    *best = seconds < *best ? seconds : *best;
}

int main(int argc, char **argv)
{
    int runs = 5, resamples = 200, option;
    dpc_settings settings;
    dpc_simulation simulation;
    dpc_dag *dag = NULL;
    dpc_table *table = NULL;
    dpc_error err;
    if (openblas_set_num_threads != NULL)
        openblas_set_num_threads(1);
    dpc_settings_default(&settings);
    dpc_simulation_default(&simulation);
    simulation.model.n = 100;
    simulation.n_obs = 5000;
    while ((option = getopt(argc, argv, "n:N:B:cr:")) != -1)
        switch (option) {
        case 'n':
            simulation.model.n = atoi(optarg);
            break;
        case 'N':
            simulation.n_obs = atoll(optarg);
            break;
        case 'B':
            resamples = atoi(optarg);
            break;
        case 'c':
            settings.normalize = DPC_NORMALIZE_COPULA;
            break;
        case 'r':
            runs = atoi(optarg);
            break;
        default:
            return 1;
        }
    check(dpc_simulate(&simulation, &dag, &table, &err), &err);
    double learn = 1e300, one = 1e300, two = 1e300;
    for (int run = 0; run < runs; run++) {
        keep_best(&learn, time_learn(table, settings, 10));
        keep_best(&one, time_bootstrap(table, settings, resamples, 1));
        keep_best(&two, time_bootstrap(table, settings, resamples, 2));
    }
    printf("learn %.6f  bootstrap %.4f  on two threads %.4f  a resample is %.3f graphs, two "
           "threads are %.2f times faster\n",
           learn, one, two, one / resamples / learn, one / two);
    dpc_dag_free(dag);
    dpc_table_free(table);
    return 0;
}
