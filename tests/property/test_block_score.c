/*
 * The score of blocks of columns, and the searches by it, against a slow twin: families, DAGs,
 * exact search, local optima; and what must not matter.
 */
#include "block_scene.h"
#include "canonical.h"
#include "exact.h"
#include "gains.h"
#include "ges.h"
#include "refine.h"
#include "repeat.h"
#include "score_twin.h"
#include "settings.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    N_FAMILIES = 300,
    N_EQUIVALENT = 100,
    N_EXACT = 100,
    N_LOCAL = 25,
    N_SAME = 30,
    N_SCALAR = 40,
    N_EASY = 20,
    N_DETERMINED = 60
};

static const dpc_labels COLUMNS = {0};

/* ---- All that a part needs ---- */

struct scene {
    struct block_sample sample;
    dpc_view view;
    dpc_scoring scoring;
    dpc_crew crew;
    dpc_workers workers;
    double a, b; /* price of a parameter, and of an edge beyond that */
};

static struct scene *open_on(struct block_sample sample, double price)
{
    struct scene *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->sample = sample;
    s->view = dpc_view_of(&s->sample.correlation, &COLUMNS);
    const dpc_stats stats = dpc_stats_of(&s->view);
    dpc_scoring_init(&s->scoring, &stats, NULL, price);
    dpc_crew_init(&s->crew, NULL, DPC_STAGE_REFINE);
    assert_int_equal(dpc_workers_init(&s->workers, &s->scoring, &s->crew), DPC_OK);
    s->a = fmin(price, log((double)s->view.n_obs) / 2);
    s->b = price - s->a;
    return s;
}

static struct scene *open_any(gsl_rng *rng, int low, int high)
{
    struct block_model model = {.n = draw_int(rng, low, high),
                                .n_obs = (int64_t)draw_log(rng, 100, 3000),
                                .parents = 1.5,
                                .widest = draw_int(rng, 1, 4),
                                .nominal = draw_int(rng, 0, 1) == 1,
                                .strength = draw_log(rng, 0.1, 1)};
    return open_on(block_sample_draw(&model, rng), draw_log(rng, 1, 10));
}

static void close_scene(struct scene *s)
{
    dpc_workers_clear(&s->workers);
    block_sample_free(&s->sample);
    free(s);
}

static double by_twin(void *context, int v, uint64_t set)
{
    const struct scene *s = context;
    return block_twin_family(&s->sample, v, set, s->a, s->b);
}

static int to_list(uint64_t set, int32_t *list)
{
    int count = 0;
    for (; set != 0; set &= set - 1)
        list[count++] = __builtin_ctzll(set);
    return count;
}

static double by_scorer(void *context, int v, uint64_t set)
{
    struct scene *s = context;
    dpc_scorer *h = &s->workers.each[0];
    int32_t parents[BLOCK_NODES];
    int count = to_list(set, parents);
    assert_int_equal(dpc_family_of(&h->family, v, parents, count), DPC_OK);
    return dpc_scorer_score(h, count);
}

static void assert_near(double a, double b)
{
    if (!(fabs(a - b) <= 1e-7 * (1 + fabs(a))))
        fail_msg("%.12g is not %.12g", a, b);
}

static uint64_t bit(int v)
{
    return UINT64_C(1) << v;
}

/* ---- Families ---- */

/* All others as parents, and those within the set: what each is worth. */
static void check_family(struct scene *s, int v, uint64_t set, uint64_t among)
{
    dpc_scorer *h = &s->workers.each[0];
    int32_t parents[BLOCK_NODES], list[BLOCK_NODES];
    int count = to_list(set, parents), chosen = to_list(set | among, list);
    double before = by_twin(s, v, set), losses[BLOCK_NODES];
    assert_int_equal(dpc_family_start(&h->family, v, among == 0 ? NULL : list, chosen), DPC_OK);
    assert_int_equal(dpc_family_push_all(&h->family, parents, count), DPC_OK);
    assert_int_equal(h->family.depth, count);
    assert_near(dpc_scorer_score(h, count), before);
    for (int u = 0; u < s->sample.n; u++)
        if (u != v && !(set >> u & 1) && (among == 0 || (among >> u & 1)))
            assert_near(dpc_gain_of(&s->scoring, dpc_family_square(&h->family, u)),
                        by_twin(s, v, set | bit(u)) - before);
    int above = dpc_scorer_candidates(h), better = 0;
    for (int i = 0; i < above; i++)
        assert_true(dpc_gain_of(&s->scoring, h->candidates[i].square) >= 0);
    for (int u = 0; u < s->sample.n; u++)
        better += u != v && !(set >> u & 1) && (among == 0 || (among >> u & 1)) &&
                  by_twin(s, v, set | bit(u)) > before + 1e-6;
    assert_true(above >= better);
    assert_int_equal(dpc_scorer_losses(h, parents, count, losses), DPC_OK);
    for (int i = 0; i < count; i++)
        assert_near(losses[i] - s->scoring.price, before - by_twin(s, v, set & ~bit(parents[i])));
    double score = before;
    assert_int_equal(dpc_scorer_shrink(h, &score), DPC_OK);
    uint64_t left = 0;
    for (int i = 0; i < h->size; i++)
        left |= bit(h->parent[i]);
    assert_near(score, by_twin(s, v, left));
    for (int i = 0; i < h->size; i++)
        assert_true(by_twin(s, v, left & ~bit(h->parent[i])) <= score + 1e-5);
}

static void test_families(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20280101);
    for (int trial = 0; trial < repeats(N_FAMILIES); trial++) {
        struct scene *s = open_any(rng, 2, 8);
        int n = s->sample.n, v = draw_int(rng, 0, n - 1);
        uint64_t all = (bit(n) - 1) & ~bit(v), set = gsl_rng_get(rng) & all;
        check_family(s, v, set, trial % 2 == 0 ? 0 : gsl_rng_get(rng) & all);
        close_scene(s);
    }
    gsl_rng_free(rng);
}

/* ---- DAGs ---- */

static void draw_parents(gsl_rng *rng, int n, uint64_t *parents)
{
    int order[BLOCK_NODES];
    for (int i = 0; i < n; i++)
        order[i] = i;
    gsl_ran_shuffle(rng, order, (size_t)n, sizeof *order);
    memset(parents, 0, (size_t)n * sizeof *parents);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            if (draw_int(rng, 0, 2) == 0)
                parents[order[i]] |= bit(order[j]);
}

static double score_by(twin_local *local, struct scene *s, const uint64_t *parents)
{
    double sum = 0;
    for (int v = 0; v < s->sample.n; v++)
        sum += local(s, v, parents[v]);
    return sum;
}

/* All DAGs of a class score the same. */
static void test_equivalence(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20280102);
    for (int trial = 0; trial < repeats(N_EQUIVALENT); trial++) {
        struct scene *s = open_any(rng, 3, 9);
        uint64_t parents[BLOCK_NODES];
        draw_parents(rng, s->sample.n, parents);
        double score = score_by(by_scorer, s, parents);
        assert_near(score, score_by(by_twin, s, parents));
        for (int i = 0; i < 5; i++) {
            twin_wander(rng, s->sample.n, parents, 10);
            double other = score_by(by_scorer, s, parents);
            assert_true(fabs(score - other) <= s->scoring.slack);
        }
        close_scene(s);
    }
    gsl_rng_free(rng);
}

/* ---- Exact search ---- */

/* Something that a DAG obeys: some of its edges must be, others cannot be; as bits, too. */
static dpc_constraints *know_about(gsl_rng *rng, int n, const uint64_t *parents, uint64_t *required,
                                   uint64_t *banned)
{
    dpc_knowledge *k = NULL;
    dpc_constraints *known = NULL;
    assert_int_equal(dpc_knowledge_new(n, &k, NULL), DPC_OK);
    for (int v = 0; v < n; v++)
        for (int u = 0; u < n; u++) {
            bool there = (parents[v] >> u & 1) != 0;
            if (u == v || draw_int(rng, 0, 2) > 0)
                continue;
            *(there ? &required[v] : &banned[v]) |= bit(u);
            if (there)
                banned[u] |= bit(v);
            assert_int_equal(there ? dpc_knowledge_require(k, u, v, NULL)
                                   : dpc_knowledge_forbid(k, u, v, NULL),
                             DPC_OK);
        }
    assert_int_equal(dpc_constraints_new(k, &COLUMNS, &known, NULL), DPC_OK);
    dpc_knowledge_free(k);
    return known;
}

static void test_exact(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20280103);
    for (int trial = 0; trial < repeats(N_EXACT); trial++) {
        bool small = trial % 2 == 0;
        struct scene *s = open_any(rng, 2, small ? 5 : 7);
        int n = s->sample.n;
        uint64_t required[BLOCK_NODES] = {0}, banned[BLOCK_NODES] = {0}, some[BLOCK_NODES];
        dpc_constraints *known = NULL;
        s->scoring.most_parents = trial % 3 == 0 ? 2 : s->scoring.most_parents;
        if (trial % 3 == 1) {
            draw_parents(rng, n, some);
            known = know_about(rng, n, some, required, banned);
            s->scoring.known = known;
        }
        struct twin_dags dags = {n, s->scoring.most_parents, required, banned, by_twin, s};
        double best = small ? twin_best_of_all(&dags) : twin_best_by_sets(&dags), score;
        dpc_families dag;
        bool done = false;
        assert_int_equal(dpc_families_init(&dag, n), DPC_OK);
        assert_int_equal(dpc_search_exact(&s->workers, &dag, &done), DPC_OK);
        assert_true(done);
        assert_int_equal(dpc_dag_score(&s->workers.each[0], &dag, &score), DPC_OK);
        assert_near(score, best);
        for (int v = 0; v < n; v++)
            for (int u = 0; u < n; u++) {
                bool there = dpc_families_joined(&dag, u, v);
                assert_false((there && (banned[v] >> u & 1)) || (!there && (required[v] >> u & 1)));
            }
        dpc_families_clear(&dag);
        dpc_constraints_free(known);
        close_scene(s);
    }
    gsl_rng_free(rng);
}

/* ---- Refinement ---- */

/* From no edges, in columns. */
static dpc_refined refine(const dpc_correlation *c, dpc_refinement how, double price, int threads,
                          dpc_graph *graph)
{
    dpc_settings settings;
    dpc_settings_default(&settings);
    settings.threads = threads;
    dpc_labels labels = {0};
    dpc_refined out = {0};
    dpc_graph start = {.n_nodes = c->n_vars};
    dpc_refine_plan plan = {.how = how,
                            .restarts = DPC_AUTO_RESTARTS,
                            .price = price,
                            .seed = 1,
                            .memory = 1e9,
                            .correlation = c};
    assert_int_equal(dpc_labels_make(c, &settings, &labels, NULL), DPC_OK);
    const dpc_view view = dpc_view_of(c, &labels);
    assert_int_equal(dpc_refine(&view, NULL, &settings, &plan, &start, graph, &out, NULL), DPC_OK);
    dpc_labels_undo_graph(&labels, graph);
    dpc_refined_undo(&labels, &out);
    dpc_labels_clear(&labels);
    return out;
}

static void parents_of(const dpc_graph *graph, uint64_t *parents)
{
    dpc_graph *dag = NULL;
    assert_int_equal(dpc_class_member(graph, &dag, NULL), DPC_OK);
    memset(parents, 0, BLOCK_NODES * sizeof *parents);
    for (int64_t i = 0; i < dag->n_edges; i++) {
        const dpc_edge *e = &dag->edges[i];
        bool forward = e->mark == DPC_FORWARD;
        parents[forward ? e->b : e->a] |= bit(forward ? e->a : e->b);
    }
    dpc_graph_free(dag);
}

/* No single edge more, fewer or turned is a gain. */
static void check_local(struct scene *s, const uint64_t *parents)
{
    int n = s->sample.n;
    for (int v = 0; v < n; v++)
        for (int u = 0; u < n; u++) {
            double own = by_twin(s, v, parents[v]);
            if (u == v)
                continue;
            if (parents[v] >> u & 1) {
                double gone = by_twin(s, v, parents[v] & ~bit(u)) - own;
                assert_true(gone <= 1e-4);
                uint64_t less[BLOCK_NODES];
                memcpy(less, parents, sizeof less);
                less[v] &= ~bit(u);
                if (!twin_leads(less, u, v))
                    assert_true(gone + by_twin(s, u, parents[u] | bit(v)) -
                                    by_twin(s, u, parents[u]) <=
                                1e-4);
            } else if (!(parents[u] >> v & 1) && !twin_leads(parents, v, u)) {
                assert_true(by_twin(s, v, parents[v] | bit(u)) - own <= 1e-4);
            }
        }
}

/* Fast and full end at a local optimum, full at one that is no worse; what they report is so. */
static void test_local(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20280104);
    for (int trial = 0; trial < repeats(N_LOCAL); trial++) {
        struct scene *s = open_any(rng, 11, trial % 5 == 0 ? 20 : 16);
        double before = -INFINITY;
        for (dpc_refinement how = DPC_REFINE_FAST; how <= DPC_REFINE_FULL; how++) {
            dpc_graph graph = {0};
            uint64_t parents[BLOCK_NODES];
            dpc_refined out = refine(&s->sample.correlation, how, s->scoring.price, 1, &graph);
            parents_of(&graph, parents);
            double score = score_by(by_twin, s, parents);
            assert_near(out.score_after, score);
            assert_near(out.score_before, 0);
            assert_true(out.optimality >= DPC_OPTIMUM_LOCAL);
            assert_true(score >= before - 1e-5 * fabs(before));
            for (int64_t i = 0; i < out.n_changes; i++)
                assert_true(out.changes[i].gain > -1e-4);
            before = score;
            check_local(s, parents);
            dpc_refined_clear(&out);
            dpc_graph_clear(&graph);
        }
        close_scene(s);
    }
    gsl_rng_free(rng);
}

/* ---- GES ---- */

static void ges(const dpc_correlation *c, int threads, bool afresh, dpc_graph *graph,
                dpc_info *info)
{
    dpc_settings settings;
    dpc_settings_default(&settings);
    settings.threads = threads;
    settings.method = DPC_GES;
    settings.penalty = dpc_ebic(c->n_vars, (double)c->n_obs);
    *info = (dpc_info){0};
    if (afresh)
        assert_int_equal(dpc_ges_afresh(c, NULL, &settings, graph, info, NULL), DPC_OK);
    else
        assert_int_equal(dpc_ges(c, NULL, &settings, NULL, graph, info, NULL), DPC_OK);
}

static bool same_edges(const dpc_graph *a, const dpc_graph *b)
{
    return a->n_edges == b->n_edges &&
           (a->n_edges == 0 ||
            memcmp(a->edges, b->edges, (size_t)a->n_edges * sizeof *a->edges) == 0);
}

/* The mark of a pair, wherever the graph has it. */
static dpc_mark mark_of(const dpc_graph *graph, int a, int b)
{
    return dpc_graph_mark(graph, a, b);
}

/* Variable i of the first is order[i] of the second. */
static void check_permuted(const dpc_graph *first, const dpc_graph *second, const int *order)
{
    assert_int_equal(first->n_edges, second->n_edges);
    for (int i = 0; i < first->n_nodes; i++)
        for (int j = 0; j < i; j++)
            assert_int_equal(mark_of(first, i, j), mark_of(second, order[i], order[j]));
}

/* Threads, the order of the variables, and the columns by which a block is given. */
static void test_same(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20280105);
    for (int trial = 0; trial < repeats(N_SAME); trial++) {
        struct scene *s = open_any(rng, 3, trial % 3 == 0 ? 14 : 8);
        int n = s->sample.n, order[BLOCK_NODES];
        for (int i = 0; i < n; i++)
            order[i] = i;
        gsl_ran_shuffle(rng, order, (size_t)n, sizeof *order);
        struct block_sample mixed = block_sample_mix(&s->sample, rng);
        struct block_sample other = block_sample_permute(&s->sample, order);
        for (int how = 0; how < 4; how++) {
            dpc_graph graphs[4] = {{0}};
            const dpc_correlation *of[4] = {&s->sample.correlation, &s->sample.correlation,
                                            &mixed.correlation, &other.correlation};
            for (int i = 0; i < 4; i++) {
                dpc_info info;
                if (how == 0) {
                    ges(of[i], i == 1 ? 3 : 1, i == 1, &graphs[i], &info);
                } else {
                    dpc_refined out =
                        refine(of[i], how == 1 ? DPC_REFINE_FAST : DPC_REFINE_FULL,
                               how == 3 ? 0 : s->scoring.price, i == 1 ? 3 : 1, &graphs[i]);
                    dpc_refined_clear(&out);
                }
            }
            assert_true(same_edges(&graphs[0], &graphs[1]));
            assert_true(same_edges(&graphs[0], &graphs[2]));
            check_permuted(&graphs[3], &graphs[0], order);
            for (int i = 0; i < 4; i++)
                dpc_graph_clear(&graphs[i]);
        }
        block_sample_free(&mixed);
        block_sample_free(&other);
        close_scene(s);
    }
    gsl_rng_free(rng);
}

/* Blocks of one column each: the graphs, prices and scores of scalars. */
static void test_scalars(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20280106);
    for (int trial = 0; trial < repeats(N_SCALAR); trial++) {
        struct sample_model model = {.n = draw_int(rng, 3, 18),
                                     .n_obs = (int64_t)draw_log(rng, 60, 3000)};
        model.parents = fmin(1.5, (model.n - 1) / 2.0);
        struct sample sample = sample_draw(&model, rng);
        int32_t first[BLOCK_NODES + 1];
        for (int i = 0; i <= model.n; i++)
            first[i] = i;
        struct block_sample blocks =
            block_sample_of(sample.correlation.r, first, model.n, model.n_obs);
        for (int how = 0; how < 3; how++) {
            dpc_graph graphs[2] = {{0}};
            double score[2];
            const dpc_correlation *of[2] = {&sample.correlation, &blocks.correlation};
            for (int i = 0; i < 2; i++) {
                dpc_info info;
                if (how == 0) {
                    ges(of[i], 1, false, &graphs[i], &info);
                    score[i] = info.score;
                } else {
                    dpc_refined out = refine(of[i], how == 1 ? DPC_REFINE_FAST : DPC_REFINE_FULL, 0,
                                             1, &graphs[i]);
                    score[i] = out.score_after;
                    dpc_refined_clear(&out);
                }
            }
            assert_near(score[0], score[1]);
            assert_true(same_edges(&graphs[0], &graphs[1]));
            dpc_graph_clear(&graphs[0]);
            dpc_graph_clear(&graphs[1]);
        }
        block_sample_free(&blocks);
        sample_free(&sample);
    }
    gsl_rng_free(rng);
}

/* Many rows of strong effects: the class of the truth, nearly always. */
static void test_easy(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20280107);
    int found = 0, refined = 0;
    for (int trial = 0; trial < N_EASY; trial++) {
        struct block_model model = {
            .n = draw_int(rng, 4, 9), .n_obs = 20000, .parents = 1, .widest = 3, .strength = 0.8};
        struct block_sample s = block_sample_draw(&model, rng);
        dpc_graph graph = {0}, best = {0}, class = {0}, dag = {.n_nodes = s.n};
        dpc_info info;
        dpc_families truth;
        assert_int_equal(dpc_families_init(&truth, s.n), DPC_OK);
        for (int v = 0; v < s.n; v++)
            for (int u = 0; u < s.n; u++)
                if (s.parents[v] >> u & 1)
                    assert_int_equal(dpc_families_add(&truth, u, v), DPC_OK);
        assert_int_equal(dpc_families_class(&truth, &class, NULL), DPC_OK);
        ges(&s.correlation, 1, false, &graph, &info);
        dpc_refined out = refine(&s.correlation, DPC_REFINE_FAST, 0, 1, &best);
        found += same_edges(&graph, &class);
        refined += same_edges(&best, &class);
        dpc_refined_clear(&out);
        dpc_families_clear(&truth);
        dpc_graph_clear(&graph);
        dpc_graph_clear(&best);
        dpc_graph_clear(&class);
        dpc_graph_clear(&dag);
        block_sample_free(&s);
    }
    assert_in_range(found, N_EASY * 3 / 4, N_EASY);
    assert_in_range(refined, N_EASY * 3 / 4, N_EASY);
    gsl_rng_free(rng);
}

/* ---- Blocks that others determine ---- */

/* One more variable: some columns of others again, which determine it or a part of it. */
static struct block_sample with_copies(const struct block_sample *s, gsl_rng *rng)
{
    int32_t first[BLOCK_NODES + 1];
    int column[BLOCK_COLUMNS], m = s->m, width = draw_int(rng, 1, 3);
    memcpy(first, s->first, sizeof first);
    for (int i = 0; i < m; i++)
        column[i] = i;
    for (int i = 0; i < width; i++)
        column[m++] = draw_int(rng, 0, s->m - 1);
    first[s->n + 1] = m;
    double *r = calloc((size_t)m * (size_t)m, sizeof *r);
    assert_non_null(r);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++)
            r[i * m + j] = s->r[column[i] * s->m + column[j]];
    struct block_sample out = block_sample_of(r, first, s->n + 1, s->correlation.n_obs);
    free(r);
    return out;
}

/* A result, whatever the columns by which the blocks are given and however many threads. */
static void test_determined(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20280108);
    for (int trial = 0; trial < repeats(N_DETERMINED); trial++) {
        struct block_model model = {.n = draw_int(rng, 2, trial % 4 == 0 ? 12 : 7),
                                    .n_obs = (int64_t)draw_log(rng, 12, 1000),
                                    .parents = 0.5,
                                    .widest = trial % 6 == 1 ? 12 : 3};
        struct block_sample plain = block_sample_draw(&model, rng);
        struct block_sample s = with_copies(&plain, rng), mixed = block_sample_mix(&s, rng);
        const dpc_correlation *of[3] = {&s.correlation, &s.correlation, &mixed.correlation};
        for (int how = 0; how < 3; how++) {
            dpc_graph graphs[3] = {{0}};
            for (int i = 0; i < 3; i++) {
                dpc_info info;
                if (how == 0) {
                    ges(of[i], i == 1 ? 3 : 1, false, &graphs[i], &info);
                    continue;
                }
                dpc_refined out = refine(of[i], how == 1 ? DPC_REFINE_FAST : DPC_REFINE_FULL, 0,
                                         i == 1 ? 3 : 1, &graphs[i]);
                assert_true(isfinite(out.score_after));
                assert_true(out.score_after >= out.score_before - 1e-6);
                dpc_refined_clear(&out);
            }
            assert_true(same_edges(&graphs[0], &graphs[1]));
            assert_true(same_edges(&graphs[0], &graphs[2]));
            for (int i = 0; i < 3; i++)
                dpc_graph_clear(&graphs[i]);
        }
        block_sample_free(&plain);
        block_sample_free(&s);
        block_sample_free(&mixed);
    }
    gsl_rng_free(rng);
}

/* ---- One equation ---- */

static double by_first(void *context, int v, uint64_t set)
{
    const struct scene *s = context;
    double score = -s->scoring.n_obs / 2 * block_twin_log_first(&s->sample, v, set);
    for (int u = 0; u < s->sample.n; u++)
        if (set >> u & 1)
            score -= s->a * (s->sample.first[u + 1] - s->sample.first[u]) + s->b;
    return score;
}

/* Basis columns of numbers: exact search finds the best DAG, full is no worse than fast. */
static void test_one_equation(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20280109);
    for (int trial = 0; trial < repeats(N_EXACT / 2); trial++) {
        struct scene *s = open_any(rng, 3, trial % 5 == 0 ? 14 : 6);
        int n = s->sample.n;
        double before = -INFINITY;
        int32_t *lead = malloc((size_t)n * sizeof *lead);
        assert_non_null(lead);
        for (int v = 0; v < n; v++)
            lead[v] = 1;
        s->sample.correlation.blocks->lead = lead;
        for (dpc_refinement how = DPC_REFINE_FAST; how <= DPC_REFINE_FULL; how++) {
            dpc_graph graphs[2] = {{0}};
            dpc_refined out = refine(&s->sample.correlation, how, s->scoring.price, 1, &graphs[0]);
            dpc_refined other =
                refine(&s->sample.correlation, how, s->scoring.price, 3, &graphs[1]);
            assert_true(out.score_after >= before - 1e-6 * fabs(before));
            assert_true(same_edges(&graphs[0], &graphs[1]));
            before = out.score_after;
            dpc_refined_clear(&out);
            dpc_refined_clear(&other);
            dpc_graph_clear(&graphs[0]);
            dpc_graph_clear(&graphs[1]);
        }
        uint64_t none[BLOCK_NODES] = {0};
        struct twin_dags dags = {n, n, none, none, by_first, s};
        if (n <= 6)
            assert_near(before, twin_best_by_sets(&dags));
        else
            assert_true(before >= -1e-6);
        close_scene(s);
    }
    gsl_rng_free(rng);
}

/* ---- Explanations ---- */

/* GES through dpc_learn: what an edge is said to add is what it adds. */
static void test_explained(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20280110);
    for (int trial = 0; trial < repeats(N_SAME); trial++) {
        struct scene *s = open_any(rng, 3, 7);
        dpc_settings settings;
        dpc_result *result = NULL;
        dpc_settings_default(&settings);
        settings.method = DPC_GES;
        settings.penalty = s->scoring.price / log(s->scoring.n_obs);
        assert_int_equal(dpc_learn(&s->sample.correlation, &settings, &result, NULL), DPC_OK);
        uint64_t parents[BLOCK_NODES];
        parents_of(dpc_result_graph(result), parents);
        for (int v = 0; v < s->sample.n; v++)
            for (int u = 0; u < s->sample.n; u++) {
                dpc_explanation *e = NULL;
                if (u == v || !(parents[v] >> u & 1))
                    continue;
                assert_int_equal(
                    dpc_explain(result, u < v ? u : v, u < v ? v : u, NULL, NULL, &e, NULL),
                    DPC_OK);
                assert_near(e->gain,
                            by_twin(s, v, parents[v]) - by_twin(s, v, parents[v] & ~bit(u)));
                assert_true(e->test.what.r > 0 && e->test.what.r < 1);
                dpc_explanation_free(e);
            }
        dpc_result_free(result);
        close_scene(s);
    }
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_families),     cmocka_unit_test(test_equivalence),
        cmocka_unit_test(test_exact),        cmocka_unit_test(test_local),
        cmocka_unit_test(test_same),         cmocka_unit_test(test_scalars),
        cmocka_unit_test(test_easy),         cmocka_unit_test(test_determined),
        cmocka_unit_test(test_one_equation), cmocka_unit_test(test_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
