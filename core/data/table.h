/* Tables from inside: what they have, and making one without setting its values. */
#ifndef DPC_TABLE_H
#define DPC_TABLE_H

#include "cells.h"

struct dpc_table {
    int64_t n_obs;  /* N, rows */
    int n_vars;     /* n, columns */
    char **names;   /* n_vars names; owned */
    double *values; /* column j starts at values + j * n_obs; NaN is missing; owned; or NULL */
    dpc_cells view; /* where there are no values: the caller's; without data: dropped */
    dpc_missing how_missing; /* what its missing cells do */
    int64_t *missing;        /* by column: cells that were missing in its file; owned; NULL: none */
};

/* The cells, wherever they are. */
static inline dpc_cells dpc_table_cells(const dpc_table *table)
{
    if (table->values == NULL)
        return table->view;
    return (dpc_cells){table->values, DPC_DOUBLE, 1, table->n_obs};
}

/* DPC_USAGE: its values were dropped. */
dpc_status dpc_table_check(const dpc_table *table, dpc_error *err);

/* dpc_table_new, with values that are not set. */
dpc_status dpc_table_make(int64_t n_obs, int n_vars, const char *const *names, dpc_table **out,
                          dpc_error *err);

#endif
