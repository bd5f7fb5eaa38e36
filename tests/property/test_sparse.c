/*
 * Without the n × n matrix everything is the same: the graph, the counts, the separating sets, what
 * the audit says, how the graph fits, the table of its edges, and the effects. Only the last bits
 * of a number may differ, and they do so where BLAS sums some columns in an order of their own.
 */
#include "cases.h"
#include "findings.h"
#include "knowing.h"
#include "repeat.h"
#include "same.h"
#include "tables.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { N_TABLES = 1600, N_WIDE = 24, N_EFFECTS = 200 };

static const double NOTHING = 1e-9; /* megabytes */

static struct {
    int full_order, known, copied, refined, greedy, effects;
} seen;

static dpc_settings draw_settings(gsl_rng *rng)
{
    dpc_settings s;
    dpc_settings_default(&s);
    s.alpha = draw_log(rng, 0.001, 0.2);
    s.min_ess = draw_int(rng, 0, 2) ? draw_int(rng, 1, 30) : INFINITY;
    s.method = (dpc_method)draw_int(rng, 0, 2);
    s.variant = (dpc_variant)draw_int(rng, 0, 1);
    s.rule = (dpc_rule)draw_int(rng, 0, 1);
    s.test = (dpc_test)draw_int(rng, 0, 1);
    s.orient = (dpc_orientation)draw_int(rng, 0, 3);
    s.graph = draw_int(rng, 0, 3) ? DPC_CPDAG : (dpc_target)draw_int(rng, 0, 2);
    s.normalize = draw_int(rng, 0, 3) ? DPC_NORMALIZE_NONE : DPC_NORMALIZE_COPULA;
    s.threads = draw_int(rng, 1, 3);
    s.keep_separating_sets = true;
    return s;
}

/* Some columns become copies or sums of others. */
static void depend(dpc_table *table, gsl_rng *rng)
{
    int64_t rows = table->n_obs;
    int n = table->n_vars, to = draw_int(rng, 0, n - 1), a = draw_int(rng, 0, n - 1);
    int b = draw_int(rng, 0, n - 1);
    double f = draw_int(rng, 0, 1) ? 0 : 1;
    for (int64_t i = 0; i < rows && to != a && to != b; i++)
        table->values[to * rows + i] =
            2 * table->values[a * rows + i] + f * table->values[b * rows + i];
}

/* With R, or from the columns; the audit may be NULL. */
static dpc_correlation *correlated(const dpc_table *table, const dpc_settings *settings, bool whole,
                                   dpc_audit *audit)
{
    dpc_settings s = *settings;
    dpc_correlation *c = NULL;
    dpc_error err = {0};
    s.memory = whole ? 1e6 : NOTHING;
    s.min_ess = INFINITY;
    if (dpc_correlate(table, &s, audit, &c, &err) != DPC_OK)
        fail_msg("%s", err.message);
    assert_true((dpc_correlation_about(c).values != NULL) == whole);
    return c;
}

static void check_audits(const dpc_audit *first, const dpc_audit *second)
{
    assert_int_equal(first->count, second->count);
    for (int i = 0; i < first->count; i++) {
        assert_string_equal(first->items[i].text, second->items[i].text);
        seen.copied += strstr(first->items[i].text, "copy") != NULL;
    }
}

static bool near(double a, double b)
{
    return (isnan(a) && isnan(b)) || a == b || fabs(a - b) <= 1e-8 * (1 + fabs(a));
}

static void check_fits(const dpc_result *first, const dpc_result *second)
{
    dpc_goodness *p = NULL, *q = NULL;
    assert_int_equal(dpc_fit(first, NULL, NULL, NULL, &p, NULL), DPC_OK);
    assert_int_equal(dpc_fit(second, NULL, NULL, NULL, &q, NULL), DPC_OK);
    assert_true(p->implied == q->implied && p->untested == q->untested && p->exceed == q->exceed);
    assert_true(p->close_calls == q->close_calls && p->n_largest == q->n_largest);
    assert_true(near(p->log_likelihood, q->log_likelihood));
    for (int i = 0; i < p->n_largest; i++)
        assert_true(near(p->largest[i].z, q->largest[i].z));
    dpc_goodness_free(p);
    dpc_goodness_free(q);
}

static void check_edges(const dpc_result *first, const dpc_result *second)
{
    dpc_edge_table *p = NULL, *q = NULL;
    assert_int_equal(dpc_tabulate_edges(first, NULL, NULL, NULL, NULL, &p, NULL), DPC_OK);
    assert_int_equal(dpc_tabulate_edges(second, NULL, NULL, NULL, NULL, &q, NULL), DPC_OK);
    assert_int_equal(p->n_rows, q->n_rows);
    for (int64_t i = 0; i < p->n_rows; i++) {
        const dpc_edge_row *a = &p->rows[i], *b = &q->rows[i];
        assert_true(a->from == b->from && a->to == b->to && near(a->r, b->r) && near(a->p, b->p) &&
                    near(a->evidence, b->evidence));
    }
    dpc_edge_table_free(p);
    dpc_edge_table_free(q);
}

static void check_table(const dpc_table *table, const dpc_settings *settings, const char *words)
{
    dpc_audit audits[2] = {{0}, {0}};
    dpc_correlation *whole = correlated(table, settings, true, &audits[0]);
    dpc_correlation *columns = correlated(table, settings, false, &audits[1]);
    dpc_result *first = learned(whole, settings), *second = learned(columns, settings);
    if (settings->refine == DPC_REFINE_NONE && settings->method != DPC_GES)
        check_nearly_same(first, second, words);
    check_same_graph(dpc_result_graph(first), dpc_result_graph(second), words, 0);
    if (table->n_obs <= table->n_vars) /* otherwise one has no room for its last look */
        check_audits(&audits[0], &audits[1]);
    if (settings->graph != DPC_SKELETON)
        check_fits(first, second);
    check_edges(first, second);
    seen.full_order += first->sepsets != NULL && first->sepsets->full_order != NULL;
    dpc_result_free(first);
    dpc_result_free(second);
    dpc_correlation_free(whole);
    dpc_correlation_free(columns);
    dpc_audit_clear(&audits[0]);
    dpc_audit_clear(&audits[1]);
}

static void test_tables(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20261116);
    for (int number = 0; number < repeats(N_TABLES); number++) {
        char words[400];
        int n = draw_int(rng, 2, number % 10 == 0 ? 60 : 16);
        dpc_settings s = draw_settings(rng);
        dpc_table *table = simulated_table(n, (int64_t)draw_log(rng, 8, 400), 1 + (uint64_t)number);
        dpc_knowledge *known = number % 4 == 1 ? draw_any_knowledge(n, rng) : NULL;
        if (number % 3 == 0)
            depend(table, rng);
        s.knowledge = known;
        if (number % 16 == 3) { /* what a score decides */
            s.keep_separating_sets = false;
            s.refine = number % 32 == 3 ? DPC_REFINE_FAST : DPC_REFINE_FULL;
        } else if (number % 16 == 11) {
            s.keep_separating_sets = false;
            s.rule = DPC_RULE_OR;
            s.method = DPC_GES;
        }
        seen.known += known != NULL;
        seen.refined += s.refine != DPC_REFINE_NONE;
        seen.greedy += s.method == DPC_GES;
        describe_settings(&s, words, sizeof words);
        check_table(table, &s, words);
        dpc_table_free(table);
        dpc_knowledge_free(known);
    }
    assert_true(seen.full_order >= share(200) && seen.known >= share(300));
    assert_true(seen.copied >= share(20) && seen.refined >= share(80) && seen.greedy >= share(80));
    gsl_rng_free(rng);
}

/* More columns than one tile has, where rows are not cut into chunks. */
static void test_wide(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(16);
    for (int number = 0; number < repeats(N_WIDE); number++) {
        char words[400];
        int n = draw_int(rng, 513, 700);
        dpc_settings s = draw_settings(rng);
        s.alpha = draw_log(rng, 1e-4, 1e-2);
        s.variant = number % 4 == 0 ? DPC_STANDARD : DPC_STABLE;
        s.max_order = 2;
        dpc_table *table = simulated_table(n, draw_int(rng, 40, 600), 1 + (uint64_t)number);
        depend(table, rng);
        if (number % 3 == 1) {
            s.keep_separating_sets = false;
            s.refine = DPC_REFINE_FAST;
        }
        describe_settings(&s, words, sizeof words);
        check_table(table, &s, words);
        dpc_table_free(table);
    }
    gsl_rng_free(rng);
}

/* The possible effects, local and optimal. */
static void check_effects(const dpc_table *table, const dpc_settings *settings)
{
    dpc_correlation *whole = correlated(table, settings, true, NULL);
    dpc_correlation *columns = correlated(table, settings, false, NULL);
    dpc_result *result = learned(whole, settings);
    dpc_causal *causal = NULL;
    assert_int_equal(dpc_causal_new(dpc_result_graph(result), NULL, true, &causal, NULL), DPC_OK);
    for (int ida = 0; ida < 2; ida++) {
        dpc_effect_query query = {.ida = (dpc_ida)ida};
        dpc_effect_table *p = NULL, *q = NULL;
        assert_int_equal(dpc_effects(whole, causal, &query, settings, &p, NULL), DPC_OK);
        assert_int_equal(dpc_effects(columns, causal, &query, settings, &q, NULL), DPC_OK);
        assert_int_equal(dpc_effect_table_about(p)->n_pairs, dpc_effect_table_about(q)->n_pairs);
        for (int64_t i = 0; i < dpc_effect_table_about(p)->n_pairs; i++) {
            int count = dpc_effect_table_pair(p, i).count;
            assert_int_equal(count, dpc_effect_table_pair(q, i).count);
            for (int k = 0; k < count; k++) {
                dpc_effect a = dpc_effect_table_at(p, i, k), b = dpc_effect_table_at(q, i, k);
                assert_true(near(a.effect, b.effect) && near(a.se, b.se) && a.size == b.size);
                seen.effects += a.effect != 0;
            }
        }
        dpc_effect_table_free(p);
        dpc_effect_table_free(q);
    }
    dpc_causal_free(causal);
    dpc_result_free(result);
    dpc_correlation_free(whole);
    dpc_correlation_free(columns);
}

static void test_effects(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20261117);
    for (int number = 0; number < repeats(N_EFFECTS); number++) {
        dpc_settings s = draw_settings(rng);
        s.graph = DPC_CPDAG;
        int n = draw_int(rng, 2, 12);
        dpc_table *table = simulated_table(n, draw_int(rng, 60, 400), 1 + (uint64_t)number);
        check_effects(table, &s);
        dpc_table_free(table);
    }
    assert_true(seen.effects > share(1000));
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_tables), cmocka_unit_test(test_wide),
                                       cmocka_unit_test(test_effects)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
