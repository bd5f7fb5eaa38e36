/*
 * Copies, and columns that are nearly copies, hang nothing and change nothing else: what is learned
 * of a sample with copies is what is learned of it without them, with as many tests; where a graph
 * would have to be enumerated that no test can divide, the number of tests has a bound. No clock is
 * asked: tests are counted.
 */
#include "cases.h"
#include "repeat.h"
#include "same.h"
#include "valid.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N_COPIED = 300, N_PERMUTED = 300, MANY = 100, MOST = 160 };

/* ---- Matrices ---------------------------------------------------------- */

static dpc_correlation new_matrix(int n, int64_t n_obs)
{
    dpc_correlation c = {.n_vars = n, .n_obs = n_obs, .r = malloc((size_t)n * n * sizeof(double))};
    assert_non_null(c.r);
    for (int i = 0; i < n * n; i++)
        c.r[i] = i / n == i % n;
    return c;
}

static void set(dpc_correlation *c, int a, int b, double r)
{
    c->r[a * c->n_vars + b] = c->r[b * c->n_vars + a] = r;
}

/* The columns of[0], of[1], …, each with its sign: a column that comes twice is a copy. */
static dpc_correlation chosen(const dpc_correlation *from, const int *of, const int *sign, int n)
{
    dpc_correlation c = new_matrix(n, from->n_obs);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            set(&c, i, j, sign[i] * sign[j] * from->r[of[i] * from->n_vars + of[j]]);
    return c;
}

/*
 * Column 0, `others` that it causes, and k columns which are it but for noise of a standard
 * deviation; without it, where it is `hidden`.
 */
static dpc_correlation noisy(int others, int k, double noise, bool hidden, int64_t n_obs)
{
    int first = hidden ? 0 : 1, n = first + others + k;
    double load[MOST], cause = 1 / sqrt(1 + noise * noise);
    dpc_correlation c = new_matrix(n, n_obs);
    load[0] = 1;
    for (int i = 0; i < others; i++)
        load[first + i] = 0.5;
    for (int i = 0; i < k; i++)
        load[first + others + i] = cause;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            set(&c, i, j, load[i] * load[j]);
    return c;
}

/* x[i + 1] = w x[i] + e, where most weights are above 1: later ones are nearly copies. */
static dpc_correlation chain(gsl_rng *rng, int n, int64_t n_obs)
{
    double variance = 1, link[MOST];
    dpc_correlation c = new_matrix(n, n_obs);
    for (int i = 0; i + 1 < n; i++) {
        double w = 0.4 + 1.6 * gsl_rng_uniform(rng), explained = w * w * variance;
        variance = explained + 1;
        link[i] = sqrt(explained / variance);
    }
    for (int i = 0; i < n; i++)
        for (int j = i + 1, r = 1; j < n && r == 1; j++)
            set(&c, i, j, (j > i + 1 ? c.r[i * n + j - 1] : 1) * link[j - 1]);
    return c;
}

static dpc_settings settings_for(int number)
{
    dpc_settings s;
    dpc_settings_default(&s);
    s.method = (dpc_method)(number % 3);
    s.variant = (dpc_variant)(number / 3 % 2);
    s.rule = number / 6 % 2 ? DPC_RULE_AND : DPC_RULE_OR;
    s.threads = 1 + number % 2;
    s.keep_separating_sets = true;
    return s;
}

/* ---- Exact copies ------------------------------------------------------ */

/* What is said of two columns is what is said of those that they are copies of. */
static void check_pair(const dpc_result *plain, const dpc_result *copied, const int *of, int a,
                       int b)
{
    dpc_mark mark = dpc_graph_mark(dpc_result_graph(copied), a, b);
    dpc_sepset first, second;
    int32_t members[2][MOST];
    separated(copied, a, b, &second, members[1]);
    if (of[a] == of[b]) {
        assert_int_equal(mark, DPC_UNDIRECTED);
        assert_int_equal(second.kind, DPC_SEP_NONE);
        return;
    }
    assert_int_equal(mark, dpc_graph_mark(dpc_result_graph(plain), of[a], of[b]));
    separated(plain, of[a], of[b], &first, members[0]);
    assert_true(first.kind == second.kind && first.level == second.level &&
                first.size == second.size && first.n_obs == second.n_obs);
    if (first.kind == DPC_SEP_NONE)
        return;
    assert_memory_equal(members[0], members[1], (size_t)first.size * sizeof(int32_t));
    assert_true(fabs(first.r) == fabs(second.r) && first.p == second.p);
    assert_true(first.from < 0 ? second.from < 0 : of[second.from] == first.from);
}

static void check_copied(const struct sample *sample, const int *of, const int *sign, int n,
                         const dpc_settings *settings)
{
    dpc_correlation with = chosen(&sample->correlation, of, sign, n);
    dpc_result *plain = learned(&sample->correlation, settings);
    dpc_result *copied = learned(&with, settings);
    const dpc_info *a = dpc_result_info(plain), *b = dpc_result_info(copied);
    assert_int_equal(b->n_copies, n - sample->correlation.n_vars);
    assert_int_equal(a->tests, b->tests);
    assert_int_equal(a->n_levels, b->n_levels);
    for (int level = 0; level < a->n_levels; level++)
        assert_int_equal(a->levels[level].tests, b->levels[level].tests);
    assert_int_equal(b->levels[b->n_levels - 1].left, dpc_result_graph(copied)->n_edges);
    for (int i = 0; i < n; i++) {
        if (b->copy_of != NULL)
            assert_int_equal(b->copy_of[i], i < sample->correlation.n_vars ? -1 : of[i]);
        for (int j = i + 1; j < n; j++)
            check_pair(plain, copied, of, i, j);
    }
    if (n <= 20 && settings->graph == DPC_CPDAG && settings->orient == DPC_CONSISTENT)
        assert_true(is_cpdag(dpc_result_graph(copied)));
    dpc_result_free(plain);
    dpc_result_free(copied);
    free(with.r);
}

/* In the given order copies at the end change nothing, however many there are. */
static void test_copies(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20241118);
    for (int number = 0; number < repeats(N_COPIED); number++) {
        struct sample_model model = {.n = draw_int(rng, 2, number % 4 ? 10 : 30),
                                     .n_obs = (int64_t)draw_log(rng, 20, 400),
                                     .parents = 2 * gsl_rng_uniform(rng),
                                     .holes = false};
        struct sample sample = sample_draw(&model, rng);
        int more = number % 5 == 0 ? MANY : draw_int(rng, 0, 8), n = model.n + more;
        int of[MOST], sign[MOST];
        for (int i = 0; i < n; i++) {
            of[i] = i < model.n ? i : draw_int(rng, 0, number % 2 ? 0 : model.n - 1);
            sign[i] = i < model.n || draw_int(rng, 0, 1) ? 1 : -1;
        }
        dpc_settings settings = settings_for(number);
        settings.order = DPC_ORDER_GIVEN;
        settings.orient = (dpc_orientation)(number % 4);
        check_copied(&sample, of, sign, n, &settings);
        sample_free(&sample);
    }
    gsl_rng_free(rng);
}

/* Where the columns stand does not matter, copies or not. */
static void test_permuted(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20241119);
    for (int number = 0; number < repeats(N_PERMUTED); number++) {
        struct sample_model model = {.n = draw_int(rng, 3, 12),
                                     .n_obs = (int64_t)draw_log(rng, 30, 400),
                                     .parents = 2 * gsl_rng_uniform(rng)};
        struct sample sample = sample_draw(&model, rng);
        int n = model.n + draw_int(rng, 1, 12), of[2][MOST], sign[MOST], order[MOST];
        for (int i = 0; i < n; i++) {
            of[0][i] = i < model.n ? i : draw_int(rng, 0, model.n - 1);
            sign[i] = 1;
            order[i] = i;
        }
        gsl_ran_shuffle(rng, order, (size_t)n, sizeof *order);
        for (int i = 0; i < n; i++)
            of[1][i] = of[0][order[i]];
        dpc_settings settings = settings_for(number);
        settings.order = DPC_ORDER_CANONICAL;
        settings.orient = (dpc_orientation)(number % 4);
        dpc_correlation c[2] = {chosen(&sample.correlation, of[0], sign, n),
                                chosen(&sample.correlation, of[1], sign, n)};
        dpc_result *first = learned(&c[0], &settings), *second = learned(&c[1], &settings);
        assert_int_equal(dpc_result_info(first)->tests, dpc_result_info(second)->tests);
        for (int i = 0; i < n; i++)
            for (int j = i + 1; j < n; j++)
                if (dpc_graph_mark(dpc_result_graph(second), i, j) !=
                    dpc_graph_mark(dpc_result_graph(first), order[i], order[j]))
                    fail_msg("sample %d: the edge %d, %d depends on the order", number, order[i],
                             order[j]);
        dpc_result_free(first);
        dpc_result_free(second);
        free(c[0].r);
        free(c[1].r);
        sample_free(&sample);
    }
    gsl_rng_free(rng);
}

/* ---- Nearly copies ----------------------------------------------------- */

/* Learns by every method, stable and not; none makes and tries more than so many tests. */
static void check_bounded(const dpc_correlation *c, int64_t most, bool left_out)
{
    for (int number = 0; number < 6; number++) {
        dpc_settings settings = settings_for(number < 3 ? number : 6 + number);
        dpc_result *result = learned(c, &settings);
        const dpc_info *info = dpc_result_info(result);
        if (info->tests + info->singular_tests > most)
            fail_msg("%d columns, %s, rule %d: %lld tests, %lld of which could not be made",
                     c->n_vars, method_name(settings.method), (int)settings.rule,
                     (long long)(info->tests + info->singular_tests),
                     (long long)info->singular_tests);
        assert_true(info->complete);
        if (left_out && settings.method == DPC_CLASSIC)
            assert_true(info->left_out > 0);
        dpc_result_free(result);
    }
}

static void test_noisy(void **state)
{
    (void)state;
    static const double noise[] = {1e-6, 1e-5, 2e-5, 1e-4, 5e-4};
    for (int number = 0; number < 5 * 2 * 2; number++) {
        double sd = noise[number % 5];
        int k = number / 5 % 2 ? 20 : 50;
        bool hidden = number / 10 == 0;
        if (number % 3 >= repeats(3))
            continue;
        dpc_correlation c = noisy(5, k, sd, hidden, 500);
        /* 1e-6 leaves too little to be tested: these are copies */
        check_bounded(&c, 40000000, hidden && sd > 1e-5);
        free(c.r);
    }
}

static void test_chain(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20241120);
    for (int number = 0; number < 4; number++) {
        dpc_correlation c = chain(rng, 100, 500);
        check_bounded(&c, 2000000, false);
        for (int how = DPC_REFINE_FAST; how <= DPC_REFINE_FULL; how++) {
            dpc_settings settings;
            dpc_settings_default(&settings);
            settings.refine = (dpc_refinement)how;
            dpc_result *result = learned(&c, &settings);
            const dpc_info *info = dpc_result_info(result);
            assert_true(info->tests < 2000000 && info->start_ended == 0);
            assert_true(dpc_result_graph(result)->n_edges >= 99);
            dpc_result_free(result);
        }
        free(c.r);
    }
    gsl_rng_free(rng);
}

/* ---- The start of a refinement ----------------------------------------- */

/* A cause with many effects: no test removes an edge, and there are 2^39 of them. */
static void test_start(void **state)
{
    (void)state;
    dpc_correlation c = noisy(40, 0, 1, false, 100000);
    dpc_settings settings;
    dpc_settings_default(&settings);
    settings.refine = DPC_REFINE_FAST;
    dpc_result *result = learned(&c, &settings);
    const dpc_info *info = dpc_result_info(result);
    assert_true(info->start_ended >= 2);
    assert_int_equal(info->n_levels, info->start_ended);
    assert_true(info->tests < 400000000);
    assert_int_equal(dpc_result_graph(result)->n_edges, 40);
    dpc_result_free(result);
    free(c.r);
}

/* Copies are taken in again: each is joined to another one, and nothing else changes. */
static void test_refined(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20241121);
    for (int number = 0; number < 20; number++) {
        struct sample_model model = {.n = 12, .n_obs = 400, .parents = 1.5};
        struct sample sample = sample_draw(&model, rng);
        int n = 16, of[MOST], sign[MOST];
        for (int i = 0; i < n; i++) {
            of[i] = i < model.n ? i : draw_int(rng, 0, model.n - 1);
            sign[i] = 1;
        }
        dpc_correlation c = chosen(&sample.correlation, of, sign, n);
        dpc_settings settings;
        dpc_settings_default(&settings);
        settings.refine = DPC_REFINE_FAST;
        dpc_result *result = learned(&c, &settings);
        assert_int_equal(dpc_result_info(result)->n_copies, 4);
        assert_true(is_cpdag(dpc_result_graph(result)));
        for (int i = model.n; i < n; i++) {
            bool joined = false;
            for (int j = 0; j < n; j++)
                joined = joined || (j != i && of[j] == of[i] &&
                                    dpc_graph_mark(dpc_result_graph(result), i, j) != DPC_NONE);
            assert_true(joined);
        }
        dpc_result_free(result);
        free(c.r);
        sample_free(&sample);
    }
    gsl_rng_free(rng);
}

/* ---- What is known ----------------------------------------------------- */

/* Four columns, all of them copies; `tell` says something of the last two. */
static int copies_with(dpc_status (*tell)(dpc_knowledge *k))
{
    dpc_correlation c = new_matrix(4, 100);
    dpc_knowledge *k = NULL;
    dpc_settings settings = settings_for(0);
    for (int i = 0; i < 16; i++)
        c.r[i] = 1;
    assert_int_equal(dpc_knowledge_new(4, &k, NULL), DPC_OK);
    assert_int_equal(tell(k), DPC_OK);
    settings.knowledge = k;
    dpc_result *result = learned(&c, &settings);
    int copies = dpc_result_info(result)->n_copies;
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 4; b++)
            if (dpc_knowledge_requires(k, a, b))
                assert_int_equal(dpc_graph_mark(dpc_result_graph(result), a, b), DPC_FORWARD);
    dpc_result_free(result);
    dpc_knowledge_free(k);
    free(c.r);
    return copies;
}

static dpc_status nothing(dpc_knowledge *k)
{
    (void)k;
    return DPC_OK;
}

static dpc_status one_tier(dpc_knowledge *k)
{
    dpc_status status = DPC_OK;
    for (int v = 0; v < 4 && status == DPC_OK; v++)
        status = dpc_knowledge_tier(k, v, 1, NULL);
    return status;
}

static dpc_status two_tiers(dpc_knowledge *k)
{
    dpc_status status = DPC_OK;
    for (int v = 0; v < 4 && status == DPC_OK; v++)
        status = dpc_knowledge_tier(k, v, v / 2, NULL);
    return status;
}

static dpc_status an_edge(dpc_knowledge *k)
{
    return dpc_knowledge_require(k, 3, 2, NULL);
}

static dpc_status the_same_edges(dpc_knowledge *k)
{
    dpc_status status = dpc_knowledge_forbid(k, 3, 0, NULL);
    return status == DPC_OK ? dpc_knowledge_forbid(k, 2, 0, NULL) : status;
}

static void test_knowledge(void **state)
{
    (void)state;
    assert_int_equal(copies_with(nothing), 3);
    assert_int_equal(copies_with(one_tier), 3);
    assert_int_equal(copies_with(two_tiers), 2);      /* one of each tier */
    assert_int_equal(copies_with(an_edge), 1);        /* 0 and 1 */
    assert_int_equal(copies_with(the_same_edges), 1); /* 2 and 3 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copies),    cmocka_unit_test(test_permuted),
        cmocka_unit_test(test_noisy),     cmocka_unit_test(test_chain),
        cmocka_unit_test(test_start),     cmocka_unit_test(test_refined),
        cmocka_unit_test(test_knowledge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
