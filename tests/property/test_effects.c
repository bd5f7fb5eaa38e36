/*
 * Possible effects, against all DAGs that a graph stands for. Whatever the correlations are, the
 * local effects are the coefficients given the parents in each DAG, one for each set of parents
 * that there is, and the optimal ones those given the optimal set in each DAG. With the population
 * correlations of a DAG both are the same, the true effect is among them, and it is the only one
 * where the effect is identified. In samples, with the true graph, the intervals hold it in 95 % of
 * all cases.
 */
#include "classes.h"
#include "repeat.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N_CLASSES = 2500, N_POPULATIONS = 3000, N_SAMPLES = 40000, MAX_NODES = 30 };

static void ok(dpc_status status, const dpc_error *err)
{
    if (status != DPC_OK)
        fail_msg("%s", err->message);
}

static dpc_effect_table *effects_of(const dpc_correlation *c, const dpc_graph *graph, dpc_ida ida)
{
    dpc_causal *causal = NULL;
    dpc_effect_table *table = NULL;
    dpc_settings settings;
    dpc_error err = {0};
    dpc_settings_default(&settings);
    settings.threads = 1;
    ok(dpc_causal_new(graph, NULL, false, &causal, &err), &err);
    ok(dpc_effects(c, causal, &(dpc_effect_query){.ida = ida}, &settings, &table, &err), &err);
    dpc_causal_free(causal);
    return table;
}

/* ---- A regression by Gauss's elimination ---- */

/* The coefficient of x for y beside a set, and its standard error with so many observations. */
static double slow_effect(const double *r, int n, int x, int y, unsigned set, double n_obs,
                          double *se)
{
    long double a[CLASS_MAX + 1][CLASS_MAX + 2], left = 1;
    int who[CLASS_MAX + 1], k = 0;
    for (int v = 0; v < n; v++)
        if (v != x && (set >> v & 1))
            who[k++] = v;
    who[k++] = x; /* last, so that it is solved for first */
    for (int i = 0; i < k; i++) {
        for (int j = 0; j < k; j++)
            a[i][j] = r[who[i] * n + who[j]];
        a[i][k] = r[who[i] * n + y];
    }
    for (int p = 0; p < k; p++) {
        left -= a[p][k] * a[p][k] / a[p][p];
        for (int i = p + 1; i < k; i++) {
            long double factor = a[i][p] / a[p][p];
            for (int j = p; j <= k; j++)
                a[i][j] -= factor * a[p][j];
        }
    }
    *se = (double)sqrtl(left / (a[k - 1][k - 1] * (n_obs - (k - 1) - 2)));
    return (double)(a[k - 1][k] / a[k - 1][k - 1]);
}

/* ---- All DAGs of a class ---- */

/* Correlations of no DAG in particular. */
static void draw_correlations(gsl_rng *rng, int n, double *r)
{
    double f[CLASS_MAX][CLASS_MAX + 2];
    for (int i = 0; i < n; i++) {
        double square = 0;
        for (int k = 0; k < n + 2; k++) {
            f[i][k] = gsl_rng_uniform(rng) - 0.4 + (k == i);
            square += f[i][k] * f[i][k];
        }
        for (int k = 0; k < n + 2; k++)
            f[i][k] /= sqrt(square);
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            r[i * n + j] = i == j;
            for (int k = 0; i != j && k < n + 2; k++)
                r[i * n + j] += f[i][k] * f[j][k];
        }
}

static unsigned pack(const dpc_effect *e)
{
    unsigned set = 0;
    for (int i = 0; i < e->size; i++)
        set |= 1u << e->set[i];
    return set;
}

static unsigned optimal_in(const struct member *dag, int n, int x, int y)
{
    unsigned below = descendants_in(dag, n, x), set = 0;
    for (int v = 0; v < n; v++)
        if (v != x && (below >> v & 1) && (ancestors_in(dag, n, y) >> v & 1))
            set |= dag->parents[v];
    return set & ~below;
}

/* The number of different sets of parents, and for each DAG the place of its set among them. */
static int parental(const struct members *m, int x, unsigned *sets)
{
    int count = 0;
    for (int i = 0; i < m->count; i++) {
        int k = 0;
        while (k < count && sets[k] != m->dags[i].parents[x])
            k++;
        if (k == count)
            sets[count++] = m->dags[i].parents[x];
    }
    return count;
}

static void close_to(double seen, double wanted, const char *what, int number)
{
    if (!(fabs(seen - wanted) <= 1e-9 * (1 + fabs(wanted))))
        fail_msg("graph %d, %s: %.15g, not %.15g", number, what, seen, wanted);
}

/* Local effect k has one of the sets of parents; optimal effect k is that of the same DAGs. */
static void check_effect(const struct members *m, const dpc_correlation *c, int number,
                         const dpc_effect_pair *pair, const dpc_effect *local,
                         const dpc_effect *best)
{
    int n = m->n, x = pair->cause, y = pair->outcome, seen = 0;
    unsigned parents = pack(local);
    double se;
    for (int i = 0; i < m->count; i++) {
        const struct member *dag = &m->dags[i];
        if (dag->parents[x] != parents)
            continue;
        seen++;
        bool parent = parents >> y & 1, below = descendants_in(dag, n, x) >> y & 1;
        double wanted = slow_effect(c->r, n, x, y, parents, (double)c->n_obs, &se);
        close_to(local->standardised, parent ? 0 : wanted, "local", number);
        close_to(local->se, parent ? 0 : se, "its standard error", number);
        unsigned set = below ? optimal_in(dag, n, x, y) : 0;
        assert_int_equal(pack(best), set);
        wanted = slow_effect(c->r, n, x, y, set, (double)c->n_obs, &se);
        close_to(best->standardised, below ? wanted : 0, "optimal", number);
        close_to(best->se, below ? se : 0, "its standard error", number);
    }
    assert_true(seen > 0);
}

static void check_class(int number, const struct members *m, const dpc_correlation *c,
                        const dpc_effect_table *local, const dpc_effect_table *best)
{
    unsigned *sets = calloc((size_t)m->count, sizeof *sets);
    assert_int_equal(dpc_effect_table_count(local), m->n * (m->n - 1));
    for (int64_t i = 0; i < dpc_effect_table_count(local); i++) {
        dpc_effect_pair pair = dpc_effect_table_pair(local, i);
        double low = INFINITY, high = 0;
        assert_int_equal(pair.count, parental(m, pair.cause, sets));
        assert_int_equal(pair.count, dpc_effect_table_pair(best, i).count);
        for (int k = 0; k < pair.count; k++) {
            dpc_effect p = dpc_effect_table_at(local, i, k), q = dpc_effect_table_at(best, i, k);
            check_effect(m, c, number, &pair, &p, &q);
            assert_true(isnan(p.effect)); /* no units */
            low = fmin(low, fabs(p.standardised));
            high = fmax(high, fabs(p.standardised));
            for (int before = 0; before < k; before++) {
                dpc_effect other = dpc_effect_table_at(local, i, before);
                assert_int_not_equal(pack(&p), pack(&other));
            }
        }
        assert_true(pair.min_abs == low && pair.max_abs == high);
    }
    free(sets);
}

static void test_all_dags_of_a_class(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(31);
    for (int number = 0; number < repeats(N_CLASSES); number++) {
        dpc_graph graph = {0};
        double r[CLASS_MAX * CLASS_MAX];
        int n = draw_int(rng, 2, number % 5 == 0 ? 7 : 6);
        draw_kind(rng, n, (dpc_graph_kind)(number % 3), &graph);
        draw_correlations(rng, n, r);
        dpc_correlation c = {.n_vars = n, .n_obs = draw_int(rng, 20, 200), .r = r};
        struct members m = members_of(&graph);
        dpc_effect_table *local = effects_of(&c, &graph, DPC_IDA_LOCAL);
        dpc_effect_table *best = effects_of(&c, &graph, DPC_IDA_OPTIMAL);
        check_class(number, &m, &c, local, best);
        dpc_effect_table_free(local);
        dpc_effect_table_free(best);
        members_free(&m);
        dpc_graph_clear(&graph);
    }
    gsl_rng_free(rng);
}

/* ---- The population ---- */

/* Total effects by the weights: row x, column y; standardised. */
static void true_effects(const dpc_dag *dag, const double *variance, double *effect)
{
    int n = dag->n;
    memset(effect, 0, (size_t)n * (size_t)n * sizeof *effect);
    for (int i = 0; i < n; i++) {
        int y = dag->order[i];
        effect[y * n + y] = 1;
        for (int64_t e = dag->start[y]; e < dag->start[y + 1]; e++)
            for (int x = 0; x < n; x++)
                effect[x * n + y] += effect[x * n + dag->parent[e]] * dag->weight[e];
    }
    for (int x = 0; x < n; x++)
        for (int y = 0; y < n; y++)
            effect[x * n + y] *= sqrt(variance[x] / variance[y]);
}

/* A DAG whose correlations are far from singular. */
static dpc_dag *draw_dag(gsl_rng *rng, int n, double parents, double *r, double *variance)
{
    for (;;) {
        dpc_dag *dag = NULL;
        double least = 1, noise[MAX_NODES];
        dpc_dag_model model = {n, parents, 0.4, 1.2};
        if (dpc_dag_random(&model, rng, &dag, NULL) != DPC_OK ||
            dpc_dag_correlation(dag, r, variance, NULL) != DPC_OK)
            abort();
        for (int v = 0; v < n; v++)
            noise[v] = 1;
        for (int64_t e = 0; e < dag->start[n]; e++)
            noise[dag->parent[e]] += dag->weight[e] * dag->weight[e];
        for (int v = 0; v < n; v++)
            least = fmin(least, 1 / (variance[v] * noise[v]));
        if (least >= 1e-5)
            return dag;
        dpc_dag_free(dag);
    }
}

static void check_population(int number, int n, const double *effect, const dpc_effect_table *local,
                             const dpc_effect_table *best, int *several)
{
    for (int64_t i = 0; i < dpc_effect_table_count(local); i++) {
        dpc_effect_pair pair = dpc_effect_table_pair(local, i);
        double wanted = effect[pair.cause * n + pair.outcome];
        bool found = false;
        for (int k = 0; k < pair.count; k++) {
            double p = dpc_effect_table_at(local, i, k).standardised;
            double q = dpc_effect_table_at(best, i, k).standardised;
            if (!(fabs(p - q) < 1e-8))
                fail_msg("DAG %d, %d on %d: local %.12g, optimal %.12g", number, pair.cause,
                         pair.outcome, p, q);
            found = found || fabs(p - wanted) < 1e-8;
            if (pair.identified && !(fabs(p - wanted) < 1e-8))
                fail_msg("DAG %d, %d on %d: identified, but %.12g", number, pair.cause,
                         pair.outcome, p);
        }
        if (!found)
            fail_msg("DAG %d, %d on %d: %.12g is not there", number, pair.cause, pair.outcome,
                     wanted);
        *several += !pair.identified;
    }
}

static void test_population(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(32);
    int several = 0;
    for (int number = 0; number < repeats(N_POPULATIONS); number++) {
        double r[MAX_NODES * MAX_NODES], variance[MAX_NODES], effect[MAX_NODES * MAX_NODES];
        int n = draw_int(rng, 2, MAX_NODES);
        dpc_dag *dag = draw_dag(rng, n, 0.5 + 1.5 * gsl_rng_uniform(rng), r, variance);
        dpc_graph graph = {0};
        if (dpc_dag_graph(dag, DPC_CPDAG, &graph, NULL) != DPC_OK)
            abort();
        dpc_correlation c = {.n_vars = n, .n_obs = 1000, .r = r};
        dpc_effect_table *local = effects_of(&c, &graph, DPC_IDA_LOCAL);
        dpc_effect_table *best = effects_of(&c, &graph, DPC_IDA_OPTIMAL);
        true_effects(dag, variance, effect);
        check_population(number, n, effect, local, best, &several);
        dpc_effect_table_free(local);
        dpc_effect_table_free(best);
        dpc_graph_clear(&graph);
        dpc_dag_free(dag);
    }
    assert_true(several > share(1000));
    gsl_rng_free(rng);
}

/* ---- Intervals ---- */

/* Does the interval of an effect hold the true one, in units? */
static bool covers(gsl_rng *rng, const dpc_dag *dag, int x, int y, double wanted, dpc_ida ida)
{
    dpc_table *table = NULL;
    dpc_correlation *c = NULL;
    dpc_graph graph = {0};
    dpc_settings settings;
    dpc_error err = {0};
    bool found = false, inside = false;
    dpc_settings_default(&settings);
    settings.threads = 1;
    ok(dpc_dag_sample(dag, draw_int(rng, 15, 60), (dpc_noise){INFINITY}, rng, &table, &err), &err);
    ok(dpc_correlate(table, &settings, NULL, &c, &err), &err);
    ok(dpc_dag_edges(dag, &graph, &err), &err);
    dpc_effect_table *effects = effects_of(c, &graph, ida);
    assert_true(dpc_effect_table_units(effects));
    for (int64_t i = 0; i < dpc_effect_table_count(effects) && !found; i++) {
        dpc_effect_pair pair = dpc_effect_table_pair(effects, i);
        dpc_effect e = dpc_effect_table_at(effects, i, 0);
        found = pair.cause == x && pair.outcome == y;
        if (found)
            assert_true(pair.identified && pair.count == 1);
        inside = found && e.low <= wanted && wanted <= e.high;
    }
    assert_true(found);
    dpc_effect_table_free(effects);
    dpc_graph_clear(&graph);
    dpc_correlation_free(c);
    dpc_table_free(table);
    return inside;
}

static void test_coverage(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(33);
    int count = repeats(N_SAMPLES), inside[2] = {0};
    for (int i = 0; i < count;) {
        double r[MAX_NODES * MAX_NODES], variance[MAX_NODES], effect[MAX_NODES * MAX_NODES];
        int n = draw_int(rng, 3, 7), x = draw_int(rng, 0, n - 1), y = draw_int(rng, 0, n - 1);
        dpc_dag *dag = draw_dag(rng, n, 1.5, r, variance);
        true_effects(dag, variance, effect);
        double wanted = effect[x * n + y] * sqrt(variance[y] / variance[x]);
        if (x != y && wanted != 0) { /* where there is none the optimal answer is 0, always */
            inside[i % 2] += covers(rng, dag, x, y, wanted, (dpc_ida)(i % 2));
            i++;
        }
        dpc_dag_free(dag);
    }
    /* the standard deviation of a share of 20000 is 0.15 %; short runs may be further off */
    double margin = 0.01 * sqrt(1 + 20 * (1 - fmin(1, count / (double)N_SAMPLES)));
    for (int ida = 0; ida < 2; ida++)
        if (!(fabs(inside[ida] / (count / 2.0) - 0.95) < margin))
            fail_msg("%s: %d of %d intervals", dpc_ida_word((dpc_ida)ida), inside[ida], count / 2);
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_dags_of_a_class),
        cmocka_unit_test(test_population),
        cmocka_unit_test(test_coverage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
