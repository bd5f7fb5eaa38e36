/* Greedy equivalence search: a graph by a penalised likelihood rather than by tests. */
#ifndef DPC_GES_H
#define DPC_GES_H

#include "constraints.h"
#include "correlation.h"
#include "crew.h"

/*
 * Searches within the knowledge of the settings, which `known` has in columns (NULL: there is
 * none; after a failure it may be in labels), and fills `graph` (its edges are owned by the caller)
 * and of `info` the counts, the steps and the score. settings->order is asked where the columns
 * leave a choice. The graph is that of the class, which has a DAG that respects the knowledge; its
 * arrows are not in it yet.
 *
 * `limit` may be NULL. When its time is over the class that the search has come to is the result.
 */
dpc_status dpc_ges(const dpc_correlation *correlation, dpc_constraints *known,
                   const dpc_settings *settings, dpc_time_limit *limit, dpc_graph *graph,
                   dpc_info *info, dpc_error *err);

/*
 * The same, but after every step all steps are looked for afresh: for the tests, which compare.
 * Only the counts of scores may differ.
 */
dpc_status dpc_ges_afresh(const dpc_correlation *correlation, dpc_constraints *known,
                          const dpc_settings *settings, dpc_graph *graph, dpc_info *info,
                          dpc_error *err);

#endif
