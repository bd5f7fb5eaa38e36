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

/* Room for the largest visit of the level, in every kernel; the longest subset in *stride. */
static bool reserve(dpc_search *search, int level, int *stride, double *work)
{
    *stride = 0;
    *work = 0;
    for (int x = 0; x < search->graph->n; x++) {
        dpc_plan plan = plan_node(search, x, level);
        int degree = dpc_degree(search->graph, x);
        if (dpc_plan_empty(&plan))
            continue;
        *stride = plan.m > *stride ? plan.m : *stride;
        *work += (double)degree * degree * (plan.m > 1 ? degree : 1) * 2;
        for (int worker = 0; worker < search->crew.threads; worker++)
            if (!dpc_kernel_reserve(search->kernels[worker], &plan, degree))
                return false;
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
 * and comes first, there is a record already, and the edge is gone.
 */
static bool keep_first(const level_job *job, int x, int64_t e, int64_t *removed)
{
    int y = job->search->graph->node[e];
    int64_t other = back_if_listed(job, x, e);
    bool dropped = other < 0 || (job->gone[other] && y < x);
    *removed += dropped;
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
            search->refused[x] = false;
        }
    dpc_sepsets_end(search->sepsets, graph);
    search->graph = next;
    return DPC_OK;
}

/* Is there a pair whose neighbourhood leaves sets for another level? */
static bool more_to_come(const dpc_search *search, int level)
{
    int s = dpc_max_degree(search->graph) - 1;
    return search->problem.dual ? level < s - 1 : level < s;
}

static dpc_status run_level(level_job *job, dpc_error *err)
{
    dpc_search *search = job->search;
    int64_t slots = dpc_slots(search->graph);
    int n = search->graph->n;
    double work;
    if (!reserve(search, job->level, &job->verdicts.stride, &work))
        return DPC_NO_MEMORY;
    job->verdicts.kind = dpc_zalloc(slots, 1);
    job->verdicts.r = dpc_alloc(slots, sizeof(double));
    job->verdicts.subset = dpc_alloc(slots * job->verdicts.stride, sizeof(int32_t));
    job->max_degree = dpc_max_degree(search->graph);
    job->target = dpc_alloc((int64_t)job->max_degree * search->crew.threads, sizeof(bool));
    job->gone = dpc_alloc(slots, sizeof(bool));
    job->left = dpc_alloc(n, sizeof(int32_t));
    job->places = job->and_rule ? NULL : dpc_reverse_places(search->graph);
    if (!job->verdicts.kind || !job->verdicts.r || !job->verdicts.subset || !job->target ||
        !job->gone || !job->left || (!job->places && !job->and_rule))
        return DPC_NO_MEMORY;
    job->twice = !job->and_rule && slots >= (int64_t)DENSE * n;
    bool done = dpc_crew_run(&search->crew, n, work, visit_node, job);
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
    return status == DPC_NO_MEMORY ? dpc_fail_memory(err, "a level of the search") : status;
}
