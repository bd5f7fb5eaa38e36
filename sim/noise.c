/*
 * Noise for the simulations: see noise.h.
 *
 * Normal numbers are in base/variates.h.
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

/* ---- Student's t ------------------------------------------------------- */

static inline double student(dpc_random *random, double degrees)
{
    double u, v, w;
    do {
        u = dpc_signed_uniform(dpc_random_next(random));
        v = dpc_signed_uniform(dpc_random_next(random));
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
            out[i] = -log(dpc_draw_uniform(&local)) - 1;
    else if (isinf(noise.degrees))
        for (int64_t i = 0; i < count; i++)
            out[i] = dpc_draw_normal(&local, ziggurat);
    else
        for (int64_t i = 0; i < count; i++)
            out[i] = student(&local, noise.degrees);
    *random = local;
}
