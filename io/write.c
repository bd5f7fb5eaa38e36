/*
 * A report to files, in formats by the table of formats.c. Each writer knows one convention;
 * whether the bytes arrive is the matter of output.c, so the writers just print.
 */
#include "write.h"

#include "alloc.h"
#include "formats.h"
#include "graph.h"
#include "platform.h"
#include "source.h"
#include "status.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- Text in quotes ---- */

void dpc_print_quoted(FILE *file, const char *text)
{
    putc('"', file);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            putc('"', file);
        putc(*text, file);
    }
    putc('"', file);
}

void dpc_print_field(FILE *file, const char *text)
{
    /* blanks would be lost, as would a byte order mark; a line that begins with # is a comment,
     * and /cov the title of a covariance matrix */
    bool plain = text[0] != '\0' && strpbrk(text, ",;\t\"\n\r") == NULL && text[0] != ' ' &&
                 text[strlen(text) - 1] != ' ' && !dpc_has_mark(text) && text[0] != '#' &&
                 text[0] != '/';
    if (plain)
        fputs(text, file);
    else
        dpc_print_quoted(file, text);
}

/* ---- What writers ask of a graph ---- */

bool *dpc_find_joined(const dpc_graph *graph)
{
    bool *joined = dpc_zalloc(graph->n_nodes, sizeof *joined);
    for (int64_t e = 0; joined != NULL && e < graph->n_edges; e++)
        joined[graph->edges[e].a] = joined[graph->edges[e].b] = true;
    return joined;
}

bool dpc_has_arrows(const dpc_graph *graph)
{
    for (int64_t e = 0; e < graph->n_edges; e++)
        if (graph->edges[e].mark != DPC_UNDIRECTED)
            return true;
    return graph->n_edges == 0;
}

dpc_status dpc_refuse_name(const char *format, const char *name, const char *why, dpc_error *err)
{
    char clipped[DPC_CLIP_SIZE];
    return dpc_fail(err, DPC_BAD_INPUT,
                    "'%s' cannot be the name of a node in %s: %s; rename it, or write another "
                    "format",
                    dpc_clip_name(name, clipped), format, why);
}

/* ---- One door for all ---- */

double dpc_report_evidence(const dpc_report *report, const dpc_edge *edge)
{
    if (report->result == NULL || report->min_frequency > 0)
        return NAN;
    return dpc_evidence(report->result, dpc_edge_from(edge), dpc_edge_to(edge));
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

static dpc_status refuse_pag(const dpc_format_row *row, dpc_error *err)
{
    char words[DPC_MESSAGE_SIZE];
    dpc_format_words(words, true);
    return dpc_fail(
        err, DPC_BAD_INPUT,
        "the graph is a PAG, and %s (%s) cannot hold its circles and double arrowheads; "
        "write one of %s",
        row->word, row->title, words);
}

dpc_status dpc_print_report(FILE *file, const dpc_output *output, dpc_error *err)
{
    const dpc_report *report = output->what;
    const dpc_format_row *row = dpc_format_find((dpc_format)output->format);
    if (row == NULL)
        return dpc_fail(err, DPC_USAGE, "there is no format %d", output->format);
    if (!row->says_pags && dpc_graph_is_pag(report->graph))
        return refuse_pag(row, err);
    if (output->format == DPC_FORMAT_JSON)
        return dpc_print_json(file, report, output->start, err);
    if (row->print == NULL)
        return dpc_fail(err, DPC_USAGE,
                        "a %s (.%s) can be had from dualpc learn and dualpc convert only",
                        row->title, row->word);
    return row->print(file, report, err);
}

/* For dpc_output: `what` is a dpc_made. */
static dpc_status print_made(FILE *file, const dpc_output *output, dpc_error *err)
{
    const dpc_made *made = output->what;
    (void)err;
    fwrite(made->bytes, 1, made->size, file);
    return DPC_OK;
}

/* What the caller has made for this path, or for standard output where it is NULL; or NULL. */
static const dpc_made *find_made(const dpc_report *report, const char *path)
{
    for (int i = 0; report != NULL && i < report->n_made; i++) {
        const char *own = report->made[i].path;
        if (path == NULL ? own == NULL : own != NULL && strcmp(own, path) == 0)
            return &report->made[i];
    }
    return NULL;
}

/* To a file, or where `path` is NULL to `fd`, in this format unless the bytes are there already. */
static dpc_output output_of(const dpc_report *report, const char *path, int fd, dpc_format format)
{
    const dpc_made *made = find_made(report, path);
    if (made != NULL)
        return (dpc_output){
            .path = path, .fd = fd, .print = print_made, .what = made, .format = -1};
    return (dpc_output){
        .path = path, .fd = fd, .print = dpc_print_report, .what = report, .format = (int)format};
}

static dpc_status add_output(const char *path, const dpc_report *report, dpc_output *out,
                             dpc_error *err)
{
    dpc_format format = DPC_FORMAT_EDGES;
    dpc_status status = DPC_OK;
    if (find_made(report, path) == NULL)
        status = dpc_format_of_path(path, &format, err);
    if (status == DPC_OK)
        *out = output_of(report, path, -1, format);
    return status;
}

dpc_status dpc_write_check(const char *const *paths, int count, int fd, const char *const *inputs,
                           int n_inputs, dpc_error *err)
{
    dpc_output *list = dpc_zalloc((int64_t)count + 1, sizeof *list);
    if (list == NULL)
        return dpc_fail_memory(err, "the outputs");
    for (int i = 0; i < count; i++)
        list[i] = (dpc_output){.path = paths[i]};
    if (fd >= 0)
        list[count] = (dpc_output){.fd = fd};
    dpc_status status = dpc_outputs_check(list, count + (fd >= 0), inputs, n_inputs, err);
    free(list);
    return status;
}

dpc_status dpc_needs_nodes(const dpc_report *report, const char *what, dpc_error *err)
{
    if (report->graph->n_nodes > 0)
        return DPC_OK;
    return dpc_fail(err, DPC_BAD_INPUT,
                    "%s cannot say a graph without nodes: there would be nothing to read; write "
                    "another format",
                    what);
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
    if (report->result != NULL && dpc_result_info(report->result)->n_vars != n)
        return refuse_size("result", dpc_result_info(report->result)->n_vars, report, err);
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
    bool empty = out->result == NULL && out->graph != NULL && out->graph->n_nodes == 0;
    if ((out->names == NULL && !empty) || (out->result == NULL && out->graph == NULL))
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
    dpc_effects_report effects;
    dpc_status status = take_report(given, &report, err);
    if (status != DPC_OK)
        return status;
    int total = count + (fd >= 0);
    dpc_output *list = dpc_zalloc((int64_t)count + 5, sizeof *list);
    if (list == NULL)
        return dpc_fail_memory(err, "the outputs");
    for (int i = 0; i < count && status == DPC_OK; i++)
        status = add_output(paths[i], &report, &list[i], err);
    if (fd >= 0)
        list[count] = output_of(&report, NULL, fd, fd_format);
    if (status == DPC_OK && report.dag_path != NULL) { /* the same report of another graph */
        dag_report = report;
        dag_report.graph = report.dag;
        status = add_output(report.dag_path, &dag_report, &list[total++], err);
    }
    if (status == DPC_OK && report.frequencies_path != NULL)
        list[total++] = table_output(&report, report.frequencies_path, DPC_FORMAT_FREQUENCIES);
    if (status == DPC_OK && report.edge_table_path != NULL)
        list[total++] = table_output(&report, report.edge_table_path, DPC_FORMAT_EDGE_TABLE);
    if (status == DPC_OK && report.effects_path != NULL) {
        effects = (dpc_effects_report){.effects = report.effects,
                                       .names = report.names,
                                       .n_names = report.graph->n_nodes,
                                       .resampled = report.effects_resampled};
        list[total++] = (dpc_output){.path = report.effects_path,
                                     .print = dpc_print_effects,
                                     .what = &effects,
                                     .format = DPC_FORMAT_ADJACENCY};
    }
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
