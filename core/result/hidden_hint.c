/*
 * Whether a hidden common cause of two variables explains what a graph without any does not.
 *
 * The search for hidden causes (mag_search.h) makes one wave of tries from the refined DAG. The
 * graph that it comes to has to score higher than the DAG by more than 1.5 log n, n variables, and
 * some a ↔ b of its PAG has to be worth more than log n: what is lost where an arrow joins the two
 * instead, and all around it has settled. The first compares with every DAG, and there are about as
 * many places for a hidden cause as variables; the second leaves out what the search has gained
 * by arrows. Both were chosen on simulated tables (docs/hidden.md has how often they are met where
 * nothing is hidden).
 *
 * A DAG whose effects cancel each other looks the same, and no rule can tell it from a hidden
 * cause.
 */
#include "hidden_hint.h"

#include "alloc.h"
#include "canonical.h"
#include "constraints.h"
#include "mag_search.h"
#include "result.h"
#include "status.h"
#include "valid_pag.h"

#include <math.h>

enum { MOST_VARIABLES = 100 };
/* The sum over edges of the third power of the neighbours of both ends: about what one wave
 * takes, 0.1 µs each to 5 µs. */
static const double MOST_WORK = 1e5;

typedef struct looking {
    dpc_view view;
    const dpc_settings *settings;
    dpc_mag_plan plan;
    dpc_constraints *known; /* in labels; owned */
    dpc_graph dag, mag;     /* in labels; owned */
    dpc_mag_found found;
} looking;

static dpc_status estimate_work(const dpc_graph *graph, double *work)
{
    int32_t *degree = dpc_zalloc(graph->n_nodes, sizeof *degree);
    if (degree == NULL)
        return DPC_NO_MEMORY;
    for (int64_t e = 0; e < graph->n_edges; e++) {
        degree[graph->edges[e].a]++;
        degree[graph->edges[e].b]++;
    }
    *work = 0;
    for (int64_t e = 0; e < graph->n_edges; e++)
        *work += pow(degree[graph->edges[e].a] + degree[graph->edges[e].b], 3);
    free(degree);
    return DPC_OK;
}

/* Of the ↔ that the class shares, the one for which an arrow loses most. */
static dpc_status find_pair(looking *l, const dpc_graph *pag, dpc_edge *pair, double *most,
                            dpc_error *err)
{
    for (int64_t e = 0; e < pag->n_edges; e++) {
        dpc_mag_loss loss;
        dpc_edge edge = pag->edges[e];
        if (edge.mark != DPC_BIDIRECTED)
            continue;
        DPC_CHECK(dpc_mag_loss_of(&l->view, l->known, l->settings, &l->plan, &l->mag, edge.a,
                                  edge.b, &loss, err));
        double least = fmin(loss.forward, loss.backward); /* NaN where there is no such arrow */
        if (least > *most) {
            *most = least;
            *pair = edge;
        }
    }
    return DPC_OK;
}

static dpc_status look(looking *l, dpc_hidden_hint *out, dpc_error *err)
{
    dpc_graph pag = {0};
    dpc_edge pair = {.a = -1, .b = -1};
    double log_n = log(l->view.n), most = log_n;
    DPC_CHECK(dpc_search_mag(&l->view, l->known, l->settings, &l->plan, &l->dag, &l->mag, &l->found,
                             err));
    if (!l->found.complete)
        return dpc_fail_interrupted(err);
    out->gain = l->found.score_after - l->found.score_before;
    if (!(out->gain > 1.5 * log_n))
        return DPC_OK;
    DPC_CHECK(dpc_pag_of_known_mag(l->known, false, &l->mag, &pag, err));
    dpc_status status = find_pair(l, &pag, &pair, &most, err);
    dpc_graph_clear(&pag);
    if (status != DPC_OK || pair.a < 0)
        return status;
    int a = dpc_column_of(l->view.labels, pair.a), b = dpc_column_of(l->view.labels, pair.b);
    out->a = a < b ? a : b;
    out->b = a < b ? b : a;
    out->lost = most;
    return DPC_OK;
}

/* In the labels of the search, so that the places of the columns do not matter. */
static dpc_status look_from(const dpc_correlation *correlation, const dpc_settings *settings,
                            const dpc_result *refined, dpc_hidden_hint *out, dpc_error *err)
{
    double rows = dpc_result_info(refined)->effective_rows;
    dpc_labels labels = {0};
    DPC_CHECK(dpc_labels_make(correlation, settings, &labels, err));
    const dpc_labels back = {.column = labels.label, .label = labels.column};
    looking l = {
        .view = dpc_view_of(correlation, &labels),
        .settings = settings,
        .plan = {.price = dpc_mag_price(settings->penalty, correlation->n_vars,
                                        (double)correlation->n_obs, rows),
                 .hidden_price = DPC_HIDDEN_PRICE,
                 .memory = settings->memory > 0 ? settings->memory * 1e6 : INFINITY,
                 .waves = 1},
    };
    dpc_status status = dpc_constraints_new(settings->knowledge, &labels, &l.known, err);
    if (status == DPC_OK)
        status = dpc_fail_as(err, dpc_graph_duplicate(dpc_result_class(refined), &l.dag),
                             "the search for a hidden cause");
    if (status == DPC_OK) {
        dpc_labels_undo_graph(&back, &l.dag);
        status = look(&l, out, err);
    }
    dpc_graph_clear(&l.dag);
    dpc_graph_clear(&l.mag);
    dpc_constraints_free(l.known);
    dpc_labels_clear(&labels);
    return status;
}

dpc_status dpc_find_hidden_hint(const dpc_correlation *correlation, const dpc_settings *settings,
                                const dpc_result *refined, bool always, dpc_hidden_hint *out,
                                dpc_error *err)
{
    dpc_result *made = NULL;
    double work = 0;
    *out = (dpc_hidden_hint){.a = -1, .b = -1, .gain = NAN, .lost = NAN};
    if (correlation->n_vars > MOST_VARIABLES && !always)
        return DPC_OK;
    if (refined == NULL) {
        DPC_CHECK(dpc_learn(correlation, settings, &made, err));
        refined = made;
    }
    dpc_status status = dpc_fail_as(err, estimate_work(dpc_result_class(refined), &work),
                                    "the search for a hidden cause");
    if (status == DPC_OK && !dpc_result_info(refined)->complete)
        status = dpc_fail_interrupted(err);
    if (status == DPC_OK && (always || work <= MOST_WORK))
        status = look_from(correlation, settings, refined, out, err);
    dpc_result_free(made);
    return status;
}
