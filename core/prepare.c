/*
 * From raw columns to standardised ones.
 *
 * A column x becomes z = (x - mean) / |x - mean|, so that the correlation of two columns is
 * their inner product. For a Gaussian copula model x is first replaced by its normal scores
 * Φ⁻¹(rank / (N+1)), ties sharing their mean rank (paper, section 5).
 */
#include "prepare.h"

#include "check.h"
#include "crew.h"
#include "error.h"
#include "memory.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <string.h>

typedef struct prepare_job {
    const dpc_table *table;
    double *z;
    bool *constant;      /* per column */
    const double *score; /* Φ⁻¹(i / (N+1)) for i = 1 … N at score[i-1]; NULL: no scores */
    size_t *order;       /* N per worker, for the ranks */
} prepare_job;

/* Centres z and scales it to unit length. */
static void standardise(double *z, int64_t n)
{
    double largest = 0;
    for (int64_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(z[i]));
    /* Squares of extreme values would overflow or vanish. */
    if (largest > 1e100 || largest < 1e-100)
        for (int64_t i = 0; i < n; i++)
            z[i] /= largest;
    double sum = 0, centred = 0, squares = 0;
    for (int64_t i = 0; i < n; i++)
        sum += z[i];
    double mean = sum / (double)n;
    for (int64_t i = 0; i < n; i++) {
        z[i] -= mean;
        centred += z[i]; /* what rounding left in the mean */
    }
    mean = centred / (double)n;
    for (int64_t i = 0; i < n; i++) {
        z[i] -= mean;
        squares += z[i] * z[i];
    }
    double scale = 1 / sqrt(squares);
    for (int64_t i = 0; i < n; i++)
        z[i] *= scale;
}

/* Replaces z by the normal scores of its ranks. */
static void normal_scores(double *z, int64_t n, const double *score, size_t *order)
{
    gsl_sort_index(order, z, 1, (size_t)n);
    for (int64_t i = 0, j; i < n; i = j) {
        double value = z[order[i]];
        for (j = i + 1; j < n && z[order[j]] == value; j++)
            ;
        double s = score[i];
        if (j - i > 1) /* ranks i+1 … j share their mean */
            s = gsl_cdf_ugaussian_Pinv(0.5 * (double)(i + 1 + j) / (double)(n + 1));
        for (int64_t k = i; k < j; k++)
            z[order[k]] = s;
    }
}

static void prepare_column(void *context, int64_t column, int worker)
{
    prepare_job *job = context;
    int64_t n = job->table->n_obs;
    double *z = job->z + column * n;
    const double *x = job->table->values + column * n;
    job->constant[column] = dpc_is_constant(x, n);
    if (job->constant[column]) {
        memset(z, 0, (size_t)n * sizeof *z);
        return;
    }
    memcpy(z, x, (size_t)n * sizeof *z);
    if (job->score != NULL)
        normal_scores(z, n, job->score, job->order + worker * n);
    standardise(z, n);
}

static double *score_table(int64_t n)
{
    double *score = dpc_alloc(n, sizeof *score);
    for (int64_t i = 0; score != NULL && i < n; i++)
        score[i] = gsl_cdf_ugaussian_Pinv((double)(i + 1) / (double)(n + 1));
    return score;
}

dpc_status dpc_prepare(const dpc_table *table, const dpc_settings *settings, dpc_audit *audit,
                       double **out, dpc_error *err)
{
    dpc_status status = DPC_NO_MEMORY;
    bool copula = settings->normalize == DPC_NORMALIZE_COPULA;
    int64_t n = table->n_obs;
    dpc_crew crew;
    dpc_crew_init(&crew, settings, DPC_STAGE_PREPARE);

    double *score = copula ? score_table(n) : NULL;
    prepare_job job = {
        .table = table,
        .z = dpc_alloc_aligned(n * table->n_vars),
        .constant = dpc_zalloc(table->n_vars, sizeof(bool)),
        .score = score,
        .order = dpc_alloc(copula ? n * crew.threads : 0, sizeof(size_t)),
    };
    if (job.z == NULL || job.constant == NULL || job.order == NULL || (copula && !score))
        goto done;
    if (!dpc_crew_run(&crew, table->n_vars, (double)n * table->n_vars, prepare_column, &job)) {
        status = DPC_INTERRUPTED;
        goto done;
    }
    status = dpc_check_constant(table->names, job.constant, table->n_vars, audit);
    if (status == DPC_OK) {
        *out = job.z;
        job.z = NULL;
    }

done:
    free(score);
    free(job.z);
    free(job.constant);
    free(job.order);
    if (status == DPC_NO_MEMORY)
        return dpc_fail_memory(err, "the standardised table");
    return status == DPC_OK ? status : dpc_fail(err, status, "interrupted");
}
