/*
 * The edge list: `A --> B` or `A --- B`, one a line, sorted as LC_ALL=C sort would. Names that
 * could be read otherwise are in quotes: see edge_names.h.
 */
#include "write.h"

#include "alloc.h"
#include "edge_names.h"
#include "status.h"

#include <stdlib.h>
#include <string.h>

/* What follows the name that a line begins with. */
typedef struct line {
    int32_t to; /* rank of the name that it ends with */
    bool directed;
} line;

typedef struct ranked_name {
    const char *name;
    int32_t node;
} ranked_name;

/* The order of lines that begin with these names: what follows a name is " --". */
static int by_name_in_line(const void *pa, const void *pb)
{
    static const char after[] = " --";
    const char *a = ((const ranked_name *)pa)->name, *b = ((const ranked_name *)pb)->name;
    while (*a != '\0' && *a == *b)
        a++, b++;
    const char *p = *a != '\0' ? a : after, *q = *b != '\0' ? b : after;
    while (*p != '\0' && *p == *q)
        p++, q++;
    return (unsigned char)*p - (unsigned char)*q;
}

/* The order of lines that end with these names. */
static int by_name_at_end(const void *pa, const void *pb)
{
    return strcmp(((const ranked_name *)pa)->name, ((const ranked_name *)pb)->name);
}

static int by_mark_and_end(const void *pa, const void *pb)
{
    const line *a = pa, *b = pb;
    if (a->directed != b->directed)
        return a->directed ? 1 : -1; /* '-' comes before '>' */
    return (a->to > b->to) - (a->to < b->to);
}

/* Which end of the edge its line begins with. */
static bool turned(const char *const *names, const dpc_edge *edge)
{
    return edge->mark == DPC_BACKWARD ||
           (edge->mark == DPC_UNDIRECTED && strcmp(names[edge->a], names[edge->b]) > 0);
}

typedef struct edge_list {
    char **shown;              /* the names as lines have them; those in quotes are owned */
    ranked_name *first, *last; /* the names, sorted as a line begins, and as it ends, with them */
    int32_t *first_rank, *last_rank; /* of each node in that order */
    int64_t *start;                  /* of the lines of each first rank */
    line *lines;
} edge_list;

static void rank_names(const char *const *names, int n, int order(const void *, const void *),
                       ranked_name *sorted, int32_t *rank)
{
    for (int v = 0; v < n; v++)
        sorted[v] = (ranked_name){names[v], v};
    qsort(sorted, (size_t)n, sizeof *sorted, order);
    for (int i = 0; i < n; i++)
        rank[sorted[i].node] = i;
}

static void sort_edges(const dpc_graph *graph, edge_list *list)
{
    int n = graph->n_nodes;
    const char *const *names = (const char *const *)list->shown;
    rank_names(names, n, by_name_in_line, list->first, list->first_rank);
    rank_names(names, n, by_name_at_end, list->last, list->last_rank);
    for (int64_t e = 0; e < graph->n_edges; e++) {
        const dpc_edge *edge = &graph->edges[e];
        list->start[list->first_rank[turned(names, edge) ? edge->b : edge->a] + 1]++;
    }
    for (int i = 0; i < n; i++)
        list->start[i + 1] += list->start[i];
    for (int64_t e = graph->n_edges - 1; e >= 0; e--) {
        const dpc_edge *edge = &graph->edges[e];
        bool turn = turned(names, edge);
        int from = list->first_rank[turn ? edge->b : edge->a];
        int to = list->last_rank[turn ? edge->a : edge->b];
        list->lines[--list->start[from + 1]] = (line){to, edge->mark != DPC_UNDIRECTED};
    }
}

/* After sort_edges start[i + 1] is where the lines of rank i begin. */
static void print_edges(FILE *file, edge_list *list, int n, int64_t n_edges)
{
    for (int i = 0; i < n && !ferror(file); i++) {
        int64_t first = list->start[i + 1], end = i + 1 < n ? list->start[i + 2] : n_edges;
        qsort(list->lines + first, (size_t)(end - first), sizeof *list->lines, by_mark_and_end);
        for (int64_t e = first; e < end; e++)
            fprintf(file, "%s %s %s\n", list->first[i].name,
                    list->lines[e].directed ? "-->" : "---", list->last[list->lines[e].to].name);
    }
}

/* Every name as it is, or in quotes. */
static bool show_names(const dpc_report *report, char **shown)
{
    for (int v = 0; v < report->graph->n_nodes; v++) {
        const char *name = report->names[v];
        shown[v] = (char *)name;
        if (dpc_edge_name_is_plain(name))
            continue;
        shown[v] = dpc_alloc(2 * (int64_t)strlen(name) + 3, 1);
        if (shown[v] == NULL)
            return false;
        dpc_edge_name_quote(name, shown[v]);
    }
    return true;
}

static void free_shown(const dpc_report *report, char **shown)
{
    for (int v = 0; shown != NULL && v < report->graph->n_nodes; v++)
        if (shown[v] != report->names[v])
            free(shown[v]);
    free(shown);
}

dpc_status dpc_print_edges(FILE *file, const dpc_report *report, dpc_error *err)
{
    const dpc_graph *graph = report->graph;
    int64_t n = graph->n_nodes;
    edge_list list = {
        .shown = dpc_zalloc(n, sizeof *list.shown),
        .first = dpc_alloc(n, sizeof *list.first),
        .last = dpc_alloc(n, sizeof *list.last),
        .first_rank = dpc_alloc(n, sizeof *list.first_rank),
        .last_rank = dpc_alloc(n, sizeof *list.last_rank),
        .start = dpc_zalloc(n + 2, sizeof *list.start),
        .lines = dpc_alloc(graph->n_edges, sizeof *list.lines),
    };
    dpc_status status = DPC_OK;
    if (!list.shown || !list.first || !list.last || !list.first_rank || !list.last_rank ||
        !list.start || !list.lines || !show_names(report, list.shown)) {
        status = dpc_fail_memory(err, "the edge list");
    } else {
        sort_edges(graph, &list);
        print_edges(file, &list, (int)n, graph->n_edges);
    }
    free_shown(report, list.shown);
    free(list.first);
    free(list.last);
    free(list.first_rank);
    free(list.last_rank);
    free(list.start);
    free(list.lines);
    return status;
}
