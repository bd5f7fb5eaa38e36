/* What a bootstrap keeps: the graphs of its resamples, and what a consensus of them needs. */
#ifndef DPC_FREQUENCY_H
#define DPC_FREQUENCY_H

#include "canonical.h"
#include "dualpc_explain.h"
#include "knowledge.h"
#include "weighted_graphs.h"

struct dpc_resamples {
    dpc_weighted_graphs graphs; /* by the number of the resample; those that are done weigh 1 */
    dpc_labels labels;          /* an order of the columns in which their places do not matter */
    dpc_settings settings;      /* of the resamples: see dpc_settings_keep */
};

/* Fills `pairs`, `n_pairs`, `total` and `resamples` from the graphs; DPC_OK or no memory. */
dpc_status dpc_frequencies_count(dpc_frequencies *frequencies);

#endif
