/* Background knowledge for the tests: see knowing.h. */
#include "knowing.h"

#include "twin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static dpc_knowledge *empty(int n)
{
    dpc_knowledge *k = NULL;
    if (dpc_knowledge_new(n, &k, NULL) != DPC_OK)
        abort();
    return k;
}

static void must(dpc_status status)
{
    if (status != DPC_OK)
        abort();
}

dpc_dag *draw_posed_dag(gsl_rng *rng, double *r)
{
    for (;;) {
        dpc_dag *dag = NULL;
        double variance[MPDAG_MAX], least = 1, noise[MPDAG_MAX];
        dpc_dag_model model = {draw_int(rng, 2, MPDAG_MAX), 0, 0.4, 2, DPC_ER};
        model.parents = (0.3 + 0.7 * gsl_rng_uniform(rng)) * (model.n - 1) / 2;
        must(dpc_dag_random(&model, rng, &dag, NULL));
        must(dpc_dag_correlation(dag, r, variance, NULL));
        for (int v = 0; v < dag->n; v++)
            noise[v] = 1;
        for (int64_t e = 0; e < dag->start[dag->n]; e++)
            noise[dag->parent[e]] += dag->weight[e] * dag->weight[e];
        for (int v = 0; v < dag->n; v++)
            least = fmin(least, 1 / (variance[v] * noise[v]));
        if (least >= 1e-6)
            return dag;
        dpc_dag_free(dag);
    }
}

static bool is_edge(const dpc_dag *dag, int from, int to)
{
    for (int64_t e = dag->start[to]; e < dag->start[to + 1]; e++)
        if (dag->parent[e] == from)
            return true;
    return false;
}

static bool are_adjacent(const dpc_dag *dag, int a, int b)
{
    return is_edge(dag, a, b) || is_edge(dag, b, a);
}

/* Would forbidding from → to leave a pair without an edge that has a common neighbour? */
static bool hides_triple(const dpc_dag *dag, const dpc_knowledge *k, int from, int to)
{
    bool common = false;
    for (int v = 0; v < dag->n; v++)
        common = common ||
                 (v != from && v != to && are_adjacent(dag, v, from) && are_adjacent(dag, v, to));
    return common && dpc_knowledge_forbids(k, to, from);
}

dpc_knowledge *draw_true_knowledge(const dpc_dag *dag, gsl_rng *rng)
{
    int n = dag->n, tier = 0;
    dpc_knowledge *k = empty(n);
    bool tiers = draw_int(rng, 0, 2) > 0;
    for (int i = 0; tiers && i < n; i++) {
        tier += draw_int(rng, 0, 2) == 0 ? draw_int(rng, 1, 3) : 0;
        if (draw_int(rng, 0, 4) > 0)
            must(dpc_knowledge_tier(k, dag->order[i], tier, NULL));
    }
    int chance = draw_int(rng, 0, 4);
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) {
            if (a == b || draw_int(rng, 0, 9) >= chance)
                continue;
            if (is_edge(dag, a, b))
                must(dpc_knowledge_require(k, a, b, NULL));
            else if (are_adjacent(dag, a, b) || !hides_triple(dag, k, a, b))
                must(dpc_knowledge_forbid(k, a, b, NULL));
        }
    return k;
}

dpc_knowledge *draw_any_knowledge(int n, gsl_rng *rng)
{
    dpc_knowledge *k = empty(n);
    int tiers = draw_int(rng, 0, 4), chance = draw_int(rng, 0, 8);
    for (int v = 0; tiers > 0 && v < n; v++)
        if (draw_int(rng, 0, 5) > 0)
            must(dpc_knowledge_tier(k, v, 7 * draw_int(rng, 0, tiers - 1), NULL));
    if (tiers > 0 && draw_int(rng, 0, 3) == 0)
        must(dpc_knowledge_restrict(k, 7 * draw_int(rng, 0, tiers - 1), true, false, NULL));
    for (int i = 0; i < chance * n / 4; i++) {
        int a = draw_int(rng, 0, n - 1), b = draw_int(rng, 0, n - 1);
        if (draw_int(rng, 0, 3) == 0)
            (void)dpc_knowledge_require(k, a, b, NULL); /* or it is refused */
        else if (dpc_knowledge_forbid(k, a, b, NULL) == DPC_OK && draw_int(rng, 0, 1))
            (void)dpc_knowledge_forbid(k, b, a, NULL);
    }
    return k;
}

dpc_knowledge *move_knowledge(const dpc_knowledge *knowledge, int n, const int32_t *place)
{
    dpc_knowledge *k = empty(n);
    for (int a = 0; a < n; a++) {
        if (dpc_knowledge_tier_of(knowledge, a) >= 0)
            must(dpc_knowledge_tier(k, place[a], dpc_knowledge_tier_of(knowledge, a), NULL));
        for (int b = 0; b < n; b++) {
            if (a != b && dpc_knowledge_requires(knowledge, a, b))
                must(dpc_knowledge_require(k, place[a], place[b], NULL));
            else if (a != b && dpc_knowledge_forbids(knowledge, a, b))
                must(dpc_knowledge_forbid(k, place[a], place[b], NULL));
        }
    }
    return k;
}

bool has_tiers(const dpc_knowledge *knowledge, int n)
{
    int first = -1;
    for (int v = 0; v < n; v++) {
        int tier = dpc_knowledge_tier_of(knowledge, v);
        if (tier >= 0 && first >= 0 && tier != first)
            return true;
        first = tier >= 0 ? tier : first;
    }
    return false;
}

/* ---- All DAGs ---- */

struct directions {
    int n;
    bool arrow[MPDAG_MAX][MPDAG_MAX]; /* from, to */
};

static bool acyclic(const struct directions *d)
{
    bool gone[MPDAG_MAX] = {false};
    for (int round = 0; round < d->n; round++)
        for (int v = 0; v < d->n; v++) {
            bool sink = !gone[v];
            for (int w = 0; w < d->n; w++)
                sink = sink && !(d->arrow[v][w] && !gone[w]);
            gone[v] = gone[v] || sink;
        }
    for (int v = 0; v < d->n; v++)
        if (!gone[v])
            return false;
    return true;
}

static bool joined(const struct directions *d, int a, int b)
{
    return d->arrow[a][b] || d->arrow[b][a];
}

static bool same_colliders(const struct directions *p, const struct directions *q)
{
    for (int y = 0; y < p->n; y++)
        for (int x = 0; x < p->n; x++)
            for (int z = 0; z < x; z++)
                if (!joined(p, x, z) &&
                    (p->arrow[x][y] && p->arrow[z][y]) != (q->arrow[x][y] && q->arrow[z][y]))
                    return false;
    return true;
}

static bool respects(const struct directions *d, const dpc_knowledge *knowledge)
{
    for (int a = 0; a < d->n; a++)
        for (int b = 0; b < d->n; b++)
            if (a != b && (d->arrow[a][b] ? dpc_knowledge_forbids(knowledge, a, b)
                                          : dpc_knowledge_requires(knowledge, a, b)))
                return false;
    return true;
}

void slow_mpdag(const dpc_dag *dag, const dpc_knowledge *knowledge,
                dpc_mark mark[MPDAG_MAX][MPDAG_MAX])
{
    struct directions truth = {.n = dag->n};
    int edges = 0, from[MPDAG_MAX * MPDAG_MAX], to[MPDAG_MAX * MPDAG_MAX];
    for (int b = 0; b < dag->n; b++)
        for (int64_t e = dag->start[b]; e < dag->start[b + 1]; e++) {
            truth.arrow[dag->parent[e]][b] = true;
            from[edges] = dag->parent[e];
            to[edges++] = b;
        }
    bool seen[MPDAG_MAX][MPDAG_MAX] = {{false}};
    for (unsigned long bits = 0; bits < 1ul << edges; bits++) {
        struct directions d = {.n = dag->n};
        for (int e = 0; e < edges; e++)
            d.arrow[bits >> e & 1 ? from[e] : to[e]][bits >> e & 1 ? to[e] : from[e]] = true;
        if (!respects(&d, knowledge) || !same_colliders(&truth, &d) || !acyclic(&d))
            continue;
        for (int a = 0; a < dag->n; a++)
            for (int b = 0; b < dag->n; b++)
                seen[a][b] = seen[a][b] || d.arrow[a][b];
    }
    for (int a = 0; a < dag->n; a++)
        for (int b = 0; b < dag->n; b++)
            mark[a][b] = seen[a][b] && seen[b][a] ? DPC_UNDIRECTED
                         : seen[a][b]             ? DPC_FORWARD
                         : seen[b][a]             ? DPC_BACKWARD
                                                  : DPC_NONE;
}

/* ---- Any graph ---- */

bool violates(const dpc_graph *graph, const dpc_knowledge *knowledge, bool directions)
{
    for (int a = 0; a < graph->n_nodes; a++)
        for (int b = 0; b < graph->n_nodes; b++) {
            if (a == b)
                continue;
            dpc_mark mark = dpc_graph_mark(graph, a, b);
            bool ab = dpc_knowledge_forbids(knowledge, a, b);
            bool ba = dpc_knowledge_forbids(knowledge, b, a);
            if ((mark != DPC_NONE && ab && ba) || (mark == DPC_FORWARD && ab) ||
                (directions && mark == DPC_UNDIRECTED && (ab || ba)))
                return true;
            if (dpc_knowledge_requires(knowledge, a, b) &&
                (directions ? mark != DPC_FORWARD : mark == DPC_NONE))
                return true;
        }
    return false;
}

static bool arrow(const dpc_graph *g, int a, int b)
{
    return dpc_graph_mark(g, a, b) == DPC_FORWARD;
}

static bool line(const dpc_graph *g, int a, int b)
{
    return dpc_graph_mark(g, a, b) == DPC_UNDIRECTED;
}

static bool apart(const dpc_graph *g, int a, int b)
{
    return a != b && dpc_graph_mark(g, a, b) == DPC_NONE;
}

/* a — b: would a rule direct it from a to b? */
static bool rule_applies(const dpc_graph *g, int a, int b)
{
    int n = g->n_nodes;
    for (int c = 0; c < n; c++) {
        if (c == a || c == b)
            continue;
        if ((arrow(g, c, a) && apart(g, c, b)) || (arrow(g, a, c) && arrow(g, c, b)))
            return true;
        for (int d = 0; d < n; d++) {
            if (d == a || d == b || d == c)
                continue;
            if (line(g, a, c) && line(g, a, d) && arrow(g, c, b) && arrow(g, d, b) &&
                apart(g, c, d))
                return true;
            if (line(g, a, c) && arrow(g, c, d) && arrow(g, d, b) && apart(g, c, b) &&
                !apart(g, a, d))
                return true;
        }
    }
    return false;
}

bool rules_apply(const dpc_graph *graph)
{
    for (int a = 0; a < graph->n_nodes; a++)
        for (int b = 0; b < graph->n_nodes; b++)
            if (a != b && line(graph, a, b) && rule_applies(graph, a, b))
                return true;
    return false;
}

/* ---- Votes ---- */

/* All neighbours of a node that a set for the pair x, z may hold, as bits. */
static unsigned pool(const dpc_graph *graph, const dpc_knowledge *k, int node, int x, int z)
{
    unsigned bits = 0;
    int tx = dpc_knowledge_tier_of(k, x), tz = dpc_knowledge_tier_of(k, z);
    for (int v = 0; v < graph->n_nodes; v++) {
        int tv = dpc_knowledge_tier_of(k, v);
        bool later = tx >= 0 && tz >= 0 && tv > tx && tv > tz;
        bits |= (unsigned)(v != node && !apart(graph, node, v) && !later) << v;
    }
    return bits;
}

double slow_share(const dpc_graph *graph, const dpc_correlation *c, const dpc_settings *settings,
                  int x, int y, int z)
{
    double with = 0, all = 0;
    unsigned of_x = pool(graph, settings->knowledge, x, x, z);
    unsigned of_z = pool(graph, settings->knowledge, z, x, z);
    for (unsigned set = 0; set < 1u << c->n_vars; set++) {
        int32_t members[SHARE_MAX];
        int size = 0;
        int votes = ((set & ~of_x) == 0) + ((set & ~of_z) == 0);
        if (votes == 0)
            continue;
        for (int v = 0; v < c->n_vars; v++)
            if (set >> v & 1)
                members[size++] = v;
        double n_obs = (double)slow_rows(c, x, z, members, size);
        double critical = reference_critical(settings->test, settings->alpha, n_obs, size);
        if (size > settings->max_order || isnan(critical))
            continue;
        bool separates = fabsl(slow_partial(c, x, z, members, size)) <= critical;
        all += separates ? votes : 0;
        with += separates && (set >> y & 1) ? votes : 0;
    }
    return with / all;
}
