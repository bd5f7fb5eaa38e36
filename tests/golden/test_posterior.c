/*
 * Exact posteriors of 5, 7 and 8 variables, made by a program that shares no code with this one:
 * the probabilities of all edges, from chains of draws and exact, and the sum over all DAGs. In g5s
 * and g7 products of sums leave the range of doubles.
 */
#include "exact_edges.h"
#include "spaces.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#ifndef GOLDEN_DIR
#define GOLDEN_DIR "tests/golden"
#endif

enum { MOST = 8, TEXT = 8192 };

struct golden {
    int n;
    double n_obs, log_z, r[MOST * MOST], edge[MOST * MOST];
};

static void read_text(const char *name, const char *end, char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/posterior/%s%s", GOLDEN_DIR, name, end);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        fail_msg("%s cannot be read", path);
    text[fread(text, 1, TEXT - 1, file)] = '\0';
    fclose(file);
}

/* The numbers of a text from a place on, whatever stands between them. */
static void read_numbers(const char *text, int count, double *to)
{
    for (int i = 0; i < count; i++) {
        char *end;
        text += strcspn(text, "-0123456789");
        to[i] = strtod(text, &end);
        assert_true(end > text);
        text = end;
    }
}

static void read_golden(const char *name, const char *which, struct golden *g)
{
    char text[TEXT], end[64];
    double head[2];
    read_text(name, ".cor", text);
    read_numbers(text, 2, head);
    g->n = (int)head[0];
    g->n_obs = head[1];
    read_numbers(strchr(text, '\n'), g->n * g->n, g->r);
    snprintf(end, sizeof end, ".%s.json", which);
    read_text(name, end, text);
    read_numbers(strstr(text, "\"logZ\":") + 7, 1, &g->log_z);
    read_numbers(strstr(text, "\"edge\":") + 7, g->n * g->n, g->edge);
}

/* The exact probabilities, and the sum. */
static void check_exact(const char *name, const char *which, const struct golden *g,
                        struct space_scene *s)
{
    dpc_exact_draws *draws = NULL;
    double edge[MOST * MOST];
    assert_int_equal(dpc_exact_draws_new(s->space, &s->crew, &draws, NULL), DPC_OK);
    assert_int_equal(dpc_exact_edges(draws, &s->crew, edge, NULL), DPC_OK);
    if (!(fabs(dpc_exact_total(draws) - g->log_z) < 1e-6))
        fail_msg("%s %s: log Z is %.10g, not %.10g", name, which, dpc_exact_total(draws), g->log_z);
    for (int v = 0; v < g->n; v++)
        for (int i = s->sets.start[v]; i < s->sets.start[v + 1]; i++)
            if (!(fabs(edge[i] - g->edge[s->sets.node[i] * g->n + v]) < 1e-9))
                fail_msg("%s %s: %d -> %d: %.12f, not %.12f", name, which, s->sets.node[i], v,
                         edge[i], g->edge[s->sets.node[i] * g->n + v]);
    dpc_exact_draws_free(draws);
}

static void check(const char *name, const char *which, const struct space_model *model, int sweeps)
{
    enum { CHAINS = 4 };
    struct golden g;
    read_golden(name, which, &g);
    struct space_scene *s = open_space(g.n, g.n_obs, g.r, model);
    double share[MOST * MOST], mean[MOST * MOST] = {0}, exact[MOST * MOST];
    int places = s->sets.start[g.n];
    check_exact(name, which, &g, s);
    if (g.n <= 5)
        assert_true(fabs(exact_posterior(s->space, false, exact) - g.log_z) < 1e-6);
    for (int c = 0; c < CHAINS; c++) {
        dpc_chain *chain = NULL;
        assert_int_equal(dpc_chain_new(s->space, 1, (uint64_t)c, &chain), DPC_OK);
        assert_true(dpc_chain_anneal(chain, 100, NULL, NULL));
        run_chain(chain, s->space, sweeps, false, share);
        for (int i = 0; i < places; i++)
            mean[i] += share[i] / CHAINS;
        dpc_chain_free(chain);
    }
    for (int v = 0; v < g.n; v++)
        for (int i = s->sets.start[v]; i < s->sets.start[v + 1]; i++)
            if (fabs(mean[i] - g.edge[s->sets.node[i] * g.n + v]) > 0.01)
                fail_msg("%s %s: %d -> %d: %.4f, not %.4f", name, which, s->sets.node[i], v,
                         mean[i], g.edge[s->sets.node[i] * g.n + v]);
    close_space(s);
}

static void test_all(void **state)
{
    (void)state;
    static const char *const NAMES[] = {"g5", "g5s", "g7", "g8"};
    static const int SWEEPS[] = {20000, 20000, 60000, 30000};
    for (int i = 0; i < 4; i++) {
        check(NAMES[i], "fbf.fair", &(struct space_model){0}, SWEEPS[i]);
        check(NAMES[i], "bge.fair", &(struct space_model){.score = DPC_SCORE_BGE}, SWEEPS[i]);
        check(NAMES[i], "bge.uniform",
              &(struct space_model){.score = DPC_SCORE_BGE, .prior = DPC_PRIOR_UNIFORM}, SWEEPS[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
