/* What a bootstrap keeps: the graphs of its resamples, and the counts made of them. */
#ifndef DPC_FREQUENCY_H
#define DPC_FREQUENCY_H

#include "canonical.h"
#include "dualpc_explain.h"
#include "knowledge.h"

struct dpc_resamples {
    int asked;
    int64_t room;          /* graphs that there is memory for; it grows as they are done */
    dpc_graph *graphs;     /* `room` of them, with their edges; one without nodes is not done */
    dpc_labels labels;     /* an order of the columns in which their places do not matter */
    dpc_settings settings; /* of the resamples: see dpc_settings_keep */
};

static inline bool dpc_resample_done(const struct dpc_resamples *all, int64_t i)
{
    return i < all->room && all->graphs[i].n_nodes > 0;
}

/* Fills `pairs`, `n_pairs` and `resamples` from the graphs that are done; false: no memory. */
bool dpc_frequencies_count(dpc_frequencies *frequencies);

#endif
