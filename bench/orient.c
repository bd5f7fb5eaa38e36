/*
 * How good and how fast the rules of orientation are, on the settings of the paper (section 4):
 * mean SHD of the CPDAG per node, relaxed and consistent on the same skeletons, and what the
 * orientation takes of the time of the skeleton.
 *
 *   build/bench/orient [DATA_SETS [MIN_ESS [METHOD]]]        default: 40 data sets, 30, dual
 */
#include "correlation.h"
#include "dag.h"
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
    ok_or_exit(dpc_dag_sample(dag, n_obs, (dpc_noise){INFINITY}, rng, &table, &err), &err);
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
        int64_t conflicts;
        dpc_result_conflicts(result, &conflicts);
        sums->conflicts += conflicts;
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
    dpc_dag_model model = {n, parents, 0.4, 2};
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

int main(int argc, char **argv)
{
    static const int NODES[] = {50, 100, 150, 200}, PER_NODE[] = {25, 50, 100};
    static const double PARENTS[] = {1.5, 2};
    int count = argc > 1 ? atoi(argv[1]) : 40;
    dpc_settings settings;
    dpc_error err = {0};
    gsl_rng *rng = NULL;
    double sum = 0, worst = -1;
    dpc_settings_default(&settings);
    settings.threads = 1;
    settings.min_ess = argc > 2 ? atof(argv[2]) : settings.min_ess;
    if (argc > 3)
        ok_or_exit(dpc_settings_set(&settings, "method", argv[3], &err), &err);
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
    return 0;
}
