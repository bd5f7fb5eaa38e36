/* Tables: see dpc_table in dualpc.h. */
#include "table.h"

#include "error.h"
#include "memory.h"

#include <stdio.h>
#include <string.h>

static char *default_name(int column)
{
    char text[16];
    snprintf(text, sizeof text, "V%d", column + 1);
    return strdup(text);
}

dpc_status dpc_table_make(int64_t n_obs, int n_vars, const char *const *names, dpc_table **out,
                          dpc_error *err)
{
    if (n_obs < 0 || n_vars < 0)
        return dpc_fail(err, DPC_USAGE, "a table cannot have %lld rows and %d columns",
                        (long long)n_obs, n_vars);
    int64_t cells;
    dpc_table *table = dpc_zalloc(1, sizeof *table);
    if (table == NULL || __builtin_mul_overflow(n_obs, (int64_t)n_vars, &cells))
        goto no_memory;
    table->n_obs = n_obs;
    table->n_vars = n_vars;
    table->names = dpc_zalloc(n_vars, sizeof *table->names);
    table->values = dpc_alloc_aligned(cells);
    if (table->names == NULL || table->values == NULL)
        goto no_memory;
    for (int j = 0; j < n_vars; j++) {
        table->names[j] = names != NULL ? strdup(names[j]) : default_name(j);
        if (table->names[j] == NULL)
            goto no_memory;
    }
    *out = table;
    return DPC_OK;

no_memory:
    dpc_table_free(table);
    return dpc_fail(err, DPC_NO_MEMORY, "out of memory for a table of %lld rows and %d columns",
                    (long long)n_obs, n_vars);
}

dpc_status dpc_table_new(int64_t n_obs, int n_vars, const char *const *names, dpc_table **out,
                         dpc_error *err)
{
    dpc_table *table;
    dpc_status status = dpc_table_make(n_obs, n_vars, names, &table, err);
    if (status != DPC_OK)
        return status;
    memset(table->values, 0, (size_t)n_obs * (size_t)n_vars * sizeof *table->values);
    *out = table;
    return DPC_OK;
}

void dpc_table_free(dpc_table *table)
{
    if (table == NULL)
        return;
    for (int j = 0; table->names != NULL && j < table->n_vars; j++)
        free(table->names[j]);
    free(table->names);
    free(table->values);
    free(table);
}

void dpc_table_drop_values(dpc_table *table)
{
    free(table->values);
    table->values = NULL;
}

int64_t dpc_table_n_obs(const dpc_table *table)
{
    return table->n_obs;
}

int dpc_table_n_vars(const dpc_table *table)
{
    return table->n_vars;
}

const char *const *dpc_table_names(const dpc_table *table)
{
    return (const char *const *)table->names;
}

double *dpc_table_values(dpc_table *table)
{
    return table->values;
}
