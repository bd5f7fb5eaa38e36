/* How a file was taken apart, in sentences: what is not as plain as it could be is told. */
#include "findings.h"
#include "read.h"
#include "status.h"
#include "text.h"

#include <stdio.h>

static dpc_status note_lines(const dpc_reader *in, const dpc_lines *lines, const char *one,
                             const char *many, dpc_audit *audit)
{
    if (lines->count == 0)
        return DPC_OK;
    if (lines->count == 1)
        return dpc_findings_add(audit, DPC_WARNING, "line %lld is %s and was left out",
                                dpc_reader_line(in, lines->first), one);
    return dpc_findings_add(audit, DPC_WARNING,
                            "%lld lines are %s and were left out, the first is line %lld",
                            (long long)lines->count, many, dpc_reader_line(in, lines->first));
}

static dpc_status note_header(const dpc_reader *in, dpc_audit *audit)
{
    if (in->hash_header)
        return dpc_findings_add(audit, DPC_WARNING,
                                "line %lld begins with # and was taken as the header: it has a "
                                "name for each field of the rows",
                                dpc_reader_line(in, in->header));
    if (in->numbers_row)
        return dpc_findings_add(audit, DPC_WARNING,
                                "the file seems to have no header: its first line holds only "
                                "numbers, some of them twice, and was taken as a row; the columns "
                                "are called V1, V2, …");
    if (in->numbers_header)
        return dpc_findings_add(audit, DPC_WARNING,
                                "the file seems to have no header: its first line holds numbers "
                                "like the rows and was taken as names; if it is a row, read the "
                                "file with no_header (--no-header)");
    if (in->options.transpose && in->header != NULL)
        return dpc_findings_add(audit, DPC_WARNING,
                                "line %lld was taken as the names of the observations; if it is a "
                                "variable, read the file with no_header (--no-header)",
                                dpc_reader_line(in, in->header));
    return DPC_OK;
}

static dpc_status note_row_names(const dpc_reader *in, dpc_audit *audit)
{
    char name[DPC_CLIP_SIZE];
    if (in->options.transpose)
        return DPC_OK;
    if (in->guessed && in->header != NULL)
        return dpc_findings_add(audit, DPC_WARNING, "the first column '%s' was taken as row names",
                                dpc_clip_name(in->names[0], name));
    bool nameless = in->guessed || (in->n_row_names > 0 && *in->names[0] == '\0');
    if (nameless && !in->options.matrix)
        return dpc_findings_add(audit, DPC_WARNING,
                                "the first column, which has no name, was taken as row names");
    return DPC_OK;
}

/* Names in the first column, and more columns than rows: as tables of genes come. */
static dpc_status note_shape(const dpc_reader *in, dpc_audit *audit)
{
    double value;
    dpc_csv_cells r = dpc_record_at(in->chunks[0].begin, in->delimiter);
    dpc_record_next(&r);
    if (in->options.transpose || in->options.matrix || in->n_row_names == 0 ||
        in->n_rows >= in->n_vars || dpc_is_number(dpc_reader_kind(in, &r.cell, &value, NULL)))
        return DPC_OK;
    return dpc_findings_add(audit, DPC_WARNING,
                            "there are more columns (%d) than rows (%lld), and the rows have "
                            "names: if these are the variables, read the file with transpose "
                            "(--transpose)",
                            in->n_vars, (long long)in->n_rows);
}

static dpc_status note_empty_fields(const dpc_reader *in, dpc_audit *audit)
{
    if (in->empty_fields == 0)
        return DPC_OK;
    return dpc_findings_add(
        audit, DPC_WARNING, "%d column%s without a name and without a value %s left out",
        in->empty_fields, dpc_plural(in->empty_fields), in->empty_fields == 1 ? "was" : "were");
}

static dpc_status note_spelling(const dpc_reader *in, dpc_audit *audit)
{
    static const char *const TOLD[] = {
        "the numbers of %s have a decimal comma, and were read so",
        "the numbers of %s have commas between thousands, which were left out",
        "the numbers of %s have percent signs, which were left out",
        "the numbers of %s have Fortran's D for the exponent, and were read so",
    };
    for (int i = 0; in->spellings != NULL && i < 4; i++) {
        char name[DPC_CLIP_SIZE], which[DPC_CLIP_SIZE + 64], text[256];
        int64_t count = 0;
        for (int64_t v = 0; v < in->n_variables; v++)
            if ((in->spellings[v].as >> i & 1) != 0 && count++ == 0)
                dpc_clip_name(in->names[v], name);
        if (count == 0)
            continue;
        if (count == 1)
            snprintf(which, sizeof which, "column '%s'", name);
        else
            snprintf(which, sizeof which, "%lld columns, the first is '%s',", (long long)count,
                     name);
        snprintf(text, sizeof text, TOLD[i], which);
        DPC_CHECK(dpc_findings_add(audit, DPC_WARNING, "%s", text));
    }
    return DPC_OK;
}

dpc_status dpc_reader_notes(const dpc_reader *in, dpc_audit *audit)
{
    DPC_CHECK(note_lines(in, &in->passed.comments, "a comment", "comments", audit));
    DPC_CHECK(note_lines(in, &in->passed.blank, "blank", "blank", audit));
    DPC_CHECK(note_header(in, audit));
    if (in->units != NULL)
        DPC_CHECK(dpc_findings_add(audit, DPC_WARNING,
                                   "line %lld, below the header, has no numbers; it was taken for "
                                   "units and left out",
                                   dpc_reader_line(in, in->units)));
    DPC_CHECK(note_row_names(in, audit));
    DPC_CHECK(note_shape(in, audit));
    DPC_CHECK(note_empty_fields(in, audit));
    if (in->windows)
        DPC_CHECK(dpc_findings_add(audit, DPC_WARNING,
                                   "the names are not UTF-8; they were read as Windows-1252 "
                                   "(Latin-1)"));
    return note_spelling(in, audit);
}
