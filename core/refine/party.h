/*
 * A party: all workers, who let orders settle on the same trees.
 *
 * A search over orders has little that can be dealt out: an order settles move by move. But nearly
 * all of its time goes into growing trees, and these are the same whoever grows them. So a worker
 * who has no order of his own goes ahead of one who has: he makes the same moves, looks at the
 * nodes whose turn comes next, and leaves to the other what has grown. Scouts change how long it
 * takes, and nothing else.
 */
#ifndef DPC_PARTY_H
#define DPC_PARTY_H

#include "order.h"
#include "platform.h"

/* Where one who lets an order settle shows it to the others, a turn of moves after the other. */
typedef struct dpc_board {
    int32_t *order, *turn; /* as they were when the turn began; under the lock; owned */
    atomic_int shown;      /* how many turns */
    atomic_int at;         /* how far he has come in this one */
    _Atomic int32_t *to; /* by the place in the turn: where that node was put, -1: nowhere; owned */
    atomic_int next;     /* the first place that no scout has looked at */
    char apart[DPC_APART];
} dpc_board;

typedef struct dpc_party {
    dpc_staff *staff; /* not owned */
    dpc_trees *trees; /* not owned */
    int n, workers;
    dpc_walker *walkers;     /* one per worker, as the others below; owned */
    dpc_ordering *orderings; /* owned */
    dpc_board *boards;       /* owned */
    dpc_bell bell;           /* rings when something is shown, or done; its lock is for … */
    int64_t left;            /* … the tasks that are not done yet, */
    int ahead;               /* and the scouts that are on their way */
    dpc_task task;           /* of the present run, */
    void *context;           /* not owned, */
    int64_t count;
} dpc_party;

/* DPC_OK or no memory; to be cleared in either case. */
dpc_status dpc_party_init(dpc_party *party, dpc_staff *staff, dpc_trees *trees);
void dpc_party_clear(dpc_party *party);

/* Has a walker run out of memory? */
bool dpc_party_failed(const dpc_party *party);

/* As dpc_crew_run; but who finds no task left goes ahead of the others. */
void dpc_party_run(dpc_party *party, int64_t count, double work, dpc_task task, void *context);

/* In a task: the worker's ordering settles, while others may look ahead. `settling` says when that
 * is not wanted any more; its worker and its staff are set here. */
void dpc_party_settle(dpc_party *party, int worker, dpc_random *random, dpc_settling settling);

/* Then, in the only task of a run: waits until no scout is on the trees, so that they can change.
 */
void dpc_party_gather(dpc_party *party);

#endif
