/*
 * Exact draws and exact probabilities of edges against all DAGs, of every score and every prior of
 * DAGs; knowledge; candidates that are not all; weights far apart; as many nodes as there may be.
 */
#include "exact_edges.h"
#include "spaces.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PLACES = DPC_MOST_LAYERED * (DPC_MOST_LAYERED - 1) };

static dpc_exact_draws *weigh(struct space_scene *s)
{
    dpc_exact_draws *draws = NULL;
    assert_int_equal(dpc_exact_draws_new(s->space, &s->crew, &draws, NULL), DPC_OK);
    return draws;
}

/* ---- Edges ---- */

static void compare(struct space_scene *s, double tolerance)
{
    double expected[PLACES], edge[PLACES];
    dpc_exact_draws *draws = weigh(s);
    double total = exact_posterior(s->space, false, expected);
    if (!(fabs(dpc_exact_total(draws) - total) < 1e-9))
        fail_msg("%d nodes: log Z is %.12g, not %.12g", s->n, dpc_exact_total(draws), total);
    assert_int_equal(dpc_exact_edges(draws, &s->crew, edge, NULL), DPC_OK);
    for (int i = 0; i < s->sets.start[s->n]; i++)
        if (!(fabs(edge[i] - expected[i]) < tolerance))
            fail_msg("%d nodes, place %d: %.12g, not %.12g", s->n, i, edge[i], expected[i]);
    dpc_exact_draws_free(draws);
}

static void compare_model(int n, double n_obs, double strength, const struct space_model *model)
{
    double *r = draw_r((uint64_t)n, n, 60, strength);
    struct space_scene *s = open_space(n, n_obs, r, model);
    compare(s, 1e-9);
    close_space(s);
    free(r);
}

static void test_edges(void **state)
{
    (void)state;
    static const dpc_graph_prior PRIOR[] = {DPC_PRIOR_FAIR, DPC_PRIOR_UNIFORM, DPC_PRIOR_EDGE};
    for (int n = 1; n <= 5; n++)
        for (int score = DPC_SCORE_FBF; score <= DPC_SCORE_BIC; score++)
            for (int i = 0; i < 3; i++)
                compare_model(n, 60, 0.6,
                              &(struct space_model){score, PRIOR[i], 0.3, 0, NULL, NULL});
}

static void test_few_candidates(void **state)
{
    (void)state;
    for (int n = 3; n <= 5; n++)
        for (int most = 1; most < n - 1; most++)
            compare_model(n, 60, 0.6, &(struct space_model){.most = most});
}

/* Weights further apart than doubles reach. */
static void test_strong(void **state)
{
    (void)state;
    for (int n = 3; n <= 5; n++)
        for (int i = 0; i < 3; i++) {
            compare_model(n, 1000, 3, &(struct space_model){.score = i});
            compare_model(n, 100000, 30, &(struct space_model){.score = i});
        }
}

static void test_knowledge(void **state)
{
    (void)state;
    uint64_t required[5] = {0}, banned[5] = {0};
    dpc_constraints known = {.n = 5, .words = 1, .required = required, .banned = banned};
    required[4] = 1 << 1; /* 4 → 1 → 0 */
    required[1] = 1 << 0;
    banned[1] = 1 << 4;
    banned[0] = 1 << 1 | 1 << 4;
    banned[2] = 1 << 3;
    for (int i = 0; i < 3; i++) {
        compare_model(5, 60, 0.8, &(struct space_model){.score = i, .known = &known});
        compare_model(5, 5000, 3, &(struct space_model){.score = i, .known = &known});
    }
}

/* The two directions of a pair and the parents of a near copy: no more than there can be. */
static void test_many_nodes(void **state)
{
    (void)state;
    static const double STRENGTH[] = {0.1, 1, 40};
    for (int i = 0; i < 3; i++) {
        int n = i == 0 ? 9 : DPC_MOST_LAYERED, sum_to = 0;
        double *r = draw_r(3, n, 1000, STRENGTH[i]), edge[PLACES], pair[PLACES * 2] = {0};
        struct space_scene *s = open_space(n, i == 0 ? 3 : 1000, r, &(struct space_model){0});
        dpc_exact_draws *draws = weigh(s);
        assert_true(isfinite(dpc_exact_total(draws)));
        assert_int_equal(dpc_exact_edges(draws, &s->crew, edge, NULL), DPC_OK);
        for (int v = 0; v < n; v++)
            for (int p = s->sets.start[v]; p < s->sets.start[v + 1]; p++) {
                int u = s->sets.node[p];
                assert_true(edge[p] >= 0 && edge[p] <= 1);
                pair[u < v ? u * n + v : v * n + u] += edge[p];
            }
        for (int p = 0; p < n * n; p++) {
            assert_true(pair[p] <= 1 + 1e-9);
            sum_to += pair[p] > 0.99;
        }
        assert_true(i == 0 || sum_to >= n / 2);
        dpc_exact_draws_free(draws);
        close_space(s);
        free(r);
    }
}

static void test_threads(void **state)
{
    (void)state;
    double *r = draw_r(4, 11, 40, 0.5), edge[2][PLACES];
    struct space_scene *s = open_space(11, 40, r, &(struct space_model){0});
    for (int i = 0; i < 2; i++) {
        s->crew.threads = 1 + 2 * i;
        dpc_exact_draws *draws = weigh(s);
        assert_int_equal(dpc_exact_edges(draws, &s->crew, edge[i], NULL), DPC_OK);
        dpc_exact_draws_free(draws);
    }
    assert_memory_equal(edge[0], edge[1], (size_t)s->sets.start[11] * sizeof **edge);
    close_space(s);
    free(r);
}

/* ---- Draws ---- */

enum { NODES = 4, DAGS = 1 << NODES * (NODES - 1), DRAWS = 40000 };

struct counts {
    const dpc_space *space;
    double total, expected[DAGS];
    int seen[DAGS];
};

static int number_of(const uint32_t *parents)
{
    int number = 0;
    for (int v = 0; v < NODES; v++)
        number |= (int)(parents[v] << v * (NODES - 1));
    return number;
}

static void expect(void *context, const uint32_t *parents)
{
    struct counts *c = context;
    double sum = 0;
    for (int v = 0; v < NODES; v++)
        sum += dpc_space_score(c->space, v, parents[v]);
    c->expected[number_of(parents)] = DRAWS * exp(sum - c->total);
}

static double p_value(const struct counts *c)
{
    double chi = 0, rest = 0, rest_seen = 0;
    int df = -1;
    for (int i = 0; i < DAGS; i++) {
        assert_true(c->seen[i] == 0 || c->expected[i] > 0);
        if (c->expected[i] >= 5) {
            chi += pow(c->seen[i] - c->expected[i], 2) / c->expected[i];
            df++;
        } else {
            rest += c->expected[i];
            rest_seen += c->seen[i];
        }
    }
    if (rest >= 5) {
        chi += pow(rest_seen - rest, 2) / rest;
        df++;
    }
    assert_true(rest >= 5 || rest_seen <= rest + 12);
    return df > 0 ? gsl_cdf_chisq_Q(chi, df) : 1;
}

static void test_draws(void **state)
{
    (void)state;
    static const double N_OBS[] = {10, 60, 2000};
    static struct counts c;
    double *r = draw_r(8, NODES, 60, 0.6);
    for (int i = 0; i < 3; i++) {
        struct space_scene *s = open_space(NODES, N_OBS[i], r, &(struct space_model){0});
        dpc_exact_draws *draws = weigh(s);
        dpc_random random;
        dpc_random_start(&random, 1, (uint64_t)i);
        c = (struct counts){.space = s->space, .total = dpc_exact_total(draws)};
        assert_int_equal(for_all_dags(&s->sets, expect, &c), 543);
        for (int draw = 0; draw < DRAWS; draw++) {
            uint32_t parents[NODES];
            dpc_exact_draw(draws, &random, parents);
            c.seen[number_of(parents)]++;
        }
        if (!(p_value(&c) > 1e-6))
            fail_msg("%g rows: p = %g", N_OBS[i], p_value(&c));
        dpc_exact_draws_free(draws);
        close_space(s);
    }
    free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edges),      cmocka_unit_test(test_few_candidates),
        cmocka_unit_test(test_strong),     cmocka_unit_test(test_knowledge),
        cmocka_unit_test(test_many_nodes), cmocka_unit_test(test_threads),
        cmocka_unit_test(test_draws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
