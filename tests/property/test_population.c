/*
 * From population correlations the algorithm finds the truth: with no sampling error, the graph
 * is the CPDAG (pattern, skeleton) of the DAG, for every method and variant, and every
 * separating set that was recorded d-separates its pair (consistency; paper, section 3.4). With
 * the AND rule the skeleton has all edges of the truth and, here and there, some more: when one end
 * has dropped the other too early, from its own list, nothing brings it back.
 *
 * The question has to be well posed in double precision. A verdict is |r| ≤ c, and
 *
 *  - where the pair is separated, |r| is not 0 but what rounding leaves: an entry of R is off by
 *    1e-16, and a partial correlation by about 1e-16 / v, where v is the smallest variance of a
 *    variable of the set given the others in it. No set has a smaller v than all variables
 *    together, v = min 1 / (R⁻¹)_ii. For a DAG with unit noise that is known exactly,
 *    (R⁻¹)_ii = Σ_ii (1 + Σ_children w²), and DAGs with v < 1e-6 are drawn again: error ≤ 1e-9;
 *  - where it is not, |r| may be small by chance, weights being random: of m sets tested in all,
 *    some |r| is as small as about 1 / m, so c must be smaller still.
 *
 * c ≈ q / sqrt(N) = 1e-8 lies between the two, with N = 1e13 and the unusual α = 0.975, whose
 * quantile q is 0.031.
 */
#include "cases.h"
#include "dsep.h"
#include "repeat.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { N_DAGS = 1500, MAX_NODES = 30 };

static const int64_t N_OBS = 10000000000000;
static const double ALPHA = 0.975;
static const double LEAST_VARIANCE = 1e-6;

/* One drawn DAG, and what must be found. */
struct truth {
    int number;
    dpc_dag *dag;
    dpc_graph graph[3]; /* by dpc_target */
    double r[MAX_NODES * MAX_NODES];
};

/*
 * Three families by turns: sparse of any size; dense, up to complete DAGs, of up to 11 nodes; and
 * between them. The weights are the paper's. In dense DAGs the variances explode along the order:
 * of the complete ones with 11 nodes most have to be drawn again, of those with 9 nearly none.
 */
static dpc_dag_model draw_model(int number, gsl_rng *rng)
{
    dpc_dag_model model = {.weight_low = 0.4, .weight_high = 2};
    switch (number % 3) {
    case 0:
        model.n = draw_int(rng, 2, MAX_NODES);
        model.parents = 0.2 + 1.3 * gsl_rng_uniform(rng);
        break;
    case 1:
        model.n = draw_int(rng, 2, 11);
        model.parents = (0.5 + 0.6 * gsl_rng_uniform(rng)) * (model.n - 1) / 2;
        break;
    default:
        model.n = draw_int(rng, 8, 16);
        model.parents = 1.5 + gsl_rng_uniform(rng);
    }
    return model;
}

/* min 1 / (R⁻¹)_ii. */
static double least_variance(const dpc_dag *dag, const double *variance)
{
    double noise_precision[MAX_NODES], least = 1;
    for (int v = 0; v < dag->n; v++)
        noise_precision[v] = 1;
    for (int64_t e = 0; e < dag->start[dag->n]; e++)
        noise_precision[dag->parent[e]] += dag->weight[e] * dag->weight[e];
    for (int v = 0; v < dag->n; v++)
        least = fmin(least, 1 / (variance[v] * noise_precision[v]));
    return least;
}

/* Draws until a DAG is well posed; counts those that were not. */
static void draw_truth(int number, gsl_rng *rng, struct truth *truth, int *discarded)
{
    double variance[MAX_NODES];
    dpc_dag_model model = draw_model(number, rng);
    truth->number = number;
    for (;;) {
        assert_int_equal(dpc_dag_random(&model, rng, &truth->dag, NULL), DPC_OK);
        assert_int_equal(dpc_dag_correlation(truth->dag, truth->r, variance, NULL), DPC_OK);
        if (least_variance(truth->dag, variance) >= LEAST_VARIANCE)
            break;
        dpc_dag_free(truth->dag);
        ++*discarded;
    }
    for (int target = 0; target < 3; target++)
        assert_int_equal(dpc_dag_graph(truth->dag, (dpc_target)target, &truth->graph[target], NULL),
                         DPC_OK);
}

static void free_truth(struct truth *truth)
{
    for (int target = 0; target < 3; target++)
        dpc_graph_clear(&truth->graph[target]);
    dpc_dag_free(truth->dag);
}

static void check_graph(const struct truth *truth, const dpc_graph *found,
                        const dpc_settings *settings)
{
    const dpc_graph *wanted = &truth->graph[settings->graph];
    for (int a = 0; a < truth->dag->n; a++)
        for (int b = a + 1; b < truth->dag->n; b++)
            if (dpc_graph_mark(found, a, b) != dpc_graph_mark(wanted, a, b))
                fail_msg("DAG %d, %d nodes, %s %s %s: the mark of %d, %d is %d, not %d",
                         truth->number, truth->dag->n, method_name(settings->method),
                         variant_name(settings->variant), target_name(settings->graph), a, b,
                         (int)dpc_graph_mark(found, a, b), (int)dpc_graph_mark(wanted, a, b));
    assert_int_equal(found->n_nodes, wanted->n_nodes);
    assert_int_equal(found->n_edges, wanted->n_edges);
}

/* Returns the number of sets checked. */
static int64_t check_sets(const struct truth *truth, const dpc_result *result,
                          const dpc_settings *settings)
{
    int64_t checked = 0;
    int32_t members[MAX_NODES];
    for (int a = 0; a < truth->dag->n; a++) {
        for (int b = a + 1; b < truth->dag->n; b++) {
            dpc_sepset set;
            separated(result, a, b, &set, members);
            bool adjacent = dpc_graph_mark(dpc_result_graph(result), a, b) != DPC_NONE;
            assert_int_equal(set.kind == DPC_SEP_NONE, adjacent);
            if (adjacent)
                continue;
            if (!d_separated(truth->dag, a, b, members, set.size))
                fail_msg("DAG %d, %s %s: %d and %d are not d-separated by the set of kind %d and "
                         "size %d",
                         truth->number, method_name(settings->method),
                         variant_name(settings->variant), a, b, (int)set.kind, set.size);
            checked++;
        }
    }
    return checked;
}

static int64_t check_truth(const struct truth *truth)
{
    int64_t checked = 0;
    dpc_correlation correlation = {
        .n_vars = truth->dag->n, .n_obs = N_OBS, .r = (double *)truth->r};
    dpc_settings settings;
    dpc_settings_default(&settings);
    settings.alpha = ALPHA;
    settings.threads = 1;
    for (int i = 0; i < 18; i++) {
        settings.method = (dpc_method)(i % 3);
        settings.variant = (dpc_variant)(i / 3 % 2);
        settings.graph = (dpc_target)(i / 6);
        settings.orient = (dpc_orientation)((i + truth->number) % 4);
        settings.order = (dpc_order)(truth->number / 4 % 2);
        dpc_result *result = NULL;
        dpc_error err;
        if (dpc_learn(&correlation, &settings, &result, &err) != DPC_OK)
            fail_msg("DAG %d: %s", truth->number, err.message);
        check_graph(truth, dpc_result_graph(result), &settings);
        checked += check_sets(truth, result, &settings);
        dpc_result_free(result);
    }
    return checked;
}

/*
 * The AND rule: no test separates the ends of an edge, so none is missing; `extra` counts what is
 * there too much, by method and variant. Returns the number of sets checked.
 */
static int64_t check_and_rule(const struct truth *truth, int64_t *extra)
{
    const dpc_graph *wanted = &truth->graph[DPC_SKELETON];
    int64_t checked = 0;
    dpc_correlation correlation = {
        .n_vars = truth->dag->n, .n_obs = N_OBS, .r = (double *)truth->r};
    dpc_settings settings;
    dpc_settings_default(&settings);
    settings.alpha = ALPHA;
    settings.threads = 1;
    settings.graph = DPC_SKELETON;
    settings.rule = DPC_RULE_AND;
    for (int i = 0; i < 6; i++) {
        settings.method = (dpc_method)(i % 3);
        settings.variant = (dpc_variant)(i / 3);
        dpc_result *result = NULL;
        dpc_error err;
        if (dpc_learn(&correlation, &settings, &result, &err) != DPC_OK)
            fail_msg("DAG %d: %s", truth->number, err.message);
        for (int64_t e = 0; e < wanted->n_edges; e++)
            if (dpc_graph_mark(dpc_result_graph(result), wanted->edges[e].a, wanted->edges[e].b) ==
                DPC_NONE)
                fail_msg("DAG %d, %s %s: the AND rule has lost the edge %d, %d", truth->number,
                         method_name(settings.method), variant_name(settings.variant),
                         wanted->edges[e].a, wanted->edges[e].b);
        extra[i] += dpc_result_graph(result)->n_edges - wanted->n_edges;
        checked += check_sets(truth, result, &settings);
        dpc_result_free(result);
    }
    return checked;
}

static void test_and_rule(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20240509);
    int discarded = 0;
    int64_t nodes = 0, sets = 0, extra[6] = {0};
    for (int number = 0; number < repeats(N_DAGS); number++) {
        struct truth truth;
        draw_truth(number, rng, &truth, &discarded);
        nodes += truth.dag->n;
        sets += check_and_rule(&truth, extra);
        free_truth(&truth);
    }
    gsl_rng_free(rng);
    for (int i = 0; i < 6; i++) {
        print_message("AND rule, %s %s: %.3f extra edges per node\n",
                      method_name((dpc_method)(i % 3)), variant_name((dpc_variant)(i / 3)),
                      (double)extra[i] / (double)nodes);
        assert_true(extra[i] >= share(1) &&
                    extra[i] < (i % 3 == DPC_CLASSIC ? nodes / 2 : nodes / 10));
    }
    assert_true(sets > 10 * repeats(N_DAGS));
}

static void test_population(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20240501);
    int discarded = 0, complete = 0;
    int64_t edges = 0, sets = 0;
    for (int number = 0; number < repeats(N_DAGS); number++) {
        struct truth truth;
        draw_truth(number, rng, &truth, &discarded);
        int n = truth.dag->n;
        edges += truth.dag->start[n];
        complete += n > 2 && truth.dag->start[n] == (int64_t)n * (n - 1) / 2;
        sets += check_truth(&truth);
        free_truth(&truth);
    }
    gsl_rng_free(rng);
    print_message("%d DAGs with %lld edges, %d of them complete; %d drawn again; %lld sets "
                  "d-separate\n",
                  repeats(N_DAGS), (long long)edges, complete, discarded, (long long)sets);
    assert_true(discarded < repeats(N_DAGS) / 4);
    assert_true(complete >= share(10));
    assert_true(sets > 10 * repeats(N_DAGS));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_population),
                                       cmocka_unit_test(test_and_rule)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
