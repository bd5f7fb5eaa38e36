/* Markov equivalence classes: see equivalence.h. */
#include "equivalence.h"

#include "adjacency.h"
#include "arena.h"
#include "sorted.h"
#include "status.h"

#include <string.h>

/* ---- A DAG by its parents ---- */

static dpc_node_row parents_in(const void *context, int v)
{
    const dpc_parents *dag = context;
    return (dpc_node_row){dag->parent + dag->start[v], dag->start[v + 1] - dag->start[v]};
}

bool dpc_order_by_parents(int n, const int64_t *start, const int32_t *parent, int32_t *left,
                          int32_t *order)
{
    dpc_parents dag = {n, NULL, start, parent};
    if (dpc_topological_order(n, parents_in, &dag, left, order) < n)
        return false;
    for (int i = 0; i < n / 2; i++) { /* they came last ones first */
        int32_t last = order[n - 1 - i];
        order[n - 1 - i] = order[i];
        order[i] = last;
    }
    return true;
}

bool dpc_is_parent(const dpc_parents *dag, int from, int to)
{
    return dpc_place_of(dag->parent + dag->start[to], dag->start[to + 1] - dag->start[to], from) >=
           0;
}

/* ---- Chickering's labelling ---- */

/* Labels of edges beside dag->parent; all start as UNKNOWN. */
enum label { UNKNOWN, COMPELLED, REVERSIBLE };

/*
 * Chickering's order of the edges: by the place of the head in the topological
 * order, ascending, then by the place of the tail, descending. Fills the heads
 * and the indices of the edges in that order.
 */
static void order_edges(const dpc_parents *dag, const int32_t *place, int64_t *edge, int32_t *head)
{
    int64_t count = 0;
    for (int i = 0; i < dag->n; i++) {
        int y = dag->order[i];
        int64_t first = count;
        for (int64_t e = dag->start[y]; e < dag->start[y + 1]; e++) {
            int64_t slot = count++;
            for (; slot > first && place[dag->parent[edge[slot - 1]]] < place[dag->parent[e]];
                 slot--)
                edge[slot] = edge[slot - 1];
            edge[slot] = e;
            head[count - 1] = y;
        }
    }
}

static void label_unknown_into(const dpc_parents *dag, int y, enum label with, unsigned char *label)
{
    for (int64_t e = dag->start[y]; e < dag->start[y + 1]; e++)
        if (label[e] == UNKNOWN)
            label[e] = (unsigned char)with;
}

/* The label of the edge `parent → y`, which exists. */
static unsigned char *label_of(const dpc_parents *dag, int parent, int y, unsigned char *label)
{
    int64_t first = dag->start[y];
    return label + first + dpc_place_for(dag->parent + first, dag->start[y + 1] - first, parent);
}

/* Is there a parent of y, other than x, that is not a parent of x? */
static bool parent_apart(const dpc_parents *dag, int x, int y)
{
    for (int64_t e = dag->start[y]; e < dag->start[y + 1]; e++)
        if (dag->parent[e] != x && !dpc_is_parent(dag, dag->parent[e], x))
            return true;
    return false;
}

/* One step of the labelling: x → y is the first edge in the order that is UNKNOWN. */
static void label_edge(const dpc_parents *dag, int x, int y, unsigned char *label)
{
    for (int64_t e = dag->start[x]; e < dag->start[x + 1]; e++) {
        if (label[e] != COMPELLED)
            continue;
        int w = dag->parent[e];
        if (!dpc_is_parent(dag, w, y)) {
            memset(label + dag->start[y], COMPELLED, (size_t)(dag->start[y + 1] - dag->start[y]));
            return;
        }
        *label_of(dag, w, y, label) = COMPELLED;
    }
    label_unknown_into(dag, y, parent_apart(dag, x, y) ? COMPELLED : REVERSIBLE, label);
}

dpc_status dpc_label_compelled(const dpc_parents *dag, bool *compelled)
{
    dpc_arena arena = {0};
    int64_t edges = dag->start[dag->n];
    unsigned char *label = dpc_arena_zalloc(&arena, edges, 1);
    int32_t *place = dpc_arena_alloc(&arena, dag->n, sizeof *place);
    int64_t *edge = dpc_arena_alloc(&arena, edges, sizeof *edge);
    int32_t *head = dpc_arena_alloc(&arena, edges, sizeof *head);
    bool fine = !dpc_arena_failed(&arena);
    if (fine) {
        for (int i = 0; i < dag->n; i++)
            place[dag->order[i]] = i;
        order_edges(dag, place, edge, head);
        for (int64_t i = 0; i < edges; i++)
            if (label[edge[i]] == UNKNOWN)
                label_edge(dag, dag->parent[edge[i]], head[i], label);
        for (int64_t e = 0; e < edges; e++)
            compelled[e] = label[e] == COMPELLED;
    }
    dpc_arena_clear(&arena);
    return fine ? DPC_OK : DPC_NO_MEMORY;
}

dpc_status dpc_parents_graph(const dpc_parents *dag, dpc_graph *out, dpc_error *err)
{
    int64_t edges = dag->start[dag->n];
    dpc_edge *list = dpc_alloc(edges, sizeof *list);
    if (list == NULL)
        return dpc_fail_memory(err, "the edges of a DAG");
    for (int y = 0; y < dag->n; y++)
        for (int64_t e = dag->start[y]; e < dag->start[y + 1]; e++)
            list[e] = dpc_edge_of(dag->parent[e], y, DPC_FORWARD);
    qsort(list, (size_t)edges, sizeof *list, dpc_by_pair);
    *out = (dpc_graph){dag->n, edges, list};
    return DPC_OK;
}

/* ---- The parents in a graph ---- */

typedef struct parent_lists {
    int64_t *start; /* n + 1: those of y begin at start[y] */
    int32_t *node;  /* ascending for each y */
    int64_t *edge;  /* the place of each edge in the graph */
} parent_lists;

static void put_parent(parent_lists *in, int32_t parent, int32_t child, int64_t edge)
{
    int64_t slot = in->start[child]++;
    in->node[slot] = parent;
    in->edge[slot] = edge;
}

static dpc_status list_parents(const dpc_graph *graph, dpc_arena *arena, parent_lists *in)
{
    int n = graph->n_nodes;
    in->start = dpc_arena_zalloc(arena, (int64_t)n + 2, sizeof *in->start);
    in->node = dpc_arena_alloc(arena, graph->n_edges, sizeof *in->node);
    in->edge = dpc_arena_alloc(arena, graph->n_edges, sizeof *in->edge);
    if (dpc_arena_failed(arena))
        return DPC_NO_MEMORY;
    for (int64_t e = 0; e < graph->n_edges; e++)
        if (graph->edges[e].mark != DPC_UNDIRECTED)
            in->start[dpc_edge_to(&graph->edges[e]) + 2]++;
    for (int v = 0; v < n; v++)
        in->start[v + 2] += in->start[v + 1];
    /* parents below their child come from forward edges, those above it from backward ones; filling
     * moves every start to the next one */
    parent_lists from = {in->start + 1, in->node, in->edge};
    for (int64_t e = 0; e < graph->n_edges; e++)
        if (graph->edges[e].mark == DPC_FORWARD)
            put_parent(&from, graph->edges[e].a, graph->edges[e].b, e);
    for (int64_t e = 0; e < graph->n_edges; e++)
        if (graph->edges[e].mark == DPC_BACKWARD)
            put_parent(&from, graph->edges[e].b, graph->edges[e].a, e);
    return DPC_OK;
}

/* ---- Pattern ---- */

/*
 * Copies the marks of the edges in v-structures. The parents of each y are stamped; x → y is in a
 * v-structure iff x has fewer stamped neighbours than y has other parents. `stamp` has n entries of
 * -1.
 */
static void mark_colliders(const dpc_graph *graph, const parent_lists *in,
                           const dpc_adjacency *adjacency, int32_t *stamp, dpc_edge *edges)
{
    for (int y = 0; y < graph->n_nodes; y++) {
        int64_t first = in->start[y], end = in->start[y + 1];
        for (int64_t i = first; i < end; i++)
            stamp[in->node[i]] = y;
        for (int64_t i = first; i < end; i++) {
            int x = in->node[i];
            int64_t married = 0; /* other parents of y that are adjacent to x */
            for (int k = 0; k < dpc_degree(adjacency, x); k++)
                married += stamp[dpc_neighbours(adjacency, x)[k]] == y;
            if (married < end - first - 1)
                edges[in->edge[i]].mark = graph->edges[in->edge[i]].mark;
        }
    }
}

static dpc_status direct_colliders(const dpc_graph *graph, dpc_arena *arena, dpc_edge *edges)
{
    parent_lists in;
    dpc_adjacency *adjacency = NULL;
    int32_t *stamp = dpc_arena_alloc(arena, graph->n_nodes, sizeof *stamp);
    DPC_CHECK(list_parents(graph, arena, &in));
    DPC_CHECK(dpc_adjacency_of(graph, NULL, &adjacency));
    memset(stamp, -1, (size_t)graph->n_nodes * sizeof *stamp);
    mark_colliders(graph, &in, adjacency, stamp, edges);
    dpc_adjacency_free(adjacency);
    return DPC_OK;
}

dpc_status dpc_graph_reduce(const dpc_graph *graph, dpc_target as, dpc_graph *out, dpc_error *err)
{
    dpc_arena arena = {0};
    dpc_graph made = {0};
    dpc_status status = dpc_graph_duplicate(graph, &made);
    for (int64_t e = 0; status == DPC_OK && as != DPC_CPDAG && e < made.n_edges; e++)
        made.edges[e].mark = DPC_UNDIRECTED;
    if (status == DPC_OK && as == DPC_PATTERN)
        status = direct_colliders(graph, &arena, made.edges);
    dpc_arena_clear(&arena);
    if (status == DPC_OK) {
        *out = made;
        return DPC_OK;
    }
    dpc_graph_clear(&made);
    return dpc_fail_memory(err, "a graph to compare");
}

/* ---- The class of a DAG ---- */

/* Takes the marks of all edges of a DAG that are not compelled; nothing where there is a circle. */
static dpc_status undirect_reversible(dpc_graph *graph, dpc_arena *arena, bool *is_dag)
{
    int n = graph->n_nodes;
    parent_lists in;
    int32_t *left = dpc_arena_alloc(arena, n, sizeof *left);
    int32_t *order = dpc_arena_alloc(arena, n, sizeof *order);
    bool *compelled = dpc_arena_alloc(arena, graph->n_edges, sizeof *compelled);
    DPC_CHECK(list_parents(graph, arena, &in));
    *is_dag = dpc_order_by_parents(n, in.start, in.node, left, order);
    if (!*is_dag)
        return DPC_OK;
    DPC_CHECK(dpc_label_compelled(&(dpc_parents){n, order, in.start, in.node}, compelled));
    for (int64_t i = 0; i < graph->n_edges; i++)
        if (!compelled[i])
            graph->edges[in.edge[i]].mark = DPC_UNDIRECTED;
    return DPC_OK;
}

dpc_status dpc_class_graph(const dpc_graph *dag, dpc_target as, bool *is_dag, dpc_graph *out,
                           dpc_error *err)
{
    dpc_arena arena = {0};
    dpc_graph made = {0};
    DPC_CHECK(dpc_graph_reduce(dag, as, &made, err));
    bool labels = as == DPC_CPDAG && dpc_all_directed(dag), found = false;
    dpc_status status = labels ? undirect_reversible(&made, &arena, &found) : DPC_OK;
    if (is_dag != NULL)
        *is_dag = found;
    dpc_arena_clear(&arena);
    if (status != DPC_OK) {
        dpc_graph_clear(&made);
        return dpc_fail_memory(err, "the class of a DAG");
    }
    *out = made;
    return DPC_OK;
}
