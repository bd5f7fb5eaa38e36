/*
 * The kinds of the variables of a table, once its rows are those that stay: the levels of text and
 * of columns that are said to be categories, rare levels merged, blocks made of columns. And what
 * there is to say of them: levels with few rows, orders that were only guessed, and numbers that
 * may be codes.
 */
#include "alloc.h"
#include "decimal.h"
#include "findings.h"
#include "read.h"
#include "status.h"
#include "table.h"
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    RARE = 5,         /* rows of a level below which its indicator says little */
    MOST_LEVELS = 4,  /* that a sentence names */
    CODES = 10,       /* different whole numbers that may be codes … */
    ROWS_A_CODE = 3,  /* … with at least so many rows each */
    MOST_COLUMNS = 4, /* that a sentence names */
    LISTED = 12,      /* levels of an order that a sentence lists */
    LEVEL_TEXT = DPC_CLIP_SIZE + 24,
};

static const char OTHER[] = "other";

/* ---- Text ---- */

typedef struct level {
    const char *name;
    double value; /* where all are numbers; otherwise 0 */
    int32_t code; /* in the order of the file */
} level;

static int by_order(const void *pa, const void *pb)
{
    const level *a = pa, *b = pb;
    if (a->value != b->value)
        return a->value < b->value ? -1 : 1;
    return strcmp(a->name, b->name);
}

/* Those that have rows, by their values where all are numbers, and else by their texts. */
static int sort_levels(const dpc_levels *levels, const int64_t *counts, level *sorted)
{
    int used = 0;
    bool numbers = true;
    for (int i = 0; i < levels->names.count; i++) {
        if (counts[i] == 0)
            continue;
        level *l = &sorted[used++];
        *l = (level){.name = levels->names.names[i], .code = i};
        numbers = numbers && dpc_decimal_read(l->name, &l->value);
    }
    for (int i = 0; i < used && !numbers; i++)
        sorted[i].value = 0;
    qsort(sorted, (size_t)used, sizeof *sorted, by_order);
    return used;
}

/* "'low' < 'medium' < 'high'": an order that the file does not have. */
static dpc_status warn_of_order(const char *column, const level *sorted, int used, dpc_audit *audit)
{
    char list[LISTED * LEVEL_TEXT], name[DPC_CLIP_SIZE], clipped[DPC_CLIP_SIZE];
    size_t at = 0;
    for (int i = 0; i < used && i < LISTED; i++)
        at += (size_t)snprintf(list + at, sizeof list - at, "%s'%s'", i > 0 ? " < " : "",
                               dpc_clip_name(sorted[i].name, clipped));
    return dpc_findings_add(audit, DPC_WARNING,
                            "the levels of the ordered column '%s' are text and were ordered "
                            "alphabetically: %s%s. If that is not their order, recode them as "
                            "numbers",
                            dpc_clip_name(column, name), list, used > LISTED ? " < …" : "");
}

/* One level is no category: the column is constant, as one of numbers would be. */
static void make_constant(dpc_table *table, int j)
{
    double *x = table->values + j * table->n_obs;
    for (int64_t i = 0; i < table->n_obs; i++)
        x[i] = isnan(x[i]) ? x[i] : 0;
}

/* Codes in the order of the file become codes in the order of the levels. */
static dpc_status set_text(dpc_reader *in, dpc_table *table, int j, dpc_audit *audit,
                           dpc_error *err)
{
    int64_t v = in->number[j] - 1;
    const dpc_levels *levels = &in->levels[v];
    int count = levels->names.count;
    double *x = table->values + j * table->n_obs;
    int64_t *counts = dpc_arena_zalloc(&in->memory, count, sizeof *counts);
    level *sorted = dpc_arena_alloc(&in->memory, count, sizeof *sorted);
    int32_t *place = dpc_arena_zalloc(&in->memory, count, sizeof *place);
    const char **names = dpc_arena_alloc(&in->memory, count, sizeof *names);
    if (dpc_arena_failed(&in->memory))
        return DPC_NO_MEMORY;
    for (int64_t i = 0; i < table->n_obs; i++)
        if (!isnan(x[i]))
            counts[(int)x[i]]++;
    int used = sort_levels(levels, counts, sorted);
    for (int i = 0; i < used; i++) {
        place[sorted[i].code] = i;
        names[i] = sorted[i].name;
    }
    if (used < 2) {
        make_constant(table, j);
        return DPC_OK;
    }
    for (int64_t i = 0; i < table->n_obs; i++)
        x[i] = isnan(x[i]) ? x[i] : place[(int)x[i]];
    bool ordered = dpc_reader_said(in, v) == DPC_TAKEN_ORDERED;
    if (ordered)
        DPC_CHECK(warn_of_order(table->names[j], sorted, used, audit));
    return dpc_table_set_kind(table, j, ordered ? DPC_ORDERED : DPC_NOMINAL, used, names, err);
}

/* ---- Numbers ---- */

/* How many different values a column has, up to `most`; more: most + 1; 0: one is not whole. */
static int count_whole(const dpc_table *table, int j, int most)
{
    enum { ROOM = CODES + 1 };
    const double *x = table->values + j * table->n_obs;
    double few[ROOM];
    int count = 0;
    for (int64_t i = 0; i < table->n_obs; i++) {
        if (isnan(x[i]))
            continue;
        if (x[i] != floor(x[i]) || fabs(x[i]) > 1e9)
            return 0;
        int k = 0;
        while (k < count && few[k] != x[i])
            k++;
        if (k == count && count < ROOM)
            few[count++] = x[i];
        if (count > most)
            return count;
    }
    return count;
}

/* Are there whole numbers only, 2 to options.max_levels different ones? */
static dpc_status are_few(dpc_reader *in, const dpc_table *table, int j, bool *few)
{
    const double *x = table->values + j * table->n_obs;
    int most = in->options.max_levels;
    *few = false;
    if (most <= CODES) {
        int count = count_whole(table, j, most);
        *few = count >= 2 && count <= most;
        return DPC_OK;
    }
    dpc_names seen = {0};
    char text[DPC_DECIMAL_SIZE];
    bool whole = true, failed = false;
    for (int64_t i = 0; i < table->n_obs && whole && !failed && seen.count <= most; i++) {
        if (isnan(x[i]))
            continue;
        whole = x[i] == floor(x[i]);
        dpc_decimal_print(x[i] + 0.0, text);
        failed = whole && dpc_names_add(&seen, text, strlen(text)) < 0;
    }
    *few = whole && seen.count >= 2 && seen.count <= most;
    dpc_names_clear(&seen);
    return failed ? DPC_NO_MEMORY : DPC_OK;
}

static bool varies(const dpc_table *table, int j)
{
    const double *x = table->values + j * table->n_obs;
    double first = NAN;
    for (int64_t i = 0; i < table->n_obs; i++) {
        if (isnan(x[i]))
            continue;
        first = isnan(first) ? x[i] : first;
        if (x[i] != first)
            return true;
    }
    return false;
}

static dpc_status refuse_numbers(const dpc_reader *in, const dpc_table *table, int j,
                                 dpc_audit *audit)
{
    char name[DPC_CLIP_SIZE], typed[DPC_CLIP_SIZE];
    return dpc_reader_refuse(audit,
                             "column '%s' has another number in every row, and cannot be nominal; "
                             "use --types %s=number, or exclude it with --drop",
                             dpc_clip_name(table->names[j], name),
                             dpc_reader_typed(in, in->number[j] - 1, typed));
}

static dpc_status set_numbers(dpc_reader *in, dpc_table *table, int j, dpc_audit *audit,
                              dpc_error *err)
{
    dpc_taken_as said = dpc_reader_said(in, in->number[j] - 1);
    bool nominal = said == DPC_TAKEN_NOMINAL;
    if (said == DPC_TAKEN_BY_CELLS && in->options.max_levels > 0)
        DPC_CHECK(are_few(in, table, j, &nominal));
    if (!varies(table, j))
        return DPC_OK; /* a constant is told as one */
    if (said == DPC_TAKEN_NUMBER)
        return dpc_table_set_kind(table, j, DPC_NUMBER, 0, NULL, err);
    if (said == DPC_TAKEN_ZERO)
        return dpc_table_set_kind(table, j, DPC_ZERO, 0, NULL, err);
    if (said == DPC_TAKEN_ORDERED)
        return dpc_table_set_kind(table, j, DPC_ORDERED, 0, NULL, err);
    if (!nominal)
        return DPC_OK;
    DPC_CHECK(dpc_table_set_kind(table, j, DPC_NOMINAL, 0, NULL, err));
    int levels = dpc_table_variable(table, j).n_levels;
    return levels > 2 && levels == table->n_obs ? refuse_numbers(in, table, j, audit) : DPC_OK;
}

/* ---- Rare levels ---- */

/* "'a' 1, 'b' 3 and 5 more": the levels with fewer rows; how many there are. */
static int list_rare(const dpc_variable_info *info, int below, char *out, size_t size)
{
    char clipped[DPC_CLIP_SIZE];
    size_t at = 0;
    int found = 0;
    out[0] = '\0';
    for (int i = 0; i < info->n_levels; i++)
        if (info->counts[i] < below && ++found <= MOST_LEVELS)
            at += (size_t)snprintf(out + at, size - at, "%s'%s' %lld", found > 1 ? ", " : "",
                                   dpc_clip_name(info->levels[i], clipped),
                                   (long long)info->counts[i]);
    if (found > MOST_LEVELS)
        snprintf(out + at, size - at, " and %d more", found - MOST_LEVELS);
    return found;
}

/* Puts the rare levels of a nominal variable into one; names that say "other" already are it. */
static dpc_status merge_levels(dpc_reader *in, dpc_table *table, int j, dpc_error *err)
{
    const dpc_variable_info info = dpc_table_variable(table, j);
    double *x = table->values + j * table->n_obs;
    int32_t *place = dpc_arena_alloc(&in->memory, info.n_levels, sizeof *place);
    const char **names = dpc_arena_alloc(&in->memory, info.n_levels + 1, sizeof *names);
    if (dpc_arena_failed(&in->memory))
        return DPC_NO_MEMORY;
    int kept = 0;
    for (int i = 0; i < info.n_levels; i++) {
        bool rare = info.counts[i] < in->options.merge_rare || strcmp(info.levels[i], OTHER) == 0;
        place[i] = rare ? -1 : kept;
        if (!rare)
            names[kept++] = info.levels[i];
    }
    for (int64_t i = 0; i < table->n_obs; i++)
        if (!isnan(x[i]))
            x[i] = place[(int)x[i]] >= 0 ? place[(int)x[i]] : kept;
    names[kept] = OTHER;
    if (kept > 0)
        return dpc_table_set_kind(table, j, DPC_NOMINAL, kept + 1, names, err);
    make_constant(table, j);
    return dpc_table_set_kind(table, j, DPC_NUMBER, 0, NULL, err);
}

static dpc_status merge_rare(dpc_reader *in, dpc_table *table, dpc_audit *audit, dpc_error *err)
{
    char name[DPC_CLIP_SIZE], list[(MOST_LEVELS + 1) * LEVEL_TEXT];
    int columns = 0;
    for (int j = 0; j < table->n_vars && in->options.merge_rare > 0; j++) {
        const dpc_variable_info info = dpc_table_variable(table, j);
        int found = info.kind == DPC_NOMINAL
                        ? list_rare(&info, in->options.merge_rare, list, sizeof list)
                        : 0;
        if (found == 0)
            continue;
        if (++columns <= DPC_MOST_NAMED)
            DPC_CHECK(dpc_findings_add(audit, DPC_WARNING,
                                       "column '%s': %d level%s seen fewer than %d times %s merged "
                                       "into '%s': %s",
                                       dpc_clip_name(table->names[j], name), found,
                                       dpc_plural(found), in->options.merge_rare,
                                       found == 1 ? "was" : "were", OTHER, list));
        DPC_CHECK(merge_levels(in, table, j, err));
    }
    return dpc_findings_more(audit, DPC_WARNING, columns, "columns with merged levels");
}

static dpc_status warn_of_rare(const dpc_table *table, dpc_audit *audit)
{
    char name[DPC_CLIP_SIZE], list[(MOST_LEVELS + 1) * LEVEL_TEXT];
    int columns = 0;
    for (int j = 0; j < table->n_vars; j++) {
        const dpc_variable_info info = dpc_table_variable(table, j);
        int found = info.kind == DPC_NOMINAL ? list_rare(&info, RARE, list, sizeof list) : 0;
        if (found == 0 || ++columns > MOST_COLUMNS)
            continue;
        DPC_CHECK(dpc_findings_add(
            audit, DPC_WARNING,
            "column '%s' has %d level%s seen fewer than %d times: %s. Tests that involve %s are "
            "unreliable; to merge rare levels, use --merge-rare %d",
            dpc_clip_name(table->names[j], name), found, dpc_plural(found), RARE, list,
            found == 1 ? "it" : "them", RARE));
    }
    return columns <= MOST_COLUMNS
               ? DPC_OK
               : dpc_findings_add(audit, DPC_WARNING, "and %d more columns with rare levels",
                                  columns - MOST_COLUMNS);
}

/* Cells that say None and were taken as a level. */
static dpc_status tell_none(const dpc_reader *in, const dpc_table *table, dpc_audit *audit)
{
    char name[DPC_CLIP_SIZE], word[DPC_CLIP_SIZE];
    for (int j = 0; j < table->n_vars && in->levels != NULL; j++) {
        const dpc_levels *levels = &in->levels[in->number[j] - 1];
        const dpc_seen *none = &levels->none;
        if (!levels->text || none->count == 0)
            continue;
        dpc_csv_clip(&none->first, word);
        DPC_CHECK(dpc_findings_add(
            audit, DPC_WARNING,
            "column '%s': %lld cell%s '%s' %s taken as a level. If %s missing, use --na %s",
            dpc_clip_name(table->names[j], name), (long long)none->count, dpc_plural(none->count),
            word, none->count == 1 ? "was" : "were", none->count == 1 ? "it is" : "they are",
            word));
    }
    return DPC_OK;
}

/* ---- Numbers that may be codes ---- */

static bool may_be_codes(const dpc_reader *in, const dpc_table *table, int j)
{
    if (dpc_kind_of(table, j) != DPC_NUMBER || in->options.max_levels > 0 ||
        dpc_reader_said(in, in->number[j] - 1) != DPC_TAKEN_BY_CELLS)
        return false;
    int count = count_whole(table, j, CODES); /* of two values it makes no difference */
    return count > 2 && count <= CODES && (int64_t)count * ROWS_A_CODE <= table->n_obs;
}

static dpc_status hint_at_codes(const dpc_reader *in, const dpc_table *table, dpc_audit *audit)
{
    enum { ITEM = DPC_CLIP_SIZE + 16 };
    char columns[MOST_COLUMNS * ITEM + 32], types[MOST_COLUMNS * ITEM], name[DPC_CLIP_SIZE];
    size_t at = 0, typed = 0;
    int found = 0, values = 0;
    for (int j = 0; j < table->n_vars; j++) {
        if (!may_be_codes(in, table, j) || ++found > MOST_COLUMNS)
            continue;
        values = count_whole(table, j, CODES);
        at += (size_t)snprintf(columns + at, sizeof columns - at, "%s'%s'", found > 1 ? ", " : "",
                               dpc_clip_name(table->names[j], name));
        typed +=
            (size_t)snprintf(types + typed, sizeof types - typed, "%s%s=nominal",
                             found > 1 ? "," : "", dpc_reader_typed(in, in->number[j] - 1, name));
    }
    if (found == 0)
        return DPC_OK;
    if (found == 1)
        return dpc_findings_add(
            audit, DPC_WARNING,
            "column %s has %d distinct values. If they are codes of categories, "
            "use --types %s",
            columns, values, types);
    if (found > MOST_COLUMNS)
        snprintf(columns + at, sizeof columns - at, " and %d more", found - MOST_COLUMNS);
    return dpc_findings_add(audit, DPC_WARNING,
                            "%d columns have 3 to %d distinct values: %s. If they are codes of "
                            "categories, use --types %s%s",
                            found, CODES, columns, types, found > MOST_COLUMNS ? ",…" : "");
}

/* ---- Blocks ---- */

/* Where the columns of the table are now; a block takes the place of its leftmost column. */
static void move_up(int32_t *at, int n, const dpc_block_entry *block)
{
    int32_t place = INT32_MAX;
    for (int i = 0; i < block->count; i++)
        place = at[block->variables[i]] < place ? at[block->variables[i]] : place;
    for (int v = 0; v < n; v++) {
        int32_t gone = 0;
        for (int i = 0; i < block->count; i++)
            gone += at[block->variables[i]] < at[v] && at[block->variables[i]] != place;
        bool member = false;
        for (int i = 0; i < block->count && !member; i++)
            member = block->variables[i] == v;
        if (!member)
            at[v] -= gone;
    }
}

static dpc_status make_blocks(dpc_reader *in, dpc_table *table, dpc_audit *audit, dpc_error *err)
{
    char name[DPC_CLIP_SIZE], label[DPC_LABEL_SIZE];
    if (in->n_blocks == 0)
        return DPC_OK;
    int32_t *at = dpc_arena_alloc(&in->memory, in->n_variables, sizeof *at);
    int32_t *members = dpc_arena_alloc(&in->memory, in->n_variables, sizeof *members);
    if (dpc_arena_failed(&in->memory))
        return DPC_NO_MEMORY;
    memcpy(at, in->place, (size_t)in->n_variables * sizeof *at);
    for (int b = 0; b < in->n_blocks; b++) {
        const dpc_block_entry *block = &in->blocks[b];
        for (int i = 0; i < block->count; i++) {
            members[i] = at[block->variables[i]];
            if (members[i] < 0)
                return dpc_reader_refuse(audit, "%s of block '%s' has no numbers and was left out",
                                         dpc_reader_label(in, block->variables[i], label),
                                         dpc_clip_name(block->name, name));
        }
        DPC_CHECK(dpc_table_join(table, block->name, members, block->count, err));
        move_up(at, (int)in->n_variables, block);
    }
    return DPC_OK;
}

/* ---- All of it ---- */

/* Categories are not estimated. */
static dpc_status check_missing(const dpc_reader *in, const dpc_table *table, dpc_audit *audit)
{
    char name[DPC_CLIP_SIZE];
    bool estimated = table->how_missing != DPC_MISSING_ERROR;
    for (int j = 0; estimated && j < table->n_vars; j++) {
        int64_t missing = in->tally.missing[in->number[j] - 1].count;
        if (dpc_kind_of(table, j) == DPC_NOMINAL && missing > 0)
            return dpc_reader_refuse(audit,
                                     "column '%s' is nominal and has %lld missing cell%s, which "
                                     "--missing %s cannot estimate; use --missing rows",
                                     dpc_clip_name(table->names[j], name), (long long)missing,
                                     dpc_plural(missing),
                                     dpc_word(DPC_WORD_MISSING, (int)table->how_missing));
    }
    return DPC_OK;
}

dpc_status dpc_reader_set_kinds(dpc_reader *in, dpc_table *table, dpc_audit *audit, dpc_error *err)
{
    for (int j = 0; j < table->n_vars; j++)
        DPC_CHECK(dpc_reader_has_levels(in, in->number[j] - 1)
                      ? set_text(in, table, j, audit, err)
                      : set_numbers(in, table, j, audit, err));
    DPC_CHECK(merge_rare(in, table, audit, err));
    DPC_CHECK(warn_of_rare(table, audit));
    DPC_CHECK(tell_none(in, table, audit));
    DPC_CHECK(check_missing(in, table, audit));
    DPC_CHECK(hint_at_codes(in, table, audit));
    return make_blocks(in, table, audit, err);
}
