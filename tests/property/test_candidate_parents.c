/*
 * Without R, what else a node could have for a parent is found among a few nodes, and is what whole
 * rows of R would have found: the same nodes, worth the same.
 */
#include "candidate_parents.h"
#include "cases.h"
#include "repeat.h"
#include "tables.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N_TABLES = 120, N_FAMILIES = 40, MOST_NODES = 640 };

static struct {
    int64_t nodes, looked_at, picks, whole, served;
} seen;

/* The picks of the family, by node; 0: it is none. */
static int read_picks(dpc_scorer *h, double *square)
{
    int count = dpc_scorer_candidates(h);
    memset(square, 0, MOST_NODES * sizeof *square);
    for (int i = 0; i < count; i++)
        square[h->candidates[i].node] = h->candidates[i].square;
    return count;
}

/* Parents of v, most of them related to it, and other nodes that may be its children. */
static void draw_family(gsl_rng *rng, const dpc_view *view, int v, dpc_relatives *pa,
                        dpc_relatives *ch)
{
    int wanted = draw_int(rng, 0, 7);
    pa->count = ch->count = 0;
    for (int u = 0; u < view->n; u++) {
        bool near = fabs(dpc_r(view, u, v)) > 0.2;
        if (u == v)
            continue;
        if (pa->count < wanted && draw_int(rng, 0, near ? 1 : view->n) == 0)
            pa->node[pa->count++] = u;
        else if (draw_int(rng, 0, near ? 2 : view->n) == 0)
            ch->node[ch->count++] = u;
    }
}

static bool same(double a, double b)
{
    return (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-12;
}

static void check_family(dpc_scorer *h, int v, const dpc_relatives *pa, const dpc_relatives *ch)
{
    static double expected[MOST_NODES], found[MOST_NODES], of_child[MOST_NODES];
    assert_int_equal(dpc_family_start(&h->family, v, NULL, 0), DPC_OK);
    assert_int_equal(dpc_family_push_all(&h->family, pa->node, (int)pa->count), DPC_OK);
    int n = h->family.stats.view.n, count = read_picks(h, expected), depth = h->family.depth;
    for (int64_t i = 0; i < ch->count; i++)
        of_child[i] = dpc_family_square(&h->family, ch->node[i]);
    assert_int_equal(dpc_candidate_parents(h, v, pa, ch), DPC_OK);
    assert_int_equal(h->family.depth, depth);
    assert_int_equal(read_picks(h, found), count);
    for (int u = 0; u < n; u++)
        assert_true(same(found[u], expected[u]));
    for (int64_t i = 0; i < ch->count; i++)
        assert_true(same(dpc_family_square(&h->family, ch->node[i]), of_child[i]));
    seen.nodes += n;
    seen.looked_at += h->family.m;
    seen.whole += h->family.m == n;
    seen.picks += count;
}

/* The same family with a parent less, again and again: what was found may serve the next ones. */
static void check_smaller(gsl_rng *rng, dpc_scorer *h, int v, dpc_relatives *pa,
                          const dpc_relatives *ch)
{
    while (pa->count > 0) {
        int64_t gone = draw_int(rng, 0, (int)pa->count - 1);
        int before = h->index->near[v].parents;
        memmove(pa->node + gone, pa->node + gone + 1,
                (size_t)(pa->count - gone - 1) * sizeof *pa->node);
        pa->count--;
        check_family(h, v, pa, ch);
        seen.served += h->index->near[v].parents == before && before > h->family.depth;
    }
}

static void check_table(gsl_rng *rng, const dpc_correlation *c, const dpc_settings *settings)
{
    const dpc_labels labels = {0};
    int32_t parents[MOST_NODES], children[MOST_NODES];
    dpc_view view = dpc_view_of(c, &labels);
    dpc_relatives pa = {.node = parents}, ch = {.node = children};
    dpc_scoring scoring;
    const dpc_stats stats = dpc_stats_of(&view);
    dpc_parent_index index;
    dpc_crew crew;
    dpc_workers workers;
    dpc_scoring_init(&scoring, &stats, NULL, draw_log(rng, 2, 20));
    dpc_crew_init(&crew, settings, DPC_STAGE_REFINE);
    assert_int_equal(dpc_workers_init(&workers, &scoring, &crew), DPC_OK);
    assert_int_equal(dpc_parent_index_init(&index, &scoring, settings, NULL), DPC_OK);
    assert_int_equal(dpc_workers_take_index(&workers, &index), DPC_OK);
    if (draw_int(rng, 0, 1)) /* a price that has been lowered since */
        dpc_scoring_init(&scoring, &stats, NULL, draw_log(rng, 1, scoring.price));
    for (int i = 0; i < N_FAMILIES; i++) {
        int v = draw_int(rng, 0, view.n - 1);
        draw_family(rng, &view, v, &pa, &ch);
        dpc_scorer *family = &workers.each[draw_int(rng, 0, crew.threads - 1)];
        check_family(family, v, &pa, &ch);
        check_smaller(rng, family, v, &pa, &ch);
    }
    dpc_workers_clear(&workers);
    dpc_parent_index_clear(&index);
}

static void test_surveys(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(1711);
    for (int number = 0; number < repeats(N_TABLES); number++) {
        dpc_settings s;
        dpc_correlation *c = NULL;
        dpc_settings_default(&s);
        s.threads = draw_int(rng, 1, 3);
        s.memory = 1e-9;
        s.min_ess = INFINITY;
        int n = number % 6 == 0 ? draw_int(rng, 513, MOST_NODES) : draw_int(rng, 2, 200);
        dpc_table *table =
            simulated_table(n, (int64_t)draw_log(rng, 30, 800), 1 + (uint64_t)number);
        if (number % 5 == 4)
            spoil_columns(table, rng);
        assert_int_equal(dpc_correlate(table, &s, NULL, &c, NULL), DPC_OK);
        check_table(rng, c, &s);
        dpc_correlation_free(c);
        dpc_table_free(table);
    }
    assert_true(seen.picks > share(5000) && seen.whole > share(20));
    assert_true(3 * seen.looked_at < 2 * seen.nodes && seen.served > share(500));
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_surveys)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
