/* A DAG to be changed edge by edge: the parents and the children of every node. */
#ifndef DPC_FAMILIES_H
#define DPC_FAMILIES_H

#include "arena.h"
#include "constraints.h"
#include "equivalence.h"

/* Ascending. */
typedef struct dpc_relatives {
    int32_t *node; /* owned */
    int64_t count, capacity;
} dpc_relatives;

/* Others in their place, ascending. DPC_OK or no memory, as below. */
dpc_status dpc_relatives_set(dpc_relatives *relatives, const int32_t *nodes, int count);

/* One more, unless it is there. */
dpc_status dpc_relatives_add(dpc_relatives *relatives, int node);

typedef struct dpc_families {
    int n;
    dpc_relatives *pa, *ch; /* per node; owned */
    int32_t *queue;         /* n; scratch; owned */
    int32_t *left;          /* n; scratch, 0 between calls; owned */
} dpc_families;

/* No edges. DPC_OK or no memory, as all below; to be cleared in either case. */
dpc_status dpc_families_init(dpc_families *families, int n);
void dpc_families_clear(dpc_families *families);

/* An edge more, which is not there; an edge less, which is. */
dpc_status dpc_families_add(dpc_families *families, int from, int to);
void dpc_families_remove(dpc_families *families, int from, int to);

static inline int64_t dpc_families_edges(const dpc_families *families)
{
    int64_t edges = 0;
    for (int v = 0; v < families->n; v++)
        edges += families->pa[v].count;
    return edges;
}

bool dpc_families_joined(const dpc_families *families, int from, int to); /* is there from → to? */

/* Is there a way from → … → to, other than the edge itself? */
bool dpc_families_leads(dpc_families *families, int from, int to);

/* No edges any more; and those of another DAG with as many nodes. */
void dpc_families_empty(dpc_families *families);
dpc_status dpc_families_copy(dpc_families *to, const dpc_families *from);

/* The required edges. `families` has no edges yet; `known` may be NULL. */
dpc_status dpc_families_require(dpc_families *families, const dpc_constraints *known);

/* A graph all of whose edges are directed, without circles. `families` has no edges yet. */
dpc_status dpc_families_read(dpc_families *families, const dpc_graph *dag);

/* All nodes, parents before children; where there is a choice by a queue in the order of labels. */
void dpc_families_order(dpc_families *families, int32_t *order);

/* Rearranges an order, as little as that takes, so that parents come before children. `from` is
 * scratch of n. */
void dpc_families_arrange(dpc_families *families, int32_t *order, int32_t *from);

/* The DAG by its parents, in the memory of an arena. */
dpc_status dpc_families_parents(dpc_families *families, dpc_arena *arena, dpc_parents *out);

/* The CPDAG of its class; the caller clears `out`. */
dpc_status dpc_families_class(dpc_families *families, dpc_graph *out, dpc_error *err);

#endif
