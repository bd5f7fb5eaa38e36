/* Which of Graphviz's programs lays a scene out: see picture.h. */
#include "picture.h"

const char *const dpc_layout_words[] = {"auto", "dot", "neato", "fdp", "sfdp", "circo", NULL};

enum {
    MOST_NODES = 5000, /* of a picture: sfdp takes about ten seconds */
    MOST_EDGES = 25000,
    FEW_NODES = 20, /* up to so many are drawn with edges or without */
};

int dpc_most_drawn(const dpc_graph *graph)
{
    int n = graph->n_nodes;
    return n <= FEW_NODES || graph->n_edges > n / 2 ? n : (int)(2 * graph->n_edges);
}

int dpc_drawn_nodes(const dpc_graph *graph, bool *drawn)
{
    int n = graph->n_nodes, count = 0;
    for (int v = 0; v < n; v++)
        drawn[v] = n <= FEW_NODES;
    for (int64_t e = 0; e < graph->n_edges; e++)
        drawn[graph->edges[e].a] = drawn[graph->edges[e].b] = true;
    for (int v = 0; v < n; v++)
        count += drawn[v];
    return count;
}

bool dpc_picture_too_large(const dpc_graph *graph)
{
    return graph->n_edges > MOST_EDGES || dpc_most_drawn(graph) > MOST_NODES;
}

bool dpc_scene_has_tiers(const dpc_scene *scene)
{
    dpc_knowledge_counts counts = {0};
    if (scene->knowledge != NULL)
        dpc_knowledge_count(scene->knowledge, &counts);
    return counts.tiers > 1;
}

/* Would it be done within a minute? The times of dot and circo explode with the edges. */
static bool in_time(dpc_layout layout, const dpc_graph *graph)
{
    static const struct {
        int nodes, edges;
    } MOST[] = {
        [DPC_LAYOUT_DOT] = {400, 500},    [DPC_LAYOUT_NEATO] = {2000, 10000},
        [DPC_LAYOUT_FDP] = {3000, 10000}, [DPC_LAYOUT_SFDP] = {MOST_NODES, MOST_EDGES},
        [DPC_LAYOUT_CIRCO] = {300, 200},
    };
    return dpc_most_drawn(graph) <= MOST[layout].nodes && graph->n_edges <= MOST[layout].edges;
}

/* Layers as long as they can be followed by eye, then springs. */
dpc_layout dpc_layout_for(const dpc_scene *scene)
{
    int n = dpc_most_drawn(scene->graph);
    int64_t edges = scene->graph->n_edges;
    if (scene->layout != DPC_LAYOUT_AUTO)
        return in_time(scene->layout, scene->graph) ? scene->layout : DPC_LAYOUT_SFDP;
    if ((n <= 60 && edges <= 150) || (dpc_scene_has_tiers(scene) && n <= 200 && edges <= 300))
        return DPC_LAYOUT_DOT;
    return n <= 200 && edges <= 1000 ? DPC_LAYOUT_NEATO : DPC_LAYOUT_SFDP;
}
