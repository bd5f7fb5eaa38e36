/* What a growing set leaves of the other variables: see ges_sweep.h. */
#include "ges_sweep.h"

#include "linalg.h"
#include "memory.h"

#include <math.h>
#include <string.h>

/* Rows are whole vectors, for the screens. */
static int64_t row_length(int n)
{
    return ((int64_t)n + DPC_VECTOR - 1) / DPC_VECTOR * DPC_VECTOR;
}

bool dpc_sweep_init(dpc_sweep *s, const double *r, int n)
{
    *s = (dpc_sweep){.r = r, .n = n, .vector = dpc_vector_best()};
    s->identity = dpc_alloc(n, sizeof *s->identity);
    s->own_column = dpc_alloc(n, sizeof *s->own_column);
    s->own_place = dpc_alloc(n, sizeof *s->own_place);
    s->spare = dpc_alloc(row_length(n), sizeof *s->spare);
    if (!s->identity || !s->own_column || !s->own_place || !s->spare)
        return false;
    for (int i = 0; i < n; i++)
        s->identity[i] = i;
    return true;
}

void dpc_sweep_clear(dpc_sweep *s)
{
    for (int i = 0; i < s->levels; i++)
        free(s->level[i].w);
    free(s->level);
    free(s->identity);
    free(s->own_column);
    free(s->own_place);
    free(s->spare);
}

/* Makes sure that level `depth` has memory. */
static bool reserve(dpc_sweep *s, int depth)
{
    if (depth < s->levels)
        return true;
    dpc_sweep_level *level = dpc_regrow(s->level, (int64_t)depth + 1, sizeof *level);
    if (level != NULL) {
        s->level = level;
        int64_t length = row_length(s->n);
        double *block = dpc_zalloc(3 * length, sizeof *block);
        if (block != NULL) {
            level[depth] = (dpc_sweep_level){block, block + length, block + 2 * length, 0};
            s->levels = depth + 1;
            return true;
        }
    }
    s->failed = true;
    return false;
}

/* Row c of R in the order of the columns. */
static void gather(const dpc_sweep *s, int c, double *to)
{
    const double *row = s->r + (int64_t)c * s->n;
    if (s->column == s->identity)
        memcpy(to, row, (size_t)s->n * sizeof *to);
    else
        for (int j = 0; j < s->m; j++)
            to[j] = row[s->column[j]];
}

void dpc_sweep_ready(dpc_sweep *s)
{
    s->depth = 0;
    if (!reserve(s, 0))
        return;
    gather(s, s->v, s->level[0].t);
    for (int j = 0; j < s->m; j++)
        s->level[0].var[j] = 1;
    for (int j = s->m; j % DPC_VECTOR != 0; j++) {
        s->level[0].t[j] = 0;
        s->level[0].var[j] = 1;
    }
}

void dpc_sweep_start_all(dpc_sweep *s, int v)
{
    s->v = v;
    s->m = s->n;
    s->column = s->place = s->identity;
    dpc_sweep_ready(s);
}

void dpc_sweep_start(dpc_sweep *s, int v)
{
    s->v = v;
    s->m = 0;
    s->column = s->own_column;
    s->place = s->own_place;
    dpc_sweep_column(s, v);
}

void dpc_sweep_column(dpc_sweep *s, int u)
{
    s->own_place[u] = s->m;
    s->own_column[s->m++] = u;
}

bool dpc_sweep_push(dpc_sweep *s, int c)
{
    if (s->failed || !reserve(s, s->depth + 1))
        return false;
    dpc_sweep_level *before = &s->level[s->depth], *after = before + 1;
    int at = s->place[c], whole = (int)row_length(s->m);
    double pivot = before->var[at];
    if (!(pivot >= DPC_SINGULAR))
        return false;
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
    s->vector->eliminate(whole, before->t, after->w, after->w[s->place[s->v]] / pivot, after->t);
    s->vector->reduce(whole, before->var, after->w, 1 / pivot, after->var);
    s->depth++;
    return true;
}

double dpc_sweep_square(const dpc_sweep *s, int u)
{
    const dpc_sweep_level *l = &s->level[s->depth];
    int at = s->place[u];
    double var_u = l->var[at], var_v = l->var[s->place[s->v]];
    if (!(var_u >= DPC_SINGULAR) || !(var_v >= DPC_SINGULAR))
        return NAN;
    return fmin(l->t[at] * l->t[at] / (var_u * var_v), 1 - DPC_SINGULAR);
}
