/*
 * Reading a table or a matrix: dpc_data_read of dualpc_io.h and its relatives.
 *
 *     source → text → header → layout → rows → columns → table → cells → columns left out
 *            → levels of text → audit → kinds
 *
 * What each step does is in a file of its own: see read.h.
 */
#include "alloc.h"
#include "audit.h"
#include "findings.h"
#include "read.h"
#include "settings.h"
#include "source.h"
#include "status.h"
#include "table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void reader_clear(dpc_reader *in)
{
    if (in->c_locale != (locale_t)0)
        freelocale(in->c_locale);
    free(in->bytes);
    dpc_arena_clear(&in->memory);
    dpc_na_clear(&in->na);
    dpc_tally_clear(&in->tally);
    dpc_reader_levels_clear(in);
}

/* ---- Rows ---- */

static dpc_status find_rows(dpc_reader *in, dpc_audit *audit, dpc_error *err)
{
    const char *unclosed = NULL;
    DPC_CHECK(dpc_reader_index(in, &unclosed, err));
    if (unclosed != NULL)
        return dpc_reader_refuse_quote(in, unclosed, audit);
    if (in->n_rows == 0)
        return dpc_reader_refuse(audit, "there are no rows below the header");
    dpc_reader_square(in);
    return DPC_OK;
}

/* ---- Table ---- */

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
    const char **names = dpc_arena_alloc(&in->memory, in->n_vars, sizeof *names);
    if (names == NULL)
        return DPC_NO_MEMORY;
    for (int j = 0; j < in->n_vars; j++)
        names[j] = in->names[in->number[j] - 1];
    bool full = can_be_full(in);
    in->n_obs = !full ? 0 : in->options.transpose ? dpc_reader_n_values(in) : in->n_rows;
    in->step = in->options.transpose ? 1 : in->n_obs;
    DPC_CHECK(dpc_table_make(in->n_obs, in->n_vars, names, table, err));
    in->values = full ? (*table)->values : NULL;
    return DPC_OK;
}

static dpc_status read_cells(dpc_reader *in, dpc_error *err)
{
    bool changed = false;
    DPC_CHECK(dpc_reader_parse(in, err));
    DPC_CHECK(dpc_reader_respell(in, &changed));
    return changed ? dpc_reader_parse(in, err) : DPC_OK;
}

/* ---- Rows that are not kept ---- */

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

static dpc_status drop_missing_rows(dpc_reader *in, dpc_table *table, dpc_audit *audit)
{
    bool *dropped = dpc_arena_zalloc(&in->memory, table->n_obs, sizeof *dropped);
    if (dropped == NULL)
        return DPC_NO_MEMORY;
    for (int j = 0; j < table->n_vars; j++)
        for (int64_t i = 0; i < table->n_obs; i++)
            dropped[i] |= isnan(table->values[j * table->n_obs + i]) != 0;
    int64_t before = table->n_obs;
    table->n_obs = keep_rows(table, dropped);
    return dpc_reader_audit_dropped(in, before - table->n_obs, audit);
}

/* The rows of a matrix whose columns were left out. */
static dpc_status keep_square(dpc_reader *in, dpc_table *table)
{
    if (table->n_obs == table->n_vars)
        return DPC_OK;
    bool *dropped = dpc_arena_zalloc(&in->memory, table->n_obs, sizeof *dropped);
    if (dropped == NULL)
        return DPC_NO_MEMORY;
    for (int64_t i = 0; i < table->n_obs; i++)
        dropped[i] = in->place[in->n_row_names + i] < 0;
    table->n_obs = keep_rows(table, dropped);
    return DPC_OK;
}

static dpc_status count_missing(const dpc_reader *in, dpc_table *table)
{
    table->missing = dpc_zalloc(table->n_vars, sizeof *table->missing);
    if (table->missing == NULL)
        return DPC_NO_MEMORY;
    for (int j = 0; j < table->n_vars; j++)
        table->missing[j] = in->tally.missing[in->number[j] - 1].count;
    return DPC_OK;
}

/* ---- The way through ---- */

static dpc_status finish(dpc_reader *in, int errors, dpc_audit *audit, dpc_table *table,
                         dpc_error *err)
{
    DPC_CHECK(dpc_reader_notes(in, audit));
    DPC_CHECK(dpc_reader_leave_out(in, table, audit));
    DPC_CHECK(dpc_reader_find_levels(in, table));
    DPC_CHECK(dpc_reader_audit(in, table, audit));
    if (audit->errors > errors) {
        /* what cannot be used will not be prepared, where constant columns are met */
        if (in->values != NULL && !in->options.matrix && in->tally.unlike_rows.count == 0)
            DPC_CHECK(dpc_audit_constant_columns(table, audit));
        return DPC_BAD_INPUT;
    }
    if (dpc_reader_count_missing(in) > 0) {
        DPC_CHECK(count_missing(in, table));
        if (in->options.missing == DPC_MISSING_ROWS)
            DPC_CHECK(drop_missing_rows(in, table, audit));
        else
            table->how_missing = in->options.missing;
    }
    return in->options.matrix ? keep_square(in, table)
                              : dpc_reader_set_kinds(in, table, audit, err);
}

static dpc_status read_rectangle(dpc_reader *in, dpc_audit *audit, dpc_table **table,
                                 dpc_error *err)
{
    int errors = audit->errors;
    DPC_CHECK(dpc_reader_find_header(in, audit));
    DPC_CHECK(dpc_reader_layout(in, audit));
    DPC_CHECK(find_rows(in, audit, err));
    DPC_CHECK(dpc_reader_choose(in, audit, err));
    DPC_CHECK(dpc_reader_types(in, err));
    DPC_CHECK(make_table(in, table, err));
    DPC_CHECK(read_cells(in, err));
    return finish(in, errors, audit, *table, err);
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

static dpc_status read_as(dpc_reader in, dpc_audit *given, dpc_table **out, int64_t *samples,
                          dpc_error *err)
{
    dpc_audit own = {0}, *audit = given != NULL ? given : &own;
    int before = audit->count;
    dpc_table *table = NULL;
    int64_t told = in.options.matrix ? -1 : 0;
    dpc_status status = dpc_reader_open(&in, audit, err);
    bool covariance = status == DPC_OK && dpc_is_covariance(&in);
    if (covariance && samples == NULL && !in.options.matrix)
        status = dpc_reader_refuse(audit, "the file is a covariance matrix of Tetrad, not a table");
    else if (covariance && in.options.n_types > 0)
        status =
            dpc_reader_refuse(audit, "the file is a covariance matrix of Tetrad, whose columns "
                                     "are numbers; leave out types (--types)");
    else if (status == DPC_OK)
        status = covariance ? dpc_covariance_read(&in, audit, &table, &told, err)
                            : read_rectangle(&in, audit, &table, err);
    if (status == DPC_BAD_INPUT)
        explain(in.path, audit, before, err);
    if (status == DPC_NO_MEMORY && in.n_rows > 0)
        dpc_fail(err, DPC_NO_MEMORY, "%s: out of memory for its table of %lld rows and %d columns",
                 dpc_source_name(in.path), (long long)in.n_rows, in.n_fields);
    else if (status == DPC_NO_MEMORY && in.bytes != NULL) /* or the source has said more */
        dpc_fail(err, DPC_NO_MEMORY, "%s: out of memory for its text", dpc_source_name(in.path));
    if (status == DPC_OK) {
        *out = table;
        if (samples != NULL)
            *samples = told;
    } else {
        dpc_table_free(table);
    }
    reader_clear(&in);
    dpc_audit_clear(&own);
    return status;
}

static dpc_status take_options(const dpc_read_options *given, dpc_read_options *out, dpc_error *err)
{
    *out = (dpc_read_options){.size = sizeof *out};
    if (given == NULL)
        return DPC_OK;
    if (given->size < offsetof(dpc_read_options, matrix))
        return dpc_fail(err, DPC_USAGE,
                        "the size of the options is sizeof(dpc_read_options), not %zu",
                        given->size);
    memcpy(out, given, given->size < sizeof *out ? given->size : sizeof *out);
    if (out->matrix && out->transpose)
        return dpc_fail(err, DPC_USAGE,
                        "a matrix is the same when it is transposed; leave that out");
    if (out->matrix && out->drop_text)
        return dpc_fail(err, DPC_USAGE, "drop_text is for tables; a matrix has no text columns");
    if (out->matrix && (out->n_types > 0 || out->max_levels > 0 || out->merge_rare > 0))
        return dpc_fail(err, DPC_USAGE,
                        "types, max_levels and merge_rare are for tables; a matrix has only "
                        "numbers");
    if (out->max_levels < 0 || out->merge_rare < 0)
        return dpc_fail(err, DPC_USAGE, "%s cannot be below 0",
                        out->max_levels < 0 ? "max_levels" : "merge_rare");
    return DPC_OK;
}

dpc_status dpc_data_read(const char *path, const dpc_read_options *options,
                         const dpc_settings *given, dpc_audit *audit, dpc_table **out,
                         int64_t *samples, dpc_error *err)
{
    dpc_settings settings; /* of which only threads and progress count */
    dpc_crew crew;
    dpc_reader in = {.path = path, .crew = &crew};
    DPC_CHECK(dpc_settings_or_default(given, &settings, err));
    DPC_CHECK(take_options(options, &in.options, err));
    dpc_crew_init(&crew, &settings, DPC_STAGE_READ);
    return read_as(in, audit, out, samples, err);
}

dpc_status dpc_table_read(const char *path, dpc_missing missing, const dpc_settings *settings,
                          dpc_audit *audit, dpc_table **out, dpc_error *err)
{
    const dpc_read_options options = {.size = sizeof options, .missing = missing};
    return dpc_data_read(path, &options, settings, audit, out, NULL, err);
}
