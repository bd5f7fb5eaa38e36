/*
 * R²-sortability: see sortability.h.
 *
 * With R = L Lᵀ the correlation matrix, R²(j | all others) = 1 - 1 / (R⁻¹)jj, and (R⁻¹)jj is the
 * sum of the squares of column j of L⁻¹. Larger R² means larger (R⁻¹)jj, so these are compared.
 */
#include "sortability.h"

#include "arena.h"
#include "bit_descendants.h"
#include "linalg.h"
#include "status.h"
#include "table.h"

#include <limits.h>
#include <math.h>

/* The diagonal of the inverse of the correlation matrix; false: it has none. */
static bool invert(const dpc_table *table, double *r, double *diagonal)
{
    int n = table->n_vars, rows = (int)table->n_obs;
    double one = 1 / (table->n_obs - 1.0), zero = 0;
    dpc_shared_work alone = {.worker = DPC_ALL_WORKERS};
    dsyrk_("L", "T", &n, &rows, &one, table->values, &rows, &zero, r, &n);
    for (int64_t j = 0; j < n; j++)
        r[j * n + j] = 1; /* also of a column that is all 0 */
    if (!dpc_blocks_factor(r, n, &alone))
        return false;
    for (int64_t j = 0; j < n; j++)
        if (!(r[j * n + j] * r[j * n + j] >= DPC_SINGULAR))
            return false;
    dpc_blocks_invert(r, n, &alone);
    for (int64_t j = 0; j < n; j++) {
        diagonal[j] = 0;
        for (int64_t i = j; i < n; i++)
            diagonal[j] += r[j * n + i] * r[j * n + i];
    }
    return true;
}

/* The descendants of 64 nodes at once, of which `is` and `of` are about n words each. */
static double share_in_order(const dpc_dag *dag, const dpc_mixed_lists *lists,
                             const double *diagonal, uint64_t *is, uint64_t *of)
{
    int64_t pairs = 0, sorted = 0;
    for (int first = 0; first < dag->n; first += 64) {
        for (int v = 0; v < dag->n; v++)
            is[v] = v >= first && v < first + 64 ? UINT64_C(1) << (v - first) : 0;
        dpc_bit_descend(lists, dag->order, is, of);
        for (int b = 0; b < dag->n; b++)
            for (uint64_t left = of[b] & ~is[b]; left != 0; left &= left - 1) {
                int a = first + __builtin_ctzll(left);
                pairs++;
                sorted += diagonal[a] < diagonal[b];
            }
    }
    return pairs > 0 ? (double)sorted / (double)pairs : NAN;
}

dpc_status dpc_sortability(const dpc_dag *dag, const dpc_table *table, double *out, dpc_error *err)
{
    int64_t n = dag->n;
    if (dag->kinds != NULL || n > DPC_SORTABLE || table->n_obs <= n || table->n_obs > INT_MAX) {
        *out = NAN;
        return DPC_OK;
    }
    dpc_arena arena = {0};
    dpc_graph graph = {0};
    dpc_mixed_lists lists = {0};
    double *r = dpc_arena_alloc(&arena, n * n, sizeof *r);
    double *diagonal = dpc_arena_alloc(&arena, n, sizeof *diagonal);
    uint64_t *is = dpc_arena_alloc(&arena, n, sizeof *is);
    uint64_t *of = dpc_arena_alloc(&arena, n, sizeof *of);
    dpc_status status = dpc_dag_edges(dag, &graph, err);
    if (status == DPC_OK &&
        (dpc_arena_failed(&arena) || dpc_mixed_lists_init(&graph, NULL, &lists) != DPC_OK))
        status = dpc_fail_memory(err, "the sortability of the data");
    if (status == DPC_OK)
        *out = invert(table, r, diagonal) ? share_in_order(dag, &lists, diagonal, is, of) : NAN;
    dpc_mixed_lists_clear(&lists);
    dpc_graph_clear(&graph);
    dpc_arena_clear(&arena);
    return status;
}
