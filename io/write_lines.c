/*
 * Graphs as lines of words: SIF, Tetrad's text, bnlearn's model string, tables of arcs. The first
 * three have no quotes: a name that holds one of their signs cannot be said in them and is refused.
 */
#include "write.h"

#include "alloc.h"
#include "edge_names.h"
#include "graph.h"
#include "graph_build.h"
#include "source.h"
#include "status.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- What cannot be said ---- */

/* Names without any of these signs? */
static dpc_status check_signs(const dpc_report *report, const char *format, const char *signs,
                              const char *why, dpc_error *err)
{
    for (int v = 0; v < report->graph->n_nodes; v++)
        if (strpbrk(report->names[v], signs) != NULL)
            return dpc_refuse_name(format, report->names[v], why, err);
    return DPC_OK;
}

/* ---- SIF ---- */

/* A tab in every line, also behind a node alone: otherwise blanks would part the words. */
dpc_status dpc_print_sif(FILE *file, const dpc_report *report, dpc_error *err)
{
    const dpc_graph *graph = report->graph;
    dpc_status status =
        check_signs(report, "SIF", "\t\n\r", "its words are parted by tabs and line breaks", err);
    if (status != DPC_OK)
        return status;
    for (int v = 0; v < graph->n_nodes; v++)
        if (dpc_has_mark(report->names[v]))
            return dpc_refuse_name("SIF", report->names[v], "it begins with a byte order mark",
                                   err);
    bool *joined = dpc_find_joined(graph);
    if (joined == NULL)
        return dpc_fail_memory(err, "the nodes");
    for (int v = 0; v < graph->n_nodes; v++)
        if (!joined[v])
            fprintf(file, "%s\t\n", report->names[v]);
    for (int64_t e = 0; e < graph->n_edges && !ferror(file); e++) {
        const dpc_edge *edge = &graph->edges[e];
        fprintf(file, "%s\t%s\t%s\n", report->names[dpc_edge_from(edge)],
                dpc_mark_text(dpc_edge_mark(edge)), report->names[dpc_edge_to(edge)]);
    }
    free(joined);
    return DPC_OK;
}

/* ---- Tetrad ---- */

/* Would its line of nodes or of an edge be read otherwise? */
static bool is_tetrad_name(const char *name, int n_nodes)
{
    size_t length = strlen(name);
    bool blanks = strchr(" \t", name[0]) != NULL || strchr(" \t", name[length - 1]) != NULL;
    bool sign = strpbrk(name, n_nodes == 1 ? ";,\n\r" : ";\n\r") != NULL;
    bool header = strncasecmp(name, "Graph Edges:", strlen("Graph Edges:")) == 0;
    size_t word;
    const char *end = name + length, *w = dpc_next_word(name, end, &word);
    while (w != NULL && dpc_arrow(w, word) == DPC_NONE)
        w = dpc_next_word(w + word, end, &word);
    return !blanks && !sign && !header && w == NULL;
}

dpc_status dpc_print_tetrad(FILE *file, const dpc_report *report, dpc_error *err)
{
    const dpc_graph *graph = report->graph;
    int n = graph->n_nodes;
    for (int v = 0; v < n; v++)
        if (!is_tetrad_name(report->names[v], n))
            return dpc_refuse_name("Tetrad's text", report->names[v],
                                   "it has no quotes, and ; blanks and arrows have a meaning", err);
    fputs("Graph Nodes:\n", file);
    for (int v = 0; v < n; v++)
        fprintf(file, "%s%s", v > 0 ? ";" : "", report->names[v]);
    fputs("\n\nGraph Edges:\n", file);
    for (int64_t e = 0; e < graph->n_edges && !ferror(file); e++) {
        const dpc_edge *edge = &graph->edges[e];
        fprintf(file, "%lld. %s %s %s\n", (long long)e + 1, report->names[dpc_edge_from(edge)],
                dpc_mark_text(dpc_edge_mark(edge)), report->names[dpc_edge_to(edge)]);
    }
    return DPC_OK;
}

/* ---- bnlearn's model string ---- */

/* Only DAGs: no line, and no circle of arrows, which none of its DAGs would have. */
static dpc_status check_dag(const dpc_report *report, dpc_error *err)
{
    const dpc_graph *graph = report->graph;
    char clipped[2][DPC_CLIP_SIZE];
    for (int64_t e = 0; e < graph->n_edges; e++)
        if (graph->edges[e].mark == DPC_UNDIRECTED)
            return dpc_fail(err, DPC_BAD_INPUT,
                            "a model string has arrows only, but '%s' --- '%s' has no direction; "
                            "write a DAG of the class (--dag), or another format",
                            dpc_clip_name(report->names[graph->edges[e].a], clipped[0]),
                            dpc_clip_name(report->names[graph->edges[e].b], clipped[1]));
    dpc_graph *dag = NULL;
    dpc_status status = dpc_class_member(graph, &dag, NULL);
    dpc_graph_free(dag);
    if (status == DPC_NO_MEMORY)
        return dpc_fail_memory(err, "the graph");
    return status == DPC_OK ? DPC_OK
                            : dpc_fail(err, DPC_BAD_INPUT,
                                       "a model string is of a DAG, but arrows of this graph go "
                                       "round in a circle; write another format");
}

dpc_status dpc_print_model(FILE *file, const dpc_report *report, dpc_error *err)
{
    const dpc_graph *graph = report->graph;
    int n = graph->n_nodes;
    dpc_status status = dpc_needs_nodes(report, "a model string", err);
    if (status == DPC_OK)
        status = check_signs(report, "a model string",
                             "[]|:", "it has no quotes, and [ ] | : have a meaning", err);
    if (status == DPC_OK)
        status = check_dag(report, err);
    if (status != DPC_OK)
        return status;
    int64_t *first = dpc_zalloc((int64_t)n + 2, sizeof *first);
    int32_t *parents = dpc_alloc(graph->n_edges, sizeof *parents);
    if (first == NULL || parents == NULL) {
        free(first);
        free(parents);
        return dpc_fail_memory(err, "the parents");
    }
    /* counted two places further on, so that filling them leaves first[v] where v begins */
    for (int64_t e = 0; e < graph->n_edges; e++)
        first[dpc_edge_to(&graph->edges[e]) + 2]++;
    for (int v = 0; v <= n; v++)
        first[v + 1] += first[v];
    for (int64_t e = 0; e < graph->n_edges; e++)
        parents[first[dpc_edge_to(&graph->edges[e]) + 1]++] = dpc_edge_from(&graph->edges[e]);
    for (int v = 0; v < n && !ferror(file); v++) {
        fprintf(file, "[%s", report->names[v]);
        for (int64_t p = first[v]; p < first[v + 1]; p++)
            fprintf(file, "%c%s", p == first[v] ? '|' : ':', report->names[parents[p]]);
        putc(']', file);
    }
    putc('\n', file);
    free(first);
    free(parents);
    return DPC_OK;
}

/* ---- Arcs ---- */

static void print_arc(FILE *file, const char *from, const char *to)
{
    dpc_print_field(file, from);
    putc(',', file);
    dpc_print_field(file, to);
    putc('\n', file);
}

/* As bnlearn's arcs(): an edge without a direction is there both ways. */
dpc_status dpc_print_arcs(FILE *file, const dpc_report *report, dpc_error *err)
{
    const dpc_graph *graph = report->graph;
    (void)err;
    fputs("from,to\n", file);
    for (int64_t e = 0; e < graph->n_edges && !ferror(file); e++) {
        const dpc_edge *edge = &graph->edges[e];
        const char *from = report->names[dpc_edge_from(edge)],
                   *to = report->names[dpc_edge_to(edge)];
        print_arc(file, from, to);
        if (edge->mark == DPC_UNDIRECTED)
            print_arc(file, to, from);
    }
    return DPC_OK;
}
