/* d-separation in a DAG, by its definition through the moral graph. */
#ifndef DSEP_H
#define DSEP_H

#include "dag.h"

#define DSEP_MAX_NODES 64

/* Are x and y d-separated by the `size` nodes of `set`? The DAG has at most DSEP_MAX_NODES. */
bool d_separated(const dpc_dag *dag, int x, int y, const int32_t *set, int size);

#endif
