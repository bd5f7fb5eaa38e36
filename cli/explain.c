/*
 * Which columns --explain A,B means, or --explain A: the edges of A, or --explain all: all edges.
 * Blanks around a name do not matter, unless they are a part of it. A name may hold commas itself:
 * the text is cut at that comma which leaves a name on both sides, and where there is none it may
 * be the name of one column. An unknown name is told, with a similar one where there is one.
 */
#include "alloc.h"
#include "cli.h"
#include "status.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

static int find_column(const dpc_table *table, const char *text, size_t length)
{
    return find_name(dpc_table_about(table).names, dpc_table_about(table).n_vars, text, length);
}

/* The name that is not known, of the reading with most that are. */
static dpc_status tell_unknown(const options *o, const dpc_table *table, const char *text,
                               dpc_error *err)
{
    const char *unknown = strchr(text, ',') == NULL ? text : NULL;
    size_t length = unknown != NULL ? strlen(text) : 0;
    bool half = false;
    for (const char *comma = strchr(text, ','); comma != NULL; comma = strchr(comma + 1, ',')) {
        bool left = find_column(table, text, (size_t)(comma - text)) >= 0;
        bool right = find_column(table, comma + 1, strlen(comma + 1)) >= 0;
        if (unknown != NULL && (half || (!left && !right)))
            continue;
        half = left || right;
        unknown = left ? comma + 1 : text;
        length = left ? strlen(comma + 1) : (size_t)(comma - text);
    }
    trim_blanks(&unknown, &length);
    const char *meant =
        dpc_similar(dpc_table_about(table).names, dpc_table_about(table).n_vars, unknown, length);
    return dpc_fail(err, DPC_USAGE, "--explain %.60s: %.200s has no column '%.*s'%s%.60s%s", text,
                    source_name(o), (int)(length < 60 ? length : 60), unknown,
                    meant != NULL ? "; did you mean '" : "", meant != NULL ? meant : "",
                    meant != NULL ? "'?" : "");
}

/* The one way, or none (then out->a is -1), to read the text as two names. */
static dpc_status find_pair(const dpc_table *table, const char *text, subject *out, dpc_error *err)
{
    *out = (subject){-1, -1};
    for (const char *comma = strchr(text, ','); comma != NULL; comma = strchr(comma + 1, ',')) {
        int a = find_column(table, text, (size_t)(comma - text));
        int b = find_column(table, comma + 1, strlen(comma + 1));
        if (a < 0 || b < 0)
            continue;
        if (out->a >= 0)
            return dpc_fail(err, DPC_USAGE,
                            "--explain %.60s can be read in two ways, '%.60s' with '%.60s' and "
                            "'%.60s' with '%.60s'; rename a column",
                            text, dpc_table_about(table).names[out->a],
                            dpc_table_about(table).names[out->b], dpc_table_about(table).names[a],
                            dpc_table_about(table).names[b]);
        *out = (subject){a, b};
    }
    if (out->a >= 0 && out->a == out->b)
        return dpc_fail(err, DPC_USAGE,
                        "--explain %.60s: a column has no edge with itself; name two", text);
    return DPC_OK;
}

static dpc_status find_subject(const options *o, const dpc_table *table, const char *text,
                               subject *out, dpc_error *err)
{
    dpc_status status = find_pair(table, text, out, err);
    if (status != DPC_OK || out->a >= 0)
        return status;
    out->a = find_column(table, text, strlen(text));
    if (out->a >= 0 || strcmp(text, "all") == 0)
        return DPC_OK;
    return tell_unknown(o, table, text, err);
}

dpc_status find_subjects(const options *o, const dpc_table *table, subject *out, dpc_error *err)
{
    dpc_status status = DPC_OK;
    for (int i = 0; i < o->n_explain && status == DPC_OK; i++)
        status = find_subject(o, table, o->explain[i], &out[i], err);
    return status;
}

/* ---- From a subject to pairs ---- */

static dpc_status add_pair(pair_list *list, int a, int b, dpc_error *err)
{
    if (list->count == list->capacity) {
        int capacity = list->capacity > 0 ? 2 * list->capacity : 16;
        subject *items = dpc_regrow(list->items, capacity, sizeof *items);
        if (items == NULL)
            return dpc_fail_memory(err, "the explanations");
        list->items = items;
        list->capacity = capacity;
    }
    list->items[list->count++] = (subject){a, b};
    return DPC_OK;
}

/* The edges of one column, or of all; of a column without any, its pairs with all others. */
static dpc_status add_edges(pair_list *list, int column, const dpc_graph *graph, dpc_error *err)
{
    dpc_status status = DPC_OK;
    int found = 0;
    for (int64_t e = 0; e < graph->n_edges && status == DPC_OK; e++) {
        const dpc_edge *edge = &graph->edges[e];
        if (column >= 0 && edge->a != column && edge->b != column)
            continue;
        int other = edge->a == column ? edge->b : edge->a;
        status = column >= 0 ? add_pair(list, column, other, err)
                             : add_pair(list, edge->a, edge->b, err);
        found++;
    }
    for (int i = 0; column >= 0 && found == 0 && i < graph->n_nodes && status == DPC_OK; i++)
        if (i != column)
            status = add_pair(list, column, i, err);
    return status;
}

/* Pairs by their columns, and of the same pair the first that was asked for first. */
static int by_columns(const void *pa, const void *pb)
{
    const subject *a = *(const subject *const *)pa, *b = *(const subject *const *)pb;
    int low_a = a->a < a->b ? a->a : a->b, low_b = b->a < b->b ? b->a : b->b;
    int high_a = a->a + a->b - low_a, high_b = b->a + b->b - low_b;
    if (low_a != low_b || high_a != high_b)
        return low_a != low_b ? (low_a < low_b ? -1 : 1) : high_a < high_b ? -1 : 1;
    return (a > b) - (a < b);
}

static bool same_pair(const subject *a, const subject *b)
{
    return (a->a == b->a && a->b == b->b) || (a->a == b->b && a->b == b->a);
}

/* Asked for twice, by name and as an edge of another, a pair is told once. */
static dpc_status remove_repeated(pair_list *list, dpc_error *err)
{
    subject **sorted = dpc_alloc(list->count, sizeof *sorted);
    if (sorted == NULL)
        return dpc_fail_memory(err, "the explanations");
    for (int i = 0; i < list->count; i++)
        sorted[i] = &list->items[i];
    qsort(sorted, (size_t)list->count, sizeof *sorted, by_columns);
    for (int i = list->count - 1; i > 0; i--)
        if (same_pair(sorted[i], sorted[i - 1]))
            sorted[i]->a = -1;
    free(sorted);
    int kept = 0;
    for (int i = 0; i < list->count; i++)
        if (list->items[i].a >= 0)
            list->items[kept++] = list->items[i];
    list->count = kept;
    return DPC_OK;
}

dpc_status list_pairs(const subject *subjects, int count, const dpc_graph *graph, pair_list *out,
                      dpc_error *err)
{
    dpc_status status = DPC_OK;
    bool groups = false;
    for (int i = 0; i < count && status == DPC_OK; i++) {
        const subject *s = &subjects[i];
        groups = groups || s->b < 0;
        status = s->b >= 0 ? add_pair(out, s->a, s->b, err) : add_edges(out, s->a, graph, err);
    }
    return status == DPC_OK && groups ? remove_repeated(out, err) : status;
}
