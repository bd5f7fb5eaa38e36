/*
 * Level 0 where variables are blocks of columns: as level_zero.c, with the tests of wilks.h.
 *
 * Given nothing, ln Λ comes from R between the two blocks, which are orthonormal. Given all others
 * it comes from P = R⁻¹ over all columns: with P over the columns of x and y the ratio is det P(xy)
 * / (det P(x) det P(y)), and where a variable leads with some of its columns, that matrix is
 * inverted first. With tiers there is a P for each of them, over the variables up to it.
 *
 * Where P does not exist, because columns determine each other, the tests given all others are made
 * one by one, without the columns that are determined, unless that would take too long.
 */
#include "alloc.h"
#include "block_visit.h"
#include "linalg.h"
#include "skeleton_search.h"
#include "status.h"
#include "wilks.h"

#include <math.h>
#include <string.h>

static const double MOST_WORK = 4e9; /* operations of tests that are made one by one */

/* What one worker needs. */
typedef struct zero_worker {
    dpc_direct direct;
    dpc_rao_table table[2][2]; /* given nothing, given all others; one equation, two */
    double *w;                 /* of one pair, and room to take it apart */
    int32_t *set;              /* all others */
} zero_worker;

typedef struct zero_job {
    dpc_skeleton_search *search;
    const dpc_view *view;
    const dpc_blocks *blocks;
    const dpc_constraints *known;
    int n;
    dpc_arena arena;
    zero_worker *workers;
    int64_t words;
    uint64_t *adjacent, *full; /* rows of bits, by label */
    int32_t *degree;
    int64_t *tests;
    atomic_bool failed;
    /* one tier: */
    int limit;
    int32_t *member; /* labels up to it */
    int n_members;
    int32_t *first; /* by label: its columns in P */
    double *p;      /* P, scaled; order `order` */
    int order;
    bool one_by_one; /* there is no P */
} zero_job;

static int variable(const zero_job *job, int label)
{
    return dpc_column_of(job->view->labels, label);
}

/* ---- One pair ---- */

/* R, or P, over the columns of two variables that begin at a and b. */
static void fill_w(const double *m, int64_t ld, int a, int p, int b, int q, double *w)
{
    for (int i = 0; i < p + q; i++)
        for (int j = 0; j < p + q; j++)
            w[i * (p + q) + j] = m[(i < p ? a + i : b + i - p) * ld + (j < p ? a + j : b + j - p)];
}

/* Λ of two variables of one or two columns that begin at a and b; NaN: not at a glance. */
static double glance(const double *m, int64_t ld, int a, int p, int b, int q)
{
    const double *xa = m + a * ld, *xb = m + b * ld, *ya = xa + ld, *yb = xb + ld;
    if (p > 2 || q > 2)
        return NAN;
    return dpc_lambda_small((dpc_small_w){
        .a11 = xa[a],
        .a12 = p > 1 ? xa[a + 1] : 0,
        .a22 = p > 1 ? ya[a + 1] : 1,
        .b11 = xa[b],
        .b12 = q > 1 ? xa[b + 1] : 0,
        .b21 = p > 1 ? ya[b] : 0,
        .b22 = p > 1 && q > 1 ? ya[b + 1] : 0,
        .c11 = xb[b],
        .c12 = q > 1 ? xb[b + 1] : 0,
        .c22 = q > 1 ? yb[b + 1] : 1,
    });
}

/* Is it clear by Λ whether the two are separated? */
static bool is_clear(zero_worker *k, double lambda, int full, int p, int q, int64_t given,
                     bool *apart)
{
    if (isnan(lambda))
        return false;
    dpc_rao_bounds bounds = dpc_rao_table_at(&k->table[full][0], p, q, given);
    *apart = lambda > bounds.independent;
    return *apart || lambda < bounds.dependent;
}

/* Separated at a level of significance, by W over the two. */
static bool accepts(zero_worker *k, const dpc_blocks *b, int x, int y, int full, int64_t given)
{
    int p = dpc_block_width(b, x), q = dpc_block_width(b, y), count;
    int lead_x = dpc_lead_of(b, x), lead_y = dpc_lead_of(b, y);
    double *room = k->w + (p + q) * (p + q);
    dpc_wilks part[2];
    bool apart;
    if (lead_x == p && lead_y == q &&
        is_clear(k, dpc_lambda_of(k->w, p, q, room), full, p, q, given, &apart))
        return apart;
    dpc_wilks_from(k->w, p, q, lead_x, lead_y, given, room, part, &count);
    for (int i = 0; i < count; i++) {
        double c =
            dpc_rao_table_at(&k->table[full][count - 1], part[i].p, part[i].q, given).critical;
        if (!(-part[i].log_lambda <= c))
            return false;
    }
    return true;
}

static bool marginal_accepts(const zero_job *job, zero_worker *k, int x, int y, bool *made)
{
    const dpc_blocks *b = job->blocks;
    int p = dpc_block_width(b, x), q = dpc_block_width(b, y);
    *made = true;
    if (p == 0 || q == 0)
        return true; /* a constant is independent of all, as a single column is */
    if (dpc_g2_applies(b, x, y, NULL, 0)) {
        dpc_block_answer answer;
        dpc_direct_primal(&k->direct, x, y, NULL, 0, &answer); /* its memory was reserved */
        *made = !isnan(answer.p);
        return *made && answer.p > job->search->problem.settings->alpha;
    }
    *made = dpc_wilks_allowed(job->view->n_obs, p, q, 0, 0);
    if (!*made)
        return false;
    bool apart;
    if (b->lead == NULL &&
        is_clear(k, glance(b->r, b->m, b->first[x], p, b->first[y], q), 0, p, q, 0, &apart))
        return apart;
    fill_w(b->r, b->m, b->first[x], p, b->first[y], q, k->w);
    return accepts(k, b, x, y, 0, 0);
}

/* All members but the two labels. */
static bool directly_accepts(zero_job *job, zero_worker *k, int a, int b, bool *made)
{
    const dpc_settings *settings = job->search->problem.settings;
    dpc_block_answer answer;
    int size = 0;
    for (int i = 0; i < job->n_members; i++)
        if (job->member[i] != a && job->member[i] != b)
            k->set[size++] = variable(job, job->member[i]);
    if (dpc_direct_blocks(&k->direct, variable(job, a), variable(job, b), k->set, size,
                          settings->min_ess, &answer) != DPC_OK) {
        atomic_store_explicit(&job->failed, true, memory_order_relaxed);
        return false;
    }
    *made = !isnan(answer.p);
    return *made && answer.p > settings->alpha_dual;
}

static bool full_accepts(zero_job *job, zero_worker *k, int a, int b, bool *made)
{
    const dpc_blocks *blocks = job->blocks;
    int x = variable(job, a), y = variable(job, b);
    int p = dpc_block_width(blocks, x), q = dpc_block_width(blocks, y);
    bool leads = dpc_lead_of(blocks, x) < p || dpc_lead_of(blocks, y) < q;
    *made = true;
    if (p == 0 || q == 0)
        return true;
    if (job->one_by_one)
        return directly_accepts(job, k, a, b, made);
    bool apart;
    if (blocks->lead == NULL &&
        is_clear(k, glance(job->p, job->order, job->first[a], p, job->first[b], q), 1, p, q,
                 job->order - p - q, &apart))
        return apart;
    fill_w(job->p, job->order, job->first[a], p, job->first[b], q, k->w);
    if (leads && !dpc_block_inverse(k->w, p + q)) {
        *made = false;
        return false;
    }
    return accepts(k, blocks, x, y, 1, job->order - p - q);
}

/* ---- One tier ---- */

/* The pairs of x with this limit, from the smaller end. */
static void test_row(void *context, int64_t index, int worker)
{
    zero_job *job = context;
    zero_worker *k = &job->workers[worker];
    int x = (int)index;
    for (int y = 0; y < x; y++) {
        bool made = false, full = false, apart = false, by_full = false;
        if (dpc_forbidden(job->known, x, y) || !dpc_in_question(job->known, x, y, job->limit))
            continue;
        apart = marginal_accepts(job, k, variable(job, x), variable(job, y), &made);
        job->tests[x] += made;
        if (job->p != NULL || job->one_by_one) {
            by_full = full_accepts(job, k, x, y, &full);
            job->tests[x] += full;
        }
        if (by_full)
            dpc_set_bit(job->full, job->words, x, y);
        if (!apart && !by_full)
            dpc_set_bit(job->adjacent, job->words, x, y);
    }
}

static bool has_pairs(const zero_job *job)
{
    for (int x = 0; x < job->n; x++)
        for (int y = x + 1; y < job->n; y++)
            if (dpc_in_question(job->known, x, y, job->limit) && !dpc_forbidden(job->known, x, y))
                return true;
    return false;
}

/* P over the members, or the decision to do without. */
static dpc_status invert(zero_job *job, dpc_error *err)
{
    dpc_skeleton_search *search = job->search;
    const dpc_settings *settings = search->problem.settings;
    const dpc_blocks *b = job->blocks;
    double least, n_obs = (double)job->view->n_obs;
    job->one_by_one = false;
    job->order = 0;
    for (int i = 0; i < job->n_members; i++) {
        job->first[job->member[i]] = job->order;
        job->order += dpc_block_width(b, variable(job, job->member[i]));
    }
    if (settings->method == DPC_CLASSIC || job->order == 0 ||
        n_obs - 1 - job->order < fmax(3, settings->min_ess))
        return DPC_OK;
    int64_t order = job->order;
    job->p = dpc_alloc_aligned(order * order);
    if (job->p == NULL)
        return dpc_fail_memory(err, "the inverse of the correlation matrix");
    for (int i = 0; i < job->n_members; i++) {
        int u = variable(job, job->member[i]);
        for (int j = 0; j < job->n_members; j++) {
            int v = variable(job, job->member[j]);
            for (int c = 0; c < dpc_block_width(b, u); c++)
                memcpy(job->p + (job->first[job->member[i]] + c) * order +
                           job->first[job->member[j]],
                       b->r + (int64_t)(b->first[u] + c) * b->m + b->first[v],
                       (size_t)dpc_block_width(b, v) * sizeof *job->p);
        }
    }
    if (search->sepsets->full_order == NULL)
        DPC_CHECK(dpc_fail_as(
            err, dpc_sepsets_start_full_order(search->sepsets, dpc_n_limits(job->known)),
            "the full-order tests"));
    search->sepsets->full_rows[job->limit] = job->view->n_obs;
    if (dpc_scaled_inverse(job->p, job->order, &least, &search->crew, DPC_ALL_WORKERS))
        return DPC_OK;
    search->info->singular_neighbourhoods++;
    free(job->p);
    job->p = NULL;
    double pairs = (double)job->n_members * job->n_members / 2, o = job->order;
    job->one_by_one = pairs * o * o * o / 3 <= MOST_WORK;
    return DPC_OK;
}

static dpc_status run_tier(zero_job *job, dpc_error *err)
{
    dpc_skeleton_search *search = job->search;
    job->n_members = 0;
    for (int v = 0; v < job->n; v++)
        if (job->known == NULL || job->known->member[v] <= job->limit)
            job->member[job->n_members++] = v;
    if (!has_pairs(job))
        return DPC_OK;
    DPC_CHECK(invert(job, err));
    if (!dpc_crew_run(&search->crew, job->n, 100 * (double)job->n * job->n, test_row, job))
        return dpc_fail_interrupted(err);
    return atomic_load(&job->failed) ? dpc_fail_memory(err, "the full-order tests") : DPC_OK;
}

/* ---- The whole ---- */

static dpc_status init_workers(zero_job *job, dpc_error *err)
{
    const dpc_settings *settings = job->search->problem.settings;
    int64_t widest = 1;
    for (int v = 0; v < job->n; v++)
        if (dpc_block_width(job->blocks, v) > widest)
            widest = dpc_block_width(job->blocks, v);
    for (int i = 0; i < job->search->crew.threads; i++) {
        zero_worker *k = &job->workers[i];
        k->direct.view = job->view;
        if (dpc_direct_reserve(&k->direct, 2 * widest, 2 * widest) != DPC_OK ||
            dpc_direct_reserve_counts(&k->direct) != DPC_OK)
            return dpc_fail_memory(err, "the first graph");
        k->w = dpc_arena_alloc(&job->arena, 12 * widest * widest, sizeof *k->w);
        k->set = dpc_arena_alloc(&job->arena, job->n, sizeof *k->set);
        for (int t = 0; t < 4; t++) {
            double alpha = t / 2 ? settings->alpha_dual : settings->alpha;
            if (dpc_rao_table_init(job->view->n_obs, alpha / (1 + t % 2), job->blocks,
                                   &k->table[t / 2][t % 2]) != DPC_OK)
                return dpc_fail_memory(err, "the first graph");
        }
    }
    return dpc_arena_failed(&job->arena) ? dpc_fail_memory(err, "the first graph") : DPC_OK;
}

/* Both triangles of the bits, the pairs that must be edges, and the graph. */
static dpc_status make_graph(zero_job *job, dpc_error *err)
{
    dpc_skeleton_search *search = job->search;
    int n = job->n;
    int64_t tests = 0;
    for (int x = 0; x < n; x++) {
        for (int y = 0; y < x; y++) {
            bool joined =
                dpc_bit(job->adjacent, job->words, x, y) || dpc_required(job->known, x, y);
            if (joined) {
                dpc_set_bit(job->adjacent, job->words, x, y);
                dpc_set_bit(job->adjacent, job->words, y, x);
            }
            if (dpc_bit(job->full, job->words, x, y))
                dpc_set_bit(job->full, job->words, y, x);
        }
        tests += job->tests[x];
    }
    for (int x = 0; x < n; x++) {
        const uint64_t *row = job->adjacent + x * job->words;
        for (int64_t word = 0; word < job->words; word++) {
            job->degree[x] += __builtin_popcountll(row[word]);
            if (search->sepsets->full_order != NULL)
                dpc_mark_full_order(search->sepsets, x, (int)(64 * word),
                                    job->full[x * job->words + word]);
        }
    }
    DPC_CHECK(
        dpc_fail_as(err, dpc_adjacency_new(n, job->degree, &search->graph), "the first graph"));
    int32_t *to = search->graph->node;
    for (int x = 0; x < n; x++)
        for (int y = 0; y < n; y++)
            if (dpc_bit(job->adjacent, job->words, x, y))
                *to++ = y;
    search->info->tests += tests;
    atomic_fetch_add(&search->crew.tests, tests);
    return DPC_OK;
}

static dpc_status run(zero_job *job, dpc_error *err)
{
    int limits = dpc_n_limits(job->known);
    DPC_CHECK(init_workers(job, err));
    for (job->limit = 0; job->limit < limits; job->limit++) {
        DPC_CHECK(run_tier(job, err));
        if (limits > 1) { /* otherwise it may be wanted later */
            free(job->p);
            job->p = NULL;
        }
    }
    return make_graph(job, err);
}

dpc_status dpc_block_level_zero(dpc_skeleton_search *search, dpc_error *err)
{
    int n = dpc_nodes(&search->problem.view), threads = search->crew.threads;
    zero_job job = {
        .search = search,
        .view = &search->problem.view,
        .blocks = search->problem.view.blocks,
        .known = search->problem.known,
        .n = n,
        .words = dpc_bit_words(n),
    };
    dpc_arena *arena = &job.arena;
    job.workers = dpc_arena_zalloc(arena, threads, sizeof *job.workers);
    job.adjacent = dpc_arena_zalloc(arena, n * job.words, sizeof *job.adjacent);
    job.full = dpc_arena_zalloc(arena, n * job.words, sizeof *job.full);
    job.degree = dpc_arena_zalloc(arena, n, sizeof *job.degree);
    job.tests = dpc_arena_zalloc(arena, n, sizeof *job.tests);
    job.member = dpc_arena_alloc(arena, n, sizeof *job.member);
    job.first = dpc_arena_alloc(arena, n, sizeof *job.first);
    dpc_status status =
        dpc_arena_failed(arena) ? dpc_fail_memory(err, "the first graph") : run(&job, err);
    if (status == DPC_OK && !dpc_has_tiers(job.known)) {
        search->sepsets->precision = job.p; /* to weigh the evidence */
        job.p = NULL;
    }
    free(job.p);
    for (int i = 0; job.workers != NULL && i < threads; i++) {
        dpc_direct_clear(&job.workers[i].direct);
        for (int t = 0; t < 4; t++)
            dpc_rao_table_clear(&job.workers[i].table[t / 2][t % 2]);
    }
    dpc_arena_clear(arena);
    return status;
}
