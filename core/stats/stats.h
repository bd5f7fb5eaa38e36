/*
 * The door between data and every search.
 *
 * Whatever a search asks of data is one question: how much does u explain of v, given a set S, and
 * with how many degrees of freedom? The answer is a deviance, twice the logarithm of a likelihood
 * ratio. A test and a score are two readings of it.
 *
 * Two procedures answer. A family (family.h) is one v and a set that grows: it answers for all u at
 * once, and the searches use it. The direct way (dpc_direct below) is one pair given one set, by a
 * factor made for this one question: it judges. Fast paths that screen are refused, or not, by
 * dpc_stats_can; what they let through goes to one of the two.
 */
#ifndef DPC_STATS_H
#define DPC_STATS_H

#include "crew.h"
#include "patch.h"
#include "status.h"

/* A variable: a block of columns that belong together. Most variables are one column, a scalar. */
typedef struct dpc_variable {
    int first, count;
} dpc_variable;

/* What u explains of v given S. */
typedef struct dpc_deviance {
    double d;  /* 2 log likelihood ratio; NaN: S determines one of the two */
    double df; /* its degrees of freedom: columns of u times columns of v */
    double n;  /* the rows behind it */
} dpc_deviance;

typedef struct dpc_stats {
    dpc_view view; /* of R, of the columns in its place, or of blocks; and the N of each test */
    int n;         /* nodes */
    /* Of families of blocks (block_family.h): */
    double parameter;  /* what a parameter costs in a score */
    bool one_equation; /* of v, its first column alone counts: score.h */
} dpc_stats;

static inline dpc_stats dpc_stats_of(const dpc_view *view)
{
    return (dpc_stats){.view = *view, .n = view->n};
}

/* The columns of a node. */
static inline dpc_variable dpc_variable_of(const dpc_stats *stats, int node)
{
    int v = dpc_column_of(stats->view.labels, node);
    const dpc_blocks *blocks = stats->view.blocks;
    return blocks != NULL ? (dpc_variable){blocks->first[v], dpc_block_width(blocks, v)}
                          : (dpc_variable){v, 1};
}

/* What a fast path may ask for, and be refused. */
typedef enum dpc_capability {
    DPC_CAN_READ_R, /* R is there as a matrix: view.r */
    DPC_CAN_SCREEN, /* R is not there, the columns are: products, and their screens (screen.h) */
    DPC_CAN_INVERT, /* R over a few nodes has an inverse that dual tests can be read from */
    DPC_ALL_SCALAR, /* every node is one column: the vector kernels over rows of numbers */
    DPC_ONE_N,      /* all tests count with the same number of rows */
} dpc_capability;

bool dpc_stats_can(const dpc_stats *stats, dpc_capability what);

/* The same of a view. */
static inline bool dpc_view_can(const dpc_view *view, dpc_capability what)
{
    switch (what) {
    case DPC_CAN_READ_R:
        return view->r != NULL;
    case DPC_CAN_SCREEN:
        return view->r == NULL && view->blocks == NULL;
    case DPC_ONE_N:
        return view->rows == NULL;
    default: /* DPC_CAN_INVERT, DPC_ALL_SCALAR */
        return view->blocks == NULL;
    }
}

/*
 * dpc_gather for many columns: where R is not there a crew makes the entries. DPC_OK, no memory or
 * interrupted.
 */
dpc_status dpc_gather_many(const dpc_view *view, const int32_t *columns, int count, dpc_crew *crew,
                           double *to);

/* ---- Readings ---- */

/* The deviance of two scalars whose squared partial correlation is r², or is 1 - left. */
dpc_deviance dpc_deviance_of_square(double square, double n);
dpc_deviance dpc_deviance_of_left(double left, double df, double n);

/* What a deviance adds to a score where a degree of freedom costs a price: d / 2 - price · df. */
static inline double dpc_score_of(dpc_deviance deviance, double price)
{
    return deviance.d / 2 - price * deviance.df;
}

/*
 * The p-value given k columns: of one degree of freedom by the test, of more by the chi-square
 * distribution of d, which is that of many rows. (Rao's F would be nearer to the truth for few.)
 */
double dpc_p_value_of(dpc_deviance deviance, dpc_test test, int64_t k);

/* ---- The direct way ---- */

/* Memory for questions about single pairs. Belongs to one worker. Start from {.view = …}. */
typedef struct dpc_direct {
    const dpc_view *view; /* not owned */
    dpc_patch patch;      /* where there is no R */
    double *scratch;      /* owned */
    int64_t room;         /* of `scratch` */
    int32_t *tally;       /* for tests by counts; owned */
    int64_t tally_room;
} dpc_direct;

void dpc_direct_clear(dpc_direct *direct);

/*
 * The partial correlation of columns x and y given k others, into *r; NaN where these determine one
 * of the two. DPC_OK or no memory.
 */
dpc_status dpc_direct_r(dpc_direct *direct, int x, int y, const int32_t *set, int k, double *r);

#endif
