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
    const int32_t *alike;         /* see dpc_representatives; NULL: no two nodes are alike */
    int32_t *tally;               /* zeros, one for each node, where some are alike */
    dpc_critical critical;
    bool dual; /* the levels of dual PC, rather than those of classic PC */
} dpc_problem;

/* What is known of a neighbourhood, as bits, until it changes. */
enum {
    DPC_NO_INVERSE = 1,
    DPC_LEFT_OUT = 2, /* and its large sets are too many to be judged one by one */
};

/*
 * How many pairs of a neighbourhood, x and its neighbours, are nearly copies (dpc_representatives):
 * among the neighbours, and of x with one of them.
 */
typedef struct dpc_alike {
    int64_t among, own;
} dpc_alike;

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
    /*
     * The sets are not gone through, because too many would be judged one by one, or could not be
     * judged: many hold nearly copies, or the neighbourhood has no inverse, and they are large.
     * And: there are so many that this is so if the second is.
     */
    bool left_out, many;
} dpc_plan;

/*
 * The visit to a node. `rows`: what the node and its neighbours have in common. `since`: the first
 * level that saw this very neighbourhood; tests that were made then are not made again, and with
 * since = level the plan has every test of the level. `condition`: what is known of it.
 * `alike`: as it is now.
 */
dpc_plan dpc_plan_visit(const dpc_problem *problem, dpc_row_counts rows, int degree, int level,
                        int since, uint8_t condition, dpc_alike alike);

/* Counts a node with its neighbours; spoils nothing but the tally while it counts. */
dpc_alike dpc_count_alike(const dpc_problem *problem, int x, const int32_t *neighbour, int degree);

static inline bool dpc_plan_empty(const dpc_plan *plan)
{
    return !plan->full && !plan->subset && !plan->complement;
}

/* What it takes, in operations, roughly: the inverse, and all sets for all targets. */
double dpc_plan_cost(const dpc_plan *plan, int degree);

/* Has it use for the inverse of the neighbourhood's correlations? */
static inline bool dpc_plan_inverts(const dpc_plan *plan)
{
    return plan->full || plan->complement;
}

#endif
