/*
 * The graph for Graphviz.
 *
 * An arrow has its evidence as an attribute, and looks like it: from 1 on it is a plain arrow,
 * below 1 it is grey, and below 0, where the data speak against it, it is dashed too. With
 * frequencies the label and the width of a line are theirs.
 */
#include "write.h"

#include "graph.h"
#include "number.h"

#include <math.h>

static void write_dot_string(FILE *file, const char *text)
{
    putc('"', file);
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\')
            putc('\\', file);
        putc(*text, file);
    }
    putc('"', file);
}

/* What the next attribute begins with. */
static const char *before(bool *any)
{
    const char *text = *any ? ", " : " [";
    *any = true;
    return text;
}

static void write_evidence(FILE *file, double evidence, bool *any)
{
    char text[DPC_NUMBER_SIZE];
    if (isnan(evidence))
        return;
    dpc_number_print(evidence, text);
    fprintf(file, "%sevidence=\"%s\"", before(any), isinf(evidence) ? "inf" : text);
    if (evidence < 1)
        fprintf(file, ", color=gray50%s", evidence < 0 ? ", style=dashed" : "");
}

static void write_edge(FILE *file, const dpc_report *report, const dpc_edge *edge)
{
    bool any = false;
    fputs("  ", file);
    write_dot_string(file, report->names[dpc_edge_from(edge)]);
    fputs(" -> ", file);
    write_dot_string(file, report->names[dpc_edge_to(edge)]);
    if (edge->mark == DPC_UNDIRECTED)
        fprintf(file, "%sdir=none", before(&any));
    else
        write_evidence(file, dpc_report_evidence(report, edge), &any);
    if (report->frequencies != NULL) {
        fputs(before(&any), file);
        dpc_print_dot_frequency(file, report, edge);
    }
    fputs(any ? "];\n" : ";\n", file);
}

dpc_status dpc_print_dot(FILE *file, const dpc_report *report, dpc_error *err)
{
    const dpc_graph *graph = report->graph;
    (void)err;
    fputs("digraph dualpc {\n  node [shape=ellipse];\n", file);
    for (int i = 0; i < graph->n_nodes; i++) {
        fputs("  ", file);
        write_dot_string(file, report->names[i]);
        fputs(";\n", file);
    }
    for (int64_t e = 0; e < graph->n_edges && !ferror(file); e++)
        write_edge(file, report, &graph->edges[e]);
    fputs("}\n", file);
    return DPC_OK;
}
