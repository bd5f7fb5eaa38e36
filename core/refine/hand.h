/*
 * What one worker needs to look at a family, a node v and its parents: the sweep over all
 * variables, and the parents' own matrix.
 */
#ifndef DPC_HAND_H
#define DPC_HAND_H

#include "crew.h"
#include "score.h"

typedef struct dpc_hand {
    const dpc_scoring *scoring; /* not owned */
    dpc_sweep sweep;
    dpc_pick *picks, *room; /* n each; owned */
    int32_t *list, *firm;   /* n each; owned */
    double *square;         /* n; owned */
    double *matrix;         /* of a family, and 4 rows more; owned */
    int64_t capacity;       /* of `matrix` */
} dpc_hand;

/* DPC_OK or no memory, as all below; to be cleared in either case. */
dpc_status dpc_hand_init(dpc_hand *hand, const dpc_scoring *scoring);
void dpc_hand_clear(dpc_hand *hand);

/*
 * The sweep of v over all variables, with S = its parents. Those that the ones before them
 * determine are left out; the others are in hand->firm, *firm of them.
 */
dpc_status dpc_hand_family(dpc_hand *hand, int v, const int32_t *parents, int count, int *firm);

/* s(v, S) where S is that of the sweep, and so many parents are to be paid for. */
double dpc_hand_score(const dpc_hand *hand, int count);

/*
 * For each of `count` parents of v the squared partial correlation with v given the others, into
 * hand->square; NaN where they are too near to singular to tell.
 */
dpc_status dpc_hand_squares(dpc_hand *hand, int v, const int32_t *parents, int count);

/* ---- The staff: all workers, and the way to end before the work is done ---- */

typedef struct dpc_staff {
    const dpc_scoring *scoring; /* of all hands; not owned */
    dpc_crew *crew;             /* asked whether to go on; not owned */
    double deadline;            /* in dpc_seconds(); INFINITY: none */
    dpc_hand *hands;            /* one per worker of the crew; owned */
} dpc_staff;

dpc_status dpc_staff_init(dpc_staff *staff, const dpc_scoring *scoring, dpc_crew *crew,
                          double deadline);
void dpc_staff_clear(dpc_staff *staff);

/* Is it time to end? Once it is, it stays so. */
bool dpc_staff_halted(const dpc_staff *staff, int worker);

#endif
