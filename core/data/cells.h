/*
 * The cells of a table, however they lie in memory: doubles or floats, rows or columns one after
 * the other, or neither.
 *
 * What reads a table reads it column by column, as arrays of doubles. Where it is that already, as
 * every table of our own is, nothing is copied and nothing costs more. Otherwise some columns at a
 * time are gathered into an array, as whole cache lines where a row lies together. Either way the
 * numbers are the same, and so is all that is made of them.
 */
#ifndef DPC_CELLS_H
#define DPC_CELLS_H

#include "crew.h"

typedef struct dpc_cells {
    const void *data; /* the cell in row 0, column 0; NULL: the cells were dropped */
    dpc_cell_type type;
    int64_t row_stride, column_stride; /* in cells */
} dpc_cells;

static inline double dpc_value_at(const dpc_cells *cells, int64_t row, int64_t column)
{
    int64_t at = row * cells->row_stride + column * cells->column_stride;
    return cells->type == DPC_FLOAT ? ((const float *)cells->data)[at]
                                    : ((const double *)cells->data)[at];
}

/* The column as an array of doubles; NULL: it is none. */
static inline const double *dpc_plain_column(const dpc_cells *cells, int64_t column)
{
    if (cells->type != DPC_DOUBLE || cells->row_stride != 1)
        return NULL;
    return (const double *)cells->data + column * cells->column_stride;
}

/*
 * Some rows of some columns into an array, column after column: those from `from` on, or, where
 * `row` is not NULL, these.
 */
void dpc_cells_gather(const dpc_cells *cells, int64_t first, int64_t columns, const int32_t *row,
                      int64_t from, int64_t rows, double *to);

/* ---- One column after the other ---- */

typedef struct dpc_column_reader {
    dpc_cells cells;
    int64_t n_rows;
    int n_columns;
    int width;        /* columns that are gathered at a time */
    double *gathered; /* those of `first` and after it; owned; NULL: all columns are plain */
    int first, n_gathered;
} dpc_column_reader;

/* How many columns at a time are best: 1 where a column lies together, more where a row does. */
int dpc_columns_at_a_time(const dpc_cells *cells, int64_t n_rows);

/* The work on one column, whose values are x. */
typedef void (*dpc_column_task)(void *context, int64_t column, const double *x, int worker);

/* Runs the task for every column of a table, by the crew. Fails with a sentence. */
dpc_status dpc_for_columns(const dpc_table *table, dpc_crew *crew, dpc_column_task task,
                           void *context, dpc_error *err);

/* `count` readers, one for each worker. */
dpc_status dpc_column_readers_new(int count, const dpc_cells *cells, int64_t n_rows, int n_columns,
                                  dpc_column_reader **out, dpc_error *err);
void dpc_column_readers_free(dpc_column_reader *readers, int count);

/* All rows of a column; valid until the next call. */
const double *dpc_read_column(dpc_column_reader *reader, int column);

#endif
