/*
 * The greedy equivalence search: against its slow twin, on exact correlations, and what must hold
 * for any result.
 */
#include "cases.h"
#include "ges.h"
#include "ges_twin.h"
#include "repeat.h"
#include "same.h"
#include "tables.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    MAX_NODES = 100,
    N_TWINS = 3000,
    N_POPULATIONS = 150,
    N_VALID = 12,
    N_PERMUTED = 150,
    N_AFRESH = 40,
    N_AFRESH_DENSE = 600,
    N_PARTS = 200,
    N_COPIES = 200,
    N_TIED = 1000,
    N_FLAWED = 120,
    N_DETERMINED = 400
};

static dpc_settings greedy_settings(double penalty)
{
    dpc_settings settings;
    dpc_settings_default(&settings);
    settings.method = DPC_GES;
    settings.penalty = penalty;
    settings.threads = 1;
    return settings;
}

static double draw_penalty(gsl_rng *rng)
{
    static const double penalties[] = {0.5, 1, 5};
    return penalties[draw_int(rng, 0, 2)];
}

/* ---- The twin ---------------------------------------------------------- */

static void test_twin(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20240701);
    int64_t deletions = 0, turns = 0, undirected = 0, directed = 0;
    for (int number = 0; number < repeats(N_TWINS); number++) {
        /* in dense networks the greedy way is often the wrong one, and there is much to mend */
        bool dense = number % 3 > 0;
        struct sample_model model = {.n = draw_int(rng, dense ? 5 : 2, GREEDY_MAX),
                                     .n_obs = (int64_t)draw_log(rng, dense ? 100 : 12, 2000),
                                     .parents = dense ? 1.8 : 2.5 * gsl_rng_uniform(rng)};
        struct sample sample = sample_draw(&model, rng);
        dpc_settings settings = greedy_settings(draw_penalty(rng));
        struct greedy_twin twin;
        greedy_search(&sample.correlation, settings.penalty, NULL, &twin);
        dpc_result *result = learned(&sample.correlation, &settings);
        greedy_twin_check(number, result, &twin);
        deletions += twin.steps[DPC_DELETE];
        turns += twin.steps[DPC_TURN];
        for (int64_t e = 0; e < dpc_result_graph(result)->n_edges; e++)
            if (dpc_result_graph(result)->edges[e].mark == DPC_UNDIRECTED)
                undirected++;
            else
                directed++;
        dpc_result_free(result);
        sample_free(&sample);
    }
    print_message("%lld deletions, %lld turns, %lld undirected, %lld directed\n",
                  (long long)deletions, (long long)turns, (long long)undirected,
                  (long long)directed);
    assert_true(deletions > share(50) && turns > share(50));
    assert_true(undirected > share(300) && directed > share(300));
    gsl_rng_free(rng);
}

/* ---- Lists that are kept ----------------------------------------------- */

/*
 * What is kept from step to step is as good as what is made afresh: on graphs with long paths, and
 * on small dense ones, where steps that were passed over become valid again.
 */
static void check_afresh(int number, const struct sample_model *model, gsl_rng *rng,
                         int64_t steps[DPC_N_PHASES], int64_t *spared)
{
    struct sample sample = sample_draw(model, rng);
    dpc_settings settings = greedy_settings(draw_penalty(rng));
    dpc_result *result = learned(&sample.correlation, &settings);
    dpc_graph graph;
    dpc_info info = {0};
    assert_int_equal(dpc_ges_afresh(&sample.correlation, NULL, &settings, &graph, &info, NULL),
                     DPC_OK);
    check_same_graph(dpc_result_graph(result), &graph, "case", number);
    assert_memory_equal(info.steps, dpc_result_info(result)->steps, sizeof info.steps);
    assert_true(info.scores >= dpc_result_info(result)->scores);
    *spared += info.scores - dpc_result_info(result)->scores;
    for (int phase = 0; phase < DPC_N_PHASES; phase++)
        steps[phase] += info.steps[phase];
    dpc_graph_clear(&graph);
    dpc_result_free(result);
    sample_free(&sample);
}

static void test_afresh(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20240708);
    int64_t steps[DPC_N_PHASES] = {0}, more = 0; /* scores that keeping the lists has spared */
    for (int number = 0; number < repeats(N_AFRESH); number++) {
        struct sample_model model = {.n = draw_int(rng, 15, 60),
                                     .n_obs = (int64_t)draw_log(rng, 50, 1000),
                                     .parents = 0.5 + 2.5 * gsl_rng_uniform(rng)};
        check_afresh(number, &model, rng, steps, &more);
    }
    for (int number = 0; number < repeats(N_AFRESH_DENSE); number++) {
        struct sample_model model = {.n = draw_int(rng, 6, 12),
                                     .n_obs = (int64_t)draw_log(rng, 100, 5000),
                                     .parents = 1.5 + gsl_rng_uniform(rng)};
        check_afresh(number, &model, rng, steps, &more);
    }
    assert_true(steps[DPC_INSERT] > share(1000) && steps[DPC_DELETE] > share(50));
    assert_true(steps[DPC_TURN] > share(5) && more > share(10000));
    gsl_rng_free(rng);
}

/* ---- Wide tables --------------------------------------------------------- */

/* Nodes are looked at in blocks of 64: an edge between the ends of any of them is found. */
static void test_blocks(void **state)
{
    (void)state;
    enum { N = 130 };
    static const int ENDS[] = {0, 1, 63, 64, 65, 127, 128, 129};
    double *r = calloc((size_t)N * N, sizeof *r);
    assert_non_null(r);
    for (int i = 0; i < N; i++)
        r[i * N + i] = 1;
    dpc_correlation c = {.n_vars = N, .n_obs = 1000, .r = r};
    dpc_settings settings = greedy_settings(1);
    for (size_t i = 0; i < sizeof ENDS / sizeof *ENDS; i++)
        for (size_t j = 0; j < i; j++) {
            int a = ENDS[j], b = ENDS[i];
            r[a * N + b] = r[b * N + a] = 0.9;
            dpc_result *result = learned(&c, &settings);
            assert_int_equal(dpc_result_graph(result)->n_edges, 1);
            assert_int_equal(dpc_graph_mark(dpc_result_graph(result), a, b), DPC_UNDIRECTED);
            dpc_result_free(result);
            r[a * N + b] = r[b * N + a] = 0;
        }
    free(r);
}

/* ---- Parts that know nothing of each other ------------------------------- */

/* Two correlation matrices as one, with nothing between them. */
static dpc_correlation put_together(const dpc_correlation *a, const dpc_correlation *b)
{
    int n = a->n_vars + b->n_vars;
    dpc_correlation both = {.n_vars = n, .n_obs = a->n_obs};
    both.r = calloc((size_t)n * (size_t)n, sizeof *both.r);
    assert_non_null(both.r);
    for (int i = 0; i < a->n_vars; i++)
        memcpy(both.r + i * n, a->r + i * a->n_vars, (size_t)a->n_vars * sizeof *a->r);
    for (int i = 0; i < b->n_vars; i++)
        memcpy(both.r + (a->n_vars + i) * n + a->n_vars, b->r + i * b->n_vars,
               (size_t)b->n_vars * sizeof *b->r);
    return both;
}

/* The part that begins at `first` has the graph that it has alone, and no edges to others. */
static void check_part(int number, const dpc_graph *both, const dpc_graph *part, int first)
{
    for (int i = 0; i < part->n_nodes; i++)
        for (int j = 0; j < both->n_nodes; j++) {
            bool inside = j >= first && j < first + part->n_nodes;
            if (j != first + i && dpc_graph_mark(both, first + i, j) !=
                                      (inside ? dpc_graph_mark(part, i, j - first) : DPC_NONE))
                fail_msg("case %d: the edge %d, %d is not that of its part", number, first + i, j);
        }
}

/* Steps, singular sets and score of both are the sums of those of the parts. */
static void check_sums(const dpc_result *both, dpc_result *const part[2])
{
    const dpc_info *sum = dpc_result_info(both), *a = dpc_result_info(part[0]),
                   *b = dpc_result_info(part[1]);
    for (int phase = 0; phase < DPC_N_PHASES; phase++)
        assert_int_equal(sum->steps[phase], a->steps[phase] + b->steps[phase]);
    assert_int_equal(sum->singular_tests, a->singular_tests + b->singular_tests);
    assert_true(fabs(sum->score - a->score - b->score) <= 1e-9 * fabs(sum->score));
}

/* What is learned from both is what is learned from each. */
static void test_parts(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20261101);
    for (int number = 0; number < repeats(N_PARTS); number++) {
        struct sample_model model = {
            .n = draw_int(rng, 3, 8), .n_obs = (int64_t)draw_log(rng, 50, 2000), .parents = 1.8};
        struct sample part[2];
        dpc_settings settings = greedy_settings(draw_penalty(rng));
        dpc_result *result[2];
        for (int i = 0; i < 2; i++) {
            part[i] = sample_draw(&model, rng);
            result[i] = learned(&part[i].correlation, &settings);
        }
        dpc_correlation c = put_together(&part[0].correlation, &part[1].correlation);
        dpc_result *both = learned(&c, &settings);
        for (int i = 0; i < 2; i++)
            check_part(number, dpc_result_graph(both), dpc_result_graph(result[i]), i * model.n);
        check_sums(both, result);
        for (int i = 0; i < 2; i++) {
            dpc_result_free(result[i]);
            sample_free(&part[i]);
        }
        dpc_result_free(both);
        free(c.r);
    }
    gsl_rng_free(rng);
}

/* Copies are worth much, but not so much that nothing else counts. */
static void test_copies(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20261102);
    double ones[] = {1, 1, 1, 1};
    for (int number = 0; number < repeats(N_COPIES); number++) {
        struct sample_model model = {
            .n = draw_int(rng, 5, 9), .n_obs = (int64_t)draw_log(rng, 100, 2000), .parents = 2};
        struct sample sample = sample_draw(&model, rng);
        dpc_settings settings = greedy_settings(draw_penalty(rng));
        dpc_correlation copies = {.n_vars = 2, .n_obs = sample.correlation.n_obs, .r = ones};
        dpc_correlation c = put_together(&sample.correlation, &copies);
        dpc_result *alone = learned(&sample.correlation, &settings), *both = learned(&c, &settings);
        check_part(number, dpc_result_graph(both), dpc_result_graph(alone), 0);
        assert_int_equal(dpc_graph_mark(dpc_result_graph(both), model.n, model.n + 1),
                         DPC_UNDIRECTED);
        dpc_result_free(alone);
        dpc_result_free(both);
        sample_free(&sample);
        free(c.r);
    }
    gsl_rng_free(rng);
}

/* ---- What is counted ----------------------------------------------------- */

static void check_counts(int n, double *r, int64_t scores, int64_t singular)
{
    dpc_correlation c = {.n_vars = n, .n_obs = 500, .r = r};
    dpc_settings settings = greedy_settings(1);
    dpc_result *result = learned(&c, &settings);
    assert_int_equal(dpc_result_info(result)->scores, scores);
    assert_int_equal(dpc_result_info(result)->singular_tests, singular);
    dpc_result_free(result);
}

static void test_counts(void **state)
{
    (void)state;
    /* An edge seen from both ends, inserted; nothing more to insert; deleted from both ends. */
    double pair[] = {1, 0.5, 0.5, 1};
    check_counts(2, pair, 2 + 2, 0);
    /*
     * 0 — 1 — 2. Insertions: 6; after the first, of 2 into 0 and 1, given nothing and the other
     * end; after the second, of 0 and 2 into each other, given nothing and 1. Deletions: 4. Turns:
     * 0 — 1 given 2, and 2 — 1 given 0.
     */
    double chain[] = {1, 0.6, 0.3, 0.6, 1, 0.5, 0.3, 0.5, 1};
    check_counts(3, chain, 6 + 4 + 4 + 4 + 2, 0);
    /* Copies: each end given the other has no variance left, in three phases. */
    double copies[] = {1, 1, 1, 1};
    check_counts(2, copies, 2 + 2, 6);
}

/* ---- Exact correlations ------------------------------------------------ */

static void check_population(int number, gsl_rng *rng)
{
    dpc_dag_model model = {draw_int(rng, 2, 30), 1.5 * gsl_rng_uniform(rng), 0.4, 1.2, DPC_ER};
    dpc_settings settings = greedy_settings(0.5);
    dpc_dag *dag = NULL;
    dpc_graph truth;
    dpc_error err;
    assert_int_equal(dpc_dag_random(&model, rng, &dag, &err), DPC_OK);
    dpc_correlation c = {.n_vars = dag->n, .n_obs = INT64_C(100000000000000)};
    c.r = malloc((size_t)dag->n * (size_t)dag->n * sizeof *c.r);
    assert_non_null(c.r);
    assert_int_equal(dpc_dag_correlation(dag, c.r, NULL, &err), DPC_OK);
    for (int target = 0; target <= DPC_SKELETON; target++) {
        settings.graph = (dpc_target)target;
        dpc_result *result = learned(&c, &settings);
        assert_int_equal(dpc_dag_graph(dag, settings.graph, &truth, &err), DPC_OK);
        check_same_graph(dpc_result_graph(result), &truth, "case", number);
        dpc_graph_clear(&truth);
        dpc_result_free(result);
    }
    free(c.r);
    dpc_dag_free(dag);
}

static void test_population(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20240702);
    for (int number = 0; number < repeats(N_POPULATIONS); number++)
        check_population(number, rng);
    gsl_rng_free(rng);
}

/* ---- Any result -------------------------------------------------------- */

/* A graph with at most MAX_NODES nodes; mark[a * n + b] is the mark seen from a. */
struct extension {
    int n;
    unsigned char *mark;
    int32_t *order, *parent;
    int64_t *start;
};

/* Can x be last: has it no children, and are its neighbours joined with all that is joined to x? */
static bool is_sink(const struct extension *x, int v, const bool *gone)
{
    const unsigned char *row = x->mark + (size_t)v * x->n;
    for (int a = 0; a < x->n; a++) {
        if (gone[a] || row[a] == DPC_NONE)
            continue;
        if (row[a] == DPC_FORWARD)
            return false;
        for (int b = 0; b < x->n && row[a] == DPC_UNDIRECTED; b++)
            if (!gone[b] && b != a && row[b] != DPC_NONE &&
                x->mark[(size_t)a * x->n + b] == DPC_NONE)
                return false;
    }
    return true;
}

/* A DAG of the class, after Dor and Tarsi; false where there is none. */
static bool extend(struct extension *x)
{
    bool gone[MAX_NODES];
    memset(gone, 0, sizeof gone);
    for (int place = x->n - 1; place >= 0; place--) {
        int v = 0;
        while (v < x->n && (gone[v] || !is_sink(x, v, gone)))
            v++;
        if (v == x->n)
            return false;
        for (int a = 0; a < x->n; a++)
            if (!gone[a] && x->mark[(size_t)v * x->n + a] == DPC_UNDIRECTED) {
                x->mark[(size_t)v * x->n + a] = DPC_BACKWARD;
                x->mark[(size_t)a * x->n + v] = DPC_FORWARD;
            }
        gone[v] = true;
        x->order[place] = v;
    }
    int64_t edges = 0;
    for (int v = 0; v < x->n; v++) {
        x->start[v] = edges;
        for (int a = 0; a < x->n; a++)
            if (x->mark[(size_t)v * x->n + a] == DPC_BACKWARD)
                x->parent[edges++] = a;
    }
    x->start[x->n] = edges;
    return true;
}

/* The graph is the CPDAG of a DAG, and the score is the score of that DAG. */
static void check_valid(int number, const dpc_correlation *c, double penalty,
                        const dpc_result *result)
{
    int n = c->n_vars;
    struct extension x = {.n = n};
    dpc_graph extended, again;
    long double score = 0;
    x.mark = calloc((size_t)n * (size_t)n, 1);
    x.order = calloc((size_t)n, sizeof *x.order);
    x.parent = calloc((size_t)dpc_result_graph(result)->n_edges + 1, sizeof *x.parent);
    x.start = calloc((size_t)n + 1, sizeof *x.start);
    assert_true(x.mark && x.order && x.parent && x.start);
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
            if (a != b)
                x.mark[a * n + b] = (unsigned char)dpc_graph_mark(dpc_result_graph(result), a, b);
    if (!extend(&x))
        fail_msg("case %d: the graph has no extension", number);
    dpc_parents dag = {n, x.order, x.start, x.parent};
    assert_int_equal(dpc_parents_graph(&dag, &extended, NULL), DPC_OK);
    assert_int_equal(dpc_class_graph(&extended, DPC_CPDAG, NULL, &again, NULL), DPC_OK);
    dpc_graph_clear(&extended);
    check_same_graph(dpc_result_graph(result), &again, "case", number);
    for (int v = 0; v < n; v++)
        score +=
            greedy_local(c, penalty, v, x.parent + x.start[v], (int)(x.start[v + 1] - x.start[v]));
    if (!(fabs(dpc_result_info(result)->score - (double)score) <= 1e-10 * fabs((double)score)))
        fail_msg("case %d: score %.15g, the graph has %.15Lg", number,
                 dpc_result_info(result)->score, score);
    dpc_graph_clear(&again);
    free(x.mark);
    free(x.order);
    free(x.parent);
    free(x.start);
}

static void test_valid(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20240703);
    for (int number = 0; number < repeats(N_VALID); number++) {
        struct sample_model model = {.n = draw_int(rng, 50, 100),
                                     .n_obs = (int64_t)draw_log(rng, 300, 3000),
                                     .parents = 0.5 + 1.5 * gsl_rng_uniform(rng)};
        struct sample sample = sample_draw(&model, rng);
        dpc_settings settings = greedy_settings(draw_penalty(rng));
        dpc_result *result = learned(&sample.correlation, &settings);
        check_valid(number, &sample.correlation, settings.penalty, result);
        dpc_result_free(result);
        sample_free(&sample);
    }
    gsl_rng_free(rng);
}

/* ---- What must not matter ---------------------------------------------- */

static void check_permuted(int number, const dpc_correlation *c, const dpc_settings *settings,
                           const int *order)
{
    int n = c->n_vars;
    dpc_correlation other = {.n_vars = n, .n_obs = c->n_obs};
    other.r = malloc((size_t)n * (size_t)n * sizeof *other.r);
    assert_non_null(other.r);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            other.r[i * n + j] = c->r[order[i] * n + order[j]];
    dpc_result *first = learned(c, settings), *second = learned(&other, settings);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (i != j && dpc_graph_mark(dpc_result_graph(second), i, j) !=
                              dpc_graph_mark(dpc_result_graph(first), order[i], order[j]))
                fail_msg("case %d: the edge %d, %d depends on the order of %d columns", number,
                         order[i], order[j], n);
    dpc_result_free(first);
    dpc_result_free(second);
    free(other.r);
}

static void test_columns(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20240704);
    for (int number = 0; number < repeats(N_PERMUTED); number++) {
        struct sample_model model = {.n = draw_int(rng, 2, number % 10 == 0 ? 50 : 12),
                                     .n_obs = (int64_t)draw_log(rng, 30, 1000),
                                     .parents = 2 * gsl_rng_uniform(rng)};
        struct sample sample = sample_draw(&model, rng);
        dpc_settings settings = greedy_settings(draw_penalty(rng));
        int order[model.n];
        for (int i = 0; i < model.n; i++)
            order[i] = i;
        gsl_ran_shuffle(rng, order, (size_t)model.n, sizeof *order);
        check_permuted(number, &sample.correlation, &settings, order);
        sample_free(&sample);
    }
    gsl_rng_free(rng);
}

/* ---- Columns that others determine ------------------------------------- */

static double *column_of(dpc_table *table, int j)
{
    return table->values + j * table->n_obs;
}

static void scale_column(dpc_table *table, int j, double scale)
{
    for (int64_t i = 0; i < table->n_obs; i++)
        column_of(table, j)[i] *= scale;
}

/* Makes a column a sum, a difference, a multiple or a copy of others, or constant. */
static void determine(dpc_table *table, gsl_rng *rng)
{
    int n = table->n_vars, j = draw_int(rng, 0, n - 1), way = draw_int(rng, 0, 5);
    double *to = column_of(table, j);
    const double *a = column_of(table, (j + draw_int(rng, 1, n - 1)) % n);
    const double *b = column_of(table, (j + draw_int(rng, 1, n - 1)) % n);
    const double *c = column_of(table, (j + draw_int(rng, 1, n - 1)) % n);
    for (int64_t i = 0; i < table->n_obs; i++)
        to[i] = way == 0   ? a[i]
                : way == 1 ? 1 - 2 * a[i]
                : way == 2 ? 7
                : way == 3 ? a[i] + b[i] + c[i]
                : way == 4 ? a[i] - b[i]
                           : a[i] + b[i];
}

static dpc_table *permute_columns(dpc_table *table, const int *order)
{
    dpc_table *to = NULL;
    assert_int_equal(dpc_table_new(table->n_obs, table->n_vars, NULL, &to, NULL), DPC_OK);
    for (int j = 0; j < table->n_vars; j++)
        memcpy(column_of(to, j), column_of(table, order[j]),
               (size_t)table->n_obs * sizeof *to->values);
    return to;
}

/* Copies have no names of their own: the first of them in one table is the first in the other. */
static void rename_copies(const dpc_correlation *c, const int *order, int *same)
{
    int n = c->n_vars;
    for (int i = 0; i < n; i++) {
        int rank = 0, seen = 0;
        for (int j = 0; j < i; j++)
            rank += fabs(c->r[order[i] * n + order[j]]) > 1 - 1e-9;
        for (int j = 0; j < n && seen <= rank; j++)
            if (fabs(c->r[order[i] * n + j]) > 1 - 1e-9) {
                same[i] = j;
                seen++;
            }
    }
}

static void check_determined(int number, dpc_table *table, const dpc_settings *settings, int *order)
{
    int n = table->n_vars, same[MAX_NODES];
    dpc_correlation *c[2] = {NULL};
    dpc_result *result[2];
    dpc_table *permuted = permute_columns(table, order);
    assert_int_equal(dpc_correlate(table, settings, NULL, &c[0], NULL), DPC_OK);
    assert_int_equal(dpc_correlate(permuted, settings, NULL, &c[1], NULL), DPC_OK);
    for (int i = 0; i < 2; i++)
        result[i] = learned(c[i], settings);
    rename_copies(c[0], order, same);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (i != j && dpc_graph_mark(dpc_result_graph(result[1]), i, j) !=
                              dpc_graph_mark(dpc_result_graph(result[0]), same[i], same[j]))
                fail_msg("case %d: the edge %d, %d depends on the order of %d columns", number,
                         same[i], same[j], n);
    assert_memory_equal(dpc_result_info(result[0])->steps, dpc_result_info(result[1])->steps,
                        sizeof(dpc_info){0}.steps);
    for (int i = 0; i < 2; i++) {
        dpc_result_free(result[i]);
        dpc_correlation_free(c[i]);
    }
    dpc_table_free(permuted);
}

static void test_determined(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20250102);
    for (int number = 0; number < repeats(N_DETERMINED); number++) {
        int n = draw_int(rng, 3, number % 10 == 0 ? 30 : 12), order[MAX_NODES];
        dpc_table *table = simulated_table(n, (int64_t)draw_log(rng, 20, 1000), (uint64_t)number);
        dpc_settings settings = greedy_settings(draw_penalty(rng));
        /* simulated columns have the same variance, and then a and b look the same from a + b */
        for (int j = 0; j < n; j++)
            scale_column(table, j, 0.5 + gsl_rng_uniform(rng));
        for (int times = draw_int(rng, 1, 3); times > 0; times--)
            determine(table, rng);
        for (int i = 0; i < n; i++)
            order[i] = i;
        gsl_ran_shuffle(rng, order, (size_t)n, sizeof *order);
        check_determined(number, table, &settings, order);
        dpc_table_free(table);
    }
    gsl_rng_free(rng);
}

/* ---- Steps that are equally good ----------------------------------------- */

/* A matrix and what was learned from it. */
struct seen {
    dpc_correlation c;
    dpc_result *result;
};

/*
 * Is there a way to name the columns of one matrix by those of the other, so that it becomes the
 * other, and its graph the other graph? to[0 … done - 1] are given. Columns that look the same from
 * everywhere have no names of their own.
 */
static bool renames(const struct seen *a, const struct seen *b, int *to, int done)
{
    int n = a->c.n_vars;
    if (done == n)
        return true;
    for (int j = 0; j < n; j++) {
        bool fits = true;
        to[done] = j;
        for (int i = 0; i < done && fits; i++)
            fits = to[i] != j && fabs(a->c.r[done * n + i] - b->c.r[j * n + to[i]]) < 1e-9 &&
                   dpc_graph_mark(dpc_result_graph(a->result), done, i) ==
                       dpc_graph_mark(dpc_result_graph(b->result), j, to[i]);
        if (fits && renames(a, b, to, done + 1))
            return true;
    }
    return false;
}

/* The population of a DAG whose weights are all 1, and of which many correlations are the same. */
static struct seen draw_tied(gsl_rng *rng)
{
    dpc_dag_model model = {draw_int(rng, 4, 8), 1 + 0.7 * gsl_rng_uniform(rng), 1, 1, DPC_ER};
    dpc_dag *dag = NULL;
    struct seen seen = {.c = {.n_vars = model.n, .n_obs = (int64_t)draw_log(rng, 30, 1000)}};
    assert_int_equal(dpc_dag_random(&model, rng, &dag, NULL), DPC_OK);
    seen.c.r = malloc((size_t)model.n * (size_t)model.n * sizeof *seen.c.r);
    assert_non_null(seen.c.r);
    assert_int_equal(dpc_dag_correlation(dag, seen.c.r, NULL, NULL), DPC_OK);
    dpc_dag_free(dag);
    return seen;
}

static void test_ties(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20261103);
    for (int number = 0; number < repeats(N_TIED); number++) {
        struct seen first = draw_tied(rng), second = first;
        int n = first.c.n_vars, order[8], to[8];
        dpc_settings settings = greedy_settings(draw_penalty(rng));
        second.c.r = malloc((size_t)n * (size_t)n * sizeof *second.c.r);
        assert_non_null(second.c.r);
        for (int i = 0; i < n; i++)
            order[i] = i;
        gsl_ran_shuffle(rng, order, (size_t)n, sizeof *order);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                second.c.r[i * n + j] = first.c.r[order[i] * n + order[j]];
        first.result = learned(&first.c, &settings);
        second.result = learned(&second.c, &settings);
        if (!renames(&first, &second, to, 0))
            fail_msg("case %d: the graph depends on the order of %d columns", number, n);
        assert_memory_equal(dpc_result_info(first.result)->steps,
                            dpc_result_info(second.result)->steps, sizeof(dpc_info){0}.steps);
        dpc_result_free(first.result);
        dpc_result_free(second.result);
        free(first.c.r);
        free(second.c.r);
    }
    gsl_rng_free(rng);
}

/* ---- Threads --------------------------------------------------------------- */

static void check_threads(int number, const dpc_correlation *c, dpc_settings settings)
{
    dpc_result *first = learned(c, &settings);
    for (settings.threads = 2; settings.threads <= 3; settings.threads++) {
        dpc_result *second = learned(c, &settings);
        check_same_graph(dpc_result_graph(first), dpc_result_graph(second), "case", number);
        assert_int_equal(dpc_result_info(first)->scores, dpc_result_info(second)->scores);
        assert_int_equal(dpc_result_info(first)->singular_tests,
                         dpc_result_info(second)->singular_tests);
        assert_memory_equal(dpc_result_info(first)->steps, dpc_result_info(second)->steps,
                            sizeof dpc_result_info(first)->steps);
        assert_memory_equal(&dpc_result_info(first)->score, &dpc_result_info(second)->score,
                            sizeof(double));
        dpc_result_free(second);
    }
    dpc_result_free(first);
}

/* More variables than stay on one thread, and awkward ones. */
static void test_threads(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20240705);
    for (int number = 0; number < repeats(12); number++) {
        struct sample_model model = {.n = number % 2 ? draw_int(rng, 2, 40) : 150,
                                     .n_obs = 400,
                                     .parents = 1.5 * gsl_rng_uniform(rng),
                                     .flaw = number % 3 ? FLAW_NONE : FLAW_COPY};
        struct sample sample = sample_draw(&model, rng);
        check_threads(number, &sample.correlation, greedy_settings(draw_penalty(rng)));
        sample_free(&sample);
    }
    gsl_rng_free(rng);
}

/* ---- Awkward input ----------------------------------------------------- */

static void test_flaws(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20240706);
    int64_t singular = 0;
    for (int number = 0; number < repeats(N_FLAWED); number++) {
        bool few = number % 4 == 0;
        int n = draw_int(rng, 3, 14);
        struct sample_model model = {.n = n,
                                     .n_obs = few ? draw_int(rng, 5, n > 5 ? n : 6)
                                                  : (int64_t)draw_log(rng, 20, 500),
                                     .parents = 1.5 * gsl_rng_uniform(rng),
                                     .flaw = (enum flaw)draw_int(rng, FLAW_COPY, FLAW_NOISE)};
        struct sample sample = sample_draw(&model, rng);
        dpc_settings settings = greedy_settings(draw_penalty(rng));
        dpc_result *result = learned(&sample.correlation, &settings);
        assert_true(isfinite(dpc_result_info(result)->score));
        singular += dpc_result_info(result)->singular_tests;
        /* nothing is worth more to a copy than the original */
        if (model.flaw == FLAW_COPY && !few)
            assert_int_not_equal(
                dpc_graph_mark(dpc_result_graph(result), sample.copy, sample.original), DPC_NONE);
        dpc_result_free(result);
        sample_free(&sample);
    }
    assert_true(singular > share(100));
    gsl_rng_free(rng);
}

/* Fewer observations than variables: a price that counts the variables, and no runaway. */
static void test_wide(void **state)
{
    (void)state;
    enum { WIDE = 60 };
    gsl_rng *rng = seeded(20250909);
    int full = 0;
    for (int number = 0; number < repeats(40); number++) {
        struct sample_model model = {
            .n = WIDE, .n_obs = draw_int(rng, 8, WIDE - 1), .parents = 0.3};
        struct sample sample = sample_draw(&model, rng);
        double ebic = 0.5 + log(WIDE) / log((double)model.n_obs);
        dpc_settings settings = greedy_settings(0);
        dpc_result *automatic = learned(&sample.correlation, &settings);
        settings.penalty = ebic;
        dpc_result *ebic_result = learned(&sample.correlation, &settings);
        check_same_graph(dpc_result_graph(automatic), dpc_result_graph(ebic_result), "case",
                         number);
        dpc_result_free(ebic_result);
        dpc_result_free(automatic);
        settings.penalty = 0.3;
        dpc_result *greedy = learned(&sample.correlation, &settings);
        int parents[WIDE] = {0}, most = 0;
        for (int64_t e = 0; e < dpc_result_graph(greedy)->n_edges; e++) {
            const dpc_edge *edge = &dpc_result_graph(greedy)->edges[e];
            if (edge->mark != DPC_UNDIRECTED)
                most = fmax(most, ++parents[edge->mark == DPC_FORWARD ? edge->b : edge->a]);
        }
        if (most > model.n_obs / 4)
            fail_msg("case %d: %d parents from %lld observations", number, most,
                     (long long)model.n_obs);
        full += most == model.n_obs / 4;
        dpc_result_free(greedy);
        sample_free(&sample);
    }
    assert_true(full > share(20));
    gsl_rng_free(rng);
}

static void test_two_and_three(void **state)
{
    (void)state;
    double pair[] = {1, 0.5, 0.5, 1}, collider[] = {1, 0, 0.5, 0, 1, 0.5, 0.5, 0.5, 1};
    dpc_correlation c = {.n_vars = 2, .n_obs = 100, .r = pair};
    dpc_settings settings = greedy_settings(0.5);
    dpc_result *result = learned(&c, &settings);
    assert_int_equal(dpc_graph_mark(dpc_result_graph(result), 0, 1), DPC_UNDIRECTED);
    double score = -50 * (2 + log(0.75)) - 0.5 * log(100) * 3;
    assert_true(fabs(dpc_result_info(result)->score - score) < 1e-9);
    dpc_sepset set;
    separated(result, 0, 1, &set, NULL);
    assert_int_equal(set.kind, DPC_SEP_NONE);
    dpc_result_free(result);
    settings.penalty = 4; /* now 50 log(4/3) = 14.4 < 4 log 100 = 18.4 */
    result = learned(&c, &settings);
    assert_int_equal(dpc_result_graph(result)->n_edges, 0);
    separated(result, 0, 1, &set, NULL);
    assert_int_equal(set.kind, DPC_SEP_NONE);
    dpc_result_free(result);
    c = (dpc_correlation){.n_vars = 3, .n_obs = 200, .r = collider};
    settings.penalty = 0.5;
    result = learned(&c, &settings);
    assert_int_equal(dpc_result_graph(result)->n_edges, 2);
    assert_int_equal(dpc_graph_mark(dpc_result_graph(result), 0, 2), DPC_FORWARD);
    assert_int_equal(dpc_graph_mark(dpc_result_graph(result), 1, 2), DPC_FORWARD);
    dpc_result_free(result);
}

/* How many more calls, and how far the last one was. */
struct patience {
    int left;
    double fraction;
};

static int stop_after(const dpc_progress *progress, void *user)
{
    struct patience *patience = user;
    assert_int_equal(progress->stage, DPC_STAGE_SKELETON);
    assert_true(progress->fraction >= patience->fraction && progress->fraction <= 1);
    patience->fraction = progress->fraction;
    return --patience->left < 0;
}

static void test_interruption(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20240707);
    struct sample_model model = {.n = 30, .n_obs = 500, .parents = 1.5};
    struct sample sample = sample_draw(&model, rng);
    dpc_settings settings = greedy_settings(0.5);
    struct patience patience = {.left = INT32_MAX};
    settings.progress = stop_after;
    settings.progress_user = &patience;
    dpc_result_free(learned(&sample.correlation, &settings));
    int calls = INT32_MAX - patience.left;
    assert_true(calls > 60 && patience.fraction > 0.9);
    for (int k = 0; k < calls; k = k < 5 ? k + 1 : k * 2) {
        dpc_result *result = NULL;
        dpc_error err;
        patience = (struct patience){.left = k};
        assert_int_equal(dpc_learn(&sample.correlation, &settings, &result, &err), DPC_INTERRUPTED);
        assert_null(result);
    }
    sample_free(&sample);
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_twin),         cmocka_unit_test(test_afresh),
        cmocka_unit_test(test_blocks),       cmocka_unit_test(test_population),
        cmocka_unit_test(test_valid),        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_determined),   cmocka_unit_test(test_threads),
        cmocka_unit_test(test_flaws),        cmocka_unit_test(test_two_and_three),
        cmocka_unit_test(test_interruption), cmocka_unit_test(test_wide),
        cmocka_unit_test(test_parts),        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_counts),       cmocka_unit_test(test_ties),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
