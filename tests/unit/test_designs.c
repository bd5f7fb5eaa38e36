/*
 * Simulated data of other shapes and designs: what the graphs look like, what holds in their
 * populations, the distributions they are drawn from, what a seed decides, and R²-sortability
 * against a slow twin. Seeds are fixed, so that a statistical bound is kept always or never.
 */
#include "dag_gsl.h"
#include "repeat.h"
#include "simulate.h"
#include "sortability.h"
#include "table.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static dpc_simulation describe(dpc_structure structure, int n, double parents, uint64_t seed)
{
    dpc_simulation s;
    dpc_simulation_default(&s);
    s.model.n = n;
    s.model.parents = parents;
    s.model.structure = structure;
    s.n_obs = 2;
    s.seed = seed;
    return s;
}

static dpc_dag *draw_both(const dpc_simulation *s, dpc_table **table)
{
    dpc_error err = {0};
    dpc_dag *dag = NULL;
    if (dpc_simulate(s, &dag, table, &err) != DPC_OK)
        fail_msg("%s", err.message);
    return dag;
}

static dpc_dag *draw(const dpc_simulation *s)
{
    dpc_table *table = NULL;
    dpc_dag *dag = draw_both(s, &table);
    dpc_table_free(table);
    return dag;
}

static dpc_dag *draw_shape(dpc_structure structure, int n, double parents, uint64_t seed)
{
    dpc_simulation s = describe(structure, n, parents, seed);
    return draw(&s);
}

/* ---- Shapes ---- */

static int parents_of(const dpc_dag *dag, int v)
{
    return (int)(dag->start[v + 1] - dag->start[v]);
}

static int children_of(const dpc_dag *dag, int v)
{
    int count = 0;
    for (int64_t e = 0; e < dag->start[dag->n]; e++)
        count += dag->parent[e] == v;
    return count;
}

static int degree_of(const dpc_dag *dag, int v)
{
    return parents_of(dag, v) + children_of(dag, v);
}

static int most(const dpc_dag *dag, int (*of)(const dpc_dag *, int))
{
    int largest = 0;
    for (int v = 0; v < dag->n; v++)
        largest = of(dag, v) > largest ? of(dag, v) : largest;
    return largest;
}

static bool is_edge(const dpc_dag *dag, int from, int to)
{
    for (int64_t e = dag->start[to]; e < dag->start[to + 1]; e++)
        if (dag->parent[e] == from)
            return true;
    return false;
}

/* A permutation with every parent before its children; parents ascending, each once. */
static void check_dag(const dpc_dag *dag)
{
    int place[64];
    memset(place, -1, sizeof place);
    for (int i = 0; i < dag->n; i++) {
        assert_in_range(dag->order[i], 0, dag->n - 1);
        assert_int_equal(place[dag->order[i]], -1);
        place[dag->order[i]] = i;
    }
    for (int v = 0; v < dag->n; v++)
        for (int64_t e = dag->start[v]; e < dag->start[v + 1]; e++) {
            assert_true(place[dag->parent[e]] < place[v]);
            assert_true(e == dag->start[v] || dag->parent[e - 1] < dag->parent[e]);
        }
}

/* All shapes, of all sizes and densities that there can be, with every design. */
static void test_every_shape_is_a_dag(void **state)
{
    (void)state;
    static const int SIZES[] = {1, 2, 3, 4, 5, 6, 9, 20, 41};
    for (int structure = DPC_ER; structure <= DPC_CHAIN; structure++)
        for (size_t k = 0; k < sizeof SIZES / sizeof *SIZES; k++)
            for (int step = 0; step <= 8; step++) {
                int n = SIZES[k];
                double parents = dpc_most_parents((dpc_structure)structure, n) * step / 8;
                dpc_simulation s = describe((dpc_structure)structure, n,
                                            isfinite(parents) ? parents : 7, (uint64_t)step);
                s.design = (dpc_design)(step % 3);
                dpc_dag *dag = draw(&s);
                check_dag(dag);
                if (step == 0 && structure != DPC_HUBS && structure != DPC_CHAIN)
                    assert_int_equal(dag->start[n], 0);
                if (step == 8 && structure == DPC_BIPARTITE)
                    assert_int_equal(dag->start[n], (n + 1) / 3 * (n - (n + 1) / 3));
                dpc_dag_free(dag);
            }
}

/* The mean number of edges of many graphs, and its standard error. */
static double mean_edges(dpc_structure structure, int n, double parents, double *error)
{
    enum { GRAPHS = 200 };
    double sum = 0, squares = 0;
    for (uint64_t seed = 0; seed < GRAPHS; seed++) {
        dpc_dag *dag = draw_shape(structure, n, parents, seed);
        double edges = (double)dag->start[n];
        sum += edges;
        squares += edges * edges;
        dpc_dag_free(dag);
    }
    double mean = sum / GRAPHS;
    *error = sqrt(fmax(squares / GRAPHS - mean * mean, 0) / GRAPHS);
    return mean;
}

static void test_edge_counts(void **state)
{
    (void)state;
    static const struct {
        dpc_structure structure;
        double parents, expected;
        bool fixed; /* every graph has as many */
    } CASES[] = {
        {DPC_CHAIN, 2, 39, true},
        {DPC_SCALE_FREE_OUT, 2, 1 + 2 * 38, true},
        {DPC_SCALE_FREE_IN, 3, 1 + 2 + 3 * 37, true},
        {DPC_SCALE_FREE_OUT, 1.5, 1 + 1.5 * 38, false},
        {DPC_SCALE_FREE_OUT, 0.4, 0.4 * 39, false},
        {DPC_SMALL_WORLD, 2, 80, true},
        {DPC_SMALL_WORLD, 2.25, 90, false},
        {DPC_SMALL_WORLD, 0.5, 20, false},
        {DPC_BIPARTITE, 2, 80, false},
        {DPC_BIPARTITE, 0.5, 20, false},
        {DPC_HUBS, 2, 80, false},
        {DPC_HUBS, 5, 200, false},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        double error, mean = mean_edges(CASES[i].structure, 40, CASES[i].parents, &error);
        if (!(fabs(mean - CASES[i].expected) <= (CASES[i].fixed ? 0 : 4 * error)))
            fail_msg("%s, d = %g: %g edges with error %g, expected %g",
                     dpc_structure_words[CASES[i].structure], CASES[i].parents, mean, error,
                     CASES[i].expected);
        assert_true((error == 0) == CASES[i].fixed);
    }
}

/* Hubs are causes, or effects; and there are hubs, which uniform attachment would not make. */
static void test_scale_free(void **state)
{
    (void)state;
    enum { NODES = 400, GRAPHS = 20 };
    double largest = 0;
    for (uint64_t seed = 1; seed <= GRAPHS; seed++) {
        dpc_dag *out = draw_shape(DPC_SCALE_FREE_OUT, NODES, 2, seed);
        dpc_dag *in = draw_shape(DPC_SCALE_FREE_IN, NODES, 2, seed);
        assert_int_equal(most(out, parents_of), 2);
        assert_int_equal(most(in, children_of), 2);
        assert_int_equal(most(out, children_of), most(in, parents_of)); /* the same, reversed */
        largest += most(out, children_of) / (double)GRAPHS;
        dpc_dag_free(out);
        dpc_dag_free(in);
    }
    assert_true(largest > 35); /* about 2 √n = 40; 2 ln n = 12 without preference */
}

static void test_bipartite(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        int n = 20 + (int)seed, causes = 0;
        dpc_dag *dag = draw_shape(DPC_BIPARTITE, n, 3, seed);
        for (int v = 0; v < n; v++) {
            assert_true(parents_of(dag, v) == 0 || children_of(dag, v) == 0);
            causes += children_of(dag, v) > 0;
        }
        assert_true(causes <= (n + 1) / 3 && causes >= (n + 1) / 3 - 1);
        dpc_dag_free(dag);
    }
}

static void test_hubs(void **state)
{
    (void)state;
    enum { NODES = 101 };
    for (uint64_t seed = 1; seed <= 20; seed++) {
        int hubs = 0, others = 0;
        dpc_dag *dag = draw_shape(DPC_HUBS, NODES, 1.5, seed);
        for (int v = 0; v < NODES; v++) {
            int degree = degree_of(dag, v);
            hubs += degree >= 25;
            others += degree < 15;
        }
        assert_int_equal(hubs, 4);
        assert_int_equal(others, NODES - 4);
        dpc_dag_free(dag);
    }
}

static void test_chain(void **state)
{
    (void)state;
    dpc_dag *dag = draw_shape(DPC_CHAIN, 30, 2, 5);
    for (int i = 1; i < 30; i++) {
        assert_int_equal(parents_of(dag, dag->order[i]), 1);
        assert_true(is_edge(dag, dag->order[i - 1], dag->order[i]));
    }
    dpc_dag_free(dag);
}

/* Of the pairs of neighbours of a node, the share that is adjacent. */
static double clustering(const dpc_dag *dag)
{
    int64_t pairs = 0, closed = 0;
    for (int v = 0; v < dag->n; v++)
        for (int a = 0; a < dag->n; a++)
            for (int b = 0; b < a; b++)
                if ((is_edge(dag, a, v) || is_edge(dag, v, a)) &&
                    (is_edge(dag, b, v) || is_edge(dag, v, b))) {
                    pairs++;
                    closed += is_edge(dag, a, b) || is_edge(dag, b, a);
                }
    return (double)closed / (double)pairs;
}

/* A ring of 3 neighbours on each side has 0.6; with a fifth rewired 0.6 · 0.8³ = 0.31. */
static void test_small_world(void **state)
{
    (void)state;
    double ring = 0, random = 0;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        dpc_dag *world = draw_shape(DPC_SMALL_WORLD, 120, 3, seed);
        dpc_dag *er = draw_shape(DPC_ER, 120, 3, seed);
        ring += clustering(world) / 4;
        random += clustering(er) / 4;
        dpc_dag_free(world);
        dpc_dag_free(er);
    }
    assert_true(fabs(ring - 0.31) < 0.04);
    assert_true(random < 0.08);
}

/* ---- Designs ---- */

static bool same_edges(const dpc_dag *a, const dpc_dag *b)
{
    size_t n = (size_t)a->n;
    return memcmp(a->start, b->start, (n + 1) * sizeof *a->start) == 0 &&
           memcmp(a->parent, b->parent, (size_t)a->start[n] * sizeof *a->parent) == 0;
}

/* Half of the weights change their sign, and nothing else changes. */
static void test_signs(void **state)
{
    (void)state;
    double negative = 0, edges = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        dpc_simulation s = describe(DPC_ER, 30, 3, seed), mixed = s;
        mixed.signs = DPC_MIXED_SIGNS;
        dpc_dag *a = draw(&s), *b = draw(&mixed);
        assert_true(same_edges(a, b));
        for (int64_t e = 0; e < a->start[30]; e++) {
            assert_true(a->weight[e] > 0 && a->weight[e] == fabs(b->weight[e]));
            negative += b->weight[e] < 0;
            edges++;
        }
        dpc_dag_free(a);
        dpc_dag_free(b);
    }
    assert_true(fabs(negative - edges / 2) < 4 * sqrt(edges) / 2);
}

/* The error variances are uniform; their order is not that of the weights or the nodes. */
static void test_variances(void **state)
{
    (void)state;
    double sum = 0, squares = 0, count = 0;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        dpc_simulation s = describe(DPC_ER, 40, 1, seed);
        s.variance_low = 0.5;
        s.variance_high = 2;
        dpc_dag *dag = draw(&s);
        for (int v = 0; v < dag->n; v++, count++) {
            double variance = dag->spread[v] * dag->spread[v];
            assert_true(variance > 0.4999999 && variance < 2.0000001);
            sum += variance;
            squares += variance * variance;
        }
        dpc_dag_free(dag);
    }
    double sd = 1.5 / sqrt(12);
    assert_true(fabs(sum / count - 1.25) < 4 * sd / sqrt(count));
    assert_true(fabs(squares / count - (0.25 + 1 + 4) / 3) < 4 * 1.2 / sqrt(count));
}

/* Every variance in the population, by the slow way, where the noise has the variance `by`. */
static void check_unit_variances(const dpc_dag *dag, double by)
{
    enum { MOST = 64 };
    double r[MOST * MOST], variance[MOST];
    assert_int_equal(dpc_dag_correlation(dag, r, variance, NULL), DPC_OK);
    for (int v = 0; v < dag->n; v++)
        if (!(fabs(variance[v] * by - 1) < 1e-11))
            fail_msg("variance %.17g", variance[v] * by);
}

/* By construction, with any noise, signs, error variances and shape. */
static void test_unit_variances(void **state)
{
    (void)state;
    static const dpc_noise NOISES[] = {
        {INFINITY, false}, {5, false}, {INFINITY, true}, {2.5, false}};
    static const double VARIANCES[] = {1, 5.0 / 3, 1, 5};
    for (int i = 0; i < repeats(84); i++)
        for (int design = DPC_INTERNAL; design <= DPC_ONION; design++) {
            dpc_simulation s = describe((dpc_structure)(i % 7), 20, 2.5, (uint64_t)i);
            s.noise = NOISES[i % 4];
            s.signs = (dpc_signs)(i % 2);
            s.variance_high = 1 + i % 3;
            s.design = (dpc_design)design;
            dpc_dag *dag = draw(&s);
            check_unit_variances(dag, VARIANCES[i % 4]);
            assert_true(dpc_noise_variance(s.noise) == VARIANCES[i % 4]);
            dpc_dag_free(dag);
        }
}

/* Internal scaling divides the weights and the noise of a node by the same number. */
static void test_internal_is_a_scaling(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        dpc_simulation s = describe(DPC_ER, 30, 3, seed), internal;
        s.variance_low = 0.3;
        internal = s;
        internal.design = DPC_INTERNAL;
        dpc_dag *a = draw(&s), *b = draw(&internal);
        assert_true(same_edges(a, b));
        for (int v = 0; v < 30; v++)
            for (int64_t e = a->start[v]; e < a->start[v + 1]; e++)
                assert_true(fabs(a->weight[e] / a->spread[v] - b->weight[e] / b->spread[v]) <
                            1e-12 * fabs(a->weight[e] / a->spread[v]));
        dpc_dag_free(a);
        dpc_dag_free(b);
    }
}

/* Is a mean of `count` values with this variance near enough to what it should be? */
static void check_mean(const char *what, double sum, double count, double expected, double variance)
{
    double off = (sum / count - expected) / sqrt(variance / count);
    if (!(fabs(off) < 4))
        fail_msg("%s: %g instead of %g, %g standard errors", what, sum / count, expected, off);
}

/* q = 1 - s² of node number i of a chain is Beta(1/2, (n - i + 1)/2): its first two moments. */
static void test_onion_of_a_chain(void **state)
{
    (void)state;
    enum { NODES = 6, DRAWS = 20000 };
    double sum[NODES] = {0}, squares[NODES] = {0}, signs = 0;
    for (uint64_t seed = 1; seed <= DRAWS; seed++) {
        dpc_simulation s = describe(DPC_CHAIN, NODES, 1, seed);
        s.design = DPC_ONION;
        dpc_dag *dag = draw(&s);
        for (int i = 0; i < NODES; i++) {
            int v = dag->order[i];
            double q = 1 - dag->spread[v] * dag->spread[v];
            sum[i] += q;
            squares[i] += q * q;
            if (i > 0) { /* one parent: the weight is the correlation, q its square */
                double weight = dag->weight[dag->start[v]];
                assert_true(fabs(weight * weight - q) < 1e-12);
                signs += weight > 0;
            }
        }
        dpc_dag_free(dag);
    }
    assert_true(sum[0] == 0);
    for (int i = 1; i < NODES; i++) {
        double a = 0.5, b = (NODES - i + 1) / 2.0, all = a + b;
        double mean = a / all, second = mean * (a + 1) / (all + 1);
        double fourth = second * (a + 2) / (all + 2) * (a + 3) / (all + 3);
        check_mean("q", sum[i], DRAWS, mean, second - mean * mean);
        check_mean("q²", squares[i], DRAWS, second, fourth - second * second);
    }
    check_mean("signs", signs, DRAWS * (NODES - 1), 0.5, 0.25);
}

/*
 * A complete DAG allows all correlation matrices. Where these are uniform, the square of every
 * correlation has the mean 1/(n + 1), whatever the order of the two variables.
 */
static void test_onion_of_a_complete_dag(void **state)
{
    (void)state;
    enum { NODES = 4, DRAWS = 8000 };
    double squares[NODES][NODES] = {{0}}, sums[NODES][NODES] = {{0}}, r[NODES * NODES];
    for (uint64_t seed = 1; seed <= DRAWS; seed++) {
        dpc_simulation s = describe(DPC_ER, NODES, 1.5, seed);
        s.design = DPC_ONION;
        dpc_dag *dag = draw(&s);
        assert_int_equal(dag->start[NODES], 6);
        assert_int_equal(dpc_dag_correlation(dag, r, NULL, NULL), DPC_OK);
        for (int i = 0; i < NODES; i++)
            for (int j = 0; j < i; j++) {
                double rho = r[dag->order[i] * NODES + dag->order[j]];
                sums[i][j] += rho;
                squares[i][j] += rho * rho;
            }
        dpc_dag_free(dag);
    }
    for (int i = 0; i < NODES; i++)
        for (int j = 0; j < i; j++) {
            double second = 1.0 / (NODES + 1), fourth = 3.0 / ((NODES + 1) * (NODES + 3));
            check_mean("r", sums[i][j], DRAWS, 0, second);
            check_mean("r²", squares[i][j], DRAWS, second, fourth - second * second);
        }
}

static void test_onion_has_sources_first(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        dpc_simulation s = describe(DPC_ER, 30, 1, seed);
        s.design = DPC_ONION;
        dpc_dag *dag = draw(&s);
        for (int i = 1; i < 30; i++)
            assert_true(parents_of(dag, dag->order[i]) > 0 ||
                        parents_of(dag, dag->order[i - 1]) == 0);
        dpc_dag_free(dag);
    }
}

/* The data follow: their correlations go to those of the population. */
static void test_data_follow_the_design(void **state)
{
    (void)state;
    enum { NODES = 8, N_OBS = 200000 };
    for (int i = 0; i < 6; i++) {
        dpc_simulation s = describe(i < 3 ? DPC_ER : DPC_SMALL_WORLD, NODES, 2, 3);
        double r[NODES * NODES];
        dpc_table *table = NULL;
        s.n_obs = N_OBS;
        s.design = (dpc_design)(i % 3);
        s.signs = DPC_MIXED_SIGNS;
        s.variance_high = 4;
        s.noise.exponential = i % 2 == 0;
        dpc_dag *dag = draw_both(&s, &table);
        assert_int_equal(dpc_dag_correlation(dag, r, NULL, NULL), DPC_OK);
        for (int a = 0; a < NODES; a++)
            for (int b = 0; b < a; b++) {
                double sum = 0, rho = r[a * NODES + b];
                for (int64_t t = 0; t < N_OBS; t++)
                    sum += table->values[a * (int64_t)N_OBS + t] *
                           table->values[b * (int64_t)N_OBS + t];
                if (!(fabs(sum / (N_OBS - 1) - rho) < 8 / sqrt(N_OBS)))
                    fail_msg("%g, in the population %g", sum / (N_OBS - 1), rho);
            }
        dpc_dag_free(dag);
        dpc_table_free(table);
    }
}

static void test_exponential_noise(void **state)
{
    (void)state;
    enum { COUNT = 400000 };
    static double x[COUNT];
    dpc_random random;
    dpc_ziggurat ziggurat;
    double sum = 0, squares = 0, cubes = 0, least = INFINITY, beyond = 0;
    dpc_random_start(&random, 4, 0);
    dpc_ziggurat_init(&ziggurat);
    dpc_draw_noise(&random, &ziggurat, (dpc_noise){INFINITY, true}, x, COUNT);
    for (int i = 0; i < COUNT; i++) {
        sum += x[i];
        squares += x[i] * x[i];
        cubes += x[i] * x[i] * x[i];
        least = fmin(least, x[i]);
        beyond += x[i] > 1;
    }
    assert_true(least >= -1 && least < -0.9999);
    check_mean("mean", sum, COUNT, 0, 1);
    check_mean("variance", squares, COUNT, 1, 9 - 1);
    check_mean("skewness", cubes, COUNT, 2, 265 - 4);
    check_mean("P(x > 1)", beyond, COUNT, exp(-2), exp(-2) * (1 - exp(-2)));
}

/* The edges are those of the seed, the model and the shape, whatever else is asked for. */
static void test_same_edges(void **state)
{
    (void)state;
    dpc_simulation first = describe(DPC_SMALL_WORLD, 25, 2, 5), others[6];
    dpc_dag *dag = draw(&first);
    for (int i = 0; i < 6; i++)
        others[i] = first;
    others[0].design = DPC_INTERNAL;
    others[1].design = DPC_ONION;
    others[2].signs = DPC_MIXED_SIGNS;
    others[3].variance_high = 3;
    others[4].noise.exponential = true;
    others[5].n_obs = 40;
    for (int i = 0; i < 6; i++) {
        dpc_dag *other = draw(&others[i]);
        assert_true(same_edges(dag, other));
        dpc_dag_free(other);
    }
    dpc_dag_free(dag);
}

/* ---- Sortability ---- */

/* Of what is left of row j, after the others have been swept out: the variance that these leave. */
static long double left_by_others(const dpc_table *table, int j)
{
    enum { MOST = 16 };
    int n = table->n_vars;
    long double s[MOST][MOST] = {{0}};
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
            for (int64_t t = 0; t < table->n_obs; t++)
                s[a][b] += (long double)table->values[a * table->n_obs + t] *
                           table->values[b * table->n_obs + t];
    long double all = s[j][j];
    for (int k = 0; k < n; k++)
        for (int a = 0; a < n && k != j; a++)
            if (a != k) {
                long double by = s[a][k] / s[k][k];
                for (int b = 0; b < n; b++)
                    s[a][b] -= by * s[k][b];
            }
    return s[j][j] / all;
}

static bool leads(const dpc_dag *dag, int from, int to)
{
    for (int64_t e = dag->start[to]; e < dag->start[to + 1]; e++)
        if (dag->parent[e] == from || leads(dag, from, dag->parent[e]))
            return true;
    return false;
}

static double slow_sortability(const dpc_dag *dag, const dpc_table *table)
{
    double pairs = 0, sorted = 0;
    for (int a = 0; a < dag->n; a++)
        for (int b = 0; b < dag->n; b++)
            if (leads(dag, a, b)) {
                pairs++;
                sorted += 1 - left_by_others(table, a) < 1 - left_by_others(table, b);
            }
    return sorted / pairs;
}

static double sortability_of(const dpc_simulation *s, bool slow)
{
    dpc_table *table = NULL;
    dpc_dag *dag = draw_both(s, &table);
    double out = 0;
    assert_int_equal(dpc_sortability(dag, table, &out, NULL), DPC_OK);
    if (slow && !(fabs(out - slow_sortability(dag, table)) < 1e-12))
        fail_msg("sortability %g, by the slow twin %g", out, slow_sortability(dag, table));
    dpc_dag_free(dag);
    dpc_table_free(table);
    return out;
}

static void test_sortability_against_slow_twin(void **state)
{
    (void)state;
    for (int i = 0; i < repeats(70); i++) {
        dpc_simulation s = describe((dpc_structure)(i % 7), 6 + i % 9, 1.2, (uint64_t)i);
        s.n_obs = 20 + i;
        s.design = (dpc_design)(i / 7 % 3);
        s.signs = (dpc_signs)(i % 2);
        sortability_of(&s, true);
    }
}

/* What the paper's design gives away, and internal scaling with mixed signs does not. */
static void test_sortability_of_designs(void **state)
{
    (void)state;
    double paper = 0, internal = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        dpc_simulation s = describe(DPC_ER, 50, 2, seed);
        s.n_obs = 1250;
        paper += sortability_of(&s, false) / 20;
        s.design = DPC_INTERNAL;
        s.signs = DPC_MIXED_SIGNS;
        internal += sortability_of(&s, false) / 20;
    }
    assert_true(paper > 0.85);
    assert_true(fabs(internal - 0.5) < 0.08);
}

/* More than 64 variables are asked in several rounds. */
static void test_sortability_of_a_long_chain(void **state)
{
    (void)state;
    dpc_simulation s = describe(DPC_CHAIN, 150, 1, 1);
    s.n_obs = 300;
    s.design = DPC_INTERNAL;
    dpc_table *table = NULL;
    dpc_dag *dag = draw_both(&s, &table);
    double out = 0;
    assert_int_equal(dpc_sortability(dag, table, &out, NULL), DPC_OK);
    double pairs = out * 150 * 149 / 2;
    assert_true(out > 0 && out < 1 && fabs(pairs - round(pairs)) < 1e-6);
    dpc_dag_free(dag);
    dpc_table_free(table);
}

static void test_no_sortability(void **state)
{
    (void)state;
    dpc_simulation s = describe(DPC_ER, 10, 2, 1);
    s.n_obs = 10; /* no inverse */
    assert_true(isnan(sortability_of(&s, false)));
    s.n_obs = 11; /* one row more than variables, of which the mean takes one */
    assert_false(isnan(sortability_of(&s, false)));
    s.n_obs = 100;
    s.model.parents = 0; /* no pairs */
    assert_true(isnan(sortability_of(&s, false)));
    s.model.parents = 1;
    s.model.structure = DPC_CHAIN;
    s.model.weight_low = s.model.weight_high = 1e9; /* collinear to the last bits */
    assert_true(isnan(sortability_of(&s, false)));
}

/* ---- What is refused ---- */

static void refuse(const dpc_simulation *s, const char *word)
{
    dpc_error err = {0};
    dpc_dag *dag = NULL;
    dpc_table *table = NULL;
    assert_int_equal(dpc_simulate(s, &dag, &table, &err), DPC_USAGE);
    assert_null(dag);
    if (strstr(err.message, word) == NULL)
        fail_msg("expected '%s' in '%s'", word, err.message);
}

static void test_refused(void **state)
{
    (void)state;
    dpc_simulation fine = describe(DPC_ER, 10, 2, 1), s = fine;
    s.variance_low = 0;
    refuse(&s, "variances");
    s = fine, s.variance_low = 2;
    refuse(&s, "variances");
    s = fine, s.variance_high = INFINITY;
    refuse(&s, "variances");
    s = fine, s.variance_low = NAN;
    refuse(&s, "variances");
    s = fine, s.design = DPC_INTERNAL, s.noise.degrees = 2;
    refuse(&s, "design internal needs noise with a variance");
    s = fine, s.design = DPC_ONION, s.noise.degrees = 1;
    refuse(&s, "design onion needs noise with a variance");
    s = fine, s.model.structure = DPC_BIPARTITE, s.model.parents = 2.2;
    refuse(&s, "at most 2.1");
    s = fine, s.model.structure = DPC_CHAIN, s.model.parents = INFINITY;
    refuse(&s, "parents");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_shape_is_a_dag),
        cmocka_unit_test(test_edge_counts),
        cmocka_unit_test(test_scale_free),
        cmocka_unit_test(test_bipartite),
        cmocka_unit_test(test_hubs),
        cmocka_unit_test(test_chain),
        cmocka_unit_test(test_small_world),
        cmocka_unit_test(test_signs),
        cmocka_unit_test(test_variances),
        cmocka_unit_test(test_unit_variances),
        cmocka_unit_test(test_internal_is_a_scaling),
        cmocka_unit_test(test_onion_of_a_chain),
        cmocka_unit_test(test_onion_of_a_complete_dag),
        cmocka_unit_test(test_onion_has_sources_first),
        cmocka_unit_test(test_data_follow_the_design),
        cmocka_unit_test(test_exponential_noise),
        cmocka_unit_test(test_same_edges),
        cmocka_unit_test(test_sortability_against_slow_twin),
        cmocka_unit_test(test_sortability_of_designs),
        cmocka_unit_test(test_sortability_of_a_long_chain),
        cmocka_unit_test(test_no_sortability),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
