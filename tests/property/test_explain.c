/*
 * Explanations (docs/algorithm.md, section 15).
 *
 * Tests of a pair are compared with the slow twin, which notes the weakest test of each pair while
 * it searches. Intervals are computed once more by an elimination in long double. Permuting the
 * columns permutes the explanations. All of it with background knowledge too, which need not be
 * true. Chains of reasons are in test_reasons.c.
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

enum { N_TWIN = 700, N_PERMUTED = 120 };

static double alpha_of(const dpc_settings *s, dpc_sep_kind kind)
{
    bool primal = kind == DPC_SEP_MARGINAL || kind == DPC_SEP_PRIMAL;
    return primal || s->alpha_dual == 0 ? s->alpha : s->alpha_dual;
}

/* ---- Tests of pairs, against the twin ----------------------------------- */

static bool comparable(const struct reference *twin)
{
    return twin->largest_refused < 1e-12 && twin->least_variance > 1e-6 &&
           twin->least_margin > 1e-10;
}

/* What a test says of itself must be so. */
static void check_test(const struct studied *s, const dpc_explanation *e, const dpc_pair_test *test,
                       bool separates)
{
    const dpc_sepset *what = &test->what;
    const int32_t *copy_of = dpc_result_info(s->result)->copy_of;
    int a = copy_of != NULL && copy_of[e->a] >= 0 ? copy_of[e->a] : e->a;
    int b = copy_of != NULL && copy_of[e->b] >= 0 ? copy_of[e->b] : e->b;
    if (a == b) { /* two copies; otherwise the columns that were tested */
        a = e->a;
        b = e->b;
    }
    int64_t n_obs = slow_rows(s->c, a, b, test->members, what->size);
    assert_int_equal(what->n_obs, n_obs);
    assert_int_equal(test->ess, n_obs - what->size - 3);
    assert_int_equal(what->from == -1, what->level == 0);
    assert_true(what->from == -1 || what->from == e->a || what->from == e->b);
    if (what->kind == DPC_SEP_PRIMAL || what->kind == DPC_SEP_MARGINAL)
        assert_int_equal(what->size, what->level);
    for (int i = 0; i < what->size; i++) {
        assert_true(test->members[i] != e->a && test->members[i] != e->b);
        assert_true(i == 0 || test->members[i - 1] < test->members[i]);
    }
    double r = slow_partial(s->c, a, b, test->members, what->size);
    if (!(fabs(r - what->r) < 1e-8))
        fail_msg("%s: r of %d, %d is %g, not %g", s->words, e->a, e->b, what->r, r);
    if (separates != (what->p > alpha_of(s->settings, what->kind)))
        fail_msg("%s: p of %d, %d is %g", s->words, e->a, e->b, what->p);
}

static void check_interval(const struct studied *s, const dpc_explanation *e)
{
    int32_t set[MAX_NODES];
    int size = 0;
    for (int v = 0; v < s->c->n_vars; v++) {
        bool near_a = v != e->b && dpc_graph_mark(dpc_result_graph(s->result), e->a, v) != DPC_NONE;
        bool near_b = v != e->a && dpc_graph_mark(dpc_result_graph(s->result), e->b, v) != DPC_NONE;
        assert_int_equal(near_a, contains(e->near_a, e->n_near_a, v));
        assert_int_equal(near_b, contains(e->near_b, e->n_near_b, v));
        if (near_a || near_b)
            set[size++] = v;
    }
    assert_int_equal(e->order, size);
    int64_t ess = slow_rows(s->c, e->a, e->b, set, size) - size - 3;
    if (ess < 1) {
        assert_true(isnan(e->r) && isnan(e->low) && isnan(e->high));
        return;
    }
    if (isnan(e->r))
        return; /* singular */
    double r = slow_partial(s->c, e->a, e->b, set, size);
    assert_true(fabs(r - e->r) < 1e-7);
    double half = 1.959963984540054 / sqrt((double)ess);
    assert_true(fabs(e->low - tanh(atanh(e->r) - half)) < 1e-9);
    assert_true(fabs(e->high - tanh(atanh(e->r) + half)) < 1e-9);
}

static void check_absent(const struct studied *s, const dpc_explanation *e,
                         const struct reference *twin)
{
    int32_t members[MAX_NODES];
    dpc_sepset set;
    const dpc_sepset *what = &e->test.what;
    separated(s->result, e->a, e->b, &set, members);
    assert_true(what->kind == set.kind && what->level == set.level && what->from == set.from &&
                what->size == set.size && same_set(e->test.members, members, set.size));
    if (!isnan(set.r))
        assert_true(what->r == set.r && what->p == set.p);
    check_test(s, e, &e->test, true);
    /* the set comes from the neighbours of its end */
    const int32_t *near = what->from == e->a ? e->near_a : e->near_b;
    int n_near = what->from == e->a ? e->n_near_a : e->n_near_b;
    for (int i = 0; i < what->size && what->level > 0; i++)
        assert_true(contains(near, n_near, members[i]));
    if (what->kind == DPC_SEP_FULL_S)
        assert_int_equal(n_near, what->size);
    if (s->settings->rule != DPC_RULE_AND || what->level == 0) {
        assert_int_equal(e->other.what.kind, DPC_SEP_NONE);
        return;
    }
    const struct reference_sepset *second = &twin->second[e->a * s->c->n_vars + e->b];
    const dpc_sepset *other = &e->other.what;
    if (other->kind != second->kind || other->level != second->level ||
        other->from != second->from || other->size != second->size ||
        !same_set(e->other.members, second->members, second->size))
        fail_msg("%s: the second set of %d, %d is not that of the twin", s->words, e->a, e->b);
    check_test(s, e, &e->other, true);
}

static void check_present(const struct studied *s, const dpc_explanation *e,
                          const struct reference *twin)
{
    double p = twin->weakest[e->a * s->c->n_vars + e->b];
    assert_true(e->all_tests);
    assert_int_equal(e->test.what.kind == DPC_SEP_NONE, p < 0);
    if (p >= 0) {
        check_test(s, e, &e->test, false);
        if (p > 1e-280 && !(fabs(e->test.what.p - p) <= 1e-5 * p))
            fail_msg("%s: the weakest test of %d, %d has p = %g, not %g", s->words, e->a, e->b,
                     e->test.what.p, p);
    }
    if (e->other.what.kind != DPC_SEP_NONE) {
        assert_int_equal(s->settings->rule, DPC_RULE_AND);
        check_test(s, e, &e->other, true);
    }
}

/* What knowledge alone decides of a pair without an edge. */
static dpc_known_kind absent_by(const dpc_knowledge *k, int a, int b)
{
    int first = dpc_knowledge_tier_of(k, a), second = dpc_knowledge_tier_of(k, b);
    if (!dpc_knowledge_forbids(k, a, b) || !dpc_knowledge_forbids(k, b, a))
        return DPC_KNOWN_CIRCLE;
    return first >= 0 && second >= 0 ? DPC_KNOWN_TIERS : DPC_KNOWN_FORBIDDEN;
}

/* Has the knowledge decided on the pair, and is that told? True: there is nothing else to check. */
static bool check_decided(const struct studied *s, const dpc_explanation *e)
{
    const dpc_knowledge *k = s->settings->knowledge;
    bool required = k != NULL && (dpc_knowledge_requires(k, e->a, e->b) ||
                                  dpc_knowledge_requires(k, e->b, e->a));
    dpc_sepset set;
    separated(s->result, e->a, e->b, &set, NULL);
    assert_int_equal(e->known == DPC_KNOWN_REQUIRED, required);
    assert_int_equal(e->known > DPC_KNOWN_REQUIRED, set.kind == DPC_SEP_FORBIDDEN);
    if (e->known == DPC_KNOWN_NOTHING)
        return false;
    assert_true(e->tests == 0 && e->test.what.size == 0 && e->other.what.kind == DPC_SEP_NONE);
    assert_int_equal(e->test.what.kind, required ? DPC_SEP_NONE : DPC_SEP_FORBIDDEN);
    assert_int_equal(e->mark != DPC_NONE, required);
    dpc_known_kind by = required ? DPC_KNOWN_REQUIRED : absent_by(k, e->a, e->b);
    /* where both are in tiers, one direction may have been forbidden by itself */
    assert_true(e->known == by || (by == DPC_KNOWN_TIERS && e->known == DPC_KNOWN_FORBIDDEN));
    return true;
}

struct tally {
    int64_t present, absent, one_sided, second, high, dual, compared;
    int64_t decided[DPC_KNOWN_CIRCLE + 1];
};

/* The counts of the twin are about these. */
static bool took_part(const struct studied *s, int column)
{
    const int32_t *copy_of = dpc_result_info(s->result)->copy_of;
    return copy_of == NULL || copy_of[column] < 0;
}

static void check_all_pairs(const struct studied *s, const struct reference *twin, struct tally *t)
{
    int64_t one_sided = 0;
    for (int a = 0; a < s->c->n_vars; a++)
        for (int b = 0; b < s->c->n_vars; b++) {
            if (a == b)
                continue;
            dpc_explanation *e = explain(s, a, b);
            t->decided[e->known]++;
            if (check_decided(s, e)) {
                if (e->mark != DPC_NONE)
                    check_interval(s, e);
            } else if (e->mark == DPC_NONE) {
                check_absent(s, e, twin);
                t->absent++;
                t->second += e->other.what.kind != DPC_SEP_NONE;
            } else {
                check_present(s, e, twin);
                check_interval(s, e);
                t->present++;
                one_sided +=
                    e->other.what.kind != DPC_SEP_NONE && took_part(s, a) && took_part(s, b);
                t->high += e->test.what.level > 1;
                t->dual += e->test.what.kind == DPC_SEP_DUAL;
            }
            dpc_explanation_free(e);
        }
    assert_int_equal(one_sided, 2 * twin->one_sided);
    t->one_sided += one_sided;
}

static struct sample draw_sample(int number, gsl_rng *rng)
{
    struct sample_model model = {.n = draw_int(rng, 2, 10)};
    model.n_obs = (int64_t)draw_log(rng, 9, 300);
    model.parents = gsl_rng_uniform(rng) * 0.6 * model.n;
    if (model.n > 6 && number % 4 == 0) {
        model.roots = draw_int(rng, 3, model.n - 3);
        model.parents = model.n;
    }
    if (number % 5 == 0)
        model.flaw = (enum flaw)draw_int(rng, FLAW_COPY, FLAW_SUM);
    model.holes = number % 3 == 1;
    return sample_draw(&model, rng);
}

static dpc_settings draw_settings(int number, gsl_rng *rng)
{
    dpc_settings s;
    dpc_settings_default(&s);
    s.alpha = draw_log(rng, 0.001, 0.3);
    s.alpha_dual = draw_int(rng, 0, 3) == 0 ? draw_log(rng, 0.001, 0.3) : 0;
    s.max_order = draw_int(rng, 0, 4) == 0 ? draw_int(rng, 0, 3) : DPC_NO_MAX_ORDER;
    s.min_ess = draw_int(rng, 1, 30);
    s.test = (dpc_test)draw_int(rng, 0, 1);
    s.method = (dpc_method)(number % 3);
    s.variant = (dpc_variant)(number / 3 % 2);
    s.rule = (dpc_rule)(number / 6 % 2);
    s.orient = DPC_RELAXED;
    s.order = DPC_ORDER_GIVEN;
    s.threads = 1;
    s.keep_separating_sets = draw_int(rng, 0, 1);
    return s;
}

static struct tally compare_with_twins(uint64_t seed, bool knowing)
{
    gsl_rng *rng = seeded(seed);
    struct tally t = {0};
    for (int number = 0; number < repeats(N_TWIN); number++) {
        dpc_settings settings = draw_settings(number, rng);
        struct sample sample = draw_sample(number, rng);
        dpc_knowledge *known = knowing ? draw_any_knowledge(sample.correlation.n_vars, rng) : NULL;
        settings.knowledge = known;
        struct reference *twin = twin_learn(&sample.correlation, &settings);
        struct studied s = {&sample.correlation, &settings, NULL, ""};
        snprintf(s.words, sizeof s.words, "sample %d", number);
        if (comparable(twin)) {
            s.result = learn(s.c, &settings);
            check_all_pairs(&s, twin, &t);
            dpc_result_free(s.result);
            t.compared++;
        }
        reference_free(twin);
        dpc_knowledge_free(known);
        sample_free(&sample);
    }
    gsl_rng_free(rng);
    print_message("%lld samples: %lld edges, %lld one-sided, weakest %lld times above level 1 and "
                  "%lld times dual; %lld others, %lld with a second set\n",
                  (long long)t.compared, (long long)t.present, (long long)t.one_sided,
                  (long long)t.high, (long long)t.dual, (long long)t.absent, (long long)t.second);
    assert_true(t.compared > share(N_TWIN) / 2);
    return t;
}

static void test_tests(void **state)
{
    (void)state;
    struct tally t = compare_with_twins(20240613, false);
    assert_true(t.one_sided > share(100) && t.second > share(100));
    assert_true(t.high > share(100) && t.dual > share(20));
}

static void test_tests_with_knowledge(void **state)
{
    (void)state;
    struct tally t = compare_with_twins(20240614, true);
    print_message("decided by knowledge: %lld required, %lld forbidden, %lld by tiers, %lld in a "
                  "circle\n",
                  (long long)t.decided[DPC_KNOWN_REQUIRED],
                  (long long)t.decided[DPC_KNOWN_FORBIDDEN], (long long)t.decided[DPC_KNOWN_TIERS],
                  (long long)t.decided[DPC_KNOWN_CIRCLE]);
    assert_true(t.one_sided > share(20) && t.second > share(20));
    assert_true(t.high > share(20) && t.dual > share(5));
    for (int kind = DPC_KNOWN_REQUIRED; kind <= DPC_KNOWN_CIRCLE; kind++)
        assert_true(t.decided[kind] >= share(1));
}

/* ---- Columns ------------------------------------------------------------ */

static void check_same_test(const dpc_pair_test *p, const dpc_pair_test *q, const int *order,
                            const char *words)
{
    bool same = p->what.kind == q->what.kind && p->what.level == q->what.level &&
                p->what.size == q->what.size &&
                memcmp(&p->what.r, &q->what.r, sizeof p->what.r) == 0 &&
                (q->what.from < 0 ? p->what.from < 0 : p->what.from == order[q->what.from]);
    for (int i = 0; same && i < q->what.size; i++)
        same = contains(p->members, p->what.size, order[q->members[i]]);
    if (!same)
        fail_msg("%s: a test depends on the order of the columns", words);
}

/* What move_knowledge keeps of it: flags of tiers have become edges that are forbidden. */
static dpc_known_kind plainly(dpc_known_kind known)
{
    return known == DPC_KNOWN_TIERS ? DPC_KNOWN_FORBIDDEN : known;
}

static void check_same_reasons(const dpc_explanation *p, const dpc_explanation *q, const int *order,
                               const char *words)
{
    bool same = p->n_reasons == q->n_reasons;
    for (int i = 0; same && i < p->n_reasons; i++) {
        const dpc_reason *r = &p->reasons[i], *o = &q->reasons[i];
        same = r->kind == o->kind && r->known == o->known && r->from == order[o->from] &&
               r->to == order[o->to] &&
               (isnan(r->evidence) ? isnan(o->evidence) : r->evidence == o->evidence);
        for (int k = 0; same && k < 2; k++)
            same = o->other[k] < 0 ? r->other[k] < 0 : r->other[k] == order[o->other[k]];
    }
    if (!same)
        fail_msg("%s: the reasons depend on the order of the columns", words);
}

static void test_columns(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20240613);
    for (int number = 0; number < repeats(N_PERMUTED); number++) {
        dpc_settings settings = draw_settings(number, rng);
        settings.orient = (dpc_orientation)(number % 4);
        settings.order = DPC_ORDER_CANONICAL;
        settings.keep_separating_sets = true;
        struct sample_model model = {
            .n = draw_int(rng, 4, 14), .n_obs = draw_int(rng, 40, 300), .parents = 1.2};
        struct sample sample = sample_draw(&model, rng);
        int n = model.n, order[MAX_NODES];
        double r[MAX_NODES * MAX_NODES];
        for (int i = 0; i < n; i++)
            order[i] = i;
        gsl_ran_shuffle(rng, order, (size_t)n, sizeof *order);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                r[i * n + j] = sample.correlation.r[order[i] * n + order[j]];
        dpc_correlation other = {.n_vars = n, .n_obs = model.n_obs, .r = r};
        int32_t place[MAX_NODES];
        for (int i = 0; i < n; i++)
            place[order[i]] = i;
        dpc_knowledge *known = number % 2 ? draw_any_knowledge(n, rng) : NULL;
        dpc_knowledge *moved = known != NULL ? move_knowledge(known, n, place) : NULL;
        settings.knowledge = known;
        dpc_settings there = settings;
        there.knowledge = moved;
        struct studied first = {&sample.correlation, &settings,
                                learn(&sample.correlation, &settings), ""};
        struct studied second = {&other, &there, learn(&other, &there), ""};
        snprintf(first.words, sizeof first.words, "sample %d", number);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                if (i == j)
                    continue;
                dpc_explanation *p = explain(&first, order[i], order[j]);
                dpc_explanation *q = explain(&second, i, j);
                assert_int_equal(p->mark, q->mark);
                assert_int_equal(plainly(p->known), plainly(q->known));
                check_same_test(&p->test, &q->test, order, first.words);
                check_same_test(&p->other, &q->other, order, first.words);
                assert_int_equal(p->n_near_a, q->n_near_a);
                for (int k = 0; k < q->n_near_a; k++)
                    assert_true(contains(p->near_a, p->n_near_a, order[q->near_a[k]]));
                check_same_reasons(p, q, order, first.words);
                dpc_explanation_free(p);
                dpc_explanation_free(q);
            }
        dpc_result_free(first.result);
        dpc_result_free(second.result);
        dpc_knowledge_free(known);
        dpc_knowledge_free(moved);
        sample_free(&sample);
    }
    gsl_rng_free(rng);
}

/* ---- Limits ------------------------------------------------------------- */

/* Two columns that no set can separate, and a sample too small for their neighbours. */
static void test_limits(void **state)
{
    (void)state;
    enum { N = 12 };
    double r[N * N];
    for (int i = 0; i < N * N; i++)
        r[i] = i / N == i % N ? 1 : 0.9;
    dpc_correlation c = {.n_vars = N, .n_obs = 10, .r = r};
    dpc_settings settings;
    dpc_settings_default(&settings);
    settings.alpha = 0.9;
    settings.max_order = 3;
    struct studied s = {&c, &settings, learn(&c, &settings), ""};
    dpc_explanation *e = explain(&s, 3, 7), *untouched = NULL;
    dpc_error err;
    assert_true(e->mark != DPC_NONE && e->order == N - 2);
    assert_true(isnan(e->r) && isnan(e->low) && isnan(e->high));
    assert_true(e->all_tests && e->tests > 100);
    dpc_explanation_free(e);
    assert_int_equal(dpc_explain(s.result, 3, 3, NULL, NULL, &untouched, &err), DPC_USAGE);
    assert_int_equal(dpc_explain(s.result, 3, N, NULL, NULL, &untouched, &err), DPC_USAGE);
    assert_null(untouched);

    dpc_replay replay; /* after so many tests it gives up, and says so */
    dpc_crew crew;
    dpc_crew_init(&crew, &settings, DPC_STAGE_ORIENT);
    ok_or_fail(dpc_replay_init(s.result, &settings, &crew, 0, &replay, &err), &err);
    replay.most_tests = 25;
    for (int level = 1; level <= 3; level++)
        dpc_replay_visit(&replay, 3, 7, level);
    assert_true(replay.exhausted);
    assert_int_equal(replay.tests, 25);
    dpc_replay_clear(&replay);
    dpc_result_free(s.result);
}

static int stop(const dpc_progress *progress, void *user)
{
    (void)progress;
    (void)user;
    return 1;
}

/* A copy: the pair is joined, and nothing tells its ends apart. */
static void test_copies_and_stops(void **state)
{
    (void)state;
    double r[] = {1, 1, 0.5, 1, 1, 0.5, 0.5, 0.5, 1};
    dpc_correlation c = {.n_vars = 3, .n_obs = 100, .r = r};
    dpc_settings settings;
    dpc_settings_default(&settings);
    struct studied s = {&c, &settings, learn(&c, &settings), ""};
    dpc_explanation *e = explain(&s, 0, 1);
    assert_int_equal(e->test.what.kind, e->test.what.size == 0 ? DPC_SEP_MARGINAL : DPC_SEP_PRIMAL);
    assert_true(e->test.what.p == 0);
    dpc_explanation_free(e);
    dpc_result_free(s.result);

    enum { N = 24 };
    static double many[N * N];
    for (int i = 0; i < N * N; i++)
        many[i] = i / N == i % N ? 1 : 0.9;
    dpc_correlation crowd = {.n_vars = N, .n_obs = 1000000, .r = many};
    settings.max_order = 4;
    s = (struct studied){&crowd, &settings, learn(&crowd, &settings), ""};
    dpc_error err;
    e = NULL;
    assert_int_equal(dpc_explain(s.result, 0, 1, stop, NULL, &e, &err), DPC_INTERRUPTED);
    assert_null(e);
    dpc_result_free(s.result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tests),
        cmocka_unit_test(test_tests_with_knowledge),
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_copies_and_stops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
