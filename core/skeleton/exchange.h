/*
 * What ranks send each other in a skeleton search: the graph of level 0, and what the visits of
 * each have found at a later level.
 */
#ifndef DPC_EXCHANGE_H
#define DPC_EXCHANGE_H

#include "skeleton_search.h"

/* The verdicts of a level, by slot x→y. */
typedef struct dpc_verdicts {
    uint8_t *kind; /* DPC_SEP_NONE: not separated from this end */
    double *r;
    int32_t *subset; /* `stride` entries per slot */
    int stride;
} dpc_verdicts;

/* What all ranks knew before they shared the visits; its arrays belong to an arena. */
typedef struct dpc_common {
    uint8_t *kind;      /* by slot */
    uint8_t *condition; /* as that of the search */
} dpc_common;

dpc_status dpc_common_keep(const dpc_skeleton_search *search, const dpc_verdicts *verdicts,
                           dpc_arena *arena, dpc_common *common);

/*
 * What all ranks have found beyond that comes to all of them, and their counts to the `info` of the
 * search; `done` is false where this one was called off.
 */
dpc_status dpc_exchange_verdicts(dpc_skeleton_search *search, const dpc_common *common, bool done,
                                 dpc_verdicts *verdicts, dpc_error *err);

/* The workers of all ranks together. */
dpc_status dpc_exchange_workers(dpc_skeleton_search *search, dpc_error *err);

/* Sends what level 0 has made on rank 0 to all others: the graph, the bits, and P if needed. */
dpc_status dpc_spread_level_zero(dpc_skeleton_search *search, dpc_error *err);

#endif
