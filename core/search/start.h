/* The DAG that refinement starts from. */
#ifndef DPC_REFINE_START_H
#define DPC_REFINE_START_H

#include "precedence.h"

/*
 * A DAG with the edges of a partly directed graph, in labels: one of the class that it stands for,
 * where it stands for one; otherwise one that goes against as few of its arrows as a greedy choice
 * can find. Edges that the knowledge forbids are left out, those that it requires are there.
 * `dag` has no edges yet.
 */
dpc_status dpc_start_from(const dpc_graph *graph, dpc_precedence *precedence, dpc_families *dag,
                          dpc_error *err);

#endif
