/*
 * The engine against brute force. An input is a small problem: settings, numbers of observations,
 * and the entries of a correlation matrix, ordinary, singular, nearly singular or impossible.
 *
 * The slow twin (tests/reference) goes through the same algorithm by direct inverses in long
 * double. Where data can have such correlations, and it met nothing that doubles cannot decide,
 * graph, separating sets, edges left after each level and the number of tests must be the same;
 * otherwise only what must always hold.
 */
#include "fuzz.h"
#include "graph.h"
#include "twin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 6 };

typedef struct problem {
    int n;
    double r[MOST * MOST];
    int64_t n_obs;
    dpc_settings settings;
    dpc_knowledge *knowledge; /* NULL: none */
    bool tiers;               /* it has some */
} problem;

/* ---- The problem ---- */

/* Levels near 0 and near 1 too. */
static double take_level(fuzz_bytes *in)
{
    uint8_t kind = fuzz_byte(in);
    double share = fuzz_share(in);
    switch (kind & 3) {
    case 0:
        return 0.01 + 0.3 * share;
    case 1:
        return pow(10, -300 * share) * 0.99;
    case 2:
        return 1 - pow(10, -1 - 14 * share);
    default:
        return 0.001 + 0.998 * share;
    }
}

static int64_t take_n_obs(fuzz_bytes *in)
{
    uint8_t kind = fuzz_byte(in);
    double share = fuzz_share(in);
    switch (kind & 3) {
    case 0:
        return 20 + (int64_t)(1000 * share);
    case 1:
        return 1 + (int64_t)(12 * share);
    default:
        return (int64_t)pow(10, 15 * share);
    }
}

static void take_settings(fuzz_bytes *in, problem *p)
{
    dpc_settings *s = &p->settings;
    uint8_t how = fuzz_byte(in), more = fuzz_byte(in);
    dpc_settings_default(s);
    s->orient = DPC_RELAXED; /* what the twin does */
    s->order = DPC_ORDER_GIVEN;
    s->keep_separating_sets = true;
    s->threads = 1;
    s->method = (dpc_method)((how & 3) % 3);
    s->variant = (dpc_variant)(how >> 2 & 1);
    s->rule = (dpc_rule)(how >> 3 & 1);
    s->test = (dpc_test)(how >> 4 & 1);
    s->graph = (dpc_target)((how >> 5 & 3) % 3);
    s->alpha = take_level(in);
    if (more & 1)
        s->alpha_dual = take_level(in);
    if (more & 2)
        s->max_order = more >> 5 & 3;
    if (more & 4)
        s->min_ess = 40 * fuzz_share(in);
}

/* Edges that are forbidden, required or in tiers, as far as they do not contradict each other. */
static void take_knowledge(fuzz_bytes *in, problem *p)
{
    MUST(dpc_knowledge_new(p->n, &p->knowledge, NULL) == DPC_OK, "no knowledge");
    for (int i = fuzz_byte(in) & 7; i > 0; i--) {
        uint8_t pair = fuzz_byte(in);
        int a = (pair & 7) % p->n, b = (pair >> 3 & 7) % p->n;
        if (pair >> 6 == 0)
            dpc_knowledge_forbid(p->knowledge, a, b, NULL);
        else if (pair >> 6 == 1)
            dpc_knowledge_require(p->knowledge, a, b, NULL);
        else
            p->tiers |= dpc_knowledge_tier(p->knowledge, a, b, NULL) == DPC_OK;
    }
    p->settings.knowledge = p->knowledge;
}

static double take_entry(fuzz_bytes *in)
{
    return (int8_t)fuzz_byte(in) / 128. + (int8_t)fuzz_byte(in) / 32768.;
}

/* Products of vectors: a matrix that data can have, of a rank that the number of entries bounds. */
static void take_products(fuzz_bytes *in, problem *p, int rank)
{
    double vectors[MOST][MOST + 1] = {{0}}, lengths[MOST];
    for (int i = 0; i < p->n; i++) {
        double sum = 0;
        for (int k = 0; k < rank; k++) {
            vectors[i][k] = take_entry(in);
            sum += vectors[i][k] * vectors[i][k];
        }
        if (sum == 0)
            vectors[i][i % rank] = sum = 1;
        lengths[i] = sqrt(sum);
    }
    for (int i = 0; i < p->n; i++)
        for (int j = 0; j < p->n; j++) {
            double sum = 0;
            for (int k = 0; k < rank; k++)
                sum += vectors[i][k] * vectors[j][k];
            p->r[i * p->n + j] = fmax(-1, fmin(1, sum / lengths[i] / lengths[j]));
        }
}

static void take_matrix(fuzz_bytes *in, problem *p)
{
    uint8_t kind = fuzz_byte(in);
    int n = p->n;
    take_products(in, p, kind & 1 ? n + 1 : 1 + (kind >> 4) % n);
    double noise = kind & 2 ? pow(10, -16 * fuzz_share(in)) : 0;
    bool any = (kind & 12) == 12; /* entries that need not go together */
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            double r = any ? take_entry(in) : p->r[i * n + j] * (1 - noise);
            p->r[i * n + j] = p->r[j * n + i] = r;
        }
    for (int i = 0; i < n; i++)
        p->r[i * n + i] = 1;
}

/* ---- The answers ---- */

static bool comparable(const struct reference *twin)
{
    return twin->largest_refused < 1e-10 && twin->least_variance > 1e-8 &&
           twin->least_margin > 1e-14 / twin->least_product;
}

/* Can data have these correlations, but for rounding? By Cholesky, a little above. */
static bool is_possible(const problem *p)
{
    long double a[MOST][MOST];
    for (int i = 0; i < p->n; i++)
        for (int j = 0; j <= i; j++) {
            a[i][j] = p->r[i * p->n + j] + (i == j ? 1e-12L : 0);
            for (int k = 0; k < j; k++)
                a[i][j] -= a[i][k] * a[j][k];
            if (i == j && a[i][i] <= 0)
                return false;
            a[i][j] = i == j ? sqrtl(a[i][i]) : a[i][j] / a[j][j];
        }
    return true;
}

static void check_form(const dpc_result *result, int n)
{
    const dpc_graph *graph = dpc_result_graph(result);
    MUST(graph->n_nodes == n, "%d nodes, not %d", graph->n_nodes, n);
    for (int64_t e = 0; e < graph->n_edges; e++) {
        const dpc_edge *edge = &graph->edges[e], *last = edge - 1;
        bool sorted = e == 0 || last->a < edge->a || (last->a == edge->a && last->b < edge->b);
        MUST(0 <= edge->a && edge->a < edge->b && edge->b < n && sorted, "edge %d, %d", edge->a,
             edge->b);
    }
}

static void check_set(const dpc_result *result, const struct reference *twin, int a, int b)
{
    dpc_sepset found = {0};
    int32_t members[MOST];
    const struct reference_sepset *wanted = &twin->sepsets[a * twin->n + b];
    MUST(dpc_separating_set(result, a, b, &found, members, NULL) == DPC_OK, "no set of %d, %d", a,
         b);
    MUST(found.kind == wanted->kind, "%d, %d separated as kind %d, not %d", a, b, (int)found.kind,
         (int)wanted->kind);
    if (wanted->kind == DPC_SEP_NONE)
        return;
    MUST(found.size == wanted->size && found.level == wanted->level && found.from == wanted->from,
         "%d, %d separated by %d at level %d from %d, not by %d at %d from %d", a, b, found.size,
         found.level, found.from, wanted->size, wanted->level, wanted->from);
    MUST(memcmp(members, wanted->members, (size_t)found.size * sizeof *members) == 0,
         "%d, %d separated by another set of %d", a, b, found.size);
    if (wanted->kind == DPC_SEP_FORBIDDEN)
        return; /* nothing was tested */
    MUST(fabs(found.r - wanted->r) <= fmax(1e-9, 1e-15 / twin->least_product),
         "r of %d, %d is %.17g, not %.17g", a, b, found.r, wanted->r);
    MUST(found.p >= 0 && found.p <= 1, "p of %d, %d is %.17g", a, b, found.p);
}

static void check_same(const problem *p, const dpc_result *result, const struct reference *twin)
{
    const dpc_graph *graph = dpc_result_graph(result);
    const dpc_info *info = dpc_result_info(result);
    for (int a = 0; a < p->n; a++)
        for (int b = 0; b < p->n; b++) {
            if (a == b)
                continue;
            dpc_mark mark = dpc_graph_mark(graph, a, b), wanted = reference_mark(twin, a, b);
            check_set(result, twin, a, b);
            MUST(mark == wanted, "the mark of %d, %d is %d, not %d", a, b, (int)mark, (int)wanted);
        }
    MUST(info->n_levels <= twin->n_levels, "%d levels, not %d", info->n_levels, twin->n_levels);
    for (int level = 0; level < info->n_levels; level++)
        MUST(info->levels[level].left == twin->left[level], "level %d leaves %lld edges, not %lld",
             level, (long long)info->levels[level].left, (long long)twin->left[level]);
    /* with tiers, some tests are made again when other neighbours have gone */
    MUST(info->tests == twin->distinct ||
             (p->tiers && info->tests > twin->distinct && info->tests <= twin->tests),
         "%lld tests, not %lld", (long long)info->tests, (long long)twin->distinct);
}

/* Has a pair gone because the knowledge left only a circle for it? The twin looks for none. */
static bool broke_circle(const problem *p, const dpc_result *result)
{
    for (int a = 0; p->knowledge != NULL && a < p->n; a++)
        for (int b = 0; b < a; b++) {
            dpc_sepset set = {0};
            dpc_separating_set(result, a, b, &set, NULL, NULL);
            bool impossible = dpc_knowledge_forbids(p->knowledge, a, b) &&
                              dpc_knowledge_forbids(p->knowledge, b, a);
            if (set.kind == DPC_SEP_FORBIDDEN && !impossible)
                return true;
        }
    return false;
}

static void solve(const problem *p)
{
    dpc_correlation *correlation = NULL;
    dpc_result *result = NULL;
    dpc_error err = {0};
    dpc_status status = dpc_correlation_view(p->r, p->n, p->n_obs, &correlation, &err);
    fuzz_check_error(status, &err);
    if (status == DPC_OK)
        status = dpc_learn(correlation, &p->settings, &result, &err);
    fuzz_check_error(status, &err);
    if (status == DPC_OK) {
        struct reference *twin = twin_learn(correlation, &p->settings);
        check_form(result, p->n);
        if (is_possible(p) && comparable(twin) && !broke_circle(p, result))
            check_same(p, result, twin);
        reference_free(twin);
    }
    dpc_result_free(result);
    dpc_correlation_free(correlation);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes in = {data, size};
    problem p = {.n = 2 + fuzz_byte(&in) % (MOST - 1)};
    take_settings(&in, &p);
    p.n_obs = take_n_obs(&in);
    if (fuzz_byte(&in) & 1)
        take_knowledge(&in, &p);
    take_matrix(&in, &p);
    solve(&p);
    dpc_knowledge_free(p.knowledge);
    return 0;
}
