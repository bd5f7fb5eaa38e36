/* Noise for the simulations: normal, Student t and exponential numbers, and the generator for DAGs.
 */
#ifndef DPC_NOISE_H
#define DPC_NOISE_H

#include "dag.h"
#include "variates.h"

/* The numbers of a stream as dice; `random` stays the owner and must outlive them. */
dpc_dice dpc_random_dice(dpc_random *random);

/* Of one draw; INFINITY for Student's t with 2 degrees of freedom or fewer. */
double dpc_noise_variance(dpc_noise noise);

/*
 * `count` independent draws: N(0, 1), centred exponential, or Student's t, whose degrees need not
 * be whole. With less than about 0.2 degrees of freedom some are too large for a double, and
 * infinite.
 */
void dpc_draw_noise(dpc_random *random, const dpc_ziggurat *ziggurat, dpc_noise noise, double *out,
                    int64_t count);

#endif
