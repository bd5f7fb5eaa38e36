/*
 * The separating sets of a report as JSON: see the man page for the fields. With few variables
 * each set is written out; with many the text grows with the pairs, not with the pairs times the
 * variables.
 *
 * Nearly every large set is all of some list but a few. At level 0 it is all other variables (or,
 * with tiers, all that may be in sets of this pair); later all neighbours that one end had at that
 * level, but the other end and the subset that was enumerated. Sets with the same level and end, or
 * of full order and the same size, share their list: a first look at all pairs unites them, with
 * their pair, and a second writes each set as what it leaves out of the list, where that is
 * shorter.
 */
#include "write.h"

#include "alloc.h"
#include "status.h"

#include <stdlib.h>

/* Sets up to this size are written out, however many variables there are. */
enum { SMALL = 8 };

/* What sets are taken from, as a row of bits, one for each variable. */
typedef struct list {
    int level;
    int from; /* whose neighbours they are; -1: nobody's, of level 0 */
    uint64_t *bits;
} list;

typedef struct lists {
    int n, n_levels;
    int small; /* sets up to this size are written out */
    list *items;
    int count, capacity;
    int32_t *number;  /* of the list of level × n + from, counted from 1; 0: none yet */
    int32_t *of_size; /* the same by the size of a set of full order */
    int32_t *members; /* room for a set */
} lists;

static bool has(const uint64_t *bits, int v)
{
    return (bits[v / 64] >> (v % 64) & 1) != 0;
}

static void put(uint64_t *bits, int v)
{
    bits[v / 64] |= UINT64_C(1) << (v % 64);
}

static dpc_status lists_init(lists *all, const dpc_report *report, int whole, dpc_error *err)
{
    int n = dpc_result_info(report->result)->n_vars;
    int n_levels = dpc_result_info(report->result)->n_levels;
    *all = (lists){
        .n = n,
        .n_levels = n_levels,
        .small = n <= whole ? n : SMALL,
        .number = dpc_zalloc((int64_t)n_levels * n, sizeof *all->number),
        .of_size = dpc_zalloc((int64_t)n + 1, sizeof *all->of_size),
        .members = dpc_alloc(n, sizeof *all->members),
    };
    bool fine = all->number != NULL && all->of_size != NULL && all->members != NULL;
    return fine ? DPC_OK : dpc_fail_memory(err, "the separating sets");
}

static void lists_clear(lists *all)
{
    for (int i = 0; i < all->count; i++)
        free(all->items[i].bits);
    free(all->items);
    free(all->number);
    free(all->of_size);
    free(all->members);
}

/* Where the number of the list for such a set is; NULL: it has none, and needs none. */
static int32_t *place_of(const lists *all, const dpc_sepset *set)
{
    if (set->size <= all->small || (set->kind == DPC_SEP_FULL_ORDER && set->size == all->n - 2))
        return NULL;
    if (set->kind == DPC_SEP_FULL_ORDER)
        return &all->of_size[set->size];
    return &all->number[(int64_t)set->level * all->n + set->from];
}

static dpc_status add_list(lists *all, const dpc_sepset *set, int32_t *number, dpc_error *err)
{
    if (all->count == all->capacity) {
        int capacity = 2 * all->capacity + 64;
        list *items = dpc_regrow(all->items, capacity, sizeof *items);
        if (items == NULL)
            return dpc_fail_memory(err, "the separating sets");
        all->items = items;
        all->capacity = capacity;
    }
    list added = {set->level, set->from, dpc_zalloc((int64_t)all->n / 64 + 1, sizeof *added.bits)};
    if (added.bits == NULL)
        return dpc_fail_memory(err, "the separating sets");
    all->items[all->count++] = added;
    *number = all->count;
    return DPC_OK;
}

/*
 * How the pair was separated, and where the number of its list is; the set itself is in
 * all->members where it has one or is small.
 */
static dpc_status look_up(const lists *all, const dpc_report *report, int a, int b, dpc_sepset *set,
                          int32_t **number, dpc_error *err)
{
    dpc_status status = dpc_separating_set(report->result, a, b, set, NULL, err);
    *number = status == DPC_OK ? place_of(all, set) : NULL;
    if (status == DPC_OK && (*number != NULL || set->size <= all->small))
        status = dpc_separating_set(report->result, a, b, set, all->members, err);
    return status;
}

/* All sets of the pairs of a with later variables into their lists. */
static dpc_status unite(lists *all, const dpc_report *report, int a, dpc_error *err)
{
    dpc_status status = DPC_OK;
    for (int b = a + 1; b < all->n && status == DPC_OK; b++) {
        dpc_sepset set;
        int32_t *number;
        status = look_up(all, report, a, b, &set, &number, err);
        if (status == DPC_OK && number != NULL && *number == 0)
            status = add_list(all, &set, number, err);
        if (number == NULL || status != DPC_OK)
            continue;
        uint64_t *bits = all->items[*number - 1].bits;
        put(bits, a);
        put(bits, b);
        for (int i = 0; i < set.size; i++)
            put(bits, all->members[i]);
    }
    return status;
}

/* ---- Writing ---- */

static void write_lists(FILE *file, const lists *all, const char *const *names)
{
    fputs(",\n  \"neighbourhoods\": [", file);
    for (int i = 0; i < all->count && !ferror(file); i++) {
        const list *l = &all->items[i];
        fprintf(file, "%s\n    {\"level\": %d, \"node\": ", i > 0 ? "," : "", l->level);
        if (l->from >= 0)
            dpc_print_json_string(file, names[l->from]);
        else
            fputs("null", file);
        const char *before = ", \"members\": [";
        for (int v = 0; v < all->n; v++)
            if (has(l->bits, v)) {
                fputs(before, file);
                dpc_print_json_string(file, names[v]);
                before = ", ";
            }
        fputs("]}", file);
    }
    fputs(all->count > 0 ? "\n  ]" : "]", file);
}

/* What a list has beyond the set and the pair, into `but`; how many, or `most` if not fewer. */
static int left_out(const lists *all, const list *l, int a, int b, const dpc_sepset *set,
                    int32_t *but, int most)
{
    int count = 0, i = 0;
    for (int v = 0; v < all->n && count < most; v++) {
        bool in_set = i < set->size && all->members[i] == v;
        i += in_set;
        if (has(l->bits, v) && !in_set && v != a && v != b)
            but[count++] = v;
    }
    return count;
}

/* `but` has room for a set. */
static void write_members(FILE *file, const lists *all, const int32_t *number, int a, int b,
                          const dpc_sepset *set, int32_t *but, const char *const *names)
{
    if (number == NULL && set->size > all->small) {
        dpc_print_json_names(file, ", \"all_but\": ", names, NULL, 0);
        return;
    }
    int count = set->size;
    if (number != NULL)
        count = left_out(all, &all->items[*number - 1], a, b, set, but, set->size);
    if (count == set->size) {
        dpc_print_json_names(file, ", \"set\": ", names, all->members, set->size);
        return;
    }
    fprintf(file, ", \"all_of\": %d", *number - 1);
    dpc_print_json_names(file, ", \"but\": ", names, but, count);
}

static dpc_status write_set(FILE *file, const lists *all, const dpc_report *report,
                            const int32_t *number, int a, int b, const dpc_sepset *set,
                            int32_t *but, dpc_error *err)
{
    dpc_f_test *f = NULL;
    DPC_CHECK(dpc_explain_test(report->result, a, b, NULL, -1, &f, err));
    fputs("{\"a\": ", file);
    dpc_print_json_string(file, report->names[a]);
    fputs(", \"b\": ", file);
    dpc_print_json_string(file, report->names[b]);
    write_members(file, all, number, a, b, set, but, report->names);
    fprintf(file, ", \"order\": %d, \"kind\": \"%s\", \"level\": %d", set->size,
            dpc_word(DPC_WORD_SEPARATION, set->kind), set->level);
    dpc_print_json_value(file, "r", set->r);
    dpc_print_json_value(file, "p", set->p);
    dpc_print_json_f(file, f);
    if (set->n_obs > 0 && dpc_has_own_n(report->result))
        fprintf(file, ", \"n\": %lld", (long long)set->n_obs);
    putc('}', file);
    dpc_f_test_free(f);
    return DPC_OK;
}

static dpc_status write_sets(FILE *file, const lists *all, const dpc_report *report, dpc_error *err)
{
    const char *before = "\n    ";
    int32_t *but = dpc_alloc(all->n, sizeof *but), *number;
    dpc_status status = but != NULL ? DPC_OK : dpc_fail_memory(err, "a separating set");
    fputs(",\n  \"separating_sets\": [", file);
    for (int a = 0; a < all->n && status == DPC_OK; a++)
        for (int b = a + 1; b < all->n && !ferror(file) && status == DPC_OK; b++) {
            dpc_sepset set;
            status = look_up(all, report, a, b, &set, &number, err);
            if (status != DPC_OK || set.kind == DPC_SEP_NONE)
                continue;
            fputs(before, file);
            status = write_set(file, all, report, number, a, b, &set, but, err);
            before = ",\n    ";
        }
    fputs("\n  ]", file);
    free(but);
    return status;
}

dpc_status dpc_print_json_sets(FILE *file, const dpc_report *report, int whole, dpc_error *err)
{
    lists all;
    /* Nothing has been written yet by which the caller could be asked whether to stop. */
    dpc_settings asking = dpc_report_asks(report);
    dpc_crew crew;
    dpc_crew_init(&crew, &asking, DPC_STAGE_WRITE);
    dpc_status status = lists_init(&all, report, whole, err);
    for (int a = 0; a < all.n && status == DPC_OK; a++)
        status = dpc_write_stopped(&crew, 0) ? dpc_fail(err, DPC_INTERRUPTED, "interrupted")
                                             : unite(&all, report, a, err);
    if (status == DPC_OK) {
        if (all.n > whole)
            write_lists(file, &all, report->names);
        status = write_sets(file, &all, report, err);
    }
    lists_clear(&all);
    return status;
}
