/* Why an edge is an arrow: the v-structures and rules that it follows from. */
#ifndef DPC_REASONS_H
#define DPC_REASONS_H

#include "result.h"

/*
 * The shortest chain of reasons for the arrow from → to of the graph, premises first; all are
 * columns. Evidence is left NaN. The caller frees *out.
 */
dpc_status dpc_reasons(const dpc_result *result, const dpc_settings *settings, int from, int to,
                       dpc_reason **out, int *count, dpc_error *err);

/* The triple of a sorted list, x and z in any order; NULL: it is not in it. */
const dpc_triple *dpc_find_triple(const dpc_triple *triples, int64_t count, int x, int y, int z);

#endif
