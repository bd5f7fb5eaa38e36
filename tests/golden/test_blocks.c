/*
 * Nominal and mixed tables, from formulas that share no code with these: each test with its Wilks'
 * lambda, F, degrees of freedom and p-value; each graph with its number of tests.
 */
#include "correlation.h"
#include "table.h"
#include "wilks.h"

#include "dualpc_explain.h"
#include "dualpc_graph.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#ifndef GOLDEN_DIR
#define GOLDEN_DIR "tests/golden"
#endif

enum { MOST = 16, LINE = 1024 };

/* ---- A table of words and numbers ---- */

typedef struct mixed {
    int n;
    dpc_table *table;
    char name[MOST][32];
    char level[MOST][MOST][32];
    int levels[MOST];
} mixed;

static FILE *open_file(const char *folder, const char *file)
{
    char path[512];
    snprintf(path, sizeof path, "%s/mixed/%s/%s", GOLDEN_DIR, folder, file);
    FILE *f = fopen(path, "r");
    if (f == NULL)
        fail_msg("%s cannot be opened", path);
    return f;
}

static int split(char *line, char **field)
{
    int count = 0;
    for (char *s = strtok(line, ",\r\n"); s != NULL; s = strtok(NULL, ",\r\n"))
        field[count++] = s;
    return count;
}

static double code_of(mixed *m, int j, const char *word)
{
    for (int i = 0; i < m->levels[j]; i++)
        if (strcmp(m->level[j][i], word) == 0)
            return i;
    assert_true(m->levels[j] < MOST);
    strcpy(m->level[j][m->levels[j]], word);
    return m->levels[j]++;
}

static void read_mixed(const char *folder, mixed *m)
{
    char line[LINE], *field[MOST], type[MOST][16];
    const char *names[MOST];
    memset(m, 0, sizeof *m);
    FILE *f = open_file(folder, "types.txt");
    while (fscanf(f, "%15s", type[m->n]) == 1)
        m->n++;
    fclose(f);
    f = open_file(folder, "data.csv");
    int64_t rows = -1;
    while (fgets(line, sizeof line, f) != NULL)
        rows++;
    rewind(f);
    assert_non_null(fgets(line, sizeof line, f));
    assert_int_equal(split(line, field), m->n);
    for (int j = 0; j < m->n; j++)
        names[j] = strcpy(m->name[j], field[j]);
    assert_int_equal(dpc_table_new(rows, m->n, names, &m->table, NULL), DPC_OK);
    for (int64_t i = 0; i < rows; i++) {
        assert_non_null(fgets(line, sizeof line, f));
        split(line, field);
        for (int j = 0; j < m->n; j++)
            m->table->values[j * rows + i] =
                strcmp(type[j], "nominal") == 0 ? code_of(m, j, field[j]) : atof(field[j]);
    }
    fclose(f);
    for (int j = 0; j < m->n; j++)
        if (strcmp(type[j], "nominal") == 0)
            assert_int_equal(dpc_table_set_kind(m->table, j, DPC_NOMINAL, m->levels[j], NULL, NULL),
                             DPC_OK);
}

static int find(const mixed *m, const char *name)
{
    for (int j = 0; j < m->n; j++)
        if (strcmp(m->name[j], name) == 0)
            return j;
    fail_msg("no variable %s", name);
    return -1;
}

static int find_set(const mixed *m, char *given, int32_t *set)
{
    int k = 0;
    if (strcmp(given, "-") != 0)
        for (char *s = strtok(given, ";"); s != NULL; s = strtok(NULL, ";"))
            set[k++] = find(m, s);
    return k;
}

static void near(double is, double wanted, double relative, const char *what)
{
    if (!(fabs(is - wanted) <= relative * fabs(wanted)))
        fail_msg("%s is %.17g, expected %.17g", what, is, wanted);
}

/* ---- The tests ---- */

/*
 * What a result tells of a test is that test; its canonical correlations, largest first, have
 * Λ = Π (1 - ρ²).
 */
static void check_told(const dpc_result *result, int x, int y, const int32_t *set, int k,
                       const dpc_block_answer *a)
{
    dpc_f_test *f = NULL;
    double log_lambda = 0;
    assert_int_equal(dpc_explain_test(result, x, y, set, k, &f, NULL), DPC_OK);
    assert_non_null(f);
    near(f->f, a->rao.f, 1e-12, "F that is told");
    near(f->df1, a->rao.df1, 0, "df1 that is told");
    near(f->df2, a->rao.df2, 0, "df2 that is told");
    near(f->p, a->p, 1e-12, "p that is told");
    assert_int_equal(f->n_canonical, a->wilks.p < a->wilks.q ? a->wilks.p : a->wilks.q);
    for (int i = 0; i < f->n_canonical; i++) {
        log_lambda += log1p(-f->canonical[i] * f->canonical[i]);
        assert_true(f->canonical[i] >= 0 && f->canonical[i] <= (i > 0 ? f->canonical[i - 1] : 1));
    }
    near(log_lambda, a->wilks.log_lambda, 1e-8, "ln lambda of the canonical correlations");
    dpc_f_test_free(f);
}

static void check_tests(const char *folder)
{
    mixed m;
    char line[LINE], x[32], y[32], given[256];
    double log_lambda, f, df1, df2, p;
    int columns_x, columns_y, checked = 0;
    dpc_result *result = NULL;
    const dpc_labels labels = {0};
    dpc_correlation *c = NULL;
    read_mixed(folder, &m);
    assert_int_equal(dpc_correlate(m.table, NULL, NULL, &c, NULL), DPC_OK);
    assert_non_null(c->blocks);
    assert_int_equal(dpc_learn(c, NULL, &result, NULL), DPC_OK);
    dpc_view view = dpc_view_of(c, &labels);
    dpc_direct direct = {.view = &view};
    FILE *file = open_file(folder, "tests.txt");
    while (fgets(line, sizeof line, file) != NULL) {
        int32_t set[MOST];
        dpc_block_answer a;
        if (line[0] == '#')
            continue;
        assert_int_equal(sscanf(line, "%31s %31s %255s %lf %d %d %lf %lf %lf %lf", x, y, given,
                                &log_lambda, &columns_x, &columns_y, &f, &df1, &df2, &p),
                         10);
        int k = find_set(&m, given, set);
        assert_int_equal(dpc_direct_blocks(&direct, find(&m, x), find(&m, y), set, k, 0, &a),
                         DPC_OK);
        near(a.wilks.log_lambda, log_lambda, 1e-9, "ln lambda");
        assert_int_equal(a.wilks.p, columns_x);
        assert_int_equal(a.wilks.q, columns_y);
        near(a.rao.f, f, 1e-8, "F");
        near(a.rao.df1, df1, 1e-12, "df1");
        near(a.rao.df2, df2, 1e-12, "df2");
        near(a.p, p, 1e-8, "p");
        near(a.z, p > 1e-250 ? a.z : 33, 0.5, "z"); /* finite also far out */
        check_told(result, find(&m, x), find(&m, y), set, k, &a);
        checked++;
    }
    assert_true(checked >= 60);
    fclose(file);
    dpc_direct_clear(&direct);
    dpc_result_free(result);
    dpc_correlation_free(c);
    dpc_table_free(m.table);
}

/* ---- The graphs ---- */

static void compare(const dpc_graph *graph, const char *rows, bool directed, const char *what)
{
    int n = graph->n_nodes;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            dpc_mark mark = i == j ? DPC_NONE : dpc_graph_mark(graph, i, j);
            bool is = directed ? mark == DPC_UNDIRECTED || mark == DPC_FORWARD : mark != DPC_NONE;
            if (is != (rows[i * (n + 1) + j] == '1'))
                fail_msg("%s: entry %d, %d is %d", what, i + 1, j + 1, is);
        }
}

static void check_graphs(const char *folder, const char *name, dpc_categorical categorical)
{
    mixed m;
    char line[LINE], method[16], skeleton[256], cpdag[256], what[128];
    double alpha;
    long long tests;
    int checked = 0;
    read_mixed(folder, &m);
    FILE *file = open_file(folder, name);
    while (fgets(line, sizeof line, file) != NULL) {
        dpc_settings s;
        dpc_error err = {0};
        dpc_result *result = NULL;
        if (line[0] == '#')
            continue;
        assert_int_equal(
            sscanf(line, "%15s %lf %lld %255s %255s", method, &alpha, &tests, skeleton, cpdag), 5);
        snprintf(what, sizeof what, "%s %s %g", folder, method, alpha);
        dpc_settings_default(&s);
        s.orient = DPC_RELAXED;
        s.order = DPC_ORDER_GIVEN;
        s.alpha = alpha;
        s.method = strcmp(method, "dual") == 0 ? DPC_DUAL : DPC_CLASSIC;
        s.categorical = categorical;
        if (dpc_learn_table(m.table, &s, NULL, &result, &err) != DPC_OK)
            fail_msg("%s: %s", what, err.message);
        compare(dpc_result_graph(result), skeleton, false, what);
        compare(dpc_result_graph(result), cpdag, true, what);
        if (dpc_result_info(result)->tests != tests)
            fail_msg("%s: %lld tests, expected %lld", what,
                     (long long)dpc_result_info(result)->tests, tests);
        dpc_result_free(result);
        checked++;
    }
    assert_int_equal(checked, 6);
    fclose(file);
    dpc_table_free(m.table);
}

static void test_clinic(void **state)
{
    (void)state;
    check_tests("clinic");
    check_graphs("clinic", "graphs.txt", DPC_CATEGORICAL_BLOCKS);
}

static void test_words(void **state)
{
    (void)state;
    check_tests("words");
    check_graphs("words", "graphs.txt", DPC_CATEGORICAL_BLOCKS);
}

/* ---- By counts ---- */

static void check_counts(const char *folder)
{
    mixed m;
    char line[LINE], x[32], y[32], given[256];
    double g2, df, p;
    int checked = 0;
    const dpc_labels labels = {0};
    dpc_correlation *c = NULL;
    dpc_settings s;
    dpc_settings_default(&s);
    s.categorical = DPC_CATEGORICAL_MIXTURE;
    read_mixed(folder, &m);
    assert_int_equal(dpc_correlate(m.table, &s, NULL, &c, NULL), DPC_OK);
    dpc_view view = dpc_view_of(c, &labels);
    dpc_direct direct = {.view = &view};
    FILE *file = open_file(folder, "g2.txt");
    while (fgets(line, sizeof line, file) != NULL) {
        int32_t set[MOST];
        dpc_block_answer a;
        if (line[0] == '#')
            continue;
        assert_int_equal(sscanf(line, "%31s %31s %255s %lf %lf %lf", x, y, given, &g2, &df, &p), 6);
        int k = find_set(&m, given, set);
        assert_int_equal(dpc_direct_primal(&direct, find(&m, x), find(&m, y), set, k, &a), DPC_OK);
        near(a.g2.g2, g2, 1e-9, "G2");
        near(a.g2.df, df, 0, "df");
        near(a.p, p, 1e-8, "p");
        checked++;
    }
    assert_true(checked >= 60);
    fclose(file);
    dpc_direct_clear(&direct);
    dpc_correlation_free(c);
    dpc_table_free(m.table);
}

static void test_counts(void **state)
{
    (void)state;
    check_counts("words");
    check_graphs("words", "g2-graphs.txt", DPC_CATEGORICAL_MIXTURE);
}

/* Where p is too small to be a number, z still grows with the table. */
static void test_far(void **state)
{
    (void)state;
    double before = 0;
    for (int64_t rows = 1000; rows <= 16000; rows *= 4) {
        dpc_table *table = NULL;
        dpc_correlation *c = NULL;
        dpc_settings settings;
        dpc_block_answer a;
        const dpc_labels labels = {0};
        assert_int_equal(dpc_table_new(rows, 2, NULL, &table, NULL), DPC_OK);
        for (int64_t i = 0; i < rows; i++) {
            table->values[i] = (double)(i % 4);
            table->values[rows + i] = i % 50 == 0 ? 3 : (double)(i % 4);
        }
        for (int j = 0; j < 2; j++)
            assert_int_equal(dpc_table_set_kind(table, j, DPC_NOMINAL, 4, NULL, NULL), DPC_OK);
        dpc_settings_default(&settings);
        settings.categorical = DPC_CATEGORICAL_MIXTURE;
        assert_int_equal(dpc_correlate(table, &settings, NULL, &c, NULL), DPC_OK);
        dpc_view view = dpc_view_of(c, &labels);
        dpc_direct direct = {.view = &view};
        assert_int_equal(dpc_direct_primal(&direct, 0, 1, NULL, 0, &a), DPC_OK);
        assert_true(a.g2.df == 9 && a.p == 0);
        near(a.z, sqrt(a.g2.g2), 0.02, "z"); /* of so large a chi-square */
        assert_true(a.z > 1.9 * before);
        before = a.z;
        dpc_direct_clear(&direct);
        dpc_correlation_free(c);
        dpc_table_free(table);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clinic),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_far),
        cmocka_unit_test(test_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
