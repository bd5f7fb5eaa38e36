/*
 * Possible effects, against all DAGs that a graph stands for. Whatever the correlations are, the
 * local effects are the coefficients given the parents in each DAG, one for each set of parents
 * that there is, and the optimal ones those given the optimal set in each DAG; both are 0, without
 * an interval, where the outcome does not descend from the cause in that DAG. With the population
 * correlations of a DAG both are the same, the true effect is among them, and it is the only one
 * where the effect is identified. In samples, with the true graph, the intervals hold it in 95 % of
 * all cases.
 */
#include "classes.h"
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

/* An effect that is `wanted`, or 0 by the graph. */
static void check_value(const dpc_effect *e, bool possible, double wanted, double se,
                        const char *what, int number)
{
    assert_int_equal(e->possible, possible);
    if (possible) {
        close_to(e->standardised, wanted, what, number);
        close_to(e->se, se, "its standard error", number);
        assert_true(e->low < e->standardised && e->standardised < e->high);
    } else {
        assert_true(e->standardised == 0 && isnan(e->se) && isnan(e->low) && isnan(e->high));
    }
}

enum { N_IDAS = DPC_IDA_PCALG + 1 };

/* Local effect k has one of the sets of parents; the others are those of the same DAGs. */
static void check_effect(const struct members *m, const dpc_correlation *c, int number,
                         const dpc_effect_pair *pair, const dpc_effect of[N_IDAS])
{
    int n = m->n, x = pair->cause, y = pair->outcome, seen = 0;
    unsigned parents = pack(&of[DPC_IDA_LOCAL]);
    double se;
    assert_int_equal(pack(&of[DPC_IDA_PCALG]), parents);
    for (int i = 0; i < m->count; i++) {
        const struct member *dag = &m->dags[i];
        if (dag->parents[x] != parents)
            continue;
        seen++;
        bool parent = parents >> y & 1, below = descendants_in(dag, n, x) >> y & 1;
        double wanted = slow_effect(c->r, n, x, y, parents, (double)c->n_obs, &se);
        check_value(&of[DPC_IDA_LOCAL], below, wanted, se, "local", number);
        close_to(of[DPC_IDA_PCALG].standardised, parent ? 0 : wanted, "pcalg", number);
        close_to(of[DPC_IDA_PCALG].se, parent ? 0 : se, "its standard error", number);
        unsigned set = below ? optimal_in(dag, n, x, y) : 0;
        assert_int_equal(pack(&of[DPC_IDA_OPTIMAL]), set);
        wanted = slow_effect(c->r, n, x, y, set, (double)c->n_obs, &se);
        check_value(&of[DPC_IDA_OPTIMAL], below, wanted, se, "optimal", number);
    }
    assert_true(seen > 0);
}

/* What the pair says of the graph is what `adjust` says, and what all DAGs of the class have. */
static void check_possible(const struct members *m, dpc_causal *causal, const dpc_effect_pair *pair)
{
    dpc_identification about = {0};
    dpc_error err = {0};
    bool below = false;
    ok(dpc_identify(causal, pair->cause, pair->outcome, &about, &err), &err);
    for (int i = 0; i < m->count; i++)
        below = below || (descendants_in(&m->dags[i], m->n, pair->cause) >> pair->outcome & 1);
    assert_int_equal(about.possible, below);
    assert_int_equal(pair->possible, below);
    assert_int_equal(pair->identified, about.identified);
    assert_true(pair->possible ? pair->max_abs > 0 : pair->max_abs == 0);
}

static void check_class(int number, const struct members *m, const dpc_correlation *c,
                        dpc_causal *causal, dpc_effect_table *const tables[N_IDAS])
{
    const dpc_effect_table *local = tables[DPC_IDA_LOCAL];
    unsigned *sets = calloc((size_t)m->count, sizeof *sets);
    int64_t without = 0;
    assert_int_equal(dpc_effect_table_about(local)->n_pairs, m->n * (m->n - 1));
    for (int64_t i = 0; i < dpc_effect_table_about(local)->n_pairs; i++) {
        dpc_effect_pair pair = dpc_effect_table_pair(local, i);
        double low = INFINITY, high = 0;
        assert_int_equal(pair.count, parental(m, pair.cause, sets));
        check_possible(m, causal, &pair);
        without += !pair.possible;
        for (int k = 0; k < pair.count; k++) {
            dpc_effect of[N_IDAS], p = dpc_effect_table_at(local, i, k);
            for (int ida = 0; ida < N_IDAS; ida++) {
                assert_int_equal(pair.count, dpc_effect_table_pair(tables[ida], i).count);
                of[ida] = dpc_effect_table_at(tables[ida], i, k);
            }
            check_effect(m, c, number, &pair, of);
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
    assert_int_equal(dpc_effect_table_impossible(local, -1, -1), without);
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
        dpc_effect_table *tables[N_IDAS];
        dpc_causal *causal = NULL;
        dpc_error err = {0};
        ok(dpc_causal_new(&graph, NULL, false, &causal, &err), &err);
        for (int ida = 0; ida < N_IDAS; ida++)
            tables[ida] = effects_of(&c, &graph, (dpc_ida)ida);
        check_class(number, &m, &c, causal, tables);
        for (int ida = 0; ida < N_IDAS; ida++)
            dpc_effect_table_free(tables[ida]);
        dpc_causal_free(causal);
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
        dpc_dag_model model = {n, parents, 0.4, 1.2, DPC_ER};
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
    for (int64_t i = 0; i < dpc_effect_table_about(local)->n_pairs; i++) {
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
    ok(dpc_dag_sample(dag, draw_int(rng, 15, 60), (dpc_noise){.degrees = INFINITY}, rng, &table,
                      &err),
       &err);
    ok(dpc_correlate(table, &settings, NULL, &c, &err), &err);
    ok(dpc_dag_edges(dag, &graph, &err), &err);
    dpc_effect_table *effects = effects_of(c, &graph, ida);
    assert_true(dpc_effect_table_about(effects)->units);
    for (int64_t i = 0; i < dpc_effect_table_about(effects)->n_pairs && !found; i++) {
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
        if (x != y && wanted != 0) { /* where there is none the answer is 0, always */
            inside[i % 2] += covers(rng, dag, x, y, wanted, (dpc_ida)(i % 2));
            i++;
        }
        dpc_dag_free(dag);
    }
    /* the standard deviation of a share of 20000 is 0.15 %; short runs may be further off */
    double margin = 0.01 * sqrt(1 + 20 * (1 - fmin(1, count / (double)N_SAMPLES)));
    for (int ida = 0; ida < 2; ida++)
        if (!(fabs(inside[ida] / (count / 2.0) - 0.95) < margin))
            fail_msg("%s: %d of %d intervals", dpc_word(DPC_WORD_IDA, (dpc_ida)ida), inside[ida],
                     count / 2);
    gsl_rng_free(rng);
}

/* ---- Questions about some, threads, ranks ---- */

static bool same_effect(const dpc_effect *p, const dpc_effect *q)
{
    return memcmp(&p->standardised, &q->standardised, sizeof p->standardised) == 0 &&
           memcmp(&p->se, &q->se, sizeof p->se) == 0 && p->size == q->size &&
           (p->size == 0 || memcmp(p->set, q->set, (size_t)p->size * sizeof *p->set) == 0);
}

static int64_t find_pair(const dpc_effect_table *t, int cause, int outcome)
{
    for (int64_t i = 0; i < dpc_effect_table_about(t)->n_pairs; i++)
        if (dpc_effect_table_pair(t, i).cause == cause &&
            dpc_effect_table_pair(t, i).outcome == outcome)
            return i;
    return -1;
}

/* Every pair of `part` as it is in `all`, up to rounding where columns were left out. */
static void check_part(const dpc_effect_table *part, const dpc_effect_table *all, bool exactly)
{
    for (int64_t i = 0; i < dpc_effect_table_about(part)->n_pairs; i++) {
        dpc_effect_pair pair = dpc_effect_table_pair(part, i);
        int64_t there = find_pair(all, pair.cause, pair.outcome);
        dpc_effect_pair other = dpc_effect_table_pair(all, there);
        assert_true(there >= 0 && pair.count == other.count);
        assert_int_equal(pair.identified, other.identified);
        for (int k = 0; k < pair.count; k++) {
            dpc_effect p = dpc_effect_table_at(part, i, k), q = dpc_effect_table_at(all, there, k);
            assert_true(!exactly || same_effect(&p, &q));
            assert_true(fabs(p.standardised - q.standardised) < 1e-12);
        }
    }
}

/* The two largest of three causes for each of five outcomes, none without a path among them. */
static void check_ranks(const dpc_effect_table *ranked, const dpc_effect_table *some,
                        const int32_t *causes, const int32_t *outcomes)
{
    int64_t at = 0;
    bool all = dpc_effect_table_about(some)->ida == DPC_IDA_PCALG;
    for (int j = 0; j < 5; j++) {
        int possible = 0;
        for (int k = 0; k < 3; k++)
            if (causes[k] != outcomes[j])
                possible +=
                    all ||
                    dpc_effect_table_pair(some, find_pair(some, causes[k], outcomes[j])).possible;
        for (int rank = 0; rank < possible && rank < 2; rank++, at++) {
            dpc_effect_pair p = dpc_effect_table_pair(ranked, at);
            int better = 0;
            assert_int_equal(p.outcome, outcomes[j]);
            assert_true(all || p.possible);
            for (int k = 0; k < 3; k++)
                if (causes[k] != p.outcome)
                    better +=
                        dpc_effect_table_pair(some, find_pair(some, causes[k], p.outcome)).min_abs >
                        p.min_abs;
            assert_true(better <= rank);
        }
    }
    assert_int_equal(dpc_effect_table_about(ranked)->n_pairs, at);
}

static void test_some_of_all(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(34);
    for (int number = 0; number < repeats(40); number++) {
        double r[MAX_NODES * MAX_NODES], variance[MAX_NODES];
        int n = draw_int(rng, 10, MAX_NODES);
        int32_t causes[] = {draw_int(rng, 5, n - 1), 3, 0};
        int32_t outcomes[] = {4, draw_int(rng, 5, n - 1), 1, 2, 0};
        dpc_dag *dag = draw_dag(rng, n, 1.5, r, variance);
        dpc_graph graph = {0};
        dpc_causal *causal = NULL;
        dpc_error err = {0};
        dpc_settings settings;
        dpc_settings_default(&settings);
        ok(dpc_dag_graph(dag, DPC_CPDAG, &graph, &err), &err);
        ok(dpc_causal_new(&graph, NULL, false, &causal, &err), &err);
        dpc_correlation c = {.n_vars = n, .n_obs = 100, .r = r};
        for (dpc_ida ida = DPC_IDA_LOCAL; ida <= DPC_IDA_PCALG; ida++) {
            dpc_effect_table *all = effects_of(&c, &graph, ida), *some = NULL, *again = NULL;
            dpc_effect_query query = {
                .ida = ida, .causes = causes, .n_causes = 3, .outcomes = outcomes, .n_outcomes = 5};
            settings.threads = 1;
            ok(dpc_effects(&c, causal, &query, &settings, &some, &err), &err);
            assert_int_equal(dpc_effect_table_about(some)->n_pairs,
                             15 - 1 - (causes[0] == outcomes[1]));
            check_part(some, all, false);
            settings.threads = 3;
            ok(dpc_effects(&c, causal, &(dpc_effect_query){.ida = ida}, &settings, &again, &err),
               &err);
            check_part(again, all, true);
            dpc_effect_table_free(again);
            query.top = 2;
            ok(dpc_effects(&c, causal, &query, &settings, &again, &err), &err);
            check_ranks(again, some, causes, outcomes);
            dpc_effect_table_free(again);
            dpc_effect_table_free(some);
            dpc_effect_table_free(all);
        }
        dpc_causal_free(causal);
        dpc_graph_clear(&graph);
        dpc_dag_free(dag);
    }
    gsl_rng_free(rng);
}

/* ---- Without the correlation matrix ---- */

static void check_same_table(const dpc_effect_table *p, const dpc_effect_table *q)
{
    assert_int_equal(dpc_effect_table_about(p)->n_pairs, dpc_effect_table_about(q)->n_pairs);
    for (int64_t i = 0; i < dpc_effect_table_about(p)->n_pairs; i++) {
        dpc_effect_pair pair = dpc_effect_table_pair(p, i), other = dpc_effect_table_pair(q, i);
        assert_int_equal(pair.cause, other.cause);
        assert_int_equal(pair.outcome, other.outcome);
        assert_int_equal(pair.identified, other.identified);
        assert_int_equal(pair.count, other.count);
        for (int k = 0; k < pair.count; k++) {
            dpc_effect e = dpc_effect_table_at(p, i, k), f = dpc_effect_table_at(q, i, k);
            assert_true(fabs(e.effect - f.effect) <= 1e-12);
            assert_int_equal(e.possible, f.possible);
            assert_true(fabs(e.se - f.se) <= 1e-12 || (!e.possible && isnan(e.se) && isnan(f.se)));
            assert_int_equal(e.size, f.size);
        }
    }
}

/* The columns alone, where no memory is left for R, give the effects that R gives. */
static void test_without_matrix(void **state)
{
    (void)state;
    for (int number = 0; number < repeats(40); number++) {
        int n = 20 + number % 40;
        dpc_table *table = simulated_table(n, 15 + number % 30, (uint64_t)number + 900);
        dpc_settings settings = plain_settings();
        dpc_correlation *with = NULL, *without = NULL;
        dpc_result *result = NULL;
        dpc_causal *causal = NULL;
        dpc_error err = {0};
        ok(dpc_correlate(table, &settings, NULL, &with, &err), &err);
        ok(dpc_learn(with, &settings, &result, &err), &err);
        ok(dpc_causal_new(dpc_result_graph(result), NULL, true, &causal, &err), &err);
        settings.memory = 1e-3; /* 1000 bytes */
        settings.method = DPC_CLASSIC;
        ok(dpc_correlate(table, &settings, NULL, &without, &err), &err);
        assert_null(dpc_correlation_about(without).values);
        int32_t some[] = {1, n - 1, 4};
        for (int way = 0; way < 4; way++) {
            dpc_effect_table *p = NULL, *q = NULL;
            dpc_effect_query query = {.ida = way % 2 == 0 ? DPC_IDA_LOCAL : DPC_IDA_OPTIMAL};
            if (way >= 2) {
                query.outcomes = some;
                query.n_outcomes = 3;
            }
            ok(dpc_effects(with, causal, &query, &settings, &p, &err), &err);
            ok(dpc_effects(without, causal, &query, &settings, &q, &err), &err);
            check_same_table(p, q);
            dpc_effect_table_free(p);
            dpc_effect_table_free(q);
        }
        dpc_causal_free(causal);
        dpc_result_free(result);
        dpc_correlation_free(with);
        dpc_correlation_free(without);
        dpc_table_free(table);
    }
}

/* ---- Resamples ---- */

static int by_value(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

enum { RESAMPLES = 41, FEW = 6 }; /* 2.5 % of 40 intervals is the second of 41 values */

/* The smallest effect of each pair in one resample, by way of a table of its own rows. */
static void least_effects(const dpc_resampler *resampler, int index, const dpc_settings *settings,
                          double least[FEW][FEW])
{
    dpc_resample resample = {0};
    dpc_result *result = NULL;
    dpc_error err = {0};
    ok(dpc_resample_make(resampler, &resample, &err), &err);
    ok(dpc_resample_draw(resampler, index, settings, &resample), &err);
    ok(dpc_learn(resample.correlation, settings, &result, &err), &err);
    dpc_effect_table *t = effects_of(resample.correlation, dpc_result_graph(result), DPC_IDA_LOCAL);
    for (int64_t i = 0; i < dpc_effect_table_about(t)->n_pairs; i++) {
        dpc_effect_pair pair = dpc_effect_table_pair(t, i);
        double best = INFINITY;
        for (int k = 0; k < pair.count; k++) {
            double value = dpc_effect_table_at(t, i, k).effect;
            best = fabs(value) < fabs(best) ? value : best;
        }
        least[pair.cause][pair.outcome] = best;
    }
    dpc_effect_table_free(t);
    dpc_result_free(result);
    dpc_resample_clear(&resample);
}

static void check_spread(const dpc_effect_table *t, double least[RESAMPLES][FEW][FEW])
{
    for (int64_t i = 0; i < dpc_effect_table_about(t)->n_pairs; i++) {
        dpc_effect_pair pair = dpc_effect_table_pair(t, i);
        dpc_effect_spread seen = dpc_effect_table_spread(t, i);
        double value[RESAMPLES], size[RESAMPLES], rank[RESAMPLES];
        for (int b = 0; b < RESAMPLES; b++) {
            value[b] = least[b][pair.cause][pair.outcome];
            size[b] = fabs(value[b]);
            rank[b] = 1;
            for (int k = 0; k < FEW; k++)
                rank[b] +=
                    k != pair.outcome && (float)fabs(least[b][k][pair.outcome]) > (float)size[b];
        }
        qsort(value, RESAMPLES, sizeof *value, by_value);
        qsort(size, RESAMPLES, sizeof *size, by_value);
        qsort(rank, RESAMPLES, sizeof *rank, by_value);
        assert_int_equal(seen.resamples, RESAMPLES);
        assert_true(fabs(seen.low - value[1]) <= 1e-6 * fabs(value[1]));
        assert_true(fabs(seen.high - value[RESAMPLES - 2]) <= 1e-6 * fabs(value[RESAMPLES - 2]));
        assert_true(fabs(seen.min_abs - size[RESAMPLES / 2]) <= 1e-6 * size[RESAMPLES / 2]);
        assert_true(seen.rank == rank[RESAMPLES / 2]);
    }
}

static void test_resamples(void **state)
{
    (void)state;
    static double least[RESAMPLES][FEW][FEW];
    dpc_table *table = simulated_table(FEW, 80, 5);
    dpc_settings settings = plain_settings();
    dpc_resampling how = {RESAMPLES, 9, 0};
    dpc_resampler resampler = {0};
    dpc_correlation *c = NULL;
    dpc_result *result = NULL;
    dpc_causal *causal = NULL;
    dpc_effect_resamples *resamples = NULL;
    dpc_effect_table *t = NULL;
    dpc_frequencies *frequencies = NULL, *plain = bootstrap(table, &settings, how);
    dpc_effect_query query = {0};
    dpc_error err = {0};
    ok(dpc_resampler_make(table, &settings, &how, &resampler, &err), &err);
    for (int b = 0; b < RESAMPLES; b++)
        least_effects(&resampler, b, &settings, least[b]);
    ok(dpc_correlate(table, &settings, NULL, &c, &err), &err);
    ok(dpc_learn(c, &settings, &result, &err), &err);
    ok(dpc_causal_new(dpc_result_graph(result), NULL, false, &causal, &err), &err);
    settings.threads = 3;
    ok(dpc_bootstrap_effects(table, &settings, &how, &query, &frequencies, &resamples, &err), &err);
    assert_same_frequencies(frequencies, plain);
    query.resamples = resamples;
    ok(dpc_effects(c, causal, &query, &settings, &t, &err), &err);
    check_spread(t, least);
    assert_int_equal(dpc_effect_table_spread(t, 99999).resamples, 0);
    dpc_effect_table_free(t);
    query.top = 3;
    ok(dpc_effects(c, causal, &query, &settings, &t, &err), &err);
    for (int64_t i = 0; i < dpc_effect_table_about(t)->n_pairs; i++) {
        dpc_effect_pair pair = dpc_effect_table_pair(t, i);
        assert_true(pair.possible);
        if (i > 0 && dpc_effect_table_pair(t, i - 1).outcome == pair.outcome)
            assert_true(dpc_effect_table_spread(t, i).min_abs <=
                        dpc_effect_table_spread(t, i - 1).min_abs);
    }
    query.ida = DPC_IDA_OPTIMAL;
    dpc_effect_table *none = NULL;
    assert_int_equal(dpc_effects(c, causal, &query, &settings, &none, &err), DPC_USAGE);
    assert_null(none);
    dpc_effect_table_free(t);
    dpc_effect_resamples_free(resamples);
    dpc_frequencies_free(frequencies);
    dpc_frequencies_free(plain);
    dpc_causal_free(causal);
    dpc_result_free(result);
    dpc_correlation_free(c);
    dpc_resampler_clear(&resampler);
    dpc_table_free(table);
}

/* A dpc_progress_fn: stops when `user` says so many resamples are done. */
static int stop_after(const dpc_progress *p, void *user)
{
    return p->stage == DPC_STAGE_BOOTSTRAP && p->resamples_done >= *(const int *)user;
}

/* Called off, those that were done say what they would have said alone. */
static void test_resamples_called_off(void **state)
{
    (void)state;
    dpc_table *table = simulated_table(FEW, 80, 5);
    dpc_graph *graph = NULL;
    dpc_causal *causal = NULL;
    dpc_correlation *c = NULL;
    dpc_settings settings = plain_settings(), hasty = settings;
    dpc_error err = {0};
    int most = 4;
    hasty.progress = stop_after;
    hasty.progress_user = &most;
    ok(dpc_correlate(table, &settings, NULL, &c, &err), &err);
    ok(dpc_graph_new(FEW, (dpc_edge[]){{0, 1, DPC_FORWARD}}, 1, &graph, &err), &err);
    ok(dpc_causal_new(graph, NULL, false, &causal, &err), &err);
    for (most = 0; most < 60; most += 20) {
        dpc_resampling how = {100000, 9, 0};
        dpc_effect_resamples *cut = NULL, *alone = NULL;
        dpc_frequencies *done = NULL;
        dpc_effect_table *a = NULL, *b = NULL;
        dpc_effect_query query = {0};
        assert_int_equal(dpc_bootstrap_effects(table, &hasty, &how, &query, &done, &cut, &err),
                         DPC_INTERRUPTED);
        assert_int_equal(cut != NULL, done != NULL);
        assert_true(most == 0 || (done != NULL && done->resamples >= most));
        if (done == NULL)
            continue;
        how.resamples = done->resamples;
        ok(dpc_bootstrap_effects(table, &settings, &how, &query, NULL, &alone, &err), &err);
        query.resamples = cut;
        ok(dpc_effects(c, causal, &query, &settings, &a, &err), &err);
        query.resamples = alone;
        ok(dpc_effects(c, causal, &query, &settings, &b, &err), &err);
        for (int64_t i = 0; i < dpc_effect_table_about(a)->n_pairs; i++) {
            dpc_effect_spread x = dpc_effect_table_spread(a, i), y = dpc_effect_table_spread(b, i);
            assert_int_equal(x.resamples, y.resamples);
            assert_true(x.low == y.low && x.high == y.high && x.min_abs == y.min_abs &&
                        x.rank == y.rank);
        }
        dpc_effect_table_free(a);
        dpc_effect_table_free(b);
        dpc_effect_resamples_free(cut);
        dpc_effect_resamples_free(alone);
        dpc_frequencies_free(done);
    }
    dpc_causal_free(causal);
    dpc_graph_free(graph);
    dpc_correlation_free(c);
    dpc_table_free(table);
}

static void test_misuse(void **state)
{
    (void)state;
    double r[] = {1, 0.5, 0.5, 1};
    dpc_correlation c = {.n_vars = 2, .n_obs = 10, .r = r};
    dpc_graph *two = NULL, *three = NULL;
    dpc_causal *fine = NULL, *other = NULL;
    dpc_effect_table *t = NULL;
    dpc_error err = {0};
    const int32_t twice[] = {0, 0}, wrong[] = {2};
    ok(dpc_graph_new(2, (dpc_edge[]){{0, 1, DPC_FORWARD}}, 1, &two, &err), &err);
    ok(dpc_graph_new(3, NULL, 0, &three, &err), &err);
    ok(dpc_causal_new(two, NULL, false, &fine, &err), &err);
    ok(dpc_causal_new(three, NULL, false, &other, &err), &err);
    const dpc_effect_query bad[] = {{.causes = twice, .n_causes = 2},
                                    {.outcomes = wrong, .n_outcomes = 1},
                                    {.ida = (dpc_ida)7},
                                    {.top = -1}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(dpc_effects(&c, fine, &bad[i], NULL, &t, &err), DPC_USAGE);
    assert_int_equal(dpc_effects(&c, other, &(dpc_effect_query){0}, NULL, &t, &err), DPC_USAGE);
    assert_null(t);
    ok(dpc_effects(&c, fine, &(dpc_effect_query){0}, NULL, &t, &err), &err);
    assert_int_equal(dpc_effect_table_pair(t, 2).cause, -1);
    assert_true(isnan(dpc_effect_table_at(t, 0, 1).standardised));
    assert_int_equal(dpc_effect_table_spread(t, 0).resamples, 0);
    dpc_effect_table_free(t);
    dpc_causal_free(fine);
    dpc_causal_free(other);
    dpc_graph_free(two);
    dpc_graph_free(three);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_dags_of_a_class),
        cmocka_unit_test(test_population),
        cmocka_unit_test(test_coverage),
        cmocka_unit_test(test_some_of_all),
        cmocka_unit_test(test_resamples),
        cmocka_unit_test(test_resamples_called_off),
        cmocka_unit_test(test_without_matrix),
        cmocka_unit_test(test_misuse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
