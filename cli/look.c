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

enum { MOST_SECONDS = 20 }; /* that a report takes to explain edges */

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
    looks *out;
    dpc_error *err;
} studio;

static dpc_scene scene_of(const studio *s)
{
    const dpc_settings *settings =
        s->report->result != NULL ? dpc_result_settings(s->report->result) : NULL;
    return (dpc_scene){
        .names = s->report->names,
        .graph = s->report->graph,
        .edges = s->report->edge_table,
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
    const char *name = path != NULL ? path : s->ask->name;
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

static void free_texts(char **texts, int64_t count)
{
    for (int64_t i = 0; texts != NULL && i < count; i++)
        dpc_string_free(texts[i]);
    free(texts);
}

/* A text for each edge that the search has left, as far as the time goes. */
static dpc_status explain_edges(const studio *s, char ***out)
{
    const dpc_report *report = s->report;
    const dpc_graph *graph = report->graph;
    double start = dpc_seconds();
    char **why = dpc_zalloc(graph->n_edges, sizeof *why);
    dpc_status status = why != NULL ? DPC_OK : dpc_fail_memory(s->err, "the report");
    for (int64_t e = 0; e < graph->n_edges && status == DPC_OK; e++) {
        dpc_explanation *explanation = NULL;
        const dpc_edge *edge = &graph->edges[e];
        if (dpc_seconds() - start > MOST_SECONDS)
            break;
        status = dpc_explain(report->result, edge->a, edge->b, report->progress,
                             report->progress_user, &explanation, s->err);
        if (status == DPC_OK)
            status = dpc_explanation_string(report->result, report->names, explanation, &why[e],
                                            NULL, s->err);
        dpc_explanation_free(explanation);
    }
    if (status == DPC_OK)
        *out = why;
    else
        free_texts(why, graph->n_edges);
    return status;
}

static dpc_status make_report(const studio *s, const dpc_scene *scene, char **bytes, size_t *size)
{
    char **why = NULL;
    dpc_status status = s->report->result != NULL ? explain_edges(s, &why) : DPC_OK;
    if (status == DPC_OK)
        status = dpc_report_html(s->report, scene, s->ask->title, why, bytes, size, s->err);
    free_texts(why, s->report->graph->n_edges);
    return status;
}

/* One file, or standard output where `path` is NULL. */
static dpc_status make_one(studio *s, const char *path, dpc_format format)
{
    dpc_scene scene = scene_of(s);
    dpc_made *longer = dpc_regrow(s->out->made, s->out->count + INT64_C(1), sizeof *longer);
    char *bytes = NULL;
    size_t size = 0;
    dpc_status status = DPC_OK;
    if (longer == NULL)
        return dpc_fail_memory(s->err, "a picture");
    s->out->made = longer;
    warn(s, path);
    if (format == DPC_FORMAT_HTML) {
        status = make_report(s, &scene, &bytes, &size);
    } else {
        scene.annotated = true;
        if (s->picture == NULL)
            status = dpc_picture_new(&scene, &s->picture, s->err);
        if (status == DPC_OK)
            status = dpc_picture_render(s->picture, format, &bytes, &size, s->err);
    }
    if (status == DPC_OK)
        longer[s->out->count++] = (dpc_made){path, bytes, size};
    return status;
}

/* The DAG has a picture of its own, and its edges their own numbers. */
static dpc_status make_dag(const look_request *ask, const dpc_report *report, dpc_format format,
                           looks *out, dpc_error *err)
{
    dpc_report dag = *report;
    dpc_edge_table *edges = NULL;
    studio s = {.ask = ask, .report = &dag, .out = out, .err = err};
    dpc_status status = DPC_OK;
    dag.graph = report->dag;
    dag.edge_table = NULL;
    if (report->result != NULL)
        status = dpc_tabulate_edges(report->result, report->dag, report->frequencies,
                                    report->progress, report->progress_user, &edges, err);
    dag.edge_table = edges;
    if (status == DPC_OK)
        status = make_one(&s, report->dag_path, format);
    dpc_picture_free(s.picture);
    dpc_edge_table_free(edges);
    return status;
}

dpc_status looks_make(const look_request *ask, const dpc_report *report, looks *out, dpc_error *err)
{
    studio s = {.ask = ask, .report = report, .out = out, .err = err};
    dpc_format format;
    dpc_status status = DPC_OK;
    for (int i = 0; i < ask->n_paths && status == DPC_OK; i++)
        if (is_look(ask->paths[i], &format))
            status = make_one(&s, ask->paths[i], format);
    if (status == DPC_OK && ask->to_stdout && dpc_format_is_made(ask->stdout_format))
        status = make_one(&s, NULL, ask->stdout_format);
    dpc_picture_free(s.picture);
    if (status == DPC_OK && is_look(report->dag_path, &format))
        status = make_dag(ask, report, format, out, err);
    return status;
}

void looks_clear(looks *made)
{
    for (int i = 0; i < made->count; i++)
        free((void *)made->made[i].bytes);
    free(made->made);
    *made = (looks){0};
}
