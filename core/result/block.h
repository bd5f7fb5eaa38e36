/* The possible effects of one cause on all outcomes that are asked for: how they are kept. */
#ifndef DPC_BLOCK_H
#define DPC_BLOCK_H

#include "causal.h"
#include "dualpc_explain.h"
#include "regress.h"
#include "terms.h"

/* Sets of nodes, each ascending: set i is node[start[i]] … node[start[i + 1] - 1]. */
typedef struct dpc_sets {
    int count;
    int64_t *start;            /* count + 1; owned */
    int32_t *node;             /* owned */
    int64_t n_starts, n_nodes; /* allocated */
} dpc_sets;

/* In the place of a standard error: the effect is 0 by the graph, and no estimate. */
#define DPC_BY_GRAPH (-1.0)

typedef struct dpc_block {
    int32_t cause, column, level; /* a term: see terms.h */
    int n_members;                /* sets of parents that the cause may have */
    double *effect, *se;          /* standardised; by member, then by outcome; owned */
    int32_t *set;                 /* likewise: which; owned; NULL: that of the member */
    int32_t *columns; /* likewise: beside that of the cause; owned; NULL: as many as in the set */
    dpc_sets sets;
    bool *identified, *possible; /* by outcome: see dpc_identify; owned */
} dpc_block;

void dpc_block_clear(dpc_block *block);

/* Adds a set; -1: no memory. */
int dpc_sets_add(dpc_sets *sets, const int32_t *node, int size);

static inline int dpc_set_size(const dpc_sets *sets, int i)
{
    return (int)(sets->start[i + 1] - sets->start[i]);
}

/* What all causes share. */
typedef struct dpc_asked {
    const dpc_causal *graph;
    const dpc_view *view;     /* of the data, by columns */
    const dpc_coding *coding; /* what its columns are; NULL: the variables */
    const int32_t *outcome;   /* variables, ascending or not … */
    const int32_t *column;    /* … and their columns, all different */
    int n_outcomes;
} dpc_asked;

/* The memory of a thread. */
typedef struct dpc_estimator dpc_estimator;

dpc_status dpc_estimator_new(const dpc_asked *asked, dpc_ida ida, dpc_estimator **out);
void dpc_estimator_free(dpc_estimator *estimator);

/* All of a cause, one of its terms. DPC_OK, no memory, or DPC_BAD_INPUT: too many sets. */
dpc_status dpc_estimate(dpc_estimator *estimator, const dpc_terms *causes, int which,
                        dpc_block *out);

#endif
