/*
 * How well a graph fits: the likelihood of one DAG of its class, and the independencies that the
 * DAG implies (docs/fit.md).
 *
 * At its maximum the Gaussian log-likelihood of a DAG is the sum over its nodes of
 *
 *     -N/2 (log 2π + 1 + log σ²),    σ² the variance of the node given its parents, divisor N.
 *
 * The DAG is the one that the canonical order of the columns gives: which pairs are tested given
 * what does not depend on the places of the columns.
 *
 * Where variables are blocks of columns, orthonormal within each, the sum is over
 *
 *     -N/2 (p (log 2π + 1) + log det Σ),    Σ the covariances of the p columns given the parents:
 *
 * that of Gaussian columns, with p q coefficients for an edge. It compares graphs of the same
 * table.
 */
#include "alloc.h"
#include "canonical.h"
#include "extension.h"
#include "implied.h"
#include "result.h"
#include "rows.h"
#include "sorted.h"
#include "status.h"
#include "strength.h"

#include <math.h>

void dpc_goodness_free(dpc_goodness *g)
{
    if (g == NULL)
        return;
    for (int i = 0; i < g->n_largest; i++)
        free(g->largest[i].set);
    free(g);
}

static const double MOST_ROOM = 4e6; /* 32 MB for each thread */

/* ---- The DAG ---- */

typedef struct fitted {
    dpc_labels own;        /* where the result has none; owned */
    dpc_adjacency *joined; /* owned */
    int32_t *when;         /* owned */
    double *variance;      /* by node, given its parents; of blocks its log det; owned */
    dpc_ordered dag;       /* its critical values are owned */
} fitted;

static void fitted_clear(fitted *f)
{
    dpc_labels_clear(&f->own);
    dpc_adjacency_free(f->joined);
    dpc_critical_clear(&f->dag.critical);
    free(f->when);
    free(f->variance);
}

/* The labels of the search, where every column has one, or such as it would have. */
static dpc_status find_labels(const dpc_result *result, const dpc_settings *settings, fitted *f,
                              const dpc_labels **out, dpc_error *err)
{
    dpc_settings alone = *settings;
    alone.ranks = NULL; /* the fit is the work of one rank */
    bool own = result->sepsets == NULL || result->copy_of != NULL;
    *out = own ? &f->own : &result->sepsets->labels;
    return own ? dpc_labels_make(result->correlation, &alone, &f->own, err) : DPC_OK;
}

static dpc_status make_dag(const dpc_result *result, const dpc_settings *settings,
                           const dpc_graph *graph, fitted *f, bool *forced, dpc_error *err)
{
    const dpc_labels *labels;
    bool consistent = false;
    DPC_CHECK(find_labels(result, settings, f, &labels, err));
    f->when = dpc_alloc(graph->n_nodes, sizeof *f->when);
    f->variance = dpc_alloc(graph->n_nodes, sizeof *f->variance);
    if (f->when == NULL || f->variance == NULL ||
        dpc_adjacency_of(graph, labels, &f->joined) != DPC_OK ||
        dpc_extension(graph, labels, DPC_SINK_NEAREST, f->when, &consistent) != DPC_OK)
        return dpc_fail_memory(err, "a DAG of the class");
    f->dag.view = dpc_view_of(result->correlation, labels);
    f->dag.graph = f->joined;
    f->dag.when = f->when;
    f->dag.most_room = MOST_ROOM;
    f->dag.alpha = settings->alpha;
    *forced = !consistent;
    return dpc_critical_init(settings, result->correlation->n_obs, dpc_max_degree(f->joined),
                             &f->dag.critical, err);
}

/* ---- The likelihood ---- */

static void find_likelihood(const dpc_correlation *c, const fitted *f, dpc_goodness *g)
{
    const double log_two_pi = 1.8378770664093454836;
    double n_obs = (double)c->n_obs, logs = 0;
    int constant = 0;
    for (int v = 0; v < c->n_vars; v++) {
        double sd = c->sd != NULL ? c->sd[dpc_column_of(f->dag.view.labels, v)] : 1;
        constant += sd == 0;
        g->determined += isnan(f->variance[v]);
        logs += sd == 0 ? 0 : log(f->variance[v]) + 2 * log(sd) + log_two_pi + 1;
    }
    g->standardised = c->sd == NULL;
    g->parameters = dpc_slots(f->joined) / 2 + 2 * (int64_t)(c->n_vars - constant);
    g->log_likelihood = g->determined == 0 ? -n_obs / 2 * logs : NAN;
    g->bic = g->log_likelihood - (double)g->parameters / 2 * log(n_obs);
}

/* Coefficients of all edges, and means and covariances of all columns of each variable. */
static int64_t count_parameters(const dpc_blocks *blocks, const fitted *f)
{
    const dpc_labels *labels = f->dag.view.labels;
    int64_t count = 0;
    for (int v = 0; v < blocks->n; v++) {
        int64_t p = dpc_block_width(blocks, dpc_column_of(labels, v));
        const int32_t *near = dpc_neighbours(f->joined, v);
        count += p + p * (p + 1) / 2;
        for (int i = 0; i < dpc_degree(f->joined, v); i++)
            if (near[i] < v)
                count += p * dpc_block_width(blocks, dpc_column_of(labels, near[i]));
    }
    return count;
}

static void find_block_likelihood(const dpc_correlation *c, const fitted *f, dpc_goodness *g)
{
    const double log_two_pi = 1.8378770664093454836;
    double n_obs = (double)c->n_obs, logs = c->blocks->m * (log_two_pi + 1);
    for (int v = 0; v < c->n_vars; v++) {
        g->determined += isnan(f->variance[v]);
        logs += f->variance[v];
    }
    g->standardised = true;
    g->parameters = count_parameters(c->blocks, f);
    g->log_likelihood = g->determined == 0 ? -n_obs / 2 * logs : NAN;
    g->bic = g->log_likelihood - (double)g->parameters / 2 * log(n_obs);
}

/* ---- The independencies ---- */

static dpc_status set_largest(const dpc_ordered *dag, const dpc_settings *settings,
                              const dpc_contradiction *found, dpc_implied *out)
{
    const dpc_labels *labels = dag->view.labels;
    int a = dpc_column_of(labels, found->u), b = dpc_column_of(labels, found->v);
    int32_t *set = dpc_alloc(dpc_degree(dag->graph, found->v), sizeof *set);
    if (set == NULL)
        return DPC_NO_MEMORY;
    int size = dpc_ordered_parents(dag, found->v, set);
    dpc_columns_of(&dag->view, set, size, set);
    dpc_sort_numbers(set, size);
    *out = (dpc_implied){
        .a = a < b ? a : b,
        .b = a < b ? b : a,
        .r = found->r,
        .z = copysign(found->z, found->r),
        .p = dag->view.blocks != NULL
                 ? found->p
                 : dpc_p_value(settings->test, dpc_test_rows(&dag->view, a, b, set, size), size,
                               found->r),
        .size = size,
        .set = set,
    };
    return DPC_OK;
}

static dpc_status find_implied(const dpc_settings *settings, fitted *f, dpc_goodness *g,
                               dpc_error *err)
{
    dpc_implied_counts counts;
    dpc_crew crew;
    dpc_crew_init(&crew, settings, DPC_STAGE_ORIENT);
    crew.from = 1; /* that stage is done */
    dpc_status status = f->dag.view.blocks != NULL
                            ? dpc_implied_blocks(&f->dag, &crew, f->variance, &counts)
                            : dpc_look_at_implied(&f->dag, &crew, f->variance, &counts);
    if (status == DPC_INTERRUPTED)
        return dpc_fail(err, status, "interrupted");
    for (int i = 0; i < counts.n_largest && status == DPC_OK; i++) {
        status = set_largest(&f->dag, settings, &counts.largest[i], &g->largest[i]);
        g->n_largest += status == DPC_OK;
    }
    g->implied = counts.implied;
    g->untested = counts.untested;
    g->exceed = counts.exceed;
    return status == DPC_OK ? DPC_OK : dpc_fail_memory(err, "the fit of the graph");
}

/* ---- All of it ---- */

static dpc_status check_graph(const dpc_result *result, const dpc_graph *graph, dpc_error *err)
{
    DPC_CHECK(dpc_result_check_graph(result, graph, err));
    if (result->settings.graph == DPC_SKELETON)
        return dpc_fail(err, DPC_USAGE,
                        "a skeleton does not say which DAGs it came from; learn a CPDAG to see "
                        "how it fits");
    return DPC_OK;
}

dpc_status dpc_fit(const dpc_result *result, const dpc_graph *given, dpc_progress_fn progress,
                   void *progress_user, dpc_goodness **out, dpc_error *err)
{
    const dpc_graph *graph = given != NULL ? given : dpc_result_class(result);
    dpc_settings settings = result->settings;
    settings.progress = progress;
    settings.progress_user = progress_user;
    fitted f = {0};
    DPC_CHECK(check_graph(result, graph, err));
    dpc_goodness *g = dpc_zalloc(1, sizeof *g);
    if (g == NULL)
        return dpc_fail_memory(err, "the fit of the graph");
    g->n_vars = graph->n_nodes;
    dpc_status status = make_dag(result, &settings, graph, &f, &g->forced, err);
    if (status == DPC_OK)
        status = find_implied(&settings, &f, g, err);
    if (status == DPC_OK && result->correlation->blocks != NULL)
        find_block_likelihood(result->correlation, &f, g);
    else if (status == DPC_OK)
        find_likelihood(result->correlation, &f, g);
    g->close_calls = -1;
    if (status == DPC_OK && result->sepsets != NULL)
        status = dpc_count_close_calls(result->correlation, graph, &settings, &g->close_calls, err);
    fitted_clear(&f);
    if (status == DPC_OK)
        *out = g;
    else
        dpc_goodness_free(g);
    return status;
}
