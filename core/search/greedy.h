/*
 * A greedy search over equivalence classes: the best step of a phase, again and again. What is here
 * chooses steps and makes them; which phases there are is up to the searches: the three of GES,
 * from no edges (ges.h), or some of them and swaps, from a DAG (class_search.h).
 *
 * Steps can be equally good and lead to different classes: where columns determine each other, r =
 * 1 in many ways. If nodes are labels, of all steps within rounding of the best one the first by
 * (v, u, C) is taken. If they are columns, the order of which must not matter, such a choice ends
 * the search as undecided.
 */
#ifndef DPC_GREEDY_H
#define DPC_GREEDY_H

#include "ges_lists.h"

typedef struct dpc_greedy {
    dpc_ges_lists lists;
    const dpc_constraints *known; /* not owned; NULL: nothing is known beforehand */
    bool dag_is_stale;            /* a step was tried and taken back */
    int32_t *set, *other_set;     /* C of the step that is chosen, and of another */
    bool by_labels;               /* the order of the nodes may decide */
    bool undecided;               /* it may not, and should: the search has ended */
} dpc_greedy;

/* DPC_OK or no memory; to be cleared in either case. See dpc_ges_lists_init. */
dpc_status dpc_greedy_init(dpc_greedy *greedy, const dpc_stats *stats,
                           const dpc_step_scoring *scoring, const dpc_constraints *known,
                           dpc_crew *crew);
void dpc_greedy_clear(dpc_greedy *greedy);

/* A step that was chosen. */
typedef struct dpc_choice {
    bool found; /* there is one */
    dpc_step step;
    int place;      /* in the list of its node */
    double gain;    /* in score */
    double limit;   /* steps are as good as this one that gain so much, by what their lists say */
    bool rivals;    /* there are other such steps, */
    uint64_t class; /* and this is where they lead */
} dpc_choice;

/*
 * The best step of the phase that closes no cycle and respects the knowledge. DPC_OK, no memory or
 * interrupted, as below.
 */
dpc_status dpc_greedy_choose(dpc_greedy *greedy, dpc_choice *chosen, dpc_error *err);

/* Makes it. The lists are to be renewed then. */
dpc_status dpc_greedy_make(dpc_greedy *greedy, dpc_choice *chosen, dpc_error *err);

/* After the last step: makes the DAG of the class good again. */
void dpc_greedy_refresh(dpc_greedy *greedy);

#endif
