/*
 * The bootstrap. Its slow twin makes the table of every resample, row by row, and learns from
 * that: correlations agree to 1e-12, graphs and counts are the same. Threads and the order of the
 * work change nothing, and what is called off has a result.
 */
#include "frequency.h"
#include "repeat.h"
#include "resample.h"
#include "tables.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N_TWINS = 200 };

/* ---- The twin ---- */

/* The table of a resample: each row as often as it was drawn. */
static dpc_table *make_resample(const dpc_table *table, const int32_t *count, int64_t rows)
{
    dpc_table *made = NULL;
    dpc_error err;
    if (dpc_table_new(rows, table->n_vars, (const char *const *)table->names, &made, &err) !=
        DPC_OK)
        fail_msg("%s", err.message);
    int64_t to = 0;
    for (int64_t i = 0; i < table->n_obs; i++)
        for (int k = 0; k < count[i]; k++, to++)
            for (int j = 0; j < table->n_vars; j++)
                made->values[j * rows + to] = table->values[j * table->n_obs + i];
    assert_int_equal(to, rows);
    return made;
}

/* Columns that are copies of each other stand in an order that the last bit decides. */
static bool has_copies(const dpc_correlation *c)
{
    for (int i = 0; i < c->n_vars; i++)
        for (int j = 0; j < i; j++)
            if (fabs(c->r[i * c->n_vars + j]) > 1 - 1e-9)
                return true;
    return false;
}

/* A row that was drawn twice is no sign that rows resemble each other: what the whole table has
 * said about that holds. */
static void forget_halves(dpc_correlation *c)
{
    for (int h = 0; h < 2; h++) {
        dpc_correlation_free(c->half[h]);
        c->half[h] = NULL;
    }
}

/* Learns from the table of a resample, and compares; true: the graphs too. */
static bool check_resample(const dpc_table *table, const dpc_settings *settings,
                           const dpc_resample *s, const dpc_frequencies *f, int resample,
                           int number)
{
    dpc_table *made = make_resample(table, s->count, s->correlation->n_obs);
    dpc_correlation *c = NULL;
    dpc_result *result = NULL;
    dpc_error err;
    dpc_settings same = *settings;
    same.penalty = f->graphs->settings.penalty;
    if (dpc_correlate(made, &same, NULL, &c, &err) != DPC_OK)
        fail_msg("%s", err.message);
    forget_halves(c);
    if (dpc_learn(c, &same, &result, &err) != DPC_OK)
        fail_msg("%s", err.message);
    assert_int_equal(c->n_obs, s->correlation->n_obs);
    for (int64_t i = 0; i < (int64_t)c->n_vars * c->n_vars; i++)
        if (!(fabs(c->r[i] - s->correlation->r[i]) <= 1e-12))
            fail_msg("table %d: a correlation is %.17g, and of the table of the resample %.17g",
                     number, s->correlation->r[i], c->r[i]);
    bool unique = !has_copies(c);
    if (unique && !same_as_resample(dpc_result_graph(result), f, resample))
        fail_msg("table %d: the graph of a resample is not that of its table", number);
    dpc_result_free(result);
    dpc_correlation_free(c);
    dpc_table_free(made);
    return unique;
}

static dpc_frequency slow_count(const dpc_frequencies *all, int a, int b)
{
    dpc_frequency f = {.a = a, .b = b};
    for (int i = 0; i < all->resamples; i++) {
        dpc_graph graph = resample_graph(all, i);
        dpc_mark mark = dpc_graph_mark(&graph, a, b);
        f.edge += mark != DPC_NONE;
        f.forward += mark == DPC_FORWARD;
        f.backward += mark == DPC_BACKWARD;
        f.undirected += mark == DPC_UNDIRECTED;
        dpc_graph_clear(&graph);
    }
    return f;
}

/* Counts by asking every graph about every pair. */
static void check_counts(const dpc_frequencies *f)
{
    int64_t found = 0;
    for (int a = 0; a < f->n_vars; a++)
        for (int b = a + 1; b < f->n_vars; b++) {
            dpc_frequency slow = slow_count(f, a, b), fast = dpc_frequency_of(f, b, a);
            assert_memory_equal(&slow, &fast, sizeof slow);
            assert_int_equal(slow.edge, slow.forward + slow.backward + slow.undirected);
            if (slow.edge > 0)
                assert_memory_equal(&slow, &f->pairs[found++], sizeof slow);
        }
    assert_int_equal(found, f->n_pairs);
}

static void check_twin(int number, gsl_rng *rng, int *lost, int *compared)
{
    dpc_table *table =
        simulated_table(draw_int(rng, 2, 30), draw_int(rng, 10, 600), (uint64_t)number + 1);
    dpc_settings settings = plain_settings();
    dpc_resampling how = {.resamples = 4, .seed = (uint64_t)number};
    dpc_error err;
    settings.normalize = (dpc_normalize)(number % 2);
    settings.method = (dpc_method)(number / 2 % 4);
    settings.orient = (dpc_orientation)(number / 8 % 4);
    how.subsample = number % 3 == 0 ? 0.55 : 0;
    spoil_columns(table, rng);
    dpc_frequencies *f = bootstrap(table, &settings, how);
    dpc_resampler resampler = {0};
    dpc_resample s = {0};
    assert_int_equal(dpc_resampler_make(table, &settings, &how, &resampler, &err), DPC_OK);
    assert_int_equal(dpc_resample_make(&resampler, &s, &err), DPC_OK);
    assert_int_equal(f->rows, how.subsample > 0 ? (int64_t)(0.55 * (double)table->n_obs + 1e-9)
                                                : table->n_obs);
    int constant = 0;
    for (int i = how.resamples - 1; i >= 0; i--) { /* in another order than the library */
        assert_int_equal(dpc_resample_draw(&resampler, i, &settings, &s), DPC_OK);
        constant += s.lost;
        *compared += check_resample(table, &settings, &s, f, i, number);
    }
    assert_int_equal(constant, f->constant);
    *lost += constant;
    check_counts(f);
    dpc_resample_clear(&s);
    dpc_resampler_clear(&resampler);
    dpc_frequencies_free(f);
    dpc_table_free(table);
}

static void test_twin(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(11);
    int lost = 0, compared = 0;
    for (int number = 0; number < repeats(N_TWINS); number++)
        check_twin(number, rng, &lost, &compared);
    assert_true(compared > repeats(N_TWINS) * 4 * 3 / 4);
    assert_true(lost > share(60)); /* or the constant columns were not there to be tested */
    gsl_rng_free(rng);
}

/* More columns than a tile of the product has, and fewer rows than columns. */
static void test_wide(void **state)
{
    (void)state;
    dpc_settings settings = plain_settings();
    dpc_table *table = simulated_table(600, 60, 5);
    settings.alpha = 0.001;
    dpc_resampling how = {.resamples = 1, .seed = 3};
    dpc_frequencies *f = bootstrap(table, &settings, how);
    dpc_resampler resampler = {0};
    dpc_resample s = {0};
    dpc_error err;
    assert_int_equal(dpc_resampler_make(table, &settings, &how, &resampler, &err), DPC_OK);
    assert_int_equal(dpc_resample_make(&resampler, &s, &err), DPC_OK);
    assert_int_equal(dpc_resample_draw(&resampler, 0, &settings, &s), DPC_OK);
    assert_true(check_resample(table, &settings, &s, f, 0, -1));
    dpc_resample_clear(&s);
    dpc_resampler_clear(&resampler);
    dpc_frequencies_free(f);
    dpc_table_free(table);
}

/* ---- What is drawn ---- */

static void check_draws(double subsample, int64_t rows, double spread)
{
    enum { N = 200, DRAWS = 2000 };
    dpc_table *table = simulated_table(2, N, 1);
    dpc_settings settings = plain_settings();
    dpc_resampling how = {.resamples = DRAWS, .seed = 4, .subsample = subsample};
    dpc_resampler resampler = {0};
    dpc_resample s = {0};
    dpc_error err;
    double drawn[N] = {0}, squares = 0;
    assert_int_equal(dpc_resampler_make(table, &settings, &how, &resampler, &err), DPC_OK);
    assert_int_equal(dpc_resample_make(&resampler, &s, &err), DPC_OK);
    assert_int_equal(resampler.n_drawn, rows);
    for (int k = 0; k < DRAWS; k++) {
        int64_t sum = 0;
        assert_int_equal(dpc_resample_draw(&resampler, k, &settings, &s), DPC_OK);
        for (int i = 0; i < N; i++) {
            sum += s.count[i];
            drawn[i] += s.count[i];
            squares += s.count[i] * s.count[i];
            assert_true(s.count[i] >= 0 && (subsample == 0 || s.count[i] <= 1));
        }
        assert_int_equal(sum, rows);
    }
    /* the mean and the variance of a count, for one row and for all of them */
    double mean = (double)rows / N;
    for (int i = 0; i < N; i++)
        assert_true(fabs(drawn[i] / DRAWS - mean) < 5 * sqrt(spread / DRAWS));
    assert_true(fabs(squares / N / DRAWS - mean * mean - spread) < 0.01);
    dpc_resample_clear(&s);
    dpc_resampler_clear(&resampler);
    dpc_table_free(table);
}

static void test_draws(void **state)
{
    (void)state;
    check_draws(0, 200, 1 - 1 / 200.0); /* binomial */
    check_draws(0.29, 58, 0.29 * 0.71); /* 58 of 200, though 0.29 * 200 is a little less */
    check_draws(0.995, 199, 0.995 * 0.005);
}

static void test_seeds(void **state)
{
    (void)state;
    dpc_settings settings = plain_settings();
    dpc_table *table = simulated_table(20, 100, 9);
    dpc_resampling how = {.resamples = 12, .seed = 1};
    dpc_frequencies *f = bootstrap(table, &settings, how);
    dpc_frequencies *again = bootstrap(table, &settings, how);
    assert_same_frequencies(f, again);
    how.resamples = 5; /* the first of those above */
    dpc_frequencies *fewer = bootstrap(table, &settings, how);
    int same = 0;
    how.seed = 2;
    dpc_frequencies *other = bootstrap(table, &settings, how);
    for (int i = 0; i < how.resamples; i++) {
        assert_true(same_resamples(f, i, fewer, i));
        for (int k = 0; k < how.resamples; k++)
            same += same_resamples(f, i, other, k);
    }
    assert_int_equal(same, 0);
    dpc_frequencies_free(f);
    dpc_frequencies_free(again);
    dpc_frequencies_free(fewer);
    dpc_frequencies_free(other);
    dpc_table_free(table);
}

/* ---- Threads ---- */

static void test_threads(void **state)
{
    (void)state;
    for (int number = 0; number < 6; number++) {
        gsl_rng *rng = seeded((uint64_t)number + 70);
        dpc_settings settings = plain_settings();
        dpc_table *table = simulated_table(25, 400, (uint64_t)number + 20);
        spoil_columns(table, rng);
        settings.normalize = (dpc_normalize)(number % 2);
        settings.method = number < 4 ? DPC_DUAL : DPC_GES;
        dpc_resampling how = {.resamples = 40, .seed = 1, .subsample = number % 3 == 2 ? 0.5 : 0};
        dpc_frequencies *one = bootstrap(table, &settings, how);
        for (settings.threads = 2; settings.threads <= 3; settings.threads++) {
            dpc_frequencies *more = bootstrap(table, &settings, how);
            assert_same_frequencies(one, more);
            dpc_frequencies_free(more);
        }
        assert_true(one->n_pairs > 5);
        dpc_frequencies_free(one);
        dpc_table_free(table);
        gsl_rng_free(rng);
    }
}

/* ---- Called off, and refused ---- */

typedef struct stopper {
    int64_t after; /* so many resamples */
    int64_t seen;  /* the most that was told */
    int asked;
} stopper;

static int stop_after(const dpc_progress *progress, void *user)
{
    stopper *s = user;
    if (progress->stage != DPC_STAGE_BOOTSTRAP)
        return 0;
    assert_true(progress->fraction >= 0 && progress->fraction <= 1);
    assert_true(progress->resamples_done >= s->seen); /* it only grows */
    s->seen = progress->resamples_done;
    s->asked = progress->resamples;
    return s->after >= 0 && progress->resamples_done >= s->after;
}

static void test_interrupted(void **state)
{
    (void)state;
    dpc_table *table = simulated_table(20, 200, 77);
    for (int threads = 1; threads <= 3; threads++)
        for (int after = 0; after < 12; after += 3) {
            dpc_settings settings = plain_settings();
            stopper s = {.after = after};
            dpc_frequencies *f = NULL;
            dpc_error err;
            dpc_resampling how = {.resamples = 500, .seed = 1};
            settings.threads = threads;
            settings.progress = stop_after;
            settings.progress_user = &s;
            assert_int_equal(dpc_bootstrap(table, &settings, &how, &f, &err), DPC_INTERRUPTED);
            assert_int_equal(err.code, DPC_INTERRUPTED);
            if (after == 0 && threads == 1)
                assert_null(f);
            if (after > 0) {
                assert_non_null(f);
                assert_int_equal(s.asked, 500);
                /* other threads may be done before the first one looks up */
                assert_true(f->resamples >= after && (threads > 1 || f->resamples < 500));
                assert_int_equal(f->resampling.resamples, 500);
                settings.progress = NULL;
            }
            if (after > 0 && threads == 1) { /* these are then the first ones */
                how.resamples = f->resamples;
                dpc_frequencies *first = bootstrap(table, &settings, how);
                assert_same_frequencies(first, f);
                dpc_frequencies_free(first);
            }
            dpc_frequencies_free(f);
        }
    dpc_table_free(table);
}

static void refuse(const dpc_table *table, dpc_resampling how, dpc_status expected)
{
    dpc_error err;
    dpc_frequencies *f = NULL;
    assert_int_equal(dpc_bootstrap(table, NULL, &how, &f, &err), expected);
    assert_null(f);
    assert_true(err.message[0] != '\0');
}

static void test_refused(void **state)
{
    (void)state;
    dpc_table *table = simulated_table(4, 100, 3);
    refuse(table, (dpc_resampling){.resamples = 0}, DPC_USAGE);
    refuse(table, (dpc_resampling){.resamples = 1, .subsample = 1}, DPC_USAGE);
    refuse(table, (dpc_resampling){.resamples = 1, .subsample = -0.1}, DPC_USAGE);
    refuse(table, (dpc_resampling){.resamples = 1, .subsample = NAN}, DPC_USAGE);
    refuse(table, (dpc_resampling){.resamples = 1, .subsample = 0.049}, DPC_USAGE);
    dpc_frequencies *f =
        bootstrap(table, NULL, (dpc_resampling){.resamples = 1, .subsample = 0.05});
    assert_int_equal(f->rows, 5);
    dpc_graph *graph = NULL;
    dpc_error err;
    assert_int_equal(dpc_consensus(f, 0, NULL, NULL, &graph, &err), DPC_USAGE);
    assert_int_equal(dpc_consensus(f, 1.01, NULL, NULL, &graph, &err), DPC_USAGE);
    assert_int_equal(dpc_consensus(f, NAN, NULL, NULL, &graph, &err), DPC_USAGE);
    assert_null(graph);
    dpc_frequencies_free(f);
    table->values[17] = NAN;
    refuse(table, (dpc_resampling){.resamples = 3}, DPC_BAD_INPUT);
    table->values[17] = -INFINITY;
    refuse(table, (dpc_resampling){.resamples = 3}, DPC_BAD_INPUT);
    dpc_table_free(table);
    dpc_frequencies_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_twin),        cmocka_unit_test(test_wide),
        cmocka_unit_test(test_draws),       cmocka_unit_test(test_seeds),
        cmocka_unit_test(test_threads),

        cmocka_unit_test(test_interrupted), cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
