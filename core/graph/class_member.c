/*
 * One DAG of the class that a partly directed graph stands for (Dor and Tarsi, A simple algorithm
 * to construct a consistent extension of a partially oriented graph, 1992).
 *
 * A node can be the last of what is left if no arrow leaves it and each neighbour by an undirected
 * edge is adjacent to all its other neighbours: then pointing these edges at it makes no new
 * v-structure. Such a node is taken away, and so on. If there is none before all are gone, the
 * graph has no consistent extension. Only neighbours of a node that went need to be looked at
 * again.
 */
#include "arrows.h"
#include "error.h"
#include "graph.h"
#include "memory.h"

/* Nodes taken away one after the other. */
typedef struct taking {
    dpc_adjacency *graph;
    dpc_arrows arrows; /* of the graph that is given */
    int32_t *queue;    /* nodes to look at, in a ring of n */
    bool *queued;
    int32_t *when; /* the turn in which a node went; -1: it is there */
} taking;

/* Is the neighbour in slot e adjacent to all others of v that are left? */
static bool next_to_all(const taking *t, int v, int64_t e)
{
    const dpc_adjacency *g = t->graph;
    for (int64_t f = g->start[v]; f < g->start[v + 1]; f++)
        if (f != e && t->when[g->node[f]] < 0 && dpc_slot(g, g->node[e], g->node[f]) < 0)
            return false;
    return true;
}

static bool can_be_last(const taking *t, int v)
{
    const dpc_adjacency *g = t->graph;
    for (int64_t e = g->start[v]; e < g->start[v + 1]; e++)
        if (t->when[g->node[e]] < 0 &&
            (t->arrows.out[e] || (dpc_undirected(&t->arrows, e) && !next_to_all(t, v, e))))
            return false;
    return true;
}

/* The order in which the nodes go; false: they cannot. */
static bool take_away_all(taking *t)
{
    const dpc_adjacency *g = t->graph;
    int n = g->n, turn = 0;
    int64_t next = 0, end = n;
    for (int v = 0; v < n; v++) {
        t->queue[v] = v;
        t->queued[v] = true;
        t->when[v] = -1;
    }
    while (next < end) {
        int v = t->queue[next++ % n];
        t->queued[v] = false;
        if (!can_be_last(t, v))
            continue;
        t->when[v] = turn++;
        for (int64_t e = g->start[v]; e < g->start[v + 1]; e++) {
            int w = g->node[e];
            if (t->when[w] < 0 && !t->queued[w]) {
                t->queued[w] = true;
                t->queue[end++ % n] = w;
            }
        }
    }
    return turn == n;
}

static dpc_status taking_init(taking *t, const dpc_graph *graph)
{
    int n = graph->n_nodes;
    dpc_status status = dpc_adjacency_of(graph, NULL, &t->graph);
    if (status == DPC_OK)
        status = dpc_arrows_init(t->graph, &t->arrows);
    t->queue = dpc_alloc(n, sizeof *t->queue);
    t->queued = dpc_alloc(n, sizeof *t->queued);
    t->when = dpc_alloc(n, sizeof *t->when);
    if (status == DPC_OK && (!t->queue || !t->queued || !t->when))
        status = DPC_NO_MEMORY;
    if (status == DPC_OK)
        dpc_arrows_copy(&t->arrows, graph, NULL);
    return status;
}

dpc_status dpc_class_member(const dpc_graph *cpdag, dpc_graph **out, dpc_error *err)
{
    taking t = {0};
    dpc_graph *dag = NULL;
    dpc_status status = dpc_graph_check(cpdag, "graph", err);
    if (status == DPC_OK)
        status = dpc_graph_copy(cpdag, &dag, err);
    if (status != DPC_OK)
        return status;
    if (taking_init(&t, cpdag) != DPC_OK) {
        status = dpc_fail_memory(err, "a DAG of the class");
    } else if (!take_away_all(&t)) {
        status = dpc_fail(err, DPC_BAD_INPUT,
                          "no DAG has this graph's edges, arrows and v-structures: it is not a "
                          "valid CPDAG");
    } else {
        for (int64_t i = 0; i < dag->n_edges; i++) {
            dpc_edge *edge = &dag->edges[i];
            edge->mark = t.when[edge->b] < t.when[edge->a] ? DPC_FORWARD : DPC_BACKWARD;
        }
        *out = dag;
        dag = NULL;
    }
    dpc_graph_free(dag);
    dpc_arrows_clear(&t.arrows);
    dpc_adjacency_free(t.graph);
    free(t.queue);
    free(t.queued);
    free(t.when);
    return status;
}
