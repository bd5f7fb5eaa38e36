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

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define INLINE static inline __attribute__((always_inline))
#define AVX2   __attribute__((target("avx2,fma")))

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

INLINE double dot(int count, const double *restrict a, const double *restrict b)
{
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

INLINE double squares(int count, const double *restrict a, const double *restrict b)
{
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int i = 0; i < count; i++)
        sum += a[i] * a[i] * b[i];
    return sum;
}

static uint64_t passing_plain(int count, const double *wq, const double *wa, double f,
                              const double *tc, const double *vc, double g, double iq, double c2,
                              double slack)
{
    uint64_t bits = 0;
    for (int c = 0; c < count; c++) {
        double y = wa != NULL ? wq[c] - f * wa[c] : wq[c], t = tc[c] - g * y;
        bits |= (uint64_t)(t * t - c2 * (vc[c] - iq * y * y) <= slack) << c;
    }
    return bits;
}

static uint64_t above_plain(int count, const double *values, double c)
{
    uint64_t bits = 0;
    for (int i = 0; i < count; i++)
        bits |= (uint64_t)(fabs(values[i]) > c) << i;
    return bits;
}

#if defined(__x86_64__)
/* Compilers do not find the instruction that gathers the signs of a comparison. */
AVX2 static uint64_t above_avx2(int count, const double *values, double c)
{
    __m256d limit = _mm256_set1_pd(c), sign = _mm256_set1_pd(-0.0);
    uint64_t bits = 0;
    int i = 0;
    for (; i + 4 <= count; i += 4) {
        __m256d v = _mm256_andnot_pd(sign, _mm256_loadu_pd(values + i));
        bits |= (uint64_t)_mm256_movemask_pd(_mm256_cmp_pd(v, limit, _CMP_GT_OQ)) << i;
    }
    for (; i < count; i++)
        bits |= (uint64_t)(fabs(values[i]) > c) << i;
    return bits;
}

AVX2 static uint64_t passing_avx2(int count, const double *wq, const double *wa, double f,
                                  const double *tc, const double *vc, double g, double iq,
                                  double c2, double slack)
{
    __m256d vf = _mm256_set1_pd(f), vg = _mm256_set1_pd(g), viq = _mm256_set1_pd(iq);
    __m256d vc2 = _mm256_set1_pd(c2), vslack = _mm256_set1_pd(slack);
    uint64_t bits = 0;
    for (int c = 0; c < count; c += 4) {
        __m256d y = _mm256_loadu_pd(wq + c);
        if (wa != NULL)
            y = _mm256_fnmadd_pd(vf, _mm256_loadu_pd(wa + c), y);
        __m256d t = _mm256_fnmadd_pd(vg, y, _mm256_loadu_pd(tc + c));
        __m256d v = _mm256_fnmadd_pd(_mm256_mul_pd(viq, y), y, _mm256_loadu_pd(vc + c));
        __m256d margin = _mm256_fmsub_pd(t, t, _mm256_mul_pd(vc2, v));
        __m256d passes = _mm256_cmp_pd(margin, vslack, _CMP_LE_OQ);
        bits |= (uint64_t)_mm256_movemask_pd(passes) << c;
    }
    return bits;
}
#endif

/* All other loops under one target, and the table of the form. */
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
    target static double dot_##suffix(int count, const double *a, const double *b)                 \
    {                                                                                              \
        return dot(count, a, b);                                                                   \
    }                                                                                              \
    target static double squares_##suffix(int count, const double *a, const double *b)             \
    {                                                                                              \
        return squares(count, a, b);                                                               \
    }                                                                                              \
    static const dpc_vector VECTOR_##suffix = {                                                    \
        .name = #suffix,                                                                           \
        .screen_first = screen_first_##suffix,                                                     \
        .screen_next = screen_next_##suffix,                                                       \
        .passing = passing_##suffix,                                                               \
        .eliminate = eliminate_##suffix,                                                           \
        .reduce = reduce_##suffix,                                                                 \
        .above = above_##suffix,                                                                   \
        .dot = dot_##suffix,                                                                       \
        .squares = squares_##suffix,                                                               \
    };

FORMS(plain, )

#if defined(__x86_64__)
FORMS(avx2, AVX2)
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
