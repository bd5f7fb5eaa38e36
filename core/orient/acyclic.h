/*
 * Arrows on the edges of a skeleton, never in a circle.
 *
 * A topological order of the nodes is kept up to date as arrows come (Pearce and Kelly, A dynamic
 * topological sort algorithm for directed acyclic graphs, 2007): an arrow that agrees with it costs
 * nothing, one that does not moves only the nodes between its ends. Taking an arrow away leaves the
 * order valid.
 */
#ifndef DPC_ACYCLIC_H
#define DPC_ACYCLIC_H

#include "arena.h"
#include "mixed.h"

typedef struct dpc_acyclic {
    dpc_mixed arrows;
    dpc_arena memory; /* of the arrays below */
    int32_t *place;   /* per node: where it stands in the order */
    int32_t *node;    /* by place */
    int32_t *found;   /* nodes that a search met: first behind the arrow, then before */
    int32_t *pool;    /* their places */
    int32_t *seen;    /* per node: the last search that met it */
    int64_t *via;     /* per node: the slot by which it was met */
    int32_t searches;
} dpc_acyclic;

/* No arrows yet. End with dpc_acyclic_clear, also after a failure. */
dpc_status dpc_acyclic_init(const dpc_adjacency *graph, dpc_acyclic *out);
void dpc_acyclic_clear(dpc_acyclic *acyclic);

/* Directs the undirected edge at a slot a→b; false, and nothing changed: there is a way from b to
 * a. */
bool dpc_acyclic_add(dpc_acyclic *acyclic, int64_t slot);

/*
 * After such a refusal: the slots of the arrows from b to a, one of the shortest ways, the last one
 * first, up to `most` of them. Returns how many there are.
 */
int dpc_acyclic_way(const dpc_acyclic *acyclic, int64_t slot, int64_t *way, int most);

/* The graph of the equivalence class, where every edge is directed. The caller frees out->edges. */
dpc_status dpc_acyclic_class(const dpc_acyclic *acyclic, dpc_target target, dpc_graph *out,
                             dpc_error *err);

#endif
