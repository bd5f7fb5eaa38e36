/* Each correlation from the rows that have both of its cells. */
#ifndef DPC_PAIRWISE_H
#define DPC_PAIRWISE_H

#include "incomplete.h"

/* The rows that two columns have in common, over all pairs that vary. */
typedef struct dpc_pairs {
    int64_t least, most; /* the smallest number, and the largest */
    int32_t least_of[2]; /* the first pair that has it */
    int64_t count;       /* pairs; 0: there are none, and nothing else is told */
    double sum;          /* of the numbers */
} dpc_pairs;

/*
 * R into r, n × n; a pair that has no variance in the rows it has in common is 0. It need not be
 * positive definite. The rows that each pair has in common into `rows`: those of a constant column
 * hold no test back, and are told as all. DPC_OK, DPC_NO_MEMORY or DPC_INTERRUPTED.
 */
dpc_status dpc_correlate_pairwise(const dpc_incomplete *in, const dpc_settings *settings, double *r,
                                  int32_t *rows, dpc_pairs *pairs);

#endif
