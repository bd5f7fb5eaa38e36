/*
 * Pictures and reports: made before anything is written, since Graphviz may take its time and a
 * Ctrl-C must end it; what is then written is bytes.
 */
#include "alloc.h"
#include "cli.h"
#include "picture.h"
#include "platform.h"
#include "report.h"
#include "status.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_VARIABLES = 150 }; /* whose effects a report tells: about 22,000 pairs */

/* The format of a path, where it is a picture or a report. */
static bool is_look(const char *path, dpc_format *format)
{
    return path != NULL && dpc_format_of_path(path, format, NULL) == DPC_OK &&
           dpc_format_is_made(*format);
}

bool wants_look(const options *o, bool report_only)
{
    dpc_format format = o->stdout_format;
    bool any =
        o->to_stdout && dpc_format_is_made(format) && (!report_only || format == DPC_FORMAT_HTML);
    for (int i = 0; i < o->n_outputs; i++)
        any =
            any || (is_look(o->outputs[i], &format) && (!report_only || format == DPC_FORMAT_HTML));
    return any || (!report_only && is_look(o->dag, &format));
}

/* What is in the making. */
typedef struct studio {
    const look_request *ask;
    const dpc_report *report; /* of the graph that is drawn */
    dpc_picture *picture;     /* of it; NULL: not needed yet */
    dpc_error *err;
} studio;

/* Adds the time since `start` to a stage. */
static void take_time(const studio *s, dpc_stage stage, double start)
{
    if (s->ask->seconds != NULL)
        s->ask->seconds[stage] += dpc_seconds() - start;
}

/* The edge table with probabilities where it would have the frequencies of resamples. */
static dpc_status show_probabilities(const dpc_report *report, dpc_edge_table **out, dpc_error *err)
{
    const dpc_edge_table *table = report->edge_table;
    if (report->posterior == NULL || report->frequencies != NULL || table == NULL)
        return DPC_OK;
    dpc_edge_table *shown = dpc_zalloc(1, sizeof *shown);
    dpc_edge_row *rows = dpc_alloc(table->n_rows + 1, sizeof *rows);
    if (shown == NULL || rows == NULL) {
        free(shown);
        free(rows);
        return dpc_fail_memory(err, "the probabilities of edges");
    }
    *shown = (dpc_edge_table){table->n_vars, table->n_rows, rows};
    for (int64_t i = 0; i < table->n_rows; i++) {
        rows[i] = table->rows[i];
        dpc_probability p = dpc_probability_of(report->posterior, rows[i].from, rows[i].to);
        bool turned = rows[i].from > rows[i].to; /* the pair is seen from its smaller number */
        rows[i].edge = p.forward + p.backward;
        rows[i].forward = turned ? p.backward : p.forward;
        rows[i].backward = turned ? p.forward : p.backward;
        rows[i].undirected = 0;
    }
    *out = shown;
    return DPC_OK;
}

static dpc_scene scene_of(const studio *s)
{
    const dpc_settings *settings =
        s->report->result != NULL ? dpc_result_settings(s->report->result) : NULL;
    return (dpc_scene){
        .names = s->report->names,
        .graph = s->report->graph,
        .edges = s->report->edge_table,
        .table = s->report->table,
        .probable = s->report->posterior != NULL && s->report->frequencies == NULL,
        .knowledge = settings != NULL ? settings->knowledge : NULL,
        .layout = s->ask->layout,
        .stopped = interrupted_at_once,
    };
}

static void warn(const studio *s, const char *path)
{
    const dpc_graph *graph = s->report->graph;
    dpc_scene scene = scene_of(s);
    dpc_layout taken = dpc_layout_for(&scene);
    const char *name = path != NULL ? path : "standard output";
    if (s->ask->quiet)
        return;
    if (dpc_picture_too_large(graph))
        fprintf(stderr,
                "dualpc: warning: %s: %d nodes and %lld edges are too many to draw; use a smaller "
                "--alpha, or write .graphml for Gephi or Cytoscape\n",
                name, graph->n_nodes, (long long)graph->n_edges);
    else if (s->ask->layout != DPC_LAYOUT_AUTO && taken != s->ask->layout)
        fprintf(stderr,
                "dualpc: warning: %s: %s would take too long for %d nodes and %lld edges; this is "
                "laid out by %s\n",
                name, dpc_layout_words[s->ask->layout], graph->n_nodes, (long long)graph->n_edges,
                dpc_layout_words[taken]);
}

/* All possible effects of the graph, for its report; none where it is no class, or too large. */
static dpc_status find_effects(const studio *s, dpc_effect_table **out)
{
    const dpc_report *report = s->report;
    dpc_causal *causal = NULL;
    const dpc_effect_query all = {0};
    double start = dpc_seconds();
    if (report->effects != NULL || report->result == NULL ||
        report->graph->n_nodes > MOST_VARIABLES)
        return DPC_OK;
    dpc_settings settings = *dpc_result_settings(report->result);
    settings.progress = report->progress;
    settings.progress_user = report->progress_user;
    dpc_status status = dpc_causal_new(report->graph, report->names, false, &causal, s->err);
    if (status == DPC_OK)
        status = dpc_effects(dpc_result_info(report->result)->correlation, causal, &all, &settings,
                             out, s->err);
    dpc_causal_free(causal);
    take_time(s, DPC_STAGE_EFFECTS, start);
    return status == DPC_BAD_INPUT ? DPC_OK : status;
}

static dpc_status make_report(const studio *s, char **bytes, size_t *size)
{
    dpc_scene scene = scene_of(s);
    dpc_report report = *s->report;
    dpc_effect_table *effects = NULL;
    char **why = NULL;
    dpc_status status = find_effects(s, &effects);
    double start = dpc_seconds();
    if (effects != NULL)
        report.effects = effects;
    if (status == DPC_OK)
        status = dpc_report_explain(&report, DPC_REPORT_WORK, &why, s->err);
    if (status == DPC_OK)
        status = dpc_report_html(&report, &scene, s->ask->title, why, bytes, size, s->err);
    dpc_report_explain_free(why, report.graph->n_edges);
    dpc_effect_table_free(effects);
    take_time(s, DPC_STAGE_REPORT, start);
    return status;
}

static dpc_status draw(studio *s, dpc_format format, char **bytes, size_t *size)
{
    dpc_scene scene = scene_of(s);
    dpc_status status = DPC_OK;
    double start = dpc_seconds();
    scene.annotated = true;
    if (s->picture == NULL)
        status = dpc_picture_new(&scene, &s->picture, s->err);
    if (status == DPC_OK)
        status = dpc_picture_render(s->picture, format, bytes, size, s->err);
    take_time(s, DPC_STAGE_LAYOUT, start);
    return status;
}

/* The bytes of one output, where it is a picture or a report. */
static dpc_status make_one(studio *s, dpc_output *output)
{
    dpc_format format = output->format;
    char *bytes = NULL;
    if (format == DPC_FORMAT_AUTO && !is_look(output->path, &format))
        return DPC_OK;
    if (!dpc_format_is_made(format))
        return DPC_OK;
    warn(s, output->path);
    dpc_status status = format == DPC_FORMAT_HTML ? make_report(s, &bytes, &output->n_bytes)
                                                  : draw(s, format, &bytes, &output->n_bytes);
    if (status == DPC_OK)
        output->bytes = bytes;
    return status;
}

/* The DAG has a picture of its own, and its edges their own numbers. */
static dpc_status make_dag(const look_request *ask, const dpc_report *report, dpc_output *output,
                           dpc_error *err)
{
    dpc_report dag = *report;
    dpc_edge_table *edges = NULL;
    dpc_format format;
    studio s = {.ask = ask, .report = &dag, .err = err};
    dpc_status status = DPC_OK;
    if (!is_look(output->path, &format))
        return DPC_OK;
    double start = dpc_seconds();
    if (report->result != NULL)
        status = dpc_tabulate_edges(report->result, report->dag, report->frequencies,
                                    report->progress, report->progress_user, &edges, err);
    take_time(&s, DPC_STAGE_EXPLAIN, start);
    dag.graph = report->dag;
    dag.edge_table = edges;
    dag.node_table = NULL;
    if (status == DPC_OK)
        status = make_one(&s, output);
    dpc_picture_free(s.picture);
    dpc_edge_table_free(edges);
    return status;
}

dpc_status looks_make(const look_request *ask, const dpc_report *report, dpc_output *outputs,
                      int count, dpc_error *err)
{
    dpc_report seen = *report;
    studio s = {.ask = ask, .report = &seen, .err = err};
    dpc_edge_table *probable = NULL;
    dpc_status status = show_probabilities(report, &probable, err);
    if (probable != NULL)
        seen.edge_table = probable;
    for (int i = 0; i < count && status == DPC_OK; i++)
        if (outputs[i].what == DPC_CONTENT_GRAPH)
            status = make_one(&s, &outputs[i]);
    dpc_picture_free(s.picture);
    dpc_edge_table_free(probable);
    for (int i = 0; i < count && status == DPC_OK; i++)
        if (outputs[i].what == DPC_CONTENT_DAG)
            status = make_dag(ask, report, &outputs[i], err);
    return status;
}

void looks_clear(dpc_output *outputs, int count)
{
    for (int i = 0; i < count; i++)
        free((void *)outputs[i].bytes);
}
