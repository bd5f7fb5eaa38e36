/*
 * What the score of GES, or of refinement, says about a pair.
 *
 * In one DAG of the class, that of dpc_class_member, the edge u → v adds
 *
 *     -N/2 log(1 - r²) - price,        r: u and v given the other parents of v,
 *
 * the price being λ log N, or what refinement has found it to be.
 *
 * An edge that is there adds more than nothing, or the search would have deleted it. One that is
 * not there, in a direction that closes no cycle, would add nothing or less, or it would have
 * been inserted; of two such directions the better one is told.
 */
#include "explain.h"

#include "alloc.h"
#include "linalg.h"
#include "settings.h"
#include "stats.h"
#include "status.h"

#include <math.h>

static bool points(const dpc_edge *edge, int from, int to)
{
    return edge->mark == DPC_FORWARD ? edge->a == from && edge->b == to
                                     : edge->b == from && edge->a == to;
}

/* Is there a directed path? *out: yes. False: no memory. */
static bool find_path(const dpc_graph *dag, int from, int to, bool *out)
{
    bool *reached = dpc_zalloc(dag->n_nodes, sizeof *reached), more = true;
    if (reached == NULL)
        return false;
    reached[from] = true;
    while (more) {
        more = false;
        for (int64_t e = 0; e < dag->n_edges; e++) {
            const dpc_edge *edge = &dag->edges[e];
            int tail = edge->mark == DPC_FORWARD ? edge->a : edge->b,
                head = edge->a + edge->b - tail;
            more = more || (reached[tail] && !reached[head]);
            reached[head] = reached[head] || reached[tail];
        }
    }
    *out = reached[to];
    free(reached);
    return true;
}

/* Looks at u → v; takes it where it is better than what the explanation has. */
static dpc_status try_direction(const dpc_graph *dag, const dpc_correlation *c, double price, int u,
                                int v, dpc_explanation *e, dpc_error *err)
{
    double r = NAN;
    int count = 0;
    int32_t *parents = dpc_alloc(dag->n_nodes, sizeof *parents);
    if (parents == NULL)
        return dpc_fail_memory(err, "an explanation");
    for (int w = 0; w < dag->n_nodes; w++) { /* ascending */
        dpc_mark mark = w != u && w != v ? dpc_graph_mark(dag, w, v) : DPC_NONE;
        if (mark == DPC_FORWARD)
            parents[count++] = w;
    }
    int64_t own; /* the score has one N for all */
    dpc_status status = dpc_explain_partial(c, u, v, parents, count, &r, &own, err);
    double gain = NAN;
    if (!isnan(r))
        gain = dpc_score_of(dpc_deviance_of_square(fmin(r * r, 1 - DPC_SINGULAR), (double)c->n_obs),
                            price);
    bool better = e->test.members == NULL || isnan(e->gain) || gain > e->gain;
    if (status != DPC_OK || !better) {
        free(parents);
        return status;
    }
    free(e->test.members);
    e->gain = gain;
    e->test = (dpc_pair_test){
        .what = {.kind = DPC_SEP_NONE, .from = u, .size = count, .r = r, .p = NAN},
        .members = parents,
        .ess = c->n_obs - count - 3,
    };
    return DPC_OK;
}

static dpc_status explain_in(const dpc_graph *dag, const dpc_correlation *c, double price,
                             dpc_explanation *e, dpc_error *err)
{
    bool present = false, way[2] = {false, false};
    for (int64_t i = 0; i < dag->n_edges; i++) {
        bool forward = points(&dag->edges[i], e->a, e->b);
        if (forward || points(&dag->edges[i], e->b, e->a)) {
            present = true;
            way[forward ? 1 : 0] = true; /* only the direction there is */
        }
    }
    if (!present && (!find_path(dag, e->a, e->b, &way[1]) || !find_path(dag, e->b, e->a, &way[0])))
        return dpc_fail_memory(err, "an explanation");
    dpc_status status = DPC_OK;
    if (!way[0] || way[1])
        status = try_direction(dag, c, price, e->a, e->b, e, err);
    if (status == DPC_OK && (!way[1] || way[0]))
        status = try_direction(dag, c, price, e->b, e->a, e, err);
    return status;
}

static double price_of(const dpc_result *result)
{
    const dpc_refined *refined = dpc_result_refined(result);
    const dpc_correlation *c = result->correlation;
    return refined != NULL ? refined->price : result->settings.penalty * log((double)c->n_obs);
}

dpc_status dpc_explain_score(const dpc_result *result, dpc_explanation *explanation, dpc_error *err)
{
    dpc_graph *dag = NULL;
    if (result->settings.graph == DPC_SKELETON)
        return DPC_OK; /* it does not say which class it came from */
    dpc_status status = dpc_class_member(&result->found.graph, &dag, err);
    if (status == DPC_OK)
        status = explain_in(dag, result->correlation, price_of(result), explanation, err);
    dpc_graph_free(dag);
    return status == DPC_BAD_INPUT ? DPC_OK : status;
}
