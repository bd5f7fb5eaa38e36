/*
 * What fuzzing has found (tests/fuzz), so that it stays found: each test is an input that once gave
 * a wrong answer.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "graph.h"
#include "graphs.h"
#include "reading.h"
#include "write.h"

#include <stdlib.h>
#include <string.h>

/* All that can be written and read. */
static bool is_both(dpc_format format)
{
    return dpc_format_is_read(format) && format != DPC_FORMAT_JSON;
}

/* Writes a graph in each format, reads it again; how many formats refused it. */
static int there_and_back(const dpc_named_graph *graph)
{
    int refused = 0;
    for (int f = DPC_FORMAT_EDGES; f <= DPC_FORMAT_HTML; f++) {
        dpc_format format = (dpc_format)f;
        dpc_report report = {.size = sizeof report,
                             .names = (const char *const *)graph->names,
                             .graph = &graph->graph};
        char *text = NULL;
        size_t length = 0;
        dpc_named_graph *again = NULL;
        dpc_error err = {0};
        if (!is_both(format))
            continue;
        dpc_status status =
            dpc_write_string(&report, DPC_CONTENT_GRAPH, format, &text, &length, &err);
        if (status != DPC_OK) {
            assert_int_equal(status, DPC_BAD_INPUT);
            refused++;
            continue;
        }
        if (read_bytes(dpc_format_word(format), text, length, &again, &err) != DPC_OK)
            fail_msg("%s: %s\n%s", dpc_format_word(format), err.message, text);
        assert_int_equal(again->graph.n_edges, graph->graph.n_edges);
        for (int64_t e = 0; e < graph->graph.n_edges; e++) {
            const dpc_edge *edge = &graph->graph.edges[e];
            int a = place_of(again, graph->names[edge->a]);
            int b = place_of(again, graph->names[edge->b]);
            if (a < 0 || b < 0 || dpc_graph_mark(&again->graph, a, b) != edge->mark)
                fail_msg("%s: not the same graph:\n%s", dpc_format_word(format), text);
        }
        dpc_named_graph_free(again);
        dpc_string_free(text);
    }
    return refused;
}

static dpc_named_graph *read_text(const char *extension, const char *text)
{
    dpc_named_graph *graph = NULL;
    dpc_error err = {0};
    if (read_bytes(extension, text, strlen(text), &graph, &err) != DPC_OK)
        fail_msg("%s", err.message);
    return graph;
}

/* An empty edge list is a graph, and can be converted; only a matrix and a model string need nodes.
 */
static void test_no_nodes(void **state)
{
    (void)state;
    dpc_named_graph *graph = read_text("txt", "");
    assert_int_equal(graph->graph.n_nodes, 0);
    assert_int_equal(there_and_back(graph), 6); /* csv, tsv, pcalg, pag, causallearn, bnlearn */
    dpc_named_graph_free(graph);
}

/* Groups of DAGitty's text must not make more edges than a text of that size could have. */
static void test_groups(void **state)
{
    (void)state;
    char text[4000] = "dag {", *p = text + strlen(text);
    dpc_named_graph *graph = NULL;
    dpc_error err = {0};
    for (int side = 0; side < 2; side++) {
        p += sprintf(p, "%s{", side > 0 ? "->" : "");
        for (int i = 0; i < 300; i++)
            p += sprintf(p, " %c%d", "ab"[side], i);
        p += sprintf(p, "}");
    }
    strcpy(p, "}");
    assert_int_equal(read_bytes("dagitty", text, strlen(text), &graph, &err), DPC_BAD_INPUT);
    assert_non_null(strstr(err.message, "the groups stand for more than"));
}

/* The character number 1 was taken for "no reference". */
static void test_first_character(void **state)
{
    (void)state;
    dpc_named_graph *graph = read_text(
        "gml", "graph [ node [ id 1 label \"a&#1;b\" ] node [ id 2 label \"&x;\" ] edge [ source 1 "
               "target 2 ] ]");
    assert_string_equal(graph->names[0], "a\001b");
    assert_string_equal(graph->names[1], "&x;");
    assert_int_equal(there_and_back(graph), 4); /* GraphML, Tetrad, DAGitty, the model string */
    dpc_named_graph_free(graph);
}

/* Names that are no UTF-8 became others in GML, GraphML and JSON. */
static void test_latin_names(void **state)
{
    (void)state;
    dpc_named_graph *graph = read_text("arcs", "from,to\nA,caf\xe9\nA,\x80\n");
    assert_int_equal(place_of(graph, "caf\xc3\xa9"), 1);
    assert_int_equal(place_of(graph, "\xe2\x82\xac"), 2); /* Windows-1252: the euro */
    assert_int_equal(there_and_back(graph), 0);
    dpc_named_graph_free(graph);
    dpc_error err = {0};
    const char json[] = "{\"nodes\": [\"caf\xe9\"], \"edges\": []}";
    assert_int_equal(read_bytes("json", json, strlen(json), &graph, &err), DPC_BAD_INPUT);
}

/* A control character of a name reached the terminal, in what --drop was to be given. */
static void test_control_in_advice(void **state)
{
    (void)state;
    static const char *const TEXTS[] = {"a\033[2J,b\nx,2\n3,4\n", "a\xc2\x9b[2J,b\nx,2\n3,4\n"};
    for (int i = 0; i < 2; i++) {
        outcome o = read_table_text(TEXTS[i], DPC_MISSING_ERROR);
        assert_true(has_finding(&o, DPC_ERROR, "the name of column 1 holds"));
        assert_true(has_finding(&o, DPC_ERROR,
                                "column 'a?[2J' is not numeric: 1 cell, 'x' on line 2; recode it, "
                                "or leave it out with drop (--drop 1)"));
        assert_int_equal(o.audit.errors, 2);
        clear_outcome(&o);
    }
}

/* A byte order mark at the start of a name was lost where the name began the file. */
static void test_mark_in_name(void **state)
{
    (void)state;
    dpc_named_graph *graph = read_text("edges.txt", "\"\xef\xbb\xbf"
                                                    "A\" --> B\n");
    assert_int_equal(place_of(graph, "\xef\xbb\xbf"
                                     "A"),
                     0);
    assert_int_equal(there_and_back(graph), 1); /* SIF has no quotes */
    dpc_named_graph_free(graph);
}

/* A first node of this name was taken for the header of the edges. */
static void test_tetrad_header_as_name(void **state)
{
    (void)state;
    dpc_named_graph *graph = read_text("sif", "Graph edges: all\t-->\tA\n");
    assert_int_equal(there_and_back(graph), 2); /* Tetrad's text; the model string, for its : */
    dpc_named_graph_free(graph);
}

/* A first name that begins with # made the header a comment, one that begins with [[ made it JSON.
 */
static void test_first_name(void **state)
{
    (void)state;
    static const char *const FIRST[] = {"#x 4e-3", "[[a", "{\"a:"};
    for (int i = 0; i < 3; i++) {
        const char *const names[] = {FIRST[i], "y"};
        const double values[] = {1, 2, 3, 4.5};
        dpc_table *table = NULL;
        char *text = NULL, wanted[32];
        size_t length = 0;
        assert_int_equal(dpc_table_view(values, DPC_DOUBLE, 2, 2, 1, 2, names, &table, NULL),
                         DPC_OK);
        dpc_printing output = {.print = dpc_print_table, .what = table, .format = DPC_TABLE_CSV};
        assert_int_equal(dpc_printing_string(&output, NULL, &text, &length, NULL), DPC_OK);
        snprintf(wanted, sizeof wanted, "%s|y", FIRST[i]);
        expect_as(DPC_MISSING_ERROR, text, wanted, 2, 2, VALUES(1, 3, 2, 4.5), 0);
        free(text);
        dpc_table_free(table);
    }
}

/* A column of such a name made a table a covariance matrix of Tetrad. */
static void test_title_as_name(void **state)
{
    (void)state;
    expect_as(DPC_MISSING_ERROR, "/cortisol,b\n1,2\n3,4.5\n", "/cortisol|b", 2, 2,
              VALUES(1, 2, 3, 4.5), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_nodes),
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_first_character),
        cmocka_unit_test(test_latin_names),
        cmocka_unit_test(test_control_in_advice),
        cmocka_unit_test(test_mark_in_name),
        cmocka_unit_test(test_tetrad_header_as_name),
        cmocka_unit_test(test_first_name),
        cmocka_unit_test(test_title_as_name),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
