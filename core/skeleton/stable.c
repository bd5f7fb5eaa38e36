/*
 * One level of the stable variant: all neighbour lists as they were at its start, deletions at its
 * end (paper, section 3; Colombo and Maathuis for the idea).
 *
 * A node is visited once for each tier that sets for its pairs may reach to, with its neighbours up
 * to there; without tiers that is once, with all of them. Visits run in parallel, each writes the
 * verdicts of its own slots.
 *
 * A pair is removed when one end has found a set or, with the AND rule, when both have; then each
 * node prunes its own list only, and an edge stays as long as one end lists the other
 * (docs/algorithm.md, "The AND rule"). The set that is recorded is the first: that of the lower
 * level, in one level that of the smaller index.
 *
 * So without the AND rule the larger end need not be tested once the smaller one has separated the
 * pair: in a dense graph the level is swept twice, first from the smaller ends of all pairs, then
 * from the larger ends of those still undecided. Where a visit needs an inverse, that costs more
 * than the tests it would save, and it tests all its pairs in the first sweep; in a sparse graph
 * all visits do. Tests of blocks of columns cost more than an inverse: there are two sweeps always.
 * The choice depends on the graph alone, and so do the counts.
 */
#include "alloc.h"
#include "exchange.h"
#include "status.h"

enum { DENSE = 256 }; /* mean degree from which two sweeps pay */

/* A visit to be made: x, with the neighbours that sets up to a limit may hold. */
typedef struct planned {
    int x, limit, degree;
    dpc_plan plan;
    double cost;        /* in operations, roughly */
    dpc_shared *shared; /* the workers share its targets; NULL: one of them makes it */
} planned;

typedef struct level_job {
    dpc_skeleton_search *search;
    int level;
    bool and_rule;
    planned *visits;
    int64_t n_visits, visit_capacity;
    dpc_shared *shared; /* of the visits that are shared, hubs */
    planned **hubs;     /* by share: the visit it is one of, the shares of a visit in a row */
    int64_t n_shared, n_shares;
    double work;     /* of all visits, in operations */
    int largest;     /* neighbourhood */
    bool twice;      /* there are two sweeps … */
    bool second;     /* … and this is the second */
    dpc_arena arena; /* all arrays but the visits and the places */
    dpc_verdicts verdicts;
    dpc_common common; /* what all ranks knew before a sweep */
    int32_t *places;   /* see dpc_reverse_places */
    bool *gone;        /* by slot: y leaves the list of x */
    int32_t *left;     /* per node: neighbours that stay */
    /* for each worker, max_degree of them: */
    bool *targets;
    int32_t *parts; /* twice as many: see dpc_part_of */
    int max_degree;
} level_job;

/* ---- Which visits ---- */

static dpc_part part_of(const level_job *job, int x, int limit, int worker)
{
    const dpc_adjacency *graph = job->search->graph;
    return dpc_part_of(job->search->problem.known, limit, dpc_neighbours(graph, x),
                       dpc_degree(graph, x), job->parts + 2 * (int64_t)worker * job->max_degree);
}

/* One visit more, and memory for it in every visitor. */
static dpc_status add_visit(level_job *job, const planned *visit)
{
    const dpc_skeleton_search *search = job->search;
    int m = visit->plan.m;
    planned *visits =
        dpc_make_room(job->visits, &job->visit_capacity, job->n_visits + 1, sizeof *visits);
    if (visits == NULL)
        return DPC_NO_MEMORY;
    job->visits = visits;
    visits[job->n_visits++] = *visit;
    job->verdicts.stride = m > job->verdicts.stride ? m : job->verdicts.stride;
    job->work += visit->cost;
    for (int worker = 0; worker < search->crew.threads; worker++)
        if (dpc_visitor_reserve(search->visitors[worker], &visit->plan, visit->degree) != DPC_OK)
            return DPC_NO_MEMORY;
    return DPC_OK;
}

static dpc_status plan_node(level_job *job, int x)
{
    dpc_skeleton_search *search = job->search;
    const dpc_constraints *known = search->problem.known;
    const int32_t *list = dpc_neighbours(search->graph, x);
    int length = dpc_degree(search->graph, x), limit = -1;
    while ((limit = dpc_next_limit(known, x, list, length, limit)) >= 0) {
        dpc_part part = part_of(job, x, limit, 0);
        int degree = part.size;
        planned visit = {.x = x, .limit = limit, .degree = degree};
        uint8_t *condition = dpc_condition(search, x, limit);
        dpc_row_counts rows = dpc_rows_among(&search->problem.view, x, part.node, degree);
        visit.plan =
            dpc_plan_visit(&search->problem, rows, degree, job->level, search->changed_level[x] + 1,
                           *condition, dpc_count_alike(&search->problem, x, part.node, degree));
        if (visit.plan.left_out)
            dpc_leave_out(search, condition);
        else if (degree > job->largest)
            job->largest = degree;
        visit.cost = dpc_plan_cost(&visit.plan, degree);
        if (!dpc_plan_empty(&visit.plan) && add_visit(job, &visit) != DPC_OK)
            return DPC_NO_MEMORY;
    }
    return DPC_OK;
}

/* ---- One visit ---- */

/* Slot y→x of slot x→y; -1: y does not list x any more, which takes the AND rule. */
static int64_t back(const level_job *job, int64_t slot)
{
    return job->places[slot] < 0 ? -1 : dpc_reverse(job->search->graph, job->places, slot);
}

/* Which pairs of the visit are tested in this sweep; false: none. */
static bool choose_targets(const level_job *job, const planned *visit, const dpc_visit *tests,
                           bool *target)
{
    const dpc_constraints *known = job->search->problem.known;
    int64_t start = job->search->graph->start[visit->x];
    bool inverts = dpc_plan_inverts(&visit->plan) && job->search->problem.view.blocks == NULL;
    bool all = !job->twice || inverts, any = false;
    for (int i = 0; i < tests->degree; i++) {
        int y = tests->neighbour[i];
        int64_t slot = start + (tests->place != NULL ? tests->place[i] : i);
        bool now = all || visit->x < y;
        if (job->second)
            now = !now && job->verdicts.kind[back(job, slot)] == DPC_SEP_NONE;
        target[i] = now && dpc_in_question(known, visit->x, y, visit->limit);
        any |= target[i];
    }
    return any;
}

/* Leaves of the targets those that belong to one share. */
static void keep_share(bool *target, int degree, int share, int shares)
{
    int64_t count = 0, seen = 0;
    for (int i = 0; i < degree; i++)
        count += target[i];
    for (int i = 0; i < degree; i++)
        if (target[i]) {
            target[i] = seen >= count * share / shares && seen < count * (share + 1) / shares;
            seen++;
        }
}

/* The tests of a visit, but for the targets. */
static dpc_visit tests_of(level_job *job, const planned *visit, int worker)
{
    int64_t start = job->search->graph->start[visit->x];
    dpc_part part = part_of(job, visit->x, visit->limit, worker);
    return (dpc_visit){
        .x = visit->x,
        .neighbour = part.node,
        .degree = part.size,
        .target = job->targets + (int64_t)worker * job->max_degree,
        .condition = dpc_condition(job->search, visit->x, visit->limit),
        .shared = visit->shared,
        .place = part.place,
        .kind = job->verdicts.kind + start,
        .r = job->verdicts.r + start,
        .subset = job->verdicts.subset + start * job->verdicts.stride,
        .stride = job->verdicts.stride,
    };
}

/* Share number `share` of the visit; of one that is not shared, all of it. */
static void make_share(level_job *job, const planned *visit, int share, int worker)
{
    dpc_visit tests = tests_of(job, visit, worker);
    bool *target = job->targets + (int64_t)worker * job->max_degree;
    if (!choose_targets(job, visit, &tests, target))
        return;
    if (visit->shared != NULL)
        keep_share(target, tests.degree, share, visit->shared->shares);
    dpc_visitor_visit(job->search->visitors[worker], &visit->plan, &tests);
}

/* The shares of the hubs come first, because they take longest; then all other visits. */
static void make_visit(void *context, int64_t index, int worker)
{
    level_job *job = context;
    if (index >= job->n_shares) {
        const planned *visit = &job->visits[index - job->n_shares];
        if (visit->shared == NULL)
            make_share(job, visit, 0, worker);
        return;
    }
    int share = 0;
    while (index - share > 0 && job->hubs[index - share - 1] == job->hubs[index])
        share++;
    make_share(job, job->hubs[index], share, worker);
}

/* ---- Hubs ---- */

/*
 * Into how many shares a visit is divided. One that takes a good part of the level's time would
 * keep one worker busy and all others waiting. What a set costs apart from its targets, as much as
 * some 60 of them, every share pays: there are no more than workers, and none of few targets.
 */
static int shares_of(const level_job *job, const planned *visit)
{
    enum { FEWEST_TARGETS = 32 };
    const double worth = 2e6;
    int workers = job->search->workers;
    int most = visit->degree / FEWEST_TARGETS;
    if (job->search->problem.view.blocks != NULL || workers == 1 || most < 2 ||
        visit->degree < DPC_SMALL_ORDER || visit->cost < worth ||
        visit->cost < job->work / (4 * workers))
        return 1;
    return most < workers ? most : workers;
}

/* Finds the hubs, and makes room for what their shares have in common. */
static dpc_status share_hubs(level_job *job)
{
    for (int64_t i = 0; i < job->n_visits; i++) {
        int shares = shares_of(job, &job->visits[i]);
        job->n_shared += shares > 1;
        job->n_shares += shares > 1 ? shares : 0;
    }
    job->shared = dpc_arena_zalloc(&job->arena, job->n_shared, sizeof *job->shared);
    job->hubs = dpc_arena_alloc(&job->arena, job->n_shares, sizeof *job->hubs);
    if (dpc_arena_failed(&job->arena))
        return DPC_NO_MEMORY;
    dpc_shared *shared = job->shared;
    planned **to = job->hubs;
    for (int64_t i = 0; i < job->n_visits; i++) {
        planned *visit = &job->visits[i];
        int64_t shares = shares_of(job, visit), order = (int64_t)visit->degree + 1;
        if (shares == 1)
            continue;
        shared->shares = (int)shares;
        if (dpc_plan_inverts(&visit->plan))
            shared->factor = dpc_arena_aligned(&job->arena, order * order);
        visit->shared = shared++;
        for (int64_t share = 0; share < shares; share++)
            *to++ = visit;
    }
    return dpc_arena_failed(&job->arena) ? DPC_NO_MEMORY : DPC_OK;
}

/* What the shares of the hubs have in common; all workers make it, each rank for itself. */
static void prepare_hubs(level_job *job)
{
    for (int64_t v = 0; v < job->n_visits; v++) {
        planned *visit = &job->visits[v];
        if (visit->shared == NULL)
            continue;
        dpc_visit tests = tests_of(job, visit, 0);
        for (int i = 0; i < tests.degree; i++)
            job->targets[i] = true;
        dpc_visitor_prepare(job->search->visitors[0], &visit->plan, &tests);
    }
    if (!dpc_leads(job->search->problem.settings->ranks))
        dpc_visitor_take_counts(job->search->visitors[0]); /* counted by the rank that leads */
}

/* ---- What follows ---- */

static bool separated(const level_job *job, int64_t slot)
{
    return slot >= 0 && job->verdicts.kind[slot] != DPC_SEP_NONE;
}

/* Which neighbours leave the list of x, and how many are left. */
static void close_node(void *context, int64_t x, int worker)
{
    (void)worker;
    level_job *job = context;
    const dpc_adjacency *graph = job->search->graph;
    int left = 0;
    for (int64_t slot = graph->start[x]; slot < graph->start[x + 1]; slot++) {
        job->gone[slot] =
            separated(job, slot) || (!job->and_rule && separated(job, back(job, slot)));
        left += !job->gone[slot];
    }
    job->left[x] = left;
}

/* Records the set that x found against y, in its slot. */
static dpc_status keep_set(const level_job *job, int x, int y, int64_t slot)
{
    const dpc_verdicts *v = &job->verdicts;
    const int32_t *subset = v->subset + slot * v->stride;
    dpc_found found = {
        .kind = v->kind[slot],
        .r = v->r[slot],
        .subset = subset,
        .count = dpc_subset_size(subset, v->stride),
    };
    return dpc_sepsets_add(job->search->sepsets, x, y, &found);
}

/*
 * The pair of x and y at slot x→y, met once: from the smaller end, or from the one that still lists
 * the other. Records a first set; adds to *removed if the edge goes.
 */
static dpc_status keep_pair(const level_job *job, int x, int64_t slot, int64_t *removed)
{
    int y = job->search->graph->node[slot];
    int64_t other = back(job, slot);
    bool earlier = other < 0; /* y has dropped x at an earlier level, and has its record */
    bool from_x = separated(job, slot), from_y = separated(job, other);
    if ((x > y && !earlier) || (!from_x && !from_y))
        return DPC_OK;
    if (!job->and_rule || (from_x && (from_y || earlier)))
        *removed += dpc_columns_joined(job->search, x, y);
    if (earlier)
        return DPC_OK;
    return from_x ? keep_set(job, x, y, slot) : keep_set(job, y, x, other);
}

/* The sets of the level, and how many edges it removes. */
static dpc_status keep_sets(const level_job *job, int64_t dropped, int64_t *removed)
{
    const dpc_adjacency *graph = job->search->graph;
    *removed = 0;
    DPC_CHECK(dpc_sepsets_begin(job->search->sepsets, job->level, dropped / 2));
    for (int x = 0; x < graph->n; x++)
        for (int64_t e = graph->start[x]; e < graph->start[x + 1]; e++)
            DPC_CHECK(keep_pair(job, x, e, removed));
    return DPC_OK;
}

/* Records the level and replaces the lists by those without the neighbours that leave. */
static dpc_status merge(level_job *job, int64_t *removed)
{
    dpc_skeleton_search *search = job->search;
    dpc_adjacency *graph = search->graph, *next = NULL;
    dpc_status status = dpc_adjacency_new(graph->n, job->left, &next);
    if (status == DPC_OK)
        status = keep_sets(job, dpc_slots(graph) - dpc_slots(next), removed);
    if (status != DPC_OK) {
        dpc_adjacency_free(next);
        return status;
    }
    int32_t *to = next->node;
    for (int64_t e = 0; e < dpc_slots(graph); e++)
        if (!job->gone[e])
            *to++ = graph->node[e];
    for (int x = 0; x < next->n; x++)
        if (dpc_degree(next, x) != dpc_degree(graph, x)) {
            search->changed_level[x] = job->level;
            dpc_forget_condition(search, x);
        }
    search->graph = next;
    dpc_sepsets_end(search->sepsets, graph);
    return DPC_OK;
}

/* ---- The level ---- */

static dpc_status prepare(level_job *job)
{
    const dpc_adjacency *graph = job->search->graph;
    int64_t slots = dpc_slots(graph), threads = job->search->crew.threads;
    dpc_verdicts *v = &job->verdicts;
    dpc_arena *arena = &job->arena;
    job->max_degree = dpc_max_degree(graph);
    job->targets = dpc_arena_alloc(arena, threads * job->max_degree, sizeof *job->targets);
    job->parts = dpc_arena_alloc(arena, 2 * threads * job->max_degree, sizeof *job->parts);
    if (dpc_arena_failed(arena))
        return DPC_NO_MEMORY;
    for (int x = 0; x < graph->n; x++)
        DPC_CHECK(plan_node(job, x));
    DPC_CHECK(share_hubs(job));
    v->kind = dpc_arena_zalloc(arena, slots, sizeof *v->kind);
    v->r = dpc_arena_alloc(arena, slots, sizeof *v->r);
    v->subset = dpc_arena_alloc(arena, slots * v->stride, sizeof *v->subset);
    job->gone = dpc_arena_alloc(arena, slots, sizeof *job->gone);
    job->left = dpc_arena_alloc(arena, graph->n, sizeof *job->left);
    return dpc_arena_failed(arena) ? DPC_NO_MEMORY : dpc_reverse_places(graph, &job->places);
}

/* All visits, each by one rank; then all ranks know what came of them. */
static dpc_status sweep(level_job *job, dpc_error *err)
{
    dpc_skeleton_search *search = job->search;
    const dpc_list list = {
        .count = job->n_shares + job->n_visits,
        .singles = job->n_shares,
        .work = job->work,
        .task = make_visit,
        .context = job,
    };
    bool shared = dpc_crew_shares(&search->crew, list.work);
    if (shared && dpc_common_keep(search, &job->verdicts, &job->arena, &job->common) != DPC_OK)
        return dpc_fail_memory(err, "a level of the search");
    bool done = dpc_crew_run_shared(&search->crew, &list);
    if (shared)
        return dpc_exchange_verdicts(search, &job->common, done, &job->verdicts, err);
    return done ? DPC_OK : dpc_fail_interrupted(err);
}

static dpc_status run(level_job *job, dpc_error *err)
{
    const dpc_adjacency *graph = job->search->graph;
    int64_t slots = dpc_slots(graph);
    bool dense = slots >= (int64_t)DENSE * graph->n;
    job->twice = !job->and_rule && (dense || job->search->problem.view.blocks != NULL);
    prepare_hubs(job);
    DPC_CHECK(sweep(job, err));
    if (job->twice) {
        job->second = true;
        for (int64_t i = 0; i < job->n_shared; i++)
            job->shared[i].done = 0;
        DPC_CHECK(sweep(job, err));
    }
    bool done = dpc_crew_run(&job->search->crew, graph->n, (double)slots, close_node, job);
    return done ? DPC_OK : dpc_fail_interrupted(err);
}

dpc_status dpc_level_stable(dpc_skeleton_search *search, int level, int64_t *removed,
                            dpc_error *err)
{
    level_job job = {
        .search = search,
        .level = level,
        .and_rule = search->problem.settings->rule == DPC_RULE_AND,
    };
    dpc_status status = prepare(&job);
    if (status != DPC_OK)
        dpc_fail_memory(err, "a level of the search");
    else
        status = run(&job, err);
    search->more = dpc_leaves_more(search, job.largest, level);
    if (status == DPC_OK && merge(&job, removed) != DPC_OK)
        status = dpc_fail_memory(err, "a level of the search");
    dpc_arena_clear(&job.arena);
    free(job.visits);
    free(job.places);
    return status;
}
