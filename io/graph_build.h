/*
 * Putting a graph together while its file is read: nodes by name, edges in any order, and errors
 * that name the file and the line. The readers of the formats share it:
 *
 *     read_graph.c     the way in
 *     read_edges.c     the edge list, and by its first line Tetrad's text or a table of arcs
 *     read_tetrad.c    Tetrad's text
 *     read_arcs.c      tables of arcs, and whether a table is one
 *     read_matrix.c    matrices of all conventions
 *     read_words.c     SIF, and bnlearn's model string
 *     read_dot.c       Graphviz, by the scanner of dot_scan.c
 *     read_dagitty.c   DAGitty's text, by the same scanner
 *     read_gml.c       GML
 *     read_graphml.c   GraphML, by the scanner of xml_scan.c
 *     read_json.c      JSON of all kinds, by the scanner of json_scan.c
 *
 * Where nodes have ids beside their names, graph_ids.c stands between.
 */
#ifndef DPC_GRAPH_BUILD_H
#define DPC_GRAPH_BUILD_H

#include "csv.h"
#include "dualpc_io.h"
#include "names.h"
#include "status.h"

#include <string.h>
#include <strings.h>

typedef struct dpc_built_edge {
    dpc_edge edge;
    const char *at; /* in the text */
} dpc_built_edge;

typedef struct dpc_builder {
    const char *path;
    const char *text; /* ends with a NUL and holds none before; a byte order mark is left out */
    char *room;       /* as long as the text, for a name without its quotes or escapes; owned */
    dpc_names names;  /* the nodes; owned */
    dpc_built_edge *edges; /* owned */
    int64_t n_edges, capacity;
    bool all_nodes; /* the file lists its nodes; the reader says so */
    bool pag;       /* it says that it is a PAG; likewise */
    dpc_error *err;
} dpc_builder;

/* ---- Errors ---- */

/* The line of `at` in the text, counted from 1. */
long long dpc_build_line(const dpc_builder *b, const char *at);

/* DPC_BAD_INPUT, with "path: line 3: " before the message. */
__attribute__((format(printf, 3, 4))) dpc_status dpc_build_refuse(dpc_builder *b, const char *at,
                                                                  const char *format, ...);

/* DPC_NO_MEMORY, with its sentence. */
dpc_status dpc_build_no_memory(dpc_builder *b);

/* ---- Nodes ---- */

/* The node of this name, new or not; an empty name is refused. `at` is where that happens. */
dpc_status dpc_build_node(dpc_builder *b, const char *name, size_t length, const char *at,
                          int32_t *node);

/* The same for a place that lists the nodes: a name that is there already is refused. */
dpc_status dpc_build_new_node(dpc_builder *b, const char *name, size_t length, const char *at,
                              int32_t *node);

/* dpc_build_node of what a cell says, and of what stands between the blanks from `begin` to `end`.
 */
dpc_status dpc_build_cell(dpc_builder *b, const dpc_cell *cell, int32_t *node);
dpc_status dpc_build_trimmed(dpc_builder *b, const char *begin, const char *end, const char *at,
                             int32_t *node);

/* ---- Edges ---- */

/*
 * An edge as seen from `from`: DPC_FORWARD is from → to. One from a node to itself is refused.
 * Whether the pair is there twice is told at the end.
 */
dpc_status dpc_build_edge(dpc_builder *b, int32_t from, int32_t to, dpc_mark mark, const char *at);

/* What it means that a pair is there twice. */
typedef enum dpc_twice {
    DPC_TWICE_REFUSED,
    DPC_TWICE_BOTH_WAYS, /* a → b and b → a are a — b */
    DPC_TWICE_ENDS, /* it must be: each of the two has the mark of one end, the other is none */
} dpc_twice;

/* The edges sorted, a pair that is there twice joined or refused. */
dpc_status dpc_build_sort(dpc_builder *b, dpc_twice twice);

/*
 * How two nodes are joined, by a word of `length` bytes: an arrow, or a relation such as
 * "directed". DPC_NONE: it is none of these. Arrows have two ends, each - or an arrowhead or the o
 * of a circle, with a - between; --> <-- and --- may lack one -.
 */
dpc_mark dpc_relation(const char *word, size_t length);
dpc_mark dpc_arrow(const char *word, size_t length);

/* The same where the word must be one; `at` is where it is refused. */
dpc_status dpc_build_mark(dpc_builder *b, const char *word, size_t length, const char *at,
                          dpc_mark *mark);

/*
 * The arrow among the words from `p` to `end`: the first of three signs, or where there is none the
 * first of two. DPC_NONE: there is none.
 */
dpc_mark dpc_find_arrow(const char *p, const char *end, const char **at, size_t *length);

/* ---- Text ---- */

/* Is it that word, in any case of letters? */
static inline bool dpc_says(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && strncasecmp(text, word, length) == 0;
}

static inline const char *dpc_line_end(const char *p)
{
    return p + strcspn(p, "\r\n");
}

static inline const char *dpc_over_space(const char *p)
{
    return p + strspn(p, " \t\r\n");
}

/* ---- The readers: the text into nodes and edges ---- */

dpc_status dpc_parse_edges(dpc_builder *b);
dpc_status dpc_parse_tetrad(dpc_builder *b);
dpc_status dpc_parse_table(dpc_builder *b); /* a matrix, or arcs where the header says so */
dpc_status dpc_parse_arcs(dpc_builder *b);
dpc_status dpc_parse_adjacency(dpc_builder *b);
dpc_status dpc_parse_pcalg(dpc_builder *b);
dpc_status dpc_parse_pag(dpc_builder *b);
dpc_status dpc_parse_causallearn(dpc_builder *b);
dpc_status dpc_parse_sif(dpc_builder *b);
dpc_status dpc_parse_model(dpc_builder *b);
dpc_status dpc_parse_dot(dpc_builder *b);
dpc_status dpc_parse_dagitty(dpc_builder *b);
dpc_status dpc_parse_gml(dpc_builder *b);
dpc_status dpc_parse_graphml(dpc_builder *b);
dpc_status dpc_parse_json(dpc_builder *b);

/* Does a text begin as Tetrad's does? Has a table the columns from and to? */
bool dpc_is_tetrad(const char *text);
bool dpc_is_arcs(const char *text);

#endif
