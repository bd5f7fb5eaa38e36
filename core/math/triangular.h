/*
 * Large triangular matrices by blocks, so that a crew can share the work and be called off on the
 * way; LAPACK does these in one call. Lower triangles in Fortran's sense: entry i ≥ j of an n × n
 * matrix at a[j*n + i]. Blocks have a fixed size: the bytes do not depend on who works.
 *
 * Up to DPC_ONE_BLOCK rows they are what LAPACK makes of them.
 */
#ifndef DPC_TRIANGULAR_H
#define DPC_TRIANGULAR_H

#include "crew.h"

enum { DPC_ONE_BLOCK = 512 };

/* Who does it. */
typedef struct dpc_shared_work {
    dpc_crew *crew; /* asked whether to go on; may be NULL */
    int worker;     /* does all of it, from within a task; DPC_ALL_WORKERS: outside of tasks */
    double done;    /* operations so far, … */
    double all;     /* … and in all, for the progress */
} dpc_shared_work;

#define DPC_ALL_WORKERS (-1)

/* A = L Lᵀ; L takes the place of A. False: A is not positive definite, or it was called off. */
bool dpc_blocks_factor(double *a, int n, dpc_shared_work *by);

/* L⁻¹ takes the place of L, whose diagonal has no zeros. False: it was called off. */
bool dpc_blocks_invert(double *l, int n, dpc_shared_work *by);

/* LᵀL takes the place of L. False: it was called off. */
bool dpc_blocks_square(double *l, int n, dpc_shared_work *by);

#endif
