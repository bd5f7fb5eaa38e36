/* Parents, siblings and children: see kin.h. */
#include "kin.h"

#include "graph.h"
#include "memory.h"
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

void dpc_kin_fill(const dpc_graph *graph, const int32_t *number, int64_t *next, dpc_kin *kin)
{
    int64_t lists = 3 * (int64_t)kin->n, a, b;
    memset(kin->start, 0, (size_t)(lists + 1) * sizeof *kin->start);
    for (int64_t e = 0; e < graph->n_edges; e++) {
        lists_of(&graph->edges[e], number, &a, &b);
        kin->start[a + 1]++;
        kin->start[b + 1]++;
    }
    for (int64_t i = 0; i < lists; i++)
        kin->start[i + 1] += kin->start[i];
    memcpy(next, kin->start, (size_t)lists * sizeof *next);
    for (int64_t e = 0; e < graph->n_edges; e++) {
        lists_of(&graph->edges[e], number, &a, &b);
        kin->node[next[a]++] = number_of(number, graph->edges[e].b);
        kin->node[next[b]++] = number_of(number, graph->edges[e].a);
    }
    for (int64_t i = 0; i < lists; i++)
        dpc_sort_numbers(kin->node + kin->start[i], kin->start[i + 1] - kin->start[i]);
}

dpc_status dpc_kin_init(const dpc_graph *graph, const int32_t *number, dpc_kin *out)
{
    int64_t lists = 3 * (int64_t)graph->n_nodes;
    int64_t *next = dpc_alloc(lists, sizeof *next);
    *out = (dpc_kin){
        .n = graph->n_nodes,
        .start = dpc_alloc(lists + 1, sizeof *out->start),
        .node = dpc_alloc(2 * graph->n_edges, sizeof *out->node),
    };
    bool fine = next != NULL && out->start != NULL && out->node != NULL;
    if (fine)
        dpc_kin_fill(graph, number, next, out);
    free(next);
    return fine ? DPC_OK : DPC_NO_MEMORY;
}

void dpc_kin_clear(dpc_kin *kin)
{
    free(kin->start);
    free(kin->node);
    *kin = (dpc_kin){0};
}

dpc_mark dpc_kin_mark(const dpc_kin *kin, int a, int b)
{
    static const dpc_mark MARKS[] = {DPC_BACKWARD, DPC_UNDIRECTED, DPC_FORWARD};
    for (int list = PARENTS; list <= CHILDREN; list++) {
        dpc_row row = dpc_kin_row(kin, 3 * (int64_t)a + list);
        if (dpc_place_of(row.node, row.count, b) >= 0)
            return MARKS[list];
    }
    return DPC_NONE;
}
