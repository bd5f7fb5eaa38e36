/*
 * The score of maximal ancestral graphs, and the graphs that are changed edge by edge.
 *
 * The likelihood is the largest that a general optimiser finds over all parameters at once. Graphs
 * of one Markov equivalence class score the same, a DAG scores as in refinement, and a graph of all
 * edges scores what R allows. Ancestors that follow each change are those found anew, a change is
 * refused where the graph would be no MAG by definition, and the gain of a change is the difference
 * of two scores found anew.
 */
#include "mag_moves.h"
#include "mag_twin.h"
#include "repeat.h"
#include "scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N_FITS = 600, N_CLASSES = 200, N_DAGS = 300, N_FULL = 300, N_WALKS = 60, N_STEPS = 60 };

static struct scene *draw_scene(gsl_rng *rng, int n)
{
    return open_scene(rng, n, (int64_t)draw_log(rng, 60, 2000), 2);
}

/* The score without any price, from a scorer of its own. */
static double likelihood_of(struct scene *s, const struct marks *mag, double *score,
                            double hidden_price)
{
    dpc_graph graph = marks_graph(mag);
    dpc_mag_state state;
    dpc_mag_scorer scorer;
    assert_int_equal(dpc_mag_state_init(&state, &graph), DPC_OK);
    assert_int_equal(dpc_mag_scorer_init(&scorer, &s->scoring, hidden_price, 1e6), DPC_OK);
    *score = dpc_mag_score(&scorer, &state);
    double prices =
        s->scoring.price * (double)state.edges + hidden_price * (double)state.double_arrows;
    dpc_mag_scorer_clear(&scorer);
    dpc_mag_state_clear(&state);
    dpc_graph_clear(&graph);
    return *score + prices;
}

static int count_doubles(const struct marks *mag)
{
    int count = 0;
    for (int i = 0; i < mag->n; i++)
        for (int j = 0; j < i; j++)
            count += mag->m[i][j] == DPC_END_ARROW && mag->m[j][i] == DPC_END_ARROW;
    return count;
}

/* How far a likelihood is below the best that the optimiser finds. */
static double shortfall(struct scene *s, const struct marks *mag)
{
    double score, found = likelihood_of(s, mag, &score, 2);
    double twin = twin_likelihood(mag, s->sample.correlation.r, s->scoring.n_obs, found - 2e-5);
    double most = twin_saturated(s->sample.correlation.r, mag->n, s->scoring.n_obs);
    if (!(found < most + 2e-5))
        fail_msg("%.9g is more than there is, %.9g: %s", found, most, marks_text(mag));
    return twin - found;
}

static void test_likelihood(void **unused)
{
    (void)unused;
    gsl_rng *rng = seeded(20260101);
    int with_doubles = 0;
    for (int i = 0; i < repeats(N_FITS); i++) {
        int n = draw_int(rng, 2, 6);
        struct scene *s = draw_scene(rng, n);
        struct marks mag = draw_mixed_mag(rng, n, draw_int(rng, 30, 80), 0.6);
        draw_mag_sample(rng, &mag, (int)s->scoring.n_obs, s->sample.correlation.r);
        double below = shortfall(s, &mag);
        if (!(fabs(below) < 2e-5))
            fail_msg("graph %d is %g below the best: %s", i, below, marks_text(&mag));
        with_doubles += count_doubles(&mag) > 1;
        close_scene(s);
    }
    assert_true(with_doubles >= share(100));
    gsl_rng_free(rng);
}

/* On data of other graphs there are several maxima now and then, and either may miss the best. */
static void test_foreign_data(void **unused)
{
    (void)unused;
    gsl_rng *rng = seeded(20260107);
    int others = 0;
    for (int i = 0; i < repeats(N_FITS); i++) {
        int n = draw_int(rng, 2, 6);
        struct scene *s = draw_scene(rng, n);
        struct marks mag = draw_mixed_mag(rng, n, draw_int(rng, 30, 80), 0.6);
        others += fabs(shortfall(s, &mag)) > 2e-5;
        close_scene(s);
    }
    assert_true(others <= N_FITS / 50);
    gsl_rng_free(rng);
}

struct class_walk {
    struct scene *scene;
    double first;
    int members;
};

static void visit_member(void *context, const struct marks *mag)
{
    struct class_walk *c = context;
    double score, found = likelihood_of(c->scene, mag, &score, 0);
    if (c->members++ == 0)
        c->first = found;
    if (!(fabs(found - c->first) < 1e-6))
        fail_msg("member %d of a class: %.10g and not %.10g: %s", c->members, found, c->first,
                 marks_text(mag));
}

static void test_classes(void **unused)
{
    (void)unused;
    gsl_rng *rng = seeded(20260102);
    int members = 0;
    for (int i = 0; i < repeats(N_CLASSES); i++) {
        int n = draw_int(rng, 3, 5);
        struct class_walk c = {.scene = draw_scene(rng, n)};
        struct marks mag = draw_mixed_mag(rng, n, draw_int(rng, 40, 70), 0.5);
        mags_equivalent(&mag, false, visit_member, &c);
        members += c.members;
        close_scene(c.scene);
    }
    assert_true(members >= share(5 * N_CLASSES));
    gsl_rng_free(rng);
}

static void test_dags(void **unused)
{
    (void)unused;
    gsl_rng *rng = seeded(20260103);
    for (int i = 0; i < repeats(N_DAGS); i++) {
        int n = draw_int(rng, 1, 8);
        struct scene *s = draw_scene(rng, n);
        struct marks mag = draw_mixed_mag(rng, n, draw_int(rng, 0, 100), 0);
        uint64_t parents[TWIN_NODES] = {0};
        for (int v = 0; v < n; v++)
            for (int u = 0; u < n; u++)
                parents[v] |= (uint64_t)(mag.m[u][v] == DPC_END_ARROW) << u;
        double score;
        likelihood_of(s, &mag, &score, 2);
        assert_true(near_enough(score, twin_score(&s->twin, parents)));
        close_scene(s);
    }
    gsl_rng_free(rng);
}

static void test_full(void **unused)
{
    (void)unused;
    gsl_rng *rng = seeded(20260104);
    for (int i = 0; i < repeats(N_FULL); i++) {
        int n = draw_int(rng, 2, 8);
        struct scene *s = draw_scene(rng, n);
        struct marks mag = draw_mixed_mag(rng, n, 100, gsl_rng_uniform(rng));
        double score, found = likelihood_of(s, &mag, &score, 2);
        double most = twin_saturated(s->sample.correlation.r, n, s->scoring.n_obs);
        if (!(fabs(found - most) < 1e-6 * fmax(1, fabs(most) * 1e-3)))
            fail_msg("graph %d: %.10g and not %.10g: %s", i, found, most, marks_text(&mag));
        close_scene(s);
    }
    gsl_rng_free(rng);
}

/* ---- Bounds ---- */

/* No district has more than its bound. */
static void test_bounds(void **unused)
{
    (void)unused;
    gsl_rng *rng = seeded(20260108);
    int above = 0, fitted = 0;
    for (int i = 0; i < repeats(N_FITS); i++) {
        int n = draw_int(rng, 2, 8);
        struct scene *s = draw_scene(rng, n);
        struct marks mag = draw_mixed_mag(rng, n, draw_int(rng, 30, 80), 0.6);
        dpc_graph graph = marks_graph(&mag);
        dpc_mag_walker w;
        assert_int_equal(dpc_mag_walker_init(&w, &s->scoring, &graph, 2, 1e6), DPC_OK);
        for (int v = 0; v < n; v++) {
            dpc_mag_state_district(&w.state, v, w.within);
            double most = dpc_mag_fit_district(&w.scorer, &w.state, w.within, DPC_BOUND);
            double exact = dpc_mag_fit_district(&w.scorer, &w.state, w.within, DPC_EXACT);
            if (!(most > exact - 1e-6))
                fail_msg("%.9g is above its bound %.9g: %s", exact, most, marks_text(&mag));
            above += most > exact + 1;
            fitted += most > exact + 1e-9;
        }
        dpc_mag_walker_clear(&w);
        dpc_graph_clear(&graph);
        close_scene(s);
    }
    assert_true(fitted >= share(100) && above < fitted); /* some are tight, but for rounding */
    gsl_rng_free(rng);
}

/* ---- Changes ---- */

static void check_state(const dpc_mag_state *s)
{
    dpc_graph graph = {0};
    dpc_mag_state fresh;
    assert_int_equal(dpc_mag_graph(&s->mag, &graph), DPC_OK);
    assert_int_equal(dpc_mag_state_init(&fresh, &graph), DPC_OK);
    size_t bytes = (size_t)(s->mag.n * s->mag.words) * sizeof(uint64_t);
    assert_memory_equal(s->mag.ancestors, fresh.mag.ancestors, bytes);
    assert_memory_equal(s->descendants, fresh.descendants, bytes);
    assert_memory_equal(s->key, fresh.key, (size_t)s->mag.n * sizeof *s->key);
    assert_int_equal(s->edges, fresh.edges);
    assert_int_equal(s->double_arrows, fresh.double_arrows);
    dpc_mag_state_clear(&fresh);
    dpc_graph_clear(&graph);
}

/* One change of one pair, or of a few. */
static bool try_change(gsl_rng *rng, dpc_mag_state *state)
{
    static const dpc_mark MARKS[] = {DPC_NONE, DPC_FORWARD, DPC_BACKWARD, DPC_BIDIRECTED};
    dpc_edge changes[3];
    int n = state->mag.n, count = 0, wanted = draw_int(rng, 0, 3) == 0 ? draw_int(rng, 2, 3) : 1;
    dpc_graph graph = {0};
    assert_int_equal(dpc_mag_graph(&state->mag, &graph), DPC_OK);
    struct marks before = marks_of(&graph), after = before;
    dpc_graph_clear(&graph);
    while (count < wanted) {
        int a = draw_int(rng, 0, n - 2), b = draw_int(rng, a + 1, n - 1);
        bool again = false;
        for (int i = 0; i < count; i++)
            again = again || (changes[i].a == a && changes[i].b == b);
        if (again)
            break;
        dpc_mark mark = MARKS[draw_int(rng, 0, 3)];
        after.m[a][b] = (uint8_t)dpc_end_b(mark);
        after.m[b][a] = (uint8_t)dpc_end_a(mark);
        changes[count++] = (dpc_edge){a, b, mark};
    }
    bool expected = mag_is_ancestral(&after) && mag_is_maximal(&after);
    if (count == 1)
        assert_int_equal(dpc_mag_state_allows(state, changes[0]), expected);
    if (dpc_mag_state_change(state, changes, count) != expected)
        fail_msg("%s should be%s a MAG", marks_text(&after), expected ? "" : " no");
    assert_int_equal(dpc_mag_graph(&state->mag, &graph), DPC_OK);
    struct marks now = marks_of(&graph);
    assert_true(marks_same(&now, expected ? &after : &before));
    dpc_graph_clear(&graph);
    return expected;
}

static void test_changes(void **unused)
{
    (void)unused;
    gsl_rng *rng = seeded(20260105);
    int made = 0, refused = 0;
    for (int i = 0; i < repeats(N_WALKS); i++) {
        struct marks mag = draw_mixed_mag(rng, draw_int(rng, 3, 6), 40, 0.5);
        dpc_graph graph = marks_graph(&mag);
        dpc_mag_state state;
        assert_int_equal(dpc_mag_state_init(&state, &graph), DPC_OK);
        for (int j = 0; j < N_STEPS; j++) {
            bool done = try_change(rng, &state);
            made += done;
            refused += !done;
            check_state(&state);
        }
        dpc_mag_state_clear(&state);
        dpc_graph_clear(&graph);
    }
    assert_true(made >= share(500) && refused >= share(500));
    gsl_rng_free(rng);
}

/* ---- Gains ---- */

/* The score of the state's graph, with nothing kept. */
static double score_anew(struct scene *s, const dpc_mag_state *state, double hidden_price)
{
    dpc_mag_scorer scorer;
    assert_int_equal(dpc_mag_scorer_init(&scorer, &s->scoring, hidden_price, 1e6), DPC_OK);
    double score = dpc_mag_score(&scorer, state);
    dpc_mag_scorer_clear(&scorer);
    return score;
}

/* No change of one pair leads to a MAG that scores more. */
static void check_settled(struct scene *s, dpc_mag_walker *w, double score)
{
    static const dpc_mark MARKS[] = {DPC_NONE, DPC_FORWARD, DPC_BACKWARD, DPC_BIDIRECTED};
    int n = w->state.mag.n;
    for (int a = 0; a < n; a++)
        for (int b = a + 1; b < n; b++)
            for (int i = 0; i < 4; i++) {
                dpc_edge to = {a, b, MARKS[i]};
                dpc_mark old = dpc_mag_state_mark(&w->state, a, b);
                double gain = dpc_mag_gain(&w->scorer, &w->state, to, DPC_EXACT);
                dpc_mag_state_mark_only(&w->state, a, b, MARKS[i]);
                double anew = score_anew(s, &w->state, 2) - score;
                dpc_mag_state_mark_only(&w->state, a, b, old);
                if (isfinite(anew) && !(fabs(gain - anew) < 1e-6))
                    fail_msg("a gain of %.9g is %.9g", gain, anew);
                if (gain > 2 * DPC_LEAST_MAG_GAIN && dpc_mag_state_allows(&w->state, to))
                    fail_msg("%d, %d: mark %d would gain %g", a, b, (int)MARKS[i], gain);
            }
}

static void test_settling(void **unused)
{
    (void)unused;
    gsl_rng *rng = seeded(20260106);
    for (int i = 0; i < repeats(N_WALKS); i++) {
        int n = draw_int(rng, 3, 7);
        struct scene *s = draw_scene(rng, n);
        struct marks mag = draw_mixed_mag(rng, n, 40, 0.4);
        dpc_graph graph = marks_graph(&mag);
        dpc_mag_walker w;
        assert_int_equal(dpc_mag_walker_init(&w, &s->scoring, &graph, 2, 1e6), DPC_OK);
        for (int v = 0; v < n; v++)
            dpc_set_bit(w.within, w.state.mag.words, 0, v);
        double before = score_anew(s, &w.state, 2), gain;
        assert_int_equal(dpc_mag_settle(&w, (dpc_mag_held){0}, &gain), DPC_OK);
        double after = score_anew(s, &w.state, 2);
        assert_true(gain >= 0 && fabs(after - before - gain) < 1e-5);
        check_state(&w.state);
        check_settled(s, &w, after);
        dpc_mag_back(&w, 0);
        check_state(&w.state);
        assert_true(score_anew(s, &w.state, 2) == before);
        dpc_mag_walker_clear(&w);
        dpc_graph_clear(&graph);
        close_scene(s);
    }
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_likelihood), cmocka_unit_test(test_foreign_data),
        cmocka_unit_test(test_classes),    cmocka_unit_test(test_dags),
        cmocka_unit_test(test_full),       cmocka_unit_test(test_changes),
        cmocka_unit_test(test_settling),   cmocka_unit_test(test_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
