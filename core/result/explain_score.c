/*
 * What the score of GES, or of refinement, says about a pair.
 *
 * In one DAG of the class, that of dpc_class_member, the edge u → v adds
 *
 *     -N/2 log(1 - r²) - price,        r: u and v given the other parents of v,
 *
 * the price being λ log N, or what refinement has found it to be. Of blocks of columns a family
 * says what it adds (block_family.h), and r is their association.
 *
 * An edge that is there adds more than nothing, or the search would have deleted it. One that is
 * not there would add nothing or less, or it would have been inserted: in a direction that closes
 * no cycle, is not forbidden by the knowledge, and leads to a node that may have another parent. Of
 * two such directions the better one is told.
 */
#include "block_family.h"
#include "explain.h"

#include "alloc.h"
#include "block_answer.h"
#include "linalg.h"
#include "pag.h"
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

typedef struct question {
    const dpc_correlation *correlation;
    double price;
    bool one_equation; /* as in dpc_stats */
} question;

/* What u adds to v given its other parents, and their association; NaN where that is not known. */
static dpc_status ask_blocks(dpc_family *f, const question *q, int u, int v, const int32_t *parents,
                             int count, double *r, double *gain)
{
    DPC_CHECK(dpc_family_start(f, v, NULL, 0));
    DPC_CHECK(dpc_family_push_all(f, parents, count));
    dpc_deviance found = dpc_family_gain(f, u);
    double rank = found.df / fmax(f->block->p, 1), least = fmin(f->block->p, rank);
    *r = isnan(found.d) ? NAN : dpc_association(-found.d / found.n, (int)least);
    *gain = dpc_score_of(
        dpc_deviance_of_square(dpc_family_square(f, u), dpc_score_weight(&f->stats)), q->price);
    return DPC_OK;
}

static dpc_status weigh_blocks(const question *q, int u, int v, const int32_t *parents, int count,
                               double *r, double *gain, dpc_error *err)
{
    const dpc_labels columns = {0};
    const dpc_view view = dpc_view_of(q->correlation, &columns);
    dpc_stats stats = dpc_stats_of(&view);
    stats.parameter = dpc_parameter_price(q->price, (double)view.n_obs);
    stats.one_equation = q->one_equation;
    dpc_family f;
    dpc_status status = dpc_family_init(&f, &stats, DPC_NOISE_EXACT);
    if (status == DPC_OK)
        status = ask_blocks(&f, q, u, v, parents, count, r, gain);
    dpc_family_clear(&f);
    return status == DPC_OK ? DPC_OK : dpc_fail_memory(err, "an explanation");
}

static dpc_status weigh(const question *q, int u, int v, const int32_t *parents, int count,
                        double *r, double *gain, dpc_error *err)
{
    const dpc_correlation *c = q->correlation;
    dpc_joint partial; /* the score has one N for all */
    if (c->blocks != NULL)
        return weigh_blocks(q, u, v, parents, count, r, gain, err);
    dpc_status status = dpc_explain_partial(c, DPC_EXACT_T, u, v, parents, count, &partial, err);
    *r = status == DPC_OK ? partial.r : NAN;
    if (!isnan(*r))
        *gain = dpc_score_of(
            dpc_deviance_of_square(fmin(*r * *r, 1 - DPC_SINGULAR), (double)c->n_obs), q->price);
    return status;
}

/* Looks at u → v; takes it where it is better than what the explanation has. */
static dpc_status try_direction(const dpc_graph *dag, const question *q, int u, int v,
                                dpc_explanation *e, dpc_error *err)
{
    double r = NAN, gain = NAN;
    int count = 0;
    int32_t *parents = dpc_alloc(dag->n_nodes, sizeof *parents);
    if (parents == NULL)
        return dpc_fail_memory(err, "an explanation");
    for (int w = 0; w < dag->n_nodes; w++) { /* ascending */
        dpc_mark mark = w != u && w != v ? dpc_graph_mark(dag, w, v) : DPC_NONE;
        if (mark == DPC_FORWARD)
            parents[count++] = w;
    }
    dpc_status status = weigh(q, u, v, parents, count, &r, &gain, err);
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
        .ess = q->correlation->n_obs - count - 3,
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
    const question q = {.correlation = result->correlation,
                        .price = price,
                        .one_equation = result->settings.method != DPC_GES &&
                                        dpc_can_use_one_equation(result->correlation->blocks)};
    for (int i = 0; i < 2; i++) {
        int u = i == 0 ? e->a : e->b, v = e->a + e->b - u;
        bool looked_at = mark == (i == 0 ? DPC_FORWARD : DPC_BACKWARD);
        if (mark == DPC_NONE)
            DPC_CHECK(may_insert(result, dag, u, v, &looked_at, err));
        if (looked_at)
            DPC_CHECK(try_direction(dag, &q, u, v, e, err));
    }
    return DPC_OK;
}

static double price_of(const dpc_result *result)
{
    const dpc_refined *refined = dpc_result_refined(result);
    const dpc_correlation *c = result->correlation;
    return refined != NULL ? refined->price : result->settings.penalty * log((double)c->n_obs);
}

/* The MAG of the PAG of a DAG is a DAG of its class. */
static dpc_status dag_of_pag(const dpc_graph *pag, dpc_graph **out, dpc_error *err)
{
    dpc_graph dag = {0};
    if (dpc_mag_of_pag(pag, &dag) != DPC_OK)
        return dpc_fail_memory(err, "an explanation");
    return dpc_graph_release(&dag, out, err);
}

dpc_status dpc_explain_score(const dpc_result *result, dpc_explanation *explanation, dpc_error *err)
{
    dpc_graph *dag = NULL;
    if (result->settings.graph == DPC_SKELETON || result->settings.latent == DPC_HIDDEN_SEARCH)
        return DPC_OK; /* it does not say which class it came from, or has hidden causes */
    dpc_status status = result->settings.latent == DPC_HIDDEN_DAG
                            ? dag_of_pag(&result->found.graph, &dag, err)
                            : dpc_class_member(&result->found.graph, &dag, err);
    if (status == DPC_OK)
        status = explain_in(result, dag, price_of(result), explanation, err);
    dpc_graph_free(dag);
    return status == DPC_BAD_INPUT ? DPC_OK : status;
}
