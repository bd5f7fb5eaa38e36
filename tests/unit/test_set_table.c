/*
 * The tables of all sets of parents against a slow twin, which scores each set by itself in long
 * doubles and sums one by one; and draws of sets against their weights.
 */
#include "set_draw.h"
#include "shared.h"
#include "spaces.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MOST = 24 };

/* The score of v given candidates, by elimination; -INFINITY: one of them is determined. */
static long double score_one(const struct space_scene *s, int v, uint32_t set)
{
    const dpc_marginal *m = &s->marginal;
    int32_t node[MOST];
    long double a[MOST][MOST], det = 0;
    int size = 0;
    for (uint32_t left = set; left != 0; left &= left - 1)
        node[size++] = s->sets.node[s->sets.start[v] + __builtin_ctz(left)];
    node[size] = v;
    for (int i = 0; i <= size; i++)
        for (int j = 0; j <= size; j++)
            a[i][j] = m->scale * s->r[node[i] * s->n + node[j]] + (i == j ? m->ridge : 0);
    for (int k = 0; k < size; k++) {
        if (a[k][k] < 1e-12L * (m->scale + m->ridge))
            return -INFINITY;
        det += logl(a[k][k]);
        for (int i = k + 1; i <= size; i++)
            for (int j = k + 1; j <= size; j++)
                a[i][j] -= a[i][k] * a[k][j] / a[k][k];
    }
    long double left = a[size][size], least = 1e-14L * (m->scale + m->ridge);
    return m->constant[size] - m->power[size] * logl(left > least ? left : least) -
           m->determinant * det;
}

static void compare_sums(const struct space_scene *s, int v, uint32_t sets)
{
    for (uint32_t set = 0; set < sets; set++) {
        long double most = -INFINITY, sum = 0;
        for (uint32_t within = set;; within = (within - 1) & set) {
            double score = dpc_space_score(s->space, v, within);
            most = score > most ? score : most;
            if (within == 0)
                break;
        }
        for (uint32_t within = set; most > -INFINITY; within = (within - 1) & set) {
            sum += expl(dpc_space_score(s->space, v, within) - most);
            if (within == 0)
                break;
        }
        double wanted = (double)(most + logl(sum)), seen = dpc_space_sum(s->space, v, set);
        assert_true(most == -INFINITY ? seen == -INFINITY
                                      : fabs(seen - wanted) < 1e-12 * (10 + fabs(wanted)));
    }
}

/* All tables of a space. */
static void compare(const struct space_scene *s, double tolerance)
{
    for (int v = 0; v < s->n; v++) {
        uint32_t sets = UINT32_C(1) << (s->sets.start[v + 1] - s->sets.start[v]);
        for (uint32_t set = 0; set < sets; set++) {
            long double wanted = score_one(s, v, set);
            double seen = dpc_space_score(s->space, v, set);
            if (wanted == -INFINITY ? seen != -INFINITY
                                    : !(fabsl(seen - wanted) <= tolerance * (1 + fabsl(wanted))))
                fail_msg("node %d, set %x: %.15g, not %.15Lg", v, set, seen, wanted);
        }
        compare_sums(s, v, sets);
    }
}

static void test_tables(void **state)
{
    (void)state;
    static const int NODES[] = {1, 2, 3, 8};
    static const int64_t ROWS[] = {30, 200, 5000};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 3; j++)
            for (int score = DPC_SCORE_FBF; score <= DPC_SCORE_BIC; score++) {
                double *r = draw_r((uint64_t)(10 * i + j), NODES[i], ROWS[j], 3);
                struct space_scene *s =
                    open_space(NODES[i], (double)ROWS[j], r, &(struct space_model){.score = score});
                compare(s, 1e-11);
                close_space(s);
                free(r);
            }
}

/* So far apart that many levels are needed. */
static void test_levels(void **state)
{
    (void)state;
    double *r = draw_r(5, 8, 400, 5);
    struct space_scene *s = open_space(8, 1e6, r, &(struct space_model){0});
    int most = 0;
    for (int v = 0; v < 8; v++)
        for (int set = 0; set < 128; set++)
            if (s->space->table[v].sum.level[set] > most)
                most = s->space->table[v].sum.level[set];
    assert_true(most > 100);
    compare(s, 1e-11);
    close_space(s);
    free(r);
}

/* Column 1 is a copy of 0, and 2 of 0 with the other sign: no set has two of them. */
static void test_copies(void **state)
{
    (void)state;
    enum { N = 6 };
    double *r = draw_r(7, N, 100, 1);
    for (int u = 0; u < N; u++) {
        r[N + u] = r[u * N + 1] = r[u];
        r[2 * N + u] = r[u * N + 2] = -r[u];
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            r[i * N + j] = (i == 2) != (j == 2) ? -1 : 1;
    struct space_scene *s = open_space(N, 100, r, &(struct space_model){0});
    for (int v = 3; v < N; v++)
        for (uint32_t set = 0; set < 32; set++) /* candidates 0, 1, 2 are the first bits */
            assert_int_equal(isfinite(dpc_space_score(s->space, v, set)),
                             __builtin_popcount(set & 7) < 2);
    int v;
    assert_true(dpc_space_least_variance(s->space, &v) == 1e-14);
    assert_true(v < 3);
    compare_sums(s, 4, 32);
    close_space(s);
    free(r);
}

/* Fewer rows than variables: R is singular, and sets of many determine the rest. */
static void test_singular(void **state)
{
    (void)state;
    enum { N = 12, ROWS = 6 };
    double *r = draw_r(8, N, ROWS, 1);
    for (int score = DPC_SCORE_FBF; score <= DPC_SCORE_BIC; score++) {
        struct space_scene *s = open_space(N, ROWS, r, &(struct space_model){.score = score});
        for (int v = 0; v < N; v++)
            for (uint32_t set = 0; set < UINT32_C(1) << (N - 1); set++) {
                double score_of_set = dpc_space_score(s->space, v, set);
                assert_false(isnan(score_of_set) || score_of_set == INFINITY);
                if (score != DPC_SCORE_BGE)
                    assert_true(__builtin_popcount(set) <= ROWS || score_of_set == -INFINITY);
            }
        close_space(s);
    }
    free(r);
}

/* Sets without a required parent have no weight; one that is determined costs nothing. */
static void test_required(void **state)
{
    (void)state;
    enum { N = 5 };
    double *r = draw_r(9, N, 100, 1);
    for (int u = 0; u < N; u++)
        r[N + u] = r[u * N + 1] = u == 1 ? 1 : r[u]; /* a copy of 0 */
    r[1] = r[N] = 1;
    uint64_t required[N] = {0}, banned[N] = {0};
    dpc_constraints known = {.n = N, .words = 1, .required = required, .banned = banned};
    required[0] = 1 << 3 | 1 << 4;
    required[1] = 1 << 3; /* 0, 1 → 3 and 0 → 4 */
    struct space_scene *s = open_space(N, 100, r, &(struct space_model){.known = &known});
    struct space_scene *all = open_space(N, 100, r, &(struct space_model){0});
    for (uint32_t set = 0; set < 16; set++) { /* of 0, 1, 2, 4 and of 0, 1, 2, 3 */
        double three = dpc_space_score(s->space, 3, set), four = dpc_space_score(s->space, 4, set);
        if ((set & 3) == 3) /* as without 1 */
            assert_true(fabs(three - dpc_space_score(all->space, 3, set & ~2U)) < 1e-9);
        else
            assert_true(three == -INFINITY);
        if ((set & 1) == 0)
            assert_true(four == -INFINITY);
        else if ((set & 2) == 0)
            assert_true(fabs(four - dpc_space_score(all->space, 4, set)) < 1e-9);
    }
    assert_true(dpc_space_sum(s->space, 3, 1) == -INFINITY);
    compare_sums(s, 3, 16);
    close_space(s);
    close_space(all);
    free(r);
}

/* ---- Draws ---- */

static void check_draws(const dpc_set_table *t, uint32_t within, const uint32_t *meet, int count,
                        dpc_random *random)
{
    enum { DRAWS = 4000 };
    double weight[1 << 9] = {0}, total = 0, all = 0, chi = 0, rest = 0, rest_seen = 0;
    int seen[1 << 9] = {0}, df = 0;
    for (uint32_t set = within;; set = (set - 1) & within) {
        bool meets = true;
        for (int i = 0; i < count; i++)
            meets &= (set & meet[i]) != 0;
        double w = exp(t->score[set] - t->log_sum[within]);
        all += w;
        total += weight[set] = meets ? w : 0;
        if (set == 0)
            break;
    }
    assert_true(fabs(all - 1) < 1e-9);
    if (total < 1e-11)
        return; /* a move would not ask for these */
    for (int i = 0; i < DRAWS; i++) {
        uint32_t set = dpc_draw_set_meeting(t, within, meet, count, total, random);
        assert_true((set & ~within) == 0 && weight[set] > 0);
        seen[set]++;
    }
    for (uint32_t set = 0; set < 1 << 9; set++) {
        double expected = DRAWS * weight[set] / total;
        if (expected >= 5) {
            chi += pow(seen[set] - expected, 2) / expected;
            df++;
        } else {
            rest += expected;
            rest_seen += seen[set];
        }
    }
    if (rest > 0.5) {
        chi += pow(rest_seen - rest, 2) / rest;
        df++;
    } else {
        assert_true(rest_seen <= 12);
    }
    assert_true(df < 2 || gsl_cdf_chisq_Q(chi, df - 1) > 1e-6);
}

static void test_draws(void **state)
{
    (void)state;
    enum { N = 10 };
    static const double ROWS[] = {30, 300, 20000};
    dpc_random random;
    dpc_random_start(&random, 3, 0);
    for (int i = 0; i < 3; i++) {
        double *r = draw_r((uint64_t)i + 20, N, 300, 2);
        struct space_scene *s = open_space(N, ROWS[i], r, &(struct space_model){0});
        for (int j = 0; j < 60; j++) {
            const dpc_set_table *t = &s->space->table[j % N];
            uint32_t within = (uint32_t)dpc_random_below(&random, 1 << t->k), meet[DPC_MOST_MET];
            for (int k = 0; k < DPC_MOST_MET; k++)
                meet[k] = within & (uint32_t)dpc_random_next(&random) &
                          (uint32_t)dpc_random_next(&random);
            check_draws(t, within, meet, j % (DPC_MOST_MET + 1), &random);
        }
        close_space(s);
        free(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables),   cmocka_unit_test(test_levels),
        cmocka_unit_test(test_copies),   cmocka_unit_test(test_singular),
        cmocka_unit_test(test_required), cmocka_unit_test(test_draws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
