/* Columns of simulated data with mean 0 and variance 1. */
#ifndef DPC_STANDARDISE_H
#define DPC_STANDARDISE_H

#include <stdbool.h>
#include <stdint.h>

/* (x - shift) scale in the place of each x. */
void dpc_shift_and_scale(double *x, int64_t n, double shift, double scale);

/* Mean 0 and variance 1 (divisor n - 1); a constant becomes 0. False: a value is infinite or NaN.
 */
bool dpc_standardise(double *x, int64_t n);

typedef struct dpc_moments {
    double mean, deviation; /* the latter with divisor n - 1 */
} dpc_moments;

dpc_moments dpc_moments_of(const double *x, int64_t n);

#endif
