/* What background knowledge adds to the graph of a class: see class_knowledge.h. */
#include "class_knowledge.h"

#include "apply_knowledge.h"
#include "status.h"

dpc_status dpc_close_by_knowledge(const dpc_constraints *known, dpc_graph *graph, dpc_error *err)
{
    dpc_settings settings;
    dpc_adjacency *skeleton = NULL;
    dpc_settings_default(&settings);
    if (dpc_adjacency_of(graph, NULL, &skeleton) != DPC_OK)
        return dpc_fail_memory(err, "the directions of the edges");
    dpc_unoriented task = {.skeleton = skeleton, .settings = &settings, .known = known};
    dpc_status status = dpc_orient_by_knowledge(&task, graph, err);
    dpc_adjacency_free(skeleton);
    return status;
}
