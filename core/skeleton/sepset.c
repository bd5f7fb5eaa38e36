/* The separating sets, kept small: see sepset.h. */
#include "sepset.h"

#include "alloc.h"
#include "rows.h"
#include "sorted.h"
#include "test.h"

#include <math.h>
#include <string.h>

dpc_status dpc_sepsets_new(int n, dpc_sepsets **out)
{
    dpc_sepsets *sets = dpc_zalloc(1, sizeof *sets);
    if (sets == NULL)
        return DPC_NO_MEMORY;
    sets->n = n;
    sets->words = dpc_bit_words(n);
    sets->records = dpc_make_room(NULL, &sets->record_capacity, 0, sizeof *sets->records);
    sets->pool = dpc_make_room(NULL, &sets->pool_capacity, 0, sizeof *sets->pool);
    if (sets->records == NULL || sets->pool == NULL) {
        dpc_sepsets_free(sets);
        return DPC_NO_MEMORY;
    }
    *out = sets;
    return DPC_OK;
}

void dpc_sepsets_free(dpc_sepsets *sets)
{
    if (sets == NULL)
        return;
    for (int i = 0; i < sets->n_batches; i++)
        dpc_adjacency_free(sets->batches[i].graph);
    free(sets->batches);
    free(sets->records);
    free(sets->pool);
    free(sets->drops);
    free(sets->full_order);
    free(sets->full_rows);
    free(sets->precision);
    free(sets->alike);
    dpc_constraints_free(sets->known);
    dpc_labels_clear(&sets->labels);
    free(sets);
}

dpc_status dpc_sepsets_start_full_order(dpc_sepsets *sets, int n_limits)
{
    sets->full_rows = dpc_zalloc(n_limits, sizeof *sets->full_rows);
    sets->full_order = dpc_zalloc(sets->words * sets->n, sizeof *sets->full_order);
    return sets->full_order != NULL && sets->full_rows != NULL ? DPC_OK : DPC_NO_MEMORY;
}

/* ---- Recording ---- */

static dpc_status make_room_for_records(dpc_sepsets *sets, int64_t more)
{
    dpc_record *records = dpc_make_room(sets->records, &sets->record_capacity,
                                        sets->n_records + more, sizeof *records);
    if (records == NULL)
        return DPC_NO_MEMORY;
    sets->records = records;
    return DPC_OK;
}

dpc_status dpc_sepsets_begin(dpc_sepsets *sets, int level, int64_t expected)
{
    dpc_batch *batches = dpc_regrow(sets->batches, (int64_t)sets->n_batches + 1, sizeof *batches);
    if (batches == NULL)
        return DPC_NO_MEMORY;
    sets->batches = batches;
    batches[sets->n_batches++] = (dpc_batch){.level = level, .first = sets->n_records};
    return make_room_for_records(sets, expected);
}

dpc_status dpc_sepsets_add(dpc_sepsets *sets, int x, int y, const dpc_found *found)
{
    int32_t *pool = dpc_make_room(sets->pool, &sets->pool_capacity, sets->pool_used + found->count,
                                  sizeof *pool);
    if (pool == NULL)
        return DPC_NO_MEMORY;
    sets->pool = pool;
    if (make_room_for_records(sets, 1) != DPC_OK)
        return DPC_NO_MEMORY;
    if (found->count > 0)
        memcpy(pool + sets->pool_used, found->subset, (size_t)found->count * sizeof *pool);
    sets->records[sets->n_records++] = (dpc_record){
        .a = x < y ? x : y,
        .b = x < y ? y : x,
        .r = found->r,
        .at = (uint64_t)sets->pool_used & ((UINT64_C(1) << 40) - 1),
        .count = (unsigned)found->count & ((1u << 19) - 1),
        .kind = found->kind & 15u,
        .from_b = x > y,
    };
    sets->pool_used += found->count;
    sets->batches[sets->n_batches - 1].count++;
    return DPC_OK;
}

dpc_status dpc_sepsets_drop(dpc_sepsets *sets, int x, int y)
{
    dpc_drop *drops =
        dpc_make_room(sets->drops, &sets->drop_capacity, sets->n_drops + 1, sizeof *drops);
    if (drops == NULL)
        return DPC_NO_MEMORY;
    sets->drops = drops;
    drops[sets->n_drops++] = (dpc_drop){x, y, sets->batches[sets->n_batches - 1].level};
    return DPC_OK;
}

static bool sorted(const dpc_record *records, int64_t count)
{
    for (int64_t i = 1; i < count; i++)
        if (dpc_by_pair(&records[i - 1], &records[i]) > 0)
            return false;
    return true;
}

void dpc_sepsets_end(dpc_sepsets *sets, dpc_adjacency *graph)
{
    dpc_batch *batch = &sets->batches[sets->n_batches - 1];
    batch->graph = graph;
    if (!sorted(sets->records + batch->first, batch->count))
        qsort(sets->records + batch->first, (size_t)batch->count, sizeof *sets->records,
              dpc_by_pair);
}

void dpc_sepsets_give_up(dpc_sepsets *sets)
{
    const dpc_batch *batch = &sets->batches[--sets->n_batches];
    if (batch->count > 0) /* not sorted yet: the first has the first subset */
        sets->pool_used = (int64_t)sets->records[batch->first].at;
    sets->n_records = batch->first;
    while (sets->n_drops > 0 && sets->drops[sets->n_drops - 1].level == batch->level)
        sets->n_drops--;
}

void dpc_sepsets_close(dpc_sepsets *sets, dpc_labels *labels, bool keep_precision)
{
    sets->labels = *labels;
    *labels = (dpc_labels){0};
    if (sets->n_drops > 0)
        qsort(sets->drops, (size_t)sets->n_drops, sizeof *sets->drops, dpc_by_pair);
    if (!keep_precision) {
        free(sets->precision);
        sets->precision = NULL;
    }
}

/* ---- How a pair was separated ---- */

int dpc_sepsets_dropped(const dpc_sepsets *sets, int x, int y)
{
    dpc_drop key = {.x = x, .y = y};
    const dpc_drop *found = NULL;
    if (sets->n_drops > 0)
        found = bsearch(&key, sets->drops, (size_t)sets->n_drops, sizeof key, dpc_by_pair);
    return found != NULL ? found->level : 0;
}

/* The record of a pair removed after level 0, and its batch; or NULL. */
static const dpc_record *find(const dpc_sepsets *sets, int a, int b, const dpc_batch **batch)
{
    dpc_record key = {.a = a < b ? a : b, .b = a < b ? b : a};
    for (int i = 0; i < sets->n_batches; i++) {
        *batch = &sets->batches[i];
        const dpc_record *found = bsearch(&key, sets->records + (*batch)->first,
                                          (size_t)(*batch)->count, sizeof key, dpc_by_pair);
        if (found != NULL)
            return found;
    }
    return NULL;
}

dpc_separation dpc_sepsets_find(const dpc_sepsets *sets, int a, int b)
{
    dpc_separation found = {.full_order = dpc_is_full_order(sets, a, b)};
    found.record = find(sets, a, b, &found.batch);
    return found;
}

/* Is v in K? K is short: a scan does. */
static bool in_subset(const dpc_sepsets *sets, const dpc_record *record, int v)
{
    const int32_t *subset = dpc_record_subset(sets, record);
    for (int i = 0; i < (int)record->count; i++)
        if (subset[i] == v)
            return true;
    return false;
}

static int other_end(const dpc_record *record)
{
    return record->from_b ? record->a : record->b;
}

bool dpc_sepset_contains(const dpc_sepsets *sets, int a, int b, int v)
{
    const dpc_batch *batch;
    const dpc_record *record = find(sets, a, b, &batch);
    if (record == NULL)
        return v != a && v != b && dpc_is_full_order(sets, a, b) &&
               dpc_allowed(sets->known, a, b, v);
    if (!dpc_record_is_complement(record, batch))
        return in_subset(sets, record, v);
    return v != other_end(record) && dpc_allowed(sets->known, a, b, v) &&
           dpc_slot(batch->graph, dpc_record_from(record), v) >= 0 && !in_subset(sets, record, v);
}

int dpc_record_members(const dpc_sepsets *sets, const dpc_record *record, const dpc_batch *batch,
                       int32_t *members)
{
    const int32_t *subset = dpc_record_subset(sets, record);
    int count = (int)record->count, size = 0;
    if (!dpc_record_is_complement(record, batch)) {
        if (members != NULL && count > 0)
            memcpy(members, subset, (size_t)count * sizeof *members);
        return count;
    }
    int from = dpc_record_from(record), degree = dpc_degree(batch->graph, from);
    const int32_t *neighbour = dpc_neighbours(batch->graph, from);
    if (members == NULL && !dpc_has_tiers(sets->known))
        return degree - 1 - count;
    for (int i = 0, k = 0; i < degree; i++) {
        bool chosen = k < count && subset[k] == neighbour[i];
        k += chosen;
        if (chosen || neighbour[i] == other_end(record) ||
            !dpc_allowed(sets->known, record->a, record->b, neighbour[i]))
            continue;
        if (members != NULL)
            members[size] = neighbour[i];
        size++;
    }
    return size;
}

/* ---- In columns ---- */

/* Labels → columns, ascending. */
static void to_columns(const dpc_sepsets *sets, int32_t *nodes, int count)
{
    const int32_t *column = sets->labels.column;
    if (column == NULL)
        return;
    for (int i = 0; i < count; i++)
        nodes[i] = column[nodes[i]];
    dpc_sort_numbers(nodes, count);
}

/* N of the test of two labels given a set of columns. */
static int64_t rows_of(const dpc_sepsets *sets, const dpc_view *view, int la, int lb,
                       const int32_t *set, int size)
{
    return dpc_test_rows(view, dpc_column_of(&sets->labels, la), dpc_column_of(&sets->labels, lb),
                         set, size);
}

static void level_0_set(const dpc_sepsets *sets, const dpc_view *view, int la, int lb,
                        dpc_sepset *out, int32_t *members)
{
    *out = (dpc_sepset){.kind = DPC_SEP_MARGINAL, .from = -1};
    out->r = dpc_r_at(view, dpc_column_of(&sets->labels, la), dpc_column_of(&sets->labels, lb));
    out->n_obs = rows_of(sets, view, la, lb, NULL, 0);
    if (!dpc_is_full_order(sets, la, lb))
        return;
    out->kind = DPC_SEP_FULL_ORDER;
    out->n_obs = sets->full_rows[dpc_limit(sets->known, la, lb)];
    out->r = sets->precision != NULL && view->blocks == NULL
                 ? -sets->precision[(int64_t)la * sets->n + lb]
                 : NAN;
    if (members == NULL && sets->known == NULL) {
        out->size = sets->n - 2;
        return;
    }
    for (int v = 0; v < sets->n; v++) {
        if (v == la || v == lb || !dpc_allowed(sets->known, la, lb, v))
            continue;
        if (members != NULL)
            members[out->size] = v;
        out->size++;
    }
    if (members != NULL)
        to_columns(sets, members, out->size);
}

/* The set of a record, found from column a or b. */
static void list_columns(const dpc_sepsets *sets, const dpc_record *record, const dpc_batch *batch,
                         int a, int b, dpc_sepset *out, int32_t *members)
{
    out->from = dpc_label_of(&sets->labels, a) == dpc_record_from(record) ? a : b;
    out->size = dpc_record_members(sets, record, batch, members);
    if (members != NULL)
        to_columns(sets, members, out->size);
}

void dpc_sepsets_tell(const dpc_sepsets *sets, const dpc_view *view, dpc_test test, int a, int b,
                      dpc_sepset *out, int32_t *members)
{
    const dpc_batch *batch;
    int la = dpc_label_of(&sets->labels, a), lb = dpc_label_of(&sets->labels, b);
    if (dpc_forbidden(sets->known, la, lb)) {
        *out = (dpc_sepset){.kind = DPC_SEP_FORBIDDEN, .from = -1, .r = NAN, .p = NAN};
        return;
    }
    const dpc_record *record = find(sets, la, lb, &batch);
    if (record == NULL) {
        level_0_set(sets, view, la, lb, out, members);
    } else {
        *out = (dpc_sepset){
            .kind = record->kind == DPC_SEP_PRIMAL_COMPLEMENT ? DPC_SEP_PRIMAL
                                                              : (dpc_sep_kind)record->kind,
            .level = batch->level,
            .r = record->r,
        };
        list_columns(sets, record, batch, a, b, out, members);
        out->n_obs = rows_of(sets, view, la, lb, members, out->size);
    }
    if (view->blocks != NULL)
        out->r = out->p = NAN;
    else
        out->p = dpc_p_value(test, out->n_obs, out->size, out->r);
}
