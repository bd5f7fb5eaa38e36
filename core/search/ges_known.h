/*
 * Background knowledge in the greedy search: a class is good where one of its DAGs respects it.
 *
 * The search begins with the class of the required edges, never deletes one of these, and makes no
 * step to a class that is not good. All DAGs of a class have the same score, so it does not matter
 * which of them is meant until the end, when the arrows of the knowledge, and what follows from
 * them, direct the edges of the CPDAG.
 *
 * Is a class good? An arrow of its CPDAG must not be banned. Of the undirected edges some have one
 * direction left. The components of these edges can be directed each for itself, for the nodes of
 * one have the same parents outside; it takes a DAG without v-structures on a component that has
 * these arrows. There is none where two of them are a v-structure. Otherwise it is found, or not,
 * by taking away nodes (extension.h).
 */
#ifndef DPC_GES_KNOWN_H
#define DPC_GES_KNOWN_H

#include "constraints.h"
#include "ges_cpdag.h"

/* `known` may be NULL in all of these. DPC_OK or no memory. */

/* Makes the class of the required edges out of that without edges. */
dpc_status dpc_class_require(dpc_cpdag *class, const dpc_constraints *known);

/* Does a DAG of the class respect the knowledge? */
dpc_status dpc_class_respects(const dpc_cpdag *class, const dpc_constraints *known, bool *out);

/*
 * Is it plain that a step with these parents of v leads to no good class? The edge is never there;
 * or u → v ← c will be a v-structure, c a parent of v or in C, and one of its arrows is banned.
 * `out` is the parent that goes, or -1.
 */
bool dpc_step_is_banned(const dpc_cpdag *class, const dpc_constraints *known, int u, int v,
                        const int32_t *set, int size, int out);

#endif
