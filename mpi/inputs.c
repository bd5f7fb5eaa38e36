/* What rank 0 has read comes to the others: nobody else opens a file. */
#include "mpi_ranks.h"

#include "alloc.h"
#include "knowledge.h"
#include "status.h"
#include "table.h"

#include <string.h>

static dpc_status spread(const dpc_ranks *ranks, void *bytes, int64_t count, size_t size,
                         dpc_error *err)
{
    return ranks->spread(ranks->context, bytes, count * (int64_t)size, err);
}

/* The others have no use for names: theirs are the default ones. */
dpc_status share_table(const dpc_ranks *ranks, dpc_table **table, dpc_error *err)
{
    struct {
        int64_t n_obs;
        int32_t n_vars, how_missing;
    } is = {0};
    dpc_table *made = NULL;
    if (*table != NULL) {
        is.n_obs = (*table)->n_obs;
        is.n_vars = (*table)->n_vars;
        is.how_missing = (int32_t)(*table)->how_missing;
    }
    dpc_status status = spread(ranks, &is, 1, sizeof is, err);
    if (status == DPC_OK && *table == NULL) {
        status = dpc_table_make(is.n_obs, is.n_vars, NULL, &made, err);
        if (status != DPC_OK)
            return status;
        made->how_missing = (dpc_missing)is.how_missing;
        *table = made;
    }
    if (status == DPC_OK)
        status = spread(ranks, (*table)->values, is.n_obs * is.n_vars, sizeof(double), err);
    return status;
}

dpc_status share_knowledge(const dpc_ranks *ranks, dpc_knowledge **knowledge, dpc_error *err)
{
    int32_t n = *knowledge != NULL ? (*knowledge)->n : 0;
    dpc_status status = spread(ranks, &n, 1, sizeof n, err);
    if (status == DPC_OK && *knowledge == NULL)
        status = dpc_knowledge_new(n, knowledge, err);
    dpc_knowledge *k = *knowledge;
    if (status == DPC_OK)
        status = spread(ranks, k->forbidden, k->words * n, sizeof *k->forbidden, err);
    if (status == DPC_OK)
        status = spread(ranks, k->required, k->words * n, sizeof *k->required, err);
    if (status == DPC_OK)
        status = spread(ranks, k->tier, n, sizeof *k->tier, err);
    if (status == DPC_OK)
        status = spread(ranks, k->flags, DPC_MAX_TIERS, sizeof *k->flags, err);
    return status;
}
