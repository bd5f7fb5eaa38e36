/*
 * What was seen while reading, in sentences: they name the column and the line. The order of the
 * findings, and the sentences that others have too, are those of core/data/audit.c.
 */
#include "audit.h"
#include "findings.h"
#include "read.h"
#include "table.h"
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LABEL_SIZE = DPC_CLIP_SIZE + 16 };

dpc_status dpc_reader_refuse(dpc_audit *audit, const char *format, ...)
{
    char text[DPC_MESSAGE_SIZE];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    dpc_status status = dpc_findings_add(audit, DPC_ERROR, "%s", text);
    return status == DPC_OK ? DPC_BAD_INPUT : status;
}

static long long line_of(const dpc_reader *in, const char *at)
{
    return (long long)dpc_csv_line(in->text, at);
}

/* "column 'x'", or "column 3" where it has no name. */
static const char *label(const dpc_reader *in, int field, char out[LABEL_SIZE])
{
    const dpc_cell *name = dpc_reader_name(in, field);
    char clipped[DPC_CLIP_SIZE];
    if (name == NULL || name->length == 0)
        snprintf(out, LABEL_SIZE, "column %d", field + 1);
    else
        snprintf(out, LABEL_SIZE, "column '%s'", dpc_csv_clip(name, clipped));
    return out;
}

/* "column 'x' on line 7": where the first of these cells is. */
static const char *where_is(const dpc_reader *in, const dpc_seen *seen, char out[DPC_WHERE_SIZE])
{
    char name[LABEL_SIZE];
    snprintf(out, DPC_WHERE_SIZE, "%s on line %lld", label(in, seen->field, name),
             line_of(in, seen->first.text));
    return out;
}

/* ---- The layout ---- */

static dpc_status audit_row_names(const dpc_reader *in, dpc_audit *audit)
{
    char name[DPC_CLIP_SIZE];
    if (in->guessed && !in->wrong_row_names)
        return dpc_findings_add(audit, DPC_WARNING, "the first column '%s' was taken as row names",
                                dpc_csv_clip(&in->names[0], name));
    if (in->n_row_names > 0 && !in->guessed && !in->matrix)
        return dpc_findings_add(audit, DPC_WARNING,
                                "the first column, which has no name, was taken as row names");
    return DPC_OK;
}

/* ---- The header ---- */

/* What is wrong with a name; NULL: nothing that reading could tell. */
static const char *fault_of_name(const char *name)
{
    size_t left = strlen(name);
    while (left > 0) {
        int length = dpc_utf8_length(name, left);
        if (length == 0)
            return "is not UTF-8; save the file as UTF-8";
        if (dpc_is_control(name, length))
            return "holds a line break or another control character; rename it";
        name += length;
        left -= (size_t)length;
    }
    return NULL;
}

static dpc_status audit_names(const dpc_reader *in, const dpc_table *table, dpc_audit *audit)
{
    dpc_status status = DPC_OK;
    int found = 0, first = in->n_row_names + 1;
    for (int j = 0; j < table->n_vars && status == DPC_OK; j++) {
        const char *fault = fault_of_name(table->names[j]);
        if (fault != NULL && ++found <= DPC_MOST_NAMED)
            status =
                dpc_findings_add(audit, DPC_ERROR, "the name of column %d %s", first + j, fault);
    }
    if (status == DPC_OK)
        status = dpc_findings_more(audit, DPC_ERROR, found, "such names");
    return status == DPC_OK ? dpc_audit_names(table->names, table->n_vars, first, audit) : status;
}

/* ---- The rows ---- */

static dpc_status audit_ragged(const dpc_reader *in, dpc_audit *audit)
{
    /* with row names outside the header, what most lines have is what is meant */
    const dpc_tally *t = &in->tally;
    bool as_rows = t->unlike_rows.count < t->unlike_header.count;
    const dpc_ragged *ragged = as_rows ? &t->unlike_rows : &t->unlike_header;
    char has[48], expected[96], all[48] = "it";
    if (dpc_csv_at_end(*dpc_csv_over_blanks(ragged->first, in->delimiter)))
        snprintf(has, sizeof has, "is blank");
    else
        snprintf(has, sizeof has, "has %lld field%s", (long long)ragged->fields,
                 dpc_plural(ragged->fields));
    if (as_rows)
        snprintf(expected, sizeof expected, "the header has %d, or %d with the row names",
                 in->n_names, in->n_fields);
    else
        snprintf(expected, sizeof expected, "the %s has %d",
                 in->headerless ? "first line" : "header", in->n_names);
    if (ragged->count > 1)
        snprintf(all, sizeof all, "all %lld such lines", (long long)ragged->count);
    return dpc_findings_add(audit, DPC_ERROR, "line %lld %s, %s; correct or remove %s",
                            line_of(in, ragged->first), has, expected, all);
}

bool dpc_reader_decimal_comma(const dpc_reader *in, const dpc_cell *cell)
{
    char text[DPC_CLIP_BYTES + 1];
    const char *comma = memchr(cell->text, ',', cell->length);
    if (comma == NULL || cell->length >= sizeof text)
        return false;
    memcpy(text, cell->text, cell->length);
    text[cell->length] = '\0';
    text[comma - cell->text] = '.';
    double value;
    return dpc_number_scan(text, in->c_locale, &value) == text + cell->length;
}

static dpc_status audit_text_column(const dpc_reader *in, const dpc_seen *seen, dpc_audit *audit)
{
    char name[LABEL_SIZE], first[DPC_CLIP_SIZE];
    bool comma = dpc_reader_decimal_comma(in, &seen->first);
    return dpc_findings_add(
        audit, DPC_ERROR, "%s is not numeric: %lld cell%s, %s'%s' on line %lld; %s",
        label(in, seen->field, name), (long long)seen->count, dpc_plural(seen->count),
        seen->count > 1 ? "the first " : "", dpc_csv_clip(&seen->first, first),
        line_of(in, seen->first.text),
        comma ? "it looks like a decimal comma: save the file with decimal points"
              : "remove or recode it");
}

static dpc_status audit_text(const dpc_reader *in, dpc_audit *audit)
{
    dpc_status status = DPC_OK;
    int found = 0;
    for (int field = 0; field < in->n_fields && status == DPC_OK; field++)
        if (in->tally.text[field].count > 0 && ++found <= DPC_MOST_NAMED)
            status = audit_text_column(in, &in->tally.text[field], audit);
    return status == DPC_OK ? dpc_findings_more(audit, DPC_ERROR, found, "columns are not numeric")
                            : status;
}

static dpc_status audit_inexact(const dpc_reader *in, dpc_audit *audit)
{
    char name[LABEL_SIZE], first[DPC_CLIP_SIZE];
    dpc_status status = DPC_OK;
    int found = 0;
    for (int field = 0; field < in->n_fields && status == DPC_OK; field++) {
        const dpc_seen *seen = &in->tally.inexact[field];
        if (seen->count > 0 && ++found <= DPC_MOST_NAMED)
            status = dpc_findings_add(
                audit, DPC_WARNING,
                "%s has more digits than can be kept: %lld number%s beyond 2^53 %s rounded, %s'%s' "
                "on line %lld; subtract what they have in common",
                label(in, field, name), (long long)seen->count, dpc_plural(seen->count),
                seen->count == 1 ? "was" : "were", seen->count > 1 ? "the first " : "",
                dpc_csv_clip(&seen->first, first), line_of(in, seen->first.text));
    }
    return status == DPC_OK
               ? dpc_findings_more(audit, DPC_WARNING, found, "columns with such numbers")
               : status;
}

/* Missing and infinite cells. */
static dpc_status audit_values(const dpc_reader *in, dpc_missing missing, dpc_audit *audit)
{
    const dpc_tally *t = &in->tally;
    char where[DPC_WHERE_SIZE], first[DPC_CLIP_SIZE];
    dpc_status status = DPC_OK;
    if (t->missing.count > 0 && missing == DPC_MISSING_ERROR)
        status = dpc_audit_missing(t->missing.count, where_is(in, &t->missing, where),
                                   in->matrix ? "a matrix needs every cell"
                                              : "drop such rows with missing = rows (--missing "
                                                "rows), or fill them in",
                                   audit);
    if (status == DPC_OK && t->infinite.count > 0)
        status = dpc_audit_infinite(t->infinite.count, dpc_csv_clip(&t->infinite.first, first),
                                    where_is(in, &t->infinite, where), audit);
    return status;
}

/* What a matrix must be, beyond a table. */
static dpc_status audit_matrix(const dpc_reader *in, dpc_audit *audit)
{
    int n_vars = in->n_fields - in->n_row_names;
    dpc_status status = DPC_OK;
    if (in->other_order)
        status = dpc_findings_add(audit, DPC_ERROR,
                                  "the rows of the matrix are in another order than its columns; "
                                  "sort them alike");
    if (status == DPC_OK && in->n_rows != n_vars && in->tally.unlike_rows.count == 0 &&
        !in->wrong_row_names)
        status = dpc_findings_add(audit, DPC_ERROR,
                                  "the matrix has %lld row%s and %d column%s; it must have as many "
                                  "rows as columns",
                                  (long long)in->n_rows, dpc_plural(in->n_rows), n_vars,
                                  dpc_plural(n_vars));
    return status;
}

dpc_status dpc_reader_audit(const dpc_reader *in, const dpc_table *table, dpc_missing missing,
                            dpc_audit *audit)
{
    const dpc_tally *t = &in->tally;
    dpc_status status = audit_row_names(in, audit);
    if (status == DPC_OK)
        status = audit_names(in, table, audit);
    if (status == DPC_OK && t->unlike_rows.count > 0) {
        status = audit_ragged(in, audit);
        /* where the row names were none, all columns were counted one off */
        if (t->unlike_rows.count >= t->unlike_header.count && in->n_fields != in->n_names)
            return status;
    }
    if (status == DPC_OK)
        status = audit_text(in, audit);
    if (status == DPC_OK)
        status = audit_inexact(in, audit);
    if (status == DPC_OK)
        status = audit_values(in, missing, audit);
    return status == DPC_OK && in->matrix ? audit_matrix(in, audit) : status;
}

dpc_status dpc_reader_audit_dropped(const dpc_reader *in, int64_t dropped, dpc_audit *audit)
{
    char where[DPC_WHERE_SIZE];
    where_is(in, &in->tally.missing, where);
    if (dropped == in->n_rows)
        return dpc_reader_refuse(audit,
                                 "every row has a missing cell, the first in %s: none is left; "
                                 "remove the columns concerned",
                                 where);
    return dpc_findings_add(audit, DPC_WARNING,
                            "%lld of %lld rows were dropped for missing cells, the first in %s",
                            (long long)dropped, (long long)in->n_rows, where);
}
