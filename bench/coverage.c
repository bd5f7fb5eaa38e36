/*
 * How often intervals of total effects from a posterior hold the true effect, and how often a cause
 * is one that is probably one.
 *
 *     coverage [-n nodes] [-N samples] [-s data sets] [-l level] [-w low,high] [-m] [-S seed]
 *
 * DAGs along a random order, as in the paper, with two parents expected; -w are the weights, -m
 * makes half of them negative. All ordered pairs of all data sets together, for some scores and
 * priors, and in bins of the probability that the effect is not zero: pairs, that probability, the
 * share that is true; and the coverage of the intervals, of all pairs and of those whose effect is
 * not zero. Beside each coverage, in brackets, is what the posterior itself expects: the share of
 * its draws within the interval, of all draws and of those that are not zero. Where probabilities
 * are calibrated the two agree. The second is below the level by its nature: an interval that
 * leaves out a tenth of the draws may leave out most of those that are not zero, where these are
 * few.
 */
#include "dag_gsl.h"
#include "dualpc_sample.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
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

static void print_line(const char *name, const sums *s)
{
    printf("%-22s %7.0f  %.3f %.3f   %.3f (%.3f)   %.3f (%.3f)\n", name, s->pairs,
           s->given / s->pairs, s->truths / s->pairs, s->within / s->pairs, s->expected / s->pairs,
           s->within_truths / s->truths, s->expected_nonzero / s->given);
}

static void print_bins(const char *name, const sums bins[BINS])
{
    sums all = {0};
    for (int b = 0; b < BINS; b++)
        add(&all, &bins[b]);
    print_line(name, &all);
    for (int b = 0; b < BINS; b++) {
        char label[48];
        snprintf(label, sizeof label, "   p %g to %g", BIN[b], BIN[b + 1]);
        if (bins[b].pairs > 0)
            print_line(label, &bins[b]);
    }
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
    int n, sets;
    int64_t n_obs;
    double level, low, high;
    bool mixed;
    uint64_t seed;
} wishes;

static void one(const wishes *w, int set, gsl_rng *rng, sums bins[N_WAYS][BINS])
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
    for (int k = 0; k < N_WAYS; k++)
        sample(table, &WAYS[k], w->seed + (uint64_t)set, effect, w->level, bins[k]);
    dpc_table_free(table);
    dpc_dag_free(dag);
    free(effect);
}

static wishes read_wishes(int argc, char **argv)
{
    wishes w = {20, 8, 100, 0.9, 0.4, 2, false, 1};
    for (int o; (o = getopt(argc, argv, "n:N:s:l:w:mS:")) != -1;) {
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
    static sums bins[N_WAYS][BINS];
    wishes w = read_wishes(argc, argv);
    dpc_error err = {0};
    gsl_rng *rng = NULL;
    if (openblas_set_num_threads != NULL)
        openblas_set_num_threads(1);
    check(dpc_rng_new(w.seed, &rng, &err), &err);
    printf("n = %d, N = %lld, weights %g to %g%s, %d data sets, intervals of %g %%\n", w.n,
           (long long)w.n_obs, w.low, w.high, w.mixed ? " with both signs" : "", w.sets,
           100 * w.level);
    printf("%-22s %7s  %5s %5s   %-13s   %-13s\n", "", "pairs", "p", "true", "coverage", "of true");
    for (int i = 0; i < w.sets; i++)
        one(&w, i, rng, bins);
    for (int k = 0; k < N_WAYS; k++)
        print_bins(WAYS[k].name, bins[k]);
    gsl_rng_free(rng);
    return 0;
}
