/*
 * The reachability kernel: for 64 questions at once, each a bit of a word, which nodes of a DAG an
 * open path comes to.
 *
 * The ball of Bayes (Shachter 1998) in a DAG whose nodes are called by their places in an order,
 * parents before children. A ball comes to v from a child (up) or from a parent (down). Given Z,
 *
 *     up at v, v ∉ Z                  goes on to all parents and children;
 *     down at v, v ∉ Z                goes on to all children;
 *     down at v, v ∈ An(Z)            goes back to all parents: v is an open collider.
 *
 * So it alternates between sweeps against the order, in which all ups are met, and sweeps along it,
 * in which all downs are. Only nodes with something new are looked at, and all that was touched is
 * forgotten by touching it again: a question costs what it reaches, and allocates nothing.
 */
#ifndef DPC_FLOW_H
#define DPC_FLOW_H

#include "mixed_lists.h"

typedef struct dpc_flow {
    const dpc_mixed_lists *dag; /* by places */
    uint64_t *blocked;          /* v ∈ Z */
    uint64_t *opened;           /* v ∈ An(Z), the ancestors of Z and Z */
    uint64_t *wanted;           /* v ∈ An(y): see dpc_flow_ascend; downs go where either is */
    uint64_t *barred;           /* no ball comes here: the cause */
    uint64_t *up, *down;        /* answers */
    uint64_t *go_up, *go_down;  /* what is new, and to be passed on */
    uint64_t *rising, *falling; /* tables of one row: nodes with something to pass on */
    uint64_t *touched;          /* nodes that have a bit somewhere */
    int64_t words;              /* of these tables */
    uint64_t *memory;           /* of all of them; owned */
} dpc_flow;

/* Nothing asked yet. End with dpc_flow_clear, also after a failure: no memory. */
dpc_status dpc_flow_init(const dpc_mixed_lists *dag, dpc_flow *out);
void dpc_flow_clear(dpc_flow *flow);

/* The node v is in Z for these questions; or it is a y. */
void dpc_flow_block(dpc_flow *flow, int v, uint64_t questions);
void dpc_flow_want(dpc_flow *flow, int v, uint64_t questions);

/* No ball comes to v. */
void dpc_flow_bar(dpc_flow *flow, int v, uint64_t questions);

/* Then: the ancestors of all these. */
void dpc_flow_ascend(dpc_flow *flow);

/* Then: a ball comes to v, from below or from above. */
void dpc_flow_put_up(dpc_flow *flow, int v, uint64_t questions);
void dpc_flow_put_down(dpc_flow *flow, int v, uint64_t questions);

/* And runs, where `everywhere` is false only down to nodes in An(Z) and An(y). */
void dpc_flow_run(dpc_flow *flow, bool everywhere);

/* Ready for the next 64 questions. */
void dpc_flow_reset(dpc_flow *flow);

/* Has the ball come to v? */
static inline uint64_t dpc_flow_at(const dpc_flow *flow, int v)
{
    return flow->up[v] | flow->down[v];
}

#endif
