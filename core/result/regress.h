/*
 * Regressions of many outcomes on a cause t and a set P, the set growing one by one: a family of t
 * with the parents P (family.h), which has what P leaves of the variance of each y, v_y, and of its
 * covariance with t, c_y. Then the coefficient of t is c_y / v_t, and its variance
 * (v_y - c_y² / v_t) / (v_t (N - |P| - 2)).
 */
#ifndef DPC_REGRESS_H
#define DPC_REGRESS_H

#include "family.h"

typedef struct dpc_regress {
    dpc_family family; /* nodes are columns */
    int n_singular;    /* members from the first on that those before it leave no variance of */
    double *room;      /* for a whole set; owned */
    int64_t capacity;  /* of `room` */
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
