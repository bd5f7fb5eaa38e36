/*
 * Why an edge is an arrow (docs/algorithm.md, section 15): chains of reasons are checked step by
 * step. A v-structure must be one, every premise of a rule must be an arrow that an earlier step
 * has set, and the last step sets the arrow asked for. Every arrow has a chain. For GES also what
 * an edge adds to the score, or would add.
 */
#include "explained.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { N_CHAINS = 160 };

static bool arrow(const struct studied *s, int a, int b)
{
    return dpc_graph_mark(&s->result->graph, a, b) == DPC_FORWARD;
}

static bool adjacent(const struct studied *s, int a, int b)
{
    return dpc_graph_mark(&s->result->graph, a, b) != DPC_NONE;
}

static bool separated_with(const struct studied *s, int x, int z, int y)
{
    int32_t members[MAX_NODES];
    dpc_sepset set;
    dpc_separating_set(s->result, s->c, s->settings, x, z, &set, members);
    return contains(members, set.size, y);
}

static bool is_ambiguous(const struct studied *s, int x, int y, int z)
{
    for (int64_t i = 0; i < s->result->n_ambiguous; i++) {
        const dpc_triple *t = &s->result->ambiguous[i];
        if (t->y == y && ((t->x == x && t->z == z) || (t->x == z && t->z == x)))
            return true;
    }
    return false;
}

static const dpc_triple *conflict(const struct studied *s, int x, int y, int z)
{
    for (int64_t i = 0; i < s->result->n_conflicts; i++) {
        const dpc_triple *t = &s->result->conflicts[i];
        if (t->y == y && ((t->x == x && t->z == z) || (t->x == z && t->z == x)))
            return t;
    }
    return NULL;
}

static bool has_votes(const dpc_settings *s)
{
    return s->method != DPC_GES && (s->orient == DPC_MAJORITY || s->orient == DPC_CONSERVATIVE);
}

static void check_v_structure(const struct studied *s, const dpc_reason *q)
{
    int x = q->from, y = q->to, z = q->other[0];
    bool ges = s->settings->method == DPC_GES;
    assert_true(arrow(s, x, y) && z >= 0 && z != x && adjacent(s, y, z) && !adjacent(s, x, z));
    if (!ges && s->settings->orient == DPC_RELAXED)
        assert_false(separated_with(s, x, z, y));
    if (has_votes(s->settings))
        assert_false(is_ambiguous(s, x, y, z));
    if (q->kind == DPC_REASON_OVERWRITTEN) {
        int w = q->other[1];
        assert_int_equal(s->settings->orient, DPC_RELAXED);
        assert_true(arrow(s, y, z) && w >= 0 && adjacent(s, z, w) && !adjacent(s, y, w));
        assert_false(separated_with(s, y, w, z));
        return;
    }
    assert_true(arrow(s, z, y));
    if (ges || s->settings->orient != DPC_CONSISTENT) {
        assert_true(isnan(q->evidence));
        return;
    }
    const dpc_triple *against = conflict(s, x, y, z);
    if (against != NULL)
        assert_true(q->evidence == against->evidence);
    else
        assert_true(q->evidence >= 0);
}

/* Of the steps before, does one set a → b? */
static bool set_before(const dpc_explanation *e, int steps, int a, int b)
{
    for (int i = 0; i < steps; i++) {
        const dpc_reason *q = &e->reasons[i];
        if (q->to == b && (q->from == a || (q->kind == DPC_REASON_V_STRUCTURE && q->other[0] == a)))
            return true;
    }
    return false;
}

static void check_rule(const struct studied *s, const dpc_explanation *e, int i)
{
    const dpc_reason *q = &e->reasons[i];
    int a = q->from, b = q->to, c = q->other[0], d = q->other[1];
    assert_true(arrow(s, a, b));
    assert_int_equal(s->settings->graph, DPC_CPDAG);
    switch (q->kind) {
    case DPC_REASON_RULE_1:
        assert_true(set_before(e, i, c, a) && arrow(s, c, a) && c != b && !adjacent(s, c, b));
        assert_false(has_votes(s->settings) && is_ambiguous(s, c, a, b));
        break;
    case DPC_REASON_RULE_2:
        assert_true(set_before(e, i, a, c) && arrow(s, a, c));
        assert_true(set_before(e, i, c, b) && arrow(s, c, b));
        break;
    case DPC_REASON_RULE_3:
        assert_true(set_before(e, i, c, b) && arrow(s, c, b));
        assert_true(set_before(e, i, d, b) && arrow(s, d, b));
        assert_true(c != d && !adjacent(s, c, d) && adjacent(s, a, c) && adjacent(s, a, d));
        assert_false(arrow(s, c, a) && arrow(s, d, a));
        assert_false(has_votes(s->settings) && is_ambiguous(s, c, a, d));
        break;
    default:
        fail_msg("%s: a reason of kind %d", s->words, (int)q->kind);
    }
}

/* Returns the number of steps; 0: left by a conflict. `kinds` counts them. */
static int check_chain(const struct studied *s, int a, int b, int64_t *kinds)
{
    dpc_explanation *e = explain(s, a, b);
    int steps = e->n_reasons;
    assert_true(steps > 0);
    const dpc_reason *last = &e->reasons[steps - 1];
    assert_true(last->from == a && last->to == b);
    for (int i = 0; i < steps; i++) {
        kinds[e->reasons[i].kind]++;
        if (e->reasons[i].kind <= DPC_REASON_OVERWRITTEN)
            check_v_structure(s, &e->reasons[i]);
        else if (e->reasons[i].kind != DPC_REASON_CONFLICT)
            check_rule(s, e, i);
    }
    if (last->kind == DPC_REASON_CONFLICT) {
        assert_int_equal(steps, 1);
        assert_int_equal(s->settings->orient, DPC_RELAXED);
        steps = 0;
    }
    dpc_explanation_free(e);
    return steps;
}

/* What the score says: in the DAG of dpc_extension nothing is left to gain. */
static void check_gain(const struct studied *s, int a, int b)
{
    dpc_graph dag = {0};
    dpc_error err;
    int32_t parents[MAX_NODES];
    int count = 0;
    dpc_explanation *e = explain(s, a, b);
    ok_or_fail(dpc_extension(&s->result->graph, &dag, &err), &err);
    int u = e->test.what.from, v = a + b - u;
    for (int w = 0; w < dag.n_nodes; w++)
        if (w != u && w != v && dpc_graph_mark(&dag, w, v) == DPC_FORWARD)
            parents[count++] = w;
    assert_true(e->test.what.kind == DPC_SEP_NONE && e->test.what.size == count);
    assert_true(same_set(e->test.members, parents, count));
    double r = slow_partial(s->c, u, v, parents, count), n_obs = (double)s->c->n_obs;
    double gain = -n_obs / 2 * log(1 - r * r) - s->settings->penalty * log(n_obs);
    assert_true(fabs(gain - e->gain) < 1e-6 * (1 + fabs(gain)));
    if (e->mark == DPC_NONE)
        assert_true(e->gain < 1e-6);
    else
        assert_true(e->gain > -1e-6 && dpc_graph_mark(&dag, u, v) == DPC_FORWARD);
    free(dag.edges);
    dpc_explanation_free(e);
}

static void test_chains(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20240612);
    int64_t kinds[DPC_REASON_CONFLICT + 1] = {0}, long_chains = 0, lost = 0;
    for (int number = 0; number < N_CHAINS; number++) {
        dpc_settings settings;
        dpc_settings_default(&settings);
        settings.alpha = draw_log(rng, 0.005, 0.2);
        settings.method = (dpc_method)(number % 4);
        settings.variant = (dpc_variant)draw_int(rng, 0, 1);
        settings.rule = settings.method == DPC_GES ? DPC_RULE_OR : (dpc_rule)draw_int(rng, 0, 1);
        settings.orient = (dpc_orientation)(number / 4 % 4);
        settings.graph = number % 5 == 4 ? DPC_PATTERN : DPC_CPDAG;
        settings.order = (dpc_order)draw_int(rng, 0, 1);
        settings.keep_separating_sets = true;
        settings.threads = 1;
        struct sample_model model = {.n = draw_int(rng, 8, 30), .n_obs = draw_int(rng, 60, 600)};
        model.parents = 1 + 1.5 * gsl_rng_uniform(rng);
        struct sample sample = sample_draw(&model, rng);
        struct studied s = {&sample.correlation, &settings, learn(&sample.correlation, &settings),
                            ""};
        snprintf(s.words, sizeof s.words, "sample %d", number);
        for (int a = 0; a < model.n; a++)
            for (int b = 0; b < model.n; b++) {
                if (a != b && arrow(&s, a, b)) {
                    int steps = check_chain(&s, a, b, kinds);
                    long_chains += steps > 2;
                    lost += steps == 0;
                }
                if (a < b && settings.method == DPC_GES)
                    check_gain(&s, a, b);
            }
        dpc_result_free(s.result);
        sample_free(&sample);
    }
    gsl_rng_free(rng);
    print_message("steps: %lld v-structures, %lld overwritten, %lld, %lld and %lld by rules 1 to "
                  "3, %lld conflicts; %lld chains of more than two\n",
                  (long long)kinds[0], (long long)kinds[1], (long long)kinds[2],
                  (long long)kinds[3], (long long)kinds[4], (long long)kinds[5],
                  (long long)long_chains);
    for (int kind = 0; kind < DPC_REASON_CONFLICT; kind++)
        assert_true(kinds[kind] > 0);
    assert_true(long_chains > 50);
    assert_int_equal(lost, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_chains)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
