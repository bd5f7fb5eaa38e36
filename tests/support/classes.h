/*
 * Graphs by all DAGs that they stand for, for up to CLASS_MAX nodes: everything by definition, on
 * sets of nodes that are the bits of a word, and without any code of core/.
 */
#ifndef CLASSES_H
#define CLASSES_H

#include "dualpc_explain.h"

#include "cases.h"

enum { CLASS_MAX = 7, CLASS_EDGES = 12 };

/* A DAG by the parents of each node. */
struct member {
    unsigned parents[CLASS_MAX];
};

/* All DAGs with the skeleton, the arrows and the v-structures of a graph. */
struct members {
    int n, count;
    struct member *dags; /* owned */
};

/* Those of a graph with at most CLASS_EDGES undirected edges. Free with members_free. */
struct members members_of(const dpc_graph *graph);
void members_free(struct members *members);

/*
 * A random graph of each kind by turns, with at most CLASS_EDGES undirected edges: a DAG, its
 * class, or what the members of its class share that have some of its arrows too. Ended by
 * dpc_graph_clear.
 */
void draw_kind(gsl_rng *rng, int n, dpc_graph_kind kind, dpc_graph *out);

unsigned descendants_in(const struct member *dag, int n, int x); /* with x */
unsigned ancestors_in(const struct member *dag, int n, int x);   /* with x */

/* Is a path, a list of nodes, open given a set; is it all arrows from its first node on? */
bool path_is_open(const struct member *dag, int n, const int32_t *path, int length, unsigned given);
bool path_is_causal(const struct member *dag, const int32_t *path, int length);

/* By going through all paths: are x and y d-separated; is the set a valid adjustment set? */
bool slow_separated(const struct member *dag, int n, int x, int y, unsigned given);
bool slow_valid(const struct member *dag, int n, int x, int y, unsigned set);

/* The same in all DAGs of the class. */
bool valid_in_all(const struct members *members, int x, int y, unsigned set);

/* The distances by their definition. */
void slow_distances(const dpc_graph *estimate, const dpc_graph *truth, dpc_aid *out);

/* Does a possibly directed path lead from x to y; does one begin with an undirected edge? That is:
 * a path no node of which has an arrow to an earlier one. */
bool slow_possible(const dpc_graph *graph, int x, int y, bool loose);

#endif
