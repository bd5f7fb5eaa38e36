/*
 * Effects in tables with nominal variables and blocks of columns, against ordinary least squares on
 * the rows of the table: normal equations with an intercept in long double. Every number that the
 * library gives for a pair of variables is a coefficient of such a regression: of a number, or of
 * the indicator of a level beside those of the other levels but the most frequent one; for a number
 * or the indicator of a level as the outcome.
 */
#include "classes.h"
#include "repeat.h"
#include "table.h"
#include "tables.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N_TABLES = 400, ROWS = 90, N = 6, MOST = 24 };

static void ok(dpc_status status, const dpc_error *err)
{
    if (status != DPC_OK)
        fail_msg("%s", err->message);
}

/* ---- Tables ---- */

/* What the twin knows of a variable: its columns as they are, or its codes. */
struct variable {
    dpc_variable_kind kind;
    int levels;
    double x[2][ROWS]; /* values or codes; of a block two columns */
};

/* Numbers that depend on each other a little; some are cut into levels. */
static void draw_variables(gsl_rng *rng, struct variable *v, bool binary)
{
    for (int i = 0; i < ROWS; i++) {
        double common = gsl_rng_uniform(rng) - 0.5;
        for (int k = 0; k < N; k++) {
            double z = common + 1.2 * (gsl_rng_uniform(rng) - 0.5);
            v[k].x[0][i] = 3 * z + k;
            v[k].x[1][i] = gsl_rng_uniform(rng) + z;
        }
    }
    for (int k = 0; k < N; k++) {
        int which = (int)(gsl_rng_uniform(rng) * 5);
        v[k].kind = which < 2 ? DPC_NOMINAL : which == 2 && !binary ? DPC_BLOCK : DPC_NUMBER;
        v[k].levels = v[k].kind != DPC_NOMINAL ? 0
                      : binary                 ? 2
                                               : 2 + (int)(gsl_rng_uniform(rng) * 4);
        for (int i = 0; i < ROWS && v[k].kind == DPC_NOMINAL; i++) {
            double share = (v[k].x[0][i] - k) / 6.6 + 0.5; /* 0 … 1 */
            int code = (int)(share * v[k].levels);
            v[k].x[0][i] = code < 0 ? 0 : code >= v[k].levels ? v[k].levels - 1 : code;
        }
    }
    v[0].kind = DPC_NOMINAL; /* one at the least, and its last level may have no rows */
    v[0].levels = binary ? 2 : 4;
    for (int i = 0; i < ROWS; i++)
        v[0].x[0][i] = gsl_rng_uniform(rng) < 0.4 ? 1 : v[1].x[1][i] > 0.5 ? 0 : binary ? 1 : 2;
}

static dpc_table *table_of(const struct variable *v)
{
    dpc_table *table = NULL;
    dpc_error err = {0};
    double cells[2 * N][ROWS];
    int columns = N, second[N];
    for (int k = 0; k < N; k++) {
        memcpy(cells[k], v[k].x[0], sizeof cells[k]);
        second[k] = -1;
    }
    for (int k = 0; k < N; k++)
        if (v[k].kind == DPC_BLOCK) {
            second[k] = columns;
            memcpy(cells[columns++], v[k].x[1], sizeof cells[k]);
        }
    char names[2 * N][16];
    const char *name[2 * N] = {0};
    for (int c = 0; c < columns; c++) {
        snprintf(names[c], sizeof names[c], "c%d", c);
        name[c] = names[c];
    }
    ok(dpc_table_new(ROWS, columns, name, &table, &err), &err);
    for (int c = 0; c < columns; c++)
        memcpy(table->values + (int64_t)c * ROWS, cells[c], sizeof cells[c]);
    for (int k = N - 1; k >= 0; k--) /* the second columns lie behind all first ones */
        if (v[k].kind == DPC_BLOCK) {
            const int32_t both[] = {k, second[k]};
            ok(dpc_table_join(table, names[k], both, 2, &err), &err);
        } else if (v[k].kind == DPC_NOMINAL) {
            ok(dpc_table_set_kind(table, k, DPC_NOMINAL, v[k].levels, NULL, &err), &err);
        }
    return table;
}

/* ---- Ordinary least squares ---- */

struct design {
    int count;
    double x[MOST][ROWS];
};

static int most_frequent(const struct variable *v)
{
    int count[8] = {0}, most = 0;
    for (int i = 0; i < ROWS; i++)
        count[(int)v->x[0][i]]++;
    for (int l = 1; l < v->levels; l++)
        most = count[l] > count[most] ? l : most;
    return most;
}

static void indicate(const struct variable *v, int level, double *to)
{
    for (int i = 0; i < ROWS; i++)
        to[i] = v->x[0][i] == level;
}

static bool is_seen(const struct variable *v, int level)
{
    for (int i = 0; i < ROWS; i++)
        if (v->x[0][i] == level)
            return true;
    return false;
}

/* All columns of a variable but the baseline and one more level. */
static void add_variable(const struct variable *v, int but, struct design *d)
{
    for (int l = 0; l < v->levels; l++)
        if (l != but && l != most_frequent(v) && is_seen(v, l))
            indicate(v, l, d->x[d->count++]);
    for (int c = 0; c < (v->kind == DPC_BLOCK ? 2 : 1) && v->kind != DPC_NOMINAL; c++)
        memcpy(d->x[d->count++], v->x[c], sizeof v->x[c]);
}

/* The coefficient of the last column, and its standard error; NaN: nothing is left of a column. */
static double slow_ols(const struct design *d, const double *y, double *se)
{
    long double a[MOST][MOST + 1], left = 0;
    int k = d->count;
    for (int i = 0; i < k; i++) {
        for (int j = 0; j <= k; j++) {
            a[i][j] = 0;
            for (int row = 0; row < ROWS; row++)
                a[i][j] += (long double)d->x[i][row] * (j < k ? d->x[j][row] : y[row]);
        }
    }
    for (int row = 0; row < ROWS; row++)
        left += (long double)y[row] * y[row];
    for (int p = 0; p < k; p++) {
        if (a[p][p] < 1e-9)
            return *se = NAN;
        left -= a[p][k] * a[p][k] / a[p][p];
        for (int i = p + 1; i < k; i++) {
            long double factor = a[i][p] / a[p][p];
            for (int j = p; j <= k; j++)
                a[i][j] -= factor * a[p][j];
        }
    }
    *se = (double)sqrtl((left > 0 ? left : 0) / (a[k - 1][k - 1] * (ROWS - k)));
    return (double)(a[k - 1][k] / a[k - 1][k - 1]);
}

static double slow_effect(const struct variable *v, const dpc_effect_pair *pair,
                          const dpc_effect *e, double *se, int *columns)
{
    struct design d = {.count = 1};
    double y[ROWS];
    for (int i = 0; i < ROWS; i++)
        d.x[0][i] = 1;
    for (int i = 0; i < e->size; i++)
        add_variable(&v[e->set[i]], -1, &d);
    const struct variable *cause = &v[pair->cause], *outcome = &v[pair->outcome];
    if (pair->contrast >= 0) {
        assert_int_equal(pair->baseline, most_frequent(cause));
        add_variable(cause, pair->contrast, &d);
        indicate(cause, pair->contrast, d.x[d.count++]);
    } else {
        add_variable(cause, -1, &d);
    }
    if (pair->level >= 0)
        indicate(outcome, pair->level, y);
    else
        memcpy(y, outcome->x[0], sizeof y);
    *columns = d.count;
    return slow_ols(&d, y, se);
}

static double sd_of(const double *x)
{
    double mean = 0, sum = 0;
    for (int i = 0; i < ROWS; i++)
        mean += x[i] / ROWS;
    for (int i = 0; i < ROWS; i++)
        sum += (x[i] - mean) * (x[i] - mean) / ROWS;
    return sqrt(sum);
}

/* ---- All pairs ---- */

static void assert_near(double p, double q, double scale)
{
    if (!(fabs(p - q) <= 1e-9 * (1 + fabs(q)) * scale))
        fail_msg("%.15g is not %.15g", p, q);
}

static int compare(const struct variable *v, const dpc_effect_table *t, int64_t i)
{
    dpc_effect_pair pair = dpc_effect_table_pair(t, i);
    int estimates = 0;
    assert_true((pair.contrast >= 0) == (v[pair.cause].kind == DPC_NOMINAL));
    assert_true((pair.level >= 0) == (v[pair.outcome].kind == DPC_NOMINAL));
    for (int k = 0; k < pair.count; k++) {
        dpc_effect e = dpc_effect_table_at(t, i, k);
        double se;
        int columns;
        if (!e.possible) {
            assert_true(e.effect == 0 && e.standardised == 0 && isnan(e.se));
            continue;
        }
        double effect = slow_effect(v, &pair, &e, &se, &columns);
        if (isnan(effect)) {
            assert_true(isnan(e.effect));
            continue;
        }
        double scale_y = pair.level >= 0 ? 1 : sd_of(v[pair.outcome].x[0]);
        double scale_x = pair.contrast >= 0 ? 1 : sd_of(v[pair.cause].x[0]);
        assert_near(e.effect, effect, 10);
        assert_near(e.se, se, 10);
        assert_near(e.standardised, effect * scale_x / scale_y, 10);
        assert_true(e.low <= e.effect && e.effect <= e.high);
        if (se > 1e-9) { /* Student's t with ROWS - columns degrees of freedom */
            double t95 = (e.high - e.effect) / e.se;
            assert_true(t95 > 1.96 && t95 < 2.1 + 4.0 / (ROWS - columns));
        }
        estimates++;
    }
    return estimates;
}

/* Are there as many entries as terms? */
static int64_t expected_pairs(const struct variable *v)
{
    int64_t all = 0;
    for (int x = 0; x < N; x++)
        for (int y = 0; y < N; y++) {
            if (x == y || v[x].kind == DPC_BLOCK || v[y].kind == DPC_BLOCK)
                continue;
            all += (v[x].kind == DPC_NOMINAL ? v[x].levels - 1 : 1) *
                   (v[y].kind == DPC_NOMINAL ? v[y].levels : 1);
        }
    return all;
}

static void test_all_pairs(void **state)
{
    (void)state;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct variable *v = calloc(N, sizeof *v);
    dpc_settings settings = plain_settings();
    int estimates = 0;
    for (int i = 0; i < repeats(N_TABLES); i++) {
        dpc_error err = {0};
        dpc_correlation *c = NULL;
        dpc_causal *causal = NULL;
        dpc_graph graph;
        draw_variables(rng, v, i % 4 == 3);
        dpc_table *table = table_of(v);
        draw_kind(rng, N, (dpc_graph_kind)(i % 3), &graph);
        ok(dpc_correlate(table, &settings, NULL, &c, &err), &err);
        ok(dpc_causal_new(&graph, NULL, true, &causal, &err), &err);
        for (dpc_ida ida = DPC_IDA_LOCAL; ida <= DPC_IDA_OPTIMAL; ida++) {
            dpc_effect_table *t = NULL;
            ok(dpc_effects(c, causal, &(dpc_effect_query){.ida = ida}, &settings, &t, &err), &err);
            assert_true(dpc_effect_table_about(t)->levels);
            assert_int_equal(dpc_effect_table_about(t)->n_pairs, expected_pairs(v));
            for (int64_t k = 0; k < dpc_effect_table_about(t)->n_pairs; k++)
                estimates += compare(v, t, k);
            dpc_effect_table_free(t);
        }
        dpc_causal_free(causal);
        dpc_graph_clear(&graph);
        dpc_correlation_free(c);
        dpc_table_free(table);
    }
    assert_true(estimates > repeats(N_TABLES) * 20);
    free(v);
    gsl_rng_free(rng);
}

/* The effects on all levels of an outcome add up to 0: shares add up to 1. */
static void test_shares_add_up(void **state)
{
    (void)state;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct variable *v = calloc(N, sizeof *v);
    dpc_settings settings = plain_settings();
    dpc_error err = {0};
    dpc_edge edges[] = {dpc_edge_of(0, 1, DPC_FORWARD), dpc_edge_of(1, 2, DPC_FORWARD)};
    dpc_graph graph = {N, 2, edges};
    dpc_correlation *c = NULL;
    dpc_causal *causal = NULL;
    dpc_effect_table *t = NULL;
    const int32_t outcome = 0;
    draw_variables(rng, v, false);
    edges[0] = dpc_edge_of(0, 1, DPC_BACKWARD);
    dpc_table *table = table_of(v);
    ok(dpc_correlate(table, &settings, NULL, &c, &err), &err);
    ok(dpc_causal_new(&graph, NULL, true, &causal, &err), &err);
    ok(dpc_effects(c, causal, &(dpc_effect_query){.outcomes = &outcome, .n_outcomes = 1}, &settings,
                   &t, &err),
       &err);
    double sum = 0, size = 0;
    for (int64_t i = 0; i < dpc_effect_table_about(t)->n_pairs; i++) {
        dpc_effect_pair pair = dpc_effect_table_pair(t, i);
        dpc_effect e = dpc_effect_table_at(t, i, 0);
        if (pair.cause == 1 && e.possible && !isnan(e.effect)) {
            sum += e.effect;
            size += fabs(e.effect);
        }
    }
    assert_true(size > 0 && fabs(sum) < 1e-12);
    dpc_effect_table_free(t);
    dpc_causal_free(causal);
    dpc_correlation_free(c);
    dpc_table_free(table);
    free(v);
    gsl_rng_free(rng);
}

/* ---- What has no single number ---- */

static void test_refusals(void **state)
{
    (void)state;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct variable *v = calloc(N, sizeof *v);
    dpc_settings settings = plain_settings();
    dpc_error err = {0};
    dpc_graph graph = {.n_nodes = N};
    dpc_correlation *c = NULL;
    dpc_causal *causal = NULL;
    dpc_effect_table *t = NULL;
    const int32_t block = 2;
    draw_variables(rng, v, false);
    v[2].kind = DPC_BLOCK;
    v[2].levels = 0;
    dpc_table *table = table_of(v);
    ok(dpc_causal_new(&graph, NULL, false, &causal, &err), &err);
    ok(dpc_correlate(table, &settings, NULL, &c, &err), &err);
    assert_int_equal(dpc_effects(c, causal, &(dpc_effect_query){.causes = &block, .n_causes = 1},
                                 &settings, &t, &err),
                     DPC_BAD_INPUT);
    assert_non_null(strstr(err.message, "no single number describes the effect of variable 2"));
    assert_int_equal(dpc_effects(c, causal,
                                 &(dpc_effect_query){.outcomes = &block, .n_outcomes = 1},
                                 &settings, &t, &err),
                     DPC_BAD_INPUT);
    dpc_correlation_free(c);
    settings.relations = DPC_CURVED;
    ok(dpc_correlate(table, &settings, NULL, &c, &err), &err);
    assert_int_equal(dpc_effects(c, causal, &(dpc_effect_query){0}, &settings, &t, &err),
                     DPC_BAD_INPUT);
    assert_non_null(strstr(err.message, "no single number describes the effect of a curved"));
    assert_null(t);
    dpc_causal_free(causal);
    dpc_correlation_free(c);
    dpc_table_free(table);
    free(v);
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_pairs),
        cmocka_unit_test(test_shares_add_up),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
