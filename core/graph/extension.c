/*
 * One DAG on the edges of a partly directed graph: see extension.h.
 *
 * By the queue only neighbours of a node that went need to be looked at again. By costs, the
 * colliders of a node cost time to count, and a node with arrows out of it is seldom the cheapest.
 * So they are counted when a node would be the cheapest but for them, and kept up to date from then
 * on.
 */
#include "extension.h"

#include "arena.h"
#include "best.h"
#include "status.h"

/* Nodes taken away one after the other. */
typedef struct taking {
    const dpc_adjacency *graph;
    const dpc_mixed *arrows;
    int32_t *when; /* the turn in which a node went; -1: it is there; not owned */
    int turn;
    /* DPC_SINK_FIRST and DPC_SINK_NEAREST: */
    int32_t *queue; /* nodes to look at, in a ring of n */
    bool *queued;
    int64_t next, end; /* of the queue */
    /* DPC_SINK_CHEAPEST: */
    const dpc_sink_cost *by;
    int64_t *cost;     /* of a node as the next sink; without colliders unless counted */
    bool *counted;     /* per node: its colliders are in its cost */
    int32_t *bound;    /* per node: those that it waits for */
    dpc_best cheapest; /* by -cost, of those that can go; owned */
} taking;

static bool is_left(const taking *t, int v)
{
    return t->when[v] < 0;
}

/* ---- The first that can go ---- */

/* Is the neighbour in slot e adjacent to all others of v that are left? */
static bool next_to_all(const taking *t, int v, int64_t e)
{
    const dpc_adjacency *g = t->graph;
    for (int64_t f = g->start[v]; f < g->start[v + 1]; f++)
        if (f != e && is_left(t, g->node[f]) && dpc_slot(g, g->node[e], g->node[f]) < 0)
            return false;
    return true;
}

static bool can_be_last(const taking *t, int v)
{
    const dpc_adjacency *g = t->graph;
    for (int64_t e = g->start[v]; e < g->start[v + 1]; e++)
        if (is_left(t, g->node[e]) && (dpc_arrow_out(t->arrows, e) ||
                                       (dpc_undirected(t->arrows, e) && !next_to_all(t, v, e))))
            return false;
    return true;
}

static void put_into_queue(taking *t, int v)
{
    if (!is_left(t, v) || t->queued[v])
        return;
    t->queued[v] = true;
    t->queue[t->end++ % t->graph->n] = v;
}

/* v goes; its neighbours are looked at again. */
static void take_from_queue(taking *t, int v)
{
    const dpc_adjacency *g = t->graph;
    t->when[v] = t->turn++;
    for (int64_t e = g->start[v]; e < g->start[v + 1]; e++)
        put_into_queue(t, g->node[e]);
}

/* Takes away what can go as things are. */
static void take_first_ones(taking *t)
{
    while (t->next < t->end) {
        int v = t->queue[t->next++ % t->graph->n];
        t->queued[v] = false;
        if (can_be_last(t, v))
            take_from_queue(t, v);
    }
}

/* Of what is left, the node that is to go although it cannot. */
static int nearest(const taking *t)
{
    const dpc_adjacency *g = t->graph;
    int best = -1, least_out = 0, least_undirected = 0;
    for (int v = 0; v < g->n; v++) {
        int out = 0, undirected = 0;
        if (!is_left(t, v))
            continue;
        for (int64_t e = g->start[v]; e < g->start[v + 1]; e++)
            if (is_left(t, g->node[e])) {
                out += dpc_arrow_out(t->arrows, e);
                undirected += dpc_undirected(t->arrows, e);
            }
        if (best < 0 || out < least_out || (out == least_out && undirected < least_undirected)) {
            best = v;
            least_out = out;
            least_undirected = undirected;
        }
    }
    return best;
}

static dpc_status take_by_queue(taking *t, bool force, dpc_arena *arena, bool *consistent)
{
    int n = t->graph->n;
    t->queue = dpc_arena_alloc(arena, n, sizeof *t->queue);
    t->queued = dpc_arena_zalloc(arena, n, sizeof *t->queued);
    if (dpc_arena_failed(arena))
        return DPC_NO_MEMORY;
    for (int v = 0; v < n; v++)
        put_into_queue(t, v);
    take_first_ones(t);
    if (consistent != NULL)
        *consistent = t->turn == n;
    while (force && t->turn < n) {
        take_from_queue(t, nearest(t));
        take_first_ones(t);
    }
    return DPC_OK;
}

/* ---- The cheapest ---- */

/* The colliders of a neighbour of v, in slot e, with the others that are left, from slot f on. */
static int64_t colliders_with(const taking *t, int v, int64_t e, int64_t f)
{
    const dpc_adjacency *g = t->graph;
    bool parent = dpc_arrow_in(t->arrows, e);
    int64_t cost = 0;
    for (; f < g->start[v + 1]; f++)
        if (f != e && is_left(t, g->node[f]) && !(parent && dpc_arrow_in(t->arrows, f)))
            cost += t->by->collider(t->by->context, v, e, f);
    return cost;
}

static void set_key(taking *t, int v)
{
    bool waits = !is_left(t, v) || t->bound[v] > 0;
    dpc_best_set(&t->cheapest, v, waits ? DPC_NO_KEY : -t->cost[v]);
}

static void count_colliders(taking *t, int v)
{
    const dpc_adjacency *g = t->graph;
    bool all_in = true;
    for (int64_t e = g->start[v]; e < g->start[v + 1] && all_in; e++)
        all_in = !is_left(t, g->node[e]) || dpc_arrow_in(t->arrows, e);
    for (int64_t e = g->start[v]; e < g->start[v + 1] && !all_in; e++)
        if (is_left(t, g->node[e]))
            t->cost[v] += colliders_with(t, v, e, e + 1);
    t->counted[v] = true;
    set_key(t, v);
}

static bool has_to_wait(const taking *t, int v, int w)
{
    return t->by->waits != NULL && t->by->waits(t->by->context, v, w);
}

/* The arrows stay as they were, for the costs of the others. */
static void take_cheapest(taking *t, int sink)
{
    const dpc_adjacency *g = t->graph;
    t->when[sink] = t->turn++;
    set_key(t, sink);
    for (int64_t e = g->start[sink]; e < g->start[sink + 1]; e++) {
        int v = g->node[e];
        if (!is_left(t, v))
            continue;
        int64_t back = dpc_back(t->arrows, e);
        t->cost[v] -= dpc_arrow_out(t->arrows, back) ? t->by->arrow : 0;
        if (t->counted[v])
            t->cost[v] -= colliders_with(t, v, back, g->start[v]);
        t->bound[v] -= has_to_wait(t, v, sink);
        set_key(t, v);
    }
}

static void start_costs(taking *t)
{
    const dpc_adjacency *g = t->graph;
    for (int v = 0; v < g->n; v++) {
        for (int64_t e = g->start[v]; e < g->start[v + 1]; e++) {
            t->cost[v] += dpc_arrow_out(t->arrows, e) ? t->by->arrow : 0;
            t->bound[v] += has_to_wait(t, v, g->node[e]);
        }
        set_key(t, v);
    }
}

static dpc_status take_by_cost(taking *t, dpc_crew *crew, dpc_arena *arena)
{
    int n = t->graph->n;
    t->cost = dpc_arena_zalloc(arena, n, sizeof *t->cost);
    t->counted = dpc_arena_zalloc(arena, n, sizeof *t->counted);
    t->bound = dpc_arena_zalloc(arena, n, sizeof *t->bound);
    if (dpc_best_init(n, &t->cheapest) != DPC_OK || dpc_arena_failed(arena))
        return DPC_NO_MEMORY;
    start_costs(t);
    while (t->turn < n) {
        int sink = dpc_best_node(&t->cheapest);
        for (; !t->counted[sink]; sink = dpc_best_node(&t->cheapest))
            count_colliders(t, sink);
        take_cheapest(t, sink);
        if (crew != NULL && dpc_crew_stopped(crew, 0))
            return DPC_INTERRUPTED;
    }
    return DPC_OK;
}

/* ---- All of it ---- */

dpc_status dpc_extend(const dpc_mixed *arrows, dpc_sink sink, const dpc_sink_cost *cost,
                      dpc_crew *crew, int32_t *when, bool *consistent)
{
    dpc_arena arena = {0};
    taking t = {.graph = arrows->graph, .arrows = arrows, .when = when, .by = cost};
    for (int v = 0; v < t.graph->n; v++)
        when[v] = -1;
    dpc_status status = sink == DPC_SINK_CHEAPEST
                            ? take_by_cost(&t, crew, &arena)
                            : take_by_queue(&t, sink == DPC_SINK_NEAREST, &arena, consistent);
    dpc_best_clear(&t.cheapest);
    dpc_arena_clear(&arena);
    return status;
}

static int64_t one_if_apart(const void *context, int v, int64_t first, int64_t second)
{
    const dpc_adjacency *g = context;
    (void)v;
    return dpc_slot(g, g->node[first], g->node[second]) < 0;
}

dpc_status dpc_extension(const dpc_graph *graph, const dpc_labels *labels, dpc_sink sink,
                         int32_t *when, bool *consistent)
{
    dpc_mixed mixed;
    dpc_status status = dpc_mixed_of(graph, labels, &mixed);
    dpc_sink_cost cost = {1000, one_if_apart, NULL, mixed.graph};
    if (status == DPC_OK)
        status = dpc_extend(&mixed, sink, &cost, NULL, when, consistent);
    dpc_mixed_clear(&mixed);
    return status;
}

void dpc_point_by_turns(dpc_graph *graph, const int32_t *when)
{
    for (int64_t e = 0; e < graph->n_edges; e++) {
        dpc_edge *edge = &graph->edges[e];
        edge->mark = when[edge->b] < when[edge->a] ? DPC_FORWARD : DPC_BACKWARD;
    }
}

dpc_status dpc_class_member(const dpc_graph *cpdag, dpc_graph **out, dpc_error *err)
{
    dpc_graph *dag = NULL;
    bool consistent = false;
    DPC_CHECK(dpc_graph_check_directed(cpdag, "graph", "a member of its class", err));
    DPC_CHECK(dpc_graph_copy(cpdag, &dag, err));
    int32_t *when = dpc_alloc(cpdag->n_nodes, sizeof *when);
    dpc_status status = DPC_OK;
    if (when == NULL || dpc_extension(cpdag, NULL, DPC_SINK_FIRST, when, &consistent) != DPC_OK)
        status = dpc_fail_memory(err, "a DAG of the class");
    else if (!consistent)
        status = dpc_fail(err, DPC_BAD_INPUT,
                          "no DAG has this graph's edges, arrows and v-structures: it is not a "
                          "valid CPDAG");
    if (status == DPC_OK) {
        dpc_point_by_turns(dag, when);
        *out = dag;
    } else {
        dpc_graph_free(dag);
    }
    free(when);
    return status;
}
