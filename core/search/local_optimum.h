/*
 * From a DAG to a local optimum of the score: no edge more, fewer or turned, and no parent replaced
 * by another variable, in any DAG of the equivalence class, is a gain.
 */
#ifndef DPC_LOCAL_OPTIMUM_H
#define DPC_LOCAL_OPTIMUM_H

#include "families.h"
#include "scorer.h"

/*
 * The optimum takes the place of the DAG it starts from, and never scores lower; that DAG stays
 * where it is an optimum. What the knowledge forbids is not done. *reached: it ended by itself.
 * DPC_OK or no memory; where it was halted the DAG is as far as it got.
 *
 * A class with undirected cliques of about 12 nodes and more has too many DAGs to look at all of
 * them, and where columns determine each other the DAGs of a class do not score the same. In both
 * cases the DAG itself is an optimum still.
 */
dpc_status dpc_local_optimum(dpc_workers *workers, dpc_families *dag, bool *reached);

#endif
