/* Each correlation from the rows that have both of its cells. */
#ifndef DPC_PAIRWISE_H
#define DPC_PAIRWISE_H

#include "incomplete.h"

/* The rows that two columns have in common, over all pairs that vary. */
typedef struct dpc_pair_rows {
    int64_t least, most; /* the smallest number, and the largest */
    int32_t least_of[2]; /* the first pair that has the smallest */
    int64_t count;       /* pairs; 0: there are none, and nothing else is set */
    double sum;          /* of the numbers */
} dpc_pair_rows;

/*
 * R into r, n × n; a pair that has no variance in the rows it has in common is 0. It need not be
 * positive definite. The rows that each pair has in common into `rows`; with a constant column,
 * which has no tests, they count as all. DPC_OK, DPC_NO_MEMORY or DPC_INTERRUPTED.
 */
dpc_status dpc_correlate_pairwise(const dpc_incomplete *in, const dpc_settings *settings, double *r,
                                  int32_t *rows, dpc_pair_rows *pairs);

#endif
