/*
 * Regressions of many outcomes on a cause t and a set P, the set growing one by one.
 *
 * With R = L Lᵀ over P, the rows of W = L⁻¹ R[P, ·] come one for each member of P:
 *
 *     w_k = (R[p_k, ·] - Σ_{j<k} L_kj w_j) / L_kk,    L_kj = w_j[p_k]
 *
 * and what P leaves of the variance of y is v_y = 1 - Σ w_k[y]², of its covariance with t
 * c_y = R[t, y] - Σ w_k[t] w_k[y]. Then the coefficient of t is c_y / v_t, and its variance
 * (v_y - c_y² / v_t) / (v_t (N - |P| - 2)). All outcomes share the factor, and a member more costs
 * one row.
 */
#ifndef DPC_REGRESS_H
#define DPC_REGRESS_H

#include "view.h"

typedef struct dpc_regress {
    dpc_view view;    /* of R, by columns */
    int32_t *column;  /* whom the rows are about: `width` of them, the cause among them; owned */
    int32_t *place;   /* over variables: where one is among the columns; owned */
    int width, cause; /* the cause by its place */
    bool all;         /* the columns are all variables, in their order */
    int depth;        /* members of P */
    int n_singular;   /* members from the first on that those before it leave no variance of */
    double *rows;     /* by depth: w, and v and c before it; 3 × room each; owned */
    int64_t capacity; /* of `rows` */
} dpc_regress;

/* End with dpc_regress_clear, also after a failure: no memory. */
dpc_status dpc_regress_init(const dpc_view *view, dpc_regress *out);
void dpc_regress_clear(dpc_regress *regress);

/* An empty set for the cause. Columns: those listed (NULL: all variables); they hold the cause and
 * whatever is going to be pushed. */
dpc_status dpc_regress_start(dpc_regress *regress, int cause, const int32_t *columns, int width);

/* One more member, and one fewer. DPC_OK or no memory. */
dpc_status dpc_regress_push(dpc_regress *regress, int member);
void dpc_regress_pop(dpc_regress *regress);

/*
 * All of it for a whole set at once, which takes a third of the operations and leaves large ones to
 * LAPACK: as dpc_regress_read with these members. DPC_OK or no memory.
 */
dpc_status dpc_regress_whole(dpc_regress *regress, int cause, const int32_t *set, int size,
                             const int32_t *outcome, int count, double *effect, double *se);

/* The coefficients of the cause for `count` outcomes, and their standard errors: NaN where there is
 * no answer. */
void dpc_regress_read(const dpc_regress *regress, const int32_t *outcome, int count, double *effect,
                      double *se);

#endif
