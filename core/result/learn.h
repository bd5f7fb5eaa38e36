/* Learning a graph and nothing else, by settings that were checked before: for resamples. */
#ifndef DPC_LEARN_H
#define DPC_LEARN_H

#include "correlation.h"

/*
 * The graph that dpc_learn would find with these settings, which dpc_settings_or_default has made,
 * where the time ends at `end` (see dpc_time_is_over). Reasons and separating sets are not made or
 * not kept. *complete: the search came to its end. *steps (may be NULL): tests, or scores of steps.
 */
dpc_status dpc_learn_graph(const dpc_correlation *correlation, const dpc_settings *checked,
                           double end, dpc_graph *graph, bool *complete, int64_t *steps,
                           dpc_error *err);

#endif
