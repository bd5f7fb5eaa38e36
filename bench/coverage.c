/*
 * How often intervals of total effects from a posterior hold the true effect, and how often a cause
 * is one that is probably one.
 *
 *     coverage [-n nodes] [-N samples] [-s data sets] [-l level] [-w low,high] [-m] [-k ways]
 *              [-S seed]
 *
 * DAGs along a random order, as in the paper, with two parents expected; -w are the weights, -m
 * makes half of them negative, -k takes the first so many scores and priors. All ordered pairs of
 * all data sets together, for some scores and priors, and in bins of the probability that the
 * effect is not zero: pairs, that probability, the share that is true; and the coverage of the
 * intervals, of all pairs and of those whose effect is not zero, with standard errors, for the
 * pairs of a data set are not independent. Beside each coverage, in brackets, is what the posterior
 * itself expects: the share of its draws within the interval, of all draws and of those that are
 * not zero. Where probabilities are calibrated the two agree. The second is below the level by its
 * nature: an interval that leaves out a tenth of the draws may leave out most of those that are not
 * zero, where these are few.
 */
#include "dag_gsl.h"
#include "dualpc_sample.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* As the command line program does: the threads are ours. */
__attribute__((weak)) void openblas_set_num_threads(int threads);

static void check(dpc_status status, const dpc_error *err)
{
    if (status == DPC_OK)
        return;
    fprintf(stderr, "coverage: %s\n", err->message);
    exit(1);
}

static void *get(size_t count, size_t size)
{
    void *p = calloc(count, size);
    if (p == NULL)
        exit(1);
    return p;
}

/* ---- Bins ---- */

enum { BINS = 5 };
static const double BIN[BINS + 1] = {0, 0.05, 0.5, 0.95, 0.999, 1};

typedef struct sums {
    double pairs, given, truths;
    double within, expected; /* of all pairs: true effects and draws in the interval */
    double within_truths, expected_nonzero; /* of the true ones, and of draws that are not zero */
} sums;

static void add(sums *to, const sums *s)
{
    double *t = (double *)to;
    for (size_t i = 0; i < sizeof *s / sizeof *t; i++)
        t[i] += ((const double *)s)[i];
}

static void count_pair(double *draws, int64_t count, double truth, double level, sums bins[BINS])
{
    sums s = {.pairs = 1, .truths = truth != 0};
    gsl_sort(draws, 1, (size_t)count);
    double low = gsl_stats_quantile_from_sorted_data(draws, 1, (size_t)count, (1 - level) / 2);
    double high = gsl_stats_quantile_from_sorted_data(draws, 1, (size_t)count, (1 + level) / 2);
    for (int64_t i = 0; i < count; i++) {
        bool in = draws[i] >= low && draws[i] <= high;
        s.given += (draws[i] != 0) / (double)count;
        s.expected += in / (double)count;
        s.expected_nonzero += (in && draws[i] != 0) / (double)count;
    }
    s.within = truth >= low && truth <= high;
    s.within_truths = truth != 0 && truth >= low && truth <= high;
    int bin = 0;
    while (bin < BINS - 1 && s.given >= BIN[bin + 1])
        bin++;
    add(&bins[bin], &s);
}

/* Of a ratio of sums, from those of the data sets; the members by their places in the struct. */
static double error_of(const sums *sets, int count, size_t above, size_t below)
{
    double a = 0, b = 0, square = 0;
    for (int i = 0; i < count; i++) {
        a += ((const double *)&sets[i])[above];
        b += ((const double *)&sets[i])[below];
    }
    for (int i = 0; i < count; i++) {
        const double *s = (const double *)&sets[i];
        square += pow(s[above] - a / b * s[below], 2);
    }
    return sqrt(square) / b;
}

#define PLACE(member) (offsetof(sums, member) / sizeof(double))

static void print_line(const char *name, const sums *sets, int count)
{
    sums s = {0};
    for (int i = 0; i < count; i++)
        add(&s, &sets[i]);
    if (s.pairs == 0)
        return;
    printf("%-22s %7.0f  %.3f %.3f ±%.3f   %.3f ±%.3f (%.3f)   %.3f ±%.3f (%.3f)\n", name, s.pairs,
           s.given / s.pairs, s.truths / s.pairs,
           error_of(sets, count, PLACE(truths), PLACE(pairs)), s.within / s.pairs,
           error_of(sets, count, PLACE(within), PLACE(pairs)), s.expected / s.pairs,
           s.within_truths / s.truths, error_of(sets, count, PLACE(within_truths), PLACE(truths)),
           s.expected_nonzero / s.given);
}

/* bins[set * BINS + bin]. */
static void print_bins(const char *name, const sums *bins, int count)
{
    sums *sets = get((size_t)count, sizeof *sets);
    for (int i = 0; i < count * BINS; i++)
        add(&sets[i / BINS], &bins[i]);
    print_line(name, sets, count);
    for (int b = 0; b < BINS; b++) {
        char label[48];
        snprintf(label, sizeof label, "   p %g to %g", BIN[b], BIN[b + 1]);
        for (int i = 0; i < count; i++)
            sets[i] = bins[i * BINS + b];
        print_line(label, sets, count);
    }
    free(sets);
    fflush(stdout);
}

/* ---- One data set ---- */

/* effect[u * n + v] of u on v: parents come first in the order. */
static void fill_effects(const dpc_dag *dag, double *effect)
{
    int n = dag->n;
    for (int i = 0; i < n; i++) {
        int v = dag->order[i];
        effect[v * n + v] = 1;
        for (int64_t e = dag->start[v]; e < dag->start[v + 1]; e++)
            for (int u = 0; u < n; u++)
                effect[u * n + v] += dag->weight[e] * effect[u * n + dag->parent[e]];
    }
}

typedef struct way {
    const char *name;
    dpc_marginal_score score;
    dpc_graph_prior prior;
} way;

static const way WAYS[] = {
    {"fbf fair", DPC_SCORE_FBF, DPC_PRIOR_FAIR},
    {"fbf order", DPC_SCORE_FBF, DPC_PRIOR_ORDER},
    {"bic fair", DPC_SCORE_BIC, DPC_PRIOR_FAIR},
    {"bge fair", DPC_SCORE_BGE, DPC_PRIOR_FAIR},
};
enum { N_WAYS = sizeof WAYS / sizeof *WAYS };

static void sample(const dpc_table *table, const way *w, uint64_t seed, const double *effect,
                   double level, sums bins[BINS])
{
    dpc_settings settings;
    dpc_sampling sampling;
    dpc_posterior *p = NULL;
    dpc_error err = {0};
    int n = dpc_table_about(table).n_vars;
    int32_t *all = get((size_t)n, sizeof *all);
    for (int i = 0; i < n; i++)
        all[i] = i;
    dpc_settings_default(&settings);
    settings.threads = 1;
    settings.seed = seed;
    dpc_sampling_default(&sampling);
    sampling.score = w->score;
    sampling.prior = w->prior;
    sampling.causes = sampling.outcomes = all;
    sampling.n_causes = sampling.n_outcomes = n;
    check(dpc_sample(table, &settings, &sampling, NULL, &p, &err), &err);
    int64_t draws = (int64_t)p->chains * p->draws;
    for (int64_t i = 0; i < p->n_effects; i++)
        count_pair(p->effect_draws + i * draws, draws,
                   effect[p->effects[i].cause * n + p->effects[i].outcome], level, bins);
    dpc_posterior_free(p);
    free(all);
}

typedef struct wishes {
    int n, sets, ways;
    int64_t n_obs;
    double level, low, high;
    bool mixed;
    uint64_t seed;
} wishes;

static void one(const wishes *w, int set, gsl_rng *rng, sums *bins[N_WAYS])
{
    const dpc_dag_model model = {w->n, 2, w->low, w->high, DPC_ER};
    dpc_dag *dag = NULL;
    dpc_table *table = NULL;
    dpc_error err = {0};
    double *effect = get((size_t)w->n * (size_t)w->n, sizeof *effect);
    check(dpc_dag_random(&model, rng, &dag, &err), &err);
    for (int64_t e = 0; e < dag->start[w->n] && w->mixed; e++)
        dag->weight[e] *= gsl_rng_uniform(rng) < 0.5 ? -1 : 1;
    check(dpc_dag_sample(dag, w->n_obs, (dpc_noise){.degrees = INFINITY}, rng, &table, &err), &err);
    fill_effects(dag, effect);
    for (int k = 0; k < w->ways; k++)
        sample(table, &WAYS[k], w->seed + (uint64_t)set, effect, w->level,
               bins[k] + (size_t)set * BINS);
    dpc_table_free(table);
    dpc_dag_free(dag);
    free(effect);
}

static wishes read_wishes(int argc, char **argv)
{
    wishes w = {20, 8, N_WAYS, 100, 0.9, 0.4, 2, false, 1};
    for (int o; (o = getopt(argc, argv, "n:N:s:l:w:mk:S:")) != -1;) {
        bool fine = true;
        if (o == 'n')
            w.n = atoi(optarg);
        else if (o == 'N')
            w.n_obs = atoll(optarg);
        else if (o == 's')
            w.sets = atoi(optarg);
        else if (o == 'l')
            w.level = atof(optarg);
        else if (o == 'w')
            fine = sscanf(optarg, "%lf,%lf", &w.low, &w.high) == 2;
        else if (o == 'k')
            fine = (w.ways = atoi(optarg)) >= 1 && w.ways <= N_WAYS;
        else if (o == 'm')
            w.mixed = true;
        else if (o == 'S')
            w.seed = strtoull(optarg, NULL, 10);
        else
            fine = false;
        if (!fine)
            exit(2);
    }
    return w;
}

int main(int argc, char **argv)
{
    wishes w = read_wishes(argc, argv);
    sums *bins[N_WAYS];
    dpc_error err = {0};
    gsl_rng *rng = NULL;
    if (openblas_set_num_threads != NULL)
        openblas_set_num_threads(1);
    check(dpc_rng_new(w.seed, &rng, &err), &err);
    printf("n = %d, N = %lld, weights %g to %g%s, %d data sets, intervals of %g %%\n", w.n,
           (long long)w.n_obs, w.low, w.high, w.mixed ? " with both signs" : "", w.sets,
           100 * w.level);
    printf("%-22s %7s  %5s %-12s   %-20s   %s\n", "", "pairs", "p", "true", "coverage", "of true");
    for (int k = 0; k < w.ways; k++)
        bins[k] = get((size_t)w.sets * BINS, sizeof *bins[k]);
    for (int i = 0; i < w.sets; i++)
        one(&w, i, rng, bins);
    for (int k = 0; k < w.ways; k++) {
        print_bins(WAYS[k].name, bins[k], w.sets);
        free(bins[k]);
    }
    gsl_rng_free(rng);
    return 0;
}
