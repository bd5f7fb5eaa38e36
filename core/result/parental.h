/*
 * The sets of parents that a node t may have in the DAGs of a class: its parents, and those of its
 * siblings, S, that can be parents too. S must be a clique, or there were a new v-structure at t;
 * and where arrows lead between siblings (in an MPDAG) none may come into S from the others, which
 * become children of t. (Maathuis, Kalisch and Bühlmann 2009; Fang and He 2020.)
 */
#ifndef DPC_PARENTAL_H
#define DPC_PARENTAL_H

#include "mixed_lists.h"

/* What is told of each set. Any status but DPC_OK ends the walk. */
typedef struct dpc_parental {
    const dpc_mixed_lists *lists;
    int node;
    void *context;
    dpc_status (*push)(void *context, int sibling); /* S grows … */
    void (*pop)(void *context);                     /* … and shrinks */
    /* S is one of them: ascending */
    dpc_status (*found)(void *context, const int32_t *set, int size);
} dpc_parental;

/* Goes through all S, from the empty one on; `scratch` has as many places as siblings. */
dpc_status dpc_parental_walk(const dpc_parental *walk, int32_t *scratch);

#endif
