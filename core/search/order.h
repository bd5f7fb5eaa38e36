/*
 * Best order score search (Andrews et al. 2023): an order of all nodes, in which every node has the
 * parents that its grow–shrink tree finds among those before it, and the moves of one node to its
 * best place.
 *
 * Of every node the order keeps what its walk has taken and what it has passed over. If v moves,
 * the walk of w changes only where v comes before w and was passed over, or v leaves from before w
 * and was taken. And while v itself goes from the first place to the last its own walk changes only
 * when one that it has passed over comes before it. So a move asks for few walks, not for 2n.
 *
 * Where candidates are few only these matter for a node, and a node must be looked at again only
 * when a candidate of it, or of one of these, has moved.
 */
#ifndef DPC_REFINE_ORDER_H
#define DPC_REFINE_ORDER_H

#include "random.h"
#include "trees.h"

typedef struct dpc_ordering {
    int n;
    int64_t words;
    dpc_arena memory;         /* of all arrays here */
    int32_t *order, *place;   /* the nodes, and where each stands */
    double *score;            /* per node */
    uint64_t *taken, *passed; /* rows of bits per node: by its walk */
    uint64_t *mine;           /* bits; scratch */
    int32_t *others;          /* the nodes that matter for a move, by place; scratch */
    double *at, *change;      /* beside them; scratch */
    int32_t *turn;            /* in which the nodes are moved */
    int at_turn, turns;       /* how far it has come in this turn, and how many there were */
    bool settled;             /* nothing has moved in this turn */
    int moved_to;             /* the place of the node that was moved last; -1: it was not */
    bool *checked;            /* per node: it has no better place */
    char apart[DPC_APART];
} dpc_ordering;

/* DPC_OK or no memory; to be cleared in either case. */
dpc_status dpc_ordering_init(dpc_ordering *ordering, int n);
void dpc_ordering_clear(dpc_ordering *ordering);

/* Takes over an order, which may be its own. Where memory fails walker->status says so. */
void dpc_ordering_take(dpc_ordering *ordering, dpc_walker *walker, const int32_t *order);

/* Puts v into a place, and walks for those for whom that changes something. */
void dpc_ordering_put(dpc_ordering *ordering, dpc_walker *walker, int v, int to);

/* Moves v to the best place; false: it is there, up to rounding. */
bool dpc_ordering_move(dpc_ordering *ordering, dpc_walker *walker, int v);

/* What a move of v would look at, without a move. */
void dpc_ordering_weigh(dpc_ordering *ordering, dpc_walker *walker, int v);

/* When it is not wanted any more that an order settles. */
typedef struct dpc_settling {
    dpc_workers *workers; /* not owned */
    int worker;
    /* Of several side by side: */
    atomic_int *better; /* the first that has come above the goal; NULL: there is one alone */
    int number;         /* which of them this is: void if it comes after that */
    double goal;        /* a score */
} dpc_settling;

/* Is it void, or time to end? */
bool dpc_settling_over(const dpc_settling *settling);

/*
 * An order settles: all nodes are moved, in random turns, again and again until none has a better
 * place. `begin_turn` is false where it has; `step` moves one node, and is false at the end of the
 * turn, or where it is over.
 */
bool dpc_ordering_begin_turn(dpc_ordering *ordering, dpc_random *random);
bool dpc_ordering_step(dpc_ordering *ordering, dpc_walker *walker, const dpc_settling *settling);

/* The score of the order. */
double dpc_ordering_score(const dpc_ordering *ordering);

/* The DAG that it stands for; `dag` has no edges yet. DPC_OK or no memory. */
dpc_status dpc_ordering_dag(const dpc_ordering *ordering, dpc_walker *walker, dpc_families *dag);

/* Random numbers over nodes, which are labels: puts a list into a random order. */
void dpc_shuffle(dpc_random *random, int32_t *list, int count);

#endif
