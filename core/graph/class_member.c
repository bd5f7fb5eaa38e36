/*
 * One DAG of the class that a partly directed graph stands for (Dor and Tarsi, A simple algorithm
 * to construct a consistent extension of a partially oriented graph, 1992).
 *
 * A node can be the last of what is left if no arrow leaves it and each neighbour by an undirected
 * edge is adjacent to all its other neighbours: then pointing these edges at it makes no new
 * v-structure. Such a node is taken away, and so on. If there is none before all are gone, the
 * graph has no consistent extension. Only neighbours of a node that went need to be looked at
 * again.
 *
 * Who needs some DAG all the same forces one: the node goes that has the fewest arrows to what is
 * left, then the fewest undirected edges, then the smallest number. Those arrows are turned.
 */
#include "class_member.h"

#include "alloc.h"
#include "arrows.h"
#include "graph.h"
#include "status.h"

/* Nodes taken away one after the other. */
typedef struct taking {
    dpc_adjacency *graph;
    dpc_arrows arrows; /* of the graph that is given */
    int32_t *queue;    /* nodes to look at, in a ring of n */
    bool *queued;
    int64_t next, end; /* of the queue */
    int32_t *when;     /* the turn in which a node went; -1: it is there; not owned */
    int turn;
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

/* v goes; its neighbours are looked at again. */
static void take_away(taking *t, int v)
{
    const dpc_adjacency *g = t->graph;
    t->when[v] = t->turn++;
    for (int64_t e = g->start[v]; e < g->start[v + 1]; e++) {
        int w = g->node[e];
        if (t->when[w] < 0 && !t->queued[w]) {
            t->queued[w] = true;
            t->queue[t->end++ % g->n] = w;
        }
    }
}

/* Takes away what can go as things are. */
static void take_away_queue(taking *t)
{
    while (t->next < t->end) {
        int v = t->queue[t->next++ % t->graph->n];
        t->queued[v] = false;
        if (can_be_last(t, v))
            take_away(t, v);
    }
}

/* Of what is left, the node that is to go although it cannot. */
static int least_wrong(const taking *t)
{
    const dpc_adjacency *g = t->graph;
    int best = -1, least_out = 0, least_undirected = 0;
    for (int v = 0; v < g->n; v++) {
        int out = 0, undirected = 0;
        if (t->when[v] >= 0)
            continue;
        for (int64_t e = g->start[v]; e < g->start[v + 1]; e++)
            if (t->when[g->node[e]] < 0) {
                out += t->arrows.out[e];
                undirected += dpc_undirected(&t->arrows, e);
            }
        if (best < 0 || out < least_out || (out == least_out && undirected < least_undirected)) {
            best = v;
            least_out = out;
            least_undirected = undirected;
        }
    }
    return best;
}

static void taking_clear(taking *t)
{
    dpc_arrows_clear(&t->arrows);
    dpc_adjacency_free(t->graph);
    free(t->queue);
    free(t->queued);
}

static dpc_status taking_init(taking *t, const dpc_graph *graph, const dpc_labels *labels,
                              int32_t *when)
{
    int n = graph->n_nodes;
    *t = (taking){.when = when, .end = n};
    dpc_status status = dpc_adjacency_of(graph, labels, &t->graph);
    if (status == DPC_OK)
        status = dpc_arrows_init(t->graph, &t->arrows);
    t->queue = dpc_alloc(n, sizeof *t->queue);
    t->queued = dpc_alloc(n, sizeof *t->queued);
    if (status == DPC_OK && (!t->queue || !t->queued))
        status = DPC_NO_MEMORY;
    if (status != DPC_OK)
        return status;
    dpc_arrows_copy(&t->arrows, graph, labels);
    for (int v = 0; v < n; v++) {
        t->queue[v] = v;
        t->queued[v] = true;
        t->when[v] = -1;
    }
    return DPC_OK;
}

dpc_status dpc_extension(const dpc_graph *graph, const dpc_labels *labels, bool force,
                         int32_t *when, bool *consistent)
{
    taking t;
    dpc_status status = taking_init(&t, graph, labels, when);
    if (status == DPC_OK) {
        take_away_queue(&t);
        *consistent = t.turn == graph->n_nodes;
        while (force && t.turn < graph->n_nodes) {
            take_away(&t, least_wrong(&t));
            take_away_queue(&t);
        }
    }
    taking_clear(&t);
    return status;
}

dpc_status dpc_class_member(const dpc_graph *cpdag, dpc_graph **out, dpc_error *err)
{
    dpc_graph *dag = NULL;
    bool consistent = false;
    dpc_status status = dpc_graph_check_directed(cpdag, "graph", "a member of its class", err);
    if (status == DPC_OK)
        status = dpc_graph_copy(cpdag, &dag, err);
    if (status != DPC_OK)
        return status;
    int32_t *when = dpc_alloc(cpdag->n_nodes, sizeof *when);
    if (when == NULL || dpc_extension(cpdag, NULL, false, when, &consistent) != DPC_OK) {
        status = dpc_fail_memory(err, "a DAG of the class");
    } else if (!consistent) {
        status = dpc_fail(err, DPC_BAD_INPUT,
                          "no DAG has this graph's edges, arrows and v-structures: it is not a "
                          "valid CPDAG");
    } else {
        for (int64_t i = 0; i < dag->n_edges; i++) {
            dpc_edge *edge = &dag->edges[i];
            edge->mark = when[edge->b] < when[edge->a] ? DPC_FORWARD : DPC_BACKWARD;
        }
        *out = dag;
        dag = NULL;
    }
    dpc_graph_free(dag);
    free(when);
    return status;
}
