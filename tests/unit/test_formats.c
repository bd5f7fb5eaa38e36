/*
 * Everybody's formats: random graphs with hostile names come back from each of them, or are refused
 * for a reason that is true; files as other programs write them; what is refused, and where.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "dualpc_io.h"
#include "graph.h"
#include "graphs.h"
#include "repeat.h"
#include "write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All that can be written and read back. */
static const dpc_format FORMATS[] = {
    DPC_FORMAT_EDGES,   DPC_FORMAT_ADJACENCY,   DPC_FORMAT_DOT,       DPC_FORMAT_JSON,
    DPC_FORMAT_TSV,     DPC_FORMAT_GRAPHML,     DPC_FORMAT_GML,       DPC_FORMAT_SIF,
    DPC_FORMAT_TETRAD,  DPC_FORMAT_TETRAD_JSON, DPC_FORMAT_BNLEARN,   DPC_FORMAT_ARCS,
    DPC_FORMAT_PCALG,   DPC_FORMAT_CAUSALLEARN, DPC_FORMAT_NODE_LINK, DPC_FORMAT_PAG,
    DPC_FORMAT_DAGITTY,
};
enum { N_ALL = sizeof FORMATS / sizeof *FORMATS };

/* Does a file in this format say that it lists its nodes? An edge list does where one has no edge.
 */
static bool lists_nodes(dpc_format format, const dpc_graph *graph)
{
    bool joined[64] = {false}, all = true;
    for (int64_t e = 0; e < graph->n_edges; e++)
        joined[graph->edges[e].a] = joined[graph->edges[e].b] = true;
    for (int v = 0; v < graph->n_nodes; v++)
        all = all && joined[v];
    return format != DPC_FORMAT_ARCS && (format != DPC_FORMAT_EDGES || !all);
}

static bool holds_pags(dpc_format format)
{
    return format != DPC_FORMAT_ADJACENCY && format != DPC_FORMAT_TSV && format != DPC_FORMAT_SIF &&
           format != DPC_FORMAT_BNLEARN && format != DPC_FORMAT_ARCS && format != DPC_FORMAT_PCALG;
}

/* ---- Names ---- */

/* Pieces that mean something in one format or another. */
static const char *const PIECES[] = {
    "a",       "B",
    "0",       "1",
    "17",      ".",
    ",",       ";",
    "\"",      "'",
    "\\",      " ",
    "\t",      "\n",
    "\r",      "-->",
    "---",     "->",
    "--",      "<-",
    "<->",     "o->",
    "o-o",     "@->",
    "[",       "]",
    "{",       "}",
    "|",       ":",
    "#",       "<",
    ">",       "&",
    "&amp;",   "&#65;",
    "</data>", "<!--",
    "]]>",     "=",
    "/",       "%",
    "Ω",       "遺伝子",
    "é",       "\xf0\x9f\x8c\xb3",
    "from",    "to",
    "node",    "graph",
    "true",    "NA",
    "dd",      "pp",
    "(",       ")",
    "$",       "*",
    "?",       "!",
    "~",       "^",
    "`",       "@",
    "+",       "_",
};
enum { N_PIECES = sizeof PIECES / sizeof *PIECES };

/* n different names of some pieces each; freed by free_names. */
static char **draw_names(gsl_rng *rng, int n, bool hostile)
{
    char **names = malloc((size_t)n * sizeof *names);
    for (int v = 0; v < n;) {
        char text[200] = "";
        if (!hostile)
            snprintf(text, sizeof text, "X%d", v + 1);
        for (int left = hostile ? draw_int(rng, 1, 5) : 0; left > 0; left--)
            strcat(text, PIECES[draw_int(rng, 0, N_PIECES - 1)]);
        bool again = false;
        for (int u = 0; u < v; u++)
            again = again || strcmp(names[u], text) == 0;
        if (!again)
            names[v++] = strdup(text);
    }
    return names;
}

static void free_names(char **names, int n)
{
    for (int v = 0; v < n; v++)
        free(names[v]);
    free(names);
}

/* ---- Round trips ---- */

/* Do arrows go round in a circle? Takes away nodes without parents as long as there are any. */
static bool has_circle(const dpc_graph *graph)
{
    bool gone[64] = {false}, more = true;
    int left = graph->n_nodes;
    while (more) {
        more = false;
        for (int v = 0; v < graph->n_nodes; v++) {
            bool child = gone[v];
            for (int64_t e = 0; e < graph->n_edges; e++)
                child = child || (dpc_edge_to(&graph->edges[e]) == v &&
                                  !gone[dpc_edge_from(&graph->edges[e])]);
            gone[v] = gone[v] || !child;
            left -= !child;
            more = more || !child;
        }
    }
    return left > 0;
}

/* Is it true that the format cannot say this graph? */
static bool cannot_say(dpc_format format, const dpc_graph *graph, char *const *names)
{
    bool cannot = (format == DPC_FORMAT_BNLEARN && has_circle(graph)) ||
                  (dpc_graph_is_pag(graph) && !holds_pags(format));
    for (int64_t e = 0; e < graph->n_edges && format == DPC_FORMAT_BNLEARN; e++)
        cannot = cannot || graph->edges[e].mark == DPC_UNDIRECTED;
    for (int v = 0; v < graph->n_nodes; v++) {
        const char *name = names[v], last = name[strlen(name) - 1];
        if (format == DPC_FORMAT_BNLEARN)
            cannot = cannot || strpbrk(name, "[]|:") != NULL;
        if (format == DPC_FORMAT_SIF)
            cannot = cannot || strpbrk(name, "\t\n\r") != NULL;
        if (format == DPC_FORMAT_DAGITTY)
            cannot = cannot || strpbrk(name, "\t\n\r") != NULL || last == '\\';
        if (format == DPC_FORMAT_TETRAD)
            cannot = cannot || strpbrk(name, ";\n\r") != NULL || strchr(" \t", *name) != NULL ||
                     strchr(" \t", last) != NULL || strpbrk(name, "-<") != NULL ||
                     (graph->n_nodes == 1 && strchr(name, ',') != NULL);
    }
    return cannot;
}

static void must_be_same(const dpc_named_graph *read, const dpc_graph *graph, char *const *names,
                         dpc_format format, const char *text)
{
    bool whole = format != DPC_FORMAT_ARCS; /* it has also nodes without edges */
    if (read->graph.n_edges != graph->n_edges || read->all_nodes != lists_nodes(format, graph))
        fail_msg("%s\n%d edges read, not %d", text, (int)read->graph.n_edges, (int)graph->n_edges);
    if (whole)
        assert_int_equal(read->graph.n_nodes, graph->n_nodes);
    for (int v = 0; v < graph->n_nodes && whole; v++)
        if (place_of(read, names[v]) < 0)
            fail_msg("%s\nno %s", text, names[v]);
    for (int64_t e = 0; e < graph->n_edges; e++) {
        const dpc_edge *edge = &graph->edges[e];
        int a = place_of(read, names[edge->a]), b = place_of(read, names[edge->b]);
        assert_true(a >= 0 && b >= 0);
        assert_int_equal(dpc_graph_mark(&read->graph, a, b), edge->mark);
    }
}

/* There and back; false: refused, which must be for a reason. */
static bool round_trip(const dpc_graph *graph, char *const *names, dpc_format format)
{
    dpc_report report = {
        .size = sizeof report, .names = (const char *const *)names, .graph = graph};
    char *text = NULL;
    size_t length;
    dpc_error err = {0};
    dpc_named_graph *read = NULL;
    dpc_status status = dpc_write_string(&report, DPC_CONTENT_GRAPH, format, &text, &length, &err);
    if (status != DPC_OK) {
        assert_int_equal(status, DPC_BAD_INPUT);
        if (!cannot_say(format, graph, names))
            fail_msg("%s: %s", dpc_format_word(format), err.message);
        return false;
    }
    if (read_bytes(dpc_format_word(format), text, length, &read, &err) != DPC_OK)
        fail_msg("%s: %s\n%s", dpc_format_word(format), err.message, text);
    must_be_same(read, graph, names, format, text);
    dpc_named_graph_free(read);
    dpc_string_free(text);
    return true;
}

static void test_round_trips(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(31);
    int survived[N_ALL] = {0}, rounds = repeats(2000);
    for (int round = 0; round < rounds; round++) {
        int n = draw_int(rng, 1, round % 20 == 0 ? 30 : 5);
        dpc_graph graph;
        char **names = draw_names(rng, n, round % 4 != 0);
        draw_graph(rng, n, draw_int(rng, 0, 100), &graph);
        for (int64_t e = 0; e < graph.n_edges && round % 3 == 0; e++)
            graph.edges[e].mark = DPC_FORWARD;                        /* a DAG */
        for (int64_t e = 0; e < graph.n_edges && round % 3 == 1; e++) /* a PAG, or all marks */
            graph.edges[e].mark = DPC_MARK(draw_int(rng, 1, 3), draw_int(rng, 1, 3));
        for (int f = 0; f < N_ALL; f++)
            survived[f] += round_trip(&graph, names, FORMATS[f]);
        free_names(names, n);
        dpc_graph_clear(&graph);
    }
    for (int f = 0; f < N_ALL; f++) {
        bool picky = !holds_pags(FORMATS[f]) || FORMATS[f] == DPC_FORMAT_TETRAD ||
                     FORMATS[f] == DPC_FORMAT_DAGITTY;
        if (picky)
            assert_true(survived[f] > rounds / 10);
        else
            assert_int_equal(survived[f], rounds);
    }
    gsl_rng_free(rng);
}

/* ---- What others write ---- */

static void describe(const dpc_named_graph *g, char text[512])
{
    size_t used = 0;
    for (int v = 0; v < g->graph.n_nodes; v++)
        used += (size_t)snprintf(text + used, 512 - used, "%s ", g->names[v]);
    used += (size_t)snprintf(text + used, 512 - used, "|");
    for (int64_t e = 0; e < g->graph.n_edges; e++) {
        const dpc_edge *edge = &g->graph.edges[e];
        dpc_mark mark = dpc_edge_mark(edge);
        const char *sign = mark == DPC_UNDIRECTED ? "-"
                           : mark == DPC_FORWARD  ? ">"
                                                  : dpc_mark_text(mark);
        used += (size_t)snprintf(text + used, 512 - used, " %s%s%s", g->names[dpc_edge_from(edge)],
                                 sign, g->names[dpc_edge_to(edge)]);
    }
}

static const struct {
    const char *extension, *text, *expected; /* what is expected; or '!' and part of the message */
} CASES[] = {
    /* adjacency: numpy, pandas, R */
    {"csv", "A,B\nFalse,True\nFalse,False\n", "A B | A>B"},
    {"csv", "\"\",\"A\",\"B\"\n\"A\",FALSE,TRUE\n\"B\",TRUE,FALSE\n", "A B | A-B"},
    {"csv", "A,B\n0,1e0\n0.000e+00,0\n", "A B | A>B"},
    {"tsv", "\tA\tB\nA\t0\t0\nB\t1\t0\n", "A B | B>A"},
    {"csv", "A,B\n0,0.5\n0,0\n", "!'0.5' in column 'B' is neither 0 nor 1"},
    /* arcs: bnlearn, Gephi, our own edge table */
    {"csv", "\"from\",\"to\"\n\"A\",\"B\"\n\"B\",\"C\"\n\"C\",\"B\"\n", "A B C | A>B B-C"},
    {"txt", "\"from\" \"to\"\n\"1\" \"A\" \"B\"\n\"2\" \"C\" \"B\"\n", "A B C | A>B C>B"},
    {"csv", "Source,Target,Type,Id\nA,B,Directed,0\nB,C,Undirected,1\n", "A B C | A>B B-C"},
    {"csv", "from,to,mark,r\nA,B,-->,0.5\nC,B,---,\n", "A B C | A>B B-C"},
    {"csv", "to,from,directed\nA,B,true\nC,B,0\n", "B A C | B>A B-C"},
    {"csv", "from,to\n0,1\n0,0\n", "from to | from>to"}, /* a matrix */
    {"arcs", "from,to\n0,1\n", "0 1 | 0>1"},
    {"arcs", "from,to\n", "|"},
    {"arcs", "a,b\nx,y\n", "!line 1: the header does not have the columns from and to"},
    {"csv", "from,to,strength,direction\nA,B,1,0.5\n", "!how often each edge was found"},
    {"csv", "from,to,edge,forward,backward,undirected\nA,B,1,1,0,0\n", "!how often each edge"},
    {"csv", "from,to,mark\nA,B,x\n", "!line 2: 'x' does not say how the two nodes are joined"},
    {"csv", "from,to,mark\nA,B,<->\nB,C,<-o\n", "A B C | A<->B Co->B"},
    {"csv", "from,to,mark\nA,B,<->\nB,A,<->\n", "!line 3: 'A' and 'B' are joined twice"},
    {"arcs", "from,to\nA,B,C,D\n", "!line 2: the row has 4 fields, but the header 2"},
    {"arcs", "from,to\nA,B\nA,B\n", "!line 3: 'A' and 'B' are joined twice, first on line 2"},
    /* Tetrad */
    {"txt",
     "Graph Nodes:\nX1;X2;X 3\n\nGraph Edges:\n1. X1 --> X2 [X1 --> X2 dd pl]:0.98;[no "
     "edge]:0.02;[edge]:0.98 dd pl\n2. X 3 --- X2\n\nGraph Attributes:\nBIC: -17\n\nGraph Node "
     "Attributes:\nBIC: [X1: 1]\n",
     "X1 X2 X 3 | X1>X2 X2-X 3"},
    {"graph.txt", "\r\nGraph Nodes:\r\nA,B\r\n\r\nGraph Edges:\r\n1. B --> A dd nl\r\n",
     "A B | B>A"},
    {"tetrad", "Graph Nodes:\nA\n\nGraph Edges:\n", "A |"},
    {"tetrad", "Graph Edges:\n1. A <-- B\n", "A B | B>A"},
    {"tetrad", "Graph Nodes:\nA;B;C\n\nGraph Edges:\n1. A o-> B [A --> B]:0.5;\n2. A o-o C\n",
     "A B C | Ao->B Ao-oC"},
    {"tetrad", "Graph Nodes:\nA;B\n\nGraph Edges:\n1. A --> C\n", "!'C' is not among the nodes"},
    {"tetrad", "Graph Nodes:\nA;A\n", "!line 2: the node 'A' is there twice"},
    {"tetrad", "Graph Nodes:\nA;B\nwhat\n", "!line 3: there is no \"Graph Edges:\""},
    {"tetrad", "Graph Nodes:\nA;B\n\nGraph Edges:\n1. A B\n", "!line 5: '1. A B' is no edge"},
    {"json",
     "{\"nodes\":[{\"nodeType\":{\"ordinal\":0},\"name\":\"A\"},{\"name\":\"B\"}],\"edgesSet\":[{"
     "\"node1\":{\"name\":\"A\"},\"node2\":{\"name\":\"B\"},\"endpoint1\":{\"ordinal\":1},"
     "\"endpoint2\":{\"ordinal\":0}}]}",
     "A B | B>A"},
    {"json",
     "{\"graph\":{\"nodes\":[{\"name\":\"A\"},{\"name\":\"B\"}],\"edgesSet\":[{\"node1\":{\"name\":"
     "\"A\"},\"node2\":{\"name\":\"B\"},\"endpoint1\":\"TAIL\",\"endpoint2\":\"TAIL\"}]}}",
     "A B | A-B"},
    {"tetrad-json",
     "{\"nodes\":[{\"name\":\"A\"},{\"name\":\"B\"}],\"edgesSet\":[{\"node1\":{\"name\":\"A\"},"
     "\"node2\":{\"name\":\"B\"},\"endpoint1\":\"CIRCLE\",\"endpoint2\":\"ARROW\"}]}",
     "A B | Ao->B"},
    {"tetrad-json",
     "{\"nodes\":[{\"name\":\"A\"},{\"name\":\"B\"}],\"edgesSet\":[{\"node1\":{\"name\":\"A\"},"
     "\"node2\":{\"name\":\"B\"},\"endpoint1\":{\"ordinal\":2},\"endpoint2\":{\"ordinal\":2}}]}",
     "A B | Ao-oB"},
    {"tetrad-json",
     "{\"nodes\":[{\"name\":\"A\"},{\"name\":\"B\"}],\"edgesSet\":[{\"node1\":{\"name\":\"A\"},"
     "\"node2\":{\"name\":\"B\"},\"endpoint1\":\"STAR\",\"endpoint2\":\"ARROW\"}]}",
     "!the end of an edge is none of \"TAIL\", \"ARROW\" and \"CIRCLE\""},
    /* our own JSON of a PAG: the marks of the ends, with the mark or without it */
    {"json",
     "{\"nodes\": [\"A\", \"B\"], \"edges\": [{\"from\": \"A\", \"to\": \"B\", \"from_mark\": "
     "\"tail\", \"to_mark\": \"circle\"}]}",
     "A B | A--oB"},
    {"json",
     "{\"nodes\": [\"A\", \"B\"], \"edges\": [{\"from\": \"A\", \"to\": \"B\", \"mark\": \"<->\", "
     "\"from_mark\": \"tail\", \"to_mark\": \"circle\"}]}",
     "!\"mark\" differs from \"from_mark\" and \"to_mark\""},
    {"json",
     "{\"nodes\": [\"A\", \"B\"], \"edges\": [{\"from\": \"A\", \"to\": \"B\", \"from_mark\": "
     "\"up\", \"to_mark\": \"circle\"}]}",
     "!the end of an edge is none of \"tail\", \"arrow\" and \"circle\""},
    /* edge lists: PAGs, and variables without edges */
    {"txt", "A o-> B\nB <-o C\nC <-> D\nA --o D\nD o-- E\n",
     "A B C D E | Ao->B A--oD Co->B C<->D E--oD"},
    {"txt", "A --> B\nD\n\"c d\"\n  E  \n# F\n\"x --> y\"\n", "A B D c d E x --> y | A>B"},
    {"txt", "D\n\"a\nb\"\n", "D a\nb |"},
    {"txt", "A\nA --> B\nB\n", "A B | A>B"},
    {"txt", "A->B\n", "!line 1: 'A->B' is no edge"},
    {"txt", "A --> B\nA o->B\n", "!line 2: 'A o->B' is no edge"},
    {"txt", "A --> B\no-o\n", "!line 2: the name of a node is empty"},
    {"txt", "A;B\n", "!line 1: 'A;B' is no edge"},
    /* node-link of networkx, old and new, and d3 */
    {"json",
     "{\"directed\": true, \"nodes\": [{\"id\": \"A\"}, {\"id\": 7}], \"links\": [{\"source\": "
     "\"A\", \"target\": 7}, {\"source\": 7, \"target\": \"A\"}]}",
     "A 7 | A-7"},
    {"node-link",
     "{\"directed\": false, \"nodes\": [{\"id\": \"A\"}, {\"id\": \"B\"}], \"edges\": "
     "[{\"source\": \"A\", \"target\": \"B\", \"weight\": 1}]}",
     "A B | A-B"},
    {"node-link", "{\"nodes\": [{\"key\": \"A\"}], \"links\": []}", "!the object has no \"id\""},
    /* bnlearn */
    {"bnlearn", "[A][B|A]\n  [C|A:B]\n", "A B C | A>B A>C B>C"},
    {"bnlearn", "[C|A:B][A][B]", "C A B | A>C B>C"},
    {"bnlearn", "[A][B|Z]", "!the parent 'Z' has no [Z] of its own"},
    {"bnlearn", "[A][B|]", "!the name of a node is empty"},
    {"bnlearn", "[A][A]", "!the node 'A' is there twice"},
    {"bnlearn", "[A][B|A", "!is never closed"},
    {"bnlearn", "A ~ B", "!there is no [ here"},
    /* pcalg: row, column is an arrowhead at the row */
    {"pcalg", "\"\",\"A\",\"B\"\n\"A\",0,0\n\"B\",1,0\n", "A B | A>B"},
    {"pcalg.csv", "\"A\" \"B\"\n\"A\" 0 1\n\"B\" 1 0\n", "A B | A-B"},
    {"pcalg", "A,B\n0,2\n3,0\n", "!'2' in column 'B' is neither 0 nor 1; pcalg's codes of a PAG"},
    {"csv", "x,2,3\n2,0,1\n3,0,0\n", "2 3 | 2>3"},
    /* pcalg's amat.pag: row, column is the mark at the column */
    {"pag", "A,B,C\n0,2,0\n1,0,2\n0,3,0\n", "A B C | Ao->B B>C"},
    {"pag.csv", "\"\",\"A\",\"B\"\n\"A\",0,1\n\"B\",1,0\n", "A B | Ao-oB"},
    {"pag", "A,B\n0,2\n0,0\n", "!has a mark at one end only"},
    {"pag", "A,B\n0,4\n1,0\n", "!'4' in column 'B' is none of 0, 1, 2 and 3"},
    {"pag", "A,B\n0,2.5\n1,0\n", "!'2.5' in column 'B' is none of 0, 1, 2 and 3"},
    {"pag", "A,B\n1,2\n1,0\n", "!column 'A' has a 1 on the diagonal"},
    /* causal-learn */
    {"causallearn", "A,B,C\n0,-1,0\n1,0,-1\n0,-1,0\n", "A B C | A>B B-C"},
    {"causallearn.txt",
     "0.000000000000000000e+00 -1.000000000000000000e+00\n1.000000000000000000e+00 "
     "0.000000000000000000e+00\n",
     "X1 X2 | X1>X2"},
    {"causallearn", "A,B\n0,1\n1,0\n", "A B | A<->B"},
    {"causallearn", "A,B\n0,2\n1,0\n", "A B | Ao->B"},
    {"causallearn", "A,B\n0,-1\n0,0\n", "!has a mark at one end only"},
    {"causallearn", "A,B\n0,3\n1,0\n", "!'3' in column 'B' is none of -1, 0, 1 and 2"},
    /* DAGitty: its web page, its R package, by hand */
    {"dagitty",
     "dag {\nbb=\"-3.6,-4.1,3.2,3.9\"\n\"blood pressure\" [outcome,pos=\"-0.5,0.2\"]\nage "
     "[exposure,pos=\"1,-2\"]\nU [latent]\nage -> \"blood pressure\" [beta=-.5]\nU -> age\n}\n",
     "blood pressure age U | age>blood pressure U>age"},
    {"dagitty", "dag { A -> B -> C <- D; {D E} -> {F G} }",
     "A B C D E F G | A>B B>C D>C D>F D>G E>F E>G"},
    {"dagitty", "pdag{A--B B->C;;E}", "A B C E | A-B B>C"},
    {"dagitty", "pag { A @-> B; A @-@ C\nB <-> D; D <-@ E A --@ F @-- G }",
     "A B C D E F G | Ao->B Ao-oC A--oF B<->D Eo->D G--oF"},
    {"dagitty.txt", "mag \"my graph\" { x.1 <-> 2b \"a \\\"q\\\" \\ b\" }",
     "x.1 2b a \"q\" \\ b | x.1<->2b"},
    {"dagitty", "dag { {A -> B; B -> D} -> C }", "A B D C | A>B A>C B>D B>C D>C"},
    {"dagitty", "graph { node [shape=box] \"node\" -- edge }", "node edge | node-edge"},
    {"dagitty", "dag { A -> B", "!the file ends where a node, an edge or } must be"},
    {"dagitty", "dag { A -> }", "!'}' where a node, an edge or } must be"},
    {"dagitty", "tree { A -> B }", "!'tree' where dag, pdag, mag or pag must be"},
    {"dagitty", "dag { A -> B } x", "!'x' where the end of the file must be"},
    {"dagitty", "dag { A -> B\nB -> A }", "!line 2: 'A' and 'B' are joined twice"},
    {"dagitty", "dag { {A B} -> A }", "!an edge joins 'A' with itself"},
    {"dagitty", "dag { A [pos=\"0,1] }", "!a quote opens here that is never closed"},
    {"dagitty", "dag { \"\" -> B }", "!the name of a node is empty"},
    /* SIF */
    {"sif", "A pp B C\nD\nA pd D\n", "A B C D | A-B A-C A>D"},
    {"sif", "a b\t-->\tc\n d\t\n", "a b c  d | a b>c"},
    {"sif", "A activates B\n", "!line 1: 'activates' does not say"},
    {"sif", "A pp\n", "!line 1: there is no node behind the relation"},
    /* GML of networkx, igraph and Gephi */
    {"gml",
     "Creator \"igraph\"\nVersion 1\ngraph\n[\n  directed 1\n  node\n  [\n    id 0\n    name \"A "
     "&#937; &amp; &quot;\"\n  ]\n  node\n  [\n    id 1\n    name \"B\"\n  ]\n  edge\n  [\n    "
     "source 1\n    target 0\n  ]\n]\n",
     "A Ω & \" B | B>A Ω & \""},
    {"gml",
     "# c\ngraph [ node [ id 3 label \"x\" graphics [ x 1.0 fill \"]\" ] ] node [ id 4 label \"y\" "
     "] edge [ source 4 target 3 value 2 ] directed 0 ]",
     "x y | x-y"},
    {"gml",
     "graph [ directed 1 node [ id 1 ] node [ id 2 label \"y\" ] edge [ source 1 target 2 ] ]",
     "1 2 | 1>2"},
    {"gml", "graph [ node [ id 1 ] edge [ source 1 target 2 ] ]", "!'2' is not among the nodes"},
    {"gml", "graph [ node [ id 1 ", "!never closed"},
    {"gml", "graph [ node [ label \"a\" ] ]", "!the node has no id"},
    {"gml", "graph [ edge [ source 1 ] ]", "!no source, or no target"},
    {"gml", "node [ ]", "!there is no graph"},
    {"gml", "graph [ ] ]", "!closes nothing"},
    {"gml", "graph [ node [ id 1 label \"x ] ]", "!never closed"},
    /* GraphML of igraph, networkx, Gephi, yEd */
    {"graphml",
     "<?xml version=\"1.0\"?>\n<!-- igraph -->\n<graphml xmlns=\"x\"><key id=\"v_name\" "
     "for=\"node\" attr.name=\"name\" attr.type=\"string\"/>\n<graph id=\"G\" "
     "edgedefault=\"directed\"><node id=\"n0\"><data key=\"v_name\">A &lt;b&gt;</data></node><node "
     "id='n1'><data key='v_name'><![CDATA[B & <c>]]></data></node>\n<edge source=\"n1\" "
     "target=\"n0\"></edge></graph></graphml>",
     "A <b> B & <c> | B & <c>>A <b>"},
    {"graphml",
     "<graphml><graph edgedefault=\"undirected\"><node id=\"A\" /><node id=\"B\" /><edge "
     "source=\"A\" target=\"B\" /></graph></graphml>",
     "A B | A-B"},
    {"graphml",
     "<graphml><graph edgedefault=\"directed\"><node id=\"A\"/><node id=\"B\"/><edge source=\"A\" "
     "target=\"B\" directed=\"false\"/></graph></graphml>",
     "A B | A-B"},
    {"graphml",
     "<graphml><key id=\"l\" attr.name=\"label\"/><key id=\"i\" attr.name=\"interaction\"/><graph>"
     "<node id=\"1\"><data key=\"l\">A</data><y:ShapeNode><y:Fill "
     "color=\"x\"/></y:ShapeNode></node><node id=\"2\"><data key=\"l\">B</data></node><edge "
     "source=\"2\" target=\"1\"><data key=\"i\">pp</data></edge></graph></graphml>",
     "A B | A-B"},
    {"graphml",
     "<graphml><key id=\"l\" attr.name=\"label\"/><graph><node id=\"1\"><data "
     "key=\"l\">A</data></node><node id=\"2\"><data key=\"l\">A</data></node></graph></graphml>",
     "1 2 |"},
    {"graphml", "<graphml><graph><node id=\"A\"/>", "!the file ends before the graph does"},
    {"graphml", "<graphml></graphml>", "!there is no <graph>"},
    {"graphml", "<graphml><graph><node/></graph></graphml>", "!the <node> has no id"},
    {"graphml", "<graphml><graph><edge source=\"A\" target=\"B\"/></graph></graphml>",
     "!'A' is not among the nodes"},
    {"graphml", "<graphml><graph><node id=\"A\"/><node id=\"A\"/></graph></graphml>",
     "!'A' is there twice"},
    {"graphml", "<graphml><graph><node id=\"A\"", "!never closed"},
    {"graphml", "<graphml><graph><hyperedge/></graph></graphml>", "!more than two nodes"},
    /* Graphviz of igraph, causal-learn's pydot, Tetrad */
    {"dot", "digraph {\n  0 [\n    name=A\n  ];\n  1 [ name=\"x y\" ];\n\n  1 -> 0;\n}\n",
     "A x y | x y>A"},
    {"dot",
     "digraph { 0 [label=A]; 1 [label=B]; 0 -> 1 [dir=both, arrowtail=none, "
     "arrowhead=none, label=z]; }",
     "A B | A-B"},
    {"dot", "digraph { 0 [label=A]; 1 [label=A]; 0 -> 1; }", "0 1 | 0>1"},
    {"dot", "digraph { a [label=A]; b [label=B]; a -> b; }", "a b | a>b"},
    {"gv", "digraph { a -> b [dir=both, arrowtail=odot, arrowhead=normal]; }", "a b | ao->b"},
    {"gv",
     "digraph { edge [dir=both, arrowhead=normal, arrowtail=normal]; a -> b; c -> a "
     "[arrowtail=none, arrowhead=odot]; }",
     "a b c | a<->b c--oa"},
    {"gv", "digraph { a -> b [dir=both]; c -> b [arrowtail=odot]; }", "a b c | a-b c>b"},
};

static void test_others(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        dpc_named_graph *read = NULL;
        dpc_error err = {0};
        char seen[512] = "";
        dpc_status status =
            read_bytes(CASES[i].extension, CASES[i].text, strlen(CASES[i].text), &read, &err);
        if (CASES[i].expected[0] == '!') {
            if (status != DPC_BAD_INPUT || strstr(err.message, CASES[i].expected + 1) == NULL)
                fail_msg("case %zu, %s: %s", i, CASES[i].text, err.message);
            continue;
        }
        if (status != DPC_OK)
            fail_msg("case %zu, %s: %s", i, CASES[i].text, err.message);
        describe(read, seen);
        assert_string_equal(seen, CASES[i].expected);
        dpc_named_graph_free(read);
    }
}

/* Cut and changed anywhere, a text is read or refused, and never more than that. */
static void test_damaged(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(32);
    int refused = 0, rounds = repeats(12000);
    for (int round = 0; round < rounds; round++) {
        size_t i = (size_t)draw_int(rng, 0, (int)(sizeof CASES / sizeof *CASES) - 1);
        char *text = strdup(CASES[i].text);
        size_t length = strlen(text);
        for (int change = draw_int(rng, 1, 4); change > 0; change--)
            text[draw_int(rng, 0, (int)length - 1)] =
                "\"<>&;[]{}:|-\n \t0aX,="[draw_int(rng, 0, 19)];
        if (round % 2 == 0)
            length = (size_t)draw_int(rng, 1, (int)length);
        dpc_named_graph *read = NULL;
        dpc_error err = {0};
        dpc_status status = read_bytes(CASES[i].extension, text, length, &read, &err);
        assert_true(status == DPC_OK || status == DPC_BAD_INPUT);
        if (status == DPC_OK)
            assert_int_equal(dpc_graph_check(&read->graph, "graph", NULL), DPC_OK);
        refused += status != DPC_OK;
        dpc_named_graph_free(read);
        free(text);
    }
    assert_true(refused > rounds / 4 && refused < rounds);
    gsl_rng_free(rng);
}

/* ---- Words and extensions ---- */

static void test_extensions(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        dpc_format format;
    } paths[] = {
        {"a.txt", DPC_FORMAT_EDGES},
        {"x/a.graph.txt", DPC_FORMAT_TETRAD},
        {"a.GRAPH.TXT", DPC_FORMAT_TETRAD},
        {"a.csv", DPC_FORMAT_ADJACENCY},
        {"a.pcalg.csv", DPC_FORMAT_PCALG},
        {"a.pcalg", DPC_FORMAT_PCALG},
        {"a.json", DPC_FORMAT_JSON},
        {"a.tetrad.json", DPC_FORMAT_TETRAD_JSON},
        {"a.node-link", DPC_FORMAT_NODE_LINK},
        {"a.nodelink.json", DPC_FORMAT_NODE_LINK},
        {"a.arcs.csv", DPC_FORMAT_ARCS},
        {"a.bnlearn", DPC_FORMAT_BNLEARN},
        {"a.gv", DPC_FORMAT_DOT},
        {"a.htm", DPC_FORMAT_HTML},
        {"a.svg", DPC_FORMAT_SVG},
        {"a.causallearn.csv", DPC_FORMAT_CAUSALLEARN},
        {"a.sif", DPC_FORMAT_SIF},
        {"a.gml", DPC_FORMAT_GML},
        {"a.pag.csv", DPC_FORMAT_PAG},
        {"a.pag", DPC_FORMAT_PAG},
        {"a-pag.csv", DPC_FORMAT_ADJACENCY},
        {"x/pag.csv", DPC_FORMAT_PAG},
        {"a.dagitty", DPC_FORMAT_DAGITTY},
        {"a.dagitty.txt", DPC_FORMAT_DAGITTY},
    };
    dpc_format format;
    dpc_error err;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        assert_int_equal(dpc_format_of_path(paths[i].path, &format, &err), DPC_OK);
        assert_int_equal(format, paths[i].format);
    }
    assert_int_equal(dpc_format_of_path("graph.csv/x", &format, &err), DPC_USAGE);
    assert_int_equal(dpc_format_of_path("csv", &format, &err), DPC_USAGE);
    for (int f = 0; f < N_ALL; f++) {
        assert_int_equal(dpc_format_of_word(dpc_format_word(FORMATS[f]), &format, &err), DPC_OK);
        assert_int_equal(format, FORMATS[f]);
        assert_true(dpc_format_is_read(format) && !dpc_format_is_made(format));
    }
    assert_null(dpc_format_word(DPC_FORMAT_AUTO));
    assert_null(dpc_format_word((dpc_format)99));
    assert_true(dpc_format_is_made(DPC_FORMAT_HTML) && !dpc_format_is_read(DPC_FORMAT_HTML));
}

/* What the caller has made is written as it is; a picture that nobody has made is refused. */
static void test_made(void **state)
{
    (void)state;
    dpc_graph graph = {1, 0, NULL};
    const char *names[] = {"A"};
    char path[256], bytes[8] = "";
    snprintf(path, sizeof path, "%s/a.svg", folder);
    dpc_output output = {.path = path};
    dpc_report report = {.size = sizeof report, .names = names, .graph = &graph};
    dpc_error err;
    char *text = NULL;
    assert_int_equal(dpc_write(&report, &output, 1, &err), DPC_USAGE);
    assert_non_null(strstr(err.message, "picture"));
    assert_int_equal(
        dpc_write_string(&report, DPC_CONTENT_GRAPH, DPC_FORMAT_HTML, &text, NULL, &err),
        DPC_USAGE);
    output.bytes = "<svg/>";
    output.n_bytes = 6;
    assert_int_equal(dpc_write(&report, &output, 1, &err), DPC_OK);
    FILE *file = fopen(path, "rb");
    assert_int_equal(fread(bytes, 1, sizeof bytes, file), 6);
    fclose(file);
    remove(path);
    assert_string_equal(bytes, "<svg/>");
}

/* A circle of arrows has no model string. */
static void test_circle(void **state)
{
    (void)state;
    dpc_edge edges[] = {{0, 1, DPC_FORWARD}, {0, 2, DPC_BACKWARD}, {1, 2, DPC_FORWARD}};
    dpc_graph graph = {3, 3, edges};
    const char *names[] = {"A", "B", "C"};
    dpc_report report = {.size = sizeof report, .names = names, .graph = &graph};
    dpc_error err;
    char *text = NULL;
    assert_int_equal(
        dpc_write_string(&report, DPC_CONTENT_GRAPH, DPC_FORMAT_BNLEARN, &text, NULL, &err),
        DPC_BAD_INPUT);
    assert_non_null(strstr(err.message, "circle"));
    const char *odd[] = {"A", "B\x01", "C"};
    report.names = odd;
    assert_int_equal(
        dpc_write_string(&report, DPC_CONTENT_GRAPH, DPC_FORMAT_GRAPHML, &text, NULL, &err),
        DPC_BAD_INPUT);
    assert_non_null(strstr(err.message, "control character"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trips), cmocka_unit_test(test_others),
        cmocka_unit_test(test_damaged),     cmocka_unit_test(test_extensions),
        cmocka_unit_test(test_made),        cmocka_unit_test(test_circle),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
