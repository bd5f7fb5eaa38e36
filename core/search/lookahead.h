/*
 * A lookahead: all n_workers, who let orders settle on the same trees.
 *
 * A search over orders has little that can be dealt out: an order settles move by move. But nearly
 * all of its time goes into growing trees, and these are the same whoever grows them. So a worker
 * who has no order of his own goes ahead of one who has: he makes the same moves, looks at the
 * nodes whose turn comes next, and leaves to the other what has grown. Scouts change how long it
 * takes, and nothing else.
 */
#ifndef DPC_LOOKAHEAD_H
#define DPC_LOOKAHEAD_H

#include "order.h"
#include "platform.h"

/* Where one who lets an order settle shows it to the others, a turn of moves after the other. */
typedef struct dpc_board {
    int32_t *order, *turn; /* as they were when the turn began; under the lock */
    atomic_int shown;      /* how many turns */
    atomic_int at;         /* how far he has come in this one */
    _Atomic int32_t *to;   /* by the place in the turn: where that node was put, -1: nowhere */
    atomic_int next;       /* the first place that no scout has looked at */
    char apart[DPC_APART];
} dpc_board;

typedef struct dpc_lookahead {
    dpc_workers *workers; /* not owned */
    dpc_trees *trees;     /* not owned */
    int n, n_workers;
    dpc_arena memory;        /* of the arrays here, and of those of the boards */
    dpc_walker *walkers;     /* one per worker, as the others below */
    dpc_ordering *orderings; /* owned */
    dpc_board *boards;       /* owned */
    dpc_wakeup wakeup;       /* rings when something is shown, or done; its lock is for … */
    int64_t left;            /* … the tasks that are not done yet, */
    int ahead;               /* and the scouts that are on their way */
    dpc_task task;           /* of the present run, */
    void *context;           /* not owned, */
    int64_t count;
} dpc_lookahead;

/* DPC_OK or no memory; to be cleared in either case. */
dpc_status dpc_lookahead_init(dpc_lookahead *lookahead, dpc_workers *workers, dpc_trees *trees);
void dpc_lookahead_clear(dpc_lookahead *lookahead);

/* Has a walker run out of memory? */
bool dpc_lookahead_failed(const dpc_lookahead *lookahead);

/* As dpc_crew_run; but who finds no task left goes ahead of the others. */
void dpc_lookahead_run(dpc_lookahead *lookahead, int64_t count, double work, dpc_task task,
                       void *context);

/* In a task: the worker's ordering settles, while others may look ahead. `settling` says when that
 * is not wanted any more; its worker and its workers are set here. */
void dpc_lookahead_settle(dpc_lookahead *lookahead, int worker, dpc_random *random,
                          dpc_settling settling);

/* Then, in the only task of a run: waits until no scout is on the trees, so that they can change.
 */
void dpc_lookahead_gather(dpc_lookahead *lookahead);

#endif
