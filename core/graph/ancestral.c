/* Ancestral graphs as rows of bits: see ancestral.h. */
#include "ancestral.h"

#include "alloc.h"
#include "arena.h"
#include "classify.h"
#include "flow.h"
#include "sorted.h"
#include "status.h"

#include <string.h>

/* ---- Tables ---- */

dpc_status dpc_mag_init(int n, dpc_mag *out)
{
    enum { TABLES = 5 };
    int64_t words = dpc_bit_words(n), table = n * words;
    uint64_t *memory = dpc_zalloc(TABLES * table, sizeof *memory);
    *out = (dpc_mag){.n = n, .words = words, .memory = memory};
    if (memory == NULL)
        return DPC_NO_MEMORY;
    out->parents = memory;
    out->children = memory + table;
    out->spouses = memory + 2 * table;
    out->siblings = memory + 3 * table;
    out->ancestors = memory + 4 * table;
    for (int v = 0; v < n; v++)
        dpc_set_bit(out->ancestors, words, v, v);
    return DPC_OK;
}

void dpc_mag_clear(dpc_mag *mag)
{
    free(mag->memory);
    *mag = (dpc_mag){0};
}

static void put(dpc_mag *m, uint64_t *table, int row, int column, bool is)
{
    (is ? dpc_set_bit : dpc_clear_bit)(table, m->words, row, column);
}

void dpc_mag_set(dpc_mag *m, int a, int b, dpc_mark mark)
{
    bool forward = mark == DPC_FORWARD, backward = mark == DPC_BACKWARD;
    put(m, m->children, a, b, forward);
    put(m, m->parents, b, a, forward);
    put(m, m->children, b, a, backward);
    put(m, m->parents, a, b, backward);
    put(m, m->spouses, a, b, mark == DPC_BIDIRECTED);
    put(m, m->spouses, b, a, mark == DPC_BIDIRECTED);
    put(m, m->siblings, a, b, mark == DPC_UNDIRECTED);
    put(m, m->siblings, b, a, mark == DPC_UNDIRECTED);
}

dpc_mark dpc_mag_mark(const dpc_mag *m, int a, int b)
{
    return dpc_bit(m->children, m->words, a, b)   ? DPC_FORWARD
           : dpc_bit(m->parents, m->words, a, b)  ? DPC_BACKWARD
           : dpc_bit(m->spouses, m->words, a, b)  ? DPC_BIDIRECTED
           : dpc_bit(m->siblings, m->words, a, b) ? DPC_UNDIRECTED
                                                  : DPC_NONE;
}

dpc_status dpc_mag_of(const dpc_graph *graph, dpc_mag *out)
{
    DPC_CHECK(dpc_mag_init(graph->n_nodes, out));
    for (int64_t e = 0; e < graph->n_edges; e++)
        dpc_mag_set(out, graph->edges[e].a, graph->edges[e].b, graph->edges[e].mark);
    dpc_mag_find_ancestors(out);
    return DPC_OK;
}

dpc_status dpc_mag_graph(const dpc_mag *m, dpc_graph *out)
{
    int64_t count = 0;
    for (int a = 0; a < m->n; a++)
        for (int b = a + 1; b < m->n; b++)
            count += dpc_mag_adjacent(m, a, b);
    dpc_edge *edges = dpc_alloc(count, sizeof *edges), *to = edges;
    if (edges == NULL)
        return DPC_NO_MEMORY;
    for (int a = 0; a < m->n; a++)
        for (int b = a + 1; b < m->n; b++)
            if (dpc_mag_adjacent(m, a, b))
                *to++ = (dpc_edge){a, b, dpc_mag_mark(m, a, b)};
    *out = (dpc_graph){m->n, count, edges};
    return DPC_OK;
}

static inline uint64_t *row_of(const dpc_mag *m, uint64_t *table, int v)
{
    return table + v * m->words;
}

static bool meet(const uint64_t *p, const uint64_t *q, int64_t words)
{
    uint64_t common = 0;
    for (int64_t i = 0; i < words; i++)
        common |= p[i] & q[i];
    return common != 0;
}

/* Adds q to p; true: there was something new. */
static bool unite(uint64_t *p, const uint64_t *q, int64_t words)
{
    uint64_t new = 0;
    for (int64_t i = 0; i < words; i++) {
        new |= q[i] & ~p[i];
        p[i] |= q[i];
    }
    return new != 0;
}

/* ---- Ancestors ---- */

/* Sweeps in both directions by turns, until nothing is new. */
bool dpc_mag_find_ancestors(dpc_mag *m)
{
    bool any = true, fine = true;
    memset(m->ancestors, 0, (size_t)(m->n * m->words) * sizeof *m->ancestors);
    for (int v = 0; v < m->n; v++)
        dpc_set_bit(m->ancestors, m->words, v, v);
    for (bool up = true; any; up = !up) {
        any = false;
        for (int i = 0; i < m->n; i++) {
            int v = up ? i : m->n - 1 - i;
            const uint64_t *parents = row_of(m, m->parents, v);
            for (int p = -1; (p = dpc_next_bit(parents, m->words, p)) >= 0;)
                any |= unite(row_of(m, m->ancestors, v), row_of(m, m->ancestors, p), m->words);
        }
    }
    for (int v = 0; v < m->n && fine; v++)
        fine = !meet(row_of(m, m->children, v), row_of(m, m->ancestors, v), m->words);
    return fine;
}

bool dpc_mag_is_ancestral(const dpc_mag *m)
{
    for (int v = 0; v < m->n; v++) {
        const uint64_t *ancestors = row_of(m, m->ancestors, v);
        if (meet(row_of(m, m->children, v), ancestors, m->words) ||
            meet(row_of(m, m->spouses, v), ancestors, m->words))
            return false;
        if (dpc_next_bit(row_of(m, m->siblings, v), m->words, -1) >= 0 &&
            (dpc_next_bit(row_of(m, m->parents, v), m->words, -1) >= 0 ||
             dpc_next_bit(row_of(m, m->spouses, v), m->words, -1) >= 0))
            return false;
    }
    return true;
}

/* ---- Inducing paths ---- */

/* Those of `allowed` with an arrowhead at their end of an edge to v. */
static void heads(const dpc_mag *m, int v, const uint64_t *allowed, uint64_t *to)
{
    const uint64_t *children = row_of(m, m->children, v), *spouses = row_of(m, m->spouses, v);
    for (int64_t i = 0; i < m->words; i++)
        to[i] = (children[i] | spouses[i]) & allowed[i];
}

bool dpc_mag_inducing(const dpc_mag *m, int a, int b, uint64_t *room)
{
    uint64_t *allowed = room, *reached = room + m->words, *left = room + 2 * m->words;
    uint64_t *goal = room + 3 * m->words;
    memcpy(allowed, row_of(m, m->ancestors, a), (size_t)m->words * sizeof *allowed);
    unite(allowed, row_of(m, m->ancestors, b), m->words);
    dpc_clear_bit(allowed, 0, 0, a);
    dpc_clear_bit(allowed, 0, 0, b);
    heads(m, b, allowed, goal);
    heads(m, a, allowed, reached);
    memcpy(left, reached, (size_t)m->words * sizeof *left);
    for (int v; !meet(reached, goal, m->words) && (v = dpc_next_bit(left, m->words, -1)) >= 0;) {
        const uint64_t *spouses = row_of(m, m->spouses, v);
        dpc_clear_bit(left, 0, 0, v);
        for (int64_t i = 0; i < m->words; i++) {
            uint64_t new = spouses[i] & allowed[i] & ~reached[i];
            left[i] |= new;
            reached[i] |= new;
        }
    }
    return meet(reached, goal, m->words);
}

bool dpc_mag_is_maximal(const dpc_mag *m, uint64_t *room)
{
    for (int v = 0; v < m->n; v++)
        for (int w = v + 1; w < m->n; w++)
            if (!dpc_mag_adjacent(m, v, w) && dpc_mag_inducing(m, v, w, room))
                return false;
    return true;
}

int dpc_mag_districts(const dpc_mag *m, int32_t *district)
{
    int count = 0;
    for (int v = 0; v < m->n; v++)
        district[v] = -1;
    for (int first = 0; first < m->n; first++) {
        bool any = district[first] < 0;
        if (any)
            district[first] = count++;
        while (any) { /* members are after `first`; their spouses may be before each other */
            any = false;
            for (int v = first; v < m->n; v++) {
                const uint64_t *spouses = row_of(m, m->spouses, v);
                for (int w = -1;
                     district[v] == count - 1 && (w = dpc_next_bit(spouses, m->words, w)) >= 0;)
                    if (district[w] < 0) {
                        district[w] = count - 1;
                        any = true;
                    }
            }
        }
    }
    return count;
}

/* ---- From a DAG with hidden nodes ---- */

typedef struct projection {
    const dpc_graph *dag;
    int32_t *place; /* of each node, parents before children */
    int32_t *seen;  /* the nodes that are not hidden */
    int n_seen;
    dpc_mag ancestors; /* of the DAG */
    dpc_mixed_lists lists;
    dpc_flow flow;
} projection;

/*
 * Which of up to 64 seen nodes, from the k-th on, no set separates from a: if any set does, the
 * seen ancestors of the two do.
 */
static uint64_t find_joined(projection *p, int a, int k, int count)
{
    dpc_flow *f = &p->flow;
    uint64_t joined = 0, all = count < 64 ? (UINT64_C(1) << count) - 1 : ~UINT64_C(0);
    for (int i = 0; i < p->n_seen; i++) {
        int v = p->seen[i];
        uint64_t bits = dpc_mag_is_ancestor(&p->ancestors, v, a) ? all : 0;
        for (int j = 0; j < count; j++) {
            bits |= (uint64_t)dpc_mag_is_ancestor(&p->ancestors, v, p->seen[k + j]) << j;
            bits &= ~((uint64_t)(v == p->seen[k + j]) << j);
        }
        if (v != a && bits != 0)
            dpc_flow_block(f, p->place[v], bits);
    }
    dpc_flow_bar(f, p->place[a], all);
    dpc_flow_ascend(f);
    dpc_node_row parents = dpc_parents_of(&p->lists, p->place[a]);
    dpc_node_row children = dpc_children_of(&p->lists, p->place[a]);
    for (int64_t i = 0; i < parents.count; i++)
        dpc_flow_put_up(f, parents.node[i], all);
    for (int64_t i = 0; i < children.count; i++)
        dpc_flow_put_down(f, children.node[i], all);
    dpc_flow_run(f, true);
    for (int j = 0; j < count; j++)
        joined |= dpc_flow_at(f, p->place[p->seen[k + j]]) & UINT64_C(1) << j;
    dpc_flow_reset(f);
    return joined;
}

static dpc_status join_seen(projection *p, dpc_graph *out)
{
    int64_t room = 0;
    dpc_graph graph = {.n_nodes = p->n_seen};
    for (int i = 0; i < p->n_seen; i++)
        for (int k = i + 1; k < p->n_seen; k += 64) {
            int a = p->seen[i], count = p->n_seen - k < 64 ? p->n_seen - k : 64;
            uint64_t joined = find_joined(p, a, k, count);
            dpc_edge *edges =
                dpc_make_room(graph.edges, &room, graph.n_edges + count, sizeof *edges);
            if (edges == NULL) {
                dpc_graph_clear(&graph);
                return DPC_NO_MEMORY;
            }
            graph.edges = edges;
            for (int j = 0; j < count; j++) {
                int b = p->seen[k + j];
                bool above = dpc_mag_is_ancestor(&p->ancestors, a, b);
                bool below = dpc_mag_is_ancestor(&p->ancestors, b, a);
                if ((joined >> j & 1) != 0)
                    edges[graph.n_edges++] = (dpc_edge){i, k + j,
                                                        above   ? DPC_FORWARD
                                                        : below ? DPC_BACKWARD
                                                                : DPC_BIDIRECTED};
            }
        }
    *out = graph;
    return DPC_OK;
}

static dpc_status project(const dpc_graph *dag, const bool *hidden, projection *p, dpc_arena *arena,
                          dpc_graph *out)
{
    int n = dag->n_nodes;
    p->place = dpc_arena_alloc(arena, n, sizeof *p->place);
    p->seen = dpc_arena_alloc(arena, n, sizeof *p->seen);
    if (dpc_arena_failed(arena))
        return DPC_NO_MEMORY;
    for (int v = 0; v < n; v++)
        if (!hidden[v])
            p->seen[p->n_seen++] = v;
    DPC_CHECK(dpc_number_nodes(dag, p->place));
    DPC_CHECK(dpc_mixed_lists_init(dag, p->place, &p->lists));
    DPC_CHECK(dpc_flow_init(&p->lists, &p->flow));
    return join_seen(p, out);
}

dpc_status dpc_mag_of_dag(const dpc_graph *dag, const bool *hidden, dpc_graph *out, dpc_error *err)
{
    projection p = {.dag = dag};
    dpc_arena arena = {0};
    dpc_status status = DPC_OK;
    if (!dpc_all_directed(dag))
        return dpc_fail(err, DPC_BAD_INPUT, "variables can be hidden of a DAG only");
    status = dpc_mag_of(dag, &p.ancestors);
    if (status == DPC_OK && !dpc_mag_is_ancestral(&p.ancestors))
        status = dpc_fail(err, DPC_BAD_INPUT,
                          "variables can be hidden of a DAG only; this graph "
                          "has a circle of arrows");
    else if (status != DPC_OK || project(dag, hidden, &p, &arena, out) != DPC_OK)
        status = dpc_fail_memory(err, "the graph without its hidden variables");
    dpc_mag_clear(&p.ancestors);
    dpc_mixed_lists_clear(&p.lists);
    dpc_flow_clear(&p.flow);
    dpc_arena_clear(&arena);
    return status;
}

/* ---- The canonical DAG ---- */

dpc_status dpc_mag_canonical(const dpc_graph *mag, dpc_graph *out, int *selected)
{
    dpc_edge *edges = dpc_alloc(2 * mag->n_edges, sizeof *edges), *to = edges;
    int next = mag->n_nodes, first = 0;
    if (edges == NULL)
        return DPC_NO_MEMORY;
    for (int64_t e = 0; e < mag->n_edges; e++) {
        const dpc_edge *edge = &mag->edges[e];
        if (edge->mark == DPC_BIDIRECTED) {
            *to++ = dpc_edge_of(next, edge->a, DPC_FORWARD);
            *to++ = dpc_edge_of(next++, edge->b, DPC_FORWARD);
        } else if (edge->mark != DPC_UNDIRECTED) {
            *to++ = *edge;
        }
    }
    first = next;
    for (int64_t e = 0; e < mag->n_edges; e++)
        if (mag->edges[e].mark == DPC_UNDIRECTED) {
            *to++ = dpc_edge_of(mag->edges[e].a, next, DPC_FORWARD);
            *to++ = dpc_edge_of(mag->edges[e].b, next++, DPC_FORWARD);
        }
    if (to > edges)
        qsort(edges, (size_t)(to - edges), sizeof *edges, dpc_by_pair);
    *selected = next - first;
    *out = (dpc_graph){next, to - edges, edges};
    return DPC_OK;
}
