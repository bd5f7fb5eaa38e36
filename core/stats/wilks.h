/*
 * The test of two variables that are blocks of columns: Wilks' Λ with Rao's F.
 *
 * With W the covariances of x (p columns) and y (q columns) given the columns of a set, w of them,
 *
 *     ln Λ = ln det W - ln det W(x) - ln det W(y),     s = sqrt((p² q² - 4) / (p² + q² - 5)),
 *     df1 = p q,   df2 = (N - 1 - w - (p + q + 1) / 2) s - p q / 2 + 1,
 *     F = (Λ^(-1/s) - 1) df2 / df1,
 *
 * s being 1 where p² + q² ≤ 5 or p q ≤ 2. For p = q = 1 that is the exact t test; it is exact too
 * where p or q is 1 or 2 and the data are Gaussian (Wilks 1932; Rao 1951).
 *
 * Which columns take part: one of the set that the columns before it determine is passed over and
 * does not count in w; one of x or y that the set determines is not there, and p or q is smaller by
 * it. Where nothing of x or y is left, or N - 1 - w - p - q is below 3, there is no test.
 *
 * Where relations may be curved, a variable is a basis of functions of which the first, `lead` of
 * them, are what the others explain. Then there are two tests, of the lead of x against all of y
 * and of all of x against the lead of y, and the p-value is twice the smaller one: products of
 * functions of x with functions of y need products of the set's to be explained, and are not asked
 * for. Where both lead with all their columns there is one test.
 */
#ifndef DPC_WILKS_H
#define DPC_WILKS_H

#include "g2.h"
#include "stats.h"

#include <math.h>

/* One ratio of determinants, and the columns behind it. */
typedef struct dpc_wilks {
    double log_lambda; /* NaN: there is no test */
    int p, q;          /* columns of x, of y */
    int64_t w;         /* of the set */
} dpc_wilks;

/* Rao's F of it. */
typedef struct dpc_rao {
    double f, df1, df2;
    double p; /* P(F > f) */
    double z; /* of a normal variable with that two-sided p-value; finite also where p is 0 */
} dpc_rao;

/* May a test with so many columns be made? `least`: of N - 1 - w - p - q; 3 at the least. */
bool dpc_wilks_allowed(int64_t n_obs, int p, int q, int64_t w, double least);

dpc_rao dpc_rao_of(dpc_wilks wilks, int64_t n_obs);

/* The largest -ln Λ that is compatible with independence at a level; NaN: no test. */
double dpc_rao_critical(double alpha, int p, int q, int64_t w, int64_t n_obs);

/* Where a test is decided. */
typedef struct dpc_rao_bounds {
    double critical;    /* of -ln Λ; 0: not asked for yet; NaN: no test */
    double dependent;   /* Λ below this is dependent, whatever rounding does … */
    double independent; /* … and above this independent */
} dpc_rao_bounds;

/* Critical values that were asked for before. Belongs to one worker. Start from {0}. */
typedef struct dpc_rao_table {
    int64_t n_obs;
    double alpha;
    int widest;             /* p and q up to this are kept … */
    int64_t most;           /* … and w up to this */
    int64_t step;           /* of the w for which a glance has values */
    dpc_rao_bounds *bounds; /* owned */
} dpc_rao_table;

dpc_status dpc_rao_table_init(int64_t n_obs, double alpha, const dpc_blocks *blocks,
                              dpc_rao_table *out);
void dpc_rao_table_clear(dpc_rao_table *table);
dpc_rao_bounds dpc_rao_table_at(dpc_rao_table *table, int p, int q, int64_t w);

/*
 * For a glance: `dependent` of some w that is no smaller, of which fewer have to be found. It is
 * smaller by up to two percent of -ln Λ.
 */
double dpc_rao_table_dependent(dpc_rao_table *table, int p, int q, int64_t w);

/* ---- The whole test ---- */

/* A test of two variables: one ratio, or two, of which the first has the smaller p-value. */
typedef struct dpc_block_answer {
    dpc_wilks wilks; /* log_lambda NaN: no test, because something is determined or N too small */
    dpc_rao rao;
    int equations; /* 1 or 2 */
    double p;      /* of the whole: rao.p, or min(1, 2 rao.p) */
    double z;      /* the same as a normal variable */
    double r;      /* sqrt(1 - Λ^(1/min(p, q))): of two single columns |r|; by the direct way with
                      its sign, where both are numbers */
    dpc_g2 g2;     /* the test was made by counts, and wilks and rao are empty; df 0: it was not */
} dpc_block_answer;

/* How many leading columns a variable has. */
static inline int dpc_lead_of(const dpc_blocks *blocks, int variable)
{
    return blocks->lead != NULL && blocks->lead[variable] < dpc_block_width(blocks, variable)
               ? blocks->lead[variable]
               : dpc_block_width(blocks, variable);
}

/*
 * The parts of a test: from W over x and then y, order p + q, which is spoilt; the pivots below a
 * tolerance are dropped. `lead_x` and `lead_y` of the columns lead. `room`: 2 (p + q)². `count`
 * receives 1 or 2.
 */
void dpc_wilks_from(double *w, int p, int q, int lead_x, int lead_y, int64_t given, double *room,
                    dpc_wilks out[2], int *count);

/*
 * Λ itself where all columns lead, by products of pivots: for a glance. NaN: one is small, and it
 * takes the way above. `room`: (p + q)².
 */
double dpc_lambda_of(const double *w, int p, int q, double *room);

/*
 * The same of one or two columns each, without a loop: x has the covariances a, y has c, and b are
 * those of x (its first number) with y. Of one column the second is a column of its own: 0, 1 and
 * 0.
 */
typedef struct dpc_small_w {
    double a11, a12, a22, b11, b12, b21, b22, c11, c12, c22;
} dpc_small_w;

static inline double dpc_lambda_small(dpc_small_w w)
{
    const double gone = 1e-8;
    double det_a = w.a11 * w.a22 - w.a12 * w.a12, det_c = w.c11 * w.c22 - w.c12 * w.c12;
    if (!(w.a11 >= gone) || !(w.c11 >= gone) || !(det_a >= gone * w.a11) ||
        !(det_c >= gone * w.c11))
        return NAN;
    /* what y leaves of x: a - b c⁻¹ bᵀ, with c⁻¹ bᵀ times det c first */
    double s = 1 / det_c;
    double u1 = (w.c22 * w.b11 - w.c12 * w.b12) * s, u2 = (w.c11 * w.b12 - w.c12 * w.b11) * s;
    double v1 = (w.c22 * w.b21 - w.c12 * w.b22) * s, v2 = (w.c11 * w.b22 - w.c12 * w.b21) * s;
    double left11 = w.a11 - w.b11 * u1 - w.b12 * u2, left12 = w.a12 - w.b21 * u1 - w.b22 * u2;
    double left22 = w.a22 - w.b21 * v1 - w.b22 * v2;
    return (left11 * left22 - left12 * left12) / det_a;
}

/* A small positive definite matrix by its inverse, in place; false: it is nearly singular. */
bool dpc_block_inverse(double *a, int order);

/* The p-value of the parts of a test; `least` as above. */
dpc_block_answer dpc_answer_of(const dpc_wilks *part, int count, int64_t n_obs, double least);

/* Memory for questions of the direct way with so many columns, of x and y together `pair`. */
dpc_status dpc_direct_reserve(dpc_direct *direct, int64_t columns, int64_t pair);

/*
 * The direct way: variables (columns of the view) x and y given k others. DPC_OK or no memory. The
 * correlations are those of direct->view->blocks.
 */
dpc_status dpc_direct_blocks(dpc_direct *direct, int x, int y, const int32_t *set, int k,
                             double least, dpc_block_answer *out);

/*
 * The door for tests given nothing and given a primal set (docs/algorithm.md, section 4): by counts
 * where there are codes and the set is small (g2.h), unless they leave no degree of freedom, and
 * otherwise as above. Tests given all of S, the complement of a set or all others are not for it.
 */
dpc_status dpc_direct_primal(dpc_direct *direct, int x, int y, const int32_t *set, int k,
                             dpc_block_answer *out);

/* Memory for tests by counts, where there are any. */
dpc_status dpc_direct_reserve_counts(dpc_direct *direct);

/*
 * What k others leave of variable v: *log_det receives ln det of its covariances given them, its
 * own being the identity; NaN where they determine a column of it. With `lead` it is about the
 * leading columns alone. DPC_OK or no memory.
 */
dpc_status dpc_direct_left(dpc_direct *direct, int v, const int32_t *set, int k, bool lead,
                           double *log_det);

/* The canonical correlations of x and y given k others, largest first; *count receives how many. */
dpc_status dpc_direct_canonical(dpc_direct *direct, int x, int y, const int32_t *set, int k,
                                double *out, int *count);

/* The same from W over x and y, or from its inverse, which has the same; `out`: min(p, q). */
dpc_status dpc_canonical_from(const double *w, int p, int q, double *out, int *count);

#endif
