/* The strongest edges of a scene: see report.h. */
#include "report.h"

#include "alloc.h"
#include "status.h"

#include <math.h>
#include <stdlib.h>

typedef struct weighted_edge {
    double strength; /* -1: not known */
    int64_t index;
} weighted_edge;

/* The stronger first; of equals the one that comes first. */
static int by_strength(const void *left, const void *right)
{
    const weighted_edge *l = left, *r = right;
    if (l->strength != r->strength)
        return l->strength > r->strength ? -1 : 1;
    return l->index < r->index ? -1 : l->index > r->index;
}

static int by_index(const void *left, const void *right)
{
    const weighted_edge *l = left, *r = right;
    return l->index < r->index ? -1 : l->index > r->index;
}

static weighted_edge *sort_edges(const dpc_edge_table *table, int64_t most)
{
    weighted_edge *list = dpc_alloc(table->n_rows, sizeof *list);
    for (int64_t e = 0; list != NULL && e < table->n_rows; e++) {
        double r = table->rows[e].r;
        list[e] = (weighted_edge){isnan(r) ? -1 : fabs(r), e};
    }
    if (list == NULL)
        return NULL;
    qsort(list, (size_t)table->n_rows, sizeof *list, by_strength);
    qsort(list, (size_t)most, sizeof *list, by_index);
    return list;
}

dpc_status dpc_strongest_make(const dpc_scene *scene, int64_t most, dpc_strongest *out,
                              dpc_error *err)
{
    const dpc_graph *graph = scene->graph;
    most = most < graph->n_edges ? most : graph->n_edges;
    weighted_edge *list = sort_edges(scene->edges, most);
    *out = (dpc_strongest){.graph = *graph, .scene = *scene};
    out->graph.n_edges = most;
    out->graph.edges = dpc_alloc(most, sizeof *out->graph.edges);
    out->index = dpc_alloc(most, sizeof *out->index);
    bool made = list != NULL && out->graph.edges != NULL && out->index != NULL;
    for (int64_t i = 0; i < most && made; i++) {
        out->index[i] = list[i].index;
        out->graph.edges[i] = graph->edges[list[i].index];
    }
    free(list);
    out->scene.graph = &out->graph;
    out->scene.edges = NULL;
    return made ? DPC_OK : dpc_fail_memory(err, "the report");
}

void dpc_strongest_clear(dpc_strongest *strongest)
{
    free(strongest->graph.edges);
    free(strongest->index);
}
