/*
 * Candidate parents: which they are, by knowledge, by what was drawn, and on simulated data; and
 * resamples of a correlation matrix, by their moments.
 */
#include "candidates.h"
#include "parametric.h"
#include "simulate.h"
#include "table.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct scene {
    dpc_dag *dag;
    dpc_table *table;
    dpc_correlation *correlation;
    dpc_labels labels;
    dpc_settings settings;
    dpc_candidate_plan plan;
};

static void open_scene(struct scene *s, int n, int64_t n_obs, uint64_t seed, int most)
{
    dpc_simulation simulation;
    dpc_error err;
    *s = (struct scene){0};
    dpc_simulation_default(&simulation);
    simulation.model.n = n;
    simulation.n_obs = n_obs;
    simulation.seed = seed;
    dpc_settings_default(&s->settings);
    s->settings.threads = 1;
    if (dpc_simulate(&simulation, &s->dag, &s->table, &err) != DPC_OK ||
        dpc_correlate(s->table, &s->settings, NULL, &s->correlation, &err) != DPC_OK)
        fail_msg("%s", err.message);
    dpc_settings canonical = s->settings;
    canonical.order = DPC_ORDER_CANONICAL;
    assert_int_equal(dpc_labels_make(s->correlation, &canonical, &s->labels, &err), DPC_OK);
    s->plan = (dpc_candidate_plan){.table = s->table,
                                   .correlation = s->correlation,
                                   .labels = &s->labels,
                                   .settings = &s->settings,
                                   .most = most,
                                   .most_parents = INFINITY,
                                   .resamples = 10};
}

static void close_scene(struct scene *s)
{
    dpc_labels_clear(&s->labels);
    dpc_correlation_free(s->correlation);
    dpc_table_free(s->table);
    dpc_dag_free(s->dag);
}

static bool has(const dpc_candidate_sets *sets, int u, int v)
{
    for (int i = sets->start[v]; i < sets->start[v + 1]; i++)
        if (sets->node[i] == u)
            return true;
    return false;
}

/* Parents in the DAG that are no candidates. */
static int missing_parents(const struct scene *s, const dpc_candidate_sets *sets)
{
    int missing = 0;
    for (int v = 0; v < s->dag->n; v++)
        for (int64_t k = s->dag->start[v]; k < s->dag->start[v + 1]; k++)
            missing += !has(sets, dpc_label_of(&s->labels, s->dag->parent[k]),
                            dpc_label_of(&s->labels, v));
    return missing;
}

static dpc_candidates find(const dpc_candidate_plan *plan)
{
    dpc_candidates out;
    dpc_error err;
    if (dpc_candidates_find(plan, &out, &err) != DPC_OK)
        fail_msg("%s", err.message);
    const dpc_candidate_sets *sets = &out.sets;
    for (int v = 0; v < sets->n; v++)
        for (int i = sets->start[v]; i < sets->start[v + 1]; i++) {
            assert_true(sets->node[i] != v);
            assert_true(i == sets->start[v] || sets->node[i] > sets->node[i - 1]);
        }
    return out;
}

static void test_true_parents(void **state)
{
    (void)state;
    for (int by_matrix = 0; by_matrix < 2; by_matrix++) {
        struct scene s;
        open_scene(&s, 25, 500, 4, 10);
        if (by_matrix == 1)
            s.plan.table = NULL;
        dpc_candidates c = find(&s.plan);
        assert_true(c.has_refined && c.complete);
        for (int v = 0; v < 25; v++)
            assert_int_equal(c.sets.start[v + 1] - c.sets.start[v], 10);
        assert_int_equal(missing_parents(&s, &c.sets), 0);
        for (int64_t e = 0; e < c.refined.n_edges; e++) /* what is refined comes first */
            assert_true(has(&c.sets, c.refined.edges[e].a, c.refined.edges[e].b));
        dpc_candidates_clear(&c);
        close_scene(&s);
    }
}

static void test_few_variables(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s, 9, 50, 2, 12);
    s.plan.resamples = 1000000; /* of which none is made */
    dpc_candidates c = find(&s.plan);
    assert_int_equal(c.sets.start[9], 72);
    assert_false(c.has_refined);
    dpc_candidates_clear(&c);
    close_scene(&s);
}

static void test_known(void **state)
{
    (void)state;
    struct scene s;
    dpc_knowledge *knowledge = NULL;
    dpc_constraints *known = NULL;
    dpc_error err;
    open_scene(&s, 20, 60, 3, 4);
    assert_int_equal(dpc_knowledge_new(20, &knowledge, &err), DPC_OK);
    for (int u = 0; u < 4; u++)
        assert_int_equal(dpc_knowledge_require(knowledge, u, 10, &err), DPC_OK);
    for (int u = 0; u < 20; u++)
        if (u != 15)
            assert_int_equal(dpc_knowledge_forbid(knowledge, u, 15, &err), DPC_OK);
    assert_int_equal(dpc_constraints_new(knowledge, &s.labels, &known, &err), DPC_OK);
    s.settings.knowledge = knowledge;
    s.plan.known = known;
    dpc_candidates c = find(&s.plan);
    int child = dpc_label_of(&s.labels, 10), root = dpc_label_of(&s.labels, 15);
    assert_int_equal(c.sets.start[child + 1] - c.sets.start[child], 4);
    for (int u = 0; u < 4; u++)
        assert_true(has(&c.sets, dpc_label_of(&s.labels, u), child));
    assert_int_equal(c.sets.start[root + 1], c.sets.start[root]);
    dpc_candidates_clear(&c);
    s.plan.most = 3;
    assert_int_equal(dpc_candidates_find(&s.plan, &c, &err), DPC_USAGE);
    assert_non_null(strstr(err.message, "4 parents"));
    dpc_candidates_clear(&c);
    s.plan.most = 4;
    s.plan.most_parents = 3;
    assert_int_equal(dpc_candidates_find(&s.plan, &c, &err), DPC_BAD_INPUT);
    dpc_candidates_clear(&c);
    dpc_constraints_free(known);
    dpc_knowledge_free(knowledge);
    close_scene(&s);
}

/* Those from outside that are more probable take the places of the least probable. */
static void test_exchange(void **state)
{
    (void)state;
    struct scene s;
    bool changed = true;
    open_scene(&s, 8, 60, 3, 2);
    dpc_candidates c = find(&s.plan);
    double mean[16], outside[64] = {0};
    uint32_t keep[8] = {0};
    for (int i = 0; i < 16; i++)
        mean[i] = i % 2 == 0 ? 0.1 : 0.4;
    assert_int_equal(dpc_candidates_exchange(&s.plan, mean, outside, keep, &c.sets, &changed),
                     DPC_OK);
    assert_false(changed);
    int other[2], count = 0, first = c.sets.node[0], second = c.sets.node[1];
    for (int u = 1; u < 8 && count < 2; u++)
        if (!has(&c.sets, u, 0))
            other[count++] = u;
    outside[other[0]] = 0.2;
    outside[other[1]] = 0.15;
    outside[8 + (has(&c.sets, 0, 1) ? 7 : 0)] = 1e-4; /* not worth it */
    assert_int_equal(dpc_candidates_exchange(&s.plan, mean, outside, keep, &c.sets, &changed),
                     DPC_OK);
    assert_true(changed);
    assert_true(has(&c.sets, other[0], 0) && has(&c.sets, second, 0));
    assert_false(has(&c.sets, first, 0) || has(&c.sets, other[1], 0));
    dpc_candidates_clear(&c);
    close_scene(&s);
}

/* ---- Resamples of a matrix ---- */

/* The mean of a correlation is nearly ρ, its variance (1 - ρ²)² / (N - 1). */
static void check_moments(int64_t n_obs, const double *r, int n, double slack)
{
    enum { TIMES = 4000, MOST = 4 };
    dpc_arena arena = {0};
    dpc_correlation *c = NULL;
    dpc_error err;
    dpc_parametric p;
    double room[2 * MOST * MOST], made[MOST * MOST], mean[MOST * MOST] = {0};
    double square[MOST * MOST] = {0};
    const dpc_labels labels = {0};
    assert_int_equal(dpc_correlation_view(r, n, n_obs, &c, &err), DPC_OK);
    const dpc_view view = dpc_view_of(c, &labels);
    assert_int_equal(dpc_parametric_init(&p, &arena, &view), DPC_OK);
    for (int i = 0; i < TIMES; i++) {
        dpc_random random;
        dpc_random_start(&random, 9, (uint64_t)i);
        dpc_parametric_draw(&p, &random, room, made);
        for (int k = 0; k < n * n; k++) {
            assert_true(made[k] == made[k % n * n + k / n] && fabs(made[k]) <= 1);
            mean[k] += made[k] / TIMES;
            square[k] += (made[k] - r[k]) * (made[k] - r[k]) / TIMES;
        }
    }
    for (int k = 0; k < n * n; k++) {
        double variance = (1 - r[k] * r[k]) * (1 - r[k] * r[k]) / (double)(n_obs - 1);
        assert_true(fabs(mean[k] - r[k]) < slack + 5 * sqrt(variance / TIMES));
        assert_true(fabs(square[k] - variance) < slack + 0.2 * variance);
    }
    dpc_arena_clear(&arena);
    dpc_correlation_free(c);
}

static void test_moments(void **state)
{
    (void)state;
    const double r[] = {1, 0.5, 0.3, 0.5, 1, -0.2, 0.3, -0.2, 1};
    const double copy[] = {1, 1, 0.3, 1, 1, 0.3, 0.3, 0.3, 1}; /* of rank 2 */
    check_moments(100, r, 3, 0.002);
    check_moments(1000, r, 3, 0.0005);
    check_moments(1000, copy, 3, 0.0005);
    check_moments(6, r, 3, 0.1);
    const double four[] = {1, 0.4, 0, 0, 0.4, 1, 0, 0, 0, 0, 1, 0.4, 0, 0, 0.4, 1};
    check_moments(4, four, 4, 0.3); /* fewer degrees of freedom than variables */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_true_parents), cmocka_unit_test(test_few_variables),
        cmocka_unit_test(test_known),        cmocka_unit_test(test_exchange),
        cmocka_unit_test(test_moments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
