/* The result of learning: what it owns, and the questions that need no more than a look. */
#include "result.h"

#include "alloc.h"
#include "block_answer.h"
#include "settings.h"
#include "stats.h"
#include "status.h"

#include <stdio.h>

/* ---- Memory ---- */

dpc_status dpc_result_new(const dpc_correlation *correlation, const dpc_settings *settings,
                          dpc_result **out, dpc_error *err)
{
    dpc_result *result = dpc_zalloc(1, sizeof *result);
    if (result == NULL)
        return dpc_fail_memory(err, "the result");
    dpc_status status = dpc_settings_keep(settings, &result->settings, err);
    if (status != DPC_OK) {
        free(result);
        return status;
    }
    result->info.score = NAN;
    result->info.complete = true;
    result->correlation = dpc_correlation_share(correlation);
    *out = result;
    return DPC_OK;
}

void dpc_result_clear(dpc_result *result)
{
    dpc_oriented_clear(&result->found);
    free(result->info.levels);
    free(result->copy_of);
    dpc_sepsets_free(result->sepsets);
    free(result->refined.changes);
    dpc_graph_clear(&result->by_tests);
    dpc_graph_clear(&result->mag);
    dpc_constraints_free(result->known);
    dpc_settings_release(&result->settings);
    dpc_correlation_free(result->correlation);
}

void dpc_result_free(dpc_result *result)
{
    if (result != NULL)
        dpc_result_clear(result);
    free(result);
}

/* ---- A look ---- */

const dpc_graph *dpc_result_graph(const dpc_result *result)
{
    return &result->found.graph;
}

const dpc_info *dpc_result_info(const dpc_result *result)
{
    return &result->info;
}

const dpc_refined *dpc_result_refined(const dpc_result *result)
{
    return result->settings.refine != DPC_REFINE_NONE ? &result->refined : NULL;
}

const dpc_settings *dpc_result_settings(const dpc_result *result)
{
    return &result->settings;
}

double dpc_evidence(const dpc_result *result, int from, int to)
{
    const dpc_oriented *found = &result->found;
    if (dpc_graph_mark(&found->graph, from, to) != DPC_FORWARD)
        return NAN;
    return dpc_evidence_of(dpc_find_provenance(found->provenance, found->n_provenance, from, to));
}

const dpc_graph *dpc_result_class(const dpc_result *result)
{
    const dpc_oriented *found = &result->found;
    return found->whole.n_edges > 0 ? &found->whole : &found->graph;
}

static const char *type_of(const dpc_settings *settings)
{
    static const char *const TYPES[] = {"CPDAG", "pattern", "skeleton"};
    if (settings->latent != DPC_HIDDEN_NONE)
        return "PAG";
    if (settings->graph != DPC_SKELETON && settings->min_evidence != DPC_NO_MIN_EVIDENCE)
        return "PDAG";
    return settings->graph == DPC_CPDAG && settings->knowledge != NULL ? "MPDAG"
                                                                       : TYPES[settings->graph];
}

/* What the rows are worth, where that is less than their number. */
static void warn_of_rows(dpc_result *result)
{
    const dpc_settings *s = &result->settings;
    dpc_info *info = &result->info;
    double n_obs = (double)info->n_obs;
    double usual = s->method == DPC_GES ? dpc_penalty(&(dpc_settings){0}, info->n_vars, n_obs)
                                        : dpc_ebic(info->n_vars, n_obs);
    if (!(info->effective_rows > 0))
        info->effective_rows = n_obs;
    if (info->effective_rows == n_obs)
        return;
    snprintf(result->warning, sizeof result->warning,
             "the %lld rows carry about as much information as %.0f independent rows: two halves "
             "of the table differ more than halves of independent rows would, as in a time series, "
             "in groups or batches, or where rows are repeated; an edge must therefore raise the "
             "log-likelihood by %.1f, not by %.1f (penalty %.3g; set it to choose another price)",
             (long long)info->n_obs, info->effective_rows, s->penalty * log(n_obs),
             usual * log(n_obs), s->penalty);
    info->warning = result->warning;
}

void dpc_result_close(dpc_result *result)
{
    dpc_info *info = &result->info;
    info->n_vars = result->correlation->n_vars;
    info->n_obs = result->correlation->n_obs;
    info->type = type_of(&result->settings);
    info->class_graph = dpc_result_class(result);
    info->correlation = result->correlation;
    info->refined = dpc_result_refined(result);
    info->hidden = result->hidden.mag != NULL ? &result->hidden : NULL;
    info->conflicts = result->found.conflicts;
    info->n_conflicts = result->found.n_conflicts;
    info->ambiguous = result->found.ambiguous;
    info->n_ambiguous = result->found.n_ambiguous;
    info->copy_of = result->copy_of;
    warn_of_rows(result);
}

/* ---- Separating sets ---- */

dpc_status dpc_result_check_pair(const dpc_result *result, int a, int b, dpc_error *err)
{
    int n = result->correlation->n_vars;
    if (a >= 0 && b >= 0 && a < n && b < n && a != b)
        return DPC_OK;
    return dpc_fail(err, DPC_USAGE, "there is no pair %d, %d among %d variables", a, b, n);
}

dpc_status dpc_result_check_graph(const dpc_result *result, const dpc_graph *graph, dpc_error *err)
{
    int n = result->correlation->n_vars;
    DPC_CHECK(dpc_graph_check_directed(graph, "graph", "a fit or an edge table", err));
    if (graph->n_nodes != n)
        return dpc_fail(err, DPC_USAGE, "the graph has %d nodes, and the result %d variables",
                        graph->n_nodes, n);
    return DPC_OK;
}

dpc_status dpc_separating_set(const dpc_result *result, int a, int b, dpc_sepset *out,
                              int32_t *members, dpc_error *err)
{
    const dpc_sepsets *sets = result->sepsets;
    dpc_status status = dpc_result_check_pair(result, a, b, err);
    if (status != DPC_OK)
        return status;
    if (sets == NULL || dpc_graph_mark(&result->found.graph, a, b) != DPC_NONE) {
        *out = dpc_no_test();
        return DPC_OK;
    }
    dpc_view view = dpc_view_of(result->correlation, &sets->labels);
    dpc_direct direct = {.view = &view};
    /* The N of a test with missing cells, and a test of blocks, are asked of the set. */
    bool asked = view.blocks != NULL || !dpc_view_can(&view, DPC_ONE_N);
    int32_t *own = members == NULL && asked ? dpc_alloc(view.n, sizeof *own) : NULL;
    if (members == NULL && asked && own == NULL)
        return dpc_fail_memory(err, "a separating set");
    status = dpc_tell_separation(sets, &result->settings, &direct, a, b, out,
                                 members != NULL ? members : own, NULL);
    dpc_direct_clear(&direct);
    free(own);
    return dpc_fail_as(err, status, "a separating set");
}

/* ---- Tests of several columns ---- */

static dpc_status check_set(const dpc_result *result, int a, int b, const int32_t *set, int size,
                            dpc_error *err)
{
    int n = result->correlation->n_vars;
    DPC_CHECK(dpc_result_check_pair(result, a, b, err));
    for (int i = 0; i < size; i++)
        if (set[i] < 0 || set[i] >= n || set[i] == a || set[i] == b)
            return dpc_fail(err, DPC_USAGE, "variable %d cannot be in a set of the pair %d, %d",
                            set[i], a, b);
    return DPC_OK;
}

/* Of the set that has separated the pair; *out is NULL where nothing has. */
static dpc_status test_of_separation(const dpc_result *result, dpc_direct *direct, int a, int b,
                                     dpc_f_test **out, dpc_error *err)
{
    dpc_sepset set = dpc_no_test();
    dpc_block_answer answer = {0};
    const dpc_sepsets *sets = result->sepsets;
    *out = NULL;
    if (sets == NULL || dpc_graph_mark(&result->found.graph, a, b) != DPC_NONE)
        return DPC_OK;
    int32_t *members = dpc_alloc(direct->view->n, sizeof *members);
    dpc_status status = members != NULL ? DPC_OK : dpc_fail_memory(err, "a separating set");
    if (status == DPC_OK)
        status = dpc_fail_as(
            err, dpc_tell_separation(sets, &result->settings, direct, a, b, &set, members, &answer),
            "a separating set");
    if (status == DPC_OK && !isnan(set.p))
        status = dpc_f_test_new(&answer, set.kind == DPC_SEP_FULL_ORDER ? sets : NULL, direct, a, b,
                                members, set.size, out, err);
    free(members);
    return status;
}

dpc_status dpc_explain_test(const dpc_result *result, int a, int b, const int32_t *set, int size,
                            dpc_f_test **out, dpc_error *err)
{
    return dpc_f_test_given(result, a, b, set, size, true, out, err);
}

dpc_status dpc_f_test_given(const dpc_result *result, int a, int b, const int32_t *set, int size,
                            bool primal, dpc_f_test **out, dpc_error *err)
{
    const dpc_labels columns = {0};
    const dpc_sepsets *sets = result->sepsets;
    const dpc_view view = dpc_view_of(result->correlation, sets != NULL ? &sets->labels : &columns);
    dpc_direct direct = {.view = &view};
    dpc_block_answer answer;
    DPC_CHECK(check_set(result, a, b, set, size, err));
    if (view.blocks == NULL) {
        *out = NULL;
        return DPC_OK;
    }
    dpc_status status = DPC_OK;
    if (size < 0) {
        status = test_of_separation(result, &direct, a, b, out, err);
    } else {
        status = dpc_fail_as(err,
                             primal ? dpc_answer_primal(&direct, a, b, set, size, &answer)
                                    : dpc_answer_given(&direct, a, b, set, size, 0, &answer),
                             "a test of several columns");
        if (status == DPC_OK)
            status = dpc_f_test_new(&answer, NULL, &direct, a, b, set, size, out, err);
    }
    dpc_direct_clear(&direct);
    return status;
}
