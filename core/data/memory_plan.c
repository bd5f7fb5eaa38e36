/* What fits into memory: see memory_plan.h. */
#include "memory_plan.h"

#include "platform.h"
#include "ranks.h"
#include "settings.h"
#include "status.h"
#include "table.h"
#include "test.h"

#include <stdlib.h>

/* Of the memory that there is, what this process may count on. */
static dpc_memory_offer memory_offered(const dpc_settings *settings)
{
    dpc_memory_offer offer = dpc_memory_offered();
    if (settings->ranks != NULL)
        offer.bytes /= settings->ranks->neighbours;
    return offer;
}

dpc_status dpc_matrix_fits(int n_vars, const dpc_settings *settings, bool *fits, dpc_error *err)
{
    const dpc_ranks *ranks = settings->ranks;
    double bytes = (double)n_vars * n_vars * sizeof(double);
    *fits = bytes <=
            (settings->memory > 0 ? settings->memory * 1e6 : memory_offered(settings).bytes / 2);
    if (ranks == NULL || ranks->ranks == 1)
        return DPC_OK;
    char mine = *fits ? 1 : 0;
    dpc_exchange e = {.mine = &mine, .size = 1};
    dpc_status status = ranks->exchange(ranks->context, &e, err);
    for (int rank = 0; rank < ranks->ranks && status == DPC_OK; rank++)
        *fits = *fits && e.all[e.at[rank]] != 0;
    dpc_exchange_clear(&e);
    return status;
}

/* What is no choice may take more than what is. */
dpc_status dpc_square_fits(int n_vars, const dpc_settings *settings, const char *what,
                           dpc_error *err)
{
    double bytes = (double)n_vars * n_vars * sizeof(double);
    dpc_memory_offer offer = memory_offered(settings);
    if (settings->memory > 0)
        offer = (dpc_memory_offer){settings->memory * 1e6, "memory allows"};
    else
        offer.bytes *= 0.75;
    if (bytes <= offer.bytes)
        return DPC_OK;
    return dpc_fail(err, DPC_NO_MEMORY,
                    "%s of %d variables needs %.3g GB, and %s %.3g GB; min-ess inf goes on "
                    "without it",
                    what, n_vars, bytes * 1e-9, offer.who, offer.bytes * 1e-9);
}

/* Is there a test that needs the inverse of R, for which there is no room? */
static dpc_status check_full_order(const dpc_table *table, const dpc_settings *settings,
                                   dpc_error *err)
{
    if (!dpc_dual_allowed(settings, table->n_obs, table->n_vars - 2))
        return DPC_OK;
    return dpc_square_fits(table->n_vars, settings, DPC_THE_INVERSE, err);
}

/* The pairs that the first test joins are kept: by chance alone a share of alpha of all. */
static dpc_status check_pairs(const dpc_table *table, const dpc_settings *settings, dpc_error *err)
{
    const double each = 24; /* bytes */
    double n = table->n_vars, pairs = settings->alpha * n * (n - 1) / 2, bytes = each * pairs;
    dpc_memory_offer offer = memory_offered(settings);
    if (bytes <= offer.bytes / 2)
        return DPC_OK;
    return dpc_fail(err, DPC_NO_MEMORY,
                    "at alpha %g chance alone joins %.3g of the pairs of %d variables, which need "
                    "%.3g GB of memory, and %s %.3g GB; choose a smaller alpha, or fewer variables",
                    settings->alpha, pairs, table->n_vars, bytes * 1e-9, offer.who,
                    offer.bytes * 1e-9);
}

dpc_status dpc_plan_without_matrix(const dpc_table *table, const dpc_settings *settings,
                                   dpc_error *err)
{
    if (settings->method == DPC_GES)
        return DPC_OK;
    DPC_CHECK(check_pairs(table, settings, err));
    if (settings->method != DPC_CLASSIC)
        DPC_CHECK(check_full_order(table, settings, err));
    return DPC_OK;
}
