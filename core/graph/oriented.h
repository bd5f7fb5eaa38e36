/*
 * What an orientation makes: the graph, the triples in doubt, and the provenance of each arrow, the
 * last step of its strongest chain of reasons.
 */
#ifndef DPC_ORIENTED_H
#define DPC_ORIENTED_H

#include "dualpc_explain.h"
#include "graph.h"

/* What an arrow rests on: the last step of its strongest chain of reasons. */
typedef struct dpc_provenance {
    int32_t from, to;
    int32_t other[2]; /* see dpc_reason_kind; -1: not used */
    int32_t weight;   /* the evidence of the arrow, in millionths; DPC_SURE; DPC_NO_LINK: none */
    int32_t link;     /* that of the triple in this step; DPC_NO_LINK: there is none in it */
    int32_t turn;     /* arrows settled before this one, such as its premises; -1: never settled */
    dpc_reason_kind kind;
} dpc_provenance;

#define DPC_WEIGHT_ONE 1000000 /* a weight of 1: evidence is in whole millionths */
#define DPC_SURE       INT32_MAX
#define DPC_NO_LINK    INT32_MIN

/* The provenance of an arrow in a list that is sorted by from, then to; NULL: it is not in it. */
const dpc_provenance *dpc_find_provenance(const dpc_provenance *provenance, int64_t count, int from,
                                          int to);

/* The evidence of an arrow: infinite where it is known beforehand, NaN where it has none. */
double dpc_evidence_of(const dpc_provenance *provenance);

/* For qsort: by from, then to. */
int dpc_by_arrow(const void *left, const void *right);

typedef struct dpc_oriented {
    dpc_graph graph;
    /* As dpc_info has them; NULL: no such list; owned. */
    dpc_triple *conflicts, *ambiguous;
    int64_t n_conflicts, n_ambiguous;
    dpc_provenance
        *provenance; /* of all arrows that were found; NULL: nothing was weighed; owned */
    int64_t n_provenance;
    dpc_graph whole; /* the graph with the arrows that min_evidence has left out; or no edges */
} dpc_oriented;

void dpc_oriented_clear(dpc_oriented *oriented);

#endif
