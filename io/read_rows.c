/*
 * Where the rows are, and their cells into the columns.
 *
 * Two passes over the text. The first finds the records, counts them, and notes where every
 * quarter of a megabyte of them starts; so the table is allocated once, in its final layout, and
 * the chunks can be parsed side by side. The second parses each row straight into the columns.
 * A row of numbers, which nearly all are, is touched once; a row with anything else is
 * gone through again to tally what there is, and only if it has the right number of fields: a
 * cell in a shifted row says nothing about its column.
 */
#include "read.h"

#include "alloc.h"
#include "crew.h"
#include "source.h"
#include "status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_BYTES = 1 << 18 };

/* The share of the stage that is over when the text is here, and when the rows are found. */
static const double TEXT_SHARE = 0.2, INDEX_SHARE = 0.4;

static dpc_status poll_at(const dpc_reader *in, const char *p, dpc_error *err)
{
    double done = (double)(p - in->text) / (double)(in->end - in->text + 1);
    return dpc_source_poll(in->path, in->crew, TEXT_SHARE + (INDEX_SHARE - TEXT_SHARE) * done, err);
}

/* The start of the next record; without quotes and carriage returns that is the next line. */
static const char *next_record(const dpc_reader *in, const char **p, bool plain)
{
    if (!plain)
        return dpc_csv_skip(p, in->delimiter);
    const char *line_break = memchr(*p, '\n', (size_t)(in->end - *p));
    return line_break != NULL ? line_break + 1 : in->end;
}

dpc_status dpc_reader_index(dpc_reader *in, const char **unclosed, dpc_error *err)
{
    const char *begin = in->below;
    size_t size = (size_t)(in->end - begin);
    in->chunks = dpc_arena_alloc(&in->memory, (int64_t)size / CHUNK_BYTES + 1, sizeof *in->chunks);
    if (in->chunks == NULL)
        return DPC_NO_MEMORY;
    bool plain = memchr(begin, '"', size) == NULL && memchr(begin, '\r', size) == NULL;
    const char *p = dpc_reader_row(in, begin, &in->passed);
    while (p < in->end) {
        if (in->n_chunks == 0 || p - in->chunks[in->n_chunks - 1].begin >= CHUNK_BYTES) {
            in->chunks[in->n_chunks++] = (dpc_chunk){p, in->n_rows};
            DPC_CHECK(poll_at(in, p, err));
        }
        const char *next = next_record(in, &p, plain);
        if (next == NULL) {
            *unclosed = p;
            return DPC_OK;
        }
        in->n_rows++;
        p = dpc_reader_row(in, next, &in->passed);
    }
    return DPC_OK;
}

int dpc_reader_n_values(const dpc_reader *in)
{
    int values = 0;
    for (int field = 0; field < in->n_fields; field++)
        values += !in->no_values[field];
    return values;
}

/* ---- What is seen ---- */

dpc_status dpc_tally_init(dpc_tally *tally, int64_t n_variables)
{
    *tally = (dpc_tally){.text = dpc_zalloc(4 * n_variables, sizeof *tally->text),
                         .words = dpc_zalloc(n_variables, sizeof *tally->words)};
    if (tally->text == NULL || tally->words == NULL)
        return DPC_NO_MEMORY; /* the caller clears it */
    tally->odd = tally->text + n_variables;
    tally->inexact = tally->odd + n_variables;
    tally->missing = tally->inexact + n_variables;
    return DPC_OK;
}

void dpc_tally_clear(dpc_tally *tally)
{
    free(tally->text);
    free(tally->words);
    *tally = (dpc_tally){0};
}

void dpc_seen_add(dpc_seen *seen, const dpc_cell *cell, int64_t variable)
{
    if (seen->count++ == 0) {
        seen->first = *cell;
        seen->variable = (int)variable;
    }
}

void dpc_lines_add(dpc_lines *lines, const char *line, int64_t fields)
{
    if (lines->count++ == 0) {
        lines->first = line;
        lines->fields = fields;
    }
}

static void tally_cell(const dpc_reader *in, const dpc_cell *cell, int64_t v, dpc_tally *tally)
{
    double value;
    int word;
    dpc_kind kind = dpc_reader_kind(in, cell, &value, &word);
    if (kind == DPC_KIND_MISSING) {
        dpc_seen_add(&tally->missing[v], cell, v);
        tally->words[v] |= UINT64_C(1) << (word < DPC_NA_BITS ? word : DPC_NA_BITS - 1);
    } else if (kind == DPC_KIND_INFINITE) {
        dpc_seen_add(&tally->infinite, cell, v);
    } else if (kind == DPC_KIND_TEXT) {
        dpc_seen_add(&tally->text[v], cell, v);
    } else if (kind == DPC_KIND_ODD) {
        dpc_seen_add(&tally->odd[v], cell, v);
    } else if (fabs(value) >= DPC_NUMBER_WHOLE &&
               !dpc_number_is_exact(cell->text, cell->length, value)) {
        dpc_seen_add(&tally->inexact[v], cell, v);
    }
}

static void tally_row(const dpc_reader *in, const char *p, int64_t row, dpc_tally *tally)
{
    for (dpc_csv_cells r = dpc_record_at(p, in->delimiter); dpc_record_next(&r);)
        if (!in->no_values[r.index])
            tally_cell(in, &r.cell, in->options.transpose ? row : r.index, tally);
}

/*
 * The cell at `*p`, without a look at where it ends first if it is a plain number. False: it needs
 * a second look, being no number, or one so large that it may have lost digits, or one that stands
 * for a missing value.
 */
static bool parse_cell(const dpc_reader *in, const char **p, double *value, dpc_csv_after *after)
{
    const char *end = dpc_number_scan(*p, in->c_locale, value);
    if (end != NULL && !in->na.has_numbers) {
        *after = dpc_csv_follow(&end, in->delimiter);
        bool plain = fabs(*value) < DPC_NUMBER_WHOLE;
        if (*after != DPC_CSV_OTHER && (plain || isfinite(*value))) {
            *p = end;
            return plain;
        }
    }
    dpc_cell cell;
    *after = dpc_csv_next(p, in->delimiter, &cell);
    return dpc_reader_kind(in, &cell, value, NULL) == DPC_KIND_NUMBER &&
           fabs(*value) < DPC_NUMBER_WHOLE;
}

/* Where the values of a row go, and go on by in->step; NULL: nowhere. */
static double *place_of_row(const dpc_reader *in, int64_t row)
{
    if (in->values == NULL || !in->options.transpose)
        return in->values != NULL ? in->values + row : NULL;
    return in->place[row] >= 0 ? in->values + in->place[row] * in->n_obs : NULL;
}

/* How many fields a row of so many has: an empty one at the end may also not be there. */
static int64_t fields_of_row(const dpc_reader *in, int64_t fields)
{
    bool short_by_nothing =
        fields == in->n_fields - 1 && in->no_values[fields] && in->empty_fields > 0;
    return fields + short_by_nothing;
}

/* Returns the start of the next record. */
static const char *parse_row(const dpc_reader *in, const char *begin, int64_t row, dpc_tally *tally)
{
    const char *p = begin;
    dpc_csv_after after = DPC_CSV_CELL;
    int64_t fields = 0;
    double *to = place_of_row(in, row);
    bool wanted = !in->options.transpose || in->place[row] >= 0, plain = true;
    for (; after == DPC_CSV_CELL; fields++) {
        if (fields >= in->n_fields || in->no_values[fields] || !wanted) {
            dpc_cell cell;
            after = dpc_csv_next(&p, in->delimiter, &cell);
            continue;
        }
        double value;
        plain &= parse_cell(in, &p, &value, &after);
        if (to != NULL) {
            *to = value;
            to += in->step;
        }
    }
    fields = fields_of_row(in, fields);
    if (fields != in->n_names)
        dpc_lines_add(&tally->unlike_header, begin, fields);
    if (fields != in->n_fields)
        dpc_lines_add(&tally->unlike_rows, begin, fields);
    else if (!plain)
        tally_row(in, begin, row, tally);
    return dpc_csv_over_break(p);
}

/* ---- All rows ---- */

typedef struct parse_job {
    const dpc_reader *in;
    dpc_tally *tallies; /* one per worker */
} parse_job;

static void parse_chunk(void *context, int64_t c, int worker)
{
    const parse_job *job = context;
    const dpc_reader *in = job->in;
    const char *p = in->chunks[c].begin;
    int64_t end = c + 1 < in->n_chunks ? in->chunks[c + 1].row : in->n_rows;
    for (int64_t row = in->chunks[c].row; row < end; row++) {
        p = dpc_reader_row(in, p, NULL);
        p = parse_row(in, p, row, &job->tallies[worker]);
    }
}

static void join_seen(dpc_seen *all, const dpc_seen *part)
{
    if (part->count > 0 && (all->count == 0 || part->first.text < all->first.text)) {
        all->first = part->first;
        all->variable = part->variable;
    }
    all->count += part->count;
}

static void join_ragged(dpc_lines *all, const dpc_lines *part)
{
    if (part->count > 0 && (all->count == 0 || part->first < all->first)) {
        all->first = part->first;
        all->fields = part->fields;
    }
    all->count += part->count;
}

static void join(dpc_tally *all, const dpc_tally *part, int64_t n_variables)
{
    join_ragged(&all->unlike_header, &part->unlike_header);
    join_ragged(&all->unlike_rows, &part->unlike_rows);
    join_seen(&all->infinite, &part->infinite);
    for (int64_t i = 0; i < 4 * n_variables; i++) /* text, odd, inexact, missing */
        join_seen(&all->text[i], &part->text[i]);
    for (int64_t v = 0; v < n_variables; v++)
        all->words[v] |= part->words[v];
}

dpc_status dpc_reader_parse(dpc_reader *in, dpc_error *err)
{
    dpc_crew *crew = in->crew;
    crew->from = INDEX_SHARE;
    crew->to = 1;
    dpc_tally_clear(&in->tally);
    parse_job job = {in, dpc_zalloc(crew->threads, sizeof(dpc_tally))};
    dpc_status status =
        job.tallies != NULL ? dpc_tally_init(&in->tally, in->n_variables) : DPC_NO_MEMORY;
    for (int w = 0; w < crew->threads && status == DPC_OK; w++)
        status = dpc_tally_init(&job.tallies[w], in->n_variables);
    double work = (double)(in->end - in->text);
    if (status == DPC_OK && !dpc_crew_run(crew, in->n_chunks, work, parse_chunk, &job))
        status = dpc_fail(err, DPC_INTERRUPTED, "%s: reading was interrupted",
                          dpc_source_name(in->path));
    for (int w = 0; job.tallies != NULL && w < crew->threads; w++) {
        if (status == DPC_OK)
            join(&in->tally, &job.tallies[w], in->n_variables);
        dpc_tally_clear(&job.tallies[w]);
    }
    free(job.tallies);
    return status;
}

void dpc_reader_visit(const dpc_reader *in, dpc_cell_visitor *visit, void *context)
{
    dpc_row_ends ends;
    const char *p = in->below, *next = p;
    for (int64_t row = 0; dpc_reader_next_row(in, &next, &ends); row++, p = next) {
        dpc_csv_cells r = dpc_record_at(dpc_reader_row(in, p, NULL), in->delimiter);
        if (fields_of_row(in, ends.fields) == in->n_fields &&
            (!in->options.transpose || in->place[row] >= 0))
            while (dpc_record_next(&r))
                if (!in->no_values[r.index])
                    visit(context, &r.cell, in->options.transpose ? row : r.index);
    }
}
