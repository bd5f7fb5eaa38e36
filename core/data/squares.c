/*
 * Σⱼ R²ᵢⱼ wⱼ without R: see squares.h.
 *
 * With u the columns scaled to length 1 the sum is uᵢᵀ S uᵢ, S = Σⱼ wⱼ uⱼ uⱼᵀ, an N × N matrix. So
 * it takes n N² operations where R would take n² N. Where that is more, because there are more rows
 * than columns or only few columns are asked about, their rows of R are made after all, some at a
 * time, and forgotten.
 */
#include "squares.h"

#include "linalg.h"
#include "memory.h"
#include "tiles.h"

#include <math.h>

enum {
    SIDE = 256, /* rows and columns of a tile of S */
    WIDE = 256, /* columns that are added to S at a time */
    FEW = 64,   /* columns whose sums are one task */
};

typedef struct squares_job {
    const dpc_products *products;
    const int32_t *columns;
    int count;
    const double *weight;
    double *s;    /* S, both triangles */
    double *room; /* per worker */
    int64_t room_size;
    double *sums;
} squares_job;

/* One tile of S. */
static void add_up_tile(void *context, int64_t index, int worker)
{
    const squares_job *job = context;
    const dpc_products *p = job->products;
    int row, column, all = (int)p->n_rows;
    double *right = job->room + worker * job->room_size, one = 1, beta = 0;
    dpc_tile_of(index, &row, &column);
    int i = row * SIDE, j = column * SIDE;
    int height = all - i < SIDE ? all - i : SIDE, width = all - j < SIDE ? all - j : SIDE;
    double *to = job->s + (int64_t)j * all + i;
    for (int first = 0; first < p->n_vars; first += WIDE, beta = 1) {
        int k = p->n_vars - first < WIDE ? p->n_vars - first : WIDE;
        for (int c = 0; c < k; c++) {
            const double *z = p->z + (int64_t)(first + c) * all + j;
            double f = p->scale[first + c] * p->scale[first + c] * job->weight[first + c];
            for (int t = 0; t < width; t++)
                right[c * SIDE + t] = z[t] * f;
        }
        int ld = SIDE;
        dgemm_("N", "T", &height, &width, &k, &one, p->z + (int64_t)first * all + i, &all, right,
               &ld, &beta, to, &all);
    }
    for (int64_t b = j; b < j + width && row != column; b++)
        for (int64_t a = i; a < i + height; a++)
            job->s[a * all + b] = job->s[b * all + a];
}

/* uᵀ S u of some columns. A constant one has nothing but its own R = 1. */
static void ask_s(void *context, int64_t index, int worker)
{
    const squares_job *job = context;
    const dpc_products *p = job->products;
    int first = (int)index * FEW, all = (int)p->n_rows;
    int count = job->count - first < FEW ? job->count - first : FEW;
    double *u = job->room + worker * job->room_size, *su = u + (int64_t)FEW * all;
    double one = 1, none = 0;
    for (int64_t c = 0; c < count; c++) {
        int column = job->columns[first + c];
        const double *z = p->z + (int64_t)column * all;
        for (int64_t t = 0; t < all; t++)
            u[c * all + t] = z[t] * p->scale[column];
    }
    dgemm_("N", "N", &all, &count, &all, &one, job->s, &all, u, &all, &none, su, &all);
    for (int64_t c = 0; c < count; c++) {
        int column = job->columns[first + c];
        double sum = dpc_vector_best()->dot(all, u + c * all, su + c * all);
        job->sums[first + c] = p->scale[column] > 0 ? sum : job->weight[column];
    }
}

/* The same from their rows of R. */
static void ask_rows(void *context, int64_t index, int worker)
{
    const squares_job *job = context;
    const dpc_products *p = job->products;
    int first = (int)index * DPC_TILE;
    int count = job->count - first < DPC_TILE ? job->count - first : DPC_TILE;
    double *room = job->room + worker * job->room_size, *tile = room + dpc_tile_room();
    int32_t all[DPC_TILE];
    for (int c = 0; c < count; c++)
        job->sums[first + c] = 0;
    for (int from = 0; from < p->n_vars; from += DPC_TILE) {
        int height = p->n_vars - from < DPC_TILE ? p->n_vars - from : DPC_TILE;
        for (int i = 0; i < height; i++)
            all[i] = from + i;
        dpc_product_tile(p, all, height, job->columns + first, count, room, tile);
        for (int64_t c = 0; c < count; c++)
            job->sums[first + c] +=
                dpc_vector_best()->squares(height, tile + c * DPC_TILE, job->weight + from);
    }
}

static dpc_status run(squares_job *job, dpc_crew *crew, int64_t tasks, double work, dpc_task task)
{
    return dpc_crew_run(crew, tasks, work, task, job) ? DPC_OK : DPC_INTERRUPTED;
}

dpc_status dpc_weigh_squares(const dpc_products *p, const int32_t *columns, int count,
                             const double *weight, dpc_crew *crew, double *sums)
{
    double n = p->n_vars, rows = (double)p->n_rows, few = count;
    double by_s = (n + 2 * few) * rows * rows, by_rows = 2 * few * n * rows;
    bool use_s = by_s < by_rows;
    squares_job job = {p, columns, count, weight, .sums = sums};
    if (use_s) {
        job.s = dpc_alloc_aligned(p->n_rows * p->n_rows);
        job.room_size = 2 * FEW * p->n_rows > SIDE * WIDE ? 2 * FEW * p->n_rows : SIDE * WIDE;
    } else {
        job.room_size = dpc_tile_room() + DPC_TILE * DPC_TILE;
    }
    job.room = dpc_alloc_aligned(crew->threads * job.room_size);
    dpc_status status = job.room != NULL && (job.s != NULL || !use_s) ? DPC_OK : DPC_NO_MEMORY;
    if (status == DPC_OK && use_s) {
        status = run(&job, crew, dpc_tiles_of((int)p->n_rows, SIDE), n * rows * rows, add_up_tile);
        if (status == DPC_OK)
            status = run(&job, crew, (count + FEW - 1) / FEW, 2 * few * rows * rows, ask_s);
    } else if (status == DPC_OK) {
        status = run(&job, crew, (count + DPC_TILE - 1) / DPC_TILE, by_rows, ask_rows);
    }
    free(job.s);
    free(job.room);
    return status;
}
