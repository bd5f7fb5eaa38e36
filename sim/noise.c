/*
 * Noise for the simulations: see noise.h.
 *
 * Normal. A piece of the ziggurat is chosen, and a point across its width. Most points lie under
 * the curve at every height of the piece, and are done after one number of 64 bits: 8 for the
 * piece, 53 others for the point. The rest needs the density (the wedge) or, beyond the outermost
 * edge, Marsaglia's exponential rejection (the tail). Exact up to rounding.
 *
 * Student's t with ν degrees of freedom. Bailey's polar method (1994): with (u, v) uniform on the
 * unit disc and w = u² + v²,
 *
 *     t = u sqrt(ν (w^(-2/ν) - 1) / w)
 *
 * has the distribution exactly, for every real ν > 0; it needs no gamma variable.
 *
 * Exponential. The inverse of the distribution function at 1 - u, minus the mean: -log(u) - 1.
 */
#include "noise.h"

#include <math.h>

/* ---- Uniform --------------------------------------------------------------- */

/* In (0, 1), never an end. */
static inline double uniform(dpc_random *random)
{
    return ((double)(dpc_random_next(random) >> 12) + 0.5) * 0x1p-52;
}

/* In (-1, 1), symmetric, from all but the lowest 11 bits. */
static inline double signed_uniform(uint64_t bits)
{
    return ((double)((int64_t)bits >> 11) + 0.5) * 0x1p-52;
}

static double dice_uniform(void *random)
{
    return (double)(dpc_random_next(random) >> 11) * 0x1p-53;
}

/* 2^64 - 1 in `bound` equal parts; what is left over is drawn again. */
static uint64_t dice_below(void *random, uint64_t bound)
{
    uint64_t part = UINT64_MAX / bound, place;
    do
        place = dpc_random_next(random) / part;
    while (place >= bound);
    return place;
}

dpc_dice dpc_random_dice(dpc_random *random)
{
    return (dpc_dice){dice_uniform, dice_below, random};
}

/* ---- Normal ------------------------------------------------------------ */

/* Where the tail begins, so that 256 pieces of the same area make up all of it. */
static const double TAIL = 3.6541528853610088;

void dpc_ziggurat_init(dpc_ziggurat *z)
{
    double at_tail = exp(-TAIL * TAIL / 2);
    double area = TAIL * at_tail + sqrt(M_PI / 2) * erfc(TAIL * M_SQRT1_2);
    z->edge[0] = area / at_tail; /* the lowest piece and the tail, as one rectangle */
    z->height[0] = 0;
    z->edge[1] = TAIL;
    z->height[1] = at_tail;
    for (int i = 2; i < DPC_LAYERS; i++) {
        z->height[i] = z->height[i - 1] + area / z->edge[i - 1];
        z->edge[i] = sqrt(-2 * log(z->height[i]));
    }
    z->edge[DPC_LAYERS] = 0;
    z->height[DPC_LAYERS] = 1;
}

static double tail(dpc_random *random)
{
    double a, b;
    do {
        a = -log(uniform(random)) / TAIL;
        b = -log(uniform(random));
    } while (2 * b < a * a);
    return TAIL + a;
}

static inline double normal(dpc_random *random, const dpc_ziggurat *z)
{
    for (;;) {
        uint64_t bits = dpc_random_next(random);
        int i = (int)(bits % DPC_LAYERS);
        double x = signed_uniform(bits) * z->edge[i];
        if (fabs(x) < z->edge[i + 1])
            return x;
        if (i == 0)
            return copysign(tail(random), x);
        double y = z->height[i] + uniform(random) * (z->height[i + 1] - z->height[i]);
        if (y < exp(-x * x / 2))
            return x;
    }
}

/* ---- Student's t ------------------------------------------------------- */

static inline double student(dpc_random *random, double degrees)
{
    double u, v, w;
    do {
        u = signed_uniform(dpc_random_next(random));
        v = signed_uniform(dpc_random_next(random));
        w = u * u + v * v;
    } while (w >= 1);
    /* expm1: with many degrees of freedom the power is close to 1 */
    return u * sqrt(degrees * expm1(-2 / degrees * log(w)) / w);
}

/* ---- All of them ---- */

double dpc_noise_variance(dpc_noise noise)
{
    if (noise.exponential || isinf(noise.degrees))
        return 1;
    return noise.degrees > 2 ? noise.degrees / (noise.degrees - 2) : INFINITY;
}

void dpc_draw_noise(dpc_random *random, const dpc_ziggurat *ziggurat, dpc_noise noise, double *out,
                    int64_t count)
{
    dpc_random local = *random; /* in registers */
    if (noise.exponential)
        for (int64_t i = 0; i < count; i++)
            out[i] = -log(uniform(&local)) - 1;
    else if (isinf(noise.degrees))
        for (int64_t i = 0; i < count; i++)
            out[i] = normal(&local, ziggurat);
    else
        for (int64_t i = 0; i < count; i++)
            out[i] = student(&local, noise.degrees);
    *random = local;
}
