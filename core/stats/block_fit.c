/* What each parent is worth in a family of blocks: see block_fit.h. */
#include "block_fit.h"

#include <math.h>
#include <string.h>

void dpc_block_fit_clear(dpc_block_fit *fit)
{
    free(fit->memory);
    free(fit->first);
    *fit = (dpc_block_fit){0};
}

static dpc_status reserve(dpc_block_fit *fit, int64_t columns, int64_t p, int64_t parents)
{
    int64_t widest = fit->family->block->widest, wanted = columns * columns + columns * p + p * p;
    double *memory =
        dpc_make_room(fit->memory, &fit->capacity, wanted + 4 * widest * widest, sizeof *memory);
    fit->memory = memory != NULL ? memory : fit->memory;
    int32_t *first =
        dpc_make_room(fit->first, &fit->first_capacity, parents + 1, sizeof *fit->first);
    fit->first = first != NULL ? first : fit->first;
    if (memory == NULL || first == NULL)
        return DPC_NO_MEMORY;
    fit->m = memory;
    fit->b = fit->m + columns * columns;
    fit->left = fit->b + columns * p;
    fit->scratch = memory + wanted;
    return DPC_OK;
}

/* L⁻¹ into the lower triangle of M, row by row: row j of it is eⱼ - Σ_i<j Lji row i. */
static void invert_factor(dpc_block_fit *fit)
{
    const dpc_block_level *level = fit->family->block->level;
    int k = fit->columns;
    for (int j = 0; j < k; j++) {
        double *row = fit->m + (int64_t)j * k;
        memset(row, 0, (size_t)j * sizeof *row);
        row[j] = 1;
        for (int i = 0; i < j; i++) {
            const double *above = fit->m + (int64_t)i * k;
            double factor = level[i + 1].w[level[j + 1].slot] / level[i + 1].pivot;
            for (int q = 0; q <= i; q++)
                row[q] -= factor * above[q];
        }
    }
}

/* B = L⁻ᵀ D⁻¹ (w of the columns of v), by the rows of L⁻¹. */
static void find_coefficients(dpc_block_fit *fit, int of_v)
{
    const dpc_block_level *level = fit->family->block->level;
    int k = fit->columns, p = fit->p;
    memset(fit->b, 0, (size_t)k * (size_t)p * sizeof *fit->b);
    for (int j = 0; j < k; j++) {
        const double *row = fit->m + (int64_t)j * k, *w = level[j + 1].w + of_v;
        for (int q = 0; q <= j; q++) {
            double factor = row[q] / level[j + 1].pivot;
            for (int i = 0; i < p; i++)
                fit->b[q * p + i] += factor * w[i];
        }
    }
}

/* M = L⁻ᵀ D⁻¹ L⁻¹ in the place of L⁻¹; entry (q, i) needs rows i … k-1 of that, and no others. */
static void square_factor(dpc_block_fit *fit)
{
    const dpc_block_level *level = fit->family->block->level;
    int64_t k = fit->columns;
    double *m = fit->m;
    for (int64_t i = 0; i < k; i++)
        for (int64_t q = 0; q <= i; q++) {
            double sum = 0;
            for (int64_t j = i; j < k; j++)
                sum += m[j * k + i] * m[j * k + q] / level[j + 1].pivot;
            m[q * k + i] = sum; /* above the diagonal, or on it when all have read it */
        }
    for (int64_t i = 0; i < k; i++)
        for (int64_t q = 0; q < i; q++)
            m[i * k + q] = m[q * k + i];
}

/* ln det Σ(v|S) of what there is now. */
static void note_left(dpc_block_fit *fit)
{
    int some;
    fit->log_det = dpc_block_log_det(fit->left, fit->p, fit->scratch, &some);
}

dpc_status dpc_block_fit_make(dpc_block_fit *fit, const dpc_family *f)
{
    const dpc_block_family *b = f->block;
    int columns = b->used[f->depth], p = b->p, of_v = b->start[f->place[f->v]];
    const dpc_block_level *last = &b->level[columns];
    fit->family = f;
    DPC_CHECK(reserve(fit, columns, p, f->depth));
    fit->columns = columns;
    fit->parents = f->depth;
    fit->p = p;
    for (int i = 0; i <= f->depth; i++)
        fit->first[i] = b->used[i];
    for (int i = 0; i < p; i++)
        for (int j = 0; j < p; j++)
            fit->left[i * p + j] = last->t[i * b->length + of_v + j];
    invert_factor(fit);
    find_coefficients(fit, of_v);
    square_factor(fit);
    note_left(fit);
    return DPC_OK;
}

/* X = L⁻¹ B[I] with M[I,I] = L Lᵀ, for q columns from `first` on. */
static void whiten(const dpc_block_fit *fit, int first, int q, double *factor, double *x)
{
    int64_t k = fit->columns;
    int p = fit->p;
    for (int i = 0; i < q; i++) {
        double *row = factor + i * q, pivot = fit->m[(first + i) * k + first + i];
        for (int j = 0; j < i; j++) {
            double entry = fit->m[(first + i) * k + first + j];
            for (int l = 0; l < j; l++)
                entry -= row[l] * factor[j * q + l];
            row[j] = entry / factor[j * q + j];
            pivot -= row[j] * row[j];
        }
        row[i] = sqrt(fmax(pivot, 1e-300));
        for (int c = 0; c < p; c++) {
            double entry = fit->b[(first + i) * p + c];
            for (int j = 0; j < i; j++)
                entry -= row[j] * x[j * p + c];
            x[i * p + c] = entry / row[i];
        }
    }
}

double dpc_block_fit_square(const dpc_block_fit *fit, int at)
{
    int first = fit->first[at], q = fit->first[at + 1] - first, p = fit->p, some;
    int64_t square = (int64_t)fit->family->block->widest * fit->family->block->widest;
    double *factor = fit->scratch, *x = factor + square, *grown = x + square;
    whiten(fit, first, q, factor, x);
    for (int i = 0; i < p; i++)
        for (int j = 0; j <= i; j++) {
            double entry = fit->left[i * p + j];
            for (int l = 0; l < q; l++)
                entry += x[l * p + i] * x[l * p + j];
            grown[i * p + j] = entry;
        }
    double log_lambda = fit->log_det - dpc_block_log_det(grown, p, grown + square, &some);
    return -expm1(dpc_block_equivalent(fit->family, log_lambda, q));
}

/* The same matrices given all columns but c, whose row and column stay as they are. */
static void sweep(dpc_block_fit *fit, int c)
{
    int64_t k = fit->columns;
    int p = fit->p;
    const double *row = fit->m + c * k, *b = fit->b + (int64_t)c * p;
    double pivot = row[c];
    for (int i = 0; i < p; i++)
        for (int j = 0; j < p; j++)
            fit->left[i * p + j] += b[i] * b[j] / pivot;
    for (int64_t j = 0; j < k; j++) {
        double f = fit->m[j * k + c] / pivot;
        if (j == c)
            continue;
        for (int i = 0; i < p; i++)
            fit->b[j * p + i] -= f * b[i];
        for (int64_t l = 0; l < k; l++)
            fit->m[j * k + l] -= f * row[l];
    }
}

/* Takes out the rows and columns from `first` on. */
static void close_up(dpc_block_fit *fit, int first, int count)
{
    int64_t k = fit->columns, p = fit->p, kept = k - count;
    double *to = fit->m;
    for (int64_t i = 0; i < k; i++)
        for (int64_t j = 0; j < k; j++)
            if ((i < first || i >= first + count) && (j < first || j >= first + count))
                *to++ = fit->m[i * k + j];
    memmove(fit->b + first * p, fit->b + (first + count) * p,
            (size_t)(kept - first) * (size_t)p * sizeof *fit->b);
    fit->columns = (int)kept;
}

void dpc_block_fit_drop(dpc_block_fit *fit, int at)
{
    int first = fit->first[at], count = fit->first[at + 1] - first;
    for (int c = first; c < first + count; c++)
        sweep(fit, c);
    close_up(fit, first, count);
    for (int i = at; i < fit->parents; i++)
        fit->first[i] = fit->first[i + 1] - count;
    fit->parents--;
    note_left(fit);
}
