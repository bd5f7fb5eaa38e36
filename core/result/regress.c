/* Regressions on a growing set: see regress.h. */
#include "regress.h"

#include "alloc.h"
#include "linalg.h"

#include <math.h>

dpc_status dpc_regress_init(const dpc_view *view, const dpc_coding *coding, dpc_regress *out)
{
    const dpc_stats stats = dpc_stats_of(view);
    *out = (dpc_regress){.coding = coding};
    if (coding != NULL && (out->depth = dpc_alloc(coding->n, sizeof *out->depth)) == NULL)
        return DPC_NO_MEMORY;
    return dpc_family_init(&out->family, &stats, DPC_NOISE_PLAIN);
}

void dpc_regress_clear(dpc_regress *g)
{
    dpc_family_clear(&g->family);
    free(g->room);
    free(g->depth);
    *g = (dpc_regress){0};
}

/* The columns of a variable but its baseline and one more; *any: at least one was pushed. */
static dpc_status push_columns(dpc_regress *g, int v, int but, bool *any)
{
    const dpc_coding *d = g->coding;
    int first = d->first[v], end = d->first[v + 1];
    for (int c = first; c < end; c++) {
        bool pushed = false;
        if (c - first == d->base[v] || c == but || (end - first > 1 && d->sd[c] == 0))
            continue;
        DPC_CHECK(dpc_family_push(&g->family, c, &pushed));
        *any = *any || pushed;
    }
    return DPC_OK;
}

dpc_status dpc_regress_start(dpc_regress *g, int cause, int column, const int32_t *columns,
                             int width)
{
    bool any = false;
    g->n_singular = g->n_members = 0;
    DPC_CHECK(dpc_family_start(&g->family, column, columns, width));
    return g->coding != NULL ? push_columns(g, cause, column, &any) : DPC_OK;
}

dpc_status dpc_regress_push(dpc_regress *g, int member)
{
    bool pushed = false;
    if (g->coding != NULL)
        g->depth[g->n_members++] = g->family.depth;
    if (g->n_singular == 0)
        DPC_CHECK(g->coding != NULL ? push_columns(g, member, -1, &pushed)
                                    : dpc_family_push(&g->family, member, &pushed));
    g->n_singular += !pushed;
    return DPC_OK;
}

void dpc_regress_pop(dpc_regress *g)
{
    bool singular = g->n_singular > 0;
    g->n_singular -= singular;
    if (g->coding != NULL)
        dpc_family_pop_to(&g->family, g->depth[--g->n_members]);
    else if (!singular)
        dpc_family_pop(&g->family);
}

/* What is left of the cause, and of an outcome and its covariance with the cause: the effect. */
static void finish(double of_cause, double degrees, double v, double c, double *effect, double *se)
{
    double left = v - c * c / of_cause;
    *effect = c / of_cause;
    *se = degrees >= 1 ? sqrt((left > 0 ? left : 0) / (of_cause * degrees)) : NAN;
}

static void no_answer(int count, double *effect, double *se)
{
    for (int i = 0; i < count; i++)
        effect[i] = se[i] = NAN;
}

void dpc_regress_read(const dpc_regress *g, const int32_t *outcome, int count, double *effect,
                      double *se)
{
    const dpc_family *f = &g->family;
    const dpc_family_level *now = dpc_family_now(f);
    double degrees = (double)(f->stats.view.n_obs - f->depth - 2);
    double of_cause = dpc_family_variance(f, f->v);
    if (g->n_singular > 0 || dpc_family_determines(f, f->v)) {
        no_answer(count, effect, se);
        return;
    }
    for (int i = 0; i < count; i++) {
        int place = f->place[outcome[i]];
        finish(of_cause, degrees, now->var[place], now->t[place], &effect[i], &se[i]);
    }
}

/* ---- A whole set ---- */

/* R over the set in `a` (lower triangle in Fortran's sense), and its columns for the cause and the
 * outcomes behind it, one after the other. `row` has room for the outcomes. */
static void gather_whole(const dpc_regress *g, int cause, const int32_t *set, int size,
                         const int32_t *outcome, int count, double *a, double *b, double *row)
{
    dpc_gather(&g->family.stats.view, set, size, a);
    for (int j = 0; j < size; j++) {
        dpc_row(&g->family.stats.view, set[j], outcome, count, row);
        b[j] = dpc_r_at(&g->family.stats.view, set[j], cause);
        for (int k = 0; k < count; k++)
            b[(int64_t)(k + 1) * size + j] = row[k];
    }
}

/* The same member by member, where some may have to be passed over. */
static dpc_status regress_members(dpc_regress *g, int cause, int column, const int32_t *set,
                                  int size, const int32_t *outcome, int count, double *effect,
                                  double *se)
{
    DPC_CHECK(dpc_regress_start(g, cause, column, NULL, 0));
    for (int i = 0; i < size; i++)
        DPC_CHECK(dpc_regress_push(g, set[i]));
    dpc_regress_read(g, outcome, count, effect, se);
    return DPC_OK;
}

dpc_status dpc_regress_whole(dpc_regress *g, int cause, int column, const int32_t *set, int size,
                             const int32_t *outcome, int count, double *effect, double *se)
{
    if (g->coding != NULL)
        return regress_members(g, cause, column, set, size, outcome, count, effect, se);
    int64_t square = (int64_t)size * size, needed = square + (int64_t)(count + 1) * size + count;
    double *a = dpc_make_room(g->room, &g->capacity, needed, sizeof *a), one = 1;
    int info = 0, columns = count + 1;
    if (a == NULL)
        return DPC_NO_MEMORY;
    g->room = a;
    double *b = a + square, *row = b + (int64_t)(count + 1) * size;
    double least = 1, of_cause = 1;
    gather_whole(g, cause, set, size, outcome, count, a, b, row);
    if (size > 0)
        dpotrf_("L", &size, a, &size, &info);
    for (int64_t j = 0; j < size && info == 0; j++)
        least = fmin(least, a[j * size + j] * a[j * size + j]);
    if (info == 0 && size > 0)
        dtrsm_("L", "L", "N", "N", &size, &columns, &one, a, &size, b, &size);
    for (int i = 0; i < size; i++)
        of_cause -= b[i] * b[i];
    if (info != 0 || !(least >= DPC_SINGULAR) || !(of_cause >= DPC_SINGULAR)) {
        no_answer(count, effect, se);
        return DPC_OK;
    }
    dpc_row(&g->family.stats.view, cause, outcome, count, row);
    for (int k = 0; k < count; k++) {
        const double *w = b + (int64_t)(k + 1) * size;
        double v = 1, c = row[k];
        for (int i = 0; i < size; i++) {
            v -= w[i] * w[i];
            c -= w[i] * b[i];
        }
        finish(of_cause, (double)(g->family.stats.view.n_obs - size - 2), v, c, &effect[k], &se[k]);
    }
    return DPC_OK;
}
