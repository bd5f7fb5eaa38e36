/*
 * One level of the standard variant: a deletion takes effect at once, and so the result depends
 * on the order of the columns (paper, algorithm 1).
 *
 * Dual PC visits the ordered pairs (x, y) column by column, y before x, classic PC row by row;
 * S is always taken from x. The pairs are those of the start of the level; one that x has dropped
 * meanwhile is passed over. The neighbour lists shrink in place.
 *
 * A visit that separates takes y from the list of x and, unless the AND rule asks for a set from y
 * too, x from the list of y (docs/algorithm.md, "The AND rule").
 */
#include "skeleton_search.h"
#include "sorted.h"
#include "status.h"

#include <string.h>

typedef struct level_job {
    dpc_skeleton_search *search;
    int level;
    bool and_rule;
    dpc_arena arena; /* the arrays */
    dpc_adjacency
        *lines;       /* at the start: the list of a node, or (dual PC) the nodes that list it */
    int32_t *degree;  /* current lengths of the rows of search->graph */
    bool *target;     /* by position in a list: one pair at a time */
    uint8_t *kind;    /* by position: the verdict … */
    double *r;        /* … its partial correlation … */
    int32_t *subset;  /* … and its subset, `level` entries each */
    int32_t *members; /* a set written out */
    int32_t *part;    /* see dpc_part_of */
    int64_t removed;
    dpc_status status;
} level_job;

static int32_t *list_of(const level_job *job, int x)
{
    return job->search->graph->node + job->search->graph->start[x];
}

/* Does x have y in its list? */
static bool lists(const level_job *job, int x, int y)
{
    return dpc_place_of(list_of(job, x), job->degree[x], y) >= 0;
}

/* Takes y out of the list of x. */
static void cut(level_job *job, int x, int y, int64_t pair)
{
    int32_t *list = list_of(job, x);
    int at = (int)dpc_place_of(list, job->degree[x], y);
    job->degree[x]--;
    memmove(list + at, list + at + 1, (size_t)(job->degree[x] - at) * sizeof *list);
    job->search->changed_level[x] = job->level;
    job->search->changed_pair[x] = pair;
    dpc_forget_condition(job->search, x);
}

/* Records the set found against the neighbour at `at`, written out, because the list changes. */
static dpc_status keep_set(const level_job *job, const dpc_visit *visit, int at)
{
    const int32_t *list = visit->neighbour, *subset = job->subset + (int64_t)at * visit->stride;
    bool complement = job->kind[at] != DPC_SEP_PRIMAL;
    dpc_found found = {.kind = job->kind[at], .r = job->r[at], .subset = job->members};
    for (int q = 0, i = 0; q < visit->degree; q++) {
        bool chosen = i < visit->stride && list[q] == subset[i];
        i += chosen;
        if (q != at && chosen != complement)
            job->members[found.count++] = list[q];
    }
    return dpc_sepsets_add(job->search->sepsets, visit->x, list[at], &found);
}

/* What follows from the verdict on the neighbour at `at`. */
static void separate(level_job *job, const dpc_visit *visit, int at, int64_t pair)
{
    int x = visit->x, y = visit->neighbour[at];
    bool first = lists(job, y, x); /* y has not found a set before */
    job->status = first ? keep_set(job, visit, at) : dpc_sepsets_drop(job->search->sepsets, x, y);
    cut(job, x, y, pair);
    if (!job->and_rule)
        cut(job, y, x, pair);
    if (!job->and_rule || !first)
        job->removed += dpc_columns_joined(job->search, x, y);
}

/* Tests y from x, if x still lists it. `pair` numbers the visits of a level. */
static void visit_pair(level_job *job, int x, int y, int64_t pair)
{
    dpc_skeleton_search *search = job->search;
    const dpc_constraints *known = search->problem.known;
    int limit = dpc_limit(known, x, y);
    dpc_part part = dpc_part_of(known, limit, list_of(job, x), job->degree[x], job->part);
    int at = (int)dpc_place_of(part.node, part.size, y);
    if (at < 0)
        return;
    /* The list last changed before this pair's turn in that level, or after it. */
    int since = search->changed_level[x] + (pair > search->changed_pair[x] ? 0 : 1);
    uint8_t *condition = dpc_condition(search, x, limit);
    dpc_row_counts rows = dpc_rows_among(&search->problem.view, x, part.node, part.size);
    dpc_plan plan = dpc_plan_visit(&search->problem, rows, part.size, job->level, since, *condition,
                                   dpc_count_alike(&search->problem, x, part.node, part.size));
    if (plan.left_out)
        dpc_leave_out(search, condition);
    else
        search->more = search->more || dpc_leaves_more(search, part.size, job->level);
    if (dpc_plan_empty(&plan))
        return;
    dpc_visit visit = {
        .x = x,
        .neighbour = part.node,
        .degree = part.size,
        .target = job->target,
        .condition = condition,
        .kind = job->kind,
        .r = job->r,
        .subset = job->subset,
        .stride = job->level,
    };
    job->target[at] = true;
    dpc_visitor_visit(search->visitors[0], &plan, &visit);
    job->target[at] = false;
    if (job->kind[at] == DPC_SEP_NONE)
        return;
    separate(job, &visit, at, pair);
    job->kind[at] = DPC_SEP_NONE;
}

/* All pairs of one column (dual PC) or row (classic PC) of the adjacency matrix. */
static void visit_line(void *context, int64_t index, int worker)
{
    (void)worker;
    level_job *job = context;
    const dpc_adjacency *lines = job->lines;
    bool dual = job->search->problem.dual;
    int line = (int)index;
    for (int64_t e = lines->start[line]; e < lines->start[line + 1] && job->status == DPC_OK; e++) {
        int other = lines->node[e], x = dual ? other : line, y = dual ? line : other;
        if (!dpc_required(job->search->problem.known, x, y))
            visit_pair(job, x, y, (int64_t)line * lines->n + other);
        if (dpc_crew_stopped(&job->search->crew, 0))
            return;
    }
}

/* Closes the gaps that the deletions left between the rows. */
static void close_up(level_job *job)
{
    dpc_adjacency *graph = job->search->graph;
    int64_t to = 0;
    for (int x = 0; x < graph->n; x++) {
        memmove(graph->node + to, list_of(job, x), (size_t)job->degree[x] * sizeof *graph->node);
        graph->start[x] = to;
        to += job->degree[x];
    }
    graph->start[graph->n] = to;
}

/* ---- The level ---- */

/* Room for any visit of the level: lists shrink, and may allow then what they do not allow now. */
static dpc_status reserve(dpc_skeleton_search *search, int level, int degree)
{
    dpc_plan largest = {
        .m = level,
        .full = search->problem.dual,
        .subset = true,
        .complement = search->problem.dual,
        .complement_size = degree,
    };
    return dpc_visitor_reserve(search->visitors[0], &largest, degree);
}

/* From the lists to the lines in which their pairs are visited, or back. */
static dpc_status turn(const dpc_skeleton_search *search, const dpc_adjacency *from,
                       dpc_adjacency **to)
{
    return search->problem.dual ? dpc_adjacency_transposed(from, to) : dpc_adjacency_copy(from, to);
}

static dpc_status prepare(level_job *job)
{
    const dpc_adjacency *graph = job->search->graph;
    int n = graph->n, most = dpc_max_degree(graph), level = job->level;
    dpc_arena *arena = &job->arena;
    job->degree = dpc_arena_alloc(arena, n, sizeof *job->degree);
    job->target = dpc_arena_zalloc(arena, most, sizeof *job->target);
    job->kind = dpc_arena_zalloc(arena, most, sizeof *job->kind);
    job->r = dpc_arena_alloc(arena, most, sizeof *job->r);
    job->subset = dpc_arena_alloc(arena, (int64_t)most * level, sizeof *job->subset);
    job->members = dpc_arena_alloc(arena, most, sizeof *job->members);
    job->part = dpc_arena_alloc(arena, 2 * (int64_t)most, sizeof *job->part);
    if (dpc_arena_failed(arena))
        return DPC_NO_MEMORY;
    for (int x = 0; x < n; x++)
        job->degree[x] = dpc_degree(graph, x);
    DPC_CHECK(turn(job->search, graph, &job->lines));
    DPC_CHECK(reserve(job->search, level, most));
    return dpc_sepsets_begin(job->search->sepsets, level, 0);
}

/* The time is up: the lists and the sets are again those of the start of the level. */
static dpc_status take_back(level_job *job)
{
    dpc_skeleton_search *search = job->search;
    dpc_adjacency *before = NULL;
    DPC_CHECK(turn(search, job->lines, &before));
    dpc_adjacency_free(search->graph);
    search->graph = before;
    dpc_sepsets_give_up(search->sepsets);
    return DPC_INTERRUPTED;
}

static dpc_status run(level_job *job)
{
    dpc_skeleton_search *search = job->search;
    search->more = false;
    bool finished = dpc_crew_run(&search->crew, search->graph->n, 0, visit_line, job);
    if (!finished && search->crew.late && job->status == DPC_OK)
        return take_back(job);
    close_up(job);
    dpc_sepsets_end(search->sepsets, NULL); /* the sets were written out */
    return finished || job->status != DPC_OK ? job->status : DPC_INTERRUPTED;
}

dpc_status dpc_level_standard(dpc_skeleton_search *search, int level, int64_t *removed,
                              dpc_error *err)
{
    level_job job = {
        .search = search,
        .level = level,
        .and_rule = search->problem.settings->rule == DPC_RULE_AND,
    };
    dpc_status status = prepare(&job);
    if (status == DPC_OK)
        status = run(&job);
    *removed = job.removed;
    dpc_adjacency_free(job.lines);
    dpc_arena_clear(&job.arena);
    return dpc_fail_as(err, status, "a level of the search");
}
