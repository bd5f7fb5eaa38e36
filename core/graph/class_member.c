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
#include "adjacency.h"
#include "error.h"
#include "graph.h"
#include "memory.h"

#include <string.h>

typedef struct extending {
    dpc_adjacency *graph;
    bool *out; /* by slot a→b: a → b is in the graph that is given */
    int32_t *places;
    int32_t *queue; /* nodes to look at, in a ring of n */
    bool *queued;
    int32_t *when; /* the turn in which a node went; -1: it is there */
} extending;

static bool is_in(const extending *x, int64_t slot)
{
    return x->out[dpc_reverse(x->graph, x->places, slot)];
}

/* Is the neighbour in slot e adjacent to all others of v that are left? */
static bool next_to_all(const extending *x, int v, int64_t e)
{
    const dpc_adjacency *g = x->graph;
    for (int64_t f = g->start[v]; f < g->start[v + 1]; f++)
        if (f != e && x->when[g->node[f]] < 0 && dpc_slot(g, g->node[e], g->node[f]) < 0)
            return false;
    return true;
}

static bool can_be_last(const extending *x, int v)
{
    const dpc_adjacency *g = x->graph;
    for (int64_t e = g->start[v]; e < g->start[v + 1]; e++)
        if (x->when[g->node[e]] < 0 && (x->out[e] || (!is_in(x, e) && !next_to_all(x, v, e))))
            return false;
    return true;
}

/* The order in which the nodes go; false: they cannot. */
static bool take_away_all(extending *x)
{
    const dpc_adjacency *g = x->graph;
    int n = g->n, turn = 0;
    int64_t next = 0, end = n;
    for (int v = 0; v < n; v++) {
        x->queue[v] = v;
        x->queued[v] = true;
        x->when[v] = -1;
    }
    while (next < end) {
        int v = x->queue[next++ % n];
        x->queued[v] = false;
        if (!can_be_last(x, v))
            continue;
        x->when[v] = turn++;
        for (int64_t e = g->start[v]; e < g->start[v + 1]; e++) {
            int w = g->node[e];
            if (x->when[w] < 0 && !x->queued[w]) {
                x->queued[w] = true;
                x->queue[end++ % n] = w;
            }
        }
    }
    return turn == n;
}

/* The rows come out ascending, for the edges are sorted. */
static bool fill(extending *x, const dpc_graph *graph)
{
    int n = graph->n_nodes;
    int32_t *degree = dpc_zalloc(n, sizeof *degree);
    for (int64_t i = 0; degree != NULL && i < graph->n_edges; i++) {
        degree[graph->edges[i].a]++;
        degree[graph->edges[i].b]++;
    }
    if (degree != NULL)
        x->graph = dpc_adjacency_new(n, degree);
    x->out = dpc_zalloc(2 * graph->n_edges, sizeof *x->out);
    x->queue = dpc_alloc(n, sizeof *x->queue);
    x->queued = dpc_alloc(n, sizeof *x->queued);
    x->when = dpc_alloc(n, sizeof *x->when);
    bool fine = x->graph && x->out && x->queue && x->queued && x->when;
    if (fine) {
        memset(degree, 0, (size_t)n * sizeof *degree);
        for (int64_t i = 0; i < graph->n_edges; i++) {
            const dpc_edge *edge = &graph->edges[i];
            int64_t ab = x->graph->start[edge->a] + degree[edge->a]++;
            int64_t ba = x->graph->start[edge->b] + degree[edge->b]++;
            x->graph->node[ab] = edge->b;
            x->graph->node[ba] = edge->a;
            x->out[ab] = edge->mark == DPC_FORWARD;
            x->out[ba] = edge->mark == DPC_BACKWARD;
        }
        x->places = dpc_reverse_places(x->graph);
        fine = x->places != NULL;
    }
    free(degree);
    return fine;
}

dpc_status dpc_class_member(const dpc_graph *cpdag, dpc_graph **out, dpc_error *err)
{
    extending x = {0};
    dpc_graph *dag = NULL;
    dpc_status status = dpc_graph_check(cpdag, "graph", err);
    if (status == DPC_OK)
        status = dpc_graph_copy(cpdag, &dag, err);
    if (status != DPC_OK)
        return status;
    if (!fill(&x, cpdag)) {
        status = dpc_fail_memory(err, "a DAG of the class");
    } else if (!take_away_all(&x)) {
        status = dpc_fail(err, DPC_BAD_INPUT,
                          "no DAG has this graph's edges, arrows and v-structures: it is not a "
                          "valid CPDAG");
    } else {
        for (int64_t i = 0; i < dag->n_edges; i++) {
            dpc_edge *edge = &dag->edges[i];
            edge->mark = x.when[edge->b] < x.when[edge->a] ? DPC_FORWARD : DPC_BACKWARD;
        }
        *out = dag;
        dag = NULL;
    }
    dpc_graph_free(dag);
    dpc_adjacency_free(x.graph);
    free(x.out);
    free(x.places);
    free(x.queue);
    free(x.queued);
    free(x.when);
    return status;
}
