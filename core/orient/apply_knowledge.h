/* What background knowledge adds to the graph of an equivalence class. */
#ifndef DPC_APPLY_KNOWLEDGE_H
#define DPC_APPLY_KNOWLEDGE_H

#include "orient.h"

/*
 * Adds to a CPDAG or pattern over the skeleton the arrows that background knowledge demands and, to
 * a CPDAG, what follows by Meek's four rules: what all DAGs of the class that respect the knowledge
 * have in common (Meek, 1995). There must be such a DAG.
 */
dpc_status dpc_orient_by_knowledge(const dpc_unoriented *task, dpc_graph *graph, dpc_error *err);

#endif
