/*
 * What the score of GES, or of refinement, says about a pair.
 *
 * In one DAG of the class, that of dpc_class_member, the edge u → v adds
 *
 *     -N/2 log(1 - r²) - price,        r: u and v given the other parents of v,
 *
 * the price being λ log N, or what refinement has found it to be. Of blocks of columns, p of v and
 * q of u, it adds -N/2 ln Λ - a p q - b, with a + b the price of an edge between single columns and
 * a at most ½ log N, what a parameter costs.
 *
 * An edge that is there adds more than nothing, or the search would have deleted it. One that is
 * not there would add nothing or less, or it would have been inserted: in a direction that closes
 * no cycle, is not forbidden by the knowledge, and leads to a node that may have another parent. Of
 * two such directions the better one is told.
 */
#include "explain.h"

#include "alloc.h"
#include "block_answer.h"
#include "linalg.h"
#include "score.h"
#include "status.h"

#include <math.h>

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

/* What u → v adds beside other parents of v, and r given these; NaN: no variance is left. */
static dpc_status gain_of_columns(const dpc_correlation *c, double price, int u, int v,
                                  const int32_t *parents, int count, double *r, double *gain)
{
    dpc_joint partial;
    DPC_CHECK(dpc_explain_partial(c, DPC_EXACT_T, u, v, parents, count, &partial, NULL));
    *r = partial.r;
    if (!isnan(*r))
        *gain = dpc_score_of(
            dpc_deviance_of_square(fmin(*r * *r, 1 - DPC_SINGULAR), (double)c->n_obs), price);
    return DPC_OK;
}

/* The same of blocks: ln Λ is what u leaves of v, less what the other parents alone leave. */
static dpc_status gain_of_blocks(const dpc_correlation *c, double price, int u, int v,
                                 int32_t *parents, int count, double *r, double *gain)
{
    const dpc_labels columns = {0};
    const dpc_view view = dpc_view_of(c, &columns);
    dpc_direct direct = {.view = &view};
    dpc_block_answer answer = {.r = NAN};
    double n = (double)c->n_obs, a = fmin(price, log(n) / 2), without = NAN, with = NAN;
    dpc_status status = dpc_answer_given(&direct, u, v, parents, count, 0, &answer);
    if (status == DPC_OK)
        status = dpc_direct_left(&direct, v, parents, count, false, &without);
    parents[count] = u; /* there is room: v is no parent of itself */
    if (status == DPC_OK)
        status = dpc_direct_left(&direct, v, parents, count + 1, false, &with);
    double p = dpc_block_width(c->blocks, v), q = dpc_block_width(c->blocks, u);
    *r = answer.r;
    *gain = n / 2 * (without - with) - a * p * q - (price - a);
    dpc_direct_clear(&direct);
    return status;
}

/* Looks at u → v; takes it where it is better than what the explanation has. */
static dpc_status try_direction(const dpc_graph *dag, const dpc_correlation *c, double price, int u,
                                int v, dpc_explanation *e, dpc_error *err)
{
    int count = 0;
    int32_t *parents = dpc_alloc(dag->n_nodes, sizeof *parents);
    if (parents == NULL)
        return dpc_fail_memory(err, "an explanation");
    for (int w = 0; w < dag->n_nodes; w++) { /* ascending */
        dpc_mark mark = w != u && w != v ? dpc_graph_mark(dag, w, v) : DPC_NONE;
        if (mark == DPC_FORWARD)
            parents[count++] = w;
    }
    double r = NAN, gain = NAN; /* the score has one N for all */
    dpc_status status = c->blocks != NULL
                            ? gain_of_blocks(c, price, u, v, parents, count, &r, &gain)
                            : gain_of_columns(c, price, u, v, parents, count, &r, &gain);
    dpc_fail_as(err, status, "an explanation");
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

/* May u → v be inserted: no cycle, nothing forbidden, and no more parents than the search allows?
 */
static dpc_status may_insert(const dpc_result *result, const dpc_graph *dag, int u, int v,
                             bool *out, dpc_error *err)
{
    const dpc_correlation *c = result->correlation;
    bool circle = true;
    int parents = 0;
    for (int w = 0; w < dag->n_nodes; w++)
        parents += w != v && dpc_graph_mark(dag, w, v) == DPC_FORWARD;
    if (!find_path(dag, v, u, &circle))
        return dpc_fail_memory(err, "an explanation");
    *out = !circle && !dpc_forced(result->known, v, u) &&
           parents < dpc_parent_limit(c->n_vars, c->n_obs);
    return DPC_OK;
}

/* The direction that there is; or the better one of those that may be inserted. */
static dpc_status explain_in(const dpc_result *result, const dpc_graph *dag, double price,
                             dpc_explanation *e, dpc_error *err)
{
    dpc_mark mark = dpc_graph_mark(dag, e->a, e->b);
    for (int i = 0; i < 2; i++) {
        int u = i == 0 ? e->a : e->b, v = e->a + e->b - u;
        bool looked_at = mark == (i == 0 ? DPC_FORWARD : DPC_BACKWARD);
        if (mark == DPC_NONE)
            DPC_CHECK(may_insert(result, dag, u, v, &looked_at, err));
        if (looked_at)
            DPC_CHECK(try_direction(dag, result->correlation, price, u, v, e, err));
    }
    return DPC_OK;
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
        status = explain_in(result, dag, price_of(result), explanation, err);
    dpc_graph_free(dag);
    return status == DPC_BAD_INPUT ? DPC_OK : status;
}
