/*
 * Awkward numbers: what double computes against the same in quad precision (tests/support/quad.h).
 *
 * Tables of small size and of every awkward kind are correlated by the library. Each correlation
 * agrees with quad precision to NEAR. Each partial correlation given any set agrees as far as
 * dpc_partial_doubt says: so a verdict that is not the one of quad precision is one that the
 * library counts as uncertain. Where a conditional variance is below 1e-10 no verdict is made.
 * Whole runs: every set that was recorded separates in quad precision too, unless the run has
 * counted an uncertain verdict; and what is singular is counted and, where columns are sums of
 * others, told.
 */
#include "cases.h"
#include "linalg.h"
#include "quad.h"
#include "repeat.h"
#include "twin.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N_TABLES = 2000, MOST = 6, MOST_ROWS = 200 };

static const double NEAR = 16 * DBL_EPSILON;

enum kind {
    ORDINARY,
    CHAIN,    /* each column is the one before, and a little more: condition numbers to 1e16 */
    COMBINED, /* sums of others with coefficients from 1e-3 to 1e3, and a little more */
    SCALED,   /* times 1e-150, 1 or 1e150 */
    DENORMAL, /* times 1e-310 and less */
    EXACT,    /* copies, negations and sums of others, of whole numbers */
    WHOLE,    /* numbers of few values */
    TINY,     /* hardly any rows */
    OFFSET,   /* on a large number, up to 1e14 times their spread */
    OUTLIER,  /* one value far from all others */
    N_KINDS,
};

static const char *const NAMES[] = {"ordinary", "near-collinear", "combined", "1e±150",
                                    "denormal", "exact sums",     "integers", "few rows",
                                    "offsets",  "outliers"};

/* ---- The tables ---- */

static void draw_chain(dpc_table *t, double *x, int j, gsl_rng *rng)
{
    int64_t rows = t->n_obs;
    double share = draw_log(rng, 1e-8, 0.3);
    for (int64_t i = 0; i < rows && j > 0; i++)
        x[i] = x[i - rows] + share * x[i];
}

static void draw_combined(dpc_table *t, double *x, int j, gsl_rng *rng)
{
    int64_t rows = t->n_obs;
    double share = draw_log(rng, 1e-5, 1e-1);
    for (int64_t i = 0; i < rows && j > 0; i++)
        x[i] *= share;
    for (int of = 0; of < j; of++) {
        if (draw_int(rng, 0, 1))
            continue;
        double factor = draw_log(rng, 1e-3, 1e3) * (draw_int(rng, 0, 1) ? 1 : -1);
        for (int64_t i = 0; i < rows; i++)
            x[i] += factor * t->values[of * rows + i];
    }
}

static void draw_exact(dpc_table *t, double *x, int j, gsl_rng *rng)
{
    int64_t rows = t->n_obs;
    int how = draw_int(rng, 0, 4), of = j > 0 ? draw_int(rng, 0, j - 1) : 0, and = j / 2;
    const double *a = t->values + of * rows, *b = t->values + and*rows;
    for (int64_t i = 0; i < rows; i++) {
        x[i] = round(16 * x[i]);
        if (j > 1 && how < 3)
            x[i] = how == 0 ? a[i] : how == 1 ? -a[i] : a[i] + b[i];
    }
}

static void spoil_column(dpc_table *t, enum kind kind, int j, gsl_rng *rng)
{
    static const double sizes[] = {1e-150, 1, 1e150};
    int64_t rows = t->n_obs;
    double *x = t->values + j * rows;
    double size = kind == SCALED     ? sizes[draw_int(rng, 0, 2)]
                  : kind == DENORMAL ? draw_log(rng, 1e-318, 1e-309)
                                     : 1;
    double offset = kind == OFFSET ? draw_log(rng, 1e3, 1e14) : 0;
    if (kind == CHAIN)
        draw_chain(t, x, j, rng);
    if (kind == COMBINED)
        draw_combined(t, x, j, rng);
    if (kind == EXACT)
        draw_exact(t, x, j, rng);
    for (int64_t i = 0; i < rows; i++) {
        x[i] = x[i] * size + offset;
        if (kind == WHOLE)
            x[i] = round(x[i]);
    }
    if (kind == OUTLIER && draw_int(rng, 0, 1))
        x[draw_int(rng, 0, (int)rows - 1)] = draw_log(rng, 1e3, 1e12);
}

static dpc_table *draw_table(enum kind kind, gsl_rng *rng)
{
    int n = draw_int(rng, 2, MOST);
    int64_t rows = kind == TINY ? draw_int(rng, 5, 9) : draw_int(rng, 12, MOST_ROWS);
    dpc_dag_model model = {n, 0.5 * (n - 1) * gsl_rng_uniform(rng), 0.2, 1.2, DPC_ER};
    dpc_dag *dag = NULL;
    dpc_table *table = NULL;
    assert_int_equal(dpc_dag_random(&model, rng, &dag, NULL), DPC_OK);
    assert_int_equal(dpc_dag_sample(dag, rows, (dpc_noise){.degrees = INFINITY}, rng, &table, NULL),
                     DPC_OK);
    dpc_dag_free(dag);
    for (int j = 0; j < n; j++)
        spoil_column(table, kind, j, rng);
    return table;
}

/* ---- What is compared ---- */

struct tally {
    int64_t tests;     /* compared */
    int64_t singular;  /* not made */
    int64_t uncertain; /* as near to the critical value as rounding may reach; of these … */
    int64_t other;     /* … quad precision decides so many otherwise */
    int64_t sets;      /* recorded ones, looked at again */
    double far, near;  /* the largest errors, as shares of what is allowed */
};

static double gap(quad a, double b)
{
    return fabs((double)(a - (quad)b));
}

static void check_correlations(const dpc_correlation *c, const quad *r, int number, enum kind kind,
                               struct tally *tally)
{
    for (int i = 0; i < c->n_vars * c->n_vars; i++) {
        double error = gap(r[i], c->r[i]);
        tally->near = fmax(tally->near, error / NEAR);
        if (!(error <= NEAR))
            fail_msg("table %d (%s): correlation %d is %.17g, not %.17g", number, NAMES[kind], i,
                     c->r[i], (double)r[i]);
    }
}

static void check_test(const dpc_correlation *c, const quad *r, int x, int y, const int32_t *set,
                       int size, enum kind kind, int number, struct tally *tally)
{
    double scratch[(MOST + 2) * (MOST + 2)];
    double seen = dpc_partial_correlation(c->r, c->n_vars, x, y, set, size, DPC_SINGULAR, scratch);
    struct quad_partial wanted = quad_partial(r, c->n_vars, x, y, set, size);
    double v = (double)wanted.least, edge = 4 * DBL_EPSILON * wanted.growth;
    if (isnan(seen) ? v > DPC_SINGULAR + edge : v < DPC_SINGULAR - edge)
        fail_msg("table %d (%s): a variance of %g (± %g), and r is %g", number, NAMES[kind], v,
                 edge, seen);
    tally->singular += isnan(seen);
    if (isnan(seen))
        return;
    double doubt = dpc_partial_doubt(c->r, c->n_vars, x, y, set, size, scratch);
    double critical = reference_critical(DPC_FISHER_Z, 0.05, (double)c->n_obs, size);
    double exact = fabs((double)wanted.r), error = gap(wanted.r, seen);
    tally->tests++;
    tally->far = fmax(tally->far, error / doubt);
    if (!(error <= doubt))
        fail_msg("table %d (%s): r of %d, %d given %d is %.17g, not %.17g (%g allowed)", number,
                 NAMES[kind], x, y, size, seen, (double)wanted.r, doubt);
    if (fabs(fabs(seen) - critical) <= doubt) {
        tally->uncertain++;
        tally->other += (fabs(seen) <= critical) != (exact <= critical);
    } else if ((fabs(seen) <= critical) != (exact <= critical)) {
        fail_msg("table %d (%s): the verdicts on %d, %d differ", number, NAMES[kind], x, y);
    }
}

static void check_all_tests(const dpc_correlation *c, const quad *r, enum kind kind, int number,
                            struct tally *tally)
{
    for (int x = 0; x < c->n_vars; x++)
        for (int y = x + 1; y < c->n_vars; y++)
            for (unsigned bits = 0; bits < 1u << c->n_vars; bits++) {
                int32_t set[MOST];
                int size = 0;
                if (bits >> x & 1 || bits >> y & 1)
                    continue;
                for (int v = 0; v < c->n_vars; v++)
                    if (bits >> v & 1)
                        set[size++] = v;
                check_test(c, r, x, y, set, size, kind, number, tally);
            }
}

/* ---- Whole runs ---- */

static bool is_told(const dpc_audit *audit)
{
    for (int i = 0; i < audit->count; i++)
        if (strstr(audit->items[i].text, "combination") || strstr(audit->items[i].text, "cop") ||
            strstr(audit->items[i].text, "constant"))
            return true;
    return false;
}

/* Are columns functions of others, to more digits than double has? */
static bool is_singular(const quad *r, int n)
{
    int32_t set[MOST];
    for (int i = 0; i < n; i++)
        set[i] = i;
    return quad_partial(r, n, n - 2, n - 1, set, n - 2).least < 1e-14;
}

static void check_run(const dpc_correlation *c, const quad *r, const dpc_audit *audit,
                      enum kind kind, int number, struct tally *tally)
{
    dpc_settings settings;
    dpc_result *result = NULL;
    dpc_error err;
    dpc_settings_default(&settings);
    settings.method = (dpc_method)(number % 3);
    settings.variant = (dpc_variant)(number / 3 % 2);
    settings.min_ess = 1;
    settings.threads = 1;
    settings.keep_separating_sets = true;
    if (dpc_learn(c, &settings, &result, &err) != DPC_OK)
        fail_msg("%s", err.message);
    const dpc_info *info = dpc_result_info(result);
    for (int a = 0; a < c->n_vars; a++)
        for (int b = a + 1; b < c->n_vars; b++) {
            int32_t members[MOST];
            dpc_sepset set;
            separated(result, a, b, &set, members);
            if (set.kind == DPC_SEP_NONE)
                continue;
            double critical =
                reference_critical(settings.test, settings.alpha, (double)c->n_obs, set.size);
            struct quad_partial wanted = quad_partial(r, c->n_vars, a, b, members, set.size);
            tally->sets++;
            if (fabs((double)wanted.r) > critical && info->uncertain_tests == 0)
                fail_msg(
                    "table %d (%s): %d, %d were separated by kind %d with r = %g, and it is %g",
                    number, NAMES[kind], a, b, (int)set.kind, set.r, (double)wanted.r);
        }
    bool full = settings.method != DPC_CLASSIC && c->n_obs - c->n_vars - 1 >= 1;
    if (is_singular(r, c->n_vars) && kind == EXACT) {
        assert_true(!full || info->singular_neighbourhoods > 0 || info->n_copies > 0);
        if (!is_told(audit))
            fail_msg("table %d: sums of columns, and no word of it", number);
    }
    dpc_result_free(result);
}

static void report(const struct tally *tally)
{
    for (int kind = 0; kind < N_KINDS; kind++, tally++)
        print_message(
            "%-14s %7lld tests, %5lld singular, %4lld uncertain (%lld of them otherwise in "
            "quad), %4lld sets; errors %.2g of what is allowed, of correlations %.2g\n",
            NAMES[kind], (long long)tally->tests, (long long)tally->singular,
            (long long)tally->uncertain, (long long)tally->other, (long long)tally->sets,
            tally->far, tally->near);
}

static void test_tables(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20260401);
    struct tally tally[N_KINDS] = {{0}};
    for (int number = 0; number < repeats(N_TABLES); number++) {
        enum kind kind = (enum kind)(number % N_KINDS);
        dpc_table *table = draw_table(kind, rng);
        dpc_correlation *c = NULL;
        dpc_audit audit = {0};
        dpc_error err;
        if (dpc_correlate(table, NULL, &audit, &c, &err) != DPC_OK)
            fail_msg("%s", err.message);
        quad *r = quad_correlate(table);
        check_correlations(c, r, number, kind, &tally[kind]);
        check_all_tests(c, r, kind, number, &tally[kind]);
        check_run(c, r, &audit, kind, number / N_KINDS, &tally[kind]);
        free(r);
        dpc_audit_clear(&audit);
        dpc_correlation_free(c);
        dpc_table_free(table);
    }
    gsl_rng_free(rng);
    report(tally);
    assert_int_equal(tally[ORDINARY].singular + tally[ORDINARY].uncertain, 0);
    assert_true(tally[EXACT].singular > share(1000) && tally[CHAIN].singular > share(1000));
    assert_true(tally[COMBINED].uncertain >= share(4));
    for (int kind = 0; kind < N_KINDS; kind++)
        assert_true(tally[kind].tests > share(500) && tally[kind].sets > share(40));
}

/* A million rows, on zero and far from it: the sums of the library lose no more than of a few. */
static void test_tall(void **state)
{
    (void)state;
    enum { N = 3, ROWS = 1000000 };
    gsl_rng *rng = seeded(20260402);
    dpc_dag_model model = {N, 1, 0.2, 1.2, DPC_ER};
    dpc_dag *dag = NULL;
    dpc_table *table = NULL;
    assert_int_equal(dpc_dag_random(&model, rng, &dag, NULL), DPC_OK);
    assert_int_equal(dpc_dag_sample(dag, ROWS, (dpc_noise){.degrees = INFINITY}, rng, &table, NULL),
                     DPC_OK);
    for (int i = 0; i < 2 * ROWS; i++)
        table->values[i] += i < ROWS ? 1e9 : 1e6;
    dpc_correlation *c = NULL;
    assert_int_equal(dpc_correlate(table, NULL, NULL, &c, NULL), DPC_OK);
    quad *r = quad_correlate(table);
    struct tally tally = {0};
    check_correlations(c, r, 0, ORDINARY, &tally);
    print_message("a million rows: errors %.2g of what is allowed\n", tally.near);
    free(r);
    dpc_correlation_free(c);
    dpc_table_free(table);
    dpc_dag_free(dag);
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_tables), cmocka_unit_test(test_tall)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
