/*
 * Optimal adjustment sets of one cause t for all outcomes at once, once it is decided which
 * siblings of t are its parents.
 *
 * The siblings S become parents of t and the others children, and Meek's rules direct what follows.
 * Then no edge at t is undirected, whatever may descend from t does so by arrows, and
 *
 *     O(t, y) = parents of the nodes between t and y (y too), less the descendants of t.
 */
#ifndef DPC_OPTIMAL_H
#define DPC_OPTIMAL_H

#include "arena.h"
#include "block.h"
#include "closure.h"

typedef struct dpc_optimal {
    const dpc_causal *graph;
    dpc_closure closure;
    dpc_mixed_lists directed;     /* those of `marked` */
    const dpc_mixed_lists *lists; /* those in use */
    dpc_arena arena;              /* of the arrays that follow */
    dpc_graph marked;             /* the graph with the arrows since */
    int cause;
    int32_t *behind; /* the descendants of the cause, children before parents, itself last */
    int n_behind;
    int32_t *stack;
    int64_t *child;    /* per node: the next child to be visited; -1: the node was not reached */
    uint64_t *between; /* per node, all 0: outcomes that it leads to */
    uint64_t *member;  /* per node, all 0: outcomes whose set it is in */
} dpc_optimal;

/* End with dpc_optimal_clear, also after a failure: no memory. */
dpc_status dpc_optimal_init(const dpc_causal *graph, dpc_optimal *out);
void dpc_optimal_clear(dpc_optimal *optimal);

/* Decides that these siblings of the cause are its parents, and finds its descendants. */
void dpc_optimal_decide(dpc_optimal *optimal, int cause, const int32_t *set, int size);

/* Is y among the descendants? */
static inline bool dpc_optimal_reaches(const dpc_optimal *optimal, int y)
{
    return optimal->child[y] >= 0;
}

/*
 * The sets for up to 64 of these: the nodes that are in any of them, ascending, into `list`, which
 * has room for all nodes; member[v] tells in whose. Returns how many there are; dpc_optimal_forget
 * clears `member` again.
 */
int dpc_optimal_sets(dpc_optimal *optimal, const int32_t *outcome, int count, int32_t *list);
void dpc_optimal_forget(dpc_optimal *optimal, const int32_t *list, int count);

/* The graph is as it was. */
void dpc_optimal_undo(dpc_optimal *optimal);

#endif
