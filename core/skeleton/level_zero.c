/*
 * Level 0: every pair by its marginal correlation, and, where the sample allows, by its
 * correlation given all other variables (paper, section 3; algorithm 1, lines 2 to 4).
 *
 *     |Rxy| ≤ c(0)  or  |Pxy| / sqrt(Pxx Pyy) ≤ c(n-2),  P = R⁻¹
 *
 * removes the edge. Where both do, the separating set is "all others".
 */
#include "level_zero.h"

#include "error.h"
#include "linalg.h"
#include "memory.h"
#include "vector.h"

#include <math.h>
#include <string.h>

typedef struct screen_job {
    const dpc_view *view;
    const double *p; /* the scaled inverse, in labels; or NULL */
    int n;
    double c_marginal, c_full;
    dpc_sepsets *sepsets;
    const dpc_vector *vector;
    int32_t *degree;
    dpc_adjacency *graph; /* second pass */
} screen_job;

/*
 * Columns from … from+63 of row x that stay adjacent, as bits; `kept` receives those that the
 * full-order test alone would keep.
 */
static uint64_t adjacent(const screen_job *job, int64_t x, int from, uint64_t *kept)
{
    int count = job->n - from < 64 ? job->n - from : 64;
    int64_t at = x * job->n + from;
    double gathered[64];
    const dpc_labels *labels = job->view->labels;
    const double *r = dpc_column_row(job->view, dpc_column_of(labels, (int)x)) + from;
    if (labels->column != NULL) {
        for (int i = 0; i < count; i++)
            gathered[i] = r[labels->column[from + i] - from];
        r = gathered;
    }
    uint64_t bits = job->vector->above(count, r, job->c_marginal);
    *kept = job->p != NULL ? job->vector->above(count, job->p + at, job->c_full) : bits;
    if (x >= from && x < from + count)
        bits &= ~(UINT64_C(1) << (x - from));
    return bits & *kept;
}

/* The degree of x, and which pairs the full-order test removes. */
static void count_row(void *context, int64_t x, int worker)
{
    (void)worker;
    screen_job *job = context;
    int degree = 0;
    for (int from = 0; from < job->n; from += 64) {
        uint64_t kept, bits = adjacent(job, x, from, &kept);
        degree += __builtin_popcountll(bits);
        if (job->p != NULL)
            dpc_mark_full_order(job->sepsets, (int)x, from, ~kept);
    }
    job->degree[x] = degree;
}

static void fill_row(void *context, int64_t x, int worker)
{
    (void)worker;
    screen_job *job = context;
    int32_t *to = job->graph->node + job->graph->start[x];
    const int32_t *end = job->graph->node + job->graph->start[x + 1];
    for (int from = 0; to < end; from += 64) {
        uint64_t kept, bits = adjacent(job, x, from, &kept);
        for (; bits != 0; bits &= bits - 1)
            *to++ = from + __builtin_ctzll(bits);
    }
}

/* R in the order of the labels, for the inverse is taken in that order too. */
static void copy_matrix(const dpc_view *view, double *to)
{
    const int32_t *column = view->labels->column;
    if (column != NULL)
        dpc_gather(view, column, view->n, to);
    else
        memcpy(to, view->r, (size_t)view->n * (size_t)view->n * sizeof *to);
}

/* Will anybody ask for P again: a reader of the sets, or the rule that weighs the evidence? */
static bool wanted_later(const dpc_settings *settings)
{
    return settings->keep_separating_sets ||
           (settings->orient == DPC_CONSISTENT && settings->graph != DPC_SKELETON);
}

/* The scaled inverse of R in *p; NULL where it is not allowed or does not exist. */
static dpc_status precision(dpc_search *search, double **p, dpc_error *err)
{
    const dpc_view *view = &search->problem.view;
    const dpc_settings *settings = search->problem.settings;
    int n = view->n;
    *p = NULL;
    if (settings->method == DPC_CLASSIC || !dpc_dual_allowed(settings, view->n_obs, n - 2))
        return DPC_OK;
    double least, *inverse = dpc_alloc_aligned((int64_t)n * n);
    if (inverse == NULL || !dpc_sepsets_start_full_order(search->sepsets)) {
        free(inverse);
        return dpc_fail_memory(err, "the inverse of the correlation matrix");
    }
    copy_matrix(view, inverse);
    if (dpc_scaled_inverse(inverse, n, &least)) {
        *p = inverse;
    } else {
        search->info->singular_neighbourhoods++;
        free(inverse);
    }
    return DPC_OK;
}

dpc_status dpc_level_screen(dpc_search *search, dpc_error *err)
{
    const dpc_view *view = &search->problem.view;
    const dpc_critical *critical = &search->problem.critical;
    int n = view->n;
    double *p = NULL, work = (double)n * n;
    if (search->problem.known != NULL)
        return dpc_level_screen_known(search, wanted_later(search->problem.settings), err);
    dpc_status status = precision(search, &p, err);
    if (status != DPC_OK)
        return status;
    screen_job job = {
        .view = view,
        .p = p,
        .n = n,
        .c_marginal = critical->primal[0],
        .c_full = p != NULL ? critical->dual[n - 2] : NAN,
        .sepsets = search->sepsets,
        .vector = dpc_vector_best(),
        .degree = dpc_alloc(n, sizeof(int32_t)),
    };
    if (job.degree == NULL) {
        status = dpc_fail_memory(err, "the first graph");
    } else if (!dpc_crew_run(&search->crew, n, work, count_row, &job)) {
        status = dpc_fail(err, DPC_INTERRUPTED, "interrupted");
    } else if ((search->graph = job.graph = dpc_adjacency_new(n, job.degree)) == NULL) {
        status = dpc_fail_memory(err, "the first graph");
    } else if (!dpc_crew_run(&search->crew, n, work, fill_row, &job)) {
        status = dpc_fail(err, DPC_INTERRUPTED, "interrupted");
    } else {
        search->info->tests += (int64_t)n * (n - 1) / 2 * (p != NULL ? 2 : 1);
        atomic_fetch_add(&search->crew.tests, search->info->tests);
    }
    free(job.degree);
    if (status == DPC_OK && wanted_later(search->problem.settings)) {
        search->sepsets->precision = p;
        p = NULL;
    }
    free(p);
    return status;
}
