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
#include "verdict.h"

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
     * /cov the title of a covariance matrix, and a bracket or brace may begin JSON */
    bool plain = text[0] != '\0' && strpbrk(text, ",;\t\"\n\r") == NULL &&
                 strchr(" #/[{", text[0]) == NULL && text[strlen(text) - 1] != ' ' &&
                 !dpc_has_mark(text);
    if (plain)
        fputs(text, file);
    else
        dpc_print_quoted(file, text);
}

/* ---- Text in columns ---- */

/* Characters, not bytes. */
int dpc_text_width(const char *text)
{
    int width = 0;
    for (; *text != '\0'; text++)
        width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}

void dpc_print_padded(FILE *file, const char *text, int width)
{
    fprintf(file, "%s%*s", text, width - dpc_text_width(text) + 2, "");
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

bool dpc_report_is_pag(const dpc_report *report)
{
    return dpc_graph_is_pag(report->graph) ||
           (report->result != NULL && report->graph != report->dag &&
            dpc_result_settings(report->result)->latent != DPC_HIDDEN_NONE);
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

dpc_status dpc_print_report(FILE *file, const dpc_printing *output, dpc_error *err)
{
    const dpc_report *report = output->what;
    const dpc_format_row *row = dpc_format_find((dpc_format)output->format);
    if (row == NULL)
        return dpc_fail(err, DPC_USAGE, "there is no format %d", output->format);
    if (!row->says_pags && dpc_report_is_pag(report))
        return refuse_pag(row, err);
    if (output->format == DPC_FORMAT_JSON)
        return dpc_print_json(file, report, output->start, err);
    if (row->print == NULL)
        return dpc_fail(err, DPC_USAGE,
                        "a %s (.%s) can be had from dualpc learn and dualpc convert only",
                        row->title, row->word);
    return row->print(file, report, err);
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
    if (status == DPC_OK && report->dag != NULL)
        status = dpc_graph_check(report->dag, "DAG", err);
    if (status == DPC_OK && report->truth != NULL)
        status = dpc_graph_check(report->truth, "truth", err);
    if (status != DPC_OK)
        return status;
    if (report->dag != NULL && report->dag->n_nodes != n)
        return refuse_size("DAG", report->dag->n_nodes, report, err);
    if (report->truth != NULL && report->truth->n_nodes != n)
        return refuse_size("truth", report->truth->n_nodes, report, err);
    if (report->result != NULL && dpc_result_info(report->result)->n_vars != n)
        return refuse_size("result", dpc_result_info(report->result)->n_vars, report, err);
    if (report->frequencies != NULL && report->frequencies->n_vars != n)
        return refuse_size("bootstrap", report->frequencies->n_vars, report, err);
    if (report->fit != NULL && report->fit->n_vars != n)
        return refuse_size("fit", report->fit->n_vars, report, err);
    if (report->edge_table != NULL && report->edge_table->n_vars != n)
        return refuse_size("edge table", report->edge_table->n_vars, report, err);
    if (report->node_table != NULL && report->node_table->n_vars != n)
        return refuse_size("node table", report->node_table->n_vars, report, err);
    if (report->assumptions != NULL && report->assumptions->n_vars != n)
        return refuse_size("list of assumptions", report->assumptions->n_vars, report, err);
    if (report->posterior != NULL && report->posterior->n_vars != n)
        return refuse_size("posterior", report->posterior->n_vars, report, err);
    return DPC_OK;
}

dpc_status dpc_take_report(const dpc_report *given, dpc_report *out, dpc_error *err)
{
    *out = (dpc_report){0};
    if (given->size < offsetof(dpc_report, dag))
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

/* ---- What of it goes where ---- */

static dpc_status print_bytes(FILE *file, const dpc_printing *printing, dpc_error *err)
{
    const dpc_output *output = printing->what;
    (void)err;
    fwrite(output->bytes, 1, output->n_bytes, file);
    return DPC_OK;
}

/* What is written in one way only, tables as CSV; NULL: something else. */
static dpc_status (*const TABLES[])(FILE *file, const dpc_report *report, dpc_error *err) = {
    [DPC_CONTENT_FREQUENCIES] = dpc_print_frequencies,
    [DPC_CONTENT_EDGE_TABLE] = dpc_print_edge_table,
    [DPC_CONTENT_EFFECTS] = NULL,
    [DPC_CONTENT_DIFFERENCES] = dpc_print_differences,
    [DPC_CONTENT_NODE_TABLE] = dpc_print_node_table,
    [DPC_CONTENT_VERDICT] = dpc_print_verdict,
    [DPC_CONTENT_GRAPH_AND_FREQUENCIES] = dpc_print_edges_and_frequencies,
    [DPC_CONTENT_PROBABILITIES] = dpc_print_probabilities,
    [DPC_CONTENT_PROBABLE_EDGES] = dpc_print_probable_edges,
    [DPC_CONTENT_DRAWS] = dpc_print_draws,
    [DPC_CONTENT_POSTERIOR_EFFECTS] = dpc_print_posterior_effects,
};
enum { N_CONTENTS = sizeof TABLES / sizeof *TABLES };

/* For dpc_printing: `format` is a dpc_content. */
static dpc_status print_table(FILE *file, const dpc_printing *printing, dpc_error *err)
{
    return TABLES[printing->format](file, printing->what, err);
}

/* The format itself in the place of DPC_FORMAT_AUTO. */
static dpc_status find_format(const dpc_output *output, int *format, dpc_error *err)
{
    dpc_format found = output->format != DPC_FORMAT_AUTO ? output->format : DPC_FORMAT_EDGES;
    if (output->format == DPC_FORMAT_AUTO && output->path != NULL)
        DPC_CHECK(dpc_format_of_path(output->path, &found, err));
    *format = (int)found;
    return DPC_OK;
}

/* The printing of one output; `dag` is the same report of another graph. */
static dpc_status printing_of(const dpc_output *output, const dpc_report *report,
                              const dpc_report *dag, dpc_printing *out, dpc_error *err)
{
    const char *name = output->path != NULL ? output->path : "standard output";
    *out = (dpc_printing){.path = output->path, .fd = output->fd, .what = report};
    if (output->bytes != NULL) {
        out->print = print_bytes;
        out->what = output;
        return DPC_OK;
    }
    if ((unsigned)output->what >= N_CONTENTS)
        return dpc_fail(err, DPC_USAGE, "there is no content %d for %s", (int)output->what, name);
    if (TABLES[output->what] != NULL) {
        out->print = print_table;
        out->format = (int)output->what;
        return DPC_OK;
    }
    if (output->what == DPC_CONTENT_DAG && report->dag == NULL)
        return dpc_fail(err, DPC_USAGE, "there is no DAG for %s", name);
    if (output->what == DPC_CONTENT_DAG)
        out->what = dag;
    out->print = output->what == DPC_CONTENT_EFFECTS ? dpc_print_effects : dpc_print_report;
    return find_format(output, &out->format, err);
}

/* Is it the JSON of a report? */
static bool is_json(const dpc_printing *p)
{
    return p->print == dpc_print_report && p->format == DPC_FORMAT_JSON;
}

/* That tells what the writing of the others took: it comes last. */
static void start_printings(dpc_printing *list, int count)
{
    double start = dpc_seconds();
    for (int i = 0; i < count; i++) {
        dpc_printing printing = list[i];
        int to = i;
        for (; !is_json(&printing) && to > 0; to--) {
            if (!is_json(&list[to - 1]))
                break;
            list[to] = list[to - 1];
        }
        list[to] = printing;
        list[to].start = start;
    }
}

dpc_status dpc_write_check(const dpc_output *outputs, int count, const char *const *inputs,
                           int n_inputs, dpc_error *err)
{
    dpc_printing *list = dpc_zalloc(count, sizeof *list);
    if (list == NULL)
        return dpc_fail_memory(err, "the outputs");
    for (int i = 0; i < count; i++)
        list[i] = (dpc_printing){.path = outputs[i].path, .fd = outputs[i].fd};
    dpc_status status = dpc_printings_check(list, count, inputs, n_inputs, err);
    free(list);
    return status;
}

dpc_status dpc_write_check_pag(const dpc_output *outputs, int count, dpc_error *err)
{
    for (int i = 0; i < count; i++) {
        int format;
        if (outputs[i].what != DPC_CONTENT_GRAPH)
            continue;
        DPC_CHECK(find_format(&outputs[i], &format, err));
        const dpc_format_row *row = dpc_format_find((dpc_format)format);
        if (row != NULL && !row->says_pags)
            return refuse_pag(row, err);
    }
    return DPC_OK;
}

/* The same about the DAG, without what is about the graph alone. */
static dpc_report about_dag(const dpc_report *report)
{
    dpc_report dag = *report;
    dag.graph = report->dag;
    dag.node_table = NULL;
    return dag;
}

dpc_status dpc_write(const dpc_report *given, const dpc_output *outputs, int count, dpc_error *err)
{
    dpc_report report;
    DPC_CHECK(dpc_take_report(given, &report, err));
    const dpc_report dag = about_dag(&report);
    dpc_settings asking = dpc_report_asks(&report);
    dpc_printing *list = dpc_zalloc(count, sizeof *list);
    dpc_status status = list != NULL ? DPC_OK : dpc_fail_memory(err, "the outputs");
    for (int i = 0; i < count && status == DPC_OK; i++)
        status = printing_of(&outputs[i], &report, &dag, &list[i], err);
    if (status == DPC_OK) {
        start_printings(list, count);
        status = dpc_printings_write(list, count, &asking, err);
    }
    free(list);
    return status;
}

dpc_status dpc_write_string(const dpc_report *given, dpc_content what, dpc_format format,
                            char **out, size_t *length, dpc_error *err)
{
    dpc_report report;
    dpc_printing printing;
    const dpc_output output = {.fd = -1, .format = format, .what = what};
    size_t size;
    DPC_CHECK(dpc_take_report(given, &report, err));
    const dpc_report dag = about_dag(&report);
    dpc_settings asking = dpc_report_asks(&report);
    DPC_CHECK(printing_of(&output, &report, &dag, &printing, err));
    start_printings(&printing, 1);
    return dpc_printing_string(&printing, &asking, out, length != NULL ? length : &size, err);
}

void dpc_string_free(char *text)
{
    free(text);
}
