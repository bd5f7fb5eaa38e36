/*
 * Exact search against slow ones: all DAGs, and the last nodes of all sets, with scores in long
 * doubles and with those of the library. (The search as a part of refinement is in test_refined.c.)
 */
#include "exact.h"
#include "repeat.h"
#include "scene.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    N_ALL = 300,
    N_SETS = 100,
    N_FLAWED = 400,
    N_CHAINS = 200,
    N_TIES = 60,
    N_PERMUTED = 60,
    N_LARGE = 4
};

static double by_twin(void *context, int v, uint64_t set)
{
    return twin_family(context, v, set);
}

/* The score of the library. */
static double by_scorer(void *context, int v, uint64_t set)
{
    dpc_scorer *h = context;
    int32_t parents[TWIN_NODES];
    int count = 0;
    for (; set != 0; set &= set - 1)
        parents[count++] = __builtin_ctzll(set);
    assert_int_equal(dpc_family_of(&h->family, v, parents, count), DPC_OK);
    return dpc_scorer_score(h, count);
}

static void search(struct scene *s, dpc_families *dag)
{
    bool done = false;
    assert_int_equal(dpc_families_init(dag, s->twin.n), DPC_OK);
    assert_int_equal(dpc_search_exact(&s->workers, dag, &done), DPC_OK);
    assert_true(done);
}

static bool obeys(const struct rules *rules, int n, const uint64_t *parents)
{
    for (int v = 0; v < n; v++)
        if ((parents[v] & rules->banned[v]) != 0 || (rules->required[v] & ~parents[v]) != 0)
            return false;
    return true;
}

/* A DAG within the rules, whose score is the best. */
static void check_best(struct scene *s, const struct rules *rules, double best, int number)
{
    dpc_families dag;
    uint64_t parents[TWIN_NODES];
    search(s, &dag);
    to_bits(&dag, parents);
    for (int v = 0; v < s->twin.n; v++) {
        int required = __builtin_popcountll(rules->required[v]);
        assert_false(twin_leads(parents, v, v));
        assert_true(dag.pa[v].count <= s->scoring.most_parents || dag.pa[v].count == required);
    }
    if (!obeys(rules, s->twin.n, parents))
        fail_msg("case %d: the DAG does not obey the knowledge", number);
    double score = score_of(s, &dag);
    if (!(fabs(score - best) <= 1e-12 * fabs(best) + 2 * s->scoring.slack))
        fail_msg("case %d: the DAG scores %.12g, and another %.12g", number, score, best);
    dpc_families_clear(&dag);
}

/* A small sample, and in most cases a limit of parents or knowledge. */
struct case_of {
    struct scene *scene;
    struct rules rules;
    dpc_knowledge *knowledge;
    dpc_constraints *known;
};

static struct case_of open_case(gsl_rng *rng, const struct sample_model *model, int number)
{
    struct case_of c = {.scene = open_scene_of(rng, model)};
    if (number % 3 == 0)
        c.scene->scoring.most_parents = draw_int(rng, 1, 3);
    if (number % 2 == 0) {
        dpc_families dag;
        uint64_t parents[TWIN_NODES];
        draw_dag(rng, model->n, draw_int(rng, 20, 100), &dag);
        to_bits(&dag, parents);
        c.knowledge = draw_obeyed(rng, model->n, parents, &c.rules);
        assert_int_equal(dpc_constraints_new(c.knowledge, &c.scene->labels, &c.known, NULL),
                         DPC_OK);
        c.scene->scoring.known = c.known;
        dpc_families_clear(&dag);
    }
    return c;
}

/* The DAGs that it may be, and how each is scored. */
static struct twin_dags dags_of(struct case_of *c, twin_local *local, void *context)
{
    return (struct twin_dags){
        c->scene->twin.n, c->scene->scoring.most_parents, c->rules.required, c->rules.banned, local,
        context};
}

static void close_case(struct case_of *c)
{
    close_scene(c->scene);
    dpc_constraints_free(c->known);
    dpc_knowledge_free(c->knowledge);
}

static struct sample_model draw_model(gsl_rng *rng, int low, int high)
{
    struct sample_model model = {.n = draw_int(rng, low, high),
                                 .n_obs = (int64_t)draw_log(rng, 20, 5000)};
    model.parents = fmin(3 * gsl_rng_uniform(rng), (model.n - 1) / 2.0);
    return model;
}

static void test_all_dags(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20270101);
    for (int number = 0; number < repeats(N_ALL); number++) {
        struct sample_model model = draw_model(rng, 2, number % 15 == 0 ? 5 : 4);
        struct case_of c = open_case(rng, &model, number);
        struct twin_dags dags = dags_of(&c, by_twin, &c.scene->twin);
        double best = twin_best_of_all(&dags);
        assert_true(fabs(best - twin_best_by_sets(&dags)) <= 1e-9 * (1 + fabs(best)));
        check_best(c.scene, &c.rules, best, number);
        close_case(&c);
    }
    gsl_rng_free(rng);
}

static void test_all_sets(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20270102);
    for (int number = 0; number < repeats(N_SETS); number++) {
        struct sample_model model = draw_model(rng, 5, number % 4 == 0 ? TWIN_EXACT : 8);
        struct case_of c = open_case(rng, &model, number);
        struct twin_dags dags = dags_of(&c, by_twin, &c.scene->twin);
        check_best(c.scene, &c.rules, twin_best_by_sets(&dags), number);
        close_case(&c);
    }
    gsl_rng_free(rng);
}

/* Copies, sums, noise of 1e-9, fewer rows than variables: by the scores of the library, whatever
 * rounding makes of these. */
static void test_flaws(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20270103);
    for (int number = 0; number < repeats(N_FLAWED); number++) {
        struct sample_model model = draw_model(rng, 2, 8);
        model.flaw = (enum flaw)(number / 2 % FLAW_N_FLAWS);
        if (number % 5 == 0)
            model.n_obs = draw_int(rng, 4, 9);
        struct case_of c = open_case(rng, &model, number);
        struct twin_dags dags = dags_of(&c, by_scorer, &c.scene->workers.each[0]);
        check_best(c.scene, &c.rules, twin_best_by_sets(&dags), number);
        close_case(&c);
    }
    gsl_rng_free(rng);
}

/* Columns each of which is the one before it, or two of them, but for little: correlations of few
 * rows, over those of the scene. */
static void make_chain(gsl_rng *rng, struct scene *s)
{
    enum { ROWS = 40 };
    int n = s->twin.n;
    double x[TWIN_EXACT][ROWS];
    for (int j = 0; j < n; j++) {
        double size = j == 0 ? 1 : draw_log(rng, 1e-8, 1e-1), mean = 0, square = 0;
        int first = draw_int(rng, 0, j), second = draw_int(rng, 0, j);
        for (int t = 0; t < ROWS; t++) {
            x[j][t] = j == 0 ? 0 : x[first % j][t] + (second % 2 == 0 ? 0 : x[second % j][t]);
            x[j][t] += size * gsl_ran_ugaussian(rng);
            mean += x[j][t] / ROWS;
        }
        for (int t = 0; t < ROWS; t++)
            square += (x[j][t] - mean) * (x[j][t] - mean);
        for (int t = 0; t < ROWS; t++)
            x[j][t] = (x[j][t] - mean) / sqrt(square);
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double sum = 0;
            for (int t = 0; t < ROWS; t++)
                sum += x[i][t] * x[j][t];
            s->sample.correlation.r[i * n + j] = s->sample.correlation.r[j * n + i] =
                i == j ? 1 : fmin(sum, 1);
        }
}

static void test_chains(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20270108);
    for (int number = 0; number < repeats(N_CHAINS); number++) {
        struct sample_model model = draw_model(rng, 4, 8);
        struct case_of c = open_case(rng, &model, number);
        make_chain(rng, c.scene);
        struct twin_dags dags = dags_of(&c, by_scorer, &c.scene->workers.each[0]);
        check_best(c.scene, &c.rules, twin_best_by_sets(&dags), number);
        close_case(&c);
    }
    gsl_rng_free(rng);
}

/* All correlations are the same, so that many DAGs are equally good: rounding does not choose. */
static void test_ties(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20270109);
    for (int number = 0; number < repeats(N_TIES); number++) {
        struct scene *s = open_scene(rng, draw_int(rng, 3, 9), 100, 1);
        int n = s->twin.n;
        double same = 0.2 + 0.6 * gsl_rng_uniform(rng);
        uint64_t first[TWIN_NODES], parents[TWIN_NODES];
        for (int way = 0; way < 5; way++) {
            dpc_families dag;
            for (int i = 0; i < n; i++)
                for (int j = 0; j < i; j++)
                    s->sample.correlation.r[i * n + j] = s->sample.correlation.r[j * n + i] =
                        same + (way == 0 ? 0 : 1e-15 * (gsl_rng_uniform(rng) - 0.5));
            for (int i = 0; i < n; i++)
                s->sample.correlation.r[i * n + i] = 1;
            search(s, &dag);
            to_bits(&dag, way == 0 ? first : parents);
            if (way > 0 && memcmp(first, parents, (size_t)n * sizeof *first) != 0)
                fail_msg("case %d: rounding has chosen the DAG", number);
            dpc_families_clear(&dag);
        }
        close_scene(s);
    }
    gsl_rng_free(rng);
}

/* A single node; and prices that nothing is worth. */
static void test_corners(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20270104);
    for (int n = 1; n <= 3; n++)
        for (int way = 0; way < 3; way++) {
            static const double PRICES[] = {1, 1e6, 1e300};
            struct scene *s = open_scene(rng, n, 50, 1);
            const dpc_stats stats = s->scoring.stats;
            dpc_families dag;
            dpc_scoring_init(&s->scoring, &stats, NULL, PRICES[way]);
            search(s, &dag);
            if (n == 1 || way > 0)
                assert_int_equal(dpc_families_edges(&dag), 0);
            dpc_families_clear(&dag);
            close_scene(s);
        }
    gsl_rng_free(rng);
}

/* Labels in another order give a DAG that scores the same; without ties, of the same class. */
static void test_labels(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20270105);
    for (int number = 0; number < repeats(N_PERMUTED); number++) {
        struct sample_model model = draw_model(rng, 2, 12);
        struct scene *s = open_scene_of(rng, &model);
        int32_t column[DPC_MOST_EXACT], label[DPC_MOST_EXACT];
        dpc_families dag;
        dpc_graph first = {0}, second = {0};
        search(s, &dag);
        double score = score_of(s, &dag);
        assert_int_equal(dpc_families_class(&dag, &first, NULL), DPC_OK);
        dpc_families_clear(&dag);
        for (int i = 0; i < model.n; i++)
            column[i] = i;
        gsl_ran_shuffle(rng, column, (size_t)model.n, sizeof *column);
        for (int i = 0; i < model.n; i++)
            label[column[i]] = i;
        s->labels = (dpc_labels){.column = column, .label = label};
        search(s, &dag);
        assert_true(fabs(score_of(s, &dag) - score) <= s->scoring.slack);
        assert_int_equal(dpc_families_class(&dag, &second, NULL), DPC_OK);
        for (int a = 0; a < model.n; a++)
            for (int b = 0; b < model.n; b++)
                if (a != b &&
                    dpc_graph_mark(&first, a, b) != dpc_graph_mark(&second, label[a], label[b]))
                    fail_msg("case %d: the edge %d, %d depends on the labels", number, a, b);
        dpc_graph_clear(&first);
        dpc_graph_clear(&second);
        dpc_families_clear(&dag);
        close_scene(s);
    }
    gsl_rng_free(rng);
}

/* Who has asked to stop keeps the DAG that there was. */
static void test_halting(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20270106);
    struct scene *s = open_scene(rng, 12, 200, 2);
    dpc_families dag;
    uint64_t before[TWIN_NODES], after[TWIN_NODES];
    bool done = true;
    draw_dag(rng, 12, 50, &dag);
    to_bits(&dag, before);
    atomic_store(&s->crew.stop, true);
    assert_int_equal(dpc_search_exact(&s->workers, &dag, &done), DPC_OK);
    assert_false(done);
    to_bits(&dag, after);
    assert_memory_equal(before, after, 12 * sizeof *before);
    dpc_families_clear(&dag);
    close_scene(s);
    gsl_rng_free(rng);
}

/* As many variables as there may be: none of the DAGs nearby scores higher. */
static void test_many(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20270107);
    for (int number = 0; number < repeats(N_LARGE); number++) {
        struct scene *s = open_scene(rng, DPC_MOST_EXACT - number % 4, 500, 2);
        dpc_families dag;
        search(s, &dag);
        double score = score_of(s, &dag);
        for (int v = 0; v < dag.n; v++)
            for (int u = 0; u < dag.n; u++) {
                bool there = dpc_families_joined(&dag, u, v);
                if (u == v || (!there && dpc_families_leads(&dag, v, u)) ||
                    dpc_families_joined(&dag, v, u))
                    continue;
                if (there)
                    dpc_families_remove(&dag, u, v);
                else
                    assert_int_equal(dpc_families_add(&dag, u, v), DPC_OK);
                assert_true(score_of(s, &dag) <= score + s->scoring.slack);
                if (there)
                    assert_int_equal(dpc_families_add(&dag, u, v), DPC_OK);
                else
                    dpc_families_remove(&dag, u, v);
            }
        dpc_families_clear(&dag);
        close_scene(s);
    }
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_dags), cmocka_unit_test(test_all_sets),
        cmocka_unit_test(test_flaws),    cmocka_unit_test(test_corners),
        cmocka_unit_test(test_chains),   cmocka_unit_test(test_ties),
        cmocka_unit_test(test_labels),   cmocka_unit_test(test_halting),
        cmocka_unit_test(test_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
