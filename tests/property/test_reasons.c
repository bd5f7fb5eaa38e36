/*
 * The reasons of arrows (docs/algorithm.md, section 15), step by step: a v-structure must be one,
 * every premise of a rule must be an arrow that an earlier step has set, and the last step sets the
 * arrow asked for. The gains of GES are computed once more by an elimination in long double. All of
 * it with background knowledge too, which need not be true.
 */
#include "explained.h"
#include "knowing.h"
#include "repeat.h"
#include "replay.h"
#include "twin.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N_CHAINS = 160, N_KNOWING_CHAINS = 2000 };

static bool arrow(const struct studied *s, int a, int b)
{
    return dpc_graph_mark(dpc_result_graph(s->result), a, b) == DPC_FORWARD;
}

static bool adjacent(const struct studied *s, int a, int b)
{
    return dpc_graph_mark(dpc_result_graph(s->result), a, b) != DPC_NONE;
}

static bool separated_with(const struct studied *s, int x, int z, int y)
{
    int32_t members[MAX_NODES];
    dpc_sepset set;
    separated(s->result, x, z, &set, members);
    return contains(members, set.size, y);
}

/* Does it say something that the two are not adjacent? The consistent rule goes on as if it did. */
static bool is_apart(const struct studied *s, int x, int z)
{
    dpc_sepset set;
    separated(s->result, x, z, &set, NULL);
    return !adjacent(s, x, z) &&
           (s->settings->orient == DPC_CONSISTENT || set.kind != DPC_SEP_FORBIDDEN);
}

static bool is_ambiguous(const struct studied *s, int x, int y, int z)
{
    for (int64_t i = 0; i < s->result->found.n_ambiguous; i++) {
        const dpc_triple *t = &s->result->found.ambiguous[i];
        if (t->y == y && ((t->x == x && t->z == z) || (t->x == z && t->z == x)))
            return true;
    }
    return false;
}

static const dpc_triple *conflict(const struct studied *s, int x, int y, int z)
{
    for (int64_t i = 0; i < s->result->found.n_conflicts; i++) {
        const dpc_triple *t = &s->result->found.conflicts[i];
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
    assert_true(arrow(s, x, y) && z >= 0 && z != x && adjacent(s, y, z) && is_apart(s, x, z));
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
    if (q->kind == DPC_REASON_CONTESTED) {
        int w = q->other[1];
        assert_true(has_votes(s->settings) && !arrow(s, z, y));
        assert_true(w < 0 || (adjacent(s, z, w) && is_apart(s, y, w) && !is_ambiguous(s, y, z, w)));
        return;
    }
    assert_true(arrow(s, z, y));
    if (ges || s->settings->orient != DPC_CONSISTENT) {
        assert_int_equal(isnan(q->evidence), ges);
        return;
    }
    const dpc_triple *against = conflict(s, x, y, z);
    dpc_sepset set;
    separated(s->result, x, z, &set, NULL);
    if (set.kind == DPC_SEP_FORBIDDEN)
        assert_true(q->evidence == 0);
    else if (against != NULL)
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
        assert_true(set_before(e, i, c, a) && arrow(s, c, a) && c != b && is_apart(s, c, b));
        assert_false(has_votes(s->settings) && is_ambiguous(s, c, a, b));
        break;
    case DPC_REASON_RULE_2:
        assert_true(set_before(e, i, a, c) && arrow(s, a, c));
        assert_true(set_before(e, i, c, b) && arrow(s, c, b));
        break;
    case DPC_REASON_RULE_3:
        assert_true(set_before(e, i, c, b) && arrow(s, c, b));
        assert_true(set_before(e, i, d, b) && arrow(s, d, b));
        assert_true(c != d && is_apart(s, c, d) && adjacent(s, a, c) && adjacent(s, a, d));
        assert_false(arrow(s, c, a) && arrow(s, d, a));
        assert_false(has_votes(s->settings) && is_ambiguous(s, c, a, d));
        break;
    case DPC_REASON_RULE_4:
        assert_non_null(s->settings->knowledge);
        assert_true(set_before(e, i, c, d) && arrow(s, c, d));
        assert_true(set_before(e, i, d, b) && arrow(s, d, b));
        assert_true(adjacent(s, a, c) && adjacent(s, a, d) && c != b && is_apart(s, c, b));
        assert_false(has_votes(s->settings) && is_ambiguous(s, c, a, b));
        break;
    default:
        fail_msg("%s: a reason of kind %d", s->words, (int)q->kind);
    }
}

static void check_known_arrow(const struct studied *s, const dpc_reason *q)
{
    const dpc_knowledge *k = s->settings->knowledge;
    int first = dpc_knowledge_tier_of(k, q->from), second = dpc_knowledge_tier_of(k, q->to);
    assert_true(arrow(s, q->from, q->to) && dpc_knowledge_forbids(k, q->to, q->from));
    assert_int_equal(q->known == DPC_KNOWN_REQUIRED, dpc_knowledge_requires(k, q->from, q->to));
    if (q->known != DPC_KNOWN_REQUIRED)
        assert_int_equal(q->known,
                         first >= 0 && first < second ? DPC_KNOWN_TIERS : DPC_KNOWN_FORBIDDEN);
}

/* The evidence of an arrow is that of the weakest link in its chain; NaN by GES. */
static void check_weakest(const struct studied *s, const dpc_explanation *e)
{
    const dpc_reason *last = &e->reasons[e->n_reasons - 1];
    double weakest = INFINITY, told = dpc_evidence(s->result, last->from, last->to);
    for (int i = 0; i < e->n_reasons; i++) {
        const dpc_reason *q = &e->reasons[i];
        bool triple = q->kind != DPC_REASON_RULE_2 && q->kind != DPC_REASON_KNOWLEDGE;
        assert_int_equal(isnan(q->evidence), !triple || s->settings->method == DPC_GES);
        weakest = q->evidence < weakest ? q->evidence : weakest;
    }
    assert_true(isnan(dpc_evidence(s->result, last->to, last->from)));
    if (s->settings->method == DPC_GES)
        assert_true(isnan(told) && isnan(e->evidence));
    else
        assert_true(told == weakest && e->evidence == weakest);
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
        if (e->reasons[i].kind <= DPC_REASON_OVERWRITTEN ||
            e->reasons[i].kind == DPC_REASON_CONTESTED)
            check_v_structure(s, &e->reasons[i]);
        else if (e->reasons[i].kind == DPC_REASON_KNOWLEDGE)
            check_known_arrow(s, &e->reasons[i]);
        else if (e->reasons[i].kind != DPC_REASON_CONFLICT)
            check_rule(s, e, i);
    }
    if (last->kind == DPC_REASON_CONFLICT) {
        assert_int_equal(steps, 1);
        assert_int_equal(s->settings->orient, DPC_RELAXED);
        steps = 0;
    } else {
        check_weakest(s, e);
    }
    dpc_explanation_free(e);
    return steps;
}

/* What the score says: in the DAG of dpc_class_member nothing is left to gain. */
static void check_gain(const struct studied *s, int a, int b)
{
    dpc_graph *dag = NULL;
    dpc_error err;
    int32_t parents[MAX_NODES];
    int count = 0;
    dpc_explanation *e = explain(s, a, b);
    ok_or_fail(dpc_class_member(dpc_result_graph(s->result), &dag, &err), &err);
    int u = e->test.what.from, v = a + b - u;
    for (int w = 0; w < dag->n_nodes; w++)
        if (w != u && w != v && dpc_graph_mark(dag, w, v) == DPC_FORWARD)
            parents[count++] = w;
    assert_true(e->test.what.kind == DPC_SEP_NONE && e->test.what.size == count);
    assert_true(same_set(e->test.members, parents, count));
    double r = slow_partial(s->c, u, v, parents, count), n_obs = (double)s->c->n_obs;
    double penalty = s->settings->penalty > 0 ? s->settings->penalty : 1; /* N is large */
    double gain = -n_obs / 2 * log(1 - r * r) - penalty * log(n_obs);
    assert_true(fabs(gain - e->gain) < 1e-6 * (1 + fabs(gain)));
    if (e->mark == DPC_NONE)
        assert_true(e->gain < 1e-6);
    else
        assert_true(e->gain > -1e-6 && dpc_graph_mark(dag, u, v) == DPC_FORWARD);
    dpc_graph_free(dag);
    dpc_explanation_free(e);
}

/* Checks the chains of all arrows of many graphs, and counts their steps by kind. */
static void check_chains(uint64_t seed, bool knowing, int64_t kinds[DPC_REASON_CONTESTED + 1])
{
    gsl_rng *rng = seeded(seed);
    int64_t long_chains = 0, lost = 0;
    for (int number = 0; number < repeats(knowing ? N_KNOWING_CHAINS : N_CHAINS); number++) {
        dpc_settings settings;
        dpc_settings_default(&settings);
        settings.alpha = draw_log(rng, 0.005, 0.2);
        settings.method = (dpc_method)(number % (knowing ? 3 : 4));
        settings.variant = (dpc_variant)draw_int(rng, 0, 1);
        settings.rule = settings.method == DPC_GES ? DPC_RULE_OR : (dpc_rule)draw_int(rng, 0, 1);
        settings.orient = (dpc_orientation)(number / 4 % 4);
        if (knowing && number % 2 == 0) /* the one that has to decide all triples */
            settings.orient = DPC_CONSISTENT;
        settings.graph = number % 5 == 4 ? DPC_PATTERN : DPC_CPDAG;
        settings.order = (dpc_order)draw_int(rng, 0, 1);
        settings.keep_separating_sets = settings.method != DPC_GES;
        settings.threads = 1;
        struct sample_model model = {.n = draw_int(rng, 8, 30), .n_obs = draw_int(rng, 60, 600)};
        model.parents = 1 + 1.5 * gsl_rng_uniform(rng);
        struct sample sample = sample_draw(&model, rng);
        dpc_knowledge *known = knowing ? draw_any_knowledge(model.n, rng) : NULL;
        settings.knowledge = known;
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
        dpc_knowledge_free(known);
        sample_free(&sample);
    }
    gsl_rng_free(rng);
    for (int kind = 0; kind <= DPC_REASON_CONTESTED; kind++)
        print_message("%s %lld; ", dpc_word(DPC_WORD_REASON, (dpc_reason_kind)kind),
                      (long long)kinds[kind]);
    print_message("%lld chains of more than two steps\n", (long long)long_chains);
    assert_true(long_chains > share(50));
    assert_int_equal(lost, 0);
}

static void test_chains(void **state)
{
    (void)state;
    int64_t kinds[DPC_REASON_CONTESTED + 1] = {0};
    check_chains(20240612, false, kinds);
    for (int kind = 0; kind <= DPC_REASON_RULE_3; kind++)
        assert_true(kinds[kind] >= share(1));
    assert_true(kinds[DPC_REASON_CONTESTED] >= share(1));
    assert_true(kinds[DPC_REASON_RULE_4] == 0 && kinds[DPC_REASON_KNOWLEDGE] == 0);
}

static void test_chains_with_knowledge(void **state)
{
    (void)state;
    int64_t kinds[DPC_REASON_CONTESTED + 1] = {0};
    check_chains(20240615, true, kinds);
    for (int kind = 0; kind < DPC_REASON_CONFLICT; kind++)
        assert_true(kinds[kind] >= share(1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chains),
        cmocka_unit_test(test_chains_with_knowledge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
