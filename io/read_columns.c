/*
 * The names of the variables, and which of them are wanted.
 *
 * A list of columns has commas between its items. An item is a name; where there is none such, the
 * number of a column, a range of numbers, or a pattern as shells have them. The numbers are those
 * of the columns of the file, row names included, as messages have them too; of a transposed table,
 * those of its rows.
 */
#include "encoding.h"
#include "read.h"
#include "source.h"
#include "status.h"
#include "text.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Names ---- */

enum { DEFAULT_SIZE = 24 }; /* V and a number */

static const dpc_cell *cell_of(const dpc_reader *in, int64_t variable)
{
    if (in->options.transpose)
        return &in->row_names[variable];
    int64_t i = variable - in->first_name;
    return in->header == NULL || i < 0 || i >= in->n_names ? NULL : &in->header_cells[i];
}

static dpc_status copy_names(dpc_reader *in)
{
    int64_t bytes = 0;
    for (int64_t v = 0; v < in->n_variables; v++) {
        const dpc_cell *cell = cell_of(in, v);
        bytes += cell != NULL ? 3 * (int64_t)cell->length + 1 : DEFAULT_SIZE;
    }
    char *next = dpc_arena_alloc(&in->memory, bytes, 1);
    in->names = dpc_arena_alloc(&in->memory, in->n_variables, sizeof *in->names);
    if (dpc_arena_failed(&in->memory))
        return DPC_NO_MEMORY;
    for (int64_t v = 0; v < in->n_variables; v++) {
        const dpc_cell *cell = cell_of(in, v);
        char *name = next;
        in->names[v] = name;
        if (cell == NULL) {
            *name = '\0'; /* beyond the header, or row names beside it */
            if (in->header == NULL)
                next += snprintf(name, DEFAULT_SIZE, "V%lld", (long long)(v + 1));
            next++;
        } else if (dpc_is_utf8(cell->text, cell->length)) {
            next = dpc_csv_copy(cell, name);
        } else {
            next = dpc_from_windows(cell->text, cell->length, name);
            in->windows = true;
        }
    }
    return DPC_OK;
}

/* ---- Lists ---- */

/* A number of a column, and nothing else; 0: it is none. */
static int64_t number_of(const char *text, size_t length)
{
    int64_t number = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9' || number > INT32_MAX)
            return 0;
        number = 10 * number + (text[i] - '0');
    }
    return number;
}

/* Numbers, or a range of them; false: it is neither, or of columns that there are not. */
static bool mark_numbers(const dpc_reader *in, const char *item, bool *marked)
{
    size_t length = strlen(item);
    const char *dash = strchr(item, '-');
    int64_t first = number_of(item, dash != NULL ? (size_t)(dash - item) : length);
    int64_t last = dash != NULL ? number_of(dash + 1, strlen(dash + 1)) : first;
    if (first < 1 || last < first || last > in->n_variables)
        return false;
    for (int64_t v = first - 1; v < last; v++)
        marked[v] = true;
    return true;
}

/* By name, or, where `pattern`, by pattern. */
static bool mark_names(const dpc_reader *in, const char *item, bool pattern, bool *marked)
{
    bool found = false;
    for (int64_t v = 0; v < in->n_variables; v++)
        if (pattern ? in->names[v][0] != '\0' && fnmatch(item, in->names[v], 0) == 0
                    : strcmp(item, in->names[v]) == 0) {
            marked[v] = true;
            found = true;
        }
    return found;
}

bool dpc_reader_mark(const dpc_reader *in, const char *item, bool *marked)
{
    return mark_names(in, item, false, marked) || mark_numbers(in, item, marked) ||
           (strpbrk(item, "*?[") != NULL && mark_names(in, item, true, marked));
}

dpc_status dpc_reader_refuse_item(const dpc_reader *in, const char *item, const char *what,
                                  dpc_error *err)
{
    char name[DPC_CLIP_SIZE], other[DPC_CLIP_SIZE];
    const char *meant = dpc_similar(in->names, (int)in->n_variables, item, strlen(item));
    return dpc_fail(err, DPC_USAGE, "%.200s has no column '%s' to %s%s%s%s",
                    dpc_source_name(in->path), dpc_clip_name(item, name), what,
                    meant != NULL ? "; did you mean '" : "",
                    meant != NULL ? dpc_clip_name(meant, other) : "", meant != NULL ? "'?" : "");
}

static dpc_status mark_list(dpc_reader *in, const char *list, const char *what, bool *marked,
                            dpc_error *err)
{
    if (mark_names(in, list, false, marked)) /* a name may hold commas */
        return DPC_OK;
    char *item = dpc_arena_alloc(&in->memory, (int64_t)strlen(list) + 1, 1);
    if (item == NULL)
        return DPC_NO_MEMORY;
    for (dpc_csv_cells r = dpc_record_at(list, ','); dpc_record_next(&r);) {
        dpc_csv_copy(&r.cell, item);
        if (r.cell.length > 0 && !dpc_reader_mark(in, item, marked))
            return dpc_reader_refuse_item(in, item, what, err);
    }
    return DPC_OK;
}

/* ---- Which variables are columns ---- */

static dpc_status place_columns(dpc_reader *in, const bool *kept, const bool *dropped,
                                dpc_audit *audit, dpc_error *err)
{
    int candidates = 0;
    for (int64_t v = 0; v < in->n_variables; v++) {
        bool variable = in->options.transpose || !in->no_values[v];
        bool wanted = variable && (in->options.n_keep == 0 || kept[v]) && !dropped[v];
        candidates += variable;
        in->place[v] = wanted ? in->n_vars : -1;
        if (wanted)
            in->number[in->n_vars++] = (int32_t)(v + 1);
        if (!in->options.transpose && !wanted)
            in->no_values[v] = true;
    }
    if (candidates == 0)
        return dpc_reader_refuse(audit, "there are no columns with values");
    if (in->n_vars == 0)
        return dpc_fail(err, DPC_USAGE,
                        "%.200s has no column left: keep and drop leave out all %d of them",
                        dpc_source_name(in->path), candidates);
    return DPC_OK;
}

dpc_status dpc_reader_choose(dpc_reader *in, dpc_audit *audit, dpc_error *err)
{
    const dpc_read_options *o = &in->options;
    bool named = o->transpose || (o->matrix && in->n_row_names > 0);
    if (named)
        DPC_CHECK(dpc_reader_take_row_names(in));
    in->n_variables = o->transpose ? in->n_rows : in->n_fields;
    DPC_CHECK(in->n_variables > INT32_MAX ? DPC_NO_MEMORY : copy_names(in));
    bool *kept = dpc_arena_zalloc(&in->memory, in->n_variables, sizeof *kept);
    bool *dropped = dpc_arena_zalloc(&in->memory, in->n_variables, sizeof *dropped);
    in->place = dpc_arena_alloc(&in->memory, in->n_variables, sizeof *in->place);
    in->number = dpc_arena_alloc(&in->memory, in->n_variables, sizeof *in->number);
    if (dpc_arena_failed(&in->memory))
        return DPC_NO_MEMORY;
    for (int i = 0; i < o->n_keep; i++)
        DPC_CHECK(mark_list(in, o->keep[i], "keep", kept, err));
    for (int i = 0; i < o->n_drop; i++)
        DPC_CHECK(mark_list(in, o->drop[i], "drop", dropped, err));
    /* that they are row names need not be told where they are not wanted */
    in->guessed = in->guessed && !dropped[0] && (o->n_keep == 0 || kept[0]);
    return place_columns(in, kept, dropped, audit, err);
}
