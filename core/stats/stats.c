/* The door between data and every search: see stats.h. */
#include "stats.h"

#include "alloc.h"
#include "distribution.h"
#include "linalg.h"
#include "test.h"

#include <math.h>

bool dpc_stats_can(const dpc_stats *s, dpc_capability what)
{
    return dpc_view_can(&s->view, what);
}

dpc_status dpc_gather_many(const dpc_view *view, const int32_t *columns, int count, dpc_crew *crew,
                           double *to)
{
    if (view->r == NULL)
        return dpc_product_matrix(view->products, columns, count, crew, to);
    dpc_gather(view, columns, count, to);
    return DPC_OK;
}

/* ---- Readings ---- */

dpc_deviance dpc_deviance_of_square(double square, double n)
{
    return (dpc_deviance){.d = -n * log1p(-square), .df = 1, .n = n};
}

dpc_deviance dpc_deviance_of_left(double left, double df, double n)
{
    return (dpc_deviance){.d = -n * log(left), .df = df, .n = n};
}

double dpc_p_value_of(dpc_deviance v, dpc_test test, int64_t k)
{
    if (v.df == 1)
        return dpc_p_value(test, (int64_t)v.n, k, sqrt(-expm1(-v.d / v.n)));
    return dpc_chi_square_tail(v.d, v.df);
}

/* ---- The direct way ---- */

void dpc_direct_clear(dpc_direct *d)
{
    dpc_patch_clear(&d->patch);
    free(d->scratch);
    *d = (dpc_direct){.view = d->view};
}

dpc_status dpc_direct_r(dpc_direct *d, int x, int y, const int32_t *set, int k, double *r)
{
    int64_t order = (int64_t)k + 2;
    double *scratch = dpc_make_room(d->scratch, &d->room, order * order, sizeof *scratch);
    if (scratch == NULL)
        return DPC_NO_MEMORY;
    d->scratch = scratch;
    DPC_CHECK(dpc_patch_reserve(&d->patch, d->view, order));
    dpc_view local = *d->view;
    if (local.r == NULL) { /* then R over these columns, whose numbers are 0, 1, … */
        int32_t *columns = d->patch.set;
        memcpy(columns, set, (size_t)k * sizeof *set);
        columns[k] = x;
        columns[k + 1] = y;
        local = dpc_patch_over(&d->patch, d->view, columns, k + 2);
        set = columns;
        x = k;
        y = k + 1;
    }
    *r = dpc_partial_correlation(local.r, local.n, x, y, set, k, DPC_SINGULAR, scratch);
    return DPC_OK;
}
