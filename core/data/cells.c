/* The cells of a table: see cells.h. */
#include "cells.h"

#include "error.h"
#include "memory.h"

#include <stdlib.h>

enum {
    LINE = 8,       /* doubles of a cache line */
    ROOM = 1 << 20, /* doubles that a reader may gather, if that is more than a column */
};

/* Up to LINE columns at once, so that what lies together is read together. */
static void gather_line(const dpc_cells *cells, int64_t first, int columns, const int32_t *row,
                        int64_t from, int64_t rows, double *to)
{
    int64_t step = cells->column_stride;
    for (int64_t i = 0; i < rows; i++) {
        int64_t at = (row != NULL ? row[i] : from + i) * cells->row_stride + first * step;
        if (cells->type == DPC_FLOAT)
            for (int j = 0; j < columns; j++)
                to[j * rows + i] = ((const float *)cells->data)[at + j * step];
        else
            for (int j = 0; j < columns; j++)
                to[j * rows + i] = ((const double *)cells->data)[at + j * step];
    }
}

void dpc_cells_gather(const dpc_cells *cells, int64_t first, int64_t columns, const int32_t *row,
                      int64_t from, int64_t rows, double *to)
{
    int64_t width = llabs(cells->row_stride) > llabs(cells->column_stride) ? LINE : 1;
    for (int64_t j = 0; j < columns; j += width)
        gather_line(cells, first + j, (int)(columns - j < width ? columns - j : width), row, from,
                    rows, to + j * rows);
}

int dpc_columns_at_a_time(const dpc_cells *cells, int64_t n_rows)
{
    if (llabs(cells->row_stride) <= llabs(cells->column_stride) || n_rows > ROOM / 2)
        return 1;
    return n_rows > ROOM / LINE ? (int)(ROOM / n_rows) : LINE;
}

dpc_status dpc_column_readers_new(int count, const dpc_cells *cells, int64_t n_rows, int n_columns,
                                  dpc_column_reader **out, dpc_error *err)
{
    dpc_column_reader *readers = dpc_zalloc(count, sizeof *readers);
    bool plain = dpc_plain_column(cells, 0) != NULL, fine = readers != NULL;
    int width = dpc_columns_at_a_time(cells, n_rows);
    for (int i = 0; fine && i < count; i++) {
        readers[i] = (dpc_column_reader){*cells, n_rows, n_columns, width, NULL, 0, 0};
        if (!plain)
            readers[i].gathered = dpc_alloc(width * n_rows, sizeof *readers[i].gathered);
        fine = plain || readers[i].gathered != NULL;
    }
    if (!fine) {
        dpc_column_readers_free(readers, count);
        return dpc_fail_memory(err, "the columns of a table");
    }
    *out = readers;
    return DPC_OK;
}

void dpc_column_readers_free(dpc_column_reader *readers, int count)
{
    for (int i = 0; readers != NULL && i < count; i++)
        free(readers[i].gathered);
    free(readers);
}

const double *dpc_read_column(dpc_column_reader *r, int column)
{
    if (r->gathered == NULL)
        return dpc_plain_column(&r->cells, column);
    if (column < r->first || column >= r->first + r->n_gathered) {
        int left = r->n_columns - column;
        r->first = column;
        r->n_gathered = left < r->width ? left : r->width;
        dpc_cells_gather(&r->cells, column, r->n_gathered, NULL, 0, r->n_rows, r->gathered);
    }
    return r->gathered + (int64_t)(column - r->first) * r->n_rows;
}
