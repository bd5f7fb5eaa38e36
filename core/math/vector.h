/*
 * The loops over columns that take nearly all of the time, in the best form this processor has.
 * The choice is made once, in dpc_vector_best; every form computes the same up to rounding, and
 * nothing that is reported rests on them (see subsets.c).
 *
 * The screens, and `passing`, take whole vectors: `count` is a multiple of DPC_VECTOR.
 */
#ifndef DPC_VECTOR_H
#define DPC_VECTOR_H

#include <stdint.h>

enum { DPC_VECTOR = 4, DPC_CHAINS = 8, DPC_MOST_STEPS = 1023 };

/* `count` columns, padded to whole vectors. */
static inline int dpc_whole_vectors(int count)
{
    return (count + DPC_VECTOR - 1) / DPC_VECTOR * DPC_VECTOR;
}

/*
 * Rows of a matrix given an element a, which come after it and are to be made conditional on it one
 * by one: what `first_passing` reads. Row q belongs to column[q], whose t is not looked at.
 */
typedef struct dpc_last_rows {
    int count;             /* of columns: whole vectors */
    int64_t ld;            /* row q is at row + q * ld */
    const double *row;     /* … */
    const int32_t *column; /* by row */
    const double *wa;      /* the row of a, … */
    double inverse;        /* … over its pivot: 1 / that */
    const double *x, *v;   /* by column: the row of the target's partner x, the variances … */
    double xa, vx;         /* … the entry of a in x, and the variance of x given a */
    const double *tc, *vc; /* x and v given a */
    double c2;             /* the square of the critical value */
    double shaky, slack;   /* a pivot below `shaky` stops, too; see subsets.c */
} dpc_last_rows;

typedef struct dpc_vector {
    const char *name;

    /*
     * The least t² - c2 v over the columns, where t and v are those given one element more, q,
     * with row wq:  t = tc - g wq,  v = vc - iq wq².
     */
    double (*screen_first)(int count, const double *wq, const double *tc, const double *vc,
                           double g, double iq, double c2);

    /* The same where the row of q is first made conditional on a:  wq - f wa. */
    double (*screen_next)(int count, const double *wq, const double *wa, double f, const double *tc,
                          const double *vc, double g, double iq, double c2);

    /*
     * The first of the rows from … to-1 with a column that has t² - c2 v ≤ slack, as above, or with
     * a pivot that is shaky; `to`: there is none.
     */
    int (*first_passing)(const dpc_last_rows *rows, int from, int to);

    /* Which of up to 64 columns have t² - c2 v ≤ slack, as bits; `wa` may be NULL. */
    uint64_t (*passing)(int count, const double *wq, const double *wa, double f, const double *tc,
                        const double *vc, double g, double iq, double c2, double slack);

    /* to = from - f wa */
    void (*eliminate)(int count, const double *from, const double *wa, double f, double *to);

    /* to = from - f wa² */
    void (*reduce)(int count, const double *from, const double *wa, double f, double *to);

    /* Which of up to 64 values are above c in absolute value, as bits; any count. */
    uint64_t (*above)(int count, const double *values, double c);

    /* Inner product; any count. */
    double (*dot)(int count, const double *a, const double *b);

    /*
     * The inner products of x with DPC_CHAINS columns y; any count. Each is summed in the order of
     * the rows, fused where the processor can: as BLAS sums an entry of a product of matrices.
     */
    void (*chains)(int64_t rows, const double *x, const double *const *y, double *sum);

    /* The inner product of whole numbers, each at most DPC_MOST_STEPS in size; any count. */
    int64_t (*steps)(int64_t count, const int16_t *a, const int16_t *b);

    /* Σ a² b; any count. */
    double (*squares)(int count, const double *a, const double *b);

    /*
     * Replaces a symmetric positive definite matrix, of an order that is a multiple of DPC_VECTOR,
     * by its inverse scaled to unit diagonal. Only the upper triangle is read; `room` has 4 rows.
     * Returns the smallest conditional variance 1 / (A⁻¹)ii; 0, and the matrix spoilt: a pivot was
     * below `tolerance`.
     */
    double (*invert)(int order, double *matrix, double *room, double tolerance);
} dpc_vector;

const dpc_vector *dpc_vector_best(void);

/* All forms that this processor can run, best first, ended by NULL: for the tests. */
const dpc_vector *const *dpc_vector_all(void);

#endif
