/*
 * The graph as a matrix, in the conventions there are. What row i, column j holds for an edge
 * between the two:
 *
 *              csv, tsv   pcalg   causallearn
 *     i → j       1         0         -1
 *     i ← j       0         1          1
 *     i — j       1         1         -1
 *
 * The first line has the names; pcalg has them also before each row, as R's write.csv does.
 */
#include "write.h"

#include "alloc.h"
#include "graph.h"
#include "status.h"

#include <stdlib.h>
#include <string.h>

typedef struct convention {
    char delimiter;
    bool row_names;
    const char *tail, *head, *line; /* what an entry holds for i → j, i ← j and i — j */
} convention;

/* As R's write.csv has names: always in quotes. */
static void print_quoted(FILE *file, const char *text)
{
    putc('"', file);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            putc('"', file);
        putc(*text, file);
    }
    putc('"', file);
}

static void print_header(FILE *file, const dpc_report *report, const convention *c)
{
    int n = report->graph->n_nodes;
    if (c->row_names)
        fprintf(file, "\"\"%c", c->delimiter);
    for (int i = 0; i < n; i++) {
        if (c->row_names)
            print_quoted(file, report->names[i]);
        else
            dpc_print_field(file, report->names[i]);
        putc(i + 1 < n ? c->delimiter : '\n', file);
    }
}

/* The edges by their larger end; `first` has n + 1 places, all zero. */
static void sort_by_end(const dpc_graph *graph, int64_t *first, dpc_edge *by_end)
{
    for (int64_t e = 0; e < graph->n_edges; e++)
        first[graph->edges[e].b + 1]++;
    for (int i = 0; i < graph->n_nodes; i++)
        first[i + 1] += first[i];
    for (int64_t e = graph->n_edges - 1; e >= 0; e--)
        by_end[--first[graph->edges[e].b + 1]] = graph->edges[e];
}

static const char *entry(const convention *c, dpc_mark mark)
{
    return mark == DPC_UNDIRECTED ? c->line : mark == DPC_FORWARD ? c->tail : c->head;
}

static dpc_status print_matrix(FILE *file, const dpc_report *report, const convention *c,
                               dpc_error *err)
{
    const dpc_graph *graph = report->graph;
    int n = graph->n_nodes;
    const char **row = dpc_alloc(n, sizeof *row);
    int64_t *first = dpc_zalloc((int64_t)n + 1, sizeof *first);
    dpc_edge *by_end = dpc_alloc(graph->n_edges, sizeof *by_end);
    dpc_status status = dpc_needs_nodes(report, "a matrix", err);
    if (status != DPC_OK)
        goto done;
    if (row == NULL || first == NULL || by_end == NULL) {
        status = dpc_fail_memory(err, "the adjacency matrix");
        goto done;
    }
    sort_by_end(graph, first, by_end);
    print_header(file, report, c);
    int64_t e = 0, f = 0;
    for (int i = 0; i < n && !ferror(file); i++) {
        for (int j = 0; j < n; j++)
            row[j] = "0";
        /* row i needs the edges that start at i, which are sorted, and those that end there */
        for (; e < graph->n_edges && graph->edges[e].a == i; e++)
            row[graph->edges[e].b] = entry(c, graph->edges[e].mark);
        for (; f < graph->n_edges && by_end[f].b == i; f++)
            row[by_end[f].a] = entry(c, dpc_turned(by_end[f].mark));
        if (c->row_names) {
            print_quoted(file, report->names[i]);
            putc(c->delimiter, file);
        }
        for (int j = 0; j < n; j++) {
            fputs(row[j], file);
            putc(j + 1 < n ? c->delimiter : '\n', file);
        }
    }

done:
    free(row);
    free(first);
    free(by_end);
    return status;
}

dpc_status dpc_print_adjacency(FILE *file, const dpc_report *report, dpc_error *err)
{
    return print_matrix(file, report, &(convention){',', false, "1", "0", "1"}, err);
}

dpc_status dpc_print_tsv(FILE *file, const dpc_report *report, dpc_error *err)
{
    return print_matrix(file, report, &(convention){'\t', false, "1", "0", "1"}, err);
}

dpc_status dpc_print_pcalg(FILE *file, const dpc_report *report, dpc_error *err)
{
    return print_matrix(file, report, &(convention){',', true, "0", "1", "1"}, err);
}

dpc_status dpc_print_causallearn(FILE *file, const dpc_report *report, dpc_error *err)
{
    return print_matrix(file, report, &(convention){',', false, "-1", "1", "-1"}, err);
}
