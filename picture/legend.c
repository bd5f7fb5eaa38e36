/* The legend of a picture: see legend.h. Only what occurs in the graph is in it. */
#include "legend.h"

#include "alloc.h"
#include "label.h"
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct seen {
    bool arrows, lines, hidden; /* →, —, ↔ */
    bool half, circles;         /* of PAGs: o→, and any other edge with a circle */
    bool above, below, unsign, shares, against;
    bool nominal;  /* a variable */
    bool probable; /* the shares are probabilities */
} seen;

static seen look(const dpc_scene *scene)
{
    seen s = {.probable = scene->probable};
    for (int64_t e = 0; e < scene->graph->n_edges; e++) {
        const dpc_edge_row *row = scene->edges != NULL ? &scene->edges->rows[e] : NULL;
        dpc_mark mark = scene->graph->edges[e].mark;
        bool line = mark == DPC_UNDIRECTED;
        s.lines = s.lines || line;
        s.arrows = s.arrows || mark == DPC_FORWARD || mark == DPC_BACKWARD;
        s.hidden = s.hidden || mark == DPC_BIDIRECTED;
        bool circle = dpc_end_a(mark) == DPC_END_CIRCLE || dpc_end_b(mark) == DPC_END_CIRCLE;
        bool arrow = dpc_end_a(mark) == DPC_END_ARROW || dpc_end_b(mark) == DPC_END_ARROW;
        s.half = s.half || (circle && arrow);
        s.circles = s.circles || (circle && !arrow);
        s.above = s.above || (row != NULL && dpc_edge_sign(row) > 0);
        s.below = s.below || (row != NULL && row->r < 0);
        s.unsign = s.unsign || (row != NULL && row->association);
        s.shares = s.shares || (row != NULL && !isnan(row->edge));
        s.against = s.against ||
                    (row != NULL && !line && (row->evidence < 0 || dpc_edge_row_is_doubtful(row)));
    }
    for (int v = 0; v < scene->graph->n_nodes; v++)
        s.nominal = s.nominal || dpc_scene_is_nominal(scene, v);
    return s;
}

/* Samples: drawn through, for dashes have a meaning of their own. */
#define LINE   "\u2500\u2500\u2500"
#define ARROW  "\u2500\u2500\u2192"
#define DOUBLE "\u2190\u2500\u2192"
#define HALF   "\u25cb\u2500\u2192"
#define CIRCLE "\u25cb\u2500\u25cb"
#define BOX    "\u25a3"

/* A sample in a colour, and what it means. */
static void print_item(FILE *file, const char *colour, const char *sample, const char *text)
{
    fprintf(file,
            "<td><font color=\"%s\"><b>%s</b></font></td>"
            "<td align=\"left\">&#160;%s&#160;&#160;&#160;&#160;</td>",
            colour, sample, text);
}

static void print_rows(FILE *file, const seen *s)
{
    char blue[8], orange[8], pale[8], grey[8];
    dpc_edge_colour(1, 1, blue);
    dpc_edge_colour(-1, 1, orange);
    dpc_edge_colour(1, 0.1, pale);
    dpc_edge_colour(0, 1, grey);
    bool pag = s->hidden || s->half || s->circles;
    fputs("<tr>", file);
    if (s->arrows)
        print_item(file, grey, ARROW, pag ? "A causes B" : "directed");
    if (s->lines)
        print_item(file, grey, LINE, "direction open");
    if (s->hidden)
        print_item(file, grey, DOUBLE, "a hidden cause of both");
    if (s->half)
        print_item(file, grey, HALF, "B does not cause A");
    if (s->circles)
        print_item(file, grey, CIRCLE, "cannot tell");
    if (s->against)
        print_item(file, grey, "- - \u2192", "doubtful direction");
    if (s->nominal)
        print_item(file, grey, BOX, "nominal variable");
    fputs("</tr>", file);
    if (!s->above && !s->below && !s->unsign)
        return;
    fputs("<tr>", file);
    if (s->above)
        print_item(file, blue, LINE, "positive correlation");
    if (s->below)
        print_item(file, orange, LINE, "negative correlation");
    if (s->unsign)
        print_item(file, grey, LINE, "association without a sign");
    if (s->shares)
        print_item(file, pale, LINE,
                   s->probable ? "less probable (the number: probability)"
                               : "in few resamples (their share)");
    fputs("</tr><tr><td></td><td align=\"left\" colspan=\"5\">&#160;the wider, the stronger, given "
          "the neighbours</td></tr>",
          file);
}

/* ---- Variables without edges ---- */

enum {
    MOST_NAMES = 60,  /* that are listed */
    NAMES_LINE = 100, /* characters of a line of them */
};

/* A name as text of HTML, on one line. Returns its length, about; -1: no memory. */
static int print_name(FILE *file, const char *name)
{
    char *label = dpc_label(name);
    if (label == NULL)
        return -1;
    for (const char *c = label; *c != '\0'; c++) {
        if (strchr("<>&\"'", *c) != NULL)
            fprintf(file, "&#%d;", *c);
        else
            putc(*c == '\n' ? ' ' : *c, file);
    }
    int length = (int)strlen(label);
    free(label);
    return length;
}

static bool print_names(FILE *file, const dpc_scene *scene, const bool *drawn, int count)
{
    int n = scene->graph->n_nodes, told = 0, column = 0, length = 0;
    fprintf(file,
            "<tr><td></td><td align=\"left\" colspan=\"9\">&#160;%d variable%s without edges:",
            count, dpc_plural(count));
    for (int v = 0; v < n && told < MOST_NAMES && length >= 0; v++) {
        if (drawn[v])
            continue;
        fputs(told++ > 0 ? ", " : " ", file);
        if (column > NAMES_LINE) {
            fputs("<br align=\"left\"/>&#160;", file);
            column = 0;
        }
        length = print_name(file, scene->names[v]);
        column += 2 + length;
    }
    if (told < count)
        fprintf(file, " and %d more", count - told);
    fputs("<br align=\"left\"/></td></tr>", file);
    return length >= 0;
}

/* Those that are not drawn; false: no memory. */
static bool print_alone(FILE *file, const dpc_scene *scene)
{
    int n = scene->graph->n_nodes;
    bool *drawn = dpc_alloc(n, sizeof *drawn);
    if (drawn == NULL)
        return false;
    int shown = dpc_drawn_nodes(scene->graph, drawn);
    bool made = shown == n || print_names(file, scene, drawn, n - shown);
    free(drawn);
    return made;
}

char *dpc_legend(const dpc_scene *scene)
{
    char *text = NULL;
    size_t size;
    seen s = look(scene);
    FILE *file = open_memstream(&text, &size);
    if (file == NULL)
        return NULL;
    fputs("<table border=\"0\" cellborder=\"0\" cellspacing=\"1\" cellpadding=\"1\">", file);
    if (scene->graph->n_edges > 0)
        print_rows(file, &s);
    bool made = print_alone(file, scene);
    fputs("</table>", file);
    if (fclose(file) != 0 || !made) {
        free(text);
        return NULL;
    }
    return text;
}
