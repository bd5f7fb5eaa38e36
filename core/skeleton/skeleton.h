/* The skeleton: which pairs are adjacent, and what separates the others. */
#ifndef DPC_SKELETON_H
#define DPC_SKELETON_H

#include "adjacency.h"
#include "crew.h"
#include "sepset.h"
#include "view.h"

/*
 * Finds the skeleton, in the labels of the view. On success *graph and *sepsets are owned by the
 * caller, and `info` has its counts and levels (info->levels owned by
 * the caller too). `known`, in labels, and `alike` (representatives.h) may be NULL; on success
 * *sepsets has taken them over. All ranks have the same result; the counts of level 0 are on rank 0
 * only.
 *
 * `limit` may be NULL. When its time is over the level under way is given up, and the skeleton is
 * the one before it. Level 0 takes the time it needs.
 */
dpc_status dpc_skeleton(const dpc_view *view, dpc_constraints *known, int32_t *alike,
                        const dpc_settings *settings, dpc_time_limit *limit, dpc_adjacency **graph,
                        dpc_sepsets **sepsets, dpc_info *info, dpc_error *err);

#endif
