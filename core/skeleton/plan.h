/*
 * Which tests a visit makes: one node with its neighbours at one level (docs/algorithm.md, sections
 * 4 and 5). The search uses it, and so does result/replay, which makes the tests again.
 */
#ifndef DPC_PLAN_H
#define DPC_PLAN_H

#include "constraints.h"
#include "rows.h"
#include "test.h"
#include "view.h"

/* What all visits of a search share. */
typedef struct dpc_problem {
    dpc_view view;
    const dpc_settings *settings;
    const dpc_constraints *known; /* NULL: nothing is known beforehand */
    dpc_critical critical;
    bool dual; /* the levels of dual PC, rather than those of classic PC */
} dpc_problem;

/*
 * The tests of a node with s = degree - 1: subsets K of size m are enumerated, each may be tested
 * itself and by its complement S \ K.
 */
typedef struct dpc_plan {
    int m;           /* size of the enumerated subsets */
    bool too_large;  /* S has no inverse: the sample is too small for it */
    bool full;       /* test given all of S */
    bool subset;     /* test given K */
    bool complement; /* test given S \ K */
    int complement_size;
    /* The largest critical values that tests of these kinds have; each has its own, by its N. */
    double full_critical, subset_critical, complement_critical;
    bool some; /* not all that are planned can be made: that too depends on the N of each */
    uint8_t complement_kind; /* DPC_SEP_DUAL; or DPC_SEP_PRIMAL_COMPLEMENT, at 2 level > s */
} dpc_plan;

/*
 * The visit to a node. `rows`: what the node and its neighbours have in common. `since`: the first
 * level that saw this very neighbourhood; tests that were made then are not made again, and with
 * since = level the plan has every test of the level. `refused`: the neighbourhood is known to have
 * no inverse.
 */
dpc_plan dpc_plan_visit(const dpc_problem *problem, dpc_row_counts rows, int degree, int level,
                        int since, bool refused);

static inline bool dpc_plan_empty(const dpc_plan *plan)
{
    return !plan->full && !plan->subset && !plan->complement;
}

/* Has it use for the inverse of the neighbourhood's correlations? */
static inline bool dpc_plan_inverts(const dpc_plan *plan)
{
    return plan->full || plan->complement;
}

#endif
