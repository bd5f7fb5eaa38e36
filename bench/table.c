/*
 * Times what happens to a table before the search, beside a bare dsyrk of the same size.
 *
 *     table TABLE.csv threads runs
 *
 * Prints the best time of each: read, correlation, normal scores with correlation, dsyrk.
 */
#include "table.h"
#include "dualpc_io.h"
#include "linalg.h"
#include "platform.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void openblas_set_num_threads(int threads);

static void check(dpc_status status, const dpc_error *err)
{
    if (status == DPC_OK)
        return;
    fprintf(stderr, "table: %s\n", err->message);
    exit(1);
}

static double time_read(const char *path, const dpc_settings *settings, dpc_table **table)
{
    dpc_error err;
    double start = dpc_seconds();
    check(dpc_table_read(path, DPC_MISSING_ERROR, settings, NULL, table, &err), &err);
    return dpc_seconds() - start;
}

static double time_correlation(const dpc_table *table, dpc_settings settings, dpc_normalize how)
{
    dpc_error err;
    dpc_correlation *c = NULL;
    settings.normalize = how;
    openblas_set_num_threads(1);
    double start = dpc_seconds();
    check(dpc_correlate(table, &settings, NULL, &c, &err), &err);
    double seconds = dpc_seconds() - start;
    dpc_correlation_free(c);
    return seconds;
}

static double time_dsyrk(const dpc_table *table, double *r, int threads)
{
    const double one = 1, zero = 0;
    int n = table->n_vars, k = (int)table->n_obs;
    openblas_set_num_threads(threads);
    double start = dpc_seconds();
    dsyrk_("U", "T", &n, &k, &one, table->values, &k, &zero, r, &n);
    return dpc_seconds() - start;
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return 1;
    int runs = atoi(argv[3]);
    double best[4] = {INFINITY, INFINITY, INFINITY, INFINITY};
    dpc_settings settings;
    dpc_settings_default(&settings);
    settings.threads = atoi(argv[2]);
    for (int run = 0; run < runs; run++) {
        dpc_table *table = NULL;
        best[0] = fmin(best[0], time_read(argv[1], &settings, &table));
        double *r = calloc((size_t)table->n_vars * (size_t)table->n_vars, sizeof *r);
        for (int i = 0; i < 3; i++) {
            best[1] = fmin(best[1], time_correlation(table, settings, DPC_NORMALIZE_NONE));
            best[2] = fmin(best[2], time_correlation(table, settings, DPC_NORMALIZE_COPULA));
            best[3] = fmin(best[3], time_dsyrk(table, r, settings.threads));
        }
        free(r);
        dpc_table_free(table);
    }
    printf("read %.6f correlation %.6f scores %.6f dsyrk %.6f\n", best[0], best[1], best[2],
           best[3]);
    return 0;
}
