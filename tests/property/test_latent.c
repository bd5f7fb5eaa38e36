/*
 * Latent variables: the correlations and the effective rows against slow twins by quadrature, the
 * level of the p-values of explanations, and what must not matter.
 */
#include "cases.h"
#include "delta.h"
#include "distribution.h"
#include "explain.h"
#include "latent.h"
#include "latent_pair.h"
#include "repeat.h"
#include "resample.h"
#include "tables.h"
#include "test.h"

#include <gsl/gsl_integration.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N_PAIRS = 60, N_INFORMATION = 30, N_LEVEL = 250, N_OTHERS = 12, N_RESAMPLES = 6 };

/* ---- Tables ---- */

/* How a column is cut: continuous, an atom of that share, or levels with cuts at these shares. */
typedef struct cuts {
    char kind; /* c, z, l */
    int count;
    double share[6]; /* below each cut */
} cuts;

static const cuts SHOWN = {'c', 0, {0}}, MEDIAN = {'l', 1, {0.5}}, RARE = {'l', 1, {0.9}},
                  THREE = {'l', 2, {0.3, 0.75}}, FIVE = {'l', 4, {0.1, 0.35, 0.65, 0.9}},
                  ATOM = {'z', 1, {0.4}};

static double cut_value(const cuts *c, double z)
{
    double p = 1 - dpc_normal_tail(z);
    int level = 0;
    if (c->kind == 'c')
        return z;
    if (c->kind == 'z')
        return p < c->share[0] ? 0 : exp(z);
    for (int i = 0; i < c->count; i++)
        level += p >= c->share[i];
    return level;
}

static cuts draw_cuts(gsl_rng *rng)
{
    cuts c = {.kind = "cllllz"[draw_int(rng, 0, 5)]};
    c.count = c.kind == 'c' ? 0 : c.kind == 'z' ? 1 : draw_int(rng, 1, 6);
    double sum = 0, part[7];
    for (int i = 0; i <= c.count; i++)
        sum += part[i] = 0.15 + gsl_rng_uniform(rng);
    for (int i = 0; i < c.count; i++)
        c.share[i] = (i > 0 ? c.share[i - 1] : 0) + part[i] / sum;
    return c;
}

static dpc_table *new_table(int n, int64_t n_obs)
{
    dpc_table *table = NULL;
    assert_int_equal(dpc_table_new(n_obs, n, NULL, &table, NULL), DPC_OK);
    return table;
}

/* x → all others, each with that weight; cut. */
static dpc_table *star(int n, int64_t n_obs, const cuts *cut, double weight, gsl_rng *rng)
{
    dpc_table *table = new_table(n, n_obs);
    for (int64_t i = 0; i < n_obs; i++) {
        double centre = gsl_ran_gaussian(rng, 1);
        for (int j = 0; j < n; j++) {
            double z = j == 0
                           ? centre
                           : weight * centre + sqrt(1 - weight * weight) * gsl_ran_gaussian(rng, 1);
            table->values[j * n_obs + i] = cut_value(&cut[j], z);
        }
    }
    return table;
}

static dpc_settings latent_settings(void)
{
    dpc_settings s;
    dpc_settings_default(&s);
    s.normalize = DPC_NORMALIZE_LATENT;
    s.threads = 1;
    return s;
}

static dpc_correlation *correlate(const dpc_table *table, const dpc_settings *settings)
{
    dpc_correlation *c = NULL;
    dpc_error err = {0};
    if (dpc_correlate(table, settings, NULL, &c, &err) != DPC_OK)
        fail_msg("%s", err.message);
    return c;
}

static dpc_table *random_table(int n, int64_t n_obs, gsl_rng *rng)
{
    cuts cut[16];
    for (int j = 0; j < n; j++)
        cut[j] = draw_cuts(rng);
    return star(n, n_obs, cut, gsl_rng_uniform(rng) * 1.6 - 0.8, rng);
}

static void set_kind(dpc_table *table, int j, dpc_variable_kind kind, int levels)
{
    if (table->variable == NULL)
        table->variable = calloc((size_t)table->n_vars, sizeof *table->variable);
    assert_non_null(table->variable);
    table->variable[j].kind = kind;
    table->variable[j].said = true;
    table->variable[j].n_levels = levels;
}

static void free_table(dpc_table *table)
{
    free(table->variable);
    table->variable = NULL;
    dpc_table_free(table);
}

/* ---- The correlation of scores, by quadrature ---- */

typedef struct twin {
    const dpc_latent_column *a, *b;
    double r;
} twin;

/* The score of a at z, up to a constant, which a correlation does not see. */
static double score_at(const dpc_latent_column *c, double z)
{
    double s = 0;
    for (int i = 0; i < c->n_cuts; i++)
        s += z > c->cut[i] ? c->jump[i] : 0;
    return c->n_cuts == 0 ? z : s + c->slope * fmax(0, z - c->cut[c->n_cuts - 1]);
}

/* Its mean where the latent variable is normal with this mean and deviation. */
static double mean_score(const dpc_latent_column *c, double mean, double sd)
{
    double s = 0, last = c->n_cuts > 0 ? (c->cut[c->n_cuts - 1] - mean) / sd : 0;
    if (c->n_cuts == 0)
        return mean;
    for (int i = 0; i < c->n_cuts; i++)
        s += c->jump[i] * dpc_normal_tail((c->cut[i] - mean) / sd);
    return s + c->slope * sd * (gsl_ran_ugaussian_pdf(last) - last * dpc_normal_tail(last));
}

static double product_at(double z, void *context)
{
    const twin *t = context;
    return score_at(t->a, z) * gsl_ran_ugaussian_pdf(z) *
           mean_score(t->b, t->r * z, sqrt(1 - t->r * t->r));
}

static double twin_visible(const dpc_latent_column *a, const dpc_latent_column *b, double r)
{
    gsl_integration_workspace *w = gsl_integration_workspace_alloc(1000);
    twin t = {a, b, r};
    gsl_function f = {product_at, &t};
    double sum = 0, from = -9;
    for (int i = 0; i <= a->n_cuts; i++) {
        double to = i < a->n_cuts ? a->cut[i] : 9, part, error;
        gsl_integration_qag(&f, from, to, 1e-12, 1e-10, 1000, GSL_INTEG_GAUSS31, w, &part, &error);
        sum += part;
        from = to;
    }
    gsl_integration_workspace_free(w);
    return sum - mean_score(a, 0, 1) * mean_score(b, 0, 1);
}

static double twin_r(const dpc_latent_column *a, const dpc_latent_column *b, double m)
{
    double low = -DPC_LATENT_MOST, high = DPC_LATENT_MOST;
    while (high - low > 1e-10) {
        double middle = 0.5 * (low + high);
        if (twin_visible(a, b, middle) > m)
            high = middle;
        else
            low = middle;
    }
    return 0.5 * (low + high);
}

static void test_correlations(void **state)
{
    gsl_rng *rng = *state;
    dpc_settings settings = latent_settings();
    for (int k = 0; k < repeats(N_PAIRS); k++) {
        dpc_table *table = random_table(2, 400, rng);
        dpc_columns columns = {0};
        dpc_correlation *c = correlate(table, &settings);
        assert_int_equal(dpc_prepare(table, &settings, NULL, &columns, NULL), DPC_OK);
        const dpc_latent_column *a = &columns.latent[0], *b = &columns.latent[1];
        double m = c->latent != NULL ? c->latent->visible[1] : c->r[1], slope;
        double r = dpc_latent_r(a, b, m);
        assert_true(fabs(r - twin_r(a, b, m)) < 1e-7);
        assert_true(r == dpc_latent_r(b, a, m));
        if (c->latent != NULL && c->rows[1] > 50)
            assert_true(r == c->r[1]);
        for (double x = -0.95; x < 1; x += 0.19)
            if (a->n_cuts > 0 && b->n_cuts > 0)
                assert_true(fabs(dpc_latent_visible(a, b, x, &slope) - twin_visible(a, b, x)) <
                            1e-8);
        dpc_columns_clear(&columns);
        dpc_correlation_free(c);
        free_table(table);
    }
}

/* ---- The effective rows, by differences ---- */

enum { MOST_CUTS = 6, MOST_CELLS = 49, MOST_PARAMETERS = 13 };

/* Two columns of levels: the cuts of the first, those of the second, r. */
typedef struct levels {
    int k, l;
    double at[MOST_PARAMETERS];
} levels;

typedef struct slice {
    double r, below;
} slice;

static double slice_at(double z, void *context)
{
    const slice *s = context;
    return gsl_ran_ugaussian_pdf(z) *
           (1 - dpc_normal_tail((s->below - s->r * z) / sqrt(1 - s->r * s->r)));
}

/* P(Z < x, Z' < y). */
static double below_both(double x, double y, double r, gsl_integration_workspace *w)
{
    slice s = {r, y};
    gsl_function f = {slice_at, &s};
    double part = 0, error;
    if (isinf(y))
        return 1 - dpc_normal_tail(x);
    gsl_integration_qag(&f, -9, fmin(x, 9), 1e-13, 1e-11, 1000, GSL_INTEG_GAUSS31, w, &part,
                        &error);
    return part;
}

static void cells_of(const levels *p, gsl_integration_workspace *w, double *cell)
{
    double corner[MOST_CUTS + 2][MOST_CUTS + 2] = {{0}};
    for (int i = 1; i <= p->k + 1; i++)
        for (int j = 1; j <= p->l + 1; j++)
            corner[i][j] =
                below_both(i <= p->k ? p->at[i - 1] : INFINITY,
                           j <= p->l ? p->at[p->k + j - 1] : INFINITY, p->at[p->k + p->l], w);
    for (int i = 0; i <= p->k; i++)
        for (int j = 0; j <= p->l; j++)
            *cell++ = corner[i + 1][j + 1] - corner[i][j + 1] - corner[i + 1][j] + corner[i][j];
}

/* (1 - r²)² / (the variance of r), from Fisher's information by differences. */
static double twin_share(const dpc_latent_column *a, const dpc_latent_column *b, double r)
{
    gsl_integration_workspace *w = gsl_integration_workspace_alloc(1000);
    levels p = {.k = a->n_cuts, .l = b->n_cuts};
    int count = p.k + p.l + 1, cells = (p.k + 1) * (p.l + 1);
    double cell[MOST_CELLS], up[MOST_CELLS], down[MOST_CELLS];
    double slope[MOST_PARAMETERS][MOST_CELLS];
    const double step = 1e-4;
    memcpy(p.at, a->cut, (size_t)p.k * sizeof *p.at);
    memcpy(p.at + p.k, b->cut, (size_t)p.l * sizeof *p.at);
    p.at[count - 1] = r;
    cells_of(&p, w, cell);
    for (int i = 0; i < count; i++) {
        levels q = p;
        q.at[i] = p.at[i] + step;
        cells_of(&q, w, up);
        q.at[i] = p.at[i] - step;
        cells_of(&q, w, down);
        for (int c = 0; c < cells; c++)
            slope[i][c] = (up[c] - down[c]) / (2 * step);
    }
    gsl_matrix *m = gsl_matrix_calloc((size_t)count, (size_t)count);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++) {
            double sum = 0;
            for (int c = 0; c < cells; c++)
                sum += slope[i][c] * slope[j][c] / cell[c];
            gsl_matrix_set(m, (size_t)i, (size_t)j, sum);
        }
    gsl_linalg_cholesky_decomp1(m);
    gsl_linalg_cholesky_invert(m);
    double variance = gsl_matrix_get(m, (size_t)count - 1, (size_t)count - 1);
    gsl_matrix_free(m);
    gsl_integration_workspace_free(w);
    return (1 - r * r) * (1 - r * r) / variance;
}

static void test_information(void **state)
{
    gsl_rng *rng = *state;
    dpc_settings settings = latent_settings();
    double *room = malloc((size_t)dpc_latent_room() * sizeof *room);
    assert_non_null(room);
    for (int k = 0; k < repeats(N_INFORMATION); k++) {
        cuts cut[2];
        for (int j = 0; j < 2; j++)
            do
                cut[j] = draw_cuts(rng);
            while (cut[j].kind != 'l');
        dpc_table *table = star(2, 500, cut, 0, rng);
        dpc_columns columns = {0};
        assert_int_equal(dpc_prepare(table, &settings, NULL, &columns, NULL), DPC_OK);
        const dpc_latent_column *a = &columns.latent[0], *b = &columns.latent[1];
        double small = gsl_rng_uniform(rng) * 0.44 - 0.22, large = gsl_rng_uniform(rng) * 1.6 - 0.8;
        double share = dpc_latent_share(a, b, small, false, room) / twin_share(a, b, small);
        assert_true(fabs(share - 1) < 0.015);
        share = dpc_latent_share(a, b, large, true, room) / twin_share(a, b, large);
        assert_true(fabs(share - 1) < 0.001);
        dpc_columns_clear(&columns);
        free_table(table);
    }
    free(room);
}

/* Beside a continuous column: as beside one with many levels. */
static void test_curve(void **state)
{
    gsl_rng *rng = *state;
    dpc_settings settings = latent_settings();
    double *room = malloc((size_t)dpc_latent_room() * sizeof *room);
    assert_non_null(room);
    const cuts pair[2] = {THREE, SHOWN};
    dpc_table *table = star(2, 3000, pair, 0.2, rng);
    dpc_columns columns = {0};
    dpc_latent_curve curve;
    assert_int_equal(dpc_prepare(table, &settings, NULL, &columns, NULL), DPC_OK);
    dpc_latent_curve_make(&columns.latent[0], room, &curve);
    for (double r = -0.9; r < 0.95; r += 0.3) {
        double share = dpc_latent_share(&columns.latent[0], &columns.latent[1], r, true, room);
        assert_true(fabs(dpc_latent_curve_at(&curve, r) / share - 1) < 0.02);
        assert_true(dpc_latent_curve_at(&curve, r) == dpc_latent_curve_at(&curve, -r));
    }
    dpc_columns_clear(&columns);
    free_table(table);
    free(room);
}

/* ---- The level of p ---- */

typedef struct level_case {
    const char *name;
    int n; /* x is the centre; the test is of 1 and 2 given it and the rest */
    cuts cut[8];
    double weight;
} level_case;

/* 1 and 2 are independent given the centre, 0, and whatever else there is; or without it. */
static double rejected(const level_case *c, int tables, gsl_rng *rng)
{
    dpc_settings settings = latent_settings();
    int rejected = 0, made = 0;
    for (int k = 0; k < tables; k++) {
        dpc_table *table = star(c->n, 1000, c->cut, c->weight, rng);
        dpc_correlation *correlation = correlate(table, &settings);
        int32_t set[8];
        int size = 0;
        for (int j = 0; j < c->n && c->weight != 0; j++)
            if (j != 1 && j != 2)
                set[size++] = j;
        dpc_joint joint;
        assert_int_equal(
            dpc_explain_partial(correlation, DPC_FISHER_Z, 1, 2, set, size, &joint, NULL), DPC_OK);
        rejected += joint.p < 0.05;
        made++;
        dpc_correlation_free(correlation);
        free_table(table);
    }
    return (double)rejected / made;
}

static void test_level(void **state)
{
    gsl_rng *rng = *state;
    const level_case cases[] = {
        {"binary, binary", 3, {MEDIAN, MEDIAN, MEDIAN}, 0},
        {"rare, rare", 3, {MEDIAN, RARE, RARE}, 0},
        {"atom, five levels", 3, {MEDIAN, ATOM, FIVE}, 0},
        {"continuous given a median split", 3, {MEDIAN, SHOWN, SHOWN}, 0.7},
        {"continuous given five levels", 3, {FIVE, SHOWN, SHOWN}, 0.7},
        {"all binary", 3, {MEDIAN, MEDIAN, MEDIAN}, 0.7},
        {"all three levels", 3, {THREE, THREE, THREE}, 0.7},
        {"all atoms", 3, {ATOM, ATOM, ATOM}, 0.7},
        {"given six, all five levels", 8, {FIVE, FIVE, FIVE, FIVE, FIVE, FIVE, FIVE, FIVE}, 0.7},
        {"given six, all binary",
         8,
         {MEDIAN, MEDIAN, MEDIAN, MEDIAN, MEDIAN, MEDIAN, MEDIAN, MEDIAN},
         0.7},
    };
    int tables = repeats(N_LEVEL);
    bool many = tables >= N_LEVEL; /* fewer vary too much for these bounds */
    double most = many ? 0.09 : 0.05 + 4 * sqrt(0.05 * 0.95 / tables);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double share = rejected(&cases[i], tables, rng);
        print_message("%s: %.3f\n", cases[i].name, share);
        assert_true(share <= most);
        assert_true(!many || share >= 0.02);
    }
}

/* ---- What must not matter ---- */

static void assert_same(const dpc_correlation *p, const dpc_correlation *q)
{
    size_t cells = (size_t)p->n_vars * (size_t)p->n_vars;
    assert_int_equal(p->n_obs, q->n_obs);
    assert_memory_equal(p->r, q->r, cells * sizeof *p->r);
    assert_int_equal(p->latent != NULL, q->latent != NULL);
    if (p->latent != NULL)
        assert_memory_equal(p->rows, q->rows, cells * sizeof *p->rows);
}

/* Monotone changes of the values, and the number of threads. */
static void test_same(void **state)
{
    gsl_rng *rng = *state;
    for (int k = 0; k < repeats(N_OTHERS); k++) {
        dpc_settings settings = latent_settings();
        dpc_table *table = random_table(7, 300, rng);
        dpc_correlation *c = correlate(table, &settings), *other = NULL;
        settings.threads = draw_int(rng, 2, 4);
        other = correlate(table, &settings);
        assert_same(c, other);
        dpc_correlation_free(other);
        for (int64_t i = 0; i < table->n_obs * table->n_vars; i++)
            table->values[i] = 3 + exp(0.5 * table->values[i]);
        other = correlate(table, &settings);
        assert_same(c, other);
        dpc_correlation_free(other);
        dpc_correlation_free(c);
        free_table(table);
    }
}

/* Columns in another order: the same up to rounding, and the same rows. */
static void test_permuted(void **state)
{
    gsl_rng *rng = *state;
    enum { N = 7 };
    for (int k = 0; k < repeats(N_OTHERS); k++) {
        dpc_settings settings = latent_settings();
        dpc_table *table = random_table(N, 300, rng), *turned = new_table(N, 300);
        int place[N];
        for (int j = 0; j < N; j++)
            place[j] = j;
        gsl_ran_shuffle(rng, place, N, sizeof *place);
        for (int j = 0; j < N; j++)
            memcpy(turned->values + (size_t)place[j] * 300, table->values + (size_t)j * 300,
                   300 * sizeof(double));
        dpc_correlation *c = correlate(table, &settings), *d = correlate(turned, &settings);
        assert_int_equal(c->n_obs, d->n_obs);
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                int from = i * N + j, to = place[i] * N + place[j];
                assert_true(fabs(c->r[from] - d->r[to]) < 1e-8);
                if (c->latent != NULL)
                    assert_true(abs(c->rows[from] - d->rows[to]) <= 1);
            }
        dpc_correlation_free(c);
        dpc_correlation_free(d);
        free_table(table);
        free_table(turned);
    }
}

/* All continuous: what copula makes. */
static void test_continuous(void **state)
{
    gsl_rng *rng = *state;
    const cuts all[4] = {SHOWN, SHOWN, SHOWN, SHOWN};
    dpc_table *table = star(4, 200, all, 0.5, rng);
    dpc_settings settings = latent_settings();
    dpc_correlation *c = correlate(table, &settings);
    settings.normalize = DPC_NORMALIZE_COPULA;
    dpc_correlation *d = correlate(table, &settings);
    assert_null(c->latent);
    assert_null(c->rows);
    assert_same(c, d);
    dpc_correlation_free(c);
    dpc_correlation_free(d);
    free_table(table);
}

/* ---- Kinds ---- */

static void test_kinds(void **state)
{
    gsl_rng *rng = *state;
    const cuts all[4] = {THREE, MEDIAN, ATOM, SHOWN};
    dpc_table *table = star(4, 300, all, 0.5, rng);
    dpc_settings settings = latent_settings();
    dpc_correlation *c = correlate(table, &settings), *d = NULL;
    dpc_error err = {0};
    set_kind(table, 0, DPC_ORDERED, 3); /* what they look like */
    set_kind(table, 1, DPC_NOMINAL, 2);
    set_kind(table, 2, DPC_ZERO, 0);
    set_kind(table, 3, DPC_NUMBER, 0);
    d = correlate(table, &settings);
    assert_same(c, d);
    dpc_correlation_free(d);
    set_kind(table, 0, DPC_NUMBER, 0); /* said otherwise */
    d = correlate(table, &settings);
    assert_int_equal(d->rows[0 * 4 + 3], 300);
    assert_true(c->rows[0 * 4 + 3] < 290);
    dpc_correlation_free(d);
    d = NULL;
    set_kind(table, 0, DPC_NOMINAL, 3);
    assert_int_equal(dpc_correlate(table, &settings, NULL, &d, &err), DPC_USAGE);
    assert_non_null(strstr(err.message, table->names[0]));
    set_kind(table, 0, DPC_BLOCK, 0);
    assert_int_equal(dpc_correlate(table, &settings, NULL, &d, &err), DPC_BAD_INPUT);
    assert_null(d);
    dpc_correlation_free(c);
    free_table(table);
}

/* A copy of levels has r = ±1, and the same relations to others. */
static void test_copies(void **state)
{
    gsl_rng *rng = *state;
    const cuts all[4] = {THREE, MEDIAN, FIVE, THREE};
    enum { ROWS = 500 };
    dpc_table *table = star(4, ROWS, all, 0.6, rng);
    for (int64_t i = 0; i < ROWS; i++)
        table->values[3 * ROWS + i] = 7 - 2 * table->values[i];
    dpc_settings settings = latent_settings();
    dpc_correlation *c = correlate(table, &settings);
    assert_true(c->r[0 * 4 + 3] == -1);
    for (int j = 1; j < 3; j++)
        assert_true(fabs(c->r[0 * 4 + j] + c->r[3 * 4 + j]) < 1e-9);
    dpc_correlation_free(c);
    free_table(table);
}

/* ---- Repair ---- */

/* Levels of few rows: r that no normal variables can have. */
static void test_repair(void **state)
{
    gsl_rng *rng = *state;
    enum { N = 12, ROWS = 80 };
    int repaired = 0;
    for (int k = 0; k < repeats(N_OTHERS) || (repaired == 0 && k < 300); k++) {
        cuts all[N];
        for (int j = 0; j < N; j++)
            all[j] = k % 2 == 1 && j < 2 ? RARE : MEDIAN;
        dpc_table *table = star(N, ROWS, all, 0.9, rng);
        dpc_settings settings = latent_settings();
        dpc_correlation *c = NULL;
        dpc_audit audit = {0};
        assert_int_equal(dpc_correlate(table, &settings, &audit, &c, NULL), DPC_OK);
        bool told = false;
        for (int i = 0; i < audit.count; i++)
            told = told || strstr(audit.items[i].text, "nearest correlation matrix") != NULL;
        repaired += told;
        bool copies = false; /* which stay copies, so that R is singular */
        for (int i = 0; i < N * N; i++)
            copies = copies || (i % (N + 1) != 0 && fabs(c->r[i]) == 1);
        if (c->n_obs > N && !copies) { /* R - floor is positive definite but for rounding */
            gsl_matrix *m = gsl_matrix_alloc(N, N);
            for (size_t i = 0; i < N; i++)
                for (size_t j = 0; j < N; j++)
                    gsl_matrix_set(m, i, j, c->r[i * N + j] - (i == j ? 0.999e-3 : 0));
            gsl_error_handler_t *kept = gsl_set_error_handler_off();
            assert_int_equal(gsl_linalg_cholesky_decomp1(m), 0);
            gsl_set_error_handler(kept);
            gsl_matrix_free(m);
        }
        for (int i = 0; i < N; i++)
            assert_true(c->r[i * N + i] == 1);
        dpc_audit_clear(&audit);
        dpc_correlation_free(c);
        free_table(table);
    }
    assert_true(repaired >= 1);
}

/* ---- Resamples ---- */

/* A resample is the table of its rows, with kinds as in the whole. */
static void test_resamples(void **state)
{
    gsl_rng *rng = *state;
    enum { N = 5, ROWS = 200 };
    const cuts all[N] = {THREE, MEDIAN, ATOM, SHOWN, FIVE};
    dpc_table *table = star(N, ROWS, all, 0.9, rng);
    dpc_settings settings = latent_settings();
    dpc_resampling how = {.resamples = N_RESAMPLES, .seed = 5};
    dpc_resampler resampler;
    dpc_resample resample;
    assert_int_equal(dpc_resampler_make(table, &settings, &how, &resampler, NULL), DPC_OK);
    assert_int_equal(dpc_resample_make(&resampler, &resample, NULL), DPC_OK);
    for (int k = 0; k < N_RESAMPLES; k++) {
        assert_int_equal(dpc_resample_draw(&resampler, k, &settings, &resample), DPC_OK);
        dpc_table *drawn = new_table(N, ROWS);
        for (int j = 0; j < N; j++) {
            double *to = drawn->values + j * ROWS;
            for (int i = 0; i < ROWS; i++)
                for (int d = 0; d < resample.count[i]; d++)
                    *to++ = table->values[j * ROWS + i];
        }
        const dpc_variable_kind kind[N] = {DPC_ORDERED, DPC_ORDERED, DPC_ZERO, DPC_NUMBER,
                                           DPC_ORDERED};
        for (int j = 0; j < N; j++)
            set_kind(drawn, j, kind[j], 0);
        dpc_correlation *c = correlate(drawn, &settings);
        assert_same(c, resample.correlation);
        assert_true(resample.correlation->scored);
        dpc_correlation_free(c);
        free_table(drawn);
    }
    dpc_resample_clear(&resample);
    dpc_resampler_clear(&resampler);
    free_table(table);
}

/* ---- Scores and explanations ---- */

static void test_scores(void **state)
{
    gsl_rng *rng = *state;
    const cuts all[4] = {THREE, FIVE, FIVE, THREE};
    dpc_settings settings = latent_settings();
    dpc_error err = {0};
    for (int k = 0; k < 4; k++) {
        bool enough = k % 2;
        dpc_table *table = star(4, enough ? 1000 : 80, all, 0.6, rng);
        dpc_result *result = NULL;
        settings.method = k < 2 ? DPC_DUAL : DPC_GES;
        settings.refine = k < 2 ? DPC_REFINE_FAST : DPC_REFINE_NONE;
        dpc_status status = dpc_learn_table(table, &settings, NULL, &result, &err);
        assert_int_equal(status, enough ? DPC_OK : DPC_USAGE);
        if (!enough)
            assert_non_null(strstr(err.message, "effective rows"));
        else
            assert_true(dpc_result_info(result)->n_obs < 800);
        dpc_result_free(result);
        free_table(table);
    }
}

/* The p-value of an explanation is that of the delta rule; with no set that is the rows of a pair.
 */
static void test_explained(void **state)
{
    gsl_rng *rng = *state;
    const cuts all[5] = {THREE, FIVE, MEDIAN, ATOM, SHOWN};
    dpc_settings settings = latent_settings();
    for (int k = 0; k < repeats(N_OTHERS); k++) {
        dpc_table *table = star(5, 600, all, 0.6, rng);
        dpc_result *result = NULL;
        assert_int_equal(dpc_learn_table(table, &settings, NULL, &result, NULL), DPC_OK);
        const dpc_correlation *c = dpc_result_info(result)->correlation;
        for (int a = 0; a < 5; a++)
            for (int b = a + 1; b < 5; b++) {
                dpc_explanation *e = NULL;
                int64_t rows;
                assert_int_equal(dpc_explain(result, a, b, NULL, NULL, &e, NULL), DPC_OK);
                const dpc_sepset *what = &e->test.what;
                assert_int_equal(dpc_delta_rows(c, a, b, NULL, 0, 0, &rows), DPC_OK);
                assert_true(llabs(rows - c->rows[a * 5 + b]) <= 1);
                assert_int_equal(dpc_delta_rows(c, a, b, e->test.members, what->size, 0, &rows),
                                 DPC_OK);
                assert_int_equal(rows, what->n_obs);
                assert_true(rows <= 600);
                assert_true(what->p == dpc_p_value(settings.test, rows, what->size, what->r));
                dpc_explanation_free(e);
            }
        dpc_result_free(result);
        free_table(table);
    }
}

static int set_up(void **state)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, 24);
    *state = rng;
    return rng == NULL;
}

static int tear_down(void **state)
{
    gsl_rng_free(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_correlations), cmocka_unit_test(test_information),
        cmocka_unit_test(test_curve),        cmocka_unit_test(test_level),
        cmocka_unit_test(test_same),         cmocka_unit_test(test_permuted),
        cmocka_unit_test(test_continuous),   cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_copies),       cmocka_unit_test(test_repair),
        cmocka_unit_test(test_resamples),    cmocka_unit_test(test_scores),
        cmocka_unit_test(test_explained),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
