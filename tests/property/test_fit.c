/*
 * How well a graph fits: the likelihood against the density of the covariance that the DAG implies,
 * the implied independencies against partial correlations one by one, and what must not matter.
 */
#include "canonical.h"
#include "cases.h"
#include "extension.h"
#include "implied.h"
#include "repeat.h"
#include "same.h"
#include "tables.h"
#include "twin.h"

#include <gsl/gsl_linalg.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N_LIKELIHOODS = 200, N_IMPLIED = 300, N_PERMUTED = 60, N_FORCED = 150, MOST = 30 };

static dpc_settings settings_of(dpc_method method, double alpha)
{
    dpc_settings settings;
    dpc_settings_default(&settings);
    settings.method = method;
    settings.alpha = alpha;
    settings.threads = 1;
    return settings;
}

static dpc_goodness *fit(const dpc_result *result, const dpc_graph *graph)
{
    dpc_goodness *g = NULL;
    dpc_error err;
    if (dpc_fit(result, graph, NULL, NULL, &g, &err) != DPC_OK)
        fail_msg("%s", err.message);
    return g;
}

static void check_near(const char *what, int number, double seen, double expected, double error)
{
    if (!(fabs(seen - expected) <= error * (1 + fabs(expected))))
        fail_msg("case %d: %s is %.12g, expected %.12g", number, what, seen, expected);
}

/* ---- The likelihood ------------------------------------------------------ */

/* The covariances of the columns, with the divisor N. */
static gsl_matrix *covariances(dpc_table *table)
{
    int n = table->n_vars;
    int64_t rows = table->n_obs;
    gsl_matrix *s = gsl_matrix_calloc((size_t)n, (size_t)n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const double *x = table->values + i * rows, *y = table->values + j * rows;
            long double mx = 0, my = 0, sum = 0;
            for (int64_t k = 0; k < rows; k++) {
                mx += x[k];
                my += y[k];
            }
            for (int64_t k = 0; k < rows; k++)
                sum += (x[k] - mx / rows) * (y[k] - my / rows);
            gsl_matrix_set(s, (size_t)i, (size_t)j, (double)(sum / rows));
        }
    return s;
}

/* The coefficients of v on its parents into row v of B; the variance that is left. */
static double regress(const gsl_matrix *s, const dpc_graph *dag, int v, gsl_matrix *b)
{
    int parents[MOST], k = 0;
    double left = gsl_matrix_get(s, (size_t)v, (size_t)v);
    for (int u = 0; u < dag->n_nodes; u++)
        if (u != v && dpc_graph_mark(dag, u, v) == DPC_FORWARD)
            parents[k++] = u;
    if (k == 0)
        return left;
    gsl_matrix *a = gsl_matrix_alloc((size_t)k, (size_t)k);
    gsl_vector *y = gsl_vector_alloc((size_t)k), *x = gsl_vector_alloc((size_t)k);
    for (int i = 0; i < k; i++) {
        gsl_vector_set(y, (size_t)i, gsl_matrix_get(s, (size_t)parents[i], (size_t)v));
        for (int j = 0; j < k; j++)
            gsl_matrix_set(a, (size_t)i, (size_t)j,
                           gsl_matrix_get(s, (size_t)parents[i], (size_t)parents[j]));
    }
    gsl_linalg_HH_solve(a, y, x);
    for (int i = 0; i < k; i++) {
        left -= gsl_vector_get(x, (size_t)i) * gsl_vector_get(y, (size_t)i);
        gsl_matrix_set(b, (size_t)v, (size_t)parents[i], gsl_vector_get(x, (size_t)i));
    }
    gsl_matrix_free(a);
    gsl_vector_free(x);
    gsl_vector_free(y);
    return left;
}

/* (I - B)ᵀ D⁻¹ (I - B), the inverse of the covariance that the DAG implies; log of its determinant.
 */
static double implied_precision(const gsl_matrix *s, const dpc_graph *dag, gsl_matrix *k)
{
    size_t n = s->size1;
    gsl_matrix *b = gsl_matrix_calloc(n, n);
    double logs = 0;
    gsl_matrix_set_zero(k);
    for (size_t v = 0; v < n; v++) {
        double left = regress(s, dag, (int)v, b);
        logs -= log(left);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) {
                double bi = (i == v) - gsl_matrix_get(b, v, i);
                double bj = (j == v) - gsl_matrix_get(b, v, j);
                gsl_matrix_set(k, i, j, gsl_matrix_get(k, i, j) + bi * bj / left);
            }
    }
    gsl_matrix_free(b);
    return logs;
}

/* The density of N rows under that covariance: -N/2 (n log 2π - log |K| + tr K S). */
static double slow_likelihood(const gsl_matrix *s, const dpc_graph *dag, double n_obs)
{
    size_t n = s->size1;
    gsl_matrix *k = gsl_matrix_alloc(n, n);
    double logs = implied_precision(s, dag, k), trace = 0;
    gsl_matrix *lu = gsl_matrix_alloc(n, n);
    gsl_permutation *p = gsl_permutation_alloc(n);
    int sign;
    gsl_matrix_memcpy(lu, k);
    gsl_linalg_LU_decomp(lu, p, &sign);
    check_near("the determinant", -1, gsl_linalg_LU_lndet(lu), logs, 1e-9);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            trace += gsl_matrix_get(k, i, j) * gsl_matrix_get(s, j, i);
    gsl_permutation_free(p);
    gsl_matrix_free(lu);
    gsl_matrix_free(k);
    return -n_obs / 2 * ((double)n * log(2 * M_PI) - logs + trace);
}

static void scale_columns(dpc_table *table, gsl_rng *rng)
{
    for (int j = 0; j < table->n_vars; j++) {
        double scale = draw_log(rng, 0.01, 100), shift = 10 * gsl_rng_uniform(rng);
        for (int64_t i = 0; i < table->n_obs; i++)
            table->values[j * table->n_obs + i] =
                table->values[j * table->n_obs + i] * scale + shift;
    }
}

static void check_likelihood(int number, dpc_table *table, const dpc_settings *settings)
{
    dpc_result *result = NULL;
    dpc_graph *dag = NULL;
    double n_obs = (double)table->n_obs;
    int n = table->n_vars;
    assert_int_equal(dpc_learn_table(table, settings, NULL, &result, NULL), DPC_OK);
    assert_int_equal(dpc_class_member(dpc_result_graph(result), &dag, NULL), DPC_OK);
    gsl_matrix *s = covariances(table);
    dpc_goodness *g = fit(result, NULL);
    double expected = slow_likelihood(s, dag, n_obs);
    check_near("the likelihood", number, g->log_likelihood, expected, 1e-9);
    assert_int_equal(g->parameters, dag->n_edges + 2 * n);
    check_near("BIC", number, g->bic, expected - 0.5 * (double)g->parameters * log(n_obs), 1e-9);
    assert_true(!g->forced && !g->standardised && g->determined == 0);
    /* the same from the correlations alone: of standardised columns */
    dpc_correlation *r = NULL;
    dpc_result *again = NULL;
    double logs = 0;
    for (size_t j = 0; j < (size_t)n; j++)
        logs += log(gsl_matrix_get(s, j, j));
    assert_int_equal(
        dpc_correlation_view(dpc_correlation_about(dpc_result_info(result)->correlation).values, n,
                             table->n_obs, &r, NULL),
        DPC_OK);
    dpc_correlation_share_halves(r, dpc_result_info(result)->correlation);
    again = learned(r, settings);
    dpc_goodness *h = fit(again, NULL);
    assert_true(h->standardised);
    check_near("the standardised likelihood", number, h->log_likelihood,
               expected + n_obs / 2 * logs, 1e-9);
    assert_int_equal(g->exceed, h->exceed);
    dpc_goodness_free(h);
    dpc_goodness_free(g);
    dpc_result_free(again);
    dpc_correlation_free(r);
    gsl_matrix_free(s);
    dpc_graph_free(dag);
    dpc_result_free(result);
}

static void test_likelihood(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20250801);
    for (int number = 0; number < repeats(N_LIKELIHOODS); number++) {
        int n = draw_int(rng, 2, 15);
        dpc_table *table = simulated_table(n, (int64_t)draw_log(rng, 60, 2000), (uint64_t)number);
        dpc_settings settings = settings_of((dpc_method)(number % 4), 0.05);
        settings.graph = number % 5 == 0 ? DPC_PATTERN : DPC_CPDAG;
        scale_columns(table, rng);
        check_likelihood(number, table, &settings);
        dpc_table_free(table);
    }
    gsl_rng_free(rng);
}

/* A constant column is no variable of the model; a copy leaves the likelihood without a bound. */
static void test_constant_and_copy(void **state)
{
    (void)state;
    for (int flaw = 0; flaw < 2; flaw++) {
        dpc_table *table = simulated_table(6, 200, 5);
        dpc_settings settings = settings_of(DPC_DUAL, 0.05);
        dpc_result *result = NULL;
        for (int64_t i = 0; i < 200; i++)
            table->values[3 * 200 + i] = flaw == 0 ? 7 : table->values[i];
        assert_int_equal(dpc_learn_table(table, &settings, NULL, &result, NULL), DPC_OK);
        dpc_goodness *g = fit(result, NULL);
        int64_t edges = dpc_result_graph(result)->n_edges;
        assert_int_equal(g->parameters, edges + 2 * (flaw == 0 ? 5 : 6));
        assert_int_equal(g->determined, flaw);
        assert_int_equal(!isnan(g->log_likelihood), flaw == 0);
        assert_int_equal(!isnan(g->bic), flaw == 0);
        dpc_goodness_free(g);
        dpc_result_free(result);
        dpc_table_free(table);
    }
}

/* Normal scores have a likelihood of their own, whatever monotone thing is done to the columns. */
static void test_copula(void **state)
{
    (void)state;
    dpc_goodness *g[2];
    for (int k = 0; k < 2; k++) {
        dpc_table *table = simulated_table(8, 300, 11);
        dpc_settings settings = settings_of(DPC_DUAL, 0.05);
        dpc_result *result = NULL;
        settings.normalize = DPC_NORMALIZE_COPULA;
        for (int64_t i = 0; k == 1 && i < 8 * 300; i++)
            table->values[i] = exp(3 * table->values[i]);
        assert_int_equal(dpc_learn_table(table, &settings, NULL, &result, NULL), DPC_OK);
        g[k] = fit(result, NULL);
        dpc_result_free(result);
        dpc_table_free(table);
    }
    assert_true(g[0]->log_likelihood == g[1]->log_likelihood && !g[0]->standardised);
    dpc_goodness_free(g[0]);
    dpc_goodness_free(g[1]);
}

/* ---- The independencies -------------------------------------------------- */

/* By columns: the turn of each node in the order of the fit. */
static void find_turns(const dpc_result *result, const dpc_graph *graph, int32_t *turn,
                       bool *forced)
{
    int n = graph->n_nodes;
    dpc_labels own = {0};
    const dpc_labels *labels = result->sepsets != NULL ? &result->sepsets->labels : &own;
    int32_t when[MOST];
    bool consistent;
    if (result->sepsets == NULL)
        assert_int_equal(dpc_labels_make(result->correlation, &result->settings, &own, NULL),
                         DPC_OK);
    assert_int_equal(dpc_extension(graph, labels, DPC_SINK_NEAREST, when, &consistent), DPC_OK);
    for (int v = 0; v < n; v++)
        turn[v] = when[dpc_label_of(labels, v)];
    *forced = !consistent;
    dpc_labels_clear(&own);
}

/* An order of all nodes; it has the arrows of a graph that stands for some DAG. */
static void check_turns(int number, const dpc_graph *graph, const int32_t *turn, bool forced)
{
    bool seen[MOST] = {false};
    for (int v = 0; v < graph->n_nodes; v++) {
        assert_in_range(turn[v], 0, graph->n_nodes - 1);
        assert_false(seen[turn[v]]);
        seen[turn[v]] = true;
    }
    for (int64_t e = 0; e < graph->n_edges && !forced; e++) {
        const dpc_edge *edge = &graph->edges[e];
        bool forward = turn[edge->b] < turn[edge->a];
        if (edge->mark != DPC_UNDIRECTED && forward != (edge->mark == DPC_FORWARD))
            fail_msg("case %d: the arrow between %d and %d is turned", number, edge->a, edge->b);
    }
}

struct slow_pair {
    int a, b;
    double z;
};

static int by_size(const void *left, const void *right)
{
    double a = fabs(((const struct slow_pair *)left)->z),
           b = fabs(((const struct slow_pair *)right)->z);
    return (a < b) - (a > b);
}

static int parents_of(const dpc_graph *graph, const int32_t *turn, int v, int32_t *set)
{
    int k = 0;
    for (int u = 0; u < graph->n_nodes; u++)
        if (u != v && dpc_graph_mark(graph, u, v) != DPC_NONE && turn[u] > turn[v])
            set[k++] = u;
    return k;
}

static void check_largest(int number, const dpc_goodness *g, const dpc_graph *graph,
                          const int32_t *turn, const struct slow_pair *pairs, int count)
{
    assert_int_equal(g->n_largest, count < DPC_MOST_IMPLIED ? count : DPC_MOST_IMPLIED);
    for (int i = 0; i < g->n_largest; i++) {
        const dpc_implied *p = &g->largest[i];
        int32_t set[MOST];
        int k = parents_of(graph, turn, turn[p->a] < turn[p->b] ? p->a : p->b, set);
        check_near("|z|", number, fabs(p->z), fabs(pairs[i].z), 1e-7);
        assert_true(p->a < p->b && dpc_graph_mark(graph, p->a, p->b) == DPC_NONE);
        assert_int_equal(p->size, k);
        assert_memory_equal(p->set, set, (size_t)k * sizeof *set);
        assert_true(signbit(p->z) == signbit(p->r) && p->p >= 0 && p->p <= 1);
        assert_true(i == 0 || fabs(p->z) <= fabs(g->largest[i - 1].z));
    }
}

static void check_implied(int number, const dpc_result *result, const dpc_graph *graph)
{
    const dpc_correlation *c = result->correlation;
    static struct slow_pair pairs[MOST * MOST];
    int32_t turn[MOST];
    int n = c->n_vars, count = 0, exceed = 0, close = 0;
    bool forced;
    find_turns(result, graph, turn, &forced);
    check_turns(number, graph, turn, forced);
    for (int a = 0; a < n; a++)
        for (int b = a + 1; b < n; b++) {
            int32_t set[MOST];
            if (dpc_graph_mark(graph, a, b) != DPC_NONE)
                continue;
            int k = parents_of(graph, turn, turn[a] < turn[b] ? a : b, set);
            int64_t n_obs = slow_rows(c, a, b, set, k);
            if (!dpc_testable(n_obs, k))
                continue;
            double r = (double)slow_partial(c, a, b, set, k);
            double p = dpc_p_value(result->settings.test, n_obs, k, r);
            pairs[count++] = (struct slow_pair){a, b, sqrt((double)(n_obs - k - 3)) * atanh(r)};
            exceed += p < result->settings.alpha;
            close += fabs(p - result->settings.alpha) < 1e-8;
        }
    qsort(pairs, (size_t)count, sizeof *pairs, by_size);
    dpc_goodness *g = fit(result, graph);
    assert_int_equal(g->forced, forced);
    assert_int_equal(g->implied, (int64_t)n * (n - 1) / 2 - graph->n_edges);
    assert_int_equal(g->implied - g->untested, count);
    if (llabs((long long)g->exceed - exceed) > close)
        fail_msg("case %d: %lld exceed, expected %d", number, (long long)g->exceed, exceed);
    check_largest(number, g, graph, turn, pairs, count);
    dpc_goodness_free(g);
}

/* The edges that all neighbours of either end would take away at a tenth of alpha. */
static void check_close_calls(int number, const dpc_result *result)
{
    const dpc_graph *graph = dpc_result_graph(result);
    const dpc_correlation *c = result->correlation;
    double limit = result->settings.alpha / 10;
    int close = 0, unsure = 0;
    for (int64_t e = 0; e < graph->n_edges; e++) {
        int32_t set[MOST];
        int a = graph->edges[e].a, b = graph->edges[e].b, k = 0;
        for (int v = 0; v < graph->n_nodes; v++)
            if (v != a && v != b &&
                (dpc_graph_mark(graph, v, a) != DPC_NONE ||
                 dpc_graph_mark(graph, v, b) != DPC_NONE))
                set[k++] = v;
        double p = dpc_p_value(result->settings.test, slow_rows(c, a, b, set, k), k,
                               (double)slow_partial(c, a, b, set, k));
        close += p > limit;
        unsure += fabs(p - limit) < 1e-9;
    }
    dpc_goodness *g = fit(result, NULL);
    int64_t expected = result->settings.method == DPC_GES ? -1 : close;
    if (llabs((long long)(g->close_calls - expected)) > unsure)
        fail_msg("case %d: %lld close calls, expected %lld", number, (long long)g->close_calls,
                 (long long)expected);
    dpc_goodness_free(g);
}

static void test_implied(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20250802);
    for (int number = 0; number < repeats(N_IMPLIED); number++) {
        int n = draw_int(rng, 2, MOST - 1);
        struct sample_model model = {.n = n,
                                     .n_obs = (int64_t)draw_log(rng, 2.5 * n + 10, 2000),
                                     .parents = 2.5 * gsl_rng_uniform(rng),
                                     .holes = number % 5 == 1};
        struct sample sample = sample_draw(&model, rng);
        dpc_settings settings = settings_of((dpc_method)(number % 4), 0.05);
        settings.test = number % 3 == 0 ? DPC_EXACT_T : DPC_FISHER_Z;
        settings.order = number % 7 == 0 ? DPC_ORDER_GIVEN : DPC_ORDER_CANONICAL;
        dpc_result *result = learned(&sample.correlation, &settings);
        check_implied(number, result, dpc_result_graph(result));
        check_close_calls(number, result);
        dpc_result_free(result);
        sample_free(&sample);
    }
    gsl_rng_free(rng);
}

/* Graphs that stand for no DAG: circles, and undirected rings. */
static void test_forced(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20250803);
    int forced = 0;
    for (int number = 0; number < repeats(N_FORCED); number++) {
        int n = draw_int(rng, 4, 12), count = 0;
        struct sample_model model = {.n = n, .n_obs = 200, .parents = 1};
        struct sample sample = sample_draw(&model, rng);
        dpc_settings settings = settings_of(DPC_DUAL, 0.05);
        dpc_result *result = learned(&sample.correlation, &settings);
        dpc_edge edges[66];
        dpc_graph *graph = NULL;
        for (int a = 0; a < n; a++)
            for (int b = a + 1; b < n; b++)
                if (gsl_rng_uniform(rng) < 0.4)
                    edges[count++] = (dpc_edge){a, b, draw_mark(rng)};
        assert_int_equal(dpc_graph_new(n, edges, count, &graph, NULL), DPC_OK);
        check_implied(number, result, graph);
        dpc_goodness *g = fit(result, graph);
        forced += g->forced;
        assert_true(isfinite(g->log_likelihood));
        dpc_goodness_free(g);
        dpc_graph_free(graph);
        dpc_result_free(result);
        sample_free(&sample);
    }
    assert_true(forced > share(50));
    gsl_rng_free(rng);
}

/* ---- What must not matter ------------------------------------------------ */

static void check_same_fit(int number, const dpc_goodness *g, const dpc_goodness *h,
                           const int *order)
{
    check_near("the likelihood", number, h->log_likelihood, g->log_likelihood, 1e-9);
    assert_int_equal(g->exceed, h->exceed);
    assert_int_equal(g->implied, h->implied);
    assert_int_equal(g->parameters, h->parameters);
    assert_int_equal(g->n_largest, h->n_largest);
    for (int i = 0; i < g->n_largest; i++) {
        int a = order[h->largest[i].a], b = order[h->largest[i].b];
        check_near("z", number, h->largest[i].z, g->largest[i].z, 1e-7);
        assert_int_equal(a < b ? a : b, g->largest[i].a);
        assert_int_equal(a < b ? b : a, g->largest[i].b);
        assert_int_equal(g->largest[i].size, h->largest[i].size);
    }
}

static dpc_table *permuted(dpc_table *table, const int *order)
{
    dpc_table *to = NULL;
    assert_int_equal(dpc_table_new(table->n_obs, table->n_vars, NULL, &to, NULL), DPC_OK);
    for (int j = 0; j < table->n_vars; j++)
        memcpy(to->values + j * table->n_obs, table->values + order[j] * table->n_obs,
               (size_t)table->n_obs * sizeof *to->values);
    return to;
}

/* Neither the places of the columns nor the threads; and large sweeps come in parts. */
static void test_places(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20250804);
    for (int number = 0; number < repeats(N_PERMUTED); number++) {
        int n = draw_int(rng, 3, MOST - 1), order[MOST];
        dpc_table *table = simulated_table(n, (int64_t)draw_log(rng, 100, 2000), (uint64_t)number);
        for (int i = 0; i < n; i++)
            order[i] = i;
        gsl_ran_shuffle(rng, order, (size_t)n, sizeof *order);
        dpc_table *other = permuted(table, order);
        dpc_settings settings = settings_of((dpc_method)(number % 4), 0.05);
        dpc_result *result[2];
        dpc_goodness *g[2];
        for (int i = 0; i < 2; i++) {
            assert_int_equal(
                dpc_learn_table(i == 0 ? table : other, &settings, NULL, &result[i], NULL), DPC_OK);
            g[i] = fit(result[i], NULL);
            settings.threads = 3;
        }
        check_same_fit(number, g[0], g[1], order);
        for (int i = 0; i < 2; i++) {
            dpc_goodness_free(g[i]);
            dpc_result_free(result[i]);
        }
        dpc_table_free(table);
        dpc_table_free(other);
    }
    gsl_rng_free(rng);
}

static void test_parts_and_threads(void **state)
{
    (void)state;
    enum { LARGE = 1300 };
    gsl_rng *rng = seeded(20250805);
    struct sample_model model = {.n = LARGE, .n_obs = 500, .parents = 1};
    struct sample sample = sample_draw(&model, rng);
    dpc_settings settings = settings_of(DPC_CLASSIC, 0.001);
    dpc_result *result = learned(&sample.correlation, &settings);
    const dpc_labels *labels = &result->sepsets->labels;
    dpc_implied_counts counts[3];
    static double variance[3][LARGE];
    int32_t when[LARGE];
    bool consistent;
    dpc_ordered dag = {.view = dpc_view_of(&sample.correlation, labels), .when = when};
    dpc_adjacency *joined = NULL;
    assert_int_equal(dpc_adjacency_of(dpc_result_graph(result), labels, &joined), DPC_OK);
    assert_int_equal(
        dpc_extension(dpc_result_graph(result), labels, DPC_SINK_FIRST, when, &consistent), DPC_OK);
    dag.graph = joined;
    assert_int_equal(dpc_critical_init(&settings, 500, 100, &dag.critical, NULL), DPC_OK);
    for (int i = 0; i < 3; i++) { /* whole rows; whole rows on three threads; in parts */
        dpc_crew crew;
        settings.threads = i == 1 ? 3 : 1;
        dag.most_room = i < 2 ? 1e9 : 0;
        dpc_crew_init(&crew, &settings, DPC_STAGE_ORIENT);
        assert_int_equal(dpc_look_at_implied(&dag, &crew, variance[i], &counts[i]), DPC_OK);
        assert_int_equal(counts[i].implied, counts[0].implied);
        assert_int_equal(counts[i].exceed, counts[0].exceed);
        assert_true(counts[i].exceed > 0 && counts[i].untested == 0);
        for (int k = 0; k < DPC_MOST_IMPLIED; k++) {
            assert_int_equal(counts[i].largest[k].u, counts[0].largest[k].u);
            assert_int_equal(counts[i].largest[k].v, counts[0].largest[k].v);
            check_near("z", i, counts[i].largest[k].z, counts[0].largest[k].z, i < 2 ? 0 : 1e-9);
        }
        for (int v = 0; v < LARGE; v++)
            check_near("a variance", i, variance[i][v], variance[0][v], i < 2 ? 0 : 1e-9);
    }
    dpc_critical_clear(&dag.critical);
    dpc_adjacency_free(joined);
    dpc_result_free(result);
    sample_free(&sample);
    gsl_rng_free(rng);
}

/* ---- Awkward input ------------------------------------------------------- */

/* Fewer observations than variables, copies, sums: an answer, and honest counts. */
static void test_flaws(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20250806);
    int64_t untested = 0, determined = 0;
    for (int number = 0; number < repeats(200); number++) {
        int n = draw_int(rng, 3, 20);
        struct sample_model model = {.n = n,
                                     .n_obs = draw_int(rng, 5, 30),
                                     .parents = 2 * gsl_rng_uniform(rng),
                                     .flaw = (enum flaw)(number % FLAW_N_FLAWS)};
        struct sample sample = sample_draw(&model, rng);
        dpc_settings settings = settings_of((dpc_method)(number % 4), 0.3);
        dpc_result *result = learned(&sample.correlation, &settings);
        dpc_goodness *g = fit(result, NULL);
        assert_int_equal(isnan(g->log_likelihood), g->determined > 0);
        assert_true(g->untested >= 0 && g->exceed + g->untested <= g->implied);
        for (int i = 0; i < g->n_largest; i++)
            assert_true(isfinite(g->largest[i].z) && fabs(g->largest[i].r) <= 1);
        untested += g->untested;
        determined += g->determined;
        dpc_goodness_free(g);
        dpc_result_free(result);
        sample_free(&sample);
    }
    assert_true(untested > share(50) && determined > share(50));
    gsl_rng_free(rng);
}

static int stop(const dpc_progress *progress, void *user)
{
    (void)progress;
    (void)user;
    return 1;
}

static void test_refusals(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20250807);
    struct sample_model model = {.n = 10, .n_obs = 200, .parents = 1};
    struct sample sample = sample_draw(&model, rng);
    dpc_settings settings = settings_of(DPC_DUAL, 0.05);
    dpc_result *result = learned(&sample.correlation, &settings);
    dpc_goodness *g = NULL;
    dpc_graph *small = NULL;
    dpc_error err;
    assert_int_equal(dpc_graph_new(3, NULL, 0, &small, NULL), DPC_OK);
    assert_int_equal(dpc_fit(result, small, NULL, NULL, &g, &err), DPC_USAGE);
    assert_non_null(strstr(err.message, "3 nodes"));
    assert_int_equal(dpc_fit(result, NULL, stop, NULL, &g, &err), DPC_INTERRUPTED);
    dpc_result_free(result);
    settings.graph = DPC_SKELETON;
    result = learned(&sample.correlation, &settings);
    assert_int_equal(dpc_fit(result, NULL, NULL, NULL, &g, &err), DPC_USAGE);
    assert_non_null(strstr(err.message, "skeleton"));
    assert_null(g);
    dpc_goodness_free(NULL);
    dpc_graph_free(small);
    dpc_result_free(result);
    sample_free(&sample);
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_likelihood),
        cmocka_unit_test(test_constant_and_copy),
        cmocka_unit_test(test_copula),
        cmocka_unit_test(test_implied),
        cmocka_unit_test(test_forced),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_parts_and_threads),
        cmocka_unit_test(test_flaws),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
