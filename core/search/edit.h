/*
 * Editing the parents of a node: from a set that it has to one that scores higher, among those
 * before it in an order.
 *
 * An edit grows the set by the best of those before the node, and drops what is not worth its
 * price, again and again. A deep edit also swaps one parent for another where that gains, and does
 * the same once more from the set of *all* before the node, which is shrunk first: above 24 members
 * half of those that are not worth their price are dropped at a time. Growing from nothing cannot
 * reach some sets that shrinking from all can.
 *
 * What each is worth among all before it: with R = L Lᵀ in the order, and K = L⁻¹, the regression
 * of the node in place k on those before it has
 *
 *     coefficients -K[k][i] / K[k][k],   variance 1 / K[k][k]²,   M[i][i] = Σ_{i ≤ j < k} K[j][i]²,
 *
 * M being the inverse of their correlations: one factorisation serves all nodes (scorer.h has what
 * follows from M). Where R cannot be factored, or there is none, an edit from all begins with those
 * that are near the node in place of all.
 */
#ifndef DPC_EDIT_H
#define DPC_EDIT_H

#include "precedence.h"
#include "scorer.h"

/* All regressions along an order. */
typedef struct dpc_regressions {
    int n;
    double *k; /* K below the diagonal and on it, M[i][i] of node k above: [i][k]; owned */
    bool made;
} dpc_regressions;

dpc_status dpc_regressions_init(dpc_regressions *regressions, int n);
void dpc_regressions_clear(dpc_regressions *regressions);

/* Along an order; `made` says whether they could be. */
void dpc_regressions_make(dpc_regressions *regressions, const dpc_workers *workers,
                          const int32_t *order);

/* What one worker needs. */
typedef struct dpc_editor {
    dpc_scorer *scorer;               /* not owned */
    const dpc_precedence *precedence; /* not owned */
    dpc_arena memory;                 /* of the arrays */
    int v;
    int32_t *before;       /* who may be a parent: ascending, … */
    int n_before;          /* … and how many these are */
    int32_t *set;          /* the set so far, ascending, */
    int count;             /* how many, */
    double score;          /* and s(v, set) */
    int32_t *start;        /* the set before a swap; scratch */
    dpc_candidate *ranked; /* scratch */
} dpc_editor;

/* DPC_OK or no memory, as all below; to be cleared in either case. */
dpc_status dpc_editor_init(dpc_editor *editor, dpc_scorer *scorer,
                           const dpc_precedence *precedence);
void dpc_editor_clear(dpc_editor *editor);

/*
 * The parents of v may be those in places below `limit`; `near`, where it is not NULL, has the only
 * ones of these that count.
 */
void dpc_edit_among(dpc_editor *editor, int v, const int32_t *place, int limit,
                    const dpc_relatives *near);

/* From a set among these, ascending: into editor->set, count and score. */
dpc_status dpc_edit(dpc_editor *editor, const int32_t *set, int count);

/* The same with swaps. */
dpc_status dpc_edit_deeply(dpc_editor *editor, const int32_t *set, int count);

/* And from all of them. `regressions`, which may be NULL, are those along the order of the places.
 */
dpc_status dpc_edit_from_all(dpc_editor *editor, const dpc_regressions *regressions,
                             const int32_t *place);

#endif
