/* Making tables, for those who fill every cell themselves. */
#ifndef DPC_TABLE_H
#define DPC_TABLE_H

#include "dualpc.h"

/* dpc_table_new, with values that are not set. */
dpc_status dpc_table_make(int64_t n_obs, int n_vars, const char *const *names, dpc_table **out,
                          dpc_error *err);

#endif
