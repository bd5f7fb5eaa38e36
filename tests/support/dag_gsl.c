/*
 * DAGs for tests and measurements: see dag_gsl.h.
 *
 * Correlations. With E_j the row vector of the effects of all noise terms on Y_j,
 * E_j = s_j e_j + Σ_i w_ij E_i, and the covariance of Y_i and Y_j is E_i · E_j: no
 * inverse, and where all weights are positive no cancellation. The sums run in
 * long double, so that an entry of the result is off by little more than its
 * rounding to double.
 */
#include "dag_gsl.h"

#include "arena.h"
#include "status.h"
#include "table.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <string.h>

dpc_status dpc_rng_new(uint64_t seed, gsl_rng **out, dpc_error *err)
{
    /* gsl_rng_alloc would call GSL's error handler, which aborts, where memory ends. */
    gsl_rng *rng = dpc_alloc(1, sizeof *rng);
    void *state = dpc_zalloc(1, gsl_rng_mt19937->size);
    if (rng == NULL || state == NULL) {
        free(rng);
        free(state);
        return dpc_fail_memory(err, "a random number generator");
    }
    rng->type = gsl_rng_mt19937;
    rng->state = state;
    gsl_rng_set(rng, (unsigned long)seed);
    *out = rng;
    return DPC_OK;
}

static double uniform(void *rng)
{
    return gsl_rng_uniform(rng);
}

static uint64_t below(void *rng, uint64_t bound)
{
    return gsl_rng_uniform_int(rng, bound);
}

dpc_status dpc_dag_random(const dpc_dag_model *model, gsl_rng *rng, dpc_dag **out, dpc_error *err)
{
    dpc_dice dice = {uniform, below, rng};
    return dpc_dag_draw(model, &dice, out, err);
}

dpc_status dpc_dag_sample(const dpc_dag *dag, int64_t n_obs, dpc_noise noise, gsl_rng *rng,
                          dpc_table **out, dpc_error *err)
{
    if (!(noise.degrees > 0))
        return dpc_fail(err, DPC_USAGE, "the noise needs more than %g degrees of freedom",
                        noise.degrees);
    dpc_table *table = NULL;
    DPC_CHECK(dpc_table_new(n_obs, dag->n, NULL, &table, err));
    for (int i = 0; i < dag->n; i++) {
        int j = dag->order[i];
        double *y = table->values + (int64_t)j * n_obs;
        for (int64_t t = 0; t < n_obs; t++)
            y[t] =
                isinf(noise.degrees) ? gsl_ran_ugaussian(rng) : gsl_ran_tdist(rng, noise.degrees);
        for (int64_t e = dag->start[j]; e < dag->start[j + 1]; e++) {
            const double *x = table->values + (int64_t)dag->parent[e] * n_obs;
            for (int64_t t = 0; t < n_obs; t++)
                y[t] += dag->weight[e] * x[t];
        }
    }
    *out = table;
    return DPC_OK;
}

/* ---- Population correlations ------------------------------------------- */

/* Fills row j of `effect` with E_j / |E_j|, and length[j] with |E_j|. */
static void noise_effects(const dpc_dag *dag, long double *effect, long double *length)
{
    int n = dag->n;
    for (int i = 0; i < n; i++) {
        int j = dag->order[i];
        long double *row = effect + (int64_t)j * n;
        memset(row, 0, (size_t)n * sizeof *row);
        row[j] = dag->spread != NULL ? dag->spread[j] : 1;
        for (int64_t e = dag->start[j]; e < dag->start[j + 1]; e++) {
            int p = dag->parent[e];
            for (int k = 0; k < n; k++)
                row[k] += dag->weight[e] * length[p] * effect[(int64_t)p * n + k];
        }
        long double square = 0;
        for (int k = 0; k < n; k++)
            square += row[k] * row[k];
        length[j] = sqrtl(square);
        for (int k = 0; k < n; k++)
            row[k] /= length[j];
    }
}

dpc_status dpc_dag_correlation(const dpc_dag *dag, double *r, double *variance, dpc_error *err)
{
    int n = dag->n;
    dpc_arena arena = {0};
    long double *effect = dpc_arena_alloc(&arena, (int64_t)n * n, sizeof *effect);
    long double *length = dpc_arena_alloc(&arena, n, sizeof *length);
    if (dpc_arena_failed(&arena)) {
        dpc_arena_clear(&arena);
        return dpc_fail_memory(err, "the correlations of a DAG");
    }
    noise_effects(dag, effect, length);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            long double dot = 0;
            for (int k = 0; k < n; k++)
                dot += effect[(int64_t)i * n + k] * effect[(int64_t)j * n + k];
            r[(int64_t)i * n + j] = r[(int64_t)j * n + i] = i == j ? 1 : (double)dot;
        }
        if (variance != NULL)
            variance[i] = (double)(length[i] * length[i]);
    }
    dpc_arena_clear(&arena);
    return DPC_OK;
}
