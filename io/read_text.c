/*
 * From bytes to a text, and which of its lines is the header.
 *
 * Lines that begin with # are comments, with one exception: the last of them above the first other
 * line that has a name for each field of that line is the header, if that line is a row
 * (numpy.savetxt writes such files, and others have a name that begins with #).
 */
#include "alloc.h"
#include "encoding.h"
#include "read.h"
#include "source.h"
#include "status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Text ---- */

static dpc_status check_encoding(dpc_reader *in, size_t *size, dpc_audit *audit)
{
    const char *foreign = dpc_foreign_format(in->bytes, *size), *nul;
    if (foreign != NULL)
        return dpc_reader_refuse(audit, "the file is %s", foreign);
    if (dpc_is_utf16(in->bytes, *size)) {
        char *text;
        DPC_CHECK(dpc_from_utf16(in->bytes, *size, &text, size));
        free(in->bytes);
        in->bytes = text;
    }
    if (dpc_source_encoding(in->bytes, *size, &in->text, &nul) == DPC_ENCODING_BINARY)
        return dpc_reader_refuse(
            audit,
            "line %lld has a NUL byte: the file is binary, not a text table; save "
            "it as text (CSV in UTF-8)",
            dpc_reader_line(in, nul));
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
    DPC_CHECK(dpc_source_read(in->path, in->crew, &in->bytes, &size, err));
    if (size == 0)
        return dpc_fail(err, DPC_BAD_INPUT, "%s: is empty; it needs a header and rows of numbers",
                        dpc_source_name(in->path));
    DPC_CHECK(check_encoding(in, &size, audit));
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
    dpc_trim(&text, &length);
    dpc_kind kind = dpc_number_classify(text, length, in->c_locale, value);
    *word = length > 0 ? DPC_NA_NAN : DPC_NA_EMPTY;
    if (kind == DPC_KIND_NUMBER && in->na.has_numbers) {
        *word = dpc_na_find_number(&in->na, *value);
        if (*word >= 0)
            kind = DPC_KIND_MISSING;
    } else if (kind == DPC_KIND_TEXT) {
        *word = dpc_na_find(&in->na, text, length);
        if (*word >= 0)
            kind = DPC_KIND_MISSING;
        else if (dpc_reader_is_odd_number(in, cell))
            kind = DPC_KIND_ODD;
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
    return *dpc_csv_over_blanks(p, '\t') == '#'; /* behind a tab it is in another cell */
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
    for (dpc_csv_cells r = dpc_record_at(line, delimiter); dpc_record_next(&r);) {
        double value;
        dpc_kind kind =
            r.index < from ? DPC_KIND_MISSING : dpc_reader_kind(in, &r.cell, &value, NULL);
        if (kind == DPC_KIND_TEXT)
            return false;
        any = any || kind != DPC_KIND_MISSING;
    }
    return any;
}

/* ---- The header ---- */

/*
 * Excel's "sep=;" above the header; returns the line below it. In quotes it is the name of a
 * column, if what is below has one field only.
 */
static const char *over_separator(const char *p, char *delimiter)
{
    bool quoted = *p == '"';
    const char *q = quoted ? p + 1 : p;
    if (strncmp(q, "sep=", 4) != 0 || q[4] == '\0' || strchr(",;\t ", q[4]) == NULL)
        return p;
    const char *after = q + 5 + (quoted && q[5] == '"');
    if (!dpc_csv_at_end(*after))
        return p;
    const char *below = over_blank_lines(dpc_csv_over_break(after));
    if (quoted && dpc_csv_count(below, q[4]) < 2)
        return p;
    *delimiter = q[4];
    return below;
}

/*
 * Are these names a header for the line at `row`, which has `more` fields more? Then it becomes the
 * reader's. Numbers are no names, unless `any` will do. Over a single column a sentence is none
 * either, but a word is.
 */
static bool take_names(dpc_reader *in, const char *names, const char *row, char delimiter, int more,
                       bool any)
{
    if (delimiter == '\0')
        delimiter = dpc_csv_delimiter_of(names, row);
    int64_t fields = dpc_csv_count(row, delimiter);
    bool word = dpc_csv_at_end(names[strcspn(names, " \t\r\n")]);
    bool numbers = dpc_reader_has_numbers(in, names, delimiter, *names == '#');
    bool is_row = dpc_reader_has_numbers(in, row, delimiter, 0) ||
                  dpc_reader_has_numbers(in, row, delimiter, 1);
    if (dpc_csv_count(names, delimiter) + more != fields || (fields == 1 && !word) ||
        (numbers && !any) || !is_row)
        return false;
    in->hash_header = true;
    in->header = names;
    in->delimiter = delimiter;
    in->below = dpc_reader_next_line(names);
    return true;
}

/* The line with # at `hash`, without the # and the blanks behind it, or as it is. */
static bool take_hash_line(dpc_reader *in, const char *hash, const char *row, char delimiter,
                           bool any)
{
    const char *whole = dpc_csv_over_blanks(hash, '\t');
    const char *names = dpc_csv_over_blanks(whole + 1, '\t');
    for (int more = 0; more < 2; more++) /* row names beside the header are less likely */
        if ((names > whole + 1 && !dpc_csv_at_end(*names) &&
             take_names(in, names, row, delimiter, more, false)) ||
            take_names(in, whole, row, delimiter, more, any))
            return true;
    return false;
}

/* The first line at `p` or below that is neither blank nor begins with #; the NUL: there is none.
 */
static const char *over_hashes(const char *p)
{
    p = over_blank_lines(p);
    while (dpc_reader_is_hash(p))
        p = over_blank_lines(dpc_reader_next_line(p));
    return p;
}

/* The last line with # that can be the header of `row`; or the first, if it has numbers. */
static bool take_hash_header(dpc_reader *in, const char *first, const char *row, char delimiter)
{
    bool found = false;
    if (in->options.no_header || in->options.transpose)
        return false;
    for (const char *p = first; p < row; p = over_blank_lines(dpc_reader_next_line(p)))
        found = take_hash_line(in, p, row, delimiter, false) || found;
    return found || (first < row && take_hash_line(in, first, row, delimiter, true));
}

/* The first line that is no comment is the header, or the first row. */
static dpc_status take_line(dpc_reader *in, const char *line, char delimiter, dpc_audit *audit)
{
    const char *second = over_hashes(dpc_reader_next_line(line)), *open = line;
    if (*second == '\0')
        second = over_blank_lines(dpc_reader_next_line(line));
    in->delimiter = delimiter != '\0' ? delimiter : dpc_csv_delimiter_of(line, second);
    const char *below = dpc_csv_skip(&open, in->delimiter);
    if (below == NULL)
        return dpc_reader_refuse_quote(in, open, audit);
    in->header = in->options.no_header ? NULL : line;
    in->below = in->options.no_header ? line : below;
    return DPC_OK;
}

/* Nothing but lines with #: then they are no comments, if there are numbers on them. */
static dpc_status take_hashes(dpc_reader *in, const char *first, char delimiter, dpc_audit *audit)
{
    in->hash_rows = true;
    DPC_CHECK(take_line(in, first, delimiter, audit));
    return dpc_reader_has_numbers(in, in->below, in->delimiter, 1)
               ? DPC_OK
               : dpc_reader_refuse(audit, "the file has only comments; it needs a header and rows "
                                          "of numbers");
}

dpc_status dpc_reader_find_header(dpc_reader *in, dpc_audit *audit)
{
    char delimiter = '\0';
    const char *start = over_blank_lines(in->text);
    if (*start == '\0')
        return dpc_reader_refuse(audit, "the file has only blank lines; it needs a header and rows "
                                        "of numbers");
    start = over_separator(start, &delimiter);
    const char *line = over_hashes(start);
    if (*line == '\0')
        return take_hashes(in, start, delimiter, audit);
    if (!take_hash_header(in, start, line, delimiter))
        DPC_CHECK(take_line(in, line, delimiter, audit));
    const char *first = in->hash_header ? in->header : line;
    for (const char *p = start; p < first; p = dpc_reader_next_line(p))
        if (dpc_reader_is_hash(p) && dpc_reader_next_line(p) <= first)
            dpc_lines_add(&in->passed.comments, p, 0);
    in->hash_rows = *over_hashes(in->below) == '\0';
    return DPC_OK;
}
