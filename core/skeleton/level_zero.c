/*
 * Level 0: every pair by its marginal correlation, and, where the sample allows, by its
 * correlation given all other variables (paper, section 3; algorithm 1, lines 2 to 4).
 *
 *     |Rxy| ≤ c(0)  or  |Pxy| / sqrt(Pxx Pyy) ≤ c(n-2),  P = R⁻¹
 *
 * removes the edge. Where both do, the separating set is "all others".
 *
 * Background knowledge: pairs that must or cannot be an edge are not tested, and "all others" are
 * those up to the tier of the pair. So for each tier that has pairs there is a P of its own, the
 * inverse of R over the A variables up to it, and the critical value is c(|A| - 2). What is kept of
 * these is one matrix: each pair has its entry from the inverse of its own tier. Without tiers it
 * is that inverse.
 *
 * Where cells are missing, each test has an N of its own (rows.h): that of the pair, and that of
 * all variables up to the tier.
 */
#include "alloc.h"
#include "linalg.h"
#include "memory_plan.h"
#include "screen.h"
#include "skeleton_search.h"
#include "stats.h"
#include "status.h"
#include "vector.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct level_job {
    dpc_skeleton_search *search;
    const dpc_view *view;
    int n; /* nodes */
    const dpc_constraints *known;
    const dpc_vector *vector;
    bool one_n;        /* all tests count with the same number of rows */
    double c_marginal; /* the smallest there is */
    dpc_arena arena;   /* all arrays but `p` and `inverse` */
    double *c_full;    /* by limit; NaN: there is no such test */
    double doubt;      /* error of an entry of P, the largest of all tiers */
    double *p;         /* n × n, scaled, in labels; NULL: no full-order test at all */
    int64_t words;
    dpc_adjacency *correlated; /* which pairs the marginal test joins, where there is no R */
    uint64_t *adjacent;        /* n rows of `words` words: the first graph */
    int32_t *degree;           /* per row … */
    int64_t *tests;            /* … both tests of all its pairs */
    int32_t *members;          /* 2 n, for one tier */
    double *inverse;           /* n × n, for one tier, where it is not `p` itself */
} level_job;

/* ---- The inverses ---- */

/* Is there a pair to be tested with this limit? */
static bool has_pairs(const dpc_constraints *known, int n, int limit)
{
    for (int x = 0; x < n; x++)
        for (int y = x + 1; y < n; y++)
            if (dpc_in_question(known, x, y, limit) && !dpc_forbidden(known, x, y))
                return true;
    return false;
}

/* The variables up to this tier; returns how many. */
static int list_members(const dpc_constraints *known, int n, int limit, int32_t *members)
{
    int size = 0;
    for (int v = 0; v < n; v++)
        if (known == NULL || known->member[v] <= limit)
            members[size++] = v;
    return size;
}

/* The entries of the pairs with this limit, from the inverse over the members. */
static void keep_entries(const level_job *job, int limit, int64_t size)
{
    const int32_t *member = job->members;
    int64_t n = job->n;
    for (int64_t i = 0; i < size; i++)
        for (int64_t j = 0; j < size; j++)
            if (dpc_limit(job->known, member[i], member[j]) == limit)
                job->p[member[i] * n + member[j]] = job->inverse[i * size + j];
}

/* Room for P, and for the pairs that it separates. */
static dpc_status start_full_order(level_job *job, dpc_error *err)
{
    int64_t n = job->n;
    bool tiers = dpc_has_tiers(job->known);
    if (!dpc_view_can(job->view, DPC_CAN_READ_R))
        DPC_CHECK(dpc_square_fits((int)n, job->search->problem.settings, DPC_THE_INVERSE, err));
    job->p = dpc_alloc_aligned(n * n);
    job->inverse = tiers ? dpc_alloc_aligned(n * n) : job->p;
    if (job->p == NULL || job->inverse == NULL)
        return dpc_fail_memory(err, "the inverse of the correlation matrix");
    for (int64_t i = 0; tiers && i < n * n; i++)
        job->p[i] = NAN;
    return dpc_fail_as(err,
                       dpc_sepsets_start_full_order(job->search->sepsets, dpc_n_limits(job->known)),
                       "the full-order tests");
}

/* One tier: its inverse, and its critical value where there is one. */
static dpc_status invert_tier(level_job *job, int limit, dpc_error *err)
{
    dpc_skeleton_search *search = job->search;
    int n = job->n, size = list_members(job->known, n, limit, job->members);
    int32_t *columns = job->members + n;
    double least;
    if (size < 2 || !has_pairs(job->known, n, limit))
        return DPC_OK;
    int64_t rows = dpc_rows_among(job->view, job->members[0], job->members, size).all;
    if (!dpc_dual_allowed(search->problem.settings, rows, size - 2))
        return DPC_OK;
    if (job->p == NULL)
        DPC_CHECK(start_full_order(job, err));
    dpc_columns_of(job->view, job->members, size, columns);
    DPC_CHECK(dpc_fail_as(err,
                          dpc_gather_many(job->view, columns, size, &search->crew, job->inverse),
                          "the inverse of the correlation matrix"));
    if (!dpc_scaled_inverse(job->inverse, size, &least, &search->crew, DPC_ALL_WORKERS)) {
        search->info->singular_neighbourhoods++;
        return DPC_OK;
    }
    if (job->inverse != job->p)
        keep_entries(job, limit, size);
    job->doubt = fmax(job->doubt, 2 * DBL_EPSILON * sqrt((double)size) / least);
    job->c_full[limit] = dpc_critical_at(&search->problem.critical, true, rows, size - 2);
    search->sepsets->full_rows[limit] = rows;
    return DPC_OK;
}

/* All tiers; where there is no test in the end, there is no P either. */
static dpc_status invert(level_job *job, dpc_error *err)
{
    int limits = dpc_n_limits(job->known);
    bool any = false, wanted = job->search->problem.settings->method != DPC_CLASSIC;
    for (int limit = 0; limit < limits; limit++)
        job->c_full[limit] = NAN;
    for (int limit = 0; wanted && limit < limits; limit++) {
        DPC_CHECK(invert_tier(job, limit, err));
        if (dpc_crew_stopped(&job->search->crew, 0))
            return dpc_fail_interrupted(err);
        any = any || !isnan(job->c_full[limit]);
    }
    if (job->inverse != job->p)
        free(job->inverse);
    job->inverse = NULL;
    if (!any) {
        free(job->p);
        job->p = NULL;
    }
    return DPC_OK;
}

/* ---- The tests ---- */

/* 64 pairs of one row, as bits: which are tested, given nothing and given all others … */
typedef struct pairs {
    uint64_t marginal, full;
    uint64_t separated; /* … which the test given all others separates … */
    uint64_t adjacent;  /* … and which stay. */
} pairs;

/* Which of 64 columns, from a multiple of it on, stay correlated by the N that each has with x? */
static uint64_t keep_correlated(const level_job *job, int column, int from, uint64_t bits)
{
    const dpc_view *view = job->view;
    const dpc_critical *critical = &job->search->problem.critical;
    const double *r = dpc_column_row(view, column);
    uint64_t kept = 0;
    for (; bits != 0; bits &= bits - 1) {
        int y = from + __builtin_ctzll(bits);
        double c = dpc_critical_at(critical, false, dpc_test_rows(view, column, y, NULL, 0), 0);
        kept |= (uint64_t) !(fabs(r[y]) <= c) << (y - from);
    }
    return kept;
}

/* Sets the bit of a column's label, unless another column stands for it. */
static void mark(const dpc_labels *labels, int column, uint64_t *found)
{
    int y = labels->label[column];
    if (dpc_is_representative(labels, column))
        found[y / 64] |= UINT64_C(1) << (y % 64);
}

/*
 * The nodes that x is correlated with, as bits. R is read as it lies; only what is found is brought
 * to its label.
 */
static void test_marginal(const level_job *job, int x, uint64_t *found)
{
    const dpc_labels *labels = job->view->labels;
    int n = job->view->n, column = dpc_column_of(labels, x);
    memset(found, 0, (size_t)job->words * sizeof *found);
    if (job->correlated != NULL) {
        for (int64_t e = job->correlated->start[x]; e < job->correlated->start[x + 1]; e++)
            dpc_set_bit(found, 0, 0, job->correlated->node[e]);
        return;
    }
    const double *r = dpc_column_row(job->view, column);
    for (int from = 0; from < n; from += 64) {
        int count = n - from < 64 ? n - from : 64;
        uint64_t bits = job->vector->above(count, r + from, job->c_marginal);
        if (!job->one_n)
            bits = keep_correlated(job, column, from, bits);
        if (labels->label == NULL)
            found[from / 64] = bits;
        else
            for (; bits != 0; bits &= bits - 1)
                mark(labels, from + __builtin_ctzll(bits), found);
    }
}

/* Which of them has a full-order test, and which of these separates? */
static void test_full_order(const level_job *job, int x, int from, int count, pairs *of)
{
    const double *p = job->p + (int64_t)x * job->n + from;
    if (!dpc_has_tiers(job->known)) {
        of->full = of->marginal;
        of->separated = of->full & ~job->vector->above(count, p, job->c_full[0]);
        return;
    }
    for (int i = 0; i < count; i++) {
        double c = job->c_full[dpc_limit(job->known, x, from + i)];
        of->full |= (uint64_t)!isnan(c) << i;
        of->separated |= (uint64_t)(fabs(p[i]) <= c) << i;
    }
    of->full &= of->marginal;
    of->separated &= of->marginal;
}

/* The nodes from … from + 63, `from` a multiple of 64; of these `correlated` with x. */
static pairs test_pairs(const level_job *job, int x, int from, uint64_t correlated)
{
    int count = job->n - from < 64 ? job->n - from : 64;
    uint64_t others = ~UINT64_C(0) >> (64 - count);
    if (x >= from && x < from + count)
        others &= ~(UINT64_C(1) << (x - from));
    uint64_t always = dpc_required_word(job->known, x, from / 64);
    pairs of = {.marginal = others & ~always & ~dpc_forbidden_word(job->known, x, from / 64)};
    if (job->p != NULL)
        test_full_order(job, x, from, count, &of);
    of.adjacent = (of.marginal & ~of.separated & correlated) | always;
    return of;
}

static void count_row(void *context, int64_t x, int worker)
{
    (void)worker;
    level_job *job = context;
    uint64_t *row = job->adjacent + x * job->words;
    int degree = 0;
    int64_t tests = 0;
    test_marginal(job, (int)x, row);
    for (int from = 0; from < job->n; from += 64) {
        pairs of = test_pairs(job, (int)x, from, row[from / 64]);
        row[from / 64] = of.adjacent;
        degree += __builtin_popcountll(of.adjacent);
        tests += __builtin_popcountll(of.marginal) + __builtin_popcountll(of.full);
        if (job->p != NULL)
            dpc_mark_full_order(job->search->sepsets, (int)x, from, of.separated);
    }
    job->degree[x] = degree;
    job->tests[x] = tests;
}

static void fill_row(void *context, int64_t x, int worker)
{
    (void)worker;
    level_job *job = context;
    const dpc_adjacency *graph = job->search->graph;
    int32_t *to = graph->node + graph->start[x];
    for (int64_t word = 0; word < job->words; word++)
        for (uint64_t bits = job->adjacent[x * job->words + word]; bits != 0; bits &= bits - 1)
            *to++ = (int32_t)(64 * word + __builtin_ctzll(bits));
}

/* The full-order verdicts that lie as near to the critical value as rounding may reach. */
static int64_t count_uncertain(const level_job *job)
{
    const double never = 1e-11; /* no verdict of an ordinary table is that near */
    int64_t n = job->n, count = 0;
    if (job->p == NULL || job->doubt < never)
        return 0;
    for (int x = 0; x < n; x++)
        for (int y = x + 1; y < n; y++) {
            double c = job->c_full[dpc_limit(job->known, x, y)];
            count += fabs(fabs(job->p[x * n + y]) - c) <= job->doubt;
        }
    return count;
}

/* ---- Without R ---- */

/* Leaves out the pairs of columns that others stand for. */
static void keep_nodes(const dpc_labels *labels, dpc_pairs *pairs)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < pairs->count; i++)
        if (dpc_is_representative(labels, pairs->pair[i].a) &&
            dpc_is_representative(labels, pairs->pair[i].b))
            pairs->pair[kept++] = pairs->pair[i];
    pairs->count = kept;
}

/* The pairs whose correlation is above c, in labels, as far as this rank has them. */
static dpc_status screen(dpc_skeleton_search *search, double c, dpc_adjacency **out, dpc_error *err)
{
    const dpc_view *view = &search->problem.view;
    dpc_pairs pairs = {0};
    dpc_status status =
        dpc_screen(view->products, c, 0, dpc_screen_tiles(view->n), &search->crew, &pairs);
    if (status == DPC_OK && out != NULL) {
        keep_nodes(view->labels, &pairs);
        dpc_graph graph = {.n_nodes = dpc_nodes(view), .edges = pairs.pair, .n_edges = pairs.count};
        status = dpc_adjacency_of(&graph, view->labels, out);
    }
    dpc_pairs_clear(&pairs);
    return dpc_fail_as(err, status, "the correlated pairs");
}

/* Nothing but the marginal test decides: what it has joined is the first graph. */
static int64_t take_screened(level_job *job)
{
    int64_t n = job->n;
    job->search->graph = job->correlated;
    job->correlated = NULL;
    return n * (n - 1) / 2;
}

/* ---- The whole ---- */

/* Both tests of all pairs, row by row; *tests receives how many they are. */
static dpc_status test_rows(level_job *job, int64_t *tests, dpc_error *err)
{
    dpc_skeleton_search *search = job->search;
    int n = job->n;
    double work = (double)n * n;
    job->adjacent = dpc_arena_alloc(&job->arena, n * job->words, sizeof *job->adjacent);
    if (job->adjacent == NULL)
        return dpc_fail_memory(err, "the first graph");
    if (!dpc_crew_run(&search->crew, n, work, count_row, job))
        return dpc_fail_interrupted(err);
    DPC_CHECK(
        dpc_fail_as(err, dpc_adjacency_new(n, job->degree, &search->graph), "the first graph"));
    if (!dpc_crew_run(&search->crew, n, work, fill_row, job))
        return dpc_fail_interrupted(err);
    for (int x = 0; x < n; x++)
        *tests += job->tests[x];
    *tests /= 2; /* each pair was met twice */
    search->info->uncertain_tests += count_uncertain(job);
    return DPC_OK;
}

static dpc_status run(level_job *job, dpc_error *err)
{
    int64_t tests = 0;
    DPC_CHECK(invert(job, err));
    if (dpc_view_can(job->view, DPC_CAN_SCREEN))
        DPC_CHECK(screen(job->search, job->c_marginal, &job->correlated, err));
    if (job->correlated != NULL && job->p == NULL && job->known == NULL)
        tests = take_screened(job);
    else
        DPC_CHECK(test_rows(job, &tests, err));
    job->search->info->tests += tests;
    atomic_fetch_add(&job->search->crew.tests, tests);
    return DPC_OK;
}

/* Is P needed again, to list the separating sets or to weigh the evidence? */
static bool wanted_later(const dpc_settings *settings)
{
    return settings->keep_separating_sets || settings->graph != DPC_SKELETON;
}

dpc_status dpc_level_zero(dpc_skeleton_search *search, dpc_error *err)
{
    if (search->problem.view.blocks != NULL)
        return dpc_block_level_zero(search, err);
    int n = dpc_nodes(&search->problem.view);
    level_job job = {
        .search = search,
        .view = &search->problem.view,
        .n = n,
        .known = search->problem.known,
        .vector = dpc_vector_best(),
        .one_n = dpc_view_can(&search->problem.view, DPC_ONE_N),
        .c_marginal = dpc_critical_at(&search->problem.critical, false, search->rows.most, 0),
        .words = dpc_bit_words(n),
    };
    dpc_arena *arena = &job.arena;
    job.c_full = dpc_arena_alloc(arena, dpc_n_limits(job.known), sizeof *job.c_full);
    job.degree = dpc_arena_alloc(arena, n, sizeof *job.degree);
    job.tests = dpc_arena_alloc(arena, n, sizeof *job.tests);
    job.members = dpc_arena_alloc(arena, 2 * (int64_t)n, sizeof *job.members);
    dpc_status status =
        dpc_arena_failed(arena) ? dpc_fail_memory(err, "the first graph") : run(&job, err);
    if (status == DPC_OK && wanted_later(search->problem.settings)) {
        search->sepsets->precision = job.p;
        job.p = NULL;
    }
    if (job.inverse != job.p)
        free(job.inverse);
    free(job.p);
    dpc_adjacency_free(job.correlated);
    dpc_arena_clear(arena);
    return status;
}

/* Where there is an R, rank 0 needs no help. */
dpc_status dpc_level_zero_help(dpc_skeleton_search *search, dpc_error *err)
{
    if (!dpc_view_can(&search->problem.view, DPC_CAN_SCREEN))
        return DPC_OK;
    return screen(search, search->problem.critical.primal[0], NULL, err);
}
