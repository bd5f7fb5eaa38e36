/*
 * The edge list: `A --> B`, `A --- B`, `A o-> B` …, one a line, sorted as LC_ALL=C sort would;
 * below them the variables without edges in the order of the columns, each alone on its line. Names
 * that could be read otherwise are in quotes: see edge_names.h.
 */
#include "write.h"

#include "alloc.h"
#include "edge_names.h"
#include "status.h"

#include <stdlib.h>
#include <string.h>

static int by_text(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

/* The name of each node as lines have it, one behind the other, each ended by a NUL. */
static void show_names(FILE *file, const dpc_report *report)
{
    for (int v = 0; v < report->graph->n_nodes; v++) {
        if (dpc_edge_name_is_plain(report->names[v]))
            fputs(report->names[v], file);
        else
            dpc_print_quoted(file, report->names[v]);
        putc('\0', file);
    }
}

/* The lines of the edges, likewise. An edge whose ends are alike begins with the first name. */
static void show_edges(FILE *file, const dpc_graph *graph, char *const *names)
{
    for (int64_t e = 0; e < graph->n_edges; e++) {
        const dpc_edge *edge = &graph->edges[e];
        const char *from = names[dpc_edge_from(edge)], *to = names[dpc_edge_to(edge)];
        bool turn = edge->mark == dpc_turned(edge->mark) && strcmp(from, to) > 0;
        fputs(turn ? to : from, file);
        putc(' ', file);
        fputs(dpc_mark_text(dpc_edge_mark(edge)), file);
        putc(' ', file);
        fputs(turn ? from : to, file);
        putc('\0', file);
    }
}

/* The text in memory and where its `count` parts begin; both are owned by the caller. */
typedef struct parts {
    char *text, **begin;
} parts;

/* The names of the nodes or, where they are given, the lines of the edges. */
static bool make_parts(const dpc_report *report, char *const *names, parts *out)
{
    const dpc_graph *graph = report->graph;
    int64_t count = names != NULL ? graph->n_edges : graph->n_nodes;
    size_t size;
    FILE *file = open_memstream(&out->text, &size);
    out->begin = dpc_alloc(count, sizeof *out->begin);
    if (file == NULL)
        return false;
    if (names != NULL)
        show_edges(file, graph, names);
    else
        show_names(file, report);
    if (fclose(file) != 0 || out->begin == NULL)
        return false;
    char *p = out->text;
    for (int64_t i = 0; i < count; i++, p += strlen(p) + 1)
        out->begin[i] = p;
    return true;
}

static void print_lone(FILE *file, const dpc_report *report, const bool *joined)
{
    for (int v = 0; v < report->graph->n_nodes && !ferror(file); v++) {
        const char *name = report->names[v];
        if (joined[v])
            continue;
        if (dpc_edge_name_is_word(name, strlen(name)))
            fputs(name, file);
        else
            dpc_print_quoted(file, name);
        putc('\n', file);
    }
}

dpc_status dpc_print_edges(FILE *file, const dpc_report *report, dpc_error *err)
{
    const dpc_graph *graph = report->graph;
    parts names = {0}, lines = {0};
    bool *joined = dpc_find_joined(graph);
    bool fine = joined != NULL && make_parts(report, NULL, &names) &&
                make_parts(report, names.begin, &lines);
    if (fine) {
        qsort(lines.begin, (size_t)graph->n_edges, sizeof *lines.begin, by_text);
        for (int64_t e = 0; e < graph->n_edges && !ferror(file); e++) {
            fputs(lines.begin[e], file);
            putc('\n', file);
        }
        print_lone(file, report, joined);
    }
    free(joined);
    free(names.begin);
    free(names.text);
    free(lines.begin);
    free(lines.text);
    return fine ? DPC_OK : dpc_fail_memory(err, "the edge list");
}
