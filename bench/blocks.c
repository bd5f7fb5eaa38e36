/*
 * Times a table of which half of the variables are nominal with three levels, so that a variable is
 * 1.5 columns in the mean, against the same table of numbers.
 *
 *     blocks [-n nodes] [-N samples] [-d parents] [-a alpha] [-L levels] [-c] [-g] [-m] [-s seed]
 *            [-r runs]
 *
 * Data are simulated as in the paper; the nominal variables are the numbers cut at their quantiles,
 * and are compared with these numbers and with the codes taken as numbers. -c classic, -g skeleton
 * only, -m by counts where all are nominal. Prints the best seconds of the runs (correlations,
 * then dpc_learn), tests and edges of each, and the ratios. The runs take turns.
 */
#include "dualpc_explain.h"
#include "dualpc_graph.h"
#include "platform.h"
#include "simulate.h"
#include "table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Cuts every other column into levels of equal size. */
static void cut(dpc_table *table, int levels)
{
    int64_t n = table->n_obs;
    double *sorted = malloc((size_t)n * sizeof *sorted);
    for (int v = 0; v < table->n_vars && sorted != NULL; v += 2) {
        double *x = table->values + v * n;
        memcpy(sorted, x, (size_t)n * sizeof *x);
        qsort(sorted, (size_t)n, sizeof *x, by_value);
        for (int64_t i = 0; i < n; i++) {
            int code = 0;
            while (code < levels - 1 && x[i] >= sorted[n * (code + 1) / levels])
                code++;
            x[i] = code;
        }
    }
    free(sorted);
}

typedef struct side {
    const char *name;
    dpc_table *table;
    double correlate, learn;
    int64_t tests, edges;
} side;

static void run(side *s, const dpc_settings *settings)
{
    dpc_error err;
    dpc_correlation *c = NULL;
    dpc_result *result = NULL;
    double start = dpc_seconds();
    check(dpc_correlate(s->table, settings, NULL, &c, &err), &err);
    double made = dpc_seconds();
    check(dpc_learn(c, settings, &result, &err), &err);
    double end = dpc_seconds();
    s->correlate = made - start < s->correlate ? made - start : s->correlate;
    s->learn = end - made < s->learn ? end - made : s->learn;
    s->tests = dpc_result_info(result)->tests;
    s->edges = dpc_result_graph(result)->n_edges;
    dpc_result_free(result);
    dpc_correlation_free(c);
}

int main(int argc, char **argv)
{
    int runs = 7, levels = 3, option;
    dpc_settings settings;
    dpc_simulation simulation;
    dpc_error err;
    if (openblas_set_num_threads != NULL)
        openblas_set_num_threads(1);
    dpc_settings_default(&settings);
    dpc_simulation_default(&simulation);
    settings.threads = 1;
    simulation.model.n = 50;
    simulation.n_obs = 1000;
    simulation.model.parents = 1.5;
    while ((option = getopt(argc, argv, "n:N:d:a:L:cgms:r:")) != -1)
        switch (option) {
        case 'n':
            simulation.model.n = atoi(optarg);
            break;
        case 'N':
            simulation.n_obs = atoi(optarg);
            break;
        case 'd':
            simulation.model.parents = atof(optarg);
            break;
        case 'a':
            settings.alpha = atof(optarg);
            break;
        case 'L':
            levels = atoi(optarg);
            break;
        case 'c':
            settings.method = DPC_CLASSIC;
            break;
        case 'g':
            settings.graph = DPC_SKELETON;
            break;
        case 'm':
            settings.categorical = DPC_CATEGORICAL_MIXTURE;
            break;
        case 's':
            simulation.seed = (uint64_t)atoll(optarg);
            break;
        case 'r':
            runs = atoi(optarg);
            break;
        default:
            return 1;
        }
    side sides[] = {{.name = "numbers"}, {.name = "codes as numbers"}, {.name = "mixed"}};
    for (int i = 0; i < 3; i++) {
        dpc_dag *dag = NULL;
        sides[i].correlate = sides[i].learn = 1e300;
        check(dpc_simulate(&simulation, &dag, &sides[i].table, &err), &err);
        if (i > 0)
            cut(sides[i].table, levels);
        for (int v = 0; i > 1 && v < simulation.model.n; v += 2)
            check(dpc_table_set_kind(sides[i].table, v, DPC_NOMINAL, levels, NULL, &err), &err);
        dpc_dag_free(dag);
    }
    for (int r = 0; r < runs; r++)
        for (int i = 0; i < 3; i++)
            run(&sides[i], &settings);
    for (int i = 0; i < 3; i++)
        printf("%-18s correlate %.5f s, learn %.5f s, %lld tests, %lld edges\n", sides[i].name,
               sides[i].correlate, sides[i].learn, (long long)sides[i].tests,
               (long long)sides[i].edges);
    for (int i = 0; i < 2; i++)
        printf("mixed against %s: all %.2f, learn %.2f, a test %.2f\n", sides[i].name,
               (sides[2].correlate + sides[2].learn) / (sides[i].correlate + sides[i].learn),
               sides[2].learn / sides[i].learn,
               sides[2].learn / (double)sides[2].tests / (sides[i].learn / (double)sides[i].tests));
    for (int i = 0; i < 3; i++)
        dpc_table_free(sides[i].table);
    return 0;
}
