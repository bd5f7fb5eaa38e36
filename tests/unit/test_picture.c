/* What a picture draws: the lines of names, which nodes, and which edges of many. */
#include "label.h"
#include "report.h"
#include "tables.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- Names ---- */

static void check_label(const char *name, const char *expected)
{
    char *label = dpc_label(name);
    assert_non_null(label);
    assert_string_equal(label, expected);
    free(label);
}

static void test_labels(void **state)
{
    (void)state;
    check_label("", "");
    check_label("V1", "V1");
    check_label("blood pressure", "blood pressure");
    check_label("total estimated cost of the building", "total estimated\ncost of the\nbuilding");
    check_label("blood.pressure_systolic_morning", "blood.pressure_\nsystolic_morning");
    check_label("abcdefghijklmnopqrstuvwx", "abcdefghijklmnopqrstuvwx"); /* 24: not broken */
    check_label("abcdefghijklmnopqrstuvwxy", "abcdefghijklm\nnopqrstuvwxy");
    check_label("a\tb\nc", "a b c");
    check_label("gr\xf6\xdf"
                "e",
                "größe"); /* Latin-1 */
    check_label("back\\slash \\N", "back\\slash \\N");
}

/* Without what a line break may take the place of. */
static void squeeze(char *text)
{
    char *to = text;
    for (const char *c = text; *c != '\0'; c++)
        if (*c != ' ' && *c != '\n')
            *to++ = *c;
    *to = '\0';
}

/* Nothing but spaces is lost up to the cut, and no line is long. */
static void test_label_lines(void **state)
{
    (void)state;
    for (int length = 1; length < 80; length++) {
        char name[200] = "";
        for (int i = 0; i < length; i++)
            strcat(name, i % 7 == 3 ? "_" : i % 11 == 5 ? " " : "ü");
        char *label = dpc_label(name), *cut = strstr(label, "…");
        int column = 0;
        assert_int_equal(cut != NULL, length > DPC_LABEL_LONGEST);
        for (const char *c = label; *c != '\0'; c++) {
            column = *c == '\n' ? 0 : column + (((unsigned char)*c & 0xc0) != 0x80);
            assert_true(column <= DPC_LABEL_LINE + 1); /* a space may end a line */
        }
        if (cut != NULL)
            *cut = '\0';
        squeeze(label);
        squeeze(name);
        assert_memory_equal(label, name, strlen(label));
        assert_true(cut != NULL || strlen(label) == strlen(name));
        free(label);
    }
}

/* ---- Nodes and edges ---- */

static void test_drawn_nodes(void **state)
{
    (void)state;
    dpc_edge edges[] = {{0, 2, DPC_FORWARD}, {2, 20, DPC_UNDIRECTED}};
    bool drawn[21];
    dpc_graph small = {.n_nodes = 20, .n_edges = 1, .edges = edges};
    dpc_graph large = {.n_nodes = 21, .n_edges = 2, .edges = edges};
    assert_int_equal(dpc_drawn_nodes(&small, drawn), 20);
    assert_true(drawn[7]);
    assert_int_equal(dpc_drawn_nodes(&large, drawn), 3);
    for (int v = 0; v < 21; v++)
        assert_int_equal(drawn[v], v == 0 || v == 2 || v == 20);
    assert_int_equal(dpc_most_drawn(&small), 20);
    assert_int_equal(dpc_most_drawn(&large), 4);
    /* many variables without edges do not make a graph too large */
    large.n_nodes = 100000;
    assert_false(dpc_picture_too_large(&large));
    assert_int_equal(dpc_layout_for(&(dpc_scene){.graph = &large}), DPC_LAYOUT_DOT);
}

static void test_strongest(void **state)
{
    (void)state;
    dpc_edge edges[] = {
        {0, 1, DPC_FORWARD}, {0, 2, DPC_BACKWARD}, {1, 2, DPC_UNDIRECTED}, {2, 3, DPC_FORWARD}};
    dpc_edge_row rows[] = {{.r = 0.2}, {.r = NAN}, {.r = -0.9}, {.r = 0.2}};
    dpc_graph graph = {.n_nodes = 4, .n_edges = 4, .edges = edges};
    dpc_edge_table table = {.n_vars = 4, .n_rows = 4, .rows = rows};
    dpc_scene scene = {.graph = &graph, .edges = &table};
    static const int64_t EXPECTED[][4] = {{2}, {0, 2}, {0, 2, 3}, {0, 1, 2, 3}};
    for (int most = 1; most <= 5; most++) {
        dpc_strongest found;
        int64_t count = most < 4 ? most : 4;
        assert_int_equal(dpc_strongest_make(&scene, most, &found, NULL), DPC_OK);
        assert_int_equal(found.graph.n_edges, count);
        assert_int_equal(found.graph.n_nodes, 4);
        for (int64_t i = 0; i < count; i++) {
            assert_int_equal(found.index[i], EXPECTED[count - 1][i]);
            assert_memory_equal(&found.graph.edges[i], &edges[found.index[i]], sizeof *edges);
        }
        assert_ptr_equal(found.scene.graph, &found.graph);
        dpc_strongest_clear(&found);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_labels),
        cmocka_unit_test(test_label_lines),
        cmocka_unit_test(test_drawn_nodes),
        cmocka_unit_test(test_strongest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
