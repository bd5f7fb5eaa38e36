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

/* Turns the labels of a graph back into column numbers. */
void dpc_labels_undo_graph(const dpc_labels *labels, dpc_graph *graph);

/* The same for the graph, the conflicts and the ambiguous triples. */
dpc_status dpc_labels_undo(const dpc_labels *labels, dpc_oriented *oriented, dpc_error *err);

#endif
