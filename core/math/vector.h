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
