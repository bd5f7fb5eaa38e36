/* The levels of variables, one byte a row: see codes.h. */
#include "codes.h"

#include "alloc.h"
#include "status.h"
#include "table.h"

bool dpc_is_coded(const dpc_table *table, int v)
{
    dpc_variable_kind kind = dpc_kind_of(table, v);
    int levels = table->variable != NULL ? table->variable[v].n_levels : 0;
    return levels > 0 && ((kind == DPC_NOMINAL && levels <= DPC_MOST_CODES) ||
                          (kind == DPC_ORDERED && levels <= DPC_MOST_ORDERED_CODES));
}

void dpc_codes_free(dpc_codes *codes)
{
    if (codes == NULL || atomic_fetch_sub(&codes->shares, 1) > 0)
        return;
    free(codes->levels);
    free(codes->code);
    free(codes);
}

dpc_codes *dpc_codes_share(dpc_codes *codes)
{
    if (codes != NULL)
        atomic_fetch_add(&codes->shares, 1);
    return codes;
}

/* The number of the level that a cell holds: its value, or the place of its value. */
static uint8_t code_of(const dpc_column_kind *kind, double value)
{
    int code = 0;
    if (kind->at == NULL)
        return value > 0 ? (uint8_t)value : 0;
    while (code < kind->n_levels - 1 && kind->at[code] < value)
        code++;
    return (uint8_t)code;
}

static void fill(const dpc_table *table, dpc_column_reader *reader, dpc_codes *codes)
{
    for (int v = 0; v < codes->n; v++) {
        uint8_t *to = codes->code + v * codes->n_rows;
        codes->levels[v] = dpc_is_coded(table, v) ? table->variable[v].n_levels : 0;
        codes->most = codes->levels[v] > codes->most ? codes->levels[v] : codes->most;
        const double *x = codes->levels[v] > 0 ? dpc_read_column(reader, v) : NULL;
        for (int64_t i = 0; x != NULL && i < codes->n_rows; i++)
            to[i] = code_of(&table->variable[v], x[i]);
    }
}

dpc_status dpc_codes_make(const dpc_table *table, dpc_codes **out, dpc_error *err)
{
    dpc_column_reader *reader = NULL;
    dpc_cells cells = dpc_table_cells(table);
    dpc_codes *codes = dpc_zalloc(1, sizeof *codes);
    dpc_status status = DPC_OK;
    if (codes == NULL)
        return dpc_fail_memory(err, "the levels of the variables");
    codes->n = table->n_vars;
    codes->n_rows = table->n_obs;
    codes->levels = dpc_zalloc(codes->n, sizeof *codes->levels);
    codes->code = dpc_zalloc(codes->n * codes->n_rows, 1);
    if (codes->levels == NULL || codes->code == NULL)
        status = dpc_fail_memory(err, "the levels of the variables");
    if (status == DPC_OK)
        status = dpc_column_readers_new(1, &cells, codes->n_rows, codes->n, &reader, err);
    if (status == DPC_OK) {
        fill(table, reader, codes);
        *out = codes;
    } else {
        dpc_codes_free(codes);
    }
    dpc_column_readers_free(reader, 1);
    return status;
}
