/*
 * Chains against the exact posterior by all DAGs, of every score and prior; knowledge; weights far
 * apart; many nodes.
 */
#include "shared.h"
#include "spaces.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PLACES = ENUMERATED * (ENUMERATED - 1) };

static dpc_chain *start_chain(const dpc_space *space, uint64_t stream)
{
    dpc_chain *chain = NULL;
    assert_int_equal(dpc_chain_new(space, 17, stream, &chain), DPC_OK);
    assert_true(dpc_chain_anneal(chain, 50, NULL, NULL));
    return chain;
}

/* The share of draws, and the mean of the probabilities given all others, against all DAGs. */
static void compare(const struct space_scene *s, bool by_orders, int sweeps, double tolerance)
{
    double exact[PLACES], share[PLACES], mean[PLACES] = {0};
    int places = s->sets.start[s->n];
    exact_posterior(s->space, by_orders, exact);
    dpc_chain *chain = start_chain(s->space, 0);
    run_chain(chain, s->space, sweeps, by_orders, share);
    for (int i = 0; i < sweeps / 2; i++) {
        if (by_orders)
            dpc_chain_order_sweep(chain);
        else
            dpc_chain_sweep(chain);
        dpc_chain_add_probabilities(chain, by_orders, mean);
    }
    for (int i = 0; i < places; i++) {
        mean[i] /= sweeps / 2;
        if (!(fabs(share[i] - exact[i]) < tolerance && fabs(mean[i] - exact[i]) < tolerance))
            fail_msg("place %d: %.4f and %.4f, not %.4f", i, share[i], mean[i], exact[i]);
    }
    dpc_chain_free(chain);
}

static void test_all_dags(void **state)
{
    (void)state;
    for (int n = 1; n <= 4; n++)
        for (int score = DPC_SCORE_FBF; score <= DPC_SCORE_BIC; score++)
            for (int prior = DPC_PRIOR_FAIR; prior <= DPC_PRIOR_EDGE; prior++) {
                double *r = draw_r((uint64_t)n, n, 60, 0.6);
                struct space_scene *s =
                    open_space(n, 60, r, &(struct space_model){score, prior, 0.3, 0, NULL, NULL});
                compare(s, prior == DPC_PRIOR_ORDER, 5000, 0.04);
                close_space(s);
                free(r);
            }
}

static void pass_by(void *context, const uint32_t *parents)
{
    (void)context;
    (void)parents;
}

static void test_five_nodes(void **state)
{
    (void)state;
    double *r = draw_r(5, 5, 60, 0.6);
    for (int i = 0; i < 3; i++) {
        static const dpc_graph_prior PRIOR[] = {DPC_PRIOR_UNIFORM, DPC_PRIOR_FAIR, DPC_PRIOR_ORDER};
        struct space_scene *s =
            open_space(5, 60, r, &(struct space_model){.score = i, .prior = PRIOR[i]});
        assert_int_equal(for_all_dags(&s->sets, pass_by, NULL), 29281);
        compare(s, PRIOR[i] == DPC_PRIOR_ORDER, 10000, 0.035);
        close_space(s);
    }
    free(r);
}

/* After the blocks have been preferred by probabilities, the posterior is the same. */
static void test_preferred(void **state)
{
    (void)state;
    double *r = draw_r(6, 5, 40, 1), exact[PLACES];
    struct space_scene *s = open_space(5, 40, r, &(struct space_model){0});
    exact_posterior(s->space, false, exact);
    assert_int_equal(dpc_space_prefer(s->space, exact), DPC_OK);
    compare(s, false, 10000, 0.035);
    close_space(s);
    free(r);
}

/* ---- Knowledge ---- */

static void test_knowledge(void **state)
{
    (void)state;
    uint64_t required[5] = {0}, banned[5] = {0};
    dpc_constraints known = {.n = 5, .words = 1, .required = required, .banned = banned};
    required[4] = 1 << 1; /* 4 → 1 → 0, against the order that the data came from */
    required[1] = 1 << 0;
    banned[1] = 1 << 4;
    banned[0] = 1 << 1 | 1 << 4;
    banned[2] = 1 << 3;
    double *r = draw_r(3, 5, 60, 0.8);
    for (int i = 0; i < 2; i++) {
        struct space_model model = {.known = &known,
                                    .prior = i == 0 ? DPC_PRIOR_FAIR : DPC_PRIOR_ORDER};
        struct space_scene *s = open_space(5, 60, r, &model);
        double share[PLACES];
        compare(s, i == 1, 8000, 0.035);
        dpc_chain *chain = start_chain(s->space, 1);
        run_chain(chain, s->space, 500, i == 1, share);
        for (int v = 0; v < 5; v++)
            for (int p = s->sets.start[v]; p < s->sets.start[v + 1]; p++) {
                int u = s->sets.node[p];
                assert_false(dpc_bit(banned, 1, u, v));
                if (dpc_bit(required, 1, u, v))
                    assert_true(fabs(share[p] - 1) < 1e-9);
            }
        dpc_chain_free(chain);
        close_space(s);
    }
    free(r);
}

/* A chain begins with the required edges. */
static void test_beginning(void **state)
{
    (void)state;
    uint64_t required[3] = {1 << 1, 1 << 2, 0}, banned[3] = {0, 1 << 0, 1 << 1};
    dpc_constraints known = {.n = 3, .words = 1, .required = required, .banned = banned};
    double *r = draw_r(3, 3, 60, 0.8);
    struct space_scene *s = open_space(3, 60, r, &(struct space_model){.known = &known});
    dpc_chain *chain = NULL;
    assert_int_equal(dpc_chain_new(s->space, 1, 0, &chain), DPC_OK);
    const uint32_t *parents = dpc_chain_parents(chain);
    assert_int_equal(parents[0], 0);
    assert_int_equal(parents[1], s->space->table[1].required);
    assert_int_equal(__builtin_popcount(parents[2]), 1);
    assert_true(isfinite(dpc_chain_score(chain)));
    dpc_chain_free(chain);
    close_space(s);
    free(r);
}

/* ---- Weights far apart ---- */

/* No chain may go astray where products of sums leave the range of doubles. */
static void test_far(void **state)
{
    (void)state;
    enum { N = 12, SWEEPS = 300, CHAINS = 3 };
    double *r = draw_r(4, N, 1000, 4), best = -INFINITY, mean[CHAINS] = {0};
    struct space_scene *s = open_space(N, 1000, r, &(struct space_model){0});
    for (int c = 0; c < CHAINS; c++) {
        dpc_chain *chain = NULL;
        assert_int_equal(dpc_chain_new(s->space, 3, (uint64_t)c, &chain), DPC_OK);
        dpc_chain_anneal(chain, 400, NULL, NULL);
        for (int i = 0; i < SWEEPS; i++) {
            dpc_chain_sweep(chain);
            double score = dpc_chain_score(chain);
            assert_true(is_dag(&s->sets, dpc_chain_parents(chain)) && isfinite(score));
            best = score > best ? score : best;
            mean[c] += score / SWEEPS;
        }
        dpc_chain_counts counts = dpc_chain_count(chain);
        assert_int_equal(counts.moves, N * SWEEPS);
        assert_true(counts.log_moves > counts.moves / 10 && counts.log_moves <= counts.moves);
        dpc_chain_free(chain);
    }
    for (int c = 0; c < CHAINS; c++)
        assert_true(mean[c] > best - 30);
    close_space(s);
    free(r);
}

/* ---- Many nodes ---- */

/* Five nodes here and there among 150, the others without candidates: as if they were alone. */
static void test_rows_of_words(void **state)
{
    (void)state;
    enum { MANY = 150 };
    static const int32_t NODE[ENUMERATED] = {3, 63, 64, 127, 149};
    double *r = draw_r(6, 5, 40, 1), *many = calloc(MANY * MANY, sizeof *many);
    double exact[PLACES], share[PLACES];
    int32_t start[MANY + 1] = {0}, node[PLACES];
    assert_non_null(many);
    for (int v = 0, a = 0; v < MANY; v++) {
        many[v * MANY + v] = 1;
        start[v + 1] = start[v];
        if (a < ENUMERATED && NODE[a] == v) {
            for (int b = 0; b < ENUMERATED; b++) {
                many[v * MANY + NODE[b]] = r[a * 5 + b];
                if (b != a)
                    node[start[v + 1]++] = NODE[b];
            }
            a++;
        }
    }
    dpc_candidate_sets sets = {MANY, start, node};
    struct space_model model = {.score = DPC_SCORE_BIC, .prior = DPC_PRIOR_UNIFORM};
    struct space_scene *small = open_space(5, 40, r, &model);
    model.sets = &sets;
    struct space_scene *large = open_space(MANY, 40, many, &model);
    exact_posterior(small->space, false, exact);
    dpc_chain *chain = start_chain(large->space, 0);
    run_chain(chain, large->space, 1500, false, share);
    for (int i = 0; i < PLACES; i++)
        assert_true(fabs(share[i] - exact[i]) < 0.04);
    dpc_chain_free(chain);
    close_space(small);
    close_space(large);
    free(r);
    free(many);
}

/* The parents of all nodes after some sweeps. */
static void run_large(const dpc_space *space, uint64_t seed, uint64_t stream, uint32_t *parents)
{
    dpc_chain *chain = NULL;
    assert_int_equal(dpc_chain_new(space, seed, stream, &chain), DPC_OK);
    assert_true(dpc_chain_anneal(chain, 4, NULL, NULL));
    for (int i = 0; i < 6; i++) {
        dpc_chain_sweep(chain);
        assert_true(is_dag(dpc_space_candidates(space), dpc_chain_parents(chain)));
    }
    memcpy(parents, dpc_chain_parents(chain), (size_t)space->n * sizeof *parents);
    dpc_chain_free(chain);
}

/* Many nodes; and a seed and a stream say it all. */
static void test_large(void **state)
{
    (void)state;
    enum { MANY = 520 };
    static uint32_t parents[4][MANY];
    double *r = draw_r(11, MANY, 40, 0.7);
    struct space_scene *s = open_space(MANY, 40, r, &(struct space_model){.most = 6});
    run_large(s->space, 5, 0, parents[0]);
    run_large(s->space, 5, 0, parents[1]);
    run_large(s->space, 5, 1, parents[2]);
    run_large(s->space, 6, 0, parents[3]);
    assert_memory_equal(parents[0], parents[1], sizeof parents[0]);
    assert_memory_not_equal(parents[0], parents[2], sizeof parents[0]);
    assert_memory_not_equal(parents[0], parents[3], sizeof parents[0]);
    close_space(s);
    free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_dags),      cmocka_unit_test(test_five_nodes),
        cmocka_unit_test(test_preferred),     cmocka_unit_test(test_knowledge),
        cmocka_unit_test(test_beginning),     cmocka_unit_test(test_far),
        cmocka_unit_test(test_rows_of_words), cmocka_unit_test(test_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
