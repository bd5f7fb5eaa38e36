/*
 * One level of the stable variant: all neighbourhoods as they were at its start, deletions at its
 * end (paper, section 3; Colombo and Maathuis for the idea).
 *
 * Nodes are visited in parallel, each writes the verdicts of its own slots. Where both ends have
 * separated a pair, the set found from the smaller index is kept. So in a dense graph the level
 * is swept twice, first from the smaller ends of all pairs, then from the larger ends of those
 * still undecided. Where a visit needs an inverse, that costs more than the tests it would save,
 * and the node tests all its pairs in the first sweep; in a sparse graph all nodes do. The choice
 * depends on the graph alone, and so do the counts.
 *
 * With background knowledge required edges are not tested, and a node is visited once for each tier
 * that sets for its pairs may reach to, with the neighbours up to there. The sets are then written
 * out where there are tiers.
 *
 * With the AND rule each node prunes its own list only, and all of them are swept once
 * (docs/algorithm.md, "The AND rule"). The first set found for a pair is recorded when it is found;
 * it counts as soon as the other end has pruned too.
 */
#include "error.h"
#include "memory.h"
#include "search.h"

enum { DENSE = 256 }; /* mean degree from which two sweeps pay */

/* The verdicts of a level, by slot x→y. */
typedef struct verdicts {
    uint8_t *kind; /* DPC_SEP_NONE: not separated from this end */
    double *r;
    int32_t *subset; /* `stride` entries per slot */
    int stride;
} verdicts;

typedef struct level_job {
    dpc_search *search;
    int level;
    bool and_rule;
    bool twice;  /* there are two sweeps … */
    bool second; /* … and this is the second */
    verdicts verdicts;
    int32_t *places; /* see dpc_reverse_places; NULL with the AND rule */
    bool *gone;      /* by slot: the pair was separated, from whichever end; AND: from this end */
    int32_t *left;   /* per node: neighbours that stay */
    bool *target;    /* by position, a row of max_degree for each worker */
    int max_degree;
    verdicts *drafts; /* with knowledge, one per worker: by position, of one visit … */
    int32_t *rows;    /* … whose neighbours are here, a row of max_degree for each worker */
} level_job;

/* Slot y→x of slot x→y. */
static int64_t back(const level_job *job, int64_t e)
{
    return dpc_reverse(job->search->graph, job->places, e);
}

/* The same with the AND rule, -1 where y does not list x any more. */
static int64_t back_if_listed(const level_job *job, int x, int64_t e)
{
    return dpc_slot(job->search->graph, job->search->graph->node[e], x);
}

static dpc_plan plan_node(const dpc_search *search, int x, int level)
{
    return dpc_plan_visit(&search->problem, dpc_degree(search->graph, x), level,
                          search->changed_level[x] + 1, search->refused[x]);
}

/* Which pairs of x are tested now; false: none. */
static bool choose_targets(const level_job *job, int x, bool all, bool *target)
{
    const dpc_adjacency *graph = job->search->graph;
    bool any = false;
    for (int64_t e = graph->start[x]; e < graph->start[x + 1]; e++) {
        bool smaller_end = x < graph->node[e];
        *target = job->second ? !all && !smaller_end && !job->verdicts.kind[back(job, e)]
                              : all || smaller_end;
        any |= *target++;
    }
    return any;
}

/* ---- With background knowledge ---- */

static dpc_plan plan_part(const dpc_search *search, int x, int size, int limit, int level)
{
    return dpc_plan_visit(&search->problem, size, level, search->changed_level[x] + 1,
                          *dpc_refused(search, x, limit));
}

/* Copies the verdicts of a visit to the slots of x. */
static void copy_verdicts(level_job *job, int x, const int32_t *row, int size, const verdicts *from)
{
    verdicts *to = &job->verdicts;
    for (int i = 0; i < size; i++) {
        if (from->kind[i] == DPC_SEP_NONE)
            continue;
        int64_t slot = dpc_slot(job->search->graph, x, row[i]);
        to->kind[slot] = from->kind[i];
        to->r[slot] = from->r[i];
        for (int k = 0; k < to->stride; k++)
            to->subset[slot * to->stride + k] = from->subset[(int64_t)i * to->stride + k];
    }
}

/* The pairs of x whose sets may reach to this tier. */
static void visit_part(level_job *job, int x, int limit, int worker)
{
    dpc_search *search = job->search;
    const dpc_known *known = search->problem.known;
    bool *target = job->target + (int64_t)worker * job->max_degree;
    int32_t *row = job->rows + (int64_t)worker * job->max_degree;
    verdicts *draft = &job->drafts[worker];
    int size = dpc_known_row(known, limit, dpc_neighbours(search->graph, x),
                             dpc_degree(search->graph, x), row);
    dpc_plan plan = plan_part(search, x, size, limit, job->level);
    if (dpc_plan_empty(&plan))
        return;
    for (int i = 0; i < size; i++) {
        target[i] = dpc_limit(known, x, row[i]) == limit && !dpc_always(known, x, row[i]);
        draft->kind[i] = DPC_SEP_NONE;
    }
    dpc_visit visit = {
        .x = x,
        .neighbour = row,
        .degree = size,
        .refused = dpc_refused(search, x, limit),
        .target = target,
        .kind = draft->kind,
        .r = draft->r,
        .subset = draft->subset,
        .stride = job->verdicts.stride,
    };
    dpc_kernel_visit(search->kernels[worker], &plan, &visit);
    copy_verdicts(job, x, row, size, draft);
}

static void visit_parts(void *context, int64_t index, int worker)
{
    level_job *job = context;
    const dpc_adjacency *graph = job->search->graph;
    const dpc_known *known = job->search->problem.known;
    int x = (int)index, limit = -1;
    while ((limit = dpc_known_next(known, x, dpc_neighbours(graph, x), dpc_degree(graph, x),
                                   limit)) >= 0)
        visit_part(job, x, limit, worker);
}

static void free_drafts(level_job *job)
{
    for (int i = 0; job->drafts != NULL && i < job->search->crew.threads; i++) {
        free(job->drafts[i].kind);
        free(job->drafts[i].r);
        free(job->drafts[i].subset);
    }
    free(job->drafts);
    free(job->rows);
}

static bool make_drafts(level_job *job)
{
    int threads = job->search->crew.threads;
    job->rows = dpc_alloc((int64_t)job->max_degree * threads, sizeof *job->rows);
    job->drafts = dpc_zalloc(threads, sizeof *job->drafts);
    bool fine = job->rows != NULL && job->drafts != NULL;
    for (int i = 0; fine && i < threads; i++) {
        verdicts *draft = &job->drafts[i];
        draft->kind = dpc_alloc(job->max_degree, 1);
        draft->r = dpc_alloc(job->max_degree, sizeof *draft->r);
        draft->subset =
            dpc_alloc((int64_t)job->max_degree * job->verdicts.stride, sizeof *draft->subset);
        fine = draft->kind && draft->r && draft->subset;
    }
    return fine;
}

/* The set that x found against y, written out: K, or the neighbours up to its tier but y and K. */
static bool keep_written(const level_job *job, int x, int y, int64_t slot, dpc_record record)
{
    const dpc_search *search = job->search;
    const dpc_adjacency *graph = search->graph;
    const dpc_known *known = search->problem.known;
    const int32_t *subset = job->verdicts.subset + slot * job->verdicts.stride;
    int32_t *set = job->rows; /* of worker 0, which is done */
    int limit = dpc_limit(known, x, y), size = 0;
    int all = dpc_known_row(known, limit, dpc_neighbours(graph, x), dpc_degree(graph, x), set);
    int m = record.kind == DPC_SEP_FULL_S ? 0 : plan_part(search, x, all, limit, job->level).m;
    for (int i = 0, k = 0; i < all; i++) {
        bool chosen = k < m && set[i] == subset[k];
        k += chosen;
        if (set[i] != y && chosen == (record.kind == DPC_SEP_PRIMAL))
            set[size++] = set[i];
    }
    record.count = (unsigned)size & ((1u << 19) - 1);
    return dpc_sepsets_add(search->sepsets, record, set);
}

/* Are there tiers? Then the sets are written out. */
static bool has_tiers(const dpc_search *search)
{
    return search->problem.known != NULL && search->problem.known->n_limits > 1;
}

/* ---- One node ---- */

static void visit_node(void *context, int64_t index, int worker)
{
    level_job *job = context;
    dpc_search *search = job->search;
    int x = (int)index;
    bool *target = job->target + (int64_t)worker * job->max_degree;
    dpc_plan plan = plan_node(search, x, job->level);
    if (dpc_plan_empty(&plan) ||
        !choose_targets(job, x, !job->twice || dpc_plan_inverts(&plan), target))
        return;
    int64_t start = search->graph->start[x];
    int degree = dpc_degree(search->graph, x);
    dpc_visit visit = {
        .x = x,
        .neighbour = dpc_neighbours(search->graph, x),
        .degree = degree,
        .refused = &search->refused[x],
        .target = target,
        .kind = job->verdicts.kind + start,
        .r = job->verdicts.r + start,
        .subset = job->verdicts.subset + start * job->verdicts.stride,
        .stride = job->verdicts.stride,
    };
    dpc_kernel_visit(search->kernels[worker], &plan, &visit);
}

/* Room for one visit, in every kernel. */
static bool reserve_visit(dpc_search *search, const dpc_plan *plan, int degree, int *stride,
                          double *work)
{
    if (dpc_plan_empty(plan))
        return true;
    *stride = plan->m > *stride ? plan->m : *stride;
    *work += (double)degree * degree * (plan->m > 1 ? degree : 1) * 2;
    for (int worker = 0; worker < search->crew.threads; worker++)
        if (!dpc_kernel_reserve(search->kernels[worker], plan, degree))
            return false;
    return true;
}

/* Room for the largest visit of the level, in every kernel; the longest subset in *stride. */
static bool reserve(dpc_search *search, int level, int *stride, double *work)
{
    *stride = 0;
    *work = 0;
    for (int x = 0; x < search->graph->n; x++) {
        dpc_plan plan = plan_node(search, x, level);
        if (!reserve_visit(search, &plan, dpc_degree(search->graph, x), stride, work))
            return false;
    }
    return true;
}

/* The same for the visits of visit_parts; `row` has room for the neighbours of a node. */
static bool reserve_parts(dpc_search *search, int level, int *stride, double *work, int32_t *row)
{
    const dpc_adjacency *graph = search->graph;
    *stride = 0;
    *work = 0;
    for (int x = 0; x < graph->n; x++) {
        const int32_t *all = dpc_neighbours(graph, x);
        int degree = dpc_degree(graph, x), limit = -1;
        while ((limit = dpc_known_next(search->problem.known, x, all, degree, limit)) >= 0) {
            int size = dpc_known_row(search->problem.known, limit, all, degree, row);
            dpc_plan plan = plan_part(search, x, size, limit, level);
            if (!reserve_visit(search, &plan, size, stride, work))
                return false;
        }
    }
    return true;
}

/* Which slots of x belong to separated pairs, and how many are left. */
static void close_node(void *context, int64_t x, int worker)
{
    (void)worker;
    level_job *job = context;
    const dpc_adjacency *graph = job->search->graph;
    const uint8_t *kind = job->verdicts.kind;
    bool and_rule = job->and_rule;
    int left = 0;
    for (int64_t e = graph->start[x]; e < graph->start[x + 1]; e++) {
        job->gone[e] = kind[e] != DPC_SEP_NONE || (!and_rule && kind[back(job, e)] != DPC_SEP_NONE);
        left += !job->gone[e];
    }
    job->left[x] = left;
}

/* Records the set that x found against y, in its slot; false: no memory. */
static bool keep_record(const level_job *job, int x, int y, int64_t slot)
{
    const verdicts *v = &job->verdicts;
    dpc_plan plan = plan_node(job->search, x, job->level);
    dpc_record record = {
        .a = x < y ? x : y,
        .b = x < y ? y : x,
        .r = v->r[slot],
        .count = v->kind[slot] == DPC_SEP_FULL_S ? 0 : (unsigned)plan.m,
        .kind = v->kind[slot] & 15u,
        .from_b = x > y,
    };
    if (has_tiers(job->search))
        return keep_written(job, x, y, slot, record);
    return dpc_sepsets_add(job->search->sepsets, record, v->subset + slot * v->stride);
}

/* The pair at slot e = x→y has been separated: once for both ends, and x has the first word. */
static bool keep_either(const level_job *job, int x, int64_t e, int64_t *removed)
{
    int y = job->search->graph->node[e];
    if (x > y)
        return true;
    ++*removed;
    return job->verdicts.kind[e] != DPC_SEP_NONE ? keep_record(job, x, y, e)
                                                 : keep_record(job, y, x, back(job, e));
}

/*
 * The AND rule: x drops y, at slot e. Where y has dropped x at an earlier level, or drops it now
 * and comes first, there is a record already, and the edge is gone. Where the lists of the level
 * are not kept, this is noted.
 */
static bool keep_first(const level_job *job, int x, int64_t e, int64_t *removed)
{
    int y = job->search->graph->node[e];
    int64_t other = back_if_listed(job, x, e);
    bool dropped = other < 0 || (job->gone[other] && y < x);
    *removed += dropped;
    if (dropped && has_tiers(job->search))
        return dpc_sepsets_drop(job->search->sepsets, x, y);
    return dropped || keep_record(job, x, y, e);
}

/* Adds the records of the level, and counts the edges it removes; false: no memory. */
static bool keep_records(const level_job *job, int64_t gone, int64_t *removed)
{
    const dpc_adjacency *graph = job->search->graph;
    bool fine = dpc_sepsets_begin(job->search->sepsets, job->level, gone / 2);
    *removed = 0;
    for (int x = 0; x < graph->n && fine; x++)
        for (int64_t e = graph->start[x]; e < graph->start[x + 1] && fine; e++)
            if (job->gone[e])
                fine = job->and_rule ? keep_first(job, x, e, removed)
                                     : keep_either(job, x, e, removed);
    return fine;
}

/* Records the level and puts the graph without the separated pairs in its place. */
static dpc_status merge(level_job *job, int64_t *removed)
{
    dpc_search *search = job->search;
    dpc_adjacency *graph = search->graph, *next = dpc_adjacency_new(graph->n, job->left);
    if (next == NULL)
        return DPC_NO_MEMORY;
    if (!keep_records(job, dpc_slots(graph) - dpc_slots(next), removed)) {
        dpc_adjacency_free(next);
        return DPC_NO_MEMORY;
    }
    int32_t *to = next->node;
    for (int64_t e = 0; e < dpc_slots(graph); e++)
        if (!job->gone[e])
            *to++ = graph->node[e];
    for (int x = 0; x < next->n; x++)
        if (dpc_degree(next, x) != dpc_degree(graph, x)) {
            search->changed_level[x] = job->level;
            dpc_forget_refused(search, x);
        }
    search->graph = next;
    if (has_tiers(search)) {
        dpc_adjacency_free(graph);
        graph = NULL;
    }
    dpc_sepsets_end(search->sepsets, graph);
    return DPC_OK;
}

/* Is there a pair whose neighbourhood leaves sets for another level? */
static bool more_to_come(const dpc_search *search, int level)
{
    const dpc_adjacency *graph = search->graph;
    const dpc_known *known = search->problem.known;
    int most = known == NULL ? dpc_max_degree(graph) : 0;
    for (int x = 0; known != NULL && x < graph->n; x++) {
        const int32_t *row = dpc_neighbours(graph, x);
        int degree = dpc_degree(graph, x), limit = -1, last = -1, size = 0;
        while ((limit = dpc_known_next(known, x, row, degree, limit)) >= 0)
            last = limit; /* the sets that reach farthest are the largest */
        for (int i = 0; last >= 0 && i < degree; i++)
            size += known->member[row[i]] <= last;
        most = size > most ? size : most;
    }
    return search->problem.dual ? level < most - 2 : level < most - 1;
}

static dpc_status run_level(level_job *job, dpc_error *err)
{
    dpc_search *search = job->search;
    int64_t slots = dpc_slots(search->graph);
    int n = search->graph->n;
    double work;
    bool known = search->problem.known != NULL;
    job->left = dpc_alloc(n, sizeof(int32_t)); /* a row, until it is filled */
    if (job->left == NULL ||
        !(known ? reserve_parts(search, job->level, &job->verdicts.stride, &work, job->left)
                : reserve(search, job->level, &job->verdicts.stride, &work)))
        return DPC_NO_MEMORY;
    job->verdicts.kind = dpc_zalloc(slots, 1);
    job->verdicts.r = dpc_alloc(slots, sizeof(double));
    job->verdicts.subset = dpc_alloc(slots * job->verdicts.stride, sizeof(int32_t));
    job->max_degree = dpc_max_degree(search->graph);
    job->target = dpc_alloc((int64_t)job->max_degree * search->crew.threads, sizeof(bool));
    job->gone = dpc_alloc(slots, sizeof(bool));
    job->places = job->and_rule ? NULL : dpc_reverse_places(search->graph);
    if (!job->verdicts.kind || !job->verdicts.r || !job->verdicts.subset || !job->target ||
        !job->gone || (!job->places && !job->and_rule) || (known && !make_drafts(job)))
        return DPC_NO_MEMORY;
    job->twice = !known && !job->and_rule && slots >= (int64_t)DENSE * n;
    bool done = dpc_crew_run(&search->crew, n, work, known ? visit_parts : visit_node, job);
    if (done && job->twice) {
        job->second = true;
        done = dpc_crew_run(&search->crew, n, work, visit_node, job);
    }
    done = done && dpc_crew_run(&search->crew, n, (double)slots, close_node, job);
    return done ? DPC_OK : dpc_fail(err, DPC_INTERRUPTED, "interrupted");
}

dpc_status dpc_level_stable(dpc_search *search, int level, int64_t *removed, dpc_error *err)
{
    level_job job = {
        .search = search,
        .level = level,
        .and_rule = search->problem.settings->rule == DPC_RULE_AND,
    };
    dpc_status status = run_level(&job, err);
    search->more = more_to_come(search, level);
    if (status == DPC_OK)
        status = merge(&job, removed);
    free(job.verdicts.kind);
    free(job.verdicts.r);
    free(job.verdicts.subset);
    free(job.gone);
    free(job.left);
    free(job.target);
    free(job.places);
    free_drafts(&job);
    return status == DPC_NO_MEMORY ? dpc_fail_memory(err, "a level of the search") : status;
}
