/*
 * Columns that the columns before them determine: which they are is known, for they were made; the
 * weights are those they were made with, also where combinations lie on both sides of a block, and
 * the number of threads changes nothing.
 */
#include "cases.h"
#include "correlation.h"
#include "dependence.h"
#include "table.h"
#include "tables.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 700, TERMS = 3 };

/* Column j = Σ weight column, from columns before it; without terms: free. */
struct made {
    int terms;
    int from[TERMS];
    double weight[TERMS];
};

static dpc_table *make_table(int n, double share, gsl_rng *rng, struct made *made)
{
    dpc_table *table = NULL;
    int64_t n_obs = n + 20;
    assert_int_equal(dpc_table_new(n_obs, n, NULL, &table, NULL), DPC_OK);
    for (int j = 0; j < n; j++) {
        double *x = table->values + j * n_obs;
        made[j].terms = j >= 10 && gsl_rng_uniform(rng) < share ? draw_int(rng, 2, TERMS) : 0;
        for (int64_t i = 0; made[j].terms == 0 && i < n_obs; i++)
            x[i] = gsl_ran_ugaussian(rng);
        for (int k = 0; k < made[j].terms; k++) {
            int from; /* a free column, and one that is not there yet */
            do
                from = draw_int(rng, 0, j - 1);
            while (made[from].terms > 0 || (k > 0 && from == made[j].from[0]) ||
                   (k > 1 && from == made[j].from[1]));
            made[j].from[k] = from;
            made[j].weight[k] = draw_int(rng, 0, 1) ? 1 : -0.5 - gsl_rng_uniform(rng);
            for (int64_t i = 0; i < n_obs; i++)
                x[i] += made[j].weight[k] * table->values[from * n_obs + i];
        }
    }
    return table;
}

static double length(const dpc_table *table, int j)
{
    const double *x = table->values + j * table->n_obs;
    double sum = 0, squares = 0;
    for (int64_t i = 0; i < table->n_obs; i++)
        sum += x[i];
    for (int64_t i = 0; i < table->n_obs; i++)
        squares += (x[i] - sum / (double)table->n_obs) * (x[i] - sum / (double)table->n_obs);
    return sqrt(squares);
}

struct expectation {
    const dpc_table *table;
    const struct made *made;
    const bool *skip;
    int next; /* the first column that has not been met */
    int found;
    double sum; /* of all weights: the same to the last bit for any number of threads */
};

static void pass_free(struct expectation *e, int until)
{
    for (; e->next < until; e->next++)
        if (!e->skip[e->next] && e->made[e->next].terms > 0)
            fail_msg("column %d of %d was not found", e->next, e->table->n_vars);
}

/* In units of the standardised columns the weight of x in y is weight |x| / |y|. */
static dpc_status check_one(void *context, const dpc_dependent *d)
{
    struct expectation *e = context;
    pass_free(e, d->column);
    e->next = d->column + 1;
    e->found++;
    const struct made *made = &e->made[d->column];
    if (made->terms == 0)
        fail_msg("column %d of %d is free", d->column, e->table->n_vars);
    assert_true(fabs(d->left) < 1e-12);
    const double *weight = dpc_dependent_weights(d);
    for (int i = 0; i < d->rank; i++) {
        double expected = 0;
        assert_true(i == 0 || d->basis[i] > d->basis[i - 1]);
        for (int k = 0; k < made->terms; k++)
            if (made->from[k] == d->basis[i])
                expected =
                    made->weight[k] * length(e->table, made->from[k]) / length(e->table, d->column);
        if (!(fabs(weight[i] - expected) < 1e-9))
            fail_msg("column %d of %d: %d has the weight %g, not %g", d->column, e->table->n_vars,
                     d->basis[i], weight[i], expected);
        e->sum += weight[i];
    }
    return DPC_OK;
}

static void check_table(int n, double share, gsl_rng *rng)
{
    struct made made[MOST];
    bool skip[MOST] = {false};
    dpc_settings settings = plain_settings();
    dpc_correlation *c = NULL;
    dpc_table *table = make_table(n, share, rng, made);
    assert_int_equal(dpc_correlate(table, &settings, NULL, &c, NULL), DPC_OK);
    for (int j = 0; j < n; j++) /* only what is determined: others may need it */
        skip[j] = made[j].terms > 0 && draw_int(rng, 0, 9) == 0;
    double sum = 0;
    for (settings.threads = 1; settings.threads <= 3; settings.threads++) {
        struct expectation e = {.table = table, .made = made, .skip = skip};
        assert_int_equal(dpc_find_dependents(c, skip, &settings, check_one, &e), DPC_OK);
        pass_free(&e, n);
        assert_true(settings.threads == 1 || memcmp(&sum, &e.sum, sizeof sum) == 0);
        sum = e.sum;
    }
    dpc_correlation_free(c);
    dpc_table_free(table);
}

static void test_made(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20250103);
    for (int number = 0; number < 30; number++)
        check_table(draw_int(rng, 2, 80), 0.6 * gsl_rng_uniform(rng), rng);
    static const int sizes[] = {255, 256, 257, 288, 512, 513, MOST};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        check_table(sizes[i], i % 2 ? 0.3 : 0.01, rng);
    gsl_rng_free(rng);
}

static dpc_status stop_at_once(void *context, const dpc_dependent *d)
{
    (void)d;
    ++*(int *)context;
    return DPC_NO_MEMORY;
}

static int never(const dpc_progress *progress, void *user)
{
    (void)progress;
    (void)user;
    return 1;
}

/* The search ends where the call fails, or when it is called off. */
static void test_ends(void **state)
{
    (void)state;
    struct made made[MOST];
    bool skip[MOST] = {false};
    int calls = 0;
    gsl_rng *rng = seeded(20250104);
    dpc_settings settings = plain_settings();
    dpc_correlation *c = NULL;
    dpc_table *table = make_table(300, 0.5, rng, made);
    assert_int_equal(dpc_correlate(table, &settings, NULL, &c, NULL), DPC_OK);
    assert_int_equal(dpc_find_dependents(c, skip, &settings, stop_at_once, &calls), DPC_NO_MEMORY);
    assert_int_equal(calls, 1);
    settings.progress = never;
    assert_int_equal(dpc_find_dependents(c, skip, &settings, stop_at_once, &calls),
                     DPC_INTERRUPTED);
    assert_int_equal(calls, 1);
    dpc_correlation_free(c);
    dpc_table_free(table);
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_made),
        cmocka_unit_test(test_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
