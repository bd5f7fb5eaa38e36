/*
 * Is a graph a CPDAG: see valid.h.
 *
 * A consistent extension is searched by Dor and Tarsi's rule in its plainest form. The CPDAG of the
 * DAG found is made by its v-structures and Meek's rules, which the library's own route to it
 * (Chickering's labelling) does not use.
 */
#include "valid.h"

#include <stdlib.h>
#include <string.h>

/* m[a][b] = 1, m[b][a] = 0 is a → b; both 1 is a — b. */
struct matrix {
    int n;
    unsigned char *m;
};

static struct matrix matrix_new(int n)
{
    struct matrix g = {n, calloc((size_t)n * n + 1, 1)};
    if (g.m == NULL)
        abort();
    return g;
}

static struct matrix matrix_of(const dpc_graph *graph)
{
    struct matrix g = matrix_new(graph->n_nodes);
    for (int64_t e = 0; e < graph->n_edges; e++) {
        int a = graph->edges[e].a, b = graph->edges[e].b;
        g.m[a * g.n + b] = graph->edges[e].mark != DPC_BACKWARD;
        g.m[b * g.n + a] = graph->edges[e].mark != DPC_FORWARD;
    }
    return g;
}

static bool at(const struct matrix *g, int a, int b)
{
    return g->m[a * g->n + b];
}

static bool adjacent(const struct matrix *g, int a, int b)
{
    return at(g, a, b) || at(g, b, a);
}

static bool arrow(const struct matrix *g, int a, int b)
{
    return at(g, a, b) && !at(g, b, a);
}

static bool line(const struct matrix *g, int a, int b)
{
    return at(g, a, b) && at(g, b, a);
}

/* Takes nodes away into which no arrow points, until none is left or none can go. */
bool has_circle(const dpc_graph *graph)
{
    struct matrix g = matrix_of(graph);
    int n = g.n, left = n;
    bool gone[n + 1], moved = true;
    memset(gone, 0, sizeof gone);
    while (moved) {
        moved = false;
        for (int v = 0; v < n; v++) {
            bool free_of_arrows = !gone[v];
            for (int u = 0; u < n && free_of_arrows; u++)
                free_of_arrows = gone[u] || !arrow(&g, u, v);
            if (free_of_arrows) {
                gone[v] = moved = true;
                left--;
            }
        }
    }
    free(g.m);
    return left > 0;
}

/* May v be the sink of what is left? */
static bool is_sink(const struct matrix *g, const bool *gone, int v)
{
    for (int u = 0; u < g->n; u++) {
        if (gone[u] || !adjacent(g, u, v))
            continue;
        if (arrow(g, v, u))
            return false;
        for (int w = 0; w < g->n && line(g, u, v); w++)
            if (!gone[w] && w != u && adjacent(g, w, v) && !adjacent(g, u, w))
                return false;
    }
    return true;
}

/* Directs all edges; false: there is no consistent extension. */
static bool extend(const struct matrix *g, struct matrix *dag)
{
    int n = g->n;
    bool gone[n + 1];
    memset(gone, 0, sizeof gone);
    for (int i = 0; i < n; i++) {
        int v = 0;
        while (v < n && (gone[v] || !is_sink(g, gone, v)))
            v++;
        if (v == n)
            return false;
        for (int u = 0; u < n; u++)
            if (!gone[u] && adjacent(g, u, v))
                dag->m[u * n + v] = 1;
        gone[v] = true;
    }
    return true;
}

static bool in_v_structure(const struct matrix *dag, int a, int b)
{
    for (int c = 0; c < dag->n; c++)
        if (c != a && arrow(dag, c, b) && !adjacent(dag, a, c))
            return true;
    return false;
}

/* Does a rule of Meek's direct a — b from a to b? */
static bool follows(const struct matrix *g, int a, int b)
{
    for (int c = 0; c < g->n; c++) {
        if ((arrow(g, c, a) && !adjacent(g, c, b) && c != b) || (arrow(g, a, c) && arrow(g, c, b)))
            return true;
        for (int d = 0; d < g->n && line(g, a, c) && arrow(g, c, b); d++)
            if (d != c && line(g, a, d) && arrow(g, d, b) && !adjacent(g, c, d))
                return true;
    }
    return false;
}

static struct matrix cpdag_of(const struct matrix *dag)
{
    int n = dag->n;
    struct matrix g = matrix_new(n);
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
            if (arrow(dag, a, b)) {
                g.m[a * n + b] = 1;
                g.m[b * n + a] = !in_v_structure(dag, a, b);
            }
    for (bool changed = true; changed;) {
        changed = false;
        for (int a = 0; a < n; a++)
            for (int b = 0; b < n; b++)
                if (line(&g, a, b) && follows(&g, a, b)) {
                    g.m[b * n + a] = 0;
                    changed = true;
                }
    }
    return g;
}

bool is_cpdag(const dpc_graph *graph)
{
    struct matrix g = matrix_of(graph), dag = matrix_new(g.n);
    bool fine = extend(&g, &dag);
    if (fine) {
        struct matrix class = cpdag_of(&dag);
        fine = memcmp(class.m, g.m, (size_t)g.n * g.n) == 0;
        free(class.m);
    }
    free(dag.m);
    free(g.m);
    return fine;
}

static bool same_edges(const struct matrix *d, const struct matrix *g)
{
    for (int a = 0; a < g->n; a++)
        for (int b = 0; b < g->n; b++)
            if (adjacent(d, a, b) != adjacent(g, a, b) || line(d, a, b) ||
                (arrow(g, a, b) && !arrow(d, a, b)))
                return false;
    return true;
}

static bool same_v_structures(const struct matrix *d, const struct matrix *g)
{
    for (int a = 0; a < g->n; a++)
        for (int b = 0; b < g->n; b++)
            for (int c = 0; c < a; c++)
                if (!adjacent(g, a, c) &&
                    (arrow(d, a, b) && arrow(d, c, b)) != (arrow(g, a, b) && arrow(g, c, b)))
                    return false;
    return true;
}

bool is_extension(const dpc_graph *dag, const dpc_graph *graph)
{
    struct matrix d = matrix_of(dag), g = matrix_of(graph);
    bool fine = d.n == g.n && !has_circle(dag) && same_edges(&d, &g) && same_v_structures(&d, &g);
    free(d.m);
    free(g.m);
    return fine;
}
