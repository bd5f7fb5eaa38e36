/* Every golden result, exactly: graph, number of edges, and no more tests than the plain way. */
#include "dualpc_io.h"
#include "table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#ifndef GOLDEN_DIR
#define GOLDEN_DIR "tests/golden"
#endif

static const char *const FOLDERS[] = {"tiny20", "dense40", "paper50", "wide150", "heavy30-copula"};

typedef struct expected {
    char file[64], method[16], variant[16], test[8], graph[16], normalize[16];
    double alpha, min_ess;
    long long edges, tests;
} expected;

static dpc_settings settings_of(const expected *e)
{
    dpc_settings s;
    dpc_settings_default(&s);
    s.orient = DPC_RELAXED; /* the paper's rule, in the order of the columns */
    s.order = DPC_ORDER_GIVEN;
    s.alpha = e->alpha;
    s.min_ess = e->min_ess;
    s.method = strcmp(e->method, "dual") == 0      ? DPC_DUAL
               : strcmp(e->method, "classic") == 0 ? DPC_CLASSIC
                                                   : DPC_PRECISION;
    s.variant = strcmp(e->variant, "stable") == 0 ? DPC_STABLE : DPC_STANDARD;
    s.test = strcmp(e->test, "z") == 0 ? DPC_FISHER_Z : DPC_EXACT_T;
    s.graph = strcmp(e->graph, "cpdag") == 0     ? DPC_CPDAG
              : strcmp(e->graph, "pattern") == 0 ? DPC_PATTERN
                                                 : DPC_SKELETON;
    s.normalize = strcmp(e->normalize, "copula") == 0 ? DPC_NORMALIZE_COPULA : DPC_NORMALIZE_NONE;
    return s;
}

static dpc_table *read_csv(const char *folder, const char *file)
{
    char path[512];
    dpc_table *table = NULL;
    dpc_error err = {0};
    snprintf(path, sizeof path, "%s/%s/%s", GOLDEN_DIR, folder, file);
    dpc_status status = dpc_table_read(path, DPC_MISSING_ERROR, NULL, NULL, &table, &err);
    if (status != DPC_OK)
        fail_msg("%s: %s", path, err.message);
    return table;
}

static void compare(const dpc_graph *graph, const dpc_table *adjacency, const char *what)
{
    int n = adjacency->n_vars;
    assert_int_equal(graph->n_nodes, n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            dpc_mark mark = i == j ? DPC_NONE : dpc_graph_mark(graph, i, j);
            int is = mark == DPC_UNDIRECTED || mark == DPC_FORWARD;
            if (is != (int)adjacency->values[(int64_t)j * n + i])
                fail_msg("%s: entry %d, %d is %d", what, i + 1, j + 1, is);
        }
}

static void check_one(const char *folder, const dpc_table *data, const expected *e)
{
    char what[128];
    dpc_settings settings = settings_of(e);
    dpc_result *result = NULL;
    dpc_error err = {0};
    snprintf(what, sizeof what, "%s/%s", folder, e->file);
    dpc_table *adjacency = read_csv(folder, e->file);
    if (dpc_learn_table(data, &settings, NULL, &result, &err) != DPC_OK)
        fail_msg("%s: %s", what, err.message);
    compare(dpc_result_graph(result), adjacency, what);
    assert_int_equal(dpc_result_graph(result)->n_edges, e->edges);
    if (dpc_result_info(result)->tests > e->tests)
        fail_msg("%s: %lld tests, expected at most %lld", what,
                 (long long)dpc_result_info(result)->tests, e->tests);
    dpc_result_free(result);
    dpc_table_free(adjacency);
}

static void golden_folder(void **state)
{
    const char *folder = *state;
    char path[512], line[512];
    snprintf(path, sizeof path, "%s/%s/index.csv", GOLDEN_DIR, folder);
    FILE *index = fopen(path, "r");
    assert_non_null(index);
    dpc_table *data = read_csv(folder, "data.csv");
    int checked = 0;
    assert_non_null(fgets(line, sizeof line, index));
    while (fgets(line, sizeof line, index) != NULL) {
        expected e;
        int fields =
            sscanf(line, "%63[^,],%15[^,],%15[^,],%7[^,],%15[^,],%lf,%lf,%15[^,],%lld,%lld", e.file,
                   e.method, e.variant, e.test, e.graph, &e.alpha, &e.min_ess, e.normalize,
                   &e.edges, &e.tests);
        assert_int_equal(fields, 10);
        check_one(folder, data, &e);
        checked++;
    }
    assert_int_equal(checked, 24);
    dpc_table_free(data);
    fclose(index);
}

int main(void)
{
    struct CMUnitTest tests[sizeof FOLDERS / sizeof *FOLDERS];
    size_t count = sizeof FOLDERS / sizeof *FOLDERS;
    for (size_t i = 0; i < count; i++)
        tests[i] = (struct CMUnitTest){FOLDERS[i], golden_folder, NULL, NULL, (void *)FOLDERS[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
