/*
 * Is what dpc_sample draws calibrated? Simulation-based calibration: where a truth comes from the
 * posterior given the data, its rank among draws given the same data is uniform, however the data
 * came about. So data are drawn in any way; their exact posterior is found here by all DAGs of four
 * variables, with scores, priors and coefficients written down anew; a truth is drawn from it, a
 * DAG and its coefficients; and its total effects, edges and ancestors are ranked among the draws
 * of the library. Wrong scores, priors, coefficients, or a chain that does not reach all DAGs bend
 * the ranks.
 */
#include "cases.h"
#include "dualpc_sample.h"
#include "repeat.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_sf_gamma.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    N = 4,
    SETS = 1 << N, /* of parents, as bits of all variables */
    DAGS = 543,
    DRAWS = 99, /* so that ranks are from 0 to 99 */
    BINS = 10,
    DATA_SETS = 400,
    LEAST = 100, /* of these, for chi-square */
};

struct model {
    dpc_marginal_score score;
    dpc_graph_prior prior;
    double edge_probability;
    int n_obs;
};

/* ---- All DAGs ---- */

struct dag {
    int parents[N];
    double orders; /* that it fits */
};

static struct dag dags[DAGS];

/* The orders of the nodes of `set`, parents first, where the parents of each are among them. */
static double count_orders(const int *parents, int set)
{
    double count = 0;
    if (set == 0)
        return 1;
    for (int v = 0; v < N; v++)
        if (set >> v & 1 && (parents[v] & ~(set & ~(1 << v))) == 0)
            count += count_orders(parents, set & ~(1 << v));
    return count;
}

static int list_dags(void **state)
{
    int count = 0;
    (void)state;
    for (int code = 0; code < SETS * SETS * SETS * SETS; code++) {
        struct dag d = {0};
        bool own = false;
        for (int v = 0; v < N; v++) {
            d.parents[v] = code >> (N * v) & (SETS - 1);
            own = own || d.parents[v] >> v & 1;
        }
        d.orders = own ? 0 : count_orders(d.parents, SETS - 1);
        if (d.orders > 0 && count < DAGS)
            dags[count] = d;
        count += d.orders > 0;
    }
    return count == DAGS ? 0 : -1;
}

/* ---- The exact posterior ---- */

/* T over a set of variables. */
static gsl_matrix *part_of(const double *t, int set, int last)
{
    int at[N], count = 0;
    for (int v = 0; v < N; v++)
        if (set >> v & 1)
            at[count++] = v;
    if (last >= 0)
        at[count++] = last;
    gsl_matrix *m = gsl_matrix_alloc((size_t)count, (size_t)count);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++)
            gsl_matrix_set(m, (size_t)i, (size_t)j, t[at[i] * N + at[j]]);
    gsl_linalg_cholesky_decomp1(m);
    return m;
}

static double log_determinant(const double *t, int set)
{
    double sum = 0;
    if (set == 0)
        return 0;
    gsl_matrix *m = part_of(t, set, -1);
    for (size_t i = 0; i < m->size1; i++)
        sum += 2 * log(gsl_matrix_get(m, i, i));
    gsl_matrix_free(m);
    return sum;
}

/* T of the posterior: that of the prior and (N - 1) R; bic has the likelihood alone. */
static void fill_t(const struct model *m, const double *r, double *t)
{
    for (int i = 0; i < N * N; i++) {
        double prior = m->score == DPC_SCORE_BGE   ? 0.5 * (i % (N + 1) == 0)
                       : m->score == DPC_SCORE_FBF ? r[i]
                                                   : 0;
        t[i] = prior + (m->n_obs - 1) * r[i];
    }
}

/*
 * The log of the normalising constant of a Wishart distribution of l variables with so many
 * degrees of freedom and the inverse scale T, up to what all DAGs share.
 */
static double log_constant(double degrees, int l, double log_det)
{
    double sum = -degrees / 2 * log_det;
    for (int i = 1; i <= l; i++)
        sum += gsl_sf_lngamma((degrees + 1 - i) / 2) - (1 - i) / 2.0 * log(M_PI);
    return sum + degrees * l / 2.0 * log(2);
}

/* Log of the marginal likelihood of the variables of a set, all joined; Geiger and Heckerman. */
static double log_marginal(const struct model *m, const double *r, const double *t, int set)
{
    int l = __builtin_popcount((unsigned)set);
    double degrees = l + (m->score == DPC_SCORE_BGE ? 2 : 0);
    double before = m->score == DPC_SCORE_BGE ? l * log(0.5) : log_determinant(r, set);
    return log_constant(degrees + m->n_obs, l, log_determinant(t, set)) -
           log_constant(degrees, l, before);
}

static double family_score(const struct model *m, const double *r, const double *t, int v, int set)
{
    int size = __builtin_popcount((unsigned)set);
    double score;
    if (m->score == DPC_SCORE_BIC)
        score = -m->n_obs / 2.0 * (log_determinant(r, set | 1 << v) - log_determinant(r, set)) -
                size / 2.0 * log(m->n_obs);
    else
        score = log_marginal(m, r, t, set | 1 << v) - log_marginal(m, r, t, set);
    if (m->prior == DPC_PRIOR_FAIR || m->prior == DPC_PRIOR_ORDER)
        score -= gsl_sf_lnchoose(N - 1, (unsigned)size);
    if (m->prior == DPC_PRIOR_EDGE)
        score += size * log(m->edge_probability / (1 - m->edge_probability));
    return score;
}

static const struct dag *draw_dag(const struct model *m, const double *r, const double *t,
                                  gsl_rng *rng)
{
    double family[N][SETS], weight[DAGS], top = -INFINITY, sum = 0;
    for (int v = 0; v < N; v++)
        for (int set = 0; set < SETS; set++)
            if (!(set >> v & 1))
                family[v][set] = family_score(m, r, t, v, set);
    for (int g = 0; g < DAGS; g++) {
        weight[g] = m->prior == DPC_PRIOR_ORDER ? log(dags[g].orders) : 0;
        for (int v = 0; v < N; v++)
            weight[g] += family[v][dags[g].parents[v]];
        top = fmax(top, weight[g]);
    }
    for (int g = 0; g < DAGS; g++)
        sum += weight[g] = exp(weight[g] - top);
    double left = gsl_rng_uniform(rng) * sum;
    int g = 0;
    while (g < DAGS - 1 && (left -= weight[g]) > 0)
        g++;
    return &dags[g];
}

/* b[u]: of u in the regression of v on its parents, drawn from its posterior. */
static void draw_coefficients(const struct model *m, const double *t, int v, int parents, double *b,
                              gsl_rng *rng)
{
    int size = __builtin_popcount((unsigned)parents), at = 0;
    double degrees = m->score == DPC_SCORE_BIC   ? m->n_obs - 1 - size
                     : m->score == DPC_SCORE_BGE ? m->n_obs + size + 3
                                                 : m->n_obs + size + 1;
    if (size == 0)
        return;
    gsl_matrix *factor = part_of(t, parents, v); /* the last row: L⁻¹ T_Sv, √T_v|S */
    gsl_vector *x = gsl_vector_alloc((size_t)size);
    double spread =
        gsl_matrix_get(factor, (size_t)size, (size_t)size) / sqrt(gsl_ran_chisq(rng, degrees));
    for (size_t i = 0; i < (size_t)size; i++)
        gsl_vector_set(x, i,
                       gsl_matrix_get(factor, (size_t)size, i) + spread * gsl_ran_ugaussian(rng));
    gsl_matrix_view l = gsl_matrix_submatrix(factor, 0, 0, (size_t)size, (size_t)size);
    gsl_blas_dtrsv(CblasLower, CblasTrans, CblasNonUnit, &l.matrix, x);
    for (int u = 0; u < N; u++)
        if (parents >> u & 1)
            b[u] = gsl_vector_get(x, (size_t)at++);
    gsl_vector_free(x);
    gsl_matrix_free(factor);
}

/* ---- What is ranked ---- */

struct facts {
    double effect[N * (N - 1)], edges; /* effects by cause, then outcome */
};

/* Over the paths: (I - B)⁻¹ = I + B + B² + …, where B³ is the last of four nodes. */
static struct facts draw_truth(const struct model *m, const double *r, gsl_rng *rng)
{
    double t[N * N], b[N * N] = {0}, power[N * N];
    struct facts f = {0};
    fill_t(m, r, t);
    const struct dag *dag = draw_dag(m, r, t, rng);
    for (int v = 0; v < N; v++) {
        double to_v[N] = {0};
        draw_coefficients(m, t, v, dag->parents[v], to_v, rng);
        for (int u = 0; u < N; u++)
            b[u * N + v] = to_v[u];
        f.edges += __builtin_popcount((unsigned)dag->parents[v]);
    }
    memcpy(power, b, sizeof b);
    for (int step = 0; step < N - 1; step++) {
        double next[N * N] = {0};
        for (int i = 0, at = 0; i < N * N; i++)
            if (i % (N + 1) != 0)
                f.effect[at++] += power[i];
        for (int i = 0; i < N * N * N; i++)
            next[i / N / N * N + i % N] +=
                power[i / N / N * N + i / N % N] * b[i / N % N * N + i % N];
        memcpy(power, next, sizeof next);
    }
    return f;
}

/* A correlation matrix of a few rows, from which the graph is not certain. */
static void draw_matrix(int n_obs, double *r, gsl_rng *rng)
{
    double x[N][64], weight = gsl_rng_uniform(rng) * 1.5;
    assert_true(n_obs <= 64);
    for (int v = 0; v < N; v++) {
        double sum = 0, square = 0;
        for (int i = 0; i < n_obs; i++) {
            x[v][i] = gsl_ran_ugaussian(rng) + (v > 0 ? weight * x[v - 1][i] : 0);
            sum += x[v][i] / n_obs;
        }
        for (int i = 0; i < n_obs; i++)
            square += (x[v][i] - sum) * (x[v][i] - sum);
        for (int i = 0; i < n_obs; i++)
            x[v][i] = (x[v][i] - sum) / sqrt(square);
    }
    for (int u = 0; u < N; u++)
        for (int v = 0; v < N; v++) {
            r[u * N + v] = u == v;
            for (int i = 0; i < n_obs && u != v; i++)
                r[u * N + v] += x[u][i] * x[v][i];
        }
}

/* The library's draws given the same matrix. */
static dpc_posterior *sample(const struct model *m, const double *r, uint64_t seed)
{
    static const int32_t ALL[N] = {0, 1, 2, 3};
    dpc_settings settings;
    dpc_sampling sampling;
    dpc_correlation *correlation = NULL;
    dpc_posterior *out = NULL;
    dpc_settings_default(&settings);
    settings.seed = seed;
    settings.threads = 1;
    dpc_sampling_default(&sampling);
    sampling.score = m->score;
    sampling.prior = m->prior;
    sampling.edge_probability = m->edge_probability;
    sampling.chains = 1;
    sampling.draws = DRAWS;
    sampling.thin = 10; /* ranks are uniform where draws are independent */
    sampling.n_causes = sampling.n_outcomes = N;
    sampling.causes = sampling.outcomes = ALL;
    assert_int_equal(dpc_correlation_view(r, N, m->n_obs, &correlation, NULL), DPC_OK);
    assert_int_equal(dpc_sample_correlation(correlation, &settings, &sampling, &out, NULL), DPC_OK);
    dpc_correlation_free(correlation);
    assert_int_equal(out->n_effects, N * (N - 1));
    assert_int_equal(out->draws, DRAWS);
    return out;
}

/* Where a value stands among the draws, equal ones in a random order. */
static int rank_of(double truth, const double *draws, gsl_rng *rng)
{
    int below = 0, equal = 0;
    for (int i = 0; i < DRAWS; i++) {
        below += draws[i] < truth;
        equal += draws[i] == truth;
    }
    return below + (int)gsl_rng_uniform_int(rng, (unsigned long)equal + 1);
}

/* ---- The test ---- */

/* Effects of a pair each, how far all effects are from the correlations, the number of edges. */
enum { EFFECTS = 3, DISTANCE = EFFECTS, EDGES, RANKED };
static const int PAIRS[EFFECTS][2] = {{0, 1}, {2, 0}, {1, 3}};

static int64_t place_of(int u, int v)
{
    return u * (N - 1) + v - (v > u);
}

/* The same of a truth and of draws; effect[place × stride] is that of a pair. */
static double distance(const double *effect, int64_t stride, const double *r)
{
    double sum = 0;
    for (int u = 0; u < N; u++)
        for (int v = 0; v < N; v++)
            if (u != v)
                sum += pow(effect[place_of(u, v) * stride] - r[u * N + v], 2);
    return sum;
}

static void rank_all(const dpc_posterior *p, const struct facts *truth, const double *r,
                     gsl_rng *rng, int histogram[RANKED][BINS])
{
    double edges[DRAWS], distances[DRAWS];
    int rank[RANKED];
    for (int k = 0; k < EFFECTS; k++) {
        int64_t effect = place_of(PAIRS[k][0], PAIRS[k][1]);
        assert_int_equal(p->effects[effect].cause, PAIRS[k][0]);
        assert_int_equal(p->effects[effect].outcome, PAIRS[k][1]);
        rank[k] = rank_of(truth->effect[effect], p->effect_draws + effect * DRAWS, rng);
    }
    for (int i = 0; i < DRAWS; i++) {
        edges[i] = p->n_edges[i];
        distances[i] = distance(p->effect_draws + i, DRAWS, r);
    }
    rank[DISTANCE] = rank_of(distance(truth->effect, 1, r), distances, rng);
    rank[EDGES] = rank_of(truth->edges, edges, rng);
    for (int k = 0; k < RANKED; k++)
        histogram[k][rank[k] * BINS / (DRAWS + 1)]++;
}

static double chi_square(const int *histogram, int count)
{
    double expected = (double)count / BINS, sum = 0;
    for (int i = 0; i < BINS; i++)
        sum += (histogram[i] - expected) * (histogram[i] - expected) / expected;
    return sum;
}

/* The p-value of each histogram; `as` is what the library is told, `is` what is true. */
static void calibrate(const struct model *is, const struct model *as, int data_sets, double *p)
{
    int histogram[RANKED][BINS] = {0};
    gsl_rng *rng = seeded(20240 + (uint64_t)is->score);
    for (int i = 0; i < data_sets; i++) {
        double r[N * N];
        draw_matrix(is->n_obs, r, rng);
        struct facts truth = draw_truth(is, r, rng);
        dpc_posterior *posterior = sample(as, r, (uint64_t)i + 1);
        rank_all(posterior, &truth, r, rng, histogram);
        dpc_posterior_free(posterior);
    }
    for (int k = 0; k < RANKED; k++)
        p[k] = gsl_cdf_chisq_Q(chi_square(histogram[k], data_sets), BINS - 1);
    gsl_rng_free(rng);
}

static const struct model MODELS[] = {
    {DPC_SCORE_FBF, DPC_PRIOR_FAIR, 0, 12},   {DPC_SCORE_FBF, DPC_PRIOR_ORDER, 0, 40},
    {DPC_SCORE_BGE, DPC_PRIOR_FAIR, 0, 8},    {DPC_SCORE_BGE, DPC_PRIOR_UNIFORM, 0, 40},
    {DPC_SCORE_BIC, DPC_PRIOR_EDGE, 0.3, 12},
};

static void test_ranks_are_uniform(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof MODELS / sizeof *MODELS; i++) {
        double p[RANKED];
        int data_sets = repeats(DATA_SETS) > LEAST ? repeats(DATA_SETS) : LEAST;
        calibrate(&MODELS[i], &MODELS[i], data_sets, p);
        for (int k = 0; k < RANKED; k++)
            assert_true(p[k] > 1e-4); /* of 25; the seeds are fixed */
    }
}

/* The same where the library is told something else: the ranks must show it. */
static void test_ranks_show_what_is_wrong(void **state)
{
    (void)state;
    const struct model is = {DPC_SCORE_FBF, DPC_PRIOR_FAIR, 0, 12};
    struct model rows = is, score = is, prior = is;
    double p[RANKED];
    rows.n_obs = 24; /* too sure */
    score.score = DPC_SCORE_BGE;
    prior.prior = DPC_PRIOR_EDGE;
    prior.edge_probability = 0.1;
    calibrate(&is, &rows, DATA_SETS, p);
    assert_true(p[DISTANCE] < 1e-4);
    calibrate(&is, &score, DATA_SETS, p);
    assert_true(p[DISTANCE] < 1e-4);
    calibrate(&is, &prior, DATA_SETS, p);
    assert_true(p[EDGES] < 1e-4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ranks_are_uniform),
        cmocka_unit_test(test_ranks_show_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, list_dags, NULL);
}
