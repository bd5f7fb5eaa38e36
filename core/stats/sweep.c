/* What a growing set leaves of the other variables: see ges_sweep.h. */
#include "sweep.h"

#include "alloc.h"
#include "linalg.h"

#include <math.h>
#include <string.h>

/*
 * The error of a covariance given S is about this over the smallest pivot on the way to it. Where
 * that is large, rounding must not pass for a variance.
 */
static const double ROUNDING = 1e-15;

/* Rows are whole vectors, for the screens. */
static int64_t row_length(int n)
{
    return ((int64_t)n + DPC_VECTOR - 1) / DPC_VECTOR * DPC_VECTOR;
}

dpc_status dpc_sweep_init(dpc_sweep *s, const dpc_view *view)
{
    int n = view->n;
    *s = (dpc_sweep){.view = *view, .vector = dpc_vector_best()};
    s->column = dpc_alloc(n, sizeof *s->column);
    s->own_place = dpc_alloc(n, sizeof *s->own_place);
    s->all_places = dpc_alloc(n, sizeof *s->all_places);
    s->spare = dpc_alloc(row_length(n), sizeof *s->spare);
    if (!s->column || !s->own_place || !s->all_places || !s->spare)
        return DPC_NO_MEMORY;
    for (int u = 0; u < n; u++)
        s->all_places[u] = dpc_column_of(view->labels, u);
    return DPC_OK;
}

void dpc_sweep_clear(dpc_sweep *s)
{
    for (int i = 0; i < s->levels; i++)
        free(s->level[i].w);
    free(s->level);
    free(s->column);
    free(s->own_place);
    free(s->all_places);
    free(s->spare);
}

/* Makes sure that level `depth` has memory. */
static dpc_status reserve(dpc_sweep *s, int depth)
{
    if (depth < s->levels)
        return DPC_OK;
    dpc_sweep_level *level = dpc_regrow(s->level, (int64_t)depth + 1, sizeof *level);
    if (level == NULL)
        return DPC_NO_MEMORY;
    s->level = level;
    int64_t length = row_length(s->view.n);
    double *block = dpc_zalloc(3 * length, sizeof *block);
    if (block == NULL)
        return DPC_NO_MEMORY;
    level[depth] = (dpc_sweep_level){block, block + length, block + 2 * length, 1, DPC_SINGULAR};
    s->levels = depth + 1;
    return DPC_OK;
}

/* Row c of R, by places. */
static void gather(const dpc_sweep *s, int c, double *to)
{
    dpc_row(&s->view, dpc_column_of(s->view.labels, c),
            s->place == s->all_places ? NULL : s->column, s->m, to);
}

/* S = ∅ for v and the nodes that have places. */
static dpc_status start(dpc_sweep *s, int v)
{
    s->v = v;
    s->depth = 0;
    if (reserve(s, 0) != DPC_OK)
        return DPC_NO_MEMORY;
    gather(s, s->v, s->level[0].t);
    for (int j = 0; j < s->m; j++)
        s->level[0].var[j] = 1;
    for (int j = s->m; j % DPC_VECTOR != 0; j++) {
        s->level[0].t[j] = 0;
        s->level[0].var[j] = 1;
    }
    return DPC_OK;
}

dpc_status dpc_sweep_start_all(dpc_sweep *s, int v)
{
    s->m = s->view.n;
    s->place = s->all_places;
    return start(s, v);
}

static void give_place(dpc_sweep *s, int u)
{
    s->own_place[u] = s->m;
    s->column[s->m++] = dpc_column_of(s->view.labels, u);
}

dpc_status dpc_sweep_start(dpc_sweep *s, int v, const int32_t *nodes, int count)
{
    s->m = 0;
    s->place = s->own_place;
    give_place(s, v);
    for (int i = 0; i < count; i++)
        give_place(s, nodes[i]);
    return start(s, v);
}

dpc_status dpc_sweep_push(dpc_sweep *s, int c, bool *pushed)
{
    *pushed = false;
    if (reserve(s, s->depth + 1) != DPC_OK)
        return DPC_NO_MEMORY;
    dpc_sweep_level *before = &s->level[s->depth], *after = before + 1;
    int at = s->place[c], whole = (int)row_length(s->m);
    double pivot = before->var[at];
    if (dpc_sweep_determines(s, c))
        return DPC_OK;
    /* The covariances of c given the elements before, from one row to the other and back. */
    double *from = s->depth % 2 == 0 ? after->w : s->spare, *to;
    gather(s, c, from);
    for (int i = 1; i <= s->depth; i++, from = to) {
        const dpc_sweep_level *l = &s->level[i];
        to = from == after->w ? s->spare : after->w;
        s->vector->eliminate(s->m, from, l->w, l->w[at] / l->pivot, to);
    }
    for (int j = s->m; j < whole; j++)
        after->w[j] = 0;
    after->pivot = pivot;
    after->noise = fmax(before->noise, ROUNDING / pivot);
    s->vector->eliminate(whole, before->t, after->w, after->w[s->place[s->v]] / pivot, after->t);
    s->vector->reduce(whole, before->var, after->w, 1 / pivot, after->var);
    s->depth++;
    *pushed = true;
    return DPC_OK;
}

double dpc_sweep_square(const dpc_sweep *s, int u)
{
    const dpc_sweep_level *l = &s->level[s->depth];
    int at = s->place[u];
    double var_u = l->var[at], var_v = l->var[s->place[s->v]];
    if (dpc_sweep_determines(s, u) || dpc_sweep_determines(s, s->v))
        return NAN;
    double square = l->t[at] * l->t[at] / (var_u * var_v);
    return 1 - square > DPC_SINGULAR + 10 * ROUNDING / fmin(var_u, var_v) ? square
                                                                          : 1 - DPC_SINGULAR;
}
