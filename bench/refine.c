/*
 * Measures refinement on data as `dualpc simulate` draws them: how near it comes to the truth, and
 * in what time.
 *
 *     refine [-t threads] [-s sets] [-r restarts] [-p price] [-v] [none|fast|full [n N d [alpha]]]
 *
 * Prints for each setting the mean SHD of the CPDAG per node, the share of exact CPDAGs, and the
 * median time in milliseconds: correlations excluded, the plain dual PC run that it starts from
 * included; of the processor on one thread, of the clock on more.
 */
#include "compare.h"
#include "dualpc_explain.h"
#include "graph.h"
#include "platform.h"
#include "simulate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* As the command line program does: the threads are ours. */
__attribute__((weak)) void openblas_set_num_threads(int threads);

struct line {
    int n;
    int64_t n_obs;
    double parents, alpha;
    int most_sets;
    double bar_shd[2], bar_ms[2]; /* fast, full; 0: none */
};

static const struct line LINES[] = {
    {50, 1250, 2, .01, 40, {.09, .02}, {4, 60}},
    {100, 2500, 1.5, .01, 40, {.03, .02}, {5, 80}},
    {100, 5000, 2, .01, 40, {.02, .01}, {10, 250}},
    {200, 5000, 2, .01, 40, {.01, .005}, {25, 800}},
    {50, 1000, 4, .01, 40, {0, .03}, {0, 400}},
    {500, 250, .2, .00001, 40, {.025, .025}, {0, 0}},
    {500, 5000, 2, .01, 5, {0, 0}, {300, 0}},
    {1000, 5000, 2, .01, 1, {0, 0}, {5000, 0}},
    {2000, 5000, 2, .01, 1, {0, 0}, {60000, 0}},
};

struct options {
    int threads, sets, restarts;
    double price;
    bool each; /* a line for each data set */
};

static void stop(const dpc_error *err)
{
    fprintf(stderr, "refine: %s\n", err->message);
    exit(1);
}

static int by_size(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* On one thread the processor's time, which other work on the machine does not add to. */
static double seconds_of(const dpc_settings *settings)
{
    struct timespec t;
    if (settings->threads != 1)
        return dpc_seconds();
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void measure(const struct line *line, dpc_refinement how, const struct options *o)
{
    int sets = o->sets > 0 ? o->sets : line->most_sets, exact = 0;
    double *ms = malloc((size_t)sets * sizeof *ms), *plain = malloc((size_t)sets * sizeof *plain);
    double shd = 0, price = 0;
    dpc_settings settings;
    dpc_settings_default(&settings);
    settings.rule = DPC_RULE_AND;
    settings.refine = how;
    settings.alpha = line->alpha;
    settings.threads = o->threads;
    settings.restarts = o->restarts;
    settings.penalty = o->price / log((double)line->n_obs);
    for (int i = 0; i < sets; i++) {
        dpc_simulation simulation;
        dpc_error err = {0};
        dpc_dag *dag = NULL;
        dpc_table *table = NULL;
        dpc_correlation *c = NULL;
        dpc_graph truth = {0};
        dpc_result *result = NULL;
        dpc_metrics metrics;
        dpc_simulation_default(&simulation);
        simulation.model.n = line->n;
        simulation.model.parents = line->parents;
        simulation.n_obs = line->n_obs;
        simulation.seed = (uint64_t)i + 1;
        if (dpc_simulate(&simulation, &dag, &table, &err) != DPC_OK ||
            dpc_dag_graph(dag, DPC_CPDAG, &truth, &err) != DPC_OK ||
            dpc_correlate(table, &settings, NULL, &c, &err) != DPC_OK)
            stop(&err);
        double start = seconds_of(&settings);
        if (dpc_learn(c, &settings, &result, &err) != DPC_OK)
            stop(&err);
        ms[i] = 1e3 * (seconds_of(&settings) - start);
        const dpc_info *info = dpc_result_info(result);
        const dpc_refined *refined = dpc_result_info(result)->refined;
        plain[i] = 1e3 * (info->seconds[DPC_STAGE_SKELETON] + info->seconds[DPC_STAGE_ORIENT]);
        dpc_measure(dpc_result_graph(result), &truth, &metrics);
        shd += (double)metrics.shd / line->n / sets;
        exact += metrics.shd == 0;
        price += refined != NULL ? refined->price / sets : 0;
        if (o->each && refined != NULL)
            printf("  seed %2d: SHD %3lld, score %.3f, %.2f ms\n", i + 1, (long long)metrics.shd,
                   refined->score_after, ms[i]);
        dpc_result_free(result);
        dpc_graph_clear(&truth);
        dpc_correlation_free(c);
        dpc_table_free(table);
        dpc_dag_free(dag);
    }
    qsort(ms, (size_t)sets, sizeof *ms, by_size);
    qsort(plain, (size_t)sets, sizeof *plain, by_size);
    printf("%-4s n %5d  N %5lld  d %.1f: SHD/n %.4f", dpc_word(DPC_WORD_REFINEMENT, how), line->n,
           (long long)line->n_obs, line->parents, shd);
    int bar = how == DPC_REFINE_FULL;
    if (how != DPC_REFINE_NONE && line->bar_shd[bar] > 0)
        printf(" (bar %.3f)", line->bar_shd[bar]);
    printf(", exact %3.0f %%, %9.2f ms", 100.0 * exact / sets, ms[sets / 2]);
    if (how != DPC_REFINE_NONE && line->bar_ms[bar] > 0)
        printf(" (bar %.0f)", line->bar_ms[bar]);
    printf(", of these plain %.2f ms; price %.2f\n", plain[sets / 2], price);
    fflush(stdout);
    free(ms);
    free(plain);
}

static dpc_refinement how_of(const char *word)
{
    dpc_refinement how = DPC_REFINE_NONE;
    while (how < DPC_REFINE_FULL && strcmp(word, dpc_word(DPC_WORD_REFINEMENT, how)) != 0)
        how++;
    return how;
}

int main(int argc, char **argv)
{
    struct options options = {1, 0, 5, 0, false};
    int option;
    if (openblas_set_num_threads != NULL)
        openblas_set_num_threads(1);
    while ((option = getopt(argc, argv, "t:s:r:p:v")) >= 0) {
        if (option == 't')
            options.threads = atoi(optarg);
        else if (option == 's')
            options.sets = atoi(optarg);
        else if (option == 'r')
            options.restarts = atoi(optarg);
        else if (option == 'p')
            options.price = atof(optarg);
        else if (option == 'v')
            options.each = true;
        else
            return 1;
    }
    const char *which = optind < argc ? argv[optind++] : NULL;
    if (argc - optind >= 3) {
        struct line line = {atoi(argv[optind]),
                            atoll(argv[optind + 1]),
                            atof(argv[optind + 2]),
                            argc - optind > 3 ? atof(argv[optind + 3]) : .01,
                            10,
                            {0},
                            {0}};
        measure(&line, how_of(which), &options);
        return 0;
    }
    for (size_t i = 0; i < sizeof LINES / sizeof *LINES; i++) {
        bool large = LINES[i].n >= 500 && LINES[i].n_obs >= 1000;
        for (dpc_refinement how = DPC_REFINE_NONE; how <= DPC_REFINE_FULL; how++)
            if (which == NULL ? how != DPC_REFINE_NONE && !(large && how == DPC_REFINE_FULL)
                              : how == how_of(which))
                measure(&LINES[i], how, &options);
    }
    return 0;
}
