/* Optimal adjustment sets of one cause: see optimal.h. */
#include "optimal.h"

#include "alloc.h"
#include "graph.h"
#include "sorted.h"
#include "status.h"

#include <string.h>

dpc_status dpc_optimal_init(const dpc_causal *graph, dpc_optimal *out)
{
    const dpc_graph *g = &graph->classified.graph;
    int64_t n = graph->n;
    *out = (dpc_optimal){.graph = graph};
    dpc_arena *arena = &out->arena;
    out->marked =
        (dpc_graph){g->n_nodes, g->n_edges, dpc_arena_alloc(arena, g->n_edges, sizeof *g->edges)};
    out->behind = dpc_arena_alloc(arena, n, sizeof *out->behind);
    out->stack = dpc_arena_alloc(arena, n, sizeof *out->stack);
    out->child = dpc_arena_alloc(arena, n, sizeof *out->child);
    out->between = dpc_arena_zalloc(arena, n, sizeof *out->between);
    out->member = dpc_arena_zalloc(arena, n, sizeof *out->member);
    if (dpc_arena_failed(arena))
        return DPC_NO_MEMORY;
    if (g->n_edges > 0)
        memcpy(out->marked.edges, g->edges, (size_t)g->n_edges * sizeof *g->edges);
    memset(out->child, -1, (size_t)n * sizeof *out->child);
    DPC_CHECK(dpc_closure_init(g, &out->closure));
    return dpc_mixed_lists_init(g, NULL, &out->directed);
}

void dpc_optimal_clear(dpc_optimal *o)
{
    dpc_closure_clear(&o->closure);
    dpc_mixed_lists_clear(&o->directed);
    dpc_arena_clear(&o->arena);
    *o = (dpc_optimal){0};
}

/* ---- The graph ---- */

/* Marks the edges that got arrows, or takes the marks away. */
static void mark_since(dpc_optimal *o, bool directed)
{
    for (int64_t i = 0; i < o->closure.n_since; i++) {
        int64_t slot = o->closure.since[i];
        int a = dpc_slot_node(&o->closure.arrows, slot), b = o->closure.graph->node[slot];
        dpc_edge key = dpc_edge_of(a, b, directed ? DPC_FORWARD : DPC_UNDIRECTED);
        dpc_edge *edge =
            bsearch(&key, o->marked.edges, (size_t)o->marked.n_edges, sizeof key, dpc_by_pair);
        edge->mark = key.mark;
    }
}

/* Depth first: a node is listed when all its children have been. */
static void find_behind(dpc_optimal *o)
{
    int top = 0;
    o->n_behind = 0;
    o->stack[top++] = o->cause;
    o->child[o->cause] = 0;
    while (top > 0) {
        int v = o->stack[top - 1];
        dpc_node_row children = dpc_children_of(o->lists, v);
        while (o->child[v] < children.count && o->child[children.node[o->child[v]]] >= 0)
            o->child[v]++;
        if (o->child[v] < children.count) {
            int c = children.node[o->child[v]];
            o->child[c] = 0;
            o->stack[top++] = c;
        } else {
            o->behind[o->n_behind++] = v;
            top--;
        }
    }
}

void dpc_optimal_decide(dpc_optimal *o, int cause, const int32_t *set, int size)
{
    dpc_node_row siblings = dpc_siblings_of(&o->graph->lists, cause);
    const dpc_adjacency *g = o->closure.graph;
    o->cause = cause;
    o->lists = &o->graph->lists;
    for (int64_t i = 0; i < siblings.count; i++) {
        int s = siblings.node[i];
        bool parent = dpc_place_of(set, size, s) >= 0;
        dpc_closure_direct(&o->closure, parent ? dpc_slot(g, s, cause) : dpc_slot(g, cause, s));
    }
    if (siblings.count > 0) {
        dpc_closure_run(&o->closure);
        mark_since(o, true);
        dpc_mixed_lists_fill(&o->marked, NULL, &o->directed);
        o->lists = &o->directed;
    }
    find_behind(o);
}

void dpc_optimal_undo(dpc_optimal *o)
{
    for (int i = 0; i < o->n_behind; i++)
        o->child[o->behind[i]] = -1;
    mark_since(o, false);
    dpc_closure_undo(&o->closure);
}

/* ---- The sets ---- */

int dpc_optimal_sets(dpc_optimal *o, const int32_t *outcome, int count, int32_t *list)
{
    int found = 0;
    for (int i = 0; i < count; i++)
        o->between[outcome[i]] |= UINT64_C(1) << i;
    for (int i = 0; i + 1 < o->n_behind; i++) { /* the last is the cause */
        int v = o->behind[i];
        uint64_t leads = o->between[v];
        dpc_node_row parents = dpc_parents_of(o->lists, v);
        o->between[v] = 0;
        for (int64_t k = 0; leads != 0 && k < parents.count; k++) {
            int p = parents.node[k];
            if (p == o->cause)
                continue;
            if (dpc_optimal_reaches(o, p)) {
                o->between[p] |= leads;
                continue;
            }
            if (o->member[p] == 0)
                list[found++] = p;
            o->member[p] |= leads;
        }
    }
    dpc_sort_numbers(list, found);
    return found;
}

void dpc_optimal_forget(dpc_optimal *o, const int32_t *list, int count)
{
    for (int i = 0; i < count; i++)
        o->member[list[i]] = 0;
}
