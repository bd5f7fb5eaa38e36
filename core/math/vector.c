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

INLINE double one_more(double sum, double a, double b, bool fused)
{
    return fused ? __builtin_fma(a, b, sum) : sum + a * b;
}

/* Eight sums at a time hide that each has to wait for its last term. */
INLINE void chains(int64_t rows, const double *restrict x, const double *const *y,
                   double *restrict sum, bool fused)
{
    const double *restrict a = y[0], *restrict b = y[1], *restrict c = y[2], *restrict d = y[3];
    const double *restrict e = y[4], *restrict f = y[5], *restrict g = y[6], *restrict h = y[7];
    double s[DPC_CHAINS] = {0};
    for (int64_t i = 0; i < rows; i++) {
        s[0] = one_more(s[0], x[i], a[i], fused);
        s[1] = one_more(s[1], x[i], b[i], fused);
        s[2] = one_more(s[2], x[i], c[i], fused);
        s[3] = one_more(s[3], x[i], d[i], fused);
        s[4] = one_more(s[4], x[i], e[i], fused);
        s[5] = one_more(s[5], x[i], f[i], fused);
        s[6] = one_more(s[6], x[i], g[i], fused);
        s[7] = one_more(s[7], x[i], h[i], fused);
    }
    for (int k = 0; k < DPC_CHAINS; k++)
        sum[k] = s[k];
}

/*
 * So many products of 20 bits at a time that their sum has no more than 31. There is an instruction
 * for this loop, which compilers find if nothing is said to them.
 */
INLINE int64_t steps(int64_t count, const int16_t *restrict a, const int16_t *restrict b)
{
    enum { BLOCK = 2048 };
    int64_t sum = 0;
    for (int64_t from = 0; from < count; from += BLOCK) {
        int32_t part = 0;
        int few = count - from < BLOCK ? (int)(count - from) : BLOCK;
        for (int i = 0; i < few; i++)
            part += (int32_t)a[from + i] * b[from + i];
        sum += part;
    }
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

/*
 * An inverse by Gauss and Jordan, two pivots k and k + 1 at a time. With B their block, W their
 * rows and G = B⁻¹ W, all other entries become A - WᵀG, the rows of the two G, and their block
 * -B⁻¹; in the end A is minus its inverse. Only the upper triangle is kept.
 */
typedef double vector
    __attribute__((vector_size(DPC_VECTOR * sizeof(double)), aligned(8), may_alias));

/* Two rows, each of `ld` entries. */
typedef struct two_rows {
    double *k, *l;
} two_rows;

/* W */
INLINE void copy_rows(int ld, const double *a, int k, two_rows w)
{
    const double *row = a + (int64_t)k * ld, *next = row + ld;
    for (int j = 0; j < k; j++) {
        w.k[j] = a[(int64_t)j * ld + k];
        w.l[j] = a[(int64_t)j * ld + k + 1];
    }
    for (int j = k; j < ld; j++) {
        w.k[j] = row[j];
        w.l[j] = next[j];
    }
    w.l[k] = w.k[k + 1];
}

/* G; false: a pivot is below the tolerance. The block of G becomes B⁻¹. */
INLINE bool solve_rows(int ld, int k, two_rows w, two_rows g, double tolerance)
{
    double pivot = w.k[k], f = w.l[k] / pivot, left = w.l[k + 1] - f * w.l[k];
    double ll = 1 / left, kl = -f * ll, kk = 1 / pivot - f * kl;
    for (int j = 0; j < ld / DPC_VECTOR; j++) {
        vector first = ((const vector *)w.k)[j], second = ((const vector *)w.l)[j];
        ((vector *)g.k)[j] = kk * first + kl * second;
        ((vector *)g.l)[j] = kl * first + ll * second;
    }
    g.k[k] = kk;
    g.k[k + 1] = g.l[k] = kl;
    g.l[k + 1] = ll;
    return pivot >= tolerance && left >= tolerance;
}

/* A - WᵀG, in the upper triangle. */
INLINE void subtract_product(int ld, double *a, two_rows w, two_rows g)
{
    for (int i = 0; i < ld; i += DPC_VECTOR) {
        vector *row[DPC_VECTOR];
        for (int b = 0; b < DPC_VECTOR; b++)
            row[b] = (vector *)(a + (int64_t)(i + b) * ld);
        for (int j = i / DPC_VECTOR; j < ld / DPC_VECTOR; j++) {
            vector first = ((const vector *)w.k)[j], second = ((const vector *)w.l)[j];
            for (int b = 0; b < DPC_VECTOR; b++)
                row[b][j] = row[b][j] - g.k[i + b] * first - g.l[i + b] * second;
        }
    }
}

/* The rows of the two pivots, as far as they lie in the upper triangle. */
INLINE void put_rows(int ld, double *a, int k, two_rows g)
{
    double *row = a + (int64_t)k * ld, *next = row + ld;
    for (int j = 0; j < k; j++) {
        a[(int64_t)j * ld + k] = g.k[j];
        a[(int64_t)j * ld + k + 1] = g.l[j];
    }
    for (int j = k + 2; j < ld; j++) {
        row[j] = g.k[j];
        next[j] = g.l[j];
    }
    row[k] = -g.k[k];
    row[k + 1] = -g.k[k + 1];
    next[k + 1] = -g.l[k + 1];
}

/* Minus the inverse → the inverse with unit diagonal, both triangles; returns the least 1 /
 * (A⁻¹)ii. */
INLINE double scale_inverse(int ld, double *restrict a, double *restrict scale)
{
    double least = INFINITY;
    for (int i = 0; i < ld; i++)
        scale[i] = -1 / a[(int64_t)i * ld + i];
#pragma omp simd reduction(min : least)
    for (int i = 0; i < ld; i++) {
        least = scale[i] < least ? scale[i] : least;
        scale[i] = sqrt(scale[i]);
    }
    for (int i = 0; i < ld; i++) {
        vector *row = (vector *)(a + (int64_t)i * ld);
        double f = -scale[i];
        for (int j = i / DPC_VECTOR; j < ld / DPC_VECTOR; j++)
            row[j] *= f * ((const vector *)scale)[j];
        for (int j = 0; j < i; j++)
            a[(int64_t)i * ld + j] = a[(int64_t)j * ld + i];
        a[(int64_t)i * ld + i] = 1;
    }
    return least;
}

INLINE double invert(int ld, double *restrict a, double *restrict room, double tolerance)
{
    two_rows w = {room, room + ld}, g = {room + 2 * (int64_t)ld, room + 3 * (int64_t)ld};
    for (int k = 0; k < ld; k += 2) {
        copy_rows(ld, a, k, w);
        if (!solve_rows(ld, k, w, g, tolerance))
            return 0;
        subtract_product(ld, a, w, g);
        put_rows(ld, a, k, g);
    }
    return scale_inverse(ld, a, room);
}

typedef int64_t vector_bits
    __attribute__((vector_size(DPC_VECTOR * sizeof(double)), aligned(8), may_alias));

/* Has a column of this row, but for its own, t² - c2 v ≤ slack? */
INLINE bool row_passes(const dpc_last_rows *r, const double *wq, int own, double f, double g,
                       double iq, double c2)
{
    const vector limit = {r->slack, r->slack, r->slack, r->slack};
    vector_bits any = {0}, column = {0, 1, 2, 3}, not_own = {own, own, own, own};
    for (int c = 0; c < r->count; c += DPC_VECTOR, column += DPC_VECTOR) {
        vector y = *(const vector *)(wq + c) - f * *(const vector *)(r->wa + c);
        vector t = *(const vector *)(r->tc + c) - g * y, left = *(const vector *)(r->vc + c);
        vector margin = t * t - c2 * (left - iq * y * y);
        any |= (margin <= limit) & (column != not_own);
    }
    return (any[0] | any[1] | any[2] | any[3]) != 0;
}

INLINE int first_passing(const dpc_last_rows *r, int from, int to)
{
    int q = from;
    for (; q < to; q++) {
        int own = r->column[q];
        double f = r->wa[own] * r->inverse, pivot = r->v[own] - r->wa[own] * f;
        double xq = r->x[own] - r->xa * f, iq = 1 / pivot, g = xq * iq;
        double c2 = r->c2 * (r->vx - xq * g);
        if (!(pivot >= r->shaky) || row_passes(r, r->row + q * r->ld, own, f, g, iq, c2))
            break;
    }
    return q;
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

/* clang-format off */
/* All other loops under one target, and the table of the form. */
#define FORM(suffix, target, type, name, parameters, call) \
    target static type name##_##suffix parameters { call; }
#define FORMS(suffix, target, fused) \
    FORM(suffix, target, double, screen_first, (int count, const double *wq, const double *tc, \
         const double *vc, double g, double iq, double c2), \
         return screen_first(count, wq, tc, vc, g, iq, c2)) \
    FORM(suffix, target, double, screen_next, (int count, const double *wq, const double *wa, double f, \
         const double *tc, const double *vc, double g, double iq, double c2), \
         return screen_next(count, wq, wa, f, tc, vc, g, iq, c2)) \
    FORM(suffix, target, int, first_passing, (const dpc_last_rows *rows, int from, int to), \
         return first_passing(rows, from, to)) \
    FORM(suffix, target, void, eliminate, (int count, const double *from, const double *wa, double f, \
         double *to), eliminate(count, from, wa, f, to)) \
    FORM(suffix, target, void, reduce, (int count, const double *from, const double *wa, double f, \
         double *to), reduce(count, from, wa, f, to)) \
    FORM(suffix, target, double, dot, (int count, const double *a, const double *b), \
         return dot(count, a, b)) \
    FORM(suffix, target, double, invert, (int order, double *matrix, double *room, double tolerance), \
         return invert(order, matrix, room, tolerance)) \
    FORM(suffix, target, void, chains, (int64_t rows, const double *x, const double *const *y, \
         double *sum), chains(rows, x, y, sum, fused)) \
    FORM(suffix, target, int64_t, steps, (int64_t count, const int16_t *a, const int16_t *b), \
         return steps(count, a, b)) \
    FORM(suffix, target, double, squares, (int count, const double *a, const double *b), \
         return squares(count, a, b)) \
    static const dpc_vector VECTOR_##suffix = { \
        .name = #suffix, \
        .screen_first = screen_first_##suffix, .screen_next = screen_next_##suffix, \
        .first_passing = first_passing_##suffix, .passing = passing_##suffix, \
        .eliminate = eliminate_##suffix, .reduce = reduce_##suffix, .above = above_##suffix, \
        .dot = dot_##suffix, .invert = invert_##suffix, .chains = chains_##suffix, \
        .steps = steps_##suffix, .squares = squares_##suffix, \
    };
/* clang-format on */

FORMS(plain, , false)
FORMS(avx2, DPC_AVX2, true)

const dpc_vector *const *dpc_vector_all(void)
{
    static const dpc_vector *const all[] = {&VECTOR_avx2, &VECTOR_plain, NULL};
    return dpc_has_avx2() ? all : all + 1;
}

const dpc_vector *dpc_vector_best(void)
{
    return dpc_vector_all()[0];
}
