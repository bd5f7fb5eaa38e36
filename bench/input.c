/*
 * Makes an input. From a table, or from a random network of n variables with d expected parents, N
 * observations of it.
 *
 *     input TABLE.csv MATRIX.bin
 *     input n N d seed MATRIX.bin [TABLE.csv]
 *
 * MATRIX.bin receives the correlations as raw doubles, TABLE.csv the observations.
 */
#include "correlation.h"
#include "dag_gsl.h"
#include "dualpc_io.h"
#include "table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void stop(const char *what, const dpc_error *err)
{
    fprintf(stderr, "input: %s: %s\n", what, err->message);
    exit(1);
}

static void write_matrix(const dpc_table *table, const char *path)
{
    dpc_error err = {0};
    dpc_correlation *c = NULL;
    if (dpc_correlate(table, NULL, NULL, &c, &err) != DPC_OK)
        stop("correlations", &err);
    FILE *file = fopen(path, "wb");
    size_t cells = (size_t)c->n_vars * (size_t)c->n_vars;
    if (file == NULL || fwrite(c->r, sizeof *c->r, cells, file) != cells || fclose(file) != 0)
        stop(path, &err);
    dpc_correlation_free(c);
}

static void write_table(const dpc_table *table, const char *path)
{
    FILE *file = fopen(path, "w");
    for (int j = 0; j < table->n_vars; j++)
        fprintf(file, "%s%c", table->names[j], j + 1 < table->n_vars ? ',' : '\n');
    for (int64_t i = 0; i < table->n_obs; i++)
        for (int j = 0; j < table->n_vars; j++)
            fprintf(file, "%.15g%c", table->values[j * table->n_obs + i],
                    j + 1 < table->n_vars ? ',' : '\n');
    fclose(file);
}

static void matrix_of(const char *data, const char *path)
{
    dpc_error err = {0};
    dpc_table *table = NULL;
    if (dpc_table_read(data, DPC_MISSING_ERROR, NULL, NULL, &table, &err) != DPC_OK)
        stop("reading", &err);
    write_matrix(table, path);
    dpc_table_free(table);
}

int main(int argc, char **argv)
{
    if (argc == 3) {
        matrix_of(argv[1], argv[2]);
        return 0;
    }
    if (argc < 6)
        return 1;
    dpc_dag_model model = {
        .n = atoi(argv[1]), .parents = atof(argv[3]), .weight_low = 0.4, .weight_high = 2};
    dpc_error err = {0};
    gsl_rng *rng = NULL;
    dpc_dag *dag = NULL;
    dpc_table *table = NULL;
    if (dpc_rng_new((uint64_t)atoll(argv[4]), &rng, &err) != DPC_OK ||
        dpc_dag_random(&model, rng, &dag, &err) != DPC_OK ||
        dpc_dag_sample(dag, atoll(argv[2]), (dpc_noise){.degrees = INFINITY}, rng, &table, &err) !=
            DPC_OK)
        stop("simulation", &err);
    write_matrix(table, argv[5]);
    if (argc > 6)
        write_table(table, argv[6]);
    dpc_table_free(table);
    dpc_dag_free(dag);
    gsl_rng_free(rng);
    return 0;
}
