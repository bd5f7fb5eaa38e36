/* The cells of a table: see cells.h. */
#include "cells.h"

#include "alloc.h"
#include "status.h"
#include "table.h"

#include <stdlib.h>

enum {
    LINE = 8,       /* doubles of a cache line */
    SOME = 4,       /* rows that are transposed at a time */
    ROWS = 256,     /* rows whose lines stay in the cache while their columns are gathered */
    WIDEST = 64,    /* columns that a reader gathers at a time */
    ROOM = 1 << 22, /* doubles that it may gather, if that is more than a column */
};

/* Does a row lie together, rather than a column? */
static bool by_rows(const dpc_cells *cells)
{
    return llabs(cells->row_stride) > llabs(cells->column_stride);
}

/*
 * A few columns at once, so that what lies together is read together; the values of a column are
 * `apart` from those of the next.
 */
static void gather_line(const dpc_cells *cells, int64_t first, int columns, const int32_t *row,
                        int64_t from, int64_t rows, int64_t apart, double *to)
{
    int64_t step = cells->column_stride;
    for (int64_t i = 0; i < rows; i++) {
        int64_t at = (row != NULL ? row[i] : from + i) * cells->row_stride + first * step;
        if (cells->type == DPC_FLOAT)
            for (int j = 0; j < columns; j++)
                to[j * apart + i] = ((const float *)cells->data)[at + j * step];
        else
            for (int j = 0; j < columns; j++)
                to[j * apart + i] = ((const double *)cells->data)[at + j * step];
    }
}

/* The same of whole lines of doubles: each column gets some rows in one piece. */
static void turn_lines(const double *from, int64_t row_stride, int64_t rows, int64_t apart,
                       double *to)
{
    int64_t i = 0;
    for (; i + SOME <= rows; i += SOME, from += SOME * row_stride) {
        double turned[LINE][SOME];
        for (int k = 0; k < SOME; k++)
            for (int j = 0; j < LINE; j++)
                turned[j][k] = from[k * row_stride + j];
        for (int j = 0; j < LINE; j++)
            for (int k = 0; k < SOME; k++)
                to[j * apart + i + k] = turned[j][k];
    }
    for (; i < rows; i++, from += row_stride)
        for (int j = 0; j < LINE; j++)
            to[j * apart + i] = from[j];
}

void dpc_cells_gather(const dpc_cells *cells, int64_t first, int64_t columns, const int32_t *row,
                      int64_t from, int64_t rows, double *to)
{
    int64_t width = by_rows(cells) ? LINE : 1, height = by_rows(cells) ? ROWS : rows;
    bool lines = by_rows(cells) && cells->column_stride == 1 && cells->type == DPC_DOUBLE;
    for (int64_t i = 0; i < rows; i += height)
        for (int64_t j = 0; j < columns; j += width) {
            int64_t high = rows - i < height ? rows - i : height;
            if (lines && row == NULL && columns - j >= LINE)
                turn_lines((const double *)cells->data + (from + i) * cells->row_stride + first + j,
                           cells->row_stride, high, rows, to + j * rows + i);
            else
                gather_line(cells, first + j, (int)(columns - j < width ? columns - j : width),
                            row != NULL ? row + i : NULL, from + i, high, rows, to + j * rows + i);
        }
}

int dpc_columns_at_a_time(const dpc_cells *cells, int64_t n_rows)
{
    if (!by_rows(cells) || n_rows > ROOM / 2)
        return 1;
    return n_rows > ROOM / WIDEST ? (int)(ROOM / n_rows) : WIDEST;
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

/* ---- All columns of a table ---- */

typedef struct columns_job {
    dpc_column_reader *readers; /* one per worker */
    dpc_column_task task;
    void *context;
} columns_job;

/* As many columns as a reader gathers at a time. */
static void run_columns(void *context, int64_t index, int worker)
{
    const columns_job *job = context;
    dpc_column_reader *reader = &job->readers[worker];
    int64_t first = index * reader->width, end = first + reader->width;
    for (int64_t j = first; j < end && j < reader->n_columns; j++)
        job->task(job->context, j, dpc_read_column(reader, (int)j), worker);
}

dpc_status dpc_for_columns(const dpc_table *table, dpc_crew *crew, dpc_column_task task,
                           void *context, dpc_error *err)
{
    const dpc_cells cells = dpc_table_cells(table);
    int width = dpc_columns_at_a_time(&cells, table->n_obs);
    columns_job job = {.task = task, .context = context};
    DPC_CHECK(dpc_column_readers_new(crew->threads, &cells, table->n_obs, table->n_vars,
                                     &job.readers, err));
    bool done = dpc_crew_run(crew, (table->n_vars + width - 1) / width,
                             (double)table->n_obs * table->n_vars, run_columns, &job);
    dpc_column_readers_free(job.readers, crew->threads);
    return done ? DPC_OK : dpc_fail_interrupted(err);
}
