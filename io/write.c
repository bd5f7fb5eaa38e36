/*
 * The graph in its formats. Each writer knows one convention; whether the bytes arrive is the
 * matter of output.c, so the writers just print.
 */
#include "write.h"

#include "clock.h"
#include "error.h"
#include "graph.h"
#include "memory.h"
#include "place.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- Text in quotes ---- */

void dpc_print_field(FILE *file, const char *text)
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

/* ---- Edge list ---- */

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

static void sort_edges(const dpc_report *report, edge_list *list)
{
    const dpc_graph *graph = report->graph;
    int n = graph->n_nodes;
    rank_names(report->names, n, by_name_in_line, list->first, list->first_rank);
    rank_names(report->names, n, by_name_at_end, list->last, list->last_rank);
    for (int64_t e = 0; e < graph->n_edges; e++) {
        const dpc_edge *edge = &graph->edges[e];
        list->start[list->first_rank[turned(report->names, edge) ? edge->b : edge->a] + 1]++;
    }
    for (int i = 0; i < n; i++)
        list->start[i + 1] += list->start[i];
    for (int64_t e = graph->n_edges - 1; e >= 0; e--) {
        const dpc_edge *edge = &graph->edges[e];
        bool turn = turned(report->names, edge);
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

static dpc_status write_edges(FILE *file, const dpc_report *report, dpc_error *err)
{
    const dpc_graph *graph = report->graph;
    int64_t n = graph->n_nodes;
    edge_list list = {
        .first = dpc_alloc(n, sizeof *list.first),
        .last = dpc_alloc(n, sizeof *list.last),
        .first_rank = dpc_alloc(n, sizeof *list.first_rank),
        .last_rank = dpc_alloc(n, sizeof *list.last_rank),
        .start = dpc_zalloc(n + 2, sizeof *list.start),
        .lines = dpc_alloc(graph->n_edges, sizeof *list.lines),
    };
    dpc_status status = DPC_OK;
    if (!list.first || !list.last || !list.first_rank || !list.last_rank || !list.start ||
        !list.lines) {
        status = dpc_fail_memory(err, "the edge list");
    } else {
        sort_edges(report, &list);
        print_edges(file, &list, (int)n, graph->n_edges);
    }
    free(list.first);
    free(list.last);
    free(list.first_rank);
    free(list.last_rank);
    free(list.start);
    free(list.lines);
    return status;
}

/* ---- Adjacency matrix ---- */

static dpc_status write_adjacency(FILE *file, const dpc_report *report, dpc_error *err)
{
    const dpc_graph *graph = report->graph;
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
        dpc_print_field(file, report->names[i]);
        putc(i + 1 < n ? ',' : '\n', file);
    }
    int64_t e = 0, f = 0;
    for (int i = 0; i < n && !ferror(file); i++) {
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

/* ---- One door for all ---- */

const char *dpc_mark_text(dpc_mark mark)
{
    return mark == DPC_UNDIRECTED ? "---" : "-->";
}

double dpc_report_evidence(const dpc_report *report, const dpc_edge *edge)
{
    bool turn = edge->mark == DPC_BACKWARD;
    if (report->result == NULL || report->min_frequency > 0)
        return NAN;
    return dpc_evidence(report->result, turn ? edge->b : edge->a, turn ? edge->a : edge->b);
}

dpc_settings dpc_report_asks(const dpc_report *report)
{
    dpc_settings asking;
    dpc_settings_default(&asking);
    asking.progress = report->progress;
    asking.progress_user = report->progress_user;
    return asking;
}

bool dpc_write_stopped(dpc_crew *crew, double fraction)
{
    crew->progress.fraction = fraction;
    return dpc_crew_stopped(crew, 0);
}

dpc_status dpc_print_report(FILE *file, const dpc_output *output, dpc_error *err)
{
    const dpc_report *report = output->what;
    dpc_status status = dpc_fail(err, DPC_USAGE, "there is no format %d", output->format);
    switch ((dpc_format)output->format) {
    case DPC_FORMAT_EDGES:
        status = write_edges(file, report, err);
        break;
    case DPC_FORMAT_ADJACENCY:
        status = write_adjacency(file, report, err);
        break;
    case DPC_FORMAT_DOT:
        dpc_print_dot(file, report);
        status = DPC_OK;
        break;
    case DPC_FORMAT_JSON:
        status = dpc_print_json(file, report, output->start, err);
        break;
    case DPC_FORMAT_FREQUENCIES:
        status = dpc_print_frequencies(file, report, err);
        break;
    case DPC_FORMAT_EDGE_TABLE:
        status = dpc_print_edge_table(file, report, err);
        break;
    }
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

static dpc_status unknown_format(const char *name, dpc_error *err)
{
    return dpc_fail(err, DPC_USAGE,
                    "'%s' does not say which format it has; use txt (edge list), csv "
                    "(adjacency matrix), dot or json",
                    name);
}

dpc_status dpc_format_of_word(const char *word, dpc_format *out, dpc_error *err)
{
    for (size_t i = 0; i < sizeof FORMATS / sizeof *FORMATS; i++)
        if (strcmp(word, FORMATS[i].word) == 0) {
            *out = FORMATS[i].format;
            return DPC_OK;
        }
    return unknown_format(word, err);
}

dpc_status dpc_format_of_path(const char *path, dpc_format *out, dpc_error *err)
{
    const char *slash = strrchr(path, '/'), *base = slash != NULL ? slash + 1 : path;
    const char *dot = strrchr(base, '.');
    for (size_t i = 0; dot != NULL && i < sizeof FORMATS / sizeof *FORMATS; i++)
        if (strcasecmp(dot + 1, FORMATS[i].word) == 0) { /* x.CSV is one too */
            *out = FORMATS[i].format;
            return DPC_OK;
        }
    if (!dpc_is_device(path))
        return unknown_format(path, err);
    *out = DPC_FORMAT_EDGES;
    return DPC_OK;
}

static dpc_status add_output(const char *path, const dpc_report *report, dpc_output *out,
                             dpc_error *err)
{
    dpc_format format;
    dpc_status status = dpc_format_of_path(path, &format, err);
    if (status == DPC_OK)
        *out = (dpc_output){
            .path = path, .print = dpc_print_report, .what = report, .format = (int)format};
    return status;
}

/* The same report for every path, and where `fd` is not negative for that too. */
static dpc_status list_outputs(const dpc_report *report, const char *const *paths, int count,
                               int fd, dpc_format fd_format, dpc_output *list, dpc_error *err)
{
    dpc_status status = DPC_OK;
    for (int i = 0; i < count && status == DPC_OK; i++)
        status = add_output(paths[i], report, &list[i], err);
    if (fd >= 0)
        list[count] = (dpc_output){
            .fd = fd, .print = dpc_print_report, .what = report, .format = (int)fd_format};
    return status;
}

dpc_status dpc_write_check(const char *const *paths, int count, int fd, const char *const *inputs,
                           int n_inputs, dpc_error *err)
{
    dpc_output *list = dpc_zalloc((int64_t)count + 1, sizeof *list);
    if (list == NULL)
        return dpc_fail_memory(err, "the outputs");
    dpc_status status = list_outputs(NULL, paths, count, fd, DPC_FORMAT_EDGES, list, err);
    if (status == DPC_OK)
        status = dpc_outputs_check(list, count + (fd >= 0), inputs, n_inputs, err);
    free(list);
    return status;
}

static dpc_status refuse_size(const char *what, int size, const dpc_report *report, dpc_error *err)
{
    return dpc_fail(err, DPC_USAGE, "the %s of the report has %d variables, and its graph %d", what,
                    size, report->graph->n_nodes);
}

/* Is everything in it about the same variables? */
static dpc_status check_report(const dpc_report *report, dpc_error *err)
{
    int n = report->graph->n_nodes;
    dpc_status status = dpc_graph_check(report->graph, "graph", err);
    if (status == DPC_OK && report->dag_path != NULL)
        status = report->dag != NULL
                     ? dpc_graph_check(report->dag, "DAG", err)
                     : dpc_fail(err, DPC_USAGE, "there is no DAG for %s", report->dag_path);
    if (status != DPC_OK)
        return status;
    if (report->dag_path != NULL && report->dag->n_nodes != n)
        return refuse_size("DAG", report->dag->n_nodes, report, err);
    if (report->result != NULL && dpc_result_n_vars(report->result) != n)
        return refuse_size("result", dpc_result_n_vars(report->result), report, err);
    if (report->frequencies != NULL && report->frequencies->n_vars != n)
        return refuse_size("bootstrap", report->frequencies->n_vars, report, err);
    if (report->fit != NULL && report->fit->n_vars != n)
        return refuse_size("fit", report->fit->n_vars, report, err);
    if (report->edge_table != NULL && report->edge_table->n_vars != n)
        return refuse_size("edge table", report->edge_table->n_vars, report, err);
    return DPC_OK;
}

/*
 * The report that writers see: all fields of today, those that the caller's program does not know
 * of being 0, and a graph.
 */
static dpc_status take_report(const dpc_report *given, dpc_report *out, dpc_error *err)
{
    *out = (dpc_report){0};
    if (given->size < offsetof(dpc_report, separating_sets))
        return dpc_fail(err, DPC_USAGE, "the size of a report is sizeof(dpc_report), not %zu",
                        given->size);
    memcpy(out, given, given->size < sizeof *out ? given->size : sizeof *out);
    if (out->names == NULL || (out->result == NULL && out->graph == NULL))
        return dpc_fail(err, DPC_USAGE, "a report needs names, and a result or a graph");
    if (out->graph == NULL)
        out->graph = dpc_result_graph(out->result);
    return check_report(out, err);
}

/* JSON tells what the writing of the others took: it comes last. */
static void start_outputs(dpc_output *list, int count)
{
    double start = dpc_seconds();
    for (int i = 0; i < count; i++) {
        dpc_output output = list[i];
        int to = i;
        for (; output.format != DPC_FORMAT_JSON && to > 0; to--) {
            if (list[to - 1].format != DPC_FORMAT_JSON)
                break;
            list[to] = list[to - 1];
        }
        list[to] = output;
        list[to].start = start;
    }
}

/* One of the tables of a report, whose paths need not say which it is. */
static dpc_output table_output(const dpc_report *report, const char *path, dpc_format format)
{
    return (dpc_output){
        .path = path, .print = dpc_print_report, .what = report, .format = (int)format};
}

dpc_status dpc_write(const dpc_report *given, const char *const *paths, int count, int fd,
                     dpc_format fd_format, dpc_error *err)
{
    dpc_report report, dag_report;
    dpc_status status = take_report(given, &report, err);
    if (status != DPC_OK)
        return status;
    int total = count + (fd >= 0);
    dpc_output *list = dpc_zalloc((int64_t)count + 4, sizeof *list);
    if (list == NULL)
        return dpc_fail_memory(err, "the outputs");
    status = list_outputs(&report, paths, count, fd, fd_format, list, err);
    if (status == DPC_OK && report.dag_path != NULL) { /* the same report of another graph */
        dag_report = report;
        dag_report.graph = report.dag;
        status = add_output(report.dag_path, &dag_report, &list[total++], err);
    }
    if (status == DPC_OK && report.frequencies_path != NULL)
        list[total++] = table_output(&report, report.frequencies_path, DPC_FORMAT_FREQUENCIES);
    if (status == DPC_OK && report.edge_table_path != NULL)
        list[total++] = table_output(&report, report.edge_table_path, DPC_FORMAT_EDGE_TABLE);
    if (status == DPC_OK) {
        dpc_settings asking = dpc_report_asks(&report);
        start_outputs(list, total);
        status = dpc_outputs_write(list, total, &asking, err);
    }
    free(list);
    return status;
}

dpc_status dpc_write_string(const dpc_report *given, dpc_format format, char **out, size_t *length,
                            dpc_error *err)
{
    dpc_report report;
    dpc_status status = take_report(given, &report, err);
    if (status != DPC_OK)
        return status;
    dpc_settings asking = dpc_report_asks(&report);
    dpc_output output = {.fd = -1,
                         .print = dpc_print_report,
                         .what = &report,
                         .format = (int)format,
                         .start = dpc_seconds()};
    size_t size;
    return dpc_output_string(&output, &asking, out, length != NULL ? length : &size, err);
}

void dpc_string_free(char *text)
{
    free(text);
}
