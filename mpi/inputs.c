/* Rank 0 sends what it has read to the others, which open no files. */
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

/* The others need no names: theirs are the default ones. */
dpc_status share_table(const dpc_ranks *ranks, dpc_table **table, dpc_error *err)
{
    struct {
        int64_t n_obs;
        int32_t n_vars, how_missing;
    } is = {0};
    if (*table != NULL) {
        is.n_obs = (*table)->n_obs;
        is.n_vars = (*table)->n_vars;
        is.how_missing = (int32_t)(*table)->how_missing;
    }
    DPC_CHECK(spread(ranks, &is, 1, sizeof is, err));
    if (*table == NULL) {
        DPC_CHECK(dpc_table_make(is.n_obs, is.n_vars, NULL, table, err));
        (*table)->how_missing = (dpc_missing)is.how_missing;
    }
    return spread(ranks, (*table)->values, is.n_obs * is.n_vars, sizeof(double), err);
}

dpc_status share_knowledge(const dpc_ranks *ranks, dpc_knowledge **knowledge, dpc_error *err)
{
    int32_t n = *knowledge != NULL ? (*knowledge)->n : 0;
    DPC_CHECK(spread(ranks, &n, 1, sizeof n, err));
    if (*knowledge == NULL)
        DPC_CHECK(dpc_knowledge_new(n, knowledge, err));
    dpc_knowledge *k = *knowledge;
    DPC_CHECK(spread(ranks, k->forbidden, k->words * n, sizeof *k->forbidden, err));
    DPC_CHECK(spread(ranks, k->required, k->words * n, sizeof *k->required, err));
    DPC_CHECK(spread(ranks, k->tier, n, sizeof *k->tier, err));
    return spread(ranks, k->flags, DPC_MAX_TIERS, sizeof *k->flags, err);
}
