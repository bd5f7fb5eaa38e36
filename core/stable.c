/*
 * One level of the stable variant: all neighbourhoods as they were at its start, deletions at its
 * end (paper, section 3; Colombo and Maathuis for the idea).
 *
 * Nodes are visited in parallel, each writes the verdicts of its own slots. Where both ends have
 * separated a pair, the set found from the smaller index is kept. So in a dense graph the level
 * is swept twice, first from the smaller ends of all pairs, then from the larger ends of those
 * still undecided; in a sparse one a second look at every node costs more than it saves. The
 * choice depends on the graph alone, and so do the counts.
 */
#include "error.h"
#include "memory.h"
#include "search.h"

typedef enum sweep {
    BOTH_ENDS,
    SMALLER_END,
    LARGER_END,
} sweep;

enum { DENSE = 32 }; /* mean degree from which two sweeps pay */

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
    sweep sweep;
    verdicts verdicts;
    int64_t *reverse; /* slot y→x of slot x→y */
    bool *target;     /* by slot */
} level_job;

static dpc_plan plan_node(const dpc_search *search, int x, int level)
{
    return dpc_plan_visit(&search->problem, dpc_degree(search->graph, x), level,
                          search->changed_level[x] + 1, search->refused[x]);
}

static void visit_node(void *context, int64_t index, int worker)
{
    level_job *job = context;
    dpc_search *search = job->search;
    int x = (int)index;
    dpc_plan plan = plan_node(search, x, job->level);
    if (dpc_plan_empty(&plan))
        return;
    int64_t start = search->graph->start[x];
    int degree = dpc_degree(search->graph, x);
    for (int64_t e = start; e < start + degree; e++) {
        bool larger = search->graph->node[e] < x;
        job->target[e] = job->sweep == BOTH_ENDS ||
                         (larger ? job->sweep == LARGER_END && !job->verdicts.kind[job->reverse[e]]
                                 : job->sweep == SMALLER_END);
    }
    dpc_visit visit = {
        .x = x,
        .neighbour = dpc_neighbours(search->graph, x),
        .degree = degree,
        .level = job->level,
        .refused = &search->refused[x],
        .target = job->target + start,
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

/* The verdict on the pair at slot e = x→y, x < y: a record, or none. False: no memory. */
static bool keep_record(const level_job *job, int x, int64_t e, int kept)
{
    const verdicts *v = &job->verdicts;
    int y = job->search->graph->node[e];
    bool from_x = v->kind[e] != DPC_SEP_NONE;
    int64_t slot = from_x ? e : job->reverse[e];
    dpc_plan plan = plan_node(job->search, from_x ? x : y, job->level);
    dpc_record record = {
        .a = x,
        .b = y,
        .level = job->level,
        .from = from_x ? x : y,
        .kept = v->kind[slot] == DPC_SEP_PRIMAL ? -1 : kept,
        .count = v->kind[slot] == DPC_SEP_FULL_S ? 0 : plan.m,
        .kind = v->kind[slot],
        .r = v->r[slot],
    };
    return dpc_sepsets_add(job->search->sepsets, record, v->subset + slot * v->stride);
}

/* Adds the records of the level and makes the graph without the separated pairs. */
static dpc_status merge(level_job *job, dpc_adjacency **next, int64_t *removed)
{
    const dpc_adjacency *graph = job->search->graph;
    const uint8_t *kind = job->verdicts.kind;
    int kept = job->search->sepsets->n_kept; /* the number this graph will have */
    int32_t *degree = dpc_zalloc(graph->n, sizeof *degree);
    dpc_status status = degree == NULL ? DPC_NO_MEMORY : DPC_OK;
    *removed = 0;
    for (int x = 0; x < graph->n && status == DPC_OK; x++)
        for (int64_t e = graph->start[x]; e < graph->start[x + 1] && status == DPC_OK; e++) {
            if (!kind[e] && !kind[job->reverse[e]]) {
                degree[x]++;
            } else if (x < graph->node[e]) {
                ++*removed;
                if (!keep_record(job, x, e, kept))
                    status = DPC_NO_MEMORY;
            }
        }
    if (status == DPC_OK && (*next = dpc_adjacency_new(graph->n, degree)) == NULL)
        status = DPC_NO_MEMORY;
    free(degree);
    if (status != DPC_OK)
        return status;
    int32_t *to = (*next)->node;
    for (int64_t e = 0; e < dpc_slots(graph); e++)
        if (!kind[e] && !kind[job->reverse[e]])
            *to++ = graph->node[e];
    return DPC_OK;
}

/* Puts the next graph in place; the old one is kept with the sets that refer to it. */
static dpc_status advance(level_job *job, dpc_adjacency *next)
{
    dpc_search *search = job->search;
    for (int x = 0; x < next->n; x++)
        if (dpc_degree(next, x) != dpc_degree(search->graph, x)) {
            search->changed_level[x] = job->level;
            search->refused[x] = false;
        }
    if (dpc_sepsets_keep(search->sepsets, search->graph) < 0) {
        dpc_adjacency_free(next);
        return DPC_NO_MEMORY;
    }
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
    job->target = dpc_alloc(slots, sizeof(bool));
    job->reverse = dpc_reverse_slots(search->graph);
    if (!job->verdicts.kind || !job->verdicts.r || !job->verdicts.subset || !job->target ||
        !job->reverse)
        return DPC_NO_MEMORY;
    bool dense = slots >= (int64_t)DENSE * n;
    bool done = true;
    for (sweep s = dense ? SMALLER_END : BOTH_ENDS; done && s <= (dense ? LARGER_END : BOTH_ENDS);
         s++) {
        job->sweep = s;
        done = dpc_crew_run(&search->crew, n, work, visit_node, job);
    }
    return done ? DPC_OK : dpc_fail(err, DPC_INTERRUPTED, "interrupted");
}

dpc_status dpc_level_stable(dpc_search *search, int level, int64_t *removed, dpc_error *err)
{
    level_job job = {.search = search, .level = level};
    dpc_adjacency *next = NULL;
    dpc_status status = run_level(&job, err);
    search->more = more_to_come(search, level);
    if (status == DPC_OK)
        status = merge(&job, &next, removed);
    if (status == DPC_OK)
        status = advance(&job, next);
    free(job.verdicts.kind);
    free(job.verdicts.r);
    free(job.verdicts.subset);
    free(job.target);
    free(job.reverse);
    return status == DPC_NO_MEMORY ? dpc_fail_memory(err, "a level of the search") : status;
}
