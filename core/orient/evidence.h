/* How strongly the data speak for a collider at each unshielded triple. */
#ifndef DPC_EVIDENCE_H
#define DPC_EVIDENCE_H

#include "triples.h"

/* Weighs all triples that are open. */
dpc_status dpc_weigh_evidence(const dpc_unoriented *task, dpc_triples *triples, dpc_error *err);

/* The weight of a single one, x — y — z with x and z separated; the skeleton is not asked. */
dpc_status dpc_weigh_triple(const dpc_unoriented *task, int x, int y, int z, int32_t *weight,
                            dpc_error *err);

#endif
