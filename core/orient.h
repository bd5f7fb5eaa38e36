/* From a skeleton and its separating sets to directed edges. */
#ifndef DPC_ORIENT_H
#define DPC_ORIENT_H

#include "adjacency.h"
#include "sepset.h"

/*
 * Directs the edges as far as settings->graph asks. *out is filled and owned by the caller
 * (out->edges).
 */
dpc_status dpc_orient(const dpc_adjacency *skeleton, const dpc_sepsets *sepsets,
                      const dpc_settings *settings, dpc_graph *out, dpc_error *err);

#endif
