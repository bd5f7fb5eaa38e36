/*
 * The partial correlation of a separated pair x, z given its set K with one variable y put in, or
 * taken out if it is there.
 */
#ifndef DPC_CHANGED_SET_H
#define DPC_CHANGED_SET_H

#include "linalg.h"
#include "orient.h"
#include "stats.h"

/* Belongs to one worker. */
typedef struct dpc_changed_set {
    const dpc_unoriented *task;
    /* the pair */
    int x, z;
    const dpc_adjacency *graph; /* the neighbours that K is a complement in; NULL: K is `subset` */
    const int32_t *subset;      /* K itself, or what K leaves out of the neighbours of x but z */
    int count;                  /* of the subset */
    int order;                  /* of K */
    int32_t *written;           /* the subset, where it had to be written out; owned */
    /* the factor of T over the neighbours of a node at a level, and the node */
    const dpc_adjacency *factor_graph;
    int factor_node;
    bool has_factor;
    double *factor;
    int64_t factor_room;
    /* what all y have in common */
    int32_t *common;     /* the subset, as columns of `small` */
    int32_t *places;     /* the subset, y, z and x, as columns of T or of R */
    double *small;       /* T or R over these */
    double *held;        /* memory of `partial` */
    dpc_partial partial; /* what the subset leaves of x and z; nothing where … */
    bool singular;       /* … its members determine each other */
    int64_t common_room; /* for subsets of that many; -1: none */
    /* for one correlation */
    int32_t *members;
    double *scratch;
    int64_t room;      /* for sets of that many */
    dpc_patch patch;   /* where there is no R */
    dpc_direct direct; /* for the long way */
} dpc_changed_set;

/* End with dpc_changed_set_clear. */
void dpc_changed_set_init(const dpc_unoriented *task, dpc_changed_set *out);
void dpc_changed_set_clear(dpc_changed_set *set);

/*
 * The pair that was separated as `found` says, by a record. Best called for all pairs that were
 * separated from the same end at the same level one after the other.
 */
dpc_status dpc_changed_set_start(dpc_changed_set *set, dpc_separation found);

/* r given K ∪ y or K \ y, and whether y is in K; y is adjacent to both. NaN: no such test. */
dpc_status dpc_changed_set_r(dpc_changed_set *set, int y, double *r, bool *inside);

#endif
