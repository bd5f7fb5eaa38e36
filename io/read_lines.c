/*
 * Which lines are rows. Blank lines and comments are none.
 *
 * A line that begins with # is a comment, unless it is a row by its shape: it has as many fields as
 * the others, and its first cell is a missing value (#N/A), or a name among row names, with numbers
 * behind it. A line of nothing but delimiters, as spreadsheets write below their tables, is blank;
 * but in a table of one column a blank line is a missing value.
 */
#include "read.h"

static bool is_blank_row(const dpc_reader *in, const char *p)
{
    while (*p == ' ' || *p == '\t' || *p == in->delimiter)
        p++;
    return dpc_csv_at_end(*p) && in->n_fields > 1;
}

static bool is_comment(const dpc_reader *in, const char *p)
{
    double value;
    if (!dpc_reader_is_hash(p) || in->hash_rows)
        return false;
    if (dpc_csv_count(p, in->delimiter) != in->n_fields)
        return true;
    dpc_csv_cells r = dpc_record_at(p, in->delimiter);
    dpc_record_next(&r);
    return dpc_reader_kind(in, &r.cell, &value, NULL) != DPC_KIND_MISSING &&
           !(in->n_row_names > 0 && dpc_reader_has_numbers(in, p, in->delimiter, 1));
}

const char *dpc_reader_pass(const dpc_reader *in, const char *p, dpc_passed *passed)
{
    while (p < in->end) {
        bool blank = is_blank_row(in, p);
        if (!blank && !is_comment(in, p))
            return p;
        if (passed != NULL)
            dpc_lines_add(blank ? &passed->blank : &passed->comments, p, 0);
        p = dpc_reader_next_line(p);
    }
    return in->end;
}

bool dpc_reader_next_row(const dpc_reader *in, const char **p, dpc_row_ends *ends)
{
    dpc_csv_cells r = dpc_record_at(dpc_reader_row(in, *p, NULL), in->delimiter);
    if (r.p >= in->end)
        return false;
    while (dpc_record_next(&r))
        ends->first = r.index == 0 ? r.cell : ends->first;
    ends->last = r.cell;
    ends->fields = r.index + 1;
    *p = dpc_csv_over_break(r.p);
    return r.after != DPC_CSV_UNCLOSED;
}
