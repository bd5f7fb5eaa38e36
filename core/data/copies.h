/*
 * Columns that are copies of columns before them, or linear functions, or nearly so: 1 - r², which
 * is what the one leaves of the other, is below some `left`, which is small.
 */
#ifndef DPC_COPIES_H
#define DPC_COPIES_H

#include "correlation.h"
#include "labels.h"

/* Is r the correlation of two copies? */
bool dpc_is_copy(double r, double left);

/*
 * For each column the first one before it, in the order of the labels, that it is a copy of; -1:
 * there is none. DPC_OK, DPC_NO_MEMORY or DPC_INTERRUPTED.
 */
dpc_status dpc_find_copies(const dpc_correlation *correlation, const dpc_labels *labels,
                           double left, const dpc_settings *settings, int32_t *copied);

#endif
