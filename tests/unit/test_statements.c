/*
 * Background knowledge, statement by statement: against a twin that keeps plain tables and holds
 * each statement against all there are; and circles that knowledge leaves, broken.
 */
#include "cases.h"
#include "constraints.h"
#include "knowledge.h"
#include "repeat.h"
#include "sorted.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- Statements ---- */

enum { MOST = 70, TIERS = 4, N_TABLES = 400 };

struct twin {
    int n;
    bool required[MOST][MOST], forbidden[MOST][MOST];
    int tier[MOST]; /* -1: none */
    bool within[TIERS], only_next[TIERS];
};

static bool against_tiers(const struct twin *t, int from, int to)
{
    int first = t->tier[from], second = t->tier[to];
    if (first < 0 || second < 0)
        return false;
    if (first == second)
        return t->within[first];
    return first > second || (t->only_next[first] && second != first + 1);
}

/* Does what is said contradict itself? Circles are found by taking away who has no parents left. */
static bool contradicts(const struct twin *t)
{
    bool gone[MOST] = {false};
    int left = t->n;
    for (int a = 0; a < t->n; a++)
        for (int b = 0; b < t->n; b++)
            if (t->required[a][b] && (t->forbidden[a][b] || against_tiers(t, a, b)))
                return true;
    for (int round = 0; round < t->n; round++)
        for (int v = 0; v < t->n; v++) {
            bool waits = false;
            for (int u = 0; u < t->n; u++)
                waits = waits || (!gone[u] && t->required[u][v]);
            left -= !gone[v] && !waits;
            gone[v] = gone[v] || !waits;
        }
    return left > 0;
}

/* One statement for both. The twin takes it back where it contradicts. */
static void say(dpc_knowledge *k, struct twin *t, gsl_rng *rng)
{
    struct twin before = *t;
    int a = draw_int(rng, 0, t->n - 1), b = draw_int(rng, 0, t->n - 1);
    int tier = draw_int(rng, 0, TIERS - 1), what = draw_int(rng, 0, 9);
    bool within = draw_int(rng, 0, 1), only_next = draw_int(rng, 0, 1), wrong = false;
    dpc_status status;
    if (what < 4) {
        wrong = a == b;
        t->required[a][b] = true;
        status = dpc_knowledge_require(k, a, b, NULL);
    } else if (what < 6) {
        wrong = a == b;
        t->forbidden[a][b] = true;
        status = dpc_knowledge_forbid(k, a, b, NULL);
    } else if (what < 9) {
        wrong = t->tier[a] >= 0 && t->tier[a] != tier;
        t->tier[a] = tier;
        status = dpc_knowledge_tier(k, a, tier, NULL);
    } else {
        t->within[tier] = t->within[tier] || within;
        t->only_next[tier] = t->only_next[tier] || only_next;
        status = dpc_knowledge_restrict(k, tier, within, only_next, NULL);
    }
    wrong = wrong || contradicts(t);
    assert_int_equal(status, wrong ? DPC_BAD_INPUT : DPC_OK);
    if (wrong)
        *t = before;
}

static void check_same(const dpc_knowledge *k, const struct twin *t)
{
    dpc_knowledge_counts counts, expected = {.n_vars = t->n};
    bool used[TIERS] = {false};
    for (int a = 0; a < t->n; a++) {
        for (int b = 0; b < t->n; b++) {
            bool forbidden = a == b || t->forbidden[a][b] || t->required[b][a];
            assert_int_equal(dpc_knowledge_requires(k, a, b), t->required[a][b]);
            assert_int_equal(dpc_knowledge_forbids(k, a, b), forbidden || against_tiers(t, a, b));
            expected.required += t->required[a][b];
            expected.forbidden += t->forbidden[a][b];
        }
        assert_int_equal(dpc_knowledge_tier_of(k, a), t->tier[a]);
        expected.tiers += t->tier[a] >= 0 && !used[t->tier[a]];
        if (t->tier[a] >= 0)
            used[t->tier[a]] = true;
    }
    dpc_knowledge_count(k, &counts);
    assert_memory_equal(&counts, &expected, sizeof counts);
}

static void test_twin(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20261110);
    for (int number = 0; number < repeats(N_TABLES); number++) {
        static struct twin t;
        dpc_knowledge *k = NULL, *copy = NULL;
        memset(&t, 0, sizeof t);
        t.n = number % 20 == 0 ? draw_int(rng, 60, MOST) : draw_int(rng, 1, 8);
        for (int v = 0; v < t.n; v++)
            t.tier[v] = -1;
        assert_int_equal(dpc_knowledge_new(t.n, &k, NULL), DPC_OK);
        for (int times = draw_int(rng, 0, 6 * t.n); times > 0; times--)
            say(k, &t, rng);
        check_same(k, &t);
        assert_int_equal(dpc_knowledge_copy(k, &copy, NULL), DPC_OK);
        dpc_knowledge_free(k);
        check_same(copy, &t);
        dpc_knowledge_free(copy);
    }
    gsl_rng_free(rng);
}

/* What is refused says which numbers there are, and which were given. */
static void test_told(void **state)
{
    (void)state;
    dpc_knowledge *k = NULL;
    dpc_error err;
    assert_int_equal(dpc_knowledge_new(5, &k, NULL), DPC_OK);
    assert_int_equal(dpc_knowledge_forbid(k, 2, 5, &err), DPC_USAGE);
    assert_string_equal(err.message, "knowledge: the variables are 0 to 4, not 2 and 5");
    assert_int_equal(dpc_knowledge_tier(k, 7, 3, &err), DPC_USAGE);
    assert_string_equal(
        err.message, "knowledge: the variables are 0 to 4 and the tiers 0 to 65535, not 7 and 3");
    assert_int_equal(dpc_knowledge_tier(k, 4, 3, &err), DPC_OK);
    assert_int_equal(dpc_knowledge_tier(k, 4, 2, &err), DPC_BAD_INPUT);
    assert_string_equal(err.message, "knowledge: variable 4 in tier 2: a variable is in two tiers");
    assert_int_equal(dpc_knowledge_restrict(k, -1, true, true, &err), DPC_USAGE);
    assert_string_equal(err.message, "knowledge: the tiers are 0 to 65535, not -1");
    assert_int_equal(dpc_knowledge_require(k, 0, 1, &err), DPC_OK);
    assert_int_equal(dpc_knowledge_tier(k, 0, 3, &err), DPC_OK);
    assert_int_equal(dpc_knowledge_tier(k, 1, 9, &err), DPC_OK);
    assert_int_equal(dpc_knowledge_restrict(k, 3, false, true, &err), DPC_BAD_INPUT);
    assert_string_equal(err.message,
                        "knowledge: tier 3: this tier forbids an edge that is required");
    dpc_knowledge_free(k);
}

/* ---- Circles ---- */

enum { RINGS = 22, RING = 3, N_NODES = RINGS * RING };

/* Rings of edges that may go one way only; in some of them one edge is required. */
struct rings {
    dpc_edge edges[N_NODES];
    double strength[N_NODES]; /* of the edge from a node to the next one of its ring */
    int weakest[RINGS];       /* that is not required: the node where it begins */
};

static int next_of(int v)
{
    return v % RING == RING - 1 ? v - RING + 1 : v + 1;
}

static double strength_of(const void *context, int a, int b)
{
    const struct rings *rings = context;
    return rings->strength[next_of(a) == b ? a : b];
}

static void draw_rings(struct rings *rings, dpc_knowledge *k, gsl_rng *rng)
{
    int required = -1;
    for (int v = 0; v < N_NODES; v++) {
        int next = next_of(v), *weakest = &rings->weakest[v / RING];
        if (v % RING == 0) {
            required = v + draw_int(rng, 0, 2 * RING);
            *weakest = -1;
        }
        rings->strength[v] = gsl_rng_uniform(rng);
        rings->edges[v] = (dpc_edge){v < next ? v : next, v < next ? next : v, DPC_UNDIRECTED};
        dpc_status status = v == required ? dpc_knowledge_require(k, v, next, NULL)
                                          : dpc_knowledge_forbid(k, next, v, NULL);
        assert_int_equal(status, DPC_OK);
        if (v != required && (*weakest < 0 || rings->strength[v] < rings->strength[*weakest]))
            *weakest = v;
    }
    qsort(rings->edges, N_NODES, sizeof *rings->edges, dpc_by_pair);
}

/* Each ring has lost its weakest edge, and nothing else is lost. */
static void check_broken(const struct rings *rings, const dpc_constraints *known,
                         const dpc_adjacency *skeleton)
{
    assert_int_equal(known->n_broken, RINGS);
    for (int a = 0; a < N_NODES; a++)
        for (int b = 0; b < N_NODES; b++) {
            int from = rings->weakest[a / RING], to = next_of(from);
            bool gone = (a == from && b == to) || (a == to && b == from);
            assert_int_equal(dpc_was_broken(known, a, b), gone);
            assert_int_equal(dpc_slot(skeleton, a, b) >= 0,
                             a / RING == b / RING && a != b && !gone);
            assert_true(!gone || dpc_forbidden(known, a, b));
        }
}

static void test_circles(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20261111);
    for (int number = 0; number < repeats(40); number++) {
        struct rings rings;
        dpc_graph graph = {.n_nodes = N_NODES, .edges = rings.edges, .n_edges = N_NODES};
        dpc_labels labels = {0};
        dpc_knowledge *k = NULL;
        dpc_constraints *known = NULL;
        dpc_adjacency *skeleton = NULL;
        assert_int_equal(dpc_knowledge_new(N_NODES, &k, NULL), DPC_OK);
        draw_rings(&rings, k, rng);
        assert_int_equal(dpc_constraints_new(k, &labels, &known, NULL), DPC_OK);
        assert_int_equal(dpc_adjacency_of(&graph, NULL, &skeleton), DPC_OK);
        assert_int_equal(dpc_break_circles(known, strength_of, &rings, &skeleton, NULL), DPC_OK);
        check_broken(&rings, known, skeleton);
        dpc_adjacency_free(skeleton);
        dpc_constraints_free(known);
        dpc_knowledge_free(k);
    }
    gsl_rng_free(rng);
}

/* ---- Other numbers for the nodes ---- */

static void check_constraints(const dpc_constraints *one, const dpc_constraints *other)
{
    size_t bytes = (size_t)(one->n * one->words) * sizeof *one->banned;
    size_t tiers = (size_t)one->n * sizeof *one->limit;
    assert_int_equal(one->n_limits, other->n_limits);
    assert_memory_equal(one->banned, other->banned, bytes);
    assert_memory_equal(one->required, other->required, bytes);
    assert_memory_equal(one->limit, other->limit, tiers);
    assert_memory_equal(one->member, other->member, tiers);
}

/* Made for some labels and moved to the columns: as made for the columns; and back. */
static void test_relabel(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20261118);
    for (int number = 0; number < repeats(100); number++) {
        static struct twin t;
        int32_t column[MOST], label[MOST];
        dpc_labels labels = {.column = column, .label = label}, columns = {0};
        dpc_knowledge *k = NULL;
        dpc_constraints *by_label = NULL, *by_column = NULL, *moved = NULL;
        memset(&t, 0, sizeof t);
        t.n = draw_int(rng, 2, MOST);
        for (int v = 0; v < t.n; v++) {
            t.tier[v] = -1;
            column[v] = v;
        }
        gsl_ran_shuffle(rng, column, (size_t)t.n, sizeof *column);
        for (int v = 0; v < t.n; v++)
            label[column[v]] = v;
        assert_int_equal(dpc_knowledge_new(t.n, &k, NULL), DPC_OK);
        for (int i = 0; i < 2 * t.n; i++)
            say(k, &t, rng);
        assert_int_equal(dpc_constraints_new(k, &labels, &by_label, NULL), DPC_OK);
        assert_int_equal(dpc_constraints_new(k, &labels, &moved, NULL), DPC_OK);
        assert_int_equal(dpc_constraints_new(k, &columns, &by_column, NULL), DPC_OK);
        assert_int_equal(dpc_constraints_relabel(moved, column, NULL), DPC_OK);
        check_constraints(moved, by_column);
        assert_int_equal(dpc_constraints_relabel(moved, label, NULL), DPC_OK);
        check_constraints(moved, by_label);
        dpc_constraints_free(by_label);
        dpc_constraints_free(by_column);
        dpc_constraints_free(moved);
        dpc_knowledge_free(k);
    }
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_twin), cmocka_unit_test(test_told),
                                       cmocka_unit_test(test_circles),
                                       cmocka_unit_test(test_relabel)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
