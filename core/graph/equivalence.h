/*
 * Markov equivalence classes of DAGs: which edges all members share.
 *
 * Chickering's labelling (A transformational characterization of equivalent Bayesian network
 * structures, 1995; Learning equivalence classes, 2002): the edges of the DAG are ordered, and one
 * pass in that order finds for each whether all equivalent DAGs share it (compelled) or not
 * (reversible). It knows nothing of Meek's rules, so it can judge an implementation of them.
 */
#ifndef DPC_EQUIVALENCE_H
#define DPC_EQUIVALENCE_H

#include "dualpc_graph.h"

/* A DAG by its parents: those of v are parent[start[v]] … parent[start[v + 1] - 1], ascending. */
typedef struct dpc_parents {
    int n;
    const int32_t *order; /* n nodes, every parent before its children */
    const int64_t *start; /* n + 1 */
    const int32_t *parent;
} dpc_parents;

bool dpc_is_parent(const dpc_parents *dag, int from, int to);

/* Which edges are compelled, beside `parent`. */
dpc_status dpc_label_compelled(const dpc_parents *dag, bool *compelled);

/*
 * What the class has in common: its CPDAG, pattern or skeleton. The caller frees out->edges with
 * free().
 */
dpc_status dpc_class_graph(const dpc_parents *dag, dpc_target target, dpc_graph *out,
                           dpc_error *err);

/* The DAG itself, every edge directed. The caller frees out->edges with free(). */
dpc_status dpc_parents_graph(const dpc_parents *dag, dpc_graph *out, dpc_error *err);

#endif
