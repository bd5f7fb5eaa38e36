/*
 * Best order score search (Andrews et al. 2023): an order of all nodes, in which every node has the
 * parents that its grow–shrink tree finds among those before it, or a set of the pool (pool.h) that
 * scores higher and stands before it as a whole; and the moves of one node to its best place.
 *
 * Of every node the order keeps what its walk has taken and what it has passed over; the members of
 * its pooled set are taken, too, and of each better set that does not fit one member that is
 * missing is passed over. If v moves, the parents of w change only where v comes before w and was
 * passed over, or v leaves from before w and was taken. And while v itself goes from the first
 * place to the last its own parents change only when one that it has passed over comes before it.
 * So a move asks for few walks, not for 2n.
 *
 * Where candidates are few only these matter for a node, and a node must be looked at again only
 * when a candidate of it, or of one of these, has moved. Where all are candidates the same is done
 * with those that are near, and at the end all nodes are looked at once more.
 */
#ifndef DPC_REFINE_ORDER_H
#define DPC_REFINE_ORDER_H

#include "pool.h"
#include "random.h"
#include "trees.h"

typedef struct dpc_ordering {
    int n;
    int64_t words;
    const dpc_pool *pool;      /* not owned; NULL: there is none */
    const dpc_relatives *near; /* per node: who is looked at again first; not owned; NULL: all */
    dpc_arena memory;          /* of all arrays here */
    int32_t *order, *place;    /* the nodes, and where each stands */
    double *score;             /* per node */
    uint64_t *taken, *passed;  /* rows of bits per node */
    /* Of one move; scratch: */
    uint64_t *held, *mine; /* bits: who was taken by the one that moves, and passed over */
    int32_t *others;       /* the nodes that matter, by place */
    double *later, *most;  /* beside them, and at the end */
    int32_t *turn;         /* in which the nodes are moved */
    bool *checked;         /* per node: it has no better place */
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

/*
 * The order settles: all nodes are moved, in random turns, again and again until none has a better
 * place; or `over` says that this is not wanted any more.
 */
typedef bool dpc_is_over(void *context, const dpc_ordering *ordering);
void dpc_ordering_settle(dpc_ordering *ordering, dpc_walker *walker, dpc_random *random,
                         dpc_is_over *over, void *context);

/* The score of the order. */
double dpc_ordering_score(const dpc_ordering *ordering);

/* The parents of v in the order, ascending, into `parents`; returns how many. */
int dpc_ordering_parents(dpc_ordering *ordering, dpc_walker *walker, int v, int32_t *parents);

/* The DAG that it stands for; `dag` has no edges yet. DPC_OK or no memory. */
dpc_status dpc_ordering_dag(dpc_ordering *ordering, dpc_walker *walker, dpc_families *dag);

/* Random numbers over nodes, which are labels: puts a list into a random order. */
void dpc_shuffle(dpc_random *random, int32_t *list, int count);

#endif
