/* Moves of nodes in an order: what they keep, and where they lead to. */
#include "order_start.h"
#include "spaces.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* Places are those of the nodes, and who comes before whom is noted as it is. */
static void check_order(const dpc_chain_order *o, const struct space_scene *s)
{
    for (int p = 0; p < s->n; p++)
        assert_int_equal(o->place[o->node[p]], p);
    for (int v = 0; v < s->n; v++) {
        uint32_t before = 0;
        for (int i = s->sets.start[v]; i < s->sets.start[v + 1]; i++)
            if (o->place[s->sets.node[i]] < o->place[v])
                before |= UINT32_C(1) << (i - s->sets.start[v]);
        assert_int_equal(o->before[v], before);
        assert_true(isfinite(dpc_space_sum(s->space, v, before)));
    }
}

static double log_weight(const dpc_chain_order *o, const struct space_scene *s)
{
    double sum = 0;
    for (int v = 0; v < s->n; v++)
        sum += dpc_space_sum(s->space, v, o->before[v]);
    return sum;
}

static void test_moves(void **state)
{
    (void)state;
    enum { N = 30 };
    uint64_t required[N] = {0}, banned[N] = {0};
    dpc_constraints known = {.n = N, .words = 1, .required = required, .banned = banned};
    for (int v = 1; v < N; v += 3) { /* against the order that the data came from */
        required[v] = UINT64_C(1) << (v - 1);
        banned[v - 1] = UINT64_C(1) << v;
    }
    double *r = draw_r(2, N, 100, 1);
    struct space_scene *s =
        open_space(N, 100, r, &(struct space_model){.most = 6, .known = &known});
    dpc_arena memory = {0};
    dpc_chain_order order;
    dpc_random random;
    dpc_random_start(&random, 1, 0);
    assert_int_equal(dpc_chain_order_init(&order, s->space, &memory), DPC_OK);
    dpc_chain_order_shuffle(&order, &random);
    check_order(&order, s);
    for (int i = 0; i < 600; i++) {
        dpc_chain_order_move(&order, (int)dpc_random_below(&random, N), i < 300 ? 0.02 : 1,
                             &random);
        check_order(&order, s);
    }
    dpc_arena_clear(&memory);
    close_space(s);
    free(r);
}

/* A node is put into each place as often as the weights of the orders say. */
static void test_places(void **state)
{
    (void)state;
    enum { N = 6, DRAWS = 3000 };
    double *r = draw_r(3, N, 40, 0.6);
    struct space_scene *s = open_space(N, 40, r, &(struct space_model){.most = 3});
    dpc_arena memory = {0};
    dpc_chain_order order;
    dpc_random random;
    dpc_random_start(&random, 2, 0);
    assert_int_equal(dpc_chain_order_init(&order, s->space, &memory), DPC_OK);
    dpc_chain_order_shuffle(&order, &random);
    for (int v = 0; v < N; v++)
        for (int half = 0; half < 2; half++) {
            double exponent = half == 0 ? 1 : 0.5, weight[N] = {0}, total = 0, chi = 0;
            int seen[N] = {0}, last = -1;
            for (int i = 0; i < DRAWS; i++) {
                dpc_chain_order_move(&order, v, exponent, &random);
                last = order.place[v];
                seen[last]++;
                weight[last] = exp(exponent * log_weight(&order, s));
            }
            for (int p = 0; p < N; p++)
                total += weight[p];
            for (int p = 0; p < N; p++) {
                double expected = DRAWS * weight[p] / total;
                chi += expected > 0 ? pow(seen[p] - expected, 2) / (expected + 1) : 0;
            }
            assert_true(gsl_cdf_chisq_Q(chi, N - 1) > 1e-5);
        }
    dpc_arena_clear(&memory);
    close_space(s);
    free(r);
}

/* All orders of three nodes come from the shuffle equally often. */
static void test_shuffle(void **state)
{
    (void)state;
    enum { DRAWS = 6000 };
    double *r = draw_r(1, 3, 40, 0.6);
    struct space_scene *s = open_space(3, 40, r, &(struct space_model){0});
    dpc_arena memory = {0};
    dpc_chain_order order;
    dpc_random random;
    int seen[27] = {0}, kinds = 0;
    dpc_random_start(&random, 3, 0);
    assert_int_equal(dpc_chain_order_init(&order, s->space, &memory), DPC_OK);
    for (int i = 0; i < DRAWS; i++) {
        dpc_chain_order_shuffle(&order, &random);
        seen[9 * order.node[0] + 3 * order.node[1] + order.node[2]]++;
    }
    for (int i = 0; i < 27; i++) {
        kinds += seen[i] > 0;
        assert_true(seen[i] == 0 || abs(seen[i] - DRAWS / 6) < 150);
    }
    assert_int_equal(kinds, 6);
    dpc_arena_clear(&memory);
    close_space(s);
    free(r);
}

static bool stop_now(void *context)
{
    return --*(int *)context <= 0;
}

/* Annealing leads to where the weight is, from everywhere; called off, it leaves a DAG. */
static void test_anneal(void **state)
{
    (void)state;
    enum { N = 15, CHAINS = 4 };
    double *r = draw_r(5, N, 300, 1.5), score[CHAINS], best = -INFINITY;
    struct space_scene *s = open_space(N, 300, r, &(struct space_model){.most = 8});
    for (int c = 0; c < CHAINS; c++) {
        dpc_chain *chain = NULL;
        int sweeps = 3;
        assert_int_equal(dpc_chain_new(s->space, 2, (uint64_t)c, &chain), DPC_OK);
        assert_false(dpc_chain_anneal(chain, 300, stop_now, &sweeps));
        assert_int_equal(sweeps, 0);
        assert_true(is_dag(&s->sets, dpc_chain_parents(chain)));
        assert_true(dpc_chain_anneal(chain, 300, NULL, NULL));
        score[c] = dpc_chain_score(chain);
        best = score[c] > best ? score[c] : best;
        dpc_chain_free(chain);
    }
    for (int c = 0; c < CHAINS; c++)
        assert_true(score[c] > best - 30);
    close_space(s);
    free(r);
}

/* A DAG that is put in place is there, and the order fits it. */
static void test_set(void **state)
{
    (void)state;
    enum { N = 8 };
    double *r = draw_r(5, N, 100, 1);
    struct space_scene *s = open_space(N, 100, r, &(struct space_model){0});
    dpc_chain *one = NULL, *other = NULL;
    double sum[N * (N - 1)] = {0};
    assert_int_equal(dpc_chain_new(s->space, 2, 0, &one), DPC_OK);
    assert_int_equal(dpc_chain_new(s->space, 2, 1, &other), DPC_OK);
    dpc_chain_anneal(one, 20, NULL, NULL);
    dpc_chain_set(other, dpc_chain_parents(one));
    assert_memory_equal(dpc_chain_parents(one), dpc_chain_parents(other), N * sizeof(uint32_t));
    assert_true(dpc_chain_score(one) == dpc_chain_score(other));
    dpc_chain_add_probabilities(other, true, sum); /* who may be a parent given its order */
    for (int v = 0; v < N; v++)
        for (uint32_t left = dpc_chain_parents(one)[v]; left != 0; left &= left - 1)
            assert_true(sum[s->sets.start[v] + __builtin_ctz(left)] > 0);
    dpc_chain_free(one);
    dpc_chain_free(other);
    close_space(s);
    free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_moves), cmocka_unit_test(test_places),
                                       cmocka_unit_test(test_shuffle),
                                       cmocka_unit_test(test_anneal), cmocka_unit_test(test_set)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
