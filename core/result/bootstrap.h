/* The bootstrap for callers that want more of each resample than its graph. */
#ifndef DPC_BOOTSTRAP_H
#define DPC_BOOTSTRAP_H

#include "correlation.h"
#include "dualpc_explain.h"

/*
 * Called once for each resample, by several threads at a time, before it counts as done. The graph
 * is the one that dpc_info calls class_graph; the settings are those of the resample: one thread,
 * and the question whether to go on.
 */
typedef struct dpc_observer {
    void *context;
    dpc_status (*observe)(void *context, int64_t index, const dpc_correlation *correlation,
                          const dpc_graph *graph, const dpc_settings *settings, dpc_error *err);
    /* Where that has put what it keeps of a resample, and how much it is: for other ranks. */
    void *(*kept)(void *context, int64_t index);
    size_t bytes;
} dpc_observer;

/* dpc_bootstrap; the observer may be NULL. */
dpc_status dpc_bootstrap_observed(const dpc_table *table, const dpc_settings *settings,
                                  const dpc_resampling *resampling, const dpc_observer *observer,
                                  dpc_frequencies **out, dpc_error *err);

/* Was this resample done? */
bool dpc_bootstrap_did(const dpc_frequencies *frequencies, int resample);

#endif
