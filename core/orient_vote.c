#include "orient.h"
dpc_status dpc_orient_by_vote(const dpc_unoriented *task, dpc_result *result, dpc_error *err)
{
    return dpc_orient_relaxed(task, &result->graph, err);
}
