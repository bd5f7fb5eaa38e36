/* How strongly the data speak for a collider at each unshielded triple. */
#ifndef DPC_EVIDENCE_H
#define DPC_EVIDENCE_H

#include "triples.h"

/* Weighs all triples that are open. */
dpc_status dpc_weigh_evidence(const dpc_unoriented *task, dpc_triples *triples, dpc_error *err);

#endif
