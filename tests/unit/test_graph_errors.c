/*
 * Reading graphs that are none: every error names its line, and there are no bytes at all that the
 * readers could not take.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "graphs.h"
#include "json_scan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct malformed {
    const char *extension, *text, *message;
} malformed;

static void expect_refused(const malformed *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        dpc_named_graph *read;
        dpc_error err = {0};
        dpc_status status =
            read_bytes(cases[i].extension, cases[i].text, strlen(cases[i].text), &read, &err);
        if (status != DPC_BAD_INPUT || strstr(err.message, cases[i].message) == NULL)
            fail_msg("%s %s\nwanted: %s\nsaw: %s", cases[i].extension, cases[i].text,
                     cases[i].message, err.message);
        assert_int_equal(strncmp(err.message, folder, strlen(folder)), 0);
        assert_null(read);
    }
}

static void test_malformed(void **state)
{
    (void)state;
    static const malformed cases[] = {
        {"txt", "A --> B\nA B\n", "line 2: 'A B' is no edge"},
        {"txt", "A --> B\nA o-> C --> D\n", "line 2: 'A o-> C --> D' has more than one arrow"},
        {"txt", "A-->B\n", "line 1: 'A-->B' is no edge"},
        {"txt", "A --> B --> C\n", "line 1: 'A --> B --> C' has more than one arrow"},
        {"txt", "a --- b\n\nb --> a\n", "line 3: 'a' and 'b' are joined twice, first on line 1"},
        {"txt", "a --- b\r\na --- b\r\n", "line 2: 'a' and 'b' are joined twice, first on line 1"},
        {"txt", "# c\na --- a\n", "line 2: an edge joins 'a' with itself"},
        {"txt", " --> b\n", "line 1: the name of a node is empty"},
        {"txt", "a --> \n", "line 1: the name of a node is empty"},
        {"txt", "A,B\n0,1\n0,0\n", "line 1: 'A,B' is no edge"},
        {"csv", "A,B\n0,2\n0,0\n", "line 2: '2' in column 'B' is neither 0 nor 1"},
        {"csv", "A,B\n0,1\n,0\n", "line 3: '' in column 'A' is neither 0 nor 1"},
        {"csv", "A,B\n0,1\n-1,0\n", "line 3: '-1' in column 'A' is neither"},
        {"csv", "A,B\n0,0.5\n0,0\n", "line 2: '0.5' in column 'B' is neither"},
        {"csv", "A,B\n0,1\n0,1\n", "line 3: column 'B' has a 1 on the diagonal"},
        {"csv", "A,B\n0,1\n", "line 3: the matrix ends after 1 row, but has 2 names"},
        {"csv", "A,B\n", "line 2: the matrix ends after 0 rows"},
        {"csv", "A,B\n0,1\n0,0\n0,0\n", "line 4: the matrix has more rows than names, which are 2"},
        {"csv", "A,B\n0,1\n0\n", "line 3: the row has 1 fields, but 2 are needed"},
        {"csv", "A,B\n0,1\n0,0,0\n", "line 3: the row has 3 fields, but 2 are needed"},
        {"csv", "A,B\n0,1\n\n0,0\n", "line 3: the line is blank"},
        {"csv", "A,A\n0,1\n0,0\n", "line 1: the header has the name 'A' twice"},
        {"csv", "A,\n0,1\n0,0\n", "line 1: the name of a node is empty"},
        {"csv", "A,B\nA,0,1\nC,0,0\n", "line 3: the row is called 'C', but column 2 is 'B'"},
        {"csv", "A,\"B\n0,1\n0,0\n", "line 1: a quote opens here"},
        {"csv", "A,B\n0,1\n0,\"0\n", "line 3: a quote opens here"},
        {"csv", "\n\n", "line 3: "},
        {"dot", "digraph {\na -> b\n", "line 3: the file ends where a node, an edge or } must be"},
        {"dot", "a -> b", "line 1: 'a' where graph or digraph must be"},
        {"dot", "digraph a b {}", "line 1: 'b' where { must be"},
        {"dot", "digraph {\n\"a -> b }", "line 2: a quote opens here that is never closed"},
        {"dot", "digraph {\n/* }", "line 2: a comment opens here that is never closed"},
        {"dot", "digraph {\n subgraph c { a } }", "line 2: subgraphs cannot be read"},
        {"dot", "digraph {\n a -> {b c} }", "line 2: subgraphs cannot be read"},
        {"dot", "digraph {\n {a} }", "line 2: subgraphs cannot be read"},
        {"dot", "digraph { a:n -> b }", "line 1: ports (a:b) cannot be read"},
        {"dot", "digraph { <b>a</b> }", "line 1: HTML names"},
        {"dot", "digraph { \"a\" + \"b\" }", "line 1: strings joined by +"},
        {"dot", "digraph { a.b -> c }", "line 1: '.' is not understood here"},
        {"dot", "digraph { 1a -> b }", "line 1: a name that begins with a digit needs quotes"},
        {"dot", "digraph { a -> }", "line 1: '}' where the name of a node must be"},
        {"dot", "digraph { a -> b -- c }", "line 1: '--' where the same sign as before"},
        {"dot", "digraph { a -> b [dir=up] }", "line 1: 'up' where dir = forward"},
        {"dot", "digraph { a -> b [dir=] }", "line 1: ']' where the value of an attribute must be"},
        {"dot", "digraph { a -> b [= }", "line 1: '=' where an attribute or ] must be"},
        {"dot", "digraph { node -> b }", "line 1: '->' where [ after node, edge or graph must be"},
        {"dot", "digraph { a -> a }", "line 1: an edge joins 'a' with itself"},
        {"dot", "digraph { a -> b;\n b -> a }", "line 2: 'a' and 'b' are joined twice"},
        {"dot", "digraph { \"\" }", "line 1: the name of a node is empty"},
        {"dot", "digraph { a }\ndigraph { b }", "line 2: 'digraph' where the end of the file"},
        {"json", "{\"nodes\": [\"a\"],\n\"edges\": [}", "line 2: something that is no value"},
        {"json", "[]", "line 1: there is no object"},
        {"json", "{\"edges\": []}", "line 1: the object has no \"nodes\""},
        {"json", "{\"nodes\": []}", "line 1: the object has no \"edges\""},
        {"json", "{\"nodes\": {}, \"edges\": []}", "line 1: \"nodes\" is not a list"},
        {"json", "{\"nodes\": [], \"edges\": [],\n\"nodes\": []}",
         "line 2: \"nodes\" is there twice"},
        {"json", "{\"nodes\": [1], \"edges\": []}", "line 1: the name of a node is not a string"},
        {"json", "{\"nodes\": [\"\"], \"edges\": []}", "line 1: the name of a node is empty"},
        {"json", "{\"nodes\": [\"a\",\n\"\\u0061\"], \"edges\": []}",
         "line 2: the node 'a' is there twice"},
        {"json", "{\"nodes\": [\"a\\u0000b\"], \"edges\": []}",
         "line 1: the name of a node has a NUL"},
        {"json", "{\"nodes\": [\"a\"], \"edges\": [3]}", "line 1: an edge is not an object"},
        {"json", "{\"nodes\": [\"a\"], \"edges\": [\n{\"from\": \"a\", \"to\": \"b\"}]}",
         "line 2: the object has no \"mark\""},
        {"json",
         "{\"nodes\": [\"a\"], \"edges\": [\n{\"from\": \"a\", \"to\": \"b\", \"mark\": "
         "\"-->\"}]}",
         "line 2: 'b' is not among the nodes"},
        {"json",
         "{\"nodes\": [\"a\", \"b\"], \"edges\": [\n{\"from\": \"a\", \"to\": \"b\", "
         "\"mark\": \"o->>\"}]}",
         "line 2: the mark of an edge"},
        {"json",
         "{\"nodes\": [\"a\", \"b\"], \"edges\": [\n{\"from\": \"a\", \"to\": \"a\", "
         "\"mark\": \"-->\"}]}",
         "line 2: an edge joins 'a' with itself"},
    };
    expect_refused(cases, sizeof cases / sizeof *cases);
}

static void test_malformed_gml(void **state)
{
    (void)state;
    static const malformed cases[] = {
        {"gml", "graph [\nnode [ id 1 label \"a ]", "line 2: a quote opens here"},
        {"gml", "graph [\nnode [ id 1 label \"&#xD800;\" ] ]", "line 2: a character by number"},
        {"gml", "graph [\n[ ] ]", "line 2: there is no key where one must be"},
        {"gml", "graph [ directed\n]", "line 2: there is no value where one must be"},
        {"gml", "a 1\ngraph [ node [ id 1 ]", "line 2: this list is never closed"},
        {"gml", "graph [\nother [ node [ id 1 ] ", "line 2: this list is never closed"},
        {"gml", "graph [\nother [ a \"b ] ]", "line 2: a quote opens here"},
        {"gml", "graph [\nnode [ name \"a\" ] ]", "line 2: the node has no id"},
        {"gml", "graph [\nedge [ source 1 ] ]", "line 2: the edge has no source, or no target"},
        {"gml", "graph [ node [ id 1 ] node [ id 2 ]\nedge [ source 1 target 2 mark \"up\" ] ]",
         "line 2: 'up' does not say how the two nodes are joined"},
        {"gml", "graph [ ]\ngraph [ ]", "line 2: there is a second graph"},
        {"gml", "graph [ ]\n]", "line 2: a ] that closes nothing"},
        {"gml", "other [ ]", "line 1: there is no graph"},
    };
    expect_refused(cases, sizeof cases / sizeof *cases);
}

static void test_malformed_graphml(void **state)
{
    (void)state;
#define TWO "<graphml><key id='m' attr.name='mark'/><graph><node id='a'/><node id='b'/>\n"
    static const malformed cases[] = {
        {"graphml", "<graphml>\n<graph><node/></graph>", "line 2: the <node> has no id"},
        {"graphml", "<graphml>\n<key attr.name='mark'/>", "line 2: the <key> has no id"},
        {"graphml", "<graph></graph>\n<graph>", "line 2: there is a second graph"},
        {"graphml", TWO "<edge source='a'/></graph>", "line 2: the <edge> has no target"},
        {"graphml", TWO "<hyperedge/></graph>", "line 2: edges of more than two nodes"},
        {"graphml", TWO "<edge source='a' target='b'><data key='m'>up</data></edge></graph>",
         "line 2: 'up' does not say how the two nodes are joined"},
        {"graphml", TWO "<node id='&#0;'/>", "line 2: a character by number that there is not"},
        {"graphml", "<graph>\n<node id='a'", "line 2: what begins here is never closed"},
        {"graphml", "<graph>\n<!-- a", "line 2: what begins here is never closed"},
        {"graphml", "<graph>\n<![CDATA[ a ]]", "line 2: what begins here is never closed"},
        {"graphml", "<!DOCTYPE graphml [\n<graph></graph>", "line 1: what begins here"},
        {"graphml", "<a>\n</a>", "line 1: there is no <graph> in it"},
        {"graphml", "<graph>\n<node id='a'/>", "line 2: the file ends before the graph does"},
    };
#undef TWO
    expect_refused(cases, sizeof cases / sizeof *cases);
}

static void test_malformed_words(void **state)
{
    (void)state;
    static const malformed cases[] = {
        {"tetrad", "Graph Nodes:\na;b;a\n", "line 2: the node 'a' is there twice"},
        {"tetrad", "Graph Edges:\n1. a b\n", "line 2: '1. a b' is no edge"},
        {"tetrad", "Graph Edges:\n1. a <=> b\n", "line 2: '1. a <=> b' is no edge"},
        {"tetrad", "Graph Edges:\n1. a --> \n", "line 2: the name of a node is empty"},
        {"tetrad", "Graph Nodes:\na,b\nGraph Edges:\n1. a --> c\n",
         "line 4: 'c' is not among the nodes"},
        {"tetrad", "Graph Nodes:\na,b\n1. a --> b\n", "line 3: there is no \"Graph Edges:\""},
        {"sif", "a --> b\na ab c\n", "line 2: 'ab' does not say how the two nodes are joined"},
        {"sif", "a --> b\na -->\n", "line 2: there is no node behind the relation"},
        {"bnlearn", "[a]\n[b|a", "line 2: this [ is never closed"},
        {"bnlearn", "[a]\nb", "line 2: a model string is like"},
        {"bnlearn", "[a]\n[a]", "line 2: the node 'a' is there twice"},
        {"bnlearn", "[a]\n[b|a:]", "line 2: the name of a node is empty"},
        {"bnlearn", "[a]\n[b|c]", "line 2: the parent 'c' has no [c] of its own"},
        {"arcs", "a,b\n", "line 1: the header does not have the columns from and to"},
        {"arcs", "from,to,strength,direction\n", "line 1: this table tells how often"},
        {"arcs", "from,to\na\n", "line 2: the row has 1 fields, but the header 2"},
        {"arcs", "from,to\na,\"b\n", "line 2: a quote opens here"},
        {"arcs", "from,to,mark\na,b,o=o\n", "line 2: 'o=o' does not say how the two"},
        {"arcs", "from,to,directed\na,b,perhaps\n", "line 2: 'perhaps' does not say"},
    };
    expect_refused(cases, sizeof cases / sizeof *cases);
}

/* What the formats allow beyond what is written here: it is passed over, or taken as meant. */
static void test_tolerated(void **state)
{
    (void)state;
    static const struct {
        const char *extension, *text;
        dpc_mark mark;
    } cases[] = {
        {"gml",
         "# by hand\nversion 2 other [ a \"]\" b [ ] ]\ngraph [ directed 1 look [ x 1 ]\n"
         "node [ id 1 look [ x 1 ] label \"a\" ] node [ id 2 label \"b\" ]\n"
         "edge [ source 1 target 2 look [ x 1 ] ] ]",
         DPC_FORWARD},
        {"graphml",
         "<!DOCTYPE g [ <!ENTITY x 'y'> ]><g:graphml><look><look/><x></x></look>"
         "<key id='n' attr.name='name'/><key id='c' attr.name='colour'/><graph>"
         "<node id='1'><data key='n'><![CDATA[a]]></data><data key='c'>red</data></node>"
         "<node id='2'><data key='n'>&#x62;</data></node>"
         "<edge source='1' target='2' directed='false'/></graph></g:graphml>",
         DPC_UNDIRECTED},
        {"tetrad", "Graph Nodes:\na;b  \n\nGraph Edges:\n1. a --> b nl  \n\nGraph Attributes: \n",
         DPC_FORWARD},
        {"tetrad", "Graph Edges:\n1. a --> b pl [a --> b]:0.9;\n", DPC_FORWARD},
        {"arcs", "from,to,directed\na,b,FALSE\n", DPC_UNDIRECTED},
        {"arcs", "from,to,directed\na,b,1\n", DPC_FORWARD},
        {"arcs", "from,to,mark\na,b,---\n", DPC_UNDIRECTED},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dpc_named_graph *read;
        dpc_error err = {0};
        if (read_bytes(cases[i].extension, cases[i].text, strlen(cases[i].text), &read, &err) !=
            DPC_OK)
            fail_msg("%s\n%s", cases[i].text, err.message);
        assert_int_equal(read->graph.n_nodes, 2);
        assert_int_equal(read->graph.n_edges, 1);
        assert_string_equal(read->names[read->graph.edges[0].a], "a");
        assert_string_equal(read->names[read->graph.edges[0].b], "b");
        assert_int_equal(read->graph.edges[0].mark, cases[i].mark);
        dpc_named_graph_free(read);
    }
}

static void test_json_syntax(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "",
        " ",
        "{",
        "[",
        "]",
        "[1,]",
        "{\"a\":1,}",
        "{a:1}",
        "01",
        "1.",
        ".5",
        "-",
        "1e",
        "+1",
        "nul",
        "tru",
        "\"\\x\"",
        "\"",
        "\"\\u12\"",
        "\"\n\"",
        "\"\\ud800\"",
        "\"\\ud800\\u0041\"",
        "\"\\udc00\"",
        "\"\xff\"",
        "1 2",
        "[1 2]",
        "{\"a\" 1}",
        "{\"a\":}",
        "\"\\",
        "{\"a\":1 \"b\":2}",
        "[}",
        "{]",
        "\"\xc3\"",
        "NaN",
        "\x01",
    };
    static const char *const right[] = {
        "0",
        "-0",
        "1e5",
        "1.25E-3",
        "\"\"",
        "[]",
        "{}",
        " [ 1 , 2 ] ",
        "true",
        "false",
        "null",
        "{\"a\":{\"b\":[{}]}}",
        "\"\\ud83c\\udf33\"",
        "\"\\u0000\"",
        "\"\x7f\"",
    };
    const char *at;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        if (dpc_json_check(wrong[i], &at) == NULL)
            fail_msg("taken as JSON: %s", wrong[i]);
        assert_true(at >= wrong[i] && at <= wrong[i] + strlen(wrong[i]));
    }
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        const char *fault = dpc_json_check(right[i], &at);
        if (fault != NULL)
            fail_msg("%s: %s", right[i], fault);
        const char *p = dpc_json_space(right[i]);
        assert_true(*dpc_json_space(dpc_json_skip(p)) == '\0');
    }
    /* as deep as is allowed, and one more */
    for (int deep = 0; deep < 2; deep++) {
        char text[2 * DPC_JSON_DEPTH + 4];
        int depth = DPC_JSON_DEPTH + deep;
        memset(text, '[', (size_t)depth);
        memset(text + depth, ']', (size_t)depth);
        text[2 * depth] = '\0';
        assert_true((dpc_json_check(text, &at) != NULL) == (deep == 1));
    }
}

/* ---- Any bytes ---- */

/* What was read is a graph, whatever the bytes were. */
static void must_be_a_graph(const dpc_named_graph *g)
{
    for (int v = 0; v < g->graph.n_nodes; v++)
        assert_true(place_of(g, g->names[v]) == v && g->names[v][0] != '\0');
    for (int64_t e = 0; e < g->graph.n_edges; e++) {
        const dpc_edge *edge = &g->graph.edges[e];
        assert_true(edge->a >= 0 && edge->a < edge->b && edge->b < g->graph.n_nodes);
        assert_true((unsigned)edge->mark < 16 && dpc_end_a(edge->mark) != DPC_END_NONE &&
                    dpc_end_b(edge->mark) != DPC_END_NONE);
        assert_true(e == 0 || edge[-1].a < edge->a ||
                    (edge[-1].a == edge->a && edge[-1].b < edge->b));
    }
}

static void try_bytes(int format, const char *bytes, size_t size, int counts[2])
{
    dpc_named_graph *read;
    dpc_error err = {0};
    dpc_status status = read_bytes(EXTENSIONS[format], bytes, size, &read, &err);
    assert_true(status == DPC_OK || status == DPC_BAD_INPUT);
    counts[status == DPC_OK]++;
    if (status == DPC_OK)
        must_be_a_graph(read);
    else
        assert_true(err.message[0] != '\0' && read == NULL);
    dpc_named_graph_free(read);
}

static void mutate(gsl_rng *rng, char *bytes, size_t *size)
{
    static const char signs[] = "\"\\{}[]<>-;:,=#/*\n\r\t 01\x80\xff\0ue";
    for (int times = draw_int(rng, 1, 4); times > 0 && *size > 1; times--) {
        size_t at = (size_t)draw_int(rng, 0, (int)*size - 1);
        switch (draw_int(rng, 0, 2)) {
        case 0:
            bytes[at] = signs[draw_int(rng, 0, (int)sizeof signs - 2)];
            break;
        case 1:
            memmove(bytes + at, bytes + at + 1, *size - at - 1);
            --*size;
            break;
        default: /* the caller left room */
            memmove(bytes + at + 1, bytes + at, *size - at);
            bytes[at] = signs[draw_int(rng, 0, (int)sizeof signs - 2)];
            ++*size;
        }
    }
}

static void test_any_bytes(void **state)
{
    (void)state;
    static const char hand_written[] =
        "strict digraph g { // c\n edge [dir=both, arrowhead=none]; a -> \"b \\\"c\" -> .5 "
        "[label=x]\n/* c */ rank=1; d }\n";
    gsl_rng *rng = seeded(23);
    char *names[] = {"a", "b c", "\"q\"", "d\\", "é"}, paths[N_FORMATS][256], bytes[4096];
    dpc_graph graph;
    draw_graph(rng, 5, 60, &graph);
    write_all(&graph, names, paths);
    for (int f = 0; f < N_FORMATS + 1; f++) {
        char original[4000];
        int counts[2] = {0};
        size_t size = sizeof hand_written - 1;
        memcpy(original, hand_written, size);
        if (f < N_FORMATS) {
            FILE *file = fopen(paths[f], "rb");
            size = fread(original, 1, sizeof original, file);
            fclose(file);
            unlink(paths[f]);
            assert_true(size > 10 && size < sizeof original);
        }
        int format = f < N_FORMATS ? f : DOT;
        for (size_t cut = 0; cut <= size; cut++)
            try_bytes(format, original, cut, counts);
        for (int round = 0; round < 1500; round++) {
            size_t length = size;
            memcpy(bytes, original, size);
            mutate(rng, bytes, &length);
            try_bytes(format, bytes, length, counts);
        }
        assert_true(counts[0] > 50 && counts[1] > 5);
    }
    dpc_graph_clear(&graph);
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_malformed),         cmocka_unit_test(test_malformed_gml),
        cmocka_unit_test(test_malformed_graphml), cmocka_unit_test(test_malformed_words),
        cmocka_unit_test(test_tolerated),         cmocka_unit_test(test_json_syntax),
        cmocka_unit_test(test_any_bytes),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
