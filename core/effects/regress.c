/* Regressions on a growing set: see regress.h. */
#include "regress.h"

#include "linalg.h"
#include "memory.h"

#include <math.h>
#include <string.h>

dpc_status dpc_regress_init(const double *r, int n, int64_t n_obs, dpc_regress *out)
{
    *out = (dpc_regress){
        .r = r,
        .n = n,
        .n_obs = n_obs,
        .column = dpc_alloc(n, sizeof *out->column),
        .place = dpc_alloc(n, sizeof *out->place),
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
    const double *from = g->r + (int64_t)variable * g->n;
    if (g->all)
        memcpy(to, from, (size_t)g->n * sizeof *to);
    else
        for (int i = 0; i < g->width; i++)
            to[i] = from[g->column[i]];
}

dpc_status dpc_regress_start(dpc_regress *g, int cause, const int32_t *columns, int width)
{
    g->all = columns == NULL;
    g->width = g->all ? g->n : width;
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

void dpc_regress_read(const dpc_regress *g, const int32_t *outcome, int count, double *effect,
                      double *se)
{
    const double *v = v_at(g, g->depth), *c = c_at(g, g->depth);
    double degrees = (double)(g->n_obs - g->depth - 2);
    double variance = g->n_singular > 0 ? 0 : v[g->cause];
    if (!(variance >= DPC_SINGULAR)) {
        for (int i = 0; i < count; i++)
            effect[i] = se[i] = NAN;
        return;
    }
    double each = degrees >= 1 ? 1 / (variance * degrees) : NAN, slope = 1 / variance;
    for (int i = 0; i < count; i++) {
        int place = g->place[outcome[i]];
        double beta = c[place] * slope, left = v[place] - c[place] * beta;
        effect[i] = beta;
        se[i] = sqrt((left > 0 ? left : 0) * each);
    }
}
