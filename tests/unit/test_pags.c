/*
 * PAGs and MAGs of few nodes against all that is equivalent to them: the marks of the rules, the
 * way back to a MAG, validity and repair, Possible-D-SEP, hidden nodes; and that the numbers of the
 * nodes change nothing, not even where the judge of a rule contradicts himself.
 */
#include "ancestral.h"
#include "mags.h"
#include "pag.h"
#include "possible_dsep.h"
#include "repeat.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- Graphs to try ---- */

/* The number-th graph of n nodes whose pairs are joined in one of `kinds` ways, none included. */
static struct marks numbered(int n, int64_t number, int kinds)
{
    static const uint8_t ENDS[5][2] = {{DPC_END_NONE, DPC_END_NONE},
                                       {DPC_END_TAIL, DPC_END_ARROW},
                                       {DPC_END_ARROW, DPC_END_TAIL},
                                       {DPC_END_ARROW, DPC_END_ARROW},
                                       {DPC_END_TAIL, DPC_END_TAIL}};
    struct marks out = {.n = n};
    for (int a = 0; a < n; a++)
        for (int b = a + 1; b < n; b++, number /= kinds) {
            out.m[b][a] = ENDS[number % kinds][0];
            out.m[a][b] = ENDS[number % kinds][1];
        }
    return out;
}

/* ---- What is tried ---- */

static struct marks pag_of(const struct marks *mag, bool selection)
{
    dpc_graph from = marks_graph(mag), pag = {0};
    assert_int_equal(dpc_pag_of_mag(&from, selection, &pag), DPC_OK);
    struct marks out = marks_of(&pag);
    dpc_graph_clear(&from);
    dpc_graph_clear(&pag);
    return out;
}

static struct marks mag_of(const struct marks *pag)
{
    dpc_graph from = marks_graph(pag), mag = {0};
    assert_int_equal(dpc_mag_of_pag(&from, &mag), DPC_OK);
    struct marks out = marks_of(&mag);
    dpc_graph_clear(&from);
    dpc_graph_clear(&mag);
    return out;
}

static bool is_valid(const struct marks *pag, bool selection)
{
    dpc_graph from = marks_graph(pag);
    bool valid = false;
    assert_int_equal(dpc_pag_is_valid(&from, selection, &valid), DPC_OK);
    dpc_graph_clear(&from);
    return valid;
}

/* The PAG of a MAG is what its class shares, valid, and leads back into the class. */
static void try_mag(const struct marks *mag, bool selection)
{
    struct marks pag = pag_of(mag, selection), slow = slow_pag(mag, selection, NULL);
    if (!marks_same(&pag, &slow)) {
        print_message("mag %s\n", marks_text(mag));
        print_message("pag %s\n", marks_text(&pag));
        fail_msg("slow %s", marks_text(&slow));
    }
    struct marks back = mag_of(&pag);
    struct mag_key key = mag_key_of(mag), again = mag_key_of(&back);
    assert_true(mag_is_ancestral(&back));
    assert_memory_equal(&key, &again, sizeof key);
    assert_true(is_valid(&pag, selection));
}

/* All MAGs of up to four nodes; classes are met as often as they have members. */
static void try_all(int n, bool selection)
{
    int kinds = 4 + selection;
    int64_t graphs = 1, mags = 0;
    for (int i = 0; i < n * (n - 1) / 2; i++)
        graphs *= kinds;
    for (int64_t number = 0; number < graphs; number++) {
        struct marks g = numbered(n, number, kinds);
        dpc_graph graph = marks_graph(&g);
        dpc_mag mag;
        uint64_t room[4];
        assert_int_equal(dpc_mag_of(&graph, &mag), DPC_OK);
        bool ancestral = mag_is_ancestral(&g);
        assert_int_equal(dpc_mag_is_ancestral(&mag), ancestral);
        if (ancestral) {
            bool maximal = mag_is_maximal(&g);
            assert_int_equal(dpc_mag_is_maximal(&mag, room), maximal);
            mags += maximal;
            if (maximal)
                try_mag(&g, selection);
        }
        dpc_mag_clear(&mag);
        dpc_graph_clear(&graph);
    }
    assert_true(mags > 1);
}

static void test_all_small(void **state)
{
    (void)state;
    for (int n = 2; n <= 4; n++) {
        try_all(n, false);
        try_all(n, true);
    }
}

static void test_random_larger(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20240907);
    for (int number = 0; number < repeats(600); number++) {
        struct marks mag = draw_mag(rng, 5 + number % 2, 9);
        assert_true(mag_is_ancestral(&mag));
        assert_true(mag_is_maximal(&mag));
        try_mag(&mag, false);
    }
    gsl_rng_free(rng);
}

/* Five or six nodes with few edges, some without arrowheads: what R6 and R7 are for. */
static void test_random_selected(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20240917);
    int tried = 0;
    for (int number = 0; number < repeats(8000); number++) {
        struct marks g = {.n = 5 + number % 2};
        int edges = 0, tails = 0;
        for (int a = 0; a < g.n; a++)
            for (int b = a + 1; b < g.n; b++) {
                int kind = draw_int(rng, 0, 9);
                struct marks pair = numbered(2,
                                             kind < 4    ? 4
                                             : kind == 4 ? 1
                                             : kind == 5 ? 2
                                                         : 0,
                                             5);
                g.m[a][b] = pair.m[0][1];
                g.m[b][a] = pair.m[1][0];
                edges += pair.m[0][1] != DPC_END_NONE;
                tails += kind < 4;
            }
        if (edges > 7 || tails == 0 || !mag_is_ancestral(&g) || !mag_is_maximal(&g))
            continue;
        try_mag(&g, true);
        tried++;
    }
    assert_true(tried >= share(40));
    gsl_rng_free(rng);
}

/* ---- Hidden nodes ---- */

/* Of a DAG of a few nodes, some hidden: the MAG has its separations, and its ancestors. */
static void test_hidden(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20240908);
    for (int number = 0; number < repeats(300); number++) {
        int n = draw_int(rng, 3, 7), seen = 0, kept[MAGS_MAX];
        bool hidden[MAGS_MAX];
        struct marks dag = {.n = n};
        int32_t to[MAGS_MAX];
        shuffle_nodes(rng, to, n);
        for (int a = 0; a < n; a++) {
            hidden[a] = gsl_rng_uniform(rng) < 0.4;
            if (!hidden[a])
                kept[seen++] = a;
            for (int b = 0; b < n; b++)
                if (to[a] < to[b] && gsl_rng_uniform(rng) < 0.45) {
                    dag.m[a][b] = DPC_END_ARROW;
                    dag.m[b][a] = DPC_END_TAIL;
                }
        }
        dpc_graph graph = marks_graph(&dag), found = {0};
        assert_int_equal(dpc_mag_of_dag(&graph, hidden, &found, NULL), DPC_OK);
        assert_int_equal(found.n_nodes, seen);
        struct marks mag = marks_of(&found);
        for (int i = 0; i < seen; i++)
            for (int j = 0; j < seen; j++)
                for (unsigned set = 0; i != j && set < 1u << seen; set++) {
                    unsigned given = 0;
                    if ((set >> i & 1) != 0 || (set >> j & 1) != 0)
                        continue;
                    for (int k = 0; k < seen; k++)
                        given |= (set >> k & 1) << kept[k];
                    assert_int_equal(mag_separated(&mag, i, j, set),
                                     mag_separated(&dag, kept[i], kept[j], given));
                }
        for (int i = 0; i < seen; i++)
            for (int j = 0; j < seen; j++)
                if (mag.m[i][j] != DPC_END_NONE)
                    assert_int_equal(mag.m[i][j] == DPC_END_TAIL,
                                     mag_ancestors(&dag, kept[i]) >> kept[j] & 1);
        dpc_graph_clear(&graph);
        dpc_graph_clear(&found);
    }
    gsl_rng_free(rng);
}

/* ---- Any marks ---- */

static struct marks draw_marks(gsl_rng *rng, int n)
{
    struct marks out = {.n = n};
    double density = gsl_rng_uniform(rng);
    for (int a = 0; a < n; a++)
        for (int b = a + 1; b < n; b++)
            if (gsl_rng_uniform(rng) < density) {
                out.m[a][b] = (uint8_t)draw_int(rng, DPC_END_CIRCLE, DPC_END_TAIL);
                out.m[b][a] = (uint8_t)draw_int(rng, DPC_END_CIRCLE, DPC_END_TAIL);
            }
    return out;
}

/* Whatever the marks: it is valid where it is the PAG of some MAG, and its repair always is. */
static void test_repair(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20240909);
    int valid = 0, broken = 0;
    for (int number = 0; number < repeats(3000); number++) {
        int n = draw_int(rng, 2, MAGS_MAX);
        struct marks g = draw_marks(rng, n);
        if (number % 3 == 0) { /* one mark of a valid one changed */
            g = draw_mag(rng, n, 28);
            g = pag_of(&g, false);
            int a = draw_int(rng, 0, n - 1), b = draw_int(rng, 0, n - 1);
            if (g.m[a][b] != DPC_END_NONE)
                g.m[a][b] = (uint8_t)draw_int(rng, DPC_END_CIRCLE, DPC_END_TAIL);
        }
        dpc_graph graph = marks_graph(&g), mended = {0};
        bool was = is_valid(&g, false), repaired;
        assert_int_equal(dpc_pag_repair(&graph, false, &mended, &repaired), DPC_OK);
        assert_int_equal(repaired, !was);
        struct marks after = marks_of(&mended), mag = mag_of(&after);
        assert_true(mag_is_ancestral(&mag));
        assert_true(n > 6 || mag_is_maximal(&mag));
        assert_true(is_valid(&after, false));
        assert_int_equal(marks_same(&after, &g), was);
        for (int a = 0; a < n; a++) /* no edge is lost */
            for (int b = 0; b < n; b++)
                assert_true(g.m[a][b] == DPC_END_NONE || after.m[a][b] != DPC_END_NONE);
        valid += was;
        broken += !was;
        dpc_graph_clear(&graph);
        dpc_graph_clear(&mended);
    }
    assert_true(valid >= share(100));
    assert_true(broken >= share(1000));
    gsl_rng_free(rng);
}

/* A graph is valid where it is what its class shares: for all marks on three nodes. */
static void test_validity(void **state)
{
    (void)state;
    int valid = 0;
    for (int number = 0; number < 1000; number++) {
        static const uint8_t ENDS[10][2] = {{0, 0}, {1, 1}, {1, 2}, {1, 3}, {2, 1},
                                            {2, 2}, {2, 3}, {3, 1}, {3, 2}, {3, 3}};
        struct marks g = {.n = 3};
        int rest = number;
        for (int a = 0; a < 3; a++)
            for (int b = a + 1; b < 3; b++, rest /= 10) {
                g.m[a][b] = ENDS[rest % 10][0];
                g.m[b][a] = ENDS[rest % 10][1];
            }
        bool is = false;
        for (int mag = 0; mag < 64 && !is; mag++) {
            struct marks m = numbered(3, mag, 4);
            if (mag_is_ancestral(&m) && mag_is_maximal(&m)) {
                struct marks slow = slow_pag(&m, false, NULL);
                is = marks_same(&slow, &g);
            }
        }
        if (is_valid(&g, false) != is)
            fail_msg("%s", marks_text(&g));
        valid += is;
    }
    assert_int_equal(valid, 11); /* no edge, one (3), two (3 colliders, 3 not), three */
}

/* ---- Other numbers ---- */

/* A judge whose answers follow from nothing, but are the same for the same nodes. */
struct whim {
    const int32_t *original; /* of each node, its number in the first graph */
    unsigned seed;
    bool open;
};

static dpc_triple_status by_whim(const void *context, int d, int a, int b, int c)
{
    const struct whim *w = context;
    unsigned p = (unsigned)w->original[d], q = (unsigned)w->original[c];
    (void)a;
    unsigned h = w->seed + 31 * (p + q) + 131 * (p * q) + 977 * (unsigned)w->original[b];
    h ^= h >> 7;
    h *= 2654435761u;
    h >>= 16;
    return (dpc_triple_status)(w->open ? h % 3 : 1 + h % 2);
}

static struct marks run_rules(const struct marks *g, const struct whim *whim, bool selection)
{
    dpc_graph graph = marks_graph(g), out = {0};
    dpc_mixed mixed;
    assert_int_equal(dpc_mixed_of(&graph, NULL, &mixed), DPC_OK);
    int64_t slots = dpc_slots(mixed.graph);
    dpc_mark_reason *reasons = calloc((size_t)slots + 1, sizeof *reasons);
    const dpc_pag_rules rules = {by_whim, whim, whim->open, selection, reasons};
    assert_non_null(reasons);
    dpc_pag_start(&rules, &mixed);
    assert_int_equal(dpc_pag_colliders(&rules, &mixed), DPC_OK);
    assert_int_equal(dpc_pag_close(&rules, &mixed), DPC_OK);
    for (int64_t e = 0; e < slots; e++) { /* every mark has its reason, every circle none */
        assert_int_equal(mixed.end[e] == DPC_END_CIRCLE, reasons[e].rule == DPC_RULE_OF_NOTHING);
        assert_true(mixed.end[e] == DPC_END_CIRCLE || reasons[e].other[0] >= 0);
    }
    assert_int_equal(dpc_mixed_graph(&mixed, &out), DPC_OK);
    struct marks marks = marks_of(&out);
    free(reasons);
    dpc_mixed_clear(&mixed);
    dpc_graph_clear(&graph);
    dpc_graph_clear(&out);
    return marks;
}

static void test_numbers_of_nodes(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20240910);
    for (int number = 0; number < repeats(3000); number++) {
        int n = draw_int(rng, 3, MAGS_MAX);
        struct marks g = draw_marks(rng, n);
        int32_t to[MAGS_MAX], same[MAGS_MAX], back[MAGS_MAX];
        shuffle_nodes(rng, to, n);
        for (int v = 0; v < n; v++) {
            same[v] = v;
            back[to[v]] = v;
        }
        struct whim whim = {same, (unsigned)number, number % 3 == 0};
        struct marks other = marks_renumbered(&g, to);
        struct marks plain = run_rules(&g, &whim, number % 2 == 0);
        whim.original = back;
        struct marks turned = run_rules(&other, &whim, number % 2 == 0);
        plain = marks_renumbered(&plain, to);
        if (!marks_same(&plain, &turned)) {
            print_message("%s\n", marks_text(&plain));
            fail_msg("%s", marks_text(&turned));
        }
        assert_int_equal(is_valid(&g, false), is_valid(&other, false));
    }
    gsl_rng_free(rng);
}

/* ---- Possible-D-SEP ---- */

/* Is c met by a walk a, b, c, …? Slow: over all walks of at most 2 n² steps. */
static void slow_walk(const struct marks *g, int x, bool *in)
{
    bool edge[MAGS_MAX][MAGS_MAX] = {{false}}, any = true;
    for (int b = 0; b < g->n; b++)
        edge[x][b] = g->m[x][b] != DPC_END_NONE;
    while (any) {
        any = false;
        for (int a = 0; a < g->n; a++)
            for (int b = 0; b < g->n; b++)
                for (int c = 0; c < g->n; c++) {
                    bool goes = edge[a][b] && g->m[b][c] != DPC_END_NONE && a != c &&
                                (g->m[a][c] != DPC_END_NONE ||
                                 (g->m[a][b] == DPC_END_ARROW && g->m[c][b] == DPC_END_ARROW));
                    any |= goes && !edge[b][c];
                    edge[b][c] |= goes;
                }
    }
    for (int v = 0; v < g->n; v++)
        for (int a = 0; a < g->n; a++)
            in[v] |= edge[a][v] && v != x;
}

static void test_possible_dsep(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20240911);
    for (int number = 0; number < repeats(500); number++) {
        struct marks g = draw_marks(rng, draw_int(rng, 3, MAGS_MAX));
        dpc_graph graph = marks_graph(&g);
        dpc_mixed mixed;
        dpc_pds_walk walk;
        assert_int_equal(dpc_mixed_of(&graph, NULL, &mixed), DPC_OK);
        assert_int_equal(dpc_pds_walk_init(&mixed, &walk), DPC_OK);
        for (int x = 0; x < g.n; x++) {
            bool in[MAGS_MAX] = {false};
            int32_t found[MAGS_MAX];
            int count = dpc_possible_dsep(&walk, x, found), next = 0;
            slow_walk(&g, x, in);
            for (int v = 0; v < g.n; v++)
                if (in[v])
                    assert_true(next < count && found[next++] == v);
            assert_int_equal(next, count);
        }
        dpc_pds_walk_clear(&walk);
        dpc_mixed_clear(&mixed);
        dpc_graph_clear(&graph);
    }
    gsl_rng_free(rng);
}

/* ---- Rows of bits ---- */

/* Districts and marks of graphs with more nodes than a word has bits. */
static void test_many_nodes(void **state)
{
    (void)state;
    enum { N = 150 };
    dpc_mag mag;
    int32_t district[N];
    uint64_t room[4 * 3];
    assert_int_equal(dpc_mag_init(N, &mag), DPC_OK);
    for (int v = 0; v + 2 < N; v++) /* two chains of double arrows, and one arrow */
        dpc_mag_set(&mag, v, v + 2, DPC_BIDIRECTED);
    assert_int_equal(dpc_mag_districts(&mag, district), 2);
    for (int v = 0; v < N; v++)
        assert_int_equal(district[v], v % 2);
    assert_true(dpc_mag_find_ancestors(&mag));
    assert_true(dpc_mag_is_ancestral(&mag) && dpc_mag_is_maximal(&mag, room));
    for (int v = 2; v < N - 2; v += 2) /* all inner nodes of a chain are ancestors of its end */
        if (v != N - 4)
            dpc_mag_set(&mag, v, N - 2, DPC_FORWARD);
    dpc_mag_find_ancestors(&mag);
    assert_true(dpc_mag_is_ancestral(&mag));
    assert_false(dpc_mag_inducing(&mag, 0, N - 1, room));
    assert_false(dpc_mag_inducing(&mag, 0, N - 2, room)); /* N - 4 is no ancestor */
    dpc_mag_set(&mag, N - 6, N - 2, DPC_BIDIRECTED);
    dpc_mag_find_ancestors(&mag);
    assert_int_equal(dpc_mag_mark(&mag, N - 2, N - 6), DPC_BIDIRECTED);
    dpc_mag_set(&mag, N - 6, N - 4, DPC_FORWARD);
    dpc_mag_set(&mag, N - 4, N - 2, DPC_NONE);
    dpc_mag_set(&mag, N - 6, N - 2, DPC_FORWARD);
    dpc_mag_set(&mag, 1, N - 2, DPC_BACKWARD);
    assert_true(dpc_mag_find_ancestors(&mag));
    assert_true(dpc_mag_is_ancestor(&mag, 2, 1));
    dpc_mag_set(&mag, 1, 2, DPC_FORWARD);
    assert_false(dpc_mag_find_ancestors(&mag));
    dpc_mag_clear(&mag);
}

/* ---- Known examples ---- */

/* R4 needs the judge: the discriminating path of Zhang's figure, both ways. */
static void test_discriminating_path(void **state)
{
    (void)state;
    /* 0 *-> 1 <-> 2 …: d = 0, a = 1, b = 2, c = 3; 1 → 3 */
    struct marks collider = {.n = 4}, non;
    collider.m[0][1] = collider.m[1][2] = collider.m[2][1] = DPC_END_ARROW;
    collider.m[1][0] = DPC_END_TAIL;
    collider.m[1][3] = collider.m[2][3] = collider.m[3][2] = DPC_END_ARROW;
    collider.m[3][1] = DPC_END_TAIL;
    non = collider;
    non.m[3][2] = DPC_END_TAIL;
    struct marks p = pag_of(&collider, false), q = pag_of(&non, false);
    assert_int_equal(p.m[3][2], DPC_END_ARROW);
    assert_int_equal(p.m[1][2], DPC_END_ARROW);
    assert_int_equal(q.m[3][2], DPC_END_TAIL);
    try_mag(&collider, false);
    try_mag(&non, false);
}

/* R8: 2 → 3 → 4 makes a tail at 2 of 2 o-> 4, where 0 and 1, which show that 2 → 3, hide the rest.
 */
static void test_transitive_tail(void **state)
{
    (void)state;
    static const int ARROWS[][2] = {{0, 2}, {1, 2}, {2, 3}, {5, 3}, {3, 4}, {2, 4}, {0, 4}, {1, 4}};
    struct marks mag = {.n = 6};
    for (size_t i = 0; i < sizeof ARROWS / sizeof *ARROWS; i++) {
        mag.m[ARROWS[i][0]][ARROWS[i][1]] = DPC_END_ARROW;
        mag.m[ARROWS[i][1]][ARROWS[i][0]] = DPC_END_TAIL;
    }
    try_mag(&mag, false);
    struct marks pag = pag_of(&mag, false);
    assert_int_equal(pag.m[4][2], DPC_END_TAIL);
    assert_int_equal(pag.m[4][0], DPC_END_CIRCLE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_small),
        cmocka_unit_test(test_random_larger),
        cmocka_unit_test(test_transitive_tail),
        cmocka_unit_test(test_hidden),
        cmocka_unit_test(test_random_selected),
        cmocka_unit_test(test_repair),
        cmocka_unit_test(test_validity),
        cmocka_unit_test(test_numbers_of_nodes),
        cmocka_unit_test(test_possible_dsep),
        cmocka_unit_test(test_many_nodes),
        cmocka_unit_test(test_discriminating_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
