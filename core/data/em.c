/*
 * The maximum likelihood estimate of the mean μ and the covariance Σ of a Gaussian from rows with
 * missing cells (Dempster, Laird and Rubin 1977).
 *
 * Expectation: a row with the cells o, and without the cells m, is completed by their expected
 * values, and the variance of these is added to the squares. With Ω = Σ⁻¹, made once a step,
 *
 *     x_m = μ_m - Ω_mm⁻¹ Ω_mo (x_o - μ_o),     variance = Ω_mm⁻¹ ,
 *
 * so that a row costs the cube of the number of cells it lacks, not of those it has. Rows that lack
 * the same cells share the factor of Ω_mm, so the rows are sorted by what they lack.
 * Maximisation: the mean and the covariance of the completed rows. Rows without any cell are left
 * out.
 *
 * The rows are cut into a fixed number of parts whose sums are added in their order, so that the
 * bytes do not depend on the number of threads.
 */
#include "em.h"

#include "arena.h"
#include "crew.h"
#include "linalg.h"

#include <math.h>
#include <string.h>

enum {
    PARTS = 8,    /* of the rows */
    BLOCK = 128,  /* completed rows that are squared at a time */
    STEPS = 2000, /* and no more */
};

/* A step that changes no covariance by more, in standard deviations, is the last one. */
static const double SETTLED = 1e-10;

typedef struct em {
    const dpc_incomplete *in;
    int n;           /* columns that vary */
    int32_t *column; /* which these are */
    int64_t n_rows;  /* with a cell at least */
    char **lack;     /* of each row, sorted: a string of what it lacks, in `strings` */
    char *strings;   /* one of `width` for each row of the table */
    int64_t width;
    double *mean, *sigma, *omega;
    double *first, *second; /* of each part: Σ x - μ and Σ (x - μ)(x - μ)ᵀ, upper triangle */
    double *room;           /* of each worker: 2 n × n and 2 n × BLOCK */
    int32_t *list;          /* of each worker: the cells that a row lacks */
} em;

/* ---- Rows, sorted by what they lack ---- */

/* Seven cells a byte, which is never 0. */
static bool describe(const em *e, int64_t row, char *to)
{
    bool any = false;
    memset(to, 0x80, (size_t)e->width - 1);
    to[e->width - 1] = '\0';
    for (int j = 0; j < e->n; j++) {
        bool lacks = isnan(e->in->x[e->column[j] * e->in->n_obs + row]);
        any |= !lacks;
        to[j / 7] = (char)(to[j / 7] | lacks << j % 7);
    }
    return any;
}

static bool lacks(const char *description, int cell)
{
    return description[cell / 7] >> cell % 7 & 1;
}

static int by_lack(const void *a, const void *b)
{
    const char *x = *(char *const *)a, *y = *(char *const *)b;
    int order = strcmp(x, y);
    return order != 0 ? order : (x > y) - (x < y);
}

static void sort_rows(em *e)
{
    for (int64_t i = 0; i < e->in->n_obs; i++) {
        char *to = e->strings + i * e->width;
        if (describe(e, i, to))
            e->lack[e->n_rows++] = to;
    }
    qsort(e->lack, (size_t)e->n_rows, sizeof *e->lack, by_lack);
}

/* ---- Expectation ---- */

/* The work space of a worker. */
typedef struct workspace {
    double *factor;   /* of Ω_mm, then Ω_mm⁻¹ */
    double *omega;    /* the columns m of Ω */
    double *expected; /* the expected values of what is missing, in columns of k */
    double *block;    /* completed rows less μ, each a column of n */
    int filled;       /* of these */
    int32_t *list;    /* m */
    int k;            /* how many they are */
} workspace;

/* Σ (x - μ) and its square of the completed rows so far. */
static void add_block(const em *e, workspace *b, double *first, double *second)
{
    const double one = 1;
    for (int i = 0; i < b->filled; i++)
        for (int64_t j = 0; j < e->n; j++)
            first[j] += b->block[i * (int64_t)e->n + j];
    dsyrk_("U", "N", &e->n, &b->filled, &one, b->block, &e->n, &one, second, &e->n);
    b->filled = 0;
}

/* For the rows that lack the same: the list of it, and the factor. */
static void factor_missing(const em *e, const char *lack, workspace *b)
{
    int64_t n = e->n;
    int info;
    b->k = 0;
    for (int j = 0; j < n; j++)
        if (lacks(lack, j))
            b->list[b->k++] = j;
    for (int64_t j = 0; j < b->k; j++) {
        const double *from = e->omega + b->list[j] * n;
        memcpy(b->omega + j * n, from, (size_t)n * sizeof *from);
        for (int64_t i = 0; i < b->k; i++)
            b->factor[j * b->k + i] = from[b->list[i]];
    }
    if (b->k > 0) /* of a positive definite matrix: it cannot fail */
        dpotrf_("L", &b->k, b->factor, &b->k, &info);
}

/* Completes `rows` rows from `at` on, as the next ones of the block. */
static void complete(const em *e, int64_t at, int rows, workspace *b)
{
    const double one = 1, minus = -1, none = 0;
    int64_t n = e->n;
    double *to = b->block + b->filled * n;
    for (int i = 0; i < rows; i++) {
        int64_t row = (e->lack[at + i] - e->strings) / e->width;
        for (int64_t j = 0; j < n; j++) {
            double x = e->in->x[e->column[j] * e->in->n_obs + row];
            to[i * n + j] = isnan(x) ? 0 : x - e->mean[j];
        }
    }
    b->filled += rows;
    if (b->k == 0)
        return;
    dgemm_("T", "N", &b->k, &rows, &e->n, &minus, b->omega, &e->n, to, &e->n, &none, b->expected,
           &b->k);
    dtrsm_("L", "L", "N", "N", &b->k, &rows, &one, b->factor, &b->k, b->expected, &b->k);
    dtrsm_("L", "L", "T", "N", &b->k, &rows, &one, b->factor, &b->k, b->expected, &b->k);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < b->k; j++)
            to[i * n + b->list[j]] = b->expected[i * b->k + j];
}

/* The variance of what was missing, `rows` times. */
static void add_variance(const em *e, workspace *b, int64_t rows, double *second)
{
    int info;
    if (b->k == 0)
        return;
    dtrtri_("L", "N", &b->k, b->factor, &b->k, &info);
    dlauum_("L", &b->k, b->factor, &b->k, &info);
    for (int64_t i = 0; i < b->k; i++) /* the list ascends: entry i ≥ j is above the diagonal */
        for (int64_t j = 0; j <= i; j++)
            second[b->list[i] * (int64_t)e->n + b->list[j]] +=
                (double)rows * b->factor[j * b->k + i];
}

static void expect_part(void *context, int64_t index, int worker)
{
    const em *e = context;
    int64_t n = e->n, square = n * n;
    double *room = e->room + worker * (2 * square + 2 * n * BLOCK);
    workspace b = {.factor = room,
                   .omega = room + square,
                   .expected = room + 2 * square,
                   .block = room + 2 * square + n * BLOCK,
                   .list = e->list + worker * n};
    double *first = e->first + index * n, *second = e->second + index * square;
    memset(first, 0, (size_t)n * sizeof *first);
    memset(second, 0, (size_t)square * sizeof *second);
    int64_t at = e->n_rows * index / PARTS, end = e->n_rows * (index + 1) / PARTS;
    while (at < end) {
        int64_t from = at;
        factor_missing(e, e->lack[at], &b);
        while (at < end && strcmp(e->lack[at], e->lack[from]) == 0) {
            int rows = 1;
            while (b.filled + rows < BLOCK && at + rows < end &&
                   strcmp(e->lack[at + rows], e->lack[from]) == 0)
                rows++;
            complete(e, at, rows, &b);
            at += rows;
            if (b.filled == BLOCK)
                add_block(e, &b, first, second);
        }
        add_variance(e, &b, at - from, second);
    }
    if (b.filled > 0)
        add_block(e, &b, first, second);
}

/* ---- Maximisation ---- */

/* The new μ and Σ; returns the largest change of a covariance, in standard deviations. */
static double maximise(em *e)
{
    int64_t n = e->n, square = n * n;
    double rows = (double)e->n_rows, *first = e->first, *second = e->second, change = 0;
    for (int part = 1; part < PARTS; part++) {
        for (int64_t j = 0; j < n; j++)
            first[j] += first[part * n + j];
        for (int64_t i = 0; i < square; i++)
            second[i] += second[part * square + i];
    }
    for (int64_t j = 0; j < n; j++) {
        first[j] /= rows;
        e->mean[j] += first[j];
    }
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i <= j; i++) {
            double s = second[j * n + i] / rows - first[i] * first[j];
            double unit = sqrt(e->sigma[i * n + i] * e->sigma[j * n + j]);
            change = fmax(change, fabs(s - e->sigma[j * n + i]) / unit);
            e->sigma[j * n + i] = s;
        }
    for (int64_t j = 0; j < n; j++) {
        change = fmax(change, fabs(first[j]) / sqrt(e->sigma[j * n + j]));
        for (int64_t i = 0; i < j; i++)
            e->sigma[i * n + j] = e->sigma[j * n + i];
    }
    return change;
}

/* Ω = (Σ + a ridge)⁻¹; the ridge is 0 unless Σ is singular, and then as small as it can be. */
static void invert(em *e)
{
    int n = e->n, info;
    int64_t square = (int64_t)n * n;
    for (double ridge = 0;; ridge = ridge > 0 ? 10 * ridge : DPC_SINGULAR) {
        memcpy(e->omega, e->sigma, (size_t)square * sizeof *e->omega);
        for (int64_t j = 0; j < n; j++)
            e->omega[j * n + j] += ridge;
        dpotrf_("U", &n, e->omega, &n, &info);
        bool fine = info == 0;
        for (int64_t j = 0; j < n && fine; j++)
            fine = e->omega[j * n + j] * e->omega[j * n + j] > DPC_SINGULAR / 10;
        if (fine || ridge > 1)
            break;
    }
    dtrtri_("U", "N", &n, e->omega, &n, &info);
    dlauum_("U", &n, e->omega, &n, &info);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < j; i++)
            e->omega[i * n + j] = e->omega[j * n + i];
}

/* ---- The whole ---- */

static dpc_status run(em *e, dpc_crew *crew, dpc_em_course *course)
{
    double n = e->n, work = (double)e->n_rows * n * n;
    *course = (dpc_em_course){0};
    while (course->steps < STEPS && !course->settled) {
        invert(e);
        if (!dpc_crew_run(crew, PARTS, work, expect_part, e))
            return DPC_INTERRUPTED;
        course->change = maximise(e);
        course->settled = course->change <= SETTLED;
        course->steps++;
    }
    return DPC_OK;
}

static void start(em *e, const double *r)
{
    for (int64_t j = 0; j < e->n; j++)
        for (int64_t i = 0; i < e->n; i++)
            e->sigma[j * e->n + i] = r[e->column[j] * (int64_t)e->in->n_vars + e->column[i]];
    sort_rows(e);
}

static void finish(const em *e, double *r, double *sd)
{
    int64_t n = e->n, all = e->in->n_vars;
    for (int64_t j = 0; j < all; j++)
        sd[j] = 1;
    for (int64_t j = 0; j < n; j++)
        sd[e->column[j]] = sqrt(e->sigma[j * n + j]);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < j; i++) {
            int64_t a = e->column[i], b = e->column[j];
            double x = e->sigma[j * n + i] / (sd[a] * sd[b]);
            r[b * all + a] = r[a * all + b] = fmax(-1, fmin(1, x));
        }
}

dpc_status dpc_em(const dpc_incomplete *in, const dpc_settings *settings, double *r, double *sd,
                  dpc_em_course *course)
{
    dpc_crew crew;
    dpc_crew_init(&crew, settings, DPC_STAGE_CORRELATION);
    dpc_arena arena = {0};
    em e = {.in = in, .column = dpc_arena_alloc(&arena, in->n_vars, sizeof *e.column)};
    for (int j = 0; e.column != NULL && j < in->n_vars; j++)
        if (!in->constant[j])
            e.column[e.n++] = j;
    int64_t n = e.n, square = n * n;
    e.width = (n + 6) / 7 + 1;
    e.lack = dpc_arena_alloc(&arena, in->n_obs, sizeof *e.lack);
    e.strings = dpc_arena_alloc(&arena, in->n_obs, (size_t)e.width);
    e.mean = dpc_arena_zalloc(&arena, n, sizeof *e.mean);
    e.sigma = dpc_arena_aligned(&arena, square);
    e.omega = dpc_arena_aligned(&arena, square);
    e.first = dpc_arena_alloc(&arena, PARTS * n, sizeof *e.first);
    e.second = dpc_arena_aligned(&arena, PARTS * square);
    e.room = dpc_arena_aligned(&arena, crew.threads * (2 * square + 2 * n * BLOCK));
    e.list = dpc_arena_alloc(&arena, crew.threads * n, sizeof *e.list);
    dpc_status status = DPC_NO_MEMORY;
    if (!dpc_arena_failed(&arena)) {
        start(&e, r);
        status = e.n > 0 ? run(&e, &crew, course) : DPC_OK;
        if (status == DPC_OK)
            finish(&e, r, sd);
    }
    dpc_arena_clear(&arena);
    return status;
}
