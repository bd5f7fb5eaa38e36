/*
 * A partly directed graph as lists: the parents, the siblings (by undirected edges) and the
 * children of each node, all ascending.
 */
#ifndef DPC_KIN_H
#define DPC_KIN_H

#include "dualpc.h"

typedef struct dpc_kin {
    int n;
    int64_t
        *start;    /* 3 n + 1: the lists of v begin at start[3 v], start[3 v + 1], start[3 v + 2] */
    int32_t *node; /* owned, as start is */
} dpc_kin;

/* Some nodes of a list. */
typedef struct dpc_row {
    const int32_t *node;
    int64_t count;
} dpc_row;

/*
 * The lists of a graph whose node v is called number[v]; NULL: as it is called. End with
 * dpc_kin_clear, also after a failure, which is one of memory.
 */
dpc_status dpc_kin_init(const dpc_graph *graph, const int32_t *number, dpc_kin *out);
void dpc_kin_clear(dpc_kin *kin);

/* The same again in its memory, for a graph with as many nodes and edges; `next`: 3 n places. */
void dpc_kin_fill(const dpc_graph *graph, const int32_t *number, int64_t *next, dpc_kin *kin);

static inline dpc_row dpc_kin_row(const dpc_kin *kin, int64_t which)
{
    return (dpc_row){kin->node + kin->start[which], kin->start[which + 1] - kin->start[which]};
}

static inline dpc_row dpc_parents_of(const dpc_kin *kin, int v)
{
    return dpc_kin_row(kin, 3 * (int64_t)v);
}

static inline dpc_row dpc_siblings_of(const dpc_kin *kin, int v)
{
    return dpc_kin_row(kin, 3 * (int64_t)v + 1);
}

static inline dpc_row dpc_children_of(const dpc_kin *kin, int v)
{
    return dpc_kin_row(kin, 3 * (int64_t)v + 2);
}

/* How a is joined to b, seen from a. */
dpc_mark dpc_kin_mark(const dpc_kin *kin, int a, int b);

#endif
