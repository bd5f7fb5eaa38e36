/*
 * The block move against its exact conditional distribution: for a fixed DAG and block, all joint
 * choices of parents are gone through, and many draws compared with their weights.
 */
#include "block_move.h"
#include "spaces.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N = 5, SETS = 1 << (N - 1), DRAWS = 3000 };

/* ---- The patterns ---- */

static bool is_pattern_dag(int size, const unsigned *parents)
{
    unsigned left = (1U << size) - 1, before;
    do {
        before = left;
        for (int k = 0; k < size; k++)
            if ((left >> k & 1) != 0 && (parents[k] & left) == 0)
                left &= ~(1U << k);
    } while (left != before);
    return left == 0;
}

/* Others of k as nodes of the block. */
static unsigned nodes_of(int k, unsigned others)
{
    return (others & ((1U << k) - 1)) | others >> k << (k + 1);
}

/* All choices that go together are DAGs, no two the same, and as many as there are. */
static void test_patterns(void **state)
{
    (void)state;
    static const int DAGS[] = {0, 1, 3, 25, 543};
    dpc_patterns patterns;
    dpc_patterns_init(&patterns);
    for (int size = 2; size <= DPC_BLOCK_NODES; size++) {
        const dpc_pattern *p = &patterns.of[size];
        bool *seen = calloc(1 << 16, sizeof *seen);
        int count = 0;
        assert_non_null(seen);
        for (int i = 0; i < p->joints; i++) {
            const dpc_pair_choices *a = &p->pair[0], *b = &p->pair[1];
            int one = p->joint[i].class[0], two = p->joint[i].class[1];
            for (int j = a->start[one]; j < a->start[one + 1]; j++)
                for (int k = b->start[two]; k < b->start[two + 1]; k++) {
                    unsigned parents[] = {
                        nodes_of(0, a->choice[j].first), nodes_of(1, a->choice[j].second),
                        nodes_of(2, b->choice[k].first), nodes_of(3, b->choice[k].second)};
                    unsigned code =
                        parents[0] | parents[1] << 4 | parents[2] << 8 | parents[3] << 12;
                    assert_true(is_pattern_dag(size, parents) && !seen[code]);
                    seen[code] = true;
                    count++;
                }
        }
        assert_int_equal(count, DAGS[size]);
        free(seen);
    }
}

/* ---- Draws ---- */

/* The log weights of all joint parents of a block, by one number; -INFINITY: a circle. */
static double *weigh_all(const struct space_scene *s, const uint32_t *parents,
                         const dpc_node_block *b, int *count)
{
    uint32_t all[N];
    *count = 1 << (N - 1) * b->size;
    double *weight = malloc((size_t)*count * sizeof *weight);
    assert_non_null(weight);
    memcpy(all, parents, sizeof all);
    for (int i = 0; i < *count; i++) {
        double sum = 0;
        for (int k = 0; k < b->size; k++) {
            all[b->node[k]] = (uint32_t)i >> (N - 1) * k & (SETS - 1);
            sum += dpc_space_score(s->space, b->node[k], all[b->node[k]]);
        }
        weight[i] = is_dag(&s->sets, all) ? sum : -INFINITY;
    }
    return weight;
}

/* Log weights become what is to be expected of the draws. */
static void expect(double *weight, int count)
{
    double most = -INFINITY, total = 0;
    for (int i = 0; i < count; i++)
        most = weight[i] > most ? weight[i] : most;
    for (int i = 0; i < count; i++)
        total += weight[i] = exp(weight[i] - most);
    for (int i = 0; i < count; i++)
        weight[i] *= DRAWS / total;
}

static double p_value(const double *expected, const int *seen, int count)
{
    double chi = 0, rest = 0, rest_seen = 0;
    int df = -1;
    for (int i = 0; i < count; i++) {
        assert_true(seen[i] == 0 || expected[i] > 0);
        if (expected[i] >= 5) {
            chi += pow(seen[i] - expected[i], 2) / expected[i];
            df++;
        } else {
            rest += expected[i];
            rest_seen += seen[i];
        }
    }
    if (rest >= 5) {
        chi += pow(rest_seen - rest, 2) / rest;
        df++;
    } else {
        assert_true(rest_seen <= rest + 12);
    }
    return df > 0 ? gsl_cdf_chisq_Q(chi, df) : 1;
}

static bool check_block(const struct space_scene *s, dpc_chain_dag *dag, dpc_node_block *block,
                        bool always, dpc_random *random)
{
    uint64_t room[DPC_BLOCK_ROOM];
    int count;
    bool far = false;
    double *expected = weigh_all(s, dag->parents, block, &count);
    int *seen = calloc((size_t)count, sizeof *seen);
    assert_non_null(seen);
    expect(expected, count);
    dpc_block_open(block, dag, room);
    for (int i = 0; i < DRAWS; i++) {
        uint32_t parents[DPC_BLOCK_NODES];
        int place = 0;
        far |= dpc_block_draw(block, s->space, always, random, parents);
        for (int k = 0; k < block->size; k++)
            place |= (int)parents[k] << (N - 1) * k;
        seen[place]++;
    }
    double p = p_value(expected, seen, count);
    if (!(p > 1e-6))
        fail_msg("a block of %d%s: p = %g", block->size, always ? ", exponents" : "", p);
    free(expected);
    free(seen);
    return far;
}

static void check_blocks(double n_obs, double strength, uint64_t seed, int *far)
{
    enum { BLOCKS = 8 };
    double *r = draw_r(seed, N, 200, strength);
    struct space_scene *s = open_space(N, n_obs, r, &(struct space_model){0});
    dpc_random random;
    dpc_chain *chain = NULL;
    dpc_arena memory = {0};
    dpc_chain_dag dag;
    dpc_random_start(&random, seed, 1);
    assert_int_equal(dpc_chain_new(s->space, seed, 0, &chain), DPC_OK);
    assert_int_equal(dpc_chain_dag_init(&dag, s->space, &memory), DPC_OK);
    for (int i = 0; i < BLOCKS; i++) {
        dpc_node_block block = {.size = i % 4 + 1};
        int node[N] = {0, 1, 2, 3, 4};
        for (int k = 0; k < block.size; k++) {
            int j = k + (int)dpc_random_below(&random, (uint64_t)(N - k)), v = node[j];
            node[j] = node[k];
            block.node[k] = node[k] = v;
        }
        dpc_chain_anneal(chain, 1 + i, NULL, NULL);
        for (int v = 0; v < N; v++)
            dpc_chain_dag_set(&dag, v, dpc_chain_parents(chain)[v]);
        *far += check_block(s, &dag, &block, false, &random);
        check_block(s, &dag, &block, true, &random);
    }
    dpc_arena_clear(&memory);
    dpc_chain_free(chain);
    close_space(s);
    free(r);
}

static void test_draws(void **state)
{
    (void)state;
    int near = 0, strong = 0;
    for (uint64_t seed = 1; seed <= 2; seed++) {
        check_blocks(15, 0.5, seed, &near);
        check_blocks(100, 1, seed, &near);
        check_blocks(5000, 3, seed, &strong);
    }
    assert_int_equal(near, 0);
    assert_true(strong > 3);
}

/* Blocks have 1 to 4 different nodes, each size as often as it should. */
static void test_choice(void **state)
{
    (void)state;
    enum { MANY = 20000 };
    static const double SHARE[] = {0, .1, .4, .3, .2};
    double *r = draw_r(1, 12, 100, 1);
    struct space_scene *s = open_space(12, 100, r, &(struct space_model){0});
    dpc_random random;
    int sizes[DPC_BLOCK_NODES + 1] = {0}, first[12] = {0};
    dpc_random_start(&random, 1, 0);
    for (int i = 0; i < MANY; i++) {
        dpc_node_block b;
        dpc_block_choose(&b, s->space, &random);
        sizes[b.size]++;
        first[b.node[0]]++;
        for (int k = 0; k < b.size; k++)
            for (int l = 0; l < k; l++)
                assert_true(b.node[k] != b.node[l]);
    }
    for (int size = 1; size <= DPC_BLOCK_NODES; size++)
        assert_true(fabs((double)sizes[size] / MANY - SHARE[size]) < 0.02);
    for (int v = 0; v < 12; v++)
        assert_true(fabs((double)first[v] / MANY - 1.0 / 12) < 0.015);
    close_space(s);
    free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_patterns),
                                       cmocka_unit_test(test_draws), cmocka_unit_test(test_choice)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
