/*
 * Each fast kernel beside its slow twin: the vector loops in every form this processor can run,
 * the ranks, the correlation matrix, the inverse factor and the direct partial correlation.
 */
#include "cases.h"
#include "linalg.h"
#include "rank.h"
#include "vector.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void fill(gsl_rng *rng, double *values, int count)
{
    for (int i = 0; i < count; i++)
        values[i] = gsl_ran_gaussian(rng, 1);
}

static void assert_close(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance * (1 + fabs(b))))
        fail_msg("%.17g is not %.17g", a, b);
}

/* ---- Vectors ---- */

enum { MOST = 70 };

typedef struct operands {
    double wq[MOST], wa[MOST], t[MOST], v[MOST], f, g, iq, c2;
} operands;

static void check_screens(const dpc_vector *vector, const operands *o, int count)
{
    double first = INFINITY, next = INFINITY;
    for (int c = 0; c < count; c++) {
        double y = o->wq[c], t = o->t[c] - o->g * y, v = o->v[c] - o->iq * y * y;
        first = fmin(first, t * t - o->c2 * v);
        y = o->wq[c] - o->f * o->wa[c], t = o->t[c] - o->g * y, v = o->v[c] - o->iq * y * y;
        next = fmin(next, t * t - o->c2 * v);
    }
    assert_close(vector->screen_first(count, o->wq, o->t, o->v, o->g, o->iq, o->c2), first, 1e-13);
    uint64_t bits[2] = {0};
    for (int c = 0; c < count && c < 64; c++) {
        double y = o->wq[c], t = o->t[c] - o->g * y, v = o->v[c] - o->iq * y * y;
        bits[0] |= (uint64_t)(t * t - o->c2 * v <= 0.5) << c;
        y = o->wq[c] - o->f * o->wa[c], t = o->t[c] - o->g * y, v = o->v[c] - o->iq * y * y;
        bits[1] |= (uint64_t)(t * t - o->c2 * v <= 0.5) << c;
    }
    for (int with = 0; with < 2 && count <= 64; with++)
        assert_true(vector->passing(count, o->wq, with ? o->wa : NULL, o->f, o->t, o->v, o->g,
                                    o->iq, o->c2, 0.5) == bits[with]);
    assert_close(vector->screen_next(count, o->wq, o->wa, o->f, o->t, o->v, o->g, o->iq, o->c2),
                 next, 1e-13);
}

static void check_others(const dpc_vector *vector, const operands *o, int count)
{
    double to[MOST] = {0}, sum = 0;
    uint64_t above = 0;
    vector->eliminate(count, o->wq, o->wa, o->f, to);
    for (int c = 0; c < count; c++)
        assert_close(to[c], o->wq[c] - o->f * o->wa[c], 1e-15);
    assert_true(to[count] == 0); /* not one column too many */
    vector->reduce(count, o->wq, o->wa, o->f, to);
    for (int c = 0; c < count; c++) {
        assert_close(to[c], o->wq[c] - o->f * o->wa[c] * o->wa[c], 1e-15);
        if (c < 64)
            above |= (uint64_t)(fabs(o->wq[c]) > o->c2) << c;
        sum += o->wq[c] * o->wa[c];
    }
    assert_true(to[count] == 0);
    assert_true(vector->above(count < 64 ? count : 64, o->wq, o->c2) == above);
    assert_close(vector->dot(count, o->wq, o->wa), sum, 1e-13);
}

/* Does row q stop the search? By the loop that looks at one row. */
static bool stops(const dpc_last_rows *r, int q)
{
    int own = r->column[q];
    double t[MOST], f = r->wa[own] * r->inverse, pivot = r->v[own] - r->wa[own] * f;
    double xq = r->x[own] - r->xa * f;
    memcpy(t, r->tc, (size_t)r->count * sizeof *t);
    if (own < r->count)
        t[own] = 1e150;
    return !(pivot >= r->shaky) || dpc_vector_best()->screen_next(
                                       r->count, r->row + q * r->ld, r->wa, f, t, r->vc, xq / pivot,
                                       1 / pivot, r->c2 * (r->vx - xq * xq / pivot)) <= r->slack;
}

/* Rows of which some pass, some have a shaky pivot, and most do neither. */
static void test_last_rows(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(5);
    int stopped = 0, shaky = 0;
    for (int number = 0; number < 3000; number++) {
        static double row[MOST * MOST], wa[MOST], x[MOST], v[MOST], t[MOST], var[MOST];
        int32_t column[MOST];
        int rows = draw_int(rng, 1, MOST), from = draw_int(rng, 0, rows);
        fill(rng, row, MOST * MOST);
        fill(rng, wa, MOST);
        fill(rng, x, MOST);
        for (int c = 0; c < MOST; c++) {
            column[c] = draw_int(rng, 0, MOST - 1);
            v[c] = 1 + draw_log(rng, 0.01, 1);
            t[c] = draw_log(rng, 1, 1000);
            var[c] = gsl_rng_uniform(rng);
        }
        dpc_last_rows r = {.count = draw_int(rng, 1, MOST / DPC_VECTOR) * DPC_VECTOR,
                           .ld = MOST,
                           .row = row,
                           .column = column,
                           .wa = wa,
                           .inverse = 0.1,
                           .x = x,
                           .v = v,
                           .xa = 0.3,
                           .vx = 20,
                           .tc = t,
                           .vc = var,
                           .c2 = 0.01,
                           .shaky = 0.7,
                           .slack = draw_log(rng, 1e-6, 0.1)};
        int expected = from;
        while (expected < rows && !stops(&r, expected))
            expected++;
        for (const dpc_vector *const *form = dpc_vector_all(); *form != NULL; form++)
            assert_int_equal((*form)->first_passing(&r, from, rows), expected);
        stopped += expected < rows;
        shaky += expected < rows &&
                 v[column[expected]] - 0.1 * wa[column[expected]] * wa[column[expected]] < 0.7;
    }
    assert_true(stopped > 500 && stopped < 2900 && shaky > 50 && shaky < stopped - 100);
    gsl_rng_free(rng);
}

/* Up to the largest steps, all of one sign, and more of them than one sum of 32 bits holds. */
static void test_steps(void **state)
{
    (void)state;
    enum { LENGTH = 5000 };
    static int16_t a[LENGTH], b[LENGTH];
    gsl_rng *rng = seeded(3);
    for (int number = 0; number < 40; number++) {
        int64_t sum = 0, count = draw_int(rng, 0, LENGTH);
        for (int i = 0; i < count; i++) {
            bool most = number % 4 == 0;
            a[i] =
                (int16_t)(most ? -DPC_MOST_STEPS : draw_int(rng, -DPC_MOST_STEPS, DPC_MOST_STEPS));
            b[i] =
                (int16_t)(most ? DPC_MOST_STEPS : draw_int(rng, -DPC_MOST_STEPS, DPC_MOST_STEPS));
            sum += (int64_t)a[i] * b[i];
        }
        for (const dpc_vector *const *form = dpc_vector_all(); *form != NULL; form++)
            assert_true((*form)->steps(count, a, b) == sum);
    }
    gsl_rng_free(rng);
}

static void test_vectors(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(1);
    int forms = 0;
    for (const dpc_vector *const *form = dpc_vector_all(); *form != NULL; form++, forms++)
        for (int count = 0; count < MOST; count++) {
            operands o;
            fill(rng, o.wq, MOST);
            fill(rng, o.wa, MOST);
            fill(rng, o.t, MOST);
            fill(rng, o.v, MOST);
            fill(rng, &o.f, 4);
            if (count > 0 && count % DPC_VECTOR == 0)
                check_screens(*form, &o, count);
            check_others(*form, &o, count);
        }
    assert_true(forms >= 1);
    assert_string_equal(dpc_vector_all()[forms - 1]->name, "plain");
    gsl_rng_free(rng);
}

/* ---- Ranks ---- */

static void check_scores(const double *x, int n)
{
    double *table = malloc((size_t)n * sizeof *table), *scores = malloc((size_t)n * sizeof *scores);
    dpc_ranked *scratch = malloc(2 * (size_t)n * sizeof *scratch);
    dpc_score_table(n, table);
    dpc_normal_scores(x, n, table, scratch, scores);
    for (int i = 0; i < n; i++) {
        int below = 0, equal = 0;
        for (int j = 0; j < n; j++) {
            below += x[j] < x[i];
            equal += x[j] == x[i];
        }
        double rank = below + (equal + 1) / 2.;
        assert_close(scores[i], gsl_cdf_ugaussian_Pinv(rank / (n + 1)), 1e-14);
    }
    free(table);
    free(scores);
    free(scratch);
}

static void test_ranks(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(2);
    double x[300];
    for (int n = 1; n <= 300; n += 13)
        for (int kind = 0; kind < 5; kind++) {
            for (int i = 0; i < n; i++)
                x[i] = kind == 0   ? gsl_ran_gaussian(rng, 1)
                       : kind == 1 ? draw_int(rng, -3, 3)
                       : kind == 4 ? 1 + 0x1p-50 * draw_int(rng, 0, 100)
                       : kind == 2 ? ldexp(gsl_ran_gaussian(rng, 1), draw_int(rng, -1070, 1020))
                                   : (draw_int(rng, 0, 1) ? 0. : -0.);
            check_scores(x, n);
        }
    gsl_rng_free(rng);
}

/* ---- Correlations ---- */

static double slow_correlation(const double *x, const double *y, int64_t n)
{
    long double mx = 0, my = 0, xx = 0, yy = 0, xy = 0;
    for (int64_t i = 0; i < n; i++)
        mx += x[i], my += y[i];
    mx /= n, my /= n;
    for (int64_t i = 0; i < n; i++) {
        xx += (x[i] - mx) * (x[i] - mx);
        yy += (y[i] - my) * (y[i] - my);
        xy += (x[i] - mx) * (y[i] - my);
    }
    return (double)(xy / sqrtl(xx) / sqrtl(yy));
}

/* Columns of all sizes and offsets, some correlated. */
static dpc_table *draw_table(gsl_rng *rng, int64_t n_obs, int n_vars)
{
    dpc_table *table = NULL;
    assert_int_equal(dpc_table_new(n_obs, n_vars, NULL, &table, NULL), DPC_OK);
    for (int j = 0; j < n_vars; j++) {
        double size = j % 7 == 0 ? draw_log(rng, 1e-150, 1e150) : draw_log(rng, 1e-3, 1e3);
        double offset = j % 3 == 0 ? 1e4 * gsl_ran_gaussian(rng, size) : 0;
        for (int64_t i = 0; i < n_obs; i++)
            table->values[j * n_obs + i] = offset + gsl_ran_gaussian(rng, size);
    }
    return table;
}

static void check_correlations(gsl_rng *rng, int64_t n_obs, int n_vars)
{
    dpc_table *table = draw_table(rng, n_obs, n_vars);
    dpc_correlation *c[3] = {NULL};
    dpc_settings settings;
    dpc_settings_default(&settings);
    for (int threads = 1; threads <= 3; threads++) {
        dpc_error err;
        settings.threads = threads;
        if (dpc_correlate(table, &settings, NULL, &c[threads - 1], &err) != DPC_OK)
            fail_msg("%s", err.message);
    }
    size_t bytes = (size_t)n_vars * (size_t)n_vars * sizeof(double);
    assert_memory_equal(c[0]->r, c[1]->r, bytes);
    assert_memory_equal(c[0]->r, c[2]->r, bytes);
    for (int trial = 0; trial < 2000; trial++) {
        int64_t i = draw_int(rng, 0, n_vars - 1), j = draw_int(rng, 0, n_vars - 1);
        double r = slow_correlation(table->values + i * n_obs, table->values + j * n_obs, n_obs);
        assert_close(c[0]->r[i * n_vars + j], r, 1e-10);
        assert_true(c[0]->r[i * n_vars + j] == c[0]->r[j * n_vars + i]);
    }
    for (int t = 0; t < 3; t++)
        dpc_correlation_free(c[t]);
    dpc_table_free(table);
}

static void test_correlations(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(3);
    check_correlations(rng, 4, 2);
    check_correlations(rng, 5, 30);
    check_correlations(rng, 1000, 130); /* one tile, several chunks and blocks */
    check_correlations(rng, 300, 530);  /* several tiles */
    gsl_rng_free(rng);
}

/* ---- Inverses and partial correlations ---- */

/* Gauss–Jordan with pivoting in long double; a is n × n and becomes its inverse. */
static void slow_inverse(long double *a, int n)
{
    long double inverse[40 * 40] = {0};
    for (int i = 0; i < n; i++)
        inverse[i * n + i] = 1;
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k; i < n; i++)
            if (fabsl(a[i * n + k]) > fabsl(a[pivot * n + k]))
                pivot = i;
        for (int j = 0; j < n; j++) {
            long double t = a[k * n + j], u = inverse[k * n + j];
            a[k * n + j] = a[pivot * n + j], a[pivot * n + j] = t;
            inverse[k * n + j] = inverse[pivot * n + j], inverse[pivot * n + j] = u;
        }
        long double d = 1 / a[k * n + k];
        for (int j = 0; j < n; j++)
            a[k * n + j] *= d, inverse[k * n + j] *= d;
        for (int i = 0; i < n; i++) {
            long double f = a[i * n + k];
            for (int j = 0; i != k && j < n; j++) {
                a[i * n + j] -= f * a[k * n + j];
                inverse[i * n + j] -= f * inverse[k * n + j];
            }
        }
    }
    memcpy(a, inverse, (size_t)n * (size_t)n * sizeof *a);
}

/* Minus the partial correlation of i and j given all others. */
static double scaled_entry(const long double *inverse, int n, int i, int j)
{
    return (double)(inverse[i * n + j] / sqrtl(inverse[i * n + i]) / sqrtl(inverse[j * n + j]));
}

/* Returns the smallest conditional variance of the sample. */
static double check_inverse(const struct sample *sample)
{
    int n = sample->correlation.n_vars;
    double a[40 * 40], least, smallest = 1;
    long double slow[40 * 40];
    for (int i = 0; i < n * n; i++)
        slow[i] = a[i] = sample->correlation.r[i];
    slow_inverse(slow, n);
    for (int i = 0; i < n; i++)
        smallest = fmin(smallest, 1 / (double)slow[i * n + i]);
    if (!dpc_scaled_inverse(a, n, &least, NULL, 0)) {
        assert_true(smallest < 2 * DPC_SINGULAR);
        assert_true(least == 0);
        return smallest;
    }
    assert_close(least / smallest, 1, 1e-12 / smallest);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            assert_close(a[i * n + j], scaled_entry(slow, n, i, j), 1e-14 * n / smallest);
    return smallest;
}

/* The small orders without LAPACK, in every form; true: it was safe to go this way. */
static bool check_small_inverse(const struct sample *sample, double smallest)
{
    int n = sample->correlation.n_vars, ld = dpc_whole_vectors(n);
    double a[40 * 40], b[40 * 40], room[4 * 40], least;
    long double slow[40 * 40];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            slow[i * n + j] = sample->correlation.r[i * n + j];
            a[i * ld + j] = j >= i ? sample->correlation.r[i * n + j] : NAN;
        }
    bool safe = dpc_small_inverse(a, n, room, &least);
    if (!safe) {
        assert_true(smallest < 1.001 * DPC_SAFE);
        return false;
    }
    slow_inverse(slow, n);
    assert_close(least / smallest, 1, 1e-12 / smallest);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            assert_close(a[i * ld + j], i == j ? 1 : scaled_entry(slow, n, i, j),
                         1e-14 * n / smallest);
    for (const dpc_vector *const *form = dpc_vector_all(); *form != NULL && n == ld; form++) {
        memcpy(b, sample->correlation.r, (size_t)n * (size_t)n * sizeof *b);
        assert_close((*form)->invert(n, b, room, DPC_SAFE) / least, 1, 1e-12 / smallest);
        for (int i = 0; i < n * n; i++)
            assert_close(b[i], a[i], 1e-14 * n / smallest);
    }
    return true;
}

static void check_partial(gsl_rng *rng, const struct sample *sample, double smallest)
{
    int n = sample->correlation.n_vars, order[40], k = draw_int(rng, 0, n - 2);
    int32_t set[40];
    double scratch[42 * 42];
    long double slow[40 * 40];
    for (int i = 0; i < n; i++)
        order[i] = i;
    gsl_ran_shuffle(rng, order, (size_t)n, sizeof *order);
    for (int i = 0; i < k; i++)
        set[i] = order[i];
    for (int i = 0; i < k + 2; i++)
        for (int j = 0; j < k + 2; j++)
            slow[i * (k + 2) + j] = sample->correlation.r[order[i] * n + order[j]];
    slow_inverse(slow, k + 2);
    double r = dpc_partial_correlation(sample->correlation.r, n, order[k], order[k + 1], set, k,
                                       DPC_SINGULAR, scratch);
    if (isnan(r))
        assert_true(smallest < 2 * DPC_SINGULAR);
    else if (smallest > 1e-9)
        assert_close(r, -scaled_entry(slow, k + 2, k, k + 1), 1e-14 * n / smallest);
}

static void test_inverses(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(4);
    int near_singular = 0, safe = 0;
    for (int trial = 0; trial < 400; trial++) {
        struct sample_model model = {.n = draw_int(rng, 2, 40),
                                     .n_obs = draw_int(rng, 60, 400),
                                     .parents = 2,
                                     .flaw = trial % 2 ? FLAW_NONE : FLAW_NOISE};
        struct sample sample = sample_draw(&model, rng);
        double smallest = check_inverse(&sample);
        near_singular += smallest < 1e-6;
        safe += check_small_inverse(&sample, smallest);
        for (int i = 0; i < 20; i++)
            check_partial(rng, &sample, smallest);
        sample_free(&sample);
    }
    assert_true(near_singular > 50 && safe > 150);
    gsl_rng_free(rng);
}

/* ---- Large matrices by blocks ---- */

/* A positive definite matrix, both triangles. */
static double *draw_definite(int n, gsl_rng *rng)
{
    int rows = n + 40;
    const double zero = 0, scale = 1. / rows;
    double *z = malloc((size_t)rows * (size_t)n * sizeof *z);
    double *a = malloc((size_t)n * (size_t)n * sizeof *a);
    for (int64_t i = 0; i < (int64_t)rows * n; i++)
        z[i] = gsl_ran_ugaussian(rng);
    dsyrk_("L", "T", &n, &rows, &scale, z, &rows, &zero, a, &n);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < j; i++)
            a[(int64_t)j * n + i] = a[(int64_t)i * n + j];
    free(z);
    return a;
}

static double *copy_of(const double *a, int n)
{
    double *b = malloc((size_t)n * (size_t)n * sizeof *b);
    memcpy(b, a, (size_t)n * (size_t)n * sizeof *b);
    return b;
}

/* Entry i, j of the matrix; of a lower triangle where it is one. */
static double entry_of(const double *a, int n, int i, int j, bool lower)
{
    return lower && i < j ? 0 : a[(int64_t)j * n + i];
}

/* A symmetric matrix of which the lower triangle was made. */
static double symmetric(const double *a, int n, int i, int j)
{
    return a[(int64_t)(i < j ? i : j) * n + (i < j ? j : i)];
}

/* L Lᵀ = A, L⁻¹ L = 1 and A (L⁻¹)ᵀ L⁻¹ = 1, at some places. */
static void check_blocks(int n, gsl_rng *rng)
{
    double *a = draw_definite(n, rng), *l = copy_of(a, n);
    dpc_shared_work hands = {.all = 1};
    assert_true(dpc_blocks_factor(l, n, &hands));
    double *w = copy_of(l, n);
    assert_true(dpc_blocks_invert(w, n, &hands));
    double *p = copy_of(w, n);
    assert_true(dpc_blocks_square(p, n, &hands));
    for (int trial = 0; trial < 300; trial++) {
        int i = draw_int(rng, 0, n - 1), j = trial % 3 == 0 ? i : draw_int(rng, 0, n - 1);
        double product = 0, unit = 0, inverse = 0;
        for (int k = 0; k < n; k++) {
            product += entry_of(l, n, i, k, true) * entry_of(l, n, j, k, true);
            unit += entry_of(w, n, i, k, true) * entry_of(l, n, k, j, true);
            inverse += a[(int64_t)k * n + i] * symmetric(p, n, k, j);
        }
        assert_close(product, a[(int64_t)j * n + i], 1e-12);
        assert_close(unit, i == j, 1e-9);
        assert_close(inverse, i == j, 1e-7);
    }
    free(a);
    free(l);
    free(w);
    free(p);
}

static int stop_at_once(const dpc_progress *progress, void *user)
{
    (void)progress;
    ++*(int *)user;
    return 1;
}

/* Whoever does it: the same bytes. It can be called off, unless it is a single block. */
static void check_hands(int n, gsl_rng *rng)
{
    double *a = draw_definite(n, rng), *alone = copy_of(a, n), least, least_alone;
    size_t bytes = (size_t)n * (size_t)n * sizeof *a;
    dpc_settings settings;
    dpc_crew crew;
    dpc_settings_default(&settings);
    assert_true(dpc_scaled_inverse(alone, n, &least_alone, NULL, 0));
    assert_true(least_alone > 0);
    for (int threads = 1; threads <= 4; threads++) {
        double *b = copy_of(a, n);
        settings.threads = threads;
        dpc_crew_init(&crew, &settings, DPC_STAGE_SKELETON);
        assert_true(dpc_scaled_inverse(b, n, &least, &crew, threads == 1 ? 0 : DPC_ALL_WORKERS));
        assert_int_equal(memcmp(b, alone, bytes), 0);
        assert_true(least == least_alone);
        free(b);
    }
    int calls = 0;
    settings.progress = stop_at_once;
    settings.progress_user = &calls;
    dpc_crew_init(&crew, &settings, DPC_STAGE_SKELETON);
    assert_int_equal(dpc_scaled_inverse(a, n, &least, &crew, DPC_ALL_WORKERS), n <= DPC_ONE_BLOCK);
    assert_int_equal(calls, n > DPC_ONE_BLOCK);
    free(a);
    free(alone);
}

static void test_blocks(void **state)
{
    (void)state;
    static const int sizes[] = {1, 2, 100, 511, 512, 513, 640, 769, 1100};
    gsl_rng *rng = seeded(5);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        check_blocks(sizes[i], rng);
        check_hands(sizes[i], rng);
    }
    /* one that is not definite, in its first block or in its last */
    for (int at = 3; at < 900; at += 800) {
        double *a = draw_definite(900, rng), least;
        a[at * 901] = -1;
        assert_false(dpc_scaled_inverse(a, 900, &least, NULL, 0));
        assert_true(least == 0);
        free(a);
    }
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors),      cmocka_unit_test(test_steps),
        cmocka_unit_test(test_last_rows),    cmocka_unit_test(test_ranks),
        cmocka_unit_test(test_correlations), cmocka_unit_test(test_inverses),
        cmocka_unit_test(test_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
