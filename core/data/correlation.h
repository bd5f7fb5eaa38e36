/* The correlation matrix from inside: what it has, its owners, and the product of columns. */
#ifndef DPC_CORRELATION_H
#define DPC_CORRELATION_H

#include "blocks.h"
#include "coding.h"
#include "products.h"

#include <stdatomic.h>

struct dpc_correlation {
    int n_vars;             /* n */
    int64_t n_obs;          /* N, the number of observations behind it */
    int32_t *rows;          /* n × n: those that two columns have in common; owned. NULL: N, all */
    bool mean_rows;         /* the N of a test is the mean over its pairs, not the smallest */
    double *r;              /* n × n, symmetric, unit diagonal; NULL: it would be too large */
    bool borrowed;          /* r is the caller's, and is only read; otherwise it is owned */
    dpc_products *products; /* in place of r: its entries are made from these; owned; or NULL */
    double *sd;      /* of the columns, with the divisor N; 0: constant; owned. NULL: not known */
    bool unfinished; /* `timeout` has ended its estimate before it was done */
    bool scored;     /* the columns are normal scores, and sd has no units */
    double
        *apart; /* by column: tells columns apart that R does not (canonical.h); owned; or NULL */
    dpc_blocks *blocks;        /* variables of several columns; owned; NULL: each is one column */
    struct dpc_latent *latent; /* r is of latent variables (latent.h); owned; or NULL */
    dpc_coding *coding; /* the columns for regressions; owned; NULL: all variables are numbers */
    struct dpc_correlation *half[2]; /* of two halves of the rows (halves.h); owned; or NULL */
    atomic_int shares;               /* owners beyond the first */
    double seconds_prepare, seconds_product; /* what it took to make */
};

/* Its entries are not set. Free with dpc_correlation_free. */
dpc_status dpc_correlation_new(int n_vars, int64_t n_obs, dpc_correlation **out, dpc_error *err);

/* The same without R, for one whose entries are made from its columns. */
dpc_status dpc_correlation_new_without_matrix(int n_vars, int64_t n_obs, dpc_correlation **out,
                                              dpc_error *err);

/* Adds an owner, which frees its share with dpc_correlation_free. Changes only that count. */
dpc_correlation *dpc_correlation_share(const dpc_correlation *correlation);

/*
 * The correlations of the columns into c->r. DPC_OK, DPC_NO_MEMORY or DPC_INTERRUPTED. Rows with
 * weights are multiplied by one thread: a caller with many such products runs these in parallel.
 */
dpc_status dpc_correlate_columns(const dpc_columns *columns, const dpc_settings *settings,
                                 dpc_correlation *c);

/*
 * Inner products in the upper triangle of c->r become correlations in both; c->sd is set where
 * there is room for it. DPC_OK, DPC_NO_MEMORY or DPC_INTERRUPTED.
 */
dpc_status dpc_correlation_scale(dpc_correlation *c, struct dpc_crew *crew);

/* Has what joins two variables a sign? Not where one is nominal, a block, or may be curved. */
static inline bool dpc_pair_has_sign(const dpc_correlation *c, int a, int b)
{
    return c->blocks != NULL ? dpc_blocks_signed(c->blocks, a, b)
                             : !dpc_is_nominal(c->coding, a) && !dpc_is_nominal(c->coding, b);
}

/* Fills the coding of a correlation, where it has one, from that of its columns (coding.h). */
static inline dpc_status dpc_correlation_code(const dpc_correlation *columns, dpc_correlation *c)
{
    return c->coding == NULL || columns->r == NULL
               ? DPC_OK
               : dpc_coding_fill(c->coding, columns->r, columns->sd, columns->n_vars, c->scored);
}

/* The doubles of a block of rows in a product of columns; each thread needs two. */
int64_t dpc_product_block(int64_t rows, int64_t n_vars);

#endif
