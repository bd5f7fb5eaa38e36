/*
 * Pictures of graphs, by Graphviz's library: a graph is laid out once, and then rendered as SVG,
 * PNG or PDF as often as one likes, or asked where its nodes and edges are.
 *
 * What a picture tells: an arrow has a direction, a line has none; the edges of a PAG have a circle
 * at an end of which nothing is known, and two heads where a hidden cause is. The colour is the
 * sign of the partial correlation given the neighbours, blue above 0 and orange below (colours that
 * colour-blind people tell apart), the width its size. An edge without a sign is grey: one of its
 * ends is nominal, which has a double border, or a block. With a bootstrap the shade is how often
 * the arrow, or the line, was found. Arrows that the data contradict, or more resamples reverse
 * than keep, are dashed. Tiers are rows. A legend says all this, of what occurs. Variables without
 * edges are not drawn in large graphs: the legend lists them.
 *
 * The library of this house does not know of pictures: they belong to the program.
 */
#ifndef DPC_PICTURE_H
#define DPC_PICTURE_H

#include "dualpc_io.h"

typedef enum dpc_layout {
    DPC_LAYOUT_AUTO, /* by the size: see dpc_layout_for */
    DPC_LAYOUT_DOT,
    DPC_LAYOUT_NEATO,
    DPC_LAYOUT_FDP,
    DPC_LAYOUT_SFDP,
    DPC_LAYOUT_CIRCO,
} dpc_layout;

/* Their words, ended by NULL, in this order. */
extern const char *const dpc_layout_words[];

/* What is drawn. */
typedef struct dpc_scene {
    const char *const *names;
    const dpc_graph *graph;
    const dpc_edge_table *edges;    /* of this graph, in its order; NULL: only the graph is known */
    const dpc_knowledge *knowledge; /* whose tiers become rows; may be NULL */
    const dpc_table *table;         /* whose variables are of kinds; NULL: all are numbers */
    dpc_layout layout;
    bool probable;         /* shares are probabilities, not those of resamples */
    bool annotated;        /* with a legend, and numbers beside the lines */
    bool (*stopped)(void); /* is it called off? Asked after a signal; NULL: never */
} dpc_scene;

/* Is a variable nominal? */
static inline bool dpc_scene_is_nominal(const dpc_scene *scene, int v)
{
    return scene->table != NULL && dpc_table_variable(scene->table, v).kind == DPC_NOMINAL;
}

/* Has the knowledge of the scene more than one tier? */
bool dpc_scene_has_tiers(const dpc_scene *scene);

typedef struct dpc_picture dpc_picture; /* opaque */

/*
 * Which nodes are drawn, one by one: all of a small graph, and those with an edge of a larger one.
 * Returns how many. And a number that this cannot exceed, which is chosen by.
 */
int dpc_drawn_nodes(const dpc_graph *graph, bool *drawn);
int dpc_most_drawn(const dpc_graph *graph);

/*
 * The layout that is taken: that of the scene, unless it is DPC_LAYOUT_AUTO or would take too long.
 * In the first case a picture whose layers are too wide for a page is laid out by neato after all.
 */
dpc_layout dpc_layout_for(const dpc_scene *scene);

/*
 * Are there more nodes or edges than can be laid out in reasonable time? The picture of such a
 * graph says so, and has nothing else in it.
 */
bool dpc_picture_too_large(const dpc_graph *graph);

/*
 * Lays a scene out. Free with dpc_picture_free.
 *
 * Graphviz works in a process of its own, which lives as long as the picture: where it crashes or
 * gives up, which it does for want of memory, that is a status with a sentence here. The process is
 * a fork of this one, so no other thread should be at work then; it calls Graphviz, the rooms
 * picture/ and base/, and nothing that computes. SIGPIPE must be ignored.
 */
dpc_status dpc_picture_new(const dpc_scene *scene, dpc_picture **out, dpc_error *err);
void dpc_picture_free(dpc_picture *picture);

/*
 * As SVG, PNG or PDF, into memory that free() takes, with a 0 behind it. JSON is where things are,
 * in points from the upper left corner: {"width", "height", "nodes": [[x, y, width, height, label],
 * …] by their centres, "edges": [[x, y, x, y, …], …] as Bézier curves of 3k + 1 points}. The label
 * is the name with its line breaks. A node that is not drawn is null. An edge that is drawn without
 * a line has none.
 */
dpc_status dpc_picture_render(dpc_picture *picture, dpc_format format, char **bytes, size_t *size,
                              dpc_error *err);

/* r where it has a sign, otherwise 0, which is drawn grey. */
static inline double dpc_edge_sign(const dpc_edge_row *row)
{
    return row->association && row->r > 0 ? 0 : row->r;
}

/* The words of a colour such as #0072B2 for r, paler the smaller `share` of the resamples has it.
 */
void dpc_edge_colour(double r, double share, char out[8]);
/* The width of a line in points. */
double dpc_edge_width(double r);
/* Of the resamples, the share that has the edge as it is drawn; 1 where there are none. */
double dpc_edge_share(const dpc_edge_row *row);

#endif
