/*
 * Markov equivalence classes of DAGs: which edges all members share; and what a graph is as a
 * CPDAG, pattern or skeleton. Graphs are given and made with sorted edges; the caller ends them
 * with dpc_graph_clear.
 *
 * Chickering's labelling (A transformational characterization of equivalent Bayesian network
 * structures, 1995; Learning equivalence classes, 2002): the edges of the DAG are ordered, and one
 * pass in that order finds for each whether all equivalent DAGs share it (compelled) or not
 * (reversible). It knows nothing of Meek's rules, so it can judge an implementation of them.
 */
#ifndef DPC_EQUIVALENCE_H
#define DPC_EQUIVALENCE_H

#include "dualpc_graph.h"
#include "topological.h"

/* A DAG by its parents: those of v are parent[start[v]] … parent[start[v + 1] - 1], ascending. Owns
 * nothing. */
typedef struct dpc_parents {
    int n;
    const int32_t *order; /* n nodes, every parent before its children */
    const int64_t *start; /* n + 1 */
    const int32_t *parent;
} dpc_parents;

/* An order of such a DAG; `left` is scratch of n entries. False: there is a circle. */
bool dpc_order_by_parents(int n, const int64_t *start, const int32_t *parent, int32_t *left,
                          int32_t *order);

bool dpc_is_parent(const dpc_parents *dag, int from, int to);

/* Which edges are compelled, beside `parent`. DPC_OK or no memory. */
dpc_status dpc_label_compelled(const dpc_parents *dag, bool *compelled);

/* The DAG itself, every edge directed. */
dpc_status dpc_parents_graph(const dpc_parents *dag, dpc_graph *out, dpc_error *err);

/*
 * The graph with only its v-structures directed (pattern), with nothing directed (skeleton), or as
 * it is (CPDAG). A directed edge x → y is in a v-structure where some z → y is not adjacent to x.
 */
dpc_status dpc_graph_reduce(const dpc_graph *graph, dpc_target as, dpc_graph *out, dpc_error *err);

/*
 * What the class of a DAG has in common: its CPDAG, pattern or skeleton. A graph that is no DAG,
 * for it has undirected edges or a circle, is reduced as it is. *is_dag (may be NULL): is it a DAG?
 * Only asked where a CPDAG is wanted.
 */
dpc_status dpc_class_graph(const dpc_graph *dag, dpc_target as, bool *is_dag, dpc_graph *out,
                           dpc_error *err);

#endif
