/* Possible-D-SEP by walking over ordered edges: see possible_dsep.h. */
#include "possible_dsep.h"

#include "alloc.h"

dpc_status dpc_pds_walk_init(const dpc_mixed *graph, dpc_pds_walk *out)
{
    int64_t slots = dpc_slots(graph->graph);
    *out = (dpc_pds_walk){
        .graph = graph,
        .seen = dpc_zalloc(slots, sizeof *out->seen),
        .queue = dpc_alloc(slots, sizeof *out->queue),
        .is_in = dpc_zalloc(graph->graph->n, sizeof *out->is_in),
    };
    return out->seen != NULL && out->queue != NULL && out->is_in != NULL ? DPC_OK : DPC_NO_MEMORY;
}

void dpc_pds_walk_clear(dpc_pds_walk *walk)
{
    free(walk->seen);
    free(walk->queue);
    free(walk->is_in);
    *walk = (dpc_pds_walk){0};
}

static void meet(dpc_pds_walk *w, int64_t slot, int64_t *end)
{
    w->seen[slot] = true;
    w->is_in[w->graph->graph->node[slot]] = true;
    w->queue[(*end)++] = slot;
}

/* Can b→c follow a→b: is b a collider between the two, or are they adjacent? */
static bool goes_on(const dpc_pds_walk *w, int64_t ab, int64_t bc)
{
    const dpc_mixed *graph = w->graph;
    int a = dpc_slot_node(graph, ab), c = graph->graph->node[bc];
    if (a == c)
        return false;
    return (graph->end[ab] == DPC_END_ARROW && graph->end[dpc_back(graph, bc)] == DPC_END_ARROW) ||
           dpc_slot(graph->graph, a, c) >= 0;
}

int dpc_possible_dsep(dpc_pds_walk *w, int x, int32_t *out)
{
    const dpc_adjacency *g = w->graph->graph;
    int64_t end = 0;
    int count = 0;
    for (int64_t e = g->start[x]; e < g->start[x + 1]; e++)
        meet(w, e, &end);
    for (int64_t next = 0; next < end; next++) {
        int64_t ab = w->queue[next];
        int b = g->node[ab];
        for (int64_t bc = g->start[b]; bc < g->start[b + 1]; bc++)
            if (!w->seen[bc] && goes_on(w, ab, bc))
                meet(w, bc, &end);
    }
    w->is_in[x] = false;
    for (int64_t i = 0; i < end; i++)
        w->seen[w->queue[i]] = false;
    for (int v = 0; v < g->n; v++) {
        if (w->is_in[v])
            out[count++] = v;
        w->is_in[v] = false;
    }
    return count;
}
