/*
 * Sampling a posterior, from outside: exact posteriors of few variables, effects by enumeration,
 * and what must hold for any data. Rearranged columns rearrange what is drawn, threads and units
 * change nothing, knowledge is kept to.
 */
#include "dualpc_sample.h"
#include "knowing.h"
#include "repeat.h"
#include "simulate.h"
#include "spaces.h"
#include "tables.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static dpc_sampling few_draws(int draws)
{
    dpc_sampling s;
    dpc_sampling_default(&s);
    s.draws = draws;
    return s;
}

static dpc_posterior *sampled(const dpc_table *table, const dpc_settings *settings,
                              const dpc_sampling *sampling)
{
    dpc_posterior *out = NULL;
    dpc_error err;
    if (dpc_sample(table, settings, sampling, NULL, &out, &err) != DPC_OK)
        fail_msg("%s", err.message);
    return out;
}

static dpc_posterior *sampled_matrix(const double *r, int n, int64_t n_obs,
                                     const dpc_settings *settings, const dpc_sampling *sampling)
{
    dpc_posterior *out = NULL;
    dpc_correlation *c = NULL;
    dpc_error err;
    if (dpc_correlation_view(r, n, n_obs, &c, &err) != DPC_OK ||
        dpc_sample_correlation(c, settings, sampling, &out, &err) != DPC_OK)
        fail_msg("%s", err.message);
    dpc_correlation_free(c);
    return out;
}

/* P(u → v). */
static double arrow(const dpc_posterior *p, int u, int v)
{
    dpc_probability q = dpc_probability_of(p, u, v);
    return u < v ? q.forward : q.backward;
}

static double ancestor(const dpc_posterior *p, int u, int v)
{
    dpc_probability q = dpc_probability_of(p, u, v);
    return u < v ? q.ancestor : q.descendant;
}

/* The correlations of a table, which the caller frees. */
static double *correlations(const dpc_table *table)
{
    dpc_correlation *c = NULL;
    dpc_error err;
    int64_t n = table->n_vars;
    if (dpc_correlate(table, NULL, NULL, &c, &err) != DPC_OK)
        fail_msg("%s", err.message);
    double *r = malloc((size_t)(n * n) * sizeof *r);
    memcpy(r, dpc_correlation_about(c).values, (size_t)(n * n) * sizeof *r);
    dpc_correlation_free(c);
    return r;
}

/* ---- Exact posteriors ---- */

static void check_exact(const double *r, int n, int64_t n_obs, const dpc_sampling *sampling)
{
    struct space_model model = {.score = sampling->score,
                                .prior = sampling->prior,
                                .edge_probability = sampling->edge_probability};
    struct space_scene *scene = open_space(n, (double)n_obs, r, &model);
    double exact[32];
    exact_posterior(scene->space, sampling->prior == DPC_PRIOR_ORDER, exact);
    dpc_posterior *p = sampled_matrix(r, n, n_obs, NULL, sampling);
    bool by_order = sampling->prior == DPC_PRIOR_ORDER;
    assert_true(p->complete && p->exact == !by_order && (p->moves == 0) == !by_order);
    for (int v = 0; v < n; v++)
        for (int i = scene->sets.start[v]; i < scene->sets.start[v + 1]; i++)
            assert_true(fabs(arrow(p, scene->sets.node[i], v) - exact[i]) <
                        (by_order ? 0.025 : 2e-6));
    for (int64_t i = 0; i < p->n_pairs; i++)
        assert_true(by_order || p->pairs[i].se == 0);
    dpc_posterior_free(p);
    close_space(scene);
}

static void test_exact(void **state)
{
    (void)state;
    const struct {
        dpc_marginal_score score;
        dpc_graph_prior prior;
        double p;
    } asked[] = {{DPC_SCORE_FBF, DPC_PRIOR_FAIR, 0},
                 {DPC_SCORE_BGE, DPC_PRIOR_UNIFORM, 0},
                 {DPC_SCORE_BIC, DPC_PRIOR_EDGE, 0.2},
                 {DPC_SCORE_FBF, DPC_PRIOR_ORDER, 0}};
    for (int i = 0; i < 4; i++)
        for (int n = 2; n <= 4; n++) {
            dpc_table *table = simulated_table(n, 60, 30 + (uint64_t)n);
            double *r = correlations(table);
            dpc_sampling s = few_draws(2000);
            s.score = asked[i].score;
            s.prior = asked[i].prior;
            s.edge_probability = asked[i].p;
            check_exact(r, n, 60, &s);
            free(r);
            dpc_table_free(table);
        }
}

/* ---- Effects ---- */

/* All DAGs of three nodes: the posterior mean of each effect is the sum over the DAGs of that of
 * the products of mean coefficients, which are independent. */
struct enumeration {
    const dpc_space *space;
    const double *r;
    double log_z, effect[3][3];
};

/* The mean of the coefficient of p in v given all its parents. */
static double mean_coefficient(const double *r, int v, const bool *parent, int p)
{
    int other = -1;
    for (int u = 0; u < 3; u++)
        other = parent[u] && u != p ? u : other;
    if (other < 0)
        return r[3 * v + p];
    double rho = r[3 * p + other];
    return (r[3 * v + p] - rho * r[3 * v + other]) / (1 - rho * rho);
}

static void add_dag(void *context, const uint32_t *parents)
{
    struct enumeration *e = context;
    const dpc_candidate_sets *sets = dpc_space_candidates(e->space);
    double score = -e->log_z, direct[3][3] = {{0}};
    for (int v = 0; v < 3; v++) {
        bool parent[3] = {false};
        score += dpc_space_score(e->space, v, parents[v]);
        for (int i = 0; i < 2; i++)
            parent[sets->node[sets->start[v] + i]] = (parents[v] >> i & 1) != 0;
        for (int u = 0; u < 3; u++)
            direct[u][v] = parent[u] ? mean_coefficient(e->r, v, parent, u) : 0;
    }
    for (int u = 0; u < 3; u++)
        for (int v = 0; v < 3; v++)
            if (u != v)
                e->effect[u][v] +=
                    exp(score) * (direct[u][v] + direct[u][3 - u - v] * direct[3 - u - v][v]);
}

static void test_effects_by_enumeration(void **state)
{
    (void)state;
    const int32_t all[] = {0, 1, 2};
    const double r[] = {1, 0.3, 0.25, 0.3, 1, 0.35, 0.25, 0.35, 1};
    struct space_model model = {.score = DPC_SCORE_FBF};
    struct space_scene *scene = open_space(3, 50, r, &model);
    struct enumeration e = {.space = scene->space, .r = r};
    double exact[6];
    dpc_sampling s = few_draws(5000);
    s.n_causes = s.n_outcomes = 3;
    s.causes = s.outcomes = all;
    e.log_z = exact_posterior(scene->space, false, exact);
    for_all_dags(&scene->sets, add_dag, &e);
    dpc_posterior *p = sampled_matrix(r, 3, 50, NULL, &s);
    assert_int_equal(p->n_effects, 6);
    for (int i = 0; i < 6; i++) {
        const dpc_posterior_effect *f = &p->effects[i];
        double error = f->sd / sqrt(20000.0);
        assert_true(fabs(f->mean - e.effect[f->cause][f->outcome]) < 0.002 + 5 * error);
        assert_true(fabs(f->nonzero - ancestor(p, f->cause, f->outcome)) < 1e-12);
        assert_true(f->low <= f->mean && f->mean <= f->high);
    }
    dpc_posterior_free(p);
    close_space(scene);
}

/* With very many rows the effects of a DAG whose directions are all known are the true ones. */
static void test_effects_of_population(void **state)
{
    (void)state;
    const int n = 8;
    dpc_table *table = simulated_table(n, 20000, 5);
    dpc_simulation simulation;
    dpc_dag *dag = NULL;
    dpc_table *same = NULL;
    dpc_error err;
    dpc_simulation_default(&simulation);
    simulation.model.n = n;
    simulation.model.parents = 1.5;
    simulation.n_obs = 20000;
    simulation.seed = 5;
    assert_int_equal(dpc_simulate(&simulation, &dag, &same, &err), DPC_OK);
    dpc_knowledge *knowledge = NULL;
    assert_int_equal(dpc_knowledge_new(n, &knowledge, &err), DPC_OK);
    for (int i = 0; i < n; i++)
        assert_int_equal(dpc_knowledge_tier(knowledge, dag->order[i], i, &err), DPC_OK);
    double effect[8][8] = {{0}}, variance[8], r[64];
    assert_int_equal(dpc_dag_correlation(dag, r, variance, &err), DPC_OK);
    for (int x = 0; x < n; x++) {
        effect[x][x] = 1;
        for (int i = 0; i < n; i++) {
            int v = dag->order[i];
            for (int64_t k = dag->start[v]; k < dag->start[v + 1] && v != x; k++)
                effect[x][v] += dag->weight[k] * effect[x][dag->parent[k]];
        }
    }
    dpc_settings settings = plain_settings();
    settings.knowledge = knowledge;
    dpc_sampling s = few_draws(100);
    const int32_t all[] = {0, 1, 2, 3, 4, 5, 6, 7};
    s.n_causes = n;
    s.causes = all; /* and all outcomes */
    dpc_posterior *p = sampled(table, &settings, &s);
    assert_int_equal(p->n_effects, n * (n - 1));
    for (int64_t i = 0; i < p->n_effects; i++) {
        const dpc_posterior_effect *f = &p->effects[i];
        double unit = sqrt(variance[f->cause] / variance[f->outcome]); /* data are standardised */
        assert_true(fabs(f->mean - effect[f->cause][f->outcome] * unit) < 0.06);
    }
    dpc_posterior_free(p);
    dpc_knowledge_free(knowledge);
    dpc_dag_free(dag);
    dpc_table_free(same);
    dpc_table_free(table);
}

/* ---- What must hold for any data ---- */

static void check_same_posterior(const dpc_posterior *p, const dpc_posterior *q)
{
    int64_t draws = (int64_t)p->chains * p->draws;
    assert_int_equal(p->n_pairs, q->n_pairs);
    assert_memory_equal(p->pairs, q->pairs, (size_t)p->n_pairs * sizeof *p->pairs);
    assert_int_equal(draws, (int64_t)q->chains * q->draws);
    assert_memory_equal(p->scores, q->scores, (size_t)draws * sizeof *p->scores);
    assert_int_equal(p->n_effects, q->n_effects);
    if (p->n_effects > 0)
        assert_memory_equal(p->effect_draws, q->effect_draws,
                            (size_t)(p->n_effects * draws) * sizeof *p->effect_draws);
    assert_memory_equal(&p->outside, &q->outside, sizeof p->outside);
    assert_true(same_edges(p->best, q->best));
}

static void test_threads(void **state)
{
    (void)state;
    dpc_table *table = simulated_table(18, 120, 3);
    const int32_t cause[] = {2};
    dpc_sampling s = few_draws(50);
    s.candidates = 6; /* these are chosen, then */
    s.resamples = 6;
    s.n_causes = 1;
    s.causes = cause;
    dpc_settings settings = plain_settings();
    dpc_posterior *one = sampled(table, &settings, &s);
    settings.threads = 3;
    dpc_posterior *three = sampled(table, &settings, &s);
    assert_true(isfinite(one->refined_score));
    check_same_posterior(one, three);
    dpc_posterior_free(one);
    dpc_posterior_free(three);
    dpc_table_free(table);
}

/* Asking for effects changes nothing else; and an effect is the same, whatever else is asked. */
static void test_effects_apart(void **state)
{
    (void)state;
    dpc_table *table = simulated_table(6, 80, 4);
    const int32_t causes[] = {3, 1}, outcome[] = {0};
    dpc_settings settings = plain_settings();
    dpc_sampling s = few_draws(60);
    dpc_posterior *none = sampled(table, &settings, &s);
    s.n_causes = 2;
    s.causes = causes;
    dpc_posterior *many = sampled(table, &settings, &s);
    s.n_outcomes = 1;
    s.outcomes = outcome;
    dpc_posterior *few = sampled(table, &settings, &s);
    assert_int_equal(none->n_effects, 0);
    assert_int_equal(many->n_effects, 10);
    assert_int_equal(few->n_effects, 2);
    assert_int_equal(few->effects[0].cause, 1);
    assert_memory_equal(none->scores, many->scores, 240 * sizeof *none->scores);
    assert_memory_equal(none->pairs, many->pairs, (size_t)none->n_pairs * sizeof *none->pairs);
    assert_memory_equal(few->effect_draws, many->effect_draws, 240 * sizeof *few->effect_draws);
    dpc_posterior_free(none);
    dpc_posterior_free(many);
    dpc_posterior_free(few);
    dpc_table_free(table);
}

/* Columns in another order: column j of the second is column place[j] of the first. */
static void check_rearranged(const dpc_posterior *p, const dpc_posterior *q, const int32_t *place)
{
    int n = p->n_vars;
    assert_int_equal(p->n_pairs, q->n_pairs);
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) {
            if (a == b)
                continue;
            assert_true(arrow(q, a, b) == arrow(p, place[a], place[b]));
            assert_true(ancestor(q, a, b) == ancestor(p, place[a], place[b]));
        }
    assert_memory_equal(p->scores, q->scores,
                        (size_t)p->chains * (size_t)p->draws * sizeof *p->scores);
    dpc_graph *first = NULL, *second = NULL;
    dpc_error err;
    assert_int_equal(dpc_posterior_draw(p, 1, p->draws - 1, &first, &err), DPC_OK);
    assert_int_equal(dpc_posterior_draw(q, 1, q->draws - 1, &second, &err), DPC_OK);
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
            assert_int_equal(dpc_graph_mark(second, a, b),
                             dpc_graph_mark(first, place[a], place[b]));
    dpc_graph_free(first);
    dpc_graph_free(second);
}

static void test_rearranged(void **state)
{
    (void)state;
    enum { N = 16 };
    gsl_rng *rng = seeded(8);
    for (int round = 0; round < repeats(6); round++) {
        dpc_table *table = simulated_table(N, 100, 50 + (uint64_t)round);
        double *r = correlations(table), moved[N * N];
        int32_t place[N];
        for (int j = 0; j < N; j++)
            place[j] = j;
        for (int j = N - 1; j > 0; j--) {
            int k = draw_int(rng, 0, j);
            int32_t other = place[k];
            place[k] = place[j];
            place[j] = other;
        }
        for (int a = 0; a < N; a++)
            for (int b = 0; b < N; b++)
                moved[a * N + b] = r[place[a] * N + place[b]];
        dpc_settings settings = plain_settings();
        dpc_sampling s = few_draws(30);
        s.candidates = round % 2 == 0 ? 5 : 15;
        s.resamples = 5;
        s.score = round % 3 == 0 ? DPC_SCORE_BGE : DPC_SCORE_FBF;
        s.prior = round == 5 ? DPC_PRIOR_ORDER : DPC_PRIOR_FAIR;
        dpc_posterior *p = sampled_matrix(r, N, 100, &settings, &s);
        dpc_posterior *q = sampled_matrix(moved, N, 100, &settings, &s);
        check_rearranged(p, q, place);
        dpc_posterior_free(p);
        dpc_posterior_free(q);
        free(r);
        dpc_table_free(table);
    }
    gsl_rng_free(rng);
}

/* Units that are powers of two change no bit of the correlations, and effects by their ratio. */
static void test_units(void **state)
{
    (void)state;
    const int n = 7;
    const int32_t cause[] = {1};
    dpc_table *table = simulated_table(n, 90, 6);
    dpc_settings settings = plain_settings();
    dpc_sampling s = few_draws(40);
    s.n_causes = 1;
    s.causes = cause;
    dpc_posterior *p = sampled(table, &settings, &s);
    for (int j = 0; j < n; j++)
        for (int64_t i = 0; i < table->n_obs; i++)
            table->values[j * table->n_obs + i] *= ldexp(1, 3 * j);
    dpc_posterior *q = sampled(table, &settings, &s);
    assert_memory_equal(p->pairs, q->pairs, (size_t)p->n_pairs * sizeof *p->pairs);
    assert_memory_equal(p->scores, q->scores, 160 * sizeof *p->scores);
    for (int64_t i = 0; i < p->n_effects; i++) {
        double unit = ldexp(1, 3 * (p->effects[i].outcome - p->effects[i].cause));
        assert_true(fabs(q->effects[i].mean - p->effects[i].mean * unit) <=
                    1e-9 * fabs(q->effects[i].mean));
    }
    dpc_posterior_free(p);
    dpc_posterior_free(q);
    dpc_table_free(table);
}

/* What the fields say of each other. */
static void check_fields(const dpc_posterior *p)
{
    int64_t draws = (int64_t)p->chains * p->draws;
    dpc_error err;
    double best = -INFINITY;
    int64_t edges = 0;
    for (int c = 0; c < p->chains; c++)
        for (int d = 0; d < p->draws; d++) {
            dpc_graph *graph = NULL;
            bool is_dag;
            dpc_graph class = {0};
            assert_int_equal(dpc_posterior_draw(p, c, d, &graph, &err), DPC_OK);
            assert_int_equal(graph->n_edges, p->n_edges[(int64_t)c * p->draws + d]);
            assert_int_equal(dpc_class_graph(graph, DPC_CPDAG, &is_dag, &class, &err), DPC_OK);
            assert_true(is_dag);
            edges += graph->n_edges;
            best = fmax(best, p->scores[(int64_t)c * p->draws + d]);
            dpc_graph_clear(&class);
            dpc_graph_free(graph);
        }
    assert_true(p->best_score >= best);
    assert_int_equal(p->frequencies->resamples, draws);
    assert_true(p->frequencies->total == (double)draws);
    double joined = 0;
    for (int64_t i = 0; i < p->frequencies->n_pairs; i++) {
        const dpc_frequency *f = &p->frequencies->pairs[i];
        dpc_probability q = dpc_probability_of(p, f->a, f->b);
        assert_true(fabs(f->edge - (q.forward + q.backward) * (double)draws) < 1e-6);
        assert_true(fabs(f->edge - f->forward - f->backward - f->undirected) < 1e-6);
        joined += f->edge;
    }
    assert_true(fabs(joined / (double)edges - 1) < 0.25); /* means of the same */
    for (int64_t i = 0; i < p->n_pairs; i++) {
        const dpc_probability *q = &p->pairs[i];
        assert_true(q->a < q->b && q->forward >= 0 && q->backward >= 0);
        assert_true(q->forward + q->backward <= 1 + 1e-12 && q->se >= 0);
        assert_true(q->ancestor + q->descendant > 0 && q->ancestor + q->descendant <= 1 + 1e-12);
    }
}

static void test_fields(void **state)
{
    (void)state;
    for (int round = 0; round < repeats(4); round++) {
        dpc_table *table = simulated_table(10 + round, 70, 60 + (uint64_t)round);
        dpc_settings settings = plain_settings();
        dpc_sampling s = few_draws(80);
        dpc_graph *graph = NULL;
        dpc_error err;
        s.candidates = 4 + 4 * round;
        s.resamples = 4;
        dpc_posterior *p = sampled(table, &settings, &s);
        check_fields(p);
        assert_int_equal(dpc_posterior_graph(p, 0.5, &graph, &err), DPC_OK);
        for (int64_t i = 0; i < p->n_pairs; i++)
            assert_int_equal(dpc_graph_mark(graph, p->pairs[i].a, p->pairs[i].b) != DPC_NONE,
                             dpc_frequency_of(p->frequencies, p->pairs[i].a, p->pairs[i].b).edge >=
                                 0.5 * p->frequencies->total);
        assert_int_equal(dpc_posterior_draw(p, 0, p->draws, &graph, &err), DPC_USAGE);
        assert_int_equal(dpc_posterior_draw(p, -1, 0, &graph, &err), DPC_USAGE);
        assert_int_equal(dpc_posterior_graph(p, 0, &graph, &err), DPC_USAGE);
        dpc_graph_free(graph);
        dpc_posterior_free(p);
        dpc_table_free(table);
    }
}

/* ---- Knowledge ---- */

static void test_knowledge(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(12);
    for (int round = 0; round < repeats(10); round++) {
        int n = 5 + 2 * round;
        dpc_table *table = simulated_table(n, 80, 70 + (uint64_t)round);
        dpc_knowledge *knowledge = draw_any_knowledge(n, rng);
        dpc_settings settings = plain_settings();
        dpc_sampling s = few_draws(20);
        s.candidates = round % 2 == 0 ? 16 : 12;
        s.resamples = 3;
        settings.knowledge = knowledge;
        dpc_posterior *p = NULL;
        dpc_error err;
        dpc_status status = dpc_sample(table, &settings, &s, NULL, &p, &err);
        if (status == DPC_USAGE) { /* too many are required */
            assert_non_null(strstr(err.message, "candidates"));
        } else {
            assert_int_equal(status, DPC_OK);
            for (int a = 0; a < n; a++)
                for (int b = 0; b < n; b++) {
                    if (dpc_knowledge_requires(knowledge, a, b))
                        assert_true(arrow(p, a, b) > 1 - 1e-12);
                    else if (a != b && dpc_knowledge_forbids(knowledge, a, b))
                        assert_true(arrow(p, a, b) == 0);
                }
            for (int d = 0; d < p->draws; d++) {
                dpc_graph *graph = NULL;
                assert_int_equal(dpc_posterior_draw(p, 0, d, &graph, &err), DPC_OK);
                assert_false(violates(graph, knowledge, true));
                dpc_graph_free(graph);
            }
        }
        dpc_posterior_free(p);
        dpc_knowledge_free(knowledge);
        dpc_table_free(table);
    }
    gsl_rng_free(rng);
}

/* ---- Awkward data ---- */

/* Whatever the columns are, there is a posterior, or a sentence. */
static void test_awkward(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(21);
    const dpc_marginal_score scores[] = {DPC_SCORE_FBF, DPC_SCORE_BGE, DPC_SCORE_BIC};
    for (int round = 0; round < repeats(30); round++) {
        int n = draw_int(rng, 2, 20), n_obs = draw_int(rng, 2, round % 3 == 0 ? 8 : 60);
        dpc_table *table = simulated_table(n, n_obs, 90 + (uint64_t)round);
        spoil_columns(table, rng);
        dpc_settings settings = plain_settings();
        dpc_sampling s = few_draws(10);
        dpc_posterior *p = NULL;
        dpc_error err = {0};
        s.score = scores[round % 3];
        s.candidates = draw_int(rng, 1, 12);
        s.resamples = 2;
        dpc_status status = dpc_sample(table, &settings, &s, NULL, &p, &err);
        if (status != DPC_OK) {
            assert_true(status == DPC_BAD_INPUT && strlen(err.message) > 10);
            assert_true(n_obs < 6);
        } else {
            for (int i = 0; i < 4 * p->draws; i++)
                assert_true(isfinite(p->scores[i]));
            for (int64_t i = 0; i < p->n_pairs; i++)
                assert_true(p->pairs[i].forward >= 0 && p->pairs[i].forward <= 1);
        }
        dpc_posterior_free(p);
        dpc_table_free(table);
    }
    gsl_rng_free(rng);
}

/* A constant column is isolated, and a copy is surely joined with its original. */
static void test_constant_and_copy(void **state)
{
    (void)state;
    for (int candidates = 3; candidates <= 12; candidates += 9) {
        dpc_table *table = simulated_table(9, 60, 17);
        for (int64_t i = 0; i < 60; i++) {
            table->values[4 * 60 + i] = 7;
            table->values[6 * 60 + i] = table->values[2 * 60 + i];
        }
        dpc_settings settings = plain_settings();
        dpc_sampling s = few_draws(30);
        s.candidates = candidates;
        s.resamples = 3;
        dpc_posterior *p = sampled(table, &settings, &s);
        for (int64_t i = 0; i < p->n_pairs; i++)
            assert_true(p->pairs[i].a != 4 && p->pairs[i].b != 4);
        dpc_probability q = dpc_probability_of(p, 2, 6);
        assert_true(q.forward + q.backward > 0.999);
        assert_true(p->least_variance < 1e-8);
        dpc_posterior_free(p);
        dpc_table_free(table);
    }
}

/* ---- What is refused ---- */

static void refuse(const dpc_table *table, const dpc_settings *settings, const dpc_sampling *s,
                   dpc_status expected, const char *word)
{
    dpc_posterior *p = NULL;
    dpc_error err = {0};
    assert_int_equal(dpc_sample(table, settings, s, NULL, &p, &err), expected);
    if (strstr(err.message, word) == NULL)
        fail_msg("'%s' is not in: %s", word, err.message);
    assert_null(p);
}

static void test_refused(void **state)
{
    (void)state;
    dpc_table *table = simulated_table(30, 50, 2);
    const int32_t bad[] = {30};
    dpc_settings settings = plain_settings();
    dpc_sampling s = few_draws(10);
    s.size = 3;
    refuse(table, NULL, &s, DPC_USAGE, "dpc_sampling");
    s = few_draws(10);
    s.candidates = 21;
    refuse(table, NULL, &s, DPC_USAGE, "candidates");
    s = few_draws(-1);
    refuse(table, NULL, &s, DPC_USAGE, "draws");
    s = few_draws(10);
    s.chains = 257;
    refuse(table, NULL, &s, DPC_USAGE, "chains");
    s = few_draws(10);
    s.prior = DPC_PRIOR_EDGE;
    refuse(table, NULL, &s, DPC_USAGE, "probability");
    s.edge_probability = 1;
    refuse(table, NULL, &s, DPC_USAGE, "probability");
    s.prior = DPC_PRIOR_FAIR;
    s.edge_probability = 0.5;
    refuse(table, NULL, &s, DPC_USAGE, "edge probability");
    s = few_draws(10);
    s.causes = bad;
    s.n_causes = 1;
    refuse(table, NULL, &s, DPC_USAGE, "causes");
    s = few_draws(10);
    settings.memory = 0.5;
    refuse(table, &settings, &s, DPC_NO_MEMORY, "candidates");
    settings.memory = 1e-6;
    refuse(table, &settings, &s, DPC_NO_MEMORY, "memory");
    settings = plain_settings();
    settings.relations = DPC_CURVED;
    refuse(table, &settings, &s, DPC_BAD_INPUT, "single columns");
    dpc_table_free(table);
    table = simulated_table(1, 50, 2);
    refuse(table, NULL, &s, DPC_BAD_INPUT, "two variables");
    dpc_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact),
        cmocka_unit_test(test_effects_by_enumeration),
        cmocka_unit_test(test_effects_of_population),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_effects_apart),
        cmocka_unit_test(test_rearranged),
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_fields),
        cmocka_unit_test(test_knowledge),
        cmocka_unit_test(test_awkward),
        cmocka_unit_test(test_constant_and_copy),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
