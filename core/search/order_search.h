/*
 * The search over orders, from a DAG to one that scores higher: tries (order_try.h), one of which
 * starts from the order of the DAG, and the others, the restarts, from the order of the best DAG so
 * far with a few places swapped. The best DAG ever is kept, and what was learnt on the way is, too:
 * the trees (trees.h), the pool (pool.h), and the scores at which tries have ended, for one that
 * comes to such a score is given up.
 *
 * Near: the candidates of a node are its neighbours in the moral graph of the DAG; when the order
 * has settled, whoever is no candidate, stands before a node and would be a gain for it becomes
 * one, and the order settles again, until there is none. Restarts have the same candidates.
 *
 * All: every variable is a candidate, and at every new best DAG the parents of all nodes are edited
 * deeply (edit.h). Restarts go over all variables where the graph is sparse. Elsewhere they go over
 * the candidates: the neighbours in the moral graphs of all best DAGs so far, and the members of
 * pooled sets. Every eighth goes over all, unless the graph is dense.
 *
 * Threads: restarts are made in batches. In a batch each is made as if those before it would not
 * succeed; the first that does ends the batch, and those after it are void. What a batch has found
 * goes into the pool when it ends, in the order of the tries. So the result is the same for any
 * number of threads, and more restarts do the same as fewer and then go on.
 */
#ifndef DPC_ORDER_SEARCH_H
#define DPC_ORDER_SEARCH_H

#include "order_try.h"

typedef struct dpc_order_search dpc_order_search;

/* DPC_OK or no memory, as all below. `budget`: bytes for the trees over all variables. Free with
 * dpc_order_search_free. */
dpc_status dpc_order_search_new(dpc_workers *workers, dpc_precedence *precedence, uint64_t seed,
                                double budget, dpc_order_search **out);
void dpc_order_search_free(dpc_order_search *search);

/* Begins at a price, which is that of the workers now, from a DAG. */
dpc_status dpc_order_search_begin(dpc_order_search *search, const dpc_families *dag);

/* The try from the order of the best DAG. Over all variables it ends at a local optimum
 * (local_optimum.h); near, that is left to the next function. */
dpc_status dpc_order_search_improve(dpc_order_search *search, dpc_scope scope);
dpc_status dpc_order_search_settle(dpc_order_search *search, dpc_scope scope);

/* Restarts: so many, or until so many in a row have found nothing. */
dpc_status dpc_order_search_restart(dpc_order_search *search, dpc_scope scope, int restarts);

/* The best DAG, its score, whether it is a local optimum, how many restarts there were, and how
 * many of them have found a better DAG. */
const dpc_families *dpc_order_search_best(const dpc_order_search *search, double *score);
bool dpc_order_search_is_local(const dpc_order_search *search);
int dpc_order_search_restarts(const dpc_order_search *search);
int dpc_order_search_successes(const dpc_order_search *search);

#endif
