/*
 * Which field of a row is what.
 *
 * Row names are recognised in three ways: the header is one field short (R's write.table), its
 * first field is empty (R's write.csv, pandas), or the first column holds different texts
 * (read_row_names.c).
 *
 * Fields that are nothing: those that have no name and, in all rows, no value. Delimiters at the
 * ends of lines make such, in the header, in the rows or in both.
 *
 * A transposed table has a variable on each line, behind its name. The line above may be one more
 * variable, or the names of the observations: it is the latter where it is one field short, where
 * its first field is empty, where there are texts on it, or the numbers of the observations.
 */
#include "findings.h"
#include "read.h"
#include "status.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Lines ---- */

static dpc_status read_header(dpc_reader *in, dpc_audit *audit)
{
    if (in->header == NULL)
        return DPC_OK;
    int64_t fields = dpc_csv_count(in->header, in->delimiter);
    if (fields >= INT_MAX)
        return dpc_reader_refuse(audit, "the header has %lld fields, more than can be used",
                                 (long long)fields);
    in->header_cells = dpc_arena_alloc(&in->memory, fields, sizeof *in->header_cells);
    if (in->header_cells == NULL)
        return DPC_NO_MEMORY;
    in->n_names = (int)fields;
    for (dpc_csv_cells r = dpc_record_at(in->header, in->delimiter); dpc_record_next(&r);)
        in->header_cells[r.index] = r.cell;
    return DPC_OK;
}

static void use_header_as_row(dpc_reader *in)
{
    in->below = in->header;
    in->header = NULL;
    in->header_cells = NULL;
    in->n_names = 0;
    in->numbers_header = false;
}

/* A line that shows what the rows are like: neither blank nor, if that can be, with a #. */
static const char *sample_row(const dpc_reader *in)
{
    const char *p = in->below;
    while (p < in->end) {
        const char *q = p;
        while (*q == ' ' || *q == '\t' || *q == in->delimiter)
            q++;
        if (!dpc_csv_at_end(*q) && (*q != '#' || in->hash_rows))
            return p;
        p = dpc_reader_next_line(p);
    }
    return NULL;
}

/* ---- Fields that are nothing ---- */

/* Of the fields that are true in `empty`, which have no value in any row? */
static int find_empty_fields(const dpc_reader *in, bool *empty, int candidates)
{
    const char *p = dpc_reader_row(in, in->below, NULL);
    while (p < in->end && candidates > 0) {
        dpc_csv_cells r = dpc_record_at(p, in->delimiter);
        while (dpc_record_next(&r))
            if (r.index < in->n_fields && empty[r.index] && r.cell.length > 0) {
                empty[r.index] = false;
                candidates--;
            }
        p = r.after == DPC_CSV_UNCLOSED ? in->end
                                        : dpc_reader_row(in, dpc_csv_over_break(r.p), NULL);
    }
    return candidates;
}

static bool has_no_name(const dpc_reader *in, int field)
{
    int i = field - in->first_name;
    return in->header == NULL || i < 0 || i >= in->n_names || in->header_cells[i].length == 0;
}

/* Without a header only the last field can be known as one that nobody meant. */
static dpc_status drop_empty_fields(dpc_reader *in)
{
    int candidates = 0;
    bool *empty = dpc_arena_zalloc(&in->memory, in->n_fields, sizeof *empty);
    if (empty == NULL)
        return DPC_NO_MEMORY;
    bool only_last = in->header == NULL || in->options.transpose;
    for (int field = only_last ? in->n_fields - 1 : in->n_row_names; field < in->n_fields; field++)
        if (field > 0 && has_no_name(in, field)) {
            empty[field] = true;
            candidates++;
        }
    in->empty_fields = find_empty_fields(in, empty, candidates);
    for (int field = 0; field < in->n_fields; field++)
        in->no_values[field] = in->no_values[field] || empty[field];
    return DPC_OK;
}

/* Do all rows that have as many fields end with a delimiter and nothing behind it? */
static bool rows_end_empty(const dpc_reader *in)
{
    dpc_row_ends ends;
    for (const char *p = in->below; dpc_reader_next_row(in, &p, &ends);)
        if (ends.fields == in->n_fields && ends.last.length > 0)
            return false;
    return true;
}

/* ---- Row names ---- */

static dpc_status find_row_names(dpc_reader *in)
{
    bool nameless = in->header != NULL && in->header_cells[0].length == 0;
    /* a matrix whose first line holds numbers may have no header, and then no row names */
    bool none = in->n_fields < 2 || (in->options.matrix && in->numbers_header);
    if (in->n_row_names > 0 || (nameless && in->n_fields > 1)) {
        in->n_row_names = 1;
        return DPC_OK;
    }
    dpc_status status = none ? DPC_OK : dpc_reader_guess_row_names(in, &in->guessed);
    in->n_row_names = in->guessed;
    return status;
}

/* ---- Lines below the header that are no rows ---- */

/* Units under the names: a line without a number above one of numbers. */
static bool is_units(const dpc_reader *in, const char *p, const char *below)
{
    const char *next = dpc_reader_row(in, below, NULL);
    if (next >= in->end || dpc_csv_count(p, in->delimiter) != in->n_fields ||
        dpc_csv_count(next, in->delimiter) != in->n_fields || in->n_fields < 2 ||
        !dpc_reader_has_numbers(in, next, in->delimiter, 1))
        return false;
    int texts = 0;
    for (dpc_csv_cells r = dpc_record_at(p, in->delimiter); dpc_record_next(&r);) {
        double value;
        dpc_kind kind = dpc_reader_kind(in, &r.cell, &value, NULL);
        if (dpc_is_number(kind))
            return false;
        texts += r.index > 0 && kind == DPC_KIND_TEXT;
    }
    return texts > 0;
}

static void find_units(dpc_reader *in, const char *row)
{
    const char *open = row, *below = dpc_csv_skip(&open, in->delimiter);
    if (in->header == NULL || below == NULL || !is_units(in, row, below))
        return;
    in->units = row;
    in->below = below;
}

/* ---- Numbers in the place of names ---- */

static bool twice(const dpc_reader *in)
{
    for (int i = 1; i < in->n_names; i++) /* a few, or the first are enough */
        for (int j = 0; j < i && j < 100; j++)
            if (in->header_cells[i].length == in->header_cells[j].length &&
                memcmp(in->header_cells[i].text, in->header_cells[j].text,
                       in->header_cells[i].length) == 0)
                return true;
    return false;
}

/* Where a row has numbers, has the header too, and one of them no whole one? */
static bool is_like_a_row(const dpc_reader *in, const char *row)
{
    bool broken = false, any = false;
    for (dpc_csv_cells r = dpc_record_at(row, in->delimiter); dpc_record_next(&r);) {
        double value;
        const dpc_cell *name = &in->header_cells[r.index]; /* there are as many */
        if (!dpc_is_number(dpc_reader_kind(in, &r.cell, &value, NULL)))
            continue;
        dpc_kind kind = dpc_reader_kind(in, name, &value, NULL);
        if (!dpc_is_number(kind))
            return false;
        any = true;
        broken = broken || memchr(name->text, '.', name->length) != NULL || *name->text == '-' ||
                 kind == DPC_KIND_ODD;
    }
    return any && broken;
}

static void look_at_names(dpc_reader *in, const char *row)
{
    if (in->header == NULL || in->options.transpose)
        return;
    bool numbers = dpc_reader_has_numbers(in, in->header, in->delimiter, 0);
    if (numbers && !in->options.matrix && twice(in)) {
        in->numbers_row = true;
        use_header_as_row(in);
        return;
    }
    bool same = row != NULL && dpc_csv_count(row, in->delimiter) == in->n_names;
    in->numbers_header = numbers || (same && is_like_a_row(in, row));
}

/* ---- Transposed ---- */

/* 1, 2, 3, … or 0, 1, 2, …, behind the first cell. */
static bool counts(const dpc_reader *in)
{
    double first = NAN;
    for (int i = 1; i < in->n_names; i++) {
        double value;
        if (dpc_reader_kind(in, &in->header_cells[i], &value, NULL) != DPC_KIND_NUMBER)
            return false;
        first = i == 1 ? value : first;
        if (value != first + (i - 1) || (first != 0 && first != 1))
            return false;
    }
    return in->n_names > 2;
}

static dpc_status lay_out_transposed(dpc_reader *in, dpc_audit *audit)
{
    const char *row = sample_row(in);
    int64_t fields = row != NULL ? dpc_csv_count(row, in->delimiter) : in->n_names;
    bool variable = in->header != NULL && fields != (int64_t)in->n_names + 1 &&
                    in->header_cells[0].length > 0 && !counts(in) &&
                    dpc_reader_has_numbers(in, in->header, in->delimiter, 1);
    if (variable || (row == NULL && in->header != NULL)) {
        use_header_as_row(in);
        row = sample_row(in);
        fields = row != NULL ? dpc_csv_count(row, in->delimiter) : 0;
    }
    if (row == NULL || fields < 2)
        return dpc_reader_refuse(audit, "there is nothing to transpose: a line needs a name and "
                                        "numbers behind it");
    if (fields >= INT_MAX)
        return dpc_reader_refuse(audit, "the lines have %lld fields, more than can be used",
                                 (long long)fields);
    in->n_fields = (int)fields;
    in->first_name = in->n_fields == in->n_names + 1;
    in->n_row_names = 1;
    return DPC_OK;
}

/* ---- All of it ---- */

static dpc_status lay_out(dpc_reader *in, dpc_audit *audit)
{
    const char *row = sample_row(in);
    look_at_names(in, row);
    if (in->numbers_row)
        row = sample_row(in);
    if (row == NULL && in->options.matrix && in->numbers_header) {
        use_header_as_row(in); /* one number */
        row = sample_row(in);
    }
    if (row == NULL)
        return dpc_reader_refuse(audit, "there are no rows below the header");
    int64_t fields = dpc_csv_count(row, in->delimiter);
    if (fields >= INT_MAX)
        return dpc_reader_refuse(audit, "line %lld has %lld fields, more than can be used",
                                 dpc_reader_line(in, row), (long long)fields);
    in->n_fields = in->header != NULL ? in->n_names : (int)fields;
    find_units(in, row);
    if (in->header == NULL)
        return DPC_OK;
    if (fields == (int64_t)in->n_names + 1) {
        in->n_fields++;
        in->n_row_names = !rows_end_empty(in);
        in->first_name = in->n_row_names;
    } else if (fields == (int64_t)in->n_names - 1 &&
               in->header_cells[in->n_names - 1].length == 0) {
        in->n_names--;
        in->n_fields--;
    }
    return DPC_OK;
}

dpc_status dpc_reader_layout(dpc_reader *in, dpc_audit *audit)
{
    DPC_CHECK(read_header(in, audit));
    DPC_CHECK(in->options.transpose ? lay_out_transposed(in, audit) : lay_out(in, audit));
    in->no_values = dpc_arena_zalloc(&in->memory, in->n_fields, sizeof *in->no_values);
    if (in->no_values == NULL)
        return DPC_NO_MEMORY;
    if (!in->options.transpose)
        DPC_CHECK(find_row_names(in));
    in->no_values[0] = in->n_row_names > 0;
    return drop_empty_fields(in);
}

void dpc_reader_square(dpc_reader *in)
{
    if (!in->options.matrix || in->header == NULL || !in->numbers_header ||
        in->n_rows + 1 != in->n_names || in->n_row_names > 0)
        return;
    const char *header = in->header;
    use_header_as_row(in);
    for (int64_t c = 1; c < in->n_chunks; c++)
        in->chunks[c].row++;
    in->chunks[0] = (dpc_chunk){header, 0};
    in->n_rows++;
}
