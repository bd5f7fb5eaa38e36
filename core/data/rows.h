/*
 * The N of a test. In a table with missing cells, two columns have some rows in common. A test
 * counts with the fewest that any two of its columns have in common, or, where EM has estimated the
 * covariances, with the mean over its pairs. In all other tables every N is that of the view.
 */
#ifndef DPC_ROWS_H
#define DPC_ROWS_H

#include "view.h"

/* N of the test of x and y given a set, all of them columns. */
int64_t dpc_test_rows(const dpc_view *view, int x, int y, const int32_t *set, int size);

/* The rows that two of some variables have in common; a test among them has an N between. */
typedef struct dpc_row_counts {
    int64_t least, most;
    int64_t all;     /* N of a test that takes all of them */
    int64_t columns; /* where variables are blocks: theirs */
} dpc_row_counts;

/* Among a node and others, all of them labels; NULL: all variables there are. */
dpc_row_counts dpc_rows_among(const dpc_view *view, int x, const int32_t *others, int count);

#endif
