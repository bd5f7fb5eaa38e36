/* What a growing set leaves of the other variables: see family.h. */
#include "block_family.h"

#include "linalg.h"

#include <math.h>
#include <string.h>

/*
 * Careful: the error of a covariance given S is about this over the smallest pivot on the way to
 * it. Where that is large, rounding must not pass for a variance.
 */
static const double ROUNDING = 1e-15;

/* Rows are whole vectors, for the screens. */
static int64_t row_length(int n)
{
    return ((int64_t)n + DPC_VECTOR - 1) / DPC_VECTOR * DPC_VECTOR;
}

dpc_status dpc_family_init(dpc_family *f, const dpc_stats *stats, dpc_noise_rule rule)
{
    int n = stats->n;
    *f = (dpc_family){.stats = *stats, .rule = rule, .vector = dpc_vector_best()};
    f->column = dpc_arena_alloc(&f->memory, n, sizeof *f->column);
    f->own_place = dpc_arena_alloc(&f->memory, n, sizeof *f->own_place);
    f->all_places = dpc_arena_alloc(&f->memory, n, sizeof *f->all_places);
    f->parent = dpc_arena_alloc(&f->memory, n, sizeof *f->parent);
    f->spare = dpc_arena_alloc(&f->memory, row_length(n), sizeof *f->spare);
    if (dpc_arena_failed(&f->memory))
        return DPC_NO_MEMORY;
    for (int u = 0; u < n; u++)
        f->all_places[u] = dpc_column_of(stats->view.labels, u);
    if (stats->view.blocks == NULL)
        return DPC_OK;
    f->rule = DPC_NOISE_CAREFUL; /* by which a level says what is noise: block_family.h */
    return dpc_block_family_init(f);
}

void dpc_family_clear(dpc_family *f)
{
    dpc_block_family_clear(f);
    dpc_arena_clear(&f->memory);
    free(f->level);
    *f = (dpc_family){0};
}

/* ---- Starting ---- */

/* Makes sure that level `depth` has memory. */
static dpc_status reserve(dpc_family *f, int depth)
{
    if (depth < f->levels)
        return DPC_OK;
    dpc_family_level *level = dpc_regrow(f->level, (int64_t)depth + 1, sizeof *level);
    if (level == NULL)
        return DPC_NO_MEMORY;
    f->level = level;
    int64_t length = row_length(f->stats.n);
    double *block = dpc_arena_zalloc(&f->memory, 3 * length, sizeof *block);
    if (block == NULL)
        return DPC_NO_MEMORY;
    level[depth] = (dpc_family_level){block,
                                      block + length,
                                      block + 2 * length,
                                      .pivot = 1,
                                      .noise = DPC_SINGULAR,
                                      .most_growth = 1,
                                      .most_noise = dpc_noise_of(1)};
    for (int64_t j = 0; depth == 0 && j < length; j++)
        level[0].var[j] = 1; /* and it stays so */
    f->levels = depth + 1;
    return DPC_OK;
}

/* Row c of R, by places. */
static void gather(const dpc_family *f, int c, double *to)
{
    const dpc_view *view = &f->stats.view;
    dpc_row(view, dpc_column_of(view->labels, c), f->place == f->all_places ? NULL : f->column,
            f->m, to);
}

static void give_place(dpc_family *f, int u)
{
    f->own_place[u] = f->m;
    f->column[f->m++] = dpc_column_of(f->stats.view.labels, u);
}

static void choose_nodes(dpc_family *f, int v, const int32_t *nodes, int count)
{
    f->place = nodes != NULL ? f->own_place : f->all_places;
    f->m = nodes != NULL ? 0 : f->stats.n;
    if (nodes != NULL)
        give_place(f, v);
    for (int i = 0; nodes != NULL && i < count; i++)
        if (nodes[i] != v)
            give_place(f, nodes[i]);
}

dpc_status dpc_family_start(dpc_family *f, int v, const int32_t *nodes, int count)
{
    f->v = v;
    f->depth = 0;
    choose_nodes(f, v, nodes, count);
    DPC_CHECK(reserve(f, 0));
    if (f->block != NULL)
        return dpc_block_family_start(f);
    dpc_family_level *l = f->level;
    gather(f, v, l->t);
    for (int j = f->m; j % DPC_VECTOR != 0; j++)
        l->t[j] = 0;
    return DPC_OK;
}

/* ---- What is rounding ---- */

/* g(u): see family.h. */
static double growth_of(const dpc_family *f, int u)
{
    double g = 1;
    for (int i = 1; i <= f->depth; i++)
        g += fabs(f->level[i].w[f->place[u]]) * f->level[i].growth;
    return g;
}

double dpc_family_rounding(const dpc_family *f, int u)
{
    return dpc_noise_of(growth_of(f, u));
}

/* Careful: 1 from where it cannot be told from 1. */
static double careful_square(double t, double var_u, double var_v)
{
    double square = t * t / (var_u * var_v), least = var_u < var_v ? var_u : var_v;
    return 1 - square > DPC_SINGULAR + 10 * ROUNDING / least ? square : 1 - DPC_SINGULAR;
}

/* Exact: where 1 - r² is so small that it may be rounding, u enters into v as one parent more
 * would. */
static inline double exact_square(const dpc_family *f, int u, double t, double var_u, double var_v)
{
    double most = dpc_family_now(f)->most_growth, factor = fabs(t) / var_u;
    double left = 1 - t * t / (var_u * var_v);
    if (!(left * var_v > dpc_noise_of(most + factor * most))) {
        double growth = growth_of(f, f->v) + factor * growth_of(f, u);
        left = fmax(left, fmin(dpc_noise_of(growth) / var_v, 0.5));
    }
    return 1 - left;
}

double dpc_family_square_of(const dpc_family *f, int u)
{
    if (f->block != NULL)
        return dpc_block_square(f, u);
    const dpc_family_level *l = dpc_family_now(f);
    double t = l->t[f->place[u]], var_u = l->var[f->place[u]], var_v = l->var[f->place[f->v]];
    if (dpc_family_determines(f, u))
        return NAN;
    return f->rule != DPC_NOISE_EXACT ? careful_square(t, var_u, var_v)
                                      : exact_square(f, u, t, var_u, var_v);
}

double dpc_family_square(const dpc_family *f, int u)
{
    return dpc_family_determines(f, f->v) ? NAN : dpc_family_square_of(f, u);
}

dpc_deviance dpc_family_gain(const dpc_family *f, int u)
{
    double n = (double)f->stats.view.n_obs;
    int rank;
    if (f->block == NULL)
        return dpc_deviance_of_square(dpc_family_square(f, u), n);
    double d = -n * dpc_block_log_lambda(f, u, &rank);
    return (dpc_deviance){.d = d, .df = (double)f->block->p * rank, .n = n};
}

/* ---- Growing ---- */

/* The covariances of c given the parents before it, into w of the next level: from one row to the
 * other and back. */
static void condition_row(dpc_family *f, int c)
{
    dpc_family_level *after = &f->level[f->depth + 1];
    int at = f->place[c];
    double *from = f->depth % 2 == 0 ? after->w : f->spare, *to;
    gather(f, c, from);
    for (int i = 1; i <= f->depth; i++, from = to) {
        const dpc_family_level *l = &f->level[i];
        to = from == after->w ? f->spare : after->w;
        f->vector->eliminate(f->m, from, l->w, l->w[at] / l->pivot, to);
    }
    for (int j = f->m; j % DPC_VECTOR != 0; j++)
        after->w[j] = 0;
}

/* Exact: how far rounding grows from here; and what is left of the parents themselves is rounding,
 * which must not look like parents to be had. */
static void note_growth(dpc_family *f, double growth)
{
    dpc_family_level *l = &f->level[f->depth];
    l->growth = growth / l->pivot;
    l->most_growth = f->level[f->depth - 1].most_growth + growth / sqrt(l->pivot);
    l->most_noise = dpc_noise_of(l->most_growth);
    for (int i = 0; i < f->depth; i++)
        l->t[f->place[f->parent[i]]] = l->var[f->place[f->parent[i]]] = 0;
}

static dpc_status push_block(dpc_family *f, int c, bool *pushed)
{
    DPC_CHECK(reserve(f, f->depth + 1));
    return dpc_block_family_push(f, c, pushed);
}

dpc_status dpc_family_push(dpc_family *f, int c, bool *pushed)
{
    *pushed = false;
    if (f->block != NULL)
        return push_block(f, c, pushed);
    DPC_CHECK(reserve(f, f->depth + 1));
    dpc_family_level *before = &f->level[f->depth], *after = before + 1;
    int whole = (int)row_length(f->m);
    double pivot = before->var[f->place[c]];
    if (dpc_family_determines(f, c))
        return DPC_OK;
    bool exact = f->rule == DPC_NOISE_EXACT;
    double growth = exact ? growth_of(f, c) : 1;
    condition_row(f, c);
    after->pivot = pivot;
    double noise = ROUNDING / pivot;
    after->noise = f->rule != DPC_NOISE_PLAIN && noise > before->noise ? noise : before->noise;
    f->vector->eliminate(whole, before->t, after->w, after->w[f->place[f->v]] / pivot, after->t);
    f->vector->reduce(whole, before->var, after->w, 1 / pivot, after->var);
    f->parent[f->depth++] = c;
    *pushed = true;
    if (exact)
        note_growth(f, growth);
    return DPC_OK;
}

dpc_status dpc_family_push_all(dpc_family *f, const int32_t *parents, int count)
{
    bool pushed;
    for (int i = 0; i < count; i++)
        DPC_CHECK(dpc_family_push(f, parents[i], &pushed));
    return DPC_OK;
}

dpc_status dpc_family_of(dpc_family *f, int v, const int32_t *parents, int count)
{
    const int32_t none = 0; /* NULL would be all */
    DPC_CHECK(dpc_family_start(f, v, count > 0 ? parents : &none, count));
    return dpc_family_push_all(f, parents, count);
}

/* ---- Screening ---- */

uint64_t dpc_family_screen(const dpc_family *f, int first, double limit)
{
    const dpc_family_level *l = dpc_family_now(f);
    int width = f->m - first < 64 ? f->m - first : 64;
    if (f->block != NULL)
        return dpc_block_screen(f, first, width, limit);
    int whole = (width + DPC_VECTOR - 1) / DPC_VECTOR * DPC_VECTOR;
    uint64_t bits = ~f->vector->passing(whole, l->t + first, NULL, 0, l->t + first, l->var + first,
                                        0, 0, limit, 0);
    return bits & (width < 64 ? (UINT64_C(1) << width) - 1 : ~UINT64_C(0));
}
