/*
 * Random numbers with the distributions that models need: uniform, normal, chi-square; from the
 * streams of random.h.
 */
#ifndef DPC_VARIATES_H
#define DPC_VARIATES_H

#include "random.h"

#include <math.h>

/* In (0, 1), never an end. */
static inline double dpc_draw_uniform(dpc_random *random)
{
    return ((double)(dpc_random_next(random) >> 12) + 0.5) * 0x1p-52;
}

/* In (-1, 1), symmetric, from all but the lowest 11 bits. */
static inline double dpc_signed_uniform(uint64_t bits)
{
    return ((double)((int64_t)bits >> 11) + 0.5) * 0x1p-52;
}

/*
 * The layers of the ziggurat (Marsaglia and Tsang, 2000) under exp(-x²/2): 256 pieces of equal
 * area. Piece i is as wide as edge[i]; height[i] is the density at its outer edge.
 */
enum { DPC_LAYERS = 256 };
typedef struct dpc_ziggurat {
    double edge[DPC_LAYERS + 1], height[DPC_LAYERS + 1];
} dpc_ziggurat;

void dpc_ziggurat_init(dpc_ziggurat *ziggurat);

/* A number beyond the outermost edge. */
double dpc_draw_normal_tail(dpc_random *random);

/*
 * N(0, 1). A piece of the ziggurat is chosen, and a point across its width. Most points lie under
 * the curve at every height of the piece, and are done after one number of 64 bits: 8 for the
 * piece, 53 others for the point. The rest needs the density (the wedge) or, beyond the outermost
 * edge, Marsaglia's exponential rejection (the tail). Exact up to rounding.
 */
static inline double dpc_draw_normal(dpc_random *random, const dpc_ziggurat *z)
{
    for (;;) {
        uint64_t bits = dpc_random_next(random);
        int i = (int)(bits % DPC_LAYERS);
        double x = dpc_signed_uniform(bits) * z->edge[i];
        if (fabs(x) < z->edge[i + 1])
            return x;
        if (i == 0)
            return copysign(dpc_draw_normal_tail(random), x);
        double y = z->height[i] + dpc_draw_uniform(random) * (z->height[i + 1] - z->height[i]);
        if (y < exp(-x * x / 2))
            return x;
    }
}

/* Chi-square with df > 0 degrees of freedom, which need not be whole. */
double dpc_draw_chi_square(dpc_random *random, const dpc_ziggurat *ziggurat, double df);

#endif
