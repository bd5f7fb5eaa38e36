/* Why an edge is an arrow: the v-structures and rules that it follows from. */
#ifndef DPC_REASONS_H
#define DPC_REASONS_H

#include "result.h"

/*
 * The strongest chain of reasons for the arrow from → to of the graph (with those that min_evidence
 * has left out), premises first; all are columns. The caller frees *out.
 */
dpc_status dpc_reasons(const dpc_result *result, const dpc_settings *settings, int from, int to,
                       dpc_reason **out, int *count, dpc_error *err);

#endif
