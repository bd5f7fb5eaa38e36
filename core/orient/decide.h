/* The consistent rule, first step: triples are decided, the strongest evidence first. */
#ifndef DPC_DECIDE_H
#define DPC_DECIDE_H

#include "acyclic.h"
#include "triples.h"

/*
 * As many triples as possible become what their weights want, with all that follows. Where only the
 * arrows matter, marks are left as they are.
 */
dpc_status dpc_decide(const dpc_unoriented *task, dpc_triples *triples, dpc_acyclic *acyclic,
                      dpc_error *err);

#endif
