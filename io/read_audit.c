/* What was seen while reading, in sentences: they name the column and the line. */
#include "findings.h"
#include "read.h"
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    MOST_NAMED = 10, /* findings of one kind that are listed one by one */
    LABEL_SIZE = DPC_CLIP_SIZE + 16,
};

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

static const char *plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

static long long line_of(const dpc_reader *in, const char *at)
{
    return (long long)dpc_csv_line(in->text, at);
}

static const char *clip_cell(const dpc_cell *cell, char out[DPC_CLIP_SIZE])
{
    dpc_clip(cell->text, cell->length, cell->doubled, out);
    return out;
}

/* "column 'x'", or "column 3" where it has no name. */
static const char *label(const dpc_reader *in, int field, char out[LABEL_SIZE])
{
    const dpc_cell *name = dpc_reader_name(in, field);
    char clipped[DPC_CLIP_SIZE];
    if (name == NULL || name->length == 0)
        snprintf(out, LABEL_SIZE, "column %d", field + 1);
    else
        snprintf(out, LABEL_SIZE, "column '%s'", clip_cell(name, clipped));
    return out;
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

dpc_status dpc_reader_audit_names(const dpc_reader *in, const char *const *names, dpc_audit *audit)
{
    dpc_status status = DPC_OK;
    int found = 0;
    for (int field = in->n_row_names; field < in->n_fields && status == DPC_OK; field++) {
        const char *fault = fault_of_name(names[field - in->n_row_names]);
        if (fault != NULL && ++found <= MOST_NAMED)
            status =
                dpc_findings_add(audit, DPC_ERROR, "the name of column %d %s", field + 1, fault);
    }
    if (status == DPC_OK && found > MOST_NAMED)
        status = dpc_findings_add(audit, DPC_ERROR, "and %d more such names", found - MOST_NAMED);
    return status;
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
                 plural(ragged->fields));
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
        label(in, seen->field, name), (long long)seen->count, plural(seen->count),
        seen->count > 1 ? "the first " : "", clip_cell(&seen->first, first),
        line_of(in, seen->first.text),
        comma ? "it looks like a decimal comma: save the file with decimal points"
              : "remove or recode it");
}

static dpc_status audit_text(const dpc_reader *in, dpc_audit *audit)
{
    dpc_status status = DPC_OK;
    int found = 0;
    for (int field = 0; field < in->n_fields && status == DPC_OK; field++)
        if (in->tally.text[field].count > 0 && ++found <= MOST_NAMED)
            status = audit_text_column(in, &in->tally.text[field], audit);
    if (status == DPC_OK && found > MOST_NAMED)
        status = dpc_findings_add(audit, DPC_ERROR, "and %d more columns are not numeric",
                                  found - MOST_NAMED);
    return status;
}

static dpc_status audit_missing(const dpc_reader *in, dpc_audit *audit)
{
    const dpc_seen *seen = &in->tally.missing;
    char name[LABEL_SIZE];
    const char *advice = in->matrix ? "a matrix needs every cell"
                                    : "drop such rows with missing = rows (--missing rows), or "
                                      "fill them in";
    return dpc_findings_add(audit, DPC_ERROR,
                            "%lld missing cell%s, the first in %s on line %lld; %s",
                            (long long)seen->count, plural(seen->count),
                            label(in, seen->field, name), line_of(in, seen->first.text), advice);
}

static dpc_status audit_infinite(const dpc_reader *in, dpc_audit *audit)
{
    const dpc_seen *seen = &in->tally.infinite;
    char name[LABEL_SIZE], first[DPC_CLIP_SIZE];
    return dpc_findings_add(audit, DPC_ERROR,
                            "%lld infinite cell%s, the first '%s' in %s on line %lld; correct or "
                            "remove such rows",
                            (long long)seen->count, plural(seen->count),
                            clip_cell(&seen->first, first), label(in, seen->field, name),
                            line_of(in, seen->first.text));
}

dpc_status dpc_reader_audit_rows(const dpc_reader *in, dpc_missing missing, dpc_audit *audit)
{
    const dpc_tally *t = &in->tally;
    dpc_status status = DPC_OK;
    if (in->n_row_names > 0 && !in->guessed && !in->matrix)
        status = dpc_findings_add(audit, DPC_WARNING,
                                  "the first column, which has no name, was taken as row names");
    if (status == DPC_OK && in->guessed && !in->wrong_row_names) {
        char name[DPC_CLIP_SIZE];
        status =
            dpc_findings_add(audit, DPC_WARNING, "the first column '%s' was taken as row names",
                             clip_cell(&in->names[0], name));
    }
    if (status == DPC_OK && t->unlike_rows.count > 0) {
        status = audit_ragged(in, audit);
        /* where the row names were none, all columns were counted one off */
        if (t->unlike_rows.count >= t->unlike_header.count && in->n_fields != in->n_names)
            return status;
    }
    if (status == DPC_OK)
        status = audit_text(in, audit);
    if (status == DPC_OK && t->missing.count > 0 && missing == DPC_MISSING_ERROR)
        status = audit_missing(in, audit);
    if (status == DPC_OK && t->infinite.count > 0)
        status = audit_infinite(in, audit);
    if (status == DPC_OK && in->other_order)
        status = dpc_findings_add(audit, DPC_ERROR,
                                  "the rows of the matrix are in another order than its columns; "
                                  "sort them alike");
    int n_vars = in->n_fields - in->n_row_names;
    if (status == DPC_OK && in->matrix && in->n_rows != n_vars && t->unlike_rows.count == 0 &&
        !in->wrong_row_names)
        status =
            dpc_findings_add(audit, DPC_ERROR,
                             "the matrix has %lld row%s and %d column%s; it must have as many "
                             "rows as columns",
                             (long long)in->n_rows, plural(in->n_rows), n_vars, plural(n_vars));
    return status;
}

dpc_status dpc_reader_audit_dropped(const dpc_reader *in, int64_t dropped, dpc_audit *audit)
{
    const dpc_seen *seen = &in->tally.missing;
    char name[LABEL_SIZE];
    if (dropped == in->n_rows)
        return dpc_reader_refuse(audit,
                                 "every row has a missing cell, the first in %s on line %lld: none "
                                 "is left; remove the columns concerned",
                                 label(in, seen->field, name), line_of(in, seen->first.text));
    return dpc_findings_add(audit, DPC_WARNING,
                            "%lld of %lld rows were dropped for missing cells, the first in %s on "
                            "line %lld",
                            (long long)dropped, (long long)in->n_rows, label(in, seen->field, name),
                            line_of(in, seen->first.text));
}
