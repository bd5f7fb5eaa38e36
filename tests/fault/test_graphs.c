/* Graph files read, written and compared, with every allocation failing in turn. */
#include "compare.h"
#include "dualpc_io.h"
#include "failing.h"
#include "inputs.h"
#include "write.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static dpc_status read_and_compare(const char *path, const char *other, dpc_target as,
                                   dpc_metrics *metrics, dpc_error *err)
{
    dpc_named_graph *estimate = NULL, *truth = NULL;
    dpc_status status = dpc_graph_read(path, &estimate, err);
    if (status == DPC_OK)
        status = dpc_graph_read(other, &truth, err);
    else
        assert_null(estimate);
    if (status == DPC_OK)
        status = dpc_compare_named(estimate, truth, as, metrics, err);
    dpc_named_graph_free(estimate);
    dpc_named_graph_free(truth);
    return status;
}

static void try_graphs(const char *path, const char *other, dpc_target as)
{
    dpc_metrics metrics = {0};
    dpc_error err = {0};
    counts->calls = live = 0;
    if (read_and_compare(path, other, as, &metrics, &err) != DPC_OK)
        fail_msg("%s", err.message);
    assert_true(metrics.p > 100);
    assert_int_equal(live, 0);
    long all = counts->calls;
    assert_true(all > 40);
    for (fail_at = 1; fail_at <= all; fail_at++) {
        metrics.p = -7;
        counts->calls = live = 0;
        repeatedly = false;
        dpc_status status = read_and_compare(path, other, as, &metrics, &err);
        if (status != DPC_NO_MEMORY || live != 0)
            fail_msg("%s and %s, allocation %ld: status %d, %ld blocks leaked", path, other,
                     fail_at, (int)status, live);
        assert_non_null(strstr(err.message, "memory"));
        assert_int_equal(metrics.p, -7);
    }
    fail_at = 0;
}

/* Into a format and back. */
static dpc_status there_and_back(const dpc_report *report, dpc_format format, int64_t *edges,
                                 dpc_error *err)
{
    dpc_named_graph *read = NULL;
    char *text = NULL;
    size_t length;
    dpc_status status = dpc_write_string(report, DPC_CONTENT_GRAPH, format, &text, &length, err);
    if (status == DPC_OK) {
        FILE *file = fopen("there", "w");
        assert_int_equal(fwrite(text, 1, length, file), length);
        fclose(file);
        status = dpc_graph_read_as("there", format, &read, err);
        assert_int_equal(read != NULL, status == DPC_OK);
    }
    *edges = read != NULL ? read->graph.n_edges : 0;
    dpc_named_graph_free(read);
    dpc_string_free(text);
    return status;
}

/* Every format, written and read, with names in quotes where it has such. */
static void test_formats(void **state)
{
    (void)state;
    dpc_named_graph *g = NULL;
    dpc_error err = {0};
    int64_t edges;
    assert_int_equal(dpc_graph_read(GRAPHS[0], &g, &err), DPC_OK);
    dpc_report report = {
        .size = sizeof report, .names = (const char *const *)g->names, .graph = &g->graph};
    for (dpc_format format = DPC_FORMAT_EDGES;
         dpc_format_is_read(format) || !dpc_format_is_made(format); format++) {
        if (!dpc_format_is_read(format))
            continue;
        bool picky = format == DPC_FORMAT_TETRAD;
        snprintf(g->names[3], 3, "%s", picky ? "y" : " z");
        fail_at = 0;
        counts->calls = 0;
        if (there_and_back(&report, format, &edges, &err) != DPC_OK)
            fail_msg("%s: %s", dpc_format_word(format), err.message);
        assert_int_equal(edges, g->graph.n_edges);
        long all = counts->calls;
        for (long k = 1; k <= all; k++) {
            counts->calls = live = 0;
            fail_at = k;
            repeatedly = false;
            dpc_status status = there_and_back(&report, format, &edges, &err);
            fail_at = 0;
            if (status != DPC_NO_MEMORY || live != 0)
                fail_msg("%s, allocation %ld: status %d, %ld blocks leaked",
                         dpc_format_word(format), k, (int)status, live);
        }
    }
    dpc_named_graph_free(g);
    remove("there");
}

static void test_graphs(void **state)
{
    (void)state;
    for (int f = 0; f < 4; f++)
        for (dpc_target as = DPC_CPDAG; as <= DPC_SKELETON; as++) {
            try_graphs(GRAPHS[f], GRAPHS[(f + 1) % 4], as);
            try_graphs(GRAPHS[f], GRAPHS[1], as);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_graphs),
        cmocka_unit_test(test_formats),
    };
    return cmocka_run_group_tests(tests, inputs_enter, inputs_leave);
}
