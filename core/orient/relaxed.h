/* Orientation as the paper has it. */
#ifndef DPC_RELAXED_H
#define DPC_RELAXED_H

#include "orient.h"
#include "oriented.h"

/* settings->graph says how far: also a skeleton, with no arrows. */
dpc_status dpc_orient_relaxed(const dpc_unoriented *task, dpc_oriented *result, dpc_error *err);

#endif
