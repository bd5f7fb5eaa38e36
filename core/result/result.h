/*
 * The result of learning from inside. It owns whatever questions about it need, so that it can be
 * asked when everything that it was learned from is gone.
 */
#ifndef DPC_RESULT_H
#define DPC_RESULT_H

#include "correlation.h"
#include "dualpc_explain.h"
#include "graph.h"
#include "oriented.h"
#include "sepset.h"

#include <math.h>

struct dpc_result {
    dpc_oriented found;           /* the graph and the triples in doubt, in columns */
    dpc_info info;                /* its levels are owned */
    char warning[512];            /* of the info; empty: there is none */
    dpc_sepsets *sepsets;         /* owned; NULL: a score has decided, GES or refinement */
    dpc_refined refined;          /* its changes are owned; where settings.refine says so */
    dpc_graph by_tests;           /* a repaired PAG: what it was before; edges owned */
    int pdsep_level;              /* that tests given Possible-D-SEP count as; 0: there were none */
    dpc_graph mag;                /* of a search for hidden causes, in columns; edges owned */
    dpc_hidden_search hidden;     /* what it has done; all 0: there was none */
    int32_t *copy_of;             /* of the info; owned; NULL: no column was set aside */
    dpc_constraints *known;       /* where sepsets is NULL: in columns; NULL: nothing is; owned */
    dpc_settings settings;        /* see dpc_settings_keep */
    dpc_correlation *correlation; /* a share */
};

/* An empty one for a run with these settings, which have been checked. Free: dpc_result_free. */
dpc_status dpc_result_new(const dpc_correlation *correlation, const dpc_settings *settings,
                          dpc_result **out, dpc_error *err);

/* Frees what a result owns, not its own memory. */
void dpc_result_clear(dpc_result *result);

/* When all of it is there: lets its info point to what it has. */
void dpc_result_close(dpc_result *result);

/* The graph that stands for a class; what refinement has done, or NULL: see dpc_info. */
const dpc_graph *dpc_result_class(const dpc_result *result);
const dpc_refined *dpc_result_refined(const dpc_result *result);

/* The graph of which the tests have decided which pairs are joined. */
static inline const dpc_graph *dpc_result_tested(const dpc_result *result)
{
    return result->info.repaired ? &result->by_tests : &result->found.graph;
}

/* The levels of tests given neighbours, level 0 included. */
static inline int dpc_result_levels(const dpc_result *result)
{
    return result->pdsep_level > 0 ? result->pdsep_level : result->info.n_levels;
}

/* Are a and b two variables of the result? Otherwise DPC_USAGE. */
dpc_status dpc_result_check_pair(const dpc_result *result, int a, int b, dpc_error *err);

/* Is it a graph over the variables of the result? Otherwise DPC_USAGE. */
dpc_status dpc_result_check_graph(const dpc_result *result, const dpc_graph *graph, dpc_error *err);

/* What is told of a test that there is not. */
static inline dpc_sepset dpc_no_test(void)
{
    return (dpc_sepset){.kind = DPC_SEP_NONE, .from = -1, .r = NAN, .p = NAN};
}

#endif
