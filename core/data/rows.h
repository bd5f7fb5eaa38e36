/*
 * The N of a test. Of a table with missing cells two columns have some rows in common, and a test
 * counts with the fewest that any two of its columns have; of all others every N is that of the
 * view.
 */
#ifndef DPC_ROWS_H
#define DPC_ROWS_H

#include "view.h"

/* N of the test of x and y given a set, all of them columns. */
int64_t dpc_test_rows(const dpc_view *view, int x, int y, const int32_t *set, int size);

/* The fewest and the most rows that two of some variables have in common. */
typedef struct dpc_rows {
    int64_t least, most;
} dpc_rows;

/* Among a node and others, all of them labels; NULL: all variables there are. */
dpc_rows dpc_rows_among(const dpc_view *view, int x, const int32_t *others, int count);

#endif
