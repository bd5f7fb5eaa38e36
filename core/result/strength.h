/*
 * How strong an edge is: the partial correlation of its ends given all neighbours of either. It
 * asks all of them at once whether they explain the edge away.
 */
#ifndef DPC_STRENGTH_H
#define DPC_STRENGTH_H

#include "adjacency.h"
#include "explain.h"

/*
 * The neighbours of a or b, without the two, ascending, into `set`, which has room for those of
 * both; returns how many.
 */
int dpc_neighbours_of_either(const dpc_adjacency *graph, int a, int b, int32_t *set);

/*
 * Close calls: the edges that, given these, would not be there at a tenth of alpha. *count is -1
 * where they are too much work, for that is no more than a part of a hint. DPC_OK or no memory.
 */
dpc_status dpc_count_close_calls(const dpc_correlation *correlation, const dpc_graph *graph,
                                 const dpc_settings *settings, int64_t *count, dpc_error *err);

#endif
