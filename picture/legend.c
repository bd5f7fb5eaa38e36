/* The legend of a picture: see legend.h. Only what occurs in the graph is in it. */
#include "legend.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct seen {
    bool arrows, lines, hidden, circles; /* →, —, ↔, and a circle at an end */
    bool above, below, shares, against;
} seen;

static seen look(const dpc_scene *scene)
{
    seen s = {0};
    for (int64_t e = 0; e < scene->graph->n_edges; e++) {
        const dpc_edge_row *row = scene->edges != NULL ? &scene->edges->rows[e] : NULL;
        dpc_mark mark = scene->graph->edges[e].mark;
        bool line = mark == DPC_UNDIRECTED;
        s.lines = s.lines || line;
        s.arrows = s.arrows || mark == DPC_FORWARD || mark == DPC_BACKWARD;
        s.hidden = s.hidden || mark == DPC_BIDIRECTED;
        s.circles =
            s.circles || dpc_end_a(mark) == DPC_END_CIRCLE || dpc_end_b(mark) == DPC_END_CIRCLE;
        s.above = s.above || (row != NULL && row->r > 0);
        s.below = s.below || (row != NULL && row->r < 0);
        s.shares = s.shares || (row != NULL && !isnan(row->edge));
        s.against = s.against || (row != NULL && !line && row->evidence < 0);
    }
    return s;
}

/* Samples: drawn through, for dashes have a meaning of their own. */
#define LINE   "\u2500\u2500\u2500"
#define ARROW  "\u2500\u2500\u2192"
#define DOUBLE "\u2190\u2500\u2192"
#define CIRCLE "\u25cb\u2500\u2500"

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
    fputs("<tr>", file);
    if (s->arrows)
        print_item(file, grey, ARROW, "directed");
    if (s->lines)
        print_item(file, grey, LINE, "direction open");
    if (s->hidden)
        print_item(file, grey, DOUBLE, "hidden common cause");
    if (s->circles)
        print_item(file, grey, CIRCLE, "this end may be a tail or an arrowhead");
    if (s->against)
        print_item(file, grey, "- - \u2192", "directed against the data");
    fputs("</tr>", file);
    if (!s->above && !s->below)
        return;
    fputs("<tr>", file);
    if (s->above)
        print_item(file, blue, LINE, "positive correlation");
    if (s->below)
        print_item(file, orange, LINE, "negative correlation");
    if (s->shares)
        print_item(file, pale, LINE, "in few resamples (their share)");
    fputs("</tr><tr><td></td><td align=\"left\" colspan=\"5\">&#160;the wider, the stronger, given "
          "the neighbours</td></tr>",
          file);
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
    print_rows(file, &s);
    fputs("</table>", file);
    if (fclose(file) != 0) {
        free(text);
        return NULL;
    }
    return text;
}
