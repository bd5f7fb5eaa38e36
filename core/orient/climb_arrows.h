/* The consistent rule, third step: single arrows of a DAG are reversed, as long as that helps. */
#ifndef DPC_CLIMB_ARROWS_H
#define DPC_CLIMB_ARROWS_H

#include "acyclic.h"
#include "triples.h"

dpc_status dpc_climb_arrows(const dpc_unoriented *task, const dpc_triples *triples,
                            dpc_acyclic *acyclic, dpc_error *err);

#endif
