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

#include "equivalence.h"
#include "triples.h"

typedef struct dpc_arrows {
    const dpc_triples *triples; /* for its graph */
    bool *out;                  /* by slot a→b: the edge is directed from a to b */
    int32_t *place;             /* per node: where it stands in the order */
    int32_t *node;              /* by place */
    int32_t *found;             /* nodes that a search met: first behind the arrow, then before */
    int32_t *pool;              /* their places */
    int32_t *seen;              /* per node: the last search that met it */
    int32_t searches;
} dpc_arrows;

/* No arrows yet; false: no memory. Free with dpc_arrows_clear, also after a failure. */
bool dpc_arrows_make(const dpc_triples *triples, dpc_arrows *out);
void dpc_arrows_clear(dpc_arrows *arrows);

/* Directs the undirected edge at a slot a→b; false, and nothing changed: there is a way from b to
 * a. */
bool dpc_arrows_add(dpc_arrows *arrows, int64_t slot);

static inline bool dpc_arrow_in(const dpc_arrows *arrows, int64_t slot)
{
    return arrows->out[dpc_back(arrows->triples, slot)];
}

static inline bool dpc_undirected(const dpc_arrows *arrows, int64_t slot)
{
    return !arrows->out[slot] && !dpc_arrow_in(arrows, slot);
}

/* The graph of the class, where every edge is directed. The caller frees out->edges. */
dpc_status dpc_arrows_class(const dpc_arrows *arrows, dpc_target target, dpc_graph *out,
                            dpc_error *err);

/* ---- The steps of the consistent rule ---- */

/* As many triples as possible as the evidence wants them, the strongest first; see greedy.c. */
dpc_status dpc_direct_greedily(const dpc_unoriented *task, dpc_triples *triples, dpc_arrows *arrows,
                               dpc_error *err);

/* The rest of the edges, so that all are directed; then single reversals. See extend.c. */
dpc_status dpc_extend(const dpc_unoriented *task, const dpc_triples *triples, dpc_arrows *arrows,
                      dpc_error *err);
dpc_status dpc_polish(const dpc_unoriented *task, const dpc_triples *triples, dpc_arrows *arrows,
                      dpc_error *err);

#endif
