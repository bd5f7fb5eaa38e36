/*
 * Reading a table or a matrix: dpc_table_read and dpc_matrix_read of dualpc.h.
 *
 *     source → text → delimiter, rows → header → layout → table → cells → audit
 *
 * The layout says which field of a row belongs to which column. Row names are recognised in three
 * ways: the header is one field short (R's write.table), its first field is empty (R's write.csv,
 * pandas), or the first column holds different texts and nothing else. The last can only be told
 * when all rows have been read; since a text in the first row is an error otherwise, it may be
 * assumed until then.
 */
#include "audit.h"
#include "error.h"
#include "findings.h"
#include "memory.h"
#include "read.h"
#include "settings.h"
#include "source.h"
#include "table.h"

#include <limits.h>
#include <math.h>
#include <string.h>

const dpc_cell *dpc_reader_name(const dpc_reader *in, int field)
{
    int place = field - (in->n_fields - in->n_names);
    return in->headerless || place < 0 || place >= in->n_names ? NULL : &in->names[place];
}

static void reader_clear(dpc_reader *in)
{
    if (in->c_locale != (locale_t)0)
        freelocale(in->c_locale);
    free(in->bytes);
    free(in->names);
    free(in->chunks);
    free(in->row_names);
    dpc_tally_clear(&in->tally);
}

/* ---- Text ---- */

static dpc_status check_encoding(dpc_reader *in, size_t size, dpc_audit *audit)
{
    const char *nul;
    switch (dpc_source_encoding(in->bytes, size, &in->text, &nul)) {
    case DPC_ENCODING_UTF16:
        return dpc_reader_refuse(audit, "the file is UTF-16; save it as UTF-8");
    case DPC_ENCODING_BINARY:
        return dpc_reader_refuse(audit,
                                 "line %lld has a NUL byte: the file looks binary; save it as text "
                                 "(CSV in UTF-8)",
                                 (long long)dpc_csv_line(in->text, nul));
    default:
        return DPC_OK;
    }
}

/* Blank lines before the header and after the last row are left out. */
static dpc_status trim_text(dpc_reader *in, size_t size, dpc_audit *audit)
{
    const char *p = in->text;
    in->header = p;
    for (; *p == ' ' || *p == '\t' || *p == '\n' || *p == '\r'; p++)
        if (*p == '\n' || *p == '\r')
            in->header = p + 1;
    if (*p == '\0')
        return dpc_reader_refuse(audit, "the file has only blank lines; it needs a header and rows "
                                        "of numbers");
    in->delimiter = dpc_csv_delimiter(in->header);
    char *end = in->bytes + size;
    while (dpc_csv_at_end(end[-1]) || end[-1] == ' ' || (end[-1] == '\t' && in->delimiter != '\t'))
        end--;
    *end = '\0';
    in->end = end;
    return DPC_OK;
}

static dpc_status open_text(dpc_reader *in, dpc_audit *audit, dpc_error *err)
{
    size_t size;
    dpc_status status = dpc_source_read(in->path, in->crew, &in->bytes, &size, err);
    if (status == DPC_OK && size == 0)
        return dpc_fail(err, DPC_BAD_INPUT, "%s: is empty; it needs a header and rows of numbers",
                        dpc_source_name(in->path));
    if (status == DPC_OK)
        status = check_encoding(in, size, audit);
    if (status == DPC_OK)
        status = trim_text(in, size, audit);
    if (status == DPC_OK) {
        in->c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
        if (in->c_locale == (locale_t)0)
            status = DPC_NO_MEMORY;
    }
    return status;
}

/* ---- Header and rows ---- */

static dpc_status read_header(dpc_reader *in, dpc_audit *audit)
{
    int64_t fields = dpc_csv_count(in->header, in->delimiter);
    if (fields >= INT_MAX)
        return dpc_reader_refuse(audit, "the header has %lld fields, more than can be used",
                                 (long long)fields);
    in->names = dpc_alloc(fields, sizeof *in->names);
    if (in->names == NULL)
        return DPC_NO_MEMORY;
    in->n_names = (int)fields;
    const char *p = in->header;
    for (int i = 0; i < in->n_names; i++)
        dpc_csv_next(&p, in->delimiter, &in->names[i]);
    return DPC_OK;
}

static dpc_status find_rows(dpc_reader *in, dpc_audit *audit, dpc_error *err)
{
    const char *unclosed = in->header, *begin = dpc_csv_skip(&unclosed, in->delimiter);
    dpc_status status = begin == NULL ? DPC_BAD_INPUT : dpc_reader_index(in, begin, &unclosed, err);
    if (status == DPC_BAD_INPUT)
        return dpc_reader_refuse(audit,
                                 "the quote that opens on line %lld is never closed; close "
                                 "or remove it",
                                 (long long)dpc_csv_line(in->text, unclosed));
    return status == DPC_OK ? read_header(in, audit) : status;
}

/* ---- Layout ---- */

static dpc_kind kind_of(const dpc_reader *in, const dpc_cell *cell)
{
    double value;
    return dpc_number_classify(cell->text, cell->length, in->c_locale, &value);
}

static bool has_numbers_for_names(const dpc_reader *in)
{
    int i = 0;
    while (i < in->n_names && kind_of(in, &in->names[i]) == DPC_KIND_NUMBER)
        i++;
    return i == in->n_names;
}

static void use_header_as_row(dpc_reader *in)
{
    in->headerless = true;
    for (int64_t c = 1; c < in->n_chunks; c++)
        in->chunks[c].row++;
    in->chunks[0] = (dpc_chunk){in->header, 0};
    if (in->n_chunks == 0)
        in->n_chunks = 1;
    in->n_rows++;
}

static dpc_status find_row_names(dpc_reader *in)
{
    dpc_cell first;
    const char *row = in->chunks[0].begin;
    int64_t fields = dpc_csv_count(row, in->delimiter);
    dpc_csv_next(&row, in->delimiter, &first);
    if (fields == (int64_t)in->n_names + 1) {
        in->n_fields++;
        in->n_row_names = 1;
    } else if (in->n_names > 1 && in->names[0].length == 0) {
        in->n_row_names = 1;
    } else if (in->n_names > 1 && kind_of(in, &first) == DPC_KIND_TEXT) {
        in->n_row_names = 1;
        in->guessed = true;
    }
    if (in->n_row_names > 0 && (in->guessed || in->matrix)) {
        in->row_names = dpc_alloc(in->n_rows, sizeof *in->row_names);
        if (in->row_names == NULL)
            return DPC_NO_MEMORY;
    }
    return DPC_OK;
}

static dpc_status set_layout(dpc_reader *in, dpc_audit *audit)
{
    dpc_status status = DPC_OK;
    in->n_fields = in->n_names;
    if (has_numbers_for_names(in)) {
        if (in->matrix && in->n_rows + 1 == in->n_names) {
            use_header_as_row(in);
            return DPC_OK;
        }
        status = dpc_findings_add(audit, DPC_WARNING,
                                  "the file seems to have no header: its first line holds only "
                                  "numbers and was taken as names; put a line of names above it");
    }
    if (status == DPC_OK && in->n_rows == 0)
        status = dpc_reader_refuse(audit, "there are no rows below the header");
    return status == DPC_OK ? find_row_names(in) : status;
}

/* ---- Table ---- */

/* The names of the columns, one after the other in `*pool`, and where each starts. */
static dpc_status copy_names(const dpc_reader *in, char **pool, const char ***names)
{
    int n_vars = in->n_fields - in->n_row_names;
    const dpc_cell *first = dpc_reader_name(in, in->n_row_names);
    int64_t bytes = 0;
    for (int j = 0; j < n_vars; j++)
        bytes += (int64_t)first[j].length + 1;
    *pool = dpc_alloc(bytes, 1);
    *names = dpc_alloc(n_vars, sizeof **names);
    if (*pool == NULL || *names == NULL)
        return DPC_NO_MEMORY;
    char *next = *pool;
    for (int j = 0; j < n_vars; j++) {
        (*names)[j] = next;
        next = dpc_csv_copy(&first[j], next);
    }
    return DPC_OK;
}

/*
 * Every field takes a byte at least, if only the delimiter or line break after it. A text with
 * fewer bytes than that has rows that are too short, and needs no table to say so: a long header
 * over many short lines must not ask for more memory than there is.
 */
static bool can_be_full(const dpc_reader *in)
{
    int64_t cells, bytes = in->end - in->chunks[0].begin + 1;
    return !__builtin_mul_overflow(in->n_rows, (int64_t)in->n_fields, &cells) && cells <= bytes;
}

static dpc_status make_table(dpc_reader *in, dpc_table **table, dpc_error *err)
{
    char *pool = NULL;
    const char **names = NULL;
    dpc_status status = in->headerless ? DPC_OK : copy_names(in, &pool, &names);
    bool full = can_be_full(in);
    if (status == DPC_OK)
        status = dpc_table_make(full ? in->n_rows : 0, in->n_fields - in->n_row_names, names, table,
                                err);
    if (status == DPC_OK && full)
        in->values = (*table)->values;
    free(pool);
    free(names);
    return status;
}

/* Closes the gaps in every column; returns how many rows are left. */
static int64_t keep_rows(dpc_table *table, const bool *dropped)
{
    double *to = table->values;
    for (int j = 0; j < table->n_vars; j++) {
        const double *column = table->values + j * table->n_obs;
        for (int64_t i = 0; i < table->n_obs; i++)
            if (!dropped[i])
                *to++ = column[i];
    }
    return (to - table->values) / table->n_vars;
}

static dpc_status drop_missing_rows(const dpc_reader *in, dpc_table *table, dpc_audit *audit)
{
    bool *dropped = dpc_zalloc(table->n_obs, sizeof *dropped);
    if (dropped == NULL)
        return DPC_NO_MEMORY;
    for (int j = 0; j < table->n_vars; j++)
        for (int64_t i = 0; i < table->n_obs; i++)
            dropped[i] |= isnan(table->values[j * table->n_obs + i]) != 0;
    int64_t left = keep_rows(table, dropped);
    dpc_status status = dpc_reader_audit_dropped(in, table->n_obs - left, audit);
    table->n_obs = left;
    free(dropped);
    return status;
}

/* ---- The way through ---- */

static dpc_status read_steps(dpc_reader *in, dpc_missing missing, dpc_audit *audit,
                             dpc_table **table, dpc_error *err)
{
    int errors = audit->errors;
    dpc_status status = open_text(in, audit, err);
    if (status == DPC_OK)
        status = find_rows(in, audit, err);
    if (status == DPC_OK)
        status = set_layout(in, audit);
    if (status == DPC_OK)
        status = make_table(in, table, err);
    if (status == DPC_OK)
        status = dpc_reader_parse(in, err);
    if (status == DPC_OK && in->row_names != NULL)
        dpc_reader_settle_row_names(in);
    if (status == DPC_OK)
        status = dpc_reader_audit(in, *table, missing, audit);
    if (status == DPC_OK && audit->errors > errors) {
        /* what cannot be used will not be prepared, where constant columns are met */
        if (in->values != NULL && !in->matrix && in->tally.unlike_rows.count == 0)
            status = dpc_audit_constant_columns(*table, audit);
        status = status == DPC_OK ? DPC_BAD_INPUT : status;
    }
    if (status == DPC_OK && in->tally.missing.count > 0)
        status = drop_missing_rows(in, *table, audit);
    return status;
}

/* The first error among the findings from number `from` on, after the name of the file. */
static void explain(const char *path, const dpc_audit *audit, int from, dpc_error *err)
{
    for (int i = from; i < audit->count; i++)
        if (audit->items[i].severity == DPC_ERROR) {
            dpc_fail(err, DPC_BAD_INPUT, "%s: %s", dpc_source_name(path), audit->items[i].text);
            return;
        }
    /* none: the source itself could not be read, and `err` says why */
}

static dpc_status read_as(dpc_reader in, dpc_missing missing, dpc_audit *given, dpc_table **out,
                          dpc_error *err)
{
    dpc_audit own = {0}, *audit = given != NULL ? given : &own;
    int before = audit->count;
    dpc_table *table = NULL;
    dpc_status status = read_steps(&in, missing, audit, &table, err);
    if (status == DPC_BAD_INPUT)
        explain(in.path, audit, before, err);
    if (status == DPC_NO_MEMORY && in.n_rows > 0)
        dpc_fail(err, DPC_NO_MEMORY, "%s: out of memory for its table of %lld rows and %d columns",
                 dpc_source_name(in.path), (long long)in.n_rows, in.n_names);
    else if (status == DPC_NO_MEMORY)
        dpc_fail(err, DPC_NO_MEMORY, "%s: out of memory for its text", dpc_source_name(in.path));
    if (status == DPC_OK)
        *out = table;
    else
        dpc_table_free(table);
    reader_clear(&in);
    dpc_audit_clear(&own);
    return status;
}

static dpc_status read_with(const char *path, bool matrix, dpc_missing missing,
                            const dpc_settings *given, dpc_audit *audit, dpc_table **out,
                            dpc_error *err)
{
    dpc_settings settings; /* of which only threads and progress count */
    dpc_status status = dpc_settings_or_default(given, &settings, err);
    if (status != DPC_OK)
        return status;
    dpc_crew crew;
    dpc_crew_init(&crew, &settings, DPC_STAGE_READ);
    dpc_reader in = {.path = path, .crew = &crew, .matrix = matrix};
    return read_as(in, missing, audit, out, err);
}

dpc_status dpc_table_read(const char *path, dpc_missing missing, const dpc_settings *settings,
                          dpc_audit *audit, dpc_table **out, dpc_error *err)
{
    return read_with(path, false, missing, settings, audit, out, err);
}

dpc_status dpc_matrix_read(const char *path, const dpc_settings *settings, dpc_audit *audit,
                           dpc_table **out, dpc_error *err)
{
    return read_with(path, true, DPC_MISSING_ERROR, settings, audit, out, err);
}
