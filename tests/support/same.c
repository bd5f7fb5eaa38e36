/* Results that must be there, and two that must be the same: see same.h. */
#include "same.h"

#include "cases.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

void check_same_graph(const dpc_graph *first, const dpc_graph *second, const char *words,
                      int number)
{
    assert_int_equal(first->n_nodes, second->n_nodes);
    if (first->n_edges != second->n_edges)
        fail_msg("%s %d: %lld edges, and %lld", words, number, (long long)first->n_edges,
                 (long long)second->n_edges);
    for (int64_t e = 0; e < first->n_edges; e++) {
        const dpc_edge *p = &first->edges[e], *q = &second->edges[e];
        if (p->a != q->a || p->b != q->b || p->mark != q->mark)
            fail_msg("%s %d: the edge %d, %d or %d, %d differs", words, number, p->a, p->b, q->a,
                     q->b);
    }
}

dpc_result *learned(const dpc_correlation *correlation, const dpc_settings *settings)
{
    dpc_result *result = NULL;
    dpc_error err = {0};
    if (dpc_learn(correlation, settings, &result, &err) != DPC_OK)
        fail_msg("%s", err.message);
    return result;
}

static void check_same_info(const dpc_info *first, const dpc_info *second, const char *words)
{
    if (first->tests != second->tests || first->scores != second->scores ||
        first->n_levels != second->n_levels ||
        first->singular_neighbourhoods != second->singular_neighbourhoods ||
        first->singular_tests != second->singular_tests ||
        first->doubtful_tests != second->doubtful_tests ||
        first->uncertain_tests != second->uncertain_tests)
        fail_msg("%s: %lld tests in %d levels, and %lld in %d", words, (long long)first->tests,
                 first->n_levels, (long long)second->tests, second->n_levels);
    for (int level = 0; level < first->n_levels; level++) {
        const dpc_level *p = &first->levels[level], *q = &second->levels[level];
        if (p->tests != q->tests || p->removed != q->removed || p->left != q->left)
            fail_msg("%s: the counts of level %d differ", words, level);
    }
}

/* 0 apart: the same bits. */
static bool same_number(double a, double b, double apart)
{
    return memcmp(&a, &b, sizeof a) == 0 || (apart > 0 && fabs(a - b) <= apart);
}

static void check_same_sets(const dpc_result *first, const dpc_result *second, double apart,
                            const char *words)
{
    int n = dpc_result_info(first)->n_vars;
    int32_t *of_first = malloc((size_t)n * sizeof *of_first);
    int32_t *of_second = malloc((size_t)n * sizeof *of_second);
    for (int a = 0; a < n; a++) {
        for (int b = a + 1; b < n; b++) {
            dpc_sepset p = {0}, q = {0};
            separated(first, a, b, &p, of_first);
            separated(second, a, b, &q, of_second);
            if (p.kind == DPC_SEP_NONE && q.kind == DPC_SEP_NONE)
                continue;
            if (p.kind != q.kind || p.level != q.level || p.from != q.from || p.size != q.size ||
                !same_number(p.r, q.r, apart) || !same_number(p.p, q.p, apart) ||
                memcmp(of_first, of_second, (size_t)p.size * sizeof *of_first) != 0)
                fail_msg("%s: the separating sets of %d, %d differ", words, a, b);
        }
    }
    free(of_first);
    free(of_second);
}

static void check_same_triples(const dpc_triple *first, int64_t n_first, const dpc_triple *second,
                               int64_t n_second, double apart, const char *words)
{
    if (n_first != n_second)
        fail_msg("%s: %lld triples, and %lld", words, (long long)n_first, (long long)n_second);
    for (int64_t i = 0; i < n_first; i++) {
        const dpc_triple *p = &first[i], *q = &second[i];
        if (p->x != q->x || p->y != q->y || p->z != q->z || p->collider != q->collider ||
            !same_number(p->evidence, q->evidence, apart))
            fail_msg("%s: triple %lld differs", words, (long long)i);
    }
}

static void check(const dpc_result *first, const dpc_result *second, double apart,
                  const char *words)
{
    check_same_graph(dpc_result_graph(first), dpc_result_graph(second), words, 0);
    check_same_info(dpc_result_info(first), dpc_result_info(second), words);
    check_same_sets(first, second, apart, words);
    check_same_triples(first->found.conflicts, first->found.n_conflicts, second->found.conflicts,
                       second->found.n_conflicts, apart, words);
    check_same_triples(first->found.ambiguous, first->found.n_ambiguous, second->found.ambiguous,
                       second->found.n_ambiguous, apart, words);
}

void check_same(const dpc_result *first, const dpc_result *second, const char *words)
{
    check(first, second, 0, words);
}

void check_nearly_same(const dpc_result *first, const dpc_result *second, const char *words)
{
    check(first, second, 1e-10, words);
}
