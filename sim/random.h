/*
 * Random numbers for the simulations: a fast generator with streams, and the noise of the model.
 *
 * The generator is xoshiro256++ (Blackman and Vigna, 2021), whose 256 bits of state are filled
 * from the seed and the number of a stream by the mixer of splitmix64. The mixer is one to one, so
 * that no two of the 2^64 seeds and 2^64 streams start in the same state.
 */
#ifndef DPC_RANDOM_H
#define DPC_RANDOM_H

#include "dag.h"

typedef struct dpc_random {
    uint64_t state[4];
} dpc_random;

void dpc_random_start(dpc_random *random, uint64_t seed, uint64_t stream);

/* The same numbers for functions of GSL; `random` stays the owner and must outlive it. */
gsl_rng dpc_random_gsl(dpc_random *random);

/*
 * The layers of the ziggurat (Marsaglia and Tsang, 2000) under exp(-x²/2): 256 pieces of equal
 * area. Piece i is as wide as edge[i]; height[i] is the density at its outer edge.
 */
enum { DPC_LAYERS = 256 };
typedef struct dpc_ziggurat {
    double edge[DPC_LAYERS + 1], height[DPC_LAYERS + 1];
} dpc_ziggurat;

void dpc_ziggurat_init(dpc_ziggurat *ziggurat);

/*
 * `count` independent draws: N(0, 1), or Student's t, whose degrees need not be whole. With less
 * than about 0.2 degrees of freedom some are too large for a double, and infinite.
 */
void dpc_draw_noise(dpc_random *random, const dpc_ziggurat *ziggurat, dpc_noise noise, double *out,
                    int64_t count);

#endif
