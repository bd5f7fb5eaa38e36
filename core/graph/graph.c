/*
 * Graphs: from edges and from an adjacency matrix, and back; questions about one; the order of its
 * edges.
 */
#include "graph.h"
#include "oriented.h"
#include "sorted.h"

#include "alloc.h"
#include "status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Orders ---- */

static int by_nodes(const void *left, const void *right)
{
    const dpc_triple *p = left, *q = right;
    if (p->y != q->y)
        return p->y < q->y ? -1 : 1;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    return (p->z > q->z) - (p->z < q->z);
}

static int node_of(const dpc_triple *triple, int which)
{
    return which == 0 ? triple->z : which == 1 ? triple->x : triple->y;
}

/* Sorts by one of the nodes, keeping the order of equal ones; `at` has n + 1 entries. */
static void sort_by_node(const dpc_triple *from, int64_t count, int which, int n, int64_t *at,
                         dpc_triple *to)
{
    memset(at, 0, ((size_t)n + 1) * sizeof *at);
    for (int64_t i = 0; i < count; i++)
        at[node_of(&from[i], which) + 1]++;
    for (int v = 0; v < n; v++)
        at[v + 1] += at[v];
    for (int64_t i = 0; i < count; i++)
        to[at[node_of(&from[i], which)]++] = from[i];
}

dpc_status dpc_sort_triples(dpc_triple *triples, int64_t count, int n)
{
    if (count <= n) {
        if (count > 0)
            qsort(triples, (size_t)count, sizeof *triples, by_nodes);
        return DPC_OK;
    }
    dpc_triple *other = dpc_alloc(count, sizeof *other);
    int64_t *at = dpc_alloc((int64_t)n + 1, sizeof *at);
    bool fine = other != NULL && at != NULL;
    if (fine) {
        sort_by_node(triples, count, 0, n, at, other);
        sort_by_node(other, count, 1, n, at, triples);
        sort_by_node(triples, count, 2, n, at, other);
        memcpy(triples, other, (size_t)count * sizeof *triples);
    }
    free(other);
    free(at);
    return fine ? DPC_OK : DPC_NO_MEMORY;
}

/* ---- Memory ---- */

void dpc_graph_clear(dpc_graph *graph)
{
    free(graph->edges);
    *graph = (dpc_graph){0};
}

void dpc_graph_free(dpc_graph *graph)
{
    if (graph == NULL)
        return;
    dpc_graph_clear(graph);
    free(graph);
}

void dpc_oriented_clear(dpc_oriented *oriented)
{
    dpc_graph_clear(&oriented->graph);
    free(oriented->conflicts);
    free(oriented->ambiguous);
    free(oriented->provenance);
    dpc_graph_clear(&oriented->whole);
    *oriented = (dpc_oriented){0};
}

int dpc_by_arrow(const void *left, const void *right)
{
    const dpc_provenance *a = left, *b = right;
    int order = (a->from > b->from) - (a->from < b->from);
    return order != 0 ? order : (a->to > b->to) - (a->to < b->to);
}

const dpc_provenance *dpc_find_provenance(const dpc_provenance *provenance, int64_t count, int from,
                                          int to)
{
    dpc_provenance key = {.from = from, .to = to};
    return count > 0 ? bsearch(&key, provenance, (size_t)count, sizeof key, dpc_by_arrow) : NULL;
}

double dpc_evidence_of(const dpc_provenance *ground)
{
    if (ground == NULL || ground->turn < 0)
        return NAN;
    return ground->weight == DPC_SURE ? INFINITY : (double)ground->weight / DPC_WEIGHT_ONE;
}

dpc_status dpc_graph_release(dpc_graph *graph, dpc_graph **out, dpc_error *err)
{
    dpc_graph *moved = dpc_alloc(1, sizeof *moved);
    if (moved == NULL) {
        dpc_graph_clear(graph);
        return dpc_fail_memory(err, "a graph");
    }
    *moved = *graph;
    *graph = (dpc_graph){0};
    *out = moved;
    return DPC_OK;
}

/* A graph on the heap with room for its edges. */
static dpc_status make(int n_nodes, int64_t n_edges, dpc_graph **out, dpc_error *err)
{
    dpc_graph graph = {n_nodes, n_edges, dpc_alloc(n_edges, sizeof *graph.edges)};
    if (graph.edges == NULL)
        return dpc_fail_memory(err, "a graph");
    return dpc_graph_release(&graph, out, err);
}

dpc_status dpc_graph_duplicate(const dpc_graph *graph, dpc_graph *out)
{
    dpc_edge *edges = dpc_alloc(graph->n_edges, sizeof *edges);
    if (edges == NULL)
        return DPC_NO_MEMORY;
    if (graph->n_edges > 0)
        memcpy(edges, graph->edges, (size_t)graph->n_edges * sizeof *edges);
    *out = (dpc_graph){graph->n_nodes, graph->n_edges, edges};
    return DPC_OK;
}

dpc_status dpc_graph_copy(const dpc_graph *graph, dpc_graph **out, dpc_error *err)
{
    dpc_graph copy = {0};
    if (dpc_graph_duplicate(graph, &copy) != DPC_OK)
        return dpc_fail_memory(err, "a graph");
    return dpc_graph_release(&copy, out, err);
}

/* ---- Marks ---- */

const char *dpc_mark_text(dpc_mark mark)
{
    switch (mark) {
    case DPC_UNDIRECTED:
        return "---";
    case DPC_FORWARD:
        return "-->";
    case DPC_BACKWARD:
        return "<--";
    case DPC_BIDIRECTED:
        return "<->";
    case DPC_CIRCLES:
        return "o-o";
    case DPC_CIRCLE_ARROW:
        return "o->";
    case DPC_ARROW_CIRCLE:
        return "<-o";
    case DPC_CIRCLE_TAIL:
        return "o--";
    case DPC_TAIL_CIRCLE:
        return "--o";
    default:
        return "none";
    }
}

/* ---- From edges ---- */

static bool is_mark(dpc_mark mark)
{
    return (unsigned)mark < DPC_MARK(0, DPC_END_TAIL + 1) && dpc_end_a(mark) != DPC_END_NONE &&
           dpc_end_b(mark) != DPC_END_NONE;
}

dpc_status dpc_graph_check(const dpc_graph *graph, const char *which, dpc_error *err)
{
    if (graph->n_nodes < 0 || graph->n_edges < 0 || (graph->n_edges > 0 && graph->edges == NULL))
        return dpc_fail(err, DPC_USAGE, "the %s has %d nodes and %lld edges, or no list of these",
                        which, graph->n_nodes, (long long)graph->n_edges);
    for (int64_t i = 0; i < graph->n_edges; i++) {
        const dpc_edge *edge = &graph->edges[i];
        if (edge->a < 0 || edge->a >= edge->b || edge->b >= graph->n_nodes || !is_mark(edge->mark))
            return dpc_fail(err, DPC_USAGE,
                            "edge %lld of the %s is none: it needs 0 <= a < b < n_nodes and a mark",
                            (long long)i, which);
        if (i > 0 && dpc_by_pair(edge - 1, edge) >= 0)
            return dpc_fail(err, DPC_USAGE,
                            "the edges of the %s are not sorted by a, then b, or a pair is there "
                            "twice (edge %lld)",
                            which, (long long)i);
    }
    return DPC_OK;
}

bool dpc_graph_is_pag(const dpc_graph *graph)
{
    for (int64_t i = 0; i < graph->n_edges; i++) {
        dpc_mark mark = graph->edges[i].mark;
        if (mark != DPC_UNDIRECTED && mark != DPC_FORWARD && mark != DPC_BACKWARD)
            return true;
    }
    return false;
}

dpc_status dpc_graph_check_directed(const dpc_graph *graph, const char *which, const char *what,
                                    dpc_error *err)
{
    DPC_CHECK(dpc_graph_check(graph, which, err));
    if (!dpc_graph_is_pag(graph))
        return DPC_OK;
    return dpc_fail(err, DPC_BAD_INPUT,
                    "the %s has circle marks or bidirected edges (it is a PAG); %s needs a DAG or "
                    "CPDAG",
                    which, what);
}

dpc_status dpc_graph_new(int n_nodes, const dpc_edge *edges, int64_t n_edges, dpc_graph **out,
                         dpc_error *err)
{
    dpc_graph *graph = NULL;
    if (n_nodes < 0 || n_edges < 0 || (n_edges > 0 && edges == NULL))
        return dpc_fail(err, DPC_USAGE, "a graph cannot have %d nodes and %lld edges", n_nodes,
                        (long long)n_edges);
    dpc_status status = make(n_nodes, n_edges, &graph, err);
    for (int64_t i = 0; i < n_edges && status == DPC_OK; i++) {
        dpc_edge e = edges[i];
        if (e.a < 0 || e.b < 0 || e.a >= n_nodes || e.b >= n_nodes || e.a == e.b)
            status = dpc_fail(err, DPC_USAGE, "edge %lld joins %d and %d of %d nodes", (long long)i,
                              (int)e.a, (int)e.b, n_nodes);
        else if (!is_mark(e.mark))
            status = dpc_fail(err, DPC_USAGE, "edge %lld has no mark, but %d", (long long)i,
                              (int)e.mark);
        else
            graph->edges[i] = dpc_edge_of(e.a, e.b, e.mark);
    }
    if (status == DPC_OK && n_edges > 0)
        qsort(graph->edges, (size_t)n_edges, sizeof *graph->edges, dpc_by_pair);
    for (int64_t i = 1; i < n_edges && status == DPC_OK; i++)
        if (dpc_by_pair(&graph->edges[i - 1], &graph->edges[i]) == 0)
            status = dpc_fail(err, DPC_USAGE, "the nodes %d and %d are joined twice",
                              (int)graph->edges[i].a, (int)graph->edges[i].b);
    if (status == DPC_OK)
        *out = graph;
    else
        dpc_graph_free(graph);
    return status;
}

/* ---- Matrices ---- */

dpc_status dpc_graph_adjacency(const dpc_graph *graph, uint8_t *matrix, dpc_error *err)
{
    DPC_CHECK(dpc_graph_check_directed(graph, "graph", "a matrix of zeros and ones", err));
    int64_t n = graph->n_nodes;
    memset(matrix, 0, (size_t)n * (size_t)n);
    for (int64_t i = 0; i < graph->n_edges; i++) {
        const dpc_edge *edge = &graph->edges[i];
        matrix[edge->a * n + edge->b] = edge->mark != DPC_BACKWARD;
        matrix[edge->b * n + edge->a] = edge->mark != DPC_FORWARD;
    }
    return DPC_OK;
}

dpc_status dpc_graph_marks(const dpc_graph *graph, uint8_t *matrix, dpc_error *err)
{
    DPC_CHECK(dpc_graph_check(graph, "graph", err));
    int64_t n = graph->n_nodes;
    memset(matrix, DPC_END_NONE, (size_t)n * (size_t)n);
    for (int64_t i = 0; i < graph->n_edges; i++) {
        const dpc_edge *edge = &graph->edges[i];
        matrix[edge->a * n + edge->b] = (uint8_t)dpc_end_b(edge->mark);
        matrix[edge->b * n + edge->a] = (uint8_t)dpc_end_a(edge->mark);
    }
    return DPC_OK;
}

/* The mark of a pair, seen from a, by the entries (a, b) and (b, a) of a matrix. */
typedef dpc_mark entries_mark(int there, int back);

static dpc_mark mark_of_adjacency(int there, int back)
{
    return there && back ? DPC_UNDIRECTED : there ? DPC_FORWARD : back ? DPC_BACKWARD : DPC_NONE;
}

static dpc_mark mark_of_ends(int there, int back)
{
    return (dpc_mark)DPC_MARK(back, there);
}

/* The edges of row a with the nodes behind a. Returns their number; `to` may be NULL. */
static int64_t list_row(const uint8_t *matrix, int64_t n, int32_t a, entries_mark *mark_of,
                        dpc_edge *to)
{
    int64_t count = 0;
    for (int32_t b = a + 1; b < n; b++) {
        dpc_mark mark = mark_of(matrix[a * n + b], matrix[b * n + a]);
        if (mark != DPC_NONE && to != NULL)
            to[count] = (dpc_edge){a, b, mark};
        count += mark != DPC_NONE;
    }
    return count;
}

static dpc_status from_matrix(const uint8_t *matrix, int n_nodes, entries_mark *mark_of,
                              dpc_graph **out, dpc_error *err)
{
    int64_t count = 0, done = 0;
    dpc_graph *graph = NULL;
    if (n_nodes < 0)
        return dpc_fail(err, DPC_USAGE, "a graph cannot have %d nodes", n_nodes);
    for (int a = 0; a < n_nodes; a++) {
        if (matrix[(int64_t)a * n_nodes + a] != 0)
            return dpc_fail(err, DPC_USAGE, "the matrix joins node %d with itself", a);
        count += list_row(matrix, n_nodes, a, mark_of, NULL);
    }
    DPC_CHECK(make(n_nodes, count, &graph, err));
    for (int a = 0; a < n_nodes; a++)
        done += list_row(matrix, n_nodes, a, mark_of, graph->edges + done);
    *out = graph;
    return DPC_OK;
}

dpc_status dpc_graph_from_adjacency(const uint8_t *matrix, int n_nodes, dpc_graph **out,
                                    dpc_error *err)
{
    return from_matrix(matrix, n_nodes, mark_of_adjacency, out, err);
}

dpc_status dpc_graph_from_marks(const uint8_t *matrix, int n_nodes, dpc_graph **out, dpc_error *err)
{
    for (int64_t i = 0; i < n_nodes; i++)
        for (int64_t j = 0; j < n_nodes; j++) {
            int there = matrix[i * n_nodes + j], back = matrix[j * n_nodes + i];
            if (there > DPC_END_TAIL)
                return dpc_fail(err, DPC_USAGE, "entry (%d, %d) is %d; marks are 0, 1, 2 and 3",
                                (int)i, (int)j, there);
            if (there != DPC_END_NONE && back == DPC_END_NONE)
                return dpc_fail(err, DPC_USAGE,
                                "the edge between %d and %d has a mark at %d but none at %d",
                                (int)i, (int)j, (int)j, (int)i);
        }
    return from_matrix(matrix, n_nodes, mark_of_ends, out, err);
}

/* ---- Questions ---- */

bool dpc_all_directed(const dpc_graph *graph)
{
    int64_t e = 0;
    while (e < graph->n_edges && graph->edges[e].mark != DPC_UNDIRECTED)
        e++;
    return e == graph->n_edges;
}

void dpc_graph_edges(const dpc_graph *graph, int32_t *from, int32_t *to, uint8_t *directed)
{
    for (int64_t i = 0; i < graph->n_edges; i++) {
        const dpc_edge *edge = &graph->edges[i];
        bool turn = edge->mark == DPC_BACKWARD;
        if (from != NULL)
            from[i] = turn ? edge->b : edge->a;
        if (to != NULL)
            to[i] = turn ? edge->a : edge->b;
        if (directed != NULL)
            directed[i] = edge->mark != DPC_UNDIRECTED;
    }
}

dpc_mark dpc_graph_mark(const dpc_graph *graph, int a, int b)
{
    dpc_edge key = {.a = a < b ? a : b, .b = a < b ? b : a};
    const dpc_edge *edge = NULL;
    if (graph->n_edges > 0)
        edge = bsearch(&key, graph->edges, (size_t)graph->n_edges, sizeof key, dpc_by_pair);
    if (edge == NULL)
        return DPC_NONE;
    return a < b ? edge->mark : dpc_turned(edge->mark);
}
