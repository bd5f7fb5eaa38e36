/*
 * Tables with missing cells. The slow twin of the pairwise correlations goes through the rows of
 * each pair; that of EM is the textbook's: row by row, with the inverse of the covariance of the
 * cells that are there, from variances alone. Both start from the raw values. The estimates of the
 * library agree with them, whatever the number of threads, the order of the columns and the way the
 * cells lie in memory; without missing cells nothing changes to the byte.
 */
#include "frequency.h"
#include "repeat.h"
#include "resample.h"
#include "tables.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 9, N_TWINS = 60 };

/* ---- Tables with holes ---- */

/* Leaves out a share of the cells, or, every third time, of blocks of rows in some columns. */
static dpc_table *holed_table(int n, int64_t rows, double share, int number, dpc_missing how)
{
    dpc_table *table = simulated_table(n, rows, (uint64_t)number + 1);
    gsl_rng *rng = seeded((uint64_t)number + 100);
    dpc_error err;
    for (int64_t i = 0; i < rows; i++)
        for (int j = 0; j < n; j++) {
            bool block = number % 3 == 0 && j % 2 == 1;
            if (block ? i % 10 < 3 : gsl_rng_uniform(rng) < share)
                table->values[j * rows + i] = NAN;
        }
    gsl_rng_free(rng);
    table->values[rows / 2] = NAN; /* one is missing, however small the share */
    assert_int_equal(dpc_table_set_missing(table, how, &err), DPC_OK);
    return table;
}

static dpc_correlation *correlate(const dpc_table *table, const dpc_settings *settings,
                                  dpc_audit *audit)
{
    dpc_correlation *c = NULL;
    dpc_error err;
    if (dpc_correlate(table, settings, audit, &c, &err) != DPC_OK)
        fail_msg("%s", err.message);
    return c;
}

/* ---- The twin of pairwise ---- */

static double slow_pair(const double *x, const double *y, int64_t rows, int64_t *seen)
{
    double mx = 0, my = 0, xx = 0, yy = 0, xy = 0;
    *seen = 0;
    for (int64_t i = 0; i < rows; i++)
        if (!isnan(x[i]) && !isnan(y[i])) {
            mx += x[i];
            my += y[i];
            ++*seen;
        }
    mx /= (double)*seen;
    my /= (double)*seen;
    for (int64_t i = 0; i < rows; i++)
        if (!isnan(x[i]) && !isnan(y[i])) {
            xx += (x[i] - mx) * (x[i] - mx);
            yy += (y[i] - my) * (y[i] - my);
            xy += (x[i] - mx) * (y[i] - my);
        }
    return xy / sqrt(xx * yy);
}

static void test_pairwise(void **state)
{
    (void)state;
    for (int number = 0; number < repeats(N_TWINS); number++) {
        int n = 2 + number % (MOST - 1);
        int64_t rows = 60 + 30 * (number % 9), seen;
        double sum = 0;
        dpc_table *table =
            holed_table(n, rows, 0.03 * (1 + number % 7), number, DPC_MISSING_PAIRWISE);
        dpc_audit audit = {0};
        dpc_correlation *c = correlate(table, NULL, &audit);
        bool repaired = false;
        for (int i = 0; i < audit.count; i++)
            repaired = repaired || strstr(audit.items[i].text, "contradict") != NULL;
        for (int j = 0; j < n; j++)
            for (int i = 0; i < j; i++) {
                double r =
                    slow_pair(table->values + i * rows, table->values + j * rows, rows, &seen);
                sum += (double)seen;
                assert_int_equal(c->rows[j * n + i], seen);
                assert_int_equal(c->rows[i * n + j], seen);
                assert_true(repaired || fabs(c->r[j * n + i] - r) < 1e-12);
                assert_true(c->r[j * n + i] == c->r[i * n + j]);
            }
        assert_int_equal(c->n_obs, (int64_t)floor(sum / (n * (n - 1) / 2.0)));
        assert_true(number > 0 || audit.count > 0);
        dpc_audit_clear(&audit);
        dpc_correlation_free(c);
        dpc_table_free(table);
    }
}

/* ---- The twin of EM ---- */

/* Solves A X = B by elimination with pivots; A is k × k and spoilt, B has m columns. */
static void solve(double a[MOST][MOST], double b[MOST][MOST], int k, int m)
{
    for (int p = 0; p < k; p++) {
        int best = p;
        for (int i = p + 1; i < k; i++)
            best = fabs(a[i][p]) > fabs(a[best][p]) ? i : best;
        for (int j = 0; j < MOST; j++) {
            double t = a[p][j];
            a[p][j] = a[best][j];
            a[best][j] = t;
            t = b[p][j];
            b[p][j] = b[best][j];
            b[best][j] = t;
        }
        for (int i = 0; i < k; i++) {
            double f = i == p ? 0 : a[i][p] / a[p][p];
            for (int j = p; j < k; j++)
                a[i][j] -= f * a[p][j];
            for (int j = 0; j < m; j++)
                b[i][j] -= f * b[p][j];
        }
    }
    for (int i = 0; i < k; i++)
        for (int j = 0; j < m; j++)
            b[i][j] /= a[i][i];
}

typedef struct gauss {
    int n;
    double mean[MOST], sigma[MOST][MOST];
} gauss;

/* What a row adds to the sums of x and of x xᵀ; false: it has no cell. */
static bool expect_row(const gauss *g, const dpc_table *t, int64_t row, double *sum,
                       double square[MOST][MOST])
{
    int there[MOST], lost[MOST], k = 0, m = 0;
    double x[MOST], a[MOST][MOST] = {{0}}, b[MOST][MOST] = {{0}};
    for (int j = 0; j < g->n; j++) {
        x[j] = t->values[j * t->n_obs + row];
        if (isnan(x[j]))
            lost[m++] = j;
        else
            there[k++] = j;
    }
    if (k == 0)
        return false;
    for (int i = 0; i < k; i++) {
        for (int j = 0; j < k; j++)
            a[i][j] = g->sigma[there[i]][there[j]];
        for (int j = 0; j < m; j++)
            b[i][j] = g->sigma[there[i]][lost[j]];
    }
    solve(a, b, k, m);
    for (int j = 0; j < m; j++) {
        x[lost[j]] = g->mean[lost[j]];
        for (int i = 0; i < k; i++)
            x[lost[j]] += b[i][j] * (x[there[i]] - g->mean[there[i]]);
    }
    for (int i = 0; i < g->n; i++) {
        sum[i] += x[i];
        for (int j = 0; j < g->n; j++)
            square[i][j] += x[i] * x[j];
    }
    for (int p = 0; p < m; p++)
        for (int q = 0; q < m; q++) {
            double doubt = g->sigma[lost[p]][lost[q]];
            for (int i = 0; i < k; i++)
                doubt -= b[i][p] * g->sigma[there[i]][lost[q]];
            square[lost[p]][lost[q]] += doubt;
        }
    return true;
}

static double step(gauss *g, const dpc_table *t)
{
    double sum[MOST] = {0}, square[MOST][MOST] = {{0}}, rows = 0, change = 0;
    for (int64_t i = 0; i < t->n_obs; i++)
        rows += expect_row(g, t, i, sum, square);
    for (int i = 0; i < g->n; i++)
        g->mean[i] = sum[i] / rows;
    for (int i = 0; i < g->n; i++)
        for (int j = 0; j < g->n; j++) {
            double s = square[i][j] / rows - g->mean[i] * g->mean[j];
            change = fmax(change, fabs(s - g->sigma[i][j]));
            g->sigma[i][j] = s;
        }
    return change;
}

/* From means 0 and variances alone. */
static gauss slow_em(const dpc_table *t)
{
    gauss g = {.n = t->n_vars};
    for (int j = 0; j < g.n; j++) {
        double sum = 0, seen = 0;
        for (int64_t i = 0; i < t->n_obs; i++)
            if (!isnan(t->values[j * t->n_obs + i])) {
                sum += pow(t->values[j * t->n_obs + i], 2);
                seen++;
            }
        g.sigma[j][j] = sum / seen;
    }
    for (int k = 0; k < 20000 && step(&g, t) > 1e-13; k++)
        ;
    return g;
}

static void test_em(void **state)
{
    (void)state;
    for (int number = 0; number < repeats(N_TWINS); number++) {
        int n = 2 + number % (MOST - 1);
        int64_t rows = 60 + 30 * (number % 9), seen;
        dpc_table *table = holed_table(n, rows, 0.03 * (1 + number % 9), number, DPC_MISSING_EM);
        if (number % 5 == 0)
            for (int j = 0; j < n; j++)
                table->values[j * rows + 7] = NAN; /* a row of nothing */
        dpc_correlation *c = correlate(table, NULL, NULL);
        gauss g = slow_em(table);
        double sum = 0;
        for (int j = 0; j < n; j++) {
            double sd = sqrt(g.sigma[j][j]);
            assert_true(fabs(c->sd[j] / sd - 1) < 1e-8);
            for (int i = 0; i < j; i++) {
                double r = g.sigma[i][j] / sqrt(g.sigma[i][i]) / sd;
                if (fabs(c->r[j * n + i] - r) > 1e-8)
                    fail_msg("table %d: %d and %d: %.12g, and EM has %.12g", number, i, j,
                             c->r[j * n + i], r);
                slow_pair(table->values + i * rows, table->values + j * rows, rows, &seen);
                sum += (double)seen;
                assert_int_equal(c->rows[j * n + i], seen);
            }
        }
        assert_int_equal(c->n_obs, (int64_t)floor(sum / (n * (n - 1) / 2.0)));
        dpc_correlation_free(c);
        dpc_table_free(table);
    }
}

/* Half of the cells and more: rows with few cells go another way than rows that lack few. */
static void test_em_of_few_cells(void **state)
{
    (void)state;
    for (int number = 0; number < repeats(20); number++) {
        int n = 4 + number % (MOST - 3);
        dpc_table *table =
            holed_table(n, 700, 0.5 + 0.02 * (number % 6), 3 * number + 1, DPC_MISSING_EM);
        dpc_correlation *c = correlate(table, NULL, NULL);
        gauss g = slow_em(table);
        for (int j = 0; j < n; j++)
            for (int i = 0; i < j; i++) {
                double r = g.sigma[i][j] / sqrt(g.sigma[i][i] * g.sigma[j][j]);
                if (fabs(c->r[j * n + i] - r) > 1e-7)
                    fail_msg("table %d: %d and %d: %.12g, and EM has %.12g", number, i, j,
                             c->r[j * n + i], r);
            }
        dpc_correlation_free(c);
        dpc_table_free(table);
    }
}

/* Asked so often, and from when on the answer is to stop. */
typedef struct watch {
    int asked, stop_at;
    double fraction;
} watch;

static int watching(const dpc_progress *progress, void *user)
{
    watch *w = user;
    if (progress->stage != DPC_STAGE_CORRELATION)
        return 0;
    assert_true(progress->fraction >= 0 && progress->fraction <= 1);
    w->fraction = progress->fraction;
    return ++w->asked == w->stop_at;
}

static void test_em_called_off(void **state)
{
    (void)state;
    dpc_table *table = holed_table(8, 400, 0.3, 1, DPC_MISSING_EM);
    dpc_settings settings = plain_settings();
    dpc_correlation *c = NULL;
    dpc_error err;
    watch w = {.stop_at = 2}; /* the first is that of the pairwise correlations */
    settings.progress = watching;
    settings.progress_user = &w;
    assert_int_equal(dpc_correlate(table, &settings, NULL, &c, &err), DPC_INTERRUPTED);
    assert_null(c);
    assert_int_equal(w.asked, 2);
    dpc_table_free(table);
}

/* A column with fewer cells than there are columns: there is no maximum, and it is named. */
static void test_em_without_maximum(void **state)
{
    (void)state;
    enum { N = 12, ROWS = 200, CELLS = 6 };
    dpc_table *table = simulated_table(N, ROWS, 5), *turned = simulated_table(N, ROWS, 5);
    dpc_audit audit = {0};
    dpc_error err;
    for (int i = CELLS; i < ROWS; i++)
        table->values[3 * ROWS + i] = NAN;
    for (int j = 0; j < N; j++)
        memcpy(turned->values + (N - 1 - j) * ROWS, table->values + j * ROWS,
               ROWS * sizeof(double));
    assert_int_equal(dpc_table_set_missing(table, DPC_MISSING_EM, &err), DPC_OK);
    assert_int_equal(dpc_table_set_missing(turned, DPC_MISSING_EM, &err), DPC_OK);
    dpc_correlation *p = correlate(table, NULL, &audit), *q = correlate(turned, NULL, NULL);
    bool told = false;
    for (int i = 0; i < audit.count; i++)
        told = told || strstr(audit.items[i].text, "column 'V4' has 6 cells") != NULL;
    assert_true(told);
    for (int i = 0; i < N * N; i++) {
        assert_true(fabs(p->r[i]) <= 1);
        assert_true(fabs(p->r[i] - q->r[N * N - 1 - i]) < 1e-6); /* in whatever order they come */
    }
    dpc_audit_clear(&audit);
    dpc_correlation_free(p);
    dpc_correlation_free(q);
    dpc_table_free(table);
    dpc_table_free(turned);
}

/* ---- What changes nothing ---- */

static const dpc_missing WAYS[] = {DPC_MISSING_PAIRWISE, DPC_MISSING_EM};

static void test_complete(void **state)
{
    (void)state;
    dpc_table *table = simulated_table(7, 90, 3);
    dpc_error err;
    dpc_correlation *plain = correlate(table, NULL, NULL);
    for (int w = 0; w < 2; w++) {
        assert_int_equal(dpc_table_set_missing(table, WAYS[w], &err), DPC_OK);
        dpc_correlation *c = correlate(table, NULL, NULL);
        assert_memory_equal(c->r, plain->r, 49 * sizeof(double));
        assert_int_equal(c->n_obs, 90);
        assert_null(c->rows);
        dpc_correlation_free(c);
    }
    dpc_correlation_free(plain);
    dpc_table_free(table);
}

static void test_threads_and_strides(void **state)
{
    (void)state;
    enum { N = 130, ROWS = 1200 };
    for (int w = 0; w < 4; w++) {
        dpc_table *table = holed_table(N, ROWS, 0.02, 4, WAYS[w % 2]), *view = NULL;
        dpc_settings settings = plain_settings();
        settings.normalize = (dpc_normalize)(w / 2);
        dpc_error err;
        double *rows = malloc(sizeof(double) * N * ROWS);
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < N; j++)
                rows[i * N + j] = table->values[j * ROWS + i];
        assert_int_equal(dpc_table_view(rows, DPC_DOUBLE, ROWS, N, N, 1, NULL, &view, &err),
                         DPC_OK);
        assert_int_equal(dpc_table_set_missing(view, WAYS[w % 2], &err), DPC_OK);
        dpc_correlation *one = correlate(table, &settings, NULL);
        settings.threads = 3;
        dpc_correlation *three = correlate(view, &settings, NULL);
        assert_memory_equal(one->r, three->r, N * N * sizeof(double));
        assert_memory_equal(one->sd, three->sd, N * sizeof(double));
        dpc_correlation_free(one);
        dpc_correlation_free(three);
        dpc_table_free(table);
        dpc_table_free(view);
        free(rows);
    }
}

static void test_permuted(void **state)
{
    (void)state;
    enum { N = 12, ROWS = 300 };
    for (int number = 0; number < repeats(40); number++) {
        dpc_missing how = WAYS[number % 2];
        dpc_table *table = holed_table(N, ROWS, 0.1, number, how);
        dpc_table *turned = holed_table(N, ROWS, 0.1, number, how);
        for (int j = 0; j < N; j++)
            memcpy(turned->values + (N - 1 - j) * ROWS, table->values + j * ROWS,
                   ROWS * sizeof(double));
        dpc_settings settings = plain_settings();
        dpc_resampling resampling = {.resamples = 4, .seed = 9};
        dpc_frequencies *f = bootstrap(table, &settings, resampling);
        dpc_frequencies *g = bootstrap(turned, &settings, resampling);
        dpc_correlation *p = correlate(table, &settings, NULL);
        dpc_correlation *q = correlate(turned, &settings, NULL);
        assert_int_equal(p->n_obs, q->n_obs);
        for (int i = 0; i < N * N; i++)
            assert_true(fabs(p->r[i] - q->r[N * N - 1 - i]) < 1e-9);
        for (int k = 0; k < 4; k++)
            assert_int_equal(f->graphs->graphs.graphs[k].n_edges,
                             g->graphs->graphs.graphs[k].n_edges);
        dpc_frequencies_free(f);
        dpc_frequencies_free(g);
        dpc_correlation_free(p);
        dpc_correlation_free(q);
        dpc_table_free(table);
        dpc_table_free(turned);
    }
}

/* ---- Resamples ---- */

/* The table of a resample, row by row, estimated as any other. */
static void test_resamples(void **state)
{
    (void)state;
    enum { N = 6, ROWS = 80 };
    for (int number = 0; number < repeats(40); number++) {
        dpc_table *table = holed_table(N, ROWS, 0.1, number, WAYS[number % 2]);
        dpc_settings settings = plain_settings();
        settings.normalize = (dpc_normalize)(number / 2 % 2);
        dpc_resampling how = {.resamples = 1, .seed = 5, .subsample = number % 3 == 0 ? 0.8 : 0};
        dpc_resampler resampler = {0};
        dpc_resample s = {0};
        dpc_error err;
        assert_int_equal(dpc_resampler_make(table, &settings, &how, &resampler, &err), DPC_OK);
        assert_int_equal(dpc_resample_make(&resampler, &s, &err), DPC_OK);
        assert_int_equal(dpc_resample_draw(&resampler, 3, &settings, &s), DPC_OK);
        dpc_table *made = NULL;
        assert_int_equal(dpc_table_new(resampler.n_drawn, N, NULL, &made, &err), DPC_OK);
        int64_t to = 0;
        for (int i = 0; i < ROWS; i++)
            for (int k = 0; k < s.count[i]; k++, to++)
                for (int j = 0; j < N; j++)
                    made->values[j * made->n_obs + to] = table->values[j * ROWS + i];
        assert_int_equal(dpc_table_set_missing(made, WAYS[number % 2], &err), DPC_OK);
        dpc_correlation *c = correlate(made, &settings, NULL);
        assert_memory_equal(c->r, s.correlation->r, N * N * sizeof(double));
        assert_int_equal(c->n_obs, s.correlation->n_obs);
        assert_memory_equal(c->rows, s.correlation->rows, N * N * sizeof(int32_t));
        assert_int_equal(s.correlation->scored, number / 2 % 2);
        dpc_correlation_free(c);
        dpc_table_free(made);
        dpc_resample_clear(&s);
        dpc_resampler_clear(&resampler);
        dpc_table_free(table);
    }
}

/* A column that is there in three rows is not there in some resamples: no failure. */
static void test_lost_columns(void **state)
{
    (void)state;
    enum { N = 4, ROWS = 30 };
    for (int w = 0; w < 2; w++) {
        dpc_table *table = simulated_table(N, ROWS, 8);
        dpc_error err;
        for (int i = 4; i < ROWS; i++)
            table->values[i] = NAN;
        assert_int_equal(dpc_table_set_missing(table, WAYS[w], &err), DPC_OK);
        dpc_frequencies *f = bootstrap(table, NULL, (dpc_resampling){.resamples = 100, .seed = 1});
        assert_int_equal(f->resamples, 100);
        assert_true(f->constant > 0);
        dpc_frequencies_free(f);
        dpc_table_free(table);
    }
}

/* ---- What cannot be estimated, and what contradicts itself ---- */

static void expect_refusal(dpc_table *table, dpc_missing how, const char *words)
{
    dpc_correlation *c = NULL;
    dpc_audit audit = {0};
    dpc_error err;
    assert_int_equal(dpc_table_set_missing(table, how, &err), DPC_OK);
    assert_int_equal(dpc_correlate(table, NULL, &audit, &c, &err), DPC_BAD_INPUT);
    assert_non_null(strstr(err.message, words));
    assert_true(audit.errors > 0);
    assert_null(c);
    dpc_audit_clear(&audit);
}

static void test_refused(void **state)
{
    (void)state;
    dpc_error err;
    dpc_table *table = simulated_table(3, 20, 2);
    assert_int_equal(dpc_table_set_missing(table, DPC_MISSING_ROWS, &err), DPC_USAGE);
    assert_int_equal(dpc_table_set_missing(table, (dpc_missing)9, &err), DPC_USAGE);
    for (int i = 0; i < 20; i++)
        table->values[(i < 10 ? 0 : 20) + i] = NAN; /* never both */
    expect_refusal(table, DPC_MISSING_PAIRWISE, "'V1' and 'V2' have 0 rows in common");
    expect_refusal(table, DPC_MISSING_ERROR, "20 missing cells");
    table->values[59] = INFINITY;
    expect_refusal(table, DPC_MISSING_EM, "1 infinite cell");
    for (int i = 0; i < 20; i++)
        table->values[40 + i] = NAN;
    expect_refusal(table, DPC_MISSING_EM, "column 'V3' has no numbers");
    dpc_table_free(table);
    table = simulated_table(9, 9, 2);
    table->values[4] = NAN;
    expect_refusal(table, DPC_MISSING_EM, "more rows than columns");
    dpc_table_free(table);
}

/* Of three columns each two agree in the rows they share, and in the last two they do not. */
static void test_contradiction(void **state)
{
    (void)state;
    enum { ROWS = 60 };
    dpc_error err;
    dpc_table *table = simulated_table(3, ROWS, 2);
    for (int i = 0; i < ROWS; i++) {
        double x = sin(i) + 0.1 * cos(7 * i);
        table->values[i] = i % 3 == 2 ? NAN : x;
        table->values[ROWS + i] = i % 3 == 1 ? NAN : x + 0.05 * sin(5 * i);
        table->values[2 * ROWS + i] = i % 3 == 0 ? NAN : (i % 3 == 1 ? x : -x) + 0.05 * cos(3 * i);
    }
    assert_int_equal(dpc_table_set_missing(table, DPC_MISSING_PAIRWISE, &err), DPC_OK);
    dpc_audit audit = {0};
    dpc_correlation *c = correlate(table, NULL, &audit);
    bool told = false;
    for (int i = 0; i < audit.count; i++)
        told = told || strstr(audit.items[i].text, "contradict") != NULL;
    assert_true(told);
    double a = c->r[1], b = c->r[2], d = c->r[5];
    assert_true(a > 0.3 && b > 0.3 && d < -0.3);
    assert_true(1 + 2 * a * b * d - a * a - b * b - d * d > 0); /* the determinant */
    assert_true(c->r[0] == 1 && c->r[4] == 1 && c->r[8] == 1);
    dpc_audit_clear(&audit);
    dpc_correlation_free(c);
    dpc_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairwise),
        cmocka_unit_test(test_em),
        cmocka_unit_test(test_em_of_few_cells),
        cmocka_unit_test(test_em_called_off),
        cmocka_unit_test(test_em_without_maximum),
        cmocka_unit_test(test_complete),
        cmocka_unit_test(test_threads_and_strides),
        cmocka_unit_test(test_permuted),
        cmocka_unit_test(test_resamples),
        cmocka_unit_test(test_lost_columns),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_contradiction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
