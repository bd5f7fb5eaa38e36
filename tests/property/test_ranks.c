/*
 * A ranks: whatever its ranks share, one of them has the result in the end, and not a bit of it is
 * different. Here they are threads (tests/support/mates.c); tests/mpi has processes.
 */
#include "dualpc_explain.h"

#include "mates.h"
#include "repeat.h"
#include "same.h"
#include "tables.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N_CASES = 120, N_RESAMPLED = 20 };

/* What all ranks are given, and what becomes of it. */
typedef struct job {
    const dpc_table *table;
    const dpc_settings *settings;
    const dpc_resampling *resampling; /* NULL: one graph */
    dpc_progress_fn stop;             /* of the rank `stopper`; may be NULL */
    int stopper;
    dpc_correlation *correlation;
    dpc_result *result;
    dpc_frequencies *frequencies;
    dpc_effect_resamples *effects;
    dpc_status status[8];
    bool astray[8]; /* a rank that does not lead has a result */
} job;

static dpc_status work(const dpc_ranks *ranks, void *context)
{
    job *j = context;
    dpc_settings settings = *j->settings;
    dpc_correlation *correlation = NULL;
    dpc_result *result = NULL;
    dpc_frequencies *f = NULL;
    dpc_effect_resamples *effects = NULL;
    const dpc_effect_query query = {0};
    settings.ranks = ranks;
    settings.threads = 1 + ranks->rank % 2;
    settings.progress = ranks->rank == j->stopper ? j->stop : NULL;
    dpc_status status = dpc_correlate(j->table, &settings, NULL, &correlation, NULL);
    if (status == DPC_OK)
        status = dpc_learn(correlation, &settings, &result, NULL);
    if (status == DPC_OK && j->resampling != NULL)
        status =
            dpc_bootstrap_effects(j->table, &settings, j->resampling, &query, &f, &effects, NULL);
    j->status[ranks->rank] = status;
    if (ranks->rank == 0) {
        j->correlation = correlation;
        j->result = result;
        j->frequencies = f;
        j->effects = effects;
        return status;
    }
    j->astray[ranks->rank] = result != NULL || f != NULL || effects != NULL;
    dpc_correlation_free(correlation);
    return status;
}

static void job_clear(job *j)
{
    dpc_correlation_free(j->correlation);
    dpc_result_free(j->result);
    dpc_frequencies_free(j->frequencies);
    dpc_effect_resamples_free(j->effects);
}

static dpc_knowledge *draw_knowledge(int n, gsl_rng *rng)
{
    dpc_knowledge *known = NULL;
    assert_int_equal(dpc_knowledge_new(n, &known, NULL), DPC_OK);
    for (int v = 0; v < n; v++)
        if (draw_int(rng, 0, 2) > 0)
            dpc_knowledge_tier(known, v, draw_int(rng, 0, 2), NULL);
    for (int i = 0; i < n; i++)
        dpc_knowledge_forbid(known, draw_int(rng, 0, n - 1), draw_int(rng, 0, n - 1), NULL);
    return known;
}

static dpc_settings draw_settings(gsl_rng *rng)
{
    dpc_settings s = plain_settings();
    s.method = (dpc_method)draw_int(rng, DPC_DUAL, DPC_PRECISION);
    s.rule = (dpc_rule)draw_int(rng, 0, 1);
    s.variant = draw_int(rng, 0, 7) == 0 ? DPC_STANDARD : DPC_STABLE;
    s.test = (dpc_test)draw_int(rng, 0, 1);
    s.alpha = draw_log(rng, 1e-4, 0.3);
    s.normalize = (dpc_normalize)draw_int(rng, 0, 1);
    s.keep_separating_sets = true;
    return s;
}

/* The same without several ranks. */
static void learn_alone(const dpc_table *table, const dpc_settings *settings, job *alone)
{
    dpc_error err;
    if (dpc_correlate(table, settings, NULL, &alone->correlation, &err) != DPC_OK ||
        dpc_learn(alone->correlation, settings, &alone->result, &err) != DPC_OK)
        fail_msg("%s", err.message);
}

static void test_learning(void **state)
{
    (void)state;
    for (int i = 0; i < repeats(N_CASES); i++) {
        gsl_rng *rng = seeded(500 + (uint64_t)i);
        int n = draw_int(rng, 4, 70);
        dpc_table *table = simulated_table(n, draw_int(rng, 20, 300), (uint64_t)i);
        if (i % 4 == 0)
            spoil_columns(table, rng);
        if (i % 3 == 1) /* a copy; or neighbourhoods without an inverse: all ranks have to know */
            for (int64_t row = 0, rows = table->n_obs; row < rows; row++)
                table->values[row] =
                    table->values[rows + row] + (i % 2 ? table->values[2 * rows + row] : 0);
        dpc_settings settings = draw_settings(rng);
        bool sparse = i % 5 < 2; /* without R */
        if (sparse) {
            settings.memory = 1e-6;
            settings.min_ess = INFINITY;
        }
        dpc_knowledge *known = i % 3 == 0 ? draw_knowledge(n, rng) : NULL;
        settings.knowledge = known;
        char words[200];
        describe_settings(&settings, words, sizeof words);
        job alone = {0}, shared = {.table = table, .settings = &settings};
        learn_alone(table, &settings, &alone);
        as_team(2 + i % 4, work, &shared);
        if (shared.status[0] != DPC_OK || shared.result == NULL)
            fail_msg("case %d, %s: no result", i, words);
        for (int rank = 0; rank < 8; rank++)
            assert_false(shared.astray[rank]);
        if (!sparse)
            assert_memory_equal(dpc_correlation_about(alone.correlation).values,
                                dpc_correlation_about(shared.correlation).values,
                                (size_t)n * (size_t)n * sizeof(double));
        check_same(alone.result, shared.result, words);
        job_clear(&alone);
        job_clear(&shared);
        dpc_knowledge_free(known);
        dpc_table_free(table);
        gsl_rng_free(rng);
    }
}

/* A node with so many neighbours that its visit is shared by several ranks. */
static void test_hub(void **state)
{
    (void)state;
    enum { N = 150, ROWS = 3000 };
    gsl_rng *rng = seeded(7);
    dpc_table *table = NULL;
    assert_int_equal(dpc_table_new(ROWS, N, NULL, &table, NULL), DPC_OK);
    double *x = dpc_table_about(table).values;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < N; j++)
            x[j * ROWS + i] = gsl_ran_ugaussian(rng) + (j > 0 ? x[i] : 0);
    for (int i = 0; i < 2; i++) {
        dpc_settings settings = plain_settings();
        settings.max_order = 2;
        settings.rule = (dpc_rule)i;
        settings.keep_separating_sets = true;
        job alone = {0}, shared = {.table = table, .settings = &settings};
        learn_alone(table, &settings, &alone);
        as_team(3, work, &shared);
        check_same(alone.result, shared.result, "a hub");
        job_clear(&alone);
        job_clear(&shared);
    }
    dpc_table_free(table);
    gsl_rng_free(rng);
}

static void test_resamples(void **state)
{
    (void)state;
    for (int i = 0; i < repeats(N_RESAMPLED); i++) {
        gsl_rng *rng = seeded(900 + (uint64_t)i);
        dpc_table *table = simulated_table(draw_int(rng, 4, 15), 60, (uint64_t)i);
        dpc_settings settings = draw_settings(rng);
        dpc_resampling how = {.resamples = draw_int(rng, 1, 12), .seed = (uint64_t)i};
        const dpc_effect_query query = {0};
        settings.keep_separating_sets = false;
        job alone = {0}, shared = {.table = table, .settings = &settings, .resampling = &how};
        assert_int_equal(dpc_bootstrap_effects(table, &settings, &how, &query, &alone.frequencies,
                                               &alone.effects, NULL),
                         DPC_OK);
        learn_alone(table, &settings, &alone);
        as_team(2 + i % 3, work, &shared);
        assert_int_equal(shared.status[0], DPC_OK);
        for (int rank = 0; rank < 8; rank++)
            assert_false(shared.astray[rank]);
        assert_same_frequencies(alone.frequencies, shared.frequencies);
        job_clear(&alone);
        job_clear(&shared);
        dpc_table_free(table);
        gsl_rng_free(rng);
    }
}

/* ---- Calling it off ---- */

static int at_level_one(const dpc_progress *progress, void *user)
{
    (void)user;
    return progress->stage == DPC_STAGE_SKELETON && progress->level >= 1;
}

/* Whoever is told to stop: all ranks do, and none waits for another. */
static void test_stopping(void **state)
{
    (void)state;
    dpc_table *table = simulated_table(90, 4000, 3);
    dpc_settings settings = plain_settings();
    settings.alpha = 0.3;
    for (int stopper = 0; stopper < 3; stopper++) {
        job shared = {
            .table = table, .settings = &settings, .stop = at_level_one, .stopper = stopper};
        as_team(3, work, &shared);
        for (int rank = 0; rank < 3; rank++)
            assert_int_equal(shared.status[rank], DPC_INTERRUPTED);
        assert_null(shared.result);
        job_clear(&shared);
    }
    dpc_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_learning),
        cmocka_unit_test(test_hub),
        cmocka_unit_test(test_resamples),
        cmocka_unit_test(test_stopping),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
