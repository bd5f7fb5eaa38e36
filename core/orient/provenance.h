/* What each arrow of a finished graph rests on, and how much that bears. */
#ifndef DPC_PROVENANCE_H
#define DPC_PROVENANCE_H

#include "mixed.h"
#include "oriented.h"
#include "triples.h"

/* What a triple x — y — z says in a finished graph; a mark is a sum of these. */
enum {
    DPC_SAYS_NOTHING = 0,
    DPC_GIVES_ARROWS = 1,  /* a v-structure: the arrows into y that the graph has are given by it */
    DPC_BARS_COLLIDER = 2, /* y is no collider: Meek's rules may go through it */
};

/*
 * The strongest chains of reasons of all arrows. The weights of the triples are evidence, and their
 * marks what they say, as above. A triple that is no v-structure has -weight as a link of a chain.
 * Rules are used where settings->graph is a CPDAG. The caller frees *out, which is sorted by from,
 * to.
 */
dpc_status dpc_trace_provenance(const dpc_unoriented *task, const dpc_triples *triples,
                                const dpc_graph *graph, dpc_provenance **out, int64_t *count,
                                dpc_error *err);

/*
 * Marks the triples of a graph in which all are decided: those with two arrows into y give arrows,
 * the others are no colliders.
 */
void dpc_mark_decided(const dpc_mixed *arrows, dpc_triples *triples);

#endif
