/*
 * The expectation step of EM: see em_expect.h.
 *
 * A row with the cells o, and without the cells m, is completed by their expected values, and the
 * variance of these is added to the squares. There are two ways, and each set of rows that lack the
 * same goes the cheaper one. With Ω = Σ⁻¹
 *
 *     x_m = μ_m - Ω_mm⁻¹ Ω_mo (x_o - μ_o),     variance = Ω_mm⁻¹ ,
 *
 * which costs the cube of the number of missing cells; where few cells are there,
 *
 *     x_m = μ_m + Σ_mo Σ_oo⁻¹ (x_o - μ_o),     variance = Σ_mm - Σ_mo Σ_oo⁻¹ Σ_om .
 *
 * The likelihood of the cells that are there comes along: with z a completed row less μ it is
 * -(log |Σ_oo| + zᵀΩz) / 2, where log |Σ_oo| = log |Σ| + log |Ω_mm|; and the sum of all zᵀΩz is the
 * product of Ω with the sum of squares, less 1 for each missing cell, whose variance is in there.
 *
 * The bytes do not depend on the number of threads: see DPC_EM_PARTS.
 */
#include "em_expect.h"

#include "linalg.h"

#include <math.h>
#include <string.h>

enum {
    PARTS = DPC_EM_PARTS,
    BLOCK = 128, /* completed rows that are squared at a time */
    SMALL = 20,  /* missing cells */
};

/* ---- The columns, in an order of their own ---- */

typedef struct column_key {
    int64_t cells;
    double skewness;
    const double *x;
    size_t size;
    int32_t column;
} column_key;

/* The columns with most cells first; the rest makes the order the same, however they were given. */
static int by_cells(const void *a, const void *b)
{
    const column_key *x = a, *y = b;
    if (x->cells != y->cells)
        return x->cells > y->cells ? -1 : 1;
    if (x->skewness != y->skewness)
        return x->skewness > y->skewness ? -1 : 1;
    int order = memcmp(x->x, y->x, x->size);
    return order != 0 ? order : x->column - y->column;
}

static void sort_columns(const dpc_incomplete *in, column_key *keys, dpc_em_rows *rows)
{
    for (int j = 0; j < in->n_vars; j++) {
        if (in->constant[j])
            continue;
        const double *x = in->x + j * in->n_obs;
        column_key key = {.x = x, .size = (size_t)in->n_obs * sizeof *x, .column = j};
        for (int64_t i = 0; i < in->n_obs; i++)
            if (!isnan(x[i])) {
                key.cells++;
                key.skewness += x[i] * x[i] * x[i];
            }
        keys[rows->n++] = key;
    }
    qsort(keys, (size_t)rows->n, sizeof *keys, by_cells);
    for (int j = 0; j < rows->n; j++)
        rows->column[j] = keys[j].column;
}

/* ---- Rows, sorted by what they lack ---- */

typedef struct row_key {
    const char *lack; /* a string of what it lacks */
    int64_t row;
} row_key;

/* Seven cells a byte, which is never 0. False: it lacks all. */
static bool describe(const dpc_em_rows *rows, const dpc_incomplete *in, int64_t row, char *to,
                     int64_t width)
{
    bool any = false;
    memset(to, 0x80, (size_t)width - 1);
    to[width - 1] = '\0';
    for (int j = 0; j < rows->n; j++) {
        bool lacks = isnan(in->x[rows->column[j] * in->n_obs + row]);
        any |= !lacks;
        to[j / 7] = (char)(to[j / 7] | lacks << j % 7);
    }
    return any;
}

static int by_lack(const void *a, const void *b)
{
    const row_key *x = a, *y = b;
    int order = strcmp(x->lack, y->lack);
    return order != 0 ? order : (x->row > y->row) - (x->row < y->row);
}

static void sort_rows(const dpc_incomplete *in, row_key *keys, char *strings, dpc_em_rows *rows)
{
    int64_t n = rows->n, width = (n + 6) / 7 + 1, count = 0;
    for (int64_t i = 0; i < in->n_obs; i++) {
        char *to = strings + i * width;
        if (describe(rows, in, i, to, width))
            keys[count++] = (row_key){to, i};
    }
    qsort(keys, (size_t)count, sizeof *keys, by_lack);
    for (int64_t i = 0; i < count; i++)
        for (int64_t j = 0; j < n; j++)
            rows->cells[i * n + j] = in->x[rows->column[j] * in->n_obs + keys[i].row];
    for (int64_t i = count - 1; i >= 0; i--) {
        bool last = i == count - 1 || strcmp(keys[i].lack, keys[i + 1].lack) != 0;
        rows->end[i] = last ? i + 1 : rows->end[i + 1];
    }
    rows->n_rows = count;
}

dpc_em_rows dpc_em_rows_make(const dpc_incomplete *in, dpc_arena *arena)
{
    dpc_arena keys = {0};
    int64_t n = in->n_vars;
    dpc_em_rows rows = {
        .column = dpc_arena_alloc(arena, n, sizeof *rows.column),
        .cells = dpc_arena_aligned(arena, in->n_obs * n),
        .end = dpc_arena_alloc(arena, in->n_obs, sizeof *rows.end),
    };
    column_key *columns = dpc_arena_alloc(&keys, n, sizeof *columns);
    row_key *order = dpc_arena_alloc(&keys, in->n_obs, sizeof *order);
    char *strings = dpc_arena_alloc(&keys, in->n_obs, (size_t)(n + 6) / 7 + 1);
    arena->failed = arena->failed || dpc_arena_failed(&keys);
    if (!dpc_arena_failed(arena)) {
        sort_columns(in, columns, &rows);
        sort_rows(in, order, strings, &rows);
    }
    dpc_arena_clear(&keys);
    return rows;
}

/* ---- One part of the rows ---- */

typedef struct expectation {
    const dpc_em_rows *rows;
    const dpc_em_point *at;
    const dpc_em_room *room;
    dpc_em_sums *sums;
    dpc_crew *crew;
} expectation;

/* A worker's, for the rows of a part. */
typedef struct part {
    const dpc_em_rows *rows;
    const dpc_em_point *at;
    double *first, *second;   /* its sums */
    double *variance;         /* of what is missing; lower triangle at least */
    double *factor;           /* F with F Fᵀ = Σ_oo, where that way is gone */
    double *across;           /* the columns m of Ω; or F⁻¹ Σ_om */
    double *expected;         /* what is missing, in columns of k; and on the way to it */
    double *block;            /* completed rows less μ, each a column of n */
    int filled;               /* of these */
    int32_t *missing, *there; /* m and o; together they have n */
    int k, seen;              /* how many they are */
    bool by_seen;             /* the way of Σ_oo, not of Ω_mm */
} part;

static int64_t part_room(int64_t n)
{
    return 3 * n * n + 3 * n * BLOCK;
}

static part part_of(const expectation *e, int64_t index, int worker)
{
    int64_t n = e->rows->n, square = n * n;
    double *room = e->room->work + worker * part_room(n);
    part p = {.rows = e->rows,
              .at = e->at,
              .first = e->sums->first + index * n,
              .second = e->sums->second + index * square,
              .variance = room,
              .factor = room + square,
              .across = room + 2 * square,
              .expected = room + 3 * square,
              .block = room + 3 * square + 2 * n * BLOCK,
              .missing = e->room->list + worker * 2 * n,
              .there = e->room->list + worker * 2 * n + n};
    memset(p.first, 0, (size_t)n * sizeof *p.first);
    memset(p.second, 0, (size_t)square * sizeof *p.second);
    return p;
}

/* Σ (x - μ) and its square of the completed rows so far. */
static void add_block(part *p)
{
    const double one = 1;
    int n = p->rows->n;
    for (int i = 0; i < p->filled; i++)
        for (int64_t j = 0; j < n; j++)
            p->first[j] += p->block[i * (int64_t)n + j];
    dsyrk_("U", "N", &n, &p->filled, &one, p->block, &n, &one, p->second, &n);
    p->filled = 0;
}

/* The rows `list` and the columns `of` of a matrix. */
static void select_from(const double *matrix, int64_t n, const int32_t *list, int count,
                        const int32_t *of, int columns, double *to)
{
    for (int64_t j = 0; j < columns; j++)
        for (int64_t i = 0; i < count; i++)
            to[j * count + i] = matrix[of[j] * n + list[i]];
}

/* log |A| of its factor. */
static double log_det_of(const double *factor, int64_t k)
{
    double sum = 0;
    for (int64_t j = 0; j < k; j++)
        sum += log(factor[j * k + j]);
    return 2 * sum;
}

/* A⁻¹ in place of the symmetric positive definite A, by sweeping; returns log |A|. */
static double sweep(double *a, int64_t k)
{
    double log_det = 0;
    for (int64_t p = 0; p < k; p++) {
        double *row = a + p * k, inverse = 1 / row[p];
        log_det -= log(inverse);
        row[p] = 1;
        for (int64_t j = 0; j < k; j++)
            row[j] *= inverse;
        for (int64_t i = 0; i < k; i++) {
            double *other = a + i * k, f = other[p];
            if (i == p)
                continue;
            other[p] = 0;
            for (int64_t j = 0; j < k; j++)
                other[j] -= f * row[j];
        }
    }
    return log_det;
}

/* The same: small ones without LAPACK, whose calls take longer than their work. */
static double invert(double *a, int k)
{
    int info;
    if (k <= SMALL)
        return sweep(a, k);
    dpotrf_("L", &k, a, &k, &info); /* of a definite matrix: it cannot fail */
    double log_det = log_det_of(a, k);
    dtrtri_("L", "N", &k, a, &k, &info);
    dlauum_("L", &k, a, &k, &info);
    for (int64_t j = 0; j < k; j++)
        for (int64_t i = j + 1; i < k; i++)
            a[i * k + j] = a[j * k + i];
    return log_det;
}

/* The variance of what is missing, and what it takes to expect it. Returns log |Σ_oo|. */
static double prepare_by_missing(part *p)
{
    int64_t n = p->rows->n;
    for (int64_t j = 0; j < p->k; j++)
        memcpy(p->across + j * n, p->at->omega + p->missing[j] * n, (size_t)n * sizeof *p->across);
    select_from(p->at->omega, n, p->missing, p->k, p->missing, p->k, p->variance);
    return p->at->log_det + invert(p->variance, p->k);
}

static double prepare_by_seen(part *p)
{
    const double one = 1, minus = -1;
    int n = p->rows->n, info;
    select_from(p->at->sigma, n, p->there, p->seen, p->there, p->seen, p->factor);
    select_from(p->at->sigma, n, p->there, p->seen, p->missing, p->k, p->across);
    select_from(p->at->sigma, n, p->missing, p->k, p->missing, p->k, p->variance);
    dpotrf_("L", &p->seen, p->factor, &p->seen, &info);
    dtrsm_("L", "L", "N", "N", &p->seen, &p->k, &one, p->factor, &p->seen, p->across, &p->seen);
    dsyrk_("L", "T", &p->k, &p->seen, &minus, p->across, &p->seen, &one, p->variance, &p->k);
    return log_det_of(p->factor, p->seen);
}

/* For `rows` rows that lack what this one lacks. Returns log |Σ_oo|. */
static double prepare(part *p, const double *row, int64_t rows)
{
    int n = p->rows->n;
    p->k = p->seen = 0;
    for (int j = 0; j < n; j++)
        if (isnan(row[j]))
            p->missing[p->k++] = j;
        else
            p->there[p->seen++] = j;
    if (p->k == 0)
        return p->at->log_det;
    double k = p->k, o = p->seen, count = (double)rows;
    double by_seen = o * o * (o / 3 + k + count) + o * k * (k + count);
    double by_missing = k * k * k + count * k * (n + k);
    p->by_seen = by_seen < by_missing;
    return p->by_seen ? prepare_by_seen(p) : prepare_by_missing(p);
}

/* The expected values of what `rows` rows lack; these have 0 there. */
static void expect_missing(const part *p, const double *from, int rows)
{
    const double one = 1, minus = -1, none = 0;
    int n = p->rows->n;
    double *other = p->expected + (int64_t)p->k * rows;
    if (!p->by_seen) {
        other = p->expected + (int64_t)n * BLOCK;
        dgemm_("T", "N", &p->k, &rows, &n, &minus, p->across, &n, from, &n, &none, other, &p->k);
        dgemm_("N", "N", &p->k, &rows, &p->k, &one, p->variance, &p->k, other, &p->k, &none,
               p->expected, &p->k);
        return;
    }
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < p->seen; j++)
            other[i * p->seen + j] = from[i * n + p->there[j]];
    dtrsm_("L", "L", "N", "N", &p->seen, &rows, &one, p->factor, &p->seen, other, &p->seen);
    dgemm_("T", "N", &p->k, &rows, &p->seen, &one, p->across, &p->seen, other, &p->seen, &none,
           p->expected, &p->k);
}

/* Completes `rows` rows from `from` on, as the next ones of the block. */
static void complete(part *p, int64_t from, int rows)
{
    int64_t n = p->rows->n;
    const double *cells = p->rows->cells + from * n;
    double *to = p->block + p->filled * n;
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < n; j++)
            to[i * n + j] = isnan(cells[i * n + j]) ? 0 : cells[i * n + j] - p->at->mean[j];
    p->filled += rows;
    if (p->k == 0)
        return;
    expect_missing(p, to, rows);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < p->k; j++)
            to[i * n + p->missing[j]] = p->expected[i * p->k + j];
}

/* The variance of what was missing, `rows` times. */
static void add_variance(part *p, int64_t rows)
{
    int64_t n = p->rows->n;
    for (int64_t i = 0; i < p->k; i++) /* the list ascends: entry i ≥ j is above the diagonal */
        for (int64_t j = 0; j <= i; j++)
            p->second[p->missing[i] * n + p->missing[j]] +=
                (double)rows * p->variance[j * p->k + i];
}

static void expect_part(void *context, int64_t index, int worker)
{
    const expectation *e = context;
    const dpc_em_rows *all = e->rows;
    part p = part_of(e, index, worker);
    double log_det = 0, cells = 0;
    int64_t at = all->n_rows * index / PARTS, end = all->n_rows * (index + 1) / PARTS;
    while (at < end && !dpc_crew_stopped(e->crew, worker)) {
        int64_t from = at, last = all->end[at] < end ? all->end[at] : end;
        log_det += (double)(last - from) * prepare(&p, all->cells + at * all->n, last - from);
        cells += (double)(last - from) * p.k;
        while (at < last) {
            int rows = last - at < BLOCK - p.filled ? (int)(last - at) : BLOCK - p.filled;
            complete(&p, at, rows);
            at += rows;
            if (p.filled == BLOCK)
                add_block(&p);
        }
        add_variance(&p, last - from);
    }
    if (p.filled > 0)
        add_block(&p);
    e->sums->log_det[index] = log_det;
    e->sums->cells[index] = cells;
}

/* ---- All of them ---- */

dpc_em_sums dpc_em_sums_make(int n, dpc_arena *arena)
{
    int64_t parts = PARTS, square = (int64_t)n * n;
    return (dpc_em_sums){
        .first = dpc_arena_alloc(arena, parts * n, sizeof(double)),
        .second = dpc_arena_aligned(arena, parts * square),
    };
}

dpc_em_room dpc_em_room_make(int n, int threads, dpc_arena *arena)
{
    return (dpc_em_room){
        .work = dpc_arena_aligned(arena, threads * part_room(n)),
        .list = dpc_arena_alloc(arena, 2 * (int64_t)n * threads, sizeof(int32_t)),
    };
}

/* The sums of the parts, into those of the first; and the likelihood. */
static void add_parts(const dpc_em_rows *rows, const dpc_em_point *at, dpc_em_sums *s)
{
    int64_t n = rows->n, square = n * n;
    for (int part = 1; part < PARTS; part++) {
        for (int64_t j = 0; j < n; j++)
            s->first[j] += s->first[part * n + j];
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = 0; i <= j; i++)
                s->second[j * n + i] += s->second[part * square + j * n + i];
        s->log_det[0] += s->log_det[part];
        s->cells[0] += s->cells[part];
    }
    double trace = 0;
    for (int64_t j = 0; j < n; j++) {
        double column = 0;
        for (int64_t i = 0; i < j; i++)
            column += at->omega[j * n + i] * s->second[j * n + i];
        trace += 2 * column + at->omega[j * n + j] * s->second[j * n + j];
    }
    s->likelihood = -(s->log_det[0] + trace - s->cells[0]) / 2;
}

bool dpc_em_expect(const dpc_em_rows *rows, const dpc_em_point *point, const dpc_em_room *room,
                   dpc_crew *crew, dpc_em_sums *sums)
{
    expectation e = {rows, point, room, sums, crew};
    double n = rows->n, work = (double)rows->n_rows * n * n;
    if (!dpc_crew_run(crew, PARTS, work, expect_part, &e))
        return false;
    add_parts(rows, point, sums);
    return true;
}
