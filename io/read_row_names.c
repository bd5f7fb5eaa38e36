/*
 * Row names: whether the first column holds them, and which they are.
 *
 * Where no header says so, the first cells of the rows are names if they are all different and none
 * is a plain number or empty. Words for missing values are names among others, as that of Namibia;
 * so are single cells that could be read as oddly spelled numbers (1D-2 beside 1A-2 and 1B-2). But
 * where no fewer cells are numbers in any spelling than are text, the column is a variable, and the
 * text in it a slip: a variable must not be lost because one of its cells is missing or mistyped.
 */
#include "alloc.h"
#include "read.h"

#include <stdlib.h>
#include <string.h>

static int compare_cells(const void *pa, const void *pb)
{
    const dpc_cell *a = pa, *b = pb;
    if (a->length != b->length)
        return a->length < b->length ? -1 : 1;
    return memcmp(a->text, b->text, a->length);
}

/* Sorting, not hashing: no choice of names makes it slow. */
static bool all_different(dpc_cell *cells, int64_t n)
{
    qsort(cells, (size_t)n, sizeof *cells, compare_cells);
    for (int64_t i = 1; i < n; i++)
        if (compare_cells(&cells[i - 1], &cells[i]) == 0)
            return false;
    return true;
}

/* May the cell be one of several names? Tells of which kind it is. */
static bool may_be_name(const dpc_reader *in, const dpc_cell *cell, dpc_kind *kind)
{
    double value;
    int word;
    *kind = dpc_reader_kind(in, cell, &value, &word);
    return *kind == DPC_KIND_TEXT || *kind == DPC_KIND_ODD ||
           (*kind == DPC_KIND_MISSING && word >= DPC_NA_FIRST);
}

dpc_status dpc_reader_guess_row_names(dpc_reader *in, bool *names)
{
    dpc_cell *cells = NULL;
    dpc_row_ends ends;
    int64_t n = 0, capacity = 0, texts = 0, odd = 0;
    bool fine = true;
    in->n_row_names = 1; /* if they are, one that begins with # is no comment */
    for (const char *p = in->below; fine && dpc_reader_next_row(in, &p, &ends);) {
        dpc_kind kind;
        if (ends.fields != in->n_fields)
            continue; /* a cell in a shifted row says nothing about its column */
        fine = may_be_name(in, &ends.first, &kind);
        texts += kind == DPC_KIND_TEXT;
        odd += kind == DPC_KIND_ODD;
        dpc_cell *larger = dpc_make_room(cells, &capacity, n + 1, sizeof *cells);
        if (larger == NULL) {
            free(cells);
            return DPC_NO_MEMORY;
        }
        cells = larger;
        cells[n++] = ends.first;
    }
    *names = n > 0 && fine && (odd == 0 || texts > odd) && all_different(cells, n);
    in->n_row_names = *names;
    free(cells);
    return DPC_OK;
}

dpc_status dpc_reader_take_row_names(dpc_reader *in)
{
    dpc_row_ends ends;
    const char *p = in->below;
    in->row_names = dpc_arena_alloc(&in->memory, in->n_rows, sizeof *in->row_names);
    if (in->row_names == NULL)
        return DPC_NO_MEMORY;
    for (int64_t row = 0; row < in->n_rows && dpc_reader_next_row(in, &p, &ends); row++)
        in->row_names[row] = ends.first;
    return DPC_OK;
}

bool dpc_reader_in_other_order(const dpc_reader *in)
{
    int n = in->n_fields - in->n_row_names, first = in->n_row_names - in->first_name;
    if (in->row_names == NULL || in->header == NULL || in->n_names - first < n || in->n_rows != n ||
        in->tally.unlike_rows.count > 0)
        return false;
    const dpc_cell *names = in->header_cells + first;
    int same = 0;
    while (same < n && compare_cells(&in->row_names[same], &names[same]) == 0)
        same++;
    if (same == n)
        return false;
    dpc_cell *sorted = dpc_alloc(2 * (int64_t)n, sizeof *sorted);
    if (sorted == NULL)
        return false; /* a check that cannot be afforded is no reason to stop */
    dpc_cell *others = sorted + n;
    memcpy(sorted, names, (size_t)n * sizeof *sorted);
    memcpy(others, in->row_names, (size_t)n * sizeof *others);
    qsort(sorted, (size_t)n, sizeof *sorted, compare_cells);
    qsort(others, (size_t)n, sizeof *others, compare_cells);
    int equal = 0;
    while (equal < n && compare_cells(&sorted[equal], &others[equal]) == 0)
        equal++;
    free(sorted);
    return equal == n;
}
