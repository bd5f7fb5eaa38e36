/* Blocks of columns: see blocks.h. */
#include "blocks.h"

#include "alloc.h"
#include "arena.h"
#include "codes.h"
#include "status.h"

#include <math.h>
#include <string.h>

/* A column of which those before it in its block leave less is not there. */
static const double DETERMINED = 1e-9;

/* 1 - Λ is not told from 1 beyond this: what is left of the determinant is rounding. */
static const double LEAST_PIVOT = 1e-14;

void dpc_blocks_free(dpc_blocks *blocks)
{
    if (blocks == NULL)
        return;
    free(blocks->first);
    free(blocks->r);
    free(blocks->lead);
    dpc_codes_free(blocks->codes);
    free(blocks->times);
    free(blocks->number);
    free(blocks);
}

dpc_status dpc_blocks_set_times(dpc_blocks *blocks, const int32_t *times, dpc_error *err)
{
    if (blocks->codes == NULL)
        return DPC_OK;
    int64_t rows = blocks->codes->n_rows;
    int32_t *copy = dpc_alloc(rows, sizeof *copy);
    if (copy == NULL)
        return dpc_fail_memory(err, "the rows of a resample");
    memcpy(copy, times, (size_t)rows * sizeof *copy);
    free(blocks->times);
    blocks->times = copy;
    return DPC_OK;
}

/* ---- Orthonormal blocks ---- */

typedef struct making {
    const double *r; /* m × m */
    const int32_t *first;
    const bool *constant;
    int n, m;
    dpc_arena arena;
    int32_t *kept;  /* the columns that stay, block after block … */
    int32_t *start; /* … by variable, n + 1 … */
    double *inverse; /* … and the rows of the inverse of the factor of each block, `widest` apart */
    double *half;    /* R between the kept columns and the new columns */
    int widest;
} making;

static int widest_block(const int32_t *first, int n)
{
    int widest = 1;
    for (int v = 0; v < n; v++)
        widest = first[v + 1] - first[v] > widest ? first[v + 1] - first[v] : widest;
    return widest;
}

/*
 * Column c as a row of the inverse of the Cholesky factor of its block: with e = R(c, kept) Gᵀ the
 * coefficients on the orthonormal columns before it, the new one is (c - Σ e_i g_i) / sqrt(1 -
 * |e|²). False: those before it determine it.
 */
static bool add_column(const making *k, int start, int count, int c)
{
    double *row = k->inverse + (int64_t)(start + count) * k->widest, left = 1;
    memset(row, 0, (size_t)k->widest * sizeof *row);
    for (int i = 0; i < count; i++) {
        const double *before = k->inverse + (int64_t)(start + i) * k->widest;
        double e = 0;
        for (int j = 0; j <= i; j++)
            e += before[j] * k->r[(int64_t)c * k->m + k->kept[start + j]];
        for (int j = 0; j <= i; j++)
            row[j] -= e * before[j];
        left -= e * e;
    }
    if (!(left >= DETERMINED))
        return false;
    row[count] = 1;
    for (int j = 0; j <= count; j++)
        row[j] /= sqrt(left);
    k->kept[start + count] = c;
    return true;
}

static void choose_columns(making *k)
{
    int total = 0;
    for (int v = 0; v < k->n; v++) {
        int count = 0;
        k->start[v] = total;
        for (int c = k->first[v]; c < k->first[v + 1]; c++)
            if ((k->constant == NULL || !k->constant[c]) && add_column(k, total, count, c))
                count++;
        total += count;
    }
    k->start[k->n] = total;
}

/* R between the new columns: G R Gᵀ, first by columns, then by rows. */
static void transform(const making *k, double *r)
{
    int64_t m = k->start[k->n];
    for (int v = 0; v < k->n; v++)
        for (int i = k->start[v]; i < k->start[v + 1]; i++) {
            const double *row = k->inverse + (int64_t)i * k->widest;
            for (int64_t j = 0; j < m; j++) {
                double sum = 0;
                for (int l = k->start[v]; l <= i; l++)
                    sum += row[l - k->start[v]] * k->r[(int64_t)k->kept[l] * k->m + k->kept[j]];
                k->half[i * m + j] = sum;
            }
        }
    for (int v = 0; v < k->n; v++)
        for (int j = k->start[v]; j < k->start[v + 1]; j++) {
            const double *row = k->inverse + (int64_t)j * k->widest;
            for (int64_t i = 0; i < k->start[v]; i++) { /* the variables before v */
                double sum = 0;
                for (int l = k->start[v]; l <= j; l++)
                    sum += row[l - k->start[v]] * k->half[i * m + l];
                r[i * m + j] = r[j * m + i] = sum;
            }
            for (int i = k->start[v]; i < k->start[v + 1]; i++)
                r[i * m + j] = i == j;
        }
}

static dpc_status make(making *k, dpc_blocks *out)
{
    int64_t n = k->n, m = k->m;
    k->kept = dpc_arena_alloc(&k->arena, m, sizeof *k->kept);
    k->start = dpc_arena_alloc(&k->arena, n + 1, sizeof *k->start);
    k->inverse = dpc_arena_alloc(&k->arena, m * k->widest, sizeof *k->inverse);
    k->half = dpc_arena_alloc(&k->arena, m * m, sizeof *k->half);
    if (dpc_arena_failed(&k->arena))
        return DPC_NO_MEMORY;
    choose_columns(k);
    *out = (dpc_blocks){.n = k->n, .m = k->start[n]};
    out->first = dpc_alloc(n + 1, sizeof *out->first);
    out->r = dpc_alloc_aligned((int64_t)out->m * out->m);
    if (out->first == NULL || out->r == NULL)
        return DPC_NO_MEMORY;
    memcpy(out->first, k->start, (size_t)(n + 1) * sizeof *out->first);
    transform(k, out->r);
    return DPC_OK;
}

dpc_status dpc_blocks_make(const double *r, const int32_t *first, int n, const bool *constant,
                           dpc_blocks **out, dpc_error *err)
{
    making k = {.r = r,
                .first = first,
                .constant = constant,
                .n = n,
                .m = first[n],
                .widest = widest_block(first, n)};
    dpc_blocks *blocks = dpc_zalloc(1, sizeof *blocks);
    dpc_status status = blocks != NULL ? make(&k, blocks) : DPC_NO_MEMORY;
    dpc_arena_clear(&k.arena);
    if (status != DPC_OK) {
        dpc_blocks_free(blocks);
        return dpc_fail_memory(err, "the blocks of columns");
    }
    *out = blocks;
    return DPC_OK;
}

/* ---- Two of them ---- */

int64_t dpc_blocks_room(const dpc_blocks *blocks)
{
    int64_t widest = widest_block(blocks->first, blocks->n);
    return widest * widest;
}

/* ln det of I - C Cᵀ by its Cholesky factor, of the order of the narrower block. */
double dpc_blocks_log_lambda(const dpc_blocks *b, int x, int y, double *room)
{
    if (dpc_block_width(b, x) > dpc_block_width(b, y)) {
        int other = x;
        x = y;
        y = other;
    }
    int p = dpc_block_width(b, x), q = dpc_block_width(b, y);
    double sum = 0;
    for (int i = 0; i < p; i++) {
        const double *ci = b->r + (int64_t)(b->first[x] + i) * b->m + b->first[y];
        for (int j = 0; j <= i; j++) {
            const double *cj = b->r + (int64_t)(b->first[x] + j) * b->m + b->first[y];
            double entry = i == j;
            for (int l = 0; l < q; l++)
                entry -= ci[l] * cj[l];
            for (int l = 0; l < j; l++)
                entry -= room[i * p + l] * room[j * p + l];
            if (j < i)
                room[i * p + j] = entry / room[j * p + j];
            else
                room[i * p + i] = sqrt(entry = fmax(entry, LEAST_PIVOT)), sum += log(entry);
        }
    }
    return sum;
}

double dpc_association(double log_lambda, int least)
{
    return least > 0 ? sqrt(fmax(0, -expm1(log_lambda / least))) : 0;
}
