/*
 * Labels: the numbers that a search gives to the columns of a table.
 *
 * A node has two numbers, the place of its column in the table and its label, the place in the
 * order in which a search meets the columns. Inside a search everything is in labels; callers only
 * see columns. These two questions are the only way from one to the other.
 *
 * Several columns may have the same label: those that a search takes for copies of one of them,
 * which is the column of the label (data/representatives.h).
 */
#ifndef DPC_LABELS_H
#define DPC_LABELS_H

#include "dualpc.h"

typedef struct dpc_labels {
    int32_t *column; /* by label; owned */
    int32_t *label;  /* by column; owned. Both NULL: labels are columns */
    int count;       /* labels, where they are fewer than columns; 0: as many */
} dpc_labels;

void dpc_labels_clear(dpc_labels *labels);

static inline int dpc_column_of(const dpc_labels *labels, int label)
{
    return labels->column != NULL ? labels->column[label] : label;
}

static inline int dpc_label_of(const dpc_labels *labels, int column)
{
    return labels->label != NULL ? labels->label[column] : column;
}

/* Is it the column of its label, rather than a copy of that? */
static inline bool dpc_is_representative(const dpc_labels *labels, int column)
{
    return labels->count == 0 || labels->column[labels->label[column]] == column;
}

#endif
