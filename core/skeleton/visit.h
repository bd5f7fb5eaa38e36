/*
 * The tests of one node at one level: the inner room of the skeleton search.
 *
 * A kernel belongs to one worker and holds all the memory its tests need.
 */
#ifndef DPC_VISIT_H
#define DPC_VISIT_H

#include "crew.h"
#include "knowledge.h"
#include "stat.h"
#include "view.h"

/* What all nodes share. */
typedef struct dpc_problem {
    dpc_view view;
    const dpc_settings *settings;
    const dpc_known *known; /* NULL: nothing is known beforehand */
    dpc_critical critical;
    bool dual; /* the levels of dual PC, rather than those of classic PC */
} dpc_problem;

/*
 * Which tests a node with s = degree - 1 has at a level (docs/algorithm.md, section 4): subsets K
 * of size m are enumerated, each may be tested itself and by its complement S \ K.
 */
typedef struct dpc_plan {
    int m;           /* size of the enumerated subsets */
    bool too_large;  /* S has no inverse: the sample is too small for it */
    bool full;       /* test given all of S */
    bool subset;     /* test given K */
    bool complement; /* test given S \ K */
    int complement_size;
    double complement_critical;
    uint8_t complement_kind;
} dpc_plan;

/* One neighbourhood to test, and where the verdicts go. */
typedef struct dpc_visit {
    int x;
    const int32_t *neighbour; /* ascending */
    int degree;
    bool *refused; /* in and out: this neighbourhood is known to be singular */
    /* per position in `neighbour`: */
    const bool *target; /* is it to be tested? */
    uint8_t *kind;      /* receives the kind of the separating set; DPC_SEP_NONE stays */
    double *r;          /* receives the partial correlation */
    int32_t *subset;    /* receives K (variables, ascending), `stride` entries apart */
    int stride;
} dpc_visit;

typedef struct dpc_counts {
    int64_t tests, singular_neighbourhoods, singular_tests, doubtful_tests;
} dpc_counts;

typedef struct dpc_kernel dpc_kernel;

dpc_kernel *dpc_kernel_new(const dpc_problem *problem, dpc_crew *crew, int worker);
void dpc_kernel_free(dpc_kernel *kernel);

/* `since`: the first level that saw this very neighbourhood; `refused`: see dpc_visit. */
dpc_plan dpc_plan_visit(const dpc_problem *problem, int degree, int level, int since, bool refused);

static inline bool dpc_plan_empty(const dpc_plan *plan)
{
    return !plan->full && !plan->subset && !plan->complement;
}

/* Does it need the inverse of the neighbourhood's correlations? */
static inline bool dpc_plan_inverts(const dpc_plan *plan)
{
    return plan->full || plan->complement;
}

/* Memory for visits with this plan and degree, or smaller ones; false: no memory. */
bool dpc_kernel_reserve(dpc_kernel *kernel, const dpc_plan *plan, int degree);

/* Makes the tests. The plan must have been reserved for. Never allocates. */
void dpc_kernel_visit(dpc_kernel *kernel, const dpc_plan *plan, const dpc_visit *visit);

/* What was counted since the last call. */
dpc_counts dpc_kernel_take_counts(dpc_kernel *kernel);

#endif
