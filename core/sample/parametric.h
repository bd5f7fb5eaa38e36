/*
 * Resamples of a correlation matrix, where there are no rows: correlations of N rows from the
 * normal distribution with that matrix; and the graphs that are learned from them.
 *
 * N centred normal rows with the correlations R = G Gᵀ have products G A Aᵀ Gᵀ, where A is lower
 * trapezoidal with m = min(n, N - 1) columns, independent entries, standard normal below the
 * diagonal, and chi with N - 1, N - 2, … degrees of freedom on it (Bartlett 1933): so no rows are
 * made, and a resample costs O(n² m) for any N. G is the Cholesky factor of R, with a column of
 * zeros for each variable that those before it determine. It goes by labels: rearranged columns
 * rearrange the resamples.
 */
#ifndef DPC_SAMPLE_PARAMETRIC_H
#define DPC_SAMPLE_PARAMETRIC_H

#include "arena.h"
#include "variates.h"
#include "view.h"
#include "weighted_graphs.h"

typedef struct dpc_parametric {
    dpc_view view; /* of R */
    int n, m;
    double *root; /* G, lower triangle, column after column; of the arena */
    dpc_ziggurat ziggurat;
} dpc_parametric;

/* Of a view with an R, which outlives it. DPC_OK or no memory. */
dpc_status dpc_parametric_init(dpc_parametric *p, dpc_arena *arena, const dpc_view *view);

/* Correlations of a resample into r, n × n, by columns. `room` has n (n + m) entries. */
void dpc_parametric_draw(const dpc_parametric *p, dpc_random *random, double *room, double *r);

/*
 * Learns a graph from each of so many resamples, shared among the threads, into graphs->graphs by
 * number; each weighs 1. The settings are checked and whole. When the time ends (`end`: see
 * dpc_time_is_over) resamples that are not done are given up; of the first, what there is.
 * *complete says whether all were done. End with dpc_weighted_graphs_clear, also after a failure.
 */
dpc_status dpc_parametric_graphs(const dpc_correlation *correlation, const dpc_labels *labels,
                                 const dpc_settings *settings, int resamples, double end,
                                 dpc_weighted_graphs *graphs, bool *complete, dpc_error *err);

#endif
