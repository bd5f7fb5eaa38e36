/* Correlation matrices that no data can have, and the nearest way back. */
#ifndef DPC_DEFINITE_H
#define DPC_DEFINITE_H

#include "dualpc.h"

/*
 * Makes the symmetric n × n matrix with unit diagonal positive definite where it has a clearly
 * negative eigenvalue: eigenvalues are clipped to a small floor from below, and the diagonal is
 * scaled to 1 again. `least` (may be NULL) receives the smallest eigenvalue where something was
 * done, and 0 where the matrix is as it was. DPC_OK or DPC_NO_MEMORY.
 */
dpc_status dpc_make_definite(double *r, int n, double *least);

/*
 * Replaces the symmetric n × n matrix with unit diagonal by the nearest one, in the sense of
 * squared differences, whose eigenvalues are not below `floor` (Higham 2002), where one of them is.
 * `least` receives the smallest eigenvalue then, and `floor` where the matrix is as it was. Of a
 * large matrix, for which that would take long, it is the first step towards that, scaled to unit
 * diagonal. DPC_OK or DPC_NO_MEMORY.
 */
dpc_status dpc_nearest_correlation(double *r, int n, double floor, double *least);

#endif
