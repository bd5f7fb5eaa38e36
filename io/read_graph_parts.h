/* What the readers of lines and of tables of graphs have in common. */
#ifndef DPC_READ_GRAPH_PARTS_H
#define DPC_READ_GRAPH_PARTS_H

#include "graph_build.h"

/*
 * The arrow among the words from `p` to `end`: the first of --> --- <--, where there is none of
 * these the first of -> -- <-. DPC_NONE: there is none; `*at` then is at a mark of other graphs, or
 * NULL.
 */
dpc_mark dpc_find_arrow(const char *p, const char *end, const char **at, size_t *length);

/* The node of the name between the blanks from `begin` to `end`; `at` is where errors are. */
dpc_status dpc_add_trimmed(dpc_builder *b, const char *begin, const char *end, const char *at,
                           int32_t *node);

/* Does a text begin as Tetrad's does? */
bool dpc_is_tetrad(const char *text);

/* Has the table a header of from and to, or of source and target? */
bool dpc_is_arcs(const char *text);

#endif
