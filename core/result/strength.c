/* How strong an edge is: see strength.h. */
#include "strength.h"

#include "alloc.h"
#include "sorted.h"
#include "status.h"
#include "test.h"

/* Of alpha, measured: the share of such edges is about that of false ones (docs/fit.md). */
static const double CLOSE = 0.1;

int dpc_neighbours_of_either(const dpc_adjacency *g, int a, int b, int32_t *set)
{
    int size = dpc_unite(dpc_neighbours(g, a), dpc_degree(g, a), dpc_neighbours(g, b),
                         dpc_degree(g, b), set),
        kept = 0;
    for (int i = 0; i < size; i++)
        if (set[i] != a && set[i] != b)
            set[kept++] = set[i];
    return kept;
}

/* Is it less than looking at all pairs? The sets are at most as large as both degrees. */
static bool is_little_work(const dpc_adjacency *g, const dpc_graph *graph)
{
    double work = 0, n = g->n;
    for (int64_t e = 0; e < graph->n_edges; e++) {
        double order = dpc_degree(g, graph->edges[e].a) + dpc_degree(g, graph->edges[e].b);
        work += order * order * order / 6;
    }
    return work < 1e6 + 5 * n * n;
}

static dpc_status count_edges(const dpc_correlation *c, const dpc_adjacency *g,
                              const dpc_graph *graph, const dpc_settings *settings, int32_t *set,
                              int64_t *count, dpc_error *err)
{
    dpc_status status = DPC_OK;
    for (int64_t e = 0; e < graph->n_edges && status == DPC_OK; e++) {
        const dpc_edge *edge = &graph->edges[e];
        int size = dpc_neighbours_of_either(g, edge->a, edge->b, set);
        dpc_joint partial;
        status = dpc_explain_partial(c, settings->test, edge->a, edge->b, set, size, &partial, err);
        *count += status == DPC_OK && partial.p > CLOSE * settings->alpha;
    }
    return status;
}

dpc_status dpc_count_close_calls(const dpc_correlation *c, const dpc_graph *graph,
                                 const dpc_settings *settings, int64_t *count, dpc_error *err)
{
    dpc_adjacency *g = NULL;
    int32_t *set = dpc_alloc(2 * (int64_t)graph->n_nodes, sizeof *set);
    dpc_status status = dpc_adjacency_of(graph, NULL, &g);
    if (status != DPC_OK || set == NULL)
        status = dpc_fail_memory(err, "the fit of the graph");
    *count = -1;
    if (status == DPC_OK && is_little_work(g, graph)) {
        *count = 0;
        status = count_edges(c, g, graph, settings, set, count, err);
    }
    dpc_adjacency_free(g);
    free(set);
    return status;
}
