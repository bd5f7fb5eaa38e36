/*
 * The canonical order of the columns: the same for a table however its columns are arranged.
 */
#ifndef DPC_CANONICAL_H
#define DPC_CANONICAL_H

#include "correlation.h"
#include "graph.h"
#include "labels.h"
#include "oriented.h"

/* The labels that settings->order asks for. Free with dpc_labels_clear. */
dpc_status dpc_labels_make(const dpc_correlation *correlation, const dpc_settings *settings,
                           dpc_labels *out, dpc_error *err);

/*
 * For a correlation that has been made from these columns: c->apart, where its R leaves columns
 * that look the same from everywhere, and the data do not. DPC_OK, DPC_NO_MEMORY or
 * DPC_INTERRUPTED.
 */
dpc_status dpc_tell_apart(const dpc_columns *columns, const dpc_settings *settings,
                          dpc_correlation *c);

/* Turns the labels of a graph back into column numbers. */
void dpc_labels_undo_graph(const dpc_labels *labels, dpc_graph *graph);

/* The same for the graph, its provenance, the conflicts and the ambiguous triples. */
dpc_status dpc_labels_undo(const dpc_labels *labels, dpc_oriented *oriented, dpc_error *err);

#endif
