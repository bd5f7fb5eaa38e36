/*
 * A time that is over at any moment. The clock is that of hasty.c: it goes on by a second with each
 * look, so that a timeout of k seconds ends the work at a look of its own, and none depends on how
 * fast the machine is.
 */
#include "cases.h"
#include "correlation.h"
#include "knowing.h"
#include "repeat.h"
#include "same.h"
#include "table.h"
#include "tables.h"
#include "valid.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N_TESTED = 60, N_GREEDY = 30, N_KNOWING = 40, N_CALLED_OFF = 30, MOMENTS = 40 };

static const double AT_ONCE = 1e-9;

/* ---- What must hold of a result, cut short or not ---- */

static bool joins_all_of(const dpc_graph *more, const dpc_graph *fewer)
{
    for (int64_t e = 0; e < fewer->n_edges; e++)
        if (dpc_graph_mark(more, fewer->edges[e].a, fewer->edges[e].b) == DPC_NONE)
            return false;
    return true;
}

/* The levels that it has are those of a search that is told to end there, and so are the edges. */
static void check_levels(const dpc_result *cut, const dpc_correlation *c, dpc_settings settings)
{
    const dpc_info *info = dpc_result_info(cut);
    settings.timeout = DPC_NO_TIMEOUT;
    settings.max_order = info->n_levels - 1;
    dpc_result *shorter = learned(c, &settings);
    const dpc_info *other = dpc_result_info(shorter);
    assert_int_equal(info->n_levels, other->n_levels);
    assert_int_equal(info->tests, other->tests);
    for (int i = 0; i < info->n_levels; i++)
        assert_int_equal(info->levels[i].left, other->levels[i].left);
    const dpc_graph *p = dpc_result_graph(cut), *q = dpc_result_graph(shorter);
    assert_int_equal(p->n_edges, q->n_edges);
    assert_true(joins_all_of(p, q));
    for (int a = 0; a < dpc_result_info(cut)->n_vars; a++)
        for (int b = a + 1; b < dpc_result_info(cut)->n_vars; b++) {
            dpc_sepset first, second;
            separated(cut, a, b, &first, NULL);
            separated(shorter, a, b, &second, NULL);
            assert_int_equal(first.kind, second.kind);
            assert_int_equal(first.size, second.size);
        }
    dpc_result_free(shorter);
}

static void check_cut(const dpc_result *cut, const dpc_result *whole, const dpc_correlation *c,
                      const dpc_settings *settings)
{
    const dpc_graph *graph = dpc_result_graph(cut);
    assert_true(joins_all_of(graph, dpc_result_graph(whole)));
    check_levels(cut, c, *settings);
    if (settings->knowledge != NULL)
        assert_false(violates(graph, settings->knowledge, true));
    if (settings->orient == DPC_CONSISTENT && settings->knowledge == NULL)
        assert_true(is_cpdag(graph));
    if (settings->orient != DPC_RELAXED)
        assert_false(has_circle(graph));
}

/*
 * All moments, one after the other, until the time is long enough; of a long search some. Returns
 * how often it was not.
 */
static int stop_everywhere(const dpc_correlation *c, dpc_settings settings)
{
    dpc_result *whole = learned(c, &settings), *result = NULL;
    bool complete = false;
    int cut = 0;
    assert_true(dpc_result_info(whole)->complete);
    for (double timeout = AT_ONCE; !complete;
         timeout = ceil(timeout + 1) * (cut < MOMENTS ? 1 : 1.1)) {
        settings.timeout = timeout;
        result = learned(c, &settings);
        complete = dpc_result_info(result)->complete;
        if (complete)
            check_same(whole, result, "in time");
        else
            check_cut(result, whole, c, &settings);
        if (timeout == AT_ONCE) /* level 0, and no later one */
            assert_int_equal(dpc_result_info(result)->n_levels, 1);
        cut += !complete;
        dpc_result_free(result);
    }
    dpc_result_free(whole);
    return cut;
}

static dpc_settings drawn_settings(gsl_rng *rng, int number)
{
    static const dpc_method METHODS[] = {DPC_DUAL, DPC_CLASSIC, DPC_PRECISION};
    dpc_settings settings = plain_settings();
    settings.method = METHODS[number % 3];
    settings.variant = number % 2 == 0 ? DPC_STABLE : DPC_STANDARD;
    settings.orient = number % 5 < 2 ? DPC_CONSISTENT : (dpc_orientation)(number % 4);
    settings.rule = draw_int(rng, 0, 2) == 0 ? DPC_RULE_AND : settings.rule;
    settings.keep_separating_sets = true;
    return settings;
}

static void test_by_tests(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20270101);
    int cut = 0;
    for (int number = 0; number < repeats(N_TESTED); number++) {
        struct sample_model model = {.n = draw_int(rng, 2, 14),
                                     .n_obs = draw_int(rng, 50, 500),
                                     .parents = 2,
                                     .flaw = number % 7 == 0 ? FLAW_COPY : FLAW_NONE};
        model.parents = fmin(model.parents, (model.n - 1) / 2.0);
        struct sample sample = sample_draw(&model, rng);
        cut += stop_everywhere(&sample.correlation, drawn_settings(rng, number));
        sample_free(&sample);
    }
    assert_true(cut >= share(10 * N_TESTED));
    gsl_rng_free(rng);
}

static void test_with_knowledge(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20270102);
    for (int number = 0; number < repeats(N_KNOWING); number++) {
        int n = draw_int(rng, 3, 12);
        struct sample_model model = {.n = n, .n_obs = 200, .parents = fmin(2, (n - 1) / 2.0)};
        struct sample sample = sample_draw(&model, rng);
        dpc_knowledge *knowledge = draw_any_knowledge(n, rng);
        dpc_settings settings = drawn_settings(rng, number);
        settings.orient = DPC_CONSISTENT;
        settings.knowledge = knowledge;
        stop_everywhere(&sample.correlation, settings);
        dpc_knowledge_free(knowledge);
        sample_free(&sample);
    }
    gsl_rng_free(rng);
}

/* Others may be at work when the time is up: which triples are weighed depends on them, but no
 * promise does. */
static void test_threads(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20270103);
    struct sample_model model = {.n = 60, .n_obs = 300, .parents = 3};
    struct sample sample = sample_draw(&model, rng);
    dpc_settings settings = plain_settings();
    settings.keep_separating_sets = true;
    dpc_result *whole = learned(&sample.correlation, &settings);
    settings.threads = 3;
    for (double timeout = AT_ONCE; timeout < 2000; timeout = ceil(1.5 * timeout + 1)) {
        settings.timeout = timeout;
        dpc_result *result = learned(&sample.correlation, &settings);
        if (dpc_result_info(result)->complete)
            check_same_graph(dpc_result_graph(whole), dpc_result_graph(result), "threads", 0);
        else
            check_cut(result, whole, &sample.correlation, &settings);
        dpc_result_free(result);
    }
    dpc_result_free(whole);
    sample_free(&sample);
    gsl_rng_free(rng);
}

/* ---- Refinement ---- */

static void test_refined(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20270104);
    struct sample_model model = {.n = 12, .n_obs = 200, .parents = 2};
    struct sample sample = sample_draw(&model, rng);
    dpc_settings settings = plain_settings();
    settings.refine = DPC_REFINE_FAST;
    dpc_result *whole = learned(&sample.correlation, &settings);
    bool complete = false;
    for (double timeout = AT_ONCE; !complete; timeout = ceil(1.05 * timeout + 1)) {
        settings.timeout = timeout;
        dpc_result *result = learned(&sample.correlation, &settings);
        const dpc_refined *refined = dpc_result_info(result)->refined;
        complete = dpc_result_info(result)->complete;
        assert_int_equal(complete, refined->complete);
        assert_true(is_cpdag(dpc_result_graph(result)));
        assert_true(refined->score_after >= refined->score_before - 1e-6);
        if (complete)
            check_same_graph(dpc_result_graph(whole), dpc_result_graph(result), "refined", 0);
        dpc_result_free(result);
    }
    dpc_result_free(whole);
    sample_free(&sample);
    gsl_rng_free(rng);
}

/* ---- Greedy equivalence search ---- */

/*
 * Each moment has a class of its own, that scores no less than the one before. Returns how many
 * were not the last, and scored more.
 */
static int stop_greedily(const dpc_correlation *c, dpc_settings settings)
{
    dpc_result *whole = learned(c, &settings);
    double score = -INFINITY;
    bool complete = false;
    int cut = 0;
    for (double timeout = AT_ONCE; !complete; timeout = ceil(timeout + 1)) {
        settings.timeout = timeout;
        dpc_result *result = learned(c, &settings);
        const dpc_info *info = dpc_result_info(result);
        const dpc_graph *graph = dpc_result_graph(result);
        complete = info->complete;
        assert_true(info->score >= score - 1e-6);
        cut += !complete && timeout > AT_ONCE && info->score > score + 1e-6;
        score = info->score;
        if (settings.knowledge == NULL)
            assert_true(is_cpdag(graph));
        else
            assert_false(violates(graph, settings.knowledge, true));
        if (complete) {
            check_same_graph(dpc_result_graph(whole), graph, "in time", 0);
            assert_true(info->score == dpc_result_info(whole)->score);
        }
        dpc_result_free(result);
    }
    dpc_result_free(whole);
    return cut;
}

static void test_greedy(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20270105);
    int cut = 0;
    for (int number = 0; number < repeats(N_GREEDY); number++) {
        int n = draw_int(rng, 2, 12);
        struct sample_model model = {.n = n, .n_obs = 200, .parents = fmin(2, (n - 1) / 2.0)};
        struct sample sample = sample_draw(&model, rng);
        dpc_knowledge *knowledge = number % 2 == 0 ? NULL : draw_any_knowledge(n, rng);
        dpc_settings settings = plain_settings();
        settings.method = DPC_GES;
        settings.knowledge = knowledge;
        cut += stop_greedily(&sample.correlation, settings);
        dpc_knowledge_free(knowledge);
        sample_free(&sample);
    }
    assert_true(cut >= share(5 * N_GREEDY));
    gsl_rng_free(rng);
}

/* ---- Bootstrap ---- */

static dpc_frequencies *resampled(const dpc_table *table, const dpc_settings *settings,
                                  dpc_resampling how)
{
    dpc_frequencies *f = NULL;
    assert_int_equal(dpc_bootstrap(table, settings, &how, &f, NULL), DPC_OK);
    return f;
}

/* Those that were done are the first ones, and count as if no more had been asked for. */
static void test_bootstrap(void **state)
{
    (void)state;
    enum { ASKED = 5 };
    dpc_table *table = simulated_table(8, 100, 78);
    dpc_settings settings = plain_settings();
    dpc_resampling how = {.resamples = ASKED, .seed = 1};
    dpc_frequencies *first[ASKED + 1] = {NULL};
    for (int i = 1; i <= ASKED; i++)
        first[i] = bootstrap(table, &settings, (dpc_resampling){.resamples = i, .seed = 1});
    int seen[ASKED + 1] = {0};
    bool complete = false;
    for (double timeout = AT_ONCE; !complete; timeout = ceil(timeout + 1)) {
        settings.timeout = timeout;
        dpc_frequencies *f = resampled(table, &settings, how);
        complete = f->complete;
        assert_true(f->resamples >= 1 && f->resamples <= ASKED);
        assert_int_equal(f->resampling.resamples, ASKED);
        if (f->resamples > 1) /* one alone may have been cut short */
            assert_same_frequencies(first[f->resamples], f);
        assert_int_equal(complete, f->resamples == ASKED);
        seen[f->resamples]++;
        dpc_frequencies_free(f);
    }
    for (int i = 1; i <= ASKED; i++) {
        assert_true(seen[i] > 0);
        dpc_frequencies_free(first[i]);
    }
    dpc_table_free(table);
}

/* The first resample ends where the time does, and says so. */
static void test_first_resample(void **state)
{
    (void)state;
    dpc_table *table = simulated_table(8, 100, 79);
    dpc_settings settings = plain_settings();
    dpc_resampling how = {.resamples = 1, .seed = 1};
    settings.timeout = AT_ONCE;
    for (int threads = 1; threads <= 3; threads++) {
        settings.threads = threads;
        dpc_frequencies *f = resampled(table, &settings, how);
        assert_false(f->complete);
        assert_int_equal(f->resamples, 1);
        dpc_frequencies_free(f);
    }
    dpc_table_free(table);
}

/* ---- The caller ---- */

struct caller {
    int looks, last;
    dpc_stage stage; /* in which it asks to stop */
};

static int call_off(const dpc_progress *progress, void *user)
{
    struct caller *s = user;
    return progress->stage == s->stage && s->looks++ >= s->last;
}

/* Whoever calls off the work gets no graph, however much time is left, or over. */
static void test_called_off(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20270106);
    for (int number = 0; number < repeats(N_CALLED_OFF); number++) {
        struct sample_model model = {.n = 12, .n_obs = 200, .parents = 2};
        struct sample sample = sample_draw(&model, rng);
        struct caller caller = {.stage = number % 3 == 0 ? DPC_STAGE_ORIENT : DPC_STAGE_SKELETON};
        dpc_settings settings = plain_settings();
        dpc_result *result = NULL;
        dpc_error err;
        settings.method = number % 3 == 1 ? DPC_GES : DPC_DUAL;
        settings.progress = call_off;
        settings.progress_user = &caller;
        settings.timeout = number % 2 == 0 && caller.stage == DPC_STAGE_ORIENT ? AT_ONCE : 1e6;
        assert_int_equal(dpc_learn(&sample.correlation, &settings, &result, &err), DPC_INTERRUPTED);
        assert_int_equal(err.code, DPC_INTERRUPTED);
        assert_null(result);
        sample_free(&sample);
    }
    gsl_rng_free(rng);
}

/* EM that ends at any look: the estimate so far; enough time changes nothing. */
static void test_em_in_time(void **state)
{
    (void)state;
    enum { N = 6, ROWS = 300 };
    dpc_table *table = simulated_table(N, ROWS, 4);
    dpc_settings settings = plain_settings();
    dpc_error err;
    gsl_rng *rng = seeded(11);
    for (int i = 0; i < N * ROWS; i++)
        if (gsl_rng_uniform(rng) < 0.4)
            table->values[i] = NAN;
    gsl_rng_free(rng);
    assert_int_equal(dpc_table_set_missing(table, DPC_MISSING_EM, &err), DPC_OK);
    dpc_correlation *whole = NULL;
    assert_int_equal(dpc_correlate(table, &settings, NULL, &whole, &err), DPC_OK);
    int cut = 0;
    for (bool complete = false; !complete; cut += !complete) {
        dpc_correlation *c = NULL;
        dpc_audit audit = {0};
        settings.timeout = cut == 0 ? AT_ONCE : 4 * cut;
        assert_int_equal(dpc_correlate(table, &settings, &audit, &c, &err), DPC_OK);
        complete = !c->unfinished;
        bool told = false;
        for (int i = 0; i < audit.count; i++)
            told = told || strstr(audit.items[i].text, "time limit reached") != NULL;
        assert_int_equal(told, !complete);
        for (int i = 0; i < N * N && complete; i++)
            assert_true(c->r[i] == whole->r[i]);
        dpc_result *result = learned(c, NULL);
        assert_int_equal(dpc_result_info(result)->complete, complete);
        dpc_result_free(result);
        dpc_audit_clear(&audit);
        dpc_correlation_free(c);
    }
    assert_true(cut > 5);
    dpc_correlation_free(whole);
    dpc_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_tests),       cmocka_unit_test(test_with_knowledge),
        cmocka_unit_test(test_threads),        cmocka_unit_test(test_refined),
        cmocka_unit_test(test_greedy),         cmocka_unit_test(test_bootstrap),
        cmocka_unit_test(test_em_in_time),     cmocka_unit_test(test_called_off),
        cmocka_unit_test(test_first_resample),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
