/*
 * The majority and the conservative rule (docs/algorithm.md, section 14) against a slow twin on
 * small graphs: the votes of all sets, the arrows of the colliders, edges that two of them contest,
 * and circles. As patterns, so that no rule of Meek's has a say.
 */
#include "cases.h"
#include "explained.h"
#include "knowing.h"
#include "repeat.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { N_SAMPLES = 400, N = SHARE_MAX };

struct seen {
    int64_t contested, kept, circles, lost, ambiguous;
};

/* What the definition says. */
struct votes {
    int n;
    bool collider[N][N][N]; /* y, x, z */
    bool open[N][N][N];
    bool arrow[N][N];
    double share[N][N][N];
};

static bool adjacent(const dpc_graph *g, int a, int b)
{
    return a != b && dpc_graph_mark(g, a, b) != DPC_NONE;
}

static bool is_triple(const dpc_graph *g, int x, int y, int z)
{
    return x != z && adjacent(g, x, y) && adjacent(g, z, y) && !adjacent(g, x, z);
}

static void count_votes(const dpc_graph *g, const dpc_correlation *c, const dpc_settings *s,
                        struct votes *v)
{
    dpc_knowledge *none = NULL;
    dpc_settings asked = *s;
    assert_int_equal(dpc_knowledge_new(v->n, &none, NULL), DPC_OK);
    asked.knowledge = none;
    for (int y = 0; y < v->n; y++)
        for (int x = 0; x < v->n; x++)
            for (int z = 0; z < v->n; z++) {
                if (!is_triple(g, x, y, z))
                    continue;
                double share = slow_share(g, c, &asked, x, y, z);
                bool majority = s->orient == DPC_MAJORITY;
                v->share[y][x][z] = share;
                v->collider[y][x][z] = majority ? share < 0.5 : share == 0;
                v->open[y][x][z] =
                    isnan(share) || (majority ? share == 0.5 : share > 0 && share < 1);
            }
    dpc_knowledge_free(none);
}

/* Is there a way of arrows from a to b, of one arrow or more? */
static void find_ways(const struct votes *v, bool way[N][N])
{
    memcpy(way, v->arrow, sizeof v->arrow);
    for (int k = 0; k < v->n; k++)
        for (int a = 0; a < v->n; a++)
            for (int b = 0; b < v->n; b++)
                way[a][b] = way[a][b] || (way[a][k] && way[k][b]);
}

/* In a circle, or on a way from one to another. */
static bool unsafe(const struct votes *v, bool way[N][N], int node)
{
    bool from = way[node][node], to = from;
    for (int k = 0; k < v->n; k++) {
        from = from || (way[k][k] && way[k][node]);
        to = to || (way[k][k] && way[node][k]);
    }
    return from && to;
}

static void direct(struct votes *v, struct seen *seen)
{
    bool wanted[N][N] = {{0}}, way[N][N];
    for (int y = 0; y < v->n; y++)
        for (int x = 0; x < v->n; x++)
            for (int z = 0; z < v->n; z++)
                wanted[x][y] = wanted[x][y] || v->collider[y][x][z];
    for (int a = 0; a < v->n; a++)
        for (int b = 0; b < v->n; b++) {
            v->arrow[a][b] = wanted[a][b] && !wanted[b][a];
            seen->contested += wanted[a][b] && wanted[b][a];
        }
    find_ways(v, way);
    for (int a = 0; a < v->n; a++)
        for (int b = 0; b < v->n; b++)
            if (v->arrow[a][b] && unsafe(v, way, a) && unsafe(v, way, b)) {
                v->arrow[a][b] = false;
                seen->circles++;
            }
    for (int y = 0; y < v->n; y++)
        for (int x = 0; x < v->n; x++)
            for (int z = 0; z < v->n; z++) {
                bool none = v->collider[y][x][z] && !v->arrow[x][y] && !v->arrow[z][y];
                seen->lost += none;
                seen->kept += v->collider[y][x][z] && v->arrow[x][y] != v->arrow[z][y];
                v->open[y][x][z] = v->open[y][x][z] || none;
            }
}

static void compare(const dpc_result *result, const struct votes *v, int number, struct seen *seen)
{
    const dpc_graph *g = dpc_result_graph(result);
    int64_t listed = dpc_result_info(result)->n_ambiguous, found = 0;
    const dpc_triple *list = dpc_result_info(result)->ambiguous;
    for (int a = 0; a < v->n; a++)
        for (int b = 0; b < v->n; b++)
            if ((a != b && dpc_graph_mark(g, a, b) == DPC_FORWARD) != v->arrow[a][b])
                fail_msg("sample %d: %d → %d", number, a, b);
    for (int64_t i = 0; i < listed; i++) {
        const dpc_triple *t = &list[i];
        double share = v->share[t->y][t->x][t->z];
        assert_true(v->open[t->y][t->x][t->z]);
        assert_true(isnan(share) ? isnan(t->evidence) : fabs(share - t->evidence) < 1e-6);
    }
    for (int y = 0; y < v->n; y++)
        for (int x = 0; x < v->n; x++)
            for (int z = x + 1; z < v->n; z++)
                found += v->open[y][x][z];
    assert_int_equal(listed, found);
    seen->ambiguous += listed;
}

static void test_votes(void **state)
{
    (void)state;
    gsl_rng *rng = seeded(20240616);
    struct seen seen = {0};
    int plain = repeats(N_SAMPLES);
    for (int number = 0; number < plain + plain / 4; number++) {
        dpc_settings settings;
        dpc_settings_default(&settings);
        settings.alpha = draw_log(rng, 0.005, 0.3);
        settings.method = (dpc_method)(number % 3);
        settings.orient = number % 2 ? DPC_MAJORITY : DPC_CONSERVATIVE;
        settings.graph = DPC_PATTERN;
        settings.max_order = draw_int(rng, 0, 1) ? 1 : DPC_NO_MAX_ORDER;
        struct sample_model model = {
            .n = draw_int(rng, 5, N), .n_obs = draw_int(rng, 30, 200), .parents = 1.5};
        model.holes = number >= plain;
        struct sample sample = sample_draw(&model, rng);
        struct votes v = {.n = model.n};
        dpc_result *result = learn(&sample.correlation, &settings);
        count_votes(dpc_result_graph(result), &sample.correlation, &settings, &v);
        direct(&v, &seen);
        compare(result, &v, number, &seen);
        dpc_result_free(result);
        sample_free(&sample);
    }
    gsl_rng_free(rng);
    print_message("%lld contested edges, %lld colliders left with one arrow, %lld arrows in "
                  "circles, %lld colliders lost, %lld triples ambiguous\n",
                  (long long)seen.contested / 2, (long long)seen.kept / 2, (long long)seen.circles,
                  (long long)seen.lost / 2, (long long)seen.ambiguous);
    assert_true(seen.contested > share(20) && seen.kept > share(20));
    assert_true(seen.circles > share(2) && seen.lost > share(10) && seen.ambiguous > share(100));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_votes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
