/* Is a graph a CPDAG? By the definitions, on matrices, and without any code of core/. */
#ifndef VALID_H
#define VALID_H

#include "dualpc_explain.h"

/* Is there a directed circle among the arrows of the graph? */
bool has_circle(const dpc_graph *graph);

/*
 * Is the graph the CPDAG of some DAG, that is, has it a consistent extension, and is it what all
 * DAGs equivalent to that have in common? Aborts where memory ends.
 */
bool is_cpdag(const dpc_graph *graph);

/* Is `dag` a DAG with the skeleton, the arrows and the v-structures of the graph? */
bool is_extension(const dpc_graph *dag, const dpc_graph *graph);

#endif
