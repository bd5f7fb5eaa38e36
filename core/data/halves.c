/* The correlations of two halves of the rows: see halves.h. */
#include "halves.h"

#include "arena.h"
#include "groups.h"
#include "status.h"

/* With R where that takes less than the columns, and is wanted; otherwise with the columns. */
static dpc_status correlate_half(const dpc_columns *half, const dpc_settings *settings,
                                 const dpc_correlation *whole, dpc_correlation **out)
{
    int n = whole->n_vars;
    bool matrix = whole->r != NULL && n <= half->n_rows;
    DPC_CHECK(matrix ? dpc_correlation_new(n, half->n_rows, out, NULL)
                     : dpc_correlation_new_without_matrix(n, half->n_rows, out, NULL));
    dpc_correlation *c = *out;
    c->sd = dpc_alloc(n, sizeof *c->sd);
    if (c->sd == NULL)
        return DPC_NO_MEMORY;
    return matrix ? dpc_correlate_columns(half, settings, c)
                  : dpc_products_new(half, n, settings, c->sd, &c->products);
}

/* For each row, the half that it belongs to, in the place of its group. */
static void deal_out(int32_t *group, int64_t rows, int64_t groups, int64_t *start)
{
    for (int64_t i = 0; i < rows; i++)
        start[group[i] + 1]++;
    for (int64_t g = 0; g < groups; g++)
        start[g + 1] += start[g];
    for (int64_t i = 0; i < rows; i++)
        group[i] = (int32_t)(start[group[i]] * DPC_HALF_BLOCKS / rows % 2);
}

static dpc_status make_halves(const dpc_columns *columns, const dpc_settings *settings,
                              dpc_arena *arena, dpc_correlation *c)
{
    int64_t rows = columns->n_rows, groups = 0;
    int32_t *side = dpc_arena_alloc(arena, rows, sizeof *side);
    int32_t *row = dpc_arena_alloc(arena, rows, sizeof *row);
    double *root = dpc_arena_alloc(arena, rows, sizeof *root);
    int64_t *start = dpc_arena_zalloc(arena, rows + 1, sizeof *start);
    if (dpc_arena_failed(arena))
        return DPC_NO_MEMORY;
    DPC_CHECK(dpc_find_groups(columns, c->n_vars, side, &groups));
    deal_out(side, rows, groups, start);
    for (int h = 0; h < 2; h++) {
        dpc_columns half = *columns;
        half.row = row;
        half.root = root;
        half.n_rows = 0;
        for (int64_t i = 0; i < rows; i++) {
            root[i] = 1;
            if (side[i] == h)
                row[half.n_rows++] = (int32_t)i;
        }
        if (half.n_rows >= DPC_LEAST_HALF)
            DPC_CHECK(correlate_half(&half, settings, c, &c->half[h]));
    }
    return DPC_OK;
}

dpc_status dpc_correlate_halves(const dpc_columns *columns, const dpc_settings *settings,
                                dpc_correlation *c)
{
    dpc_arena arena = {0};
    dpc_status status =
        columns->n_rows < 2 * DPC_LEAST_HALF ? DPC_OK : make_halves(columns, settings, &arena, c);
    dpc_arena_clear(&arena);
    return status;
}
