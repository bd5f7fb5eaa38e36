/*
 * Reading graphs: what is written comes back, in every format and with odd names; what people
 * write by hand; and the ways in. What is refused is the matter of test_graph_errors.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compare.h"
#include "dualpc_io.h"
#include "graphs.h"
#include "table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

/* "a b c | a>b b-c": the nodes in their order, then the edges in theirs. */
static void describe(const dpc_named_graph *g, char text[512])
{
    size_t used = 0;
    for (int v = 0; v < g->graph.n_nodes; v++)
        used += (size_t)snprintf(text + used, 512 - used, "%s ", g->names[v]);
    used += (size_t)snprintf(text + used, 512 - used, "|");
    for (int64_t e = 0; e < g->graph.n_edges; e++) {
        const dpc_edge *edge = &g->graph.edges[e];
        used += (size_t)snprintf(text + used, 512 - used, " %s%c%s", g->names[edge->a],
                                 edge->mark == DPC_UNDIRECTED ? '-'
                                 : edge->mark == DPC_FORWARD  ? '>'
                                                              : '<',
                                 g->names[edge->b]);
    }
}

/* ---- What is written comes back ---- */

static char *const ODD_NAMES[] = {
    "plain",
    "with blank",
    "comma,here",
    "semi;colon",
    "say \"so\"",
    "\"",
    "back\\slash",
    "\\",
    "größe",
    "変数",
    "\xf0\x9f\x8c\xb3",
    "tab\there",
    "-",
    "->",
    "a->b",
    "-->x",
    "x-->",
    "#hash",
    "1",
    "0",
    "1.5",
    "node",
    "edge",
    "graph",
    "digraph",
    "subgraph",
    "strict",
    "{",
    "[a=b]",
    "//no comment",
    "/*",
    "a:b",
    "<b>",
    "e\\\"nd",
    "NA",
    "'quote'",
    "it's",
    "a\\nb",
    "--",
    "a+b",
    "x=y",
    "null",
};
enum { N_ODD = sizeof ODD_NAMES / sizeof *ODD_NAMES };

/* Has every node an edge? */
static bool all_joined(const dpc_graph *graph)
{
    bool joined[N_ODD] = {false}, all = true;
    for (int64_t e = 0; e < graph->n_edges; e++)
        joined[graph->edges[e].a] = joined[graph->edges[e].b] = true;
    for (int v = 0; v < graph->n_nodes; v++)
        all = all && joined[v];
    return all;
}

/* The same nodes and edges; those of an edge list are in another order. */
static void must_be_same(const dpc_named_graph *read, const dpc_graph *graph, char *const *names,
                         bool ordered)
{
    assert_int_equal(read->graph.n_edges, graph->n_edges);
    assert_int_equal(read->graph.n_nodes, graph->n_nodes);
    for (int v = 0; v < graph->n_nodes; v++)
        assert_true(place_of(read, names[v]) >= 0);
    if (ordered) {
        for (int v = 0; v < graph->n_nodes; v++)
            assert_string_equal(read->names[v], names[v]);
        for (int64_t e = 0; e < graph->n_edges; e++) {
            assert_int_equal(read->graph.edges[e].a, graph->edges[e].a);
            assert_int_equal(read->graph.edges[e].b, graph->edges[e].b);
            assert_int_equal(read->graph.edges[e].mark, graph->edges[e].mark);
        }
    }
    for (int64_t e = 0; e < graph->n_edges; e++) {
        const dpc_edge *edge = &graph->edges[e];
        int a = place_of(read, names[edge->a]), b = place_of(read, names[edge->b]);
        assert_true(a >= 0 && b >= 0);
        assert_int_equal(dpc_graph_mark(&read->graph, a, b), edge->mark);
    }
}

static void test_round_trip(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(21);
    char paths[N_FORMATS][256];
    for (int round = 0; round < 150; round++) {
        char *names[N_ODD];
        dpc_graph graph;
        int n = draw_int(rng, 1, round % 10 == 0 ? N_ODD : 8), first = draw_int(rng, 0, N_ODD - 1);
        for (int v = 0; v < n; v++)
            names[v] = ODD_NAMES[(first + v) % N_ODD];
        draw_graph(rng, n, draw_int(rng, 0, 100), &graph);
        write_all(&graph, names, paths);
        for (int f = 0; f < N_FORMATS; f++) {
            dpc_named_graph *read = NULL;
            dpc_error err;
            if (dpc_graph_read(paths[f], &read, &err) != DPC_OK)
                fail_msg("%s", err.message);
            assert_int_equal(read->all_nodes, f != TXT || !all_joined(&graph));
            must_be_same(read, &graph, names, f != TXT);
            dpc_named_graph_free(read);
            unlink(paths[f]);
        }
        dpc_graph_clear(&graph);
    }
    gsl_rng_free(rng);
}

/* Names that are in quotes in an edge list, for the line could be read in another way. */
static void test_names_in_quotes(void **state)
{
    (void)state;
    static char *const NAMES[][2] = {
        {" a", "b\t"},         {"a --> b", "c"},   {"--- x", "y <--"}, {"\"", "\"a\" b"},
        {"two\nlines", "x"},   {"# comment", "#"}, {"## a", "#b"},     {"1. x", "2."},
        {"Graph Nodes:", "x"}, {"from,to", "x"},   {"a\r", "b"},       {"\"a\" --> \"b\"", "-->"},
    };
    dpc_edge edge = {0, 1, DPC_FORWARD};
    dpc_graph graph = {2, 1, &edge};
    char paths[N_FORMATS][256];
    for (size_t i = 0; i < 2 * (sizeof NAMES / sizeof *NAMES); i++) {
        char *const *pair = NAMES[i / 2], *names[] = {pair[i % 2], pair[1 - i % 2]};
        write_all(&graph, names, paths);
        for (int f = TXT; f < N_FORMATS; f++) {
            dpc_named_graph *read = NULL;
            dpc_error err;
            if (dpc_graph_read(paths[f], &read, &err) != DPC_OK)
                fail_msg("%s", err.message);
            must_be_same(read, &graph, names, f != TXT);
            dpc_named_graph_free(read);
            unlink(paths[f]);
        }
    }
}

/* ---- By hand ---- */

static void test_by_hand(void **state)
{
    (void)state;
    static const struct {
        const char *extension, *text, *expected;
    } cases[] = {
        {"txt", "", "|"},
        {"txt", "\n \n# a comment\n\t# another --> one\n## and --> one\n#\n", "|"},
        {"txt", "A --> B\nA --- C\nC <-- B", "A B C | A>B A-C B>C"},
        {"TXT", "\xef\xbb\xbf  A\t--> \t B b  \r\n\r\nC <-- A\r", "A B b C | A>B b A>C"},
        {"txt", "#A --> B\n", "#A B | #A>B"},
        {"txt", "--> --> -->\n", NULL},
        {"txt", "x-- --- --y\n", "x-- --y | x-----y"},
        {"txt", "A -> B\nC <- B\nA -- C\n", "A B C | A>B A-C B>C"},
        {"txt", "A -- B --> C\n", "A -- B C | A -- B>C"},
        {"txt", "\"a --> b\" --> \" c\" \n\"x\"\"\ny\" --- z\n",
         "a --> b  c x\"\ny z | a --> b> c x\"\ny-z"},
        {"txt", "\"a\"b --> c\n", "\"a\"b c | \"a\"b>c"},
        {"txt", "1. A --> B\n2. C --- B dd nl\n", "A B C | A>B B-C"},
        {"txt", "1. A --> B\n3. C --- B\n", "1. A B 3. C | 1. A>B B-3. C"},
        {"csv", "A,B,C\n0,1,1\n0,0,0\n1,0,0\n", "A B C | A>B A-C"},
        {"csv", "A\n0\n", "A |"},
        {"csv", "\n\n\"A\",\"B \"\"x\"\"\"\r\n0,0\r\n1,0\r\n\r\n", "A B \"x\" | A<B \"x\""},
        {"csv",
         "\xef\xbb\xbf"
         "A\tB\n0\t1\n1\t0\n",
         "A B | A-B"},
        {"csv", "A;B\n0;1\n0;0", "A B | A>B"},
        {"csv", "A B\n0 1\n0 0", "A B | A>B"},
        {"csv", "\"\",\"A\",\"B\"\n\"A\",0,1\n\"B\",0,0\n", "A B | A>B"},
        {"csv", ",A,B\nA,0,1\nB,0,0\n", "A B | A>B"},
        {"csv", "A,B\nA,0,1\nB,0,0\n", "A B | A>B"},
        {"csv", "node,A,B\nA,0,1\nB,0,0\n", "A B | A>B"},
        {"csv", "A,B\n0.0,1.0\n0.00,0.\n", "A B | A>B"},
        {"csv", "1,0\n0,1\n0,0\n", "1 0 | 1>0"}, /* names that look like entries */
        {"dot", "digraph{}", "|"},
        {"dot", "digraph { a -> b; b -> c [dir=none] }", "a b c | a>b b-c"},
        {"dot", "graph g { a -- b -- c; d }", "a b c d | a-b b-c"},
        {"dot", "strict digraph \"my graph\" {\n// c\n# c\n/* c\n */ a->b->c d e->a\n}\n",
         "a b c d e | a>b a<e b>c"},
        {"dot", "DIGRAPH { b -> a [color = red, dir = both; penwidth=2.5][label=\"x [y] -> z\"] }",
         "b a | b-a"},
        {"dot",
         "digraph { rankdir=LR; graph [size=\"1,1\"] node [shape=box]; edge [dir=none]\n"
         "a -> b; edge [dir=forward]; a -> c; a -> d [dir=back] }",
         "a b c d | a-b a>c a<d"},
        {"dot",
         "digraph { a -> b [dir=both, arrowtail=none, arrowhead=normal];"
         "c -> b [dir=both, arrowtail=none, arrowhead=none]; a -> c [arrowhead=none] }",
         "a b c | a>b a-c b-c"},
        {"dot", "graph { b; a; a -- b [dir=forward] }", "b a | b<a"},
        {"dot", "digraph { \"a\\\"b\" -> \"c\\\\\"; \"d\\\ne\"; \"f\\n\" -> _x1 }",
         "a\"b c\\ de f\\n _x1 | a\"b>c\\ f\\n>_x1"},
        {"dot", "digraph { 1 -> -2.5; .5 -> 1. }", "1 -2.5 .5 1. | 1>-2.5 .5>1."},
        {"dot", "digraph { \"node\" -> \"edge\"; größe }", "node edge größe | node>edge"},
        {"json", "{\"nodes\": [], \"edges\": []}", "|"},
        {"json",
         " {\"edges\":[{\"to\":\"b\",\"from\":\"a\",\"mark\":\"-->\",\"w\":[1,{}]}],"
         "\"other\":{\"nodes\":[null,true,false,-1.5e+3,\"}]\\\"\"]},"
         "\"nodes\":[\"c\",\"b\",\"a\"]}\r\n",
         "c b a | b<a"},
        {"json",
         "{\"nodes\":[\"\\u00e9\",\"\\ud83c\\udf33\",\"\\\"\\\\\\/\\t\",\"x\"],\"edges\":["
         "{\"from\":\"é\",\"to\":\"x\",\"mark\":\"---\"},"
         "{\"from\":\"é\",\"to\":\"\xf0\x9f\x8c\xb3\",\"mark\":\"\\u003c--\"}]}",
         "é \xf0\x9f\x8c\xb3 \"\\/\t x | é<\xf0\x9f\x8c\xb3 é-x"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dpc_named_graph *read = NULL;
        dpc_error err = {0};
        char seen[512];
        dpc_status status =
            read_bytes(cases[i].extension, cases[i].text, strlen(cases[i].text), &read, &err);
        if (cases[i].expected == NULL) {
            assert_int_equal(status, DPC_BAD_INPUT);
            continue;
        }
        if (status != DPC_OK)
            fail_msg("case %zu: %s", i, err.message);
        describe(read, seen);
        assert_string_equal(seen, cases[i].expected);
        dpc_named_graph_free(read);
    }
}

/* ---- The way in ---- */

static void test_paths(void **state)
{
    (void)state;
    static const char text[] = "A,B\n0,1\n0,0\n";
    char path[256];
    dpc_named_graph *read = NULL;
    dpc_error err;
    snprintf(path, sizeof path, "%s/packed.csv.gz", folder);
    gzFile packed = gzopen(path, "wb");
    assert_int_equal(gzwrite(packed, text, sizeof text - 1), sizeof text - 1);
    gzclose(packed);
    assert_int_equal(dpc_graph_read(path, &read, &err), DPC_OK);
    assert_int_equal(read->graph.n_edges, 1);
    dpc_named_graph_free(read);
    read = NULL;
    unlink(path);

    assert_int_equal(dpc_graph_read(path, &read, &err), DPC_BAD_INPUT);
    assert_non_null(strstr(err.message, "no such file"));
    snprintf(path, sizeof path, "%s/graph.xyz", folder);
    assert_int_equal(dpc_graph_read(path, &read, &err), DPC_USAGE);
    assert_non_null(strstr(err.message, "there are txt, csv, dot, json, tsv"));
    for (int f = CSV; f < N_FORMATS; f++) {
        assert_int_equal(read_bytes(EXTENSIONS[f], "", 0, &read, &err), DPC_BAD_INPUT);
        assert_non_null(strstr(err.message, "is empty"));
    }
    for (int f = TXT; f < N_FORMATS; f++) {
        assert_int_equal(read_bytes(EXTENSIONS[f],
                                    "\xff\xfe"
                                    "a\0",
                                    4, &read, &err),
                         DPC_BAD_INPUT);
        assert_non_null(strstr(err.message, "UTF-16"));
        assert_int_equal(read_bytes(EXTENSIONS[f], "a\nb\0c", 5, &read, &err), DPC_BAD_INPUT);
        assert_non_null(strstr(err.message, "line 2: there is a NUL byte"));
    }
    assert_null(read);
}

/* A named pipe without an extension is an edge list. */
static void test_pipe(void **state)
{
    (void)state;
    char path[256];
    dpc_named_graph *read = NULL;
    snprintf(path, sizeof path, "%s/pipe", folder);
    assert_int_equal(mkfifo(path, 0600), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        FILE *file = fopen(path, "w");
        fputs("A --> B\n", file);
        fclose(file);
        _exit(0);
    }
    assert_int_equal(dpc_graph_read(path, &read, NULL), DPC_OK);
    assert_int_equal(read->graph.n_edges, 1);
    assert_false(read->all_nodes);
    dpc_named_graph_free(read);
    unlink(path);
}

static void test_large(void **state)
{
    (void)state;
    enum { N = 1500 };
    gsl_rng *rng = seeded(22);
    char *names[N], paths[N_FORMATS][256];
    dpc_graph graph;
    for (int v = 0; v < N; v++) {
        names[v] = malloc(32);
        snprintf(names[v], 32, "gene %d", v);
    }
    draw_graph(rng, N, 5, &graph);
    write_all(&graph, names, paths);
    for (int f = 0; f < N_FORMATS; f++) {
        dpc_named_graph *read = NULL;
        assert_int_equal(dpc_graph_read(paths[f], &read, NULL), DPC_OK);
        assert_int_equal(read->graph.n_edges, graph.n_edges);
        dpc_named_graph truth = {.graph = graph, .names = names, .all_nodes = true};
        dpc_metrics m;
        assert_int_equal(dpc_compare_named(read, &truth, DPC_CPDAG, &m, NULL), DPC_OK);
        assert_true(m.shd == 0 && m.p == graph.n_edges && m.p > 40000);
        dpc_named_graph_free(read);
        unlink(paths[f]);
    }
    for (int v = 0; v < N; v++)
        free(names[v]);
    dpc_graph_clear(&graph);
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_names_in_quotes),
        cmocka_unit_test(test_by_hand),    cmocka_unit_test(test_paths),
        cmocka_unit_test(test_pipe),       cmocka_unit_test(test_large),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
