/*
 * Which pairs of columns are correlated: see screen.h.
 *
 * A tile is multiplied in single precision, which takes half the time, and what that cannot decide
 * is decided by the product in double precision. Columns have length 1, so that Σ|u||v| ≤ 1, and
 * rounding them costs 2^-24 each. A sum of k products, in any order, has an error of at most
 * k 2^-24 / (1 - k 2^-24) of that (Higham, Accuracy and Stability of Numerical Algorithms,
 * section 3.1), and the sums of blocks add one more for each block. So with blocks of 256 rows the
 * error is below (256 + N/256 + 4) 2^-24, with a little to spare: 2e-5 for 1000 rows. What is
 * farther from c than this is decided.
 */
#include "screen.h"

#include "alloc.h"
#include "linalg.h"
#include "tiles.h"

#include <math.h>
#include <string.h>

enum {
    TILE = DPC_TILE,
    BLOCK = DPC_ROW_BLOCK,
    ROOM = 2 * BLOCK * TILE + TILE * TILE, /* floats of a worker: two blocks and a tile */
};

typedef struct screen_job {
    const dpc_products *products;
    double c, margin;
    int64_t first;
    float *room;      /* ROOM per worker */
    dpc_pairs *found; /* per worker */
    dpc_pairs taken;  /* of other ranks */
    atomic_bool failed;
} screen_job;

void dpc_pairs_clear(dpc_pairs *pairs)
{
    free(pairs->pair);
    *pairs = (dpc_pairs){0};
}

int64_t dpc_screen_tiles(int n_vars)
{
    return dpc_tiles_of(n_vars, TILE);
}

double dpc_screen_margin(int64_t n_rows)
{
    double terms = BLOCK + ceil((double)n_rows / BLOCK) + 4;
    return 1.01 * terms * 0x1p-24;
}

static bool add_pairs(dpc_pairs *pairs, const dpc_edge *more, int64_t count)
{
    dpc_edge *pair =
        dpc_make_room(pairs->pair, &pairs->capacity, pairs->count + count, sizeof *pair);
    if (pair == NULL)
        return false;
    pairs->pair = pair;
    if (count > 0)
        memcpy(pair + pairs->count, more, (size_t)count * sizeof *pair);
    pairs->count += count;
    return true;
}

/* Some rows of some columns, as columns of length 1. */
static void round_block(const dpc_products *p, int first, int count, int64_t from, int rows,
                        float *to)
{
    for (int j = first; j < first + count; j++, to += rows) {
        const double *z = p->z + j * p->n_rows + from, scale = p->scale[j];
        for (int i = 0; i < rows; i++)
            to[i] = (float)(z[i] * scale);
    }
}

/* Is any of these far enough from 0 to be looked at? */
static bool any_above(const float *values, int count, float low)
{
    int any = 0;
#pragma omp simd reduction(| : any)
    for (int i = 0; i < count; i++)
        any |= fabsf(values[i]) > low;
    return any != 0;
}

/* The first `count` pairs of column b, which begin with column `first`. */
static bool look_at(const screen_job *job, const float *values, int first, int count, int b,
                    dpc_pairs *found)
{
    enum { STEP = 64 };
    float low = (float)fmax(job->c - job->margin, 0) * (1 - 0x1p-22f);
    for (int from = 0; from < count; from += STEP) {
        int few = dpc_part_size(count - from, STEP);
        if (!any_above(values + from, few, low))
            continue;
        for (int i = from; i < from + few; i++) {
            double r = fabs((double)values[i]);
            if (r <= job->c + job->margin)
                r = r > job->c - job->margin ? fabs(dpc_product(job->products, first + i, b)) : 0;
            if (r > job->c && !add_pairs(found, &(dpc_edge){.a = first + i, .b = b}, 1))
                return false;
        }
    }
    return true;
}

static void screen_tile(void *context, int64_t index, int worker)
{
    screen_job *job = context;
    const dpc_products *p = job->products;
    dpc_tile t = dpc_tile_of(job->first + index, p->n_vars, TILE);
    float *left = job->room + (int64_t)worker * ROOM, *right = left + BLOCK * TILE;
    float *tile = right + BLOCK * TILE, one = 1, beta = 0;
    for (int64_t from = 0; from < p->n_rows || beta == 0; from += BLOCK, beta = 1) {
        int rows = dpc_part_size(p->n_rows - from, BLOCK), ld = rows > 0 ? rows : 1;
        round_block(p, t.top, t.height, from, rows, left);
        if (!t.diagonal)
            round_block(p, t.left, t.width, from, rows, right);
        sgemm_("T", "N", &t.height, &t.width, &rows, &one, left, &ld, t.diagonal ? left : right,
               &ld, &beta, tile, &t.height);
    }
    for (int j = 0; j < t.width; j++)
        if (!look_at(job, tile + (int64_t)j * t.height, t.top, t.diagonal ? j : t.height,
                     t.left + j, &job->found[worker]))
            atomic_store_explicit(&job->failed, true, memory_order_relaxed);
}

/* What the workers and other ranks have found, one list after the other. */
static dpc_status join(screen_job *job, int workers, dpc_pairs *out)
{
    bool fine = add_pairs(out, job->taken.pair, job->taken.count);
    dpc_pairs_clear(&job->taken);
    for (int i = 0; i < workers && fine; i++) {
        fine = add_pairs(out, job->found[i].pair, job->found[i].count);
        dpc_pairs_clear(&job->found[i]);
    }
    return fine ? DPC_OK : DPC_NO_MEMORY;
}

/* ---- With other ranks ---- */

/* Pairs that another rank has sent to the one that leads. */
static void take_pairs(void *context, int64_t index, const void *bytes, int64_t size)
{
    (void)index;
    screen_job *job = context;
    if (!add_pairs(&job->taken, bytes, size / (int64_t)sizeof *job->taken.pair))
        atomic_store_explicit(&job->failed, true, memory_order_relaxed);
}

/* All pairs of this rank, in parcels of moderate size. */
static void send_pairs(const screen_job *job, const dpc_crew *crew)
{
    enum { MANY = 1 << 22 };
    const dpc_ranks *ranks = crew->settings->ranks;
    for (int i = 0; i < crew->threads; i++) {
        const dpc_pairs *found = &job->found[i];
        for (int64_t from = 0; from < found->count; from += MANY) {
            int64_t count = dpc_part_size(found->count - from, MANY);
            ranks->send(ranks->context, from, found->pair + from,
                        count * (int64_t)sizeof *found->pair);
        }
    }
}

/* All tiles, by all ranks. */
static dpc_status screen_all(screen_job *job, int64_t tiles, dpc_crew *crew)
{
    const dpc_list list = {
        .count = tiles,
        .work = (double)tiles * TILE * TILE * (double)job->products->n_rows,
        .task = screen_tile,
        .take = take_pairs,
        .context = job,
    };
    bool done = dpc_crew_run_shared(crew, &list), shared = dpc_crew_shares(crew, list.work);
    dpc_status status = !done ? DPC_INTERRUPTED : DPC_OK;
    if (atomic_load(&job->failed))
        status = DPC_NO_MEMORY;
    if (!shared)
        return status;
    if (status == DPC_OK && !dpc_leads(crew->settings->ranks))
        send_pairs(job, crew);
    dpc_exchange end = {.status = status};
    status = dpc_crew_exchange(crew, &end, NULL);
    dpc_exchange_clear(&end);
    return status == DPC_OK && atomic_load(&job->failed) ? DPC_NO_MEMORY : status;
}

dpc_status dpc_screen(const dpc_products *p, double c, int64_t first, int64_t end, dpc_crew *crew,
                      dpc_pairs *out)
{
    screen_job job = {
        .products = p,
        .c = c,
        .margin = dpc_screen_margin(p->n_rows),
        .first = first,
        .room = dpc_alloc((int64_t)crew->threads * ROOM, sizeof(float)),
        .found = dpc_zalloc(crew->threads, sizeof(dpc_pairs)),
    };
    dpc_status status = job.room != NULL && job.found != NULL ? DPC_OK : DPC_NO_MEMORY;
    if (status == DPC_OK)
        status = screen_all(&job, end - first, crew);
    if (status == DPC_OK)
        status = join(&job, crew->threads, out);
    dpc_pairs_clear(&job.taken);
    for (int i = 0; job.found != NULL && i < crew->threads; i++)
        dpc_pairs_clear(&job.found[i]);
    free(job.found);
    free(job.room);
    return status;
}
