/*
 * Columns that a search by tests sets aside.
 *
 * Where 1 - r² of two columns is below DPC_SINGULAR, they are copies: given one of them nothing is
 * left of the other, so that no test with one of them in its set and the other at its end, or with
 * both in its set, can be made. k copies would be a clique of neighbours that no test can divide,
 * and all their subsets would be tried. So one of them, the representative, takes part in the
 * search, and the others, set aside, have in the end what it has (docs/algorithm.md, "Copies").
 *
 * In the order of the labels a column is set aside where it is a copy of a representative before
 * it, the first such; otherwise it is one itself. So no two representatives are copies, and a
 * column that is set aside is a copy of its own one.
 */
#ifndef DPC_REPRESENTATIVES_H
#define DPC_REPRESENTATIVES_H

#include "correlation.h"
#include "labels.h"
#include "oriented.h"

typedef struct dpc_representatives {
    dpc_labels labels; /* all zeros: nothing is set aside */
    /*
     * By label: the first node that this one is nearly a copy of (1 - r² is below DPC_SHAKY, and
     * tests of both are numerically doubtful), in the same way; or itself. Owned. NULL: no two
     * nodes are.
     */
    int32_t *alike;
} dpc_representatives;

/* Whether something besides the numbers tells two columns apart. */
typedef bool dpc_same(const void *context, int a, int b);

/*
 * `all` labels all columns; the representatives keep its order. Columns that are not the same are
 * not taken for copies; NULL: all are. Free with dpc_representatives_clear.
 */
dpc_status dpc_find_representatives(const dpc_correlation *correlation, const dpc_labels *all,
                                    dpc_same *same, const void *context,
                                    const dpc_settings *settings, dpc_representatives *out,
                                    dpc_error *err);
void dpc_representatives_clear(dpc_representatives *representatives);

/*
 * What was found in the labels of the representatives becomes what is said of all n columns: copies
 * have the edges of their representative, with their marks and their provenance, and
 * undirected ones with each other. What is a CPDAG stays one.
 */
dpc_status dpc_join_copies(const dpc_labels *labels, int n, dpc_oriented *oriented, dpc_error *err);

/*
 * The same for a graph that a search goes on from: with one edge for each copy, to its
 * representative.
 */
dpc_status dpc_attach_copies(const dpc_labels *labels, int n, dpc_graph *graph, dpc_error *err);

#endif
