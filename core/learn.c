/*
 * The way through the house: correlation → skeleton → orientation → result; the greedy search
 * goes from the correlation to the graph at once.
 */
#include "blas.h"
#include "canonical.h"
#include "clock.h"
#include "error.h"
#include "ges.h"
#include "orient.h"
#include "result.h"
#include "settings.h"
#include "skeleton.h"
#include "stat.h"

/* Skeleton and orientation, in the labels of the order that the settings ask for. */
static dpc_status search_by_tests(const dpc_correlation *correlation, const dpc_settings *settings,
                                  dpc_result *result, dpc_error *err)
{
    dpc_adjacency *skeleton = NULL;
    dpc_labels labels = {0};
    double start = dpc_seconds();
    dpc_constraints *known = NULL;
    dpc_status status = dpc_labels_make(correlation, settings, &labels, err);
    if (status == DPC_OK)
        status = dpc_constraints_new(settings->knowledge, &labels, &known, err);
    dpc_view view = dpc_view_of(correlation, &labels);
    if (status == DPC_OK)
        status =
            dpc_skeleton(&view, known, settings, &skeleton, &result->sepsets, &result->info, err);
    if (status != DPC_OK)
        dpc_constraints_free(known);
    double middle = dpc_seconds();
    if (status == DPC_OK) {
        dpc_unoriented task = {&view, skeleton, result->sepsets, settings, known};
        status = dpc_orient(&task, &result->found, err);
    }
    if (status == DPC_OK)
        status = dpc_labels_undo(&labels, &result->found, err);
    if (status == DPC_OK)
        dpc_sepsets_close(result->sepsets, &labels, settings->keep_separating_sets);
    result->info.seconds[DPC_STAGE_SKELETON] = middle - start;
    result->info.seconds[DPC_STAGE_ORIENT] = dpc_seconds() - middle;
    dpc_labels_clear(&labels);
    dpc_adjacency_free(skeleton);
    return status;
}

static dpc_status search_greedily(const dpc_correlation *correlation, const dpc_settings *settings,
                                  dpc_result *result, dpc_error *err)
{
    double start = dpc_seconds();
    dpc_status status = dpc_ges(correlation, settings, &result->found.graph, &result->info, err);
    result->info.seconds[DPC_STAGE_SKELETON] = dpc_seconds() - start;
    return status;
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

dpc_status dpc_learn(const dpc_correlation *correlation, const dpc_settings *given,
                     dpc_result **out, dpc_error *err)
{
    dpc_settings settings;
    dpc_status status = dpc_settings_or_default(given, &settings, err);
    if (status == DPC_OK)
        status = dpc_blas_ready(&settings, err);
    if (status == DPC_OK && (correlation->n_vars < 2 || !dpc_testable(correlation->n_obs, 0)))
        status = dpc_fail(err, DPC_BAD_INPUT,
                          "%d variables and %lld observations are too few to learn from",
                          correlation->n_vars, (long long)correlation->n_obs);
    if (status == DPC_OK)
        status = check_knowledge(correlation, &settings, err);
    if (status != DPC_OK)
        return status;
    dpc_result *result = NULL;
    status = dpc_result_new(correlation, &settings, &result, err);
    if (status != DPC_OK)
        return status;
    status = settings.method == DPC_GES ? search_greedily(correlation, &settings, result, err)
                                        : search_by_tests(correlation, &settings, result, err);
    result->info.seconds[DPC_STAGE_PREPARE] = correlation->seconds_prepare;
    result->info.seconds[DPC_STAGE_CORRELATION] = correlation->seconds_product;
    if (status != DPC_OK) {
        dpc_result_free(result);
        return status;
    }
    *out = result;
    return DPC_OK;
}

dpc_status dpc_learn_table(const dpc_table *table, const dpc_settings *settings, dpc_audit *audit,
                           dpc_result **out, dpc_error *err)
{
    dpc_correlation *correlation = NULL;
    dpc_status status = dpc_correlate(table, settings, audit, &correlation, err);
    if (status == DPC_OK)
        status = dpc_learn(correlation, settings, out, err);
    dpc_correlation_free(correlation);
    return status;
}
