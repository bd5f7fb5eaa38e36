/* The orders in which edges and triples are listed, for qsort and bsearch. */
#ifndef DPC_GRAPH_H
#define DPC_GRAPH_H

#include "dualpc.h"

/* Of dpc_edge: by a, then b. */
int dpc_by_ends(const void *left, const void *right);
/* Of dpc_triple: by y, then x, then z. */
int dpc_by_nodes(const void *left, const void *right);

#endif
