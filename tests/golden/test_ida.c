/* The golden effects, which are those of pcalg: every multiset, to 1e-8. */
#include "dualpc_io.h"

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

enum { N_SETS = 10, MOST = 64 };

static void ok(dpc_status status, const dpc_error *err)
{
    if (status != DPC_OK)
        fail_msg("%s", err->message);
}

static dpc_effect_table *effects_of(int set)
{
    char path[512];
    dpc_table *data = NULL;
    dpc_named_graph *graph = NULL;
    dpc_causal *causal = NULL;
    dpc_correlation *correlation = NULL;
    dpc_effect_table *table = NULL;
    dpc_error err = {0};
    snprintf(path, sizeof path, "%s/ida/%d-data.csv", GOLDEN_DIR, set);
    ok(dpc_table_read(path, DPC_MISSING_ERROR, NULL, NULL, &data, &err), &err);
    snprintf(path, sizeof path, "%s/ida/%d-graph.csv", GOLDEN_DIR, set);
    ok(dpc_graph_read(path, &graph, &err), &err);
    ok(dpc_causal_new(&graph->graph, NULL, false, &causal, &err), &err);
    ok(dpc_correlate(data, NULL, NULL, &correlation, &err), &err);
    ok(dpc_effects(correlation, causal, &(dpc_effect_query){.ida = DPC_IDA_PCALG}, NULL, &table,
                   &err),
       &err);
    dpc_table_free(data);
    dpc_named_graph_free(graph);
    dpc_causal_free(causal);
    dpc_correlation_free(correlation);
    return table;
}

static int by_value(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* The effects of a pair, sorted. */
static int multiset(const dpc_effect_table *table, int cause, int outcome, double *values)
{
    for (int64_t i = 0; i < dpc_effect_table_about(table)->n_pairs; i++) {
        dpc_effect_pair pair = dpc_effect_table_pair(table, i);
        if (pair.cause != cause || pair.outcome != outcome)
            continue;
        assert_true(pair.count <= MOST);
        for (int k = 0; k < pair.count; k++)
            values[k] = dpc_effect_table_at(table, i, k).effect;
        qsort(values, (size_t)pair.count, sizeof *values, by_value);
        return pair.count;
    }
    return -1;
}

static void check_line(dpc_effect_table *const *tables, char *line)
{
    int set, cause, outcome, used;
    double values[MOST];
    assert_int_equal(sscanf(line, "%d,V%d,V%d,%n", &set, &cause, &outcome, &used), 3);
    int count = multiset(tables[set - 1], cause - 1, outcome - 1, values), seen = 0;
    for (char *text = strtok(line + used, ";\" \n"); text != NULL; text = strtok(NULL, ";\" \n")) {
        double wanted = strtod(text, NULL);
        assert_true(seen < count);
        if (!(fabs(values[seen] - wanted) < 1e-8))
            fail_msg("set %d, V%d on V%d: %.12g, not %s", set, cause, outcome, values[seen], text);
        seen++;
    }
    if (seen != count)
        fail_msg("set %d, V%d on V%d: %d effects, not %d", set, cause, outcome, count, seen);
}

static void test_all_pairs(void **state)
{
    (void)state;
    char line[1 << 14];
    int64_t checked = 0, wanted = 0;
    dpc_effect_table *tables[N_SETS];
    FILE *index = fopen(GOLDEN_DIR "/ida/index.csv", "r");
    assert_non_null(index);
    for (int i = 0; i < N_SETS; i++) {
        tables[i] = effects_of(i + 1);
        wanted += dpc_effect_table_about(tables[i])->n_pairs;
    }
    assert_non_null(fgets(line, sizeof line, index));
    for (; fgets(line, sizeof line, index) != NULL; checked++)
        check_line(tables, line);
    assert_int_equal(checked, wanted);
    for (int i = 0; i < N_SETS; i++)
        dpc_effect_table_free(tables[i]);
    fclose(index);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_pairs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
