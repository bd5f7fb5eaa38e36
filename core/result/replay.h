/*
 * The tests of one pair made again after the search, one by one and in its order, for explanations.
 * All nodes are labels (labels.h), but for the sets in the answers, which are columns.
 */
#ifndef DPC_REPLAY_H
#define DPC_REPLAY_H

#include "block_answer.h"
#include "crew.h"
#include "patch.h"
#include "plan.h"
#include "result.h"

typedef struct dpc_replay {
    const dpc_result *result;
    dpc_problem problem; /* its table of critical values and its tally are owned */
    dpc_crew *crew;      /* asked whether to go on; not owned */
    int worker;          /* of the crew */
    const dpc_sepsets *sets;
    int32_t *list;   /* the neighbours of a visit; 3 n; owned */
    int32_t *rest;   /* S, as columns; n; owned */
    int32_t *place;  /* the subset, as places in S; n; owned */
    int32_t *set;    /* of one test, as columns; n; owned */
    int32_t *called; /* what the view of a visit calls S, x and y; then those of the test; owned */
    dpc_patch patch; /* over them, where there is no R */
    double *scratch; /* of one test, or an inverse; owned */
    int64_t room;    /* of `scratch` */
    double *inverse; /* of the neighbourhood of a visit; owned */
    int64_t inverse_room;
    dpc_direct direct;     /* tests of blocks */
    double weakest_z;      /* of blocks: that of `weakest` */
    dpc_pair_test weakest; /* of all that rejected so far; its n members owned */
    dpc_pair_test found;   /* the last one that did not; the same */
    int64_t tests;
    int64_t most_tests; /* after so many it is too much work, … */
    double most_work;   /* … or after so many operations */
    double work;        /* operations so far */
    int64_t last_look;  /* at whether to stop, in millions of operations */
    bool exhausted;     /* too much work: the rest is left out */
    bool stopped;       /* called off */
    bool failed;        /* out of memory */
    /*
     * Whether the neighbours of a node at a level have an inverse, for who replays many pairs: n
     * for each level; 0: not asked yet, 1: no, 2: yes. May be NULL; shared, and not owned.
     */
    atomic_uchar *inverses;
} dpc_replay;

/*
 * For settings of the run but for the callback, which `crew` has. End with dpc_replay_clear, also
 * after a failure.
 */
dpc_status dpc_replay_init(const dpc_result *result, const dpc_settings *settings, dpc_crew *crew,
                           int worker, dpc_replay *out, dpc_error *err);
void dpc_replay_clear(dpc_replay *replay);

/* Begins with another pair. */
void dpc_replay_reset(dpc_replay *replay);

/* DPC_OK, or what has gone wrong on the way. */
dpc_status dpc_replay_status(const dpc_replay *replay, dpc_error *err);

/*
 * Makes the tests of level 0, which have no ends; or those of y from x at a later level. True: one
 * of them separates, and is `found`; the later ones are not made then. False, and no test made: x
 * did not list y any more.
 */
bool dpc_replay_level_0(dpc_replay *replay, int x, int y);
bool dpc_replay_visit(dpc_replay *replay, int x, int y, int level);

/*
 * All tests that the pair of two columns, which is joined, has survived; `weakest` is the closest
 * call. Of copies of each other that is their correlation alone.
 */
void dpc_replay_survived(dpc_replay *replay, int a, int b);

/*
 * r and p of the full-order test of x and y, and its effective sample size, into a test that has
 * the rest; NaN: it was not made, or something has gone wrong.
 */
void dpc_replay_full_order(dpc_replay *replay, int x, int y, dpc_pair_test *test);

/* ---- replay_lists.c ---- */

/*
 * Writes what `node` listed when x was about to visit y at a level, of that what sets of the pair
 * may hold, and the pair, ascending; returns how many. `list` has room for 3 n.
 */
int dpc_replay_list(const dpc_replay *replay, int node, int x, int y, int level, int32_t *list);

#endif
