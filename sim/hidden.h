/*
 * Hidden variables: nodes of a simulated network whose columns nobody gets to see, and what there
 * is to learn of the others: the PAG of the MAG that the DAG is over them.
 */
#ifndef DPC_HIDDEN_H
#define DPC_HIDDEN_H

#include "dag.h"
#include "random.h"

/*
 * Draws the hidden nodes among those with two children or more, each set of them equally likely:
 * as many as the share of all nodes is, rounded, as far as there are such nodes. *hidden has a bool
 * per node; the caller frees it. DPC_OK or no memory.
 */
dpc_status dpc_hidden_draw(const dpc_dag *dag, double share, dpc_random *random, bool **hidden);

/* The table without the hidden columns. Free with dpc_table_free. */
dpc_status dpc_hidden_table(const dpc_table *table, const bool *hidden, dpc_table **out,
                            dpc_error *err);

/* The PAG over the other nodes, in their order. The caller frees out->edges with free(). */
dpc_status dpc_hidden_pag(const dpc_dag *dag, const bool *hidden, dpc_graph *out, dpc_error *err);

#endif
