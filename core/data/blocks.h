/*
 * Blocks of columns: a variable that is more than one column of numbers.
 *
 * A nominal variable with L levels is L - 1 indicators; a block its columns; a variable whose
 * relations may be curved a basis of functions of its ranks. Everything that is asked of such
 * variables is a ratio of determinants, which depends only on the space that the columns of a
 * variable span. So each block is orthonormal: R over it is the identity, and a column that those
 * before it in its block determine is not there. Which level has no indicator does not matter.
 *
 * A correlation with blocks has n variables; its `r` is n × n, and holds the *association* of two
 * variables, sqrt(1 - Λ^(1/min(p, q))), which is |r| for two single columns: it orders the
 * variables, and nothing else is to be computed from it. What tests and scores read is `blocks`.
 * Where every variable is one column there are no blocks.
 */
#ifndef DPC_BLOCKS_H
#define DPC_BLOCKS_H

#include "dualpc.h"

typedef struct dpc_blocks {
    int n;          /* variables */
    int m;          /* columns */
    int32_t *first; /* by variable: columns first[v] … first[v + 1] - 1; n + 1; owned */
    double *r;      /* m × m, symmetric, the identity within each block; owned */
    int32_t *lead;  /* by variable: that many of its columns are what others explain, in a
                       one-equation test; owned; NULL: all of them, always */
    bool *number;   /* by variable: one column of numbers, so that a correlation with another such
                       column has a sign; owned; NULL: none is */
    struct dpc_codes *codes; /* of nominal variables, for tests by counts: a share; NULL: none */
    int32_t *times;          /* by row of the codes: so often it was drawn; owned; NULL: once */
} dpc_blocks;

static inline int dpc_block_width(const dpc_blocks *blocks, int v)
{
    return blocks->first[v + 1] - blocks->first[v];
}

/* Are both single columns of numbers? Only then has what joins them a sign. */
static inline bool dpc_blocks_signed(const dpc_blocks *blocks, int a, int b)
{
    return blocks->number != NULL && blocks->number[a] && blocks->number[b];
}

/*
 * Blocks from the correlations of their columns, m × m with m = first[n], of which those with
 * `constant` are not there (NULL: none is). A block whose columns are all constant keeps none. Free
 * with dpc_blocks_free.
 */
dpc_status dpc_blocks_make(const double *r, const int32_t *first, int n, const bool *constant,
                           dpc_blocks **out, dpc_error *err);
void dpc_blocks_free(dpc_blocks *blocks);

/*
 * In a resample: row i of the codes counts times[i] times; n_rows of them, which are copied. Where
 * there are no codes nothing is done.
 */
dpc_status dpc_blocks_set_times(dpc_blocks *blocks, const int32_t *times, dpc_error *err);

/*
 * ln Λ of two variables given nothing: ln det (I - C Cᵀ), C being R between them. `room` has
 * dpc_blocks_room numbers.
 */
int64_t dpc_blocks_room(const dpc_blocks *blocks);
double dpc_blocks_log_lambda(const dpc_blocks *blocks, int x, int y, double *room);

/* The association of two variables from ln Λ: sqrt(1 - Λ^(1/least)), least the smaller width. */
double dpc_association(double log_lambda, int least);

#endif
