/*
 * All sets of some nodes, and what each leaves of one more node, v.
 *
 * The sets of u1, u2, … are the leaves of a tree: u1 is in S or not, then u2, and so on. At a
 * branch stand the covariances of v and of the nodes that are still open, given those that are in
 * S. To take one in is one step of elimination; to leave it out is to pass over its row. With k
 * open nodes a step costs O(k²), and of n nodes 2^(n-k) steps have so many: so a set costs O(1).
 *
 * The steps are those of a family (family.h) that takes its parents in the same order, so that a
 * set has the same variance here and there, to the last bit, and what one passes over as determined
 * by those before it the other does, too.
 */
#ifndef DPC_ALL_SETS_H
#define DPC_ALL_SETS_H

#include "family.h"

#include <math.h>

/* What S leaves of `open` nodes and of v, which comes after them. */
typedef struct dpc_given {
    const double *cov;          /* of nodes i < j at i * stride + j */
    const double *var, *growth; /* of each; g as in family.h */
    int stride, open;
} dpc_given;

/* The numbers that all branches with fewer than so many open nodes need: k + 2 rows of k + 1. */
static inline int dpc_given_room(int open)
{
    return open * (open + 1) * (open + 2) / 3;
}

/* The first open node is passed over. */
static inline void dpc_given_without(const dpc_given *g, dpc_given *after)
{
    after->cov = g->cov + g->stride + 1;
    after->var = g->var + 1;
    after->growth = g->growth + 1;
    after->stride = g->stride;
    after->open = g->open - 1;
}

/* The first open node is taken into S; `room` is that of all branches. */
static inline void dpc_given_with(const dpc_given *g, const dpc_vector *vector, double *room,
                                  dpc_given *after)
{
    int open = g->open - 1, stride = open + 1;
    double *var = room + dpc_given_room(open), *growth = var + stride, *cov = growth + stride;
    const double *w = g->cov + 1, *from = w + g->stride + 1;
    double pivot = g->var[0], grown = g->growth[0] / pivot;
    vector->reduce(stride, g->var + 1, w, 1 / pivot, var);
    for (int i = 0; i < open; i++) {
        growth[i] = g->growth[i + 1] + fabs(w[i]) * grown;
        vector->eliminate(open - i, from, w + i + 1, w[i] / pivot, cov + i * stride + i + 1);
        from += g->stride + 1;
    }
    after->cov = cov;
    after->var = var;
    after->growth = growth;
    after->stride = stride;
    after->open = open;
}

/* Where no other one is open: what the first open node leaves of v. */
static inline double dpc_given_last(const dpc_given *g, const dpc_vector *vector)
{
    double left;
    vector->reduce(1, g->var + 1, g->cov + 1, 1 / g->var[0], &left);
    return left;
}

/* Do those in S determine the first open node? As dpc_family_determines. */
static inline bool dpc_given_determines(const dpc_given *g)
{
    return !(g->var[0] > dpc_noise_of(g->growth[0]));
}

#endif
