/*
 * What else a node could have for a parent: its family, over all nodes, or, where there is no R,
 * over those that could be worth their price.
 *
 * Let e be what the parents S leave of the column of v, ε a bound, and u a node whose correlations
 * with all of S are at most ε. With g as in family.h and p the pivots of the family, the covariance
 * of u with a parent ci given those before it is at most ε g(ci), so that
 *
 *     var(u|S) ≥ 1 - ε² Σ_i g(ci)² / pi = left,    r²(u,v|S) ≤ (eᵀu)² / (left · var(v|S)).
 *
 * So u is out of the question unless |eᵀu| is above a limit; which nodes could be is told by the
 * columns in quantised steps (quantised.h). These, those that are related to a parent by more than
 * ε, and the children are all that has to be looked at, and it is looked at as it would be by whole
 * rows of R. Where the bound is not worth much, whole rows are made.
 *
 * What was found for a node serves its later families, too, as long as they are alike: with e = Σ f
 * x over v and its parents then, e' = Σ f' x now, and |eᵀu| at most τ for all that were not found,
 * |e'ᵀu| is at most τ + ε Σ |f' - f|, but for those that are related to a new parent. So the steps
 * are asked for a τ that is lower than the limit.
 */
#ifndef DPC_CANDIDATE_PARENTS_H
#define DPC_CANDIDATE_PARENTS_H

#include "adjacency.h"
#include "families.h"
#include "quantised.h"
#include "scorer.h"

/* What was found for a node, and for which family. */
typedef struct dpc_found_near {
    int32_t *node;      /* those that were found; owned */
    int32_t *parent;    /* beside their factors; owned */
    double *factor;     /* -f; owned */
    int count, parents; /* of these */
    int64_t node_capacity, parent_capacity, factor_capacity;
    double below; /* τ; 0: nothing was found yet */
} dpc_found_near;

/*
 * What all workers know of an R that is not there. Start from {0}. Only one worker at a time asks
 * for the candidates of a node.
 */
typedef struct dpc_parent_index {
    dpc_quantised *quantised; /* owned; NULL: it is empty */
    dpc_adjacency *related;   /* who is correlated by more than `above`, in labels; owned */
    double above;             /* ε */
    dpc_found_near *near;     /* per node; owned */
} dpc_parent_index;

/*
 * Made where there is no R, and stays empty where the caller has called it off. DPC_OK or no
 * memory; to be cleared in either case.
 */
dpc_status dpc_parent_index_init(dpc_parent_index *index, const dpc_scoring *scoring,
                                 const dpc_settings *settings, dpc_time_limit *limit);
void dpc_parent_index_clear(dpc_parent_index *index);

/* Gives the workers an empty index, or one that has been made, to keep as long as it works. */
dpc_status dpc_workers_take_index(dpc_workers *workers, dpc_parent_index *index);

/*
 * All parents of v, as by dpc_family_of, over nodes among which are the parents, the children,
 * and all that dpc_scorer_candidates would find among all nodes. DPC_OK or no memory.
 */
dpc_status dpc_candidate_parents(dpc_scorer *family, int v, const dpc_relatives *parents,
                                 const dpc_relatives *children);

/*
 * For each of the parents of v, all of which are worth their price: the nodes that explain more of
 * v beside the other parents than it does are in scorer->candidates; `own` is its own r². Not for
 * those that the others determine. Knowledge and circles are up to whoever takes them; what he
 * returns, if it is not DPC_OK, ends it. DPC_OK or no memory.
 */
typedef dpc_status dpc_take_better(void *context, int out, double own, int count);

dpc_status dpc_better_parents(dpc_scorer *scorer, int v, const dpc_relatives *parents,
                              dpc_take_better *take, void *context);

#endif
