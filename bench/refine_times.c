/*
 * SHD and milliseconds of one kind of refinement on Erdős–Rényi graphs: correlations excluded, the
 * plain dual PC run that it starts from included; of the processor on one thread, of the clock on
 * more. bench.py reads what is printed here.
 */
#include "refine.h"

#include "compare.h"
#include "graph.h"
#include "platform.h"

#include <math.h>
#include <stdlib.h>

typedef struct setting {
    int n;
    int64_t n_obs;
    double parents, alpha;
    int most_sets;
    double bar_shd[2], bar_ms[2]; /* fast, full; 0: none */
} setting;

static const setting SETTINGS[] = {
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
enum { N_SETTINGS = sizeof SETTINGS / sizeof *SETTINGS };

/* Over the sets of a setting; `ms` and `plain` by set. */
typedef struct times {
    int sets, exact;
    double shd, price, *ms, *plain;
} times;

static int by_size(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* On one thread the processor's time, which other work on the machine does not add to. */
static double seconds_of(const dpc_settings *settings)
{
    return settings->threads != 1 ? dpc_seconds() : bench_cpu();
}

/* Learns from one set and adds what came of it. */
static void take(const bench_line *line, uint64_t seed, const dpc_settings *settings, bool each,
                 int i, times *t)
{
    dpc_error err = {0};
    dpc_correlation *c = NULL;
    dpc_result *result = NULL;
    dpc_metrics metrics;
    bench_set set;
    bench_draw(line, seed, &set);
    if (dpc_correlate(set.table, settings, NULL, &c, &err) != DPC_OK)
        bench_stop(&err);
    double start = seconds_of(settings);
    if (dpc_learn(c, settings, &result, &err) != DPC_OK)
        bench_stop(&err);
    t->ms[i] = 1e3 * (seconds_of(settings) - start);
    const dpc_info *info = dpc_result_info(result);
    const dpc_refined *refined = info->refined;
    t->plain[i] = 1e3 * (info->seconds[DPC_STAGE_SKELETON] + info->seconds[DPC_STAGE_ORIENT]);
    dpc_measure(dpc_result_graph(result), &set.truth, &metrics);
    t->shd += (double)metrics.shd / line->n / t->sets;
    t->exact += metrics.shd == 0;
    t->price += refined != NULL ? refined->price / t->sets : 0;
    if (each && refined != NULL)
        printf("  seed %2llu: SHD %3lld, score %.3f, %.2f ms\n", (unsigned long long)seed,
               (long long)metrics.shd, refined->score_after, t->ms[i]);
    dpc_result_free(result);
    dpc_correlation_free(c);
    bench_set_clear(&set);
}

static void print_times(const setting *s, dpc_refinement how, times *t)
{
    int bar = how == DPC_REFINE_FULL;
    double most = how == DPC_REFINE_NONE ? 0 : s->bar_shd[bar];
    double longest = how == DPC_REFINE_NONE ? 0 : s->bar_ms[bar];
    qsort(t->ms, (size_t)t->sets, sizeof *t->ms, by_size);
    qsort(t->plain, (size_t)t->sets, sizeof *t->plain, by_size);
    double ms = t->ms[t->sets / 2];
    printf("%-4s n %5d  N %5lld  d %.1f: SHD/n %.4f", dpc_word(DPC_WORD_REFINEMENT, how), s->n,
           (long long)s->n_obs, s->parents, t->shd);
    if (most > 0)
        printf(" (bar %.3f)", most);
    printf(", exact %3.0f %%, %9.2f ms", 100.0 * t->exact / t->sets, ms);
    if (longest > 0)
        printf(" (bar %.0f)", longest);
    printf(", of these plain %.2f ms; price %.2f", t->plain[t->sets / 2], t->price);
    if (most > 0)
        printf("; SHD %s", bench_bar(t->shd <= most));
    if (longest > 0)
        printf("; time %s", bench_bar(ms <= longest));
    putchar('\n');
    fflush(stdout);
}

static void measure(const setting *s, dpc_refinement how, const bench_options *o)
{
    times t = {.sets = o->sets > 0 ? o->sets : s->most_sets};
    bench_line line = {.structure = DPC_ER,
                       .signs = DPC_POSITIVE,
                       .n = s->n,
                       .n_obs = s->n_obs,
                       .parents = s->parents,
                       .low = .4,
                       .high = 2};
    dpc_settings settings;
    t.ms = malloc((size_t)t.sets * sizeof *t.ms);
    t.plain = malloc((size_t)t.sets * sizeof *t.plain);
    dpc_settings_default(&settings);
    settings.rule = DPC_RULE_AND;
    settings.refine = how;
    settings.alpha = s->alpha;
    settings.threads = o->threads;
    settings.restarts = o->restarts;
    settings.penalty = o->price / log((double)s->n_obs);
    for (int i = 0; i < t.sets; i++)
        take(&line, o->seed + (uint64_t)i, &settings, o->each, i, &t);
    print_times(s, how, &t);
    free(t.ms);
    free(t.plain);
}

static bool is_large(const setting *s)
{
    return s->n >= 500 && s->n_obs >= 1000;
}

void bench_times(dpc_refinement how, const bench_options *o)
{
    for (int i = 0; i < N_SETTINGS; i++)
        measure(&SETTINGS[i], how, o);
}

void bench_times_large(const bench_options *o)
{
    bench_options own = *o;
    own.sets = 0;
    printf("\nfast, many variables\n");
    for (int i = 0; i < N_SETTINGS; i++)
        if (is_large(&SETTINGS[i]))
            measure(&SETTINGS[i], DPC_REFINE_FAST, &own);
}

void bench_time(dpc_refinement how, const bench_options *o, int n, int64_t n_obs, double parents,
                double alpha)
{
    setting s = {n, n_obs, parents, alpha, 10, {0}, {0}};
    measure(&s, how, o);
}
