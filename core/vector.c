/*
 * The loops over columns: see vector.h.
 *
 * Each loop is written once, in plain C that the compiler turns into vector code, and is compiled
 * for the baseline of the architecture and for AVX2 with FMA.
 */
#include "vector.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INLINE static inline __attribute__((always_inline))

INLINE double screen_first(int count, const double *restrict wq, const double *restrict tc,
                           const double *restrict vc, double g, double iq, double c2)
{
    double least = INFINITY;
    count &= ~(DPC_VECTOR - 1);
#pragma omp simd reduction(min : least)
    for (int c = 0; c < count; c++) {
        double y = wq[c], t = tc[c] - g * y, margin = t * t - c2 * (vc[c] - iq * y * y);
        least = margin < least ? margin : least;
    }
    return least;
}

INLINE double screen_next(int count, const double *restrict wq, const double *restrict wa, double f,
                          const double *restrict tc, const double *restrict vc, double g, double iq,
                          double c2)
{
    double least = INFINITY;
    count &= ~(DPC_VECTOR - 1);
#pragma omp simd reduction(min : least)
    for (int c = 0; c < count; c++) {
        double y = wq[c] - f * wa[c], t = tc[c] - g * y;
        double margin = t * t - c2 * (vc[c] - iq * y * y);
        least = margin < least ? margin : least;
    }
    return least;
}

INLINE void eliminate(int count, const double *restrict from, const double *restrict wa, double f,
                      double *restrict to)
{
#pragma omp simd
    for (int c = 0; c < count; c++)
        to[c] = from[c] - f * wa[c];
}

INLINE void reduce(int count, const double *restrict from, const double *restrict wa, double f,
                   double *restrict to)
{
#pragma omp simd
    for (int c = 0; c < count; c++)
        to[c] = from[c] - f * wa[c] * wa[c];
}

INLINE int count_above(int count, const double *restrict values, double c)
{
    int64_t above = 0; /* as wide as a double: lanes match */
#pragma omp simd reduction(+ : above)
    for (int i = 0; i < count; i++)
        above += fabs(values[i]) > c;
    return (int)above;
}

INLINE double dot(int count, const double *restrict a, const double *restrict b)
{
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

/* All loops under one target. */
#define FORMS(suffix, target)                                                                      \
    target static double screen_first_##suffix(int count, const double *wq, const double *tc,      \
                                               const double *vc, double g, double iq, double c2)   \
    {                                                                                              \
        return screen_first(count, wq, tc, vc, g, iq, c2);                                         \
    }                                                                                              \
    target static double screen_next_##suffix(int count, const double *wq, const double *wa,       \
                                              double f, const double *tc, const double *vc,        \
                                              double g, double iq, double c2)                      \
    {                                                                                              \
        return screen_next(count, wq, wa, f, tc, vc, g, iq, c2);                                   \
    }                                                                                              \
    target static void eliminate_##suffix(int count, const double *from, const double *wa,         \
                                          double f, double *to)                                    \
    {                                                                                              \
        eliminate(count, from, wa, f, to);                                                         \
    }                                                                                              \
    target static void reduce_##suffix(int count, const double *from, const double *wa, double f,  \
                                       double *to)                                                 \
    {                                                                                              \
        reduce(count, from, wa, f, to);                                                            \
    }                                                                                              \
    target static int count_above_##suffix(int count, const double *values, double c)              \
    {                                                                                              \
        return count_above(count, values, c);                                                      \
    }                                                                                              \
    target static double dot_##suffix(int count, const double *a, const double *b)                 \
    {                                                                                              \
        return dot(count, a, b);                                                                   \
    }                                                                                              \
    static const dpc_vector VECTOR_##suffix = {                                                    \
        .name = #suffix,                                                                           \
        .screen_first = screen_first_##suffix,                                                     \
        .screen_next = screen_next_##suffix,                                                       \
        .eliminate = eliminate_##suffix,                                                           \
        .reduce = reduce_##suffix,                                                                 \
        .count_above = count_above_##suffix,                                                       \
        .dot = dot_##suffix,                                                                       \
    };

FORMS(plain, )

#if defined(__x86_64__)
FORMS(avx2, __attribute__((target("avx2,fma"))))
#endif

static const dpc_vector *const PLAIN_ONLY[] = {&VECTOR_plain, NULL};

const dpc_vector *const *dpc_vector_all(void)
{
#if defined(__x86_64__)
    static const dpc_vector *const with_avx2[] = {&VECTOR_avx2, &VECTOR_plain, NULL};
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return with_avx2;
#endif
    return PLAIN_ONLY;
}

const dpc_vector *dpc_vector_best(void)
{
    return dpc_vector_all()[0];
}
