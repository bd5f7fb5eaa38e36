/*
 * The way through the house: correlation → skeleton → orientation → refinement, where it is asked
 * for → result; the greedy search goes from the correlation to the graph at once.
 */
#include "learn.h"
#include "apply_knowledge.h"
#include "canonical.h"
#include "compare.h"
#include "effective.h"
#include "fci.h"
#include "ges.h"
#include "latent.h"
#include "mag_search.h"
#include "orient.h"
#include "platform.h"
#include "ranks.h"
#include "refine.h"
#include "representatives.h"
#include "result.h"
#include "settings.h"
#include "skeleton.h"
#include "status.h"
#include "test.h"
#include "valid_pag.h"

#include <math.h>

/* Directing goes on so much longer than the time there is, as a share of it. */
static const double MORE_TO_ORIENT = 0.1;
static const double ENOUGH = 1e9; /* bytes for what a refinement keeps, where nothing is said */

/* A search under way, and the result that it fills. */
typedef struct learning {
    const dpc_correlation *correlation;
    const dpc_settings *settings; /* checked and whole */
    dpc_time_limit limit;
    bool graph_only; /* nobody is going to ask the result for anything but its graph */
    dpc_result *result;
} learning;

/* What a refinement makes of the settings. */
static dpc_refine_plan plan_of(learning *l)
{
    const dpc_settings *settings = l->settings;
    return (dpc_refine_plan){
        .how = settings->refine,
        .restarts = settings->restarts,
        .price = settings->penalty * log((double)l->correlation->n_obs),
        .seed = settings->seed,
        .memory = settings->memory > 0 ? settings->memory * 1e6 : ENOUGH,
        .limit = &l->limit,
        .correlation = l->correlation,
    };
}

/*
 * What a search for hidden causes makes of them, after a refinement. The price is EBIC where none
 * is given, of as many rows as the table is worth; the refinement may have found another one.
 */
static dpc_mag_plan mag_plan_of(learning *l)
{
    const dpc_correlation *c = l->correlation;
    return (dpc_mag_plan){
        .price = dpc_mag_price(l->settings->penalty, c->n_vars, (double)c->n_obs,
                               l->result->refined.effective_rows),
        .hidden_price = DPC_HIDDEN_PRICE,
        .memory = plan_of(l).memory,
        .limit = &l->limit,
    };
}

/* From a refined graph, in the labels of all columns, to the MAG that the result keeps. */
static dpc_status search_mag(learning *l, const dpc_view *view, const dpc_graph *refined,
                             dpc_error *err)
{
    dpc_result *result = l->result;
    const dpc_mag_plan plan = mag_plan_of(l);
    dpc_mag_found found = {0};
    double start = dpc_seconds();
    DPC_CHECK(dpc_search_mag(view, result->known, l->settings, &plan, refined, &result->mag, &found,
                             err));
    result->info.seconds[DPC_STAGE_HIDDEN] = dpc_seconds() - start;
    result->hidden = (dpc_hidden_search){.mag = &result->mag,
                                         .price = found.price,
                                         .hidden_price = found.hidden_price,
                                         .score_before = found.score_before,
                                         .score_after = found.score_after,
                                         .tries = found.tries,
                                         .kept = found.kept,
                                         .complete = found.complete};
    result->info.complete = result->info.complete && found.complete;
    return DPC_OK;
}

/* What the result has of a refined graph, in the labels of all columns. */
static dpc_status reduce(learning *l, const dpc_view *view, const dpc_graph *refined,
                         dpc_error *err)
{
    dpc_result *result = l->result;
    const dpc_settings *settings = l->settings;
    dpc_graph *out = &result->found.graph;
    if (settings->latent == DPC_HIDDEN_SEARCH) {
        DPC_CHECK(search_mag(l, view, refined, err));
        return dpc_pag_of_known_mag(result->known, settings->selection, &result->mag, out, err);
    }
    DPC_CHECK(dpc_graph_reduce(refined, settings->graph, out, err));
    return settings->latent == DPC_HIDDEN_DAG
               ? dpc_pag_of_class(result->known, settings->selection, out, err)
               : DPC_OK;
}

/*
 * Refines the graph, in the labels of all columns. What the tests have found besides it does not
 * hold for the new one and is freed; the counts of the tests stay. The pairs that the tests had to
 * give up are open again.
 */
static dpc_status refine(learning *l, const dpc_view *view, dpc_error *err)
{
    dpc_result *result = l->result;
    dpc_refine_plan plan = plan_of(l);
    dpc_graph start = result->found.graph, graph = {0};
    result->found = (dpc_oriented){0};
    dpc_status status =
        dpc_refine(view, result->known, l->settings, &plan, &start, &graph, &result->refined, err);
    if (status == DPC_OK)
        status = reduce(l, view, &graph, err);
    dpc_refined_undo(view->labels, &result->refined);
    result->settings.penalty = result->refined.price / log((double)view->n_obs);
    result->info.complete = result->info.complete && result->refined.complete;
    result->info.effective_rows = result->refined.effective_rows;
    dpc_graph_clear(&start);
    dpc_graph_clear(&graph);
    return status;
}

/* Directs the skeleton; a search that follows starts from a CPDAG. */
static dpc_status orient(const learning *l, const dpc_view *view, const dpc_adjacency *skeleton,
                         dpc_error *err)
{
    bool refined = l->settings->refine != DPC_REFINE_NONE;
    dpc_settings directed = *l->settings;
    dpc_time_limit limit = l->limit;
    if (refined)
        directed.graph = DPC_CPDAG;
    if (limit.end > 0)
        limit.end += MORE_TO_ORIENT * l->settings->timeout;
    dpc_unoriented task = {.view = view,
                           .skeleton = skeleton,
                           .sepsets = l->result->sepsets,
                           .settings = &directed,
                           .known = l->result->sepsets->known,
                           .limit = &limit,
                           .graph_only = l->graph_only || refined};
    dpc_status status = dpc_orient(&task, &l->result->found, err);
    l->result->info.complete = !limit.over;
    return status;
}

/* Marks the skeleton as a PAG; tests given Possible-D-SEP may take edges from it. */
static dpc_status mark(learning *l, const dpc_view *view, dpc_adjacency **skeleton, dpc_error *err)
{
    dpc_result *result = l->result;
    const dpc_fci_task task = {view, l->settings, &l->limit};
    if (!dpc_leads(l->settings->ranks))
        return DPC_OK; /* the rest is not shared */
    int levels = result->info.n_levels;
    dpc_status status =
        dpc_fci(&task, skeleton, result->sepsets, &result->info, &result->found.graph, err);
    result->info.complete = !l->limit.over;
    result->pdsep_level = result->info.n_levels > levels ? levels : 0;
    return status;
}

/* Which of the two: hidden causes are allowed for or not. */
static dpc_status give_marks(learning *l, const dpc_view *view, dpc_adjacency **skeleton,
                             dpc_error *err)
{
    return l->settings->latent == DPC_HIDDEN_FCI ? mark(l, view, skeleton, err)
                                                 : orient(l, view, *skeleton, err);
}

/* The order of rank 0 is that of all: another processor may round a sum otherwise. */
static dpc_status spread_labels(const dpc_ranks *ranks, int n, dpc_labels *labels, dpc_error *err)
{
    if (ranks == NULL || labels->column == NULL)
        return DPC_OK;
    int64_t size = n * (int64_t)sizeof *labels->column;
    DPC_CHECK(ranks->spread(ranks->context, labels->column, size, err));
    return ranks->spread(ranks->context, labels->label, size, err);
}

/* The same of an array that there may not be. */
static dpc_status spread_some(const dpc_ranks *ranks, int n, int32_t **array, dpc_error *err)
{
    bool is_there = *array != NULL;
    DPC_CHECK(ranks->spread(ranks->context, &is_there, sizeof is_there, err));
    if (!is_there) {
        free(*array);
        *array = NULL;
        return DPC_OK;
    }
    if (*array == NULL && (*array = dpc_alloc(n, sizeof **array)) == NULL)
        return dpc_fail_memory(err, "the copies among the columns");
    return ranks->spread(ranks->context, *array, n * (int64_t)sizeof **array, err);
}

static dpc_status spread_representatives(const dpc_ranks *ranks, int n, dpc_representatives *some,
                                         dpc_error *err)
{
    dpc_labels *labels = &some->labels;
    if (ranks == NULL)
        return DPC_OK;
    DPC_CHECK(ranks->spread(ranks->context, &labels->count, sizeof labels->count, err));
    DPC_CHECK(spread_some(ranks, n, &labels->column, err));
    DPC_CHECK(spread_some(ranks, n, &labels->label, err));
    return spread_some(ranks, n, &some->alike, err);
}

/* Is the same known of two columns? */
static bool same_known(const void *knowledge, int a, int b)
{
    return dpc_knowledge_same(knowledge, a, b);
}

/* Which columns take part in the tests; `order` has the labels of all. */
static dpc_status set_copies_aside(const learning *l, const dpc_labels *order,
                                   dpc_representatives *out, dpc_error *err)
{
    const dpc_settings *settings = l->settings;
    dpc_same *same = settings->knowledge != NULL ? same_known : NULL;
    if (l->correlation->blocks != NULL)
        return DPC_OK; /* a column that others determine takes part in no test of theirs */
    DPC_CHECK(dpc_find_representatives(l->correlation, order, same, settings->knowledge, settings,
                                       out, err));
    return spread_representatives(settings->ranks, l->correlation->n_vars, out, err);
}

/* The skeleton and its separating sets, which own the background knowledge in labels, and `alike`.
 */
static dpc_status find_skeleton(learning *l, const dpc_view *view, int32_t **alike,
                                dpc_adjacency **skeleton, dpc_error *err)
{
    dpc_constraints *known = NULL;
    DPC_CHECK(dpc_constraints_new(l->settings->knowledge, view->labels, &known, err));
    dpc_status status = dpc_skeleton(view, known, *alike, l->settings, &l->limit, skeleton,
                                     &l->result->sepsets, &l->result->info, err);
    if (status == DPC_OK)
        *alike = NULL;
    else
        dpc_constraints_free(known);
    return status;
}

/* Which columns were set aside. */
static dpc_status name_copies(const dpc_labels *labels, int n, dpc_result *result, dpc_error *err)
{
    if (labels->count == 0)
        return DPC_OK;
    result->copy_of = dpc_alloc(n, sizeof *result->copy_of);
    if (result->copy_of == NULL)
        return dpc_fail_memory(err, "the copies among the columns");
    for (int j = 0; j < n; j++)
        result->copy_of[j] =
            dpc_is_representative(labels, j) ? -1 : dpc_column_of(labels, dpc_label_of(labels, j));
    result->info.n_copies = n - labels->count;
    return DPC_OK;
}

/* Copies may be joined by anything. */
static void encircle_copies(const dpc_labels *labels, dpc_graph *graph)
{
    for (int64_t e = 0; labels->count > 0 && e < graph->n_edges; e++)
        if (dpc_label_of(labels, graph->edges[e].a) == dpc_label_of(labels, graph->edges[e].b))
            graph->edges[e].mark = DPC_CIRCLES;
}

/* Makes a PAG of the graph where it is none, in the labels of all columns. */
static dpc_status validate(const learning *l, const dpc_labels *all, dpc_error *err)
{
    dpc_result *result = l->result;
    dpc_constraints *known = NULL;
    const dpc_labels back = {.column = all->label, .label = all->column};
    DPC_CHECK(dpc_constraints_new(l->settings->knowledge, all, &known, err));
    dpc_status status =
        l->graph_only ? DPC_OK : dpc_graph_duplicate(&result->found.graph, &result->by_tests);
    dpc_labels_undo_graph(&back, &result->found.graph);
    if (status == DPC_OK)
        status = dpc_make_valid(known, l->settings->selection, &result->found.graph,
                                &result->info.repaired);
    dpc_labels_undo_graph(all, &result->found.graph);
    dpc_constraints_free(known);
    if (!result->info.repaired)
        dpc_graph_clear(&result->by_tests);
    return status == DPC_OK ? DPC_OK : dpc_fail_memory(err, "the PAG");
}

/* From labels to columns; what questions to the result need is kept. */
static dpc_status close_tests(const learning *l, dpc_labels *labels, const dpc_labels *all,
                              dpc_error *err)
{
    dpc_result *result = l->result;
    DPC_CHECK(dpc_join_copies(labels, l->correlation->n_vars, &result->found, err));
    if (l->settings->latent == DPC_HIDDEN_FCI) {
        encircle_copies(labels, &result->found.graph);
        DPC_CHECK(validate(l, all, err));
    }
    if (!l->graph_only)
        dpc_sepsets_close(result->sepsets, labels, l->settings->keep_separating_sets);
    return DPC_OK;
}

/* From the labels of the tests to those of all columns, in which it is refined; then to columns. */
static dpc_status close_refined(learning *l, const dpc_labels *tested, const dpc_labels *all,
                                dpc_error *err)
{
    dpc_result *result = l->result;
    const dpc_view view = dpc_view_of(l->correlation, all);
    const dpc_labels back = {.column = all->label, .label = all->column};
    dpc_sepsets_free(result->sepsets);
    result->sepsets = NULL;
    DPC_CHECK(dpc_attach_copies(tested, view.n, &result->found.graph, err));
    dpc_labels_undo_graph(&back, &result->found.graph);
    DPC_CHECK(dpc_constraints_new(l->settings->knowledge, all, &result->known, err));
    DPC_CHECK(refine(l, &view, err));
    DPC_CHECK(dpc_labels_undo(all, &result->found, err));
    dpc_labels_undo_graph(all, &result->mag);
    return l->graph_only ? DPC_OK : dpc_constraints_relabel(result->known, all->column, err);
}

/* Skeleton, orientation and refinement, in the labels of the order that the settings ask for. */
static dpc_status search_by_tests(learning *l, dpc_error *err)
{
    const dpc_settings *settings = l->settings;
    double *seconds = l->result->info.seconds, start = dpc_seconds(), middle = start, end = start;
    bool refined = settings->refine != DPC_REFINE_NONE;
    dpc_adjacency *skeleton = NULL;
    dpc_labels all = {0};
    dpc_representatives some = {0};
    dpc_status status = DPC_OK;
    int n = l->correlation->n_vars;
    DPC_TRY(status, dpc_labels_make(l->correlation, settings, &all, err));
    DPC_TRY(status, spread_labels(settings->ranks, n, &all, err));
    DPC_TRY(status, set_copies_aside(l, &all, &some, err));
    dpc_labels *tested = some.labels.count > 0 ? &some.labels : &all;
    dpc_view view = dpc_view_of(l->correlation, tested);
    DPC_TRY(status, find_skeleton(l, &view, &some.alike, &skeleton, err));
    middle = dpc_seconds();
    DPC_TRY(status, give_marks(l, &view, &skeleton, err));
    end = dpc_seconds();
    if (!dpc_leads(settings->ranks))
        goto done; /* the rest is not shared */
    DPC_TRY(status, name_copies(&some.labels, n, l->result, err));
    status = refined ? close_refined(l, tested, &all, err) : close_tests(l, tested, &all, err);
    seconds[DPC_STAGE_SKELETON] = middle - start;
    seconds[DPC_STAGE_ORIENT] = end - middle;
    seconds[refined ? DPC_STAGE_REFINE : DPC_STAGE_ORIENT] +=
        dpc_seconds() - end - seconds[DPC_STAGE_HIDDEN];

done:
    dpc_representatives_clear(&some);
    dpc_labels_clear(&all);
    dpc_adjacency_free(skeleton);
    return status;
}

/* The arrows of the knowledge on the graph of a class, and what follows from them. */
static dpc_status add_knowledge(const learning *l, dpc_error *err)
{
    dpc_result *result = l->result;
    if (result->known == NULL || l->settings->graph == DPC_SKELETON)
        return DPC_OK;
    return dpc_apply_knowledge(result->known, l->settings->graph == DPC_CPDAG, &result->found.graph,
                               err);
}

static dpc_status search_greedily(learning *l, dpc_error *err)
{
    dpc_info *info = &l->result->info;
    double start = dpc_seconds();
    const dpc_labels columns = {0};
    DPC_CHECK(dpc_constraints_new(l->settings->knowledge, &columns, &l->result->known, err));
    DPC_CHECK(dpc_ges(l->correlation, l->result->known, l->settings, &l->limit,
                      &l->result->found.graph, info, err));
    info->complete = !l->limit.over;
    double middle = dpc_seconds();
    dpc_status status = add_knowledge(l, err);
    info->seconds[DPC_STAGE_SKELETON] = middle - start;
    info->seconds[DPC_STAGE_ORIENT] = dpc_seconds() - middle;
    return status;
}

static dpc_status search(learning *l, dpc_error *err)
{
    return l->settings->method == DPC_GES ? search_greedily(l, err) : search_by_tests(l, err);
}

/* Do several ranks share this search? GES and the standard variant are the work of one process. */
static bool is_shared(const dpc_settings *settings)
{
    return settings->ranks != NULL && settings->method != DPC_GES &&
           settings->variant == DPC_STABLE;
}

static dpc_status check(const dpc_correlation *correlation, const dpc_settings *settings,
                        dpc_error *err)
{
    if (correlation->n_vars < 2 || !dpc_testable(correlation->n_obs, 0))
        return dpc_fail(err, DPC_BAD_INPUT,
                        "%d variables and %lld observations are too few to learn from",
                        correlation->n_vars, (long long)correlation->n_obs);
    if (settings->refine == DPC_REFINE_EXACT && correlation->n_vars > DPC_MOST_EXACT)
        return dpc_fail(err, DPC_USAGE,
                        "refine exact searches all DAGs, of at most %d variables; the data have "
                        "%d. Use refine full",
                        DPC_MOST_EXACT, correlation->n_vars);
    if (settings->latent == DPC_HIDDEN_SEARCH && correlation->blocks != NULL)
        return dpc_fail(
            err, DPC_USAGE,
            "latent search needs variables that are single columns of numbers; it has no "
            "likelihood for nominal variables, blocks and curves. Use latent fci");
    return dpc_knowledge_check(settings->knowledge, correlation->n_vars, err);
}

/* The penalty of GES, where it is left open: that of the independent rows which N are worth. */
static dpc_status find_penalty(const dpc_correlation *correlation, dpc_settings *settings,
                               double *rows, dpc_error *err)
{
    int n = correlation->n_vars;
    double n_obs = (double)correlation->n_obs;
    if (settings->penalty > 0)
        return DPC_OK;
    DPC_CHECK(dpc_effective_rows_alone(correlation, settings, rows, err));
    settings->penalty = dpc_price_for(dpc_penalty(settings, n, *rows), n_obs, *rows) / log(n_obs);
    return DPC_OK;
}

/* By settings that are checked and whole; `end` is that of their time. */
static dpc_status learn(const dpc_correlation *correlation, dpc_settings *settings, double end,
                        dpc_result **out, dpc_error *err)
{
    bool leads = dpc_leads(settings->ranks);
    learning l = {.correlation = correlation, .settings = settings, .limit = {.end = end}};
    DPC_CHECK(check(correlation, settings, err));
    if (dpc_by_score(settings))
        DPC_CHECK(dpc_latent_check_score(correlation, err));
    if (!is_shared(settings))
        settings->ranks = NULL;
    if (settings->ranks == NULL && !leads)
        return DPC_OK; /* nothing to do for a rank that does not lead */
    double rows = (double)correlation->n_obs;
    if (settings->method == DPC_GES)
        DPC_CHECK(find_penalty(correlation, settings, &rows, err));
    DPC_CHECK(dpc_result_new(correlation, settings, &l.result, err));
    l.result->info.effective_rows = rows;
    dpc_status status = search(&l, err);
    if (correlation->unfinished)
        l.result->info.complete = false;
    l.result->info.seconds[DPC_STAGE_PREPARE] = correlation->seconds_prepare;
    l.result->info.seconds[DPC_STAGE_CORRELATION] = correlation->seconds_product;
    if (status != DPC_OK || !leads) {
        dpc_result_free(l.result);
        return status;
    }
    dpc_result_close(l.result);
    *out = l.result;
    return DPC_OK;
}

dpc_status dpc_learn_graph(const dpc_correlation *correlation, const dpc_settings *checked,
                           double end, dpc_graph *graph, bool *complete, int64_t *steps,
                           dpc_error *err)
{
    dpc_result result = {.info.complete = true};
    learning l = {.correlation = correlation,
                  .settings = checked,
                  .limit = {.end = end},
                  .graph_only = true,
                  .result = &result};
    DPC_CHECK(check(correlation, checked, err));
    dpc_status status = search(&l, err);
    if (status == DPC_OK) {
        *graph = result.found.graph;
        *complete = result.info.complete;
        if (steps != NULL)
            *steps = result.info.tests + result.info.scores; /* one of them is 0 */
        result.found.graph = (dpc_graph){0};
    }
    dpc_result_clear(&result);
    return status;
}

dpc_status dpc_learn(const dpc_correlation *correlation, const dpc_settings *given,
                     dpc_result **out, dpc_error *err)
{
    dpc_settings settings;
    DPC_CHECK(dpc_settings_or_default(given, &settings, err));
    return learn(correlation, &settings, dpc_end_of_time(settings.timeout), out, err);
}

dpc_status dpc_learn_table(const dpc_table *table, const dpc_settings *given, dpc_audit *audit,
                           dpc_result **out, dpc_error *err)
{
    dpc_settings settings;
    dpc_correlation *correlation = NULL;
    DPC_CHECK(dpc_settings_or_default(given, &settings, err));
    double end = dpc_end_of_time(settings.timeout); /* the correlations take some of it */
    DPC_CHECK(dpc_correlate(table, given, audit, &correlation, err));
    dpc_status status = learn(correlation, &settings, end, out, err);
    dpc_correlation_free(correlation);
    return status;
}
