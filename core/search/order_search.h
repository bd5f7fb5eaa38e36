/*
 * The search over orders, from a DAG: near it (fast), or over all variables with restarts (full).
 *
 * Fast: the candidates of a node are its neighbours in the moral graph of the DAG. When the order
 * has settled, whoever stands before a node, is no candidate and would be a gain for it becomes
 * one, and the order settles again, until there is none.
 *
 * Full: all variables are candidates.
 *
 * Restarts: round(log n) times two nodes of the best order swap their places, the order settles
 * again on the same trees, and where its score is higher it is the best from there on. Those of the
 * full search run on all threads, each as if the ones before it would not succeed; if one does,
 * those after it begin again. So the result is that of one after the other.
 */
#ifndef DPC_REFINE_SEARCH_H
#define DPC_REFINE_SEARCH_H

#include "order.h"

typedef struct dpc_searching {
    dpc_workers *workers;             /* not owned */
    const dpc_precedence *precedence; /* not owned */
    uint64_t seed;
    double budget;     /* bytes, for the trees */
    int restarts;      /* at least: few variables have more */
    int restarts_done; /* by the search */
} dpc_searching;

/*
 * The DAG that the search comes to takes the place of the one it starts from. DPC_OK or no memory;
 * where it was halted the DAG is as far as it got, which may be where it was.
 */
dpc_status dpc_search_near(dpc_searching *searching, dpc_families *dag);
dpc_status dpc_search_all(dpc_searching *searching, dpc_families *dag);

/* How many restarts, of n variables; and an order disturbed, for one of them. */
int dpc_restarts_for(const dpc_searching *searching, int n);
void dpc_disturb(const dpc_searching *searching, dpc_random *random, int32_t *order, int n);

#endif
