/* The correlation matrix from inside: memory for one, and the product of prepared columns. */
#ifndef DPC_CORRELATION_H
#define DPC_CORRELATION_H

#include "prepare.h"

/* Its entries are not set. Free with dpc_correlation_free. */
dpc_status dpc_correlation_new(int n_vars, int64_t n_obs, dpc_correlation **out, dpc_error *err);

/*
 * The correlations of the columns into c->r. DPC_OK, DPC_NO_MEMORY or DPC_INTERRUPTED. Rows with
 * weights are not shared among threads: who has many such products shares these.
 */
dpc_status dpc_correlate_columns(const dpc_columns *columns, const dpc_settings *settings,
                                 dpc_correlation *c);

#endif
