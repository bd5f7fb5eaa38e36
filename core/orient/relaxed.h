/* Orientation as the paper has it. */
#ifndef DPC_RELAXED_H
#define DPC_RELAXED_H

#include "orient.h"

/* Fills `out`, in labels; settings->graph says how far: also a skeleton, with no arrows. */
dpc_status dpc_orient_relaxed(const dpc_unoriented *task, dpc_graph *out, dpc_error *err);

#endif
