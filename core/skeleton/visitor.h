/*
 * The visitor from inside: shared by visit.c, which sets a visit up, panels.c and subsets.c, which
 * go through the sets, and verdict.c, which judges.
 */
#ifndef DPC_VISITOR_H
#define DPC_VISITOR_H

#include "patch.h"
#include "vector.h"
#include "visit.h"

/* The two matrices a test can be read from. */
enum {
    SIDE_U = 0, /* correlations: tests given a subset K */
    SIDE_T = 1, /* their inverse, scaled: tests given the complement S \ K */
};

typedef struct dpc_side {
    bool used;
    uint8_t kind;  /* of the sets this side finds */
    double c;      /* their critical value; the largest, where each has its own */
    double slack;  /* of the screen, in t²; and … */
    double error;  /* … where it is not in that: the error of an entry of W */
    double shaky;  /* smallest pivot for which they cover the error */
    double doubt;  /* error of |r|: what is closer to c than this is decided from R itself */
    double *t, *v; /* W(x, ·) and W(·, ·) over the columns, given all of K but the last */
} dpc_side;

/* The Schur complement of one side given a prefix. */
typedef struct dpc_panel {
    double *row; /* row q: W(q, columns), for positions q after the prefix; `ld` apart */
    double *x;   /* W(x, columns) */
    double *v;   /* W(c, c) */
    double vx;   /* W(x, x) */
} dpc_panel;

/* The state of the enumeration after a prefix; depth d is that of d elements. */
typedef struct dpc_depth {
    dpc_panel panel[2];
    int32_t *position; /* of a column */
    int32_t *column;   /* of a position */
    int live;          /* the first `live` columns are the targets still to be tested */
    int dead_seen;     /* separations that these columns know of */
} dpc_depth;

struct dpc_visitor {
    const dpc_problem *problem;
    dpc_view view;   /* of R, or of a patch of it: what the variables of the visit are columns of */
    dpc_patch patch; /* over the neighbours and x, where there is no R */
    dpc_crew *crew;
    const dpc_vector *vector;
    int worker;
    /* memory: three slabs, laid out anew for every visit */
    double *doubles;
    int32_t *ints;
    dpc_depth *depths;
    int64_t double_room, int_room, depth_room;
    /* the visit */
    const dpc_visit *visit;
    int degree, m;
    int ld; /* columns, padded */
    dpc_side side[2];
    /* T, the scaled inverse of R over the neighbours and then x: */
    bool inverted;   /* it exists, in one of these forms or in both: */
    double *inverse; /* T itself, rows `inverse_ld` apart; of small neighbourhoods */
    double *factor;  /* F with FᵀF = T; see dpc_inverse_factor */
    bool has_inverse, has_factor;
    int inverse_ld;
    double *toward_x;   /* T(x, q) by position */
    double *gathered;   /* one row of R over the columns */
    double *small;      /* T over K, y and x, for one direct test */
    double *scratch;    /* for one direct test */
    int32_t *prefix;    /* the subset K so far, as positions */
    int32_t *identity;  /* 0, 1, … degree */
    int32_t *variable;  /* columns of the view: of the neighbours, then of x */
    int32_t *of_column; /* the variable of a column, while rows of R are gathered */
    int32_t *set;       /* a set of variables, for one direct test */
    int32_t *live;      /* per position: is it a target still to be tested? */
    bool some;          /* not every test of the visit can be made; see dpc_plan */
    int dead;           /* targets separated so far */
    int64_t budget;     /* operations until the next look whether to stop */
    int64_t looks;      /* since the visit began */
    double done;        /* the share of the visit that was reported to the crew */
    bool stopped;
    struct dpc_block_visitor
        *blocks; /* in place of the rest, where variables are; owned; or NULL */
    dpc_counts counts;
    int64_t reported; /* of counts.tests, to the crew */
};

/* visit.c: reports the tests made since the last time to the crew, and asks whether to stop. */
bool dpc_look_up(dpc_visitor *visitor);

/* Has the work been called off? Asked between `work` operations; looks up once in a million. */
static inline bool dpc_stopped(dpc_visitor *v, int64_t work)
{
    v->budget -= work;
    return v->budget < 0 ? dpc_look_up(v) : v->stopped;
}

/*
 * verdict.c: the test of target y on one side, given K = prefix, all m elements of it; true:
 * separated. Then the same for all targets and sides, and for all targets, sides and sets that
 * begin with the first `chosen` elements of the prefix and go on from `first`.
 */
bool dpc_judge(dpc_visitor *visitor, int side, int y);
void dpc_judge_set(dpc_visitor *visitor);
void dpc_judge_below(dpc_visitor *visitor, int chosen, int first);

/* panels.c: the first columns and panels of a visit; and row q of R over its first columns. */
void dpc_start_panels(dpc_visitor *visitor);
void dpc_gather_columns(const dpc_visitor *visitor, int q, int count, double *to);

/* subsets.c: tests the live targets given every subset of size m, or its complement, or both. */
void dpc_test_subsets(dpc_visitor *visitor);

/* visit.c: makes F, where there is none yet; false: it does not exist. */
bool dpc_factorise(dpc_visitor *visitor);

/* visit.c: records that `position` was separated by K = `subset` (positions, m of them). */
void dpc_record_verdict(dpc_visitor *visitor, int position, uint8_t kind, double r,
                        const int32_t *subset, int m);

#endif
