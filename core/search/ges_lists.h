/*
 * The lists of steps that the greedy search keeps, and the class from which they lead.
 *
 * Every node has a list of its best steps in each phase. A list is made again when it is stale, and
 * a step makes few of them stale. With T the nodes whose parents or neighbours it changed, and x, y
 * the ends of its edge, the steps into v depend on
 *
 *   insert   pa(v), ne(v), ad(v); ad(w) for w ∈ ne(v)       stale: T, x, y; ne(x), ne(y)
 *   swap     the same                                       stale: the same
 *   delete   pa(v), ne(v); ad(u) ∩ ne(v) for u ∈ ad(v)      stale: T, x, y; ad(x) ∩ ad(y)
 *   turn     the same, ch(v), and pa(u) for u ∈ ch(v)       stale: the same and pa(T)
 *
 * for adjacency changes for the pair x, y only, in insertions and deletions, and a child that v
 * has lost or won is in T, with v among its parents now, or v itself is in T or one of x, y. A swap
 * changes two pairs. Where something is known beforehand, what is plainly banned (ges_known.h) also
 * depends on who is adjacent to pa(v): ch(x) and ch(y) are stale, too.
 *
 * Whether an insertion or a turn closes a cycle can depend on any edge. It is asked when a step is
 * the best one. If it does, the step is passed over, with a path as the witness. When a node of
 * that path is in T it is looked at: an edge that goes, turns or gets a direction changes parents
 * or neighbours of at least the end it points to. Where an edge of the path is gone the step is
 * taken up again; that of a turn in any case, for what its path avoids may have changed. So the
 * step taken is always the best of all valid ones.
 */
#ifndef DPC_GES_LISTS_H
#define DPC_GES_LISTS_H

#include "ges_moves.h"

typedef struct dpc_ges_lists {
    dpc_cpdag graph;
    dpc_crew *crew;   /* not owned */
    dpc_arena memory; /* of what follows */
    dpc_mover *mover; /* one per worker */
    int movers;
    dpc_moves *lists[DPC_ALL_PHASES]; /* per node; what is in them is owned */
    double *tree;    /* from 1 on: each is the larger of 2 i and 2 i + 1; the last ones are … */
    double *best;    /* … per node: the gain at `at`, or 0 */
    int64_t leaves;  /* of the tree: n, and some that are 0 */
    int32_t *at;     /* per node: the first step of its list not passed over */
    int32_t *passed; /* the nodes with steps passed over, and others */
    int n_passed;
    bool *in_passed; /* per node */
    bool *mark;      /* per node, false between calls */
    int32_t *stale;  /* nodes whose lists are to be made */
    dpc_phase phase;
    bool afresh; /* make every list in full after every step */
} dpc_ges_lists;

/*
 * Lists for the class without edges, all of them stale; lists->graph may become another class
 * before they are first made. DPC_OK or no memory; clear in either case. `known` may be NULL.
 */
dpc_status dpc_ges_lists_init(dpc_ges_lists *lists, const dpc_stats *stats,
                              const dpc_step_scoring *scoring, const dpc_constraints *known,
                              dpc_crew *crew);
void dpc_ges_lists_clear(dpc_ges_lists *lists);

/* The list of v in the present phase. */
static inline const dpc_moves *dpc_ges_lists_of(const dpc_ges_lists *lists, int v)
{
    return &lists->lists[lists->phase][v];
}

/* The most that a step gains, by what the lists say; and the first node with a step that gains so
 * much, where there is one. */
static inline double dpc_ges_lists_most(const dpc_ges_lists *lists)
{
    return lists->tree[1];
}
int dpc_ges_lists_first(const dpc_ges_lists *lists, double limit);

/*
 * Begins a phase: nothing is passed over. Below, DPC_OK, no memory or interrupted.
 */
dpc_status dpc_ges_lists_start(dpc_ges_lists *lists, dpc_phase phase, dpc_error *err);

/* After a step, which graph.changed still shows: makes again what it has made stale. */
dpc_status dpc_ges_lists_renew(dpc_ges_lists *lists, const dpc_step *step, dpc_error *err);

/* Makes the list of v longer, which begins it again. */
dpc_status dpc_ges_lists_lengthen(dpc_ges_lists *lists, int v, dpc_error *err);

/*
 * Passes over a step into v: a path of so many nodes is in the queue of the graph; of more than
 * DPC_WITNESS: there is none, or it is too long, and the step is looked at again after the next
 * one. Where the list has come to its end it is made longer.
 */
dpc_status dpc_ges_lists_pass_over(dpc_ges_lists *lists, int v, int place, int length,
                                   dpc_error *err);

/* The score of the class, made afresh. */
dpc_status dpc_ges_lists_score(dpc_ges_lists *lists, double *score, dpc_error *err);

#endif
