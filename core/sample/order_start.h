/*
 * Orders of the nodes, drawn by the weight of all DAGs that fit them.
 *
 * The weight of an order is Π_v Z_v(what comes before v). A move takes one node out and puts it
 * anywhere, by the exact conditional distribution: its place matters only for the nodes that are
 * related to it, so all places between two of these are equal. With an exponent below 1 the
 * weights are flattened: from a random order, moves with an exponent that grows from nearly 0 to 1
 * lead to where the weight is.
 */
#ifndef DPC_SAMPLE_ORDER_START_H
#define DPC_SAMPLE_ORDER_START_H

#include "random.h"
#include "shared.h"

typedef struct dpc_chain_order {
    const dpc_space *space;
    int32_t *node;    /* by place */
    int32_t *place;   /* by node */
    uint32_t *before; /* by node: the candidates before it */
    int32_t *near;    /* as space->relation: the relations of a node, sorted as they last were */
    double *weight;   /* n; of one move */
    int32_t *room;    /* n */
} dpc_chain_order;

/* Room for an order; DPC_OK or no memory. */
dpc_status dpc_chain_order_init(dpc_chain_order *order, const dpc_space *space, dpc_arena *arena);

/* A random order; whoever is a required parent comes before. */
void dpc_chain_order_shuffle(dpc_chain_order *order, dpc_random *random);

/* An order that fits these parents, a DAG. */
void dpc_chain_order_fit(dpc_chain_order *order, const uint32_t *parents);

/* Takes node v out, and puts it where its weights, to the power of the exponent, say. */
void dpc_chain_order_move(dpc_chain_order *order, int v, double exponent, dpc_random *random);

#endif
