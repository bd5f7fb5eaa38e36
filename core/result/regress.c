/* Regressions on a growing set: see regress.h. */
#include "regress.h"

#include "alloc.h"
#include "linalg.h"

#include <math.h>
#include <string.h>

dpc_status dpc_regress_init(const dpc_view *view, dpc_regress *out)
{
    *out = (dpc_regress){
        .view = *view,
        .column = dpc_alloc(view->n, sizeof *out->column),
        .place = dpc_alloc(view->n, sizeof *out->place),
    };
    return out->column != NULL && out->place != NULL ? DPC_OK : DPC_NO_MEMORY;
}

void dpc_regress_clear(dpc_regress *g)
{
    free(g->column);
    free(g->place);
    free(g->rows);
    *g = (dpc_regress){0};
}

static double *row_at(const dpc_regress *g, int depth, int which)
{
    return g->rows + (3 * (int64_t)depth + which) * g->width;
}

/* w of the member at that depth; v and c with so many members. */
static double *w_at(const dpc_regress *g, int depth)
{
    return row_at(g, depth, 0);
}

static double *v_at(const dpc_regress *g, int depth)
{
    return row_at(g, depth, 1);
}

static double *c_at(const dpc_regress *g, int depth)
{
    return row_at(g, depth, 2);
}

static dpc_status make_room(dpc_regress *g)
{
    double *rows =
        dpc_make_room(g->rows, &g->capacity, 3 * ((int64_t)g->depth + 2) * g->width, sizeof *rows);
    if (rows == NULL)
        return DPC_NO_MEMORY;
    g->rows = rows;
    return DPC_OK;
}

/* The correlations of a variable with the columns. */
static void gather(const dpc_regress *g, int variable, double *to)
{
    dpc_row(&g->view, variable, g->all ? NULL : g->column, g->width, to);
}

dpc_status dpc_regress_start(dpc_regress *g, int cause, const int32_t *columns, int width)
{
    g->all = columns == NULL;
    g->width = g->all ? g->view.n : width;
    g->depth = g->n_singular = 0;
    if (make_room(g) != DPC_OK)
        return DPC_NO_MEMORY;
    for (int i = 0; i < g->width; i++) {
        g->column[i] = columns != NULL ? columns[i] : i;
        g->place[g->column[i]] = i;
        v_at(g, 0)[i] = 1;
    }
    g->cause = g->place[cause];
    gather(g, cause, c_at(g, 0));
    return DPC_OK;
}

dpc_status dpc_regress_push(dpc_regress *g, int member)
{
    if (make_room(g) != DPC_OK)
        return DPC_NO_MEMORY;
    int depth = g->depth++, place = g->place[member];
    double variance = v_at(g, depth)[place];
    if (g->n_singular > 0 || !(variance >= DPC_SINGULAR)) {
        g->n_singular++;
        return DPC_OK;
    }
    double *restrict w = w_at(g, depth), scale = 1 / sqrt(variance);
    gather(g, member, w);
    for (int k = 0; k < depth; k++) {
        const double *restrict before = w_at(g, k);
        double factor = before[place];
        for (int i = 0; i < g->width; i++)
            w[i] -= factor * before[i];
    }
    double with_cause = w[g->cause] * scale;
    const double *restrict v = v_at(g, depth), *restrict c = c_at(g, depth);
    double *restrict next_v = v_at(g, depth + 1), *restrict next_c = c_at(g, depth + 1);
    for (int i = 0; i < g->width; i++) {
        w[i] *= scale;
        next_v[i] = v[i] - w[i] * w[i];
        next_c[i] = c[i] - with_cause * w[i];
    }
    return DPC_OK;
}

void dpc_regress_pop(dpc_regress *g)
{
    g->depth--;
    g->n_singular -= g->n_singular > 0;
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
    const double *v = v_at(g, g->depth), *c = c_at(g, g->depth);
    double degrees = (double)(g->view.n_obs - g->depth - 2);
    double of_cause = g->n_singular > 0 ? 0 : v[g->cause];
    if (!(of_cause >= DPC_SINGULAR)) {
        no_answer(count, effect, se);
        return;
    }
    for (int i = 0; i < count; i++) {
        int place = g->place[outcome[i]];
        finish(of_cause, degrees, v[place], c[place], &effect[i], &se[i]);
    }
}

/* ---- A whole set ---- */

/* R over the set in `a` (lower triangle in Fortran's sense), and its columns for the cause and the
 * outcomes behind it, one after the other. `row` has room for the outcomes. */
static void gather_whole(const dpc_regress *g, int cause, const int32_t *set, int size,
                         const int32_t *outcome, int count, double *a, double *b, double *row)
{
    dpc_gather(&g->view, set, size, a);
    for (int j = 0; j < size; j++) {
        dpc_row(&g->view, set[j], outcome, count, row);
        b[j] = dpc_r_at(&g->view, set[j], cause);
        for (int k = 0; k < count; k++)
            b[(int64_t)(k + 1) * size + j] = row[k];
    }
}

dpc_status dpc_regress_whole(dpc_regress *g, int cause, const int32_t *set, int size,
                             const int32_t *outcome, int count, double *effect, double *se)
{
    int64_t square = (int64_t)size * size, needed = square + (int64_t)(count + 1) * size + count;
    double *rows = dpc_make_room(g->rows, &g->capacity, needed, sizeof *rows), one = 1;
    int info = 0, columns = count + 1;
    if (rows == NULL)
        return DPC_NO_MEMORY;
    g->rows = rows;
    double *a = rows, *b = rows + square, *row = b + (int64_t)(count + 1) * size;
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
    dpc_row(&g->view, cause, outcome, count, row);
    for (int k = 0; k < count; k++) {
        const double *w = b + (int64_t)(k + 1) * size;
        double v = 1, c = row[k];
        for (int i = 0; i < size; i++) {
            v -= w[i] * w[i];
            c -= w[i] * b[i];
        }
        finish(of_cause, (double)(g->view.n_obs - size - 2), v, c, &effect[k], &se[k]);
    }
    return DPC_OK;
}
