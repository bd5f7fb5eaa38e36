/*
 * A visit: the tests of one node at one level, the inner room of the skeleton search.
 *
 * A visitor belongs to one worker and holds all the memory its tests need.
 */
#ifndef DPC_VISIT_H
#define DPC_VISIT_H

#include "crew.h"
#include "plan.h"

/* The order of R over a node and its neighbours up to which T is made at once. */
enum { DPC_SMALL_ORDER = 64 };

/*
 * What the shares of a visit have in common, where its targets are dealt out to several workers.
 * Every target meets its sets in their order, whoever tests it: nothing else is changed by that.
 * Visits of small order are not shared, because how they find T depends on the number of targets.
 */
typedef struct dpc_shared {
    double *factor; /* F, room for (degree + 1)² entries where the plan inverts; not owned */
    double least;   /* smallest conditional variance; 0: there is no F */
    int shares;
    _Atomic double done; /* of the sets of all shares, 0 to 1 */
} dpc_shared;

/* One neighbourhood to test, and where the verdicts go. */
typedef struct dpc_visit {
    int x;
    const int32_t *neighbour; /* ascending */
    int degree;
    const bool *target;   /* per neighbour: is it to be tested? */
    uint8_t *condition;   /* in and out: what is known of this neighbourhood */
    dpc_shared *shared;   /* a share of the visit, which has this in common; NULL: all of it */
    const int32_t *place; /* per neighbour: where its verdict goes; NULL: where it stands itself */
    /* The verdicts, by place. */
    uint8_t *kind;   /* receives the kind of the separating set; DPC_SEP_NONE stays */
    double *r;       /* receives the partial correlation */
    int32_t *subset; /* receives K (variables, ascending), `stride` entries apart, -1 behind it */
    int stride;
} dpc_visit;

/* |K|, of a subset that a visit has filled in. */
static inline int dpc_subset_size(const int32_t *subset, int stride)
{
    int m = 0;
    while (m < stride && subset[m] >= 0)
        m++;
    return m;
}

typedef struct dpc_counts {
    int64_t tests, singular_neighbourhoods, singular_tests, doubtful_tests, uncertain_tests;
    int64_t left_out;
} dpc_counts;

static inline void dpc_counts_add(dpc_counts *sum, dpc_counts more)
{
    sum->tests += more.tests;
    sum->singular_neighbourhoods += more.singular_neighbourhoods;
    sum->singular_tests += more.singular_tests;
    sum->doubtful_tests += more.doubtful_tests;
    sum->uncertain_tests += more.uncertain_tests;
    sum->left_out += more.left_out;
}

typedef struct dpc_visitor dpc_visitor;

dpc_status dpc_visitor_new(const dpc_problem *problem, dpc_crew *crew, int worker,
                           dpc_visitor **out);
void dpc_visitor_free(dpc_visitor *visitor);

/* Memory for visits with this plan and degree, or smaller ones. */
dpc_status dpc_visitor_reserve(dpc_visitor *visitor, const dpc_plan *plan, int degree);

/* Prepares the shares of a visit, outside of tasks: the inverse, with all workers. */
void dpc_visitor_prepare(dpc_visitor *visitor, const dpc_plan *plan, const dpc_visit *visit);

/* Makes the tests. The plan must have been reserved for. Never allocates. */
void dpc_visitor_visit(dpc_visitor *visitor, const dpc_plan *plan, const dpc_visit *visit);

/* What was counted since the last call. */
dpc_counts dpc_visitor_take_counts(dpc_visitor *visitor);

#endif
