/*
 * One try of the search over orders: from an order to a DAG.
 *
 *     the order settles (order.h) → parents are edited (edit.h), and the order settles again, until
 *     nothing comes → the DAG of the order, backward search → where that scores higher, its sets go
 *     into the pool, its order takes the place of the other, and all begins again
 *
 * A try is worth the score of its DAG. What is found on the way changes nothing for other tries
 * that are under way: each has a copy of the pool, and what it adds is handed over afterwards.
 */
#ifndef DPC_ORDER_TRY_H
#define DPC_ORDER_TRY_H

#include "edit.h"
#include "order.h"

/* What a node can have for a parent: those near it (its candidates), or all. */
typedef enum dpc_scope { DPC_SCOPE_NEAR, DPC_SCOPE_ALL, DPC_N_SCOPES } dpc_scope;

/* What came of a try. */
typedef struct dpc_tried {
    int32_t *order;   /* where it began; owned */
    dpc_scope scope;  /* and over which trees */
    dpc_families dag; /* where it ended */
    double score;     /* of that; -INFINITY: it was given up, or not made */
    double settled;   /* the score of the order when it first had settled; NaN: it has not */
    dpc_pool found;   /* sets that were not in the pool */
} dpc_tried;

dpc_status dpc_tried_init(dpc_tried *tried, int n);
void dpc_tried_clear(dpc_tried *tried);

/* What a worker needs for its tries. */
typedef struct dpc_trier {
    dpc_workers alone; /* the worker and its scorer, as if there were no others */
    dpc_crew crew;     /* of these */
    dpc_ordering ordering;
    dpc_walker walkers[DPC_N_SCOPES];
    dpc_walker *walker; /* that of the scope */
    dpc_editor editor;
    dpc_pool pool; /* its own */
    dpc_random random;
    dpc_families dag; /* scratch */
    dpc_arena memory; /* of: */
    int32_t *list;    /* n; scratch */
    char apart[DPC_APART];
} dpc_trier;

/* DPC_OK or no memory, as all below; to be cleared in either case. */
dpc_status dpc_trier_init(dpc_trier *trier, dpc_workers *workers, int worker,
                          const dpc_precedence *precedence, dpc_trees *trees);
void dpc_trier_clear(dpc_trier *trier);

/* How a try is made. */
typedef struct dpc_try_plan {
    const dpc_pool *pool; /* at the start */
    uint64_t seed, number;
    dpc_is_over *over; /* is it not wanted any more? */
    void *context;
    /* After the order has settled: is it to go on? NULL: always. */
    bool (*goes_on)(void *context, const dpc_trier *trier);
    /* Edits that the order should take up; sets *came. NULL: those of dpc_edit_order. */
    dpc_status (*edit)(void *context, dpc_trier *trier, dpc_tried *tried, bool *came);
} dpc_try_plan;

/* Takes over the pool, and the order and the scope of a try. */
dpc_status dpc_trier_begin(dpc_trier *trier, const dpc_pool *pool, dpc_tried *tried);

/* From tried->order. */
dpc_status dpc_try_order(dpc_trier *trier, const dpc_try_plan *plan, dpc_tried *tried);

/* The order settles again, after sets were pooled. */
void dpc_trier_settle(dpc_trier *trier, const dpc_try_plan *plan);

/* Edits the parents of the nodes that growing has not brought to an end. */
dpc_status dpc_edit_order(void *context, dpc_trier *trier, dpc_tried *tried, bool *came);

/* The sets of trier->dag that are better than those of the order go into the pool. */
dpc_status dpc_trier_pool_dag(dpc_trier *trier, dpc_tried *tried);

/* A set that is better than what v has in the order goes into the pool; *came says so. */
dpc_status dpc_trier_pool(dpc_trier *trier, dpc_tried *tried, int v, const int32_t *set, int count,
                          double score, bool *came);

#endif
