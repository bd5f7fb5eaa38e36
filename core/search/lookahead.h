/*
 * A lookahead: workers that improve orders on the same trees.
 *
 * A search over orders has little that can be divided among threads: an order is improved move by
 * move. But nearly all of its time goes into growing trees, and these are the same whichever worker
 * grows them. So a worker without an order of its own looks ahead for one that has: it makes the
 * same moves, asks for the trees of the nodes that are moved next, and leaves these trees to the
 * other. Looking ahead changes how long a search takes, and nothing else.
 */
#ifndef DPC_LOOKAHEAD_H
#define DPC_LOOKAHEAD_H

#include "order.h"
#include "platform.h"

/* What a worker shows the others of its order: one turn of moves after the other. */
typedef struct dpc_shown_turn {
    int32_t *order, *nodes; /* as they were when the turn began; under the lock */
    atomic_int shown;       /* how many turns */
    atomic_int at;          /* how many moves of this one were tried */
    _Atomic int32_t *to;    /* by the place in the turn: where that node was put, -1: nowhere */
    atomic_int next;        /* the first place that nobody has looked at */
    char apart[DPC_APART];
} dpc_shown_turn;

typedef struct dpc_lookahead {
    dpc_workers *workers; /* not owned */
    dpc_trees *trees;     /* not owned */
    int n, n_workers;
    dpc_arena memory;        /* of the arrays here, and of those of the turns */
    dpc_walker *walkers;     /* one per worker, as the others below */
    dpc_ordering *orderings; /* owned */
    dpc_shown_turn *turns;   /* owned */
    dpc_wakeup wakeup;       /* rings when something is shown, or done; its lock is for … */
    int64_t left;            /* … the tasks that are not done yet, */
    int ahead;               /* and the workers that look ahead */
    dpc_task task;           /* of the present run, */
    void *context;           /* not owned, */
    int64_t count;
} dpc_lookahead;

/* DPC_OK or no memory; to be cleared in either case. */
dpc_status dpc_lookahead_init(dpc_lookahead *lookahead, dpc_workers *workers, dpc_trees *trees);
void dpc_lookahead_clear(dpc_lookahead *lookahead);

/* Has a walker run out of memory? */
bool dpc_lookahead_failed(const dpc_lookahead *lookahead);

/* As dpc_crew_run; but a worker that finds no task left looks ahead for the others. */
void dpc_lookahead_run(dpc_lookahead *lookahead, int64_t count, double work, dpc_task task,
                       void *context);

/* In a task: the worker's ordering settles, while others may look ahead. `settling` says when that
 * is not wanted any more; its worker and its workers are set here. */
void dpc_lookahead_settle(dpc_lookahead *lookahead, int worker, dpc_random *random,
                          dpc_settling settling);

/* Then, in the only task of a run: waits until nobody looks ahead, so that the trees can change.
 */
void dpc_lookahead_gather(dpc_lookahead *lookahead);

#endif
