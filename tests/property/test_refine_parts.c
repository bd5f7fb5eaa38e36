/*
 * The parts of refinement against their slow twins: scores, losses, hill climbing, backward search.
 * (Orders are in test_refine_orders.c.)
 */
#include "backward.h"
#include "candidate_parents.h"
#include "climb.h"
#include "refine.h"
#include "repeat.h"
#include "scene.h"
#include "start.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N_SCORES = 400, N_CLASSES = 200, N_CLIMBS = 150, N_BACKWARD = 200, N_TRIPS = 300 };

/* ---- Scores and losses ---- */

/* What each parent loses, and again after one was dropped. */
static void check_losses(struct scene *s, int v, uint64_t set)
{
    dpc_scorer *h = &s->workers.each[0];
    assert_int_equal(dpc_scorer_squares(h), DPC_OK);
    for (;;) {
        double whole = twin_family(&s->twin, v, set);
        for (int i = 0; i < h->size; i++) {
            double without = twin_family(&s->twin, v, set & ~(UINT64_C(1) << h->parent[i]));
            double loss = whole - without + s->scoring.price;
            double found = dpc_likelihood_of(&s->scoring, h->square[i]);
            if (!near_enough(loss, found))
                fail_msg("parent %d of %d loses %.9g, not %.9g", h->parent[i], v, loss, found);
        }
        if (h->size == 0)
            return;
        set &= ~(UINT64_C(1) << h->parent[h->size / 2]);
        dpc_scorer_drop(h, h->size / 2);
    }
}

static void test_scores(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20261101);
    for (int number = 0; number < repeats(N_SCORES); number++) {
        int n = draw_int(rng, 2, 30);
        struct scene *s = open_scene(rng, n, draw_int(rng, 60, 500), 3);
        dpc_scorer *h = &s->workers.each[0];
        int v = draw_int(rng, 0, n - 1), count = 0;
        int32_t parents[TWIN_NODES];
        uint64_t set = 0;
        for (int u = 0; u < n; u++)
            if (u != v && draw_int(rng, 0, 2) == 0) {
                parents[count++] = u;
                set |= UINT64_C(1) << u;
            }
        bool all = number % 2 == 0;
        const dpc_relatives relatives = {.node = parents, .count = count}, none = {0};
        assert_int_equal(all ? dpc_candidate_parents(h, v, &relatives, &none)
                             : dpc_family_of(&h->family, v, parents, count),
                         DPC_OK);
        double wanted = twin_family(&s->twin, v, set), found = dpc_scorer_score(h, count);
        if (!near_enough(wanted, found))
            fail_msg("%d with %d parents scores %.9g, not %.9g", v, count, found, wanted);
        for (int u = 0; u < n && all; u++) {
            double square = dpc_family_square(&h->family, u);
            if (u == v || (set >> u & 1))
                continue;
            double gain = twin_family(&s->twin, v, set | UINT64_C(1) << u) - wanted;
            assert_true(
                near_enough(gain + s->scoring.price, dpc_likelihood_of(&s->scoring, square)));
        }
        check_losses(s, v, set);
        close_scene(s);
    }
    gsl_rng_free(rng);
}

struct same_score {
    struct scene *scene;
    dpc_families *dag;
    double score;
};

static void check_same_score(void *context, const uint64_t *parents)
{
    struct same_score *c = context;
    from_bits(parents, c->dag);
    if (!near_enough(score_of(c->scene, c->dag), c->score))
        fail_msg("a DAG of the class scores %.9g, not %.9g", score_of(c->scene, c->dag), c->score);
}

static void test_equivalence(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20261102);
    int members = 0;
    for (int number = 0; number < repeats(N_CLASSES); number++) {
        int n = draw_int(rng, 2, 8);
        struct scene *s = open_scene(rng, n, draw_int(rng, 30, 500), 2);
        dpc_families dag;
        uint64_t parents[TWIN_NODES];
        draw_dag(rng, n, draw_int(rng, 10, 90), &dag);
        to_bits(&dag, parents);
        struct same_score c = {s, &dag, score_of(s, &dag)};
        assert_true(near_enough(c.score, twin_score(&s->twin, parents)));
        members += twin_members(n, parents, 100, check_same_score, &c);
        dpc_families_clear(&dag);
        close_scene(s);
    }
    assert_true(members >= share(2 * N_CLASSES));
    gsl_rng_free(rng);
}

static void test_round_trips(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20261103);
    for (int number = 0; number < repeats(N_TRIPS); number++) {
        int n = draw_int(rng, 1, 40);
        dpc_families dag, again;
        dpc_precedence none;
        dpc_graph class = {0}, class_again = {0};
        draw_dag(rng, n, draw_int(rng, 1, 60), &dag);
        assert_int_equal(dpc_families_init(&again, n), DPC_OK);
        assert_int_equal(dpc_precedence_init(&none, n, NULL), DPC_OK);
        assert_int_equal(dpc_families_class(&dag, &class, NULL), DPC_OK);
        assert_int_equal(dpc_start_from(&class, &none, &again, NULL), DPC_OK);
        assert_int_equal(dpc_families_class(&again, &class_again, NULL), DPC_OK);
        assert_int_equal(class.n_edges, class_again.n_edges);
        for (int64_t e = 0; e < class.n_edges; e++)
            assert_memory_equal(&class.edges[e], &class_again.edges[e], sizeof *class.edges);
        dpc_graph_clear(&class);
        dpc_graph_clear(&class_again);
        dpc_precedence_clear(&none);
        dpc_families_clear(&dag);
        dpc_families_clear(&again);
    }
    gsl_rng_free(rng);
}

/* ---- Hill climbing ---- */

/* By the best step each time, as long as one gains something; swaps where nothing else does. */
static void slow_climb(const struct score_twin *t, const struct rules *rules, uint64_t *parents)
{
    for (;;) {
        struct twin_step best = twin_best_step(t, rules, TWIN_SINGLE, parents);
        if (!(best.gain > 1e-7))
            best = twin_best_step(t, rules, TWIN_SWAP, parents);
        if (!(best.gain > 1e-7))
            return;
        twin_take(&best, parents);
    }
}

static void test_climbing(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20261104);
    for (int number = 0; number < repeats(N_CLIMBS); number++) {
        int n = draw_int(rng, 2, 16);
        struct scene *s = open_scene(rng, n, draw_int(rng, 60, 1000), 2);
        dpc_families dag;
        uint64_t parents[TWIN_NODES];
        draw_dag(rng, n, draw_int(rng, 0, 40), &dag);
        double before = score_of(s, &dag);
        assert_int_equal(dpc_climb(&s->workers, &dag), DPC_OK);
        to_bits(&dag, parents);
        for (int v = 0; v < n; v++)
            assert_false(twin_leads(parents, v, v));
        assert_true(score_of(s, &dag) >= before - 1e-6);
        struct twin_step best = twin_best_step(&s->twin, NULL, TWIN_SINGLE, parents);
        if (best.gain > 1e-6)
            fail_msg("case %d: %s", number, twin_words(&best));
        dpc_families_clear(&dag);
        close_scene(s);
    }
    gsl_rng_free(rng);
}

/* Step by step where the twin goes, with knowledge and without. */
static void test_climbing_with_swaps(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20261119);
    int further = 0;
    for (int number = 0; number < repeats(N_CLIMBS); number++) {
        int n = draw_int(rng, 2, 16);
        struct scene *s = open_scene(rng, n, draw_int(rng, 20, 1000), 3);
        dpc_families dag;
        struct rules rules;
        uint64_t parents[TWIN_NODES], slow[TWIN_NODES], single[TWIN_NODES];
        draw_dag(rng, n, draw_int(rng, 0, 20), &dag);
        to_bits(&dag, parents);
        if (number % 3 == 0)
            know_about(rng, s, &dag, &rules);
        memcpy(slow, parents, sizeof slow);
        slow_climb(&s->twin, number % 3 == 0 ? &rules : NULL, slow);
        assert_int_equal(dpc_climb(&s->workers, &dag), DPC_OK);
        to_bits(&dag, single);
        from_bits(parents, &dag);
        assert_int_equal(dpc_climb_with_swaps(&s->workers, &dag), DPC_OK);
        to_bits(&dag, parents);
        if (memcmp(parents, slow, (size_t)n * sizeof *slow) != 0)
            fail_msg("case %d: the score is %.9g, that of the twin %.9g", number, score_of(s, &dag),
                     twin_score(&s->twin, slow));
        further += memcmp(parents, single, (size_t)n * sizeof *single) != 0;
        dpc_families_clear(&dag);
        close_scene(s);
    }
    assert_true(further >= share(N_CLIMBS / 10));
    gsl_rng_free(rng);
}

/* ---- Backward search ---- */

struct improvable {
    const struct score_twin *twin;
    double gain;
};

/* The best deletion of an edge of a DAG. */
static void best_deletion(void *context, const uint64_t *parents)
{
    struct improvable *c = context;
    c->gain = fmax(c->gain, twin_best_step(c->twin, NULL, TWIN_DELETE, parents).gain);
}

static void test_backward(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20261109);
    int fewer = 0;
    for (int number = 0; number < repeats(N_BACKWARD); number++) {
        int n = draw_int(rng, 2, 7);
        struct scene *s = open_scene(rng, n, draw_int(rng, 50, 1000), 2);
        dpc_families dag;
        uint64_t parents[TWIN_NODES];
        draw_dag(rng, n, draw_int(rng, 20, 100), &dag);
        double before = score_of(s, &dag);
        int64_t edges = dpc_families_edges(&dag);
        assert_int_equal(dpc_backward(&s->workers, &dag), DPC_OK);
        assert_true(score_of(s, &dag) >= before - 1e-6);
        fewer += dpc_families_edges(&dag) < edges;
        to_bits(&dag, parents);
        struct improvable c = {&s->twin, -INFINITY};
        twin_members(n, parents, 1000, best_deletion, &c);
        if (c.gain > 1e-6)
            fail_msg("case %d: a deletion in the class would gain %g", number, c.gain);
        dpc_families_clear(&dag);
        close_scene(s);
    }
    assert_true(fewer >= share(N_BACKWARD / 4));
    gsl_rng_free(rng);
}

struct knowing {
    struct improvable best;
    const struct rules *rules;
};

/* The best deletion of an edge of a DAG whose class has a member that obeys. */
static void best_obedient_deletion(void *context, const uint64_t *parents)
{
    struct knowing *k = context;
    struct twin_step best = twin_best_class_step(k->best.twin, k->rules, TWIN_DELETE, parents);
    k->best.gain = fmax(k->best.gain, best.gain);
}

/* With knowledge: the DAG obeys it, its score has not fallen, and no deletion that leads to a class
 * within the knowledge would raise it. */
static void test_backward_with_knowledge(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20261118);
    int fewer = 0;
    for (int number = 0; number < repeats(2 * N_BACKWARD); number++) {
        int n = draw_int(rng, 3, 7);
        struct scene *s = open_scene(rng, n, draw_int(rng, 50, 1000), 2);
        dpc_families dag;
        struct rules rules;
        uint64_t parents[TWIN_NODES];
        draw_dag(rng, n, draw_int(rng, 20, 100), &dag);
        know_about(rng, s, &dag, &rules);
        double before = score_of(s, &dag);
        int64_t edges = dpc_families_edges(&dag);
        assert_int_equal(dpc_backward(&s->workers, &dag), DPC_OK);
        fewer += dpc_families_edges(&dag) < edges;
        to_bits(&dag, parents);
        if (!within_rules(&rules, n, parents))
            fail_msg("case %d: the DAG does not obey the knowledge", number);
        if (score_of(s, &dag) < before - 1e-6)
            fail_msg("case %d: the score has fallen from %g to %g", number, before,
                     score_of(s, &dag));
        struct knowing best = {{&s->twin, -INFINITY}, &rules};
        twin_members(n, parents, 1000, best_obedient_deletion, &best);
        if (best.best.gain > 1e-6)
            fail_msg("case %d: a deletion would gain %g", number, best.best.gain);
        dpc_families_clear(&dag);
        close_scene(s);
    }
    assert_true(fewer >= share(N_BACKWARD / 4));
    gsl_rng_free(rng);
}

/* ---- Time ---- */

/* A time that is over at once leaves the first graph, and says so; one that is long changes
 * nothing. */
static void test_timeout(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20261110);
    struct sample_model model = {.n = 30, .n_obs = 500, .parents = 2};
    struct sample sample = sample_draw(&model, rng);
    dpc_settings settings;
    dpc_settings_default(&settings);
    settings.refine = DPC_REFINE_FULL;
    for (int i = 0; i < 3; i++) {
        static const double TIMEOUTS[] = {DPC_NO_TIMEOUT, 1e-9, 1000};
        dpc_result *result = NULL;
        settings.timeout = TIMEOUTS[i];
        assert_int_equal(dpc_learn(&sample.correlation, &settings, &result, NULL), DPC_OK);
        const dpc_refined *refined = dpc_result_info(result)->refined;
        assert_int_equal(refined->complete, i != 1);
        assert_int_equal(refined->n_changes == 0, i == 1);
        dpc_result_free(result);
    }
    sample_free(&sample);
    gsl_rng_free(rng);
}

/* ---- Failures ---- */

/* A start that is no graph is refused as such; that is not a lack of memory. */
static void test_refuses_start(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20261107);
    struct scene *s = open_scene(rng, 6, 100, 1);
    dpc_edge edges[2] = {{0, 1, DPC_FORWARD}, {0, 1, DPC_BACKWARD}}, outside = {2, 6, DPC_FORWARD};
    const dpc_graph starts[2] = {{.n_nodes = 6, .edges = edges, .n_edges = 2},
                                 {.n_nodes = 6, .edges = &outside, .n_edges = 1}};
    dpc_refine_plan plan = {.memory = INFINITY, .seed = 1};
    dpc_settings settings;
    dpc_settings_default(&settings);
    for (int i = 0; i < 2; i++) {
        dpc_graph graph = {0};
        dpc_refined refined = {0};
        dpc_error err = {0};
        assert_int_equal(
            dpc_refine(&s->view, NULL, &settings, &plan, &starts[i], &graph, &refined, &err),
            DPC_USAGE);
        assert_int_equal(err.code, DPC_USAGE);
        assert_non_null(strstr(err.message, "edge"));
        assert_null(graph.edges);
        assert_null(refined.changes);
    }
    close_scene(s);
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refuses_start),
        cmocka_unit_test(test_scores),
        cmocka_unit_test(test_equivalence),
        cmocka_unit_test(test_climbing),
        cmocka_unit_test(test_climbing_with_swaps),
        cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_backward),
        cmocka_unit_test(test_backward_with_knowledge),
        cmocka_unit_test(test_timeout),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
