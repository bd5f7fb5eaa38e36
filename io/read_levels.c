/*
 * Columns of text as categories.
 *
 * A column with a cell that is neither a number nor missing is nominal, and its different cells are
 * its levels, unless something else is meant:
 *
 *   - a slip: the other cells are numbers, and there is only one text, or texts are less than 5 %
 * of the cells; or so many different numbers that they measure something;
 *   - a name or an identifier: more than max(50, N/10) levels, or another one in every row;
 *   - dates.
 *
 * Each of them is an error that names the column (the first of them is that of read_audit.c), and
 * types (--types) overrules them. Until the rows that stay are known, the table has the numbers of
 * the levels in the order of the file.
 */
#include "alloc.h"
#include "encoding.h"
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
    SLIP_SHARE = 20, /* one cell in so many */
    FEW_LEVELS = 50,
    ROWS_A_LEVEL = 10, /* beyond few levels, at least */
};

void dpc_reader_levels_clear(dpc_reader *in)
{
    for (int64_t v = 0; in->levels != NULL && v < in->n_variables; v++) {
        dpc_names_clear(&in->levels[v].names);
        free(in->levels[v].counts);
    }
    free(in->levels);
    in->levels = NULL;
}

/* ---- Which columns ---- */

/* Cells that are there. */
static int64_t n_there(const dpc_reader *in, int64_t v)
{
    return dpc_reader_n_cells(in) - in->tally.missing[v].count;
}

/* Some text among numbers that is not meant, by how many cells there are. */
static bool is_slip(const dpc_reader *in, int64_t v)
{
    const dpc_seen *text = &in->tally.text[v];
    if (text->count >= n_there(in, v)) /* there are no numbers */
        return false;
    return text->count == 1 || text->count * SLIP_SHARE < dpc_reader_n_cells(in) ||
           dpc_na_is_usual(text->first.text, text->first.length);
}

static bool has_text_levels(const dpc_reader *in, int64_t v)
{
    if (in->place[v] < 0 || in->tally.text[v].count == 0)
        return false;
    switch (dpc_reader_said(in, v)) {
    case DPC_TAKEN_BY_CELLS:
        return !is_slip(in, v);
    case DPC_TAKEN_NOMINAL:
    case DPC_TAKEN_ORDERED:
        return true;
    default:
        return false;
    }
}

/* ---- Their levels ---- */

static int64_t most_levels(const dpc_reader *in)
{
    int64_t by_rows = dpc_reader_n_cells(in) / ROWS_A_LEVEL;
    return by_rows > FEW_LEVELS ? by_rows : FEW_LEVELS;
}

typedef struct finding {
    dpc_reader *in;
    dpc_table *table;
    char *copy; /* of a cell, as UTF-8; owned */
    int64_t room;
    bool failed;
} finding;

/* The cell without blanks and doubled quotes, as UTF-8, in f->copy; its length. */
static size_t copy_cell(finding *f, const dpc_cell *cell)
{
    dpc_cell trimmed = *cell;
    dpc_trim(&trimmed.text, &trimmed.length);
    int64_t needed = 3 * (int64_t)trimmed.length + 1;
    char *larger = dpc_make_room(f->copy, &f->room, needed, 1);
    if (larger == NULL) {
        f->failed = true;
        return 0;
    }
    f->copy = larger;
    if (dpc_is_utf8(trimmed.text, trimmed.length))
        return (size_t)(dpc_csv_copy(&trimmed, larger) - larger) - 1;
    return (size_t)(dpc_from_windows(trimmed.text, trimmed.length, larger) - larger) - 1;
}

/* The number of the cell's level; -1: no memory. */
static int32_t count_level(finding *f, dpc_levels *levels, const dpc_cell *cell)
{
    size_t length = copy_cell(f, cell);
    int before = levels->names.count;
    int32_t level = f->failed ? -1 : dpc_names_add(&levels->names, f->copy, length);
    if (level < 0) {
        f->failed = true;
        return -1;
    }
    int64_t *counts =
        dpc_make_room(levels->counts, &levels->room, levels->names.count, sizeof *counts);
    if (counts == NULL) {
        f->failed = true;
        return -1;
    }
    levels->counts = counts;
    if (level == before) {
        counts[level] = 0;
        levels->dates = (level == 0 || levels->dates) && dpc_looks_like_date(f->copy);
    }
    counts[level]++;
    return level;
}

/* Names that are not merged need not all be kept to know that they are too many. */
static bool is_full(const dpc_reader *in, int64_t v, const dpc_levels *levels)
{
    return dpc_reader_said(in, v) == DPC_TAKEN_BY_CELLS && in->options.merge_rare == 0 &&
           levels->names.count > most_levels(in);
}

/*
 * A cell that is missing: among texts None is a level (no drug, no complaint), unless a list of
 * missing words was given. The others are counted again, without it.
 */
static bool is_missing(dpc_reader *in, const dpc_cell *cell, int64_t v)
{
    static const char none[] = "None";
    double value;
    int word;
    dpc_cell trimmed = *cell;
    if (dpc_reader_kind(in, cell, &value, &word) != DPC_KIND_MISSING)
        return false;
    dpc_trim(&trimmed.text, &trimmed.length);
    if (in->options.n_na == 0 && trimmed.length == strlen(none) &&
        dpc_same_word(trimmed.text, none, trimmed.length)) {
        dpc_seen_add(&in->levels[v].none, cell, v);
        return false;
    }
    dpc_seen_add(&in->tally.missing[v], cell, v);
    in->tally.words[v] |= UINT64_C(1) << (word < DPC_NA_BITS ? word : DPC_NA_BITS - 1);
    return true;
}

static void take_cell(void *context, const dpc_cell *cell, int64_t v)
{
    finding *f = context;
    dpc_reader *in = f->in;
    dpc_levels *levels = &in->levels[v];
    if (!levels->text || f->failed)
        return;
    int64_t row = levels->row++;
    levels->many = levels->many || is_full(in, v, levels);
    if (levels->many)
        return;
    double *to = &f->table->values[in->place[v] * f->table->n_obs + row];
    *to = is_missing(in, cell, v) ? NAN : (double)count_level(f, levels, cell);
}

/* How many levels are left when the rare ones are one. */
static int64_t n_levels(const dpc_reader *in, const dpc_levels *levels)
{
    int64_t kept = 0, rare = 0;
    for (int i = 0; i < levels->names.count; i++)
        if (levels->counts[i] < in->options.merge_rare)
            rare++;
        else
            kept++;
    return kept + (rare > 0);
}

/* Numbers that measure something, with a word among them: too many, or hardly any one twice. */
static bool measures(const dpc_reader *in, int64_t v, const dpc_levels *levels)
{
    return levels->mixed && dpc_reader_said(in, v) == DPC_TAKEN_BY_CELLS &&
           (levels->many || levels->names.count > most_levels(in) ||
            2 * (int64_t)levels->names.count > n_there(in, v));
}

static dpc_status find_in(dpc_reader *in, dpc_table *table)
{
    finding f = {.in = in, .table = table};
    for (int64_t v = 0; v < in->n_variables; v++)
        if (in->levels[v].text) {
            in->tally.missing[v] = (dpc_seen){0};
            in->tally.words[v] = 0;
        }
    dpc_reader_visit(in, take_cell, &f);
    free(f.copy);
    for (int64_t v = 0; v < in->n_variables && !f.failed; v++)
        if (in->levels[v].text && measures(in, v, &in->levels[v]))
            in->levels[v].text = false;
    return f.failed ? DPC_NO_MEMORY : DPC_OK;
}

dpc_status dpc_reader_find_levels(dpc_reader *in, dpc_table *table)
{
    bool any = false;
    if (in->options.matrix)
        return DPC_OK;
    for (int64_t v = 0; v < in->n_variables && !any; v++)
        any = has_text_levels(in, v);
    if (!any)
        return DPC_OK;
    in->levels = dpc_zalloc(in->n_variables, sizeof *in->levels);
    if (in->levels == NULL)
        return DPC_NO_MEMORY;
    for (int64_t v = 0; v < in->n_variables; v++) {
        in->levels[v].text = has_text_levels(in, v);
        in->levels[v].mixed = in->tally.text[v].count < n_there(in, v);
    }
    /* of shifted rows only the lines are told */
    return in->tally.unlike_rows.count == 0 && in->values != NULL ? find_in(in, table) : DPC_OK;
}

/* ---- What is none ---- */

static dpc_status refuse_dates(const dpc_reader *in, int64_t v, dpc_audit *audit)
{
    char name[DPC_LABEL_SIZE], first[DPC_CLIP_SIZE], typed[DPC_CLIP_SIZE];
    const dpc_seen *text = &in->tally.text[v];
    dpc_reader_typed(in, (int)v, typed);
    return dpc_findings_add(audit, DPC_ERROR,
                            "%s holds dates or times, the first '%s' on line %lld; exclude it with "
                            "--drop %s, or convert it to a number. If these are categories, use "
                            "--types %s=nominal",
                            dpc_reader_label(in, (int)v, name), dpc_csv_clip(&text->first, first),
                            dpc_reader_line(in, text->first.text), typed, typed);
}

static dpc_status refuse_names(const dpc_reader *in, int64_t v, dpc_audit *audit)
{
    char name[DPC_LABEL_SIZE], first[DPC_CLIP_SIZE], typed[DPC_CLIP_SIZE], many[64];
    const dpc_seen *text = &in->tally.text[v];
    if (in->levels[v].many)
        snprintf(many, sizeof many, "more than %lld", (long long)most_levels(in));
    else
        snprintf(many, sizeof many, "%d", in->levels[v].names.count);
    return dpc_findings_add(audit, DPC_ERROR,
                            "%s has %s different texts in %lld rows, the first '%s' on line %lld, "
                            "and looks like a name or identifier; exclude it with --drop %s",
                            dpc_reader_label(in, (int)v, name), many,
                            (long long)dpc_reader_n_cells(in), dpc_csv_clip(&text->first, first),
                            dpc_reader_line(in, text->first.text),
                            dpc_reader_typed(in, (int)v, typed));
}

/* Too many levels to be categories. Who says that they are must have one of them twice. */
static bool are_names(const dpc_reader *in, int64_t v)
{
    const dpc_levels *levels = &in->levels[v];
    dpc_taken_as said = dpc_reader_said(in, v);
    int different = levels->names.count;
    if (said == DPC_TAKEN_ORDERED)
        return false;
    if (levels->many || (different > 2 && different == n_there(in, v)))
        return true;
    int64_t left = n_levels(in, levels);
    return said == DPC_TAKEN_BY_CELLS && (left > most_levels(in) || (left == 1 && different > 1));
}

dpc_status dpc_reader_audit_levels(const dpc_reader *in, dpc_audit *audit)
{
    int dates = 0, names = 0;
    if (in->levels == NULL || in->tally.unlike_rows.count > 0)
        return DPC_OK;
    for (int64_t v = 0; v < in->n_variables; v++) {
        if (!in->levels[v].text)
            continue;
        if (in->levels[v].dates && dpc_reader_said(in, v) == DPC_TAKEN_BY_CELLS) {
            if (++dates <= DPC_MOST_NAMED)
                DPC_CHECK(refuse_dates(in, v, audit));
        } else if (are_names(in, v) && ++names <= DPC_MOST_NAMED) {
            DPC_CHECK(refuse_names(in, v, audit));
        }
    }
    DPC_CHECK(dpc_findings_more(audit, DPC_ERROR, dates, "columns hold dates or times"));
    return dpc_findings_more(audit, DPC_ERROR, names, "columns look like names or identifiers");
}
