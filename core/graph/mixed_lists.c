/* Parents, siblings and children: see lists.h. */
#include "mixed_lists.h"

#include "alloc.h"
#include "graph.h"
#include "sorted.h"

#include <string.h>

enum { PARENTS, SIBLINGS, CHILDREN };

/* In which list of its end a the other end of an edge stands, its mark seen from a. */
static int list_of(dpc_mark mark)
{
    return mark == DPC_BACKWARD ? PARENTS : mark == DPC_UNDIRECTED ? SIBLINGS : CHILDREN;
}

static int number_of(const int32_t *number, int v)
{
    return number != NULL ? number[v] : v;
}

/* The two lists of an edge. */
static void lists_of(const dpc_edge *edge, const int32_t *number, int64_t *of_a, int64_t *of_b)
{
    *of_a = 3 * (int64_t)number_of(number, edge->a) + list_of(edge->mark);
    *of_b = 3 * (int64_t)number_of(number, edge->b) + list_of(dpc_turned(edge->mark));
}

void dpc_mixed_lists_fill(const dpc_graph *graph, const int32_t *number, int64_t *next,
                          dpc_mixed_lists *lists)
{
    int64_t count = 3 * (int64_t)lists->n, a, b;
    memset(lists->start, 0, (size_t)(count + 1) * sizeof *lists->start);
    for (int64_t e = 0; e < graph->n_edges; e++) {
        lists_of(&graph->edges[e], number, &a, &b);
        lists->start[a + 1]++;
        lists->start[b + 1]++;
    }
    for (int64_t i = 0; i < count; i++)
        lists->start[i + 1] += lists->start[i];
    memcpy(next, lists->start, (size_t)count * sizeof *next);
    for (int64_t e = 0; e < graph->n_edges; e++) {
        lists_of(&graph->edges[e], number, &a, &b);
        lists->node[next[a]++] = number_of(number, graph->edges[e].b);
        lists->node[next[b]++] = number_of(number, graph->edges[e].a);
    }
    for (int64_t i = 0; i < count; i++)
        dpc_sort_numbers(lists->node + lists->start[i], lists->start[i + 1] - lists->start[i]);
}

dpc_status dpc_mixed_lists_init(const dpc_graph *graph, const int32_t *number, dpc_mixed_lists *out)
{
    int64_t count = 3 * (int64_t)graph->n_nodes;
    int64_t *next = dpc_alloc(count, sizeof *next);
    *out = (dpc_mixed_lists){
        .n = graph->n_nodes,
        .start = dpc_alloc(count + 1, sizeof *out->start),
        .node = dpc_alloc(2 * graph->n_edges, sizeof *out->node),
    };
    bool fine = next != NULL && out->start != NULL && out->node != NULL;
    if (fine)
        dpc_mixed_lists_fill(graph, number, next, out);
    free(next);
    return fine ? DPC_OK : DPC_NO_MEMORY;
}

void dpc_mixed_lists_clear(dpc_mixed_lists *lists)
{
    free(lists->start);
    free(lists->node);
    *lists = (dpc_mixed_lists){0};
}

dpc_mark dpc_mixed_lists_mark(const dpc_mixed_lists *lists, int a, int b)
{
    static const dpc_mark MARKS[] = {DPC_BACKWARD, DPC_UNDIRECTED, DPC_FORWARD};
    for (int list = PARENTS; list <= CHILDREN; list++) {
        dpc_node_row row = dpc_mixed_lists_row(lists, 3 * (int64_t)a + list);
        if (dpc_place_of(row.node, row.count, b) >= 0)
            return MARKS[list];
    }
    return DPC_NONE;
}
