/*
 * Makes the bundled example: a random network of 12 variables, 500 observations of it, and the
 * CPDAG that a perfect method would find.
 *
 *     make-example data.csv truth.txt
 */
#include "dag_gsl.h"
#include "dualpc_io.h"
#include "graph.h"
#include "table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SEED = 2, N_OBS = 500 };
static const dpc_dag_model MODEL = {.n = 12, .parents = 1.2, .weight_low = 0.4, .weight_high = 2};

static bool write_data(const dpc_table *table, const char *path)
{
    FILE *file = fopen(path, "w");
    if (file == NULL)
        return false;
    for (int j = 0; j < table->n_vars; j++)
        fprintf(file, "%s%c", table->names[j], j + 1 < table->n_vars ? ',' : '\n');
    for (int64_t i = 0; i < table->n_obs; i++)
        for (int j = 0; j < table->n_vars; j++)
            fprintf(file, "%.4f%c", table->values[j * table->n_obs + i],
                    j + 1 < table->n_vars ? ',' : '\n');
    return fclose(file) == 0;
}

static dpc_status make(const char *data, const char *truth, dpc_error *err)
{
    gsl_rng *rng = NULL;
    dpc_dag *dag = NULL;
    dpc_table *table = NULL;
    dpc_graph cpdag = {0};
    dpc_status status = dpc_rng_new(SEED, &rng, err);
    if (status == DPC_OK)
        status = dpc_dag_random(&MODEL, rng, &dag, err);
    if (status == DPC_OK)
        status = dpc_dag_sample(dag, N_OBS, (dpc_noise){.degrees = INFINITY}, rng, &table, err);
    if (status == DPC_OK)
        status = dpc_dag_graph(dag, DPC_CPDAG, &cpdag, err);
    if (status == DPC_OK && !write_data(table, data)) {
        status = DPC_WRITE_FAILED;
        snprintf(err->message, sizeof err->message, "cannot write %s", data);
    }
    if (status == DPC_OK) {
        dpc_report report = {
            .size = sizeof report, .names = dpc_table_about(table).names, .graph = &cpdag};
        status = dpc_write(&report, &(dpc_output){.path = truth}, 1, err);
    }
    dpc_graph_clear(&cpdag);
    dpc_table_free(table);
    dpc_dag_free(dag);
    gsl_rng_free(rng);
    return status;
}

int main(int argc, char **argv)
{
    dpc_error err = {0};
    if (argc != 3) {
        fprintf(stderr, "usage: make-example data.csv truth.txt\n");
        return DPC_USAGE;
    }
    dpc_status status = make(argv[1], argv[2], &err);
    if (status != DPC_OK)
        fprintf(stderr, "make-example: %s\n", err.message);
    return status;
}
