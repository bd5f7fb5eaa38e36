/* Which columns are set aside as copies, who is alike, and how copies come back. */
#include "arena.h"
#include "graph.h"
#include "linalg.h"
#include "representatives.h"
#include "valid.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N = 6 };

/* Correlations of N columns that are 0 but for those that are set. */
struct matrix {
    double r[N * N];
    dpc_correlation c;
};

static void start(struct matrix *m)
{
    for (int i = 0; i < N * N; i++)
        m->r[i] = i / N == i % N;
    m->c = (dpc_correlation){.n_vars = N, .n_obs = 100, .r = m->r};
}

/* 1 - r² of a and b becomes `left`; r is negative where sign is. */
static void set_left(struct matrix *m, int a, int b, double left, double sign)
{
    m->r[a * N + b] = m->r[b * N + a] = copysign(sqrt(1 - left), sign);
}

static dpc_representatives find(const struct matrix *m, const dpc_labels *all, dpc_same *same)
{
    dpc_representatives out;
    assert_int_equal(dpc_find_representatives(&m->c, all, same, NULL, NULL, &out, NULL), DPC_OK);
    return out;
}

static void check_labels(const dpc_representatives *found, int count, const int32_t *column,
                         const int32_t *label)
{
    assert_int_equal(found->labels.count, count);
    assert_memory_equal(found->labels.column, column, (size_t)count * sizeof *column);
    assert_memory_equal(found->labels.label, label, N * sizeof *label);
}

static void test_nothing(void **state)
{
    (void)state;
    struct matrix m;
    const dpc_labels all = {0};
    start(&m);
    set_left(&m, 0, 3, 1e-5, 1);
    dpc_representatives found = find(&m, &all, NULL);
    assert_null(found.labels.column);
    assert_null(found.alike);
    assert_int_equal(found.labels.count, 0);
    dpc_representatives_clear(&found);
}

/* 1 is a copy of 0 and of 4, which are none of each other; 5 is the negation of 2. */
static void draw_chain(struct matrix *m)
{
    start(m);
    set_left(m, 0, 1, 9e-11, 1);
    set_left(m, 1, 4, 9e-11, 1);
    set_left(m, 0, 4, 3e-10, 1);
    set_left(m, 2, 5, 0, -1);
}

static void test_chain(void **state)
{
    (void)state;
    struct matrix m;
    const dpc_labels all = {0};
    draw_chain(&m);
    dpc_representatives found = find(&m, &all, NULL);
    check_labels(&found, 4, (int32_t[]){0, 2, 3, 4}, (int32_t[]){0, 0, 1, 2, 3, 1});
    /* 0 and 4 are nearly copies */
    assert_memory_equal(found.alike, ((int32_t[]){0, 1, 2, 0}), 4 * sizeof(int32_t));
    assert_true(dpc_is_representative(&found.labels, 4));
    assert_false(dpc_is_representative(&found.labels, 5));
    dpc_representatives_clear(&found);
}

/* In another order 1 comes first, and stands for both. */
static void test_order(void **state)
{
    (void)state;
    struct matrix m;
    int32_t column[] = {5, 1, 4, 3, 2, 0}, label[] = {5, 1, 4, 3, 2, 0};
    const dpc_labels all = {.column = column, .label = label};
    draw_chain(&m);
    dpc_representatives found = find(&m, &all, NULL);
    check_labels(&found, 3, (int32_t[]){5, 1, 3}, (int32_t[]){1, 1, 0, 2, 1, 0});
    assert_null(found.alike);
    dpc_representatives_clear(&found);
}

static bool never(const void *context, int a, int b)
{
    (void)context;
    return a == b;
}

static bool not_the_last(const void *context, int a, int b)
{
    (void)context;
    return a < N - 1 && b < N - 1;
}

/* What is known tells columns apart; as sets of a test they are nearly copies all the same. */
static void test_known(void **state)
{
    (void)state;
    struct matrix m;
    const dpc_labels all = {0};
    draw_chain(&m);
    dpc_representatives found = find(&m, &all, never);
    assert_int_equal(found.labels.count, 0);
    assert_memory_equal(found.alike, ((int32_t[]){0, 0, 2, 3, 0, 2}), N * sizeof(int32_t));
    dpc_representatives_clear(&found);
    found = find(&m, &all, not_the_last);
    check_labels(&found, 5, (int32_t[]){0, 2, 3, 4, 5}, (int32_t[]){0, 0, 1, 2, 3, 4});
    dpc_representatives_clear(&found);
}

/* 0 → 1 ← 2, 1 → 3, in labels; column 4 is a copy of the collider, 5 of its child. */
static dpc_oriented draw_oriented(void)
{
    static const dpc_edge edges[] = {
        {0, 1, DPC_FORWARD}, {1, 2, DPC_BACKWARD}, {1, 3, DPC_FORWARD}};
    dpc_oriented found = {.graph = {.n_nodes = 4, .n_edges = 3},
                          .provenance = calloc(1, sizeof *found.provenance),
                          .n_provenance = 1};
    found.graph.edges = malloc(sizeof edges);
    assert_true(found.graph.edges != NULL && found.provenance != NULL);
    memcpy(found.graph.edges, edges, sizeof edges);
    found.provenance[0] = (dpc_provenance){.from = 1, .to = 3, .other = {0, -1}, .turn = 2};
    return found;
}

static void test_join(void **state)
{
    (void)state;
    int32_t column[] = {0, 1, 2, 3}, label[] = {0, 1, 2, 3, 1, 3};
    const dpc_labels labels = {column, label, 4};
    dpc_oriented found = draw_oriented();
    assert_int_equal(dpc_join_copies(&labels, N, &found, NULL), DPC_OK);
    static const dpc_edge wanted[] = {
        {0, 1, DPC_FORWARD},    {0, 4, DPC_FORWARD}, {1, 2, DPC_BACKWARD}, {1, 3, DPC_FORWARD},
        {1, 4, DPC_UNDIRECTED}, {1, 5, DPC_FORWARD}, {2, 4, DPC_FORWARD},  {3, 4, DPC_BACKWARD},
        {3, 5, DPC_UNDIRECTED}, {4, 5, DPC_FORWARD},
    };
    assert_int_equal(found.graph.n_nodes, N);
    assert_int_equal(found.graph.n_edges, 10);
    for (int i = 0; i < 10; i++) {
        const dpc_edge *e = &found.graph.edges[i];
        assert_true(e->a == wanted[i].a && e->b == wanted[i].b && e->mark == wanted[i].mark);
    }
    assert_true(is_cpdag(&found.graph));
    assert_int_equal(found.n_provenance, 4);
    for (int i = 0; i < 4; i++) {
        const dpc_provenance *p = &found.provenance[i];
        assert_true(p->from == (i < 2 ? 1 : 4) && p->to == (i % 2 == 0 ? 3 : 5));
        assert_true(p->other[0] == 0 && p->other[1] == -1 && p->turn == 2);
    }
    dpc_oriented_clear(&found);
}

static void test_attach(void **state)
{
    (void)state;
    int32_t column[] = {0, 1, 2, 3}, label[] = {0, 1, 2, 3, 1, 3};
    const dpc_labels labels = {column, label, 4};
    dpc_oriented found = draw_oriented();
    assert_int_equal(dpc_attach_copies(&labels, N, &found.graph, NULL), DPC_OK);
    assert_int_equal(found.graph.n_edges, 5);
    assert_int_equal(dpc_graph_mark(&found.graph, 1, 4), DPC_UNDIRECTED);
    assert_int_equal(dpc_graph_mark(&found.graph, 3, 5), DPC_UNDIRECTED);
    assert_int_equal(dpc_graph_check(&found.graph, "graph", NULL), DPC_OK);
    dpc_oriented_clear(&found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing), cmocka_unit_test(test_chain), cmocka_unit_test(test_order),
        cmocka_unit_test(test_known),   cmocka_unit_test(test_join),  cmocka_unit_test(test_attach),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
