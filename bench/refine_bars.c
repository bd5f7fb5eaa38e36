/*
 * The full search on each line, against its bars:
 *
 *     - at the price log N: how many sets score below the truth, which is an error of the search
 *       for certain;
 *     - at that price, against a rival: above, equal and below, the worst difference, and the CPU
 *       time of correlations and search as a share of the rival's bare search;
 *     - at the price auto: SHD of the CPDAG per node.
 */
#include "refine.h"

#include "compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SAME = 1e-3;    /* scores that differ by less are equal */
static const double WORST = -5;     /* no set may be further below the rival */
static const double MORE_ABOVE = 4; /* at least so many times as often above as below */

/* What a search has made of one data set. */
typedef struct outcome {
    double score, truth; /* at the price log N */
    double ms;           /* CPU of correlations and search, at that price */
    double shd;          /* per node, at the price auto */
    double price;        /* that auto has found */
    int restarts;
} outcome;

/* Sums over sets: of a line, and of all lines. */
typedef struct tally {
    int sets, below_truth, above, equal, below, exact;
    double worst, shd, ms;
    double rival_ms, our_ms; /* of the sets that the rival has */
    double largest_share;
} tally;

static void learn(const dpc_correlation *c, const dpc_settings *settings, dpc_result **result)
{
    dpc_error err = {0};
    if (dpc_learn(c, settings, result, &err) != DPC_OK)
        bench_stop(&err);
}

static outcome measure(const bench_line *line, const bench_set *set, const bench_options *o)
{
    outcome out = {0};
    dpc_settings settings;
    dpc_error err = {0};
    dpc_correlation *c = NULL;
    dpc_result *result = NULL;
    dpc_metrics metrics;
    double price = log((double)line->n_obs);
    dpc_settings_default(&settings);
    settings.refine = DPC_REFINE_FULL;
    settings.alpha = line->alpha;
    settings.threads = o->threads;
    settings.restarts = o->restarts;
    settings.penalty = 1;
    double before = bench_cpu();
    if (dpc_correlate(set->table, &settings, NULL, &c, &err) != DPC_OK)
        bench_stop(&err);
    learn(c, &settings, &result);
    out.ms = 1e3 * (bench_cpu() - before);
    const double *r = dpc_correlation_about(c).values;
    out.score = bench_score_class(r, line->n_obs, price, dpc_result_graph(result));
    out.truth = bench_score(r, line->n, line->n_obs, price, set->dag->start, set->dag->parent);
    out.restarts = dpc_result_info(result)->refined->restarts;
    dpc_result_free(result);

    settings.penalty = 0;
    learn(c, &settings, &result);
    dpc_measure(dpc_result_graph(result), &set->truth, &metrics);
    out.shd = (double)metrics.shd / line->n;
    out.price = dpc_result_info(result)->refined->price;
    dpc_result_free(result);
    dpc_correlation_free(c);
    return out;
}

static void add(tally *t, const outcome *out, const bench_found *rival)
{
    t->sets++;
    t->below_truth += out->score < out->truth - SAME;
    t->shd += out->shd;
    t->exact += out->shd == 0;
    t->ms += out->ms;
    if (rival == NULL)
        return;
    double difference = out->score - rival->score;
    t->above += difference > SAME;
    t->below += difference < -SAME;
    t->equal += fabs(difference) <= SAME;
    t->worst = fmin(t->worst, difference);
    t->our_ms += out->ms;
    t->rival_ms += rival->ms;
    t->largest_share = fmax(t->largest_share, out->ms / rival->ms);
}

static void print_set(uint64_t seed, const outcome *out, const bench_found *rival)
{
    printf("  seed %4llu: score %12.3f, above the truth by %8.3f", (unsigned long long)seed,
           out->score, out->score - out->truth);
    if (rival != NULL)
        printf(", above the rival by %8.3f", out->score - rival->score);
    printf("; SHD/n %.3f (price %.2f); %.2f ms", out->shd, out->price, out->ms);
    if (rival != NULL)
        printf(", %.3f of the rival's %.0f", out->ms / rival->ms, rival->ms);
    printf("; %d restarts\n", out->restarts);
}

/* How often above and below the rival, and how far. */
static void print_rival(const tally *t)
{
    if (t->above + t->equal + t->below == 0) {
        printf("  %-33s", "no rival");
        return;
    }
    printf("  + %2d  = %2d  - %2d  worst %7.2f %-6s", t->above, t->equal, t->below, t->worst,
           bench_bar(t->worst >= WORST));
}

static void print_line(const bench_line *line, const tally *t)
{
    char shape[64];
    int allowed = line->below * t->sets / 10;
    snprintf(shape, sizeof shape, "%d/%lld/%g", line->n, (long long)line->n_obs, line->parents);
    printf("%-14s %-12s  below the truth %2d of %2d %-6s", line->name, shape, t->below_truth,
           t->sets, line->below < 0 ? "" : bench_bar(t->below_truth <= allowed));
    print_rival(t);
    printf("  SHD/n %.4f", t->shd / t->sets);
    if (line->shd > 0)
        printf(" (%.3f) %-6s", line->shd, bench_bar(t->shd / t->sets <= line->shd + 1e-9));
    else
        printf("%15s", "");
    printf(" exact %3.0f %%  CPU %8.2f ms", 100.0 * t->exact / t->sets, t->ms / t->sets);
    if (t->rival_ms > 0)
        printf(", share %.4f (%.2f) %s, largest %.3f", t->our_ms / t->rival_ms, line->share,
               bench_bar(t->our_ms <= line->share * t->rival_ms), t->largest_share);
    putchar('\n');
    fflush(stdout);
}

static void sum(tally *all, const tally *t)
{
    all->sets += t->sets;
    all->below_truth += t->below_truth;
    all->above += t->above;
    all->equal += t->equal;
    all->below += t->below;
    all->worst = fmin(all->worst, t->worst);
    all->our_ms += t->our_ms;
    all->rival_ms += t->rival_ms;
}

static void print_all(const tally *t)
{
    if (t->sets > 0)
        printf("\nall lines: %d of %d sets below the truth\n", t->below_truth, t->sets);
    if (t->rival_ms == 0)
        return;
    printf("against the rival: above %d, equal %d, below %d; above / below %.1f (at least %g) %s; "
           "worst %.2f (at least %g) %s; CPU %.4f of the rival's\n",
           t->above, t->equal, t->below, t->below > 0 ? (double)t->above / t->below : INFINITY,
           MORE_ABOVE, bench_bar(t->above >= MORE_ABOVE * t->below), t->worst, WORST,
           bench_bar(t->worst >= WORST), t->our_ms / t->rival_ms);
}

void bench_bars(const bench_options *o)
{
    bench_rival rival;
    tally all = {0};
    bench_rival_read(o->rival, &rival);
    for (int l = 0; l < bench_n_lines; l++) {
        const bench_line *line = &bench_lines[l];
        tally t = {0};
        for (int i = 0; i < o->sets && bench_chosen(o, line->name); i++) {
            uint64_t seed = o->seed + (uint64_t)i;
            const bench_found *found = bench_rival_find(&rival, line->name, seed);
            bench_set set;
            bench_draw(line, seed, &set);
            outcome out = measure(line, &set, o);
            add(&t, &out, found);
            if (o->each)
                print_set(seed, &out, found);
            bench_set_clear(&set);
        }
        if (t.sets > 0)
            print_line(line, &t);
        sum(&all, &t);
    }
    print_all(&all);
    free(rival.found);
}
