/*
 * How good and how fast the rules of orientation are.
 *
 *   build/bench/orient [DATA_SETS [MIN_ESS [METHOD]]]        default: 40 data sets, 30, dual
 *
 * On the settings of the paper (section 4): mean SHD of the CPDAG per node, relaxed and consistent
 * on the same skeletons, and what the orientation takes of the time of the skeleton.
 *
 *   build/bench/orient rules [DATA_SETS]                     default: 20 data sets
 *
 * On weak and strong effects, sparse and dense graphs: mean SHD of the CPDAG and, in brackets, the
 * share of its arrows that the true CPDAG has, for every rule, and for classic PC.
 */
#include "correlation.h"
#include "dag_gsl.h"
#include "graph.h"
#include "table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void ok_or_exit(dpc_status status, const dpc_error *err)
{
    if (status != DPC_OK) {
        fprintf(stderr, "orient: %s\n", err->message);
        exit(1);
    }
}

/* Structural Hamming distance: pairs that are marked differently. */
static int64_t distance(const dpc_graph *estimate, const dpc_graph *truth)
{
    int64_t shd = 0;
    for (int64_t e = 0; e < truth->n_edges; e++) {
        const dpc_edge *edge = &truth->edges[e];
        shd += dpc_graph_mark(estimate, edge->a, edge->b) != edge->mark;
    }
    for (int64_t e = 0; e < estimate->n_edges; e++)
        shd += dpc_graph_mark(truth, estimate->edges[e].a, estimate->edges[e].b) == DPC_NONE;
    return shd;
}

struct sums {
    double shd[2], square; /* relaxed and consistent, per node; of their difference */
    double skeleton, orient[2];
    int64_t conflicts;
};

static void one(const dpc_dag_model *model, int64_t n_obs, dpc_settings settings, gsl_rng *rng,
                struct sums *sums)
{
    static const dpc_orientation RULES[2] = {DPC_RELAXED, DPC_CONSISTENT};
    dpc_error err = {0};
    dpc_dag *dag = NULL;
    dpc_table *table = NULL;
    dpc_correlation *correlation = NULL;
    dpc_graph truth = {0};
    double shd[2];
    ok_or_exit(dpc_dag_random(model, rng, &dag, &err), &err);
    ok_or_exit(dpc_dag_sample(dag, n_obs, (dpc_noise){.degrees = INFINITY}, rng, &table, &err),
               &err);
    ok_or_exit(dpc_dag_graph(dag, DPC_CPDAG, &truth, &err), &err);
    ok_or_exit(dpc_correlate(table, &settings, NULL, &correlation, &err), &err);
    for (int rule = 0; rule < 2; rule++) {
        dpc_result *result = NULL;
        settings.orient = RULES[rule];
        settings.order = rule == 0 ? DPC_ORDER_GIVEN : DPC_ORDER_CANONICAL;
        ok_or_exit(dpc_learn(correlation, &settings, &result, &err), &err);
        shd[rule] = (double)distance(dpc_result_graph(result), &truth) / model->n;
        sums->shd[rule] += shd[rule];
        sums->orient[rule] += dpc_result_info(result)->seconds[DPC_STAGE_ORIENT];
        if (rule == 1)
            sums->skeleton += dpc_result_info(result)->seconds[DPC_STAGE_SKELETON];
        sums->conflicts += dpc_result_info(result)->n_conflicts;
        dpc_result_free(result);
    }
    sums->square += (shd[1] - shd[0]) * (shd[1] - shd[0]);
    dpc_graph_clear(&truth);
    dpc_correlation_free(correlation);
    dpc_table_free(table);
    dpc_dag_free(dag);
}

/* One line of the table; returns the difference of the two means. */
static double line(int n, int per_node, double parents, int count, const dpc_settings *settings,
                   gsl_rng *rng)
{
    dpc_dag_model model = {n, parents, 0.4, 2, DPC_ER};
    struct sums s = {0};
    for (int i = 0; i < count; i++)
        one(&model, (int64_t)per_node * n, *settings, rng, &s);
    double difference = (s.shd[1] - s.shd[0]) / count;
    double error = sqrt(fmax(0, s.square / count - difference * difference) / count);
    printf("%4d %6d %4.1f  %8.4f %8.4f  %+8.4f %7.4f  %9.1f  %7.2f %7.2f\n", n, per_node * n,
           parents, s.shd[0] / count, s.shd[1] / count, difference, error,
           (double)s.conflicts / count, s.orient[0] / s.skeleton, s.orient[1] / s.skeleton);
    fflush(stdout);
    return difference;
}

/* ---- Weak and strong effects ---- */

typedef struct setting {
    int n;
    int64_t n_obs;
    double parents, low, high;
} setting;

typedef struct contender {
    const char *name;
    dpc_method method;
    dpc_orientation orient;
    dpc_order order;
} contender;

static const contender CONTENDERS[] = {
    {"relaxed", DPC_DUAL, DPC_RELAXED, DPC_ORDER_GIVEN},
    {"canonical", DPC_DUAL, DPC_RELAXED, DPC_ORDER_CANONICAL},
    {"consistent", DPC_DUAL, DPC_CONSISTENT, DPC_ORDER_CANONICAL},
    {"majority", DPC_DUAL, DPC_MAJORITY, DPC_ORDER_CANONICAL},
    {"conservat.", DPC_DUAL, DPC_CONSERVATIVE, DPC_ORDER_CANONICAL},
    {"classic", DPC_CLASSIC, DPC_CONSISTENT, DPC_ORDER_CANONICAL},
    {"cl.relaxed", DPC_CLASSIC, DPC_RELAXED, DPC_ORDER_GIVEN},
};
enum { N_CONTENDERS = sizeof CONTENDERS / sizeof *CONTENDERS };

/* The share of the arrows of an estimate that the truth has; NaN: it has none. */
static double arrow_precision(const dpc_graph *estimate, const dpc_graph *truth)
{
    double all = 0, right = 0;
    for (int64_t e = 0; e < estimate->n_edges; e++) {
        const dpc_edge *edge = &estimate->edges[e];
        all += edge->mark != DPC_UNDIRECTED;
        right +=
            edge->mark != DPC_UNDIRECTED && dpc_graph_mark(truth, edge->a, edge->b) == edge->mark;
    }
    return right / all;
}

/* Adds the SHD and the precision of all contenders on one data set. */
static void contend(const setting *s, gsl_rng *rng, double shd[N_CONTENDERS],
                    double precision[N_CONTENDERS])
{
    dpc_dag_model model = {s->n, s->parents, s->low, s->high, DPC_ER};
    dpc_error err = {0};
    dpc_dag *dag = NULL;
    dpc_table *table = NULL;
    dpc_correlation *correlation = NULL;
    dpc_graph truth = {0};
    ok_or_exit(dpc_dag_random(&model, rng, &dag, &err), &err);
    ok_or_exit(dpc_dag_sample(dag, s->n_obs, (dpc_noise){.degrees = INFINITY}, rng, &table, &err),
               &err);
    ok_or_exit(dpc_dag_graph(dag, DPC_CPDAG, &truth, &err), &err);
    ok_or_exit(dpc_correlate(table, NULL, NULL, &correlation, &err), &err);
    for (int i = 0; i < N_CONTENDERS; i++) {
        dpc_settings settings;
        dpc_result *result = NULL;
        dpc_settings_default(&settings);
        settings.threads = 1;
        settings.method = CONTENDERS[i].method;
        settings.orient = CONTENDERS[i].orient;
        settings.order = CONTENDERS[i].order;
        ok_or_exit(dpc_learn(correlation, &settings, &result, &err), &err);
        shd[i] += (double)distance(dpc_result_graph(result), &truth);
        double share = arrow_precision(dpc_result_graph(result), &truth);
        precision[i] += isnan(share) ? 1 : share;
        dpc_result_free(result);
    }
    dpc_graph_clear(&truth);
    dpc_correlation_free(correlation);
    dpc_table_free(table);
    dpc_dag_free(dag);
}

static void compare_rules(int count)
{
    static const setting SETTINGS[] = {
        {50, 1250, 2, 0.4, 2},      {100, 2500, 1.5, 0.4, 2}, {60, 600, 1, 0.1, 0.5},
        {100, 1000, 1.5, 0.2, 0.8}, {100, 1000, 3, 0.2, 0.8}, {100, 1000, 5, 0.2, 0.8},
        {200, 5000, 1.5, 0.4, 2},   {150, 3750, 1.5, 0.4, 2}, {200, 20000, 2, 0.4, 2},
    };
    dpc_error err = {0};
    printf("   n      N    d   weights");
    for (int i = 0; i < N_CONTENDERS; i++)
        printf("    %-10s", CONTENDERS[i].name);
    putchar('\n');
    for (size_t k = 0; k < sizeof SETTINGS / sizeof *SETTINGS; k++) {
        const setting *s = &SETTINGS[k];
        double shd[N_CONTENDERS] = {0}, precision[N_CONTENDERS] = {0};
        gsl_rng *rng = NULL;
        ok_or_exit(dpc_rng_new(20240611, &rng, &err), &err);
        for (int i = 0; i < count; i++)
            contend(s, rng, shd, precision);
        gsl_rng_free(rng);
        printf("%4d %6lld %4.1f  %3.1f – %3.1f", s->n, (long long)s->n_obs, s->parents, s->low,
               s->high);
        for (int i = 0; i < N_CONTENDERS; i++)
            printf("  %6.1f (%.2f)", shd[i] / count, precision[i] / count);
        putchar('\n');
        fflush(stdout);
    }
}

/* ---- The settings of the paper ---- */

static void compare_on_paper(int count, const char *min_ess, const char *method)
{
    static const int NODES[] = {50, 100, 150, 200}, PER_NODE[] = {25, 50, 100};
    static const double PARENTS[] = {1.5, 2};
    dpc_settings settings;
    dpc_error err = {0};
    gsl_rng *rng = NULL;
    double sum = 0, worst = -1;
    dpc_settings_default(&settings);
    settings.threads = 1;
    if (min_ess != NULL)
        ok_or_exit(dpc_settings_set(&settings, "min-ess", min_ess, &err), &err);
    if (method != NULL)
        ok_or_exit(dpc_settings_set(&settings, "method", method, &err), &err);
    ok_or_exit(dpc_rng_new(20240610, &rng, &err), &err);
    puts("                 SHD of the CPDAG per node                         seconds / skeleton");
    puts("   n      N    d   relaxed consist.  difference   s.e.  conflicts  relaxed consist.");
    for (int n = 0; n < 4; n++)
        for (int k = 0; k < 3; k++)
            for (int d = 0; d < 2; d++) {
                double difference = line(NODES[n], PER_NODE[k], PARENTS[d], count, &settings, rng);
                sum += difference;
                worst = fmax(worst, difference);
            }
    printf("mean difference %+.4f, worst %+.4f\n", sum / 24, worst);
    gsl_rng_free(rng);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "rules") == 0)
        compare_rules(argc > 2 ? atoi(argv[2]) : 20);
    else
        compare_on_paper(argc > 1 ? atoi(argv[1]) : 40, argc > 2 ? argv[2] : NULL,
                         argc > 3 ? argv[3] : NULL);
    return 0;
}
