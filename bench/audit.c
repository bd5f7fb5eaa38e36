/*
 * Times the search for linear combinations in the audit, beside the correlations themselves.
 *
 *     audit n N threads runs
 *
 * The table has N rows of independent columns, but for the last one, which is the sum of three
 * others. Prints the best time of each: correlation, combinations.
 */
#include "audit.h"
#include "correlation.h"
#include "platform.h"
#include "random.h"
#include "table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As the command line program does: the threads are ours. */
__attribute__((weak)) void openblas_set_num_threads(int threads);

static void check(dpc_status status, const dpc_error *err)
{
    if (status == DPC_OK)
        return;
    fprintf(stderr, "audit: %s\n", err->message);
    exit(1);
}

static dpc_table *make_table(int n, int64_t n_obs)
{
    dpc_table *table = NULL;
    dpc_error err = {0};
    dpc_random random;
    dpc_random_start(&random, 1, 0);
    check(dpc_table_new(n_obs, n, NULL, &table, &err), &err);
    for (int64_t i = 0; i < (n - 1) * n_obs; i++)
        table->values[i] = (double)dpc_random_below(&random, 1 << 20);
    double *x = table->values, *sum = x + (n - 1) * n_obs;
    for (int64_t i = 0; i < n_obs; i++)
        sum[i] = x[i] + x[n / 2 * n_obs + i] - x[(n - 2) * n_obs + i];
    return table;
}

int main(int argc, char **argv)
{
    if (argc != 5)
        return 1;
    dpc_settings settings;
    double best[2] = {INFINITY, INFINITY};
    dpc_settings_default(&settings);
    settings.threads = atoi(argv[3]);
    if (openblas_set_num_threads != NULL)
        openblas_set_num_threads(1);
    dpc_table *table = make_table(atoi(argv[1]), atoll(argv[2]));
    for (int run = 0; run < atoi(argv[4]); run++) {
        dpc_error err = {0};
        dpc_audit audit = {0};
        dpc_correlation *c = NULL;
        double start = dpc_seconds();
        check(dpc_correlate(table, &settings, NULL, &c, &err), &err);
        double middle = dpc_seconds();
        check(dpc_audit_correlations(table->names, c, &settings, &audit, &err), &err);
        best[0] = fmin(best[0], middle - start);
        best[1] = fmin(best[1], dpc_seconds() - middle);
        if (audit.count != 1 || strstr(audit.items[0].text, "linear combination") == NULL) {
            fprintf(stderr, "audit: the combination was not found\n");
            return 1;
        }
        dpc_audit_clear(&audit);
        dpc_correlation_free(c);
    }
    printf("correlation %.6f combinations %.6f\n", best[0], best[1]);
    dpc_table_free(table);
    return 0;
}
