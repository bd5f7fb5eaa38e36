/* The consistent rule, second step: the edges that are left are directed, so that a DAG results. */
#ifndef DPC_COMPLETE_H
#define DPC_COMPLETE_H

#include "acyclic.h"
#include "triples.h"

dpc_status dpc_complete(const dpc_unoriented *task, const dpc_triples *triples,
                        dpc_acyclic *acyclic, dpc_error *err);

#endif
