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
    dpc_cell first;
    double value;
    const char *after = p;
    if (!dpc_reader_is_hash(p) || in->hash_rows)
        return false;
    if (dpc_csv_count(p, in->delimiter) != in->n_fields)
        return true;
    dpc_csv_next(&after, in->delimiter, &first);
    return dpc_reader_kind(in, &first, &value, NULL) != DPC_KIND_MISSING &&
           !(in->n_row_names > 0 && dpc_reader_has_numbers(in, p, in->delimiter, 1));
}

static void note_line(dpc_lines *lines, const char *p)
{
    if (lines->count++ == 0)
        lines->first = p;
}

const char *dpc_reader_pass(const dpc_reader *in, const char *p, dpc_passed *passed)
{
    while (p < in->end) {
        bool blank = is_blank_row(in, p);
        if (!blank && !is_comment(in, p))
            return p;
        if (passed != NULL)
            note_line(blank ? &passed->blank : &passed->comments, p);
        p = dpc_reader_next_line(p);
    }
    return in->end;
}

bool dpc_reader_next_row(const dpc_reader *in, const char **p, dpc_row_ends *ends)
{
    const char *q = dpc_reader_row(in, *p, NULL);
    if (q >= in->end)
        return false;
    dpc_csv_after after = dpc_csv_next(&q, in->delimiter, &ends->first);
    ends->last = ends->first;
    for (ends->fields = 1; after == DPC_CSV_CELL; ends->fields++)
        after = dpc_csv_next(&q, in->delimiter, &ends->last);
    *p = dpc_csv_over_break(q);
    return after != DPC_CSV_UNCLOSED;
}
