/* Spaces over correlation matrices, for the tests of sampling: see spaces.h. */
#include "spaces.h"

#include "shared.h"
#include "sorted.h"
#include "variates.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* The `most` others with the largest |r|, required ones first; banned ones left out. */
static int choose(const struct space_scene *s, const struct space_model *model, int v, int32_t *to)
{
    const dpc_constraints *known = model->known;
    double *rank = calloc((size_t)s->n, sizeof *rank);
    int most = model->most > 0 ? model->most : s->n - 1, count = 0;
    assert_non_null(rank);
    for (int u = 0; u < s->n; u++) {
        rank[u] = fabs(s->r[(int64_t)u * s->n + v]);
        if (known != NULL && dpc_bit(known->required, known->words, u, v))
            rank[u] = 2;
        if (u == v || dpc_forced(known, v, u))
            rank[u] = -1;
    }
    while (count < most) {
        int best = 0;
        for (int u = 1; u < s->n; u++)
            best = rank[u] > rank[best] ? u : best;
        if (rank[best] < 0)
            break;
        rank[best] = -1;
        to[count++] = best;
    }
    free(rank);
    dpc_sort_numbers(to, count);
    return count;
}

static int copy(const dpc_candidate_sets *sets, int v, int32_t *to)
{
    int count = sets->start[v + 1] - sets->start[v];
    for (int i = 0; i < count; i++)
        to[i] = sets->node[sets->start[v] + i];
    return count;
}

struct space_scene *open_space(int n, double n_obs, const double *r,
                               const struct space_model *model)
{
    struct space_scene *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->n = n;
    s->n_obs = n_obs;
    s->r = r;
    s->correlation = (dpc_correlation){.n_vars = n, .n_obs = (int64_t)n_obs, .r = (double *)r};
    s->view = dpc_view_of(&s->correlation, &s->labels);
    s->stats = dpc_stats_of(&s->view);
    dpc_crew_init(&s->crew, NULL, DPC_STAGE_REFINE);
    assert_int_equal(dpc_marginal_init(&s->marginal, &s->memory, model->score, model->prior,
                                       model->edge_probability, n, n_obs),
                     DPC_OK);
    s->sets = (dpc_candidate_sets){n, calloc((size_t)n + 1, sizeof(int32_t)),
                                   calloc((size_t)n * (size_t)n, sizeof(int32_t))};
    assert_true(s->sets.start != NULL && s->sets.node != NULL);
    for (int v = 0; v < n; v++) {
        int32_t *to = s->sets.node + s->sets.start[v];
        int count = model->sets != NULL ? copy(model->sets, v, to) : choose(s, model, v, to);
        s->sets.start[v + 1] = s->sets.start[v] + count;
    }
    assert_int_equal(
        dpc_space_new(&s->stats, model->known, &s->marginal, &s->sets, &s->crew, &s->space, NULL),
        DPC_OK);
    return s;
}

void close_space(struct space_scene *s)
{
    dpc_space_free(s->space);
    dpc_candidate_sets_clear(&s->sets);
    dpc_arena_clear(&s->memory);
    free(s);
}

double *draw_r(uint64_t seed, int n, int64_t n_obs, double strength)
{
    double *y = malloc((size_t)n * sizeof *y), *w = calloc((size_t)n * (size_t)n, sizeof *w);
    double *r = calloc((size_t)n * (size_t)n, sizeof *r);
    dpc_random random;
    dpc_ziggurat ziggurat;
    assert_true(y != NULL && w != NULL && r != NULL);
    dpc_random_start(&random, seed, 0);
    dpc_ziggurat_init(&ziggurat);
    for (int v = 1; v < n; v++)
        for (int u = 0; u < v; u++)
            if (dpc_draw_uniform(&random) < 3.0 / n)
                w[v * n + u] = (0.2 + 0.8 * dpc_draw_uniform(&random)) * strength;
    for (int64_t i = 0; i < n_obs; i++)
        for (int v = 0; v < n; v++) {
            y[v] = dpc_draw_normal(&random, &ziggurat);
            for (int u = 0; u < v; u++)
                y[v] += w[v * n + u] * y[u];
            for (int u = 0; u <= v; u++)
                r[v * n + u] += y[v] * y[u]; /* means are 0 */
        }
    for (int v = 0; v < n; v++)
        for (int u = 0; u < v; u++)
            r[u * n + v] = r[v * n + u] /= sqrt(r[v * n + v] * r[u * n + u]);
    for (int v = 0; v < n; v++)
        r[v * n + v] = 1;
    free(y);
    free(w);
    return r;
}

bool is_dag(const dpc_candidate_sets *sets, const uint32_t *parents)
{
    enum { MOST = 1024 };
    bool placed[MOST] = {0}, changed = true;
    int count = 0;
    assert_true(sets->n <= MOST);
    while (changed) {
        changed = false;
        for (int v = 0; v < sets->n; v++) {
            bool free_of_others = !placed[v];
            for (uint32_t left = parents[v]; left != 0; left &= left - 1)
                free_of_others &= placed[sets->node[sets->start[v] + __builtin_ctz(left)]];
            if (free_of_others) {
                placed[v] = changed = true;
                count++;
            }
        }
    }
    return count == sets->n;
}

/* Goes on with node v, given the parents of all before it; `row` has those as nodes. */
struct enumeration {
    const dpc_candidate_sets *sets;
    visit_dag *visit;
    void *context;
    int64_t count;
    uint32_t parents[ENUMERATED];
    unsigned row[ENUMERATED];
};

static bool has_circle(const struct enumeration *e, int n)
{
    unsigned left = (1U << n) - 1, before;
    do {
        before = left;
        for (int v = 0; v < n; v++)
            if ((left >> v & 1) != 0 && (e->row[v] & left) == 0)
                left &= ~(1U << v);
    } while (left != before);
    return left != 0;
}

static void enumerate(struct enumeration *e, int v)
{
    const dpc_candidate_sets *sets = e->sets;
    if (v == sets->n || v >= ENUMERATED) {
        e->visit(e->context, e->parents);
        e->count++;
        return;
    }
    int k = sets->start[v + 1] - sets->start[v];
    for (e->parents[v] = 0; e->parents[v] < UINT32_C(1) << k; e->parents[v]++) {
        e->row[v] = 0;
        for (uint32_t left = e->parents[v]; left != 0; left &= left - 1)
            e->row[v] |= 1U << sets->node[sets->start[v] + __builtin_ctz(left)];
        if (!has_circle(e, v + 1))
            enumerate(e, v + 1);
    }
}

int64_t for_all_dags(const dpc_candidate_sets *sets, visit_dag *visit, void *context)
{
    struct enumeration e = {.sets = sets, .visit = visit, .context = context};
    assert_true(sets->n <= ENUMERATED);
    enumerate(&e, 0);
    return e.count;
}

/* ---- The exact posterior ---- */

struct posterior {
    const dpc_space *space;
    bool by_orders;
    double best, total;
    double *sum;
};

/* Orders that a DAG fits: by which nodes can come last. */
static double count_orders(const dpc_candidate_sets *sets, const uint32_t *parents, unsigned left)
{
    double count = 0;
    if (left == 0)
        return 1;
    for (int v = 0; v < sets->n; v++) {
        bool last = (left >> v & 1) != 0;
        for (int u = 0; u < sets->n && last; u++)
            for (uint32_t p = parents[u]; p != 0 && (left >> u & 1) != 0; p &= p - 1)
                last &= sets->node[sets->start[u] + __builtin_ctz(p)] != v;
        if (last)
            count += count_orders(sets, parents, left & ~(1U << v));
    }
    return count;
}

static double log_weight(const struct posterior *p, const uint32_t *parents)
{
    const dpc_candidate_sets *sets = dpc_space_candidates(p->space);
    double sum = p->by_orders ? log(count_orders(sets, parents, (1U << sets->n) - 1)) : 0;
    for (int v = 0; v < sets->n; v++)
        sum += dpc_space_score(p->space, v, parents[v]);
    return sum;
}

static void find_best(void *context, const uint32_t *parents)
{
    struct posterior *p = context;
    double weight = log_weight(p, parents);
    p->best = weight > p->best ? weight : p->best;
}

static void add_dag(void *context, const uint32_t *parents)
{
    struct posterior *p = context;
    const dpc_candidate_sets *sets = dpc_space_candidates(p->space);
    double weight = exp(log_weight(p, parents) - p->best);
    p->total += weight;
    for (int v = 0; v < sets->n; v++)
        for (uint32_t left = parents[v]; left != 0; left &= left - 1)
            p->sum[sets->start[v] + __builtin_ctz(left)] += weight;
}

double exact_posterior(const dpc_space *space, bool by_orders, double *probability)
{
    const dpc_candidate_sets *sets = dpc_space_candidates(space);
    struct posterior p = {space, by_orders, -INFINITY, 0, probability};
    for (int i = 0; i < sets->start[sets->n]; i++)
        probability[i] = 0;
    for_all_dags(sets, find_best, &p);
    for_all_dags(sets, add_dag, &p);
    for (int i = 0; i < sets->start[sets->n]; i++)
        probability[i] /= p.total;
    return p.best + log(p.total);
}

void run_chain(dpc_chain *chain, const dpc_space *space, int sweeps, bool by_orders, double *share)
{
    const dpc_candidate_sets *sets = dpc_space_candidates(space);
    for (int i = 0; i < sets->start[sets->n]; i++)
        share[i] = 0;
    for (int i = 0; i < sweeps; i++) {
        if (by_orders)
            dpc_chain_order_sweep(chain);
        else
            dpc_chain_sweep(chain);
        const uint32_t *parents = dpc_chain_parents(chain);
        if (i % 64 == 0)
            assert_true(is_dag(sets, parents) && isfinite(dpc_chain_score(chain)));
        for (int v = 0; v < sets->n; v++)
            for (uint32_t left = parents[v]; left != 0; left &= left - 1)
                share[sets->start[v] + __builtin_ctz(left)] += 1.0 / sweeps;
    }
}
