/*
 * From bytes to a text, and which of its lines is the header.
 *
 * Lines that begin with # are comments, with one exception: the last of them above the first other
 * line is the header where it has a name for each field of that line, and that line is a row
 * (numpy.savetxt writes such files, and others have a name that begins with #).
 */
#include "encoding.h"
#include "error.h"
#include "memory.h"
#include "read.h"
#include "source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Text ---- */

static dpc_status decode(dpc_reader *in, size_t *size)
{
    char *text = NULL;
    dpc_status status = dpc_from_utf16(in->bytes, *size, &text, size);
    if (status != DPC_OK)
        return status;
    free(in->bytes);
    in->bytes = text;
    return DPC_OK;
}

static dpc_status check_encoding(dpc_reader *in, size_t *size, dpc_audit *audit)
{
    const char *foreign = dpc_foreign_format(in->bytes, *size), *nul;
    if (foreign != NULL)
        return dpc_reader_refuse(audit, "the file is %s", foreign);
    if (dpc_is_utf16(in->bytes, *size)) {
        dpc_status status = decode(in, size);
        if (status != DPC_OK)
            return status;
    }
    if (dpc_source_encoding(in->bytes, *size, &in->text, &nul) == DPC_ENCODING_BINARY)
        return dpc_reader_refuse(audit,
                                 "line %lld has a NUL byte: the file looks binary; save it as text "
                                 "(CSV in UTF-8)",
                                 (long long)dpc_csv_line(in->text, nul));
    return DPC_OK;
}

/* Blank lines after the last row are left out; blanks that are no delimiters too. */
static void trim_end(dpc_reader *in, size_t size)
{
    char *end = in->bytes + size;
    while (end > in->text && (dpc_csv_at_end(end[-1]) || end[-1] == ' '))
        end--;
    /* tabs only if the line has nothing else: they may be cells */
    for (char *p = end; p > in->text && (p[-1] == '\t' || p[-1] == ' ' || dpc_csv_at_end(p[-1]));) {
        p--;
        if (dpc_csv_at_end(*p) || p == in->text)
            end = p;
    }
    *end = '\0';
    in->end = end;
}

dpc_status dpc_reader_open(dpc_reader *in, dpc_audit *audit, dpc_error *err)
{
    size_t size;
    dpc_status status = dpc_source_read(in->path, in->crew, &in->bytes, &size, err);
    if (status == DPC_OK && size == 0)
        return dpc_fail(err, DPC_BAD_INPUT, "%s: is empty; it needs a header and rows of numbers",
                        dpc_source_name(in->path));
    if (status == DPC_OK)
        status = check_encoding(in, &size, audit);
    if (status != DPC_OK)
        return status;
    trim_end(in, size);
    in->c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (in->c_locale == (locale_t)0)
        return DPC_NO_MEMORY;
    return dpc_na_init(&in->na, in->options.na, in->options.n_na, in->c_locale);
}

/* ---- Cells and lines ---- */

dpc_kind dpc_reader_kind(const dpc_reader *in, const dpc_cell *cell, double *value, int *word)
{
    int ignored;
    word = word != NULL ? word : &ignored;
    const char *text = cell->text;
    size_t length = cell->length;
    dpc_kind kind = dpc_number_classify(text, length, in->c_locale, value);
    *word = kind == DPC_KIND_MISSING && length > 0 && strspn(text, " \t") < length ? DPC_NA_NAN
                                                                                   : DPC_NA_EMPTY;
    if (kind == DPC_KIND_NUMBER && in->na.has_numbers) {
        *word = dpc_na_find_number(&in->na, *value);
        if (*word >= 0)
            kind = DPC_KIND_MISSING;
    } else if (kind == DPC_KIND_TEXT) {
        for (; length > 0 && (*text == ' ' || *text == '\t'); length--)
            text++;
        while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t'))
            length--;
        *word = dpc_na_find(&in->na, text, length);
        if (*word >= 0)
            kind = DPC_KIND_MISSING;
    }
    if (kind == DPC_KIND_MISSING)
        *value = NAN;
    return kind;
}

const char *dpc_reader_next_line(const char *p)
{
    while (!dpc_csv_at_end(*p))
        p++;
    return dpc_csv_over_break(p);
}

bool dpc_reader_is_hash(const char *p)
{
    return *dpc_csv_over_blanks(p, ',') == '#';
}

static bool is_blank(const char *p)
{
    return dpc_csv_at_end(*dpc_csv_over_blanks(p, ','));
}

static const char *over_blank_lines(const char *p)
{
    while (*p != '\0' && is_blank(p))
        p = dpc_reader_next_line(p);
    return p;
}

bool dpc_reader_has_numbers(const dpc_reader *in, const char *line, char delimiter, int from)
{
    bool any = false;
    dpc_csv_after after = DPC_CSV_CELL;
    for (int i = 0; after == DPC_CSV_CELL; i++) {
        dpc_cell cell;
        double value;
        after = dpc_csv_next(&line, delimiter, &cell);
        if (i < from)
            continue;
        dpc_kind kind = dpc_reader_kind(in, &cell, &value, NULL);
        if (kind == DPC_KIND_TEXT && !dpc_reader_is_odd_number(in, &cell))
            return false;
        any = any || kind != DPC_KIND_MISSING;
    }
    return any;
}

/* ---- The header ---- */

/* Excel's "sep=;" above the header; returns the line below it. */
static const char *over_separator(const char *p, char *delimiter)
{
    const char *q = *p == '"' ? p + 1 : p;
    if (strncmp(q, "sep=", 4) != 0 || q[4] == '\0' || strchr(",;\t ", q[4]) == NULL)
        return p;
    const char *after = q + 5 + (*p == '"' && q[5] == '"');
    if (!dpc_csv_at_end(*after))
        return p;
    *delimiter = q[4];
    return over_blank_lines(dpc_csv_over_break(after));
}

/* Is the line with # at `hash` a header for the line at `row`? Then it becomes the reader's. */
static bool take_hash_header(dpc_reader *in, const char *hash, const char *row, char delimiter)
{
    const char *names = dpc_csv_over_blanks(hash, ',') + 1;
    names = *names == ' ' ? dpc_csv_over_blanks(names, '\t') : names - 1;
    if (delimiter == '\0')
        delimiter = dpc_csv_delimiter_of(names, row);
    int64_t fields = dpc_csv_count(row, delimiter), given = dpc_csv_count(names, delimiter);
    bool fits = fields > 1 && (given == fields || given + 1 == fields) &&
                dpc_reader_has_numbers(in, row, delimiter, 1) &&
                !dpc_reader_has_numbers(in, names, delimiter, 0);
    if (!fits)
        return false;
    in->hash_header = true;
    in->header = names;
    in->delimiter = delimiter;
    in->below = row;
    return true;
}

/* The first line at `p` or below that is neither blank nor begins with #; the NUL: there is none.
 */
static const char *over_hashes(const char *p, const char **last_hash)
{
    for (p = over_blank_lines(p); dpc_reader_is_hash(p);
         p = over_blank_lines(dpc_reader_next_line(p)))
        if (last_hash != NULL)
            *last_hash = p;
    return p;
}

static dpc_status refuse_quote(const dpc_reader *in, const char *quote, dpc_audit *audit)
{
    return dpc_reader_refuse(audit,
                             "the quote that opens on line %lld is never closed; close or remove "
                             "it",
                             (long long)dpc_csv_line(in->text, quote));
}

/* The first line that is no comment is the header, or the first row. */
static dpc_status take_line(dpc_reader *in, const char *line, char delimiter, dpc_audit *audit)
{
    const char *second = line;
    in->delimiter = delimiter;
    if (delimiter == '\0') /* quotes matter only once it is known */
        in->delimiter = dpc_csv_delimiter_of(line, over_hashes(dpc_reader_next_line(line), NULL));
    const char *below = dpc_csv_skip(&second, in->delimiter);
    if (below == NULL)
        return refuse_quote(in, second, audit);
    in->header = in->options.no_header ? NULL : line;
    in->below = in->options.no_header ? line : below;
    return DPC_OK;
}

dpc_status dpc_reader_find_header(dpc_reader *in, dpc_audit *audit)
{
    char delimiter = '\0';
    const char *hash = NULL, *start = over_blank_lines(in->text);
    if (*start == '\0')
        return dpc_reader_refuse(audit, "the file has only blank lines; it needs a header and rows "
                                        "of numbers");
    start = over_separator(start, &delimiter);
    const char *line = over_hashes(start, &hash);
    dpc_status status = DPC_OK;
    if (*line == '\0') { /* nothing but lines with #: then they are no comments */
        in->hash_rows = true;
        status = take_line(in, start, delimiter, audit);
        if (status == DPC_OK && !dpc_reader_has_numbers(in, in->below, in->delimiter, 1))
            status = dpc_reader_refuse(audit, "the file has only comments; it needs a header and "
                                              "rows of numbers");
        return status;
    }
    if (hash == NULL || in->options.no_header || in->options.transpose ||
        !take_hash_header(in, hash, line, delimiter))
        status = take_line(in, line, delimiter, audit);
    const char *first = in->hash_header ? in->header : line;
    for (const char *p = start; status == DPC_OK && p < first; p = dpc_reader_next_line(p))
        if (dpc_reader_is_hash(p) && dpc_reader_next_line(p) <= first &&
            in->passed.comments.count++ == 0)
            in->passed.comments.first = p;
    in->hash_rows = status == DPC_OK && *over_hashes(in->below, NULL) == '\0';
    return status;
}
