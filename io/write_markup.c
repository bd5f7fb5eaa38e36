/*
 * Graphs for other people's programs: GraphML and GML.
 *
 * GraphML and GML know graphs with arrows or graphs without; ours have both. One that has arrows
 * is written as directed, and every edge has a `mark`, --> or --- or one of a PAG: a program that
 * does not know of it sees an arrow from the first of its nodes. An undirected edge stays one edge.
 * GraphML has also a `directed` of each edge, but networkx reads no file in which it differs.
 */
#include "write.h"

#include "graph.h"
#include "status.h"
#include "text.h"

#include <string.h>

/* ---- Characters ---- */

/* The next character of a name, bytes that are not UTF-8 being Latin-1 as in JSON; moves on. */
static unsigned next_character(const char **text)
{
    const unsigned char *p = (const unsigned char *)*text;
    int length = dpc_utf8_length(*text, strlen(*text));
    static const unsigned char mask[] = {0xff, 0x7f, 0x1f, 0x0f, 0x07};
    unsigned code = p[0] & mask[length];
    for (int i = 1; i < length; i++)
        code = code << 6 | (p[i] & 0x3f);
    *text += length > 0 ? length : 1;
    return code;
}

/* ---- GraphML ---- */

/* Line breaks and tabs by number: in an attribute they would become blanks. */
static void print_xml(FILE *file, const char *text)
{
    while (*text != '\0') {
        const char *at = text;
        unsigned code = next_character(&text);
        bool latin_1 = text - at == 1 && code >= 0x80;
        if (latin_1 || code == '<' || code == '>' || code == '&' || code == '"' || code < 0x20)
            fprintf(file, "&#%u;", code);
        else
            fwrite(at, 1, (size_t)(text - at), file);
    }
}

/* XML has no way to say other control characters. */
static dpc_status check_xml(const dpc_report *report, dpc_error *err)
{
    char clipped[DPC_CLIP_SIZE];
    for (int v = 0; v < report->graph->n_nodes; v++)
        for (const char *p = report->names[v]; *p != '\0';) {
            unsigned code = next_character(&p);
            if ((code < 0x20 && code != '\t' && code != '\n' && code != '\r') || code == 0xfffe ||
                code == 0xffff)
                return dpc_fail(
                    err, DPC_BAD_INPUT,
                    "'%s' cannot be the name of a node in GraphML, for it has a control "
                    "character; rename it, or write another format",
                    dpc_clip_name(report->names[v], clipped));
        }
    return DPC_OK;
}

dpc_status dpc_print_graphml(FILE *file, const dpc_report *report, dpc_error *err)
{
    const dpc_graph *graph = report->graph;
    dpc_status status = check_xml(report, err);
    if (status != DPC_OK)
        return status;
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
          "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
          "  <key id=\"name\" for=\"node\" attr.name=\"name\" attr.type=\"string\"/>\n"
          "  <key id=\"mark\" for=\"edge\" attr.name=\"mark\" attr.type=\"string\"/>\n",
          file);
    fprintf(file, "  <graph id=\"dualpc\" edgedefault=\"%s\">\n",
            dpc_has_arrows(graph) ? "directed" : "undirected");
    for (int v = 0; v < graph->n_nodes && !ferror(file); v++) {
        fputs("    <node id=\"", file);
        print_xml(file, report->names[v]);
        fputs("\"><data key=\"name\">", file);
        print_xml(file, report->names[v]);
        fputs("</data></node>\n", file);
    }
    for (int64_t e = 0; e < graph->n_edges && !ferror(file); e++) {
        const dpc_edge *edge = &graph->edges[e];
        fputs("    <edge source=\"", file);
        print_xml(file, report->names[dpc_edge_from(edge)]);
        fputs("\" target=\"", file);
        print_xml(file, report->names[dpc_edge_to(edge)]);
        fputs("\"><data key=\"mark\">", file);
        for (const char *p = dpc_mark_text(dpc_edge_mark(edge)); *p != '\0'; p++)
            fputs(*p == '<' ? "&lt;" : *p == '>' ? "&gt;" : *p == 'o' ? "o" : "-", file);
        fputs("</data></edge>\n", file);
    }
    fputs("  </graph>\n</graphml>\n", file);
    return DPC_OK;
}

/* ---- GML ---- */

/* A string of ASCII: quotes, & and all beyond by number, as networkx wants it. */
static void print_gml(FILE *file, const char *name, const char *text)
{
    fprintf(file, " %s \"", name);
    while (*text != '\0') {
        unsigned code = next_character(&text);
        if (code == '"' || code == '&' || code < 0x20 || code >= 0x7f)
            fprintf(file, "&#%u;", code);
        else
            putc((int)code, file);
    }
    putc('"', file);
}

dpc_status dpc_print_gml(FILE *file, const dpc_report *report, dpc_error *err)
{
    const dpc_graph *graph = report->graph;
    (void)err;
    fprintf(file, "graph [\n  directed %d\n", dpc_has_arrows(graph));
    for (int v = 0; v < graph->n_nodes && !ferror(file); v++) {
        fprintf(file, "  node [ id %d", v);
        print_gml(file, "label", report->names[v]); /* networkx's name of the node */
        print_gml(file, "name", report->names[v]);  /* and igraph's */
        fputs(" ]\n", file);
    }
    for (int64_t e = 0; e < graph->n_edges && !ferror(file); e++) {
        const dpc_edge *edge = &graph->edges[e];
        fprintf(file, "  edge [ source %d target %d", dpc_edge_from(edge), dpc_edge_to(edge));
        print_gml(file, "mark", dpc_mark_text(dpc_edge_mark(edge)));
        fputs(" ]\n", file);
    }
    fputs("]\n", file);
    return DPC_OK;
}
