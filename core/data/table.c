/* Tables: see dpc_table in dualpc.h. */
#include "table.h"

#include "alloc.h"
#include "kinds.h"
#include "status.h"

#include <stdio.h>
#include <string.h>

static char *default_name(int column)
{
    char text[16];
    snprintf(text, sizeof text, "V%d", column + 1);
    return strdup(text);
}

static dpc_status no_memory(int64_t n_obs, int n_vars, dpc_error *err)
{
    return dpc_fail(err, DPC_NO_MEMORY, "out of memory for a table of %lld rows and %d columns",
                    (long long)n_obs, n_vars);
}

/* A table that has names, and nothing to read yet. */
static dpc_status make_named(int64_t n_obs, int n_vars, const char *const *names, dpc_table **out,
                             dpc_error *err)
{
    if (n_obs < 0 || n_vars < 0)
        return dpc_fail(err, DPC_USAGE, "a table cannot have %lld rows and %d columns",
                        (long long)n_obs, n_vars);
    dpc_table *table = dpc_zalloc(1, sizeof *table);
    if (table == NULL)
        return no_memory(n_obs, n_vars, err);
    table->n_obs = n_obs;
    table->n_vars = n_vars;
    table->names = dpc_zalloc(n_vars, sizeof *table->names);
    bool fine = table->names != NULL;
    for (int j = 0; fine && j < n_vars; j++) {
        if (names != NULL && names[j] == NULL) {
            dpc_table_free(table);
            return dpc_fail(err, DPC_USAGE, "column %d has no name", j);
        }
        table->names[j] = names != NULL ? strdup(names[j]) : default_name(j);
        fine = table->names[j] != NULL;
    }
    if (!fine) {
        dpc_table_free(table);
        return no_memory(n_obs, n_vars, err);
    }
    *out = table;
    return DPC_OK;
}

dpc_status dpc_table_make(int64_t n_obs, int n_vars, const char *const *names, dpc_table **out,
                          dpc_error *err)
{
    int64_t cells;
    dpc_table *table = NULL;
    DPC_CHECK(make_named(n_obs, n_vars, names, &table, err));
    if (!__builtin_mul_overflow(n_obs, (int64_t)n_vars, &cells))
        table->values = dpc_alloc_aligned(cells);
    if (table->values == NULL) {
        dpc_table_free(table);
        return no_memory(n_obs, n_vars, err);
    }
    *out = table;
    return DPC_OK;
}

/* Can all cells be reached, so that their places are numbers? */
static bool strides_fit(int64_t n_obs, int n_vars, int64_t row_stride, int64_t column_stride)
{
    int64_t down, across, corner;
    return !__builtin_mul_overflow(n_obs, row_stride, &down) &&
           !__builtin_mul_overflow((int64_t)n_vars, column_stride, &across) &&
           !__builtin_add_overflow(down, across, &corner) &&
           !__builtin_mul_overflow(corner, (int64_t)sizeof(double), &corner);
}

dpc_status dpc_table_view(const void *array, dpc_cell_type type, int64_t n_obs, int n_vars,
                          int64_t row_stride, int64_t column_stride, const char *const *names,
                          dpc_table **out, dpc_error *err)
{
    if (type != DPC_DOUBLE && type != DPC_FLOAT)
        return dpc_fail(err, DPC_USAGE, "unknown type of cells %d", (int)type);
    if (array == NULL || !strides_fit(n_obs, n_vars, row_stride, column_stride))
        return dpc_fail(err, DPC_USAGE,
                        "there is no array, or none with strides of %lld and %lld cells",
                        (long long)row_stride, (long long)column_stride);
    DPC_CHECK(make_named(n_obs, n_vars, names, out, err));
    (*out)->view = (dpc_cells){array, type, row_stride, column_stride};
    return DPC_OK;
}

dpc_status dpc_table_new(int64_t n_obs, int n_vars, const char *const *names, dpc_table **out,
                         dpc_error *err)
{
    DPC_CHECK(dpc_table_make(n_obs, n_vars, names, out, err));
    memset((*out)->values, 0, (size_t)n_obs * (size_t)n_vars * sizeof *(*out)->values);
    return DPC_OK;
}

void dpc_table_free(dpc_table *table)
{
    if (table == NULL)
        return;
    dpc_kinds_free(table);
    for (int j = 0; table->names != NULL && j < table->n_vars; j++)
        free(table->names[j]);
    free(table->names);
    free(table->values);
    free(table->missing);
    free(table);
}

void dpc_table_drop_values(dpc_table *table)
{
    free(table->values);
    table->values = NULL;
    table->view = (dpc_cells){0};
    for (int v = 0; table->variable != NULL && v < table->n_vars; v++) {
        free(table->variable[v].more);
        table->variable[v].more = NULL;
    }
}

dpc_status dpc_table_check(const dpc_table *table, dpc_error *err)
{
    if (table->values != NULL || table->view.data != NULL)
        return DPC_OK;
    return dpc_fail(err, DPC_USAGE, "the values of the table were dropped");
}

dpc_status dpc_table_set_missing(dpc_table *table, dpc_missing missing, dpc_error *err)
{
    if (missing != DPC_MISSING_ERROR && missing != DPC_MISSING_PAIRWISE &&
        missing != DPC_MISSING_EM)
        return dpc_fail(err, DPC_USAGE,
                        missing == DPC_MISSING_ROWS
                            ? "a table has the rows that it has; make one without the others"
                            : "there is no such way with missing cells");
    table->how_missing = missing;
    return DPC_OK;
}

dpc_table_info dpc_table_about(const dpc_table *table)
{
    return (dpc_table_info){
        .n_obs = table->n_obs,
        .n_vars = table->n_vars,
        .names = (const char *const *)table->names,
        .values = table->values,
        .missing = table->missing,
    };
}
