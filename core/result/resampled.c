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
#include "status.h"

#include <math.h>
#include <string.h>

int32_t *dpc_list_of(const int32_t *list, int count)
{
    int32_t *copy = dpc_alloc(count, sizeof *copy);
    for (int i = 0; copy != NULL && i < count; i++)
        copy[i] = list != NULL ? list[i] : i;
    return copy;
}

/* ---- One resample ---- */

typedef struct observing {
    dpc_effect_query query;
    dpc_effect_resamples *into;
    int32_t *place_of_cause, *place_of_outcome; /* by variable; owned */
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
        dpc_effect_pair pair = dpc_effect_table_pair(table, i);
        int64_t at = (int64_t)o->place_of_cause[pair.cause] * o->into->n_outcomes +
                     o->place_of_outcome[pair.outcome];
        o->into->least[index * pairs + at] =
            least_of(table, i, pair.count, dpc_effect_table_about(table)->units);
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
    free(r->causes);
    free(r->outcomes);
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

static dpc_status resamples_new(const dpc_effect_query *q, int n, int asked,
                                dpc_effect_resamples **out, dpc_error *err)
{
    int n_causes = q->causes != NULL ? q->n_causes : n;
    int n_outcomes = q->outcomes != NULL ? q->n_outcomes : n;
    int64_t values = (int64_t)n_causes * n_outcomes * asked;
    DPC_CHECK(check_room((double)values * sizeof *(*out)->least, asked, err));
    dpc_effect_resamples *r = dpc_alloc(1, sizeof *r);
    if (r == NULL)
        return dpc_fail_memory(err, "the effects of the resamples");
    *r = (dpc_effect_resamples){
        .ida = q->ida,
        .standardised = q->standardised,
        .n_causes = n_causes,
        .n_outcomes = n_outcomes,
        .causes = dpc_list_of(q->causes, n_causes),
        .outcomes = dpc_list_of(q->outcomes, n_outcomes),
        .count = asked,
        .least = dpc_alloc(values, sizeof *r->least),
    };
    if (!r->causes || !r->outcomes || !r->least) {
        dpc_effect_resamples_free(r);
        return dpc_fail_memory(err, "the effects of the resamples");
    }
    for (int64_t i = 0; i < values; i++)
        r->least[i] = NAN;
    *out = r;
    return DPC_OK;
}

/* Where each variable is in a list. */
static int32_t *places_of(const int32_t *list, int count, int n)
{
    int32_t *place = dpc_zalloc(n, sizeof *place);
    for (int i = 0; place != NULL && i < count; i++)
        if (list[i] >= 0 && list[i] < n) /* dpc_effects refuses others */
            place[list[i]] = i;
    return place;
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
    int n = dpc_table_about(table).n_vars;
    dpc_effect_resamples *r = NULL;
    dpc_frequencies *f = NULL;
    if (resampling->resamples < 1)
        return dpc_fail(err, DPC_USAGE, "the number of resamples must be 1 or more, not %d",
                        resampling->resamples);
    DPC_CHECK(resamples_new(query, n, resampling->resamples, &r, err));
    dpc_status status;
    observing o = {.query = *query, .into = r};
    o.query.top = 0;
    o.query.resamples = NULL;
    o.place_of_cause = places_of(r->causes, r->n_causes, n);
    o.place_of_outcome = places_of(r->outcomes, r->n_outcomes, n);
    size_t bytes = (size_t)r->n_causes * (size_t)r->n_outcomes * sizeof *r->least;
    dpc_observer observer = {&o, observe, kept, bytes};
    if (o.place_of_cause == NULL || o.place_of_outcome == NULL)
        status = dpc_fail_memory(err, "the effects of the resamples");
    else
        status = dpc_bootstrap_observed(table, settings, resampling, &observer, &f, err);
    free(o.place_of_cause);
    free(o.place_of_outcome);
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

static bool same_list(const int32_t *given, int count, int n, const int32_t *kept, int n_kept)
{
    if ((given != NULL ? count : n) != n_kept)
        return false;
    for (int i = 0; i < n_kept; i++)
        if (kept[i] != (given != NULL ? given[i] : i))
            return false;
    return true;
}

dpc_status dpc_resampled_check(const dpc_effect_resamples *r, const dpc_effect_query *q, int n,
                               dpc_error *err)
{
    if (r->ida == q->ida && r->standardised == q->standardised &&
        same_list(q->causes, q->n_causes, n, r->causes, r->n_causes) &&
        same_list(q->outcomes, q->n_outcomes, n, r->outcomes, r->n_outcomes))
        return DPC_OK;
    return dpc_fail(err, DPC_USAGE, "the resamples were asked about other effects");
}

/* ---- What they say ---- */

static int by_value(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Between two of the sorted values, as R's default has it; NaN of none. */
static double quantile(const double *sorted, int count, double p)
{
    if (count == 0)
        return NAN;
    double at = p * (count - 1);
    int low = (int)at;
    return low + 1 < count ? sorted[low] + (at - low) * (sorted[low + 1] - sorted[low])
                           : sorted[count - 1];
}

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
    qsort(values, (size_t)count, sizeof *values, by_value);
    out.low = quantile(values, count, 0.025);
    out.high = quantile(values, count, 0.975);
    for (int i = 0; i < count; i++)
        values[i] = fabs(values[i]);
    qsort(values, (size_t)count, sizeof *values, by_value);
    out.min_abs = quantile(values, count, 0.5);
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
        if (r->causes[i] != r->outcomes[outcome])
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
            if (r->causes[i] == r->outcomes[j])
                continue;
            qsort(rank + (int64_t)i * r->count, (size_t)r->count, sizeof *rank, by_value);
            to->rank = quantile(rank + (int64_t)i * r->count, r->count, 0.5);
        }
    }
    dpc_arena_clear(&arena);
    return fine ? DPC_OK : DPC_NO_MEMORY;
}
