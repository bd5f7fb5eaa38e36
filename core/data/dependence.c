/*
 * Dependent columns: see dependence.h.
 *
 * Columns are taken in blocks. With U the factor over the basis before a block and B the columns of
 * the block, W = U⁻ᵀ R[basis, B] is solved for in slices that threads share, and
 * S = R[B, B] - WᵀW is what the basis leaves of the block. Within S columns are eliminated one
 * after the other, and those of which nothing is left are left out. So nearly all of the work is
 * that of a blocked Cholesky factor. Slices do not depend on the number of threads, nor do the
 * bytes.
 */
#include "dependence.h"

#include "alloc.h"
#include "crew.h"
#include "linalg.h"
#include "view.h"

#include <math.h>

enum {
    BLOCK = 256, /* columns eliminated at a time */
    SLICE = 32,  /* columns solved for in one task */
};

typedef struct elimination {
    const dpc_correlation *correlation;
    dpc_view view;
    double *factor; /* n × n, by columns: U, then the columns of the block; owned */
    double *left;   /* S: rows of BLOCK, the upper triangle; owned */
    int32_t *basis; /* owned */
    int rank;
    int32_t block[BLOCK]; /* the columns of the block */
    int size;
} elimination;

static double *column_at(const elimination *e, int place)
{
    return e->factor + (int64_t)place * e->correlation->n_vars;
}

/* One slice of W, in the place of the columns behind the factor. */
static void solve_slice(void *context, int64_t index, int worker)
{
    (void)worker;
    elimination *e = context;
    const double one = 1;
    int n = e->correlation->n_vars, first = (int)index * SLICE;
    int count = e->size - first < SLICE ? e->size - first : SLICE;
    for (int k = first; k < first + count; k++)
        dpc_row(&e->view, e->block[k], e->basis, e->rank, column_at(e, e->rank + k));
    dtrsm_("L", "U", "T", "N", &e->rank, &count, &one, e->factor, &n, column_at(e, e->rank + first),
           &n);
}

/* S. The upper triangle by rows is the lower one in Fortran's sense. */
static void find_left(elimination *e)
{
    const double one = 1, minus = -1;
    int n = e->correlation->n_vars, ld = BLOCK;
    for (int k = 0; k < e->size; k++)
        dpc_row(&e->view, e->block[k], e->block + k, e->size - k, e->left + k * BLOCK + k);
    dsyrk_("L", "T", &e->size, &e->rank, &minus, column_at(e, e->rank), &n, &one, e->left, &ld);
}

/* Takes column k of the block, which began behind `start` columns, into the basis. */
static void add_to_basis(elimination *e, int start, int k)
{
    double *restrict row = e->left + k * BLOCK, root = sqrt(row[k]);
    for (int t = k; t < e->size; t++) {
        row[t] /= root;
        column_at(e, start + t)[e->rank] = row[t];
    }
    for (int s = k + 1; s < e->size; s++) {
        double *restrict to = e->left + s * BLOCK, f = row[s];
        for (int t = s; t < e->size; t++)
            to[t] -= f * row[t];
    }
    if (e->rank < start + k) { /* columns were left out before it: it moves up */
        const double *from = column_at(e, start + k);
        double *to = column_at(e, e->rank);
        for (int i = 0; i <= e->rank; i++)
            to[i] = from[i];
    }
    e->basis[e->rank++] = e->block[k];
}

static dpc_status eliminate_block(elimination *e, dpc_on_dependent call, void *context)
{
    dpc_status status = DPC_OK;
    int start = e->rank;
    find_left(e);
    for (int k = 0; k < e->size && status == DPC_OK; k++) {
        double left = e->left[k * BLOCK + k];
        if (left >= DPC_SINGULAR) {
            add_to_basis(e, start, k);
            continue;
        }
        dpc_dependent dependent = {.column = e->block[k],
                                   .left = left,
                                   .rank = e->rank,
                                   .basis = e->basis,
                                   .factor = e->factor,
                                   .solved = column_at(e, start + k),
                                   .ld = e->correlation->n_vars};
        status = call(context, &dependent);
    }
    return status;
}

static dpc_status eliminate(elimination *e, const bool *skip, dpc_crew *crew, dpc_on_dependent call,
                            void *context)
{
    dpc_status status = DPC_OK;
    for (int j = 0, n = e->correlation->n_vars; j < n && status == DPC_OK;) {
        for (e->size = 0; j < n && e->size < BLOCK; j++)
            if (!skip[j])
                e->block[e->size++] = j;
        double work = (double)e->rank * e->rank * e->size;
        int slices = (e->size + SLICE - 1) / SLICE;
        if (!dpc_crew_run(crew, slices, work, solve_slice, e))
            return DPC_INTERRUPTED;
        status = eliminate_block(e, call, context);
    }
    return status;
}

const double *dpc_dependent_weights(const dpc_dependent *d)
{
    const int one = 1;
    dtrsv_("U", "N", "N", &d->rank, d->factor, &d->ld, d->solved, &one);
    return d->solved;
}

dpc_status dpc_find_dependents(const dpc_correlation *c, const bool *skip,
                               const dpc_settings *settings, dpc_on_dependent call, void *context)
{
    int64_t n = c->n_vars;
    dpc_crew crew;
    dpc_crew_init(&crew, settings, DPC_STAGE_CORRELATION);
    crew.from = crew.to; /* the correlations are there */
    const dpc_labels columns = {0};
    elimination e = {.correlation = c,
                     .view = dpc_view_of(c, &columns),
                     .factor = dpc_alloc_aligned(n * n),
                     .left = dpc_alloc_aligned(BLOCK * BLOCK),
                     .basis = dpc_alloc(n, sizeof *e.basis)};
    dpc_status status =
        e.factor && e.left && e.basis ? eliminate(&e, skip, &crew, call, context) : DPC_NO_MEMORY;
    free(e.factor);
    free(e.left);
    free(e.basis);
    return status;
}
