/*
 * Draws of a set of parents by their weights, within a given set.
 */
#ifndef DPC_SAMPLE_SET_DRAW_H
#define DPC_SAMPLE_SET_DRAW_H

#include "random.h"
#include "set_table.h"

enum { DPC_MOST_MET = 3 };

/* A set within `within`, which has a set with weight. */
uint32_t dpc_draw_set(const dpc_set_table *table, uint32_t within, dpc_random *random);

/* The same among those that meet each of `count` others; their share of the weight is above 0. */
uint32_t dpc_draw_set_meeting(const dpc_set_table *table, uint32_t within, const uint32_t *meet,
                              int count, double share, dpc_random *random);

#endif
