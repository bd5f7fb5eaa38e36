/*
 * All sets of parents of a node, as exact.c goes through them, where variables are blocks of
 * columns (block_family.h).
 */
#ifndef DPC_EXACT_BLOCKS_H
#define DPC_EXACT_BLOCKS_H

#include "scorer.h"

typedef enum dpc_parent_role {
    DPC_PARENT_FREE,
    DPC_PARENT_REQUIRED,
    DPC_PARENT_FORBIDDEN
} dpc_parent_role;

/* The tree of all sets for one v. */
typedef struct dpc_block_tree {
    dpc_workers *workers; /* not owned, as all below */
    int worker;
    const dpc_parent_role *role; /* of the other nodes, the first at [n-1], the last at [1] */
    int most;                    /* parents to be paid for */
    const double *power;         /* by number of those: their price */
    double *room;                /* dpc_block_tree_room numbers */
    int32_t *columns;            /* as many as there are */
} dpc_block_tree;

int64_t dpc_block_tree_room(const dpc_stats *stats);

/* The lowest c of all sets within each of 2^(n-1), into a table: see exact.c. */
void dpc_block_tree_fill(const dpc_block_tree *tree, int v, double *table);

#endif
