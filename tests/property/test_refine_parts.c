/*
 * The parts of refinement against their slow twins: scores, losses, hill climbing, grow–shrink
 * trees, moves in an order, order search, backward search.
 */
#include "backward.h"
#include "cases.h"
#include "climb.h"
#include "gains.h"
#include "order_search.h"
#include "repeat.h"
#include "score_twin.h"
#include "start.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    N_SCORES = 400,
    N_CLASSES = 200,
    N_CLIMBS = 150,
    N_TREES = 120,
    PREFIXES = 60,
    N_MOVES = 60,
    N_ORDERS = 400,
    N_BACKWARD = 200,
    N_TRIPS = 300
};

/* All that a part needs, over one sample. */
struct scene {
    struct sample sample;
    dpc_labels labels;
    dpc_view view;
    dpc_scoring scoring;
    dpc_crew crew;
    dpc_staff staff;
    dpc_precedence precedence;
    struct score_twin twin;
};

static struct scene *open_scene(gsl_rng *rng, int n, int64_t n_obs, double parents)
{
    struct scene *s = calloc(1, sizeof *s);
    struct sample_model model = {.n = n, .n_obs = n_obs, .parents = fmin(parents, (n - 1) / 2.0)};
    assert_non_null(s);
    s->sample = sample_draw(&model, rng);
    s->view = dpc_view_of(&s->sample.correlation, &s->labels);
    double price = draw_log(rng, 1, 10);
    dpc_scoring_init(&s->scoring, &s->view, NULL, price);
    dpc_crew_init(&s->crew, NULL, DPC_STAGE_REFINE);
    assert_int_equal(dpc_staff_init(&s->staff, &s->scoring, &s->crew, INFINITY), DPC_OK);
    assert_int_equal(dpc_precedence_init(&s->precedence, n, NULL), DPC_OK);
    s->twin = (struct score_twin){s->sample.correlation.r, n, (double)n_obs, price,
                                  s->scoring.most_parents};
    return s;
}

static void close_scene(struct scene *s)
{
    dpc_precedence_clear(&s->precedence);
    dpc_staff_clear(&s->staff);
    sample_free(&s->sample);
    free(s);
}

/* A DAG with each pair joined by a chance of so many in a hundred, along a random order. */
static void draw_dag(gsl_rng *rng, int n, int chance, dpc_families *dag)
{
    int order[n];
    for (int i = 0; i < n; i++)
        order[i] = i;
    gsl_ran_shuffle(rng, order, (size_t)n, sizeof *order);
    assert_int_equal(dpc_families_init(dag, n), DPC_OK);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            if (draw_int(rng, 1, 100) <= chance)
                assert_int_equal(dpc_families_add(dag, order[j], order[i]), DPC_OK);
}

static void to_bits(const dpc_families *dag, uint64_t *parents)
{
    for (int v = 0; v < dag->n; v++) {
        parents[v] = 0;
        for (int64_t i = 0; i < dag->pa[v].count; i++)
            parents[v] |= UINT64_C(1) << dag->pa[v].node[i];
    }
}

static void from_bits(const uint64_t *parents, dpc_families *dag)
{
    dpc_families_empty(dag);
    for (int v = 0; v < dag->n; v++)
        for (int u = 0; u < dag->n; u++)
            if (parents[v] >> u & 1)
                assert_int_equal(dpc_families_add(dag, u, v), DPC_OK);
}

static double score_of(struct scene *s, const dpc_families *dag)
{
    double score;
    assert_int_equal(dpc_dag_score(&s->staff.hands[0], dag, &score), DPC_OK);
    return score;
}

static bool near_enough(double a, double b)
{
    return fabs(a - b) <= 1e-6 * (1 + fabs(a));
}

/* ---- Scores and losses ---- */

/* What each parent loses, and again after one was dropped. */
static void check_losses(struct scene *s, int v, uint64_t set)
{
    dpc_hand *h = &s->staff.hands[0];
    assert_int_equal(dpc_hand_squares(h), DPC_OK);
    for (;;) {
        double whole = twin_family(&s->twin, v, set);
        for (int i = 0; i < h->size; i++) {
            double without = twin_family(&s->twin, v, set & ~(UINT64_C(1) << h->firm[i]));
            double loss = whole - without + s->scoring.price;
            double found = dpc_likelihood_of(&s->scoring, h->square[i]);
            if (!near_enough(loss, found))
                fail_msg("parent %d of %d loses %.9g, not %.9g", h->firm[i], v, loss, found);
        }
        if (h->size == 0)
            return;
        set &= ~(UINT64_C(1) << h->firm[h->size / 2]);
        dpc_hand_drop(h, h->size / 2);
    }
}

static void test_scores(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20261101);
    for (int number = 0; number < repeats(N_SCORES); number++) {
        int n = draw_int(rng, 2, 30);
        struct scene *s = open_scene(rng, n, draw_int(rng, 60, 500), 3);
        dpc_hand *h = &s->staff.hands[0];
        int v = draw_int(rng, 0, n - 1), count = 0;
        int32_t parents[TWIN_NODES];
        uint64_t set = 0;
        for (int u = 0; u < n; u++)
            if (u != v && draw_int(rng, 0, 2) == 0) {
                parents[count++] = u;
                set |= UINT64_C(1) << u;
            }
        assert_int_equal(dpc_hand_family(h, v, parents, count, number % 2 == 0), DPC_OK);
        double wanted = twin_family(&s->twin, v, set), found = dpc_hand_score(h, count);
        if (!near_enough(wanted, found))
            fail_msg("%d with %d parents scores %.9g, not %.9g", v, count, found, wanted);
        for (int u = 0; u < n && number % 2 == 0; u++) {
            double square = dpc_hand_square(h, u);
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

/* What the best single step from a DAG gains, by the twin. */
static double best_step(const struct score_twin *t, uint64_t *parents)
{
    double best = -INFINITY;
    for (int v = 0; v < t->n; v++)
        for (int u = 0; u < t->n; u++) {
            uint64_t bit = UINT64_C(1) << u, old_u = parents[u], old_v = parents[v];
            if (u == v || (parents[u] >> v & 1))
                continue;
            double now = twin_family(t, v, old_v), now_u = twin_family(t, u, old_u);
            best = fmax(best, (old_v & bit) != 0 || !twin_leads(parents, v, u)
                                  ? twin_family(t, v, old_v ^ bit) - now
                                  : -INFINITY);
            if ((old_v & bit) == 0)
                continue;
            parents[v] = old_v & ~bit;
            if (!twin_leads(parents, u, v))
                best = fmax(best, twin_family(t, v, parents[v]) - now +
                                      twin_family(t, u, old_u | UINT64_C(1) << v) - now_u);
            parents[v] = old_v;
        }
    return best;
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
        assert_int_equal(dpc_climb(&s->staff, &dag), DPC_OK);
        to_bits(&dag, parents);
        for (int v = 0; v < n; v++)
            assert_false(twin_leads(parents, v, v));
        assert_true(score_of(s, &dag) >= before - 1e-6);
        if (best_step(&s->twin, parents) > 1e-6)
            fail_msg("case %d: a step would gain %g", number, best_step(&s->twin, parents));
        dpc_families_clear(&dag);
        close_scene(s);
    }
    gsl_rng_free(rng);
}

/* ---- Trees ---- */

static uint64_t walked_parents(dpc_walker *walker, int v)
{
    int32_t parents[TWIN_NODES];
    uint64_t set = 0;
    int count = dpc_walk_parents(walker, v, parents);
    for (int i = 0; i < count; i++)
        set |= UINT64_C(1) << parents[i];
    return set;
}

static void test_trees(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20261105);
    for (int number = 0; number < repeats(N_TREES); number++) {
        int n = draw_int(rng, 2, 24);
        struct scene *s = open_scene(rng, n, draw_int(rng, 80, 1000), 3);
        dpc_trees trees;
        dpc_walker walker;
        int32_t place[TWIN_NODES];
        double budget = number % 3 == 0 ? 0 : number % 3 == 1 ? 20000 : INFINITY;
        assert_int_equal(dpc_trees_init(&trees, &s->scoring, &s->precedence, NULL, budget), DPC_OK);
        assert_int_equal(dpc_walker_init(&walker, &trees, &s->staff.hands[0]), DPC_OK);
        for (int i = 0; i < PREFIXES; i++) {
            int v = draw_int(rng, 0, n - 1), limit = draw_int(rng, 0, n);
            uint64_t before = 0;
            for (int u = 0; u < n; u++) {
                place[u] = draw_int(rng, 0, n - 1);
                before |= u != v && place[u] < limit ? UINT64_C(1) << u : 0;
            }
            double score = dpc_walk(&walker, v, (dpc_before){place, limit, v, false});
            uint64_t wanted = twin_grow_shrink(&s->twin, v, before);
            if (walked_parents(&walker, v) != wanted)
                fail_msg("case %d: other parents of %d", number, v);
            assert_true(near_enough(score, twin_family(&s->twin, v, wanted)));
        }
        if (budget == 20000 && dpc_trees_full(&trees))
            dpc_trees_forget(&trees);
        dpc_walker_clear(&walker);
        dpc_trees_clear(&trees);
        close_scene(s);
    }
    gsl_rng_free(rng);
}

/* ---- Orders ---- */

static double slow_order_score(const struct score_twin *t, const int *order)
{
    uint64_t before = 0;
    double sum = 0;
    for (int i = 0; i < t->n; i++) {
        sum += twin_family(t, order[i], twin_grow_shrink(t, order[i], before));
        before |= UINT64_C(1) << order[i];
    }
    return sum;
}

/* The best score that moving v alone can have. */
static double best_move(const struct score_twin *t, const int32_t *order, int v)
{
    double best = -INFINITY;
    for (int to = 0; to < t->n; to++) {
        int moved[TWIN_NODES], count = 0;
        for (int i = 0; i < t->n; i++)
            if (order[i] != v)
                moved[count++] = order[i];
        memmove(moved + to + 1, moved + to, (size_t)(count - to) * sizeof *moved);
        moved[to] = v;
        best = fmax(best, slow_order_score(t, moved));
    }
    return best;
}

static void test_moves(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20261106);
    for (int number = 0; number < repeats(N_MOVES); number++) {
        int n = draw_int(rng, 2, 10);
        struct scene *s = open_scene(rng, n, draw_int(rng, 80, 1000), 2);
        dpc_trees trees;
        dpc_walker walker;
        dpc_ordering o;
        int32_t order[TWIN_NODES];
        for (int i = 0; i < n; i++)
            order[i] = i;
        gsl_ran_shuffle(rng, order, (size_t)n, sizeof *order);
        assert_int_equal(dpc_trees_init(&trees, &s->scoring, &s->precedence, NULL, 1e9), DPC_OK);
        assert_int_equal(dpc_walker_init(&walker, &trees, &s->staff.hands[0]), DPC_OK);
        assert_int_equal(dpc_ordering_init(&o, n), DPC_OK);
        dpc_ordering_take(&o, &walker, order);
        for (int i = 0; i < 6; i++) {
            int v = draw_int(rng, 0, n - 1);
            double wanted = best_move(&s->twin, o.order, v);
            dpc_ordering_move(&o, &walker, v);
            if (!near_enough(wanted, dpc_ordering_score(&o)))
                fail_msg("case %d: moved to %.9g, and %.9g is to be had", number,
                         dpc_ordering_score(&o), wanted);
        }
        dpc_ordering_clear(&o);
        dpc_walker_clear(&walker);
        dpc_trees_clear(&trees);
        close_scene(s);
    }
    gsl_rng_free(rng);
}

/* How often the search reaches the best of all orders, in a hundred. */
static double share_reached(uint64_t seed, int restarts)
{
    gsl_rng *rng = seeded(seed);
    int reached = 0, all = repeats(N_ORDERS);
    for (int number = 0; number < all; number++) {
        int n = draw_int(rng, 2, TWIN_BRUTE);
        struct scene *s = open_scene(rng, n, draw_int(rng, 100, 2000), 2);
        dpc_searching searching = {.staff = &s->staff,
                                   .precedence = &s->precedence,
                                   .seed = (uint64_t)number,
                                   .budget = INFINITY,
                                   .restarts = restarts};
        dpc_families dag;
        draw_dag(rng, n, 30, &dag);
        assert_int_equal(dpc_search_all(&searching, &dag), DPC_OK);
        double best = twin_best_order(&s->twin), found = score_of(s, &dag);
        if (found > best + 1e-6 * (1 + fabs(best)))
            fail_msg("case %d: %.9g is above the best, %.9g", number, found, best);
        reached += near_enough(found, best);
        dpc_families_clear(&dag);
        close_scene(s);
    }
    gsl_rng_free(rng);
    return 100.0 * reached / all;
}

static void test_orders(void **state)
{
    (void)state;
    double without = share_reached(20261107, 0), with = share_reached(20261108, 5);
    if (without < 95 || with < 99)
        fail_msg("%.1f %% reach the best, and %.1f %% with restarts", without, with);
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
    for (int v = 0; v < c->twin->n; v++)
        for (int u = 0; u < c->twin->n; u++)
            if (parents[v] >> u & 1)
                c->gain = fmax(c->gain, twin_family(c->twin, v, parents[v] & ~(UINT64_C(1) << u)) -
                                            twin_family(c->twin, v, parents[v]));
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
        assert_int_equal(dpc_backward(&s->staff, &dag), DPC_OK);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scores),   cmocka_unit_test(test_equivalence),
        cmocka_unit_test(test_climbing), cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_trees),    cmocka_unit_test(test_moves),
        cmocka_unit_test(test_orders),   cmocka_unit_test(test_backward),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
