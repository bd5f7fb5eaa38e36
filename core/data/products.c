/* Correlations made when they are asked for: see products.h. */
#include "products.h"

#include "alloc.h"
#include "linalg.h"
#include "tiles.h"
#include "vector.h"

#include <math.h>
#include <string.h>

enum {
    TILE = DPC_TILE,
    BLOCK = DPC_ROW_BLOCK,
    FEW = 24, /* columns for whose square BLAS is not worth calling */
};

void dpc_products_free(dpc_products *p)
{
    if (p == NULL)
        return;
    free(p->z);
    free(p->scale);
    free(p);
}

static const double *column_of(const dpc_products *p, int64_t column)
{
    return p->z + column * p->n_rows;
}

/* ---- Making them ---- */

typedef struct centre_job {
    const dpc_columns *columns;
    dpc_products *products;
    double *sd;
    int width; /* columns of a task */
} centre_job;

/* The inner products of x with DPC_CHAINS columns. */
static void sum_chains(const dpc_products *p, const double *x, const double *const *columns,
                       double *sum)
{
    const dpc_vector *vector = dpc_vector_best();
    const double *y[DPC_CHAINS];
    double chunk_sum[DPC_CHAINS], part[DPC_CHAINS];
    for (int chunk = 0; chunk < p->chunks; chunk++) {
        int64_t from = p->n_rows * chunk / p->chunks, end = p->n_rows * (chunk + 1) / p->chunks;
        memset(chunk_sum, 0, sizeof chunk_sum);
        for (; from < end; from += BLOCK) {
            for (int k = 0; k < DPC_CHAINS; k++)
                y[k] = columns[k] + from;
            vector->chains(dpc_part_size(end - from, BLOCK), x + from, y, part);
            for (int k = 0; k < DPC_CHAINS; k++)
                chunk_sum[k] += part[k];
        }
        for (int k = 0; k < DPC_CHAINS; k++)
            sum[k] = chunk == 0 ? chunk_sum[k] : sum[k] + chunk_sum[k];
    }
}

static double sum_one(const dpc_products *p, const double *x, const double *y)
{
    const double *columns[DPC_CHAINS];
    double sum[DPC_CHAINS];
    for (int k = 0; k < DPC_CHAINS; k++)
        columns[k] = y;
    sum_chains(p, x, columns, sum);
    return sum[0];
}

/* The mean that rounding has left in a column. */
static void take_out_mean(dpc_products *p, int64_t j, double left)
{
    double *z = p->z + j * p->n_rows;
    for (int64_t i = 0; left != 0 && i < p->n_rows; i++)
        z[i] -= left;
}

static void centre_columns(void *context, int64_t index, int worker)
{
    (void)worker;
    const centre_job *job = context;
    dpc_products *p = job->products;
    int64_t first = index * job->width, end = first + job->width;
    end = end < p->n_vars ? end : p->n_vars;
    dpc_columns_centre(job->columns, (int)first, (int)(end - first), 0, p->n_rows,
                       p->z + first * p->n_rows);
    for (int64_t j = first; j < end; j++) {
        take_out_mean(p, j, job->columns->left[j]);
        double square = sum_one(p, column_of(p, j), column_of(p, j));
        p->scale[j] = square > 0 ? 1 / sqrt(square) : 0;
        job->sd[j] = sqrt(square / (double)p->n_rows);
    }
}

dpc_status dpc_products_new(const dpc_columns *columns, int n_vars, const dpc_settings *settings,
                            double *sd, dpc_products **out)
{
    dpc_crew crew;
    dpc_crew_init(&crew, settings, DPC_STAGE_CORRELATION);
    dpc_products *p = dpc_zalloc(1, sizeof *p);
    if (p == NULL)
        return DPC_NO_MEMORY;
    *p = (dpc_products){
        .n_vars = n_vars,
        .n_rows = columns->n_rows,
        .z = dpc_alloc_aligned(n_vars * columns->n_rows),
        .scale = dpc_alloc(n_vars, sizeof(double)),
        .chunks = dpc_row_chunks(n_vars),
    };
    int width = dpc_columns_at_a_time(&columns->cells, columns->n_rows);
    centre_job job = {columns, p, sd, width};
    dpc_status status = p->z != NULL && p->scale != NULL ? DPC_OK : DPC_NO_MEMORY;
    double work = (double)n_vars * (double)columns->n_rows;
    if (status == DPC_OK &&
        !dpc_crew_run(&crew, (n_vars + width - 1) / width, work, centre_columns, &job))
        status = DPC_INTERRUPTED;
    if (status == DPC_OK)
        *out = p;
    else
        dpc_products_free(p);
    return status;
}

/* ---- A few of them ---- */

/* The correlation, from an inner product. */
static double finished(const dpc_products *p, int a, int b, double sum)
{
    double v = a < b ? sum * p->scale[a] * p->scale[b] : sum * p->scale[b] * p->scale[a];
    return a == b ? 1 : v > 1 ? 1 : v < -1 ? -1 : v;
}

double dpc_product(const dpc_products *p, int a, int b)
{
    return a == b ? 1 : finished(p, a, b, sum_one(p, column_of(p, a), column_of(p, b)));
}

void dpc_product_row(const dpc_products *p, int a, const int32_t *columns, int count, double *to)
{
    const double *x = column_of(p, a), *y[DPC_CHAINS];
    double sum[DPC_CHAINS];
    for (int first = 0; first < count; first += DPC_CHAINS) {
        int few = dpc_part_size(count - first, DPC_CHAINS);
        for (int k = 0; k < DPC_CHAINS; k++) {
            int at = first + (k < few ? k : 0);
            y[k] = column_of(p, columns != NULL ? columns[at] : at);
        }
        sum_chains(p, x, y, sum);
        for (int k = 0; k < few; k++) {
            int b = columns != NULL ? columns[first + k] : first + k;
            to[first + k] = finished(p, a, b, sum[k]);
        }
    }
}

/* ---- Many of them ---- */

/*
 * Some rows of some columns into a block. Their number is made even: of an odd one OpenBLAS sums
 * the last column in another order than all others.
 */
static int copy_rows(const dpc_products *p, const int32_t *columns, int count, int64_t from,
                     int rows, double *to)
{
    int even = (count + 1) / 2 * 2;
    for (int i = 0; i < even; i++, to += rows)
        memcpy(to, column_of(p, columns[i < count ? i : count - 1]) + from,
               (size_t)rows * sizeof *to);
    return even;
}

/* The inner products of two lists, entry (i, j) at to[j * ld + i]; the lengths become even. */
static void multiply(const dpc_products *p, const int32_t *left, int height, const int32_t *right,
                     int width, double *room, double *to, int ld)
{
    double *zi = room, *zj = room + (int64_t)BLOCK * (height + 1), one = 1, beta = 0;
    for (int64_t from = 0; from < p->n_rows || beta == 0; from += BLOCK, beta = 1) {
        int rows = dpc_part_size(p->n_rows - from, BLOCK);
        int m = copy_rows(p, left, height, from, rows, zi), k = rows > 0 ? rows : 1;
        int n = copy_rows(p, right, width, from, rows, zj);
        dgemm_("T", "N", &m, &n, &rows, &one, zi, &k, zj, &k, &beta, to, &ld);
    }
}

/* Doubles that `multiply` needs besides the product: two blocks. */
static int64_t blocks_of(int64_t height, int64_t width)
{
    return BLOCK * (height + width + 2);
}

int64_t dpc_product_room(int64_t count)
{
    int64_t even = (count + 1) / 2 * 2;
    return count > FEW ? (BLOCK + even) * even : 1;
}

static void square_by_rows(const dpc_products *p, const int32_t *columns, int64_t count, double *to)
{
    for (int64_t j = 0; j < count; j++) {
        dpc_product_row(p, columns[j], columns + j, (int)(count - j), to + j * count + j);
        for (int64_t i = j + 1; i < count; i++)
            to[i * count + j] = to[j * count + i];
    }
}

/* The inner products of a list with itself, the upper triangle in Fortran's sense. */
static void multiply_square(const dpc_products *p, const int32_t *columns, int count, double *room,
                            double *to, int ld)
{
    double one = 1, beta = 0;
    for (int64_t from = 0; from < p->n_rows || beta == 0; from += BLOCK, beta = 1) {
        int rows = dpc_part_size(p->n_rows - from, BLOCK);
        int even = copy_rows(p, columns, count, from, rows, room), k = rows > 0 ? rows : 1;
        dsyrk_("U", "T", &even, &rows, &one, room, &k, &beta, to, &ld);
    }
}

void dpc_product_square(const dpc_products *p, const int32_t *columns, int count, double *room,
                        double *to)
{
    if (count <= FEW || p->chunks > 1) {
        square_by_rows(p, columns, count, to);
        return;
    }
    int even = (count + 1) / 2 * 2;
    double *product = room + BLOCK * (int64_t)even;
    multiply_square(p, columns, count, room, product, even);
    for (int64_t j = 0; j < count; j++)
        for (int64_t i = 0; i <= j; i++)
            to[j * count + i] = to[i * count + j] =
                finished(p, columns[i], columns[j], product[j * even + i]);
}

/* ---- Tiles ---- */

int64_t dpc_tile_room(void)
{
    return blocks_of(TILE, TILE);
}

void dpc_product_tile(const dpc_products *p, const int32_t *left, int height, const int32_t *right,
                      int width, double *room, double *to)
{
    for (int j = 0; j < width && p->chunks > 1; j++)
        dpc_product_row(p, right[j], left, height, to + j * TILE);
    if (p->chunks > 1)
        return;
    multiply(p, left, height, right, width, room, to, TILE);
    for (int j = 0; j < width; j++)
        for (int i = 0; i < height; i++)
            to[j * TILE + i] = finished(p, left[i], right[j], to[j * TILE + i]);
}

typedef struct matrix_job {
    const dpc_products *products;
    const int32_t *columns;
    int count;
    double *room; /* per worker: a tile and what it takes to make it */
    double *to;
} matrix_job;

static int64_t matrix_room(void)
{
    return dpc_tile_room() + TILE * TILE;
}

static void make_tile(void *context, int64_t index, int worker)
{
    const matrix_job *job = context;
    int64_t n = job->count;
    double *room = job->room + worker * matrix_room(), *tile = room + dpc_tile_room();
    dpc_tile t = dpc_tile_of(index, job->count, TILE);
    dpc_product_tile(job->products, job->columns + t.top, t.height, job->columns + t.left, t.width,
                     room, tile);
    for (int j = 0; j < t.width; j++)
        for (int i = 0; i < t.height; i++)
            job->to[(t.left + j) * n + t.top + i] = job->to[(t.top + i) * n + t.left + j] =
                tile[j * TILE + i];
}

dpc_status dpc_product_matrix(const dpc_products *p, const int32_t *columns, int count,
                              dpc_crew *crew, double *to)
{
    matrix_job job = {p, columns, count, dpc_alloc_aligned(crew->threads * matrix_room()), to};
    if (job.room == NULL)
        return DPC_NO_MEMORY;
    double work = (double)count * count * (double)p->n_rows;
    bool done = dpc_crew_run(crew, dpc_tiles_of(count, TILE), work, make_tile, &job);
    free(job.room);
    return done ? DPC_OK : DPC_INTERRUPTED;
}
