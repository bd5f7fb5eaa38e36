/* Graphs as other people's JSON: networkx's node-link, and Tetrad's. */
#include "write.h"

#include "graph.h"

/* ---- Node-link ---- */

/* An undirected edge among arrows is one link with its mark, as in GraphML. */
dpc_status dpc_print_node_link(FILE *file, const dpc_report *report, dpc_error *err)
{
    const dpc_graph *graph = report->graph;
    (void)err;
    fprintf(file, "{\n  \"directed\": %s, \"multigraph\": false, \"graph\": {},\n  \"nodes\": [",
            dpc_has_arrows(graph) ? "true" : "false");
    for (int v = 0; v < graph->n_nodes && !ferror(file); v++) {
        fputs(v > 0 ? ",\n    {\"id\": " : "\n    {\"id\": ", file);
        dpc_print_json_string(file, report->names[v]);
        putc('}', file);
    }
    fputs("\n  ],\n  \"links\": [", file);
    for (int64_t e = 0; e < graph->n_edges && !ferror(file); e++) {
        dpc_print_json_edge(file, report, e, "source", "target");
        putc('}', file);
    }
    fputs("\n  ]\n}\n", file);
    return DPC_OK;
}

/* ---- Tetrad ---- */

/* A node as Tetrad reads it; 0 is its type of measured variables. */
static void print_node(FILE *file, const char *name)
{
    fputs("{\"nodeType\": {\"ordinal\": 0}, \"centerX\": -1, \"centerY\": -1, \"name\": ", file);
    dpc_print_json_string(file, name);
    putc('}', file);
}

dpc_status dpc_print_tetrad_json(FILE *file, const dpc_report *report, dpc_error *err)
{
    static const char *const ENDS[] = {"", "CIRCLE", "ARROW", "TAIL"}; /* by dpc_end */
    const dpc_graph *graph = report->graph;
    (void)err;
    fputs("{\n  \"nodes\": [", file);
    for (int v = 0; v < graph->n_nodes && !ferror(file); v++) {
        fputs(v > 0 ? ",\n    " : "\n    ", file);
        print_node(file, report->names[v]);
    }
    fputs("\n  ],\n  \"edgesSet\": [", file);
    for (int64_t e = 0; e < graph->n_edges && !ferror(file); e++) {
        const dpc_edge *edge = &graph->edges[e];
        fputs(e > 0 ? ",\n    {\"node1\": " : "\n    {\"node1\": ", file);
        print_node(file, report->names[dpc_edge_from(edge)]);
        fputs(",\n     \"node2\": ", file);
        print_node(file, report->names[dpc_edge_to(edge)]);
        fprintf(file,
                ",\n     \"endpoint1\": \"%s\", \"endpoint2\": \"%s\", \"properties\": [], "
                "\"edgeTypeProbabilities\": []}",
                ENDS[dpc_end_a(dpc_edge_mark(edge))], ENDS[dpc_end_b(dpc_edge_mark(edge))]);
    }
    fputs("\n  ],\n  \"ambiguousTriples\": [], \"underLineTriples\": [], "
          "\"dottedUnderLineTriples\": []\n}\n",
          file);
    return DPC_OK;
}
