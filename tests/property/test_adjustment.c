/*
 * Adjustment sets and separation, against all DAGs that a graph stands for: a set is valid if and
 * only if it is in each of them, by going through all their paths; what is identified has one; what
 * is shown as a path or as a forbidden node is what it is said to be.
 */
#include "classes.h"
#include "graphs.h"
#include "repeat.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N_GRAPHS = 1500 };

typedef struct study {
    int number, n;
    dpc_graph graph;
    dpc_causal *causal;
    struct members members;
} study;

static void ok(dpc_status status, const dpc_error *err)
{
    if (status != DPC_OK)
        fail_msg("%s", err->message);
}

static int unpack(unsigned set, int32_t *list)
{
    int count = 0;
    for (int v = 0; v < CLASS_MAX; v++)
        if (set >> v & 1)
            list[count++] = v;
    return count;
}

static unsigned pack(const int32_t *list, int count)
{
    unsigned set = 0;
    for (int i = 0; i < count; i++)
        set |= 1u << list[i];
    return set;
}

/* Is it open, and where asked not causal, in one of the DAGs? */
static bool open_somewhere(const study *s, const int32_t *path, int length, unsigned given,
                           bool not_causal)
{
    for (int i = 0; i < s->members.count; i++)
        if (path_is_open(&s->members.dags[i], s->n, path, length, given) &&
            !(not_causal && path_is_causal(&s->members.dags[i], path, length)))
            return true;
    return false;
}

static void is_path(const study *s, const int32_t *path, int length, int x, int y)
{
    assert_true(length >= 2 && length <= s->n);
    assert_int_equal(path[0], x);
    assert_int_equal(path[length - 1], y);
    assert_int_equal(__builtin_popcount(pack(path, length)), length);
    for (int i = 0; i + 1 < length; i++)
        assert_int_not_equal(dpc_graph_mark(&s->graph, path[i], path[i + 1]), DPC_NONE);
}

static void check_separation(study *s, int x, int y, unsigned set)
{
    int32_t list[CLASS_MAX], path[CLASS_MAX];
    int count = unpack(set, list), length;
    bool separated, wanted = slow_separated(&s->members.dags[0], s->n, x, y, set);
    dpc_error err = {0};
    ok(dpc_separated(s->causal, x, y, list, count, &separated, path, &length, &err), &err);
    if (separated != wanted)
        fail_msg("graph %d: %d, %d given %x: separated %d", s->number, x, y, set, separated);
    if (separated) {
        assert_int_equal(length, 0);
        return;
    }
    is_path(s, path, length, x, y);
    assert_true(open_somewhere(s, path, length, set, false));
}

/* Is `node` behind `through`, which is on the way from x to y, in one of the DAGs? */
static void check_forbidden(const study *s, int x, int y, int node, int through, unsigned set)
{
    bool found = false;
    assert_true(set >> node & 1);
    for (int i = 0; i < s->members.count; i++) {
        const struct member *dag = &s->members.dags[i];
        found = found || (through != x && (descendants_in(dag, s->n, through) >> node & 1) &&
                          (descendants_in(dag, s->n, x) >> through & 1) &&
                          (ancestors_in(dag, s->n, y) >> through & 1));
    }
    assert_true(found);
}

/* Returns whether it is valid. */
static bool check_set(study *s, int x, int y, unsigned set)
{
    int32_t list[CLASS_MAX], path[CLASS_MAX];
    int count = unpack(set, list);
    dpc_set_check seen = {.path = path};
    dpc_error err = {0};
    ok(dpc_check_adjustment(s->causal, x, y, list, count, &seen, &err), &err);
    bool valid = valid_in_all(&s->members, x, y, set);
    if ((seen.verdict == DPC_SET_VALID) != valid)
        fail_msg("graph %d, kind %d: %d on %d given %x: %s", s->number,
                 (int)dpc_causal_about(s->causal).kind, x, y, set,
                 dpc_word(DPC_WORD_VERDICT, seen.verdict));
    if (seen.verdict == DPC_SET_FORBIDDEN)
        check_forbidden(s, x, y, seen.node, seen.through, set);
    if (seen.verdict == DPC_SET_OPEN) {
        is_path(s, path, seen.length, x, y);
        assert_true(open_somewhere(s, path, seen.length, set, true));
    }
    return valid;
}

static void check_sets(study *s, int x, int y, bool possible, bool any)
{
    for (int kind = DPC_ADJUST_OPTIMAL; kind <= DPC_ADJUST_MINIMAL; kind++) {
        int32_t list[CLASS_MAX];
        int size;
        dpc_error err = {0};
        ok(dpc_adjustment(s->causal, x, y, (dpc_adjustment_kind)kind, list, &size, &err), &err);
        if (kind == DPC_ADJUST_OPTIMAL)
            assert_int_equal(size >= 0, any && possible);
        if (kind == DPC_ADJUST_MINIMAL)
            assert_int_equal(size >= 0, any);
        if (size < 0)
            continue;
        unsigned set = pack(list, size);
        assert_true(valid_in_all(&s->members, x, y, set));
        for (unsigned part = (set - 1) & set; kind == DPC_ADJUST_MINIMAL && set != 0;
             part = (part - 1) & set) {
            assert_false(valid_in_all(&s->members, x, y, part));
            if (part == 0)
                break;
        }
    }
}

static void check_pair(study *s, int x, int y)
{
    int32_t path[CLASS_MAX];
    dpc_identification seen = {.path = path};
    dpc_error err = {0};
    bool possible = false, any = false;
    for (int i = 0; i < s->members.count; i++)
        possible = possible || (descendants_in(&s->members.dags[i], s->n, x) >> y & 1);
    for (unsigned set = 0; set < 1u << s->n; set++) {
        if ((set >> x & 1) || (set >> y & 1))
            continue;
        check_separation(s, x, y, set);
        any = check_set(s, x, y, set) || any;
    }
    ok(dpc_identify(s->causal, x, y, &seen, &err), &err);
    assert_int_equal(seen.possible, possible);
    assert_int_equal(seen.possible, slow_possible(&s->graph, x, y, false));
    assert_int_equal(seen.identified, any || !possible);
    assert_int_equal(seen.identified, !slow_possible(&s->graph, x, y, true));
    if (!seen.identified) {
        is_path(s, path, seen.length, x, y);
        assert_int_equal(dpc_graph_mark(&s->graph, x, path[1]), DPC_UNDIRECTED);
        for (int i = 1; i < seen.length; i++)
            for (int k = 0; k < i; k++)
                assert_int_not_equal(dpc_graph_mark(&s->graph, path[k], path[i]), DPC_BACKWARD);
    }
    check_sets(s, x, y, possible, any);
}

static void study_init(study *s, int number, gsl_rng *rng)
{
    dpc_error err = {0};
    int kind = number % 3;
    *s = (study){.number = number, .n = draw_int(rng, 2, number % 10 == 0 ? 7 : 6)};
    draw_kind(rng, s->n, (dpc_graph_kind)kind, &s->graph);
    ok(dpc_causal_new(&s->graph, NULL, false, &s->causal, &err), &err);
    s->members = members_of(&s->graph);
    assert_int_equal(dpc_causal_about(s->causal).changed, 0);
    assert_null(dpc_causal_about(s->causal).reason);
}

static void study_clear(study *s)
{
    members_free(&s->members);
    dpc_causal_free(s->causal);
    dpc_graph_clear(&s->graph);
}

static void test_against_all_dags(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(12);
    int kinds[3] = {0};
    for (int number = 0; number < repeats(N_GRAPHS); number++) {
        study s;
        study_init(&s, number, rng);
        kinds[dpc_causal_about(s.causal).kind]++;
        for (int x = 0; x < s.n; x++)
            for (int y = 0; y < s.n; y++)
                if (x != y)
                    check_pair(&s, x, y);
        study_clear(&s);
    }
    assert_true(kinds[DPC_GRAPH_MPDAG] >= share(20));
    gsl_rng_free(rng);
}

/* ---- What is no class ---- */

/* A graph of any edges: is it taken exactly if it is what its members share, and there are some? */
static void check_any(int number, const dpc_graph *graph)
{
    dpc_causal *causal = NULL;
    dpc_error err = {0};
    struct members m = members_of(graph);
    bool sound = m.count > 0;
    for (int64_t e = 0; e < graph->n_edges && sound; e++) {
        int forward = 0;
        for (int i = 0; i < m.count; i++)
            forward += (int)(m.dags[i].parents[graph->edges[e].b] >> graph->edges[e].a & 1);
        sound = graph->edges[e].mark != DPC_UNDIRECTED || (forward > 0 && forward < m.count);
    }
    dpc_status status = dpc_causal_new(graph, NULL, false, &causal, &err);
    if ((status == DPC_OK) != sound || (status != DPC_OK && status != DPC_BAD_INPUT))
        fail_msg("graph %d: %d DAGs, but %s", number, m.count, err.message);
    dpc_causal_free(causal);
    causal = NULL;
    ok(dpc_causal_new(graph, NULL, true, &causal, &err), &err);
    assert_int_equal(dpc_causal_about(causal).changed > 0, !sound);
    assert_int_equal(dpc_causal_about(causal).reason != NULL, !sound);
    struct members nearest = members_of(dpc_causal_about(causal).graph);
    assert_true(nearest.count > 0);
    if (m.count > 0) { /* what is there stays: the same DAGs */
        assert_int_equal(nearest.count, m.count);
        assert_memory_equal(nearest.dags, m.dags, (size_t)m.count * sizeof *m.dags);
    }
    members_free(&nearest);
    members_free(&m);
    dpc_causal_free(causal);
}

static void test_what_is_refused(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(13);
    for (int number = 0; number < repeats(20000); number++) {
        dpc_graph graph = {0};
        draw_graph(rng, draw_int(rng, 2, 5), draw_int(rng, 10, 90), &graph);
        check_any(number, &graph);
        dpc_graph_clear(&graph);
    }
    gsl_rng_free(rng);
}

static void refused(int n, const dpc_edge *edges, int count, const char *words)
{
    static const char *const NAMES[] = {"A", "B", "C", "D", "E"};
    dpc_graph *graph = NULL;
    dpc_causal *causal = NULL;
    dpc_error err = {0};
    ok(dpc_graph_new(n, edges, count, &graph, &err), &err);
    assert_int_equal(dpc_causal_new(graph, NAMES, false, &causal, &err), DPC_BAD_INPUT);
    if (strstr(err.message, words) == NULL)
        fail_msg("expected '%s' in: %s", words, err.message);
    dpc_graph_free(graph);
}

static void test_reasons(void **state)
{
    (void)state;
    refused(4,
            (dpc_edge[]){
                {0, 1, DPC_FORWARD}, {1, 2, DPC_FORWARD}, {2, 0, DPC_FORWARD}, {2, 3, DPC_FORWARD}},
            4, "circle, A --> B --> C --> A");
    refused(5,
            (dpc_edge[]){{0, 1, DPC_UNDIRECTED},
                         {1, 2, DPC_UNDIRECTED},
                         {2, 3, DPC_UNDIRECTED},
                         {0, 3, DPC_UNDIRECTED},
                         {0, 4, DPC_UNDIRECTED}},
            5, "new v-structure: A --- B, A --- D, B --- C, C --- D");
    refused(3, (dpc_edge[]){{0, 1, DPC_FORWARD}, {1, 2, DPC_UNDIRECTED}}, 2,
            "B --- C must be B --> C by Meek's rule 1, from A");
}

static void test_what_cannot_be_asked(void **state)
{
    (void)state;
    dpc_graph *graph = NULL;
    dpc_causal *causal = NULL;
    dpc_error err = {0};
    bool separated;
    int size;
    int32_t set[3] = {0};
    dpc_set_check check = {.path = NULL};
    dpc_identification seen = {.path = NULL};
    ok(dpc_graph_new(3, NULL, 0, &graph, &err), &err);
    ok(dpc_causal_new(graph, NULL, false, &causal, &err), &err);
    assert_int_equal(dpc_separated(causal, 0, 0, NULL, 0, &separated, NULL, NULL, &err), DPC_USAGE);
    assert_int_equal(dpc_separated(causal, 0, 1, set, 1, &separated, NULL, NULL, &err), DPC_USAGE);
    assert_int_equal(dpc_identify(causal, 0, 3, &seen, &err), DPC_USAGE);
    assert_int_equal(dpc_adjustment(causal, -1, 2, DPC_ADJUST_PARENTS, set, &size, &err),
                     DPC_USAGE);
    set[0] = 7;
    assert_int_equal(dpc_check_adjustment(causal, 0, 1, set, 1, &check, &err), DPC_USAGE);
    assert_null(dpc_word(DPC_WORD_VERDICT, (dpc_verdict)9));
    assert_null(dpc_word(DPC_WORD_GRAPH_KIND, (dpc_graph_kind)9));
    dpc_causal_free(causal);
    dpc_graph_free(graph);
    dpc_causal_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_all_dags),
        cmocka_unit_test(test_what_is_refused),
        cmocka_unit_test(test_reasons),
        cmocka_unit_test(test_what_cannot_be_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
