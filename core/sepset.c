/* The separating sets, kept small: see sepset.h. */
#include "sepset.h"

#include "memory.h"
#include "stat.h"

#include <math.h>
#include <string.h>

dpc_sepsets *dpc_sepsets_new(int n)
{
    dpc_sepsets *sets = dpc_zalloc(1, sizeof *sets);
    if (sets != NULL)
        sets->n = n;
    return sets;
}

void dpc_sepsets_free(dpc_sepsets *sets)
{
    if (sets == NULL)
        return;
    for (int i = 0; i < sets->n_kept; i++)
        dpc_adjacency_free(sets->kept[i]);
    free(sets->kept);
    free(sets->records);
    free(sets->pool);
    free(sets->full_order);
    free(sets->precision);
    free(sets);
}

bool dpc_sepsets_start_full_order(dpc_sepsets *sets)
{
    sets->words = ((int64_t)sets->n + 63) / 64;
    sets->full_order = dpc_zalloc(sets->words * sets->n, sizeof *sets->full_order);
    return sets->full_order != NULL;
}

int dpc_sepsets_keep(dpc_sepsets *sets, dpc_adjacency *graph)
{
    dpc_adjacency **kept = dpc_regrow(sets->kept, (int64_t)sets->n_kept + 1, sizeof(void *));
    if (kept == NULL)
        return -1;
    sets->kept = kept;
    kept[sets->n_kept] = graph;
    return sets->n_kept++;
}

/* Room for `more` further items of a growing array; false: no memory. */
static bool make_room(void **items, int64_t *capacity, int64_t used, int64_t more, size_t size)
{
    if (used + more <= *capacity)
        return true;
    int64_t wanted =
        used + more > *capacity + *capacity / 2 ? used + more : *capacity + *capacity / 2;
    wanted = wanted < 64 ? 64 : wanted;
    void *grown = dpc_regrow(*items, wanted, size);
    if (grown == NULL)
        return false;
    *items = grown;
    *capacity = wanted;
    return true;
}

bool dpc_sepsets_add(dpc_sepsets *sets, dpc_record record, const int32_t *subset)
{
    if (!make_room((void **)&sets->records, &sets->record_capacity, sets->n_records, 1,
                   sizeof record) ||
        !make_room((void **)&sets->pool, &sets->pool_capacity, sets->pool_used, record.count,
                   sizeof *sets->pool))
        return false;
    record.at = sets->pool_used;
    if (record.count > 0)
        memcpy(sets->pool + record.at, subset, (size_t)record.count * sizeof *subset);
    sets->pool_used += record.count;
    sets->records[sets->n_records++] = record;
    return true;
}

static int by_pair(const void *pa, const void *pb)
{
    const dpc_record *a = pa, *b = pb;
    if (a->a != b->a)
        return a->a < b->a ? -1 : 1;
    return (a->b > b->b) - (a->b < b->b);
}

void dpc_sepsets_sort(dpc_sepsets *sets)
{
    if (sets->n_records > 0)
        qsort(sets->records, (size_t)sets->n_records, sizeof *sets->records, by_pair);
}

const dpc_record *dpc_sepsets_find(const dpc_sepsets *sets, int a, int b)
{
    dpc_record key = {.a = a < b ? a : b, .b = a < b ? b : a};
    if (sets->n_records == 0)
        return NULL;
    return bsearch(&key, sets->records, (size_t)sets->n_records, sizeof key, by_pair);
}

/* Is v among the ascending or short list of K? K is short: a scan does. */
static bool in_subset(const dpc_sepsets *sets, const dpc_record *record, int v)
{
    for (int i = 0; i < record->count; i++)
        if (sets->pool[record->at + i] == v)
            return true;
    return false;
}

static int other_end(const dpc_record *record)
{
    return record->from == record->a ? record->b : record->a;
}

bool dpc_sepset_contains(const dpc_sepsets *sets, int a, int b, int v)
{
    const dpc_record *record = dpc_sepsets_find(sets, a, b);
    if (record == NULL)
        return v != a && v != b && dpc_is_full_order(sets, a, b);
    if (record->kept < 0)
        return in_subset(sets, record, v);
    return v != other_end(record) && dpc_slot(sets->kept[record->kept], record->from, v) >= 0 &&
           !in_subset(sets, record, v);
}

int dpc_record_members(const dpc_sepsets *sets, const dpc_record *record, int32_t *members)
{
    if (record->kept < 0) {
        if (members != NULL && record->count > 0)
            memcpy(members, sets->pool + record->at, (size_t)record->count * sizeof *members);
        return record->count;
    }
    const dpc_adjacency *graph = sets->kept[record->kept];
    int size = dpc_degree(graph, record->from) - 1 - record->count, used = 0;
    for (int64_t e = graph->start[record->from];
         members != NULL && e < graph->start[record->from + 1]; e++) {
        int v = graph->node[e];
        if (v != other_end(record) && !in_subset(sets, record, v))
            members[used++] = v;
    }
    return size;
}

static void level_0_set(const dpc_result *result, const dpc_correlation *c, int a, int b,
                        dpc_sepset *out, int32_t *members)
{
    const dpc_sepsets *sets = result->sepsets;
    *out = (dpc_sepset){.kind = DPC_SEP_MARGINAL, .from = -1};
    out->r = c->r[(int64_t)a * c->n_vars + b];
    if (!dpc_is_full_order(sets, a, b))
        return;
    out->kind = DPC_SEP_FULL_ORDER;
    out->size = c->n_vars - 2;
    out->r = sets->precision != NULL ? -sets->precision[(int64_t)a * c->n_vars + b] : NAN;
    for (int v = 0; members != NULL && v < c->n_vars; v++)
        if (v != a && v != b)
            *members++ = v;
}

void dpc_separating_set(const dpc_result *result, const dpc_correlation *correlation,
                        const dpc_settings *settings, int a, int b, dpc_sepset *out,
                        int32_t *members)
{
    const dpc_record *record = dpc_sepsets_find(result->sepsets, a, b);
    if (a == b || dpc_graph_mark(&result->graph, a, b) != DPC_NONE) {
        *out = (dpc_sepset){.kind = DPC_SEP_NONE, .from = -1, .r = NAN, .p = NAN};
        return;
    }
    if (record == NULL) {
        level_0_set(result, correlation, a, b, out, members);
    } else {
        *out = (dpc_sepset){
            .kind = record->kind == DPC_SEP_PRIMAL_COMPLEMENT ? DPC_SEP_PRIMAL
                                                              : (dpc_sep_kind)record->kind,
            .level = record->level,
            .from = record->from,
            .size = dpc_record_members(result->sepsets, record, members),
            .r = record->r,
        };
    }
    dpc_test test = settings != NULL ? settings->test : DPC_FISHER_Z;
    out->p = dpc_p_value(test, correlation->n_obs, out->size, out->r);
}
