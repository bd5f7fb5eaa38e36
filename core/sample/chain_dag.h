/*
 * The DAG of a chain: the parents of each node as bits of its candidates, and its children as a row
 * of bits.
 */
#ifndef DPC_CHAIN_DAG_H
#define DPC_CHAIN_DAG_H

#include "shared.h"

typedef struct dpc_chain_dag {
    const dpc_space *space;
    uint32_t *parents;  /* by node */
    uint64_t *children; /* rows of bits */
} dpc_chain_dag;

/* No edges; DPC_OK or no memory. */
dpc_status dpc_chain_dag_init(dpc_chain_dag *dag, const dpc_space *space, dpc_arena *arena);

/* The parents of v become these. */
static inline void dpc_chain_dag_set(dpc_chain_dag *dag, int v, uint32_t parents)
{
    const dpc_space *space = dag->space;
    const int32_t *candidate = space->sets.node + space->sets.start[v];
    uint32_t changed = dag->parents[v] ^ parents;
    dag->parents[v] = parents;
    for (; changed != 0; changed &= changed - 1)
        dag->children[candidate[__builtin_ctz(changed)] * space->words + v / 64] ^= UINT64_C(1)
                                                                                    << (v % 64);
}

/*
 * v and its descendants into a row of bits, `found`; none of `barred` is entered, nor passed
 * through. `room` is another row.
 */
void dpc_chain_dag_descend(const dpc_chain_dag *dag, int v, const uint64_t *barred, uint64_t *found,
                           uint64_t *room);

#endif
