/*
 * Pictures by Graphviz: see picture.h.
 *
 * Nodes have their numbers as ids, and their names as labels, so that no name can mean anything to
 * Graphviz. What it says of itself goes nowhere, but the last sentence, which an error quotes.
 */
#include "picture.h"

#include "error.h"
#include "legend.h"
#include "memory.h"
#include "text.h"

#include <graphviz/gvc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * One for the whole program, to its end: the plugin that measures text remembers the last font by a
 * pointer, which would outlive a context that is freed.
 */
static GVC_t *context;

struct dpc_picture {
    Agraph_t *graph;
    Agnode_t **nodes; /* by number; owned */
    Agedge_t **edges; /* in the order of the graph; owned */
    bool laid_out;
};

const char *const dpc_layout_words[] = {"auto", "dot", "neato", "fdp", "sfdp", "circo", NULL};

enum {
    MOST_NODES = 5000, /* of a picture: sfdp takes about ten seconds */
    MOST_EDGES = 25000,
    MANY_LABELS = 80,  /* more edges have no numbers beside them */
    LONGEST_NAME = 36, /* characters of a name that are shown */
};

/* What Graphviz has to say; it hands over a part of a sentence at a time. */
static char complaint[200];

static int keep_complaint(char *text)
{
    size_t used = strlen(complaint);
    if (used > 0 && complaint[used - 1] == '\n')
        used = 0;
    snprintf(complaint + used, sizeof complaint - used, "%s", text);
    return 0;
}

static dpc_status fail(const char *what, dpc_error *err)
{
    complaint[strcspn(complaint, "\n")] = '\0';
    return dpc_fail(err, DPC_WRITE_FAILED, "Graphviz cannot %s: %s", what,
                    complaint[0] != '\0' ? complaint : "it does not say why");
}

/* ---- Which layout ---- */

bool dpc_picture_too_large(const dpc_graph *graph)
{
    return graph->n_nodes > MOST_NODES || graph->n_edges > MOST_EDGES;
}

static bool has_tiers(const dpc_scene *scene)
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
    return graph->n_nodes <= MOST[layout].nodes && graph->n_edges <= MOST[layout].edges;
}

/* Layers as long as they can be followed by eye, then springs. */
dpc_layout dpc_layout_for(const dpc_scene *scene)
{
    int n = scene->graph->n_nodes;
    int64_t edges = scene->graph->n_edges;
    if (scene->layout != DPC_LAYOUT_AUTO)
        return in_time(scene->layout, scene->graph) ? scene->layout : DPC_LAYOUT_SFDP;
    if ((n <= 60 && edges <= 150) || (has_tiers(scene) && n <= 200 && edges <= 300))
        return DPC_LAYOUT_DOT;
    return n <= 120 ? DPC_LAYOUT_NEATO : DPC_LAYOUT_SFDP;
}

/* ---- Attributes ---- */

static void set(void *object, const char *name, const char *value)
{
    agsafeset(object, (char *)name, (char *)value, "");
}

static void set_number(void *object, const char *name, double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.3g", value);
    set(object, name, text);
}

static void set_defaults(Agraph_t *g, dpc_layout layout, const dpc_scene *scene)
{
    static const char *const GRAPH[][2] = {
        {"bgcolor", "white"},     {"pad", "0.25"},           {"outputorder", "edgesfirst"},
        {"charset", "UTF-8"},     {"fontname", "Helvetica"}, {"fontsize", "11"},
        {"fontcolor", "#4a4a4a"}, {"labelloc", "b"},         {"forcelabels", "true"},
    };
    static const char *const NODE[][2] = {
        {"shape", "box"},     {"style", "rounded,filled"}, {"fillcolor", "#f3f5f8"},
        {"color", "#6b7785"}, {"penwidth", "0.9"},         {"fontname", "Helvetica"},
        {"fontsize", "12"},   {"margin", "0.10,0.05"},     {"width", "0.4"},
        {"height", "0.32"},   {"fontcolor", "#1b1f24"},
    };
    static const char *const EDGE[][2] = {
        {"arrowsize", "0.75"},
        {"fontname", "Helvetica"},
        {"fontsize", "9"},
        {"fontcolor", "#4a4a4a"},
    };
    for (size_t i = 0; i < sizeof GRAPH / sizeof *GRAPH; i++)
        agattr(g, AGRAPH, (char *)GRAPH[i][0], (char *)GRAPH[i][1]);
    for (size_t i = 0; i < sizeof NODE / sizeof *NODE; i++)
        agattr(g, AGNODE, (char *)NODE[i][0], (char *)NODE[i][1]);
    for (size_t i = 0; i < sizeof EDGE / sizeof *EDGE; i++)
        agattr(g, AGEDGE, (char *)EDGE[i][0], (char *)EDGE[i][1]);
    int n = scene->graph->n_nodes;
    bool large = n > 150 || scene->graph->n_edges > 200;
    if (layout == DPC_LAYOUT_DOT) {
        agattr(g, AGRAPH, "nodesep", large ? "0.15" : "0.3");
        agattr(g, AGRAPH, "ranksep", large || has_tiers(scene) ? "0.9" : "0.45");
    } else {
        agattr(g, AGRAPH, "overlap", "prism");
        agattr(g, AGRAPH, "sep", "+8");
        agattr(g, AGRAPH, "splines", large ? "line" : "true");
        agattr(g, AGRAPH, "start", "1"); /* the same picture every time */
        agattr(g, AGRAPH, "K", n > 200 ? "0.9" : "0.7");
        agattr(g, AGEDGE, "len", "1.3");
    }
}

/* ---- Nodes and edges ---- */

/* A name for a label: \ has a meaning there, and a very long one is cut. */
static void write_label(const char *name, char *out)
{
    size_t left = strlen(name);
    for (int shown = 0; left > 0; shown++) {
        int length = dpc_utf8_length(name, left);
        if (shown == LONGEST_NAME) {
            strcpy(out, "…");
            return;
        }
        if (*name == '\\')
            *out++ = '\\';
        if (length == 0) { /* Latin-1, as everywhere */
            *out++ = (char)(0xc0 | (unsigned char)*name >> 6);
            *out++ = (char)(0x80 | ((unsigned char)*name & 0x3f));
        }
        for (int i = 0; i < length; i++)
            *out++ = (unsigned char)name[i] < 0x20 ? ' ' : name[i];
        name += length > 0 ? length : 1;
        left -= length > 0 ? (size_t)length : 1;
    }
    *out = '\0';
}

static dpc_status add_nodes(dpc_picture *p, const dpc_scene *scene, dpc_error *err)
{
    for (int v = 0; v < scene->graph->n_nodes; v++) {
        char id[16];
        char *label = dpc_alloc(2 * (int64_t)strlen(scene->names[v]) + 8, 1);
        if (label == NULL)
            return dpc_fail_memory(err, "a picture");
        snprintf(id, sizeof id, "n%d", v);
        p->nodes[v] = agnode(p->graph, id, 1);
        write_label(scene->names[v], label);
        set(p->nodes[v], "label", label);
        set(p->nodes[v], "id", id);
        free(label);
    }
    return DPC_OK;
}

/* How often it was found, beside the line. */
static void set_share(Agedge_t *e, const dpc_edge_row *row, dpc_layout layout)
{
    char text[16];
    snprintf(text, sizeof text, "    %.2f", dpc_edge_share(row));
    set(e, layout == DPC_LAYOUT_DOT ? "label" : "xlabel", text);
}

static void dress(Agedge_t *e, const dpc_scene *scene, int64_t i, dpc_layout layout)
{
    const dpc_edge_row *row = scene->edges != NULL ? &scene->edges->rows[i] : NULL;
    double r = row != NULL ? row->r : NAN;
    char colour[8];
    dpc_edge_colour(r, row != NULL ? dpc_edge_share(row) : 1, colour);
    set(e, "color", colour);
    set_number(e, "penwidth", dpc_edge_width(r));
    if (scene->graph->edges[i].mark == DPC_UNDIRECTED)
        set(e, "dir", "none");
    else if (row != NULL && row->evidence < 0)
        set(e, "style", "dashed");
    if (scene->annotated && row != NULL && !isnan(row->edge) &&
        scene->graph->n_edges <= MANY_LABELS)
        set_share(e, row, layout);
}

static void add_edges(dpc_picture *p, const dpc_scene *scene, dpc_layout layout)
{
    for (int64_t i = 0; i < scene->graph->n_edges; i++) {
        const dpc_edge *edge = &scene->graph->edges[i];
        bool turn = edge->mark == DPC_BACKWARD;
        char id[24];
        snprintf(id, sizeof id, "e%lld", (long long)i);
        p->edges[i] = agedge(p->graph, p->nodes[turn ? edge->b : edge->a],
                             p->nodes[turn ? edge->a : edge->b], id, 1);
        set(p->edges[i], "id", id);
        dress(p->edges[i], scene, i, layout);
    }
}

/* Every tier a row, each below the one before. */
static void add_tiers(dpc_picture *p, const dpc_scene *scene)
{
    int last = -1; /* a node of the tier before */
    for (int tier = 0, left = scene->graph->n_nodes; tier <= UINT16_MAX && left > 0; tier++) {
        Agraph_t *row = NULL;
        int first = -1;
        for (int v = 0; v < scene->graph->n_nodes; v++) {
            if (dpc_knowledge_tier_of(scene->knowledge, v) != tier)
                continue;
            char id[24];
            snprintf(id, sizeof id, "tier%d", tier);
            row = row != NULL ? row : agsubg(p->graph, id, 1);
            agsubnode(row, p->nodes[v], 1);
            first = first < 0 ? v : first;
            left--;
        }
        if (row == NULL)
            continue;
        set(row, "rank", "same");
        if (last >= 0) {
            Agedge_t *e = agedge(p->graph, p->nodes[last], p->nodes[first], "order", 1);
            set(e, "style", "invis");
            set(e, "weight", "0");
        }
        last = first;
    }
}

static dpc_status add_legend(dpc_picture *p, const dpc_scene *scene, dpc_error *err)
{
    char *text = dpc_legend(scene);
    if (text == NULL)
        return dpc_fail_memory(err, "a legend");
    char *html = agstrdup_html(p->graph, text);
    agattr(p->graph, AGRAPH, "label", html);
    agstrfree(p->graph, html);
    free(text);
    return DPC_OK;
}

/* ---- The whole ---- */

/* In the place of a picture that nobody would wait for. */
static void say_too_large(dpc_picture *p, const dpc_scene *scene)
{
    char text[200];
    snprintf(text, sizeof text,
             "%d nodes and %lld edges are too many to draw.\\n"
             "dualpc convert writes GraphML, for Gephi and Cytoscape.",
             scene->graph->n_nodes, (long long)scene->graph->n_edges);
    Agnode_t *node = agnode(p->graph, "note", 1);
    set(node, "label", text);
    set(node, "shape", "plaintext");
    set(node, "style", "");
}

static dpc_status build(dpc_picture *p, const dpc_scene *scene, dpc_layout layout, dpc_error *err)
{
    dpc_status status = DPC_OK;
    set_defaults(p->graph, layout, scene);
    if (dpc_picture_too_large(scene->graph)) {
        say_too_large(p, scene);
        return DPC_OK;
    }
    status = add_nodes(p, scene, err);
    if (status == DPC_OK)
        add_edges(p, scene, layout);
    if (status == DPC_OK && has_tiers(scene) && layout == DPC_LAYOUT_DOT)
        add_tiers(p, scene);
    if (status == DPC_OK && scene->annotated && scene->graph->n_edges > 0)
        status = add_legend(p, scene, err);
    return status;
}

dpc_status dpc_picture_new(const dpc_scene *scene, dpc_picture **out, dpc_error *err)
{
    dpc_picture *p = dpc_zalloc(1, sizeof *p);
    dpc_layout layout = dpc_layout_for(scene);
    dpc_status status = DPC_OK;
    complaint[0] = '\0';
    agseterrf(keep_complaint);
    if (p != NULL) {
        p->nodes = dpc_zalloc(scene->graph->n_nodes, sizeof(Agnode_t *));
        p->edges = dpc_zalloc(scene->graph->n_edges, sizeof(Agedge_t *));
        context = context != NULL ? context : gvContext();
        p->graph = agopen("dualpc", Agdirected, NULL);
    }
    if (p == NULL || p->nodes == NULL || p->edges == NULL || context == NULL || p->graph == NULL)
        status = dpc_fail_memory(err, "a picture");
    if (status == DPC_OK)
        status = build(p, scene, layout, err);
    if (status == DPC_OK) {
        p->laid_out = gvLayout(context, p->graph, dpc_layout_words[layout]) == 0;
        status = p->laid_out ? DPC_OK : fail("lay the graph out", err);
    }
    if (status == DPC_OK)
        *out = p;
    else
        dpc_picture_free(p);
    return status;
}

void dpc_picture_free(dpc_picture *p)
{
    if (p == NULL)
        return;
    if (p->laid_out)
        gvFreeLayout(context, p->graph);
    if (p->graph != NULL)
        agclose(p->graph);
    free(p->nodes);
    free(p->edges);
    free(p);
}

dpc_status dpc_picture_render(dpc_picture *p, dpc_format format, char **bytes, size_t *size,
                              dpc_error *err)
{
    char *made = NULL;
    unsigned length = 0;
    complaint[0] = '\0';
    if (gvRenderData(context, p->graph, dpc_format_word(format), &made, &length) != 0 ||
        made == NULL)
        return fail("render the picture", err);
    *bytes = dpc_alloc((int64_t)length + 1, 1);
    if (*bytes != NULL) {
        memcpy(*bytes, made, length);
        (*bytes)[length] = '\0';
        *size = length;
    }
    gvFreeRenderData(made);
    return *bytes != NULL ? DPC_OK : dpc_fail_memory(err, "a picture");
}

/* ---- Where things are ---- */

/* Graphviz counts from below. */
static double from_above(const dpc_picture *p, double y)
{
    return GD_bb(p->graph).UR.y - y;
}

dpc_box dpc_picture_size(const dpc_picture *p)
{
    boxf box = GD_bb(p->graph);
    return (dpc_box){0, 0, box.UR.x - box.LL.x, box.UR.y - box.LL.y};
}

dpc_box dpc_picture_node(const dpc_picture *p, int node)
{
    Agnode_t *n = p->nodes[node];
    return (dpc_box){ND_coord(n).x - GD_bb(p->graph).LL.x, from_above(p, ND_coord(n).y),
                     72 * ND_width(n), 72 * ND_height(n)};
}

dpc_status dpc_picture_edge(const dpc_picture *p, int64_t edge, double (**points)[2], int *count,
                            dpc_error *err)
{
    const splines *s = ED_spl(p->edges[edge]);
    const bezier *curve = s != NULL && s->size > 0 ? &s->list[0] : NULL;
    *count = curve != NULL ? (int)curve->size : 0;
    *points = dpc_alloc(*count + INT64_C(1), sizeof **points);
    if (*points == NULL)
        return dpc_fail_memory(err, "a picture");
    for (int i = 0; i < *count; i++) {
        pointf q = curve->list[i];
        if (i == 0 && curve->sflag)
            q = curve->sp;
        if (i == *count - 1 && curve->eflag) /* to the tip of the arrow */
            q = curve->ep;
        (*points)[i][0] = q.x - GD_bb(p->graph).LL.x;
        (*points)[i][1] = from_above(p, q.y);
    }
    return DPC_OK;
}
