/*
 * The partial correlation of a separated pair x, z given its set K with one variable y put in, or
 * taken out if it is there.
 */
#ifndef DPC_CHANGED_SET_H
#define DPC_CHANGED_SET_H

#include "orient.h"

/* Start from {.task = …}; end with dpc_toggler_clear. Belongs to one worker. */
typedef struct dpc_toggler {
    const dpc_unoriented *task;
    /* the pair */
    int x, z;
    const dpc_record *record;
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
    /* for one correlation */
    int32_t *members;
    double *small, *scratch;
    int64_t room; /* for sets of that many */
} dpc_toggler;

void dpc_toggler_clear(dpc_toggler *toggler);

/*
 * The pair that was separated as `found` says, by a record. Best called for all pairs that were
 * separated from the same end at the same level one after the other. False: no memory.
 */
bool dpc_toggle_pair(dpc_toggler *toggler, dpc_separation found);

/* r given K ∪ y or K \ y, and whether y is in K; y was adjacent to both. NaN: no such test. */
double dpc_toggle(dpc_toggler *toggler, int y, bool *inside);

#endif
