/*
 * Moves between MAGs, and going from one to the next: another edge, or none, between two nodes.
 *
 * What a move gains depends on the districts of the two nodes and on their parents; that of an
 * arrow which comes only on the district it comes into. So after a move the gains of few pairs are
 * made anew, those with a node in the districts that it has changed. Whether a move leads to a MAG
 * is asked when it is the best.
 *
 * Moves that gain the same, but for rounding, are told apart by the labels of their nodes.
 */
#ifndef DPC_MAG_MOVES_H
#define DPC_MAG_MOVES_H

#include "mag_score.h"

/* Gains below this are none: likelihoods of one class may differ by rounding. */
#define DPC_LEAST_MAG_GAIN 1e-4

typedef struct dpc_mag_move {
    dpc_edge to; /* the pair, and how it is joined then */
    bool adds;   /* the two are not adjacent now */
    bool all;    /* it counts whatever it gains */
    bool barred; /* it leads to no MAG from here */
    bool fine;   /* it leads to one */
    dpc_precision precision;
    double gain; /* known so well; NaN: not known, since it is hopeless so far */
} dpc_mag_move;

typedef struct dpc_mag_moves {
    dpc_mag_move *move; /* owned */
    int64_t count, capacity;
} dpc_mag_moves;

/* What one worker walks with. */
typedef struct dpc_mag_walker {
    dpc_mag_state state;
    dpc_mag_scorer scorer;
    const dpc_scoring *scoring; /* not owned */
    dpc_mag_moves moves;
    uint64_t *within;  /* a row: the nodes whose pairs may change; what follows are rows too */
    uint64_t *touched; /* those whose moves are made anew */
    dpc_edge *path;    /* the pairs that were changed, as they were before; owned */
    int64_t length, room;
    int64_t steps;
    dpc_arena memory;
    char apart[DPC_APART];
} dpc_mag_walker;

/* DPC_OK or no memory; to be cleared in either case. */
dpc_status dpc_mag_walker_init(dpc_mag_walker *walker, const dpc_scoring *scoring,
                               const dpc_graph *mag, double hidden_price, double memory);
void dpc_mag_walker_clear(dpc_mag_walker *walker);

/* May the two be joined so, as far as the knowledge goes? */
bool dpc_mag_may_be(const dpc_scoring *scoring, dpc_edge edge);

/* The moves of a pair that is adjacent, or that gain; `all`: any move of an adjacent pair, not only
 * those that gain. DPC_OK or no memory, as all below. */
dpc_status dpc_mag_offer(dpc_mag_walker *walker, int a, int b, bool all, dpc_mag_moves *to);

/* The move to one mark alone. */
dpc_status dpc_mag_offer_mark(dpc_mag_walker *walker, dpc_edge edge, bool all, dpc_mag_moves *to);

/* Forgets the moves that depend on touched nodes. */
void dpc_mag_moves_forget(dpc_mag_moves *moves, const uint64_t *touched, int64_t words);

/* The nodes in whose districts a and b are, into or beside walker->touched. */
void dpc_mag_touch(dpc_mag_walker *walker, int a, int b);

/* Which pairs are not to be changed, and how much care is taken with the others. */
typedef struct dpc_mag_held {
    const dpc_edge *pair; /* sorted in no way; their marks say nothing */
    int count;
    bool roughly; /* moves that gain nothing by a few sweeps are not looked at more closely */
    int most;     /* changes on the path, where settling ends; 0: any number */
} dpc_mag_held;

/* The best move that leads to a MAG and gains more than `least`, or, on a pair that is held, more
 * than `despite`; -1: none. */
int64_t dpc_mag_best(dpc_mag_walker *walker, dpc_mag_held held, double least, double despite);

/* Makes a change, and notes it. And takes back all but the first `length` of them. */
dpc_status dpc_mag_go(dpc_mag_walker *walker, dpc_edge to);
void dpc_mag_back(dpc_mag_walker *walker, int64_t length);

/* The best moves among the nodes of walker->within, but for held pairs, until none gains; *gain
 * receives their sum. */
dpc_status dpc_mag_settle(dpc_mag_walker *walker, dpc_mag_held held, double *gain);

#endif
