/* The consistent rule, third step: single arrows of a DAG are reversed, as long as that helps. */
#ifndef DPC_POLISH_H
#define DPC_POLISH_H

#include "acyclic.h"
#include "triples.h"

dpc_status dpc_polish(const dpc_unoriented *task, const dpc_triples *triples, dpc_acyclic *acyclic,
                      dpc_error *err);

#endif
