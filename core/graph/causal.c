/* A graph that can be asked: see causal.h. */
#include "causal.h"

#include "alloc.h"
#include "bit_descendants.h"
#include "status.h"

/*
 * The chain components in an order that arrows keep to. All members of a component of a CPDAG have
 * the same parents outside of it, so what an arrow leads from stands before all of them. What has
 * no parents comes first, by its number: sweeps over the components are fast that way.
 */
static void list_components(dpc_causal *g, bool *seen)
{
    int32_t *order = g->queue; /* not in use yet */
    int end = 0;
    g->n_components = 0;
    dpc_topological_order(g->n, dpc_children_after, &g->lists, g->previous, order);
    for (int i = 0; i < g->n; i++) {
        int next = end;
        if (seen[order[i]])
            continue;
        g->first[g->n_components++] = end;
        seen[order[i]] = true;
        g->member[end++] = order[i];
        for (; next < end; next++) {
            dpc_node_row siblings = dpc_siblings_of(&g->lists, g->member[next]);
            for (int64_t k = 0; k < siblings.count; k++)
                if (!seen[siblings.node[k]]) {
                    seen[siblings.node[k]] = true;
                    g->member[end++] = siblings.node[k];
                }
        }
    }
    g->first[g->n_components] = end;
}

void dpc_causal_free(dpc_causal *g)
{
    if (g == NULL)
        return;
    dpc_classified_clear(&g->classified);
    dpc_mixed_lists_clear(&g->lists);
    dpc_mixed_clear(&g->marks);
    dpc_mixed_lists_clear(&g->dag);
    dpc_flow_clear(&g->flow);
    if (g->search != NULL)
        dpc_path_search_clear(g->search);
    dpc_arena_clear(&g->memory);
    free(g);
}

static dpc_status allocate(dpc_causal *g)
{
    dpc_arena *arena = &g->memory;
    int64_t n = g->n_all;
    g->in_set = dpc_arena_zalloc(arena, n, sizeof *g->in_set);
    g->place = dpc_arena_alloc(arena, n, sizeof *g->place);
    g->at = dpc_arena_alloc(arena, n, sizeof *g->at);
    g->member = dpc_arena_alloc(arena, n, sizeof *g->member);
    g->first = dpc_arena_alloc(arena, n + 1, sizeof *g->first);
    g->is = dpc_arena_zalloc(arena, n, sizeof *g->is);
    g->de = dpc_arena_alloc(arena, n, sizeof *g->de);
    g->possible = dpc_arena_alloc(arena, n, sizeof *g->possible);
    g->loose = dpc_arena_alloc(arena, n, sizeof *g->loose);
    g->other = dpc_arena_alloc(arena, n, sizeof *g->other);
    g->previous = dpc_arena_alloc(arena, 2 * n, sizeof *g->previous);
    g->queue = dpc_arena_alloc(arena, 2 * n, sizeof *g->queue);
    g->search = dpc_arena_zalloc(arena, 1, sizeof *g->search);
    return dpc_arena_failed(arena) ? DPC_NO_MEMORY : DPC_OK;
}

static dpc_status fill(dpc_causal *g)
{
    DPC_CHECK(allocate(g));
    DPC_CHECK(dpc_number_nodes(&g->classified.dag, g->place));
    for (int v = 0; v < g->n_all; v++)
        g->at[g->place[v]] = v;
    DPC_CHECK(dpc_mixed_lists_init(&g->classified.dag, g->place, &g->dag));
    DPC_CHECK(dpc_flow_init(&g->dag, &g->flow));
    if (dpc_has_hidden(g))
        return dpc_mixed_of(&g->classified.graph, NULL, &g->marks);
    DPC_CHECK(dpc_mixed_lists_init(&g->classified.graph, NULL, &g->lists));
    if (g->classified.kind != DPC_GRAPH_MPDAG) {
        bool *seen = dpc_arena_zalloc(&g->memory, g->n, sizeof *seen);
        if (seen == NULL)
            return DPC_NO_MEMORY;
        list_components(g, seen);
    }
    return dpc_path_search_init(g, g->search);
}

static dpc_status make(const dpc_graph *graph, const char *const *names, bool pag, bool extend,
                       dpc_causal **out, dpc_error *err)
{
    dpc_causal *g = dpc_zalloc(1, sizeof *g);
    if (g == NULL)
        return dpc_fail_memory(err, "a graph to ask");
    dpc_status status = dpc_classified_init(graph, names, pag, extend, &g->classified, err);
    g->n = graph->n_nodes;
    g->n_all = g->classified.dag.n_nodes;
    g->n_selected = g->classified.n_selected;
    if (status == DPC_OK && fill(g) != DPC_OK)
        status = dpc_fail_memory(err, "a graph to ask");
    if (status == DPC_OK)
        *out = g;
    else
        dpc_causal_free(g);
    return status;
}

dpc_status dpc_causal_new(const dpc_graph *graph, const char *const *names, bool extend,
                          dpc_causal **out, dpc_error *err)
{
    return make(graph, names, false, extend, out, err);
}

dpc_status dpc_causal_new_pag(const dpc_graph *graph, const char *const *names, bool extend,
                              dpc_causal **out, dpc_error *err)
{
    return make(graph, names, true, extend, out, err);
}

dpc_status dpc_causal_check_dags(const dpc_causal *g, const char *what, dpc_error *err)
{
    if (!dpc_has_hidden(g))
        return DPC_OK;
    return dpc_fail(
        err, DPC_BAD_INPUT,
        "the graph is a PAG: it allows for hidden common causes; %s needs a DAG or CPDAG", what);
}

dpc_causal_info dpc_causal_about(const dpc_causal *g)
{
    return (dpc_causal_info){g->classified.kind, &g->classified.graph, g->classified.changed,
                             g->classified.reason};
}
