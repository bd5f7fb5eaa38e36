/* Graphs by all DAGs that they stand for: see classes.h. */
#include "classes.h"

#include <stdlib.h>
#include <string.h>

static unsigned bit(int v)
{
    return 1u << v;
}

/* ---- DAGs ---- */

unsigned ancestors_in(const struct member *dag, int n, int x)
{
    unsigned all = bit(x), before = 0;
    while (all != before) {
        before = all;
        for (int v = 0; v < n; v++)
            if (before & bit(v))
                all |= dag->parents[v];
    }
    return all;
}

unsigned descendants_in(const struct member *dag, int n, int x)
{
    unsigned all = 0;
    for (int v = 0; v < n; v++)
        if (ancestors_in(dag, n, v) & bit(x))
            all |= bit(v);
    return all;
}

static bool acyclic(const struct member *dag, int n)
{
    for (int v = 0; v < n; v++)
        for (int p = 0; p < n; p++)
            if ((dag->parents[v] & bit(p)) && (ancestors_in(dag, n, p) & bit(v)))
                return false;
    return true;
}

/* ---- The members of a class ---- */

static bool arrow(const dpc_graph *g, int from, int to)
{
    return dpc_graph_mark(g, from, to) == DPC_FORWARD;
}

/* No collider of the DAG has ends that are not adjacent, but those of the graph. */
static bool no_new_collider(const dpc_graph *g, const struct member *dag)
{
    for (int y = 0; y < g->n_nodes; y++)
        for (int x = 0; x < g->n_nodes; x++)
            for (int z = 0; z < x; z++)
                if ((dag->parents[y] & bit(x)) && (dag->parents[y] & bit(z)) &&
                    dpc_graph_mark(g, x, z) == DPC_NONE && !(arrow(g, x, y) && arrow(g, z, y)))
                    return false;
    return true;
}

struct members members_of(const dpc_graph *g)
{
    struct members m = {.n = g->n_nodes};
    int open[CLASS_MAX * CLASS_MAX], n_open = 0;
    struct member fixed = {{0}};
    for (int64_t e = 0; e < g->n_edges; e++) {
        const dpc_edge *edge = &g->edges[e];
        if (edge->mark == DPC_UNDIRECTED)
            open[n_open++] = (int)e;
        else if (edge->mark == DPC_FORWARD)
            fixed.parents[edge->b] |= bit(edge->a);
        else
            fixed.parents[edge->a] |= bit(edge->b);
    }
    if (n_open > CLASS_EDGES || g->n_nodes > CLASS_MAX)
        abort();
    m.dags = malloc(sizeof *m.dags << n_open);
    if (m.dags == NULL)
        abort();
    for (unsigned choice = 0; choice < 1u << n_open; choice++) {
        struct member dag = fixed;
        for (int i = 0; i < n_open; i++) {
            const dpc_edge *edge = &g->edges[open[i]];
            if (choice & bit(i))
                dag.parents[edge->b] |= bit(edge->a);
            else
                dag.parents[edge->a] |= bit(edge->b);
        }
        if (acyclic(&dag, g->n_nodes) && no_new_collider(g, &dag))
            m.dags[m.count++] = dag;
    }
    return m;
}

void members_free(struct members *members)
{
    free(members->dags);
}

/* ---- Drawing ---- */

static dpc_graph whole(const dpc_dag *dag)
{
    dpc_graph g = {0};
    if (dpc_dag_edges(dag, &g, NULL) != DPC_OK)
        abort();
    return g;
}

/* Some arrows of the DAG more in its class, and then what all members that have them share. */
static void add_knowledge(gsl_rng *rng, const dpc_graph *dag, dpc_graph *class_graph)
{
    for (int64_t e = 0; e < dag->n_edges; e++)
        if (class_graph->edges[e].mark == DPC_UNDIRECTED && draw_int(rng, 0, 3) == 0)
            class_graph->edges[e].mark = dag->edges[e].mark;
    struct members m = members_of(class_graph);
    for (int64_t e = 0; e < dag->n_edges; e++) {
        dpc_edge *edge = &class_graph->edges[e];
        int forward = 0;
        for (int i = 0; i < m.count; i++)
            forward += (m.dags[i].parents[edge->b] & bit(edge->a)) != 0;
        edge->mark = forward == m.count ? DPC_FORWARD
                     : forward == 0     ? DPC_BACKWARD
                                        : DPC_UNDIRECTED;
    }
    members_free(&m);
}

static int undirected(const dpc_graph *g)
{
    int count = 0;
    for (int64_t e = 0; e < g->n_edges; e++)
        count += g->edges[e].mark == DPC_UNDIRECTED;
    return count;
}

void draw_kind(gsl_rng *rng, int n, dpc_graph_kind kind, dpc_graph *out)
{
    for (;;) {
        dpc_dag *dag = NULL;
        dpc_dag_model model = {n, 0, 0.4, 2, DPC_ER};
        model.parents = gsl_rng_uniform(rng) * (n - 1) / 2;
        if (dpc_dag_random(&model, rng, &dag, NULL) != DPC_OK)
            abort();
        dpc_graph g = whole(dag), class_graph = {0};
        if (dpc_dag_graph(dag, DPC_CPDAG, &class_graph, NULL) != DPC_OK)
            abort();
        dpc_dag_free(dag);
        bool fine = kind == DPC_GRAPH_DAG || undirected(&class_graph) <= CLASS_EDGES;
        if (fine && kind == DPC_GRAPH_MPDAG)
            add_knowledge(rng, &g, &class_graph);
        *out = kind == DPC_GRAPH_DAG ? g : class_graph;
        dpc_graph_clear(kind == DPC_GRAPH_DAG ? &class_graph : &g);
        if (fine)
            return;
        dpc_graph_clear(out);
    }
}

/* ---- Paths ---- */

static bool into(const struct member *dag, int from, int to)
{
    return (dag->parents[to] & bit(from)) != 0;
}

bool path_is_open(const struct member *dag, int n, const int32_t *path, int length, unsigned given)
{
    for (int i = 1; i + 1 < length; i++) {
        bool collider = into(dag, path[i - 1], path[i]) && into(dag, path[i + 1], path[i]);
        unsigned below = descendants_in(dag, n, path[i]);
        if (collider ? (below & given) == 0 : (given & bit(path[i])) != 0)
            return false;
    }
    return true;
}

bool path_is_causal(const struct member *dag, const int32_t *path, int length)
{
    for (int i = 0; i + 1 < length; i++)
        if (!into(dag, path[i], path[i + 1]))
            return false;
    return true;
}

/* Is there an open path that goes on from `path` to y, and, where `not_causal`, is not causal? */
static bool goes_on(const struct member *dag, int n, int y, unsigned given, bool not_causal,
                    int32_t *path, int length, unsigned used)
{
    int last = path[length - 1];
    if (last == y)
        return path_is_open(dag, n, path, length, given) &&
               !(not_causal && path_is_causal(dag, path, length));
    for (int v = 0; v < n; v++) {
        if ((used & bit(v)) || !(into(dag, last, v) || into(dag, v, last)))
            continue;
        path[length] = v;
        if (goes_on(dag, n, y, given, not_causal, path, length + 1, used | bit(v)))
            return true;
    }
    return false;
}

bool slow_separated(const struct member *dag, int n, int x, int y, unsigned given)
{
    int32_t path[CLASS_MAX] = {x};
    return !goes_on(dag, n, y, given, false, path, 1, bit(x));
}

bool slow_valid(const struct member *dag, int n, int x, int y, unsigned set)
{
    int32_t path[CLASS_MAX] = {x};
    unsigned causal = descendants_in(dag, n, x) & ancestors_in(dag, n, y) & ~bit(x);
    for (int v = 0; v < n; v++)
        if ((causal & bit(v)) && (descendants_in(dag, n, v) & set))
            return false;
    return !goes_on(dag, n, y, set, true, path, 1, bit(x));
}

bool valid_in_all(const struct members *m, int x, int y, unsigned set)
{
    for (int i = 0; i < m->count; i++)
        if (!slow_valid(&m->dags[i], m->n, x, y, set))
            return false;
    return true;
}

/* ---- Possibly directed paths ---- */

static bool leads_on(const dpc_graph *g, int y, int32_t *path, int length)
{
    if (path[length - 1] == y)
        return true;
    for (int v = 0; v < g->n_nodes; v++) {
        bool fine = dpc_graph_mark(g, path[length - 1], v) != DPC_NONE;
        for (int i = 0; i < length; i++)
            fine = fine && path[i] != v && !arrow(g, v, path[i]);
        path[length] = v;
        if (fine && leads_on(g, y, path, length + 1))
            return true;
    }
    return false;
}

bool slow_possible(const dpc_graph *g, int x, int y, bool loose)
{
    int32_t path[CLASS_MAX] = {x};
    if (!loose)
        return leads_on(g, y, path, 1);
    for (int v = 0; v < g->n_nodes; v++) {
        path[1] = v;
        if (dpc_graph_mark(g, x, v) == DPC_UNDIRECTED && leads_on(g, y, path, 2))
            return true;
    }
    return false;
}

/* ---- Distances ---- */

/* The arrows of the graph, as if they were a DAG. */
static struct member arrows_of(const dpc_graph *g)
{
    struct member arrows = {{0}};
    for (int v = 0; v < g->n_nodes; v++)
        for (int p = 0; p < g->n_nodes; p++)
            if (p != v && arrow(g, p, v))
                arrows.parents[v] |= bit(p);
    return arrows;
}

/* Parents of the nodes that are behind x and have a way to y that avoids x, less what is behind. */
static unsigned oset(const dpc_graph *g, int x, int y)
{
    struct member all = arrows_of(g), without = all;
    unsigned below = descendants_in(&all, g->n_nodes, x), set = 0;
    for (int v = 0; v < g->n_nodes; v++)
        without.parents[v] &= ~bit(x);
    for (int v = 0; v < g->n_nodes; v++)
        if (v != x && (below & bit(v)) && (ancestors_in(&without, g->n_nodes, y) & bit(v)))
            set |= all.parents[v];
    return set & ~below;
}

void slow_distances(const dpc_graph *e, const dpc_graph *t, dpc_aid *out)
{
    int n = e->n_nodes;
    struct members members = members_of(t);
    struct member arrows = arrows_of(e);
    int64_t wrong[3] = {0};
    for (int x = 0; x < n; x++)
        for (int y = 0; y < n; y++)
            for (int i = 0; i < 3 && x != y; i++) {
                bool possible = slow_possible(e, x, y, false),
                     really = slow_possible(t, x, y, false);
                bool claimed = i == 0 ? (arrows.parents[x] & bit(y)) != 0 : !possible;
                bool loose = slow_possible(e, x, y, true),
                     true_loose = slow_possible(t, x, y, true);
                unsigned set = i == 0   ? arrows.parents[x]
                               : i == 1 ? ancestors_in(&arrows, n, x) & ~bit(x)
                                        : oset(e, x, y);
                if (claimed)
                    wrong[i] += really;
                else if (loose != true_loose)
                    wrong[i]++;
                else if (!loose)
                    wrong[i] += !valid_in_all(&members, x, y, set);
            }
    *out = (dpc_aid){
        .pairs = (int64_t)n * (n - 1), .parent = wrong[0], .ancestor = wrong[1], .oset = wrong[2]};
    members_free(&members);
}
