/*
 * The loops over columns: see vector.h.
 *
 * Each loop is written once, in plain C that the compiler turns into vector code, and is compiled
 * for the baseline of the architecture and for AVX2 with FMA.
 */
#include "vector.h"

#include "platform.h"

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

/*
 * Four at a time, written out: compilers do not find the instruction that gathers the signs of a
 * comparison. These compile everywhere, and are used where DPC_AVX2 means something.
 */
typedef double four __attribute__((vector_size(32), aligned(8), may_alias));
typedef int64_t four_bits __attribute__((vector_size(32), aligned(8), may_alias));

DPC_AVX2 static uint64_t above_avx2(int count, const double *values, double c)
{
    const four_bits not_sign = {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX};
    const four limit = {c, c, c, c};
    uint64_t bits = 0;
    int i = 0;
    for (; i + 4 <= count; i += 4) {
        four v = (four)(*(const four_bits *)(values + i) & not_sign), over = (four)(v > limit);
        bits |= (uint64_t)DPC_SIGNS(over) << i;
    }
    for (; i < count; i++)
        bits |= (uint64_t)(fabs(values[i]) > c) << i;
    return bits;
}

DPC_AVX2 static uint64_t passing_avx2(int count, const double *wq, const double *wa, double f,
                                      const double *tc, const double *vc, double g, double iq,
                                      double c2, double slack)
{
    const four limit = {slack, slack, slack, slack};
    uint64_t bits = 0;
    for (int c = 0; c < count; c += 4) {
        four y = *(const four *)(wq + c);
        if (wa != NULL)
            y -= f * *(const four *)(wa + c);
        four t = *(const four *)(tc + c) - g * y, v = *(const four *)(vc + c) - iq * y * y;
        four passes = (four)(t * t - c2 * v <= limit);
        bits |= (uint64_t)DPC_SIGNS(passes) << c;
    }
    return bits;
}

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
FORMS(avx2, DPC_AVX2)

const dpc_vector *const *dpc_vector_all(void)
{
    static const dpc_vector *const all[] = {&VECTOR_avx2, &VECTOR_plain, NULL};
    return dpc_has_avx2() ? all : all + 1;
}

const dpc_vector *dpc_vector_best(void)
{
    return dpc_vector_all()[0];
}
