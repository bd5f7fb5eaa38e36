/*
 * The graph as a matrix, in the conventions there are. Row i, column j holds the mark of one end of
 * the edge between the two, by numbers:
 *
 *                 the end at   tail   arrow   circle   no edge
 *     csv, tsv        i          1       0                0
 *     pcalg           j          1       0                0
 *     pag             j          3       2       1        0
 *     causallearn     i         -1       1       2        0
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
    bool at_column;         /* an entry is about the end at j */
    const char *numbers[4]; /* what it holds, by dpc_end */
} convention;

/* clang-format off */
static const convention CSV = {',', false, false, {"0", "", "0", "1"}},
                        TSV = {'\t', false, false, {"0", "", "0", "1"}},
                        PCALG = {',', true, true, {"0", "", "0", "1"}},
                        PAG = {',', false, true, {"0", "1", "2", "3"}},
                        CAUSALLEARN = {',', false, false, {"0", "2", "1", "-1"}};
/* clang-format on */

static void print_header(FILE *file, const dpc_report *report, const convention *c)
{
    int n = report->graph->n_nodes;
    if (c->row_names)
        fprintf(file, "\"\"%c", c->delimiter);
    for (int i = 0; i < n; i++) {
        if (c->row_names)
            dpc_print_quoted(file, report->names[i]);
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

/* Of an edge as seen from the node of the row. */
static const char *entry(const convention *c, dpc_mark mark)
{
    return c->numbers[c->at_column ? dpc_end_b(mark) : dpc_end_a(mark)];
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
            dpc_print_quoted(file, report->names[i]);
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
    return print_matrix(file, report, &CSV, err);
}

dpc_status dpc_print_tsv(FILE *file, const dpc_report *report, dpc_error *err)
{
    return print_matrix(file, report, &TSV, err);
}

dpc_status dpc_print_pcalg(FILE *file, const dpc_report *report, dpc_error *err)
{
    return print_matrix(file, report, &PCALG, err);
}

dpc_status dpc_print_causallearn(FILE *file, const dpc_report *report, dpc_error *err)
{
    return print_matrix(file, report, &CAUSALLEARN, err);
}

dpc_status dpc_print_pag(FILE *file, const dpc_report *report, dpc_error *err)
{
    return print_matrix(file, report, &PAG, err);
}
