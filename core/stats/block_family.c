/* Families of blocks of columns: see block_family.h. */
#include "block_family.h"

#include "score.h"

#include <math.h>
#include <string.h>

enum { LEAST_FREE = 3 }; /* degrees of freedom that are left beside all columns of a question */

/* ---- Beginning ---- */

static int64_t whole(int64_t count)
{
    return (count + DPC_VECTOR - 1) / DPC_VECTOR * DPC_VECTOR;
}

/* The entries of a block below its diagonal. */
static int below(int width)
{
    return width * (width - 1) / 2;
}

static int width_of(const dpc_block_family *b, int variable)
{
    return dpc_block_width(b->blocks, variable);
}

/* The entries of a block, from `entry` on; returns where those of the next one begin. */
static int list_pairs(int first, int width, int entry, dpc_slot_pair *to)
{
    for (int i = 1; i < width; i++)
        for (int j = 0; j < i; j++)
            to[entry++] = (dpc_slot_pair){first + i, first + j};
    return entry;
}

/* Where slots and entries of all variables begin, in the order of the table. */
static void list_all(dpc_block_family *b)
{
    int entry = 0;
    for (int v = 0; v < b->blocks->n; v++) {
        b->all_start[v] = b->blocks->first[v];
        b->all_off[v] = entry;
        entry = list_pairs(b->blocks->first[v], width_of(b, v), entry, b->all_pair);
    }
    b->all_start[b->blocks->n] = b->blocks->m;
    b->all_off[b->blocks->n] = entry;
}

/* How many pairs there are, and the widest block. */
static int64_t count_pairs(dpc_block_family *b)
{
    int64_t count = 0;
    for (int v = 0; v < b->blocks->n; v++) {
        count += below(width_of(b, v));
        b->widest = width_of(b, v) > b->widest ? width_of(b, v) : b->widest;
    }
    return count;
}

dpc_status dpc_block_family_init(dpc_family *f)
{
    const dpc_blocks *blocks = f->stats.view.blocks;
    dpc_arena *a = &f->memory;
    dpc_block_family *b = dpc_arena_zalloc(a, 1, sizeof *b);
    if (b == NULL)
        return DPC_NO_MEMORY;
    f->block = b;
    *b = (dpc_block_family){.blocks = blocks, .widest = 1, .length = whole(blocks->m)};
    b->column = dpc_arena_alloc(a, blocks->m, sizeof *b->column);
    b->own_start = dpc_arena_alloc(a, blocks->n + 1, sizeof *b->own_start);
    b->all_start = dpc_arena_alloc(a, blocks->n + 1, sizeof *b->all_start);
    b->own_off = dpc_arena_alloc(a, blocks->n + 1, sizeof *b->own_off);
    b->all_off = dpc_arena_alloc(a, blocks->n + 1, sizeof *b->all_off);
    b->used = dpc_arena_zalloc(a, blocks->n + 1, sizeof *b->used);
    b->log_det = dpc_arena_zalloc(a, blocks->n + 1, sizeof *b->log_det);
    b->spare = dpc_arena_alloc(a, b->length, sizeof *b->spare);
    b->norm = dpc_arena_alloc(a, b->length, sizeof *b->norm);
    int64_t pairs = count_pairs(b);
    b->own_pair = dpc_arena_alloc(a, pairs, sizeof *b->own_pair);
    b->all_pair = dpc_arena_alloc(a, pairs, sizeof *b->all_pair);
    b->y = dpc_arena_alloc(a, b->widest * b->length, sizeof *b->y);
    b->cut = dpc_arena_alloc(a, b->widest + 1, sizeof *b->cut);
    b->most = dpc_parent_limit(blocks->m, f->stats.view.n_obs);
    b->small = dpc_arena_alloc(a, 4 * (int64_t)b->widest * b->widest, sizeof *b->small);
    b->kept = dpc_arena_alloc(a, b->widest, sizeof *b->kept);
    if (dpc_arena_failed(a))
        return DPC_NO_MEMORY;
    list_all(b);
    return DPC_OK;
}

void dpc_block_family_clear(dpc_family *f)
{
    if (f->block != NULL)
        free(f->block->level);
}

/* Makes sure that there is memory for the level given so many columns. */
static dpc_status reserve(dpc_family *f, int used)
{
    dpc_block_family *b = f->block;
    if (used < b->levels)
        return DPC_OK;
    dpc_block_level *level = dpc_regrow(b->level, (int64_t)used + 1, sizeof *level);
    if (level == NULL)
        return DPC_NO_MEMORY;
    b->level = level;
    int64_t off = b->all_off[b->blocks->n];
    double *memory =
        dpc_arena_zalloc(&f->memory, (2 + b->widest) * b->length + off, sizeof *memory);
    if (memory == NULL)
        return DPC_NO_MEMORY;
    level[used] = (dpc_block_level){.w = memory,
                                    .var = memory + b->length,
                                    .t = memory + 2 * b->length,
                                    .off = memory + (2 + b->widest) * b->length};
    for (int64_t i = 0; used == 0 && i < b->length; i++)
        level[0].var[i] = 1; /* and it stays so */
    b->levels = used + 1;
    return DPC_OK;
}

/* Where the slots of the chosen nodes begin, and the columns in them. */
static void list_own(dpc_family *f)
{
    dpc_block_family *b = f->block;
    int slot = 0, entry = 0;
    for (int place = 0; place < f->m; place++) {
        int variable = f->column[place], width = width_of(b, variable);
        b->own_start[place] = slot;
        b->own_off[place] = entry;
        entry = list_pairs(slot, width, entry, b->own_pair);
        for (int j = 0; j < width; j++)
            b->column[slot++] = b->blocks->first[variable] + j;
    }
    b->own_start[f->m] = slot;
    b->own_off[f->m] = entry;
}

static void choose_slots(dpc_family *f)
{
    dpc_block_family *b = f->block;
    bool all = f->place == f->all_places;
    if (!all)
        list_own(f);
    b->start = all ? b->all_start : b->own_start;
    b->off = all ? b->all_off : b->own_off;
    b->pair = all ? b->all_pair : b->own_pair;
    b->slots = b->start[f->m];
}

static int first_slot(const dpc_family *f, int u)
{
    return f->block->start[f->place[u]];
}

/* The covariances of a column of R, by slot. */
static void gather(const dpc_family *f, int column, double *to)
{
    const dpc_block_family *b = f->block;
    const double *row = b->blocks->r + (int64_t)column * b->blocks->m;
    if (f->place == f->all_places)
        memcpy(to, row, (size_t)b->slots * sizeof *to);
    else
        for (int i = 0; i < b->slots; i++)
            to[i] = row[b->column[i]];
}

/* What is asked of v at the present depth, as it would be of a scalar; see family.h. */
static void show(dpc_family *f, int left)
{
    const dpc_block_family *b = f->block;
    dpc_family_level *l = &f->level[f->depth];
    int parameters = b->p * b->used[f->depth] - f->depth;
    double more = 2 * f->stats.parameter * parameters / (double)f->stats.view.n_obs;
    l->var[f->place[f->v]] = exp((b->log_det[f->depth] + more) / b->widest);
    l->noise = left > 0 ? 0 : INFINITY;
}

dpc_status dpc_block_family_start(dpc_family *f)
{
    dpc_block_family *b = f->block;
    choose_slots(f);
    DPC_CHECK(reserve(f, 0));
    dpc_block_level *l = b->level;
    int variable = dpc_column_of(f->stats.view.labels, f->v), first = b->blocks->first[variable];
    b->p = f->stats.one_equation && width_of(b, variable) > 0 ? 1 : width_of(b, variable);
    for (int i = 0; i < b->p; i++)
        gather(f, first + i, l->t + i * b->length);
    b->used[0] = 0;
    b->log_det[0] = 0;
    show(f, b->p);
    return DPC_OK;
}

/* ---- Small matrices ---- */

/* Jacobi's rotation that makes entry (i, j) of a symmetric matrix 0. */
static void rotate(double *a, int p, int i, int j)
{
    double own = a[i * p + j];
    if (own == 0)
        return;
    double theta = (a[j * p + j] - a[i * p + i]) / (2 * own);
    double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
    double c = 1 / sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < p; k++) {
        double x = a[k * p + i], y = a[k * p + j];
        a[k * p + i] = c * x - s * y;
        a[k * p + j] = s * x + c * y;
    }
    for (int k = 0; k < p; k++) {
        double x = a[i * p + k], y = a[j * p + k];
        a[i * p + k] = c * x - s * y;
        a[j * p + k] = s * x + c * y;
    }
}

/* ln det by eigenvalues, where one of them may be none; `a` is spoilt. */
static double by_eigenvalues(const double *matrix, int p, double *a, int *left)
{
    enum { SWEEPS = 30 };
    double sum = 0, off = 1;
    for (int i = 0; i < p; i++)
        for (int j = 0; j < p; j++)
            a[i * p + j] = matrix[i > j ? i * p + j : j * p + i];
    for (int sweep = 0; sweep < SWEEPS && off > 1e-26; sweep++) {
        off = 0;
        for (int i = 0; i < p; i++)
            for (int j = 0; j < i; j++) {
                off += a[i * p + j] * a[i * p + j];
                rotate(a, p, i, j);
            }
    }
    *left = 0;
    for (int i = 0; i < p; i++) {
        *left += a[i * p + i] > DPC_DETERMINED;
        sum += log(fmax(a[i * p + i], DPC_DETERMINED));
    }
    return sum;
}

double dpc_block_log_det(const double *matrix, int p, double *a, int *left)
{
    const double safe = 10 * DPC_DETERMINED, small = 1e-200;
    double product = 1, sum = 0;
    *left = p;
    for (int i = 0; i < p; i++)
        for (int j = 0; j <= i; j++) {
            double entry = matrix[i * p + j];
            for (int k = 0; k < j; k++)
                entry -= a[i * p + k] * a[j * p + k];
            if (j < i) {
                a[i * p + j] = entry / a[j * p + j];
                continue;
            }
            if (!(entry > safe))
                return by_eigenvalues(matrix, p, a, left);
            a[i * p + i] = sqrt(entry);
            product *= entry;
            if (product < small) {
                sum += log(product);
                product = 1;
            }
        }
    return sum + log(product);
}

/* ---- What u explains ---- */

bool dpc_block_has_rows(int64_t n_obs, int most, int p, int used)
{
    return used <= most && n_obs - 1 - used - p >= LEAST_FREE;
}

static bool has_rows(const dpc_family *f, int used)
{
    return dpc_block_has_rows(f->stats.view.n_obs, f->block->most, f->block->p, used);
}

static double entry_of(const dpc_block_level *l, int first, const double *off, int i, int j)
{
    return i == j ? l->var[first + i] : off[below(i) + j];
}

/*
 * With Σ(u|S) = L Lᵀ over the columns that are left: X = L⁻¹ Σ(u,v|S), one row for each of them.
 * Returns how many.
 */
static int whiten(const dpc_family *f, const dpc_block_level *l, int u, double *x)
{
    const dpc_block_family *b = f->block;
    int first = first_slot(f, u), q = b->start[f->place[u] + 1] - first, p = b->p, rank = 0;
    const double *off = l->off + b->off[f->place[u]];
    double *factor = b->small; /* rows of those that are left, `widest` apart */
    int32_t *kept = b->kept;
    for (int i = 0; i < q; i++) {
        double *row = factor + (int64_t)rank * b->widest, pivot = l->var[first + i];
        for (int j = 0; j < rank; j++) {
            const double *above = factor + (int64_t)j * b->widest;
            double entry = entry_of(l, first, off, i, kept[j]);
            for (int k = 0; k < j; k++)
                entry -= row[k] * above[k];
            row[j] = entry / above[j];
            pivot -= row[j] * row[j];
        }
        if (!(pivot >= DPC_DETERMINED))
            continue;
        row[rank] = sqrt(pivot);
        for (int k = 0; k < p; k++) {
            double entry = l->t[k * b->length + first + i];
            for (int j = 0; j < rank; j++)
                entry -= row[j] * x[j * p + k];
            x[rank * p + k] = entry / row[rank];
        }
        kept[rank++] = i;
    }
    return rank;
}

/* Σ(v|S), less XᵀX, into the lower triangle of a matrix. */
static void explain(const dpc_family *f, const dpc_block_level *l, const double *x, int rank,
                    double *to)
{
    const dpc_block_family *b = f->block;
    int first = first_slot(f, f->v), p = b->p;
    for (int i = 0; i < p; i++)
        for (int j = 0; j <= i; j++) {
            double entry = l->t[i * b->length + first + j];
            for (int k = 0; k < rank; k++)
                entry -= x[k * p + i] * x[k * p + j];
            to[i * p + j] = entry;
        }
}

double dpc_block_log_lambda(const dpc_family *f, int u, int *rank)
{
    const dpc_block_family *b = f->block;
    const dpc_block_level *l = &b->level[b->used[f->depth]];
    int64_t square = (int64_t)b->widest * b->widest;
    double *x = b->small + square, *left = x + square;
    int some;
    *rank = whiten(f, l, u, x);
    if (*rank == 0 || !has_rows(f, b->used[f->depth] + *rank) || dpc_family_determines(f, f->v))
        return NAN;
    explain(f, l, x, *rank, left);
    return dpc_block_log_det(left, b->p, left + square, &some) - b->log_det[f->depth];
}

/* What so many columns of u cost beyond what one parameter does, as a part of ln Λ. */
static double extra(const dpc_family *f, int rank)
{
    int more = f->block->p * rank - 1;
    return 2 * f->stats.parameter * more / (double)f->stats.view.n_obs;
}

double dpc_block_equivalent(const dpc_family *f, double log_lambda, int rank)
{
    return (log_lambda + extra(f, rank)) / f->block->widest;
}

double dpc_block_log_left(const dpc_family *f, int u)
{
    int rank;
    double log_lambda = dpc_block_log_lambda(f, u, &rank);
    return dpc_block_equivalent(f, log_lambda, rank);
}

double dpc_block_square(const dpc_family *f, int u)
{
    return -expm1(dpc_block_log_left(f, u));
}

/* ---- Screening ---- */

/*
 * With Σ(v|S) = L D Lᵀ, y = L⁻¹ t and the norms Σ y² / D, for the slots from … to-1. False: S
 * leaves next to nothing of some combination of the columns of v.
 */
static bool find_norms(const dpc_family *f, const dpc_block_level *l, int from, int to)
{
    const dpc_block_family *b = f->block;
    int p = b->p, own = first_slot(f, f->v);
    double *factor = b->small, *restrict norm = b->norm;
    for (int s = from; s < to; s++)
        norm[s] = 0;
    for (int i = 0; i < p; i++) {
        const double *t = l->t + i * b->length;
        double *restrict y = b->y + i * b->length, pivot = t[own + i];
        memcpy(y + from, t + from, (size_t)(to - from) * sizeof *y);
        for (int j = 0; j < i; j++) { /* factor has L D below the diagonal, D on it */
            const double *above = b->y + j * b->length;
            double entry = t[own + j];
            for (int k = 0; k < j; k++)
                entry -= factor[i * p + k] / factor[k * p + k] * factor[j * p + k];
            factor[i * p + j] = entry;
            double share = entry / factor[j * p + j];
            pivot -= share * entry;
            for (int s = from; s < to; s++)
                y[s] -= share * above[s];
        }
        if (!(pivot > 10 * DPC_DETERMINED))
            return false;
        factor[i * p + i] = pivot;
        for (int s = from; s < to; s++)
            norm[s] += y[s] * y[s] / pivot;
    }
    return true;
}

/*
 * Can the node in a place have Λ below its cut? With Pillai's V, the sum of the ρ² whose 1 - ρ²
 * have the product Λ, Λ ≥ 1 - V. The norms of the columns of u sum up to at most V times the
 * largest, and at least V times the smallest eigenvalue of Σ(u|S), and none of these is above 1: so
 * the smallest is at least 1 - Σ (1 - var).
 */
static bool may_pass(const dpc_block_family *b, const dpc_block_level *l, int place)
{
    const double rounding = 1 + 1e-9;
    double sum = 0, least = 1;
    int first = b->start[place], end = b->start[place + 1];
    for (int s = first; s < end; s++) {
        sum += b->norm[s];
        least -= 1 - l->var[s];
    }
    return !(least > 10 * DPC_DETERMINED && 1 - sum / least > b->cut[end - first] * rounding);
}

uint64_t dpc_block_screen(const dpc_family *f, int first, int count, double limit)
{
    const dpc_block_family *b = f->block;
    const dpc_block_level *l = &b->level[b->used[f->depth]];
    double r2 = fmin(limit / dpc_family_variance(f, f->v), 1);
    double most = log1p(-r2);
    bool screens = find_norms(f, l, b->start[first], b->start[first + count]);
    uint64_t bits = 0;
    for (int q = 1; q <= b->widest; q++)
        b->cut[q] = exp(most * b->widest - extra(f, q));
    for (int i = 0; i < count; i++)
        if (!screens || may_pass(b, l, first + i))
            bits |= UINT64_C(1) << i;
    return bits;
}

/* ---- Growing ---- */

/* The covariances of the column in a slot given all columns before it, into w of the next level:
 * from one row to the other and back. */
static void condition_row(dpc_family *f, int used, int slot)
{
    dpc_block_family *b = f->block;
    dpc_block_level *after = &b->level[used + 1];
    double *from = used % 2 == 0 ? after->w : b->spare, *to;
    gather(f, f->place == f->all_places ? slot : b->column[slot], from);
    for (int i = 1; i <= used; i++, from = to) {
        const dpc_block_level *l = &b->level[i];
        to = from == after->w ? b->spare : after->w;
        f->vector->eliminate(b->slots, from, l->w, l->w[slot] / l->pivot, to);
    }
}

/* What one column more leaves of the covariances within each block. */
static void reduce_off(const dpc_family *f, const dpc_block_level *before, dpc_block_level *after)
{
    const dpc_block_family *b = f->block;
    const double *w = after->w;
    double factor = 1 / after->pivot;
    int count = b->off[f->m];
    for (int e = 0; e < count; e++)
        after->off[e] = before->off[e] - factor * w[b->pair[e].i] * w[b->pair[e].j];
}

/* The column in a slot becomes one of S. */
static dpc_status push_column(dpc_family *f, int used, int slot)
{
    dpc_block_family *b = f->block;
    DPC_CHECK(reserve(f, used + 1));
    dpc_block_level *before = &b->level[used], *after = before + 1;
    int v = first_slot(f, f->v);
    condition_row(f, used, slot);
    after->slot = slot;
    after->pivot = before->var[slot];
    f->vector->reduce(b->slots, before->var, after->w, 1 / after->pivot, after->var);
    after->var[slot] = 0; /* what is left of it is rounding */
    for (int i = 0; i < b->p; i++)
        f->vector->eliminate(b->slots, before->t + i * b->length, after->w,
                             after->w[v + i] / after->pivot, after->t + i * b->length);
    reduce_off(f, before, after);
    return DPC_OK;
}

/* ln det Σ(v|S) at the present depth, and what is shown of it. */
static void note_left(dpc_family *f)
{
    dpc_block_family *b = f->block;
    double *matrix = b->small;
    int left;
    explain(f, &b->level[b->used[f->depth]], NULL, 0, matrix);
    b->log_det[f->depth] =
        dpc_block_log_det(matrix, b->p, matrix + (int64_t)b->widest * b->widest, &left);
    show(f, left);
}

dpc_status dpc_block_family_push(dpc_family *f, int c, bool *pushed)
{
    dpc_block_family *b = f->block;
    int used = b->used[f->depth], first = first_slot(f, c), end = b->start[f->place[c] + 1];
    for (int slot = first; slot < end; slot++)
        if (b->level[used].var[slot] >= DPC_DETERMINED)
            DPC_CHECK(push_column(f, used++, slot));
    if (used == b->used[f->depth] || !has_rows(f, used))
        return DPC_OK;
    f->parent[f->depth++] = c;
    b->used[f->depth] = used;
    note_left(f);
    *pushed = true;
    return DPC_OK;
}
