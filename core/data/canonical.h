/*
 * The canonical order of the columns: the same for a table however its columns are arranged.
 */
#ifndef DPC_CANONICAL_H
#define DPC_CANONICAL_H

#include "dualpc.h"

/* A renaming of the columns: label i is column[i], column j has the label rank[j]. */
typedef struct dpc_labels {
    int32_t *column, *rank; /* both owned; both NULL: labels are column numbers */
} dpc_labels;

/* The labels that settings->order asks for. Free with dpc_labels_clear. */
dpc_status dpc_labels_make(const dpc_correlation *correlation, const dpc_settings *settings,
                           dpc_labels *out, dpc_error *err);
void dpc_labels_clear(dpc_labels *labels);

/* The column of a label; `column` may be NULL. */
static inline int dpc_column(const int32_t *column, int label)
{
    return column != NULL ? column[label] : label;
}

/* Turns the labels in graph, conflicts and ambiguous triples back into column numbers. */
void dpc_labels_undo(const dpc_labels *labels, dpc_result *result);

#endif
