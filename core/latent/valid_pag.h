/*
 * The last step to a PAG: it is made valid where it is not, and has what is known of its edges.
 */
#ifndef DPC_VALID_PAG_H
#define DPC_VALID_PAG_H

#include "constraints.h"
#include "graph.h"

/*
 * Replaces the graph by the nearest valid PAG where it is none, and says so. What is known in the
 * numbers of the graph (NULL: nothing) then takes the place of circles, with what follows from it;
 * a graph that has more marks than its class because of that is no less valid. Where both cannot
 * be, what is known comes first, and edges for which it leaves no direction are noted in it. DPC_OK
 * or no memory.
 */
dpc_status dpc_make_valid(dpc_constraints *known, bool selection, dpc_graph *graph, bool *repaired);

/* The PAG of a MAG, or of a DAG; the same is known of it. The caller frees pag->edges. */
dpc_status dpc_pag_of_known_mag(const dpc_constraints *known, bool selection, const dpc_graph *mag,
                                dpc_graph *pag, dpc_error *err);

/* The PAG of a DAG, or of the class of DAGs that a graph stands for; the same is known of it. */
dpc_status dpc_pag_of_class(const dpc_constraints *known, bool selection, dpc_graph *graph,
                            dpc_error *err);

#endif
