/*
 * The columns of variables as a regression takes them, in the units of the data: a number is one
 * column, a nominal variable an indicator for each of its levels, a block its columns.
 *
 * A test asks only for the space that the columns of a variable span (blocks.h). A coefficient asks
 * for more: a unit, and for an indicator the level that it is compared with, the baseline, whose
 * own indicator stays out. It is the most frequent level of the table, of several the first. The
 * indicators of all levels are here, for a level may also be an outcome: its share.
 *
 * One indicator of a nominal variable is no column of the correlations, for the others determine
 * it: it is 1 - Σ of these, so that its covariance with x is -Σ cov(k, x).
 */
#ifndef DPC_CODING_H
#define DPC_CODING_H

#include "dualpc.h"

/* In the place of a baseline. */
enum { DPC_BASE_NUMBER = -1, DPC_BASE_BLOCK = -2 };

typedef struct dpc_coding {
    int n;          /* variables */
    int m;          /* columns */
    int32_t *first; /* by variable: columns first[v] … first[v + 1] - 1; n + 1; owned */
    int32_t *base;  /* by variable: the level of the baseline, or one of the above; owned */
    int32_t *from;  /* by column: which one of the correlations it is; -1: what the others of its
                       variable leave of 1; owned */
    double *spread; /* by column: standard deviation of an indicator in the table; 0: none; owned */
    double *r;      /* m × m, unit diagonal; owned; NULL: not filled yet */
    double *sd;     /* by column; 0: constant; owned; NULL likewise */
} dpc_coding;

/*
 * What the columns are, before there are correlations. *out is NULL where every variable is a
 * number, and where there are no units for levels: relations are curved, or variables latent. Free
 * with dpc_coding_free.
 */
dpc_status dpc_coding_new(const dpc_table *table, const dpc_settings *settings, dpc_coding **out,
                          dpc_error *err);
void dpc_coding_free(dpc_coding *coding);

/* The same for other rows, without their correlations; of none there is none. */
dpc_status dpc_coding_copy(const dpc_coding *from, dpc_coding **out, dpc_error *err);

/*
 * The correlations, from those of `count` columns: of the variables where each is one column,
 * otherwise of the expanded table (expand.h). `scored`: the standard deviations are of scores, and
 * those of the indicators are taken from the table. DPC_OK or no memory.
 */
dpc_status dpc_coding_fill(dpc_coding *coding, const double *r, const double *sd, int64_t count,
                           bool scored);

static inline bool dpc_is_nominal(const dpc_coding *coding, int v)
{
    return coding != NULL && coding->base[v] >= 0;
}

#endif
