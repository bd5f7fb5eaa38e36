/*
 * dpc_learn against the slow twin (tests/support/reference.c) on random sample correlations:
 * the same graph, the same separating sets, the same partial correlations, the same edges left
 * after each level, and as many tests as the plain algorithm makes without those that it knows.
 *
 * Half of the samples are awkward: exact copies and sums of columns, columns that nearly are,
 * fewer observations than variables. There a conditional variance decides, against 1e-10,
 * whether a test exists at all, and two exact methods may disagree about one that lies near that
 * boundary. So where the twin met a variance between 1e-12 and 1e-8, or a verdict closer than
 * rounding can tell, only what must hold always is compared; all the rest is compared exactly
 * (partial correlations to 1e-9), and is asserted to be the larger part.
 *
 * Once more with an N for each test, as missing cells make it.
 */
#include "cases.h"
#include "repeat.h"
#include "twin.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum {
    N_SAMPLES = 1600,
    N_AND = 1000,
    N_HOLES = 1000,
    SMALL = 14,
    N_CROWDED = 3,
    CROWDED_RUNS = 12 * N_CROWDED,
    MAX_NODES = 40
};

/* One run of both, and the words a failure starts with. */
struct comparison {
    const struct sample *sample;
    const dpc_settings *settings;
    const struct reference *twin;
    const dpc_result *result;
    char words[256];
};

/* What was compared how, by flaw. */
struct tally {
    int exact[FLAW_N_FLAWS], loose[FLAW_N_FLAWS];
    int refused;                    /* exact comparisons in which something was singular */
    int64_t sets[DPC_SEP_DUAL + 1]; /* pairs compared exactly, by dpc_sep_kind */
    int64_t high;                   /* of these, separated at level 3 or above */
    int64_t one_sided, apart;       /* see reference.h */
    int again;                      /* of the exact ones, more tests than the twin needs */
    int crowded;                    /* exact comparisons with a mean degree over 32 at level 1 */
};

static struct sample_model draw_model(gsl_rng *rng)
{
    struct sample_model model = {.n = draw_int(rng, 2, 10)};
    /* Large ones are rare: the twin's time grows like 2ⁿ. */
    if (draw_int(rng, 0, 9) == 0)
        model.n = draw_int(rng, 11, SMALL);
    model.n_obs = (int64_t)draw_log(rng, 8, 201);
    model.parents = gsl_rng_uniform(rng) * (model.n < 11 ? 0.7 * model.n : 2);
    if (model.n > 6 && draw_int(rng, 0, 3) == 0) {
        model.roots = draw_int(rng, 3, model.n - 3);
        model.parents = model.n;
        model.n_obs = draw_int(rng, 50, 200);
    }
    if (draw_int(rng, 0, 1))
        model.flaw = (enum flaw)draw_int(rng, FLAW_COPY, FLAW_NOISE);
    return model;
}

static dpc_settings draw_settings(gsl_rng *rng)
{
    dpc_settings settings;
    dpc_settings_default(&settings);
    settings.orient = DPC_RELAXED; /* what the twin does */
    settings.order = DPC_ORDER_GIVEN;
    settings.alpha = draw_log(rng, 0.001, 0.3);
    if (draw_int(rng, 0, 3) == 0)
        settings.alpha_dual = draw_log(rng, 0.001, 0.3);
    if (draw_int(rng, 0, 3) == 0)
        settings.max_order = draw_int(rng, 0, 4);
    settings.min_ess = draw_int(rng, 0, 1) ? draw_int(rng, 1, 30) : 1 + 5 * gsl_rng_uniform(rng);
    settings.threads = draw_int(rng, 1, 2);
    settings.keep_separating_sets = true;
    return settings;
}

static bool comparable(const struct reference *twin)
{
    return twin->largest_refused < 1e-10 && twin->least_variance > 1e-8 &&
           twin->least_margin > 1e-14 / twin->least_product;
}

/* ---- What must hold always --------------------------------------------- */

static void check_form(const struct comparison *c)
{
    const dpc_graph *graph = dpc_result_graph(c->result);
    int n = c->sample->correlation.n_vars;
    assert_int_equal(graph->n_nodes, n);
    for (int64_t e = 0; e < graph->n_edges; e++) {
        const dpc_edge *edge = &graph->edges[e], *last = edge - 1;
        bool marked =
            edge->mark == DPC_UNDIRECTED || edge->mark == DPC_FORWARD || edge->mark == DPC_BACKWARD;
        bool sorted = e == 0 || last->a < edge->a || (last->a == edge->a && last->b < edge->b);
        if (!(0 <= edge->a && edge->a < edge->b && edge->b < n && marked && sorted))
            fail_msg("%s: edge %lld is malformed", c->words, (long long)e);
    }
    int64_t tests = 0;
    for (int level = 0; level < dpc_result_info(c->result)->n_levels; level++)
        tests += dpc_result_info(c->result)->levels[level].tests;
    assert_int_equal(tests, dpc_result_info(c->result)->tests);
}

/* A copy is never separated from its original: given any set, |r| is 1 or no test exists. */
static void check_copies(const struct comparison *c)
{
    if (c->sample->copy >= 0 && dpc_graph_mark(dpc_result_graph(c->result), c->sample->copy,
                                               c->sample->original) == DPC_NONE)
        fail_msg("%s: the copies %d and %d were separated", c->words, c->sample->copy,
                 c->sample->original);
}

/* ---- What must agree with the twin ------------------------------------- */

static void check_marks(const struct comparison *c)
{
    int n = c->sample->correlation.n_vars;
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
            if (a != b &&
                dpc_graph_mark(dpc_result_graph(c->result), a, b) != reference_mark(c->twin, a, b))
                fail_msg("%s: the mark of %d, %d is %d, not %d", c->words, a, b,
                         (int)dpc_graph_mark(dpc_result_graph(c->result), a, b),
                         (int)reference_mark(c->twin, a, b));
}

static bool same_members(const struct reference_sepset *wanted, const int32_t *members)
{
    for (int i = 0; i < wanted->size; i++)
        if (wanted->members[i] != members[i])
            return false;
    return true;
}

static double level_of_test(const dpc_settings *settings, dpc_sep_kind kind)
{
    bool primal = kind == DPC_SEP_MARGINAL || kind == DPC_SEP_PRIMAL;
    return primal || settings->alpha_dual == 0 ? settings->alpha : settings->alpha_dual;
}

/* The column that was tested in the place of a column. */
static int stands_for(const struct comparison *c, int column)
{
    const int32_t *copy_of = dpc_result_info(c->result)->copy_of;
    return copy_of != NULL && copy_of[column] >= 0 ? copy_of[column] : column;
}

static void check_set(const struct comparison *c, int a, int b)
{
    dpc_sepset found;
    int32_t members[MAX_NODES];
    const struct reference_sepset *wanted = &c->twin->sepsets[a * c->twin->n + b];
    separated(c->result, a, b, &found, members);
    if (found.kind != wanted->kind)
        fail_msg("%s: %d, %d separated as kind %d, not %d", c->words, a, b, (int)found.kind,
                 (int)wanted->kind);
    if (wanted->kind == DPC_SEP_NONE)
        return;
    if (found.size != wanted->size || !same_members(wanted, members))
        fail_msg("%s: %d, %d separated by another set of kind %d (size %d, not %d)", c->words, a, b,
                 (int)found.kind, found.size, wanted->size);
    if (found.level != wanted->level || found.from != wanted->from)
        fail_msg("%s: %d, %d separated at level %d from %d, not at %d from %d", c->words, a, b,
                 found.level, found.from, wanted->level, wanted->from);
    assert_int_equal(found.n_obs, slow_rows(&c->sample->correlation, stands_for(c, a),
                                            stands_for(c, b), members, found.size));
    double tolerance = fmax(1e-9, 1e-15 / c->twin->least_product);
    if (!(fabs(found.r - wanted->r) <= tolerance))
        fail_msg("%s: r of %d, %d is %.17g, not %.17g", c->words, a, b, found.r, wanted->r);
    if (!(found.p >= level_of_test(c->settings, found.kind) * (1 - 1e-6) && found.p <= 1))
        fail_msg("%s: p of %d, %d is %.17g, though independence was not rejected", c->words, a, b,
                 found.p);
}

/* The edges left after each level. The twin may go on to a level in which nothing can be done. */
static void check_levels(const struct comparison *c)
{
    const dpc_info *info = dpc_result_info(c->result);
    const struct reference *twin = c->twin;
    int64_t n = twin->n, before = n * (n - 1) / 2;
    if (info->n_levels > twin->n_levels)
        fail_msg("%s: %d levels, not %d", c->words, info->n_levels, twin->n_levels);
    for (int level = 0; level < twin->n_levels; level++) {
        int64_t left = level < info->n_levels ? info->levels[level].left : before;
        if (left != twin->left[level] ||
            (level < info->n_levels && info->levels[level].removed != before - left))
            fail_msg("%s: level %d leaves %lld edges, not %lld", c->words, level, (long long)left,
                     (long long)twin->left[level]);
        before = left;
    }
    assert_int_equal(before, dpc_result_graph(c->result)->n_edges);
    assert_int_equal(info->n_copies, twin->n_copies);
}

static void check_all(const struct comparison *c, struct tally *tally)
{
    enum flaw flaw = c->sample->flaw;
    check_form(c);
    check_copies(c);
    if (!comparable(c->twin)) {
        tally->loose[flaw]++;
        return;
    }
    check_marks(c);
    for (int a = 0; a < c->twin->n; a++) {
        for (int b = a + 1; b < c->twin->n; b++) {
            check_set(c, a, b);
            check_set(c, b, a);
            const struct reference_sepset *set = &c->twin->sepsets[a * c->twin->n + b];
            tally->sets[set->kind]++;
            tally->high += set->level >= 3;
        }
    }
    check_levels(c);
    /* Sets whose N forbade a dual test may be met again as primal ones, and the others with them.
     */
    bool uncertain = c->sample->correlation.rows != NULL &&
                     dpc_result_info(c->result)->tests > c->twin->distinct &&
                     dpc_result_info(c->result)->tests <= c->twin->tests;
    tally->again += uncertain;
    assert_int_equal(dpc_result_info(c->result)->left_out > 0, c->twin->left_out > 0);
    if (dpc_result_info(c->result)->tests != c->twin->distinct && !uncertain)
        fail_msg("%s: %lld tests, not %lld", c->words, (long long)dpc_result_info(c->result)->tests,
                 (long long)c->twin->distinct);
    tally->exact[flaw]++;
    tally->one_sided += c->twin->one_sided;
    tally->apart += c->twin->apart;
    tally->crowded += 2 * dpc_result_info(c->result)->levels[0].left > 32 * (int64_t)c->twin->n;
    tally->refused += c->twin->refused_inverses + c->twin->refused_tests > 0;
}

static void compare(int number, const struct sample *sample, const dpc_settings *settings,
                    struct tally *tally)
{
    dpc_result *result = NULL;
    dpc_error err;
    struct comparison c = {.sample = sample, .settings = settings};
    char words[200];
    describe_settings(settings, words, sizeof words);
    snprintf(c.words, sizeof c.words, "sample %d (%d × %lld, flaw %d) %s", number,
             sample->correlation.n_vars, (long long)sample->correlation.n_obs, (int)sample->flaw,
             words);
    if (dpc_learn(&sample->correlation, settings, &result, &err) != DPC_OK)
        fail_msg("%s: %s", c.words, err.message);
    struct reference *twin = twin_learn(&sample->correlation, settings);
    c.result = result;
    c.twin = twin;
    check_all(&c, tally);
    reference_free(twin);
    dpc_result_free(result);
}

static void report(const struct tally *tally)
{
    static const char *const names[] = {"ordinary", "copies", "sums", "near copies"};
    for (int flaw = 0; flaw < FLAW_N_FLAWS; flaw++)
        print_message("%-12s %5d runs compared exactly, %4d by their invariants\n", names[flaw],
                      tally->exact[flaw], tally->loose[flaw]);
    print_message("%d of the exact ones met singular matrices; sets compared: %lld marginal, %lld "
                  "full order, %lld full S, %lld primal, %lld dual; %lld at level 3 or above\n",
                  tally->refused, (long long)tally->sets[DPC_SEP_MARGINAL],
                  (long long)tally->sets[DPC_SEP_FULL_ORDER],
                  (long long)tally->sets[DPC_SEP_FULL_S], (long long)tally->sets[DPC_SEP_PRIMAL],
                  (long long)tally->sets[DPC_SEP_DUAL], (long long)tally->high);
    print_message("%lld edges with a set from one end, %lld pairs with sets of two levels; %d runs "
                  "with tests made twice\n",
                  (long long)tally->one_sided, (long long)tally->apart, tally->again);
}

static void compare_small(int samples, dpc_rule rule, bool holes, gsl_rng *rng, struct tally *tally)
{
    for (int number = 0; number < samples; number++) {
        struct sample_model model = draw_model(rng);
        model.holes = holes;
        struct sample sample = sample_draw(&model, rng);
        /* A matrix may be given with fewer observations than it has rank. */
        bool few = !holes && draw_int(rng, 0, 4) == 0 && model.n < 11;
        if (few)
            sample.correlation.n_obs = draw_int(rng, 4, model.n + 4);
        for (int i = 0; i < 6; i++) {
            dpc_settings settings = draw_settings(rng);
            settings.method = (dpc_method)(i % 3);
            settings.variant = (dpc_variant)(i / 3);
            settings.test = (dpc_test)draw_int(rng, 0, 1);
            settings.graph = (dpc_target)draw_int(rng, 0, 2);
            settings.rule = holes ? (dpc_rule)draw_int(rng, 0, 1) : rule;
            if (few) { /* or no edge would survive the first tests */
                settings.alpha = draw_log(rng, 0.3, 0.95);
                settings.min_ess = draw_int(rng, 1, 2);
            }
            compare(number, &sample, &settings, tally);
        }
        sample_free(&sample);
    }
    report(tally);
    assert_true(tally->exact[FLAW_NONE] > 50 * tally->loose[FLAW_NONE]);
    assert_true(tally->exact[FLAW_COPY] > 10 * tally->loose[FLAW_COPY]);
    assert_true(tally->exact[FLAW_SUM] > 10 * tally->loose[FLAW_SUM]);
    assert_true(tally->exact[FLAW_NOISE] > samples / 6);
    assert_true(tally->refused > samples / 2);
    for (int kind = DPC_SEP_MARGINAL; kind <= DPC_SEP_DUAL; kind++)
        assert_true(tally->sets[kind] > samples / 4);
    assert_true(tally->high > samples / 20);
}

static void test_small(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20240502);
    struct tally tally = {0};
    compare_small(repeats(N_SAMPLES), DPC_RULE_OR, false, rng, &tally);
    gsl_rng_free(rng);
}

static void test_small_and(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20240507);
    struct tally tally = {0};
    compare_small(repeats(N_AND), DPC_RULE_AND, false, rng, &tally);
    gsl_rng_free(rng);
    assert_true(tally.one_sided > share(N_AND));
    assert_true(tally.apart > share(N_AND) / 4);
}

static void test_small_holes(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20240508);
    struct tally tally = {0};
    compare_small(repeats(N_HOLES), DPC_RULE_OR, true, rng, &tally);
    gsl_rng_free(rng);
}

/* The smallest inputs: each is either refused or treated as the page says, so no edge goes
 * untested. */
static void test_smallest(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20240506);
    struct tally tally = {0};
    for (int number = 0; number < 15 * 12; number++) {
        struct sample_model model = {.n = 1 + number % 3, .n_obs = 20, .parents = 1};
        struct sample sample = sample_draw(&model, rng);
        sample.correlation.n_obs = 1 + number / 3 % 5;
        dpc_settings settings = draw_settings(rng);
        settings.method = (dpc_method)(number / 15 % 3);
        settings.variant = (dpc_variant)(number / 45 % 2);
        settings.rule = (dpc_rule)(number / 90);
        settings.min_ess = 1;
        dpc_result *result = NULL;
        dpc_status status = dpc_learn(&sample.correlation, &settings, &result, NULL);
        dpc_result_free(result);
        if (status == DPC_OK)
            compare(number, &sample, &settings, &tally);
        else
            assert_true(model.n < 2 || sample.correlation.n_obs < 4);
        sample_free(&sample);
    }
    gsl_rng_free(rng);
    assert_true(tally.exact[FLAW_NONE] >= 2 * 2 * 12);
}

/*
 * Neighbourhoods of more than 32 others, where a level is swept in another order. A few strong
 * common causes make nearly all pairs dependent, and a lax alpha_dual keeps the tests of level 0
 * from deleting too much; the twin can follow only to low orders.
 */
static void test_crowded(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20240505);
    struct tally tally = {0};
    for (int number = 0; number < N_CROWDED; number++) {
        struct sample_model model = {.n = number == 0 ? 35 : draw_int(rng, 36, MAX_NODES),
                                     .n_obs = draw_int(rng, 60, 100),
                                     .flaw = number % 2 ? FLAW_COPY : FLAW_NONE,
                                     .roots = 5};
        model.parents = model.n;
        struct sample sample = sample_draw(&model, rng);
        for (int i = 0; i < 12; i++) {
            dpc_settings settings = draw_settings(rng);
            settings.method = (dpc_method)(i % 3);
            settings.variant = (dpc_variant)(i / 3 % 2);
            settings.rule = (dpc_rule)(i / 6);
            settings.alpha = 0.3;
            settings.alpha_dual = 0.95;
            settings.min_ess = number == 0 ? 1 : 100; /* 100: no dual tests */
            settings.max_order = number == 0 ? 1 : 2;
            /* 5 deals a few of all methods, variants, rules and samples to a short run */
            if (5 * (12 * number + i) % CROWDED_RUNS < repeats(CROWDED_RUNS))
                compare(number, &sample, &settings, &tally);
        }
        sample_free(&sample);
    }
    gsl_rng_free(rng);
    report(&tally);
    assert_true(tally.crowded >= share(12));
}

/*
 * Columns that are nearly copies of a hidden one: a neighbourhood of so many is left out from level
 * 3 on. Two more are caused by it, and one is free of all, so that something is separated.
 */
static void test_left_out(void **state)
{
    (void)state;
    struct tally tally = {0};
    int64_t left_out = 0;
    for (int number = 0; number < 12; number++) {
        double noise = 5e-7, r[MAX_NODES * MAX_NODES];
        int n = 38;
        struct sample sample = {
            .correlation = {.n_vars = n, .n_obs = 300, .r = r}, .flaw = FLAW_NOISE, .copy = -1};
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                double load = (i < 2    ? 0.6
                               : i == 2 ? 0
                                        : 1 / sqrt(1 + noise)) *
                              (j < 2    ? 0.6
                               : j == 2 ? 0
                                        : 1 / sqrt(1 + noise));
                r[i * n + j] = i == j ? 1 : load;
            }
        dpc_settings settings;
        dpc_settings_default(&settings);
        settings.orient = DPC_RELAXED;
        settings.order = DPC_ORDER_GIVEN;
        settings.keep_separating_sets = true;
        settings.method = (dpc_method)(number % 3);
        settings.variant = (dpc_variant)(number / 3 % 2);
        settings.rule = (dpc_rule)(number / 6);
        settings.alpha = 0.05;
        settings.min_ess = 1000; /* the tests given all others would separate them */
        if (number >= repeats(12))
            continue;
        compare(number, &sample, &settings, &tally);
        struct reference *twin = twin_learn(&sample.correlation, &settings);
        left_out += twin->left_out;
        reference_free(twin);
    }
    report(&tally);
    assert_true(tally.exact[FLAW_NOISE] > 0 && left_out > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small),       cmocka_unit_test(test_small_and),
        cmocka_unit_test(test_small_holes), cmocka_unit_test(test_smallest),
        cmocka_unit_test(test_crowded),     cmocka_unit_test(test_left_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
