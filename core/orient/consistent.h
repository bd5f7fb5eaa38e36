/* Orientation by weighed triples: always the CPDAG of a DAG. */
#ifndef DPC_CONSISTENT_H
#define DPC_CONSISTENT_H

#include "oriented.h"
#include "triples.h"

/* Weighs all triples that are open, as `weight`: above 0 for a collider, below 0 against it. */
typedef dpc_status dpc_weigher(const void *context, const dpc_unoriented *task,
                               dpc_triples *triples, dpc_error *err);

/*
 * The graph that settings->graph asks for. The task needs no view and no separating sets where the
 * weigher needs none. Unless only the graph is wanted, the result also has its conflicts, the
 * triples that the graph decides against the sign of their weights, and the provenance of its
 * arrows.
 */
dpc_status dpc_orient_weighed(const dpc_unoriented *task, dpc_weigher *weigh, const void *context,
                              dpc_oriented *result, dpc_error *err);

/* By the evidence of the data. */
dpc_status dpc_orient_consistent(const dpc_unoriented *task, dpc_oriented *result, dpc_error *err);

#endif
