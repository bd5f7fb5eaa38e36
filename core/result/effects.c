/*
 * The possible total effects of all causes on all outcomes (dualpc.h): blocks of one cause each,
 * shared among threads, and what is asked of them later. Units and intervals are made when they are
 * asked for: an effect is kept as a standardised coefficient and its standard error.
 */
#include "alloc.h"
#include "block.h"
#include "correlation.h"
#include "crew.h"
#include "distribution.h"
#include "resampled.h"
#include "settings.h"
#include "status.h"

#include <math.h>
#include <string.h>

/* A pair by its place in the question. */
typedef struct place {
    int32_t block, outcome;
} place;

struct dpc_effect_table {
    dpc_effect_table_info info;
    int n_causes, n_outcomes;
    int32_t *outcome;          /* owned */
    dpc_block *blocks;         /* one for each cause; owned */
    place *pairs;              /* owned */
    double *sd;                /* of all variables; owned; NULL: no units */
    double *quantile;          /* by the size of the set: of Student's t; owned */
    int most;                  /* the largest set */
    dpc_effect_spread *spread; /* by block and outcome; owned; NULL: there were no resamples */
};

typedef struct job {
    dpc_asked asked;
    const dpc_effect_query *query;
    dpc_effect_table *table;
    const int32_t *cause;
    dpc_estimator **estimators;
    atomic_int failed; /* a dpc_status */
    atomic_int who;    /* the cause that has too many sets */
} job;

enum { AT_ONCE = 4 }; /* causes of a task */

/* ---- Asking ---- */

const dpc_effect_table_info *dpc_effect_table_about(const dpc_effect_table *table)
{
    return &table->info;
}

/* What an effect is multiplied by: units of the outcome per unit of the cause. */
static double scale_of(const dpc_effect_table *t, const dpc_block *b, int outcome)
{
    return t->sd != NULL ? t->sd[t->outcome[outcome]] / t->sd[b->cause] : 1;
}

/* Is the effect of a member 0 by the graph? */
static bool by_graph(const dpc_block *b, int64_t at)
{
    return b->se[at] < 0;
}

static bool in_table(const dpc_effect_table *t, int64_t pair)
{
    return pair >= 0 && pair < t->info.n_pairs;
}

/* The smallest and the largest; NaN where one is not known. */
static void range_of(const dpc_effect_table *t, const dpc_block *b, int outcome, double *low,
                     double *high)
{
    *low = INFINITY;
    *high = 0;
    for (int k = 0; k < b->n_members; k++) {
        int64_t at = (int64_t)k * t->n_outcomes + outcome;
        double size = by_graph(b, at) ? 0 : fabs(b->effect[at]) * scale_of(t, b, outcome);
        *low = size < *low || isnan(size) ? size : *low;
        *high = size > *high || isnan(size) ? size : *high;
        if (isnan(size))
            return;
    }
}

dpc_effect_pair dpc_effect_table_pair(const dpc_effect_table *t, int64_t pair)
{
    if (!in_table(t, pair))
        return (dpc_effect_pair){-1, -1, false, 0, NAN, NAN, false};
    const dpc_block *b = &t->blocks[t->pairs[pair].block];
    int j = t->pairs[pair].outcome;
    dpc_effect_pair out = {.cause = b->cause,
                           .outcome = t->outcome[j],
                           .identified = b->identified[j],
                           .count = b->n_members,
                           .possible = b->possible[j]};
    range_of(t, b, j, &out.min_abs, &out.max_abs);
    return out;
}

dpc_effect dpc_effect_table_at(const dpc_effect_table *t, int64_t pair, int which)
{
    dpc_effect out = {NAN, NAN, NAN, NAN, NAN, 0, NULL, false};
    const dpc_block *b = in_table(t, pair) ? &t->blocks[t->pairs[pair].block] : NULL;
    if (b == NULL || which < 0 || which >= b->n_members)
        return out;
    int j = t->pairs[pair].outcome;
    int64_t at = (int64_t)which * t->n_outcomes + j;
    int set = b->set != NULL ? b->set[at] : which;
    out.size = dpc_set_size(&b->sets, set);
    out.set = b->sets.node + b->sets.start[set];
    out.possible = !by_graph(b, at);
    if (!out.possible) {
        out.standardised = 0;
        out.effect = t->sd != NULL ? 0 : NAN;
        out.se = out.low = out.high = t->info.ida == DPC_IDA_PCALG ? 0 : NAN;
        return out;
    }
    double scale = scale_of(t, b, j), effect = b->effect[at] * scale;
    out.standardised = isfinite(scale) ? b->effect[at] : NAN; /* a constant has no effects */
    if (t->sd != NULL)
        out.effect = effect;
    out.se = b->se[at] * scale;
    double half = out.se > 0 ? out.se * t->quantile[out.size] : out.se;
    out.low = effect - half;
    out.high = effect + half;
    return out;
}

dpc_effect_spread dpc_effect_table_spread(const dpc_effect_table *t, int64_t pair)
{
    if (!in_table(t, pair) || t->spread == NULL)
        return (dpc_effect_spread){0, NAN, NAN, NAN, NAN};
    return t->spread[(int64_t)t->pairs[pair].block * t->n_outcomes + t->pairs[pair].outcome];
}

int64_t dpc_effect_table_impossible(const dpc_effect_table *t, int cause, int outcome)
{
    int64_t count = 0;
    for (int i = 0; i < t->n_causes; i++)
        for (int j = 0; j < t->n_outcomes; j++)
            count += (cause < 0 || t->blocks[i].cause == cause) &&
                     (outcome < 0 || t->outcome[j] == outcome) && !t->blocks[i].possible[j];
    return count;
}

/* ---- Which pairs, in which order ---- */

static void list_pairs(dpc_effect_table *t)
{
    for (int i = 0; i < t->n_causes; i++)
        for (int j = 0; j < t->n_outcomes; j++)
            if (t->blocks[i].cause != t->outcome[j])
                t->pairs[t->info.n_pairs++] = (place){i, j};
}

typedef struct ranked {
    double size, second, third; /* NaN: -1; each decides where those before it are the same */
    int32_t block;
} ranked;

static int by_size(const void *left, const void *right)
{
    const ranked *a = left, *b = right;
    if (a->size != b->size)
        return a->size > b->size ? -1 : 1;
    if (a->second != b->second)
        return a->second > b->second ? -1 : 1;
    if (a->third != b->third)
        return a->third > b->third ? -1 : 1;
    return (a->block > b->block) - (a->block < b->block);
}

static dpc_status rank_pairs(dpc_effect_table *t, int top)
{
    ranked *list = dpc_alloc(t->n_causes, sizeof *list);
    if (list == NULL)
        return DPC_NO_MEMORY;
    for (int j = 0; j < t->n_outcomes; j++) {
        int count = 0;
        for (int i = 0; i < t->n_causes; i++) {
            double low, high;
            if (t->blocks[i].cause == t->outcome[j] ||
                (!t->blocks[i].possible[j] && t->info.ida != DPC_IDA_PCALG))
                continue;
            range_of(t, &t->blocks[i], j, &low, &high);
            low = isnan(low) ? -1 : low;
            high = isnan(high) ? -1 : high;
            double median = low;
            if (t->spread != NULL) {
                median = t->spread[(int64_t)i * t->n_outcomes + j].min_abs;
                median = isnan(median) ? -1 : median;
            }
            list[count++] = (ranked){median, low, high, i};
        }
        qsort(list, (size_t)count, sizeof *list, by_size);
        for (int i = 0; i < count && i < top; i++)
            t->pairs[t->info.n_pairs++] = (place){list[i].block, j};
    }
    free(list);
    return DPC_OK;
}

/* ---- The work ---- */

static void task(void *context, int64_t index, int worker)
{
    job *job = context;
    int first = (int)index * AT_ONCE, end = first + AT_ONCE;
    end = end < job->table->n_causes ? end : job->table->n_causes;
    for (int i = first; i < end; i++) {
        dpc_status status = DPC_OK;
        if (atomic_load_explicit(&job->failed, memory_order_relaxed) != DPC_OK)
            return;
        if (job->estimators[worker] == NULL)
            status = dpc_estimator_new(&job->asked, job->query->ida, &job->estimators[worker]);
        if (status == DPC_OK)
            status = dpc_estimate(job->estimators[worker], job->cause[i], &job->table->blocks[i]);
        if (status != DPC_OK) {
            atomic_store(&job->who, job->cause[i]);
            atomic_store(&job->failed, status);
        }
    }
}

static dpc_status run(job *job, const dpc_settings *settings, dpc_error *err)
{
    dpc_crew crew;
    dpc_effect_table *t = job->table;
    int tasks = (t->n_causes + AT_ONCE - 1) / AT_ONCE;
    dpc_crew_init(&crew, settings, DPC_STAGE_EFFECTS);
    job->estimators = dpc_zalloc(crew.threads, sizeof(dpc_estimator *));
    if (job->estimators == NULL)
        return dpc_fail_memory(err, "the effects");
    double work = 100.0 * t->n_causes * t->n_outcomes;
    bool done = dpc_crew_run(&crew, tasks, work, task, job);
    dpc_status status = (dpc_status)atomic_load(&job->failed);
    if (status == DPC_NO_MEMORY)
        dpc_fail_memory(err, "the effects");
    else if (status != DPC_OK)
        dpc_fail(err, status,
                 "variable %d has more than %d possible sets of parents; ask about other causes",
                 atomic_load(&job->who), DPC_MOST_PARENTAL);
    else if (!done)
        status = dpc_fail(err, DPC_INTERRUPTED, "interrupted");
    for (int i = 0; i < crew.threads; i++)
        dpc_estimator_free(job->estimators[i]);
    free(job->estimators);
    return status;
}

/* Quantiles for all sizes of sets; and how many regressions had no answer. */
static dpc_status count_sets(dpc_effect_table *t, int64_t n_obs)
{
    for (int i = 0; i < t->n_causes; i++) {
        const dpc_block *b = &t->blocks[i];
        for (int k = 0; k < b->sets.count; k++)
            t->most = dpc_set_size(&b->sets, k) > t->most ? dpc_set_size(&b->sets, k) : t->most;
        for (int j = 0; j < t->n_outcomes; j++)
            for (int k = 0; k < b->n_members && b->cause != t->outcome[j]; k++) {
                int64_t at = (int64_t)k * t->n_outcomes + j;
                t->info.undefined += !by_graph(b, at) && (isnan(b->effect[at]) ||
                                                          (t->sd != NULL && t->sd[b->cause] == 0));
            }
    }
    t->quantile = dpc_alloc((int64_t)t->most + 1, sizeof *t->quantile);
    for (int k = 0; t->quantile != NULL && k <= t->most; k++)
        t->quantile[k] = dpc_student_from_tail(0.025, (double)(n_obs - k - 2));
    return t->quantile != NULL ? DPC_OK : DPC_NO_MEMORY;
}

/* ---- All of it ---- */

void dpc_effect_table_free(dpc_effect_table *t)
{
    if (t == NULL)
        return;
    for (int i = 0; t->blocks != NULL && i < t->n_causes; i++)
        dpc_block_clear(&t->blocks[i]);
    free(t->blocks);
    free(t->outcome);
    free(t->pairs);
    free(t->sd);
    free(t->quantile);
    free(t->spread);
    free(t);
}

static dpc_status check_list(const int32_t *list, int count, int n, const char *what, bool *seen,
                             dpc_error *err)
{
    memset(seen, 0, (size_t)n * sizeof *seen);
    for (int i = 0; list != NULL && i < count; i++) {
        if (list[i] < 0 || list[i] >= n)
            return dpc_fail(err, DPC_USAGE, "there is no variable %d to be a %s", (int)list[i],
                            what);
        if (seen[list[i]])
            return dpc_fail(err, DPC_USAGE, "variable %d is a %s twice", (int)list[i], what);
        seen[list[i]] = true;
    }
    return DPC_OK;
}

static dpc_status check_query(const dpc_effect_query *q, int n, dpc_error *err)
{
    bool *seen = dpc_alloc(n, sizeof *seen);
    if (seen == NULL)
        return dpc_fail_memory(err, "the effects");
    dpc_status status = check_list(q->causes, q->n_causes, n, "cause", seen, err);
    if (status == DPC_OK)
        status = check_list(q->outcomes, q->n_outcomes, n, "outcome", seen, err);
    if (status == DPC_OK && (q->ida < DPC_IDA_LOCAL || q->ida > DPC_IDA_PCALG || q->top < 0))
        status =
            dpc_fail(err, DPC_USAGE, "effects are local, optimal or pcalg, and the top 0 or more");
    free(seen);
    return status;
}

static dpc_status table_new(const dpc_effect_query *q, const dpc_correlation *c,
                            dpc_effect_table **out)
{
    int n = c->n_vars;
    const double *sd = q->standardised ? NULL : dpc_correlation_about(c).units;
    dpc_effect_table *t = dpc_zalloc(1, sizeof *t);
    if (t == NULL)
        return DPC_NO_MEMORY;
    t->n_causes = q->causes != NULL ? q->n_causes : n;
    t->n_outcomes = q->outcomes != NULL ? q->n_outcomes : n;
    t->outcome = dpc_list_of(q->outcomes, t->n_outcomes);
    t->blocks = dpc_zalloc(t->n_causes, sizeof *t->blocks);
    t->pairs = dpc_alloc((int64_t)t->n_causes * t->n_outcomes, sizeof *t->pairs);
    if (sd != NULL && (t->sd = dpc_alloc(n, sizeof *t->sd)) != NULL)
        memcpy(t->sd, sd, (size_t)n * sizeof *sd);
    if (!t->outcome || !t->blocks || !t->pairs || (sd != NULL && t->sd == NULL)) {
        dpc_effect_table_free(t);
        return DPC_NO_MEMORY;
    }
    t->info.ida = q->ida;
    t->info.all_causes = q->causes == NULL;
    t->info.all_outcomes = q->outcomes == NULL;
    *out = t;
    return DPC_OK;
}

static dpc_status fill(dpc_effect_table *t, const dpc_correlation *c, const dpc_causal *graph,
                       const dpc_effect_query *q, const dpc_settings *settings, dpc_error *err)
{
    const dpc_labels columns = {0};
    const dpc_view view = dpc_view_of(c, &columns);
    job job = {.asked = {graph, &view, t->outcome, t->n_outcomes}, .query = q, .table = t};
    int32_t *cause = dpc_list_of(q->causes, t->n_causes);
    job.cause = cause;
    dpc_status status =
        cause != NULL ? run(&job, settings, err) : dpc_fail_memory(err, "the effects");
    if (status == DPC_OK && count_sets(t, c->n_obs) != DPC_OK)
        status = dpc_fail_memory(err, "the effects");
    if (status == DPC_OK && q->resamples != NULL) {
        t->spread = dpc_alloc((int64_t)t->n_causes * t->n_outcomes, sizeof *t->spread);
        if (t->spread == NULL || dpc_resampled_spread(q->resamples, t->spread) != DPC_OK)
            status = dpc_fail_memory(err, "the effects");
    }
    if (status == DPC_OK && q->top == 0)
        list_pairs(t);
    else if (status == DPC_OK && rank_pairs(t, q->top) != DPC_OK)
        status = dpc_fail_memory(err, "the effects");
    t->info.units = t->sd != NULL;
    t->info.resampled = t->spread != NULL;
    free(cause);
    return status;
}

dpc_status dpc_effects_checked(const dpc_correlation *correlation, const dpc_causal *graph,
                               const dpc_effect_query *query, const dpc_settings *checked,
                               dpc_effect_table **out, dpc_error *err)
{
    dpc_effect_table *t = NULL;
    if (graph->n != correlation->n_vars)
        return dpc_fail(err, DPC_USAGE, "the graph has %d nodes, and the data %d variables",
                        graph->n, correlation->n_vars);
    DPC_CHECK(check_query(query, graph->n, err));
    if (query->resamples != NULL)
        DPC_CHECK(dpc_resampled_check(query->resamples, query, graph->n, err));
    if (table_new(query, correlation, &t) != DPC_OK)
        return dpc_fail_memory(err, "the effects");
    dpc_status status = fill(t, correlation, graph, query, checked, err);
    if (status == DPC_OK)
        *out = t;
    else
        dpc_effect_table_free(t);
    return status;
}

dpc_status dpc_effects(const dpc_correlation *correlation, const dpc_causal *graph,
                       const dpc_effect_query *query, const dpc_settings *given,
                       dpc_effect_table **out, dpc_error *err)
{
    dpc_settings settings;
    DPC_CHECK(dpc_settings_or_default(given, &settings, err));
    return dpc_effects_checked(correlation, graph, query, &settings, out, err);
}
