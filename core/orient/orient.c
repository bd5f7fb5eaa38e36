/* From a skeleton to directed edges: which rule does it. */
#include "orient.h"

#include "consistent.h"
#include "majority.h"
#include "relaxed.h"

dpc_status dpc_orient(const dpc_unoriented *task, dpc_oriented *result, dpc_error *err)
{
    const dpc_settings *settings = task->settings;
    if (settings->orient == DPC_RELAXED || settings->graph == DPC_SKELETON)
        return dpc_orient_relaxed(task, &result->graph, err);
    if (settings->orient == DPC_CONSISTENT)
        return dpc_orient_consistent(task, result, err);
    return dpc_orient_majority(task, result, err);
}
