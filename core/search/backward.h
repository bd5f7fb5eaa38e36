/*
 * Backward equivalence search, the second phase of GES (Chickering 2002): from the class of a DAG,
 * the best deletion of an edge as long as one improves the score.
 */
#ifndef DPC_BACKWARD_H
#define DPC_BACKWARD_H

#include "families.h"
#include "scorer.h"

/*
 * A DAG of the class that the search comes to takes the place of the one it starts from; it is as
 * the knowledge says if that one was. DPC_OK or no memory; where it was halted the DAG is as far as
 * it got.
 */
dpc_status dpc_backward(dpc_workers *workers, dpc_families *dag);

#endif
