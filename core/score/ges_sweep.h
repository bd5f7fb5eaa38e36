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
 */
#ifndef DPC_GES_SWEEP_H
#define DPC_GES_SWEEP_H

#include "vector.h"

#include <stdbool.h>
#include <stdint.h>

/* What is left given the first elements of S. */
typedef struct dpc_sweep_level {
    double *w, *t, *var; /* by place of the column; one block, owned through w */
    double pivot;        /* var'[c] */
} dpc_sweep_level;

typedef struct dpc_sweep {
    const double *r; /* n × n, not owned */
    int n;
    const dpc_vector *vector;
    int32_t *identity;             /* 0 … n-1; owned */
    int32_t *own_column;           /* owned */
    int32_t *own_place;            /* owned */
    const int32_t *column, *place; /* which node a column is, and where a node's column is */
    int m;                         /* columns */
    int v;
    int depth;              /* |S| */
    dpc_sweep_level *level; /* level[0]: given nothing; owned */
    int levels;             /* there is memory for; grows */
    double *spare;          /* a row; owned */
    bool failed;            /* memory has ended */
} dpc_sweep;

bool dpc_sweep_init(dpc_sweep *sweep, const double *r, int n);
void dpc_sweep_clear(dpc_sweep *sweep);

/* Starts with S = ∅ and all nodes as columns. */
void dpc_sweep_start_all(dpc_sweep *sweep, int v);

/* The same with no column but v, and others added before the first element of S. */
void dpc_sweep_start(dpc_sweep *sweep, int v);
void dpc_sweep_column(dpc_sweep *sweep, int u);
void dpc_sweep_ready(dpc_sweep *sweep);

/*
 * One more element of S, which is a column. False, with S as it was, where S already determines it,
 * or where memory has ended (`failed`).
 */
bool dpc_sweep_push(dpc_sweep *sweep, int c);

static inline void dpc_sweep_pop(dpc_sweep *sweep)
{
    sweep->depth--;
}

static inline double dpc_sweep_variance(const dpc_sweep *sweep, int u)
{
    return sweep->level[sweep->depth].var[sweep->place[u]];
}

/*
 * The squared partial correlation of u and v given S, at most 1 - DPC_SINGULAR; NaN where S leaves
 * nothing of u or v.
 */
double dpc_sweep_square(const dpc_sweep *sweep, int u);

#endif
