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

static dpc_status open_search(dpc_skeleton_search *search, const dpc_view *view,
                              const dpc_constraints *known, const dpc_settings *settings,
                              dpc_info *info, dpc_error *err)
{
    int n = view->n;
    *search = (dpc_skeleton_search){
        .problem = {.view = *view,
                    .settings = settings,
                    .known = known,
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
    search->refused = dpc_arena_zalloc(arena, (int64_t)n * dpc_n_limits(known), sizeof(bool));
    search->visitors = dpc_arena_zalloc(arena, search->crew.threads, sizeof *search->visitors);
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

static dpc_status run_level(dpc_skeleton_search *search, int level, dpc_error *err)
{
    double start = dpc_seconds();
    int64_t before = search->info->tests, removed = 0, n = search->problem.view.n;
    dpc_status status;
    if (level == 0) {
        status = level_zero(search, err);
        search->edges = n * (n - 1) / 2;
        removed = status == DPC_OK ? search->edges - dpc_slots(search->graph) / 2 : 0;
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

/* Is there anything to do at this level? */
static bool worthwhile(const dpc_skeleton_search *search, int level)
{
    return search->more && level <= search->problem.settings->max_order &&
           dpc_testable(search->rows.most, level) && dpc_max_degree(search->graph) - 1 >= level;
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
    int64_t before = dpc_slots(search->graph);
    DPC_CHECK(dpc_break_circles(known, strength, &search->problem.view, &search->graph, err));
    int64_t gone = (before - dpc_slots(search->graph)) / 2;
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
    return break_circles(search, known, err);
}

dpc_status dpc_skeleton(const dpc_view *view, dpc_constraints *known, const dpc_settings *settings,
                        dpc_time_limit *limit, dpc_adjacency **graph, dpc_sepsets **sepsets,
                        dpc_info *info, dpc_error *err)
{
    dpc_skeleton_search search;
    dpc_status status = open_search(&search, view, known, settings, info, err);
    if (status == DPC_OK)
        status = run(&search, known, limit, err);
    if (status == DPC_OK) {
        search.sepsets->known = known;
        *graph = search.graph;
        *sepsets = search.sepsets;
        search.graph = NULL;
        search.sepsets = NULL;
    }
    close_search(&search);
    return status;
}
