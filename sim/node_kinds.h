/*
 * Variables that are no numbers, and relations that are not linear: which nodes of a DAG are
 * nominal or ordered, which edges are curved, and the cutting of numbers into ordered levels.
 *
 * An ordered variable is a number in the network, a latent one; its column in the table is cut
 * from that at the end, and has the numbers of the levels. A nominal variable is nominal in the
 * network too: mixed_data.h has the model.
 */
#ifndef DPC_NODE_KINDS_H
#define DPC_NODE_KINDS_H

#include "noise.h"

#include <stddef.h>

enum { DPC_MOST_LEVELS = 10, DPC_NOMINAL_LEVELS = 4, DPC_ORDERED_LEVELS = 5 };

/* How much of a network is not linear and Gaussian; all 0: nothing. */
typedef struct dpc_kinds_model {
    double mixed;   /* the share of the nodes that are nominal, 0 to 1 */
    double ordinal; /* of the others, the share that is ordered, 0 to 1 */
    double curved;  /* the share of the edges between numbers that are curved, 0 to 1 */
    int levels;     /* 2 to this many; 0: at most 4 of nominal variables, 5 of ordered ones */
} dpc_kinds_model;

/* What an edge between numbers does with the standardised parent z. */
typedef enum dpc_edge_curve {
    DPC_EDGE_STRAIGHT,  /* z */
    DPC_EDGE_QUADRATIC, /* min(|z|, 3)² */
    DPC_EDGE_TANH,      /* tanh(2 z) */
    DPC_EDGE_SIN,       /* sin(2 z) */
} dpc_edge_curve;

/* Are the values in their ranges, and do they go together? */
dpc_status dpc_kinds_model_check(const dpc_kinds_model *model, dpc_error *err);

/* The kinds of the nodes. The same nodes are nominal whatever else the model says. */
dpc_status dpc_kinds_draw(const dpc_kinds_model *model, dpc_random *random, dpc_dag *dag,
                          dpc_error *err);

/* The curves of the edges, after the kinds. */
dpc_status dpc_curves_draw(const dpc_kinds_model *model, dpc_random *random, dpc_dag *dag,
                           dpc_error *err);

/* Cuts the columns of the ordered nodes; each level has 5 % of the rows or more, from 20 on. */
dpc_status dpc_kinds_cut(const dpc_dag *dag, dpc_random *random, dpc_table *table, dpc_error *err);

/* The kind of a node. */
static inline dpc_variable_kind dpc_node_kind_of(const dpc_dag *dag, int node)
{
    return dag->kinds != NULL ? dag->kinds[node].kind : DPC_NUMBER;
}

/* The names of the levels of nominal variables, a, b, c, …: DPC_MOST_LEVELS of them. */
extern const char *const dpc_level_names[];

#endif
