/*
 * Effects in resamples: dpc_bootstrap_effects of dualpc.h.
 *
 * Each resample has its own graph, and so its own multiset for each pair. Of that the effect with
 * the smallest absolute value is kept, which is what IDA reports; where the graph of a resample
 * leaves no effect it is 0. Its spread over the resamples is that of data and graph together.
 */
#include "resampled.h"

#include "arena.h"
#include "bootstrap.h"
#include "settings.h"
#include "sorted.h"
#include "status.h"

#include <math.h>
#include <string.h>

/* ---- One resample ---- */

typedef struct observing {
    dpc_effect_query query;
    dpc_effect_resamples *into;
} observing;

static float least_of(const dpc_effect_table *table, int64_t pair, int count, bool units)
{
    double least = NAN;
    for (int k = 0; k < count; k++) {
        dpc_effect e = dpc_effect_table_at(table, pair, k);
        double value = units ? e.effect : e.standardised;
        if (isnan(value))
            return NAN;
        least = k == 0 || fabs(value) < fabs(least) ? value : least;
    }
    return (float)least;
}

static dpc_status observe(void *context, int64_t index, const dpc_correlation *correlation,
                          const dpc_graph *graph, const dpc_settings *settings, dpc_error *err)
{
    observing *o = context;
    dpc_causal *causal = NULL;
    dpc_effect_table *table = NULL;
    int64_t pairs = (int64_t)o->into->n_causes * o->into->n_outcomes;
    dpc_status status = dpc_causal_new(graph, NULL, true, &causal, err);
    if (status == DPC_OK)
        status = dpc_effects_checked(correlation, causal, &o->query, settings, &table, err);
    for (int64_t i = 0; status == DPC_OK && i < dpc_effect_table_about(table)->n_pairs; i++) {
        int cause, outcome, count = dpc_effect_table_pair(table, i).count;
        dpc_effect_table_place(table, i, &cause, &outcome);
        o->into->least[index * pairs + (int64_t)cause * o->into->n_outcomes + outcome] =
            least_of(table, i, count, dpc_effect_table_about(table)->units);
    }
    dpc_effect_table_free(table);
    dpc_causal_free(causal);
    return status;
}

static void *kept(void *context, int64_t index)
{
    const observing *o = context;
    return o->into->least + index * o->into->n_causes * o->into->n_outcomes;
}

/* ---- All of them ---- */

void dpc_effect_resamples_free(dpc_effect_resamples *r)
{
    if (r == NULL)
        return;
    dpc_terms_clear(&r->causes);
    dpc_terms_clear(&r->outcomes);
    free(r->least);
    free(r);
}

static dpc_status check_room(double bytes, int asked, dpc_error *err)
{
    dpc_memory_offer offer = dpc_memory_offered();
    if (bytes <= offer.bytes)
        return DPC_OK;
    return dpc_fail(err, DPC_NO_MEMORY,
                    "the effects of %d resamples need %.1f GB of memory, and %s %.1f GB; ask for "
                    "fewer causes or outcomes",
                    asked, bytes * 1e-9, offer.who, offer.bytes * 1e-9);
}

/* A wrong number of a variable would be refused by dpc_effects, after the first resample. */
static dpc_status check_list(const int32_t *list, int count, int n, dpc_error *err)
{
    for (int i = 0; list != NULL && i < count; i++)
        if (list[i] < 0 || list[i] >= n)
            return dpc_fail(err, DPC_USAGE, "there is no variable %d", (int)list[i]);
    return DPC_OK;
}

static dpc_status make_terms(const dpc_table *table, const dpc_settings *settings,
                             const dpc_effect_query *q, dpc_effect_resamples *r, dpc_error *err)
{
    int n = dpc_table_about(table).n_vars;
    dpc_coding *coding = NULL;
    DPC_CHECK(check_list(q->causes, q->n_causes, n, err));
    DPC_CHECK(check_list(q->outcomes, q->n_outcomes, n, err));
    DPC_CHECK(dpc_coding_new(table, settings, &coding, err));
    dpc_status status =
        dpc_terms_make(coding, q->causes, q->causes != NULL ? q->n_causes : n, true, &r->causes);
    if (status == DPC_OK)
        status = dpc_terms_make(coding, q->outcomes, q->outcomes != NULL ? q->n_outcomes : n, false,
                                &r->outcomes);
    r->n_causes = r->causes.count;
    r->n_outcomes = r->outcomes.count;
    dpc_coding_free(coding);
    return dpc_fail_as(err, status, "the effects of the resamples");
}

static dpc_status make_room(dpc_effect_resamples *r, dpc_error *err)
{
    int64_t values = (int64_t)r->n_causes * r->n_outcomes * r->count;
    DPC_CHECK(check_room((double)values * sizeof *r->least, r->count, err));
    r->least = dpc_alloc(values, sizeof *r->least);
    if (r->least == NULL)
        return dpc_fail_memory(err, "the effects of the resamples");
    for (int64_t i = 0; i < values; i++)
        r->least[i] = NAN;
    return DPC_OK;
}

static dpc_status resamples_new(const dpc_table *table, const dpc_settings *given,
                                const dpc_effect_query *q, int asked, dpc_effect_resamples **out,
                                dpc_error *err)
{
    dpc_settings settings;
    DPC_CHECK(dpc_settings_or_default(given, &settings, err));
    dpc_effect_resamples *r = dpc_alloc(1, sizeof *r);
    if (r == NULL)
        return dpc_fail_memory(err, "the effects of the resamples");
    *r = (dpc_effect_resamples){.ida = q->ida, .standardised = q->standardised, .count = asked};
    dpc_status status = make_terms(table, &settings, q, r, err);
    if (status == DPC_OK)
        status = make_room(r, err);
    if (status == DPC_OK)
        *out = r;
    else
        dpc_effect_resamples_free(r);
    return status;
}

/* Leaves those that were done, in their order, where not all of them were. */
static void keep_done(dpc_effect_resamples *r, const dpc_frequencies *f)
{
    int64_t pairs = (int64_t)r->n_causes * r->n_outcomes;
    int kept = 0;
    for (int i = 0; i < r->count; i++)
        if (dpc_bootstrap_did(f, i))
            memmove(r->least + kept++ * pairs, r->least + i * pairs,
                    (size_t)pairs * sizeof *r->least);
    r->count = kept;
}

dpc_status dpc_bootstrap_effects(const dpc_table *table, const dpc_settings *settings,
                                 const dpc_resampling *resampling, const dpc_effect_query *query,
                                 dpc_frequencies **frequencies, dpc_effect_resamples **out,
                                 dpc_error *err)
{
    dpc_effect_resamples *r = NULL;
    dpc_frequencies *f = NULL;
    if (resampling->resamples < 1)
        return dpc_fail(err, DPC_USAGE, "the number of resamples must be 1 or more, not %d",
                        resampling->resamples);
    DPC_CHECK(resamples_new(table, settings, query, resampling->resamples, &r, err));
    observing o = {.query = *query, .into = r};
    o.query.top = 0;
    o.query.resamples = NULL;
    size_t bytes = (size_t)r->n_causes * (size_t)r->n_outcomes * sizeof *r->least;
    dpc_observer observer = {&o, observe, kept, bytes};
    dpc_status status = dpc_bootstrap_observed(table, settings, resampling, &observer, &f, err);
    if (f != NULL) { /* called off, there may be some; the rank that leads has them */
        keep_done(r, f);
        *out = r;
        r = NULL;
    }
    if (frequencies != NULL && f != NULL) {
        *frequencies = f;
        f = NULL;
    }
    dpc_frequencies_free(f);
    dpc_effect_resamples_free(r);
    return status;
}

static bool same_terms(const dpc_terms *given, const dpc_terms *kept)
{
    if (given->count != kept->count)
        return false;
    for (int i = 0; i < kept->count; i++)
        if (kept->variable[i] != given->variable[i] || kept->level[i] != given->level[i])
            return false;
    return true;
}

dpc_status dpc_resampled_check(const dpc_effect_resamples *r, const dpc_effect_query *q,
                               const dpc_terms *causes, const dpc_terms *outcomes, dpc_error *err)
{
    if (r->ida == q->ida && r->standardised == q->standardised && same_terms(causes, &r->causes) &&
        same_terms(outcomes, &r->outcomes))
        return DPC_OK;
    return dpc_fail(err, DPC_USAGE, "the resamples were asked about other effects");
}

/* ---- What they say ---- */

static const float *row_of(const dpc_effect_resamples *r, int resample, int cause, int outcome)
{
    return r->least + ((int64_t)resample * r->n_causes + cause) * r->n_outcomes + outcome;
}

static dpc_effect_spread spread_of(const dpc_effect_resamples *r, int cause, int outcome,
                                   double *values)
{
    int count = 0;
    dpc_effect_spread out = {.rank = NAN};
    for (int b = 0; b < r->count; b++) {
        double value = *row_of(r, b, cause, outcome);
        if (!isnan(value))
            values[count++] = value;
    }
    out.resamples = count;
    dpc_sort_values(values, count);
    out.low = dpc_quantile(values, count, 0.025);
    out.high = dpc_quantile(values, count, 0.975);
    for (int i = 0; i < count; i++)
        values[i] = fabs(values[i]);
    dpc_sort_values(values, count);
    out.min_abs = dpc_quantile(values, count, 0.5);
    return out;
}

typedef struct sized {
    float size; /* -1: not known */
    int32_t cause;
} sized;

static int by_size(const void *left, const void *right)
{
    const sized *a = left, *b = right;
    return (a->size < b->size) - (a->size > b->size);
}

/* The ranks of all causes of an outcome in one resample, by cause; those as large share the first.
 */
static void rank_causes(const dpc_effect_resamples *r, int resample, int outcome, sized *list,
                        double *rank)
{
    int count = 0, first = 0;
    for (int i = 0; i < r->n_causes; i++) {
        float value = fabsf(*row_of(r, resample, i, outcome));
        if (r->causes.variable[i] != r->outcomes.variable[outcome])
            list[count++] = (sized){isnan(value) ? -1 : value, i};
    }
    qsort(list, (size_t)count, sizeof *list, by_size);
    for (int i = 0; i < count; i++) {
        first = i > 0 && list[i].size == list[i - 1].size ? first : i;
        rank[(int64_t)list[i].cause * r->count + resample] = first + 1;
    }
}

dpc_status dpc_resampled_spread(const dpc_effect_resamples *r, dpc_effect_spread *out)
{
    dpc_arena arena = {0};
    double *values = dpc_arena_alloc(&arena, r->count, sizeof *values);
    double *rank = dpc_arena_alloc(&arena, (int64_t)r->n_causes * r->count, sizeof *rank);
    sized *list = dpc_arena_alloc(&arena, r->n_causes, sizeof *list);
    bool fine = !dpc_arena_failed(&arena);
    for (int j = 0; j < r->n_outcomes && fine; j++) {
        for (int b = 0; b < r->count; b++)
            rank_causes(r, b, j, list, rank);
        for (int i = 0; i < r->n_causes; i++) {
            dpc_effect_spread *to = &out[(int64_t)i * r->n_outcomes + j];
            *to = spread_of(r, i, j, values);
            if (r->causes.variable[i] == r->outcomes.variable[j])
                continue;
            dpc_sort_values(rank + (int64_t)i * r->count, r->count);
            to->rank = dpc_quantile(rank + (int64_t)i * r->count, r->count, 0.5);
        }
    }
    dpc_arena_clear(&arena);
    return fine ? DPC_OK : DPC_NO_MEMORY;
}
