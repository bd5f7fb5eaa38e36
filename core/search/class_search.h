/*
 * From a DAG to a better one by steps between equivalence classes: each is one edge more, fewer or
 * turned, or one parent replaced, in any DAG of the class. The steps are those of GES (Chickering
 * 2002; Hauser and Bühlmann 2012) and swaps, the best one each time, scored as refinement scores.
 */
#ifndef DPC_CLASS_SEARCH_H
#define DPC_CLASS_SEARCH_H

#include "families.h"
#include "scorer.h"

/* Which steps, as bits. */
enum {
    DPC_DELETIONS = 1 << DPC_DELETE,
    DPC_SINGLE_STEPS = (1 << DPC_N_PHASES) - 1,
    DPC_STEPS_AND_SWAPS = (1 << (DPC_N_PHASES + 1)) - 1,
};

typedef struct dpc_class_searched {
    bool moved;  /* the DAG is another one */
    bool halted; /* it ended before it was done */
    bool cut;    /* a node had more parent sets in the class than were looked at */
} dpc_class_searched;

/*
 * Goes on until no step is left. A DAG of the class that the search comes to takes the place of the
 * one it starts from; it is as the knowledge says if that one was, and a step is made only where
 * some DAG of the class after it is. DPC_OK or no memory; where it was halted the DAG is as far as
 * it got.
 */
dpc_status dpc_class_search(dpc_workers *workers, int steps, dpc_families *dag,
                            dpc_class_searched *out);

#endif
