/* What background knowledge adds to the graph of an equivalence class. */
#ifndef DPC_APPLY_KNOWLEDGE_H
#define DPC_APPLY_KNOWLEDGE_H

#include "constraints.h"

/*
 * Adds to a partly directed graph, in labels, the arrows that the knowledge demands and, with
 * `rules`, what follows by Meek's four rules. From a CPDAG this makes the MPDAG: what all DAGs of
 * the class that respect the knowledge have in common (Meek, 1995). There must be such a DAG.
 * `known` is not NULL.
 */
dpc_status dpc_apply_knowledge(const dpc_constraints *known, bool rules, dpc_graph *graph,
                               dpc_error *err);

#endif
