/*
 * The graph in its formats. Each writer knows one convention; whether the bytes arrive is the
 * matter of output.c, so the writers just print.
 */
#include "write.h"

#include "error.h"
#include "memory.h"

#include <stdlib.h>
#include <string.h>

/* ---- Text in quotes ---- */

/* A CSV field, in quotes where it needs them. */
static void write_csv_field(FILE *file, const char *text)
{
    bool plain = text[0] != '\0' && strpbrk(text, ",;\t\"\n\r") == NULL && text[0] != ' ' &&
                 text[strlen(text) - 1] != ' ';
    if (plain) {
        fputs(text, file);
        return;
    }
    putc('"', file);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            putc('"', file);
        putc(*text, file);
    }
    putc('"', file);
}

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

/* ---- Edge list ---- */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static char *edge_line(char *const *names, const dpc_edge *edge)
{
    const char *from = names[edge->a], *to = names[edge->b];
    bool turn =
        edge->mark == DPC_BACKWARD || (edge->mark == DPC_UNDIRECTED && strcmp(from, to) > 0);
    char *line = NULL;
    if (asprintf(&line, "%s %s %s", turn ? to : from, dpc_mark_text(edge->mark), turn ? from : to) <
        0)
        return NULL;
    return line;
}

static dpc_status write_edges(FILE *file, const dpc_report *report, dpc_error *err)
{
    const dpc_graph *graph = &report->result->graph;
    dpc_status status = DPC_OK;
    char **lines = dpc_zalloc(graph->n_edges, sizeof *lines);
    if (lines == NULL)
        return dpc_fail_memory(err, "the edge list");
    for (int64_t e = 0; e < graph->n_edges && status == DPC_OK; e++)
        if ((lines[e] = edge_line(report->names, &graph->edges[e])) == NULL)
            status = dpc_fail_memory(err, "the edge list");
    if (status == DPC_OK)
        qsort(lines, (size_t)graph->n_edges, sizeof *lines, by_text);
    for (int64_t e = 0; e < graph->n_edges; e++) {
        if (status == DPC_OK)
            fprintf(file, "%s\n", lines[e]);
        free(lines[e]);
    }
    free(lines);
    return status;
}

/* ---- Adjacency matrix ---- */

static dpc_status write_adjacency(FILE *file, const dpc_report *report, dpc_error *err)
{
    const dpc_graph *graph = &report->result->graph;
    int n = graph->n_nodes;
    int64_t width = 2 * (int64_t)n; /* a digit and what follows it */
    char *row = dpc_alloc(width, 1);
    int64_t *first = dpc_zalloc((int64_t)n + 1, sizeof *first);
    dpc_edge *by_end = dpc_alloc(graph->n_edges, sizeof *by_end);
    dpc_status status = DPC_OK;
    if (row == NULL || first == NULL || by_end == NULL) {
        status = dpc_fail_memory(err, "the adjacency matrix");
        goto done;
    }
    /* Row i needs the edges that start at i, which are sorted, and those that end there. */
    for (int64_t e = 0; e < graph->n_edges; e++)
        first[graph->edges[e].b + 1]++;
    for (int i = 0; i < n; i++)
        first[i + 1] += first[i];
    for (int64_t e = graph->n_edges - 1; e >= 0; e--)
        by_end[--first[graph->edges[e].b + 1]] = graph->edges[e];
    for (int i = 0; i < n; i++) {
        write_csv_field(file, report->names[i]);
        putc(i + 1 < n ? ',' : '\n', file);
    }
    int64_t e = 0, f = 0;
    for (int i = 0; i < n && !dpc_report_stopped(report, (double)i / n); i++) {
        for (int j = 0; j < n; j++) {
            row[2 * j] = '0';
            row[2 * j + 1] = j + 1 < n ? ',' : '\n';
        }
        for (; e < graph->n_edges && graph->edges[e].a == i; e++)
            row[2 * graph->edges[e].b] = graph->edges[e].mark == DPC_BACKWARD ? '0' : '1';
        for (; f < graph->n_edges && by_end[f].b == i; f++)
            row[2 * by_end[f].a] = by_end[f].mark == DPC_FORWARD ? '0' : '1';
        fwrite(row, 1, (size_t)width, file);
    }

done:
    free(row);
    free(first);
    free(by_end);
    return status;
}

/* ---- Graphviz ---- */

static dpc_status write_dot(FILE *file, const dpc_report *report)
{
    const dpc_graph *graph = &report->result->graph;
    fputs("digraph dualpc {\n  node [shape=ellipse];\n", file);
    for (int i = 0; i < graph->n_nodes; i++) {
        fputs("  ", file);
        write_dot_string(file, report->names[i]);
        fputs(";\n", file);
    }
    for (int64_t e = 0; e < graph->n_edges; e++) {
        const dpc_edge *edge = &graph->edges[e];
        bool turn = edge->mark == DPC_BACKWARD;
        fputs("  ", file);
        write_dot_string(file, report->names[turn ? edge->b : edge->a]);
        fputs(" -> ", file);
        write_dot_string(file, report->names[turn ? edge->a : edge->b]);
        fputs(edge->mark == DPC_UNDIRECTED ? " [dir=none];\n" : ";\n", file);
    }
    fputs("}\n", file);
    return DPC_OK;
}

/* ---- One door for all ---- */

const char *dpc_mark_text(dpc_mark mark)
{
    return mark == DPC_UNDIRECTED ? "---" : "-->";
}

bool dpc_report_stopped(const dpc_report *report, double fraction)
{
    const dpc_settings *s = report->settings;
    dpc_progress progress = {.stage = DPC_STAGE_WRITE, .fraction = fraction};
    return s != NULL && s->progress != NULL && s->progress(&progress, s->progress_user) != 0;
}

dpc_status dpc_write_report(FILE *file, dpc_format format, const dpc_report *report, dpc_error *err)
{
    dpc_status status = DPC_USAGE;
    switch (format) {
    case DPC_FORMAT_EDGES:
        status = write_edges(file, report, err);
        break;
    case DPC_FORMAT_ADJACENCY:
        status = write_adjacency(file, report, err);
        break;
    case DPC_FORMAT_DOT:
        status = write_dot(file, report);
        break;
    case DPC_FORMAT_JSON:
        status = dpc_write_json(file, report, err);
        break;
    }
    if (status == DPC_OK && dpc_report_stopped(report, 1))
        status = dpc_fail(err, DPC_INTERRUPTED, "interrupted");
    return status;
}

static const struct {
    const char *word;
    dpc_format format;
} FORMATS[] = {
    {"txt", DPC_FORMAT_EDGES},
    {"csv", DPC_FORMAT_ADJACENCY},
    {"dot", DPC_FORMAT_DOT},
    {"json", DPC_FORMAT_JSON},
};

dpc_status dpc_format_of(const char *name, dpc_format *out, dpc_error *err)
{
    const char *slash = strrchr(name, '/'), *base = slash != NULL ? slash + 1 : name;
    const char *dot = strrchr(base, '.');
    const char *word = dot != NULL ? dot + 1 : base;
    for (size_t i = 0; i < sizeof FORMATS / sizeof *FORMATS; i++)
        if (strcmp(word, FORMATS[i].word) == 0) {
            *out = FORMATS[i].format;
            return DPC_OK;
        }
    return dpc_fail(err, DPC_USAGE,
                    "'%s' does not say which format to write; use txt (edge list), csv "
                    "(adjacency matrix), dot or json",
                    name);
}
