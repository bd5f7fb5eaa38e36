/*
 * The library as a C program meets it: nothing but its two headers. Tables and matrices that stay
 * where they are give the same bits as copies; a result answers when all that it was learned from
 * is gone; no index reaches outside; graphs come back as they went; texts are what files are.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compare.h"
#include "dualpc_io.h"
#include "knowledge.h"

#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void fine(dpc_status status, const dpc_error *err)
{
    if (status != DPC_OK)
        fail_msg("status %d: %s", (int)status, err->message);
}

static void *room(size_t count, size_t size)
{
    void *p = malloc(count * size + 1);
    assert_non_null(p);
    return p;
}

/* ---- Data ---- */

/* Between -1 and 1, without pattern; all of it is exact as a float. */
static double noise(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(int64_t)(*state >> 44) * 0x1p-19 - 1;
}

/* Each column is noise and a little of two earlier ones; as floats, which doubles hold too. */
static double *draw_columns(int64_t n_obs, int n_vars, uint64_t seed)
{
    double *x = room((size_t)n_obs * (size_t)n_vars, sizeof *x);
    for (int j = 0; j < n_vars; j++)
        for (int64_t i = 0; i < n_obs; i++) {
            double v = noise(&seed);
            if (j > 0)
                v += 0.5 * x[(j - 1) * n_obs + i];
            if (j > 2)
                v -= 0.5 * x[(j - 3) * n_obs + i];
            x[j * n_obs + i] = (float)v;
        }
    return x;
}

static dpc_table *table_of(const double *columns, int64_t n_obs, int n_vars)
{
    dpc_table *table = NULL;
    dpc_error err = {0};
    fine(dpc_table_new(n_obs, n_vars, NULL, &table, &err), &err);
    memcpy(dpc_table_about(table).values, columns,
           (size_t)n_obs * (size_t)n_vars * sizeof *columns);
    return table;
}

static dpc_settings settings_default(void)
{
    dpc_settings settings;
    dpc_settings_default(&settings);
    settings.alpha = 0.1;
    settings.min_ess = 5;
    return settings;
}

/* ---- Views of tables ---- */

/* How the values of a table can lie in an array. */
typedef struct layout {
    const char *name;
    dpc_cell_type type;
    int64_t row_stride, column_stride; /* in cells */
    int64_t first;                     /* the place of row 0, column 0 */
    int64_t length;                    /* of the array */
} layout;

enum { N_LAYOUTS = 7 };

static void list_layouts(int64_t n_obs, int64_t n_vars, layout list[N_LAYOUTS])
{
    int64_t all = n_obs * n_vars;
    const layout made[N_LAYOUTS] = {
        {"columns", DPC_DOUBLE, 1, n_obs, 0, all},
        {"columns, reversed", DPC_DOUBLE, 1, -n_obs, all - n_obs, all},
        {"rows", DPC_DOUBLE, n_vars, 1, 0, all},
        {"rows, reversed", DPC_DOUBLE, -n_vars, -1, all - 1, all},
        {"part of a larger one", DPC_DOUBLE, 2 * n_vars + 3, 2, 5, (2 * n_vars + 3) * n_obs + 5},
        {"columns of floats", DPC_FLOAT, 1, n_obs, 0, all},
        {"rows of floats", DPC_FLOAT, n_vars, 1, 0, all},
    };
    memcpy(list, made, sizeof made);
}

/* The array of a layout, NaN between what belongs to it; the caller frees it. */
static void *lay_out(const layout *l, const double *columns, int64_t n_obs, int n_vars)
{
    double *doubles = room((size_t)l->length, sizeof *doubles);
    float *floats = room((size_t)l->length, sizeof *floats);
    for (int64_t k = 0; k < l->length; k++) {
        doubles[k] = NAN;
        floats[k] = NAN;
    }
    for (int j = 0; j < n_vars; j++)
        for (int64_t i = 0; i < n_obs; i++) {
            int64_t at = l->first + i * l->row_stride + j * l->column_stride;
            doubles[at] = columns[j * n_obs + i];
            floats[at] = (float)columns[j * n_obs + i];
        }
    free(l->type == DPC_FLOAT ? (void *)doubles : (void *)floats);
    return l->type == DPC_FLOAT ? (void *)floats : (void *)doubles;
}

static dpc_table *view_of(const layout *l, const void *array, int64_t n_obs, int n_vars)
{
    dpc_table *view = NULL;
    dpc_error err = {0};
    const char *start = array;
    size_t size = l->type == DPC_FLOAT ? sizeof(float) : sizeof(double);
    fine(dpc_table_view(start + (size_t)l->first * size, l->type, n_obs, n_vars, l->row_stride,
                        l->column_stride, NULL, &view, &err),
         &err);
    assert_int_equal(dpc_table_about(view).n_obs, n_obs);
    assert_int_equal(dpc_table_about(view).n_vars, n_vars);
    char last[16];
    snprintf(last, sizeof last, "V%d", n_vars);
    assert_string_equal(dpc_table_about(view).names[n_vars - 1], last);
    assert_null(dpc_table_about(view).values);
    return view;
}

static void check_same_values(const dpc_correlation *p, const dpc_correlation *q, const char *words)
{
    size_t n = (size_t)dpc_correlation_about(p).n_vars;
    assert_int_equal(dpc_correlation_about(p).n_obs, dpc_correlation_about(q).n_obs);
    if (memcmp(dpc_correlation_about(p).values, dpc_correlation_about(q).values,
               n * n * sizeof(double)) != 0)
        fail_msg("%s: the correlations are not those of a copy", words);
}

static void check_same_pairs(const dpc_frequencies *p, const dpc_frequencies *q, const char *words)
{
    if (p->n_pairs != q->n_pairs || p->constant != q->constant ||
        memcmp(p->pairs, q->pairs, (size_t)p->n_pairs * sizeof *p->pairs) != 0)
        fail_msg("%s: the bootstrap is not that of a copy", words);
}

static void check_views(int64_t n_obs, int n_vars, uint64_t seed, dpc_normalize normalize,
                        int resamples)
{
    double *columns = draw_columns(n_obs, n_vars, seed);
    dpc_table *copy = table_of(columns, n_obs, n_vars);
    dpc_settings settings = settings_default();
    settings.normalize = normalize;
    const dpc_resampling how = {.resamples = resamples, .seed = 3};
    dpc_correlation *expected = NULL;
    dpc_frequencies *counted = NULL;
    dpc_error err = {0};
    layout layouts[N_LAYOUTS];
    list_layouts(n_obs, n_vars, layouts);
    fine(dpc_correlate(copy, &settings, NULL, &expected, &err), &err);
    if (resamples > 0)
        fine(dpc_bootstrap(copy, &settings, &how, &counted, &err), &err);
    for (int i = 0; i < N_LAYOUTS; i++) {
        const layout *l = &layouts[i];
        settings.threads = 1 + i % 3;
        void *array = lay_out(l, columns, n_obs, n_vars);
        dpc_table *view = view_of(l, array, n_obs, n_vars);
        dpc_correlation *c = NULL;
        dpc_frequencies *f = NULL;
        fine(dpc_correlate(view, &settings, NULL, &c, &err), &err);
        check_same_values(c, expected, l->name);
        if (resamples > 0) {
            fine(dpc_bootstrap(view, &settings, &how, &f, &err), &err);
            check_same_pairs(f, counted, l->name);
        }
        dpc_table_drop_values(view);
        free(array); /* nothing that is made from a view needs it */
        check_same_values(c, expected, l->name);
        dpc_correlation *none = NULL;
        assert_int_equal(dpc_correlate(view, &settings, NULL, &none, &err), DPC_USAGE);
        assert_null(none);
        dpc_frequencies_free(f);
        dpc_correlation_free(c);
        dpc_table_free(view);
    }
    dpc_frequencies_free(counted);
    dpc_correlation_free(expected);
    dpc_table_free(copy);
    free(columns);
}

static void test_table_views(void **state)
{
    (void)state;
    for (int normalize = 0; normalize < 2; normalize++) {
        check_views(300, 7, 1, (dpc_normalize)normalize, 3);
        check_views(40, 30, 2, (dpc_normalize)normalize, 2);
        check_views(1000, 19, 3, (dpc_normalize)normalize, 0);
        check_views(300, 530, 4, (dpc_normalize)normalize, 0); /* more columns than a tile */
        check_views(150000, 10, 5, (dpc_normalize)normalize, 0);
    }
}

/* What is wrong is found in a view as in a copy, and named by its row and column. */
static void test_audit_of_views(void **state)
{
    (void)state;
    enum { N_OBS = 50, N_VARS = 6 };
    double *columns = draw_columns(N_OBS, N_VARS, 9);
    for (int64_t i = 0; i < N_OBS; i++)
        columns[2 * N_OBS + i] = 7; /* constant */
    layout layouts[N_LAYOUTS];
    list_layouts(N_OBS, N_VARS, layouts);
    for (int bad = 0; bad < 2; bad++) {
        if (bad)
            columns[4 * N_OBS + 17] = NAN;
        dpc_table *copy = table_of(columns, N_OBS, N_VARS);
        dpc_error expected = {0}, err = {0};
        dpc_audit audit = {0};
        dpc_correlation *c = NULL;
        dpc_status status = dpc_correlate(copy, NULL, &audit, &c, &expected);
        assert_int_equal(status, bad ? DPC_BAD_INPUT : DPC_OK);
        assert_int_equal(audit.count, 1);
        assert_non_null(strstr(audit.items[0].text, bad ? "'V5', row 18" : "'V3' is constant"));
        dpc_correlation_free(c);
        for (int i = 0; i < N_LAYOUTS; i++) {
            void *array = lay_out(&layouts[i], columns, N_OBS, N_VARS);
            dpc_table *view = view_of(&layouts[i], array, N_OBS, N_VARS);
            dpc_audit seen = {0};
            c = NULL;
            assert_int_equal(dpc_correlate(view, NULL, &seen, &c, &err), status);
            assert_string_equal(err.message, expected.message);
            assert_int_equal(seen.count, audit.count);
            assert_string_equal(seen.items[0].text, audit.items[0].text);
            dpc_audit_clear(&seen);
            dpc_correlation_free(c);
            dpc_table_free(view);
            free(array);
        }
        dpc_audit_clear(&audit);
        dpc_table_free(copy);
    }
    free(columns);
}

static void test_refused_views(void **state)
{
    (void)state;
    const double array[6] = {0};
    dpc_table *view = NULL;
    dpc_error err = {0};
    assert_int_equal(dpc_table_view(NULL, DPC_DOUBLE, 3, 2, 1, 3, NULL, &view, &err), DPC_USAGE);
    assert_int_equal(dpc_table_view(array, (dpc_cell_type)2, 3, 2, 1, 3, NULL, &view, &err),
                     DPC_USAGE);
    assert_int_equal(dpc_table_view(array, DPC_DOUBLE, -3, 2, 1, 3, NULL, &view, &err), DPC_USAGE);
    assert_int_equal(dpc_table_view(array, DPC_DOUBLE, 3, -2, 1, 3, NULL, &view, &err), DPC_USAGE);
    assert_int_equal(dpc_table_view(array, DPC_DOUBLE, 3, 2, INT64_MAX, 3, NULL, &view, &err),
                     DPC_USAGE);
    const char *const names[] = {"a", NULL};
    assert_int_equal(dpc_table_view(array, DPC_DOUBLE, 3, 2, 1, 3, names, &view, &err), DPC_USAGE);
    assert_int_equal(dpc_table_new(3, 2, names, &view, &err), DPC_USAGE);
    assert_null(view);
}

/* ---- Views of correlation matrices ---- */

static void refuse_matrix(const double *r, int n, int64_t n_obs, dpc_status status,
                          const char *words)
{
    dpc_correlation *c = NULL;
    dpc_error err = {0};
    assert_int_equal(dpc_correlation_view(r, n, n_obs, &c, &err), status);
    assert_null(c);
    if (strstr(err.message, words) == NULL)
        fail_msg("'%s' does not say '%s'", err.message, words);
}

static void test_correlation_views(void **state)
{
    (void)state;
    enum { N = 300, N_OBS = 900 };
    double *columns = draw_columns(N_OBS, N, 21), *r = room(N * N, sizeof *r);
    dpc_table *table = table_of(columns, N_OBS, N);
    dpc_settings settings = settings_default();
    dpc_correlation *copy = NULL, *view = NULL;
    dpc_result *of_copy = NULL, *of_view = NULL;
    dpc_error err = {0};
    fine(dpc_correlate(table, &settings, NULL, &copy, &err), &err);
    memcpy(r, dpc_correlation_about(copy).values, N * N * sizeof *r);
    r[5 * N + 200] += 0x1p-52; /* as another order of the sums would have it */
    r[7 * N + 7] -= 0x1p-53;
    fine(dpc_correlation_view(r, N, N_OBS, &view, &err), &err);
    assert_ptr_equal(dpc_correlation_about(view).values, r);
    fine(dpc_learn(copy, &settings, &of_copy, &err), &err);
    fine(dpc_learn(view, &settings, &of_view, &err), &err);
    const dpc_graph *p = dpc_result_graph(of_copy), *q = dpc_result_graph(of_view);
    assert_int_equal(p->n_edges, q->n_edges);
    assert_memory_equal(p->edges, q->edges, (size_t)p->n_edges * sizeof *p->edges);
    assert_ptr_equal(dpc_correlation_about(dpc_result_info(of_view)->correlation).values, r);
    dpc_correlation_free(view);
    assert_int_equal(dpc_correlation_about(dpc_result_info(of_view)->correlation).n_vars, N);
    dpc_result_free(of_view);
    dpc_result_free(of_copy);

    double kept = r[3 * N + 250];
    r[3 * N + 250] = NAN;
    refuse_matrix(r, N, N_OBS, DPC_BAD_INPUT, "variables 3 and 250 is no number");
    r[3 * N + 250] = 1.0000001;
    refuse_matrix(r, N, N_OBS, DPC_BAD_INPUT, "variables 3 and 250 have a correlation of 1");
    r[3 * N + 250] = -INFINITY;
    refuse_matrix(r, N, N_OBS, DPC_BAD_INPUT, "have a correlation of -inf");
    r[3 * N + 250] = kept + 1e-9;
    refuse_matrix(r, N, N_OBS, DPC_BAD_INPUT, "not symmetric");
    r[3 * N + 250] = kept;
    r[299 * N + 299] = 0.9;
    refuse_matrix(r, N, N_OBS, DPC_BAD_INPUT, "variable 299 with itself is 0.9");
    r[299 * N + 299] = NAN;
    refuse_matrix(r, N, N_OBS, DPC_BAD_INPUT, "variable 299 with itself");
    refuse_matrix(NULL, N, N_OBS, DPC_USAGE, "no correlation matrix");
    refuse_matrix(r, 0, N_OBS, DPC_USAGE, "no correlation matrix");
    refuse_matrix(r, N, 0, DPC_USAGE, "no correlation matrix");
    dpc_correlation_free(copy);
    dpc_table_free(table);
    free(columns);
    free(r);
}

/* A matrix with names, in a view of rows: as in a copy. */
static void test_matrix_of_view(void **state)
{
    (void)state;
    const float covariance[] = {4, 1, 1, 9}; /* the same as rows or columns */
    const char *const names[] = {"first", "second"};
    dpc_table *view = NULL;
    dpc_correlation *c = NULL;
    dpc_error err = {0};
    fine(dpc_table_view(covariance, DPC_FLOAT, 2, 2, 2, 1, names, &view, &err), &err);
    assert_string_equal(dpc_table_about(view).names[1], "second");
    fine(dpc_correlation_from_matrix(view, 50, NULL, NULL, &c, &err), &err);
    assert_true(fabs(dpc_correlation_about(c).values[1] - 1. / 6) < 1e-15);
    dpc_correlation_free(c);
    c = NULL;
    dpc_table_drop_values(view);
    assert_int_equal(dpc_correlation_from_matrix(view, 50, NULL, NULL, &c, &err), DPC_USAGE);
    assert_null(c);
    dpc_table_free(view);
}

/* ---- Questions when everything else is gone ---- */

enum { N_ASKED = 12, N_ROWS = 200 };

static dpc_knowledge *some_knowledge(void)
{
    dpc_knowledge *k = NULL;
    dpc_error err = {0};
    fine(dpc_knowledge_new(N_ASKED, &k, &err), &err);
    fine(dpc_knowledge_require(k, 0, 1, &err), &err);
    fine(dpc_knowledge_forbid(k, 5, 4, &err), &err);
    fine(dpc_knowledge_forbid(k, 2, 3, &err), &err);
    fine(dpc_knowledge_forbid(k, 3, 2, &err), &err);
    fine(dpc_knowledge_tier(k, 6, 0, &err), &err);
    fine(dpc_knowledge_tier(k, 7, 1, &err), &err);
    return k;
}

/* An explanation in words names the pair, and has its length. */
static void check_sentences(const dpc_result *result, const char *const *names,
                            const dpc_explanation *e)
{
    char *text = NULL, start[80];
    size_t length = 0;
    dpc_error err = {0};
    int first = e->mark == DPC_BACKWARD ? e->b : e->a;
    snprintf(start, sizeof start, "why %s%s%s%s: ", e->mark == DPC_NONE ? "no edge " : "",
             names[first],
             e->mark == DPC_NONE         ? ", "
             : e->mark == DPC_UNDIRECTED ? " --- "
                                         : " --> ",
             names[e->a + e->b - first]);
    fine(dpc_explanation_string(result, names, e, &text, &length, &err), &err);
    assert_memory_equal(text, start, strlen(start));
    assert_int_equal(strlen(text), length);
    assert_int_equal(text[length - 1], '\n');
    dpc_string_free(text);
}

/* Everything that can be asked of a result, as one text; the caller frees it. */
static char *all_answers(const dpc_result *result, const char *const *names)
{
    dpc_explanation *why[N_ASKED * N_ASKED];
    int count = 0;
    char *text = NULL;
    dpc_error err = {0};
    for (int a = 0; a < N_ASKED; a++)
        for (int b = a + 1; b < N_ASKED; b++)
            fine(dpc_explain(result, a, b, NULL, NULL, &why[count++], &err), &err);
    dpc_report report = {.size = sizeof report,
                         .names = names,
                         .result = result,
                         .separating_sets = true,
                         .explanations = why,
                         .n_explanations = count};
    fine(dpc_write_string(&report, DPC_CONTENT_GRAPH, DPC_FORMAT_JSON, &text, NULL, &err), &err);
    for (int i = 0; i < count; i++) {
        check_sentences(result, names, why[i]);
        dpc_explanation_free(why[i]);
    }
    char *times = strstr(text, "\"seconds\"");
    assert_non_null(times);
    *times = '\0'; /* these are never the same */
    return text;
}

static void check_afterwards(dpc_settings settings)
{
    static const char *const names[N_ASKED] = {"A", "B", "C", "D", "E", "F",
                                               "G", "H", "I", "J", "K", "L"};
    double *columns = draw_columns(N_ROWS, N_ASKED, 77);
    dpc_table *table = table_of(columns, N_ROWS, N_ASKED);
    dpc_knowledge *knowledge = settings.method != DPC_GES ? some_knowledge() : NULL;
    dpc_correlation *c = NULL;
    dpc_result *before = NULL, *after = NULL;
    dpc_error err = {0};
    settings.knowledge = knowledge;
    fine(dpc_correlate(table, &settings, NULL, &c, &err), &err);
    fine(dpc_learn(c, &settings, &before, &err), &err);
    char *expected = all_answers(before, names);
    dpc_result_free(before);
    dpc_correlation_free(c);

    fine(dpc_learn_table(table, &settings, NULL, &after, &err), &err);
    if (knowledge != NULL) { /* what is said later is not about this result */
        fine(dpc_knowledge_forbid(knowledge, 8, 9, &err), &err);
        fine(dpc_knowledge_tier(knowledge, 10, 3, &err), &err);
    }
    dpc_knowledge_free(knowledge);
    memset(dpc_table_about(table).values, 0xff, N_ROWS * N_ASKED * sizeof(double));
    dpc_table_free(table);
    memset(&settings, 0xff, sizeof settings);
    char *text = all_answers(after, names);
    assert_string_equal(text, expected);
    assert_int_equal(dpc_result_info(after)->n_vars, N_ASKED);
    assert_int_equal(dpc_result_info(after)->n_obs, N_ROWS);
    assert_int_equal(dpc_result_settings(after)->knowledge != NULL, knowledge != NULL);
    assert_null(dpc_result_settings(after)->progress);
    dpc_result_free(after);
    dpc_string_free(text);
    dpc_string_free(expected);
    free(columns);
}

static int go_on(const dpc_progress *progress, void *user)
{
    (void)progress;
    ++*(int *)user;
    return 0;
}

static void test_questions_afterwards(void **state)
{
    (void)state;
    int calls = 0;
    for (int method = DPC_DUAL; method <= DPC_GES; method++)
        for (int orient = DPC_CONSISTENT; orient <= DPC_CONSERVATIVE; orient++)
            for (int kept = 0; kept < 2; kept++) {
                dpc_settings settings = settings_default();
                settings.method = (dpc_method)method;
                settings.orient = (dpc_orientation)orient;
                settings.keep_separating_sets = kept && method != DPC_GES; /* it has none */
                settings.progress = go_on;
                settings.progress_user = &calls;
                check_afterwards(settings);
            }
    assert_true(calls > 0);
}

/* Both conflicts and what a bootstrap knows. */
static void test_consensus_afterwards(void **state)
{
    (void)state;
    double *columns = draw_columns(N_ROWS, N_ASKED, 78);
    dpc_table *table = table_of(columns, N_ROWS, N_ASKED);
    dpc_settings settings = settings_default();
    dpc_knowledge *knowledge = some_knowledge();
    const dpc_resampling how = {.resamples = 9, .seed = 4};
    dpc_frequencies *f = NULL;
    dpc_graph *graph = NULL;
    dpc_error err = {0};
    settings.knowledge = knowledge;
    fine(dpc_bootstrap(table, &settings, &how, &f, &err), &err);
    dpc_knowledge_free(knowledge);
    dpc_table_free(table);
    free(columns);
    memset(&settings, 0xff, sizeof settings);
    fine(dpc_consensus(f, 1, NULL, NULL, &graph, &err), &err);
    assert_int_equal(dpc_graph_mark(graph, 0, 1), DPC_FORWARD); /* it is required */
    assert_int_equal(dpc_graph_mark(graph, 2, 3), DPC_NONE);    /* it is banned */
    assert_true(dpc_frequency_of(f, 1, 0).edge == 9);
    for (int i = 0; i < 2; i++) {
        dpc_frequency none = dpc_frequency_of(f, i ? -1 : N_ASKED, i ? INT_MIN : INT_MAX);
        assert_true(none.edge == 0 && none.forward == 0 && none.backward == 0);
    }
    dpc_graph_free(graph);
    dpc_frequencies_free(f);
}

/* ---- Indices out of range ---- */

static void test_ranges(void **state)
{
    (void)state;
    double *columns = draw_columns(N_ROWS, N_ASKED, 79);
    dpc_table *table = table_of(columns, N_ROWS, N_ASKED);
    dpc_result *result = NULL;
    dpc_error err = {0};
    fine(dpc_learn_table(table, NULL, NULL, &result, &err), &err);
    const int wrong[][2] = {{-1, 0},      {0, -1},      {N_ASKED, 0}, {0, N_ASKED},
                            {INT_MIN, 3}, {3, INT_MAX}, {4, 4},       {INT_MAX, INT_MIN}};
    dpc_sepset set, untouched;
    memset(&set, 0x55, sizeof set);
    memcpy(&untouched, &set, sizeof set);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        int a = wrong[i][0], b = wrong[i][1];
        dpc_explanation *why = NULL;
        err = (dpc_error){0};
        assert_int_equal(dpc_separating_set(result, a, b, &set, NULL, &err), DPC_USAGE);
        assert_int_equal(err.code, DPC_USAGE);
        assert_non_null(strstr(err.message, "no pair"));
        assert_memory_equal(&set, &untouched, sizeof set);
        assert_int_equal(dpc_explain(result, a, b, NULL, NULL, &why, &err), DPC_USAGE);
        assert_null(why);
        assert_int_equal(dpc_graph_mark(dpc_result_graph(result), a, b), DPC_NONE);
    }
    dpc_result_free(result);
    dpc_table_free(table);
    free(columns);
}

static void test_knowledge_ranges(void **state)
{
    (void)state;
    dpc_knowledge *k = some_knowledge(), *copy = NULL;
    dpc_error err = {0};
    const int wrong[] = {-1, N_ASKED, 64, INT_MAX, INT_MIN};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        int v = wrong[i];
        assert_int_equal(dpc_knowledge_forbid(k, v, 1, &err), DPC_USAGE);
        assert_int_equal(dpc_knowledge_forbid(k, 1, v, &err), DPC_USAGE);
        assert_int_equal(dpc_knowledge_require(k, v, 1, &err), DPC_USAGE);
        assert_int_equal(dpc_knowledge_require(k, 1, v, &err), DPC_USAGE);
        assert_int_equal(dpc_knowledge_tier(k, v, 0, &err), DPC_USAGE);
        assert_false(dpc_knowledge_forbids(k, v, 1));
        assert_false(dpc_knowledge_forbids(k, 1, v));
        assert_false(dpc_knowledge_forbids(k, v, v));
        assert_false(dpc_knowledge_requires(k, v, 1));
        assert_false(dpc_knowledge_requires(k, 1, v));
        assert_int_equal(dpc_knowledge_tier_of(k, v), -1);
    }
    assert_int_equal(dpc_knowledge_tier(k, 1, 65536, &err), DPC_USAGE);
    assert_int_equal(dpc_knowledge_tier(k, 1, -1, &err), DPC_USAGE);
    assert_int_equal(dpc_knowledge_restrict(k, 65536, true, true, &err), DPC_USAGE);
    assert_int_equal(dpc_knowledge_restrict(k, -1, true, true, &err), DPC_USAGE);
    fine(dpc_knowledge_copy(k, &copy, &err), &err);
    fine(dpc_knowledge_forbid(k, 10, 11, &err), &err);
    for (int a = 0; a < N_ASKED; a++) {
        assert_int_equal(dpc_knowledge_tier_of(k, a), dpc_knowledge_tier_of(copy, a));
        for (int b = 0; b < N_ASKED; b++)
            assert_int_equal(dpc_knowledge_forbids(copy, a, b),
                             dpc_knowledge_forbids(k, a, b) && !(a == 10 && b == 11));
    }
    dpc_knowledge_free(k);
    dpc_knowledge_free(copy);
}

static void test_words(void **state)
{
    (void)state;
    assert_string_equal(dpc_word(DPC_WORD_SEPARATION, DPC_SEP_FULL_ORDER), "full-order");
    assert_string_equal(dpc_word(DPC_WORD_REASON, DPC_REASON_CONFLICT), "conflict");
    assert_string_equal(dpc_word(DPC_WORD_STAGE, DPC_STAGE_READ), "read");
    assert_string_equal(dpc_word(DPC_WORD_STAGE, DPC_STAGE_BOOTSTRAP), "bootstrap");
    assert_string_equal(dpc_word(DPC_WORD_STAGE, DPC_STAGE_REPORT), "report");
    assert_string_equal(dpc_word(DPC_WORD_STAGE, DPC_STAGE_SAMPLE), "sample");
    assert_string_equal(dpc_word(DPC_WORD_SCORE, 2), "bic");
    assert_string_equal(dpc_word(DPC_WORD_PRIOR, 3), "edge");
    assert_null(dpc_word(DPC_WORD_STAGE, DPC_N_STAGES));
    assert_string_equal(dpc_word(DPC_WORD_KNOWN, DPC_KNOWN_CIRCLE), "circle");
    for (int i = 0; i <= DPC_SEP_FORBIDDEN; i++)
        assert_non_null(dpc_word(DPC_WORD_SEPARATION, (dpc_sep_kind)i));
    for (int i = 0; i <= DPC_REASON_CONFLICT; i++)
        assert_non_null(dpc_word(DPC_WORD_REASON, (dpc_reason_kind)i));
    for (int i = 0; i <= DPC_KNOWN_CIRCLE; i++)
        assert_non_null(dpc_word(DPC_WORD_KNOWN, (dpc_known_kind)i));
    for (int i = -1; i < 100; i += 100) {
        assert_null(dpc_word(DPC_WORD_SEPARATION, (dpc_sep_kind)i));
        assert_null(dpc_word(DPC_WORD_REASON, (dpc_reason_kind)i));
        assert_null(dpc_word(DPC_WORD_KNOWN, (dpc_known_kind)i));
    }
    assert_null(dpc_word(DPC_WORD_SEPARATION, (dpc_sep_kind)(DPC_SEP_FORBIDDEN + 1)));
    assert_null(dpc_word(DPC_WORD_REASON, (dpc_reason_kind)(DPC_REASON_CONTESTED + 1)));
    assert_null(dpc_word(DPC_WORD_KNOWN, (dpc_known_kind)(DPC_KNOWN_CIRCLE + 1)));
}

/* ---- Graphs ---- */

static void check_same_graph(const dpc_graph *p, const dpc_graph *q)
{
    assert_int_equal(p->n_nodes, q->n_nodes);
    assert_int_equal(p->n_edges, q->n_edges);
    assert_memory_equal(p->edges, q->edges, (size_t)p->n_edges * sizeof *p->edges);
}

/* Edges of a random graph, their order and that of their ends at random. */
static int64_t draw_edges(int n, uint64_t *state, dpc_edge *edges)
{
    int64_t count = 0;
    for (int a = 0; a < n; a++)
        for (int b = a + 1; b < n; b++) {
            double kind = noise(state);
            bool turn = noise(state) > 0;
            if (kind < 0)
                continue;
            edges[count++] = (dpc_edge){turn ? b : a, turn ? a : b,
                                        kind < 0.3   ? DPC_UNDIRECTED
                                        : kind < 0.6 ? DPC_FORWARD
                                                     : DPC_BACKWARD};
        }
    for (int64_t i = count - 1; i > 0; i--) {
        int64_t j = (int64_t)((noise(state) + 1) / 2 * (double)(i + 1));
        dpc_edge kept = edges[i];
        edges[i] = edges[j];
        edges[j] = kept;
    }
    return count;
}

static void check_round_trip(int n, uint64_t *state)
{
    dpc_edge *edges = room((size_t)(n * n), sizeof *edges);
    int64_t count = draw_edges(n, state, edges);
    dpc_graph *graph = NULL, *again = NULL, *copy = NULL;
    dpc_error err = {0};
    fine(dpc_graph_new(n, edges, count, &graph, &err), &err);
    assert_int_equal(graph->n_edges, count);
    for (int64_t i = 0; i < count; i++) {
        assert_int_equal(dpc_graph_mark(graph, edges[i].a, edges[i].b), edges[i].mark);
        dpc_mark back = dpc_graph_mark(graph, edges[i].b, edges[i].a);
        assert_int_equal(back, edges[i].mark == DPC_FORWARD    ? DPC_BACKWARD
                               : edges[i].mark == DPC_BACKWARD ? DPC_FORWARD
                                                               : DPC_UNDIRECTED);
    }
    fine(dpc_graph_copy(graph, &copy, &err), &err);
    check_same_graph(graph, copy);

    uint8_t *matrix = room((size_t)(n * n), 1);
    memset(matrix, 0xaa, (size_t)(n * n));
    fine(dpc_graph_adjacency(graph, matrix, &err), &err);
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) {
            dpc_mark mark = dpc_graph_mark(graph, a, b);
            assert_int_equal(matrix[a * n + b], mark == DPC_UNDIRECTED || mark == DPC_FORWARD);
        }
    fine(dpc_graph_from_adjacency(matrix, n, &again, &err), &err);
    check_same_graph(graph, again);

    int32_t *from = room((size_t)count, sizeof *from), *to = room((size_t)count, sizeof *to);
    uint8_t *directed = room((size_t)count, 1);
    dpc_graph_edges(graph, from, to, directed);
    dpc_graph_edges(graph, NULL, NULL, NULL);
    for (int64_t i = 0; i < count; i++) {
        dpc_mark mark = dpc_graph_mark(graph, from[i], to[i]);
        assert_int_equal(mark, directed[i] ? DPC_FORWARD : DPC_UNDIRECTED);
        assert_true((from[i] < to[i] ? from[i] : to[i]) == graph->edges[i].a);
    }
    free(from);
    free(to);
    free(directed);
    free(matrix);
    free(edges);
    dpc_graph_free(graph);
    dpc_graph_free(again);
    dpc_graph_free(copy);
}

static void test_graph_round_trips(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int n = 0; n < 30; n++)
        check_round_trip(n, &seed);
}

static void test_refused_graphs(void **state)
{
    (void)state;
    const dpc_edge wrong[][2] = {
        {{0, 1, DPC_FORWARD}, {1, 0, DPC_UNDIRECTED}}, /* twice */
        {{0, 3, DPC_FORWARD}, {1, 2, DPC_UNDIRECTED}},
        {{-1, 1, DPC_FORWARD}, {1, 2, DPC_UNDIRECTED}},
        {{2, 2, DPC_FORWARD}, {1, 2, DPC_UNDIRECTED}},
        {{0, 1, DPC_NONE}, {1, 2, DPC_UNDIRECTED}},
        {{0, 1, (dpc_mark)4}, {1, 2, DPC_UNDIRECTED}},
        {{0, 1, (dpc_mark)-1}, {1, 2, DPC_UNDIRECTED}},
    };
    dpc_graph *graph = NULL;
    dpc_metrics metrics;
    uint8_t matrix[9];
    dpc_error err = {0};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        dpc_edge edges[2] = {wrong[i][0], wrong[i][1]};
        dpc_graph made = {3, 2, edges}; /* by hand */
        assert_int_equal(dpc_graph_new(3, edges, 2, &graph, &err), DPC_USAGE);
        assert_int_equal(dpc_class_member(&made, &graph, &err), DPC_USAGE);
        assert_int_equal(dpc_graph_adjacency(&made, matrix, &err), DPC_USAGE);
        assert_int_equal(dpc_compare(&made, &made, DPC_CPDAG, &metrics, &err), DPC_USAGE);
        char *names[] = {"a", "b", "c"};
        dpc_named_graph named = {.graph = made, .names = names, .all_nodes = true};
        assert_int_equal(dpc_compare_named(&named, &named, DPC_CPDAG, &metrics, &err), DPC_USAGE);
        char *text = NULL;
        dpc_report report = {
            .size = sizeof report, .names = (const char *const *)names, .graph = &made};
        assert_int_equal(
            dpc_write_string(&report, DPC_CONTENT_GRAPH, DPC_FORMAT_EDGES, &text, NULL, &err),
            DPC_USAGE);
        assert_null(text);
    }
    assert_int_equal(dpc_graph_new(-1, NULL, 0, &graph, &err), DPC_USAGE);
    assert_int_equal(dpc_graph_new(3, NULL, -1, &graph, &err), DPC_USAGE);
    assert_int_equal(dpc_graph_new(3, NULL, 1, &graph, &err), DPC_USAGE);
    const uint8_t loop[] = {0, 1, 0, 1};
    assert_int_equal(dpc_graph_from_adjacency(loop, 2, &graph, &err), DPC_USAGE);
    assert_int_equal(dpc_graph_from_adjacency(loop, -2, &graph, &err), DPC_USAGE);
    assert_null(graph);
}

static void test_class_member(void **state)
{
    (void)state;
    const dpc_edge line[] = {{0, 1, DPC_UNDIRECTED}, {1, 2, DPC_UNDIRECTED}};
    dpc_graph *cpdag = NULL, *dag = NULL;
    dpc_error err = {0};
    fine(dpc_graph_new(3, line, 2, &cpdag, &err), &err);
    fine(dpc_class_member(cpdag, &dag, &err), &err);
    assert_int_equal(dag->n_edges, 2);
    dpc_mark first = dpc_graph_mark(dag, 0, 1), second = dpc_graph_mark(dag, 2, 1);
    assert_true(first != DPC_UNDIRECTED && second != DPC_UNDIRECTED);
    assert_false(first == DPC_FORWARD && second == DPC_FORWARD); /* no new v-structure */
    dpc_graph_free(cpdag);
    dpc_graph_free(dag);
}

/* ---- Texts ---- */

static char *read_file(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = room(1 << 22, 1);
    *length = fread(text, 1, 1 << 22, file);
    text[*length] = '\0';
    fclose(file);
    unlink(path);
    return text;
}

/* In JSON two writings differ in how long they took. */
static void forget_seconds(char *text, size_t *length)
{
    char *times = strstr(text, "\"seconds\"");
    if (times != NULL)
        *length = (size_t)(times - text);
}

static void test_texts(void **state)
{
    (void)state;
    static const char *const extensions[] = {"txt", "csv", "dot", "json"};
    double *columns = draw_columns(N_ROWS, N_ASKED, 80);
    dpc_table *table = table_of(columns, N_ROWS, N_ASKED);
    dpc_settings settings = settings_default();
    const dpc_resampling how = {.resamples = 4};
    dpc_result *result = NULL;
    dpc_frequencies *f = NULL;
    dpc_error err = {0};
    settings.keep_separating_sets = true;
    fine(dpc_learn_table(table, &settings, NULL, &result, &err), &err);
    fine(dpc_bootstrap(table, &settings, &how, &f, &err), &err);
    char base[128], path[160];
    snprintf(base, sizeof base, "%s/dualpc-library-%ld",
             getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp", (long)getpid());
    dpc_report report = {.size = sizeof report,
                         .names = dpc_table_about(table).names,
                         .result = result,
                         .separating_sets = true,
                         .frequencies = f};
    for (int format = DPC_FORMAT_EDGES; format <= DPC_FORMAT_JSON + 1; format++) {
        bool table_of_f = format > DPC_FORMAT_JSON;
        dpc_output output = {.path = path};
        char *text = NULL;
        size_t length = 0, size;
        snprintf(path, sizeof path, "%s.%s", base,
                 table_of_f ? "csv" : extensions[format - DPC_FORMAT_EDGES]);
        output.what = table_of_f ? DPC_CONTENT_FREQUENCIES : DPC_CONTENT_GRAPH;
        fine(dpc_write(&report, &output, 1, &err), &err);
        fine(dpc_write_string(&report, output.what,
                              table_of_f ? DPC_FORMAT_AUTO : (dpc_format)format, &text, &length,
                              &err),
             &err);
        char *file = read_file(path, &size);
        assert_true(length > 100 && text[length] == '\0' && strlen(text) == length);
        forget_seconds(text, &length);
        forget_seconds(file, &size);
        assert_int_equal(length, size);
        assert_memory_equal(text, file, length);
        dpc_string_free(text);
        free(file);
    }
    unlink(path);
    dpc_string_free(NULL);
    dpc_frequencies_free(f);
    dpc_result_free(result);
    dpc_table_free(table);
    free(columns);
}

static int stop(const dpc_progress *progress, void *user)
{
    (void)user;
    return progress->stage == DPC_STAGE_WRITE;
}

static void test_reports(void **state)
{
    (void)state;
    static const char *const names[] = {"a", "b", "c"};
    const dpc_edge edges[] = {{0, 1, DPC_FORWARD}, {1, 2, DPC_UNDIRECTED}};
    dpc_graph *graph = NULL, *other = NULL;
    dpc_error err = {0};
    char *text = NULL;
    fine(dpc_graph_new(3, edges, 2, &graph, &err), &err);
    fine(dpc_graph_new(2, edges, 1, &other, &err), &err);
    dpc_report report = {.size = sizeof report, .names = names, .graph = graph};
    fine(dpc_write_string(&report, DPC_CONTENT_GRAPH, DPC_FORMAT_EDGES, &text, NULL, &err), &err);
    assert_string_equal(text, "a --> b\nb --- c\n");
    dpc_string_free(text);
    fine(dpc_write_string(&report, DPC_CONTENT_GRAPH, DPC_FORMAT_ADJACENCY, &text, NULL, &err),
         &err);
    assert_string_equal(text, "a,b,c\n0,1,0\n0,0,1\n0,1,0\n");
    dpc_string_free(text);
    text = NULL;

    dpc_report old = report; /* a program that knows fewer fields */
    old.size = offsetof(dpc_report, progress);
    old.progress = stop;
    fine(dpc_write_string(&old, DPC_CONTENT_GRAPH, DPC_FORMAT_DOT, &text, NULL, &err), &err);
    dpc_string_free(text);
    text = NULL;
    old.size = sizeof old;
    assert_int_equal(dpc_write_string(&old, DPC_CONTENT_GRAPH, DPC_FORMAT_DOT, &text, NULL, &err),
                     DPC_INTERRUPTED);

    const dpc_report wrong[] = {
        {.names = names, .graph = graph},
        {.size = sizeof report, .graph = graph},
        {.size = sizeof report, .names = names},
        {.size = sizeof report, .names = names, .graph = graph, .dag = other},
        {.size = sizeof report, .names = names, .graph = graph, .truth = other},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(
            dpc_write_string(&wrong[i], DPC_CONTENT_GRAPH, DPC_FORMAT_EDGES, &text, NULL, &err),
            DPC_USAGE);
    assert_int_equal(
        dpc_write_string(&report, DPC_CONTENT_GRAPH, (dpc_format)77, &text, NULL, &err), DPC_USAGE);
    assert_int_equal(
        dpc_write_string(&report, DPC_CONTENT_FREQUENCIES, DPC_FORMAT_AUTO, &text, NULL, &err),
        DPC_USAGE);
    assert_int_equal(
        dpc_write_string(&report, DPC_CONTENT_DAG, DPC_FORMAT_EDGES, &text, NULL, &err), DPC_USAGE);
    assert_int_equal(
        dpc_write_string(&report, DPC_CONTENT_EFFECTS, DPC_FORMAT_EDGES, &text, NULL, &err),
        DPC_USAGE);
    assert_int_equal(
        dpc_write_string(&report, DPC_CONTENT_DIFFERENCES, DPC_FORMAT_AUTO, &text, NULL, &err),
        DPC_USAGE);
    assert_int_equal(dpc_write_string(&report, (dpc_content)9, DPC_FORMAT_EDGES, &text, NULL, &err),
                     DPC_USAGE);
    assert_null(text);
    dpc_graph_free(graph);
    dpc_graph_free(other);
}

/* ---- Threads of the caller ---- */

static void *learn_and_ask(void *shared)
{
    const dpc_correlation *c = shared;
    dpc_settings settings = settings_default();
    dpc_result *result = NULL;
    dpc_sepset set;
    settings.threads = 1;
    if (dpc_learn(c, &settings, &result, NULL) != DPC_OK)
        return NULL;
    for (int a = 0; a < N_ASKED; a++)
        for (int b = a + 1; b < N_ASKED; b++)
            if (dpc_separating_set(result, a, b, &set, NULL, NULL) != DPC_OK)
                return NULL;
    return result;
}

/* Results of several threads share one matrix, which goes with the last of them. */
static void test_shared_correlation(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    double *columns = draw_columns(N_ROWS, N_ASKED, 81);
    dpc_table *table = table_of(columns, N_ROWS, N_ASKED);
    dpc_correlation *c = NULL;
    dpc_error err = {0};
    pthread_t threads[THREADS];
    dpc_result *results[THREADS];
    fine(dpc_correlate(table, NULL, NULL, &c, &err), &err);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, learn_and_ask, c), 0);
    for (int i = 0; i < THREADS; i++) {
        void *result;
        assert_int_equal(pthread_join(threads[i], &result), 0);
        assert_non_null(result);
        results[i] = result;
    }
    dpc_correlation_free(c);
    for (int i = 0; i < THREADS; i++) {
        check_same_graph(dpc_result_graph(results[0]), dpc_result_graph(results[i]));
        assert_true(dpc_correlation_about(dpc_result_info(results[i])->correlation).values[0] == 1);
        if (i > 0)
            dpc_result_free(results[i]);
    }
    dpc_result_free(results[0]);
    dpc_table_free(table);
    free(columns);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table_views),
        cmocka_unit_test(test_audit_of_views),
        cmocka_unit_test(test_refused_views),
        cmocka_unit_test(test_correlation_views),
        cmocka_unit_test(test_matrix_of_view),
        cmocka_unit_test(test_questions_afterwards),
        cmocka_unit_test(test_consensus_afterwards),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_knowledge_ranges),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_graph_round_trips),
        cmocka_unit_test(test_refused_graphs),
        cmocka_unit_test(test_class_member),
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_reports),
        cmocka_unit_test(test_shared_correlation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
