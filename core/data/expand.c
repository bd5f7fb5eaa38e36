/* From variables of several kinds to columns: see expand.h. */
#include "expand.h"

#include "alloc.h"
#include "rank.h"
#include "status.h"

#include <math.h>
#include <string.h>

/* ---- How many columns ---- */

static bool is_curved(const dpc_table *table, const dpc_settings *settings, int v)
{
    dpc_variable_kind kind = dpc_kind_of(table, v);
    return settings->relations == DPC_CURVED && kind != DPC_NOMINAL && kind != DPC_BLOCK;
}

static int width_of(const dpc_table *table, const dpc_settings *settings, int v)
{
    return is_curved(table, settings, v) ? settings->degree : dpc_width_of(table, v);
}

bool dpc_has_blocks(const dpc_table *table, const dpc_settings *settings)
{
    for (int v = 0; v < table->n_vars; v++)
        if (width_of(table, settings, v) != 1 ||
            (settings->categorical == DPC_CATEGORICAL_MIXTURE && dpc_is_coded(table, v)))
            return true;
    return false;
}

/* ---- The columns of one variable ---- */

/* The indicators of all levels but the last. */
static void fill_indicators(const double *code, int64_t n, int width, double *to)
{
    for (int level = 0; level < width; level++)
        for (int64_t i = 0; i < n; i++)
            to[level * n + i] = code[i] == level;
}

/* P1 … Pd at the ranks, which are brought to [-1, 1]; ties share their mean rank. */
static void fill_polynomials(const double *x, int64_t n, int degree, dpc_ranked *scratch,
                             int32_t *order, double *to)
{
    dpc_sort_rows(x, n, scratch, order);
    for (int64_t from = 0, end; from < n; from = end) {
        for (end = from + 1; end < n && order[end] < 0; end++)
            ;
        double u = (double)(from + end) / (double)n - 1, before = 1, now = u;
        for (int d = 1; d <= degree; d++) {
            for (int64_t i = from; i < end; i++)
                to[(d - 1) * n + (order[i] < 0 ? ~order[i] : order[i])] = now;
            double next = ((2 * d + 1) * u * now - d * before) / (d + 1);
            before = now;
            now = next;
        }
    }
}

static void fill(const dpc_table *table, const dpc_settings *settings, int v, const double *x,
                 dpc_ranked *scratch, int32_t *order, double *to)
{
    int64_t n = table->n_obs;
    int width = width_of(table, settings, v);
    if (is_curved(table, settings, v)) {
        fill_polynomials(x, n, width, scratch, order, to);
    } else if (dpc_kind_of(table, v) == DPC_NOMINAL) {
        fill_indicators(x, n, width, to);
    } else {
        memcpy(to, x, (size_t)n * sizeof *x);
        if (width > 1)
            memcpy(to + n, table->variable[v].more, (size_t)n * (size_t)(width - 1) * sizeof *x);
    }
}

/* ---- The table ---- */

void dpc_expanded_clear(dpc_expanded *e)
{
    dpc_table_free(e->table);
    free(e->first);
    free(e->lead);
    dpc_codes_free(e->codes);
    free(e->number);
    *e = (dpc_expanded){0};
}

static dpc_status lay_out(const dpc_table *table, const dpc_settings *settings, dpc_expanded *e,
                          dpc_error *err)
{
    int n = table->n_vars;
    bool curved = settings->relations == DPC_CURVED;
    e->first = dpc_alloc((int64_t)n + 1, sizeof *e->first);
    e->lead = curved ? dpc_alloc(n, sizeof *e->lead) : NULL;
    e->number = dpc_alloc(n, sizeof *e->number);
    if (e->first == NULL || e->number == NULL || (curved && e->lead == NULL))
        return dpc_fail_memory(err, "the columns of the variables");
    e->first[0] = 0;
    for (int v = 0; v < n; v++) {
        int64_t next = (int64_t)e->first[v] + width_of(table, settings, v);
        if (next > INT32_MAX)
            return dpc_fail(err, DPC_BAD_INPUT, "the variables have too many levels");
        e->first[v + 1] = (int32_t)next;
        e->number[v] = width_of(table, settings, v) == 1 && dpc_kind_of(table, v) != DPC_NOMINAL;
        if (curved)
            e->lead[v] = is_curved(table, settings, v) ? 1 : width_of(table, settings, v);
    }
    return DPC_OK;
}

dpc_status dpc_expand(const dpc_table *table, const dpc_settings *settings, dpc_expanded *out,
                      dpc_error *err)
{
    dpc_expanded e = {0};
    dpc_column_reader *reader = NULL;
    dpc_ranked *scratch = NULL;
    int32_t *order = NULL;
    dpc_cells cells = dpc_table_cells(table);
    int64_t rows = table->n_obs;
    dpc_status status = DPC_OK;
    DPC_TRY(status, lay_out(table, settings, &e, err));
    DPC_TRY(status, dpc_table_make(rows, e.first[table->n_vars], NULL, &e.table, err));
    if (settings->categorical == DPC_CATEGORICAL_MIXTURE)
        DPC_TRY(status, dpc_codes_make(table, &e.codes, err));
    DPC_TRY(status, dpc_column_readers_new(1, &cells, rows, table->n_vars, &reader, err));
    if (settings->relations == DPC_CURVED) {
        scratch = dpc_alloc(2 * rows, sizeof *scratch);
        order = dpc_alloc(rows, sizeof *order);
        if (scratch == NULL || order == NULL)
            DPC_TRY(status, dpc_fail_memory(err, "the ranks"));
    }
    for (int v = 0; v < table->n_vars; v++)
        fill(table, settings, v, dpc_read_column(reader, v), scratch, order,
             e.table->values + e.first[v] * rows);

done:
    dpc_column_readers_free(reader, 1);
    free(scratch);
    free(order);
    if (status == DPC_OK)
        *out = e;
    else
        dpc_expanded_clear(&e);
    return status;
}

/* ---- Back to variables ---- */

static void associate(const dpc_blocks *b, double *room, double *r)
{
    int64_t n = b->n;
    for (int x = 0; x < n; x++) {
        r[x * n + x] = 1;
        for (int y = 0; y < x; y++) {
            int p = dpc_block_width(b, x), q = dpc_block_width(b, y);
            r[x * n + y] = r[y * n + x] =
                dpc_association(dpc_blocks_log_lambda(b, x, y, room), p < q ? p : q);
        }
    }
}

dpc_status dpc_gather_blocks(const dpc_expanded *e, const dpc_correlation *columns,
                             dpc_correlation *out, dpc_error *err)
{
    int n = out->n_vars, m = columns->n_vars;
    bool *constant = dpc_alloc(m, sizeof *constant);
    double *room = NULL;
    dpc_blocks *blocks = NULL;
    dpc_status status = DPC_OK;
    if (constant == NULL)
        DPC_TRY(status, dpc_fail_memory(err, "the blocks of columns"));
    for (int c = 0; c < m; c++)
        constant[c] = columns->sd[c] == 0;
    DPC_TRY(status, dpc_blocks_make(columns->r, e->first, n, constant, &blocks, err));
    room = dpc_alloc(dpc_blocks_room(blocks), sizeof *room);
    blocks->lead = e->lead != NULL ? dpc_alloc(n, sizeof *blocks->lead) : NULL;
    blocks->number = dpc_alloc(n, sizeof *blocks->number);
    if (room == NULL || blocks->number == NULL || (e->lead != NULL && blocks->lead == NULL))
        DPC_TRY(status, dpc_fail_memory(err, "the blocks of columns"));
    memcpy(blocks->number, e->number, (size_t)n * sizeof *blocks->number);
    if (e->lead != NULL)
        memcpy(blocks->lead, e->lead, (size_t)n * sizeof *blocks->lead);
    blocks->codes = dpc_codes_share(e->codes);
    associate(blocks, room, out->r);
    for (int v = 0; v < n; v++)
        out->sd[v] = e->first[v + 1] - e->first[v] == 1 ? columns->sd[e->first[v]]
                     : dpc_block_width(blocks, v) > 0   ? 1
                                                        : 0;
    dpc_blocks_free(out->blocks);
    out->blocks = blocks;
    blocks = NULL;

done:
    dpc_blocks_free(blocks);
    free(constant);
    free(room);
    return status;
}
