/*
 * Adjustment identification distances (Henckel, Würtzen and Weichwald 2024): of all ordered pairs
 * (t, y), for how many is what the estimate says about the effect of t on y wrong in the truth?
 *
 * The estimate says "none", or that no set identifies it, or which set to adjust for; whether that
 * set Z is valid is asked of a DAG of the truth's class. That is enough: where (t, y) is amenable
 * the effect is the same function of the distribution in all of them, and so Z gives it in all or
 * in none.
 *
 * Causes come in batches of 64, each a bit of a word. For the parents and the ancestors Z does not
 * depend on y, and one run of the kernel (flow.h) tells for 64 causes which y it is wrong for:
 *
 *  - F, where it has a forbidden node: the descendants of t from which arrows lead to Z, and what
 *    descends from these;
 *  - what the ball comes to by a path that is not causal: it starts at the parents of t, and at the
 *    parents of every open collider that an open causal path from t ends at. (A path that starts
 *    t → c and has a collider is open only if c is an ancestor of Z; if c is one of y too, then y
 *    is in F already.)
 *
 * The optimal set depends on y, and its bits are 64 outcomes of one cause. F is then a question to
 * the ancestors of y and Z, and the ball starts at children of t that do not lead to y.
 */
#include "alloc.h"
#include "bit_descendants.h"
#include "crew.h"
#include "settings.h"
#include "status.h"

#include <string.h>

enum { BATCH = 64 };

typedef struct counts {
    int64_t parent, ancestor, oset;
} counts;

typedef struct worker {
    dpc_flow flow;                         /* in the truth */
    dpc_path_search in_estimate, in_truth; /* for MPDAGs */
    uint64_t *is, *is_at;            /* over nodes, and over places of the truth: v is the cause */
    uint64_t *parents, *ancestors;   /* of the cause, in the estimate */
    uint64_t *de, *possible, *loose; /* of the estimate, see bit_descendants.h */
    uint64_t *true_possible, *true_loose;
    uint64_t *wrong;              /* over nodes: the set is not valid */
    uint64_t *true_de;            /* over places: descendants of t in the DAG, without t */
    uint64_t *causal, *forbidden; /* over places */
    uint64_t *between;            /* over nodes of the estimate, all 0: on the way from t to y */
    int32_t *descendants;         /* of one cause in the estimate, last first */
    uint64_t *memory;             /* of the masks; owned */
    counts counts;
} worker;

typedef struct job {
    const dpc_causal *estimate, *truth;
    unsigned which;
    worker *workers;
} job;

/* ---- One set for all outcomes ---- */

static void find_causal(const dpc_causal *truth, worker *w)
{
    const dpc_flow *f = &w->flow;
    for (int i = 0; i < truth->n; i++) {
        dpc_node_row parents = dpc_parents_of(&truth->dag, i);
        uint64_t open = 0, forbidden = 0;
        for (int64_t k = 0; k < parents.count; k++) {
            int p = parents.node[k];
            open |= f->barred[p] | (w->causal[p] & ~f->blocked[p]);
            forbidden |= w->forbidden[p];
        }
        w->causal[i] = open;
        w->forbidden[i] = forbidden | (w->true_de[i] & f->opened[i]);
    }
}

/* For which outcomes the sets z, over nodes, are not valid. */
static void judge_sets(const dpc_causal *truth, worker *w, const uint64_t *z)
{
    dpc_flow *f = &w->flow;
    for (int v = 0; v < truth->n; v++) {
        if (z[v] != 0)
            dpc_flow_block(f, truth->place[v], z[v]);
        if (w->is[v] != 0)
            dpc_flow_bar(f, truth->place[v], w->is[v]);
    }
    dpc_flow_ascend(f);
    find_causal(truth, w);
    for (int i = 0; i < truth->n; i++) {
        dpc_node_row parents = dpc_parents_of(&truth->dag, i);
        uint64_t start = f->barred[i] | (w->causal[i] & f->opened[i]);
        for (int64_t k = 0; start != 0 && k < parents.count; k++)
            dpc_flow_put_up(f, parents.node[k], start);
    }
    dpc_flow_run(f, true);
    for (int i = 0; i < truth->n; i++)
        w->wrong[truth->at[i]] = w->forbidden[i] | dpc_flow_at(f, i);
    dpc_flow_reset(f);
}

/* The wrong ones among all pairs, where the claim of no effect is made for the outcomes `none`. */
static int64_t count_wrong(const worker *w, int n, uint64_t causes, const uint64_t *none,
                           bool complement)
{
    int64_t count = 0;
    for (int y = 0; y < n; y++) {
        uint64_t claimed = complement ? ~none[y] : none[y];
        uint64_t differ = w->loose[y] ^ w->true_loose[y];
        uint64_t wrong = w->wrong[y] & ~w->loose[y] & ~w->true_loose[y];
        wrong = (claimed & w->true_possible[y]) | (~claimed & (differ | wrong));
        count += __builtin_popcountll(wrong & causes & ~w->is[y]);
    }
    return count;
}

/* ---- A set for each outcome ---- */

/* Asks about up to 64 outcomes of the cause t, all amenable in both graphs. */
static int64_t judge_outcomes(const job *job, worker *w, int t, uint64_t bit,
                              const int32_t *outcome, int count, int first)
{
    const dpc_causal *truth = job->truth;
    dpc_flow *f = &w->flow;
    uint64_t asked = count == 64 ? ~UINT64_C(0) : (UINT64_C(1) << count) - 1, bad = 0;
    int cause = truth->place[t];
    for (int i = 0; i < count; i++) {
        w->between[outcome[i]] |= UINT64_C(1) << i;
        dpc_flow_want(f, truth->place[outcome[i]], UINT64_C(1) << i);
    }
    /* the optimal set: parents of what is between, which are not themselves descendants */
    for (int d = first; w->descendants[d] != t; d++) {
        int v = w->descendants[d];
        uint64_t on_way = w->between[v];
        dpc_node_row parents = dpc_parents_of(&job->estimate->lists, v);
        w->between[v] = 0;
        for (int64_t k = 0; on_way != 0 && k < parents.count; k++) {
            int p = parents.node[k];
            if ((w->de[p] & bit) == 0)
                dpc_flow_block(f, truth->place[p], on_way);
            else if (p != t)
                w->between[p] |= on_way;
        }
    }
    dpc_flow_bar(f, cause, asked);
    dpc_flow_ascend(f);
    for (int64_t word = 0; word < f->words; word++)
        for (uint64_t left = f->touched[word]; left != 0; left &= left - 1) {
            int i = (int)(64 * word) + __builtin_ctzll(left);
            bad |= (w->true_de[i] & bit) != 0 ? f->wanted[i] & f->opened[i] : 0;
        }
    dpc_node_row parents = dpc_parents_of(&truth->dag, cause);
    dpc_node_row children = dpc_children_of(&truth->dag, cause);
    for (int64_t k = 0; k < parents.count; k++)
        dpc_flow_put_up(f, parents.node[k], asked & ~bad);
    for (int64_t k = 0; k < children.count; k++) {
        int c = children.node[k];
        dpc_flow_put_down(f, c, asked & ~bad & f->opened[c] & ~f->wanted[c]);
    }
    dpc_flow_run(f, false);
    for (int i = 0; i < count; i++)
        bad |= dpc_flow_at(f, truth->place[outcome[i]]) & UINT64_C(1) << i;
    dpc_flow_reset(f);
    return __builtin_popcountll(bad);
}

static int64_t judge_cause(const job *job, worker *w, int t, uint64_t bit)
{
    const dpc_causal *estimate = job->estimate;
    int32_t outcome[BATCH];
    int count = 0, n_descendants = 0, first = 0;
    int64_t wrong = 0;
    for (int i = estimate->n - 1; i >= estimate->place[t]; i--)
        if ((w->de[estimate->at[i]] & bit) != 0)
            w->descendants[n_descendants++] = estimate->at[i];
    for (int d = 0; d < n_descendants; d++) {
        int y = w->descendants[d];
        if (y == t || ((w->loose[y] | w->true_loose[y]) & bit) != 0)
            continue;
        first = count == 0 ? d : first;
        outcome[count++] = y;
        if (count == BATCH) {
            wrong += judge_outcomes(job, w, t, bit, outcome, count, first);
            count = 0;
        }
    }
    return count > 0 ? wrong + judge_outcomes(job, w, t, bit, outcome, count, first) : wrong;
}

/* What is decided without a set: no effect claimed, or amenable in one graph alone. */
static int64_t count_without_set(const worker *w, int n, uint64_t causes)
{
    int64_t count = 0;
    for (int y = 0; y < n; y++) {
        uint64_t wrong = (~w->possible[y] & w->true_possible[y]) |
                         (w->possible[y] & (w->loose[y] ^ w->true_loose[y]));
        count += __builtin_popcountll(wrong & causes & ~w->is[y]);
    }
    return count;
}

/* ---- A batch of causes ---- */

static void find_descendants(const job *job, worker *w, int first, int count)
{
    const dpc_causal *estimate = job->estimate, *truth = job->truth;
    int n = truth->n;
    memset(w->is, 0, (size_t)n * sizeof *w->is);
    memset(w->parents, 0, (size_t)n * sizeof *w->parents);
    for (int i = 0; i < count; i++) {
        int t = estimate->at[first + i]; /* neighbours in the order share descendants */
        dpc_node_row parents = dpc_parents_of(&estimate->lists, t);
        w->is[t] = UINT64_C(1) << i;
        for (int64_t k = 0; k < parents.count; k++)
            w->parents[parents.node[k]] |= w->is[t];
    }
    for (int i = 0; i < n; i++)
        w->is_at[i] = w->is[truth->at[i]];
    if (job->which & DPC_AID_ANCESTOR)
        dpc_bit_ascend(&estimate->lists, estimate->at, w->is, w->ancestors);
    if (job->which & DPC_AID_OSET)
        dpc_bit_descend(&estimate->lists, estimate->at, w->is, w->de);
    dpc_bit_possible(estimate, w->is, &w->in_estimate, w->possible, w->loose);
    dpc_bit_possible(truth, w->is, &w->in_truth, w->true_possible, w->true_loose);
    dpc_bit_descend(&truth->dag, NULL, w->is_at, w->true_de);
    for (int i = 0; i < n; i++) {
        w->ancestors[i] &= ~w->is[i];
        w->true_de[i] &= ~w->is_at[i];
    }
}

static void task(void *context, int64_t index, int number)
{
    const job *job = context;
    worker *w = &job->workers[number];
    int n = job->truth->n, first = (int)index * BATCH;
    int count = n - first < BATCH ? n - first : BATCH;
    uint64_t causes = count == 64 ? ~UINT64_C(0) : (UINT64_C(1) << count) - 1;
    find_descendants(job, w, first, count);
    if (job->which & DPC_AID_PARENT) {
        judge_sets(job->truth, w, w->parents);
        w->counts.parent += count_wrong(w, n, causes, w->parents, false);
    }
    if (job->which & DPC_AID_ANCESTOR) {
        judge_sets(job->truth, w, w->ancestors);
        w->counts.ancestor += count_wrong(w, n, causes, w->possible, true);
    }
    if (job->which & DPC_AID_OSET) {
        w->counts.oset += count_without_set(w, n, causes);
        for (int i = 0; i < count; i++)
            w->counts.oset += judge_cause(job, w, job->estimate->at[first + i], UINT64_C(1) << i);
    }
}

/* ---- All of it ---- */

static void worker_clear(worker *w)
{
    dpc_flow_clear(&w->flow);
    dpc_path_search_clear(&w->in_estimate);
    dpc_path_search_clear(&w->in_truth);
    free(w->descendants);
    free(w->memory);
}

static dpc_status worker_init(const job *job, worker *w)
{
    uint64_t **const masks[] = {&w->is,         &w->is_at,    &w->parents, &w->ancestors,
                                &w->de,         &w->possible, &w->loose,   &w->true_possible,
                                &w->true_loose, &w->wrong,    &w->true_de, &w->causal,
                                &w->forbidden,  &w->between};
    enum { MASKS = sizeof masks / sizeof *masks };
    int64_t n = job->truth->n;
    DPC_CHECK(dpc_flow_init(&job->truth->dag, &w->flow));
    DPC_CHECK(dpc_path_search_init(job->estimate, &w->in_estimate));
    DPC_CHECK(dpc_path_search_init(job->truth, &w->in_truth));
    w->descendants = dpc_alloc(n, sizeof *w->descendants);
    w->memory = dpc_zalloc(MASKS * n, sizeof *w->memory);
    if (w->descendants == NULL || w->memory == NULL)
        return DPC_NO_MEMORY;
    for (int i = 0; i < MASKS; i++)
        *masks[i] = w->memory + i * n;
    return DPC_OK;
}

static dpc_status run(job *job, const dpc_settings *settings, counts *sum, dpc_error *err)
{
    dpc_crew crew;
    int n = job->truth->n, tasks = (n + BATCH - 1) / BATCH;
    dpc_status status = DPC_OK;
    dpc_crew_init(&crew, settings, DPC_STAGE_EFFECTS);
    crew.threads = crew.threads < tasks ? crew.threads : tasks > 0 ? tasks : 1;
    job->workers = dpc_zalloc(crew.threads, sizeof *job->workers);
    if (job->workers == NULL)
        return dpc_fail_memory(err, "the distances");
    for (int i = 0; i < crew.threads && status == DPC_OK; i++)
        status = worker_init(job, &job->workers[i]);
    if (status != DPC_OK)
        dpc_fail_memory(err, "the distances");
    else if (!dpc_crew_run(&crew, tasks, 1e3 * n, task, job))
        status = dpc_fail(err, DPC_INTERRUPTED, "interrupted");
    for (int i = 0; i < crew.threads; i++) {
        sum->parent += job->workers[i].counts.parent;
        sum->ancestor += job->workers[i].counts.ancestor;
        sum->oset += job->workers[i].counts.oset;
        worker_clear(&job->workers[i]);
    }
    free(job->workers);
    return status;
}

dpc_status dpc_distances(const dpc_causal *estimate, const dpc_causal *truth, unsigned which,
                         const dpc_settings *given, dpc_aid *out, dpc_error *err)
{
    dpc_settings settings;
    job job = {estimate, truth, which, NULL};
    counts sum = {0};
    if (estimate->n != truth->n)
        return dpc_fail(err, DPC_USAGE,
                        "the estimate has %d nodes and the truth %d; both must have the same nodes",
                        estimate->n, truth->n);
    DPC_CHECK(dpc_causal_check_dags(estimate, "a distance by effects", err));
    DPC_CHECK(dpc_causal_check_dags(truth, "a distance by effects", err));
    dpc_status status = dpc_settings_or_default(given, &settings, err);
    if (status == DPC_OK)
        status = run(&job, &settings, &sum, err);
    if (status != DPC_OK)
        return status;
    bool dags =
        estimate->classified.kind == DPC_GRAPH_DAG && truth->classified.kind == DPC_GRAPH_DAG;
    int64_t parent = which & DPC_AID_PARENT ? sum.parent : -1;
    *out = (dpc_aid){
        .pairs = (int64_t)truth->n * (truth->n - 1),
        .parent = parent,
        .ancestor = which & DPC_AID_ANCESTOR ? sum.ancestor : -1,
        .oset = which & DPC_AID_OSET ? sum.oset : -1,
        .sid = dags ? parent : -1,
    };
    return DPC_OK;
}
