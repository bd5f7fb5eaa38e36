/*
 * The graph for Graphviz and for DAGitty.
 *
 * In DOT the ends of an edge of a PAG are the shapes of its arrows, odot for a circle.
 * An arrow has its evidence as an attribute, and looks like it: from 1 on it is a plain arrow,
 * below 1 it is grey, and below 0, where the data speak against it, it is dashed too; so is an
 * arrow that more resamples reverse than keep, whatever its evidence. With
 * frequencies the label and the width of a line are theirs, without them those of a posterior. A
 * nominal variable has two borders.
 */
#include "write.h"

#include "graph.h"
#include "number.h"
#include "status.h"

#include <math.h>
#include <string.h>
#include <strings.h>

/* ---- Graphviz ---- */

/* In quotes, with a backslash before these signs. */
static void write_string(FILE *file, const char *text, const char *signs)
{
    putc('"', file);
    for (; *text != '\0'; text++) {
        if (strchr(signs, *text) != NULL)
            putc('\\', file);
        putc(*text, file);
    }
    putc('"', file);
}

static void write_dot_string(FILE *file, const char *text)
{
    write_string(file, text, "\"\\");
}

/* What the next attribute begins with. */
static const char *before(bool *any)
{
    const char *text = *any ? ", " : " [";
    *any = true;
    return text;
}

static void write_evidence(FILE *file, double evidence, bool doubtful, bool *any)
{
    char text[DPC_NUMBER_SIZE];
    if (!isnan(evidence)) {
        dpc_number_print(evidence, text);
        fprintf(file, "%sevidence=\"%s\"", before(any), isinf(evidence) ? "inf" : text);
    }
    if (evidence < 1 || doubtful)
        fprintf(file, "%scolor=gray50", before(any));
    if (evidence < 0 || doubtful)
        fprintf(file, "%sstyle=dashed", before(any));
}

/* The marks of an edge that is no plain arrow. */
static void write_marks(FILE *file, dpc_mark mark, bool *any)
{
    static const char *const SHAPES[] = {"", "odot", "normal", "none"}; /* by dpc_end */
    if (mark == DPC_UNDIRECTED)
        fprintf(file, "%sdir=none", before(any));
    else if (mark != DPC_FORWARD)
        fprintf(file, "%sdir=both, arrowhead=%s, arrowtail=%s", before(any),
                SHAPES[dpc_end_b(mark)], SHAPES[dpc_end_a(mark)]);
}

/* Is an arrow found, or drawn, more often the other way round? */
static bool is_doubtful(const dpc_report *report, const dpc_edge *edge)
{
    if (report->frequencies != NULL)
        return dpc_is_doubtful(report->frequencies, edge->a, edge->b, edge->mark);
    if (report->posterior == NULL)
        return false;
    dpc_edge_probability p = dpc_report_probability(report, dpc_edge_from(edge), dpc_edge_to(edge));
    return p.backward > p.forward;
}

static void write_edge(FILE *file, const dpc_report *report, const dpc_edge *edge)
{
    bool any = false;
    fputs("  ", file);
    write_dot_string(file, report->names[dpc_edge_from(edge)]);
    fputs(" -> ", file);
    write_dot_string(file, report->names[dpc_edge_to(edge)]);
    write_marks(file, dpc_edge_mark(edge), &any);
    if (edge->mark != DPC_UNDIRECTED)
        write_evidence(file, dpc_report_evidence(report, edge), is_doubtful(report, edge), &any);
    if (report->posterior != NULL) {
        fputs(before(&any), file);
        dpc_print_dot_probability(file, report, edge);
    }
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
        fputs(report->table != NULL && dpc_table_variable(report->table, i).kind == DPC_NOMINAL
                  ? " [peripheries=2];\n"
                  : ";\n",
              file);
    }
    for (int64_t e = 0; e < graph->n_edges && !ferror(file); e++)
        write_edge(file, report, &graph->edges[e]);
    fputs("}\n", file);
    return DPC_OK;
}

/* ---- DAGitty ---- */

/* In DAGitty's strings there are no control characters, and no backslash before the last quote. */
static dpc_status check_dagitty_names(const dpc_report *report, dpc_error *err)
{
    for (int v = 0; v < report->graph->n_nodes; v++) {
        const char *name = report->names[v];
        for (const char *p = name; *p != '\0'; p++)
            if ((unsigned char)*p < 0x20 || *p == 0x7f || (p[0] == '\\' && p[1] == '\0'))
                return dpc_refuse_name("DAGitty's text", name,
                                       "control characters, and a backslash at the end, cannot be "
                                       "written in its quotes",
                                       err);
    }
    return DPC_OK;
}

/* Names stand as they are where they are words of the language, and otherwise in quotes. */
static void write_dagitty_name(FILE *file, const char *name)
{
    static const char DIGITS[] = "0123456789.", WORD[] = "0123456789.ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                                         "abcdefghijklmnopqrstuvwxyz_";
    static const char *const TAKEN[] = {"graph", "node", "edge"};
    bool word = strspn(name, WORD) == strlen(name) && strchr(DIGITS, name[0]) == NULL;
    for (int i = 0; i < 3; i++)
        word = word && strcasecmp(name, TAKEN[i]) != 0;
    if (word)
        fputs(name, file);
    else
        write_string(file, name, "\"");
}

/* A circle is @, and an arrow whose first end is a tail has one - less, unless it ends with @. */
static void write_dagitty_arrow(FILE *file, dpc_mark mark)
{
    char text[4];
    snprintf(text, sizeof text, "%s", dpc_mark_text(mark));
    for (char *p = text; *p != '\0'; p++)
        *p = *p == 'o' ? '@' : *p;
    fprintf(file, " %s ", text[0] == '-' && text[2] != '@' ? text + 1 : text);
}

/* The type of the graph, as far as its marks tell. */
static const char *dagitty_type(const dpc_report *report)
{
    const dpc_graph *graph = report->graph;
    if (dpc_report_is_pag(report))
        return "pag";
    for (int64_t e = 0; e < graph->n_edges; e++)
        if (graph->edges[e].mark == DPC_UNDIRECTED)
            return "pdag";
    return "dag";
}

dpc_status dpc_print_dagitty(FILE *file, const dpc_report *report, dpc_error *err)
{
    const dpc_graph *graph = report->graph;
    DPC_CHECK(check_dagitty_names(report, err));
    fprintf(file, "%s {\n", dagitty_type(report));
    for (int v = 0; v < graph->n_nodes && !ferror(file); v++) {
        write_dagitty_name(file, report->names[v]);
        putc('\n', file);
    }
    for (int64_t e = 0; e < graph->n_edges && !ferror(file); e++) {
        const dpc_edge *edge = &graph->edges[e];
        write_dagitty_name(file, report->names[dpc_edge_from(edge)]);
        write_dagitty_arrow(file, dpc_edge_mark(edge));
        write_dagitty_name(file, report->names[dpc_edge_to(edge)]);
        putc('\n', file);
    }
    fputs("}\n", file);
    return DPC_OK;
}
