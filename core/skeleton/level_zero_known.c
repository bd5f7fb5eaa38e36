/*
 * Level 0 with background knowledge.
 *
 * Required edges and pairs that cannot be one are not tested. The full-order test of a pair is
 * given all others up to its tier: for each tier t that has pairs, with A the variables up to it
 * and P the inverse of R over A,
 *
 *     |Pxy| / sqrt(Pxx Pyy) ≤ c(|A| - 2)
 *
 * What is kept of the inverses is one matrix: each pair has its entry from the inverse of its own
 * tier.
 */
#include "level_zero.h"

#include "error.h"
#include "linalg.h"
#include "memory.h"
#include "stat.h"

#include <math.h>

typedef struct screen_job {
    const dpc_view *view;
    const dpc_known *known;
    double c_marginal;
    double *c_full; /* by limit; NaN: there is no such test */
    double *p;      /* n × n, in labels; NULL: no full-order test at all */
    dpc_sepsets *sepsets;
    int32_t *degree;
    int64_t *tests;       /* per row, of pairs with a larger node */
    dpc_adjacency *graph; /* second pass */
} screen_job;

/* Does the pair stay adjacent? `full`: the full-order test removes it; `tests`: how many made. */
static bool stays(const screen_job *job, int x, int y, bool *full, int *tests)
{
    int64_t n = job->known->n;
    *full = false;
    *tests = 0;
    if (x == y || dpc_never(job->known, x, y))
        return false;
    if (dpc_always(job->known, x, y))
        return true;
    double c = job->c_full[dpc_limit(job->known, x, y)];
    *tests = isnan(c) ? 1 : 2;
    *full = !isnan(c) && fabs(job->p[x * n + y]) <= c;
    return fabs(dpc_r(job->view, x, y)) > job->c_marginal && !*full;
}

static void count_row(void *context, int64_t index, int worker)
{
    (void)worker;
    screen_job *job = context;
    int x = (int)index, degree = 0;
    int64_t tests = 0;
    for (int from = 0; from < job->known->n; from += 64) {
        uint64_t bits = 0;
        for (int y = from; y < job->known->n && y < from + 64; y++) {
            bool full;
            int made;
            degree += stays(job, x, y, &full, &made);
            bits |= (uint64_t)full << (y - from);
            tests += x < y ? made : 0;
        }
        if (job->p != NULL)
            dpc_mark_full_order(job->sepsets, x, from, bits);
    }
    job->degree[x] = degree;
    job->tests[x] = tests;
}

static void fill_row(void *context, int64_t index, int worker)
{
    (void)worker;
    screen_job *job = context;
    int x = (int)index, made;
    bool full;
    int32_t *to = job->graph->node + job->graph->start[x];
    for (int y = 0; y < job->known->n; y++)
        if (stays(job, x, y, &full, &made))
            *to++ = y;
}

/* Is there a pair to be tested with this limit? */
static bool has_pairs(const dpc_known *known, int limit)
{
    for (int x = 0; x < known->n; x++)
        for (int y = x + 1; y < known->n && known->limit[x] <= limit; y++)
            if (dpc_limit(known, x, y) == limit && !dpc_always(known, x, y) &&
                !dpc_never(known, x, y))
                return true;
    return false;
}

/* The entries of the pairs with this limit, from the inverse over the members. */
static void keep_entries(const screen_job *job, int limit, const int32_t *member, int64_t size,
                         const double *inverse)
{
    int64_t n = job->known->n;
    for (int64_t i = 0; i < size; i++)
        for (int64_t j = 0; j < size; j++)
            if (dpc_limit(job->known, member[i], member[j]) == limit)
                job->p[member[i] * n + member[j]] = inverse[i * size + j];
}

/* One tier: its inverse, and its critical value where there is one. */
static void invert(dpc_search *search, const screen_job *job, int limit, int32_t *member,
                   int32_t *column, double *inverse)
{
    const dpc_known *known = job->known;
    double least;
    int size = 0;
    for (int v = 0; v < known->n; v++)
        if (known->member[v] <= limit)
            member[size++] = v;
    if (size < 2 || !dpc_dual_allowed(search->problem.settings, job->view->n_obs, size - 2) ||
        !has_pairs(known, limit))
        return;
    dpc_columns_of(job->view, member, size, column);
    dpc_gather(job->view, column, size, inverse);
    if (dpc_scaled_inverse(inverse, size, &least)) {
        keep_entries(job, limit, member, size, inverse);
        job->c_full[limit] = search->problem.critical.dual[size - 2];
    } else {
        search->info->singular_neighbourhoods++;
    }
}

/* All tiers; job->p and job->c_full. */
static dpc_status invert_all(dpc_search *search, screen_job *job, dpc_error *err)
{
    const dpc_known *known = job->known;
    int64_t n = known->n;
    dpc_status status = DPC_OK;
    for (int limit = 0; limit < known->n_limits; limit++)
        job->c_full[limit] = NAN;
    if (search->problem.settings->method == DPC_CLASSIC)
        return DPC_OK;
    double *inverse = dpc_alloc_aligned(n * n);
    int32_t *member = dpc_alloc(2 * n, sizeof *member);
    job->p = dpc_alloc_aligned(n * n);
    if (!inverse || !member || !job->p || !dpc_sepsets_start_full_order(search->sepsets))
        status = dpc_fail_memory(err, "the inverse of the correlation matrix");
    for (int64_t i = 0; status == DPC_OK && i < n * n; i++)
        job->p[i] = NAN;
    for (int limit = 0; status == DPC_OK && limit < known->n_limits; limit++) {
        invert(search, job, limit, member, member + n, inverse);
        if (dpc_crew_stopped(&search->crew, 0))
            status = dpc_fail(err, DPC_INTERRUPTED, "interrupted");
    }
    free(inverse);
    free(member);
    return status;
}

static dpc_status screen(dpc_search *search, screen_job *job, dpc_error *err)
{
    int n = job->known->n;
    double work = (double)n * n;
    dpc_status status = invert_all(search, job, err);
    if (status != DPC_OK)
        return status;
    if (!dpc_crew_run(&search->crew, n, work, count_row, job))
        return dpc_fail(err, DPC_INTERRUPTED, "interrupted");
    search->graph = job->graph = dpc_adjacency_new(n, job->degree);
    if (job->graph == NULL)
        return dpc_fail_memory(err, "the first graph");
    if (!dpc_crew_run(&search->crew, n, work, fill_row, job))
        return dpc_fail(err, DPC_INTERRUPTED, "interrupted");
    for (int x = 0; x < n; x++)
        search->info->tests += job->tests[x];
    atomic_fetch_add(&search->crew.tests, search->info->tests);
    return DPC_OK;
}

dpc_status dpc_level_screen_known(dpc_search *search, bool keep, dpc_error *err)
{
    const dpc_known *known = search->problem.known;
    screen_job job = {
        .view = &search->problem.view,
        .known = known,
        .c_marginal = search->problem.critical.primal[0],
        .c_full = dpc_alloc(known->n_limits, sizeof(double)),
        .sepsets = search->sepsets,
        .degree = dpc_alloc(known->n, sizeof(int32_t)),
        .tests = dpc_alloc(known->n, sizeof(int64_t)),
    };
    dpc_status status = job.c_full && job.degree && job.tests
                            ? screen(search, &job, err)
                            : dpc_fail_memory(err, "the first graph");
    if (status == DPC_OK && keep) {
        search->sepsets->precision = job.p;
        job.p = NULL;
    }
    free(job.c_full);
    free(job.p);
    free(job.degree);
    free(job.tests);
    return status;
}
