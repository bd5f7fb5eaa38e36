/*
 * The independencies that a DAG implies, held against the data; and what its parents leave of each
 * variable.
 *
 * With the nodes in an order in which parents come before children, a DAG says that each node v is
 * independent of every earlier node u that is no parent of it, given the parents. These statements,
 * one for each pair that is not joined, imply all others (the ordered Markov property). For each
 *
 *     z = sqrt(N - k - 3) atanh r,    r the partial correlation of u and v given the k parents.
 *
 * One sweep (ges_sweep.h) over the parents of v gives r for all u at once. Nodes are labels.
 */
#ifndef DPC_IMPLIED_H
#define DPC_IMPLIED_H

#include "adjacency.h"
#include "crew.h"
#include "stat.h"
#include "view.h"

/* A DAG by an order: every edge points at the end that went first (class_member.h). */
typedef struct dpc_ordered {
    dpc_view view;
    const dpc_adjacency *graph; /* who is joined */
    const int32_t *when;        /* by node: falling from parents to children, 0 … n - 1 */
    dpc_critical critical;      /* for as many variables as a node has parents */
    double most_room;           /* numbers of a sweep; where that is not enough, by parts */
} dpc_ordered;

/* The parents of v, ascending; `parents` has room for its neighbours. Returns how many. */
int dpc_ordered_parents(const dpc_ordered *dag, int v, int32_t *parents);

typedef struct dpc_contradiction {
    double r, z;  /* z is not negative here */
    int32_t u, v; /* v comes later: the set are its parents */
} dpc_contradiction;

typedef struct dpc_implied_counts {
    int64_t implied;  /* pairs that are not joined */
    int64_t untested; /* of these: N is too small, or no variance is left */
    int64_t exceed;   /* |r| above the critical value */
    int n_largest;
    dpc_contradiction largest[DPC_MOST_IMPLIED]; /* by falling z, then v, then u */
} dpc_implied_counts;

/*
 * Looks at all of them. variance[v] becomes the variance of v given its parents, v having 1; NaN:
 * nothing is left. DPC_OK, no memory or interrupted.
 */
dpc_status dpc_look_at_implied(const dpc_ordered *dag, dpc_crew *crew, double *variance,
                               dpc_implied_counts *out);

#endif
