/*
 * Drawing by Graphviz: see drawing.h.
 *
 * Nodes have their numbers as ids, and their names as labels, so that no name can mean anything to
 * Graphviz. What it says of itself goes nowhere, but the last sentence, which an error quotes.
 */
#include "drawing.h"

#include "alloc.h"
#include "graph.h"
#include "label.h"
#include "legend.h"
#include "platform.h"
#include "status.h"
#include "text.h"

#include <graphviz/gvc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct dpc_drawing {
    GVC_t *context;
    Agraph_t *graph;
    char **labels;    /* by number, NULL of a node that is not drawn; owned, as what follows */
    Agnode_t **nodes; /* likewise */
    Agedge_t **edges; /* in the order of the graph */
    int n_nodes;      /* of the graph, where it is drawn */
    int64_t n_edges;
};

enum {
    MANY_LABELS = 80, /* more edges have no numbers beside them */
    WIDEST = 720,     /* points; beyond, names become too small where layers are put on a page */
};

/* What Graphviz has to say; it hands over a part of a sentence at a time. */
static char complaint[200];
static bool lacks_a_part; /* a plugin is there, and could not be loaded */

static int keep_complaint(char *text)
{
    size_t used = strlen(complaint);
    if (used > 0 && complaint[used - 1] == '\n')
        used = 0;
    snprintf(complaint + used, sizeof complaint - used, "%s", text);
    lacks_a_part = lacks_a_part || strstr(complaint, "Could not load") != NULL;
    return 0;
}

static dpc_status fail(const char *what, dpc_error *err)
{
    complaint[strcspn(complaint, "\n")] = '\0';
    return dpc_fail(err, DPC_WRITE_FAILED, "Graphviz cannot %s: %s", what,
                    complaint[0] != '\0' ? complaint : "it does not say why");
}

bool dpc_memory_is_short(void)
{
    return !dpc_can_map((size_t)1 << 30);
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
    int n = dpc_most_drawn(scene->graph);
    bool large = n > 100 || scene->graph->n_edges > 200;
    if (layout == DPC_LAYOUT_DOT) {
        agattr(g, AGRAPH, "nodesep", large ? "0.15" : "0.3");
        agattr(g, AGRAPH, "ranksep", large || dpc_scene_has_tiers(scene) ? "0.9" : "0.45");
    } else {
        agattr(g, AGRAPH, "overlap", "prism");
        agattr(g, AGRAPH, "overlap_scaling", "-2"); /* twice as dense as by itself */
        agattr(g, AGRAPH, "sep", "+8");
        agattr(g, AGRAPH, "splines", large ? "line" : "true");
        agattr(g, AGRAPH, "start", "1"); /* the same picture every time */
        agattr(g, AGRAPH, "K", n > 200 ? "0.9" : "0.7");
        agattr(g, AGEDGE, "len", "1.3");
    }
}

/* ---- Nodes and edges ---- */

/* A label for Graphviz, in which \ has a meaning, and line breaks are written by it. */
static void escape(const char *label, char *out)
{
    for (; *label != '\0'; label++) {
        if (*label == '\\' || *label == '\n')
            *out++ = '\\';
        *out++ = *label == '\n' ? 'n' : *label;
    }
    *out = '\0';
}

static dpc_status add_node(dpc_drawing *p, int v, bool nominal, dpc_error *err)
{
    char id[16];
    char *escaped = dpc_alloc(2 * (int64_t)strlen(p->labels[v]) + 1, 1);
    if (escaped == NULL)
        return dpc_fail_memory(err, "a picture");
    snprintf(id, sizeof id, "n%d", v);
    p->nodes[v] = agnode(p->graph, id, 1);
    escape(p->labels[v], escaped);
    set(p->nodes[v], "label", escaped);
    set(p->nodes[v], "id", id);
    if (nominal) { /* two borders, and corners */
        set(p->nodes[v], "peripheries", "2");
        set(p->nodes[v], "style", "filled");
    }
    free(escaped);
    return DPC_OK;
}

static dpc_status add_nodes(dpc_drawing *p, const dpc_scene *scene, dpc_error *err)
{
    for (int v = 0; v < scene->graph->n_nodes; v++)
        if (p->labels[v] != NULL)
            DPC_CHECK(add_node(p, v, dpc_scene_is_nominal(scene, v), err));
    return DPC_OK;
}

/* How often it was found, beside the line. */
static void set_share(Agedge_t *e, const dpc_edge_row *row, dpc_layout layout)
{
    char text[16];
    snprintf(text, sizeof text, "    %.2f", dpc_edge_share(row));
    set(e, layout == DPC_LAYOUT_DOT ? "label" : "xlabel", text);
}

/* The marks at both ends. A plain arrow is what Graphviz draws by itself. */
static void set_marks(Agedge_t *e, dpc_mark mark)
{
    static const char *const SHAPES[] = {"", "odot", "normal", "none"}; /* by dpc_end */
    if (mark == DPC_UNDIRECTED)
        set(e, "dir", "none");
    else if (mark != DPC_FORWARD) {
        set(e, "dir", "both");
        set(e, "arrowhead", SHAPES[dpc_end_b(mark)]);
        set(e, "arrowtail", SHAPES[dpc_end_a(mark)]);
    }
}

static void dress(Agedge_t *e, const dpc_scene *scene, int64_t i, dpc_layout layout)
{
    const dpc_edge_row *row = scene->edges != NULL ? &scene->edges->rows[i] : NULL;
    double r = row != NULL ? row->r : NAN;
    char colour[8];
    dpc_edge_colour(row != NULL ? dpc_edge_sign(row) : r, row != NULL ? dpc_edge_share(row) : 1,
                    colour);
    set(e, "color", colour);
    set_number(e, "penwidth", dpc_edge_width(r));
    dpc_mark mark = dpc_edge_mark(&scene->graph->edges[i]);
    set_marks(e, mark);
    if (mark != DPC_UNDIRECTED && row != NULL &&
        (row->evidence < 0 || dpc_edge_row_is_doubtful(row)))
        set(e, "style", "dashed");
    if (scene->annotated && row != NULL && !isnan(row->edge) &&
        scene->graph->n_edges <= MANY_LABELS)
        set_share(e, row, layout);
}

static void add_edges(dpc_drawing *p, const dpc_scene *scene, dpc_layout layout)
{
    for (int64_t i = 0; i < scene->graph->n_edges; i++) {
        const dpc_edge *edge = &scene->graph->edges[i];
        char id[24];
        snprintf(id, sizeof id, "e%lld", (long long)i);
        p->edges[i] =
            agedge(p->graph, p->nodes[dpc_edge_from(edge)], p->nodes[dpc_edge_to(edge)], id, 1);
        set(p->edges[i], "id", id);
        dress(p->edges[i], scene, i, layout);
    }
}

/* Every tier a row, each below the one before. */
static void add_tiers(dpc_drawing *p, const dpc_scene *scene)
{
    int last = -1; /* a node of the tier before */
    for (int tier = 0, left = scene->graph->n_nodes; tier <= UINT16_MAX && left > 0; tier++) {
        Agraph_t *row = NULL;
        int first = -1;
        for (int v = 0; v < scene->graph->n_nodes; v++) {
            if (dpc_knowledge_tier_of(scene->knowledge, v) != tier)
                continue;
            left--;
            if (p->nodes[v] == NULL)
                continue;
            char id[24];
            snprintf(id, sizeof id, "tier%d", tier);
            row = row != NULL ? row : agsubg(p->graph, id, 1);
            agsubnode(row, p->nodes[v], 1);
            first = first < 0 ? v : first;
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

static dpc_status add_legend(dpc_drawing *p, const dpc_scene *scene, dpc_error *err)
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
static void say_too_large(dpc_drawing *p, const dpc_scene *scene)
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

static dpc_status build(dpc_drawing *p, const dpc_scene *scene, dpc_layout layout, dpc_error *err)
{
    set_defaults(p->graph, layout, scene);
    if (dpc_picture_too_large(scene->graph)) {
        say_too_large(p, scene);
        return DPC_OK;
    }
    p->n_nodes = scene->graph->n_nodes;
    p->n_edges = scene->graph->n_edges;
    DPC_CHECK(add_nodes(p, scene, err));
    add_edges(p, scene, layout);
    if (dpc_scene_has_tiers(scene) && layout == DPC_LAYOUT_DOT)
        add_tiers(p, scene);
    bool any = scene->graph->n_edges > 0 || dpc_most_drawn(scene->graph) == 0;
    return scene->annotated && any ? add_legend(p, scene, err) : DPC_OK;
}

static dpc_status lay_out(dpc_drawing *p, const dpc_scene *scene, dpc_layout layout, dpc_error *err)
{
    p->graph = agopen("dualpc", Agdirected, NULL);
    if (p->graph == NULL)
        return dpc_fail_memory(err, "a picture");
    DPC_CHECK(build(p, scene, layout, err));
    return gvLayout(p->context, p->graph, dpc_layout_words[layout]) == 0
               ? DPC_OK
               : fail("lay the graph out", err);
}

/* Layers that would have to be made very small for a page. Tiers are rows, however wide. */
static bool is_too_wide(const dpc_drawing *p, const dpc_scene *scene, dpc_layout layout)
{
    return layout == DPC_LAYOUT_DOT && scene->layout == DPC_LAYOUT_AUTO &&
           !dpc_scene_has_tiers(scene) && GD_bb(p->graph).UR.x - GD_bb(p->graph).LL.x > WIDEST;
}

/* The memory for a graph, and what its nodes are called. */
static dpc_status prepare(dpc_drawing *p, const dpc_scene *scene, dpc_error *err)
{
    int n = scene->graph->n_nodes;
    bool *drawn = dpc_zalloc(n, sizeof *drawn), made = true;
    p->labels = dpc_zalloc(n, sizeof *p->labels);
    p->nodes = dpc_zalloc(n, sizeof(Agnode_t *));
    p->edges = dpc_zalloc(scene->graph->n_edges, sizeof(Agedge_t *));
    p->context = gvContext();
    made = drawn != NULL && p->labels != NULL && p->nodes != NULL && p->edges != NULL &&
           p->context != NULL;
    if (made)
        dpc_drawn_nodes(scene->graph, drawn);
    for (int v = 0; v < n && made; v++)
        if (drawn[v])
            made = (p->labels[v] = dpc_label(scene->names[v])) != NULL;
    free(drawn);
    return made ? DPC_OK : dpc_fail_memory(err, "a picture");
}

dpc_status dpc_drawing_new(const dpc_scene *scene, dpc_drawing **out, dpc_error *err)
{
    dpc_drawing *p = *out = dpc_zalloc(1, sizeof *p);
    dpc_layout layout = dpc_layout_for(scene);
    agseterrf(keep_complaint);
    if (p == NULL)
        return dpc_fail_memory(err, "a picture");
    dpc_status status = prepare(p, scene, err);
    if (status == DPC_OK)
        status = lay_out(p, scene, layout, err);
    if (status == DPC_OK && is_too_wide(p, scene, layout)) {
        gvFreeLayout(p->context, p->graph);
        agclose(p->graph);
        status = lay_out(p, scene, DPC_LAYOUT_NEATO, err);
    }
    if (lacks_a_part && dpc_memory_is_short()) /* it would draw, but by other fonts */
        status = dpc_fail_memory(err, "a picture: Graphviz could not load all of its parts");
    return status;
}

/* ---- Where things are ---- */

/* Graphviz counts from below, and from a corner of its own. */
static double from_left(const dpc_drawing *p, double x)
{
    return x - GD_bb(p->graph).LL.x;
}

static double from_above(const dpc_drawing *p, double y)
{
    return GD_bb(p->graph).UR.y - y;
}

/* The Bézier curve of an edge, from its first end to its second: 3k + 1 points. */
static void print_curve(FILE *file, const dpc_drawing *p, Agedge_t *edge)
{
    const splines *s = ED_spl(edge);
    const bezier *curve = s != NULL && s->size > 0 ? &s->list[0] : NULL;
    int count = curve != NULL ? (int)curve->size : 0;
    putc('[', file);
    for (int i = 0; i < count; i++) {
        pointf q = curve->list[i];
        if (i == 0 && curve->sflag)
            q = curve->sp;
        if (i == count - 1 && curve->eflag) /* to the tip of the arrow */
            q = curve->ep;
        fprintf(file, "%s%.1f,%.1f", i > 0 ? "," : "", from_left(p, q.x), from_above(p, q.y));
    }
    putc(']', file);
}

static void print_node(FILE *file, const dpc_drawing *p, int v)
{
    Agnode_t *n = p->nodes[v];
    if (n == NULL) {
        fputs("null", file);
        return;
    }
    fprintf(file, "[%.1f,%.1f,%.1f,%.1f,", from_left(p, ND_coord(n).x),
            from_above(p, ND_coord(n).y), 72 * ND_width(n), 72 * ND_height(n));
    dpc_print_json_string(file, p->labels[v]);
    putc(']', file);
}

static void print_places(FILE *file, const dpc_drawing *p)
{
    boxf whole = GD_bb(p->graph);
    fprintf(file, "{\"width\":%.1f,\"height\":%.1f,\"nodes\":[", whole.UR.x - whole.LL.x,
            whole.UR.y - whole.LL.y);
    for (int v = 0; v < p->n_nodes; v++) {
        fputs(v > 0 ? "," : "", file);
        print_node(file, p, v);
    }
    fputs("],\"edges\":[", file);
    for (int64_t e = 0; e < p->n_edges; e++) {
        fputs(e > 0 ? "," : "", file);
        print_curve(file, p, p->edges[e]);
    }
    fputs("]}", file);
}

static dpc_status tell_places(const dpc_drawing *p, char **bytes, size_t *size, dpc_error *err)
{
    char *text = NULL;
    FILE *file = open_memstream(&text, size);
    if (file == NULL)
        return dpc_fail_memory(err, "a picture");
    print_places(file, p);
    if (fclose(file) != 0) {
        free(text);
        return dpc_fail_memory(err, "a picture");
    }
    *bytes = text;
    return DPC_OK;
}

/* ---- Rendering ---- */

dpc_status dpc_drawing_render(dpc_drawing *p, dpc_format format, char **bytes, size_t *size,
                              dpc_error *err)
{
    char *made = NULL;
    unsigned length = 0;
    if (format == DPC_FORMAT_JSON)
        return tell_places(p, bytes, size, err);
    complaint[0] = '\0';
    if (gvRenderData(p->context, p->graph, dpc_format_word(format), &made, &length) != 0 ||
        made == NULL)
        return fail("render the picture", err);
    *bytes = dpc_alloc((int64_t)length + 1, 1);
    if (*bytes != NULL) {
        memcpy(*bytes, made, length);
        *size = length;
    }
    gvFreeRenderData(made);
    return *bytes != NULL ? DPC_OK : dpc_fail_memory(err, "a picture");
}
