/* DAGs and data drawn with generators of GSL: see dag_gsl.h. */
#include "dag_gsl.h"

#include "alloc.h"
#include "status.h"
#include "table.h"

#include <gsl/gsl_randist.h>
#include <math.h>

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
