/* A graph that can be asked: see causal.h. */
#include "causal.h"

#include "alloc.h"
#include "bit_descendants.h"
#include "status.h"

/* ---- Chain components ---- */

/* Which component each node is in; they are numbered as they are found. */
static int find_components(const dpc_mixed_lists *lists, int32_t *of, int32_t *stack)
{
    int count = 0;
    for (int v = 0; v < lists->n; v++)
        of[v] = -1;
    for (int v = 0; v < lists->n; v++) {
        int top = 0;
        if (of[v] >= 0)
            continue;
        of[v] = count;
        stack[top++] = v;
        while (top > 0) {
            dpc_node_row siblings = dpc_siblings_of(lists, stack[--top]);
            for (int64_t i = 0; i < siblings.count; i++)
                if (of[siblings.node[i]] < 0) {
                    of[siblings.node[i]] = count;
                    stack[top++] = siblings.node[i];
                }
        }
        count++;
    }
    return count;
}

/* The members of each component one after the other; those of component c begin at first[c]. */
static void list_members(int n, int count, const int32_t *of, int32_t *first, int32_t *member)
{
    for (int c = 0; c <= count; c++)
        first[c] = 0;
    for (int v = 0; v < n; v++)
        first[of[v] + 1]++;
    for (int c = 0; c < count; c++)
        first[c + 1] += first[c];
    for (int v = 0; v < n; v++)
        member[first[of[v]]++] = v;
    for (int c = count; c > 0; c--)
        first[c] = first[c - 1];
    first[0] = 0;
}

/* How many arrows come into a component from others. */
static int32_t arrows_into(const dpc_mixed_lists *lists, const int32_t *member, int size)
{
    int64_t count = 0;
    for (int m = 0; m < size; m++)
        count += dpc_parents_of(lists, member[m]).count;
    return (int32_t)count;
}

/* Components in an order that arrows keep to, as new numbers. */
static void order_components(const dpc_mixed_lists *lists, int count, const int32_t *of,
                             const int32_t *first, const int32_t *member, int32_t *left,
                             int32_t *queue, int32_t *number)
{
    int end = 0;
    for (int c = 0; c < count; c++) {
        left[c] = arrows_into(lists, member + first[c], first[c + 1] - first[c]);
        if (left[c] == 0)
            queue[end++] = c;
    }
    for (int next = 0; next < end; next++) {
        int c = queue[next];
        number[c] = next;
        for (int m = first[c]; m < first[c + 1]; m++) {
            dpc_node_row children = dpc_children_of(lists, member[m]);
            for (int64_t i = 0; i < children.count; i++)
                if (--left[of[children.node[i]]] == 0)
                    queue[end++] = of[children.node[i]];
        }
    }
}

static dpc_status make_components(dpc_causal *g)
{
    int32_t *scratch = dpc_alloc(4 * (int64_t)g->n, sizeof *scratch);
    if (scratch == NULL)
        return DPC_NO_MEMORY;
    int32_t *of = scratch, *left = of + g->n, *queue = left + g->n, *number = queue + g->n;
    g->n_components = find_components(&g->lists, of, queue);
    list_members(g->n, g->n_components, of, g->first, g->member);
    order_components(&g->lists, g->n_components, of, g->first, g->member, left, queue, number);
    for (int v = 0; v < g->n; v++)
        of[v] = number[of[v]];
    list_members(g->n, g->n_components, of, g->first, g->member);
    free(scratch);
    return DPC_OK;
}

/* ---- The object ---- */

void dpc_causal_free(dpc_causal *g)
{
    if (g == NULL)
        return;
    dpc_classified_clear(&g->sound);
    dpc_mixed_lists_clear(&g->lists);
    dpc_mixed_lists_clear(&g->dag);
    dpc_flow_clear(&g->flow);
    if (g->search != NULL)
        dpc_search_clear(g->search);
    free(g->search);
    free(g->place);
    free(g->at);
    free(g->member);
    free(g->first);
    free(g->is);
    free(g->de);
    free(g->possible);
    free(g->loose);
    free(g->list);
    free(g->other);
    free(g->previous);
    free(g->queue);
    free(g);
}

static bool allocate(dpc_causal *g)
{
    int64_t n = g->n;
    g->place = dpc_alloc(n, sizeof *g->place);
    g->at = dpc_alloc(n, sizeof *g->at);
    g->member = dpc_alloc(n, sizeof *g->member);
    g->first = dpc_alloc(n + 1, sizeof *g->first);
    g->is = dpc_zalloc(n, sizeof *g->is);
    g->de = dpc_alloc(n, sizeof *g->de);
    g->possible = dpc_alloc(n, sizeof *g->possible);
    g->loose = dpc_alloc(n, sizeof *g->loose);
    g->list = dpc_alloc(n, sizeof *g->list);
    g->other = dpc_alloc(n, sizeof *g->other);
    g->previous = dpc_alloc(2 * n, sizeof *g->previous);
    g->queue = dpc_alloc(2 * n, sizeof *g->queue);
    g->search = dpc_zalloc(1, sizeof *g->search);
    return g->place && g->at && g->member && g->first && g->is && g->de && g->possible &&
           g->loose && g->list && g->other && g->previous && g->queue && g->search;
}

static dpc_status fill(dpc_causal *g)
{
    dpc_status status = allocate(g) ? dpc_number_nodes(&g->sound.dag, g->place) : DPC_NO_MEMORY;
    for (int v = 0; v < g->n && status == DPC_OK; v++)
        g->at[g->place[v]] = v;
    if (status == DPC_OK)
        status = dpc_mixed_lists_init(&g->sound.graph, NULL, &g->lists);
    if (status == DPC_OK)
        status = dpc_mixed_lists_init(&g->sound.dag, g->place, &g->dag);
    if (status == DPC_OK && g->sound.kind != DPC_GRAPH_MPDAG)
        status = make_components(g);
    if (status == DPC_OK)
        status = dpc_flow_init(&g->dag, &g->flow);
    return status == DPC_OK ? dpc_search_init(g, g->search) : status;
}

dpc_status dpc_causal_new(const dpc_graph *graph, const char *const *names, bool extend,
                          dpc_causal **out, dpc_error *err)
{
    dpc_causal *g = dpc_zalloc(1, sizeof *g);
    if (g == NULL)
        return dpc_fail_memory(err, "a graph to ask");
    dpc_status status = dpc_classified_init(graph, names, extend, &g->sound, err);
    g->n = graph->n_nodes;
    if (status == DPC_OK && fill(g) != DPC_OK)
        status = dpc_fail_memory(err, "a graph to ask");
    if (status == DPC_OK)
        *out = g;
    else
        dpc_causal_free(g);
    return status;
}

dpc_causal_info dpc_causal_about(const dpc_causal *g)
{
    return (dpc_causal_info){g->sound.kind, &g->sound.graph, g->sound.changed, g->sound.reason};
}
