/* Questions about a finished graph. */
#include "dualpc.h"

#include <stdlib.h>

static int by_ends(const void *pa, const void *pb)
{
    const dpc_edge *a = pa, *b = pb;
    if (a->a != b->a)
        return a->a < b->a ? -1 : 1;
    return (a->b > b->b) - (a->b < b->b);
}

dpc_mark dpc_graph_mark(const dpc_graph *graph, int a, int b)
{
    dpc_edge key = {.a = a < b ? a : b, .b = a < b ? b : a};
    const dpc_edge *edge = NULL;
    if (graph->n_edges > 0)
        edge = bsearch(&key, graph->edges, (size_t)graph->n_edges, sizeof key, by_ends);
    if (edge == NULL)
        return DPC_NONE;
    if (a < b || edge->mark == DPC_UNDIRECTED)
        return edge->mark;
    return edge->mark == DPC_FORWARD ? DPC_BACKWARD : DPC_FORWARD;
}
