/* Why each edge is there, in sentences, within a bound of counted work: see report.h. */
#include "report.h"

#include "alloc.h"
#include "status.h"

#include <stdlib.h>

enum { LOOKS_PER_TEST = 10 }; /* a test takes as long as looking at so many nodes or edges */

void dpc_report_explain_free(char **texts, int64_t count)
{
    for (int64_t i = 0; texts != NULL && i < count; i++)
        dpc_string_free(texts[i]);
    free(texts);
}

/* One edge; the work is added. */
static dpc_status explain_edge(const dpc_report *report, const dpc_edge *edge, char **text,
                               int64_t *work, dpc_error *err)
{
    const dpc_graph *graph = report->graph;
    dpc_explanation *explanation = NULL;
    DPC_CHECK(dpc_explain(report->result, edge->a, edge->b, report->progress, report->progress_user,
                          &explanation, err));
    *work += explanation->tests + (graph->n_nodes + graph->n_edges) / LOOKS_PER_TEST;
    dpc_status status =
        dpc_explanation_string(report->result, report->names, explanation, text, NULL, err);
    dpc_explanation_free(explanation);
    return status;
}

dpc_status dpc_report_explain(const dpc_report *report, int64_t most, char ***out, dpc_error *err)
{
    const dpc_graph *graph = report->graph;
    int64_t work = 0;
    *out = NULL;
    if (report->result == NULL)
        return DPC_OK;
    char **texts = dpc_zalloc(graph->n_edges, sizeof *texts);
    dpc_status status = texts != NULL ? DPC_OK : dpc_fail_memory(err, "the report");
    for (int64_t e = 0; e < graph->n_edges && work < most && status == DPC_OK; e++)
        status = explain_edge(report, &graph->edges[e], &texts[e], &work, err);
    if (status == DPC_OK)
        *out = texts;
    else
        dpc_report_explain_free(texts, graph->n_edges);
    return status;
}
