/*
 * Golden PAGs: each comes back from every format that can hold a PAG, and the others refuse it. The
 * folder beside this file has a few; where ../shared/golden/pag is there, all of that are tried
 * too.
 */
#include "dualpc_io.h"
#include "graphs.h"
#include "write.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#ifndef GOLDEN_DIR
#define GOLDEN_DIR "tests/golden"
#endif

/* Which formats can hold a PAG, by the word of each. */
static bool holds_pags(dpc_format format)
{
    static const char *const NONE[] = {"csv", "tsv", "sif", "bnlearn", "arcs", "pcalg"};
    for (size_t i = 0; i < sizeof NONE / sizeof *NONE; i++)
        if (strcmp(dpc_format_word(format), NONE[i]) == 0)
            return false;
    return true;
}

/* The same nodes and edges, in whatever order. */
static void must_be_same(const dpc_named_graph *read, const dpc_named_graph *graph, bool all_nodes,
                         const char *text)
{
    if (read->graph.n_edges != graph->graph.n_edges ||
        (all_nodes && read->graph.n_nodes != graph->graph.n_nodes))
        fail_msg("another graph:\n%s", text);
    for (int64_t e = 0; e < graph->graph.n_edges; e++) {
        const dpc_edge *edge = &graph->graph.edges[e];
        int a = place_of(read, graph->names[edge->a]), b = place_of(read, graph->names[edge->b]);
        if (a < 0 || b < 0 || dpc_graph_mark(&read->graph, a, b) != edge->mark)
            fail_msg("%s and %s are joined otherwise:\n%s", graph->names[edge->a],
                     graph->names[edge->b], text);
    }
}

static void try_format(const dpc_named_graph *graph, dpc_format format)
{
    dpc_report report = {
        .size = sizeof report, .names = (const char *const *)graph->names, .graph = &graph->graph};
    dpc_error err = {0};
    char *text = NULL;
    size_t length;
    dpc_named_graph *read = NULL;
    dpc_status status = dpc_write_string(&report, DPC_CONTENT_GRAPH, format, &text, &length, &err);
    if (!holds_pags(format)) {
        assert_int_equal(status, DPC_BAD_INPUT);
        assert_non_null(strstr(err.message, dpc_format_word(format)));
        assert_non_null(strstr(err.message, "PAG"));
        assert_non_null(strstr(err.message, "dagitty"));
        return;
    }
    if (status != DPC_OK ||
        read_bytes(dpc_format_word(format), text, length, &read, &err) != DPC_OK)
        fail_msg("%s: %s", dpc_format_word(format), err.message);
    must_be_same(read, graph, true, text);
    dpc_named_graph_free(read);
    dpc_string_free(text);
}

/* One graph by its matrix, against its edge list, and through all formats. */
static void try_graph(const char *path, const char *list)
{
    dpc_named_graph *graph = NULL, *edges = NULL;
    dpc_error err = {0};
    if (dpc_graph_read_as(path, DPC_FORMAT_PAG, &graph, &err) != DPC_OK ||
        dpc_graph_read(list, &edges, &err) != DPC_OK)
        fail_msg("%s", err.message);
    assert_true(dpc_graph_is_pag(&graph->graph));
    must_be_same(edges, graph, false, list);
    for (int f = 0; f <= DPC_FORMAT_HTML; f++)
        if (dpc_format_is_read((dpc_format)f))
            try_format(graph, (dpc_format)f);
    dpc_named_graph_free(graph);
    dpc_named_graph_free(edges);
}

static int try_folder(const char *golden)
{
    int found = 0;
    for (int i = 0; i < 100; i++) {
        char path[512], list[512];
        snprintf(path, sizeof path, "%s/pag/%03d-pag.csv", golden, i);
        snprintf(list, sizeof list, "%s/pag/%03d-pag.txt", golden, i);
        FILE *file = fopen(path, "rb");
        if (file == NULL)
            continue;
        fclose(file);
        try_graph(path, list);
        found++;
    }
    return found;
}

static void test_round_trips(void **state)
{
    (void)state;
    assert_int_equal(try_folder(GOLDEN_DIR), 6);
    int others = try_folder("../shared/golden");
    assert_true(others == 0 || others == 40);
}

/* The marks by their codes: row i, column j is the mark at j. */
static void test_codes(void **state)
{
    (void)state;
    static const char TEXT[] = "A,B,C\n0,2,1\n1,0,2\n3,2,0\n";
    dpc_named_graph *read = NULL;
    dpc_error err = {0};
    assert_int_equal(read_bytes("pag.csv", TEXT, strlen(TEXT), &read, &err), DPC_OK);
    assert_int_equal(read->graph.n_edges, 3);
    assert_int_equal(dpc_graph_mark(&read->graph, 0, 1), DPC_CIRCLE_ARROW);
    assert_int_equal(dpc_graph_mark(&read->graph, 0, 2), DPC_TAIL_CIRCLE);
    assert_int_equal(dpc_graph_mark(&read->graph, 1, 2), DPC_BIDIRECTED);
    dpc_named_graph_free(read);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_round_trips),
                                       cmocka_unit_test(test_codes)};
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
