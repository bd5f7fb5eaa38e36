/*
 * Putting a graph together while its file is read: nodes by name, edges in any order, and errors
 * that name the file and the line. The readers of the formats share it:
 *
 *     read_graph.c       the way in, which reader for which format, the edge list
 *     read_adjacency.c   the adjacency matrix
 *     read_dot.c         Graphviz
 *     read_json.c        JSON, by the scanner of json_scan.c
 */
#ifndef DPC_GRAPH_BUILD_H
#define DPC_GRAPH_BUILD_H

#include "dualpc_io.h"
#include "names.h"

typedef struct dpc_built_edge {
    dpc_edge edge;
    const char *at; /* in the text */
} dpc_built_edge;

typedef struct dpc_builder {
    const char *path;
    const char *text; /* ends with a NUL and holds none before; a byte order mark is left out */
    dpc_names names;  /* the nodes; owned */
    dpc_built_edge *edges; /* owned */
    int64_t n_edges, capacity;
    dpc_error *err;
} dpc_builder;

/* The line of `at` in the text, counted from 1. */
long long dpc_build_line(const dpc_builder *b, const char *at);

/* DPC_BAD_INPUT, with "path: line 3: " before the message. */
__attribute__((format(printf, 3, 4))) dpc_status dpc_build_refuse(dpc_builder *b, const char *at,
                                                                  const char *format, ...);

/* DPC_NO_MEMORY, with its sentence. */
dpc_status dpc_build_no_memory(dpc_builder *b);

/* The node of this name, new or not; an empty name is refused. `at` is where that happens. */
dpc_status dpc_build_node(dpc_builder *b, const char *name, size_t length, const char *at,
                          int32_t *node);

/*
 * An edge as seen from `from`: DPC_FORWARD is from → to. One from a node to itself is refused.
 * Whether the pair is there twice is told at the end.
 */
dpc_status dpc_build_edge(dpc_builder *b, int32_t from, int32_t to, dpc_mark mark, const char *at);

/*
 * The edges sorted. A pair that is there twice is refused; but where `both_ways`, a → b and b → a
 * are a — b.
 */
dpc_status dpc_build_sort(dpc_builder *b, bool both_ways);

/* The readers: the text into nodes and edges. */
dpc_status dpc_parse_edges(dpc_builder *b);
dpc_status dpc_parse_adjacency(dpc_builder *b);
dpc_status dpc_parse_dot(dpc_builder *b);
dpc_status dpc_parse_json(dpc_builder *b);

#endif
