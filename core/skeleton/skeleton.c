/*
 * The skeleton: level 0, then one level after the other until no neighbourhood is large enough
 * for another (paper, algorithm 1), or the time is up.
 */
#include "skeleton.h"

#include "alloc.h"
#include "exchange.h"
#include "platform.h"
#include "status.h"

#include <math.h>

static void close_search(dpc_skeleton_search *search)
{
    for (int i = 0; search->visitors != NULL && i < search->crew.threads; i++)
        dpc_visitor_free(search->visitors[i]);
    dpc_arena_clear(&search->arena);
    dpc_critical_clear(&search->problem.critical);
    dpc_adjacency_free(search->graph);
    dpc_sepsets_free(search->sepsets);
}

/* How many columns each node stands for. No two copies are tested, and their edge stays. */
static void count_copies(dpc_skeleton_search *search)
{
    const dpc_view *view = &search->problem.view;
    search->copies = dpc_arena_zalloc(&search->arena, dpc_nodes(view), sizeof *search->copies);
    for (int j = 0; search->copies != NULL && j < view->n; j++)
        search->info->singular_tests += search->copies[dpc_label_of(view->labels, j)]++;
}

static dpc_status open_search(dpc_skeleton_search *search, const dpc_view *view,
                              const dpc_constraints *known, const int32_t *alike,
                              const dpc_settings *settings, dpc_info *info, dpc_error *err)
{
    int n = dpc_nodes(view);
    *search = (dpc_skeleton_search){
        .problem = {.view = *view,
                    .settings = settings,
                    .known = known,
                    .alike = alike,
                    .dual = settings->method == DPC_DUAL},
        .info = info,
        .rows = dpc_rows_among(view, 0, NULL, n),
    };
    dpc_crew_init(&search->crew, settings, DPC_STAGE_SKELETON);
    if (settings->variant == DPC_STANDARD)
        search->crew.threads = 1; /* one pair after the other, by definition */
    DPC_CHECK(dpc_critical_init(settings, view->n_obs, n, &search->problem.critical, err));
    dpc_arena *arena = &search->arena;
    search->changed_level = dpc_arena_zalloc(arena, n, sizeof *search->changed_level);
    search->changed_pair = dpc_arena_alloc(arena, n, sizeof *search->changed_pair);
    search->condition = dpc_arena_zalloc(arena, (int64_t)n * dpc_n_limits(known), 1);
    search->problem.tally =
        alike != NULL ? dpc_arena_zalloc(arena, n, sizeof *search->problem.tally) : NULL;
    search->visitors = dpc_arena_zalloc(arena, search->crew.threads, sizeof *search->visitors);
    if (view->labels->count > 0)
        count_copies(search);
    bool fine = !dpc_arena_failed(arena) && dpc_sepsets_new(n, &search->sepsets) == DPC_OK;
    for (int i = 0; fine && i < search->crew.threads; i++)
        fine = dpc_visitor_new(&search->problem, &search->crew, i, &search->visitors[i]) == DPC_OK;
    for (int x = 0; fine && x < n; x++)
        search->changed_pair[x] = INT64_MAX; /* level 0 came before every pair */
    return fine ? DPC_OK : dpc_fail_memory(err, "the skeleton search");
}

static void take_counts(dpc_skeleton_search *search)
{
    for (int i = 0; i < search->crew.threads; i++)
        dpc_count(search, dpc_visitor_take_counts(search->visitors[i]));
}

static dpc_status add_level(dpc_skeleton_search *search, int64_t tests_before, int64_t removed,
                            double seconds, dpc_error *err)
{
    dpc_info *info = search->info;
    dpc_level *levels = dpc_regrow(info->levels, (int64_t)info->n_levels + 1, sizeof *levels);
    if (levels == NULL)
        return dpc_fail_memory(err, "the list of levels");
    info->levels = levels;
    levels[info->n_levels++] = (dpc_level){
        .tests = info->tests - tests_before,
        .removed = removed,
        .left = search->edges,
        .seconds = seconds,
    };
    return DPC_OK;
}

/* Level 0, by rank 0 for all. */
static dpc_status level_zero(dpc_skeleton_search *search, dpc_error *err)
{
    const dpc_ranks *ranks = search->problem.settings->ranks;
    dpc_status status =
        dpc_leads(ranks) ? dpc_level_zero(search, err) : dpc_level_zero_help(search, err);
    if (status == DPC_OK && ranks != NULL && ranks->ranks > 1)
        status = dpc_spread_level_zero(search, err);
    search->more = true;
    return status;
}

/* Pairs of columns that are joined, copies of each other among them; the lists are symmetric. */
static int64_t count_edges(const dpc_skeleton_search *search)
{
    const dpc_adjacency *graph = search->graph;
    int64_t edges = 0;
    if (search->copies == NULL)
        return dpc_slots(graph) / 2;
    for (int x = 0; x < graph->n; x++) {
        int64_t size = search->copies[x];
        edges += size * (size - 1);
        for (int64_t e = graph->start[x]; e < graph->start[x + 1]; e++)
            edges += dpc_columns_joined(search, x, graph->node[e]);
    }
    return edges / 2;
}

static dpc_status run_level(dpc_skeleton_search *search, int level, dpc_error *err)
{
    double start = dpc_seconds();
    int64_t before = search->info->tests, removed = 0, n = search->problem.view.n;
    dpc_status status;
    if (level == 0) {
        status = level_zero(search, err);
        search->edges = n * (n - 1) / 2;
        removed = status == DPC_OK ? search->edges - count_edges(search) : 0;
    } else {
        search->crew.progress.level = level;
        search->crew.progress.edges = search->edges;
        status = search->problem.settings->variant == DPC_STABLE
                     ? dpc_level_stable(search, level, &removed, err)
                     : dpc_level_standard(search, level, &removed, err);
    }
    if (status == DPC_INTERRUPTED && search->crew.late)
        return DPC_OK; /* given up: neither its verdicts nor its counts are reported */
    take_counts(search);
    if (status != DPC_OK)
        return status;
    search->edges -= removed;
    return add_level(search, before, removed, dpc_seconds() - start, err);
}

/* The operations that a level would take, roughly. */
static double level_cost(const dpc_skeleton_search *search, int level)
{
    const dpc_problem *problem = &search->problem;
    double cost = 0;
    for (int x = 0; x < search->graph->n; x++) {
        const int32_t *list = dpc_neighbours(search->graph, x);
        int degree = dpc_degree(search->graph, x);
        dpc_plan plan = dpc_plan_visit(problem, dpc_rows_among(&problem->view, x, list, degree),
                                       degree, level, level, *dpc_condition(search, x, 0),
                                       dpc_count_alike(problem, x, list, degree));
        cost += dpc_plan_cost(&plan, degree);
    }
    return cost;
}

/*
 * A search by score goes on from the graph that it is given, and mends it: it is not worth more
 * tests than it takes steps itself. So its start ends before a level that would take much longer
 * than the first ones, whose work grows with a power of n and not with the number of sets.
 */
static bool start_is_over(dpc_skeleton_search *search, int level)
{
    const double enough = 1e8, n = search->graph->n;
    if (search->problem.settings->refine == DPC_REFINE_NONE || level < 2 ||
        level_cost(search, level) <= enough + n * n * n)
        return false;
    search->info->start_ended = level;
    return true;
}

/* Is there anything to do at this level? */
static bool worthwhile(dpc_skeleton_search *search, int level)
{
    return search->more && level <= search->problem.settings->max_order &&
           dpc_testable(search->rows.most, level) && dpc_max_degree(search->graph) - 1 >= level &&
           !start_is_over(search, level);
}

/* With the AND rule the lists differ: an edge is where at least one end lists the other. */
static dpc_status join_lists(dpc_skeleton_search *search, dpc_error *err)
{
    dpc_adjacency *joined = NULL;
    if (dpc_adjacency_joined(search->graph, &joined) != DPC_OK)
        return dpc_fail_memory(err, "the skeleton");
    dpc_adjacency_free(search->graph);
    search->graph = joined;
    return DPC_OK;
}

/* |r|; the context is the view. */
static double strength(const void *context, int a, int b)
{
    return fabs(dpc_r(context, a, b));
}

/* Removes edges that knowledge leaves no direction for; they count with the last level. */
static dpc_status break_circles(dpc_skeleton_search *search, dpc_constraints *known, dpc_error *err)
{
    dpc_level *last = &search->info->levels[search->info->n_levels - 1];
    int64_t before = count_edges(search);
    DPC_CHECK(dpc_break_circles(known, strength, &search->problem.view, &search->graph, err));
    int64_t gone = before - count_edges(search);
    last->removed += gone;
    last->left -= gone;
    return DPC_OK;
}

static dpc_status run(dpc_skeleton_search *search, dpc_constraints *known, dpc_time_limit *limit,
                      dpc_error *err)
{
    DPC_CHECK(dpc_exchange_workers(search, err));
    DPC_CHECK(run_level(search, 0, err));
    search->crew.limit = limit; /* from here on there is a skeleton */
    for (int level = 1; !search->crew.late && worthwhile(search, level); level++)
        DPC_CHECK(run_level(search, level, err));
    if (search->problem.settings->rule == DPC_RULE_AND)
        DPC_CHECK(join_lists(search, err));
    if (search->problem.settings->latent == DPC_HIDDEN_FCI)
        return DPC_OK; /* an edge that has no direction left may be ↔ */
    return break_circles(search, known, err);
}

dpc_status dpc_skeleton(const dpc_view *view, dpc_constraints *known, int32_t *alike,
                        const dpc_settings *settings, dpc_time_limit *limit, dpc_adjacency **graph,
                        dpc_sepsets **sepsets, dpc_info *info, dpc_error *err)
{
    dpc_skeleton_search search;
    dpc_status status = open_search(&search, view, known, alike, settings, info, err);
    if (status == DPC_OK)
        status = run(&search, known, limit, err);
    if (status == DPC_OK) {
        search.sepsets->known = known;
        search.sepsets->alike = alike;
        *graph = search.graph;
        *sepsets = search.sepsets;
        search.graph = NULL;
        search.sepsets = NULL;
    }
    close_search(&search);
    return status;
}
