/*
 * Random numbers: a fast generator with streams.
 *
 * The generator is xoshiro256++ (Blackman and Vigna, 2021), whose 256 bits of state are filled
 * from the seed and the number of a stream by the mixer of splitmix64. The mixer is one to one, so
 * that no two of the 2^64 seeds and 2^64 streams start in the same state.
 */
#ifndef DPC_RANDOM_H
#define DPC_RANDOM_H

#include <stdint.h>

typedef struct dpc_random {
    uint64_t state[4];
} dpc_random;

/* The output of splitmix64 for a state, which it maps one to one and without a visible pattern. */
static inline uint64_t dpc_mix(uint64_t x)
{
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

void dpc_random_start(dpc_random *random, uint64_t seed, uint64_t stream);

static inline uint64_t dpc_rotate(uint64_t x, int by)
{
    return (x << by) | (x >> (64 - by));
}

/* 64 bits. */
static inline uint64_t dpc_random_next(dpc_random *random)
{
    uint64_t *s = random->state;
    uint64_t result = dpc_rotate(s[0] + s[3], 23) + s[0], t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = dpc_rotate(s[3], 45);
    return result;
}

/* A whole number from 0 to bound - 1, all equally likely; bound > 0. */
static inline uint64_t dpc_random_below(dpc_random *random, uint64_t bound)
{
    /* the upper half of 64 bits times the bound; a few of the lower halves are one too many */
    unsigned __int128 product = (unsigned __int128)dpc_random_next(random) * bound;
    if ((uint64_t)product < bound)
        for (uint64_t surplus = -bound % bound; (uint64_t)product < surplus;)
            product = (unsigned __int128)dpc_random_next(random) * bound;
    return (uint64_t)(product >> 64);
}

#endif
