/* Tables from inside: what they have, and making one without setting its values. */
#ifndef DPC_TABLE_H
#define DPC_TABLE_H

#include "cells.h"

#include <math.h>

/* What a variable is, where it is more than a column of numbers. */
typedef struct dpc_column_kind {
    dpc_variable_kind kind;
    bool said; /* the user has said so; otherwise it is what the column looks like */
    int n_levels;
    char **levels;   /* n_levels names; owned; or NULL */
    int64_t *counts; /* rows with each; owned; or NULL */
    int n_more;      /* of a block: columns beside the first, which is that of the table */
    double *more;    /* their values, n_obs each, one column after the other; owned; or NULL */
    char **columns;  /* of a block: 1 + n_more names; owned; or NULL */
    double *at;      /* by level: the value of its cells, ascending; owned; NULL: 0, 1, … */
} dpc_column_kind;

struct dpc_table {
    int64_t n_obs;  /* N, rows */
    int n_vars;     /* n, columns */
    char **names;   /* n_vars names; owned */
    double *values; /* column j starts at values + j * n_obs; NaN is missing; owned; or NULL */
    dpc_cells view; /* where there are no values: the caller's; without data: dropped */
    dpc_missing how_missing; /* what its missing cells do */
    int64_t *missing;        /* by column: cells that were missing in its file; owned; NULL: none */
    dpc_column_kind *variable; /* n_vars; owned; NULL: all are numbers */
};

/* The cells, wherever they are. */
static inline dpc_cells dpc_table_cells(const dpc_table *table)
{
    if (table->values == NULL)
        return table->view;
    return (dpc_cells){table->values, DPC_DOUBLE, 1, table->n_obs};
}

/* The kind of a variable. */
static inline dpc_variable_kind dpc_kind_of(const dpc_table *table, int variable)
{
    return table->variable != NULL ? table->variable[variable].kind : DPC_NUMBER;
}

/* Columns that it takes before any is dropped: of a nominal variable one less than its levels. */
static inline int dpc_width_of(const dpc_table *table, int variable)
{
    const dpc_column_kind *v = table->variable != NULL ? &table->variable[variable] : NULL;
    if (v == NULL)
        return 1;
    return v->kind == DPC_NOMINAL ? v->n_levels - 1 : 1 + v->n_more;
}

/* Is the cell missing, of a block one of them? */
static inline bool dpc_is_missing(const dpc_table *table, const dpc_cells *cells, int64_t row,
                                  int variable)
{
    const dpc_column_kind *v = table->variable != NULL ? &table->variable[variable] : NULL;
    bool missing = isnan(dpc_value_at(cells, row, variable));
    for (int64_t c = 0; v != NULL && c < v->n_more && !missing; c++)
        missing = isnan(v->more[c * table->n_obs + row]);
    return missing;
}

/* DPC_USAGE: its values were dropped. */
dpc_status dpc_table_check(const dpc_table *table, dpc_error *err);

/* dpc_table_new, with values that are not set. */
dpc_status dpc_table_make(int64_t n_obs, int n_vars, const char *const *names, dpc_table **out,
                          dpc_error *err);

#endif
