/*
 * Questions to results where variables are several columns: separating sets separate, an edge has
 * rejected what is told of it, the fit is that of a slow loop, a resample is the table of its rows.
 */
#include "block_answer.h"
#include "cases.h"
#include "extension.h"
#include "implied.h"
#include "kinds.h"
#include "repeat.h"
#include "resample.h"
#include "same.h"
#include "table.h"
#include "tables.h"

#include <gsl/gsl_linalg.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N_TABLES = 60, N_FITS = 60, N_RESAMPLED = 12, N = 8, ROWS = 250, RARE = 7 };

/* ---- Tables ---- */

/* The levels of a variable; 0: a number. The last is nearly constant where that is wanted. */
static int levels_of(int v)
{
    static const int levels[N] = {0, 3, 0, 2, 4, 0, 0, 2};
    return levels[v];
}

static int code_of(double x, int levels)
{
    double cut = 2. / levels;
    int code = (int)floor(x / cut) % levels;
    return code < 0 ? code + levels : code; /* without an order */
}

/* Each variable follows some before it; categories push by their level. */
static dpc_table *draw_table(gsl_rng *rng, bool rare)
{
    static const char *const names[N] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    dpc_table *t = NULL;
    double weight[N][N] = {{0}}, push[N][4];
    assert_int_equal(dpc_table_new(ROWS, N, names, &t, NULL), DPC_OK);
    for (int v = 0; v < N; v++) {
        for (int u = 0; u < v; u++)
            weight[v][u] = gsl_rng_uniform(rng) < 0.3 ? gsl_ran_flat(rng, 0.5, 1.2) : 0;
        for (int l = 0; l < 4; l++)
            push[v][l] = gsl_ran_flat(rng, -1.2, 1.2);
    }
    for (int64_t i = 0; i < ROWS; i++)
        for (int v = 0; v < N; v++) {
            double x = gsl_ran_gaussian(rng, 1);
            for (int u = 0; u < v; u++) {
                double at = t->values[u * ROWS + i];
                x += weight[v][u] * (levels_of(u) > 0 ? push[u][(int)at] : at);
            }
            t->values[v * ROWS + i] = levels_of(v) > 0 ? code_of(x, levels_of(v)) : x;
            if (rare && v == RARE)
                t->values[v * ROWS + i] = i == 3 || i == 90;
        }
    for (int v = 0; v < N; v++)
        if (levels_of(v) > 0)
            assert_int_equal(dpc_table_set_kind(t, v, DPC_NOMINAL, levels_of(v), NULL, NULL),
                             DPC_OK);
    return t;
}

/* A way of learning by tests, and its name. */
static dpc_settings settings_of(int number, char *words, size_t size)
{
    dpc_settings s = plain_settings();
    s.method = number % 3 == 2 ? DPC_CLASSIC : DPC_DUAL;
    s.rule = number % 4 == 3 ? DPC_RULE_AND : DPC_RULE_OR;
    s.variant = number % 5 == 4 ? DPC_STANDARD : DPC_STABLE;
    s.relations = number % 7 == 6 ? DPC_CURVED : DPC_LINEAR;
    s.keep_separating_sets = number % 2 == 0;
    s.alpha = number % 2 ? 0.01 : 0.05;
    snprintf(words, size, "case %d: method %d, rule %d, variant %d, relations %d, kept %d", number,
             s.method, s.rule, s.variant, s.relations, s.keep_separating_sets);
    return s;
}

static dpc_result *learn(const dpc_table *table, const dpc_settings *settings)
{
    dpc_result *result = NULL;
    dpc_error err = {0};
    if (dpc_learn_table(table, settings, NULL, &result, &err) != DPC_OK)
        fail_msg("%s", err.message);
    assert_non_null(result->correlation->blocks);
    return result;
}

static void near(double is, double wanted, double relative, const char *what, const char *words)
{
    if (!(fabs(is - wanted) <= relative * (1e-12 + fabs(wanted))))
        fail_msg("%s: %s is %.15g, expected %.15g", words, what, is, wanted);
}

/* ---- Sets and explanations ---- */

static dpc_block_answer ask(const dpc_result *result, int a, int b, const int32_t *set, int k)
{
    const dpc_labels columns = {0};
    const dpc_view view = dpc_view_of(result->correlation, &columns);
    dpc_direct direct = {.view = &view};
    dpc_block_answer answer;
    assert_int_equal(dpc_direct_blocks(&direct, a, b, set, k, 0, &answer), DPC_OK);
    dpc_direct_clear(&direct);
    return answer;
}

static bool both_numbers(const dpc_settings *s, int a, int b)
{
    return levels_of(a) == 0 && levels_of(b) == 0 && s->relations == DPC_LINEAR;
}

/* A test that is told is the one that the direct way makes given its set. */
static void check_test(const dpc_result *result, const dpc_settings *s, int a, int b,
                       const dpc_pair_test *test, const dpc_f_test *f, const char *words)
{
    dpc_block_answer slow = ask(result, a, b, test->members, test->what.size);
    near(test->what.p, slow.p, 1e-6, "p", words);
    near(test->what.r, slow.r, 1e-6, "r", words);
    assert_non_null(f);
    near(f->p, test->what.p, 1e-6, "p of F", words);
    near(f->f, slow.rao.f, 1e-6, "F", words);
    assert_int_equal(f->is_signed, both_numbers(s, a, b));
    assert_true(f->is_signed || test->what.r >= 0);
}

static void check_absent(const dpc_result *result, const dpc_settings *s, int a, int b,
                         const dpc_explanation *e, const char *words)
{
    dpc_sepset set;
    int32_t members[N];
    assert_int_equal(dpc_separating_set(result, a, b, &set, members, NULL), DPC_OK);
    assert_int_equal(set.kind, e->test.what.kind);
    assert_int_equal(set.size, e->test.what.size);
    assert_true(memcmp(members, e->test.members, (size_t)set.size * sizeof *members) == 0);
    check_test(result, s, a, b, &e->test, e->test_f, words);
    if (!(e->test.what.p > s->alpha))
        fail_msg("%s: %d and %d are separated with p = %g", words, a, b, e->test.what.p);
    if (set.kind == DPC_SEP_FULL_ORDER && !s->keep_separating_sets)
        assert_true(isnan(set.p));
    else
        near(set.p, e->test.what.p, 1e-9, "p of the set", words);
    if (s->rule == DPC_RULE_AND && e->other.what.kind != DPC_SEP_NONE)
        assert_true(e->other.what.p > s->alpha);
}

/* An edge has rejected what is told of it, and nothing weaker at level 0. */
static void check_present(const dpc_result *result, const dpc_settings *s, int a, int b,
                          const dpc_explanation *e, const char *words)
{
    int32_t others[N], k = 0;
    for (int v = 0; v < N; v++)
        if (v != a && v != b)
            others[k++] = v;
    check_test(result, s, a, b, &e->test, e->test_f, words);
    assert_true(e->test.what.p <= s->alpha);
    assert_true(e->test.what.p >= ask(result, a, b, NULL, 0).p * (1 - 1e-9));
    if (s->method == DPC_DUAL)
        assert_true(e->test.what.p >= ask(result, a, b, others, k).p * (1 - 1e-6));
    assert_false(isnan(e->r));
    assert_int_equal(isnan(e->low), !both_numbers(s, a, b));
    assert_int_equal(isnan(e->high), !both_numbers(s, a, b));
    if (both_numbers(s, a, b))
        assert_true(e->low < e->r && e->r < e->high);
}

static void check_pairs(const dpc_result *result, const dpc_settings *s, const char *words)
{
    for (int a = 0; a < N; a++)
        for (int b = a + 1; b < N; b++) {
            dpc_explanation *e = NULL;
            assert_int_equal(dpc_explain(result, a, b, NULL, NULL, &e, NULL), DPC_OK);
            assert_true(e->all_tests);
            if (e->mark == DPC_NONE)
                check_absent(result, s, a, b, e, words);
            else
                check_present(result, s, a, b, e, words);
            dpc_explanation_free(e);
        }
}

/* The table of edges tells what explanations do. */
static void check_edges(const dpc_result *result)
{
    dpc_edge_table *edges = NULL;
    assert_int_equal(dpc_tabulate_edges(result, NULL, NULL, NULL, NULL, &edges, NULL), DPC_OK);
    for (int64_t i = 0; i < edges->n_rows; i++) {
        const dpc_edge_row *row = &edges->rows[i];
        dpc_explanation *e = NULL;
        assert_int_equal(dpc_explain(result, row->from, row->to, NULL, NULL, &e, NULL), DPC_OK);
        assert_true(row->r == e->r && row->p == e->test.what.p);
        assert_int_equal(isnan(row->low), isnan(e->low));
        dpc_explanation_free(e);
    }
    dpc_edge_table_free(edges);
}

static void test_explained(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20270101);
    for (int i = 0; i < repeats(N_TABLES); i++) {
        char words[128];
        dpc_settings s = settings_of(i, words, sizeof words);
        dpc_table *table = draw_table(rng, false);
        dpc_result *result = learn(table, &s);
        check_pairs(result, &s, words);
        check_edges(result);
        dpc_result_free(result);
        dpc_table_free(table);
    }
    gsl_rng_free(rng);
}

/* ---- The fit ---- */

/* ln det of R over the columns of some variables. */
static double log_det(const dpc_blocks *b, const int32_t *set, int k)
{
    int column[4 * N], order = 0, sign;
    for (int i = 0; i < k; i++)
        for (int c = b->first[set[i]]; c < b->first[set[i] + 1]; c++)
            column[order++] = c;
    if (order == 0)
        return 0;
    gsl_matrix *m = gsl_matrix_alloc((size_t)order, (size_t)order);
    gsl_permutation *p = gsl_permutation_alloc((size_t)order);
    for (int i = 0; i < order; i++)
        for (int j = 0; j < order; j++)
            gsl_matrix_set(m, (size_t)i, (size_t)j, b->r[(int64_t)column[i] * b->m + column[j]]);
    gsl_linalg_LU_decomp(m, p, &sign);
    double out = gsl_linalg_LU_lndet(m);
    gsl_matrix_free(m);
    gsl_permutation_free(p);
    return out;
}

/* The independencies of a DAG one by one, and its likelihood by determinants. */
static void check_fit(const dpc_result *result, const dpc_settings *s, const char *words)
{
    const dpc_graph *graph = dpc_result_class(result);
    const dpc_labels *labels = &result->sepsets->labels;
    const dpc_blocks *b = result->correlation->blocks;
    dpc_goodness *fit = NULL;
    int32_t when[N], set[N + 1];
    bool consistent;
    int64_t implied = 0, exceed = 0, parameters = 0;
    double logs = b->m * (log(2 * M_PI) + 1), worst = 0;
    assert_int_equal(dpc_fit(result, NULL, NULL, NULL, &fit, NULL), DPC_OK);
    assert_int_equal(dpc_extension(graph, labels, DPC_SINK_NEAREST, when, &consistent), DPC_OK);
    for (int v = 0; v < N; v++) {
        int k = 0, at = when[dpc_label_of(labels, v)], width = dpc_block_width(b, v);
        for (int u = 0; u < N; u++)
            if (u != v && when[dpc_label_of(labels, u)] > at &&
                dpc_graph_mark(graph, u, v) != DPC_NONE) {
                set[k++] = u;
                parameters += (int64_t)width * dpc_block_width(b, u);
            }
        parameters += width + width * (width + 1) / 2;
        for (int u = 0; u < N; u++)
            if (u != v && when[dpc_label_of(labels, u)] > at &&
                dpc_graph_mark(graph, u, v) == DPC_NONE) {
                dpc_block_answer answer = ask(result, u, v, set, k);
                implied++;
                exceed += answer.p <= s->alpha;
                worst = fmax(worst, answer.z);
            }
        logs -= log_det(b, set, k);
        set[k] = v;
        logs += log_det(b, set, k + 1);
    }
    assert_int_equal(fit->implied, implied);
    assert_int_equal(fit->exceed, exceed);
    assert_int_equal(fit->untested, 0);
    assert_int_equal(fit->parameters, parameters);
    near(fit->log_likelihood, -ROWS / 2. * logs, 1e-9, "the likelihood", words);
    if (fit->n_largest > 0)
        near(fabs(fit->largest[0].z), worst, 1e-12, "the largest z", words);
    dpc_goodness_free(fit);
}

/* R² is what the neighbours leave of the determinant. */
static void check_nodes(const dpc_result *result, const dpc_settings *s, const char *words)
{
    const dpc_blocks *b = result->correlation->blocks;
    dpc_node_table *nodes = NULL;
    assert_int_equal(dpc_tabulate_nodes(result, NULL, NULL, NULL, &nodes, NULL), DPC_OK);
    for (int v = 0; v < N; v++) {
        int32_t set[N], k = 0;
        for (int u = 0; u < N; u++)
            if (u != v && dpc_graph_mark(dpc_result_graph(result), u, v) != DPC_NONE)
                set[k++] = u;
        double without = log_det(b, set, k);
        set[k] = v;
        double share = exp((log_det(b, set, k + 1) - without) / dpc_block_width(b, v));
        assert_true(nodes->rows[v].r2 >= 0 && nodes->rows[v].r2 <= 1);
        if (s->relations == DPC_LINEAR && fabs(nodes->rows[v].r2 - (1 - share)) > 1e-9)
            fail_msg("%s: R² of %d is %g, expected %g", words, v, nodes->rows[v].r2, 1 - share);
    }
    dpc_node_table_free(nodes);
}

static void test_fitted(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20270102);
    for (int i = 0; i < repeats(N_FITS); i++) {
        char words[128];
        dpc_settings s = settings_of(i, words, sizeof words);
        dpc_table *table = draw_table(rng, false);
        dpc_result *result = learn(table, &s);
        check_fit(result, &s, words);
        check_nodes(result, &s, words);
        dpc_result_free(result);
        dpc_table_free(table);
    }
    gsl_rng_free(rng);
}

/* ---- Resamples ---- */

/* The table of the rows of a resample. */
static dpc_table *rows_of(const dpc_table *from, const dpc_resample *s)
{
    dpc_table *to = NULL;
    assert_int_equal(dpc_table_make(ROWS, N, (const char *const *)from->names, &to, NULL), DPC_OK);
    double *value = to->values;
    for (int v = 0; v < N; v++)
        for (int64_t i = 0; i < ROWS; i++)
            for (int k = 0; k < s->count[i]; k++)
                *value++ = from->values[v * ROWS + i];
    assert_int_equal(dpc_kinds_copy(from, to, NULL), DPC_OK);
    return to;
}

/* A resample has the associations of the table of its rows, and what is constant has no edge. */
static void check_resample(const dpc_table *table, const dpc_settings *s, const dpc_resampler *r,
                           dpc_resample *drawn, int index, const dpc_frequencies *f, int *lost)
{
    dpc_correlation *c = NULL;
    assert_int_equal(dpc_resample_draw(r, index, s, drawn), DPC_OK);
    dpc_table *rows = rows_of(table, drawn);
    assert_int_equal(dpc_correlate(rows, s, NULL, &c, NULL), DPC_OK);
    assert_int_equal(c->blocks->m, drawn->correlation->blocks->m);
    for (int i = 0; i < N * N; i++)
        assert_true(fabs(c->r[i] - drawn->correlation->r[i]) < 1e-7);
    if (drawn->lost) {
        dpc_graph graph = resample_graph(f, index);
        ++*lost;
        assert_int_equal(dpc_block_width(c->blocks, RARE), 0);
        for (int64_t e = 0; e < graph.n_edges; e++)
            assert_true(graph.edges[e].a != RARE && graph.edges[e].b != RARE);
        dpc_graph_clear(&graph);
    }
    dpc_correlation_free(c);
    dpc_table_free(rows);
}

static void check_bootstrap(const dpc_table *table, dpc_settings s, bool rare)
{
    const dpc_resampling how = {.resamples = 30, .seed = 5};
    dpc_resampler r;
    dpc_resample drawn = {0};
    dpc_frequencies *one = bootstrap(table, &s, how);
    int lost = 0;
    s.threads = 3;
    dpc_frequencies *three = bootstrap(table, &s, how);
    assert_same_frequencies(one, three);
    s.threads = 1;
    assert_int_equal(dpc_resampler_make(table, &s, &how, &r, NULL), DPC_OK);
    assert_int_equal(dpc_resample_make(&r, &drawn, NULL), DPC_OK);
    if (s.relations == DPC_LINEAR) { /* else the ranks are those of all rows */
        for (int i = 0; i < how.resamples; i++)
            check_resample(table, &s, &r, &drawn, i, one, &lost);
        assert_int_equal(one->constant, lost);
        assert_true(rare == (lost > 0));
    }
    dpc_resample_clear(&drawn);
    dpc_resampler_clear(&r);
    dpc_frequencies_free(one);
    dpc_frequencies_free(three);
}

static void test_resampled(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20270103);
    for (int i = 0; i < repeats(N_RESAMPLED); i++) {
        char words[128];
        dpc_settings s = settings_of(i, words, sizeof words);
        dpc_table *table = draw_table(rng, i % 2 == 0);
        check_bootstrap(table, s, i % 2 == 0);
        dpc_table_free(table);
    }
    gsl_rng_free(rng);
}

/* ---- What there is not ---- */

static void test_refused(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20270104);
    dpc_table *table = draw_table(rng, true);
    dpc_settings s = plain_settings(), curved = s;
    dpc_result *result = learn(table, &s);
    dpc_advice *advice = NULL;
    dpc_held_out held_out;
    dpc_assumptions *a = NULL;
    dpc_frequencies *f = NULL;
    dpc_f_test *test = NULL;
    dpc_error err = {0};
    const dpc_resampling how = {.resamples = 2};
    const int32_t wrong[] = {0};
    assert_int_equal(dpc_compare_held_out(table, &s, &s, &held_out, &err), DPC_USAGE);
    assert_non_null(strstr(err.message, "nominal"));
    assert_int_equal(dpc_advise(table, result, &s, true, &advice, NULL), DPC_OK);
    assert_int_equal(advice->limit, DPC_ADVICE_COLUMNS);
    assert_int_equal(advice->count, 0);
    assert_int_equal(advice->best, -1);
    dpc_advice_free(advice);
    assert_int_equal(dpc_check_assumptions(table, dpc_result_graph(result), &s, &a, NULL), DPC_OK);
    for (int v = 0; v < N; v++)
        if (levels_of(v) > 0)
            assert_true(!a->columns[v].skewed && !a->columns[v].heavy && a->columns[v].zeros == 0);
    for (int64_t i = 0; i < a->n_curves; i++)
        assert_true(levels_of(a->curves[i].from) == 0 && levels_of(a->curves[i].to) == 0);
    dpc_assumptions_free(a);
    curved.relations = DPC_CURVED;
    assert_int_equal(dpc_check_assumptions(table, dpc_result_graph(result), &curved, &a, NULL),
                     DPC_OK);
    assert_int_equal(a->n_curves, 0);
    dpc_assumptions_free(a);
    s.normalize = DPC_NORMALIZE_COPULA;
    assert_int_equal(dpc_bootstrap(table, &s, &how, &f, &err), DPC_USAGE);
    assert_int_equal(dpc_explain_test(result, 0, 1, wrong, 1, &test, &err), DPC_USAGE);
    assert_null(test);
    dpc_result_free(result);
    dpc_table_free(table);
    gsl_rng_free(rng);
}

/* Missing cells of a block are not estimated around, in resamples either. */
static void test_missing(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20270105);
    dpc_table *table = draw_table(rng, false);
    dpc_settings s = plain_settings();
    dpc_frequencies *f = NULL;
    dpc_error err = {0};
    const dpc_resampling how = {.resamples = 2};
    table->values[5] = NAN;
    table->how_missing = DPC_MISSING_EM;
    assert_int_equal(dpc_bootstrap(table, &s, &how, &f, &err), DPC_BAD_INPUT);
    assert_null(f);
    dpc_table_free(table);
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_explained), cmocka_unit_test(test_fitted),
        cmocka_unit_test(test_resampled), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
