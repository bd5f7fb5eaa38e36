/*
 * The one table of the formats of graphs: word, extensions, reader, writer. --help, messages,
 * dpc_format_of_path, dpc_graph_read and dpc_write all go by it.
 *
 * A path has the format whose extension it ends with, in any case of letters; the longest one wins,
 * so that x.graph.txt is Tetrad's and x.txt an edge list. The word of a format is an extension of
 * it, too: x.pcalg, and before the extension of its kind: x.pcalg.csv.
 */
#ifndef DPC_FORMATS_H
#define DPC_FORMATS_H

#include "graph_build.h"

#include <stdio.h>

typedef struct dpc_format_row {
    const char *word;       /* NULL: the format has none, and is not chosen by a path */
    const char *extensions; /* more of them, each with a point before it and a blank behind it */
    const char *title;      /* for people */
    dpc_status (*parse)(dpc_builder *b); /* NULL: it is not read */
    bool empty;                          /* a file without a byte is a graph */
    bool says_pags;                      /* it has marks for both ends of an edge */
    /* NULL: it is not written by the library. JSON has a way of its own. */
    dpc_status (*print)(FILE *file, const dpc_report *report, dpc_error *err);
} dpc_format_row;

/* The row of a format; NULL: there is none. */
const dpc_format_row *dpc_format_find(dpc_format format);

/* The words of all formats, or of those that a PAG can be written in and read from again. */
void dpc_format_words(char words[DPC_MESSAGE_SIZE], bool of_pags);

#endif
