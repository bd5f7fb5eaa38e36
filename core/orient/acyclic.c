/* Arrows on the edges of a skeleton, never in a circle: see acyclic.h. */
#include "acyclic.h"

#include "equivalence.h"
#include "sorted.h"
#include "status.h"

dpc_status dpc_acyclic_init(const dpc_adjacency *graph, dpc_acyclic *out)
{
    int n = graph->n;
    *out = (dpc_acyclic){0};
    out->place = dpc_arena_alloc(&out->memory, n, sizeof *out->place);
    out->node = dpc_arena_alloc(&out->memory, n, sizeof *out->node);
    out->found = dpc_arena_alloc(&out->memory, n, sizeof *out->found);
    out->pool = dpc_arena_alloc(&out->memory, n, sizeof *out->pool);
    out->seen = dpc_arena_zalloc(&out->memory, n, sizeof *out->seen);
    out->via = dpc_arena_alloc(&out->memory, n, sizeof *out->via);
    if (dpc_arena_failed(&out->memory))
        return DPC_NO_MEMORY;
    for (int v = 0; v < n; v++)
        out->place[v] = out->node[v] = v;
    return dpc_mixed_init(graph, &out->arrows);
}

void dpc_acyclic_clear(dpc_acyclic *a)
{
    dpc_mixed_clear(&a->arrows);
    dpc_arena_clear(&a->memory);
    *a = (dpc_acyclic){0};
}

/*
 * Collects, behind the first `count` nodes found, those that can be reached from `from` along the
 * arrows (or against them) without passing the place `limit`. Returns how many there are then, or
 * -1 where `target` is among them.
 */
static int collect(dpc_acyclic *a, int from, int target, bool forward, int limit, int count)
{
    const dpc_adjacency *g = a->arrows.graph;
    int next = count;
    a->seen[from] = a->searches;
    a->found[count++] = from;
    while (next < count) {
        int v = a->found[next++];
        for (int64_t e = g->start[v]; e < g->start[v + 1]; e++) {
            int w = g->node[e];
            if (a->seen[w] == a->searches ||
                !(forward ? dpc_arrow_out(&a->arrows, e) : dpc_arrow_in(&a->arrows, e)) ||
                (forward ? a->place[w] > limit : a->place[w] < limit))
                continue;
            a->via[w] = e;
            if (w == target)
                return -1;
            a->seen[w] = a->searches;
            a->found[count++] = w;
        }
    }
    return count;
}

/* Sorts nodes by their places. */
static void sort_nodes(const dpc_acyclic *a, int32_t *nodes, int count)
{
    for (int i = 0; i < count; i++)
        nodes[i] = a->place[nodes[i]];
    dpc_sort_numbers(nodes, count);
    for (int i = 0; i < count; i++)
        nodes[i] = a->node[nodes[i]];
}

/* Gives the places of all that were found to those before the arrow first, then to those behind. */
static void move(dpc_acyclic *a, int behind, int all)
{
    for (int i = 0; i < all; i++)
        a->pool[i] = a->place[a->found[i]];
    dpc_sort_numbers(a->pool, all);
    sort_nodes(a, a->found, behind);
    sort_nodes(a, a->found + behind, all - behind);
    for (int i = 0; i < all; i++) {
        int v = a->found[i < all - behind ? behind + i : i - (all - behind)];
        a->place[v] = a->pool[i];
        a->node[a->pool[i]] = v;
    }
}

bool dpc_acyclic_add(dpc_acyclic *a, int64_t slot)
{
    int to = a->arrows.graph->node[slot];
    int from = dpc_slot_node(&a->arrows, slot);
    int low = a->place[to], high = a->place[from];
    if (high > low) {
        a->searches++;
        int behind = collect(a, to, from, true, high, 0);
        if (behind < 0)
            return false;
        int all = collect(a, from, -1, false, low, behind);
        move(a, behind, all);
    }
    dpc_set_arrow(&a->arrows, slot, true);
    return true;
}

int dpc_acyclic_way(const dpc_acyclic *a, int64_t slot, int64_t *way, int most)
{
    int length = 0, b = a->arrows.graph->node[slot];
    for (int v = dpc_slot_node(&a->arrows, slot); v != b;
         v = dpc_slot_node(&a->arrows, a->via[v])) {
        if (length < most)
            way[length] = a->via[v];
        length++;
    }
    return length;
}

dpc_status dpc_acyclic_class(const dpc_acyclic *a, dpc_target target, dpc_graph *out,
                             dpc_error *err)
{
    dpc_graph dag = {0};
    if (dpc_mixed_graph(&a->arrows, &dag) != DPC_OK)
        return dpc_fail_memory(err, "the directed graph");
    dpc_status status = dpc_class_graph(&dag, target, NULL, out, err);
    dpc_graph_clear(&dag);
    return status;
}
