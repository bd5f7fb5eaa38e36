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

/* The kind of a variable as it is sent; the others need no names of levels and columns. */
typedef struct sent_kind {
    int32_t kind, n_levels, n_more, has_counts, has_at;
} sent_kind;

static dpc_status receive_kinds(dpc_table *table, const sent_kind *sent, dpc_error *err)
{
    table->variable = dpc_zalloc(table->n_vars, sizeof *table->variable);
    bool fine = table->variable != NULL;
    for (int v = 0; fine && v < table->n_vars; v++) {
        dpc_column_kind *k = &table->variable[v];
        k->kind = (dpc_variable_kind)sent[v].kind;
        k->n_levels = sent[v].n_levels;
        k->n_more = sent[v].n_more;
        if (sent[v].has_counts)
            k->counts = dpc_alloc(k->n_levels, sizeof *k->counts);
        if (sent[v].has_at)
            k->at = dpc_alloc(k->n_levels, sizeof *k->at);
        if (k->n_more > 0)
            k->more = dpc_alloc(k->n_more * table->n_obs, sizeof *k->more);
        fine = (k->counts != NULL || !sent[v].has_counts) && (k->at != NULL || !sent[v].has_at) &&
               (k->more != NULL || k->n_more == 0);
    }
    return fine ? DPC_OK : dpc_fail_memory(err, "the kinds of the variables");
}

static dpc_status share_kinds(const dpc_ranks *ranks, dpc_table *table, bool mine, dpc_error *err)
{
    sent_kind *sent = dpc_zalloc(table->n_vars, sizeof *sent);
    if (sent == NULL)
        return dpc_fail_memory(err, "the kinds of the variables");
    for (int v = 0; mine && v < table->n_vars; v++) {
        const dpc_column_kind *k = &table->variable[v];
        sent[v] =
            (sent_kind){(int32_t)k->kind, k->n_levels, k->n_more, k->counts != NULL, k->at != NULL};
    }
    dpc_status status = spread(ranks, sent, table->n_vars, sizeof *sent, err);
    if (status == DPC_OK && !mine)
        status = receive_kinds(table, sent, err);
    free(sent);
    for (int v = 0; v < table->n_vars && status == DPC_OK; v++) {
        const dpc_column_kind *k = &table->variable[v];
        if (k->counts != NULL)
            status = spread(ranks, k->counts, k->n_levels, sizeof *k->counts, err);
        if (k->at != NULL && status == DPC_OK)
            status = spread(ranks, k->at, k->n_levels, sizeof *k->at, err);
        if (k->more != NULL && status == DPC_OK)
            status = spread(ranks, k->more, k->n_more * table->n_obs, sizeof *k->more, err);
    }
    return status;
}

/* The others need no names: theirs are the default ones. */
dpc_status share_table(const dpc_ranks *ranks, dpc_table **table, dpc_error *err)
{
    struct {
        int64_t n_obs;
        int32_t n_vars, how_missing;
        int64_t has_kinds;
    } is = {0};
    bool mine = *table != NULL;
    if (*table != NULL) {
        is.n_obs = (*table)->n_obs;
        is.n_vars = (*table)->n_vars;
        is.how_missing = (int32_t)(*table)->how_missing;
        is.has_kinds = (*table)->variable != NULL;
    }
    DPC_CHECK(spread(ranks, &is, 1, sizeof is, err));
    if (*table == NULL) {
        DPC_CHECK(dpc_table_make(is.n_obs, is.n_vars, NULL, table, err));
        (*table)->how_missing = (dpc_missing)is.how_missing;
    }
    DPC_CHECK(spread(ranks, (*table)->values, is.n_obs * is.n_vars, sizeof(double), err));
    return is.has_kinds != 0 ? share_kinds(ranks, *table, mine, err) : DPC_OK;
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
