/*
 * How many independent rows the rows of a table are worth.
 *
 * The price of an edge is right for independent rows. Where rows resemble each other (a time
 * series, groups, batches, repeated rows), the correlations of N rows vary more than those of N
 * independent ones, all gains are too large by the same factor, and a search adds edges without
 * end. The factor is found by comparing two halves of the rows (halves.h). Given the parents of v
 * in a DAG, v has a partial correlation with each of its non-descendants u in either half; with
 * Fisher's z of them, halves of A and B rows and k parents,
 *
 *     d(u,v) = (z_A - z_B) / √(1/(A-k-3) + 1/(B-k-3))
 *
 * is about a standard normal number if the rows are independent, whatever the correlation itself
 * may be: so edges that the DAG lacks do not matter. Otherwise its variance is a factor λ, and N
 * rows are worth N / λ. As E|d| = √(2λ/π), λ = π/2 (mean |d|)², which a few extreme numbers do not
 * move far.
 *
 * The log-likelihood of N rows is then λ times that of independent ones, and a price of
 * p(N / λ) for these is λ p(N / λ) for the former.
 */
#ifndef DPC_EFFECTIVE_H
#define DPC_EFFECTIVE_H

#include "correlation.h"
#include "families.h"
#include "labels.h"

/*
 * N / λ, by the two halves of a table and a DAG in labels. N where λ is not above 1 for certain,
 * and where there are no halves. DPC_OK or no memory.
 */
dpc_status dpc_effective_rows(const dpc_correlation *correlation, const dpc_labels *labels,
                              dpc_families *dag, double *rows);

/* The same for a search without a DAG to start from. Fails with a sentence. */
dpc_status dpc_effective_rows_alone(const dpc_correlation *correlation,
                                    const dpc_settings *settings, double *rows, dpc_error *err);

/*
 * What an edge costs in units of the log-likelihood of N rows, where it is to cost `penalty` times
 * log R in units of that of the R independent rows which they are worth.
 */
double dpc_price_for(double penalty, double n_obs, double rows);

#endif
