/* Tables to resample, and the bootstrap of them, where what fails ends the test. */
#ifndef TABLES_H
#define TABLES_H

#include "cases.h"

/* A sample of a random DAG with 1.5 parents expected. Free with dpc_table_free. */
dpc_table *simulated_table(int n, int64_t n_obs, uint64_t seed);

/* Makes about half of the columns awkward: binary, rounded, constant but for a row, huge, … */
void spoil_columns(dpc_table *table, gsl_rng *rng);

/* The defaults, on one thread and with dual tests in small samples too. */
dpc_settings plain_settings(void);

/* Free with dpc_frequencies_free. */
/* The graph of a resample that is done; end with dpc_graph_clear. */
dpc_graph resample_graph(const dpc_frequencies *f, int resample);

/* Do a graph and that of a resample, or those of two resamples, have the same edges? */
bool same_as_resample(const dpc_graph *graph, const dpc_frequencies *f, int resample);
bool same_resamples(const dpc_frequencies *f, int i, const dpc_frequencies *g, int k);

dpc_frequencies *bootstrap(const dpc_table *table, const dpc_settings *settings,
                           dpc_resampling how);

bool same_edges(const dpc_graph *p, const dpc_graph *q);
void assert_same_frequencies(const dpc_frequencies *p, const dpc_frequencies *q);

#endif
