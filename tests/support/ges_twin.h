/*
 * The slow twin of the greedy equivalence search: by definition, for up to 6 nodes.
 *
 * A class is the set of its DAGs, found by going through all orientations of the skeleton. A step
 * is one edge more, one fewer or one turned in any DAG of the class; every whole DAG that follows
 * is scored, and the best class is the next one. Nothing of the operators on CPDAGs is used.
 *
 * With knowledge it begins with the required edges, deletes none of them, and the next class must
 * have a DAG that respects the knowledge. The marks are then what all such DAGs have in common.
 */
#ifndef GES_TWIN_H
#define GES_TWIN_H

#include "correlation.h"
#include "dualpc_explain.h"

enum { GREEDY_MAX = 6 };

struct greedy_twin {
    int n;
    dpc_mark mark[GREEDY_MAX][GREEDY_MAX]; /* the CPDAG, seen from the row */
    int64_t steps[DPC_N_PHASES];
    double score;
    double least_gain; /* of all steps made: how close the search came to another way */
};

/* `knowledge` may be NULL. */
void greedy_search(const dpc_correlation *correlation, double penalty,
                   const dpc_knowledge *knowledge, struct greedy_twin *twin);

/* Fails where the result of dpc_learn is not the twin's: steps, score, graph. */
void greedy_twin_check(int number, const dpc_result *result, const struct greedy_twin *twin);

/* The score of v given a list of parents, in long double. */
long double greedy_local(const dpc_correlation *correlation, double penalty, int v,
                         const int32_t *parents, int count);

#endif
