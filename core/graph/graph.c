/* Questions about a finished graph, and the order of its edges. */
#include "graph.h"

#include <stdlib.h>

int dpc_by_ends(const void *left, const void *right)
{
    const dpc_edge *a = left, *b = right;
    if (a->a != b->a)
        return a->a < b->a ? -1 : 1;
    return (a->b > b->b) - (a->b < b->b);
}

int dpc_by_nodes(const void *left, const void *right)
{
    const dpc_triple *p = left, *q = right;
    if (p->y != q->y)
        return p->y < q->y ? -1 : 1;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    return (p->z > q->z) - (p->z < q->z);
}

dpc_mark dpc_graph_mark(const dpc_graph *graph, int a, int b)
{
    dpc_edge key = {.a = a < b ? a : b, .b = a < b ? b : a};
    const dpc_edge *edge = NULL;
    if (graph->n_edges > 0)
        edge = bsearch(&key, graph->edges, (size_t)graph->n_edges, sizeof key, dpc_by_ends);
    if (edge == NULL)
        return DPC_NONE;
    if (a < b || edge->mark == DPC_UNDIRECTED)
        return edge->mark;
    return edge->mark == DPC_FORWARD ? DPC_BACKWARD : DPC_FORWARD;
}
