/*
 * The small parts of graphs against what they stand for: ascending lists, circles, orders that
 * follow arrows, the best of many, sorted triples, and Meek's rules asked from both ends, also
 * where what they say cannot be.
 */
#include "acyclic.h"
#include "best.h"
#include "cases.h"
#include "cycles.h"
#include "extension.h"
#include "meek.h"
#include "meek_passes.h"
#include "reach.h"
#include "sorted.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_NODES = 70 };

/* ---- Lists ---- */

static void test_lists(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20240620);
    for (int number = 0; number < 300; number++) {
        int32_t list[2][60], both[120], unsorted[60];
        bool in[2][200] = {{false}};
        int count[2] = {0};
        for (int k = 0; k < 2; k++)
            for (int i = draw_int(rng, 0, 50); i > 0; i--) {
                int v = draw_int(rng, 0, 199);
                if (!in[k][v])
                    list[k][count[k]++] = v;
                in[k][v] = true;
            }
        memcpy(unsorted, list[0], sizeof unsorted);
        dpc_sort_numbers(list[0], count[0]);
        dpc_sort_numbers(list[1], count[1]);
        for (int i = 0; i < count[0]; i++) {
            assert_true(in[0][list[0][i]]);
            assert_true(i == 0 || list[0][i - 1] < list[0][i]);
            assert_int_equal(list[0][dpc_place_of(list[0], count[0], unsorted[i])], unsorted[i]);
        }
        int united = dpc_unite(list[0], count[0], list[1], count[1], both), expected = 0;
        assert_int_equal(united, dpc_unite(list[1], count[1], list[0], count[0], NULL));
        for (int v = 0; v < 200; v++) {
            int64_t place = dpc_place_for(list[0], count[0], v);
            assert_true(place == 0 || list[0][place - 1] < v);
            assert_true(place == count[0] || list[0][place] >= v);
            assert_int_equal(dpc_place_of(list[0], count[0], v) >= 0, in[0][v]);
            if (in[0][v] || in[1][v])
                assert_int_equal(both[expected++], v);
        }
        assert_int_equal(united, expected);
    }
    gsl_rng_free(rng);
}

static void test_rows(void **state)
{
    (void)state;
    const int64_t start[] = {0, 0, 3, 3, 3, 7, 8};
    const int row[] = {1, 1, 1, 4, 4, 4, 4, 5};
    for (int item = 0; item < 8; item++)
        assert_int_equal(dpc_row_of(start, 6, item), row[item]);
}

static void test_pairs(void **state)
{
    (void)state;
    dpc_edge e[] = {{1, 5, DPC_FORWARD}, {1, 6, DPC_BACKWARD}, {2, 3, DPC_FORWARD}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            assert_int_equal(dpc_by_pair(&e[i], &e[j]), (i > j) - (i < j));
}

static int by_y_x_z(const void *pa, const void *pb)
{
    const dpc_triple *a = pa, *b = pb;
    int64_t order = (((int64_t)a->y - b->y) * 1000 + (a->x - b->x)) * 1000 + a->z - b->z;
    return (order > 0) - (order < 0);
}

static void test_triples(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20240621);
    for (int number = 0; number < 20; number++) {
        enum { MOST = 400 };
        dpc_triple list[MOST], right[MOST];
        int n = 30, count = number % 2 ? MOST : draw_int(rng, 0, n);
        bool used[30 * 30 * 30] = {false};
        for (int i = 0; i < count;) {
            dpc_triple t = {.x = draw_int(rng, 0, 29), .y = draw_int(rng, 0, 29), .evidence = i};
            t.z = draw_int(rng, 0, 29);
            bool *seen = &used[(t.x * 30 + t.y) * 30 + t.z];
            if (!*seen)
                list[i++] = t;
            *seen = true;
        }
        memcpy(right, list, sizeof list);
        qsort(right, (size_t)count, sizeof *right, by_y_x_z);
        assert_int_equal(dpc_sort_triples(list, count, n), DPC_OK);
        for (int i = 0; i < count; i++)
            assert_true(list[i].evidence == right[i].evidence);
    }
    gsl_rng_free(rng);
}

/* ---- Random graphs, some of whose edges are arrows ---- */

struct drawn {
    int n;
    bool adjacent[MAX_NODES][MAX_NODES], arrow[MAX_NODES][MAX_NODES];
    dpc_adjacency *graph;
    dpc_mixed arrows;
};

/* The arrows go along a random order, but for a share of them. */
static void draw_graph(struct drawn *d, int n, double density, double directed, double against,
                       gsl_rng *rng)
{
    int32_t degree[MAX_NODES] = {0};
    double rank[MAX_NODES];
    memset(d, 0, sizeof *d);
    d->n = n;
    for (int v = 0; v < n; v++)
        rank[v] = gsl_rng_uniform(rng);
    for (int a = 0; a < n; a++)
        for (int b = a + 1; b < n; b++) {
            if (gsl_rng_uniform(rng) >= density)
                continue;
            d->adjacent[a][b] = d->adjacent[b][a] = true;
            degree[a]++;
            degree[b]++;
            bool up = (rank[a] < rank[b]) == (gsl_rng_uniform(rng) >= against);
            if (gsl_rng_uniform(rng) < directed)
                d->arrow[up ? a : b][up ? b : a] = true;
        }
    assert_int_equal(dpc_adjacency_new(n, degree, &d->graph), DPC_OK);
    for (int a = 0; a < n; a++)
        for (int b = 0, at = 0; b < n; b++)
            if (d->adjacent[a][b])
                d->graph->node[d->graph->start[a] + at++] = b;
    assert_int_equal(dpc_mixed_init(d->graph, &d->arrows), DPC_OK);
    for (int a = 0; a < n; a++)
        for (int64_t e = d->graph->start[a]; e < d->graph->start[a + 1]; e++)
            dpc_set_arrow(&d->arrows, e, d->arrow[a][d->graph->node[e]]);
}

static void drawn_clear(struct drawn *d)
{
    dpc_mixed_clear(&d->arrows);
    dpc_adjacency_free(d->graph);
}

/* Which nodes can be reached from which by one arrow or more. */
static void close_ways(const struct drawn *d, bool way[MAX_NODES][MAX_NODES])
{
    memcpy(way, d->arrow, sizeof d->arrow);
    for (int k = 0; k < d->n; k++)
        for (int a = 0; a < d->n; a++)
            for (int b = 0; b < d->n; b++)
                way[a][b] = way[a][b] || (way[a][k] && way[k][b]);
}

static void test_arrows(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20240622);
    for (int number = 0; number < 50; number++) {
        struct drawn d;
        dpc_graph graph = {0};
        dpc_mixed again;
        draw_graph(&d, draw_int(rng, 2, 20), gsl_rng_uniform(rng), 0.6, 0.5, rng);
        assert_int_equal(dpc_mixed_graph(&d.arrows, &graph), DPC_OK);
        assert_int_equal(dpc_graph_check(&graph, "graph", NULL), DPC_OK);
        for (int a = 0; a < d.n; a++)
            for (int b = 0; b < d.n; b++)
                assert_int_equal(dpc_graph_mark(&graph, a, b), !d.adjacent[a][b] ? DPC_NONE
                                                               : d.arrow[a][b]   ? DPC_FORWARD
                                                               : d.arrow[b][a]   ? DPC_BACKWARD
                                                                                 : DPC_UNDIRECTED);
        assert_int_equal(dpc_mixed_init(d.graph, &again), DPC_OK);
        dpc_mixed_copy(&again, &graph, NULL);
        for (int64_t e = 0; e < dpc_slots(d.graph); e++) {
            assert_int_equal(again.end[e], d.arrows.end[e]);
            assert_int_equal(dpc_back(&again, dpc_back(&again, e)), e);
            assert_int_equal(dpc_slot_node(&again, e), dpc_row_of(d.graph->start, d.n, e));
        }
        dpc_mixed_clear(&again);
        dpc_graph_clear(&graph);
        drawn_clear(&d);
    }
    gsl_rng_free(rng);
}

static void test_cycles(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20240623);
    int with = 0;
    for (int number = 0; number < 200; number++) {
        struct drawn d;
        dpc_cycles cycles;
        dpc_arena arena = {0};
        bool way[MAX_NODES][MAX_NODES], any = false;
        draw_graph(&d, draw_int(rng, 2, 25), 0.3 * gsl_rng_uniform(rng), 0.8, 0.2, rng);
        close_ways(&d, way);
        assert_int_equal(dpc_cycles_init(d.n, &arena, &cycles), DPC_OK);
        bool found = dpc_cycles_find(&cycles, &d.arrows, d.arrows.end);
        for (int v = 0; v < d.n; v++) {
            bool from = way[v][v], to = way[v][v];
            for (int w = 0; w < d.n; w++) {
                from = from || (way[w][w] && way[w][v]);
                to = to || (way[w][w] && way[v][w]);
            }
            assert_int_equal(cycles.safe[v], !(from && to));
            any = any || way[v][v];
        }
        assert_int_equal(found, any);
        with += any;
        dpc_arena_clear(&arena);
        drawn_clear(&d);
    }
    gsl_rng_free(rng);
    assert_in_range(with, 20, 180);
}

/* Arrows are added to a graph in which all are adjacent, and taken back now and then. */
static void test_acyclic(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20240624);
    for (int number = 0; number < 40; number++) {
        struct drawn d;
        bool way[MAX_NODES][MAX_NODES];
        dpc_acyclic acyclic;
        draw_graph(&d, draw_int(rng, 2, MAX_NODES), 1, 0, 0, rng);
        assert_int_equal(dpc_acyclic_init(d.graph, &acyclic), DPC_OK);
        for (int turn = 0; turn < 120; turn++) {
            int a = draw_int(rng, 0, d.n - 1), b = draw_int(rng, 0, d.n - 1);
            int64_t slot = a != b ? dpc_slot(d.graph, a, b) : -1;
            if (slot < 0 || d.arrow[b][a])
                continue;
            if (d.arrow[a][b]) {
                dpc_set_arrow(&acyclic.arrows, slot, false);
                d.arrow[a][b] = false;
                continue;
            }
            close_ways(&d, way);
            assert_int_equal(dpc_acyclic_add(&acyclic, slot), !way[b][a]);
            assert_int_equal(dpc_arrow_out(&acyclic.arrows, slot), !way[b][a]);
            d.arrow[a][b] = !way[b][a];
            for (int v = 0; v < d.n; v++)
                for (int w = 0; w < d.n; w++)
                    assert_true(!d.arrow[v][w] || acyclic.place[v] < acyclic.place[w]);
        }
        dpc_acyclic_clear(&acyclic);
        drawn_clear(&d);
    }
    gsl_rng_free(rng);
}

/* Arrows are added, and taken back now and then. */
static void test_reach(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20240624);
    for (int number = 0; number < 40; number++) {
        struct drawn d = {.n = draw_int(rng, 2, MAX_NODES)}, kept = d;
        bool way[MAX_NODES][MAX_NODES];
        dpc_reach reach;
        assert_int_equal(dpc_reach_init(d.n, &reach), DPC_OK);
        for (int turn = 0; turn < 20; turn++) {
            dpc_reach_mark(&reach);
            for (int i = 0; i < 6; i++) {
                int a = draw_int(rng, 0, d.n - 1), b = draw_int(rng, 0, d.n - 1);
                if (a == b)
                    continue;
                close_ways(&d, way);
                assert_int_equal(dpc_reach_add(&reach, a, b), !way[b][a]);
                d.arrow[a][b] = d.arrow[a][b] || !way[b][a];
            }
            if (draw_int(rng, 0, 1)) {
                dpc_reach_undo(&reach);
                d = kept;
            }
            kept = d;
            close_ways(&d, way);
            for (int a = 0; a < d.n; a++)
                for (int b = 0; b < d.n; b++)
                    assert_int_equal(dpc_reaches(&reach, a, b), a == b || way[a][b]);
        }
        dpc_reach_clear(&reach);
    }
    gsl_rng_free(rng);
}

static void test_best(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20240625);
    for (int n = 1; n < 40; n++) {
        dpc_best best;
        int64_t key[40];
        assert_int_equal(dpc_best_init(n, &best), DPC_OK);
        assert_int_equal(dpc_best_node(&best), -1);
        for (int v = 0; v < n; v++)
            key[v] = DPC_NO_KEY;
        for (int turn = 0; turn < 200; turn++) {
            int v = draw_int(rng, 0, n - 1), right = -1;
            key[v] = draw_int(rng, 0, 4) ? draw_int(rng, -3, 3) : DPC_NO_KEY;
            dpc_best_set(&best, v, key[v]);
            for (int w = 0; w < n; w++)
                if (key[w] != DPC_NO_KEY && (right < 0 || key[w] > key[right]))
                    right = w;
            assert_int_equal(dpc_best_node(&best), right);
        }
        dpc_best_clear(&best);
    }
    gsl_rng_free(rng);
}

/* ---- Meek's rules ---- */

static bool no_collider(const void *context, int y, int64_t first, int64_t second)
{
    const struct drawn *d = context;
    int x = d->graph->node[first], z = d->graph->node[second];
    return !d->adjacent[x][z] && !(d->arrow[x][y] && d->arrow[z][y]);
}

/* What each rule is, word by word; c and d may be the same node where the rule has one. */
static bool rule_holds(const struct drawn *g, int rule, int a, int b, int c, int d)
{
    bool(*const arrow)[MAX_NODES] = (void *)g->arrow;
    bool undirected_c = g->adjacent[a][c] && !arrow[a][c] && !arrow[c][a];
    bool undirected_d = g->adjacent[a][d] && !arrow[a][d] && !arrow[d][a];
    switch (rule) {
    case 1:
        return arrow[c][a] && c != b && !g->adjacent[c][b];
    case 2:
        return arrow[a][c] && arrow[c][b];
    case 3:
        return c != d && undirected_c && undirected_d && arrow[c][b] && arrow[d][b] &&
               !g->adjacent[c][d];
    default:
        return undirected_c && c != b && g->adjacent[a][d] && arrow[c][d] && arrow[d][b] &&
               !g->adjacent[c][b];
    }
}

/* The first c, d for which the rule holds; false: there are none. */
static bool find_slowly(const struct drawn *g, int rule, int a, int b, int32_t other[2])
{
    for (int c = 0; c < g->n; c++)
        for (int d = 0; d < g->n; d++)
            if (rule_holds(g, rule, a, b, c, d)) {
                other[0] = c;
                other[1] = d;
                return true;
            }
    return false;
}

static void check_rules(const struct drawn *g, const dpc_meek *meek, int64_t *counts)
{
    for (int a = 0; a < g->n; a++)
        for (int64_t e = g->graph->start[a]; e < g->graph->start[a + 1]; e++) {
            int b = g->graph->node[e], first = 0;
            if (!dpc_undirected(&g->arrows, e))
                continue;
            for (int rule = 1; rule <= DPC_MEEK_RULES; rule++) {
                int32_t slow[2] = {-1, -1}, fast[2] = {-1, -1};
                bool holds = find_slowly(g, rule, a, b, slow);
                assert_int_equal(dpc_meek_rule(meek, rule, a, e, fast), holds);
                if (!holds)
                    continue;
                counts[rule]++;
                first = first == 0 ? rule : first;
                assert_int_equal(fast[0], slow[0]);
                if (rule > 2)
                    assert_int_equal(fast[1], slow[1]);
            }
            int32_t other[2];
            assert_int_equal(dpc_meek_find(meek, DPC_MEEK_RULES, a, e, other), first);
        }
}

static void count_arrows(const struct drawn *d, int32_t *in, int32_t *out)
{
    memset(in, 0, MAX_NODES * sizeof *in);
    memset(out, 0, MAX_NODES * sizeof *out);
    for (int a = 0; a < d->n; a++)
        for (int b = 0; b < d->n; b++) {
            in[b] += d->arrow[a][b];
            out[a] += d->arrow[a][b];
        }
}

static void test_meek_find(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20240626);
    int64_t counts[DPC_MEEK_RULES + 1] = {0};
    for (int number = 0; number < 400; number++) {
        struct drawn d;
        int32_t in[MAX_NODES], out[MAX_NODES];
        draw_graph(&d, draw_int(rng, 3, 14), 0.2 + 0.7 * gsl_rng_uniform(rng), gsl_rng_uniform(rng),
                   0, rng);
        dpc_meek meek = {.arrows = &d.arrows,
                         .premise = d.arrows.end,
                         .noncollider = no_collider,
                         .context = &d};
        check_rules(&d, &meek, counts);
        count_arrows(&d, in, out); /* which spares the looking, and changes nothing */
        meek.n_in = in;
        meek.n_out = out;
        check_rules(&d, &meek, counts);
        drawn_clear(&d);
    }
    gsl_rng_free(rng);
    for (int rule = 1; rule <= DPC_MEEK_RULES; rule++)
        assert_true(counts[rule] > 100);
}

/* The arrows of `follow`, with a list of those whose consequences are to be found. */
struct following {
    struct drawn *d;
    int64_t list[MAX_NODES * MAX_NODES];
    int count;
};

static bool add(void *context, int64_t slot)
{
    struct following *f = context;
    dpc_mixed *arrows = &f->d->arrows;
    if (dpc_arrow_in(arrows, slot))
        return false;
    if (!dpc_arrow_out(arrows, slot)) {
        f->d->arrow[dpc_slot_node(arrows, slot)][arrows->graph->node[slot]] = true;
        dpc_set_arrow(arrows, slot, true);
        f->list[f->count++] = slot;
    }
    return true;
}

/* Directs everything that rules 1 to 3 give, by asking every edge, until nothing changes. */
static void close_slowly(struct drawn *d)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (int a = 0; a < d->n; a++)
            for (int b = 0; b < d->n; b++) {
                int32_t other[2];
                bool open = d->adjacent[a][b] && !d->arrow[a][b] && !d->arrow[b][a];
                for (int rule = 1; rule <= 3 && open; rule++)
                    if (find_slowly(d, rule, a, b, other)) {
                        d->arrow[a][b] = true;
                        changed = true;
                        open = false;
                    }
            }
    }
}

/* From the v-structures of a DAG, both ways of asking end in the same arrows. */
static void test_meek_follow(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20240627);
    int64_t followed = 0;
    for (int number = 0; number < 300; number++) {
        struct drawn d, slow;
        static struct following f;
        draw_graph(&d, draw_int(rng, 3, 16), 0.1 + 0.6 * gsl_rng_uniform(rng), 1, 0, rng);
        bool keep[MAX_NODES][MAX_NODES] = {{false}};
        for (int y = 0; y < d.n; y++)
            for (int x = 0; x < d.n; x++)
                for (int z = 0; z < d.n; z++)
                    if (x != z && d.arrow[x][y] && d.arrow[z][y] && !d.adjacent[x][z])
                        keep[x][y] = true;
        memcpy(d.arrow, keep, sizeof keep);
        memset(d.arrows.end, DPC_END_TAIL, (size_t)dpc_slots(d.graph));
        slow = d;
        close_slowly(&slow);
        f = (struct following){.d = &d};
        memset(d.arrow, 0, sizeof d.arrow);
        for (int a = 0; a < d.n; a++)
            for (int64_t e = d.graph->start[a]; e < d.graph->start[a + 1]; e++)
                if (keep[a][d.graph->node[e]])
                    assert_true(add(&f, e));
        int given = f.count;
        dpc_meek meek = {.arrows = &d.arrows,
                         .premise = d.arrows.end,
                         .noncollider = no_collider,
                         .context = &d};
        for (int i = 0; i < f.count; i++)
            assert_true(dpc_meek_follow(&meek, f.list[i], add, &f));
        assert_memory_equal(d.arrow, slow.arrow, sizeof d.arrow);
        followed += f.count - given;
        drawn_clear(&d);
    }
    gsl_rng_free(rng);
    assert_true(followed > 300);
}

/* ---- What cannot be ---- */

/* The arrows that were asked for; one of them is refused. */
struct refusing {
    int64_t slot[MAX_NODES * MAX_NODES];
    int count, refused; /* -1: none */
};

static bool ask(void *context, int64_t slot)
{
    struct refusing *r = context;
    r->slot[r->count++] = slot;
    return r->count - 1 != r->refused;
}

static bool asked_for(const struct refusing *r, int64_t slot)
{
    for (int i = 0; i < r->count; i++)
        if (r->slot[i] == slot)
            return true;
    return false;
}

/* y with its neighbours at ex and ez is no collider: what follows, by rules 1 and 3 as they are. */
static bool follows(const struct drawn *d, int y, int x, int z, int b)
{
    bool open_x = !d->arrow[x][y] && !d->arrow[y][x], open_z = !d->arrow[z][y] && !d->arrow[y][z];
    bool open_b = d->adjacent[y][b] && !d->arrow[y][b] && !d->arrow[b][y];
    return (b == z && d->arrow[x][y]) || (b == x && d->arrow[z][y]) ||
           (open_x && open_z && open_b && d->arrow[x][b] && d->arrow[z][b]);
}

/* All that follows is asked for, once a refusal comes nothing more, and the answer tells. */
static int64_t check_noncollider(const struct drawn *d, const dpc_meek *meek, int y, int64_t ex,
                                 int64_t ez)
{
    static struct refusing all, some;
    all = (struct refusing){.refused = -1};
    assert_true(dpc_meek_follow_noncollider(meek, y, ex, ez, ask, &all));
    for (int64_t e = d->graph->start[y]; e < d->graph->start[y + 1]; e++)
        assert_int_equal(asked_for(&all, e),
                         follows(d, y, d->graph->node[ex], d->graph->node[ez], d->graph->node[e]));
    for (int refused = 0; refused < all.count; refused++) {
        some = (struct refusing){.refused = refused};
        assert_false(dpc_meek_follow_noncollider(meek, y, ex, ez, ask, &some));
        assert_int_equal(some.count, refused + 1);
        assert_memory_equal(some.slot, all.slot, (size_t)some.count * sizeof *some.slot);
    }
    return all.count;
}

/* The same of an arrow that is new. */
static int64_t check_arrow(const dpc_meek *meek, int64_t slot)
{
    static struct refusing all, some;
    all = (struct refusing){.refused = -1};
    assert_true(dpc_meek_follow(meek, slot, ask, &all));
    for (int refused = 0; refused < all.count; refused++) {
        some = (struct refusing){.refused = refused};
        assert_false(dpc_meek_follow(meek, slot, ask, &some));
        assert_int_equal(some.count, refused + 1);
    }
    return all.count;
}

static void test_meek_refused(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20261112);
    int64_t noncolliders = 0, arrows = 0;
    for (int number = 0; number < 200; number++) {
        struct drawn d;
        draw_graph(&d, draw_int(rng, 4, 12), 0.3 + 0.6 * gsl_rng_uniform(rng), 0.5, 0, rng);
        dpc_meek meek = {.arrows = &d.arrows,
                         .premise = d.arrows.end,
                         .noncollider = no_collider,
                         .context = &d};
        for (int y = 0; y < d.n; y++)
            for (int64_t ex = d.graph->start[y]; ex < d.graph->start[y + 1]; ex++) {
                if (dpc_arrow_out(&d.arrows, ex))
                    arrows += check_arrow(&meek, ex);
                for (int64_t ez = ex + 1; ez < d.graph->start[y + 1]; ez++)
                    if (no_collider(&d, y, ex, ez))
                        noncolliders += check_noncollider(&d, &meek, y, ex, ez);
            }
        drawn_clear(&d);
    }
    gsl_rng_free(rng);
    assert_true(noncolliders > 500 && arrows > 500);
}

/* ---- Any marks, and DAGs ---- */

/* A PAG goes into the lists with marks and back, by labels that turn the nodes round. */
static void test_mixed(void **state)
{
    (void)state;
    static const dpc_edge edges[] = {{0, 1, DPC_CIRCLE_ARROW},
                                     {0, 3, DPC_BIDIRECTED},
                                     {1, 2, DPC_TAIL_CIRCLE},
                                     {2, 3, DPC_BACKWARD}};
    dpc_graph pag = {4, 4, (dpc_edge *)edges}, back;
    dpc_mixed mixed;
    assert_int_equal(dpc_mixed_of(&pag, NULL, &mixed), DPC_OK);
    assert_int_equal(mixed.end[dpc_slot(mixed.graph, 0, 1)], DPC_END_ARROW);
    assert_int_equal(mixed.end[dpc_slot(mixed.graph, 1, 0)], DPC_END_CIRCLE);
    assert_int_equal(mixed.end[dpc_slot(mixed.graph, 3, 0)], DPC_END_ARROW);
    assert_int_equal(dpc_mixed_graph(&mixed, &back), DPC_OK);
    assert_int_equal(back.n_edges, pag.n_edges);
    for (int e = 0; e < 4; e++)
        assert_int_equal(dpc_graph_mark(&back, edges[e].a, edges[e].b), edges[e].mark);
    dpc_graph_clear(&back);
    dpc_mixed_clear(&mixed);
}

/*
 * The circle 0 — 1 — 2 — 3 — 0 with the arrow 4 → 0 has no consistent extension: 4 has an arrow,
 * and any other node has two neighbours that are not adjacent. By costs the sink is 1, which makes
 * one v-structure; the first node whose turn comes by the fewest edges is 1 too, for 4 has an
 * arrow.
 */
static void test_sinks(void **state)
{
    (void)state;
    static const dpc_edge edges[] = {{0, 1, DPC_UNDIRECTED},
                                     {0, 3, DPC_UNDIRECTED},
                                     {0, 4, DPC_BACKWARD},
                                     {1, 2, DPC_UNDIRECTED},
                                     {2, 3, DPC_UNDIRECTED}};
    dpc_graph circle = {5, 5, (dpc_edge *)edges};
    int32_t when[5];
    bool consistent = true;
    assert_int_equal(dpc_extension(&circle, NULL, DPC_SINK_FIRST, when, &consistent), DPC_OK);
    assert_false(consistent);
    for (int v = 0; v < 5; v++)
        assert_int_equal(when[v], -1);
    for (dpc_sink sink = DPC_SINK_NEAREST; sink <= DPC_SINK_CHEAPEST; sink++) {
        bool gone[5] = {false};
        assert_int_equal(dpc_extension(&circle, NULL, sink, when, &consistent), DPC_OK);
        assert_int_equal(when[sink == DPC_SINK_NEAREST ? 0 : 1], 0);
        assert_true(when[4] > when[0]); /* 4 → 0 stays */
        for (int v = 0; v < 5; v++) {
            assert_in_range(when[v], 0, 4);
            assert_false(gone[when[v]]);
            gone[when[v]] = true;
        }
    }
}

/* Who is adjacent, in graphs that are dense enough for a bit for each pair, and in others. */
static void test_passes(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20261113);
    for (int number = 0; number < 20; number++) {
        struct drawn d;
        dpc_meek_passes passes;
        draw_graph(&d, MAX_NODES, number % 2 ? 0.97 : 0.3, 0, 0, rng);
        assert_int_equal(dpc_meek_passes_init(d.graph, NULL, false, &passes), DPC_OK);
        assert_int_equal(passes.bits != NULL, number % 2);
        for (int a = 0; a < d.n; a++)
            for (int b = 0; b < d.n; b++)
                assert_int_equal(dpc_meek_passes_adjacent(&passes, a, b), d.adjacent[a][b]);
        dpc_meek_passes_clear(&passes);
        drawn_clear(&d);
    }
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lists),       cmocka_unit_test(test_rows),
        cmocka_unit_test(test_pairs),       cmocka_unit_test(test_triples),
        cmocka_unit_test(test_arrows),      cmocka_unit_test(test_cycles),
        cmocka_unit_test(test_acyclic),     cmocka_unit_test(test_reach),
        cmocka_unit_test(test_best),        cmocka_unit_test(test_meek_find),
        cmocka_unit_test(test_meek_follow), cmocka_unit_test(test_meek_refused),
        cmocka_unit_test(test_passes),      cmocka_unit_test(test_mixed),
        cmocka_unit_test(test_sinks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
