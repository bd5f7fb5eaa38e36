/* From raw columns to standardised ones. */
#ifndef DPC_PREPARE_H
#define DPC_PREPARE_H

#include "dualpc.h"

/*
 * The columns of the table, or their normal scores, centred and scaled to unit length, so that
 * ZᵀZ is the correlation matrix. A constant column becomes 0, with a warning. `*out` has the
 * layout of table->values and is freed by the caller.
 */
dpc_status dpc_prepare(const dpc_table *table, const dpc_settings *settings, dpc_audit *audit,
                       double **out, dpc_error *err);

#endif
