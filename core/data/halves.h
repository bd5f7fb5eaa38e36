/*
 * The correlations of two halves of the rows, for a search that asks whether the halves are as much
 * alike as those of independent rows would be.
 *
 * The rows are cut into DPC_HALF_BLOCKS blocks of consecutive rows, which belong to the halves in
 * turn. So rows that resemble their neighbours, as in a time series or in batches, are mostly on
 * the same side, and both halves have a share of each part of the file: rows that were merely
 * sorted do no harm. Rows of a group (groups.h) count as consecutive, and stay together. Both
 * halves are about the means of the whole table.
 */
#ifndef DPC_HALVES_H
#define DPC_HALVES_H

#include "correlation.h"

enum { DPC_HALF_BLOCKS = 10, DPC_LEAST_HALF = 10 /* rows */ };

/*
 * Makes c->half from the columns that c was made from, complete and with all rows; leaves it empty
 * where there are too few. DPC_OK, DPC_NO_MEMORY or DPC_INTERRUPTED.
 */
dpc_status dpc_correlate_halves(const dpc_columns *columns, const dpc_settings *settings,
                                dpc_correlation *c);

#endif
