/*
 * The readers of graphs, and the writers against them. The first byte of an input chooses the
 * format, in the order of FORMATS from '@' on; the rest is the file.
 *
 * A graph that was read is sound: its edges are sorted, join two different nodes and have a mark.
 * It is written in every format there is, or refused by one that cannot say it; what was written
 * reads back as the same graph.
 */
#include "fuzz.h"
#include "graph.h"

#include <stdlib.h>
#include <string.h>

static const dpc_format FORMATS[] = {
    DPC_FORMAT_EDGES,   DPC_FORMAT_ADJACENCY,   DPC_FORMAT_DOT,       DPC_FORMAT_JSON,
    DPC_FORMAT_TSV,     DPC_FORMAT_GRAPHML,     DPC_FORMAT_GML,       DPC_FORMAT_SIF,
    DPC_FORMAT_TETRAD,  DPC_FORMAT_TETRAD_JSON, DPC_FORMAT_BNLEARN,   DPC_FORMAT_ARCS,
    DPC_FORMAT_PCALG,   DPC_FORMAT_CAUSALLEARN, DPC_FORMAT_NODE_LINK, DPC_FORMAT_PAG,
    DPC_FORMAT_DAGITTY,
};
enum { N_FORMATS = sizeof FORMATS / sizeof *FORMATS };

static void check_graph(const dpc_named_graph *read)
{
    const dpc_graph *graph = &read->graph;
    MUST(graph->n_nodes >= 0 && graph->n_edges >= 0, "a graph of a negative size");
    for (int v = 0; v < graph->n_nodes; v++)
        MUST(read->names[v] != NULL && read->names[v][0] != '\0', "node %d has no name", v);
    for (int64_t e = 0; e < graph->n_edges; e++) {
        const dpc_edge *edge = &graph->edges[e], *last = edge - 1;
        MUST(0 <= edge->a && edge->a < edge->b && edge->b < graph->n_nodes, "edge %d, %d", edge->a,
             edge->b);
        MUST((unsigned)edge->mark < 16 && dpc_end_a(edge->mark) != DPC_END_NONE &&
                 dpc_end_b(edge->mark) != DPC_END_NONE,
             "mark %d", (int)edge->mark);
        MUST(e == 0 || last->a < edge->a || (last->a == edge->a && last->b < edge->b),
             "edge %lld is not in its place", (long long)e);
    }
}

/* The node of this name, or -1. */
static int place_of(const dpc_named_graph *g, const char *name)
{
    for (int v = 0; v < g->graph.n_nodes; v++)
        if (strcmp(g->names[v], name) == 0)
            return v;
    return -1;
}

static void check_same(const dpc_named_graph *was, const dpc_named_graph *is, dpc_format format)
{
    const char *word = dpc_format_word(format);
    MUST(is->graph.n_edges == was->graph.n_edges, "%s: %lld edges, not %lld", word,
         (long long)is->graph.n_edges, (long long)was->graph.n_edges);
    if (format != DPC_FORMAT_ARCS) { /* which has only nodes with edges */
        MUST(is->graph.n_nodes == was->graph.n_nodes, "%s: %d nodes, not %d", word,
             is->graph.n_nodes, was->graph.n_nodes);
        for (int v = 0; v < was->graph.n_nodes; v++)
            MUST(place_of(is, was->names[v]) >= 0, "%s: no node '%s'", word, was->names[v]);
    }
    for (int64_t e = 0; e < was->graph.n_edges; e++) {
        const dpc_edge *edge = &was->graph.edges[e];
        int a = place_of(is, was->names[edge->a]), b = place_of(is, was->names[edge->b]);
        MUST(a >= 0 && b >= 0 && dpc_graph_mark(&is->graph, a, b) == edge->mark,
             "%s: '%s' and '%s' are joined otherwise", word, was->names[edge->a],
             was->names[edge->b]);
    }
}

static void there_and_back(const dpc_named_graph *graph, dpc_format format)
{
    dpc_report report = {
        .size = sizeof report, .names = (const char *const *)graph->names, .graph = &graph->graph};
    char *text = NULL;
    size_t length = 0;
    dpc_error err = {0};
    dpc_named_graph *again = NULL;
    dpc_status status = dpc_write_string(&report, DPC_CONTENT_GRAPH, format, &text, &length, &err);
    fuzz_check_error(status, &err);
    if (status != DPC_OK) {
        MUST(status == DPC_BAD_INPUT, "%s: %s", dpc_format_word(format), err.message);
        return;
    }
    status = dpc_graph_read_as(fuzz_file(text, length), format, &again, &err);
    MUST(status == DPC_OK, "%s: %s in\n%s", dpc_format_word(format), err.message, text);
    check_same(graph, again, format);
    dpc_named_graph_free(again);
    dpc_string_free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes in = {data, size};
    dpc_format format = FORMATS[(uint8_t)(fuzz_byte(&in) - '@') % N_FORMATS];
    dpc_named_graph *graph = NULL;
    dpc_error err = {0};
    const char *path = fuzz_file(in.at, in.left);
    fuzz_watch_memory();
    dpc_status status = dpc_graph_read_as(path, format, &graph, &err);
    fuzz_check_memory();
    fuzz_check_error(status, &err);
    MUST((status == DPC_OK) == (graph != NULL), "status %d and a graph", (int)status);
    if (status == DPC_OK) {
        check_graph(graph);
        for (int f = 0; f < N_FORMATS; f++)
            there_and_back(graph, FORMATS[f]);
    }
    dpc_named_graph_free(graph);
    return 0;
}
