/* Circles of arrows: see cycles.h. */
#include "cycles.h"

#include <string.h>

dpc_status dpc_cycles_init(int n, dpc_arena *arena, dpc_cycles *out)
{
    *out = (dpc_cycles){
        .safe = dpc_arena_alloc(arena, n, sizeof *out->safe),
        .left = dpc_arena_alloc(arena, n, sizeof *out->left),
        .stack = dpc_arena_alloc(arena, n, sizeof *out->stack),
    };
    return dpc_arena_failed(arena) ? DPC_NO_MEMORY : DPC_OK;
}

/* Does an arrow leave the node of a slot by it (forward), or enter it (backward)? */
static bool leads(const dpc_mixed *arrows, const uint8_t *end, int64_t slot, bool forward)
{
    return end[forward ? slot : dpc_back(arrows, slot)] == DPC_END_ARROW;
}

/* Nodes that no arrow leaves (or enters) which matters still are in no circle. Takes them away
 * until none is left; returns how many. */
static int trim(dpc_cycles *c, const dpc_mixed *arrows, const uint8_t *end, bool forward)
{
    const dpc_adjacency *g = arrows->graph;
    int top = 0, count = 0;
    for (int v = 0; v < g->n; v++) {
        c->left[v] = 0;
        for (int64_t e = g->start[v]; e < g->start[v + 1] && !c->safe[v]; e++)
            c->left[v] += !c->safe[g->node[e]] && leads(arrows, end, e, forward);
        if (!c->safe[v] && c->left[v] == 0)
            c->stack[top++] = v;
    }
    while (top > 0) {
        int v = c->stack[--top];
        c->safe[v] = true;
        count++;
        for (int64_t e = g->start[v]; e < g->start[v + 1]; e++) {
            int w = g->node[e];
            if (!c->safe[w] && leads(arrows, end, e, !forward) && --c->left[w] == 0)
                c->stack[top++] = w;
        }
    }
    return count;
}

bool dpc_cycles_find(dpc_cycles *c, const dpc_mixed *arrows, const uint8_t *end)
{
    int n = arrows->graph->n;
    memset(c->safe, false, (size_t)n * sizeof *c->safe);
    int cleared = trim(c, arrows, end, true);
    return cleared + trim(c, arrows, end, false) < n;
}
