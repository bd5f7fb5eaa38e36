/*
 * Σⱼ R²ᵢⱼ wⱼ without R: see row_norms.h.
 *
 * Let u be the columns scaled to length 1. The sum is uᵢᵀ S uᵢ, S = Σⱼ wⱼ uⱼ uⱼᵀ, an N × N matrix.
 * So it takes n N² operations where R would take n² N. Where that is more, because there are more
 * rows than columns or only few columns are asked about, their rows of R are made after all, some
 * at a time, and forgotten. Several ranks share the tiles of S, and the columns that are asked
 * about.
 */
#include "row_norms.h"

#include "alloc.h"
#include "linalg.h"
#include "shared_tiles.h"
#include "tiles.h"

#include <math.h>
#include <string.h>

enum {
    SIDE = 256, /* rows and columns of a tile of S */
    WIDE = 256, /* columns that are added to S at a time */
    FEW = 64,   /* columns whose sums are one task */
};

typedef struct norms_job {
    const dpc_products *products;
    const int32_t *columns;
    int count;
    const double *weight;
    double *s;    /* S, both triangles */
    double *room; /* per worker */
    int64_t room_size;
    bool *mine; /* by task: this rank did it */
    double *sums;
} norms_job;

/* One tile of S. */
static void add_up_tile(void *context, int64_t index, int worker)
{
    const norms_job *job = context;
    const dpc_products *p = job->products;
    int all = (int)p->n_rows, ld = SIDE;
    double *right = job->room + worker * job->room_size, one = 1, beta = 0;
    dpc_tile t = dpc_tile_of(index, all, SIDE);
    double *to = job->s + (int64_t)t.left * all + t.top;
    for (int first = 0; first < p->n_vars; first += WIDE, beta = 1) {
        int k = dpc_part_size(p->n_vars - first, WIDE);
        for (int c = 0; c < k; c++) {
            const double *z = p->z + (int64_t)(first + c) * all + t.left;
            double f = p->scale[first + c] * p->scale[first + c] * job->weight[first + c];
            for (int i = 0; i < t.width; i++)
                right[c * SIDE + i] = z[i] * f;
        }
        dgemm_("N", "T", &t.height, &t.width, &k, &one, p->z + (int64_t)first * all + t.top, &all,
               right, &ld, &beta, to, &all);
    }
    job->mine[index] = true;
}

/* The tile of the other triangle. */
static void mirror_tile(void *context, int64_t index, int worker)
{
    (void)worker;
    const norms_job *job = context;
    int64_t all = job->products->n_rows;
    dpc_tile t = dpc_tile_of(index, (int)all, SIDE);
    for (int64_t b = t.left; b < t.left + t.width && !t.diagonal; b++)
        for (int64_t a = t.top; a < t.top + t.height; a++)
            job->s[a * all + b] = job->s[b * all + a];
}

/* All of S. */
static dpc_status add_up(norms_job *job, dpc_crew *crew)
{
    const dpc_products *p = job->products;
    int rows = (int)p->n_rows;
    int64_t tasks = dpc_tiles_of(rows, SIDE);
    const dpc_list list = {
        .count = tasks,
        .singles = tasks,
        .work = (double)p->n_vars * rows * rows,
        .task = add_up_tile,
        .context = job,
    };
    if ((job->mine = dpc_zalloc(tasks, sizeof *job->mine)) == NULL)
        return DPC_NO_MEMORY;
    const dpc_shared_tiles tiles = {rows, SIDE, 1, job->s, NULL, job->mine, tasks};
    dpc_status status = dpc_make_shared_tiles(&tiles, &list, crew);
    free(job->mine);
    if (status == DPC_OK && !dpc_crew_run(crew, tasks, (double)rows * rows, mirror_tile, job))
        status = DPC_INTERRUPTED;
    return status;
}

/* uᵀ S u of some columns. A constant one has nothing but its own R = 1. */
static void ask_s(void *context, int64_t index, int worker)
{
    const norms_job *job = context;
    const dpc_products *p = job->products;
    int first = (int)index * FEW, all = (int)p->n_rows;
    int count = dpc_part_size(job->count - first, FEW);
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
    job->mine[index] = true;
}

/* The same from their rows of R. */
static void ask_rows(void *context, int64_t index, int worker)
{
    const norms_job *job = context;
    const dpc_products *p = job->products;
    int first = (int)index * DPC_TILE, count = dpc_part_size(job->count - first, DPC_TILE);
    double *room = job->room + worker * job->room_size, *tile = room + dpc_tile_room();
    int32_t all[DPC_TILE];
    for (int c = 0; c < count; c++)
        job->sums[first + c] = 0;
    for (int from = 0; from < p->n_vars; from += DPC_TILE) {
        int height = dpc_part_size(p->n_vars - from, DPC_TILE);
        for (int i = 0; i < height; i++)
            all[i] = from + i;
        dpc_product_tile(p, all, height, job->columns + first, count, room, tile);
        for (int64_t c = 0; c < count; c++)
            job->sums[first + c] +=
                dpc_vector_best()->squares(height, tile + c * DPC_TILE, job->weight + from);
    }
    job->mine[index] = true;
}

/* The sums that other ranks have found: they send which tasks were theirs, and all they have. */
static dpc_status exchange_sums(const norms_job *job, int64_t tasks, int few, bool done,
                                dpc_crew *crew)
{
    const dpc_ranks *ranks = crew->settings->ranks;
    size_t flags = (size_t)tasks * sizeof *job->mine;
    size_t sums = (size_t)job->count * sizeof *job->sums;
    char *mine = dpc_alloc((int64_t)(flags + sums), 1);
    dpc_exchange e = {.mine = mine, .size = (int64_t)(flags + sums)};
    e.status = !done ? DPC_INTERRUPTED : mine == NULL ? DPC_NO_MEMORY : DPC_OK;
    if (mine != NULL) {
        memcpy(mine, job->mine, flags);
        memcpy(mine + flags, job->sums, sums);
    }
    dpc_status status = dpc_crew_exchange(crew, &e, NULL);
    for (int rank = 0; rank < ranks->ranks && status == DPC_OK; rank++) {
        const char *theirs = e.all + e.at[rank], *found = theirs + flags;
        for (int64_t first = 0; first < job->count; first += few, theirs += sizeof *job->mine) {
            int64_t count = job->count - first < few ? job->count - first : few;
            if (*(const bool *)theirs)
                memcpy(job->sums + first, found + first * (int64_t)sizeof *job->sums,
                       (size_t)count * sizeof *job->sums);
        }
    }
    free(mine);
    dpc_exchange_clear(&e);
    return status;
}

/* The sums of all columns, `few` in a task. */
static dpc_status ask(norms_job *job, int few, dpc_task task, double work, dpc_crew *crew)
{
    int64_t tasks = (job->count + few - 1) / few;
    const dpc_list list = {.count = tasks, .work = work, .task = task, .context = job};
    if ((job->mine = dpc_zalloc(tasks, sizeof *job->mine)) == NULL)
        return DPC_NO_MEMORY;
    bool done = dpc_crew_run_shared(crew, &list);
    dpc_status status = done ? DPC_OK : DPC_INTERRUPTED;
    if (dpc_crew_shares(crew, list.work))
        status = exchange_sums(job, tasks, few, done, crew);
    free(job->mine);
    return status;
}

dpc_status dpc_weigh_squares(const dpc_products *p, const int32_t *columns, int count,
                             const double *weight, dpc_crew *crew, double *sums)
{
    double n = p->n_vars, rows = (double)p->n_rows, few = count;
    double by_s = (n + 2 * few) * rows * rows, by_rows = 2 * few * n * rows;
    bool use_s = by_s < by_rows;
    norms_job job = {p, columns, count, weight, .sums = sums};
    if (use_s) {
        job.s = dpc_alloc_aligned(p->n_rows * p->n_rows);
        job.room_size = 2 * FEW * p->n_rows > SIDE * WIDE ? 2 * FEW * p->n_rows : SIDE * WIDE;
    } else {
        job.room_size = dpc_tile_room() + DPC_TILE * DPC_TILE;
    }
    job.room = dpc_alloc_aligned(crew->threads * job.room_size);
    dpc_status status = job.room != NULL && (job.s != NULL || !use_s) ? DPC_OK : DPC_NO_MEMORY;
    if (status == DPC_OK && use_s) {
        status = add_up(&job, crew);
        if (status == DPC_OK)
            status = ask(&job, FEW, ask_s, 2 * few * rows * rows, crew);
    } else if (status == DPC_OK) {
        status = ask(&job, DPC_TILE, ask_rows, by_rows, crew);
    }
    free(job.s);
    free(job.room);
    return status;
}
