/*
 * Regressions of many outcomes on a cause t and a set P, the set growing one by one: a family of t
 * with the parents P (family.h), which has what P leaves of the variance of each y, v_y, and of its
 * covariance with t, c_y. Then the coefficient of t is c_y / v_t, and its variance
 * (v_y - c_y² / v_t) / (v_t (N - |P| - 2)).
 *
 * Where variables have several columns (coding.h), t and y are columns, and P the columns of its
 * members but for baselines, |P| of them. For the contrast of a nominal cause the contrasts of its
 * other levels belong to P too. A column that those before it determine, or of a level that no row
 * has, is passed over; a member with nothing left is singular, as a number is.
 */
#ifndef DPC_REGRESS_H
#define DPC_REGRESS_H

#include "family.h"

typedef struct dpc_regress {
    dpc_family family;        /* nodes are columns */
    const dpc_coding *coding; /* NULL: each variable is its column */
    int32_t *depth; /* of the family before each member; by member; owned; NULL likewise */
    int n_members;
    int n_singular;   /* members from the first on that those before it leave no variance of */
    double *room;     /* for a whole set; owned */
    int64_t capacity; /* of `room` */
} dpc_regress;

/* End with dpc_regress_clear, also after a failure: no memory. */
dpc_status dpc_regress_init(const dpc_view *view, const dpc_coding *coding, dpc_regress *out);
void dpc_regress_clear(dpc_regress *regress);

/* An empty set for the cause, one of whose columns is `column`. Columns: those listed (NULL: all);
 * they hold the cause and whatever is going to be pushed. */
dpc_status dpc_regress_start(dpc_regress *regress, int cause, int column, const int32_t *columns,
                             int width);

/* One more member, a variable, and one fewer. DPC_OK or no memory. */
dpc_status dpc_regress_push(dpc_regress *regress, int member);
void dpc_regress_pop(dpc_regress *regress);

/*
 * All of it for a whole set at once, which takes a third of the operations and leaves large ones to
 * LAPACK: as dpc_regress_read with these members. DPC_OK or no memory.
 */
dpc_status dpc_regress_whole(dpc_regress *regress, int cause, int column, const int32_t *set,
                             int size, const int32_t *outcome, int count, double *effect,
                             double *se);

/* Columns that the regression has beside that of the cause: |P|. */
static inline int dpc_regress_columns(const dpc_regress *regress)
{
    return regress->family.depth;
}

/* The coefficients of the cause for `count` columns of outcomes, and their standard errors: NaN
 * where there is no answer. */
void dpc_regress_read(const dpc_regress *regress, const int32_t *outcome, int count, double *effect,
                      double *se);

#endif
