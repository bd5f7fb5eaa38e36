/*
 * The possible total effects of all causes on all outcomes (dualpc.h): blocks of one cause each,
 * shared among threads, and what is asked of them later. Units and intervals are made when they are
 * asked for: an effect is kept as a standardised coefficient and its standard error.
 *
 * Causes and outcomes are terms here (terms.h): columns of the coding, of which a nominal variable
 * has several. Indicators are not standardised: a contrast is from one level to another, and a
 * share is a share.
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
    int n_causes, n_outcomes; /* terms */
    dpc_terms causes, outcomes;
    int32_t *base;             /* by variable: the level of its baseline; owned; NULL: numbers */
    dpc_block *blocks;         /* one for each cause; owned */
    place *pairs;              /* owned */
    double *sd;                /* of all columns; owned; NULL: no units */
    double *own;               /* by column: sd of an indicator, 1 of others; owned; NULL: all 1 */
    double *quantile;          /* by the columns of the set: of Student's t; owned */
    int most;                  /* of these */
    dpc_effect_spread *spread; /* by block and outcome; owned; NULL: there were no resamples */
};

typedef struct job {
    dpc_asked asked;
    const dpc_effect_query *query;
    dpc_effect_table *table;
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

/* What an effect is multiplied by where there are no units. */
static double own_scale(const dpc_effect_table *t, const dpc_block *b, int outcome)
{
    return t->own != NULL ? t->own[t->outcomes.column[outcome]] / t->own[b->column] : 1;
}

/* What it is multiplied by: units of the outcome per unit of the cause. */
static double scale_of(const dpc_effect_table *t, const dpc_block *b, int outcome)
{
    return t->sd != NULL ? t->sd[t->outcomes.column[outcome]] / t->sd[b->column]
                         : own_scale(t, b, outcome);
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
        return (dpc_effect_pair){-1, -1, false, 0, NAN, NAN, false, -1, -1, -1};
    const dpc_block *b = &t->blocks[t->pairs[pair].block];
    int j = t->pairs[pair].outcome;
    dpc_effect_pair out = {.cause = b->cause,
                           .outcome = t->outcomes.variable[j],
                           .identified = b->identified[j],
                           .count = b->n_members,
                           .possible = b->possible[j],
                           .contrast = b->level,
                           .baseline = b->level >= 0 ? t->base[b->cause] : -1,
                           .level = t->outcomes.level[j]};
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
    /* a constant has no effects */
    out.standardised = isfinite(scale) ? b->effect[at] * own_scale(t, b, j) : NAN;
    if (t->sd != NULL)
        out.effect = effect;
    out.se = b->se[at] * scale;
    int columns = b->columns != NULL ? b->columns[at] : out.size;
    double half = out.se > 0 ? out.se * t->quantile[columns] : out.se;
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

/* Is the term the first of its variable? */
static bool is_first(const dpc_terms *terms, int i)
{
    return i == 0 || terms->variable[i] != terms->variable[i - 1];
}

int64_t dpc_effect_table_impossible(const dpc_effect_table *t, int cause, int outcome)
{
    int64_t count = 0;
    for (int i = 0; i < t->n_causes; i++)
        for (int j = 0; j < t->n_outcomes; j++)
            count += (cause < 0 || t->blocks[i].cause == cause) && is_first(&t->causes, i) &&
                     (outcome < 0 || t->outcomes.variable[j] == outcome) &&
                     is_first(&t->outcomes, j) && !t->blocks[i].possible[j];
    return count;
}

void dpc_effect_table_place(const dpc_effect_table *t, int64_t pair, int *cause, int *outcome)
{
    *cause = t->pairs[pair].block;
    *outcome = t->pairs[pair].outcome;
}

/* ---- Which pairs, in which order ---- */

static void list_pairs(dpc_effect_table *t)
{
    for (int i = 0; i < t->n_causes; i++)
        for (int j = 0; j < t->n_outcomes; j++)
            if (t->blocks[i].cause != t->outcomes.variable[j])
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
            if (t->blocks[i].cause == t->outcomes.variable[j] ||
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
            status = dpc_estimate(job->estimators[worker], &job->table->causes, i,
                                  &job->table->blocks[i]);
        if (status != DPC_OK) {
            atomic_store(&job->who, job->table->causes.variable[i]);
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
        for (int64_t k = 0; k < (int64_t)b->n_members * t->n_outcomes && b->columns != NULL; k++)
            t->most = b->columns[k] > t->most ? b->columns[k] : t->most;
        for (int j = 0; j < t->n_outcomes; j++)
            for (int k = 0; k < b->n_members && b->cause != t->outcomes.variable[j]; k++) {
                int64_t at = (int64_t)k * t->n_outcomes + j;
                t->info.undefined += !by_graph(b, at) && (isnan(b->effect[at]) ||
                                                          (t->sd != NULL && t->sd[b->column] == 0));
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
    dpc_terms_clear(&t->causes);
    dpc_terms_clear(&t->outcomes);
    free(t->base);
    free(t->pairs);
    free(t->sd);
    free(t->own);
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

/* Standard deviations, and the baselines. */
static dpc_status copy_scales(const dpc_effect_query *q, const dpc_correlation *c,
                              dpc_effect_table *t)
{
    const dpc_coding *d = c->coding;
    int columns = d != NULL ? d->m : c->n_vars;
    if (!q->standardised && c->sd != NULL && !c->scored) {
        if ((t->sd = dpc_alloc(columns, sizeof *t->sd)) == NULL)
            return DPC_NO_MEMORY;
        memcpy(t->sd, d != NULL ? d->sd : c->sd, (size_t)columns * sizeof *t->sd);
    }
    if (d == NULL)
        return DPC_OK;
    t->own = dpc_alloc(columns, sizeof *t->own);
    t->base = dpc_alloc(d->n, sizeof *t->base);
    if (t->own == NULL || t->base == NULL)
        return DPC_NO_MEMORY;
    memcpy(t->base, d->base, (size_t)d->n * sizeof *t->base);
    for (int v = 0; v < d->n; v++) {
        t->info.left_out += d->base[v] == DPC_BASE_BLOCK;
        t->info.levels = t->info.levels || d->base[v] >= 0;
        for (int k = d->first[v]; k < d->first[v + 1]; k++)
            t->own[k] = d->base[v] >= 0 ? d->sd[k] : 1;
    }
    return DPC_OK;
}

static dpc_status table_new(const dpc_effect_query *q, const dpc_correlation *c,
                            dpc_effect_table **out)
{
    int n = c->n_vars;
    dpc_effect_table *t = dpc_zalloc(1, sizeof *t);
    if (t == NULL)
        return DPC_NO_MEMORY;
    dpc_status status =
        dpc_terms_make(c->coding, q->causes, q->causes != NULL ? q->n_causes : n, true, &t->causes);
    if (status == DPC_OK)
        status = dpc_terms_make(c->coding, q->outcomes, q->outcomes != NULL ? q->n_outcomes : n,
                                false, &t->outcomes);
    if (status == DPC_OK)
        status = copy_scales(q, c, t);
    t->n_causes = t->causes.count;
    t->n_outcomes = t->outcomes.count;
    t->blocks = dpc_zalloc(t->n_causes, sizeof *t->blocks);
    t->pairs = dpc_alloc((int64_t)t->n_causes * t->n_outcomes, sizeof *t->pairs);
    if (status != DPC_OK || !t->blocks || !t->pairs) {
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
    dpc_view view = dpc_view_of(c, &columns);
    if (c->coding != NULL)
        view =
            (dpc_view){.r = c->coding->r, .n = c->coding->m, .n_obs = c->n_obs, .labels = &columns};
    job job = {
        .asked = {graph, &view, c->coding, t->outcomes.variable, t->outcomes.column, t->n_outcomes},
        .query = q,
        .table = t};
    dpc_status status = run(&job, settings, err);
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
    return status;
}

/* Effects are numbers in units: which variables have some? */
static dpc_status check_kinds(const dpc_correlation *c, const dpc_effect_query *q, dpc_error *err)
{
    const int32_t *const list[] = {q->causes, q->outcomes};
    const int count[] = {q->n_causes, q->n_outcomes};
    if (c->blocks != NULL && c->coding == NULL)
        return dpc_fail(err, DPC_BAD_INPUT,
                        "no single number describes the effect of a curved relation; use "
                        "relations linear");
    if (c->coding != NULL && c->coding->r == NULL)
        return dpc_fail(err, DPC_BAD_INPUT,
                        "effects of nominal variables need the whole correlation matrix; allow "
                        "more memory, or leave variables out");
    for (int k = 0; k < 2 && c->coding != NULL; k++)
        for (int i = 0; list[k] != NULL && i < count[k]; i++)
            if (c->coding->base[list[k][i]] == DPC_BASE_BLOCK)
                return dpc_fail(err, DPC_BAD_INPUT,
                                "no single number describes the effect %s variable %d, which is a "
                                "block of columns",
                                k == 0 ? "of" : "on", (int)list[k][i]);
    return DPC_OK;
}

dpc_status dpc_effects_checked(const dpc_correlation *correlation, const dpc_causal *graph,
                               const dpc_effect_query *query, const dpc_settings *checked,
                               dpc_effect_table **out, dpc_error *err)
{
    dpc_effect_table *t = NULL;
    if (graph->n != correlation->n_vars)
        return dpc_fail(err, DPC_USAGE, "the graph has %d nodes, and the data %d variables",
                        graph->n, correlation->n_vars);
    DPC_CHECK(dpc_causal_check_dags(graph, "a question about effects", err));
    DPC_CHECK(check_query(query, graph->n, err));
    DPC_CHECK(check_kinds(correlation, query, err));
    if (table_new(query, correlation, &t) != DPC_OK)
        return dpc_fail_memory(err, "the effects");
    dpc_status status =
        query->resamples != NULL
            ? dpc_resampled_check(query->resamples, query, &t->causes, &t->outcomes, err)
            : DPC_OK;
    if (status == DPC_OK)
        status = fill(t, correlation, graph, query, checked, err);
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
