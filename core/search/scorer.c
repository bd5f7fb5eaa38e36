/* What one worker needs to score families: see scorer.h. */
#include "scorer.h"

#include "alloc.h"

#include <math.h>
#include <string.h>

dpc_status dpc_scorer_init(dpc_scorer *h, const dpc_scoring *scoring)
{
    int64_t n = scoring->stats.n;
    *h = (dpc_scorer){.scoring = scoring};
    h->candidates = dpc_arena_alloc(&h->memory, n, sizeof *h->candidates);
    h->room = dpc_arena_alloc(&h->memory, 2 * n, sizeof *h->room);
    h->list = dpc_arena_alloc(&h->memory, n + 1, sizeof *h->list);
    h->parent = dpc_arena_alloc(&h->memory, n + 1, sizeof *h->parent);
    h->square = dpc_arena_alloc(&h->memory, n + DPC_APART, sizeof *h->square);
    DPC_CHECK(dpc_family_init(&h->family, &scoring->stats, DPC_NOISE_EXACT));
    return dpc_arena_failed(&h->memory) ? DPC_NO_MEMORY : DPC_OK;
}

void dpc_scorer_clear(dpc_scorer *h)
{
    dpc_family_clear(&h->family);
    dpc_arena_clear(&h->memory);
    free(h->matrix);
    dpc_block_fit_clear(&h->fit);
    *h = (dpc_scorer){0};
}

/* What S leaves of v, at least what rounding would. */
static double left_of_v(const dpc_scorer *h)
{
    return fmax(dpc_family_variance(&h->family, h->family.v), DPC_LEAST_LEFT);
}

double dpc_scorer_score(const dpc_scorer *h, int count)
{
    return dpc_score_of(dpc_deviance_of_left(left_of_v(h), count, h->scoring->weight),
                        h->scoring->price);
}

/* ---- Parents to be had ---- */

int dpc_scorer_above(dpc_scorer *h, double least)
{
    const dpc_family *f = &h->family;
    double limit = least * dpc_family_variance(f, f->v);
    int count = 0;
    if (dpc_family_determines(f, f->v))
        return 0;
    for (int first = 0; first < f->m; first += 64)
        for (uint64_t bits = dpc_family_screen(f, first, limit); bits != 0; bits &= bits - 1) {
            int u = dpc_family_node(f, first + __builtin_ctzll(bits));
            double square = u != f->v ? dpc_family_square_of(f, u) : NAN;
            if (square > least) /* not where it is NaN */
                h->candidates[count++] = (dpc_candidate){square, u};
        }
    return count;
}

int dpc_scorer_candidates(dpc_scorer *h)
{
    int above = dpc_scorer_above(h, h->scoring->least), count = 0;
    for (int i = 0; i < above; i++)
        if (dpc_may_be_parent(h->scoring, h->candidates[i].node, h->family.v))
            h->candidates[count++] = h->candidates[i];
    return count;
}

void dpc_scorer_sort(dpc_scorer *h, int count)
{
    dpc_sort_candidates(h->candidates, count, DPC_LEAST_LEFT / left_of_v(h) / 10, h->room);
}

/* ---- What each parent is worth ---- */

/* The matrix has k rows of M, then b, then one number: the variance of v. */
static dpc_status make_room(dpc_scorer *h, int64_t k)
{
    int64_t wanted = k * k + k + 1;
    if (wanted <= h->capacity)
        return DPC_OK;
    double *matrix = dpc_regrow(h->matrix, 2 * wanted, sizeof *matrix);
    if (matrix == NULL)
        return DPC_NO_MEMORY;
    h->matrix = matrix;
    h->capacity = 2 * wanted;
    return DPC_OK;
}

/* L⁻¹ into the lower triangle, row by row: row j of it is eⱼ - Σ_i<j Lji row i. */
static void invert_factor(const dpc_scorer *h, int k, double *m)
{
    const dpc_family *f = &h->family;
    for (int j = 0; j < k; j++) {
        double *row = m + (int64_t)j * k;
        int at = f->place[h->parent[j]];
        for (int q = 0; q < j; q++)
            row[q] = 0;
        row[j] = 1;
        for (int i = 0; i < j; i++) {
            double factor = f->level[i + 1].w[at] / f->level[i + 1].pivot;
            const double *above = m + (int64_t)i * k;
            for (int q = 0; q <= i; q++)
                row[q] -= factor * above[q];
        }
    }
}

/* M = L⁻ᵀ D⁻¹ L⁻¹ in the place of L⁻¹; row i of M needs rows i … k-1 of that, and no others.
 * The squares are spoilt. */
static void square_factor(const dpc_scorer *h, int k, double *m)
{
    const dpc_family *f = &h->family;
    double *restrict sum = h->square; /* by columns side by side, for the vector units */
    for (int i = 0; i < k; i++) {
        for (int q = 0; q <= i; q++)
            sum[q] = 0;
        for (int j = i; j < k; j++) {
            const double *row = m + (int64_t)j * k;
            double own = row[i], pivot = f->level[j + 1].pivot;
            for (int q = 0; q <= i; q++)
                sum[q] += own * row[q] / pivot;
        }
        for (int q = 0; q <= i; q++)
            m[(int64_t)q * k + i] = sum[q]; /* above the diagonal, or on it when all have read it */
    }
    for (int i = 0; i < k; i++)
        for (int q = 0; q < i; q++)
            m[(int64_t)i * k + q] = m[(int64_t)q * k + i];
}

/* The losses of v, by b and the diagonal of M. */
static void find_squares(dpc_scorer *h)
{
    int k = h->size;
    const double *m = h->matrix, *b = m + (int64_t)k * k;
    for (int i = 0; i < k; i++) {
        double grown = b[i] * b[i] / m[(int64_t)i * k + i];
        h->square[i] = grown / (b[k] + grown);
    }
}

/* The same of blocks. */
static void find_block_squares(dpc_scorer *h)
{
    for (int i = 0; i < h->size; i++)
        h->square[i] = dpc_block_fit_square(&h->fit, i);
}

static dpc_status make_block_squares(dpc_scorer *h)
{
    h->size = h->family.depth;
    DPC_CHECK(dpc_block_fit_make(&h->fit, &h->family));
    find_block_squares(h);
    return DPC_OK;
}

dpc_status dpc_scorer_squares(dpc_scorer *h)
{
    const dpc_family *f = &h->family;
    int k = f->depth;
    if (k > 0)
        memcpy(h->parent, f->parent, (size_t)k * sizeof *h->parent);
    if (f->block != NULL)
        return make_block_squares(h);
    DPC_CHECK(make_room(h, k));
    double *m = h->matrix, *b = m + (int64_t)k * k;
    invert_factor(h, k, m);
    b[k] = left_of_v(h);
    double *restrict own = h->square;
    for (int q = 0; q < k; q++)
        b[q] = own[q] = 0;
    for (int j = 0; j < k; j++) { /* b = L⁻ᵀ (wj[v] / pj), and the diagonal of M */
        const double *row = m + (int64_t)j * k;
        double pivot = f->level[j + 1].pivot, of_v = f->level[j + 1].w[f->place[f->v]];
        for (int q = 0; q <= j; q++) {
            double factor = row[q] / pivot;
            b[q] += factor * of_v;
            own[q] += factor * row[q];
        }
    }
    for (int q = 0; q < k; q++) {
        double grown = b[q] * b[q] / own[q];
        own[q] = grown / (b[k] + grown);
    }
    h->size = k;
    h->inverted = false;
    return DPC_OK;
}

/* The same matrices without row and column i, in a smaller space. */
static void close_up(dpc_scorer *h, int i)
{
    int k = h->size;
    double *to = h->matrix;
    for (int j = 0; j <= k; j++) { /* the last row is b */
        const double *row = h->matrix + (int64_t)j * k;
        for (int q = 0; j != i && q < i; q++)
            *to++ = row[q];
        for (int q = i + 1; j != i && q < k; q++)
            *to++ = row[q];
    }
    *to = h->matrix[(int64_t)k * k + k];
}

/* The parents without parent i. */
static void leave_out(dpc_scorer *h, int i)
{
    h->size--;
    memmove(h->parent + i, h->parent + i + 1, (size_t)(h->size - i) * sizeof *h->parent);
}

static void drop_block(dpc_scorer *h, int i)
{
    dpc_block_fit_drop(&h->fit, i);
    leave_out(h, i);
    find_block_squares(h);
}

static void drop_scalar(dpc_scorer *h, int i)
{
    int k = h->size;
    double *m = h->matrix, *b = m + (int64_t)k * k;
    const double *mi = m + (int64_t)i * k;
    if (!h->inverted)
        square_factor(h, k, m);
    h->inverted = true;
    b[k] += b[i] * b[i] / mi[i];
    for (int j = 0; j < k; j++) {
        double f = m[(int64_t)j * k + i] / mi[i];
        if (j == i)
            continue;
        b[j] -= f * b[i];
        for (int q = 0; q < k; q++)
            m[(int64_t)j * k + q] -= f * mi[q];
    }
    close_up(h, i);
    leave_out(h, i);
    find_squares(h);
}

void dpc_scorer_drop(dpc_scorer *h, int i)
{
    if (h->family.block != NULL)
        drop_block(h, i);
    else
        drop_scalar(h, i);
}

/* The parent whose loss gains most; -1: none is a gain. */
static int find_worst(const dpc_scorer *h, double *gain)
{
    const dpc_scoring *s = h->scoring;
    int worst = -1;
    for (int i = 0; i < h->size; i++) {
        if (h->square[i] > s->least || dpc_required_parent(s, h->parent[i], h->family.v))
            continue;
        double g = s->price - dpc_likelihood_of(s, h->square[i]);
        bool tied = worst >= 0 && fabs(g - *gain) <= s->slack;
        if (tied ? h->parent[i] < h->parent[worst] : g > s->slack && (worst < 0 || g > *gain)) {
            worst = i;
            *gain = g;
        }
    }
    return worst;
}

dpc_status dpc_scorer_shrink(dpc_scorer *h, double *score)
{
    double gain = 0;
    int worst;
    DPC_CHECK(dpc_scorer_squares(h));
    while (h->size > 0 && (worst = find_worst(h, &gain)) >= 0) {
        *score += gain;
        dpc_scorer_drop(h, worst);
    }
    return DPC_OK;
}

dpc_status dpc_scorer_losses(dpc_scorer *h, const int32_t *parents, int count, double *losses)
{
    DPC_CHECK(dpc_scorer_squares(h));
    for (int i = 0, at = 0; i < count; i++) {
        bool in = at < h->size && h->parent[at] == parents[i];
        losses[i] = in ? dpc_likelihood_of(h->scoring, h->square[at++]) : 0;
    }
    return DPC_OK;
}

/* ---- The workers ---- */

dpc_status dpc_workers_init(dpc_workers *s, const dpc_scoring *scoring, dpc_crew *crew)
{
    *s = (dpc_workers){scoring, crew, dpc_zalloc(crew->threads, sizeof *s->each)};
    for (int w = 0; s->each != NULL && w < crew->threads; w++)
        DPC_CHECK(dpc_scorer_init(&s->each[w], scoring));
    return s->each != NULL ? DPC_OK : DPC_NO_MEMORY;
}

void dpc_workers_clear(dpc_workers *s)
{
    for (int w = 0; s->each != NULL && w < s->crew->threads; w++)
        dpc_scorer_clear(&s->each[w]);
    free(s->each);
    *s = (dpc_workers){0};
}

bool dpc_workers_halted(const dpc_workers *s, int worker)
{
    return dpc_crew_stopped(s->crew, worker);
}
