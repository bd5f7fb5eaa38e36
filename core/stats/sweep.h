/*
 * One variable v, a set S that grows and shrinks at its end, and what S leaves of the others.
 *
 * For all columns u at once: t[u], the covariance of u and v given S, and var[u], the variance of u
 * given S. With c the element that comes last, S = S' ∪ {c}, and w[u] the covariance of c and u
 * given S':
 *
 *     t[u] = t'[u] - w[c→v] w[u] / var'[c],    var[u] = var'[u] - w[u]² / var'[c].
 *
 * One element costs O(m |S|) for m columns, and is taken back for nothing. The squared partial
 * correlation of u and v given S is t[u]² / (var[u] var[v]).
 *
 * Nodes are labels. The numbers of the chosen nodes lie in `place`s side by side; where all nodes
 * are chosen these are the columns of the table, so that rows of R are copied as they are.
 */
#ifndef DPC_SWEEP_H
#define DPC_SWEEP_H

#include "vector.h"
#include "view.h"

/* What is left given the first elements of S. */
typedef struct dpc_sweep_level {
    double *w, *t, *var; /* by place; one block, owned through w */
    double pivot;        /* var'[c] */
    double noise;        /* a variance below this is rounding */
} dpc_sweep_level;

typedef struct dpc_sweep {
    dpc_view view; /* of R, which is not owned */
    const dpc_vector *vector;
    int32_t *column;      /* by place: the column of a chosen node; owned */
    int32_t *own_place;   /* by label, where it is chosen; owned */
    int32_t *all_places;  /* by label, where all are chosen: their columns; owned */
    const int32_t *place; /* one of the two */
    int m;                /* chosen nodes, v among them */
    int v;
    int depth;              /* |S| */
    dpc_sweep_level *level; /* level[0]: given nothing; owned */
    int levels;             /* there is memory for; grows */
    double *spare;          /* a row; owned */
} dpc_sweep;

/* DPC_OK or no memory; to be cleared in either case. The view is to outlive the sweep. */
dpc_status dpc_sweep_init(dpc_sweep *sweep, const dpc_view *view);
void dpc_sweep_clear(dpc_sweep *sweep);

/* Starts with S = ∅ and all nodes. DPC_OK or no memory, as all below. */
dpc_status dpc_sweep_start_all(dpc_sweep *sweep, int v);

/* The same with v and the nodes of a list. */
dpc_status dpc_sweep_start(dpc_sweep *sweep, int v, const int32_t *nodes, int count);

/* One more element of S; *pushed is false, and S as it was, where S determines it already. */
dpc_status dpc_sweep_push(dpc_sweep *sweep, int c, bool *pushed);

static inline void dpc_sweep_pop(dpc_sweep *sweep)
{
    sweep->depth--;
}

static inline double dpc_sweep_variance(const dpc_sweep *sweep, int u)
{
    return sweep->level[sweep->depth].var[sweep->place[u]];
}

/* Does S leave nothing of u? */
static inline bool dpc_sweep_determines(const dpc_sweep *sweep, int u)
{
    return !(dpc_sweep_variance(sweep, u) >= sweep->level[sweep->depth].noise);
}

/*
 * The squared partial correlation of u and v given S, at most 1 - DPC_SINGULAR, which is also what
 * cannot be told from 1; NaN where S leaves nothing of u or v.
 */
double dpc_sweep_square(const dpc_sweep *sweep, int u);

#endif
