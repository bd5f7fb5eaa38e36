/* Parents, siblings and children: see mixed_lists.h. */
#include "mixed_lists.h"

#include "alloc.h"
#include "sorted.h"
#include "status.h"

#include <string.h>

dpc_status dpc_mixed_lists_make(int n, int64_t edges, dpc_mixed_lists *out)
{
    *out = (dpc_mixed_lists){
        .n = n,
        .start = dpc_zalloc(3 * (int64_t)n + 2, sizeof *out->start),
        .node = dpc_alloc(2 * edges, sizeof *out->node),
    };
    return out->start != NULL && out->node != NULL ? DPC_OK : DPC_NO_MEMORY;
}

void dpc_mixed_lists_clear(dpc_mixed_lists *lists)
{
    free(lists->start);
    free(lists->node);
    *lists = (dpc_mixed_lists){0};
}

void dpc_mixed_lists_begin(dpc_mixed_lists *lists)
{
    memset(lists->start, 0, (size_t)(3 * (int64_t)lists->n + 2) * sizeof *lists->start);
}

void dpc_mixed_lists_sum(dpc_mixed_lists *lists)
{
    for (int64_t i = 0; i < 3 * (int64_t)lists->n; i++)
        lists->start[i + 2] += lists->start[i + 1];
}

/* An edge, its ends called by their numbers. */
static dpc_edge numbered(dpc_edge edge, const int32_t *number)
{
    return number != NULL ? (dpc_edge){number[edge.a], number[edge.b], edge.mark} : edge;
}

void dpc_mixed_lists_fill(const dpc_graph *graph, const int32_t *number, dpc_mixed_lists *lists)
{
    dpc_mixed_lists_begin(lists);
    for (int64_t i = 0; i < graph->n_edges; i++)
        dpc_mixed_lists_count(lists, numbered(graph->edges[i], number));
    dpc_mixed_lists_sum(lists);
    for (int64_t i = 0; i < graph->n_edges; i++)
        dpc_mixed_lists_put(lists, numbered(graph->edges[i], number));
    for (int64_t i = 0; number != NULL && i < 3 * (int64_t)lists->n; i++)
        dpc_sort_numbers(lists->node + lists->start[i], lists->start[i + 1] - lists->start[i]);
}

dpc_status dpc_mixed_lists_init(const dpc_graph *graph, const int32_t *number, dpc_mixed_lists *out)
{
    DPC_CHECK(dpc_mixed_lists_make(graph->n_nodes, graph->n_edges, out));
    dpc_mixed_lists_fill(graph, number, out);
    return DPC_OK;
}

dpc_node_row dpc_children_after(const void *lists, int v)
{
    return dpc_children_of(lists, v);
}

dpc_mark dpc_mixed_lists_mark(const dpc_mixed_lists *lists, int a, int b)
{
    static const dpc_mark MARKS[] = {DPC_BACKWARD, DPC_UNDIRECTED, DPC_FORWARD};
    for (int i = 0; i < 3; i++) {
        dpc_node_row row = dpc_mixed_lists_row(lists, 3 * (int64_t)a + i);
        if (dpc_place_of(row.node, row.count, b) >= 0)
            return MARKS[i];
    }
    return DPC_NONE;
}
