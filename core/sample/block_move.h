/*
 * The move of a chain: the parents of 1 to 4 nodes are drawn anew, jointly and exactly given those
 * of all others.
 *
 * Without their parents, let D_k be node k of the block and all that descends from it without
 * entering another node of the block. Node k may have any parents outside of D_k. Which of the
 * other D_l they meet, a set X_k, decides whether the whole is acyclic: it is if k ← X_k is a DAG
 * on the block. With A_k the candidates outside of D_k, and Z_k the sum of the weights of all sets
 * within one,
 *
 *     F_k(X) = Z_k(A_k without D_l for all l not in X)
 *
 * is the weight of all sets that meet at most the D_l with l in X, and Möbius inversion over X
 * gives f_k(X), that of those which meet exactly these. Then the X_k are drawn by Π_k f_k(X_k)
 * among all DAGs (patterns.h), and the parents of each k among the sets that meet just these.
 */
#ifndef DPC_SAMPLE_BLOCK_MOVE_H
#define DPC_SAMPLE_BLOCK_MOVE_H

#include "chain_dag.h"

enum { DPC_BLOCK_ROOM = 4 };

typedef struct dpc_node_block {
    int size; /* 1 to DPC_BLOCK_NODES */
    int node[DPC_BLOCK_NODES];
    uint32_t open[DPC_BLOCK_NODES]; /* A_k */
    /* [k][i]: what of A_k is in D_l, l being the i-th other (dpc_other_of) */
    uint32_t meet[DPC_BLOCK_NODES][DPC_BLOCK_OTHERS];
} dpc_node_block;

/* Nodes of a block, drawn as the space prefers. Does not look at any DAG. */
void dpc_block_choose(dpc_node_block *block, const dpc_space *space, dpc_random *random);

/* Finds A_k and what of it is in each D_l. `room` has DPC_BLOCK_ROOM rows of bits. */
void dpc_block_open(dpc_node_block *block, const dpc_chain_dag *dag, uint64_t *room);

/*
 * Draws the parents of the nodes of the block; true: the weights were too far apart for products of
 * doubles, and exponents of their own were used. `always`: use them anyway, for the tests.
 */
bool dpc_block_draw(const dpc_node_block *block, const dpc_space *space, bool always,
                    dpc_random *random, uint32_t *parents);

#endif
