/*
 * Graphs of other shapes than Erdős and Rényi's, as lists of edges between the places of a causal
 * order: an edge leads from the smaller place to the larger one, so the graph is acyclic.
 */
#ifndef DPC_STRUCTURE_H
#define DPC_STRUCTURE_H

#include "dag.h"

/* Between two places, or two nodes. */
typedef struct dpc_arrow {
    int32_t to, from; /* in this order for dpc_by_pair */
} dpc_arrow;

typedef struct dpc_arrow_list {
    dpc_arrow *edge; /* owned */
    int64_t count, capacity;
} dpc_arrow_list;

/*
 * Appends the edges of a graph of model->structure, which is not DPC_ER, each once. The caller
 * frees edges->edge with free(), also after a failure: no memory.
 */
dpc_status dpc_structure_draw(const dpc_dag_model *model, const dpc_dice *dice,
                              dpc_arrow_list *edges, dpc_error *err);

#endif
