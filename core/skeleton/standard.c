/*
 * One level of the standard variant: a deletion takes effect at once, and so the result depends
 * on the order of the columns (paper, algorithm 1).
 *
 * Dual PC visits the ordered pairs (x, y) column by column, y before x, classic PC row by row;
 * S is always taken from x. A pair deleted meanwhile is not met again. The neighbour lists
 * shrink in place.
 *
 * With the AND rule a visit from x changes the list of x alone (docs/algorithm.md, "The AND rule").
 * So who is met in a column is known at the start of the level: whoever lists its node then.
 */
#include "error.h"
#include "memory.h"
#include "search.h"

#include <string.h>

typedef struct walk {
    dpc_search *search;
    int level;
    int32_t *degree;        /* current lengths of the rows of search->graph */
    dpc_adjacency *columns; /* dual PC with the AND rule: who listed a node at the start */
    bool *target;           /* by position in a row: one pair at a time */
    uint8_t *kind;          /* by position: the verdict … */
    double *r;              /* … its partial correlation … */
    int32_t *subset;        /* … and its subset, `level` entries each */
    int32_t *members;       /* a set written out */
    int32_t *part;          /* with tiers: the neighbours up to the tier of a pair */
    int64_t removed;
    bool failed; /* out of memory */
} walk;

static int find(const int32_t *row, int length, int v)
{
    int low = 0, high = length;
    while (low < high) {
        int middle = (low + high) / 2;
        if (row[middle] < v)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int32_t *row_of(const walk *w, int x)
{
    return w->search->graph->node + w->search->graph->start[x];
}

/* Takes y out of the row of x. */
static void cut(walk *w, int x, int y, int64_t pair)
{
    int32_t *row = row_of(w, x);
    int at = find(row, w->degree[x], y);
    w->degree[x]--;
    memmove(row + at, row + at + 1, (size_t)(w->degree[x] - at) * sizeof *row);
    w->search->changed_level[x] = w->level;
    w->search->changed_pair[x] = pair;
    dpc_forget_refused(w->search, x);
}

/* The set found from x, written out, for the rows it refers to will not stay. */
static bool keep_record(walk *w, const dpc_visit *visit, int y, int at, int m)
{
    int x = visit->x;
    const int32_t *row = visit->neighbour, *subset = w->subset + (int64_t)at * w->level;
    int size = 0;
    bool complement = w->kind[at] != DPC_SEP_PRIMAL;
    m = w->kind[at] == DPC_SEP_FULL_S ? 0 : m;
    for (int q = 0, i = 0; q < visit->degree; q++) {
        bool chosen = i < m && row[q] == subset[i];
        i += chosen;
        if (row[q] != y && chosen != complement)
            w->members[size++] = row[q];
    }
    dpc_record record = {
        .a = x < y ? x : y,
        .b = x < y ? y : x,
        .r = w->r[at],
        .count = (unsigned)size,
        .kind = w->kind[at] & 15u,
        .from_b = x > y,
    };
    return dpc_sepsets_add(w->search->sepsets, record, w->members);
}

/* Does x have y in its row? */
static bool lists(const walk *w, int x, int y)
{
    int at = find(row_of(w, x), w->degree[x], y);
    return at < w->degree[x] && row_of(w, x)[at] == y;
}

/* What follows from the verdict at position `at` of the visit's row: y. */
static void separate(walk *w, const dpc_visit *visit, int y, int at, int m, int64_t pair)
{
    int x = visit->x;
    bool and_rule = w->search->problem.settings->rule == DPC_RULE_AND;
    bool other = !and_rule || lists(w, y, x); /* y has not found a set before */
    if (other)
        w->failed = !keep_record(w, visit, y, at, m);
    else
        w->failed = !dpc_sepsets_drop(w->search->sepsets, x, y);
    cut(w, x, y, pair);
    if (!and_rule)
        cut(w, y, x, pair);
    w->removed += !and_rule || !other;
}

/* Tests y from x. `pair` numbers the visits of a level. True: y is gone from the row of x. */
static bool visit_pair(walk *w, int x, int y, int64_t pair)
{
    dpc_search *search = w->search;
    const dpc_known *known = search->problem.known;
    const int32_t *row = row_of(w, x);
    int degree = w->degree[x], limit = 0;
    if (dpc_always(known, x, y))
        return false;
    if (known != NULL && known->n_limits > 1) {
        limit = dpc_limit(known, x, y);
        degree = dpc_known_row(known, limit, row, degree, w->part);
        row = w->part;
    }
    int at = find(row, degree, y);
    /* The row last changed before this pair's turn in that level, or after it. */
    int since = search->changed_level[x] + (pair > search->changed_pair[x] ? 0 : 1);
    bool *refused = dpc_refused(search, x, limit);
    dpc_plan plan = dpc_plan_visit(&search->problem, degree, w->level, since, *refused);
    search->more = search->more || w->level < degree - (search->problem.dual ? 2 : 1);
    if (dpc_plan_empty(&plan))
        return false;
    dpc_visit visit = {
        .x = x,
        .neighbour = row,
        .degree = degree,
        .refused = refused,
        .target = w->target,
        .kind = w->kind,
        .r = w->r,
        .subset = w->subset,
        .stride = w->level,
    };
    w->target[at] = true;
    dpc_kernel_visit(search->kernels[0], &plan, &visit);
    w->target[at] = false;
    if (w->kind[at] == DPC_SEP_NONE)
        return false;
    separate(w, &visit, y, at, plan.m, pair);
    w->kind[at] = DPC_SEP_NONE;
    return true;
}

/* All pairs of one column (dual PC) or row (classic PC) of the adjacency matrix. */
static void visit_line(void *context, int64_t index, int worker)
{
    (void)worker;
    walk *w = context;
    int line = (int)index, n = w->search->graph->n;
    for (int i = 0; i < w->degree[line] && !w->failed;) {
        int other = row_of(w, line)[i];
        int x = w->search->problem.dual ? other : line, y = w->search->problem.dual ? line : other;
        if (!visit_pair(w, x, y, (int64_t)line * n + other))
            i++;
        if (dpc_crew_stopped(&w->search->crew, 0))
            return;
    }
}

/* The same for a column where the rows are no columns: dual PC with the AND rule. */
static void visit_column(void *context, int64_t y, int worker)
{
    (void)worker;
    walk *w = context;
    const dpc_adjacency *columns = w->columns;
    for (int64_t e = columns->start[y]; e < columns->start[y + 1] && !w->failed; e++) {
        visit_pair(w, columns->node[e], (int)y, y * columns->n + columns->node[e]);
        if (dpc_crew_stopped(&w->search->crew, 0))
            return;
    }
}

/* Closes the gaps that the deletions left between the rows. */
static void close_up(walk *w)
{
    dpc_adjacency *graph = w->search->graph;
    int64_t to = 0;
    for (int x = 0; x < graph->n; x++) {
        memmove(graph->node + to, row_of(w, x), (size_t)w->degree[x] * sizeof *graph->node);
        graph->start[x] = to;
        to += w->degree[x];
    }
    graph->start[graph->n] = to;
}

/* Room for any visit of the level: rows shrink, and may allow then what they do not allow now. */
static bool reserve(dpc_search *search, int level, int degree)
{
    dpc_plan largest = {
        .m = level,
        .full = search->problem.dual,
        .subset = true,
        .complement = search->problem.dual,
        .complement_size = degree,
    };
    return dpc_kernel_reserve(search->kernels[0], &largest, degree);
}

dpc_status dpc_level_standard(dpc_search *search, int level, int64_t *removed, dpc_error *err)
{
    int n = search->graph->n, most = dpc_max_degree(search->graph);
    bool by_column = search->problem.dual && search->problem.settings->rule == DPC_RULE_AND;
    walk w = {
        .search = search,
        .level = level,
        .degree = dpc_alloc(n, sizeof(int32_t)),
        .columns = by_column ? dpc_adjacency_transposed(search->graph) : NULL,
        .target = dpc_zalloc(most, sizeof(bool)),
        .kind = dpc_zalloc(most, 1),
        .r = dpc_alloc(most, sizeof(double)),
        .subset = dpc_alloc((int64_t)most * level, sizeof(int32_t)),
        .members = dpc_alloc(most, sizeof(int32_t)),
        .part = dpc_alloc(most, sizeof(int32_t)),
    };
    dpc_status status = DPC_NO_MEMORY;
    if (!w.degree || (by_column && !w.columns) || !w.target || !w.kind || !w.r || !w.subset ||
        !w.members || !w.part || !reserve(search, level, most) ||
        !dpc_sepsets_begin(search->sepsets, level, 0))
        goto done;
    for (int x = 0; x < n; x++)
        w.degree[x] = dpc_degree(search->graph, x);
    search->more = false;
    bool finished = dpc_crew_run(&search->crew, n, 0, by_column ? visit_column : visit_line, &w);
    close_up(&w);
    dpc_sepsets_end(search->sepsets, NULL); /* the sets were written out */
    *removed = w.removed;
    status = !finished ? DPC_INTERRUPTED : w.failed ? DPC_NO_MEMORY : DPC_OK;

done:
    free(w.degree);
    dpc_adjacency_free(w.columns);
    free(w.target);
    free(w.kind);
    free(w.r);
    free(w.subset);
    free(w.members);
    free(w.part);
    if (status == DPC_NO_MEMORY)
        return dpc_fail_memory(err, "a level of the search");
    return status == DPC_OK ? status : dpc_fail(err, status, "interrupted");
}
