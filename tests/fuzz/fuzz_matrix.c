/*
 * The matrix reader: correlations, covariances, and the files of Tetrad. The first byte of an input
 * says how to read (bit 0 no header, 1 gzip, 2 as a table, so that only Tetrad's are matrices); the
 * second one is the number of observations that is told where the file does not.
 *
 * What was read is square and finite; what becomes of it is a correlation matrix, and small ones
 * are learned from.
 */
#include "fuzz.h"
#include "table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LEARNED = 8 };

static void check_matrix(const dpc_table *matrix)
{
    int64_t n = matrix->n_vars;
    MUST(n > 0 && matrix->n_obs == n, "%lld × %lld", (long long)n, (long long)matrix->n_obs);
    for (int64_t i = 0; i < n * n; i++)
        MUST(isfinite(matrix->values[i]), "an entry of %g", matrix->values[i]);
    for (int64_t j = 0; j < n; j++)
        MUST(matrix->names[j] != NULL && matrix->names[j][0] != '\0', "a variable has no name");
}

static void check_correlation(const dpc_correlation *correlation)
{
    const double *r = dpc_correlation_about(correlation).values;
    int64_t n = dpc_correlation_about(correlation).n_vars;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            MUST(fabs(r[i * n + j]) <= 1, "a correlation of %.17g", r[i * n + j]);
            MUST(r[i * n + j] == r[j * n + i], "%.17g, and %.17g", r[i * n + j], r[j * n + i]);
            MUST(i != j || r[i * n + j] == 1, "a diagonal of %.17g", r[i * n + j]);
        }
}

static void use(const dpc_table *matrix, int64_t n_obs)
{
    dpc_correlation *correlation = NULL;
    dpc_result *result = NULL;
    dpc_settings settings;
    dpc_error err = {0};
    dpc_audit audit = {0};
    dpc_settings_default(&settings);
    settings.threads = 1;
    dpc_status status =
        dpc_correlation_from_matrix(matrix, n_obs, &settings, &audit, &correlation, &err);
    fuzz_check_error(status, &err);
    if (status == DPC_OK) {
        check_correlation(correlation);
        if (matrix->n_vars <= MOST_LEARNED)
            fuzz_check_error(dpc_learn(correlation, &settings, &result, &err), &err);
    }
    dpc_result_free(result);
    dpc_correlation_free(correlation);
    dpc_audit_clear(&audit);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes in = {data, size};
    uint8_t how = fuzz_byte(&in), many = fuzz_byte(&in);
    dpc_read_options options = {
        .size = sizeof options, .matrix = (how & 4) == 0, .no_header = (how & 1) != 0};
    dpc_settings settings;
    dpc_table *matrix = NULL;
    dpc_audit audit = {0};
    dpc_error err = {0};
    int64_t samples = 0;
    size_t packed = in.left;
    void *zip = how & 2 ? fuzz_gzip(in.at, in.left, &packed) : NULL;
    const char *path = fuzz_file(zip != NULL ? zip : in.at, packed);
    dpc_settings_default(&settings);
    settings.threads = 1;
    fuzz_watch_memory();
    dpc_status status = dpc_data_read(path, &options, &settings, &audit, &matrix, &samples, &err);
    fuzz_check_memory();
    fuzz_check_error(status, &err);
    MUST((status == DPC_OK) == (matrix != NULL), "status %d and a matrix", (int)status);
    if (status == DPC_OK && samples != 0) {
        MUST(samples >= -1, "%lld observations", (long long)samples);
        check_matrix(matrix);
        use(matrix, samples > 0 ? samples : many);
    }
    free(zip);
    dpc_table_free(matrix);
    dpc_audit_clear(&audit);
    return 0;
}
