/*
 * Times the greedy equivalence search, correlations included, on one thread.
 *
 *     ges [lambda [n N d runs]]
 *
 * Prints for each size the best time of several runs, and of these the correlations, then steps,
 * scores and edges. The tables are samples of random networks with d expected parents and weights
 * from 0.4 to 2.
 */
#include "dag_gsl.h"
#include "platform.h"
#include "table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* As the command line program does: the threads are ours. */
__attribute__((weak)) void openblas_set_num_threads(int threads);

struct size {
    int n;
    int64_t n_obs;
    double parents;
    int runs;
};

static void stop(const dpc_error *err)
{
    fprintf(stderr, "ges: %s\n", err->message);
    exit(1);
}

static dpc_table *draw(const struct size *size)
{
    dpc_dag_model model = {size->n, size->parents, 0.4, 2, DPC_ER};
    dpc_error err = {0};
    gsl_rng *rng = NULL;
    dpc_dag *dag = NULL;
    dpc_table *table = NULL;
    if (dpc_rng_new(1, &rng, &err) != DPC_OK || dpc_dag_random(&model, rng, &dag, &err) != DPC_OK ||
        dpc_dag_sample(dag, size->n_obs, (dpc_noise){.degrees = INFINITY}, rng, &table, &err) !=
            DPC_OK)
        stop(&err);
    dpc_dag_free(dag);
    gsl_rng_free(rng);
    return table;
}

static void measure(const struct size *size, const dpc_settings *settings)
{
    dpc_table *table = draw(size);
    dpc_error err = {0};
    double best = INFINITY, best_correlation = 0;
    dpc_result *result = NULL;
    for (int run = 0; run < size->runs; run++) {
        dpc_correlation *c = NULL;
        dpc_result_free(result);
        result = NULL;
        double start = dpc_seconds();
        if (dpc_correlate(table, settings, NULL, &c, &err) != DPC_OK)
            stop(&err);
        double middle = dpc_seconds();
        if (dpc_learn(c, settings, &result, &err) != DPC_OK)
            stop(&err);
        double seconds = dpc_seconds() - start;
        if (seconds < best) {
            best = seconds;
            best_correlation = middle - start;
        }
        dpc_correlation_free(c);
    }
    const dpc_info *info = dpc_result_info(result);
    printf("n %5d  N %6lld  d %.1f  lambda %g: %9.5f s, correlations %.5f s, steps %lld %lld %lld, "
           "scores %lld, edges %lld\n",
           size->n, (long long)size->n_obs, size->parents, settings->penalty, best,
           best_correlation, (long long)info->steps[DPC_INSERT], (long long)info->steps[DPC_DELETE],
           (long long)info->steps[DPC_TURN], (long long)info->scores,
           (long long)dpc_result_graph(result)->n_edges);
    fflush(stdout);
    dpc_result_free(result);
    dpc_table_free(table);
}

int main(int argc, char **argv)
{
    static const struct size sizes[] = {
        {100, 2500, 1.5, 20}, {200, 10000, 2, 10}, {500, 4000, 2, 3},
        {1000, 4000, 2, 2},   {2000, 4000, 2, 1},
    };
    dpc_settings settings;
    if (openblas_set_num_threads != NULL)
        openblas_set_num_threads(1);
    dpc_settings_default(&settings);
    settings.method = DPC_GES;
    settings.penalty = argc > 1 ? atof(argv[1]) : 5;
    settings.threads = 1;
    if (argc == 6) {
        struct size size = {atoi(argv[2]), (int64_t)atof(argv[3]), atof(argv[4]), atoi(argv[5])};
        measure(&size, &settings);
        return 0;
    }
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        measure(&sizes[i], &settings);
    return 0;
}
