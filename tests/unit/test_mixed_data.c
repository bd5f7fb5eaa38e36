/*
 * Simulated data that are not linear and Gaussian: which variables and edges are of which kind, how
 * the levels are spread, that dependence follows the DAG and is as strong as said, and that the
 * data of all other options stay what they were. Seeds are fixed, so that a statistical bound is
 * kept always or never.
 */
#include "simulate.h"
#include "table.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct drawn {
    dpc_dag *dag;
    dpc_table *table;
} drawn;

static dpc_simulation describe(int n, double parents, int64_t n_obs, uint64_t seed)
{
    dpc_simulation s;
    dpc_simulation_default(&s);
    s.model.n = n;
    s.model.parents = parents;
    s.n_obs = n_obs;
    s.seed = seed;
    return s;
}

static drawn draw(const dpc_simulation *s)
{
    drawn d = {NULL, NULL};
    dpc_error err = {0};
    if (dpc_simulate(s, &d.dag, &d.table, &err) != DPC_OK)
        fail_msg("%s", err.message);
    return d;
}

static void clear(drawn *d)
{
    dpc_dag_free(d->dag);
    dpc_table_free(d->table);
}

static const double *column(const drawn *d, int v)
{
    return d->table->values + v * d->table->n_obs;
}

static bool same_column(const drawn *a, const drawn *b, int v)
{
    return memcmp(column(a, v), column(b, v), (size_t)a->table->n_obs * sizeof(double)) == 0;
}

static bool same_edges(const dpc_dag *a, const dpc_dag *b)
{
    size_t n = (size_t)a->n;
    return memcmp(a->start, b->start, (n + 1) * sizeof *a->start) == 0 &&
           memcmp(a->parent, b->parent, (size_t)a->start[n] * sizeof *a->parent) == 0;
}

/* ---- What was there before ---- */

/* Sums over the tables that a version without kinds has drawn; cell i, row by row, times i % 7 + 1.
 */
static void test_other_data_are_as_before(void **state)
{
    (void)state;
    struct {
        dpc_noise noise;
        double tanh, low, high;
        dpc_signs signs;
        dpc_design design;
        dpc_structure structure;
        double sum;
    } const CASES[] = {
        {{INFINITY, false}, 0, 1, 1, DPC_POSITIVE, DPC_SCM, DPC_ER, -3.5898112089809775},
        {{3, false}, 1, 1, 1, DPC_POSITIVE, DPC_SCM, DPC_ER, 14.49142103789262},
        {{INFINITY, false}, 0, 1, 1, DPC_MIXED_SIGNS, DPC_INTERNAL, DPC_ER, 80.80994983983099},
        {{INFINITY, false}, 0, 1, 1, DPC_POSITIVE, DPC_ONION, DPC_HUBS, 66.85508326110636},
        {{INFINITY, true}, 0, 0.5, 2, DPC_POSITIVE, DPC_SCM, DPC_CHAIN, 9.882227384431548},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        dpc_simulation s = describe(20, 2, 50, 7);
        s.noise = CASES[i].noise;
        s.tanh_lambda = CASES[i].tanh;
        s.variance_low = CASES[i].low;
        s.variance_high = CASES[i].high;
        s.signs = CASES[i].signs;
        s.design = CASES[i].design;
        s.model.structure = CASES[i].structure;
        drawn d = draw(&s);
        double sum = 0;
        for (int t = 0; t < 50; t++)
            for (int v = 0; v < 20; v++)
                sum += column(&d, v)[t] * ((t * 20 + v) % 7 + 1);
        if (!(fabs(sum - CASES[i].sum) < 1e-8))
            fail_msg("case %zu: %.17g instead of %.17g", i, sum, CASES[i].sum);
        assert_null(d.dag->kinds);
        assert_null(d.dag->curve);
        clear(&d);
    }
}

/* ---- Kinds ---- */

static int count_kind(const dpc_dag *dag, dpc_variable_kind kind)
{
    int count = 0;
    for (int v = 0; v < dag->n; v++)
        count += dpc_node_kind_of(dag, v) == kind;
    return count;
}

/* The least share of the levels of a variable; fails where a cell is no level. */
static double least_share(const drawn *d, int v)
{
    int64_t count[DPC_MOST_LEVELS] = {0}, n_obs = d->table->n_obs;
    int levels = d->dag->kinds[v].n_levels;
    double least = 1;
    for (int64_t t = 0; t < n_obs; t++) {
        double x = column(d, v)[t];
        assert_true(x == floor(x) && x >= 0 && x < levels);
        count[(int)x]++;
    }
    for (int l = 0; l < levels; l++)
        least = fmin(least, (double)count[l] / (double)n_obs);
    return least;
}

static void check_column(const drawn *d, int v, bool seen[2][DPC_MOST_LEVELS + 1])
{
    dpc_node_kind kind = d->dag->kinds[v];
    if (kind.kind == DPC_NUMBER) {
        double sum = 0, squares = 0, n = (double)d->table->n_obs;
        for (int64_t t = 0; t < d->table->n_obs; t++)
            sum += column(d, v)[t], squares += column(d, v)[t] * column(d, v)[t];
        assert_true(fabs(sum) < 1e-9 * n && fabs(squares / (n - 1) - 1) < 1e-9);
        return;
    }
    bool ordered = kind.kind == DPC_ORDERED;
    seen[ordered][kind.n_levels] = true;
    double share = least_share(d, v), wanted = ordered ? 0.05 : 0.5 / kind.n_levels - 0.04;
    if (!(share >= wanted))
        fail_msg("V%d has %d levels, the rarest with a share of %g", v + 1, kind.n_levels, share);
}

static void test_kinds_and_levels(void **state)
{
    (void)state;
    bool seen[2][DPC_MOST_LEVELS + 1] = {{false}};
    for (uint64_t seed = 1; seed <= 5; seed++) {
        dpc_simulation s = describe(40, 3, 3000, seed);
        s.kinds = (dpc_kinds_model){.mixed = 0.25, .ordinal = 0.5, .curved = 0.5};
        s.signs = seed % 2 == 0 ? DPC_POSITIVE : DPC_MIXED_SIGNS;
        s.design = seed == 3 ? DPC_INTERNAL : DPC_SCM;
        drawn d = draw(&s);
        assert_int_equal(count_kind(d.dag, DPC_NOMINAL), 10);
        assert_int_equal(count_kind(d.dag, DPC_ORDERED), 15);
        for (int v = 0; v < 40; v++)
            check_column(&d, v, seen);
        clear(&d);
    }
    for (int levels = 2; levels <= DPC_MOST_LEVELS; levels++) {
        assert_int_equal(seen[0][levels], levels <= DPC_NOMINAL_LEVELS);
        assert_int_equal(seen[1][levels], levels <= DPC_ORDERED_LEVELS);
    }
}

/* Every level is there with 20 rows; with two the columns are still levels. */
static void test_few_rows(void **state)
{
    (void)state;
    for (int64_t n_obs = 2; n_obs <= 20; n_obs += 18)
        for (int most = 2; most <= DPC_MOST_LEVELS; most += 4) {
            dpc_simulation s = describe(30, 2, n_obs, 5);
            s.kinds = (dpc_kinds_model){.mixed = 0.3, .ordinal = 1, .levels = most};
            drawn d = draw(&s);
            for (int v = 0; v < 30; v++) {
                double share = least_share(&d, v);
                assert_true(d.dag->kinds[v].n_levels <= most);
                if (n_obs == 20 && d.dag->kinds[v].kind == DPC_ORDERED)
                    assert_true(share >= 0.05);
            }
            clear(&d);
        }
}

/* Edges, and which are nominal, do not depend on the rest; what is not cut stays as it was. */
static void test_what_stays(void **state)
{
    (void)state;
    dpc_simulation plain = describe(30, 2, 200, 3), cut = plain, mixed = plain, both;
    cut.kinds.ordinal = 0.4;
    mixed.kinds.mixed = 0.5;
    both = mixed;
    both.kinds.ordinal = 0.4;
    drawn a = draw(&plain), b = draw(&cut), c = draw(&mixed), d = draw(&both);
    assert_true(same_edges(a.dag, b.dag) && same_edges(a.dag, c.dag) && same_edges(a.dag, d.dag));
    for (int v = 0; v < 30; v++) {
        assert_int_equal(same_column(&a, &b, v), b.dag->kinds[v].kind == DPC_NUMBER);
        assert_int_equal(same_column(&c, &d, v), d.dag->kinds[v].kind != DPC_ORDERED);
        assert_int_equal(c.dag->kinds[v].kind == DPC_NOMINAL, d.dag->kinds[v].kind == DPC_NOMINAL);
    }
    clear(&a), clear(&b), clear(&c), clear(&d);
}

static void test_same_seed_same_data(void **state)
{
    (void)state;
    dpc_simulation s = describe(25, 2, 300, 9);
    s.kinds = (dpc_kinds_model){.mixed = 0.4, .ordinal = 0.3, .curved = 0.6};
    drawn a = draw(&s), b = draw(&s);
    dpc_simulation other = s;
    other.seed = 10;
    drawn c = draw(&other);
    for (int v = 0; v < 25; v++) {
        assert_true(same_column(&a, &b, v));
        assert_false(same_column(&a, &c, v));
    }
    clear(&a), clear(&b), clear(&c);
}

/* ---- Curves ---- */

static void test_curves(void **state)
{
    (void)state;
    int kinds[DPC_EDGE_SIN + 1] = {0};
    for (int mixed = 0; mixed < 2; mixed++) {
        dpc_simulation s = describe(60, 3, 50, 4);
        s.kinds = (dpc_kinds_model){.mixed = 0.4 * mixed, .curved = 0.5};
        drawn d = draw(&s);
        int numbers = 0, curved = 0;
        for (int v = 0; v < 60; v++)
            for (int64_t e = d.dag->start[v]; e < d.dag->start[v + 1]; e++) {
                bool between = dpc_node_kind_of(d.dag, v) == DPC_NUMBER &&
                               dpc_node_kind_of(d.dag, d.dag->parent[e]) == DPC_NUMBER;
                numbers += between;
                curved += d.dag->curve[e] != DPC_EDGE_STRAIGHT;
                kinds[d.dag->curve[e]]++;
                assert_true(between || d.dag->curve[e] == DPC_EDGE_STRAIGHT);
            }
        assert_int_equal(curved, (numbers + 1) / 2);
        clear(&d);
    }
    for (int k = DPC_EDGE_QUADRATIC; k <= DPC_EDGE_SIN; k++)
        assert_true(kinds[k] > 15);
}

/* ---- Dependence ---- */

static const double *sort_key;

static int by_key(const void *a, const void *b)
{
    double x = sort_key[*(const int *)a], y = sort_key[*(const int *)b];
    if (x != y)
        return x < y ? -1 : 1;
    return *(const int *)a < *(const int *)b ? -1 : 1;
}

/* The bin of each row by the values of z: a level is a bin, numbers have `bins` of equal size. */
static int put_in_bins(const drawn *d, int v, int bins, int *bin)
{
    int n = (int)d->table->n_obs;
    const double *z = column(d, v);
    if (dpc_node_kind_of(d->dag, v) != DPC_NUMBER) {
        for (int t = 0; t < n; t++)
            bin[t] = (int)z[t];
        return d->dag->kinds[v].n_levels;
    }
    int *order = malloc((size_t)n * sizeof *order);
    assert_non_null(order);
    for (int t = 0; t < n; t++)
        order[t] = t;
    sort_key = z;
    qsort(order, (size_t)n, sizeof *order, by_key);
    for (int t = 0; t < n; t++)
        bin[order[t]] = (int)((int64_t)t * bins / n);
    free(order);
    return bins;
}

/* x minus its mean in each bin, into `out`; returns the share of its variance that is gone. */
static double within(const double *x, const int *bin, int bins, int n, double *out)
{
    double *sum = calloc((size_t)bins + 1, sizeof *sum), mean = 0, all = 0, left = 0;
    int *count = calloc((size_t)bins + 1, sizeof *count);
    assert_true(sum != NULL && count != NULL);
    for (int t = 0; t < n; t++)
        sum[bin[t]] += x[t], count[bin[t]]++, mean += x[t] / n;
    for (int t = 0; t < n; t++) {
        all += (x[t] - mean) * (x[t] - mean);
        out[t] = x[t] - sum[bin[t]] / count[bin[t]]; /* which may be x */
        left += out[t] * out[t];
    }
    free(sum);
    free(count);
    return 1 - left / all;
}

/* The share of the variance of y that x explains; of a nominal one the largest of its levels'. */
static double explained(const drawn *d, int x, int y)
{
    int n = (int)d->table->n_obs, *bin = malloc((size_t)n * sizeof *bin);
    double *out = malloc((size_t)n * sizeof *out);
    assert_true(bin != NULL && out != NULL);
    int bins = put_in_bins(d, x, 40, bin), levels = 0;
    if (dpc_node_kind_of(d->dag, y) == DPC_NOMINAL)
        levels = d->dag->kinds[y].n_levels;
    double share = levels > 0 ? 0 : within(column(d, y), bin, bins, n, out);
    for (int l = 0; l < levels; l++) {
        for (int t = 0; t < n; t++)
            out[t] = column(d, y)[t] == l;
        share = fmax(share, within(out, bin, bins, n, out));
    }
    free(bin);
    free(out);
    return share;
}

/* About N(0, 1) where x and y are independent given z. */
static double left_over(const drawn *d, int x, int y, int z)
{
    int n = (int)d->table->n_obs, *bin = malloc((size_t)n * sizeof *bin);
    double *a = malloc((size_t)n * sizeof *a), *b = malloc((size_t)n * sizeof *b);
    double both = 0, first = 0, second = 0;
    assert_true(bin != NULL && a != NULL && b != NULL);
    int bins = put_in_bins(d, z, 800, bin);
    within(column(d, x), bin, bins, n, a);
    within(column(d, y), bin, bins, n, b);
    for (int t = 0; t < n; t++)
        both += a[t] * b[t], first += a[t] * a[t], second += b[t] * b[t];
    free(bin);
    free(a);
    free(b);
    return both / sqrt(first * second) * sqrt(n);
}

/* Chains: neighbours depend on one another, and the ends do not, given the middle. */
static void test_dependence_follows_the_dag(void **state)
{
    (void)state;
    int kinds[4] = {0};
    for (uint64_t seed = 1; seed <= 60; seed++) {
        dpc_simulation s = describe(3, 1, 40000, seed);
        s.model.structure = DPC_CHAIN;
        s.kinds.mixed = (double)(seed % 4) / 3;
        s.kinds.curved = seed % 4 == 0 ? 1 : seed % 4 < 3 ? 0.5 : 0;
        s.signs = DPC_MIXED_SIGNS;
        drawn d = draw(&s);
        const int32_t *order = d.dag->order;
        kinds[count_kind(d.dag, DPC_NOMINAL)]++;
        for (int i = 0; i < 2; i++)
            if (!(explained(&d, order[i], order[i + 1]) > 0.008)) /* by chance 0.001 */
                fail_msg("seed %d: no dependence of child %d", (int)seed, i + 1);
        double z = left_over(&d, order[0], order[2], order[1]);
        if (!(fabs(z) < 4.5))
            fail_msg("seed %d: the ends depend on one another, z = %g", (int)seed, z);
        clear(&d);
    }
    for (int count = 0; count < 4; count++)
        assert_int_equal(kinds[count], 15);
}

/* Without edges nothing depends on anything: the share of the variance is what 39 bins explain. */
static void test_no_edges(void **state)
{
    (void)state;
    dpc_simulation s = describe(8, 0, 20000, 6);
    s.kinds = (dpc_kinds_model){.mixed = 0.5, .ordinal = 0.5};
    drawn d = draw(&s);
    for (int x = 0; x < 8; x++)
        for (int y = 0; y < 8; y++)
            if (x != y)
                assert_true(explained(&d, x, y) < 5e-3);
    clear(&d);
}

/* With weight 1 and noise of variance 1 a linear parent explains half; so do the others. */
static void test_strength(void **state)
{
    (void)state;
    int curved = 0, shifted = 0;
    double mean = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        dpc_simulation s = describe(2, 0.5, 20000, seed);
        s.model.weight_low = s.model.weight_high = 1;
        s.model.structure = DPC_CHAIN;
        s.kinds.mixed = seed <= 20 ? 0 : 0.5;
        s.kinds.curved = 1;
        drawn d = draw(&s);
        int parent = d.dag->order[0], child = d.dag->order[1];
        double share = explained(&d, parent, child);
        if (seed <= 20) {
            curved++;
            if (!(fabs(share - 0.5) < 0.06))
                fail_msg("seed %d, curve %d: %g explained", (int)seed, d.dag->curve[0], share);
        } else if (dpc_node_kind_of(d.dag, parent) == DPC_NOMINAL) {
            shifted++;
            mean += share;
            assert_true(share > 0.2 && share < 0.7);
        }
        clear(&d);
    }
    assert_true(shifted > 5);
    assert_true(fabs(mean / shifted - 0.48) < 0.06);
}

/* ---- What is refused ---- */

static void refuse(dpc_kinds_model kinds, dpc_design design, const char *sentence)
{
    dpc_simulation s = describe(10, 2, 50, 1);
    dpc_error err = {0};
    s.kinds = kinds;
    s.design = design;
    assert_int_equal(dpc_simulation_check(&s, &err), DPC_USAGE);
    if (strstr(err.message, sentence) == NULL)
        fail_msg("'%s' does not say '%s'", err.message, sentence);
}

static void test_refused(void **state)
{
    (void)state;
    const double WRONG[] = {-0.1, 1.1, NAN, INFINITY};
    for (int i = 0; i < 4; i++) {
        refuse((dpc_kinds_model){.mixed = WRONG[i]}, DPC_SCM, "mixed must be from 0 to 1");
        refuse((dpc_kinds_model){.ordinal = WRONG[i]}, DPC_SCM, "ordinal must be from 0 to 1");
        refuse((dpc_kinds_model){.curved = WRONG[i]}, DPC_SCM, "curved must be from 0 to 1");
    }
    refuse((dpc_kinds_model){.mixed = 0.5, .levels = 1}, DPC_SCM, "levels must be from 2 to 10");
    refuse((dpc_kinds_model){.mixed = 0.5, .levels = 11}, DPC_SCM, "levels must be from 2 to 10");
    refuse((dpc_kinds_model){.mixed = 1, .ordinal = 0.5}, DPC_SCM, "no numbers for ordinal");
    refuse((dpc_kinds_model){.mixed = 1, .curved = 0.5}, DPC_SCM, "no numbers for curved");
    refuse((dpc_kinds_model){.mixed = 0.5}, DPC_ONION, "does not go with mixed");
    refuse((dpc_kinds_model){.curved = 0.5}, DPC_ONION, "does not go with curved");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_other_data_are_as_before),
        cmocka_unit_test(test_kinds_and_levels),
        cmocka_unit_test(test_few_rows),
        cmocka_unit_test(test_what_stays),
        cmocka_unit_test(test_same_seed_same_data),
        cmocka_unit_test(test_curves),
        cmocka_unit_test(test_dependence_follows_the_dag),
        cmocka_unit_test(test_no_edges),
        cmocka_unit_test(test_strength),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
