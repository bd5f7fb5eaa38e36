/*
 * PAGs and the MAGs they stand for.
 *
 * All MAGs with the same separations have the same adjacencies. Their PAG has the marks that all of
 * them share, and circles elsewhere. A graph is valid where it is the PAG of a MAG.
 */
#ifndef DPC_PAG_H
#define DPC_PAG_H

#include "graph.h"
#include "pag_rules.h"

/* The rules with a MAG as their judge: what a node is on its paths. It outlives the rules. */
dpc_pag_rules dpc_rules_of_mag(const dpc_mixed *mag, bool selection);

/*
 * The PAG of a MAG, or of a DAG: R0 with its unshielded colliders, then the rules, with its own
 * status of what is discriminated. The graph is believed to be a MAG. With `selection` samples may
 * be selected: then R5 – R7 too, and arrows keep a tail only where these allow it. The caller frees
 * out->edges. DPC_OK or no memory.
 */
dpc_status dpc_pag_of_mag(const dpc_graph *mag, bool selection, dpc_graph *out);

/*
 * A MAG of a PAG (Zhang 2008, theorem 2): o→ and —o become →, and what is left of o–o gets arrows
 * without a new unshielded collider, along an order by maximum cardinality. Of any other graph:
 * a graph without circles. The caller frees out->edges. DPC_OK or no memory.
 */
dpc_status dpc_mag_of_pag(const dpc_graph *pag, dpc_graph *out);

/* Is a graph without circles ancestral and maximal? */
dpc_status dpc_graph_is_mag(const dpc_graph *graph, bool *yes);

/* Is it the PAG of a MAG: is its MAG one, and the PAG of that the same on all pairs? With
 * `selection` as above. */
dpc_status dpc_pag_is_valid(const dpc_graph *pag, bool selection, bool *valid);

/* Is its MAG one, and has the graph all marks of the class of that, and perhaps more: what is known
 * besides the separations? */
dpc_status dpc_pag_is_refined(const dpc_graph *graph, bool selection, bool *yes);

/*
 * The PAG itself where it is valid, and a valid one near it where it is not: see pag_repair.c.
 * *repaired: whether it was changed. The caller frees out->edges. DPC_OK or no memory.
 */
dpc_status dpc_pag_repair(const dpc_graph *pag, bool selection, dpc_graph *out, bool *repaired);

#endif
