/* Graphs for the tests: random ones, and files with them in a folder that goes at the end. */
#ifndef GRAPHS_H
#define GRAPHS_H

#include "cases.h"
#include "dualpc_io.h"

/* In the order of dpc_format, but by the extension. */
enum { TXT, CSV, DOT, JSON, N_FORMATS };
extern const char *const EXTENSIONS[N_FORMATS];

/* The folder; made and removed by the two functions, which cmocka calls around the tests. */
extern char folder[200];
int enter_folder(void **state);
int leave_folder(void **state);

/* dpc_graph_read of a file with these bytes. */
dpc_status read_bytes(const char *extension, const char *bytes, size_t size, dpc_named_graph **out,
                      dpc_error *err);

/* Each pair is an edge with a chance of so many in a hundred; ended by dpc_graph_clear. */
void draw_graph(gsl_rng *rng, int n, int chance, dpc_graph *graph);

/* The graph in all formats, in the folder. */
void write_all(const dpc_graph *graph, char *const *names, char paths[N_FORMATS][256]);

/* The node of this name, or -1. */
int place_of(const dpc_named_graph *g, const char *name);

#endif
