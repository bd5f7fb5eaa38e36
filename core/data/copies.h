/* Columns that are copies of columns before them, or linear functions: their r² is 1. */
#ifndef DPC_COPIES_H
#define DPC_COPIES_H

#include "correlation.h"

/*
 * For each column the first one before it that it is a copy of; -1: there is none. DPC_OK,
 * DPC_NO_MEMORY or DPC_INTERRUPTED.
 */
dpc_status dpc_find_copies(const dpc_correlation *correlation, const dpc_settings *settings,
                           int32_t *copied);

#endif
