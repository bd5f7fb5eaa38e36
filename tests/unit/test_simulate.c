/*
 * Simulated data sets: the distributions they are drawn from, what a seed decides, and what the
 * finished columns look like. Seeds are fixed, so that a statistical bound is kept always or never.
 */
#include "dag_gsl.h"
#include "noise.h"
#include "save.h"
#include "simulate.h"
#include "table.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static dpc_simulation describe(int n, double parents, int64_t n_obs, uint64_t seed)
{
    dpc_simulation s;
    dpc_simulation_default(&s);
    s.model.n = n;
    s.model.parents = parents;
    s.n_obs = n_obs;
    s.seed = seed;
    return s;
}

static void draw(const dpc_simulation *s, dpc_dag **dag, dpc_table **table)
{
    dpc_error err = {0};
    if (dpc_simulate(s, dag, table, &err) != DPC_OK)
        fail_msg("%s", err.message);
}

static bool same_dag(const dpc_dag *a, const dpc_dag *b)
{
    size_t n = (size_t)a->n, edges = (size_t)a->start[n];
    return a->n == b->n && memcmp(a->order, b->order, n * sizeof *a->order) == 0 &&
           memcmp(a->start, b->start, (n + 1) * sizeof *a->start) == 0 &&
           memcmp(a->parent, b->parent, edges * sizeof *a->parent) == 0 &&
           memcmp(a->weight, b->weight, edges * sizeof *a->weight) == 0;
}

static bool same_values(const dpc_table *a, const dpc_table *b)
{
    return a->n_obs == b->n_obs && a->n_vars == b->n_vars &&
           memcmp(a->values, b->values, (size_t)a->n_obs * (size_t)a->n_vars * sizeof *a->values) ==
               0;
}

/* ---- Distributions -------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The Kolmogorov–Smirnov distance of `count` draws from their distribution, times √count. */
static double distance(double degrees, double *x, int64_t count, uint64_t seed)
{
    dpc_random random;
    dpc_ziggurat ziggurat;
    dpc_random_start(&random, seed, 0);
    dpc_ziggurat_init(&ziggurat);
    dpc_draw_noise(&random, &ziggurat, (dpc_noise){.degrees = degrees}, x, count);
    qsort(x, (size_t)count, sizeof *x, by_value);
    double worst = 0, n = (double)count;
    for (int64_t i = 0; i < count; i++) {
        double p = isinf(degrees) ? gsl_cdf_ugaussian_P(x[i]) : gsl_cdf_tdist_P(x[i], degrees);
        worst = fmax(worst, fmax(fabs(p - (double)i / n), fabs((double)(i + 1) / n - p)));
    }
    return worst * sqrt(n);
}

/* A distance above 2 has a probability of 7e-4. */
static void test_noise_distribution(void **state)
{
    (void)state;
    static const double DEGREES[] = {INFINITY, 0.5, 1, 2, 2.5, 5, 10, 1e6};
    enum { COUNT = 200000 };
    double *x = malloc(COUNT * sizeof *x);
    assert_non_null(x);
    for (size_t i = 0; i < sizeof DEGREES / sizeof *DEGREES; i++) {
        double d = distance(DEGREES[i], x, COUNT, 100 + i);
        if (!(d < 2))
            fail_msg("%g degrees of freedom: distance %g", DEGREES[i], d);
        assert_true(d > 0.3); /* nor is it better than chance allows */
    }
    free(x);
}

/*
 * The ziggurat where its pieces meet: as many draws in each as there should be. The wedges and
 * the tail are rare, and would hide in one distance over all.
 */
static void test_normal_by_pieces(void **state)
{
    (void)state;
    enum { COUNT = 4000000, BLOCK = 1000 };
    static double count[DPC_LAYERS + 1];
    double block[BLOCK];
    dpc_random random;
    dpc_ziggurat z;
    dpc_random_start(&random, 7, 0);
    dpc_ziggurat_init(&z);
    int positive = 0;
    double beyond = 0; /* sum of the |x| of the tail */
    for (int i = 0; i < COUNT; i += BLOCK) {
        dpc_draw_noise(&random, &z, (dpc_noise){.degrees = INFINITY}, block, BLOCK);
        for (int k = 0; k < BLOCK; k++) {
            int low = 0, high = DPC_LAYERS; /* edge[low] > |x| >= edge[high], from infinity */
            while (high - low > 1) {
                int middle = (low + high) / 2;
                *(fabs(block[k]) >= z.edge[middle] ? &high : &low) = middle;
            }
            count[high]++;
            beyond += high == 1 ? fabs(block[k]) : 0;
            positive += block[k] > 0;
        }
    }
    double chi_square = 0;
    for (int i = 1; i <= DPC_LAYERS; i++) {
        double outer = i == 1 ? 0 : 2 * gsl_cdf_ugaussian_Q(z.edge[i - 1]);
        double expected = COUNT * (2 * gsl_cdf_ugaussian_Q(z.edge[i]) - outer);
        if (i == 1)
            assert_true(expected > 900); /* the tail beyond 3.65 is judged too */
        chi_square += (count[i] - expected) * (count[i] - expected) / expected;
    }
    double p = gsl_cdf_chisq_Q(chi_square, DPC_LAYERS - 1);
    if (!(p > 1e-4 && p < 1 - 1e-4))
        fail_msg("chi-square %g, p %g", chi_square, p);
    /* E(|x| : |x| > t) = φ(t) / Q(t); the excess over t has about that mean for its deviation */
    double t = z.edge[1], mean = exp(-t * t / 2) / sqrt(2 * M_PI) / gsl_cdf_ugaussian_Q(t);
    assert_true(fabs(beyond / count[1] - mean) < 4 * (mean - t) / sqrt(count[1]));
    assert_true(abs(positive - COUNT / 2) < 4 * sqrt(COUNT) / 2);
}

/* Streams of one seed, and the same stream of neighbouring seeds, have nothing in common. */
static void test_streams(void **state)
{
    (void)state;
    enum { COUNT = 50000, STREAMS = 6 };
    static const uint64_t SEEDS[] = {1, 2, 1 + (UINT64_C(1) << 32)};
    static double x[STREAMS][COUNT];
    dpc_ziggurat z;
    dpc_ziggurat_init(&z);
    for (int i = 0; i < STREAMS; i++) {
        dpc_random random;
        dpc_random_start(&random, SEEDS[i / 2], (uint64_t)(i % 2));
        dpc_draw_noise(&random, &z, (dpc_noise){.degrees = INFINITY}, x[i], COUNT);
    }
    for (int i = 0; i < STREAMS; i++)
        for (int j = 0; j < i; j++) {
            double product = 0;
            for (int k = 0; k < COUNT; k++)
                product += x[i][k] * x[j][k];
            assert_true(fabs(product) < 4 * sqrt(COUNT));
        }
}

/* Edges are binomial; their weights uniform. */
static void test_dag_distribution(void **state)
{
    (void)state;
    double edges = 0, sum = 0, low = INFINITY, high = -INFINITY, pairs = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        dpc_simulation s = describe(30, 1.5, 2, seed);
        dpc_dag *dag;
        dpc_table *table;
        draw(&s, &dag, &table);
        for (int64_t e = 0; e < dag->start[dag->n]; e++) {
            sum += dag->weight[e];
            low = fmin(low, dag->weight[e]);
            high = fmax(high, dag->weight[e]);
        }
        edges += (double)dag->start[dag->n];
        pairs += 30 * 29 / 2.0;
        dpc_dag_free(dag);
        dpc_table_free(table);
    }
    double p = 2 * 1.5 / 29;
    assert_true(fabs(edges - pairs * p) < 4 * sqrt(pairs * p * (1 - p)));
    assert_true(fabs(sum / edges - 1.2) < 4 * 1.6 / sqrt(12 * edges));
    assert_true(low > 0.4 && low < 0.402 && high > 1.998 && high < 2);
}

/* Dice that always show the same. */
static double always(void *state)
{
    return *(double *)state;
}

static uint64_t lowest(void *state, uint64_t bound)
{
    (void)state;
    (void)bound;
    return 0;
}

static int64_t edges_with(int n, double parents, double shown)
{
    const dpc_dag_model model = {n, parents, 0.4, 2, DPC_ER};
    const dpc_dice dice = {always, lowest, &shown};
    dpc_dag *dag = NULL;
    assert_int_equal(dpc_dag_draw(&model, &dice, &dag, NULL), DPC_OK);
    int64_t edges = dag->start[n];
    dpc_dag_free(dag);
    return edges;
}

/* An edge is where u < 2 d / (n - 1), and nowhere else. */
static void test_chance_of_an_edge(void **state)
{
    (void)state;
    assert_int_equal(edges_with(5, 1, 0.499), 10);
    assert_int_equal(edges_with(5, 1, 0.5), 0);
    assert_int_equal(edges_with(3, 0.75, 0.7), 3);
    assert_int_equal(edges_with(3, 0.75, 0.75), 0);
    assert_int_equal(edges_with(4, 0, 0), 0);
    assert_int_equal(edges_with(4, 1.5, 0.999), 6);
    assert_int_equal(edges_with(1, 0, 0), 0);
}

/* Dice whose throws are counted. */
static uint64_t count_throws(void *state, uint64_t bound)
{
    ++*(uint64_t *)state;
    return bound - 1;
}

static double never(void *state)
{
    (void)state;
    return 0.999;
}

/* A place is drawn for all nodes but the last one, for which none is left to choose; so it is that
 * a seed keeps its DAG from version to version. */
static void test_throws(void **state)
{
    (void)state;
    for (int n = 1; n < 10; n++) {
        uint64_t throws = 0;
        const dpc_dag_model model = {n, 0, 0.4, 2, DPC_ER};
        const dpc_dice dice = {never, count_throws, &throws};
        dpc_dag *dag = NULL;
        assert_int_equal(dpc_dag_draw(&model, &dice, &dag, NULL), DPC_OK);
        assert_int_equal(throws, n - 1);
        for (int v = 0; v < n; v++)
            assert_int_equal(dag->order[v], v);
        dpc_dag_free(dag);
    }
}

/* A network of one node has data, too; with no DAG to choose, the seed decides about the noise. */
static void test_one_node(void **state)
{
    (void)state;
    dpc_simulation s = describe(1, 0, 10, 1), other = describe(1, 0, 10, 2);
    dpc_dag *dag, *other_dag;
    dpc_table *table, *other_table;
    draw(&s, &dag, &table);
    draw(&other, &other_dag, &other_table);
    assert_int_equal(dag->start[1], 0);
    assert_int_equal(table->n_vars, 1);
    assert_false(same_values(table, other_table));
    dpc_dag_free(dag);
    dpc_dag_free(other_dag);
    dpc_table_free(table);
    dpc_table_free(other_table);
}

/* All orders of four nodes, about as often each: χ² with 23 degrees of freedom. */
static void test_orders(void **state)
{
    (void)state;
    enum { NODES = 4, ORDERS = 24, EXPECTED = 400 };
    int seen[NODES * NODES * NODES * NODES] = {0}, different = 0;
    dpc_random random;
    dpc_random_start(&random, 9, 0);
    const dpc_dice dice = dpc_random_dice(&random);
    const dpc_dag_model model = {NODES, 0, 0.4, 2, DPC_ER};
    for (int i = 0; i < ORDERS * EXPECTED; i++) {
        dpc_dag *dag = NULL;
        int number = 0;
        assert_int_equal(dpc_dag_draw(&model, &dice, &dag, NULL), DPC_OK);
        for (int v = 0; v < NODES; v++)
            number = NODES * number + dag->order[v];
        seen[number]++;
        dpc_dag_free(dag);
    }
    double chi = 0;
    for (size_t i = 0; i < sizeof seen / sizeof *seen; i++) {
        different += seen[i] > 0;
        if (seen[i] > 0)
            chi += pow(seen[i] - EXPECTED, 2) / EXPECTED;
    }
    assert_int_equal(different, ORDERS);
    assert_true(gsl_cdf_chisq_Q(chi, ORDERS - 1) > 1e-3);
}

/* ---- What a seed decides --------------------------------------------------- */

static void test_seed(void **state)
{
    (void)state;
    dpc_simulation first = describe(25, 2, 300, 5);
    dpc_dag *dag, *other_dag;
    dpc_table *table, *other_table;
    draw(&first, &dag, &table);
    struct {
        dpc_simulation simulation;
        bool dag, values; /* which stay the same */
    } cases[] = {{first, true, true},  {first, false, false}, {first, false, false},
                 {first, true, false}, {first, true, false},  {first, true, false}};
    cases[1].simulation.seed = 6;
    cases[2].simulation.seed = 5 + (UINT64_C(1) << 32); /* beyond what GSL would look at */
    cases[3].simulation.n_obs = 301;
    cases[4].simulation.noise.degrees = 5;
    cases[5].simulation.tanh_lambda = 1;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        draw(&cases[i].simulation, &other_dag, &other_table);
        assert_int_equal(same_dag(dag, other_dag), cases[i].dag);
        assert_int_equal(same_values(table, other_table), cases[i].values);
        dpc_dag_free(other_dag);
        dpc_table_free(other_table);
    }
    assert_string_equal(table->names[0], "V1");
    assert_string_equal(table->names[24], "V25");
    dpc_dag_free(dag);
    dpc_table_free(table);
}

/* ---- The finished columns --------------------------------------------------- */

static void check_standardised(const dpc_table *table)
{
    for (int j = 0; j < table->n_vars; j++) {
        long double sum = 0, squares = 0;
        const double *x = table->values + j * table->n_obs;
        for (int64_t i = 0; i < table->n_obs; i++)
            sum += x[i];
        for (int64_t i = 0; i < table->n_obs; i++)
            squares += (x[i] - sum / table->n_obs) * (x[i] - sum / table->n_obs);
        double mean = (double)(sum / table->n_obs),
               variance = (double)(squares / (table->n_obs - 1));
        if (!(fabs(mean) < 1e-12 && fabs(variance - 1) < 1e-12))
            fail_msg("%s: mean %g, variance - 1 = %g", table->names[j], mean, variance - 1);
    }
}

static void draw_standardised(const dpc_simulation *s)
{
    dpc_dag *dag;
    dpc_table *table;
    draw(s, &dag, &table);
    check_standardised(table);
    dpc_dag_free(dag);
    dpc_table_free(table);
}

static void test_standardised(void **state)
{
    (void)state;
    static const int64_t SIZES[] = {2, 3, 10, 1000, 70001};
    static const double DEGREES[] = {INFINITY, 1, 0.3, 4};
    for (int i = 0; i < 40; i++) {
        dpc_simulation s = describe(8, i % 4, SIZES[i % 5], (uint64_t)i);
        s.noise.degrees = DEGREES[i / 5 % 4];
        s.model.weight_low = i % 7 == 3 ? -1e30 : 0.4; /* values whose squares are too large */
        s.model.weight_high = i % 7 == 3 ? 1e30 : 2;
        s.tanh_lambda = i >= 20 && isinf(s.noise.degrees) ? 0.5 : 0;
        draw_standardised(&s);
    }
}

/*
 * A strong tanh leaves columns close to 1 throughout, whose mean is large beside the deviations: 0
 * and 1 they have all the same.
 */
static void test_standardised_near_one(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        dpc_simulation s = describe(6, 1, 11, seed);
        s.tanh_lambda = 3;
        draw_standardised(&s);
    }
}

/* Σx or Σx²: blocks of 256 with four lanes each, what is left over in the first of them. */
static double sum_in_order(const double *x, int n, bool squared)
{
    double sum = 0;
    for (int block = 0; block < n; block += 256) {
        double lane[4] = {0};
        int end = block + 256 < n ? block + 256 : n, whole = block + (end - block) / 4 * 4;
        for (int i = block; i < end; i++)
            lane[i < whole ? i % 4 : 0] += squared ? x[i] * x[i] : x[i];
        sum += (lane[0] + lane[1]) + (lane[2] + lane[3]);
    }
    return sum;
}

/* Sums have an order that is written down, so that a seed has the same bits everywhere. */
static void test_same_bits(void **state)
{
    (void)state;
    enum { STREAM_NOISE = 1, MOST = 515 };
    static const int SIZES[] = {2, 3, 4, 5, 6, 7, 255, 256, 257, 262, MOST};
    for (uint64_t seed = 1; seed <= 20; seed++)
        for (size_t k = 0; k < sizeof SIZES / sizeof *SIZES; k++) {
            int n = SIZES[k];
            double x[MOST];
            dpc_simulation s = describe(1, 0, n, seed);
            dpc_random random;
            dpc_ziggurat ziggurat;
            dpc_dag *dag;
            dpc_table *table;
            dpc_random_start(&random, seed, STREAM_NOISE);
            dpc_ziggurat_init(&ziggurat);
            dpc_draw_noise(&random, &ziggurat, s.noise, x, n);
            for (int twice = 0; twice < 2; twice++) {
                double mean = sum_in_order(x, n, false) / n;
                for (int i = 0; i < n; i++)
                    x[i] -= mean;
            }
            double scale = sqrt((n - 1.0) / sum_in_order(x, n, true));
            for (int i = 0; i < n; i++)
                x[i] *= scale;
            draw(&s, &dag, &table);
            assert_memory_equal(table->values, x, (size_t)n * sizeof *x);
            dpc_dag_free(dag);
            dpc_table_free(table);
        }
}

/* The same data through the model of dag.h: correlations go to those of the population. */
static void test_correlations(void **state)
{
    (void)state;
    enum { NODES = 12, N_OBS = 400000 };
    dpc_simulation s = describe(NODES, 1.5, N_OBS, 3);
    double r[NODES * NODES], largest = 0;
    dpc_dag *dag;
    dpc_table *table;
    draw(&s, &dag, &table);
    assert_int_equal(dpc_dag_correlation(dag, r, NULL, NULL), DPC_OK);
    for (int a = 0; a < NODES; a++)
        for (int b = 0; b < a; b++) {
            double sum = 0, rho = r[a * NODES + b];
            assert_true(r[b * NODES + a] == rho);
            for (int64_t i = 0; i < N_OBS; i++)
                sum +=
                    table->values[a * (int64_t)N_OBS + i] * table->values[b * (int64_t)N_OBS + i];
            double off = sum / (N_OBS - 1) - rho;
            if (!(fabs(off) < 4 * (1 - rho * rho) / sqrt(N_OBS) + 1e-12))
                fail_msg("V%d, V%d: correlation %g, off by %g", a + 1, b + 1, rho, off);
            largest = fmax(largest, fabs(rho));
        }
    assert_true(largest > 0.5);
    dpc_dag_free(dag);
    dpc_table_free(table);
}

/* What the tests and benchmarks draw by GSL keeps to the same model, signs and all. */
static void test_sample_of_dag(void **state)
{
    (void)state;
    enum { NODES = 6, N_OBS = 40000 };
    double r[NODES * NODES];
    gsl_rng *rng = NULL;
    dpc_dag *dag = NULL;
    dpc_table *table = NULL;
    const dpc_dag_model model = {NODES, 1.5, 0.5, 1.5, DPC_ER};
    assert_int_equal(dpc_rng_new(4, &rng, NULL), DPC_OK);
    assert_int_equal(dpc_dag_random(&model, rng, &dag, NULL), DPC_OK);
    assert_int_equal(
        dpc_dag_sample(dag, N_OBS, (dpc_noise){.degrees = INFINITY}, rng, &table, NULL), DPC_OK);
    assert_int_equal(dpc_dag_correlation(dag, r, NULL, NULL), DPC_OK);
    assert_true(dag->start[NODES] > 3);
    for (int a = 0; a < NODES; a++)
        for (int b = 0; b < a; b++) {
            const double *x = table->values + a * (int64_t)N_OBS,
                         *y = table->values + b * (int64_t)N_OBS;
            double xy = 0, xx = 0, yy = 0, rho = r[a * NODES + b];
            for (int64_t i = 0; i < N_OBS; i++) {
                xy += x[i] * y[i];
                xx += x[i] * x[i];
                yy += y[i] * y[i];
            }
            assert_true(fabs(xy / sqrt(xx * yy) - rho) < 5 / sqrt(N_OBS));
        }
    dpc_dag_free(dag);
    dpc_table_free(table);
    gsl_rng_free(rng);
}

typedef struct pair {
    double before, after;
} pair;

static int by_before(const void *a, const void *b)
{
    return by_value(&((const pair *)a)->before, &((const pair *)b)->before);
}

/* Strictly increasing, and bent: no line. */
static void test_tanh_is_monotone(void **state)
{
    (void)state;
    enum { N_OBS = 2000 };
    static pair pairs[N_OBS];
    dpc_simulation plain = describe(10, 2, N_OBS, 9), bent = plain;
    bent.tanh_lambda = 1;
    dpc_dag *dags[2];
    dpc_table *tables[2];
    draw(&plain, &dags[0], &tables[0]);
    draw(&bent, &dags[1], &tables[1]);
    check_standardised(tables[1]);
    for (int j = 0; j < 10; j++) {
        double product = 0;
        for (int i = 0; i < N_OBS; i++) {
            pairs[i].before = tables[0]->values[j * N_OBS + i];
            pairs[i].after = tables[1]->values[j * N_OBS + i];
            product += pairs[i].before * pairs[i].after;
        }
        assert_true(product / (N_OBS - 1) < 0.99);
        qsort(pairs, N_OBS, sizeof *pairs, by_before);
        for (int i = 1; i < N_OBS; i++)
            assert_true(pairs[i - 1].before < pairs[i].before &&
                        pairs[i - 1].after < pairs[i].after);
    }
    for (int i = 0; i < 2; i++) {
        dpc_dag_free(dags[i]);
        dpc_table_free(tables[i]);
    }
}

/* A λ so large that a column is 1 throughout: it becomes 0, not NaN. */
static void test_tanh_can_make_constants(void **state)
{
    (void)state;
    int constant = 0;
    dpc_simulation s = describe(40, 1, 5, 2);
    s.tanh_lambda = 1e6;
    dpc_dag *dag;
    dpc_table *table;
    draw(&s, &dag, &table);
    for (int j = 0; j < 40; j++) {
        const double *x = table->values + j * 5;
        int zeros = 0;
        for (int i = 0; i < 5; i++) {
            assert_true(isfinite(x[i]));
            zeros += x[i] == 0;
        }
        assert_true(zeros == 0 || zeros == 5);
        constant += zeros == 5;
    }
    assert_true(constant > 0 && constant < 40);
    dpc_dag_free(dag);
    dpc_table_free(table);
}

/* ---- What is refused ---------------------------------------------------------- */

static void refuse(dpc_simulation s, dpc_status code, const char *word)
{
    dpc_error err = {0};
    dpc_dag *dag = NULL;
    dpc_table *table = NULL;
    assert_int_equal(dpc_simulate(&s, &dag, &table, &err), code);
    assert_null(dag);
    assert_null(table);
    if (strstr(err.message, word) == NULL)
        fail_msg("expected '%s' in '%s'", word, err.message);
}

/* More than any machine has is refused before it is taken, with what it would be. */
static void test_too_large(void **state)
{
    (void)state;
    refuse(describe(1000, 1, INT64_C(1000000000000), 1), DPC_NO_MEMORY, "needs 8000000.0 GB");
}

/* Files that cannot be are refused before the work. */
static void test_files_are_checked(void **state)
{
    (void)state;
    dpc_error err = {0};
    dpc_saved_files none = {.fd = -1}, lost = {.dag = "/no such folder/dag.txt", .fd = -1},
                    same = {.dag = "same.txt", .cpdag = "./same.txt", .fd = -1};
    assert_int_equal(dpc_save_check(&none, &err), DPC_OK);
    assert_int_not_equal(dpc_save_check(&lost, &err), DPC_OK);
    assert_int_equal(dpc_save_check(&same, &err), DPC_USAGE);
}

static void test_refused(void **state)
{
    (void)state;
    dpc_simulation fine = describe(10, 2, 50, 1), s = fine;
    s.model.n = 0;
    refuse(s, DPC_USAGE, "nodes");
    s = fine, s.model.parents = NAN;
    refuse(s, DPC_USAGE, "parents");
    s = fine, s.model.parents = -1;
    refuse(s, DPC_USAGE, "parents");
    s = fine, s.model.parents = 4.6;
    refuse(s, DPC_USAGE, "at most 4.5");
    s = fine, s.model.weight_low = 3;
    refuse(s, DPC_USAGE, "weights");
    s = fine, s.model.weight_high = INFINITY;
    refuse(s, DPC_USAGE, "weights");
    s = fine, s.n_obs = 1;
    refuse(s, DPC_USAGE, "samples");
    s = fine, s.noise.degrees = 0;
    refuse(s, DPC_USAGE, "degrees");
    s = fine, s.noise.degrees = NAN;
    refuse(s, DPC_USAGE, "degrees");
    s = fine, s.tanh_lambda = -1;
    refuse(s, DPC_USAGE, "tanh");
    s = fine, s.tanh_lambda = NAN;
    refuse(s, DPC_USAGE, "tanh");
    s = fine, s.noise.degrees = 1e-3; /* beyond 1e308 */
    refuse(s, DPC_USAGE, "too large");
    s = fine, s.model.weight_low = s.model.weight_high = 1e200, s.model.parents = 4.5;
    refuse(s, DPC_USAGE, "too large");
    s = fine, s.n_obs = INT64_C(1) << 50;
    refuse(s, DPC_NO_MEMORY, "memory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_noise_distribution),
        cmocka_unit_test(test_normal_by_pieces),
        cmocka_unit_test(test_streams),
        cmocka_unit_test(test_dag_distribution),
        cmocka_unit_test(test_chance_of_an_edge),
        cmocka_unit_test(test_throws),
        cmocka_unit_test(test_one_node),
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_sample_of_dag),
        cmocka_unit_test(test_seed),
        cmocka_unit_test(test_standardised),
        cmocka_unit_test(test_correlations),
        cmocka_unit_test(test_standardised_near_one),
        cmocka_unit_test(test_same_bits),
        cmocka_unit_test(test_too_large),
        cmocka_unit_test(test_files_are_checked),
        cmocka_unit_test(test_tanh_is_monotone),
        cmocka_unit_test(test_tanh_can_make_constants),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
