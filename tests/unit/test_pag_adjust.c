/*
 * Separation and adjustment in MAGs and PAGs, against all paths: the criterion in the PAG, and the
 * criterion in every MAG that is equivalent.
 */
#include "mags.h"
#include "pag.h"
#include "repeat.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static dpc_causal *causal_of(const struct marks *marks)
{
    dpc_graph graph = marks_graph(marks);
    dpc_causal *causal = NULL;
    dpc_error err = {0};
    if (dpc_causal_new(&graph, NULL, false, &causal, &err) != DPC_OK)
        fail_msg("%s: %s", marks_text(marks), err.message);
    dpc_graph_clear(&graph);
    return causal;
}

static int list(unsigned set, int n, int32_t *out)
{
    int size = 0;
    for (int v = 0; v < n; v++)
        if ((set >> v & 1) != 0)
            out[size++] = v;
    return size;
}

/* Does the graph, as it is drawn, have the edges of a path? */
static void must_be_path(const struct marks *g, const int32_t *path, int length, int x, int y)
{
    assert_true(length >= 2);
    assert_int_equal(path[0], x);
    assert_int_equal(path[length - 1], y);
    for (int i = 0; i + 1 < length; i++)
        assert_true(g->m[path[i]][path[i + 1]] != DPC_END_NONE);
}

static void try_separation(const struct marks *g, dpc_causal *causal, const struct marks *mag)
{
    for (int x = 0; x < g->n; x++)
        for (int y = 0; y < g->n; y++)
            for (unsigned set = 0; x != y && set < 1u << g->n; set++) {
                int32_t given[MAGS_MAX], path[MAGS_MAX];
                bool separated;
                int length;
                if ((set >> x & 1) != 0 || (set >> y & 1) != 0)
                    continue;
                assert_int_equal(dpc_separated(causal, x, y, given, list(set, g->n, given),
                                               &separated, path, &length, NULL),
                                 DPC_OK);
                assert_int_equal(separated, mag_separated(mag, x, y, set));
                if (!separated)
                    must_be_path(g, path, length, x, y);
            }
}

/* What dpc_adjustment finds is valid, is there where any set is, and has no member too many. */
static void try_minimal(dpc_causal *causal, const struct marks *g, int x, int y, const bool *valid)
{
    int32_t set[MAGS_MAX];
    int size;
    unsigned found = 0;
    bool any = false;
    for (unsigned s = 0; s < 1u << g->n; s++)
        any |= valid[s];
    assert_int_equal(dpc_adjustment(causal, x, y, DPC_ADJUST_MINIMAL, set, &size, NULL), DPC_OK);
    assert_int_equal(size >= 0, any);
    for (int i = 0; i < size; i++)
        found |= 1u << set[i];
    for (unsigned part = 0; size >= 0 && part < 1u << g->n; part++)
        if ((part & ~found) == 0)
            assert_int_equal(valid[part], part == found);
    assert_int_equal(dpc_adjustment(causal, x, y, DPC_ADJUST_PARENTS, set, &size, NULL), DPC_OK);
    found = 0;
    for (int i = 0; i < size; i++)
        found |= 1u << set[i];
    assert_true(size < 0 || valid[found]);
}

static void try_pair(const struct marks *g, dpc_causal *causal, int x, int y, int *amenable)
{
    bool valid[1 << MAGS_MAX] = {false}, is_amenable = slow_amenable(g, x, y);
    unsigned forbidden = slow_forbidden(g, x, y);
    int32_t path[MAGS_MAX], members[MAGS_MAX];
    dpc_identification about = {.path = path};
    assert_int_equal(dpc_identify(causal, x, y, &about, NULL), DPC_OK);
    assert_int_equal(about.identified, is_amenable);
    assert_int_equal(about.possible, forbidden != 0);
    if (!about.identified)
        must_be_path(g, path, about.length, x, y);
    for (unsigned set = 0; set < 1u << g->n; set++) {
        dpc_set_check check = {.path = path};
        if ((set >> x & 1) != 0 || (set >> y & 1) != 0)
            continue;
        valid[set] = slow_criterion(g, x, y, set);
        assert_int_equal(
            dpc_check_adjustment(causal, x, y, members, list(set, g->n, members), &check, NULL),
            DPC_OK);
        if ((check.verdict == DPC_SET_VALID) != valid[set])
            fail_msg("%s: %d on %d given %x", marks_text(g), x, y, set);
        assert_int_equal(check.verdict == DPC_SET_NOT_IDENTIFIED, !is_amenable);
        if (is_amenable)
            assert_int_equal(check.verdict == DPC_SET_FORBIDDEN, (forbidden & set) != 0);
        if (check.verdict == DPC_SET_OPEN)
            must_be_path(g, path, check.length, x, y);
    }
    try_minimal(causal, g, x, y, valid);
    *amenable += is_amenable && forbidden != 0;
}

/* Is a set valid in all MAGs of a class? */
struct everywhere {
    int x, y;
    bool valid[1 << MAGS_MAX];
};

static void rule_out(void *context, const struct marks *mag)
{
    struct everywhere *e = context;
    for (unsigned set = 0; set < 1u << mag->n; set++)
        if ((set >> e->x & 1) == 0 && (set >> e->y & 1) == 0)
            e->valid[set] = e->valid[set] && slow_criterion(mag, e->x, e->y, set);
}

static void test_adjustment(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20240912);
    int amenable = 0;
    for (int number = 0; number < repeats(2000); number++) {
        struct marks mag = draw_mag(rng, draw_int(rng, 4, 6), 9);
        dpc_graph graph = marks_graph(&mag), pag = {0};
        assert_int_equal(dpc_pag_of_mag(&graph, false, &pag), DPC_OK);
        struct marks g = number % 4 == 0 ? mag : marks_of(&pag);
        dpc_graph shown = marks_graph(&g);
        if (dpc_graph_is_pag(&shown)) {
            dpc_causal *causal = causal_of(&g);
            try_separation(&g, causal, &mag);
            for (int x = 0; x < g.n; x++)
                for (int y = 0; y < g.n; y++)
                    if (x != y)
                        try_pair(&g, causal, x, y, &amenable);
            dpc_causal_free(causal);
        }
        dpc_graph_clear(&shown);
        dpc_graph_clear(&graph);
        dpc_graph_clear(&pag);
    }
    assert_true(amenable >= share(150));
    gsl_rng_free(rng);
}

/* The criterion in a PAG says yes where the criterion says yes in all of its MAGs. */
static void test_classes(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20240913);
    for (int number = 0; number < repeats(200); number++) {
        struct marks mag = draw_mag(rng, draw_int(rng, 3, 5), 8);
        dpc_graph graph = marks_graph(&mag), pag = {0};
        assert_int_equal(dpc_pag_of_mag(&graph, false, &pag), DPC_OK);
        struct marks g = marks_of(&pag);
        for (int x = 0; x < g.n; x++)
            for (int y = 0; y < g.n; y++) {
                struct everywhere e = {.x = x, .y = y};
                memset(e.valid, true, sizeof e.valid);
                if (x == y)
                    continue;
                mags_equivalent(&mag, false, rule_out, &e);
                for (unsigned set = 0; set < 1u << g.n; set++)
                    if ((set >> x & 1) == 0 && (set >> y & 1) == 0)
                        assert_int_equal(slow_criterion(&g, x, y, set), e.valid[set]);
            }
        dpc_graph_clear(&graph);
        dpc_graph_clear(&pag);
    }
    gsl_rng_free(rng);
}

/* An arrow is visible only where something shows that nothing is hidden behind it. */
static void test_visible(void **state)
{
    (void)state;
    /* 0 o-> 2 <-o 1, 2 --> 3 --> 4: 2 → 3 is visible */
    const dpc_edge edges[] = {{0, 2, DPC_CIRCLE_ARROW},
                              {1, 2, DPC_CIRCLE_ARROW},
                              {2, 3, DPC_FORWARD},
                              {3, 4, DPC_FORWARD}};
    const dpc_edge two[] = {{0, 1, DPC_CIRCLES}, {1, 2, DPC_CIRCLES}};
    dpc_graph graph = {5, 4, (dpc_edge *)edges}, chain = {3, 2, (dpc_edge *)two};
    dpc_causal *causal = NULL;
    dpc_identification about = {0};
    int32_t set[5], path[5];
    int size;
    assert_int_equal(dpc_causal_new(&graph, NULL, false, &causal, NULL), DPC_OK);
    assert_int_equal(dpc_causal_about(causal).kind, DPC_GRAPH_PAG);
    assert_int_equal(dpc_identify(causal, 2, 3, &about, NULL), DPC_OK);
    assert_true(about.identified && about.possible);
    assert_int_equal(dpc_identify(causal, 0, 3, &about, NULL), DPC_OK);
    assert_true(!about.identified && about.possible);
    assert_int_equal(dpc_identify(causal, 3, 0, &about, NULL), DPC_OK);
    assert_true(about.identified && !about.possible);
    assert_int_equal(dpc_adjustment(causal, 2, 3, DPC_ADJUST_MINIMAL, set, &size, NULL), DPC_OK);
    assert_int_equal(size, 0);
    dpc_set_check check = {.path = path};
    assert_int_equal(dpc_check_adjustment(causal, 2, 3, (const int32_t[]){4}, 1, &check, NULL),
                     DPC_OK);
    assert_int_equal(check.verdict, DPC_SET_FORBIDDEN); /* an effect of 3 */
    assert_true(check.node == 4 && check.through == 3);
    dpc_aid aid;
    assert_int_equal(dpc_distances(causal, causal, DPC_AID_ALL, NULL, &aid, NULL), DPC_BAD_INPUT);
    dpc_causal_free(causal);
    assert_int_equal(dpc_causal_new(&chain, NULL, false, &causal, NULL), DPC_OK);
    assert_int_equal(dpc_identify(causal, 0, 2, &about, NULL), DPC_OK);
    assert_true(!about.identified);
    dpc_causal_free(causal);
}

/* What is no PAG is refused, and mended where that is asked for. */
static void test_invalid(void **state)
{
    (void)state;
    const dpc_edge edges[] = {
        {0, 1, DPC_CIRCLE_ARROW}, {0, 2, DPC_CIRCLES}, {1, 2, DPC_CIRCLE_ARROW}};
    dpc_graph graph = {3, 3, (dpc_edge *)edges};
    dpc_causal *causal = NULL;
    dpc_error err = {0};
    assert_int_equal(dpc_causal_new(&graph, NULL, false, &causal, &err), DPC_BAD_INPUT);
    assert_non_null(strstr(err.message, "PAG"));
    assert_int_equal(dpc_causal_new(&graph, NULL, true, &causal, &err), DPC_OK);
    assert_int_equal(dpc_causal_about(causal).kind, DPC_GRAPH_PAG);
    assert_true(dpc_causal_about(causal).changed > 0);
    assert_non_null(dpc_causal_about(causal).reason);
    dpc_causal_free(causal);
}

/* Who knows that it is a PAG may say so: an arrow may then be due to a hidden cause, and there may
 * be marks that are known besides those of the class. A circle of arrows is none of it. */
static void test_said(void **state)
{
    (void)state;
    const dpc_edge arrow[] = {{0, 1, DPC_FORWARD}}, known[] = {{0, 1, DPC_CIRCLE_ARROW}};
    const dpc_edge circle[] = {{0, 1, DPC_FORWARD}, {0, 2, DPC_BACKWARD}, {1, 2, DPC_FORWARD}};
    dpc_graph one = {2, 1, (dpc_edge *)arrow}, other = {2, 1, (dpc_edge *)known};
    dpc_graph none = {3, 3, (dpc_edge *)circle};
    dpc_causal *causal = NULL;
    dpc_identification about = {0};
    assert_int_equal(dpc_causal_new(&one, NULL, false, &causal, NULL), DPC_OK);
    assert_int_equal(dpc_identify(causal, 0, 1, &about, NULL), DPC_OK);
    assert_true(about.identified);
    dpc_causal_free(causal);
    assert_int_equal(dpc_causal_new_pag(&one, NULL, false, &causal, NULL), DPC_OK);
    assert_true(dpc_causal_about(causal).kind >= DPC_GRAPH_MAG);
    assert_int_equal(dpc_identify(causal, 0, 1, &about, NULL), DPC_OK);
    assert_true(!about.identified && about.possible);
    dpc_causal_free(causal);
    assert_int_equal(dpc_causal_new(&other, NULL, false, &causal, NULL), DPC_BAD_INPUT);
    assert_int_equal(dpc_causal_new_pag(&other, NULL, false, &causal, NULL), DPC_OK);
    assert_int_equal(dpc_causal_about(causal).graph->edges[0].mark, DPC_CIRCLE_ARROW);
    assert_int_equal(dpc_identify(causal, 1, 0, &about, NULL), DPC_OK);
    assert_true(about.identified && !about.possible);
    dpc_causal_free(causal);
    assert_int_equal(dpc_causal_new_pag(&none, NULL, false, &causal, NULL), DPC_BAD_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_adjustment),
                                       cmocka_unit_test(test_classes),
                                       cmocka_unit_test(test_visible),
                                       cmocka_unit_test(test_invalid), cmocka_unit_test(test_said)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
