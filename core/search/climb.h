/* Hill climbing over DAGs: one edge added, deleted or turned at a time, or one parent replaced. */
#ifndef DPC_CLIMB_H
#define DPC_CLIMB_H

#include "families.h"
#include "scorer.h"

/*
 * Changes the DAG by the best of all single steps until none improves its score. Steps that are
 * equally good, but for rounding, by their labels. What the knowledge forbids is not done. DPC_OK
 * or no memory; where it was halted the DAG is as far as it got.
 */
dpc_status dpc_climb(dpc_workers *workers, dpc_families *dag);

/* The same; and where no single step improves the score, the best swap: one parent of a node gives
 * way to another variable. In the end no swap improves it either. */
dpc_status dpc_climb_with_swaps(dpc_workers *workers, dpc_families *dag);

#endif
