/*
 * The way through the house: correlation → skeleton → orientation → refinement, where it is asked
 * for → result; the greedy search goes from the correlation to the graph at once.
 */
#include "apply_knowledge.h"
#include "blas.h"
#include "canonical.h"
#include "compare.h"
#include "ges.h"
#include "orient.h"
#include "platform.h"
#include "ranks.h"
#include "refine.h"
#include "result.h"
#include "settings.h"
#include "skeleton.h"
#include "status.h"
#include "test.h"

#include <math.h>

/* Directing goes on so much longer than the time there is, as a share of it. */
static const double MORE_TO_ORIENT = 0.1;
static const double ENOUGH = 1e9; /* bytes for what a refinement keeps, where nothing is said */

/* What a refinement makes of the settings. */
static dpc_refine_plan plan_of(const dpc_settings *settings, int64_t n_obs, dpc_time_limit *limit)
{
    return (dpc_refine_plan){
        .full = settings->refine == DPC_REFINE_FULL,
        .restarts = settings->restarts,
        .price = settings->penalty * log((double)n_obs),
        .seed = settings->seed,
        .memory = settings->memory > 0 ? settings->memory * 1e6 : ENOUGH,
        .limit = limit,
    };
}

/*
 * Refines the graph, in labels. What the tests have found besides it does not hold for the new one,
 * and goes; the counts of the tests stay.
 */
static dpc_status refine(const dpc_view *view, const dpc_settings *settings, dpc_time_limit *limit,
                         dpc_result *result, dpc_error *err)
{
    dpc_refine_plan plan = plan_of(settings, view->n_obs, limit);
    dpc_constraints *known = NULL; /* anew: what the tests had to give up is open again */
    dpc_graph graph = {0}, reduced = {0};
    dpc_sepsets_free(result->sepsets);
    result->sepsets = NULL;
    dpc_status status = dpc_constraints_new(settings->knowledge, view->labels, &known, err);
    if (status == DPC_OK)
        status = dpc_refine(view, known, settings, &plan, &result->found.graph, &graph,
                            &result->refined, err);
    if (status == DPC_OK) {
        dpc_refined_undo(view->labels, &result->refined);
        status = dpc_graph_reduce(&graph, settings->graph, &reduced, err);
    }
    if (status == DPC_OK) {
        dpc_oriented_clear(&result->found);
        result->found = (dpc_oriented){.graph = reduced};
        result->info.complete = result->info.complete && result->refined.complete;
    }
    dpc_graph_clear(&graph);
    dpc_constraints_free(known);
    return status;
}

/* In columns, for questions to a result that has no separating sets to keep it with. */
static dpc_status keep_knowledge(const dpc_settings *settings, dpc_result *result, dpc_error *err)
{
    const dpc_labels columns = {0};
    return dpc_constraints_new(settings->knowledge, &columns, &result->known, err);
}

/* Directs the skeleton, which takes over nothing; a search that follows starts from a CPDAG. */
static dpc_status orient(const dpc_view *view, const dpc_adjacency *skeleton,
                         const dpc_constraints *known, const dpc_settings *settings,
                         dpc_time_limit limit, dpc_result *result, dpc_error *err)
{
    dpc_settings directed = *settings;
    if (settings->refine != DPC_REFINE_NONE)
        directed.graph = DPC_CPDAG;
    if (limit.end > 0)
        limit.end += MORE_TO_ORIENT * settings->timeout;
    dpc_unoriented task = {view, skeleton, result->sepsets, &directed, known, &limit};
    dpc_status status = dpc_orient(&task, &result->found, err);
    result->info.complete = !limit.over;
    return status;
}

/* The order of rank 0 is that of all: another processor may round a sum otherwise. */
static dpc_status spread_labels(const dpc_ranks *ranks, int n, dpc_labels *labels, dpc_error *err)
{
    if (labels->column == NULL)
        return DPC_OK;
    int64_t size = n * (int64_t)sizeof *labels->column;
    dpc_status status = ranks->spread(ranks->context, labels->column, size, err);
    return status == DPC_OK ? ranks->spread(ranks->context, labels->label, size, err) : status;
}

/* Skeleton and orientation, in the labels of the order that the settings ask for. */
static dpc_status search_by_tests(const dpc_correlation *correlation, const dpc_settings *settings,
                                  dpc_time_limit *limit, dpc_result *result, dpc_error *err)
{
    dpc_adjacency *skeleton = NULL;
    dpc_labels labels = {0};
    double start = dpc_seconds();
    dpc_constraints *known = NULL;
    dpc_status status = dpc_labels_make(correlation, settings, &labels, err);
    if (status == DPC_OK && settings->ranks != NULL)
        status = spread_labels(settings->ranks, correlation->n_vars, &labels, err);
    if (status == DPC_OK)
        status = dpc_constraints_new(settings->knowledge, &labels, &known, err);
    dpc_view view = dpc_view_of(correlation, &labels);
    if (status == DPC_OK)
        status = dpc_skeleton(&view, known, settings, limit, &skeleton, &result->sepsets,
                              &result->info, err);
    if (status != DPC_OK)
        dpc_constraints_free(known);
    double middle = dpc_seconds();
    bool refined = settings->refine != DPC_REFINE_NONE;
    if (status == DPC_OK)
        status = orient(&view, skeleton, known, settings, *limit, result, err);
    double end = dpc_seconds();
    if (status == DPC_OK && !dpc_leads(settings->ranks))
        goto done; /* the rest is not shared */
    if (status == DPC_OK && refined)
        status = refine(&view, settings, limit, result, err);
    if (status == DPC_OK)
        status = dpc_labels_undo(&labels, &result->found, err);
    if (status == DPC_OK && result->sepsets != NULL)
        dpc_sepsets_close(result->sepsets, &labels, settings->keep_separating_sets);
    if (status == DPC_OK && refined)
        status = keep_knowledge(settings, result, err);
    result->info.seconds[DPC_STAGE_SKELETON] = middle - start;
    result->info.seconds[DPC_STAGE_ORIENT] = end - middle;
    result->info.seconds[DPC_STAGE_REFINE] = dpc_seconds() - end;

done:
    dpc_labels_clear(&labels);
    dpc_adjacency_free(skeleton);
    return status;
}

/* The arrows of the knowledge on the graph of a class, and what follows from them. */
static dpc_status add_knowledge(const dpc_settings *settings, dpc_result *result, dpc_error *err)
{
    DPC_CHECK(keep_knowledge(settings, result, err));
    if (result->known == NULL || settings->graph == DPC_SKELETON)
        return DPC_OK;
    return dpc_apply_knowledge(result->known, settings->graph == DPC_CPDAG, &result->found.graph,
                               err);
}

static dpc_status search_greedily(const dpc_correlation *correlation, const dpc_settings *settings,
                                  dpc_time_limit *limit, dpc_result *result, dpc_error *err)
{
    double start = dpc_seconds();
    dpc_status status =
        dpc_ges(correlation, settings, limit, &result->found.graph, &result->info, err);
    result->info.complete = !limit->over;
    double middle = dpc_seconds();
    if (status == DPC_OK)
        status = add_knowledge(settings, result, err);
    result->info.seconds[DPC_STAGE_SKELETON] = middle - start;
    result->info.seconds[DPC_STAGE_ORIENT] = dpc_seconds() - middle;
    return status;
}

/*
 * Does several ranks share this search? GES and the standard variant are the work of one process.
 * Whoever does not lead has nothing to do then.
 */
static bool is_shared(const dpc_settings *settings)
{
    return settings->ranks != NULL && settings->method != DPC_GES &&
           settings->variant == DPC_STABLE;
}

static dpc_status check_knowledge(const dpc_correlation *correlation, const dpc_settings *settings,
                                  dpc_error *err)
{
    dpc_knowledge_counts about;
    if (settings->knowledge == NULL)
        return DPC_OK;
    dpc_knowledge_count(settings->knowledge, &about);
    if (about.n_vars == correlation->n_vars)
        return DPC_OK;
    return dpc_fail(err, DPC_USAGE, "the knowledge is about %d variables, the data have %d",
                    about.n_vars, correlation->n_vars);
}

static dpc_status check(const dpc_correlation *correlation, const dpc_settings *settings,
                        dpc_error *err)
{
    dpc_status status = DPC_OK;
    if (correlation->n_vars < 2 || !dpc_testable(correlation->n_obs, 0))
        status = dpc_fail(err, DPC_BAD_INPUT,
                          "%d variables and %lld observations are too few to learn from",
                          correlation->n_vars, (long long)correlation->n_obs);
    return status == DPC_OK ? check_knowledge(correlation, settings, err) : status;
}

/* By settings that are checked and whole; `end` is that of their time. */
static dpc_status learn(const dpc_correlation *correlation, dpc_settings *settings, double end,
                        dpc_result **out, dpc_error *err)
{
    dpc_time_limit limit = {.end = end};
    dpc_result *result = NULL;
    bool leads = dpc_leads(settings->ranks);
    dpc_status status = check(correlation, settings, err);
    if (!is_shared(settings))
        settings->ranks = NULL;
    if (status != DPC_OK || (settings->ranks == NULL && !leads))
        return status;
    status = dpc_result_new(correlation, settings, &result, err);
    if (status != DPC_OK)
        return status;
    status = settings->method == DPC_GES
                 ? search_greedily(correlation, settings, &limit, result, err)
                 : search_by_tests(correlation, settings, &limit, result, err);
    result->info.seconds[DPC_STAGE_PREPARE] = correlation->seconds_prepare;
    result->info.seconds[DPC_STAGE_CORRELATION] = correlation->seconds_product;
    if (status != DPC_OK || !leads) {
        dpc_result_free(result);
        return status;
    }
    *out = result;
    return DPC_OK;
}

/* Checked and whole settings, and the memory that they ask for. */
static dpc_status make_ready(const dpc_settings *given, dpc_settings *settings, dpc_error *err)
{
    dpc_status status = dpc_settings_or_default(given, settings, err);
    return status == DPC_OK ? dpc_blas_ready(settings, err) : status;
}

dpc_status dpc_learn(const dpc_correlation *correlation, const dpc_settings *given,
                     dpc_result **out, dpc_error *err)
{
    dpc_settings settings;
    dpc_status status = make_ready(given, &settings, err);
    if (status != DPC_OK)
        return status;
    return learn(correlation, &settings, dpc_end_of_time(settings.timeout), out, err);
}

dpc_status dpc_learn_table(const dpc_table *table, const dpc_settings *given, dpc_audit *audit,
                           dpc_result **out, dpc_error *err)
{
    dpc_settings settings;
    dpc_correlation *correlation = NULL;
    dpc_status status = make_ready(given, &settings, err);
    if (status != DPC_OK)
        return status;
    double end = dpc_end_of_time(settings.timeout); /* the correlations take some of it */
    status = dpc_correlate(table, given, audit, &correlation, err);
    if (status == DPC_OK)
        status = learn(correlation, &settings, end, out, err);
    dpc_correlation_free(correlation);
    return status;
}
