/*
 * Hidden common causes, on data made anew: how far the PAGs that dualpc finds are from the true
 * ones, and how long the search takes.
 *
 *     build/bench/latent [--sets 20] [--seed 1] [--threads 1] [--lines null50,few50] [--each]
 *
 * `fci` is dual FCI, `dag` the PAG of the refined DAG, `search` that of the MAG that the search
 * comes to from there. SHD counts the pairs that are joined in another way, or with another mark.
 */
#include "ancestral.h"
#include "compare.h"
#include "dualpc_explain.h"
#include "hidden.h"
#include "mag_search.h"
#include "pag.h"
#include "platform.h"
#include "simulate.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct line {
    const char *name;
    int n;
    int64_t n_obs;
    double hidden, bar, more; /* SHD of the search: at most bar × that of the DAG + more */
    double seconds;           /* at most */
    bool strong;              /* two parents, weights as in the paper */
} line;

static const line LINES[] = {
    {"null50", 50, 1000, 0, 1.5, 1, 1, false},     {"few50", 50, 5000, 0.1, 0.6, 0, 1, false},
    {"some50", 50, 1000, 0.1, 0.9, 0, 1, false},   {"many20", 20, 500, 0.2, 1.1, 0, 1, false},
    {"some100", 100, 1000, 0.1, 0.9, 0, 3, false}, {"few200", 200, 2000, 0.05, 0.9, 0, 20, false},
    {"paper20", 20, 1000, 0.15, 1.1, 0, 1, true},  {"paper50", 50, 1000, 0.1, 1.1, 0, 1, true},
};

typedef struct options {
    int sets, threads;
    uint64_t seed;
    const char *lines;
    bool each;
    double hidden_price;
} options;

/* Sums over sets. */
typedef struct tally {
    double shd, arrows, tails, seconds, most;
    int sets, valid, arrow_sets, tail_sets;
} tally;

static _Noreturn void stop(const dpc_error *err)
{
    fprintf(stderr, "latent: %s\n", err->message);
    exit(1);
}

static void demand(dpc_status status, const dpc_error *err)
{
    if (status != DPC_OK)
        stop(err);
}

static double cpu(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static void add_pag(tally *t, const dpc_graph *pag, const dpc_graph *truth, double seconds)
{
    dpc_pag_metrics m;
    dpc_error err = {0};
    bool valid;
    demand(dpc_pag_is_valid(pag, false, &valid), &err);
    demand(dpc_compare_pags(pag, truth, &m, &err), &err);
    t->sets++;
    t->valid += valid;
    t->shd += (double)m.shd;
    if (!isnan(m.arrow_precision)) {
        t->arrows += m.arrow_precision;
        t->arrow_sets++;
    }
    if (!isnan(m.tail_precision)) {
        t->tails += m.tail_precision;
        t->tail_sets++;
    }
    t->seconds += seconds;
    t->most = fmax(t->most, seconds);
}

static void add(tally *t, const dpc_graph *mag, const dpc_graph *truth, double seconds)
{
    dpc_graph pag = {0};
    dpc_error err = {0};
    demand(dpc_pag_of_mag(mag, false, &pag), &err);
    add_pag(t, &pag, truth, seconds);
    dpc_graph_clear(&pag);
}

/* Dual FCI, with what is set by default. */
static void add_fci(tally *t, const dpc_correlation *c, const options *o, const dpc_graph *truth)
{
    dpc_settings settings;
    dpc_result *result = NULL;
    dpc_error err = {0};
    dpc_settings_default(&settings);
    settings.latent = DPC_HIDDEN_FCI;
    settings.threads = o->threads;
    double before = cpu();
    demand(dpc_learn(c, &settings, &result, &err), &err);
    add_pag(t, dpc_result_graph(result), truth, cpu() - before);
    dpc_result_free(result);
}

static void print(const char *name, const char *how, const tally *t)
{
    printf("%-8s %-7s SHD %6.2f  arrows %.3f  tails %.3f  valid %d/%d  %7.3f s, most %.3f", name,
           how, t->shd / t->sets, t->arrows / t->arrow_sets, t->tails / t->tail_sets, t->valid,
           t->sets, t->seconds / t->sets, t->most);
}

typedef struct data_set {
    dpc_table *table;
    dpc_graph truth;
} data_set;

static void draw(const line *l, uint64_t seed, data_set *out)
{
    dpc_simulation s;
    dpc_dag *dag = NULL;
    dpc_table *whole = NULL;
    dpc_error err = {0};
    bool *hidden = NULL;
    dpc_simulation_default(&s);
    s.model.n = l->n;
    if (!l->strong) {
        s.model.parents = 1;
        s.model.weight_low = 0.25;
        s.model.weight_high = 1;
        s.signs = DPC_MIXED_SIGNS;
    }
    s.n_obs = l->n_obs;
    s.seed = seed;
    s.hidden = l->hidden;
    demand(dpc_simulate(&s, &dag, &whole, &err), &err);
    demand(dpc_simulate_hidden(&s, dag, &hidden, &err), &err);
    demand(dpc_hidden_table(whole, hidden, &out->table, &err), &err);
    demand(dpc_hidden_pag(dag, hidden, &out->truth, &err), &err);
    dpc_table_free(whole);
    dpc_dag_free(dag);
    free(hidden);
}

static void measure(const line *l, uint64_t seed, const options *o, tally *of_fci, tally *of_dag,
                    tally *of_search)
{
    data_set set = {.truth = {0}};
    dpc_error err = {0};
    dpc_settings settings;
    dpc_correlation *c = NULL;
    dpc_result *result = NULL;
    dpc_graph *dag = NULL, mag = {0};
    dpc_mag_found found;
    dpc_labels labels = {0};
    draw(l, seed, &set);
    dpc_settings_default(&settings);
    settings.refine = DPC_REFINE_FULL;
    settings.threads = o->threads;
    double before = cpu();
    demand(dpc_correlate(set.table, &settings, NULL, &c, &err), &err);
    demand(dpc_learn(c, &settings, &result, &err), &err);
    demand(dpc_class_member(dpc_result_graph(result), &dag, &err), &err);
    double middle = cpu();
    add_fci(of_fci, c, o, &set.truth);
    add(of_dag, dag, &set.truth, middle - before);
    dpc_view view = dpc_view_of(c, &labels);
    dpc_mag_plan plan = {.hidden_price = o->hidden_price, .memory = INFINITY};
    middle = cpu();
    demand(dpc_search_mag(&view, NULL, &settings, &plan, dag, &mag, &found, &err), &err);
    double after = cpu();
    double shd = of_search->shd;
    add(of_search, &mag, &set.truth, after - middle);
    if (o->each)
        printf("  seed %llu: score %.3f -> %.3f, %lld steps, %lld of %lld latent moves, %d rounds, "
               "SHD %g, %.3f s\n",
               (unsigned long long)seed, found.score_before, found.score_after,
               (long long)found.steps, (long long)found.kept, (long long)found.tries, found.rounds,
               of_search->shd - shd, after - middle);
    dpc_graph_clear(&mag);
    dpc_graph_clear(&set.truth);
    dpc_graph_free(dag);
    dpc_result_free(result);
    dpc_correlation_free(c);
    dpc_table_free(set.table);
}

static bool is_chosen(const options *o, const char *name)
{
    const char *at = o->lines != NULL ? strstr(o->lines, name) : name;
    return at != NULL;
}

static void run(const line *l, const options *o)
{
    tally fci = {0}, dag = {0}, search = {0};
    for (int i = 0; i < o->sets; i++)
        measure(l, o->seed + (uint64_t)i, o, &fci, &dag, &search);
    print(l->name, "fci", &fci);
    putchar('\n');
    print(l->name, "dag", &dag);
    putchar('\n');
    print(l->name, "search", &search);
    bool near = search.shd <= l->bar * dag.shd + l->more * o->sets;
    printf("  (SHD %.2f x, bar %g%s %s; %g s %s)\n", search.shd / dag.shd, l->bar,
           l->more > 0 ? " + 1" : "", near ? "met" : "MISSED", l->seconds,
           search.most <= l->seconds ? "met" : "MISSED");
    fflush(stdout);
}

int main(int argc, char **argv)
{
    static const struct option LONG[] = {
        {"sets", 1, NULL, 's'},
        {"seed", 1, NULL, 'r'},
        {"threads", 1, NULL, 't'},
        {"lines", 1, NULL, 'l'},
        {"each", 0, NULL, 'e'},
        {"hidden-price", 1, NULL, 'p'},
        {0},
    };
    options o = {.sets = 20, .threads = 1, .seed = 1, .hidden_price = -1};
    for (int c; (c = getopt_long(argc, argv, "", LONG, NULL)) != -1;) {
        if (c == '?')
            return 1;
        if (c == 's')
            o.sets = atoi(optarg);
        if (c == 'r')
            o.seed = strtoull(optarg, NULL, 10);
        if (c == 't')
            o.threads = atoi(optarg);
        if (c == 'l')
            o.lines = optarg;
        if (c == 'p')
            o.hidden_price = atof(optarg);
        o.each = o.each || c == 'e';
    }
    for (size_t i = 0; i < sizeof LINES / sizeof *LINES; i++)
        if (is_chosen(&o, LINES[i].name))
            run(&LINES[i], &o);
    return 0;
}
