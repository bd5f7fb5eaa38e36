/* The few dense kernels: LAPACK through its Fortran symbols, and one direct partial correlation. */
#ifndef DPC_LINALG_H
#define DPC_LINALG_H

#include "triangular.h"
#include "vector.h"

/*
 * A conditional variance below this, of a variable scaled to variance 1, is rounding: the
 * variable is a function of the others, and what divides by it is no test.
 */
#define DPC_SINGULAR 1e-10

/*
 * One below this is not rounding, but what divides by it has lost so many digits that sums of such
 * quotients cannot be relied on.
 */
#define DPC_SHAKY 1e-6

void dgemm_(const char *ta, const char *tb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc);
void sgemm_(const char *ta, const char *tb, const int *m, const int *n, const int *k,
            const float *alpha, const float *a, const int *lda, const float *b, const int *ldb,
            const float *beta, float *c, const int *ldc);
void dsyrk_(const char *uplo, const char *trans, const int *n, const int *k, const double *alpha,
            const double *a, const int *lda, const double *beta, double *c, const int *ldc);
void dsyev_(const char *jobz, const char *uplo, const int *n, double *a, const int *lda, double *w,
            double *work, const int *lwork, int *info);
void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info);
void dtrtri_(const char *uplo, const char *diag, const int *n, double *a, const int *lda,
             int *info);
void dlauum_(const char *uplo, const int *n, double *a, const int *lda, int *info);
void dtrmm_(const char *side, const char *uplo, const char *trans, const char *diag, const int *m,
            const int *n, const double *alpha, const double *a, const int *lda, double *b,
            const int *ldb);
void dtrsm_(const char *side, const char *uplo, const char *trans, const char *diag, const int *m,
            const int *n, const double *alpha, const double *a, const int *lda, double *b,
            const int *ldb);
void dtrsv_(const char *uplo, const char *trans, const char *diag, const int *n, const double *a,
            const int *lda, double *x, const int *incx);

/*
 * Replaces the symmetric positive definite matrix A (n × n, lower triangle in Fortran's sense:
 * entry i ≥ j at a[j*n + i]) by a lower triangular F with unit columns such that FᵀF is A⁻¹ scaled
 * to unit diagonal: minus the partial correlations given all others. `least` receives the
 * smallest conditional variance 1 / (A⁻¹)ii. False, with `a` spoilt and *least 0, where that is
 * below DPC_SINGULAR or A is not positive definite, or where it was called off.
 *
 * `crew` (may be NULL) is asked whether to go on. `worker` does all of it, from within a task;
 * DPC_ALL_WORKERS share it, outside of tasks. Neither changes the bytes.
 */
bool dpc_inverse_factor(double *a, int n, double *least, dpc_crew *crew, int worker);

/* The same as the matrix FᵀF itself, both triangles. */
bool dpc_scaled_inverse(double *a, int n, double *least, dpc_crew *crew, int worker);

/*
 * The same matrix for small orders and without LAPACK, whose calls take longer than their work
 * there. A has dpc_whole_vectors(n) rows and columns, of which n are filled, in the upper triangle:
 * entry j ≥ i at a[i * ld + j]; `room` has 4 rows. True where all is far from singular, DPC_SAFE;
 * otherwise the matrix is spoilt, and the way above is to be gone.
 */
#define DPC_SAFE 1e-8
bool dpc_small_inverse(double *a, int n, double *room, double *least);

/*
 * What a set leaves of two variables x and y, from a symmetric matrix m with unit diagonal and
 * leading dimension ld: the rows of a Cholesky factor, one more for each member. This is the direct
 * way to one partial correlation; every verdict of a test comes from here.
 */
typedef struct dpc_left {
    double x, y, xy; /* the variances of the two, and their covariance, given the members */
} dpc_left;

typedef struct dpc_partial {
    const double *m; /* not owned, as all below */
    int64_t ld;
    int x, y;
    const int32_t *set; /* the members, and those that will be */
    int k, most;        /* members; and how many there can be */
    double tolerance;   /* a variance below this is none */
    double *factor;     /* the rows of the members, then of x and y, most + 1 apart */
    dpc_left left;
} dpc_partial;

/* No members yet. `scratch` has (most + 2) (most + 1) entries. */
dpc_partial dpc_partial_start(const double *m, int64_t ld, int x, int y, const int32_t *set,
                              int most, double tolerance, double *scratch);

/* The next of the set, or the next `count`, become members. False: those before determine it. */
bool dpc_partial_push(dpc_partial *partial);
bool dpc_partial_push_all(dpc_partial *partial, int count);

/* Back to the first k members, which left so much. */
static inline void dpc_partial_back(dpc_partial *partial, int k, dpc_left left)
{
    partial->k = k;
    partial->left = left;
}

/* The correlation of x and y given the members; NaN where these determine one of the two. */
double dpc_partial_r(const dpc_partial *partial);

/* The same given one member more, which may be any column and does not stay; there is room for it.
 */
double dpc_partial_r_with(const dpc_partial *partial, int member);

/* All of it for one set of k members. `scratch` has (k+2)² entries. */
double dpc_partial_correlation(const double *m, int64_t ld, int x, int y, const int32_t *set, int k,
                               double tolerance, double *scratch);

/*
 * How far rounding may have moved the r that was just found, with the same arguments: 4ε g, where
 *
 *     g = (1 + |b_x|)² / v_x + (1 + |b_y|)² / v_y ,
 *
 * |b_x| is the sum of the coefficients of x on the set and v_x what the set leaves of x. An error
 * of ε in each correlation changes v_x by (1 + |b_x|)² ε, and what the two have in common by
 * (1 + |b_x|) (1 + |b_y|) ε. Spoils the scratch.
 */
double dpc_partial_doubt(const double *m, int64_t ld, int x, int y, const int32_t *set, int k,
                         double *scratch);

#endif
