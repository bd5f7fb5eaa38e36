/*
 * How strongly the data speak for a collider at each unshielded triple x — y — z.
 *
 * A collider is a triple in which conditioning on y makes x and z more dependent; any other y makes
 * them less dependent. With z(C) = sqrt(N-|C|-3) |atanh r(x, z | C)| and L(C) = ln(1 + z(C)),
 *
 *     w = V + [L(y) - L(∅)] + ½ [L(rest) - L(rest \ y)],      rest: all variables but x and z.
 *
 * The last bracket is there where the full-order test was made. V says how the pair was separated:
 *
 *     marginally only  2        full order only  -1.5        both  1
 *     later, by K:  0.75 if y ∉ K,  plus  ⅓ [L(K ∪ y) - L(K \ y)]
 *
 * w > 0 speaks for a collider, and |w| behaves like log-odds. The constants were fitted on
 * simulated data and published networks, weak and strong effects (docs/algorithm.md, section 14). A
 * bracket in which a test cannot be made is 0. Where cells are missing, N is that of x, y and z
 * (rows.h), in all brackets of a triple: they compare correlations, not samples.
 *
 * r given the rest without y comes from P = R⁻¹, scaled to unit diagonal, by eliminating y:
 * -(Pxz - Pxy Pzy) / sqrt((1 - Pxy²)(1 - Pzy²)). r given K with or without y is in changed_set.c.
 */
#include "evidence.h"

#include "alloc.h"
#include "changed_set.h"
#include "crew.h"
#include "loudness.h"
#include "rows.h"
#include "status.h"
#include "test.h"
#include "two_away.h"

#include <math.h>
#include <string.h>

static const double MARGINAL = 2, FULL_ORDER = -1.5, BOTH = 1, OUTSIDE = 0.75, LAST = 0.5;

/* What one worker needs. */
typedef struct weigher {
    dpc_two_away away;
    dpc_changed_set changed;
    dpc_loudness loudness; /* where variables are blocks … */
    int32_t *members;      /* … K of a pair, and room for one more; owned */
} weigher;

enum { N_ROOTS = 32 };

typedef struct evidence_job {
    const dpc_unoriented *task;
    dpc_triples *triples;
    double root[N_ROOTS];  /* sqrt(N-k-3); NaN: no test */
    dpc_critical critical; /* of the marginal test */
    const double *p;       /* scaled inverse of R, in labels; or NULL */
    /* the records of each node, of which it may be either end: start[x] … start[x + 1] - 1 */
    int64_t *start;
    int64_t *records; /* their numbers, ascending */
    dpc_crew crew;
    weigher *weighers;  /* one per worker */
    atomic_bool failed; /* out of memory */
} evidence_job;

/* What all triples of a pair x, z have in common. */
typedef struct pair {
    int x, z;
    double xz;
    int64_t n_obs;        /* N */
    double none;          /* L(∅) */
    double rest;          /* L(rest) */
    double by_set;        /* L(K), where a record says K */
    dpc_separation found; /* how it was separated */
} pair;

/* ---- One triple ---- */

/* sqrt(N-k-3); NaN where there is no test given k variables. */
static double find_root(int64_t n_obs, int64_t k)
{
    return dpc_testable(n_obs, k) ? sqrt((double)(n_obs - k - 3)) : NAN;
}

/* L, from r given k variables; NaN where there is no test. */
static double loudness(const evidence_job *job, int64_t n_obs, double r, int64_t k)
{
    bool known = n_obs == job->task->view->n_obs && k >= 0 && k < N_ROOTS;
    double root = known ? job->root[k] : find_root(n_obs, k);
    return isnan(root) ? NAN : log1p(root * atanh(fmin(fabs(r), 1 - 1e-12)));
}

static double difference(double with, double without)
{
    double d = with - without;
    return isnan(d) ? 0 : d;
}

/* L(y) - L(∅). */
static double first_order(const evidence_job *job, const pair *pair, int y)
{
    const dpc_view *view = job->task->view;
    double xy = dpc_r(view, pair->x, y), zy = dpc_r(view, pair->z, y);
    double vx = 1 - xy * xy, vz = 1 - zy * zy;
    if (!(vx >= DPC_SINGULAR) || !(vz >= DPC_SINGULAR))
        return 0;
    return difference(loudness(job, pair->n_obs, (pair->xz - xy * zy) / sqrt(vx * vz), 1),
                      pair->none);
}

/* L(rest) - L(rest \ y). */
static double last_order(const evidence_job *job, const pair *pair, int y)
{
    int64_t n = dpc_nodes(job->task->view);
    if (job->p == NULL)
        return 0;
    const double *px = job->p + pair->x * n, *pz = job->p + pair->z * n;
    double xz = px[pair->z], xy = px[y], zy = pz[y], vx = 1 - xy * xy, vz = 1 - zy * zy;
    if (!(vx >= DPC_SINGULAR) || !(vz >= DPC_SINGULAR))
        return 0;
    return difference(pair->rest,
                      loudness(job, pair->n_obs, (xz - xy * zy) / sqrt(vx * vz), n - 3));
}

/* V of a triple whose ends were separated after level 0. */
static dpc_status by_set(const evidence_job *job, dpc_changed_set *changed, const pair *pair, int y,
                         double *v)
{
    double r;
    bool inside;
    dpc_status status = dpc_changed_set_r(changed, y, &r, &inside);
    if (status != DPC_OK)
        return status;
    double other = loudness(job, pair->n_obs, r, inside ? changed->order - 1 : changed->order + 1);
    *v = inside ? difference(pair->by_set, other) / 3
                : OUTSIDE + difference(other, pair->by_set) / 3;
    return DPC_OK;
}

/* The rows that two nodes have in common. */
static int64_t rows_of(const evidence_job *job, int a, int b)
{
    const dpc_view *view = job->task->view;
    return dpc_test_rows(view, dpc_column_of(view->labels, a), dpc_column_of(view->labels, b), NULL,
                         0);
}

static double at_level_0(const evidence_job *job, const pair *pair, int y)
{
    if (!pair->found.full_order || !dpc_allowed(job->task->known, pair->x, pair->z, y))
        return MARGINAL;
    double c = dpc_critical_at(&job->critical, false, rows_of(job, pair->x, pair->z), 0);
    return fabs(pair->xz) <= c ? BOTH : FULL_ORDER;
}

/* The L that do not depend on y, with so many observations; `order` is that of K. */
static void set_rows(const evidence_job *job, int64_t n_obs, int order, pair *pair)
{
    int64_t n = dpc_nodes(job->task->view);
    const dpc_record *record = pair->found.record;
    pair->n_obs = n_obs;
    pair->none = loudness(job, n_obs, pair->xz, 0);
    pair->rest = job->p != NULL ? loudness(job, n_obs, job->p[pair->x * n + pair->z], n - 2) : NAN;
    pair->by_set = record != NULL ? loudness(job, n_obs, record->r, order) : NAN;
}

static dpc_status weigh(const evidence_job *job, dpc_changed_set *changed, pair *pair, int y,
                        int32_t *weight)
{
    double v;
    dpc_status status = DPC_OK;
    if (!dpc_view_can(job->task->view, DPC_ONE_N)) {
        int32_t others[] = {y, pair->z};
        set_rows(job, dpc_rows_among(job->task->view, pair->x, others, 2).all, changed->order,
                 pair);
    }
    if (pair->found.record != NULL)
        status = by_set(job, changed, pair, y, &v);
    else
        v = at_level_0(job, pair, y);
    if (status == DPC_OK) {
        v += first_order(job, pair, y) + LAST * last_order(job, pair, y);
        *weight = (int32_t)lrint(v * DPC_WEIGHT_ONE);
    }
    return status;
}

/* ---- The same for blocks ---- */

/* The L of a pair that its triples have in common, by blocks and by counts; NaN: there is none. */
typedef struct block_pair {
    double none[2], by_set[2];
} block_pair;

/* V of a triple whose ends were separated by K, which is changed by y. */
static dpc_status by_block_set(weigher *w, const pair *pair, const block_pair *l, int order, int y,
                               double *v)
{
    int32_t *set = w->members;
    int at = 0, size = order;
    double other;
    bool counts = dpc_loudness_counts(&w->loudness, pair->x, pair->z, set, order);
    while (at < order && set[at] != y)
        at++;
    bool inside = at < order;
    if (inside) {
        set[at] = set[order - 1];
        size--;
    } else {
        set[size++] = y;
        counts = counts && dpc_loudness_counts(&w->loudness, pair->x, pair->z, set, size);
    }
    DPC_CHECK(dpc_loudness_given(&w->loudness, pair->x, pair->z, set, size, counts, &other, NULL));
    if (inside)
        set[at] = y;
    double here = l->by_set[counts];
    *v = inside ? difference(here, other) / 3 : OUTSIDE + difference(other, here) / 3;
    return DPC_OK;
}

static dpc_status weigh_block(const evidence_job *job, weigher *w, const pair *pair,
                              const block_pair *l, int order, int y, int32_t *weight)
{
    double v, first, rest;
    int32_t one = y;
    bool counts = dpc_loudness_counts(&w->loudness, pair->x, pair->z, &one, 1);
    if (pair->found.record != NULL)
        DPC_CHECK(by_block_set(w, pair, l, order, y, &v));
    else if (!pair->found.full_order || !dpc_allowed(job->task->known, pair->x, pair->z, y))
        v = MARGINAL;
    else
        v = pair->xz > job->task->settings->alpha ? BOTH : FULL_ORDER;
    DPC_CHECK(dpc_loudness_given(&w->loudness, pair->x, pair->z, &one, 1, counts, &first, NULL));
    DPC_CHECK(dpc_loudness_of_rest(&w->loudness, pair->x, pair->z, y, &rest));
    v += difference(first, l->none[counts]) + LAST * difference(pair->rest, rest);
    *weight = (int32_t)lrint(v * DPC_WEIGHT_ONE);
    return DPC_OK;
}

/* L given a set, by blocks and, where they apply, by counts; and the p-value of the latter, or of
 * the former where they do not. */
static dpc_status both_ways(dpc_loudness *l, int x, int z, const int32_t *set, int k, double out[2],
                            double *p)
{
    out[1] = NAN;
    DPC_CHECK(dpc_loudness_given(l, x, z, set, k, false, &out[0], p));
    return dpc_loudness_counts(l, x, z, set, k)
               ? dpc_loudness_given(l, x, z, set, k, true, &out[1], p)
               : DPC_OK;
}

/* All triples of x and z; `xz` of the pair is the p-value given nothing. */
static dpc_status weigh_block_pair(const evidence_job *job, weigher *w, int x, int z,
                                   dpc_separation found)
{
    pair pair = {.x = x, .z = z, .found = found};
    block_pair both = {.by_set = {NAN, NAN}};
    int order = 0;
    dpc_loudness *l = &w->loudness;
    DPC_CHECK(both_ways(l, x, z, NULL, 0, both.none, &pair.xz));
    DPC_CHECK(dpc_loudness_of_rest(l, x, z, -1, &pair.rest));
    if (found.record != NULL) {
        order = dpc_record_members(job->task->sepsets, found.record, found.batch, w->members);
        DPC_CHECK(both_ways(l, x, z, w->members, order, both.by_set, NULL));
    }
    for (int32_t k = w->away.first[z]; k >= 0; k = w->away.between[k].next) {
        const dpc_between *b = &w->away.between[k];
        DPC_CHECK(weigh_block(job, w, &pair, &both, order, b->y, &job->triples->weight[b->entry]));
    }
    return DPC_OK;
}

/* ---- One pair ---- */

static dpc_status start_pair(const evidence_job *job, dpc_changed_set *changed, int x, int z,
                             dpc_separation found, pair *out)
{
    const dpc_view *view = job->task->view;
    *out = (pair){
        .x = x,
        .z = z,
        .xz = dpc_r(view, x, z),
        .found = found,
    };
    dpc_status status = found.record != NULL ? dpc_changed_set_start(changed, found) : DPC_OK;
    set_rows(job, view->n_obs, changed->order, out);
    return status;
}

/* All triples of x and the node z, two edges away. */
static dpc_status weigh_pair(const evidence_job *job, weigher *w, int x, int z,
                             dpc_separation found)
{
    pair pair;
    if (dpc_forbidden(job->task->known, x, z))
        return DPC_OK;
    if (job->task->view->blocks != NULL)
        return weigh_block_pair(job, w, x, z, found);
    dpc_status status = start_pair(job, &w->changed, x, z, found, &pair);
    for (int32_t k = w->away.first[z]; k >= 0 && status == DPC_OK; k = w->away.between[k].next) {
        const dpc_between *b = &w->away.between[k];
        status = weigh(job, &w->changed, &pair, b->y, &job->triples->weight[b->entry]);
    }
    return status;
}

/* ---- The pairs of a node ---- */

/* Which of the pairs of x with a record are found from x, or none of them any more. */
static void set_whose(const evidence_job *job, int x, bool set, uint8_t *whose)
{
    const dpc_record *records = job->task->sepsets->records;
    for (int64_t i = job->start[x]; i < job->start[x + 1]; i++) {
        const dpc_record *record = &records[job->records[i]];
        int z = record->a == x ? record->b : record->a;
        whose[z] = !set ? DPC_OF_SMALLER : dpc_record_from(record) == x ? DPC_OF_X : DPC_OF_OTHER;
    }
}

/*
 * The pairs of x with a node two edges away that are x's to weigh: those whose set was found from
 * x, level by level, and of those without a record the ones with a larger node.
 */
static dpc_status weigh_pairs(evidence_job *job, weigher *w, int x, int worker)
{
    enum { BETWEEN_LOOKS = 64 };
    const dpc_sepsets *sets = job->task->sepsets;
    dpc_status status = DPC_OK;
    int64_t i = job->start[x], end = job->start[x + 1];
    for (int k = 0; k < w->away.n_ends && status == DPC_OK; k++) {
        int z = w->away.ends[k];
        if (w->away.whose[z] == DPC_OF_SMALLER)
            status = weigh_pair(job, w, x, z,
                                (dpc_separation){.full_order = dpc_is_full_order(sets, x, z)});
    }
    for (int level = 0; level < sets->n_batches; level++) {
        const dpc_batch *batch = &sets->batches[level];
        for (; i < end && job->records[i] < batch->first + batch->count; i++) {
            const dpc_record *record = &sets->records[job->records[i]];
            int z = record->a == x ? record->b : record->a;
            if (i % BETWEEN_LOOKS == 0 && dpc_crew_stopped(&job->crew, worker))
                return DPC_OK;
            if (status == DPC_OK && dpc_record_from(record) == x && w->away.first[z] >= 0)
                status =
                    weigh_pair(job, w, x, z, (dpc_separation){.record = record, .batch = batch});
        }
    }
    return status;
}

static void weigh_from(void *context, int64_t x, int worker)
{
    evidence_job *job = context;
    weigher *w = &job->weighers[worker];
    set_whose(job, (int)x, true, w->away.whose);
    dpc_two_away_from(&w->away, job->triples, (int)x);
    if (weigh_pairs(job, w, (int)x, worker) != DPC_OK)
        atomic_store_explicit(&job->failed, true, memory_order_relaxed);
    set_whose(job, (int)x, false, w->away.whose);
}

/* ---- All of it ---- */

static dpc_status job_init(const dpc_unoriented *task, evidence_job *job, dpc_error *err)
{
    *job = (evidence_job){
        .task = task,
        /* with tiers the rest differs from pair to pair, and P has not the entries of all three */
        .p = dpc_has_tiers(task->known) ? NULL : task->sepsets->precision,
    };
    for (int k = 0; k < N_ROOTS; k++)
        job->root[k] = find_root(task->view->n_obs, k);
    return dpc_critical_init(task->settings, task->view->n_obs, 0, &job->critical, err);
}

/* The records of each node. */
static dpc_status list_records(evidence_job *job)
{
    const dpc_sepsets *sets = job->task->sepsets;
    int n = job->task->skeleton->n;
    int64_t *start = job->start = dpc_zalloc((int64_t)n + 2, sizeof *start);
    job->records = dpc_alloc(2 * sets->n_records, sizeof *job->records);
    if (start == NULL || job->records == NULL)
        return DPC_NO_MEMORY;
    /* shifted by two: filling moves every start to the next one */
    for (int64_t i = 0; i < sets->n_records; i++) {
        start[sets->records[i].a + 2]++;
        start[sets->records[i].b + 2]++;
    }
    for (int v = 2; v <= n + 1; v++)
        start[v] += start[v - 1];
    for (int64_t i = 0; i < sets->n_records; i++) {
        job->records[start[sets->records[i].a + 1]++] = i;
        job->records[start[sets->records[i].b + 1]++] = i;
    }
    return DPC_OK;
}

static dpc_status init_blocks(const dpc_unoriented *task, weigher *w)
{
    w->members = dpc_alloc((int64_t)task->skeleton->n + 1, sizeof *w->members);
    return w->members != NULL ? dpc_loudness_init(task, &w->loudness) : DPC_NO_MEMORY;
}

static dpc_status weighers_init(evidence_job *job)
{
    job->weighers = dpc_zalloc(job->crew.threads, sizeof *job->weighers);
    dpc_status status = job->weighers != NULL ? DPC_OK : DPC_NO_MEMORY;
    for (int i = 0; i < job->crew.threads && status == DPC_OK; i++) {
        weigher *w = &job->weighers[i];
        dpc_changed_set_init(job->task, &w->changed);
        status = dpc_two_away_init(job->task->skeleton, &w->away);
        if (status == DPC_OK && job->task->view->blocks != NULL)
            status = init_blocks(job->task, w);
    }
    return status;
}

static void job_clear(evidence_job *job)
{
    for (int i = 0; job->weighers != NULL && i < job->crew.threads; i++) {
        dpc_two_away_clear(&job->weighers[i].away);
        dpc_changed_set_clear(&job->weighers[i].changed);
        dpc_loudness_clear(&job->weighers[i].loudness);
        free(job->weighers[i].members);
    }
    free(job->weighers);
    free(job->start);
    free(job->records);
    dpc_critical_clear(&job->critical);
}

/* ---- With other ranks ---- */

/* A weight that this rank has found. */
typedef struct weighed {
    int64_t entry;
    int32_t weight, unused;
} weighed;

/* The weights that differ from those before; returns how many. `to` NULL: only that. */
static int64_t list_weighed(const dpc_triples *t, const int32_t *before, weighed *to)
{
    int64_t count = 0;
    for (int64_t entry = 0; entry < dpc_triples_end(t); entry++)
        if (t->weight[entry] != before[entry]) {
            if (to != NULL)
                to[count] = (weighed){.entry = entry, .weight = t->weight[entry]};
            count++;
        }
    return count;
}

/* What every rank has weighed comes to all of them. */
static dpc_status exchange_weights(evidence_job *job, const int32_t *before, dpc_status status,
                                   dpc_error *err)
{
    dpc_triples *t = job->triples;
    int64_t count = list_weighed(t, before, NULL);
    weighed *mine = dpc_alloc(count, sizeof *mine);
    dpc_exchange e = {
        .status = status, .mine = (const char *)mine, .size = count * (int64_t)sizeof *mine};
    if (mine == NULL)
        e.status = dpc_fail_memory(err, "the evidence for the directions");
    else
        list_weighed(t, before, mine);
    status = dpc_crew_exchange(&job->crew, &e, err);
    int64_t all = status == DPC_OK ? e.at[job->crew.settings->ranks->ranks] : 0;
    for (int64_t at = 0; at < all; at += (int64_t)sizeof *mine) {
        const weighed *one = (const weighed *)(e.all + at);
        t->weight[one->entry] = one->weight;
    }
    free(mine);
    free(e.all);
    free(e.at);
    return status;
}

/* All nodes, by all ranks of the ranks if there is one. */
static dpc_status weigh_all(evidence_job *job, dpc_error *err)
{
    const double each = 1000; /* operations for a triple; with large sets it is many more */
    const dpc_triples *t = job->triples;
    size_t size = (size_t)dpc_triples_end(t) * sizeof *t->weight;
    const dpc_list list = {
        .count = t->graph->n,
        .work = each * (double)dpc_triples_end(t),
        .task = weigh_from,
        .context = job,
    };
    bool shared = dpc_crew_shares(&job->crew, list.work);
    int32_t *before = shared ? dpc_alloc(dpc_triples_end(t), sizeof *before) : NULL;
    if (shared && before == NULL)
        return dpc_fail_memory(err, "the evidence for the directions");
    if (shared)
        memcpy(before, t->weight, size);
    bool done = dpc_crew_run_shared(&job->crew, &list);
    dpc_status status = DPC_OK;
    if (atomic_load(&job->failed))
        status = dpc_fail_memory(err, "the evidence for the directions");
    else if (!done && !job->crew.late)
        status = dpc_fail(err, DPC_INTERRUPTED, "interrupted");
    if (shared)
        status = exchange_weights(job, before, status, err);
    free(before);
    return status;
}

dpc_status dpc_weigh_evidence(const dpc_unoriented *task, dpc_triples *triples, dpc_error *err)
{
    evidence_job job;
    dpc_status status = job_init(task, &job, err);
    if (status != DPC_OK)
        return status;
    job.triples = triples;
    dpc_crew_init(&job.crew, task->settings, DPC_STAGE_ORIENT);
    job.crew.limit = task->limit;
    status = list_records(&job);
    if (status == DPC_OK)
        status = weighers_init(&job);
    if (status == DPC_OK)
        status = weigh_all(&job, err);
    else
        dpc_fail_memory(err, "the evidence for the directions");
    job_clear(&job);
    return status;
}
