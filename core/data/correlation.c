/*
 * A correlation matrix as an object: its life, its shares, what it is asked. correlate.c makes one
 * from a table, correlation_matrix.c from a matrix.
 */
#include "correlation.h"

#include "alloc.h"
#include "latent.h"
#include "platform.h"
#include "status.h"

#include <string.h>

dpc_status dpc_correlation_new_without_matrix(int n_vars, int64_t n_obs, dpc_correlation **out,
                                              dpc_error *err)
{
    dpc_correlation *c = dpc_zalloc(1, sizeof *c);
    if (c == NULL)
        return dpc_fail_memory(err, "the correlations");
    c->n_vars = n_vars;
    c->n_obs = n_obs;
    *out = c;
    return DPC_OK;
}

dpc_status dpc_correlation_new(int n_vars, int64_t n_obs, dpc_correlation **out, dpc_error *err)
{
    dpc_correlation *c = NULL;
    double bytes = (double)n_vars * n_vars * sizeof(double);
    dpc_memory_offer offer = dpc_memory_offered();
    if (bytes > offer.bytes)
        return dpc_fail(err, DPC_NO_MEMORY,
                        "the correlation matrix of %d variables needs %.1f GB of memory, and "
                        "%s %.1f GB; select fewer variables",
                        n_vars, bytes * 1e-9, offer.who, offer.bytes * 1e-9);
    DPC_CHECK(dpc_correlation_new_without_matrix(n_vars, n_obs, &c, err));
    c->r = dpc_alloc_aligned((int64_t)n_vars * n_vars);
    if (c->r == NULL) {
        dpc_correlation_free(c);
        return dpc_fail(err, DPC_NO_MEMORY,
                        "out of memory for the correlation matrix of %d variables (%.1f GB)",
                        n_vars, bytes * 1e-9);
    }
    *out = c;
    return DPC_OK;
}

void dpc_correlation_free(dpc_correlation *correlation)
{
    if (correlation == NULL || atomic_fetch_sub(&correlation->shares, 1) > 0)
        return;
    if (!correlation->borrowed)
        free(correlation->r);
    dpc_products_free(correlation->products);
    dpc_correlation_free(correlation->half[0]);
    dpc_correlation_free(correlation->half[1]);
    dpc_blocks_free(correlation->blocks);
    dpc_latent_free(correlation->latent);
    dpc_coding_free(correlation->coding);
    free(correlation->sd);
    free(correlation->apart);
    free(correlation->rows);
    free(correlation);
}

dpc_correlation *dpc_correlation_share(const dpc_correlation *correlation)
{
    dpc_correlation *shared = (dpc_correlation *)correlation; /* never made const */
    atomic_fetch_add(&shared->shares, 1);
    return shared;
}

void dpc_correlation_share_halves(dpc_correlation *to, const dpc_correlation *from)
{
    for (int h = 0; h < 2; h++)
        if (from->half[h] != NULL && to->half[h] == NULL)
            to->half[h] = dpc_correlation_share(from->half[h]);
}

dpc_correlation_info dpc_correlation_about(const dpc_correlation *c)
{
    return (dpc_correlation_info){
        .n_vars = c->n_vars,
        .n_obs = c->n_obs,
        .values = c->r,
        .units = c->scored ? NULL : c->sd,
        .rows = c->rows,
        .mean_rows = c->mean_rows,
    };
}

dpc_status dpc_correlation_set_rows(dpc_correlation *c, const int32_t *rows, bool mean,
                                    dpc_error *err)
{
    int64_t n = c->n_vars;
    for (int64_t i = 0; i < n * n; i++)
        if (rows[i] < 4 || rows[i] != rows[i % n * n + i / n])
            return dpc_fail(err, DPC_USAGE,
                            "observations that two variables have in common must be the same both "
                            "ways, and 4 at least");
    int32_t *copy = dpc_alloc(n * n, sizeof *copy);
    if (copy == NULL)
        return dpc_fail_memory(err, "the observations of each pair");
    memcpy(copy, rows, (size_t)(n * n) * sizeof *copy);
    free(c->rows);
    c->rows = copy;
    c->mean_rows = mean;
    return DPC_OK;
}
