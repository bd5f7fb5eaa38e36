/* What background knowledge adds to the graph of a class: see orient/apply_knowledge.h. */
#ifndef DPC_CLASS_KNOWLEDGE_H
#define DPC_CLASS_KNOWLEDGE_H

#include "constraints.h"

/* The graph, in labels, with the arrows that the knowledge demands and what follows from them by
 * Meek's rules. `known` is not NULL. */
dpc_status dpc_close_by_knowledge(const dpc_constraints *known, dpc_graph *graph, dpc_error *err);

#endif
