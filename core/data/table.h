/* Tables from inside: what they have, and making one without setting its values. */
#ifndef DPC_TABLE_H
#define DPC_TABLE_H

#include "dualpc.h"

struct dpc_table {
    int64_t n_obs;  /* N, rows */
    int n_vars;     /* n, columns */
    char **names;   /* n_vars names; owned */
    double *values; /* column j starts at values + j * n_obs; NaN is missing; owned */
};

/* dpc_table_new, with values that are not set. */
dpc_status dpc_table_make(int64_t n_obs, int n_vars, const char *const *names, dpc_table **out,
                          dpc_error *err);

#endif
