/*
 * Copies of columns: see copies.h.
 *
 * Where there is an R, its rows are looked through, 64 entries at a time. Where there is none, not
 * all pairs need be multiplied. With u and v of length 1 and 1 - r² < ε, u and ±v are less than
 * sqrt(1.01 ε) apart, and so their projections on a fixed vector g, which can differ by no more
 * than that times |g|. Columns are sorted by the first projection, and two columns are multiplied
 * only where all their projections are near.
 */
#include "copies.h"

#include "alloc.h"
#include "random.h"
#include "vector.h"

#include <math.h>

enum { PROJECTIONS = 4 };

typedef struct projected {
    double at[PROJECTIONS]; /* absolute values */
    int32_t column;
} projected;

typedef struct copies_job {
    const dpc_correlation *correlation;
    const dpc_labels *labels;
    double left;     /* 1 - r² of two copies is below this */
    double above;    /* … and so |r| above this */
    double *g;       /* PROJECTIONS vectors of ±1, N each */
    projected *line; /* the columns that vary, by their first projection */
    int count;
    double near; /* how far the projections of copies can be apart */
    int32_t *copied;
} copies_job;

bool dpc_is_copy(double r, double left)
{
    return fabs(r) > sqrt(1 - left);
}

/* `other`, a copy of a column, comes before it and before the first one so far; -1: none so far. */
static bool comes_first(const copies_job *job, int other, int column, int first)
{
    int label = dpc_label_of(job->labels, other);
    return label < dpc_label_of(job->labels, column) &&
           (first < 0 || label < dpc_label_of(job->labels, first));
}

/* From R. */
static void look_in_row(void *context, int64_t j, int worker)
{
    (void)worker;
    const copies_job *job = context;
    int n = job->correlation->n_vars, first = -1;
    const double *row = job->correlation->r + j * n;
    const dpc_vector *vector = dpc_vector_best();
    for (int from = 0; from < n; from += 64) {
        int count = n - from < 64 ? n - from : 64;
        uint64_t bits = vector->above(count, row + from, job->above);
        for (; bits != 0; bits &= bits - 1) {
            int other = from + __builtin_ctzll(bits);
            if (comes_first(job, other, (int)j, first))
                first = other;
        }
    }
    job->copied[j] = first;
}

static void project(void *context, int64_t place, int worker)
{
    (void)worker;
    const copies_job *job = context;
    const dpc_products *p = job->correlation->products;
    projected *to = &job->line[place];
    for (int k = 0; k < PROJECTIONS; k++)
        to->at[k] = fabs(dpc_vector_best()->dot((int)p->n_rows, job->g + k * p->n_rows,
                                                p->z + to->column * p->n_rows)) *
                    p->scale[to->column];
}

static int by_projection(const void *left, const void *right)
{
    const projected *a = left, *b = right;
    return (a->at[0] > b->at[0]) - (a->at[0] < b->at[0]);
}

static bool is_near(const copies_job *job, const projected *a, const projected *b)
{
    for (int k = 0; k < PROJECTIONS; k++)
        if (!(fabs(a->at[k] - b->at[k]) <= job->near))
            return false;
    return true;
}

/* The column at a place, against all near it, in both directions. */
static void look_around(void *context, int64_t place, int worker)
{
    (void)worker;
    const copies_job *job = context;
    const projected *own = &job->line[place];
    int first = -1;
    for (int step = -1; step <= 1; step += 2)
        for (int64_t at = place + step; at >= 0 && at < job->count; at += step) {
            const projected *other = &job->line[at];
            if (fabs(other->at[0] - own->at[0]) > job->near)
                break;
            if (comes_first(job, other->column, own->column, first) && is_near(job, own, other) &&
                fabs(dpc_product(job->correlation->products, other->column, own->column)) >
                    job->above)
                first = other->column;
        }
    job->copied[own->column] = first;
}

/* Without R. */
static dpc_status look_at_projections(copies_job *job, dpc_crew *crew)
{
    const dpc_products *p = job->correlation->products;
    int64_t rows = p->n_rows;
    dpc_random random;
    dpc_random_start(&random, 1, 0);
    job->g = dpc_alloc(PROJECTIONS * rows, sizeof *job->g);
    job->line = dpc_alloc(p->n_vars, sizeof *job->line);
    if (job->g == NULL || job->line == NULL)
        return DPC_NO_MEMORY;
    for (int64_t i = 0; i < PROJECTIONS * rows; i++)
        job->g[i] = dpc_random_next(&random) >> 63 != 0 ? 1 : -1;
    job->near = (sqrt(1.01 * job->left) + 1e-12) * sqrt((double)rows);
    for (int j = 0; j < p->n_vars; j++) {
        job->copied[j] = -1;
        if (p->scale[j] > 0)
            job->line[job->count++].column = j;
    }
    double work = PROJECTIONS * (double)job->count * (double)rows;
    if (!dpc_crew_run(crew, job->count, work, project, job))
        return DPC_INTERRUPTED;
    if (job->count > 0)
        qsort(job->line, (size_t)job->count, sizeof *job->line, by_projection);
    return dpc_crew_run(crew, job->count, work, look_around, job) ? DPC_OK : DPC_INTERRUPTED;
}

dpc_status dpc_find_copies(const dpc_correlation *c, const dpc_labels *labels, double left,
                           const dpc_settings *settings, int32_t *copied)
{
    dpc_crew crew;
    dpc_crew_init(&crew, settings, DPC_STAGE_CORRELATION);
    crew.from = crew.to; /* the correlations are there */
    copies_job job = {.correlation = c,
                      .labels = labels,
                      .left = left,
                      .above = sqrt(1 - left),
                      .copied = copied};
    dpc_status status = DPC_OK;
    if (c->r == NULL)
        status = look_at_projections(&job, &crew);
    else if (!dpc_crew_run(&crew, c->n_vars, (double)c->n_vars * c->n_vars, look_in_row, &job))
        status = DPC_INTERRUPTED;
    free(job.g);
    free(job.line);
    return status;
}
