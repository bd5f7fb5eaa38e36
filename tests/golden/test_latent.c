/*
 * Latent correlations against the golden cases: how the columns are taken, thresholds, reliability,
 * the correlations of the scores, the latent ones, and the effective rows of each pair.
 */
#include "dualpc_io.h"
#include "latent.h"
#include "latent_pair.h"
#include "table.h"

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

enum { MOST = 8 }; /* variables of a case, and thresholds of one */

typedef struct expected {
    int n;
    dpc_latent_kind kind[MOST];
    int n_cuts[MOST];
    double cut[MOST][MOST], reliability[MOST];
    double visible[MOST][MOST], latent[MOST][MOST], rows[MOST][MOST];
    double least;
} expected;

static char *read_text(const char *folder)
{
    char path[512], *text = calloc(1, 1 << 16);
    snprintf(path, sizeof path, "%s/mixed/latent/%s/expected.json", GOLDEN_DIR, folder);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 16) - 1, file) > 0);
    fclose(file);
    return text;
}

/* Behind the colon of a key. */
static const char *value_of(const char *text, const char *key)
{
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    const char *found = strstr(text, quoted);
    if (found == NULL)
        fail_msg("no %s", key);
    return found + strlen(quoted);
}

/* Numbers of a list; returns how many, and moves behind its end. */
static int read_list(const char **text, double *to)
{
    int count = 0;
    const char *at = strchr(*text, '[') + 1;
    for (;;) {
        at += strspn(at, " \n,");
        if (*at == ']')
            break;
        char *end;
        assert_true(count < MOST);
        to[count++] = strtod(at, &end);
        assert_ptr_not_equal(at, end);
        at = end;
    }
    *text = at + 1;
    return count;
}

static void read_lists(const char *text, const char *key, int n, double to[MOST][MOST],
                       int counts[MOST])
{
    const char *at = strchr(value_of(text, key), '[') + 1;
    for (int i = 0; i < n; i++)
        counts[i] = read_list(&at, to[i]);
}

static expected read_expected(const char *folder)
{
    expected e = {0};
    int counts[MOST];
    char *text = read_text(folder);
    const char *at = value_of(text, "reliability");
    e.n = read_list(&at, e.reliability);
    at = value_of(text, "types");
    for (int j = 0; j < e.n; j++) {
        at = strchr(at, '"') + 1;
        e.kind[j] = *at == 'c'   ? DPC_LATENT_CONTINUOUS
                    : *at == 'o' ? DPC_LATENT_LEVELS
                                 : DPC_LATENT_ATOM;
        at = strchr(at, '"') + 1;
    }
    read_lists(text, "thresholds", e.n, e.cut, e.n_cuts);
    read_lists(text, "score_correlation", e.n, e.visible, counts);
    read_lists(text, "latent_correlation", e.n, e.latent, counts);
    read_lists(text, "effective_n", e.n, e.rows, counts);
    e.least = strtod(value_of(text, "least_eigenvalue"), NULL);
    free(text);
    return e;
}

static dpc_table *read_data(const char *folder)
{
    char path[512];
    dpc_table *table = NULL;
    dpc_error err = {0};
    snprintf(path, sizeof path, "%s/mixed/latent/%s/data.csv", GOLDEN_DIR, folder);
    if (dpc_table_read(path, DPC_MISSING_ERROR, NULL, NULL, &table, &err) != DPC_OK)
        fail_msg("%s: %s", path, err.message);
    return table;
}

static void near_to(const char *folder, const char *what, int i, int j, double is, double should,
                    double tolerance)
{
    if (!(fabs(is - should) <= tolerance))
        fail_msg("%s: %s of %d, %d is %.12g, not %.12g", folder, what, i + 1, j + 1, is, should);
}

static void check_columns(const char *folder, const expected *e, const dpc_table *table,
                          const dpc_settings *settings)
{
    dpc_columns columns = {0};
    assert_int_equal(dpc_prepare(table, settings, NULL, &columns, NULL), DPC_OK);
    for (int j = 0; j < e->n; j++) {
        const dpc_latent_column *c = &columns.latent[j];
        double loading = dpc_latent_loading(c);
        assert_int_equal(c->kind, e->kind[j]);
        assert_int_equal(c->n_cuts, e->n_cuts[j]);
        near_to(folder, "reliability", j, j, loading * loading, e->reliability[j], 1e-10);
        for (int i = 0; i < c->n_cuts; i++)
            near_to(folder, "threshold", j, i, c->cut[i], e->cut[j][i], 1e-10);
    }
    dpc_columns_clear(&columns);
}

static void check_case(const char *folder)
{
    expected e = read_expected(folder);
    dpc_table *table = read_data(folder);
    dpc_correlation *c = NULL;
    dpc_settings settings;
    dpc_settings_default(&settings);
    settings.normalize = DPC_NORMALIZE_LATENT;
    assert_int_equal(table->n_vars, e.n);
    check_columns(folder, &e, table, &settings);
    assert_int_equal(dpc_correlate(table, &settings, NULL, &c, NULL), DPC_OK);
    assert_true(e.least > 1e-3); /* nothing was repaired */
    assert_true(c->mean_rows);
    double worst_r = 0, worst_rows = 0;
    for (int i = 0; i < e.n; i++)
        for (int j = 0; j < e.n; j++) {
            int at = i * e.n + j;
            near_to(folder, "score correlation", i, j, c->latent->visible[at], e.visible[i][j],
                    1e-10);
            near_to(folder, "latent correlation", i, j, c->r[at], e.latent[i][j], 1e-9);
            near_to(folder, "effective rows", i, j, c->rows[at], e.rows[i][j], 0.03 * e.rows[i][j]);
            worst_r = fmax(worst_r, fabs(c->r[at] - e.latent[i][j]));
            worst_rows = fmax(worst_rows, fabs(c->rows[at] / e.rows[i][j] - 1));
        }
    print_message("%s: r to %.1g, rows to %.2f %%\n", folder, worst_r, 100 * worst_rows);
    dpc_correlation_free(c);
    dpc_table_free(table);
}

static void test_chain(void **state)
{
    (void)state;
    check_case("chain");
}

static void test_collider(void **state)
{
    (void)state;
    check_case("collider");
}

static void test_skewed(void **state)
{
    (void)state;
    check_case("skewed");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chain),
        cmocka_unit_test(test_collider),
        cmocka_unit_test(test_skewed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
