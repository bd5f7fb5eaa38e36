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
 * One family (stats/family.h) over the parents of v gives r for all u at once. Nodes are labels.
 */
#ifndef DPC_IMPLIED_H
#define DPC_IMPLIED_H

#include "adjacency.h"
#include "crew.h"
#include "dualpc_explain.h"
#include "family.h"
#include "test.h"
#include "view.h"

/* A DAG by an order: every edge points at the end that went first (extension.h). */
typedef struct dpc_ordered {
    dpc_view view;
    const dpc_adjacency *graph; /* who is joined */
    const int32_t *when;        /* by node: falling from parents to children, 0 … n - 1 */
    dpc_critical critical;      /* for as many variables as a node has parents */
    double alpha;               /* the level of these */
    double most_room;           /* numbers of a family; where that is not enough, by parts */
} dpc_ordered;

/* The parents of v, ascending; `parents` has room for its neighbours. Returns how many. */
int dpc_ordered_parents(const dpc_ordered *dag, int v, int32_t *parents);

typedef struct dpc_contradiction {
    double r, z;  /* z is not negative here */
    double p;     /* of blocks; of single columns it follows from r */
    int32_t u, v; /* v comes later: the set are its parents */
} dpc_contradiction;

typedef struct dpc_implied_counts {
    int64_t implied;  /* pairs that are not joined */
    int64_t untested; /* of these: N is too small, or no variance is left */
    int64_t exceed;   /* |r| above the critical value */
    int n_largest;
    dpc_contradiction largest[DPC_MOST_IMPLIED]; /* by falling z, then v, then u */
} dpc_implied_counts;

/* What a worker needs to look at one node after the other. */
typedef struct dpc_implied_worker {
    dpc_family family;
    bool *near;       /* by node: v or a neighbour of it; false between nodes */
    uint8_t *flag;    /* by place: worth a look */
    int32_t *list;    /* parents, then other nodes; 2 n */
    int32_t *others;  /* n */
    int32_t *given;   /* the parents as columns; n */
    dpc_arena memory; /* of these arrays */
    dpc_implied_counts counts;
    dpc_status status;
} dpc_implied_worker;

/* Adds the pair of v and u, r² given, to what exceeds and to the largest. NaN: it is untested. */
void dpc_implied_count(dpc_implied_counts *counts, const dpc_ordered *dag, int k, int v, int u,
                       double square, double t);

/* What `variance` below has of v, and how many pairs v has; false: none can be tested. */
bool dpc_implied_start(dpc_implied_worker *state, const dpc_ordered *dag, int v, int k,
                       double *variance);

/* The pairs of v that lie behind, the columns in parts; the parents are the first k of the list. */
void dpc_implied_by_parts(dpc_implied_worker *state, const dpc_ordered *dag, dpc_crew *crew, int v,
                          int k, int worker);

/*
 * |r| from which on a pair may be among the largest, and from which on it is counted or may be; k
 * is the size of its set.
 */
double dpc_implied_last(const dpc_implied_counts *counts, const dpc_ordered *dag, int k);
double dpc_implied_least(const dpc_implied_counts *counts, const dpc_ordered *dag, int k);

/* Takes a contradiction among the largest, where it is one; those of one worker to those of
 * another. */
void dpc_implied_keep(dpc_implied_counts *counts, dpc_contradiction found);
void dpc_implied_add(dpc_implied_counts *to, const dpc_implied_counts *from);

/*
 * implied_blocks.c: all nodes, where variables are blocks of columns. log_det[v] becomes ln det of
 * the covariances of v given its parents, its own being the identity; NaN: they determine some.
 */
dpc_status dpc_implied_blocks(const dpc_ordered *dag, dpc_crew *crew, double *log_det,
                              dpc_implied_counts *out);

/* implied_tiles.c: all nodes, where there is no R. */
dpc_status dpc_implied_tiles(const dpc_ordered *dag, dpc_crew *crew, dpc_implied_worker *states,
                             double *variance);

/*
 * Looks at all of them, where variables are single columns. variance[v] becomes the variance of v
 * given its parents, v having 1; NaN: nothing is left. DPC_OK, no memory or interrupted.
 */
dpc_status dpc_look_at_implied(const dpc_ordered *dag, dpc_crew *crew, double *variance,
                               dpc_implied_counts *out);

#endif
