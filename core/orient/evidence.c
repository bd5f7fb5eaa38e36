/*
 * How strongly the data speak for a collider at each unshielded triple x — y — z.
 *
 * A collider is a triple in which conditioning on y makes x and z more dependent; any other y makes
 * them less dependent. With z(C) = sqrt(N-|C|-3) |atanh r(x, z | C)| and L(C) = ln(1 + z(C)),
 *
 *     w = V + [L(y) - L(∅)] + [L(rest) - L(rest \ y)],        rest: all variables but x and z.
 *
 * The last bracket is there where the full-order test was made. V says how the pair was separated:
 *
 *     marginally only  4        full order only  -3        both  -1
 *     later, by K:  1.5 if y ∉ K,  plus  ⅓ [L(K ∪ y) - L(K \ y)]
 *
 * w > 0 speaks for a collider, and |w| behaves like log-odds. The constants were fitted once, on
 * simulated data (docs/algorithm.md, section 14). A bracket in which a test cannot be made is 0.
 *
 * r given the rest without y comes from P = R⁻¹, scaled to unit diagonal, by eliminating y:
 * -(Pxz - Pxy Pzy) / sqrt((1 - Pxy²)(1 - Pzy²)). r given K with or without y is in toggle.c.
 */
#include "changed_set.h"
#include "crew.h"
#include "error.h"
#include "linalg.h"
#include "memory.h"
#include "stat.h"
#include "triples.h"

#include <math.h>

static const double MARGINAL = 4, FULL_ORDER = -3, BOTH = -1, OUTSIDE = 1.5;

/* What one worker needs. */
typedef struct weigher {
    dpc_walk walk;
    dpc_separation *found; /* per end of the walk */
    dpc_toggler toggler;
} weigher;

typedef struct evidence_job {
    const dpc_unoriented *task;
    dpc_triples *triples;
    double c_marginal; /* critical value of the marginal test */
    const double *p;   /* scaled inverse of R, in labels; or NULL */
    dpc_crew *crew;
    weigher *weighers;  /* one per worker */
    atomic_bool failed; /* out of memory */
} evidence_job;

/* L, from r given k variables; NaN where there is no test. */
static double loudness(const evidence_job *job, double r, int64_t k)
{
    int64_t n_obs = job->task->view->n_obs;
    if (!dpc_testable(n_obs, k))
        return NAN;
    return log1p(sqrt((double)(n_obs - k - 3)) * atanh(fmin(fabs(r), 1 - 1e-12)));
}

static double difference(double with, double without)
{
    double d = with - without;
    return isnan(d) ? 0 : d;
}

/* L(y) - L(∅). */
static double first_order(const evidence_job *job, int x, int y, int z)
{
    double xz = dpc_r(job->task->view, x, z), xy = dpc_r(job->task->view, x, y),
           zy = dpc_r(job->task->view, z, y);
    double vx = 1 - xy * xy, vz = 1 - zy * zy;
    if (!(vx >= DPC_SINGULAR) || !(vz >= DPC_SINGULAR))
        return 0;
    return difference(loudness(job, (xz - xy * zy) / sqrt(vx * vz), 1), loudness(job, xz, 0));
}

/* L(rest) - L(rest \ y). */
static double last_order(const evidence_job *job, int x, int y, int z)
{
    int64_t n = job->task->skeleton->n;
    const double *p = job->p;
    if (p == NULL)
        return 0;
    double xz = p[x * n + z], xy = p[x * n + y], zy = p[z * n + y];
    double vx = 1 - xy * xy, vz = 1 - zy * zy;
    if (!(vx >= DPC_SINGULAR) || !(vz >= DPC_SINGULAR))
        return 0;
    return difference(loudness(job, xz, n - 2),
                      loudness(job, (xz - xy * zy) / sqrt(vx * vz), n - 3));
}

/* V of a triple whose ends, the pair of the toggler, were separated after level 0. */
static double by_set(const evidence_job *job, dpc_toggler *t, int y)
{
    bool inside;
    double changed = dpc_toggle(t, y, &inside);
    double now = loudness(job, t->record->r, t->order);
    double other = loudness(job, changed, inside ? t->order - 1 : t->order + 1);
    return inside ? difference(now, other) / 3 : OUTSIDE + difference(other, now) / 3;
}

static double at_level_0(const evidence_job *job, int x, int y, int z, bool full_order)
{
    if (!full_order || !dpc_allowed(job->task->known, x, z, y))
        return MARGINAL;
    return fabs(dpc_r(job->task->view, x, z)) <= job->c_marginal ? BOTH : FULL_ORDER;
}

static int32_t whole(double weight)
{
    return (int32_t)lrint(weight * DPC_WEIGHT_ONE);
}

/* All triples of x and the end number i of the walk; false: no memory. */
static bool weigh_pair(const evidence_job *job, weigher *w, int x, int i)
{
    int z = w->walk.ends[i];
    const dpc_separation *found = &w->found[i];
    if (dpc_never(job->task->known, x, z)) {
        for (int32_t k = w->walk.first[z]; k >= 0; k = w->walk.common[k].next)
            job->triples->mark[w->walk.common[k].entry] = DPC_FREE;
        return true;
    }
    if (found->record != NULL && !dpc_toggle_pair(&w->toggler, *found))
        return false;
    for (int32_t k = w->walk.first[z]; k >= 0; k = w->walk.common[k].next) {
        const dpc_common *common = &w->walk.common[k];
        double v = found->record != NULL ? by_set(job, &w->toggler, common->y)
                                         : at_level_0(job, x, common->y, z, found->full_order);
        v += first_order(job, x, common->y, z) + last_order(job, x, common->y, z);
        job->triples->weight[common->entry] = whole(v);
        job->triples->mark[common->entry] = DPC_OPEN;
    }
    return true;
}

/*
 * The pairs of x with a node two edges away that are x's to weigh: those whose set was found from
 * x, and of those without a record the ones with a larger node. Level by level, for the toggler.
 */
static void weigh_from(void *context, int64_t x, int worker)
{
    evidence_job *job = context;
    const dpc_sepsets *sets = job->task->sepsets;
    weigher *w = &job->weighers[worker];
    bool fine = true;
    dpc_walk_from(job->triples, (int)x, &w->walk);
    for (int i = 0; i < w->walk.n_ends; i++) {
        w->found[i] = dpc_sepsets_find(sets, (int)x, w->walk.ends[i]);
        if (w->found[i].record == NULL && x < w->walk.ends[i])
            fine = fine && weigh_pair(job, w, (int)x, i);
    }
    for (int level = 0; level < sets->n_batches; level++)
        for (int i = 0; i < w->walk.n_ends && !dpc_crew_stopped(job->crew, worker); i++)
            if (w->found[i].record != NULL && w->found[i].batch == &sets->batches[level] &&
                dpc_record_from(w->found[i].record) == x)
                fine = fine && weigh_pair(job, w, (int)x, i);
    if (!fine)
        atomic_store_explicit(&job->failed, true, memory_order_relaxed);
}

/* With tiers the rest differs from pair to pair, and P does not have the entries of all three. */
static bool whole_order(const dpc_unoriented *task)
{
    return task->known == NULL || task->known->n_limits == 1;
}

static bool weigher_make(const dpc_unoriented *task, weigher *w)
{
    w->toggler.task = task;
    w->found = dpc_alloc(task->skeleton->n, sizeof *w->found);
    return dpc_walk_make(task->skeleton, &w->walk) && w->found != NULL;
}

dpc_status dpc_weigh_evidence(const dpc_unoriented *task, dpc_triples *triples, dpc_error *err)
{
    dpc_critical critical = {0};
    dpc_crew crew;
    dpc_crew_init(&crew, task->settings, DPC_STAGE_ORIENT);
    evidence_job job = {
        .task = task,
        .triples = triples,
        .crew = &crew,
        .p = whole_order(task) ? task->sepsets->precision : NULL,
        .weighers = dpc_zalloc(crew.threads, sizeof *job.weighers),
    };
    dpc_status status = dpc_critical_init(task->settings, task->view->n_obs, 0, &critical, err);
    bool fine = status == DPC_OK && job.weighers != NULL;
    for (int i = 0; fine && i < crew.threads; i++)
        fine = weigher_make(task, &job.weighers[i]);
    bool done = false;
    if (fine) {
        job.c_marginal = critical.primal[0];
        double work = 100 * (double)triples->start[triples->graph->n];
        done = dpc_crew_run(&crew, task->skeleton->n, work, weigh_from, &job);
    }
    if (!fine || atomic_load(&job.failed))
        status = dpc_fail_memory(err, "the evidence for the directions");
    else if (!done)
        status = dpc_fail(err, DPC_INTERRUPTED, "interrupted");
    for (int i = 0; job.weighers != NULL && i < crew.threads; i++) {
        weigher *w = &job.weighers[i];
        dpc_walk_clear(&w->walk);
        dpc_toggler_clear(&w->toggler);
        free(w->found);
    }
    free(job.weighers);
    dpc_critical_clear(&critical);
    return status;
}
