/* What single edges of a DAG are worth. */
#ifndef DPC_GAINS_H
#define DPC_GAINS_H

#include "dualpc_explain.h"
#include "families.h"
#include "scorer.h"

/* The score of a DAG. DPC_OK or no memory, as all here. */
dpc_status dpc_dag_score(dpc_scorer *scorer, const dpc_families *dag, double *score);

/* What each edge adds to the log-likelihood, its price not taken off: by child, then by parent. */
dpc_status dpc_dag_gains(dpc_scorer *scorer, const dpc_families *dag, double *gains);

/* The differences of two graphs, the second being of the class of the DAG. The caller frees *out.
 */
dpc_status dpc_find_changes(dpc_scorer *scorer, dpc_families *dag, const dpc_graph *before,
                            const dpc_graph *after, dpc_change **out, int64_t *count);

#endif
