/*
 * The metrics: worked out by hand, against a slow twin that follows the definitions on a dense
 * matrix, and what must hold for any two graphs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cases.h"
#include "compare.h"
#include "dualpc.h"
#include "names.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 8 }; /* nodes of a small graph */

/* A small graph: to[x][y] and not to[y][x] is x → y, both x — y. */
typedef struct dense {
    int n;
    bool to[MOST][MOST];
} dense;

/* ---- From one form to the other ---- */

/* The edges are written into `edges`, which has room. */
static dpc_graph listed(const dense *d, dpc_edge *edges)
{
    dpc_graph graph = {d->n, 0, edges};
    for (int32_t a = 0; a < d->n; a++)
        for (int32_t b = a + 1; b < d->n; b++)
            if (d->to[a][b] || d->to[b][a])
                edges[graph.n_edges++] = (dpc_edge){a, b,
                                                    !d->to[b][a]   ? DPC_FORWARD
                                                    : !d->to[a][b] ? DPC_BACKWARD
                                                                   : DPC_UNDIRECTED};
    return graph;
}

/* "0>1 1-2": the nodes are digits. */
static dense drawn(int n, const char *text)
{
    dense d = {.n = n};
    for (; *text != '\0'; text += text[3] == ' ' ? 4 : 3) {
        int a = text[0] - '0', b = text[2] - '0';
        d.to[a][b] = text[1] == '>' || text[1] == '-';
        d.to[b][a] = text[1] == '<' || text[1] == '-';
    }
    return d;
}

static dpc_metrics compare_dense(const dense *estimate, const dense *truth, dpc_target as)
{
    dpc_edge ours[MOST * MOST], theirs[MOST * MOST];
    dpc_graph e = listed(estimate, ours), t = listed(truth, theirs);
    dpc_metrics m = {0};
    assert_int_equal(dpc_compare(&e, &t, as, &m, NULL), DPC_OK);
    return m;
}

/* ---- The slow twin ---- */

static bool joined(const dense *d, int x, int y)
{
    return d->to[x][y] || d->to[y][x];
}

static bool directed(const dense *d, int x, int y)
{
    return d->to[x][y] && !d->to[y][x];
}

static bool collider(const dense *d, int x, int y, int z)
{
    return x != z && directed(d, x, y) && directed(d, z, y) && !joined(d, x, z);
}

static bool is_dag(const dense *d)
{
    bool reach[MOST][MOST];
    for (int x = 0; x < d->n; x++)
        for (int y = 0; y < d->n; y++) {
            if (d->to[x][y] && d->to[y][x])
                return false;
            reach[x][y] = d->to[x][y];
        }
    for (int k = 0; k < d->n; k++)
        for (int x = 0; x < d->n; x++)
            for (int y = 0; y < d->n; y++)
                reach[x][y] = reach[x][y] || (reach[x][k] && reach[k][y]);
    for (int x = 0; x < d->n; x++)
        if (reach[x][x])
            return false;
    return true;
}

static bool same_colliders(const dense *d, const dense *e)
{
    for (int x = 0; x < d->n; x++)
        for (int y = 0; y < d->n; y++)
            for (int z = 0; z < d->n; z++)
                if (collider(d, x, y, z) != collider(e, x, y, z))
                    return false;
    return true;
}

/* All DAGs with the skeleton and the v-structures of this one, put on top of each other. */
static dense slow_class(const dense *dag)
{
    dpc_edge edges[MOST * MOST];
    dpc_graph graph = listed(dag, edges);
    dense all = {.n = dag->n};
    for (unsigned turn = 0; turn < 1u << graph.n_edges; turn++) {
        dense other = {.n = dag->n};
        for (int e = 0; e < graph.n_edges; e++)
            if (turn >> e & 1)
                other.to[edges[e].b][edges[e].a] = true;
            else
                other.to[edges[e].a][edges[e].b] = true;
        if (!is_dag(&other) || !same_colliders(dag, &other))
            continue;
        for (int x = 0; x < dag->n; x++)
            for (int y = 0; y < dag->n; y++)
                all.to[x][y] = all.to[x][y] || other.to[x][y];
    }
    return all;
}

static dense slow_reduce(const dense *d, dpc_target as)
{
    dense out = *d;
    for (int x = 0; x < d->n && as != DPC_CPDAG; x++)
        for (int y = 0; y < d->n; y++) {
            bool keep = false;
            for (int z = 0; z < d->n; z++)
                keep =
                    keep || (as == DPC_PATTERN && (collider(d, x, y, z) || collider(d, y, x, z)));
            if (!keep)
                out.to[x][y] = joined(d, x, y);
        }
    return out;
}

/* Is there an arrowhead at y of the edge between x and y? */
static bool head(const dense *d, int x, int y)
{
    return d->to[x][y] && !d->to[y][x];
}

/* Adjacencies and arrowheads, end by end. */
static void count_slowly(const dense *e, const dense *t, dpc_metrics *m)
{
    double ours = 0, theirs = 0, both = 0, heads = 0, true_heads = 0, same = 0, shared = 0;
    for (int x = 0; x < e->n; x++)
        for (int y = 0; y < e->n; y++) {
            ours += x < y && joined(e, x, y);
            theirs += x < y && joined(t, x, y);
            both += x < y && joined(e, x, y) && joined(t, x, y);
            heads += head(e, x, y);
            true_heads += head(t, x, y);
            same += head(e, x, y) && head(t, x, y);
            shared += head(t, x, y) && joined(e, x, y);
        }
    m->ap = both / ours;
    m->ar = both / theirs;
    m->ahp = same / heads;
    m->ahr = same / true_heads;
    m->ahrc = same / shared;
}

static dpc_metrics slow_compare(const dense *estimate, const dense *truth, dpc_target as)
{
    bool class = as == DPC_CPDAG && is_dag(truth);
    dense e = class && is_dag(estimate) ? slow_class(estimate) : slow_reduce(estimate, as);
    dense t = class ? slow_class(truth) : slow_reduce(truth, as);
    dpc_metrics m = {0};
    for (int x = 0; x < e.n; x++)
        for (int y = x + 1; y < e.n; y++) {
            m.p += joined(&t, x, y);
            if (joined(&e, x, y) && !joined(&t, x, y)) {
                m.fp += 1;
            } else if (!joined(&e, x, y) && joined(&t, x, y)) {
                m.fn += 1;
            } else if (e.to[x][y] != t.to[x][y] || e.to[y][x] != t.to[y][x]) {
                m.fp += 0.5;
                m.fn += 0.5;
            }
        }
    m.tp = (double)m.p - m.fn;
    m.shd = m.fp + m.fn;
    count_slowly(&e, &t, &m);
    return m;
}

/* ---- Random graphs ---- */

/* At most 9 edges, for slow_class goes over all ways to turn them. */
static dense draw_dense(gsl_rng *rng, int n, bool dag)
{
    dense d = {.n = n};
    int place[MOST], edges = 0, chance = draw_int(rng, 0, 100);
    for (int i = 0; i < n; i++) {
        int j = draw_int(rng, 0, i);
        place[i] = place[j];
        place[j] = i;
    }
    for (int x = 0; x < n; x++)
        for (int y = x + 1; y < n; y++) {
            if (draw_int(rng, 1, 100) > chance || edges++ >= 9)
                continue;
            int kind = draw_int(rng, 0, 2);
            bool up = dag ? place[x] < place[y] : kind != 1, down = dag ? !up : kind != 0;
            d.to[x][y] = up;
            d.to[y][x] = down;
        }
    return d;
}

static void same_ratio(double seen, double wanted)
{
    assert_true(seen == wanted || (isnan(seen) && isnan(wanted)));
}

static void must_agree(const dpc_metrics *m, const dpc_metrics *slow)
{
    double p = (double)m->p;
    assert_int_equal(m->exact, m->shd == 0);
    same_ratio(m->ap, slow->ap);
    same_ratio(m->ar, slow->ar);
    same_ratio(m->ahp, slow->ahp);
    same_ratio(m->ahr, slow->ahr);
    same_ratio(m->ahrc, slow->ahrc);
    assert_int_equal(m->p, slow->p);
    assert_true(m->tp == slow->tp && m->fp == slow->fp && m->fn == slow->fn && m->shd == slow->shd);
    assert_true(m->tp + m->fn == p && m->shd == m->fp + m->fn);
    if (m->p == 0) {
        assert_true(isnan(m->tpr) && isnan(m->recall) && isnan(m->fprp));
    } else {
        assert_true(m->tpr == m->tp / p && m->recall == m->tpr && m->fprp == m->fp / p);
    }
    if (m->tp + m->fp == 0)
        assert_true(isnan(m->precision));
    else
        assert_true(m->precision == m->tp / (m->tp + m->fp));
    if (m->tp + m->fp + m->fn == 0)
        assert_true(isnan(m->f1));
    else
        assert_true(m->f1 == 2 * m->tp / (2 * m->tp + m->fp + m->fn));
}

static void test_against_the_slow_twin(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(11);
    int dags = 0, not_dags = 0, half = 0, without = 0;
    for (int round = 0; round < 6000; round++) {
        int n = draw_int(rng, 0, 6);
        dense e = draw_dense(rng, n, round % 5 == 0), t = draw_dense(rng, n, round % 2 == 0);
        for (dpc_target as = DPC_CPDAG; as <= DPC_SKELETON; as++) {
            dpc_metrics m = compare_dense(&e, &t, as), slow = slow_compare(&e, &t, as);
            must_agree(&m, &slow);
            half += m.fp != floor(m.fp);
            without += m.p == 0;
        }
        dags += is_dag(&t);
        not_dags += !is_dag(&t);
    }
    assert_true(dags > 1000 && not_dags > 1000 && half > 500 && without > 50);
    gsl_rng_free(rng);
}

/* ---- By hand ---- */

static void test_by_hand(void **state)
{
    (void)state;
    static const struct {
        const char *estimate, *truth;
        dpc_target as;
        double tp, fp, fn;
        int64_t p;
    } cases[] = {
        /* 0 → 1 ← 2 is its own CPDAG */
        {"0>1 2>1", "0>1 2>1", DPC_CPDAG, 2, 0, 0, 2},
        /* 0-1 has another mark, 1-2 is missing, 2-3 is one too many */
        {"0-1 2-3", "0>1 1<2", DPC_CPDAG, 0.5, 1.5, 1.5, 2},
        /* reversed is as far as undirected */
        {"1>0 1-2", "0>1 1-2", DPC_CPDAG, 1.5, 0.5, 0.5, 2},
        /* a chain has no v-structure: its CPDAG is undirected, on both sides */
        {"0-1 1-2", "0>1 1>2", DPC_CPDAG, 2, 0, 0, 2},
        {"0>1 1>2", "0>1 1>2", DPC_CPDAG, 2, 0, 0, 2},
        {"1>0 2>1", "0>1 1>2", DPC_CPDAG, 2, 0, 0, 2},
        {"1>0 2>1", "0>1 2>1", DPC_CPDAG, 1, 1, 1, 2},
        /* but where the truth is a CPDAG, the estimate is what was given */
        {"0>1 1>2", "0-1 1-2", DPC_CPDAG, 1, 1, 1, 2},
        /* not a DAG, for 1-2 has no direction: 0 → 1 stays */
        {"0>1 1-2", "0>1 1-2", DPC_CPDAG, 2, 0, 0, 2},
        /* a directed cycle is compared as it is */
        {"0>1 1>2 0<2", "0>1 1>2 0<2", DPC_CPDAG, 3, 0, 0, 3},
        /* 0 → 2 ← 1, 2 → 3: the last is compelled, but in no v-structure */
        {"0>2 1>2 2>3", "0>2 1>2 2>3", DPC_CPDAG, 3, 0, 0, 3},
        {"0>2 1>2 2-3", "0>2 1>2 2>3", DPC_PATTERN, 3, 0, 0, 3},
        {"0>2 1>2 2-3", "0>2 1>2 2>3", DPC_CPDAG, 2.5, 0.5, 0.5, 3},
        {"0>2 1>2 2<3", "0>2 1>2 2>3", DPC_PATTERN, 2.5, 0.5, 0.5, 3},
        /* 0-1 shields 0 → 2 ← 1 */
        {"0-1 0-2 1-2", "0>1 0>2 1>2", DPC_PATTERN, 3, 0, 0, 3},
        {"0-1 0>2 1>2", "0>1 0>2 1>2", DPC_PATTERN, 3, 0, 0, 3},
        {"0<1 2-3", "0>1 1>2", DPC_SKELETON, 1, 1, 1, 2},
        {"", "0>1", DPC_CPDAG, 0, 0, 1, 1},
        {"0>1", "", DPC_CPDAG, 0, 1, 0, 0},
        {"", "", DPC_PATTERN, 0, 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dense e = drawn(4, cases[i].estimate), t = drawn(4, cases[i].truth);
        dpc_metrics m = compare_dense(&e, &t, cases[i].as);
        if (m.tp != cases[i].tp || m.fp != cases[i].fp || m.fn != cases[i].fn ||
            m.p != cases[i].p || m.shd != cases[i].fp + cases[i].fn)
            fail_msg("%s against %s: TP %g FP %g FN %g P %lld", cases[i].estimate, cases[i].truth,
                     m.tp, m.fp, m.fn, (long long)m.p);
    }
}

/* ---- What must hold ---- */

static void test_a_graph_is_0_from_itself(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(12);
    for (int round = 0; round < 2000; round++) {
        dense d = draw_dense(rng, draw_int(rng, 0, MOST), false);
        for (dpc_target as = DPC_CPDAG; as <= DPC_SKELETON; as++) {
            dpc_metrics m = compare_dense(&d, &d, as);
            assert_true(m.exact && m.shd == 0 && m.tp == (double)m.p);
        }
        dense dag = draw_dense(rng, draw_int(rng, 0, 6), true), class = slow_class(&dag);
        assert_true(compare_dense(&dag, &dag, DPC_CPDAG).exact);
        assert_true(compare_dense(&class, &dag, DPC_CPDAG).shd == 0);
        assert_true(compare_dense(&class, &class, DPC_CPDAG).shd == 0);
        assert_true(compare_dense(&class, &dag, DPC_PATTERN).shd == 0);
        assert_true(compare_dense(&dag, &class, DPC_PATTERN).shd == 0);
    }
    gsl_rng_free(rng);
}

static void test_the_distance_is_symmetric(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(13);
    for (int round = 0; round < 2000; round++) {
        int n = draw_int(rng, 0, MOST);
        dense d = draw_dense(rng, n, false), e = draw_dense(rng, n, false);
        for (dpc_target as = DPC_CPDAG; as <= DPC_SKELETON; as++) {
            if (as == DPC_CPDAG && (is_dag(&d) || is_dag(&e)))
                continue;
            dpc_metrics there = compare_dense(&d, &e, as), back = compare_dense(&e, &d, as);
            assert_true(there.shd == back.shd && there.fp == back.fn && there.tp == back.tp);
        }
    }
    gsl_rng_free(rng);
}

/* ---- Names ---- */

typedef struct named {
    dpc_named_graph graph;
    dpc_edge edges[MOST * MOST];
    char *names[MOST];
    char store[MOST][8];
} named;

/* Node v of `d` is called after the letter it has in `letters`. */
static void name_graph(const dense *d, const char *letters, bool all_nodes, named *out)
{
    for (int v = 0; v < d->n; v++) {
        snprintf(out->store[v], sizeof out->store[v], "%c", letters[v]);
        out->names[v] = out->store[v];
    }
    out->graph = (dpc_named_graph){
        .graph = listed(d, out->edges), .names = out->names, .all_nodes = all_nodes};
}

static void test_the_order_of_the_nodes_does_not_matter(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(14);
    int moved = 0;
    for (int round = 0; round < 2000; round++) {
        int n = draw_int(rng, 1, MOST), place[MOST];
        dense e = draw_dense(rng, n, round % 3 == 0), t = draw_dense(rng, n, round % 2 == 0);
        dense turned = {.n = n};
        char letters[MOST + 1] = "";
        for (int i = 0; i < n; i++) {
            int j = draw_int(rng, 0, i);
            place[i] = place[j];
            place[j] = i;
        }
        for (int x = 0; x < n; x++) {
            letters[place[x]] = (char)('a' + x);
            moved += place[x] != x;
            for (int y = 0; y < n; y++)
                turned.to[place[x]][place[y]] = e.to[x][y];
        }
        named ours, theirs;
        name_graph(&turned, letters, (round >> 2 & 1) == 0, &ours);
        name_graph(&t, "abcdefgh", (round >> 3 & 1) == 0, &theirs);
        for (dpc_target as = DPC_CPDAG; as <= DPC_SKELETON; as++) {
            dpc_metrics plain = compare_dense(&e, &t, as), m;
            assert_int_equal(dpc_compare_named(&ours.graph, &theirs.graph, as, &m, NULL), DPC_OK);
            must_agree(&m, &plain);
        }
    }
    assert_true(moved > 2000);
    gsl_rng_free(rng);
}

static void test_which_nodes_must_be_there(void **state)
{
    (void)state;
    static const struct {
        const char *ours, *theirs; /* letters */
        bool all_ours, all_theirs;
        const char *message; /* NULL: fine */
    } cases[] = {
        {"abc", "cba", true, true, NULL},
        {"abc", "abd", true, true, "the truth lacks 'c' of the estimate, the estimate lacks 'd'"},
        {"ab", "abc", true, true, "the estimate lacks 'c' of the truth; both"},
        {"abc", "ab", true, true, "the truth lacks 'c' of the estimate; both"},
        {"ab", "abc", false, true, NULL},
        {"abc", "ab", false, true, "the truth lacks 'c' of the estimate"},
        {"abc", "ab", true, false, NULL},
        {"ab", "abcdefg", true, false, "the estimate lacks 'c', 'd', 'e' and 2 more of the truth"},
        {"abx", "ab", false, false, NULL},
        {"ab", "aby", false, false, NULL},
        {"abx", "aby", false, false,
         "the truth lacks 'x' of the estimate, the estimate lacks 'y' of the truth; both"},
        {"cd", "ab", false, false, "the truth lacks 'c', 'd' of the estimate, the estimate lacks"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dense e = drawn((int)strlen(cases[i].ours), "0>1");
        dense t = drawn((int)strlen(cases[i].theirs), "0-1");
        named ours, theirs;
        dpc_metrics m = {.p = -7};
        dpc_error err = {0};
        name_graph(&e, cases[i].ours, cases[i].all_ours, &ours);
        name_graph(&t, cases[i].theirs, cases[i].all_theirs, &theirs);
        dpc_status status = dpc_compare_named(&ours.graph, &theirs.graph, DPC_SKELETON, &m, &err);
        if (cases[i].message == NULL) {
            assert_int_equal(status, DPC_OK);
            assert_int_equal(m.p, 1);
            /* the first two of "abc" are not those of "cba" */
            assert_true(m.shd == (cases[i].theirs[0] == 'c' ? 2 : 0));
        } else {
            assert_int_equal(status, DPC_BAD_INPUT);
            assert_int_equal(m.p, -7);
            if (strstr(err.message, cases[i].message) == NULL)
                fail_msg("case %zu: %s", i, err.message);
        }
    }
}

/* An edge list has lost the blanks around a name; the other graph may still have them. */
static void test_blanks_around_names(void **state)
{
    (void)state;
    dense d = drawn(3, "0>1 2>1");
    named ours, theirs;
    dpc_metrics m;
    name_graph(&d, "abc", false, &ours);
    name_graph(&d, "abc", true, &theirs);
    strcpy(theirs.store[0], " a\t");
    assert_int_equal(dpc_compare_named(&ours.graph, &theirs.graph, DPC_CPDAG, &m, NULL), DPC_OK);
    assert_true(m.shd == 0);
    assert_int_equal(dpc_compare_named(&theirs.graph, &ours.graph, DPC_CPDAG, &m, NULL), DPC_OK);
    assert_true(m.shd == 0);
    /* two nodes could be meant */
    strcpy(theirs.store[2], "a ");
    assert_int_equal(dpc_compare_named(&ours.graph, &theirs.graph, DPC_CPDAG, &m, NULL),
                     DPC_BAD_INPUT);
    /* the name as it is comes first: 'a ' is then another node */
    dense four = drawn(4, "0>1 2>1");
    name_graph(&four, "abcd", true, &theirs);
    strcpy(theirs.store[3], "a ");
    assert_int_equal(dpc_compare_named(&ours.graph, &theirs.graph, DPC_CPDAG, &m, NULL), DPC_OK);
    assert_true(m.shd == 0);
}

/* ---- Misuse, and size ---- */

static void test_misuse(void **state)
{
    (void)state;
    static const dpc_edge unsorted[] = {{1, 2, DPC_FORWARD}, {0, 1, DPC_FORWARD}},
                          twice[] = {{0, 1, DPC_FORWARD}, {0, 1, DPC_BACKWARD}},
                          turned[] = {{1, 0, DPC_FORWARD}}, outside[] = {{0, 3, DPC_FORWARD}},
                          unmarked[] = {{0, 1, DPC_NONE}};
    static const struct {
        const dpc_edge *edges;
        int64_t n_edges;
    } wrong[] = {{unsorted, 2}, {twice, 2}, {turned, 1}, {outside, 1}, {unmarked, 1}};
    dpc_graph none = {3, 0, NULL}, larger = {4, 0, NULL};
    dpc_metrics m = {.p = -7};
    dpc_error err;
    assert_int_equal(dpc_compare(&none, &larger, DPC_CPDAG, &m, &err), DPC_USAGE);
    assert_non_null(strstr(err.message, "3 nodes"));
    assert_int_equal(dpc_compare(&none, &none, (dpc_target)9, &m, &err), DPC_USAGE);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        dpc_graph graph = {3, wrong[i].n_edges, (dpc_edge *)wrong[i].edges};
        assert_int_equal(dpc_compare(&graph, &none, DPC_CPDAG, &m, &err), DPC_USAGE);
        assert_non_null(strstr(err.message, "estimate"));
        assert_int_equal(dpc_compare(&none, &graph, DPC_CPDAG, &m, &err), DPC_USAGE);
        assert_non_null(strstr(err.message, "truth"));
    }
    assert_int_equal(m.p, -7);
}

/* 10,000 nodes: the DAG against its own class, and against a class with known changes. */
static void test_large(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(15);
    dpc_dag_model model = {10000, 10, 1, 2, DPC_ER};
    dpc_dag *dag;
    dpc_graph class = {0}, pattern = {0};
    dpc_metrics m;
    assert_int_equal(dpc_dag_random(&model, rng, &dag, NULL), DPC_OK);
    assert_int_equal(dpc_dag_graph(dag, DPC_CPDAG, &class, NULL), DPC_OK);
    assert_int_equal(dpc_dag_graph(dag, DPC_PATTERN, &pattern, NULL), DPC_OK);
    assert_true(class.n_edges > 90000);

    dpc_graph truth = {class.n_nodes, class.n_edges, NULL};
    truth.edges = malloc((size_t)truth.n_edges * sizeof *truth.edges);
    assert_non_null(truth.edges);
    dpc_parents parents = dpc_dag_parents(dag);
    for (int64_t e = 0; e < truth.n_edges; e++) {
        truth.edges[e] = class.edges[e];
        bool up = dpc_is_parent(&parents, class.edges[e].a, class.edges[e].b);
        truth.edges[e].mark = up ? DPC_FORWARD : DPC_BACKWARD;
    }
    assert_int_equal(dpc_compare(&class, &truth, DPC_CPDAG, &m, NULL), DPC_OK);
    assert_true(m.shd == 0 && m.p == class.n_edges);
    assert_int_equal(dpc_compare(&pattern, &truth, DPC_PATTERN, &m, NULL), DPC_OK);
    assert_true(m.shd == 0);

    dpc_graph reduced;
    assert_int_equal(dpc_graph_reduce(&truth, DPC_PATTERN, &reduced, NULL), DPC_OK);
    for (int64_t e = 0; e < truth.n_edges; e++)
        assert_int_equal(reduced.edges[e].mark, pattern.edges[e].mark);
    dpc_graph_clear(&reduced);

    for (int64_t e = 0; e < 100; e++) /* ten edges less, and ninety with another mark */
        class.edges[e].mark = class.edges[e].mark == DPC_UNDIRECTED ? DPC_FORWARD : DPC_UNDIRECTED;
    class.edges += 10;
    class.n_edges -= 10;
    assert_int_equal(dpc_compare(&class, &truth, DPC_CPDAG, &m, NULL), DPC_OK);
    assert_true(m.fn == 55 && m.fp == 45 && m.shd == 100);
    class.edges -= 10;
    dpc_graph_clear(&truth);
    dpc_graph_clear(&class);
    dpc_graph_clear(&pattern);
    dpc_dag_free(dag);
    gsl_rng_free(rng);
}

/* ---- PAGs ---- */

/* The true PAG: 0 o-> 1 <-> 2 <-o 3, 1 --> 4 o-o 5. */
static const dpc_edge TRUE_PAG[] = {
    {0, 1, DPC_CIRCLE_ARROW}, {1, 2, DPC_BIDIRECTED}, {1, 4, DPC_FORWARD},
    {2, 3, DPC_ARROW_CIRCLE}, {4, 5, DPC_CIRCLES},
};

/* An estimate without 4 o-o 5, with 3 --o 5, and with other marks at 0 --> 1 and 1 <-> 4. */
static const dpc_edge OTHER_PAG[] = {
    {0, 1, DPC_FORWARD},      {1, 2, DPC_BIDIRECTED},  {1, 4, DPC_BIDIRECTED},
    {2, 3, DPC_ARROW_CIRCLE}, {3, 5, DPC_TAIL_CIRCLE},
};

static void test_pags_by_hand(void **state)
{
    (void)state;
    dpc_graph truth = {6, 5, (dpc_edge *)TRUE_PAG}, other = {6, 5, (dpc_edge *)OTHER_PAG};
    dpc_graph none = {6, 0, NULL};
    dpc_pag_metrics m;
    assert_int_equal(dpc_compare_pags(&other, &truth, &m, NULL), DPC_OK);
    assert_float_equal(m.precision, 4. / 5, 1e-15);
    assert_float_equal(m.recall, 4. / 5, 1e-15);
    assert_float_equal(m.f1, 4. / 5, 1e-15);
    /* arrowheads: at 1, at 1 and 2, at 1 (wrong) and 4, at 2; the truth lacks the one of four */
    assert_float_equal(m.arrow_precision, 5. / 6, 1e-15);
    assert_float_equal(m.arrow_recall, 5. / 5, 1e-15);
    /* tails: at 0 and at 3 in the estimate, at 1 of 1 --> 4 in the truth */
    assert_float_equal(m.tail_precision, 0, 1e-15);
    assert_float_equal(m.tail_recall, 0, 1e-15);
    assert_int_equal(m.shd, 4);
    assert_false(m.exact);

    assert_int_equal(dpc_compare_pags(&truth, &truth, &m, NULL), DPC_OK);
    assert_true(m.exact);
    assert_true(m.shd == 0 && m.f1 == 1 && m.arrow_recall == 1 && m.tail_precision == 1);

    assert_int_equal(dpc_compare_pags(&none, &truth, &m, NULL), DPC_OK);
    assert_int_equal(m.shd, 5);
    assert_true(isnan(m.precision) && isnan(m.arrow_precision) && isnan(m.tail_precision));
    assert_true(m.recall == 0 && m.f1 == 0 && m.arrow_recall == 0);
}

/* Every function that needs a DAG or CPDAG says what is wrong; adjacencies can be compared. */
static void test_pags_are_refused(void **state)
{
    (void)state;
    dpc_graph truth = {6, 5, (dpc_edge *)TRUE_PAG}, none = {6, 0, NULL}, *dag = NULL;
    dpc_metrics m;
    dpc_error err;
    dpc_causal *causal = NULL;
    uint8_t matrix[36];
    assert_true(dpc_graph_is_pag(&truth));
    assert_false(dpc_graph_is_pag(&none));
    for (dpc_target as = DPC_CPDAG; as <= DPC_PATTERN; as++) {
        assert_int_equal(dpc_compare(&none, &truth, as, &m, &err), DPC_BAD_INPUT);
        assert_non_null(strstr(err.message, "the truth has circle marks or bidirected edges"));
        assert_int_equal(dpc_compare(&truth, &none, as, &m, &err), DPC_BAD_INPUT);
    }
    assert_int_equal(dpc_compare(&truth, &truth, DPC_SKELETON, &m, NULL), DPC_OK);
    assert_true(m.exact);
    assert_int_equal(dpc_graph_adjacency(&truth, matrix, &err), DPC_BAD_INPUT);
    assert_int_equal(dpc_class_member(&truth, &dag, &err), DPC_BAD_INPUT);
    dpc_aid aid;
    assert_int_equal(dpc_causal_new(&truth, NULL, true, &causal, &err), DPC_OK);
    assert_int_equal(dpc_distances(causal, causal, DPC_AID_ALL, NULL, &aid, &err), DPC_BAD_INPUT);
    assert_non_null(strstr(err.message, "needs a DAG or CPDAG"));
    dpc_causal_free(causal);
}

/* Any marks at both ends go through the matrix and back; what is no graph is refused. */
static void test_marks_as_a_matrix(void **state)
{
    (void)state;
    dpc_graph *graph = NULL;
    dpc_error err;
    uint8_t matrix[9], again[9];
    for (int at_a = DPC_END_CIRCLE; at_a <= DPC_END_TAIL; at_a++)
        for (int at_b = DPC_END_CIRCLE; at_b <= DPC_END_TAIL; at_b++) {
            dpc_edge edge = {2, 0, (dpc_mark)DPC_MARK(at_b, at_a)}; /* seen from its second end */
            assert_int_equal(dpc_graph_new(3, &edge, 1, &graph, NULL), DPC_OK);
            assert_int_equal(graph->edges[0].mark, DPC_MARK(at_a, at_b));
            assert_int_equal(dpc_graph_marks(graph, matrix, NULL), DPC_OK);
            assert_int_equal(matrix[2], at_b); /* the mark at 2 of the edge 0 – 2 */
            assert_int_equal(matrix[6], at_a);
            assert_int_equal(dpc_graph_is_pag(graph),
                             at_a == DPC_END_CIRCLE || at_b == DPC_END_CIRCLE ||
                                 (at_a == DPC_END_ARROW && at_b == DPC_END_ARROW));
            dpc_graph_free(graph);
            assert_int_equal(dpc_graph_from_marks(matrix, 3, &graph, NULL), DPC_OK);
            assert_int_equal(dpc_graph_marks(graph, again, NULL), DPC_OK);
            assert_memory_equal(matrix, again, sizeof matrix);
            dpc_graph_free(graph);
        }
    static const uint8_t one_end[4] = {0, 2, 0, 0}, no_mark[4] = {0, 4, 3, 0},
                         loop[4] = {3, 0, 0, 0};
    assert_int_equal(dpc_graph_from_marks(one_end, 2, &graph, &err), DPC_USAGE);
    assert_non_null(strstr(err.message, "a mark at 1 but none at 0"));
    assert_int_equal(dpc_graph_from_marks(no_mark, 2, &graph, &err), DPC_USAGE);
    assert_int_equal(dpc_graph_from_marks(loop, 2, &graph, &err), DPC_USAGE);
    for (int mark = -1; mark < 20; mark++) {
        dpc_edge edge = {0, 1, (dpc_mark)mark};
        bool fine = mark > 0 && mark < 16 && mark % 4 != 0 && mark / 4 != 0;
        assert_int_equal(dpc_graph_new(2, &edge, 1, &graph, NULL), fine ? DPC_OK : DPC_USAGE);
        if (fine)
            dpc_graph_free(graph);
    }
}

/* ---- Numbers of names ---- */

static void test_names(void **state)
{
    (void)state;
    dpc_names names = {0};
    char text[16];
    assert_int_equal(dpc_names_find(&names, "x", 1), -1);
    for (int again = 0; again < 2; again++)
        for (int i = 0; i < 5000; i++) {
            int length = snprintf(text, sizeof text, "%d", 7 * i);
            assert_int_equal(dpc_names_add(&names, text, (size_t)length), i);
        }
    assert_int_equal(names.count, 5000);
    assert_int_equal(dpc_names_find(&names, "70", 2), 10);
    assert_int_equal(dpc_names_find(&names, "70", 1), 1); /* "7" */
    assert_int_equal(dpc_names_find(&names, "71", 2), -1);
    assert_int_equal(dpc_names_add(&names, "", 0), 5000);
    assert_string_equal(names.names[4999], "34993");
    dpc_names_clear(&names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_against_the_slow_twin),
        cmocka_unit_test(test_a_graph_is_0_from_itself),
        cmocka_unit_test(test_the_distance_is_symmetric),
        cmocka_unit_test(test_the_order_of_the_nodes_does_not_matter),
        cmocka_unit_test(test_which_nodes_must_be_there),
        cmocka_unit_test(test_blanks_around_names),
        cmocka_unit_test(test_misuse),
        cmocka_unit_test(test_pags_by_hand),
        cmocka_unit_test(test_pags_are_refused),
        cmocka_unit_test(test_marks_as_a_matrix),
        cmocka_unit_test(test_large),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
