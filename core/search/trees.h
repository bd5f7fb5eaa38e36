/*
 * Grow–shrink trees (Andrews et al., Fast scalable and accurate discovery of DAGs using the best
 * order score search and grow-shrink trees, 2023): the parents of a node among those before it.
 *
 * Growing takes, again and again, the best of the candidates that stand before v in the order,
 * until none is worth its price; shrinking then drops, the worst first, what has become worth less
 * than its price. Which candidate is taken depends on those before v only through the first of them
 * in the line of all candidates, best first. So what was found for one set of predecessors serves
 * many: the lines make a tree, its root being that without parents, and a walk down the tree
 *
 *     the first in the line of the node that stands before v → its branch → the next line → …
 *
 * ends at a node that knows the score. The trees depend on the data, the price and the candidates,
 * never on the order: they are kept for all sweeps and restarts.
 *
 * A walk notes which candidates it has passed over: those in the lines before the one taken. As
 * long as none of these comes before v, and none of the grown set stops to be before it, the walk
 * is the same. This is what makes moves in an order cheap (order.h).
 *
 * Required parents are pushed first, and never dropped.
 *
 * Several workers may walk at the same time: a node is made by the first that needs it, and shown
 * when it is ready; it is the same whichever worker has made it. Memory is bounded: nodes beyond
 * the budget are made, read and forgotten.
 */
#ifndef DPC_TREES_H
#define DPC_TREES_H

#include "precedence.h"
#include "scorer.h"

typedef struct dpc_tree_node dpc_tree_node;
typedef struct dpc_tree_chunk dpc_tree_chunk;

typedef struct dpc_trees {
    const dpc_scoring *scoring;       /* not owned */
    const dpc_precedence *precedence; /* not owned */
    const dpc_relatives *candidates;  /* per node, both ways; NULL: all others; not owned */
    _Atomic(dpc_tree_node *) *root;   /* per node; NULL: not made yet; owned */
    double budget;                    /* bytes */
    atomic_llong used;                /* bytes */
    _Atomic(dpc_tree_chunk *) chunks; /* owned */
    int64_t forgotten;                /* how often all was */
} dpc_trees;

/* DPC_OK or no memory; to be cleared in either case. */
dpc_status dpc_trees_init(dpc_trees *trees, const dpc_scoring *scoring,
                          const dpc_precedence *precedence, const dpc_relatives *candidates,
                          double budget);
void dpc_trees_clear(dpc_trees *trees);

/* Forgets all; and the tree of v, whose candidates have changed. Nobody walks at that time. */
void dpc_trees_forget(dpc_trees *trees);
void dpc_trees_forget_one(dpc_trees *trees, int v);

static inline bool dpc_trees_full(dpc_trees *trees)
{
    return (double)atomic_load_explicit(&trees->used, memory_order_relaxed) >= trees->budget;
}

/* ---- Walks ---- */

typedef struct dpc_walker {
    dpc_trees *trees;      /* not owned */
    dpc_scorer *scorer;    /* not owned */
    dpc_tree_chunk *chunk; /* where its nodes go; owned by the trees */
    int64_t forgotten;     /* of the trees when it was made */
    dpc_arena memory;      /* of its arrays */
    int32_t *path;         /* the grown set of the last walk, required parents first */
    int length;
    uint64_t *passed; /* the candidates that it has passed over, as bits */
    int64_t words;
    int32_t *stand; /* the set of the family, as it was pushed */
    int32_t *depth; /* beside it: the depth of the family before each */
    int standing;   /* its length; -1: the family is not that of a walk */
    int stand_of;   /* its node */
    void *spare;    /* a node that is not kept; owned */
    int64_t spare_size;
    int64_t made; /* nodes, for the progress */
    dpc_status status;
    char apart[DPC_APART];
} dpc_walker;

/* DPC_OK or no memory; to be cleared in either case. */
dpc_status dpc_walker_init(dpc_walker *walker, dpc_trees *trees, dpc_scorer *scorer);
void dpc_walker_clear(dpc_walker *walker);

/* The scorer has been used for something else, or candidates have changed. */
void dpc_walker_rest(dpc_walker *walker);

/* The nodes before a node: those whose places are below `limit`, but for one that is moved. */
typedef struct dpc_before {
    const int32_t *place;
    int limit;
    int moved;     /* -1: none */
    bool moved_in; /* it is before the node, wherever its place is */
} dpc_before;

static inline bool dpc_is_before(dpc_before before, int u)
{
    return u == before.moved ? before.moved_in : before.place[u] < before.limit;
}

/*
 * The score of v with the parents that it gets among those before it; required ones are taken to be
 * there. Sets walker->path, length and passed. Where memory fails walker->status
 * says so, and the score is of no use.
 */
double dpc_walk(dpc_walker *walker, int v, dpc_before before);

/* The parents where the last walk ended, ascending, into `parents`; returns how many. */
int dpc_walk_parents(dpc_walker *walker, int v, int32_t *parents);

#endif
