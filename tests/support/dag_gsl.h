/*
 * DAGs for tests and measurements: drawn with the generators of GSL, their correlations, and data
 * drawn from them.
 */
#ifndef DPC_DAG_GSL_H
#define DPC_DAG_GSL_H

#include "dag.h"

#include <gsl/gsl_rng.h>

/*
 * A Mersenne twister. GSL uses the low 32 bits of the seed, and takes 0 as 4357.
 * Free with gsl_rng_free.
 */
dpc_status dpc_rng_new(uint64_t seed, gsl_rng **out, dpc_error *err);

/* A random DAG. Free with dpc_dag_free. */
dpc_status dpc_dag_random(const dpc_dag_model *model, gsl_rng *rng, dpc_dag **out, dpc_error *err);

/* n_obs independent observations, not standardised. Free with dpc_table_free. */
dpc_status dpc_dag_sample(const dpc_dag *dag, int64_t n_obs, dpc_noise noise, gsl_rng *rng,
                          dpc_table **out, dpc_error *err);

/*
 * The population correlations where every ε has variance 1, into the n × n matrix r,
 * and where `variance` is not NULL the n variances before standardising.
 */
dpc_status dpc_dag_correlation(const dpc_dag *dag, double *r, double *variance, dpc_error *err);

#endif
