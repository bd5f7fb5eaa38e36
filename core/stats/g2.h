/*
 * The test of two nominal variables by counts: the likelihood ratio
 *
 *     G² = 2 Σ n ln(n n_s / (n_x n_y))
 *
 * over the cells that were seen of a table of x, y and the strata s, which are the levels of the
 * set together; n_x and n_y are the counts of a level within the stratum. Its degrees of freedom
 * are adjusted: the sum over the strata of (levels of x seen - 1) (levels of y seen - 1). It is
 * saturated, so that it sees interactions that indicators do not, and needs many rows for each
 * stratum: it is meant for sets of at most DPC_G2_MOST variables.
 */
#ifndef DPC_G2_H
#define DPC_G2_H

#include "blocks.h"

enum { DPC_G2_MOST = 2 };

typedef struct dpc_g2 {
    double g2;
    double df; /* 0: they have nothing to compare */
    double p;  /* P(χ² > G²) */
    double z;  /* of a normal variable with that two-sided p-value; finite also where p is 0 */
} dpc_g2;

/* Have x, y and the set of k variables codes, and is the set small enough? */
bool dpc_g2_applies(const dpc_blocks *blocks, int x, int y, const int32_t *set, int k);

/* How many numbers `room` of dpc_g2_of has. */
int64_t dpc_g2_room(const dpc_blocks *blocks);
dpc_g2 dpc_g2_of(const dpc_blocks *blocks, int x, int y, const int32_t *set, int k, int32_t *room);

#endif
