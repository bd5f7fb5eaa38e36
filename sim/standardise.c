/* Columns of mean 0 and variance 1: see standardise.h. */
#include "standardise.h"

#include <math.h>

typedef struct range {
    double low, high;
} range;

/* A NaN may show in neither, but does in the sum. */
static range range_of(const double *x, int64_t n)
{
    double low = x[0], high = x[0];
#pragma omp simd reduction(min : low) reduction(max : high)
    for (int64_t i = 0; i < n; i++) {
        low = x[i] < low ? x[i] : low;
        high = x[i] > high ? x[i] : high;
    }
    return (range){low, high};
}

/*
 * The sum of x, or of x². Blocks are added up by themselves: of heavy tails one value may outweigh
 * the rest. The order is written out, lane by lane, so that it is the same with every compiler.
 */
static double sum_of(const double *x, int64_t n, bool squared)
{
    enum { BLOCK = 256, LANES = 4 };
    double sum = 0;
    for (int64_t start = 0; start < n; start += BLOCK) {
        int64_t i = start, end = start + BLOCK < n ? start + BLOCK : n;
        double lane[LANES] = {0};
        for (; i + LANES <= end; i += LANES)
            for (int k = 0; k < LANES; k++)
                lane[k] += squared ? x[i + k] * x[i + k] : x[i + k];
        for (; i < end; i++)
            lane[0] += squared ? x[i] * x[i] : x[i];
        sum += (lane[0] + lane[1]) + (lane[2] + lane[3]);
    }
    return sum;
}

void dpc_shift_and_scale(double *x, int64_t n, double shift, double scale)
{
    for (int64_t i = 0; i < n; i++)
        x[i] = (x[i] - shift) * scale;
}

bool dpc_standardise(double *x, int64_t n)
{
    range r = range_of(x, n);
    double largest = fmax(fabs(r.low), fabs(r.high)), count = (double)n;
    if (!isfinite(largest))
        return false;
    if (largest > 1e100 || (largest < 1e-100 && largest > 0)) {
        /* Squares would leave the range of doubles, and so may the power of 2 itself: two steps. */
        int power = -ilogb(largest);
        dpc_shift_and_scale(x, n, 0, ldexp(1, power / 2));
        dpc_shift_and_scale(x, n, 0, ldexp(1, power - power / 2));
    }
    double sum = sum_of(x, n, false);
    if (!isfinite(sum))
        return false;
    if (r.low == r.high) {
        dpc_shift_and_scale(x, n, 0, 0);
        return true;
    }
    /* Twice: the first mean is rounded, which matters where it is large beside the deviations. */
    dpc_shift_and_scale(x, n, sum / count, 1);
    dpc_shift_and_scale(x, n, sum_of(x, n, false) / count, 1);
    dpc_shift_and_scale(x, n, 0, sqrt((count - 1) / sum_of(x, n, true)));
    return true;
}

dpc_moments dpc_moments_of(const double *x, int64_t n)
{
    double mean = sum_of(x, n, false) / (double)n, squares = 0;
    for (int64_t i = 0; i < n; i++)
        squares += (x[i] - mean) * (x[i] - mean);
    return (dpc_moments){mean, sqrt(squares / ((double)n - 1))};
}
