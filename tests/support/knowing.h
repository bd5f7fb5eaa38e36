/* Background knowledge for the tests: drawn at random, and what follows from it by definition. */
#ifndef KNOWING_H
#define KNOWING_H

#include "cases.h"

enum { MPDAG_MAX = 6 };

/* A DAG of up to MPDAG_MAX nodes and its correlations, well posed as in test_population.c. */
dpc_dag *draw_posed_dag(gsl_rng *rng, double *r);

/*
 * What is true of a DAG: its nodes in tiers by the order, some in none; some of its edges required;
 * some directions that it does not have forbidden, but not both ways between two nodes with a
 * common neighbour.
 */
dpc_knowledge *draw_true_knowledge(const dpc_dag *dag, gsl_rng *rng);

/* Anything that does not contradict itself. */
dpc_knowledge *draw_any_knowledge(int n, gsl_rng *rng);

/* The same about columns in another order: variable i becomes place[i]. */
dpc_knowledge *move_knowledge(const dpc_knowledge *knowledge, int n, const int32_t *place);

/* Is there a tier that restricts the sets of some pairs? */
bool has_tiers(const dpc_knowledge *knowledge, int n);

/*
 * What all DAGs have in common that are equivalent to this one and respect the knowledge, by going
 * through all directions of its edges; marks seen from the row.
 */
void slow_mpdag(const dpc_dag *dag, const dpc_knowledge *knowledge,
                dpc_mark mark[MPDAG_MAX][MPDAG_MAX]);

/* Does the graph have an edge, or an arrow, that is forbidden, or lack one that is required? */
bool violates(const dpc_graph *graph, const dpc_knowledge *knowledge, bool directions);

/* Would one of Meek's four rules direct one more edge? */
bool rules_apply(const dpc_graph *graph);

enum { SHARE_MAX = 9 };

/*
 * Of all sets of neighbours of x, or of z, that keep to the tiers and separate the two, the share
 * with y; NaN: none separates. A set of neighbours of both counts twice. For up to SHARE_MAX
 * variables.
 */
double slow_share(const dpc_graph *graph, const dpc_correlation *correlation,
                  const dpc_settings *settings, int x, int y, int z);

#endif
