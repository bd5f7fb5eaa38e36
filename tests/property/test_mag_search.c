/*
 * The search for a maximal ancestral graph: it never leaves the MAGs and never loses score, finds
 * the true PAG where data are as good as a population, obeys what is known, can be ended at any
 * time, and does not depend on the order of the columns or on the number of threads.
 */
#include "canonical.h"
#include "hidden.h"
#include "mag_moves.h"
#include "mag_search.h"
#include "mag_twin.h"
#include "pag.h"
#include "repeat.h"
#include "same.h"
#include "scene.h"
#include "simulate.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    N_SMALL = 200,
    N_TRUE = 100,
    N_PERMUTED = 60,
    N_THREADED = 12,
    N_KNOWN = 150,
    N_LOSSES = 60
};

/* ---- Searching ---- */

struct found {
    dpc_graph mag; /* by columns */
    dpc_mag_found info;
};

struct question {
    const dpc_correlation *correlation;
    const dpc_knowledge *knowledge;
    const dpc_graph *start; /* by columns, where the order is that of the columns; NULL: no edges */
    dpc_settings settings;
    dpc_time_limit *limit;
};

static struct question ask(const dpc_correlation *correlation)
{
    struct question q = {.correlation = correlation};
    dpc_settings_default(&q.settings);
    q.settings.threads = 1;
    q.settings.order = DPC_ORDER_CANONICAL;
    return q;
}

static struct found search(const struct question *q)
{
    struct found f = {.mag = {0}};
    dpc_labels labels = {0};
    dpc_constraints *known = NULL;
    dpc_error err = {0};
    dpc_graph none = {.n_nodes = q->correlation->n_vars};
    dpc_mag_plan plan = {.hidden_price = -1, .memory = 1e7, .limit = q->limit};
    dpc_settings quiet = q->settings;
    quiet.progress = NULL;
    if (q->start == NULL)
        assert_int_equal(dpc_labels_make(q->correlation, &quiet, &labels, &err), DPC_OK);
    assert_int_equal(dpc_constraints_new(q->knowledge, &labels, &known, &err), DPC_OK);
    dpc_view view = dpc_view_of(q->correlation, &labels);
    dpc_status status = dpc_search_mag(&view, known, &q->settings, &plan,
                                       q->start != NULL ? q->start : &none, &f.mag, &f.info, &err);
    if (status != DPC_OK)
        fail_msg("%s", err.message);
    dpc_labels_undo_graph(&labels, &f.mag);
    dpc_constraints_free(known);
    dpc_labels_clear(&labels);
    return f;
}

/* The data of a random network with some nodes hidden, and the true PAG. */
struct hidden_set {
    dpc_correlation *correlation;
    dpc_graph pag;
};

static struct hidden_set draw_hidden(uint64_t seed, int n, int64_t n_obs, double share_hidden)
{
    struct hidden_set set = {.pag = {0}};
    dpc_simulation s;
    dpc_dag *dag = NULL;
    dpc_table *whole = NULL, *seen = NULL;
    bool *hidden = NULL;
    dpc_random random;
    dpc_simulation_default(&s);
    s.model.n = n;
    s.model.parents = fmin(1.3, (n - 1) / 2.0);
    s.model.weight_low = 0.4;
    s.model.weight_high = 1;
    s.signs = DPC_MIXED_SIGNS;
    s.n_obs = n_obs;
    s.seed = seed;
    assert_int_equal(dpc_simulate(&s, &dag, &whole, NULL), DPC_OK);
    dpc_random_start(&random, seed, 77);
    assert_int_equal(dpc_hidden_draw(dag, share_hidden, &random, &hidden), DPC_OK);
    assert_int_equal(dpc_hidden_table(whole, hidden, &seen, NULL), DPC_OK);
    assert_int_equal(dpc_hidden_pag(dag, hidden, &set.pag, NULL), DPC_OK);
    assert_int_equal(dpc_correlate(seen, NULL, NULL, &set.correlation, NULL), DPC_OK);
    dpc_table_free(whole);
    dpc_table_free(seen);
    dpc_dag_free(dag);
    free(hidden);
    return set;
}

static void clear_hidden(struct hidden_set *set)
{
    dpc_correlation_free(set->correlation);
    dpc_graph_clear(&set->pag);
}

/* By the tools of core/graph, which are tested against definitions. */
static void check_is_mag(const dpc_graph *graph)
{
    dpc_mag mag = {0};
    assert_int_equal(dpc_mag_of(graph, &mag), DPC_OK);
    uint64_t *room = calloc((size_t)(4 * mag.words), sizeof *room);
    assert_non_null(room);
    assert_true(dpc_mag_find_ancestors(&mag));
    assert_true(dpc_mag_is_ancestral(&mag));
    assert_true(dpc_mag_is_maximal(&mag, room));
    for (int64_t i = 0; i < graph->n_edges; i++)
        assert_true(graph->edges[i].mark == DPC_FORWARD || graph->edges[i].mark == DPC_BACKWARD ||
                    graph->edges[i].mark == DPC_BIDIRECTED);
    free(room);
    dpc_mag_clear(&mag);
}

/* ---- Small graphs, by definition ---- */

static void test_small(void **unused)
{
    (void)unused;
    gsl_rng *rng = seeded(20260201);
    int doubles = 0;
    for (int i = 0; i < repeats(N_SMALL); i++) {
        int n = draw_int(rng, 2, 7);
        struct scene *s = open_scene(rng, n, (int64_t)draw_log(rng, 100, 5000), 2);
        struct marks model = draw_mixed_mag(rng, n, 50, 0.5),
                     from = draw_mixed_mag(rng, n, 50, 0.5);
        draw_mag_sample(rng, &model, (int)s->scoring.n_obs, s->sample.correlation.r);
        dpc_graph start = marks_graph(&from);
        struct question q = ask(&s->sample.correlation);
        q.start = &start;
        struct found f = search(&q);
        struct marks mag = marks_of(&f.mag);
        assert_true(mag_is_ancestral(&mag) && mag_is_maximal(&mag));
        assert_true(f.info.score_after >= f.info.score_before && f.info.complete);
        for (int64_t e = 0; e < f.mag.n_edges; e++)
            doubles += f.mag.edges[e].mark == DPC_BIDIRECTED;
        dpc_graph_clear(&f.mag);
        dpc_graph_clear(&start);
        close_scene(s);
    }
    assert_true(doubles >= share(30));
    gsl_rng_free(rng);
}

/* ---- The truth ---- */

/* Does the search find the true PAG? What it finds scores at least as much. */
static bool finds_truth(const struct hidden_set *set)
{
    dpc_settings settings;
    dpc_result *result = NULL;
    dpc_graph pag = {0}, truth = {0};
    dpc_pag_metrics m;
    dpc_settings_default(&settings);
    settings.refine = DPC_REFINE_FULL;
    settings.threads = 1;
    assert_int_equal(dpc_learn(set->correlation, &settings, &result, NULL), DPC_OK);
    struct question q = ask(set->correlation);
    q.start = dpc_result_graph(result);
    struct found f = search(&q);
    check_is_mag(&f.mag);
    assert_int_equal(dpc_pag_of_mag(&f.mag, false, &pag), DPC_OK);
    assert_int_equal(dpc_compare_pags(&pag, &set->pag, &m, NULL), DPC_OK);
    assert_int_equal(dpc_mag_of_pag(&set->pag, &truth), DPC_OK);
    q.start = &truth;
    struct found g = search(&q);
    if (!(f.info.score_after >= g.info.score_before - DPC_LEAST_MAG_GAIN))
        fail_msg("the truth scores more: %.6f, not %.6f", g.info.score_before, f.info.score_after);
    dpc_graph_clear(&truth);
    dpc_graph_clear(&g.mag);
    dpc_graph_clear(&pag);
    dpc_graph_clear(&f.mag);
    dpc_result_free(result);
    return m.exact;
}

static void test_truth(void **unused)
{
    (void)unused;
    int exact = 0, all = repeats(N_TRUE);
    for (int i = 0; i < all; i++) { /* one of seven nodes is hidden */
        struct hidden_set set = draw_hidden((uint64_t)(500 + i), 7, 20000, 1.0 / 7);
        exact += finds_truth(&set);
        clear_hidden(&set);
    }
    assert_true(exact * 100 >= 75 * all);
}

/* a → x ← L → y ← b with L hidden: a → x ↔ y ← b, and all of its marks are known but the tails. */
static void test_example(void **unused)
{
    (void)unused;
    const double r[16] = {1, .5, 0, 0, .5, 1, .4, 0, 0, .4, 1, .5, 0, 0, .5, 1};
    dpc_correlation c = {.n_vars = 4, .n_obs = 10000, .r = (double *)r};
    struct question q = ask(&c);
    struct found f = search(&q);
    dpc_graph pag = {0};
    assert_int_equal(dpc_pag_of_mag(&f.mag, false, &pag), DPC_OK);
    assert_int_equal(pag.n_edges, 3);
    assert_int_equal(dpc_graph_mark(&pag, 0, 1), DPC_CIRCLE_ARROW);
    assert_int_equal(dpc_graph_mark(&pag, 1, 2), DPC_BIDIRECTED);
    assert_int_equal(dpc_graph_mark(&pag, 2, 3), DPC_ARROW_CIRCLE);
    dpc_graph_clear(&pag);
    dpc_graph_clear(&f.mag);
}

/* ---- What must not matter ---- */

static void test_columns(void **unused)
{
    (void)unused;
    gsl_rng *rng = seeded(20260202);
    for (int i = 0; i < repeats(N_PERMUTED); i++) {
        struct hidden_set set = draw_hidden((uint64_t)(900 + i), draw_int(rng, 6, 20), 800, 0.15);
        int n = set.correlation->n_vars, order[n];
        for (int v = 0; v < n; v++)
            order[v] = v;
        gsl_ran_shuffle(rng, order, (size_t)n, sizeof *order);
        dpc_correlation other = {.n_vars = n,
                                 .n_obs = set.correlation->n_obs,
                                 .r = malloc((size_t)(n * n) * sizeof(double))};
        assert_non_null(other.r);
        for (int a = 0; a < n; a++)
            for (int b = 0; b < n; b++)
                other.r[a * n + b] = set.correlation->r[order[a] * n + order[b]];
        struct question p = ask(set.correlation), q = ask(&other);
        struct found first = search(&p), second = search(&q);
        for (int a = 0; a < n; a++)
            for (int b = 0; b < n; b++)
                if (dpc_graph_mark(&second.mag, a, b) !=
                    dpc_graph_mark(&first.mag, order[a], order[b]))
                    fail_msg("set %d: the pair %d, %d depends on the order of columns", i, a, b);
        assert_true(first.info.score_after == second.info.score_after);
        dpc_graph_clear(&first.mag);
        dpc_graph_clear(&second.mag);
        free(other.r);
        clear_hidden(&set);
    }
    gsl_rng_free(rng);
}

static void test_threads(void **unused)
{
    (void)unused;
    int64_t kept = 0;
    for (int i = 0; i < repeats(N_THREADED); i++) {
        struct hidden_set set = draw_hidden((uint64_t)(1200 + i), 30, 3000, 0.1);
        struct question p = ask(set.correlation), q = p;
        q.settings.threads = 4;
        struct found first = search(&p), second = search(&q);
        assert_int_equal(first.mag.n_edges, second.mag.n_edges);
        assert_memory_equal(first.mag.edges, second.mag.edges,
                            (size_t)first.mag.n_edges * sizeof *first.mag.edges);
        assert_true(first.info.score_after == second.info.score_after);
        assert_int_equal(first.info.tries, second.info.tries);
        assert_int_equal(first.info.steps, second.info.steps);
        check_is_mag(&first.mag);
        kept += first.info.kept;
        dpc_graph_clear(&first.mag);
        dpc_graph_clear(&second.mag);
        clear_hidden(&set);
    }
    assert_true(kept >= share(6));
}

/* ---- What is known ---- */

static void check_known(const dpc_graph *mag, const dpc_knowledge *k)
{
    for (int a = 0; a < mag->n_nodes; a++)
        for (int b = 0; b < mag->n_nodes; b++) {
            dpc_mark mark = a != b ? dpc_graph_mark(mag, a, b) : DPC_NONE;
            if (a == b)
                continue;
            if (dpc_knowledge_requires(k, a, b))
                assert_int_equal(mark, DPC_FORWARD);
            if (dpc_knowledge_forbids(k, a, b))
                assert_int_not_equal(mark, DPC_FORWARD);
            if (dpc_knowledge_forbids(k, a, b) && dpc_knowledge_forbids(k, b, a))
                assert_int_equal(mark, DPC_NONE);
        }
}

static void test_knowledge(void **unused)
{
    (void)unused;
    gsl_rng *rng = seeded(20260203);
    int doubles = 0;
    for (int i = 0; i < repeats(N_KNOWN); i++) {
        struct hidden_set set = draw_hidden((uint64_t)(1500 + i), draw_int(rng, 5, 14), 2000, 0.2);
        int n = set.correlation->n_vars;
        dpc_knowledge *k = NULL;
        dpc_families dag = {0};
        uint64_t parents[TWIN_NODES];
        struct rules rules;
        draw_dag(rng, n, 30, &dag);
        to_bits(&dag, parents);
        k = draw_obeyed(rng, n, parents, &rules);
        struct question q = ask(set.correlation);
        q.knowledge = k;
        struct found f = search(&q);
        check_is_mag(&f.mag);
        check_known(&f.mag, k);
        for (int64_t e = 0; e < f.mag.n_edges; e++) {
            const dpc_edge *edge = &f.mag.edges[e];
            doubles +=
                edge->mark == DPC_BIDIRECTED && (dpc_knowledge_forbids(k, edge->a, edge->b) ||
                                                 dpc_knowledge_forbids(k, edge->b, edge->a));
        }
        dpc_graph_clear(&f.mag);
        dpc_families_clear(&dag);
        dpc_knowledge_free(k);
        clear_hidden(&set);
    }
    assert_true(doubles >= share(5)); /* forbidden one way, and joined by a double arrow */
    gsl_rng_free(rng);
}

/* ---- Ending ---- */

static int stop_after(const dpc_progress *progress, void *user)
{
    (void)progress;
    return --*(int *)user < 0;
}

static void test_ending(void **unused)
{
    (void)unused;
    struct hidden_set set = draw_hidden(1, 40, 3000, 0.15);
    for (int calls = 0; calls < 4; calls++) {
        struct question q = ask(set.correlation);
        int left = calls;
        dpc_time_limit limit = {.end = 1e-9};
        if (calls < 3) {
            q.settings.progress = stop_after;
            q.settings.progress_user = &left;
        } else
            q.limit = &limit;
        q.settings.threads = calls % 2 + 1;
        struct found f = search(&q);
        check_is_mag(&f.mag);
        assert_true(f.info.score_after >= f.info.score_before);
        if (calls == 0 || calls == 3)
            assert_false(f.info.complete);
        if (calls == 3)
            assert_true(limit.over);
        dpc_graph_clear(&f.mag);
    }
    clear_hidden(&set);
}

/* ---- Losses ---- */

static void test_two_nodes(void **unused)
{
    (void)unused;
    const double r[4] = {1, .3, .3, 1};
    dpc_correlation c = {.n_vars = 2, .n_obs = 1000, .r = (double *)r};
    dpc_labels labels = {0};
    dpc_view view = dpc_view_of(&c, &labels);
    dpc_edge edge = {0, 1, DPC_FORWARD};
    dpc_graph mag = {.n_nodes = 2, .n_edges = 1, .edges = &edge};
    dpc_mag_plan plan = {.price = 5, .hidden_price = 2, .memory = 1e6};
    dpc_mag_loss loss;
    assert_int_equal(dpc_mag_losses(&view, NULL, NULL, &plan, &mag, &loss, NULL), DPC_OK);
    assert_true(loss.forward == 0);
    assert_true(fabs(loss.backward) < 1e-9);
    assert_true(fabs(loss.both - 2) < 1e-9);
    assert_true(fabs(loss.none - (-500 * log(1 - .09) - 5)) < 1e-9);
}

/* No loss is more than that of the change alone; threads change none. */
static void test_losses(void **unused)
{
    (void)unused;
    int some = 0;
    for (int i = 0; i < repeats(N_LOSSES); i++) {
        struct hidden_set set = draw_hidden((uint64_t)(3000 + i), 12, 1000, 0.2);
        struct question q = ask(set.correlation);
        struct found f = search(&q);
        dpc_labels labels = {0};
        dpc_view view = dpc_view_of(set.correlation, &labels);
        dpc_mag_plan plan = {.hidden_price = -1, .memory = 1e6};
        int64_t count = f.mag.n_edges;
        dpc_mag_loss *one = calloc((size_t)count + 1, sizeof *one),
                     *other = calloc((size_t)count + 1, sizeof *other);
        dpc_settings settings;
        dpc_settings_default(&settings);
        settings.threads = 3;
        dpc_status status = dpc_mag_losses(&view, NULL, NULL, &plan, &f.mag, one, NULL);
        assert_int_equal(status, DPC_OK);
        status = dpc_mag_losses(&view, NULL, &settings, &plan, &f.mag, other, NULL);
        assert_int_equal(status, DPC_OK);
        assert_memory_equal(one, other, (size_t)count * sizeof *one);
        dpc_scoring scoring;
        dpc_stats stats = dpc_stats_of(&view);
        dpc_scoring_init(&scoring, &stats, NULL, f.info.price);
        dpc_mag_walker w;
        assert_int_equal(dpc_mag_walker_init(&w, &scoring, &f.mag, 2, 1e6), DPC_OK);
        for (int64_t e = 0; e < count; e++) {
            dpc_edge to = {f.mag.edges[e].a, f.mag.edges[e].b, DPC_NONE};
            if (dpc_mag_state_allows(&w.state, to)) {
                assert_true(one[e].none <= 1e-9 - dpc_mag_gain(&w.scorer, &w.state, to, DPC_EXACT));
                some++;
            } else
                assert_true(isnan(one[e].none));
        }
        dpc_mag_walker_clear(&w);
        free(one);
        free(other);
        dpc_graph_clear(&f.mag);
        clear_hidden(&set);
    }
    assert_true(some >= share(4 * N_LOSSES));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small),   cmocka_unit_test(test_truth),
        cmocka_unit_test(test_example), cmocka_unit_test(test_columns),
        cmocka_unit_test(test_threads), cmocka_unit_test(test_knowledge),
        cmocka_unit_test(test_ending),  cmocka_unit_test(test_two_nodes),
        cmocka_unit_test(test_losses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
